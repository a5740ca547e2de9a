"""Kinds that words share out: symmetric and orthogonal, respectively."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.read.words import shared_out, token

A, B, C = map(token, range(3))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (f"{A} and {B} are orthogonal and symmetric, respectively.",
         f"{A} is orthogonal and {B} is symmetric."),
        (f"Let {A}, {B} and {C} be square, small, and diagonal matrices, respectively.",
         f"Let {A} be square matrices and {B} be small matrices and {C} be diagonal matrices."),
        (f"{A} and {B} are symmetric and square.", f"{A} and {B} are symmetric and square."),
        (f"{A} and {B} are small, large and square, respectively.",
         f"{A} and {B} are small, large and square, respectively."),
    ],
)  # fmt: skip
def test_each_name_has_its_own_kind(words: str, told: str) -> None:
    assert shared_out(words) == told


def test_the_kind_of_one_is_not_that_of_the_other() -> None:
    text = (
        "The matrices $U$ and $V$ are orthogonal and symmetric, respectively. "
        "Then $U^\\top U = I$, "
        "$V^\\top = V$, and $V^\\top V = I$."
    )
    rows = check(text, timeout=None, corrections=False).rows
    assert [r.verdict for r in rows] == ["proved", "proved", "skipped"]


def test_all_but_one_are_symmetric() -> None:
    rows = check("All matrices except $B$ are symmetric. Then $B^\\top = B$.", timeout=None).rows
    assert rows[-1].verdict != "proved"


def test_weights_that_no_longer_sum_to_one() -> None:
    rows = check(
        "The weights $w_i$ no longer sum to one. Then $\\sum_i w_i = 1$.", timeout=None
    ).rows
    assert rows[-1].verdict != "proved"
