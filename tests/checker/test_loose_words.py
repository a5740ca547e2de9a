"""Words under which an equation claims nothing, and words that change nothing."""

from __future__ import annotations

import pytest

import symattn as sa

TEXT = r"""Here $a, b \in \mathbb{{R}}$.

{}

$$ \frac{{1}}{{1 - a}} = 1 + a + a^2 $$
"""
LOOSE = (
    "Up to terms of higher order,",
    "Up to corrections,",
    "Near $a = 0$,",
    "A Taylor expansion gives",
    "After dropping higher powers of $a$,",
    r"For $|a| \ll 1$,",
    "Heuristically,",
    "As a rule of thumb",
    "One would like",
    "Naively,",
    "Students often write",
    "Apart from a constant,",
    "Modulo constants",
    "In the units where $a = 1$,",
    "On the line $a = b$",
    "Almost surely",
    "Formally",
    "By abuse of notation",
    "Working modulo 2,",
    "As sets,",
    "Is it true that",
    "Can it be that",
    "We ask whether",
    "The conjecture is that",
    "The equation",
    "The roots of",
    "Let us demand",
    "For the optimum,",
)
STRICT = (
    "A short calculation gives",
    "So",
    "It follows that",
    "On the other hand,",
    "Expanding the sum gives",
    "The equation above gives",
    "From this we get",
    "The relation becomes",
    "For all $a$ and $b$,",
    "In the notation above,",
    "Up to now we have shown that",
)


@pytest.mark.parametrize("words", LOOSE)
def test_what_is_loosely_so_is_not_refuted(words):
    rows = sa.check(TEXT.format(words), corrections=False).rows
    assert rows[-1].verdict in ("unproved", "skipped")


@pytest.mark.parametrize("words", STRICT)
def test_what_is_said_outright_is_refuted(words):
    assert sa.check(TEXT.format(words), corrections=False).rows[-1].verdict == "refuted"
