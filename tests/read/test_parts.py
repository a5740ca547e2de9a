r"""Rows, columns and entries in words: q_i is a way to write Q[i, :], and never anything else."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.read import read

SHAPES = (
    r"Let $Q\in\mathbb{R}^{n\times d}$, $K\in\mathbb{R}^{m\times d}$, $A\in\mathbb{R}^{d\times p}$."
)
ROWS = "$q_i$ and $k_j$ denote the rows of $Q$ and $K$"


def parts(words):
    return read(f"{SHAPES}\n{words}\n\n$$ S = Q K^\\top $$\n", strict=False).parts


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Let $q_i$ be the $i$-th row of $Q$.", {"q": ("rows", "Q")}),
        ("where $n_k$ is row $k$ of $N$.", {"n": ("rows", "N")}),
        (f"Let {ROWS}, respectively.", {"q": ("rows", "Q"), "k": ("rows", "K")}),
        (r"where $q_i^\top$ is the $i^{th}$ row of the matrix $Q$.", {"q": ("rows", "Q")}),
        (r"The rows of $Q$ are the queries $q_1,\dots,q_n$.", {"q": ("rows", "Q")}),
        ("The $i$th row of $Q$ is denoted by $x^{(i)}$.", {"x": ("rows", "Q")}),
        (r"$A$ has columns $a_1,\ldots,a_p$.", {"a": ("columns", "A")}),
        (r"$b_j$ are the columns of $Q^\top$.", {"b": ("rows", "Q")}),
        ("The $(i,j)$ entry of $A$ is $a_{ij}$.", {"a": ("entries", "A")}),
        ("We write $q_i$ for rows of $Q$ and $a_j$ for columns of $A$.",
         {"q": ("rows", "Q"), "a": ("columns", "A")}),
        ("We have weights $w_i$ for the rows of $Q$.", {}),
        ("$r_i$ is orthogonal to the columns of $A$, which sum to $s_i$.", {}),
        ("If $q_i$ is a row of $Q$, then", {}),
        ("The rows of $Q$ and $K$ are $x_i$.", {}),
        ("Let $q$ be a row of $Q$.", {}),
        ("$x_i$ is a row of $Q$. Below, $x_i$ is a row of $K$.", {}),
    ],
)  # fmt: skip
def test_words_name_parts(words, expected):
    assert parts(words) == expected


def verdicts(text):
    return [r.verdict for r in check(SHAPES + text, corrections=False) if r.kind != "shape"]


def test_rows_and_matrices_decide_together():
    text = rf"""
{ROWS}. The columns of $A$ are $a_1,\dots,a_p$ and its entries are $A_{{ij}}$.

$$ S = Q K^\top, \qquad S_{{ij}} = q_i^\top k_j, \qquad (Q K^\top)_{{ij}} = 2 k_j^\top q_i $$
$$ \frac{{\partial S_{{ij}}}}{{\partial q_i}} = k_j $$
$$ \frac{{\partial S_{{ij}}}}{{\partial q_l}} = k_j $$
$$ A A^\top = \sum_{{j=1}}^p a_j a_j^\top, \qquad (Q A)_{{ij}} = q_i^\top a_j $$
"""
    assert verdicts(text) == [
        "definition", "proved", "refuted", "proved", "malformed", "proved", "proved"
    ]  # fmt: skip


def test_columns_are_not_rows():
    """A^⊤ A is p × p and a_j a_j^⊤ is d × d: refused, and a_{ij} has two readings."""
    text = r"""
The columns of $A$ are $a_1,\dots,a_p$.

$$ A^\top A = \sum_{j=1}^p a_j a_j^\top $$
$$ T_{ij} = Q_{ik} a_{kj} $$
"""
    doc = read(SHAPES + text, strict=False)
    assert ["two sizes" in str(r.reason) for r in doc.refused] == [True, False]
    assert "a has 2 indices here, and names the columns of A" in str(doc.refused[1].reason)


def test_rows_that_lie():
    text = rf"""
{ROWS}.

$$ S = Q K^\top, \qquad S_{{ij}} = q_i k_j^\top, \qquad T_{{ij}} = q_i K^\top K q_j^\top $$
$$ T = Q K^\top K Q^\top $$
"""
    assert verdicts(text) == ["definition", "proved", "definition", "proved"]


def test_another_tensor_of_that_letter():
    """V_{lb} is no row, and neither is a bare q."""
    doc = read(
        SHAPES + f"{ROWS}.\n\n$$ y = K q $$\n$$ Z_{{lb}} = V_{{lb}} + k_l^\\top q $$", strict=False
    )
    assert set(doc.inputs) == {"K", "q", "V"}


def test_rows_are_declared():
    text = "<!-- symattn: rows q of Q; rows k of K -->"
    text += "\n\n$$ S = Q K^\\top, \\quad S_{ij} = q_i^\\top k_j $$"
    assert verdicts(text) == ["definition", "proved"]
