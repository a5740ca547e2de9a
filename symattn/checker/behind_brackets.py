r"""How far an angle's function reaches: \cos(a - b) t may be cos((a - b) t)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..prove import Verdict
from ..syntax import System
from .links import sides
from .repair import edited
from .statements import Statement

if TYPE_CHECKING:
    from .asked import Asked

_ANGLE = re.compile(r"\\(?:sin|cos|tan|cot|sec|csc)(?![A-Za-z])\s*(?:\^\s*\{?\s*\d\s*\}?\s*)?\(")
_FACTOR = re.compile(
    r"\s*(?:\\,|\\;|\\ )?\s*(\\?(?!sin|cos|tan|cdot|times|right)[A-Za-z]+)(?![\w(^])"
)


def farther(latex: str) -> str:
    r"""A side with \cos((a + b) t) for each \cos(a + b) t; the side itself where there is none."""
    made, at = "", 0
    while opened := _ANGLE.search(latex, at):
        end = _closed(latex, opened.end())
        factor = _FACTOR.match(latex, end)
        inner = latex[opened.end() : end - 1]
        if factor is None or not re.search(r"[^\s(]\s*[-+]", inner):
            made, at = made + latex[at:end], end
            continue
        made += latex[at : opened.end()] + f"({inner}) {factor[1]})"
        at = factor.end()
    return made + latex[at:]


def reaches_farther(judge: Asked, s: Statement, verdict: Verdict, system: System) -> bool:
    """The right side is right where its functions reach to the letter behind their brackets."""
    right = sides(s.latex)[0][-1]
    other = farther(right)
    if other == right:
        return False
    return bool(edited(s, verdict, system, judge.head(s, system), [[other]]))


def _closed(latex: str, start: int) -> int:
    """Behind the bracket that closes one that ends at `start`; the end of a side for none."""
    depth = 1
    for k in range(start, len(latex)):
        depth += {"(": 1, ")": -1}.get(latex[k], 0)
        if depth == 0:
            return k + 1
    return len(latex)


__all__ = ["farther", "reaches_farther"]
