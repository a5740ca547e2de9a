"""Which conditions of its sentence an equation is under.

In “for i = j we have A and B, for i ≠ j C” those before it, in “A and B if i = j, C if i ≠ j” those
behind it: what the sentence begins with says which.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import dropwhile, takewhile

from .vocabulary import IF


def governing(
    equations: Collection[int],
    conditions: Collection[int],
    here: int,
    attached: Collection[int] = (),
) -> list[int]:
    """The places of the conditions that the equation at `here` is under, the nearest first.

    All are places in one sentence; the `attached` ones stand right behind an equation.
    """
    if not conditions:
        return []
    marks = sorted({*equations, *conditions, here})
    at = marks.index(here)
    before, behind = marks[:at][::-1], marks[at + 1 :]
    own = behind[:1] if behind and behind[0] in attached else []
    for way in (before, behind) if marks[0] in conditions else (behind, before):
        group = dropwhile(lambda m: m not in conditions, way)
        if listed := [*takewhile(conditions.__contains__, group)]:
            return list(dict.fromkeys((*own, *listed)))
    return own


ATTACHED = re.compile(  # $…$ for $i = j$
    rf"(?:\$|\\\))\s+(?:for|{IF}|on)\s+[^$\\.,;]{{0,30}}(?:\$|\\\()\Z"
)


__all__ = ["ATTACHED", "governing"]
