r"""How far an angle's function reaches: \cos(a - b) t may be cos((a - b) t)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from . import report
from .finding import Finding
from .statements import Statement

if TYPE_CHECKING:
    from .judge import Judge

_ANGLE = re.compile(r"\\(?:sin|cos|tan|cot|sec|csc)(?![A-Za-z])\s*(?:\^\s*\{?\s*\d\s*\}?\s*)?\(")
_FACTOR = re.compile(
    r"\s*(?:\\,|\\;|\\ )?\s*(\\?(?!sin|cos|tan|cdot|times|right)[A-Za-z]+)(?![\w(^])"
)


def farther(latex: str) -> str:
    r"""A formula with \cos((a + b) t) for each \cos(a + b) t; the same where there is none."""
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


def reaching(judge: Judge, s: Statement, found: Finding) -> Finding:
    """The finding, or that it is open how far the functions of a statement reach.

    It is so where what is refuted is true with the letters behind their brackets in them.
    """
    if found.verdict not in report.WRONG or s.rhs is None:
        return found
    again = judge.rewritten(s, farther(s.latex))
    if again is None or again.verdict not in (report.PROVED, report.CONDITIONAL):
        return found
    why = "how far cos and sin reach is not said: it is right with the next letter in them"
    return replace(found, verdict=report.UNPROVED, reason=why, correction="")


def _closed(latex: str, start: int) -> int:
    """Behind the bracket that closes one that ends at `start`; the end of a side for none."""
    depth = 1
    for k in range(start, len(latex)):
        depth += {"(": 1, ")": -1}.get(latex[k], 0)
        if depth == 0:
            return k + 1
    return len(latex)


__all__ = ["farther", "reaching"]
