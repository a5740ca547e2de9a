"""Derivatives by what is defined the other way round: dμ/dη where η = log μ/(1 − μ)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from . import report
from .finding import Finding
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge
    from .statements import Statement

UNKNOWN = "nothing defines what is derived"


def inverted(s: Statement, found: Finding, judge: Judge) -> Finding:
    """The finding, or the proof where ∂y/∂x is (∂y/∂t)/(∂x/∂t), t being all that x and y share."""
    open_ = found.verdict in (report.UNPROVED, report.SKIPPED) and s.rhs is not None
    limit = found.proof.limit if found.proof is not None else ""
    if not open_ or s.relation not in ("=", ":=") or UNKNOWN not in (limit or ""):
        return found
    partials = s.lhs.atoms(Partial) | s.rhs.atoms(Partial)
    below = sorted({p.args[1].name for p in partials if isinstance(p.args[1], sp.Symbol)})
    system = judge.versions.system(s, below)
    turned: dict[Any, sp.Expr] = {}
    for p in partials:
        y, x = p.args
        if not isinstance(y, sp.Symbol) or not isinstance(x, sp.Symbol):
            return found
        inputs = closure([x.name], system) - system.definitions.keys()
        shared = inputs & closure([y.name], system)
        if x.name not in system.definitions or len(shared) != 1:
            return found
        t = next(z for d in system for z in d.expr.atoms(sp.Symbol) if z.name in shared)
        turned[p] = (sp.S.One if y == t else Partial(y, t)) / Partial(x, t)
    meant = replace(s, lhs=s.lhs.xreplace(turned), rhs=s.rhs.xreplace(turned))
    try:
        verdict = judge.prove(meant, system)
    except SymattnError:
        return found
    if verdict.status != "proved" or verdict.trivial:
        return found
    assumed = ("an inverse function has a derivative", *verdict.conditions)
    used = judge.rests_on(meant, system)
    return Finding(report.PROVED, assumed=assumed, used=used, proof=verdict, system=system)


__all__ = ["inverted"]
