"""Derivatives by what is defined the other way round: dμ/dη where η = log μ/(1 − μ)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from ..syntax import System
from . import report
from .finding import Finding
from .inside import names
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge
    from .statements import Statement

UNKNOWN = "nothing defines what is derived"


def inverted(s: Statement, found: Finding, judge: Judge) -> Finding:
    """The finding, or the proof where ∂y/∂x is (∂y/∂t)/(∂x/∂t), t being all that x and y share.

    Of tensors, where x_j hangs on t_j alone.
    """
    open_ = found.verdict in (report.UNPROVED, report.SKIPPED) and s.rhs is not None
    limit = found.proof.limit if found.proof is not None else ""
    if not open_ or s.relation not in ("=", ":=") or UNKNOWN not in (limit or ""):
        return found
    partials = s.lhs.atoms(Partial) | s.rhs.atoms(Partial)
    below = sorted({n for p in partials for n in names(p.args[1])})
    system = judge.versions.system(s, below)
    turned: dict[Any, sp.Expr] = {}
    for p in partials:
        y, x = p.args
        name = next(iter(names(x)))
        inputs = closure([name], system) - system.definitions.keys()
        shared = inputs & closure(names(y), system)
        t = _shared(x, name, next(iter(shared)), system) if len(shared) == 1 else None
        if t is None:
            return found
        turned[p] = (sp.S.One if y == t else Partial(y, t)) / Partial(x, t)
    meant = replace(s, lhs=s.lhs.xreplace(turned), rhs=s.rhs.xreplace(turned))
    try:
        verdict = judge.prove(meant, system)
    except SymattnError:
        return found
    if verdict.status == "refuted":
        return judge.near(meant, verdict, system) or found
    if verdict.status != "proved" or verdict.trivial:
        return found
    assumed = ("an inverse function has a derivative", *verdict.conditions)
    used = judge.rests_on(meant, system)
    return Finding(report.PROVED, assumed=assumed, used=used, proof=verdict, system=system)


def _shared(x: Any, name: str, shared: str, system: System) -> Any:
    """What x is a function of: a number, or component by component; None for anything else."""
    d = system.definitions.get(name)
    if d is None:
        return None
    if isinstance(x, sp.Symbol):
        found = {z for d in system for z in d.expr.atoms(sp.Symbol) if z.name == shared}
        return next(iter(found), None)
    own = [z for z in d.expr.atoms(sp.Indexed) if str(z.base.label) == shared]
    alike = own and all(z.indices == d.indices for z in own) and not d.expr.atoms(sp.Sum)
    through = names(d.expr) & system.definitions.keys()
    return own[0].base[tuple(x.indices)] if alike and not through else None


__all__ = ["inverted"]
