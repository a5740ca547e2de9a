r"""(∂V/∂T)_p of a p = f(V, T): along the curve on which p is fixed, −(∂f/∂T)/(∂f/∂V)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import sympy as sp

from . import curves, report
from .finding import Finding
from .inside import names
from .statements import Statement

if TYPE_CHECKING:
    from .judge import Judge

_NAME = r"\s*(\\?[A-Za-z]+(?:_(?:\w|\{\w+\}))?)\s*"
_SLOPE = re.compile(
    r"\s*(?:\\left|\\[bB]igg?l?)?\s*\(\s*\\[dt]?frac\s*\{\s*\\partial(?![a-z])" + _NAME + r"\}"
    r"\s*\{\s*\\partial(?![a-z])"
    + _NAME
    + r"\}\s*(?:\\right|\\[bB]igg?r?)?\s*\)\s*_\s*\{?"
    + _NAME
    + r"\}?\s*=.*",
    re.DOTALL,
)


def at_fixed(s: Statement, found: Finding, judge: Judge) -> Finding:
    """The finding, or that by the formula of what is fixed, where both others stand in it."""
    open_ = found.verdict in (report.UNPROVED, report.SKIPPED)
    shown = _SLOPE.fullmatch(s.whole) if open_ and s.rhs is not None and not s.number else None
    if shown is None or s.relation not in ("=", ":=") or isinstance(s.rhs, sp.Indexed):
        return found
    y, x, fixed = (judge.versions.called(n.lstrip("\\"), s) for n in shown.groups())
    before = judge.versions.before(s, fixed)
    d = before.definition if before is not None and before.line else None
    if before is None or d is None or d.indices:
        return found
    if not {x, y} <= names(d.expr) or fixed in names(d.expr):
        return found
    known = {str(z): z for e in (d.expr, s.rhs) for z in e.free_symbols}
    gap = d.expr - known.setdefault(fixed, sp.Symbol(fixed))
    if not all(isinstance(known.get(n), sp.Symbol) for n in (x, y)) or _tensors(gap, s.rhs):
        return found
    if not s.rhs.free_symbols <= gap.free_symbols:  # which nothing here ties to the rest
        return found
    curve = curves.Curve(gap, known[x], known[y], before.line)
    return curves.decided(s, curve, [curve.slope, s.rhs], judge) or found


def _tensors(*exprs: Any) -> bool:
    return any(e.atoms(sp.Indexed, sp.Sum) for e in exprs)


__all__ = ["at_fixed"]
