"""Equations that words assume: used in what follows, and never refuted past."""

from __future__ import annotations

import pytest

from symattn.checker import check

CLAIM = r"$$ \|x + v\|^2 = \|x\|^2 + \|v\|^2 $$"


def verdict(words: str, claim: str = CLAIM) -> str:
    text = rf"Let $x, v \in \mathbb{{R}}^n$. {words}" + f"\n\n{claim}\n"
    return check(text, corrections=False, timeout=None).rows[-1].verdict


@pytest.mark.parametrize(
    "words",
    [
        r"We assume that $x^\top v = 0$. Then",
        r"Suppose $x^\top v = 0$. Then",
        r"Let us assume $x \cdot v = 0$. Then",
        r"By hypothesis, $x^\top v = 0$. Then",
        r"We require $x^\top v = 0$. Then",
    ],
)
def test_what_is_assumed_is_used(words: str) -> None:
    assert verdict(words) == "proved"
    assert verdict(words, CLAIM.replace(r"+ \|v", r"+ 2 \|v")) == "refuted"


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (r"Under the assumption that $x^\top v = 0$,", "proved"),
        (r"If we assume that $x^\top v = 0$, then", "proved"),
        (r"Suppose for a moment that $x^\top v = 0$. Then", "conditional"),
        (r"Provided that $x^\top v = 0$,", "proved"),
        (r"We do not assume that $x^\top v = 0$. Then", "refuted"),
    ],
)
def test_what_is_assumed_here_for_a_while_or_not_at_all(words: str, found: str) -> None:
    assert verdict(words) == found
