r"""Which of several things a sentence calls symmetric: the thing itself, and under no condition."""

from __future__ import annotations

import pytest

import symattn as sa

SHAPES = r"Let $A, B \in \mathbb{R}^{n \times n}$."
OF = r"$$ x^\top {0} y = y^\top {0} x $$"


def verdict(words: str, name: str) -> str:
    text = f"{SHAPES}\n\n{words}\n\n{OF.format(name)}"
    return sa.check(text, corrections=False).rows[0].verdict


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("Here $A$ is invertible and $B$ is symmetric.", "B"),
        ("Here $A$ is invertible, whereas $B$ is symmetric.", "B"),
        ("Here $A$ is real, invertible and symmetric.", "A"),
        ("Here $A$ and $B$ are symmetric.", "AB"),
        ("$A$ commutes with every symmetric matrix $B$.", "B"),
        ("$A$ is a product of two symmetric matrices.", ""),
        ("$A$ is similar to a symmetric matrix.", ""),
        ("$A$ is almost symmetric.", ""),
        ("$A$ is often symmetric.", ""),
        ("$A$ is the Cholesky factor of the symmetric matrix $B$.", "B"),
        ("$A + B$ is symmetric.", ""),
        ("Let $A$ be symmetric and let $B$ be square.", "A"),
        ("With $A$ symmetric and any square $B$ we have", "A"),
        ("Let $A$ be a symmetric matrix and let $B$ be square.", "A"),
        ("Let $A$, $B$ be matrices, $B$ symmetric.", "B"),
        ("$A$ is any matrix and $B$ symmetric.", "B"),
        ("Consider a symmetric and positive definite $A$.", "A"),
        ("Here $A$ is a real $n \\times n$ symmetric matrix.", "A"),
    ],
)
def test_what_is_called_symmetric(words, names):
    for name in "AB":
        assert (verdict(words, name) == "proved") == (name in names)


@pytest.mark.parametrize(
    ("right", "verdict_"),
    [("A - B", "proved"), ("A + B", "refuted"), ("B - A", "refuted")],
)
def test_symmetric_and_antisymmetric_in_one_sentence(right, verdict_):
    words = "Here $A$ is symmetric and $B$ is antisymmetric."
    text = f"{SHAPES}\n\n{words}\n\n$$ (A + B)^\\top = {right} $$"
    assert sa.check(text, corrections=False).rows[0].verdict == verdict_
