"""What words say of one name is not said of the next: $n$ an integer and $x$ real."""

from __future__ import annotations

import pytest

import symattn as sa


def verdict(text: str) -> str:
    """The verdict on the last formula."""
    return sa.check(text, corrections=False).rows[-1].verdict


@pytest.mark.parametrize(
    ("words", "whole"),
    [
        ("Let $x$ be an integer.", True),
        ("For integers $n$ and $x$", True),
        ("Let $n$ be an integer and $x$ real.", False),
        ("Let $n$ be an integer and let $x$ be real.", False),
        ("With an integer $n$, and $x$ real,", False),
        ("Let $x$ be given and an integer $n$ as well.", False),
    ],
)
def test_whole_numbers(words: str, whole: bool) -> None:
    found = verdict(words + r" we have $\lfloor x + \frac12 \rfloor = x$.")
    assert (found == "proved") == whole


@pytest.mark.parametrize(
    ("words", "positive"),
    [
        ("Let $a$ and $b$ be positive numbers.", True),
        ("Let $b$ be a positive number.", True),
        ("The positive number $a$ and the number $b$ are given.", False),
        ("Let $a$ be a positive number, $b$ a number.", False),
        ("Let $a$ be positive and let $b$ be real.", False),
    ],
)
def test_positive_numbers(words: str, positive: bool) -> None:
    assert verdict(words + r" Then $\sqrt{b^2} = b$.") == ("proved" if positive else "conditional")
