r"""The size between a kind and its noun is no name: an idempotent $n \times n$ matrix $A$."""

from __future__ import annotations

import pytest

from symattn.checker import check


@pytest.mark.parametrize(
    ("words", "claim", "why"),
    [
        (r"Let $A$ be a traceless $n \times n$ matrix.",
         r"\operatorname{tr}(A B + A) = \operatorname{tr}(A B)", "traceless"),
        (r"Let $A$ be a nilpotent $n \times n$ matrix of order 2.", "(I - A)^{-1} = I + A",
         "nilpotent"),
        (r"Let $A$ be an $n \times n$ matrix of determinant one.", r"\det A^2 = 1",
         "determinant"),
        (r"Let $A \in \mathbb{R}^{n \times n}$ have determinant $1$.", r"\det A^2 = 1",
         "determinant"),
    ],
)  # fmt: skip
def test_what_words_say_of_a_sized_matrix_is_not_refuted(words: str, claim: str, why: str) -> None:
    (row,) = check(f"{words} Then ${claim}$.", timeout=None, corrections=False).rows
    assert row.verdict == "unproved"
    assert row.reason.startswith("in the words of the text A is ") and row.reason.endswith(why)


def test_a_size_alone_refutes() -> None:
    text = r"Let $A$ be an invertible $n \times n$ matrix. Then $(I - A)^2 = I - A$."
    assert check(text, timeout=None, corrections=False).rows[-1].verdict == "refuted"


@pytest.mark.parametrize(
    "text",
    [
        r"Let $A$ and $B$ be $n \times n$ matrices that are functions of $C$. Then $AB = BA$.",
        r"Let $A$ and $B$ be $n \times n$ matrices with the same rows. Then $A - B = 0$.",
        r"Let $A$ be a $2 \times 2$ matrix whose columns are parallel. Then $\det A = 0$.",
        r"Let $A$ and $B$ be square matrices, both of the form $x I$. Then $A B = B A$.",
        r"Let $A$ be a square matrix and $B$ its inverse transpose. Then $B^\top A = I$.",
        r"Let $A$ and $B$ be square matrices, $B$ the inverse. Then $AB = BA$.",
        r"Let $A$ be a square matrix whose rows are its columns. Then $A = A^\top$.",
    ],
)
def test_a_theorem_with_words_that_tie_its_matrices_is_not_refuted(text: str) -> None:
    found = {r.verdict for r in check(text, timeout=None, corrections=False).rows}
    assert "refuted" not in found


def test_a_theorem_of_any_matrices_is_refuted() -> None:
    text = r"Let $A$ and $B$ be $n \times n$ matrices of the same size. Then $AB = BA$."
    assert check(text, timeout=None, corrections=False).rows[-1].verdict == "refuted"
