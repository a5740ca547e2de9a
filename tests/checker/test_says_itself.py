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
        (r"Let $A$ be an orthogonal projection. It follows that $A^\top = -A$.", ["skipped"]),
        (r"Let $A$ be an orthogonal matrix. Hence $A = A^\top$." + EVEN,
         ["skipped", "conditional"]),
        (r"Let $A = B + B^\top$. Therefore $A = -A^\top$.", ["definition", "refuted"]),
    ],
)  # fmt: skip
def test_equations_with_a_transpose(text, expected):
    assert verdicts(text) == expected


@pytest.mark.parametrize("word", ["an involution", "idempotent"])
def test_powers_of_what_is_said_of_matrices_are_not_refuted_as_of_numbers(word):
    (row,) = sa.check(rf"Let $A$ be {word}. Then $$ A^3 = A. $$", corrections=False).rows
    assert row.verdict == "unproved"
