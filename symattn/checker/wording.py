r"""Reasons in the words of a reader: W_{l+1} for W_l_next, and no name that only symattn gives."""

from __future__ import annotations

import re

from ..read.steps import AFTER, STEPS

_STEPS = "|".join(sorted((re.escape(a) for a in AFTER.values() if a), key=len, reverse=True))
_MOVED = re.compile(rf"\b([A-Za-z]+)_([a-z]|ell)({_STEPS})\b(?!_)")
_UNNAMED = re.compile(
    r"\b(?:product|series|limit|integral|factorial|first)_(?:\d+|index) is tied by "
)


def worded(reason: str) -> str:
    """The reason with steps as indices, and “rests on” for what has no name in the text."""

    def step(found: re.Match[str]) -> str:
        name, letter, after = found.groups()
        return f"{name}_{{{letter}{STEPS[after]:+d}}}"

    return _MOVED.sub(step, _UNNAMED.sub("it rests on ", reason))


__all__ = ["worded"]
