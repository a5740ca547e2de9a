"""Corrections in the spelling of their author, each of which is proved."""

from __future__ import annotations

import pytest
import sympy as sp

from symattn.checker import check
from symattn.checker.reread import relettered
from symattn.checker.spelling import spelled
from symattn.checker.statements import reading
from symattn.read import read


@pytest.mark.parametrize(
    ("right", "own", "text", "wanted"),
    [
        (r"-\frac12\frac2n X", r"-\frac2n X", "", r"-\frac1n X"),
        (r"\sqrt{d_k} \frac{1}{d_k} S", r"\frac{1}{d_k} S", "", r"\frac{1}{\sqrt{d_k}} S"),
        (r"\frac{1}{2} 2 x", "2 x", "", "x"),
        (r"\frac{1}{2} \frac{1}{n} X", r"\frac{1}{n} X", "", r"\frac{1}{2 n} X"),
        (r"\frac{1}{2} \frac{2}{1}", "2", "", "1"),
        (r"Z^\top Y", "Z Y", "$X^T X$", "Z^T Y"),
        (r"A_{ij} V^{jb}", "V^{jb}", "$A^{ij} = B$", "A^{ij} V^{jb}"),
    ],
)
def test_spelling(right: str, own: str, text: str, wanted: str) -> None:
    assert next(spelled(right, own, text), right) == wanted


@pytest.mark.parametrize(
    ("right", "own", "text"),
    [
        (r"\frac{1}{n} \frac{1}{m} X", r"\frac{1}{n} \frac{1}{m} Y", ""),  # as the author has it
        (r"2 \frac{1}{n+1} X", "X", ""),
        (r"2 3^2", "3^2", ""),
        (r"Z^\top Y", "Z Y", r"$X^\top X$ and $Y^T$"),
        (r"A_{ij} V^{jb}", "V^{jb}", "$A^{ij} = A_{ij}$"),
        (r"\frac{1}{2} x^2", "x^2", ""),
    ],
)
def test_what_is_left_as_it_is(right: str, own: str, text: str) -> None:
    assert next(spelled(right, own, text), right) == right


def test_corrections_are_spelled_and_true() -> None:
    text = (
        r"Let $X \in \mathbb{R}^{n \times d}$, $w \in \mathbb{R}^d$, $y \in \mathbb{R}^n$." + "\n\n"
        r"$$ L = \frac1n (y - X w)^T (y - X w) $$" + "\n\n"
        r"$$ \frac{\partial L}{\partial w} = \frac1n X (X w - y) $$" + "\n"
    )
    row = check(text.replace("X (X w", "4 X^T (X w")).rows[-1]
    assert (row.verdict, row.correction) == ("refuted", r"\frac2n X^T (X w - y)")


def test_an_example_with_numbers_takes_no_shape_from_what_is_corrected() -> None:
    text = (
        r"$$ S^{ij} = \frac{1}{\sqrt{d_k}} \sum_{a=1}^{d_k} Q^{ia} K^{ja} $$" + "\n\n"
        r"$$ \frac{\partial S^{ij}}{\partial Q^{kl}} = 2 \frac{1}{\sqrt{d_k}} \delta^i_k K^{jl} $$"
        "\n\n# Example\n\n"
        r"$$ K = \begin{pmatrix} 1 & 2 \\ 3 & 4 \\ 5 & 6 \end{pmatrix} $$" + "\n"
    )
    row = check(text).rows[1]
    assert (row.verdict, row.correction) == (
        "refuted",
        r"\frac{1}{\sqrt{d_k}} \delta^i_k K^{jl}",
    )


def test_letters_under_a_sum_are_not_taken_for_those_of_the_statement() -> None:
    first = reading(r"$$ D_{pr} = A_{kp} B_{kr} $$").statements[0]
    (e,) = read(r"$$ D_{qt} = A_{rq} B_{rt} $$").equations
    p, r = first.letters
    (total,) = relettered(e, first).atoms(sp.Sum)
    (bound,) = total.variables
    assert str(bound) not in ("p", "r")
    found = {str(x.base.label): tuple(map(str, x.indices)) for x in total.atoms(sp.Indexed)}
    assert found == {"A": (str(bound), str(p)), "B": (str(bound), str(r))}
