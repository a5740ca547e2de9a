r"""A = A^\top of a sentence is taken for true and no proof of itself; concluded it is a claim."""

from __future__ import annotations

import pytest

import symattn as sa

EVEN = r" Then $$ x^\top A y = y^\top A x. $$"


def verdicts(text):
    return [r.verdict for r in sa.check(text, corrections=False, timeout=None).rows]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"We have $A^\top = A$." + EVEN, ["definition", "proved"]),
        (r"Since $A = A^\top$," + EVEN, ["definition", "proved"]),
        (r"Let $A$ be a matrix with $A^\top = -A$." + EVEN, ["definition", "refuted"]),
        (r"Let $F_{ij} = -F_{ji}$. Then $$ \sum_i F_{ii} = 0. $$", ["definition", "proved"]),
        (r"The matrix $A$ is symmetric, that is $A = A^\top$." + EVEN, ["proved", "proved"]),
        (r"Let $A = B + B^\top$. Therefore $A = A^\top$." + EVEN,
         ["definition", "proved", "proved"]),
        # what is concluded may be wrong
        (r"Let $A$ be an orthogonal projection. It follows that $A^\top = -A$.", ["refuted"]),
        (r"Let $A$ be an orthogonal matrix. Hence $A = A^\top$." + EVEN,
         ["refuted", "conditional"]),
        (r"Let $A = B + B^\top$. Therefore $A = -A^\top$.", ["definition", "refuted"]),
    ],
)  # fmt: skip
def test_equations_with_a_transpose(text, expected):
    assert verdicts(text) == expected


@pytest.mark.parametrize("word", ["an involution", "idempotent"])
def test_powers_of_what_is_said_of_matrices_are_no_powers_of_numbers(word):
    (row,) = sa.check(rf"Let $A$ be {word}. Then $$ A^3 = A. $$", corrections=False).rows
    assert row.verdict == "proved"


@pytest.mark.parametrize(
    "text",
    [
        r"The random variables $X$ and $Y$ are independent. Therefore $\mathbb{E}[Y] = 0$. "
        r"Therefore $\mathrm{Cov}(X, Y) = \mathbb{E}[X^2] \mathbb{E}[Y]$.",
        r"Let $X$ and $Y$ be independent random variables with mean zero. Therefore "
        r"$$ \mathrm{Var}(Y) = \mathrm{Cov}(X, X + Y). $$ We have "
        r"$$ \mathrm{Cov}(X + Y, X - Y) = 0. $$",
    ],
)
def test_what_is_concluded_of_averages_may_be_wrong(text):
    assert verdicts(text)[-1] == "conditional"


def test_what_is_given_of_averages_is_a_law():
    text = (
        r"Let $X$ be random with $\mathbb{E}[X] = 0$. Then $$ \mathrm{Var}(X) = \mathbb{E}[X^2]. $$"
    )
    assert verdicts(text) == ["definition", "proved"]
