r"""A law or a curve that a text gives for a name that it has defined: what is said there is not
of what the name was.

Behind A = A_0 e^{-kt} the second order, dA/dt = -k A², gives another A, and behind y = x³ the curve
x² + x y + y² = 7 another y.  Neither is refuted with the first one, nor is what stands behind them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from ..syntax import System
from . import report
from .finding import Finding
from .statements import Statement

if TYPE_CHECKING:
    from .judge import Judge

_GIVES = re.compile(  # what a law is solved by comes behind it
    r"\s*(?:[.,]?\s*(?:\$|\\\)|\$\$|\\\]|\\end\{\w+\*?\}))[\s,]*"
    r"(?:which |that |this |and )?(?:gives?|yields?|leads to|integrates to|is solved by|"
    r"(?:with|has|have) (?:the |an? |general |unique |exact )*solutions?)\b"
)


def supplanted(judge: Judge, s: Statement, found: Finding) -> Finding:
    """The finding, or what is left of it where something is said of another thing of a name."""
    proved = found.verdict == report.PROVED and s.rhs is not None
    system = judge.versions.system(s) if proved else found.system
    if not proved and (found.verdict != report.REFUTED or system is None):
        return found
    line = _otherwise(judge, s, system, proved) if system is not None else 0
    if not line:
        return found
    if proved:
        why = f"true with what is said before, and line {line} says otherwise"
        return replace(found, verdict=report.CONDITIONAL, reason=why)
    why = f"differs, and line {line} is said of another thing of that name"
    return replace(found, verdict=report.UNPROVED, reason=why, correction="")


def _otherwise(judge: Judge, s: Statement, system: System, proved: bool) -> int:
    """The line of what says otherwise of a name than the definition a verdict rests on, or 0.

    A law that a proof is of says nothing else, nor does a curve speak against what it rests on.
    """
    slopes = [p for side in (s.lhs, s.rhs) for p in side.atoms(Partial)]
    for y, at in _defined(judge, s, system):
        if not proved and _is_law(s, y) and _solved(judge, s):
            return s.line
        by = set() if proved else {p.args[1] for p in slopes if p.args[0] == y}
        if line := _since(judge, s, at, y, by):
            return line
    return 0


def _defined(judge: Judge, s: Statement, system: System) -> Iterator[tuple[Any, tuple[int, int]]]:
    """The numbers of a statement that are defined in letters before it, and where."""
    free = s.lhs.free_symbols | s.rhs.free_symbols
    for y in sorted(free, key=str):
        own = system.definitions.get(y.name) if isinstance(y, sp.Symbol) else None
        for v in judge.versions.table.get(getattr(y, "name", ""), ()):
            before = (v.line, v.column) < (s.line, s.column)
            if before and own is v.definition and not own.indices and own.expr.free_symbols:
                yield y, (v.line, v.column)


def _since(judge: Judge, s: Statement, at: tuple[int, int], y: Any, by: set[Any]) -> int:
    """The line of a law of y, or of a curve of y and what s derives it by, behind a place."""
    section = judge.outline.section
    for t in judge.versions.statements:
        if t.rhs is None or not at < (t.line, t.column) < (s.line, s.column) or t.number:
            continue
        if section(t.line) != section(s.line) or t.relation not in ("=", ":="):
            continue
        law = _is_law(t, y) and _solved(judge, t)
        curve = _is_curve(t, y, by)
        if not (law or curve):
            continue
        told = judge.plain(t).verdict if curve else ""  # what says what r is ties no more
        if told in (*report.WRONG, report.DEFINITION):
            continue
        try:
            if judge.prove(t, judge.versions.system(t)).status == "refuted":
                return t.line
        except SymattnError:
            continue
    return 0


def _is_law(t: Statement, y: Any) -> bool:
    """dy/dx = F(y), which says how y changes with what it is."""
    slope = isinstance(t.lhs, Partial) and t.lhs.args[0] == y
    return slope and t.rhs is not None and y in t.rhs.free_symbols and not t.rhs.atoms(Partial)


def _is_curve(t: Statement, y: Any, by: set[Any]) -> bool:
    """F(x, y) = c, which names nothing and derives nothing."""
    tied = t.lhs.free_symbols | t.rhs.free_symbols
    derives = t.lhs.atoms(Partial) | t.rhs.atoms(Partial)
    return not t.name and not derives and y in tied and bool(by & tied)


def _solved(judge: Judge, t: Statement) -> bool:
    """Words behind a law say that what comes next solves it."""
    outline = judge.outline
    start = outline.position(t.line, t.column)
    end = outline.text.find(t.latex, start)
    return end >= 0 and bool(_GIVES.match(outline.text, end + len(t.latex)))


__all__ = ["supplanted"]
