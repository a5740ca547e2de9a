r"""Reasons in the words of a reader: W_{l+1} for W_l_next, and no name that only symattn gives."""

from __future__ import annotations

import re

from ..read.steps import AFTER, STEPS

_STEPS = "|".join(sorted((re.escape(a) for a in AFTER.values() if a), key=len, reverse=True))
_MOVED = re.compile(rf"\b([A-Za-z]+)_([a-z]|ell)({_STEPS})\b(?!_)")
_UNNAMED = re.compile(
    r"\b(?:product|series|limit|integral|factorial|first)_(?:\d+|index) is tied by "
)
_FONT = re.compile(r"\\(?:math\w+|text\w*|operatorname)\s*\{(\w+)\}")
_SIZE = re.compile(r"(?<![A-Za-z\\])n_(?:\w|\{\w+\})(?![A-Za-z])")  # how long an axis is
_WORD = re.compile(r"\\mathrm\{([A-Za-z]{3,})\}_")  # integral_2, what has no letter


def only_here(latex: str, text: str) -> bool:
    """A formula has a name that symattn gives and the text does not have."""
    sizes, said = (set(_SIZE.findall(_plain(x))) for x in (latex, text))
    return not sizes <= said or any(word not in text for word in _WORD.findall(latex))


def _plain(latex: str) -> str:
    """Names and labels without fonts, a label of one letter without braces."""
    return re.sub(r"\{(\w)\}", r"\1", _FONT.sub(r"\1", latex))


def worded(reason: str) -> str:
    """The reason with steps as indices, and “rests on” for what has no name in the text."""

    def step(found: re.Match[str]) -> str:
        name, letter, after = found.groups()
        return f"{name}_{{{letter}{STEPS[after]:+d}}}"

    return _MOVED.sub(step, _UNNAMED.sub("it rests on ", reason))


__all__ = ["only_here", "worded"]
