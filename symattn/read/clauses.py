"""Which conditions of its sentence an equation is under.

In “for i = j we have A and B, for i ≠ j C” those before it, in “A and B if i = j, C if i ≠ j” those
behind it: what the sentence begins with says which.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import dropwhile, takewhile


def governing(equations: Collection[int], conditions: Collection[int], here: int) -> list[int]:
    """The places of the conditions that the equation at `here` is under, the nearest first.

    All are places in one sentence.
    """
    if not conditions:
        return []
    marks = sorted({*equations, *conditions, here})
    at = marks.index(here)
    before, behind = marks[:at][::-1], marks[at + 1 :]
    for way in (before, behind) if marks[0] in conditions else (behind, before):
        group = dropwhile(lambda m: m not in conditions, way)
        if listed := [*takewhile(conditions.__contains__, group)]:
            return listed
    return []


__all__ = ["governing"]
