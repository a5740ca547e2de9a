r"""∂ beside d in one equation: dz/dx = ∂z/∂x + ∂z/∂y dy/dx, where ∂z/∂x holds y.

∂z/∂x is of z as it is written then, and dz/dx goes through what z is made of.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from ..syntax import System
from . import report
from .finding import Finding
from .inside import names
from .links import TOTAL, sides
from .motion import slope_of
from .statements import Statement

if TYPE_CHECKING:
    from .judge import Judge

HELD = "∂ beside d holds what else is in the definition"
_STYLE = re.compile(r"\\(?:mathbf|boldsymbol|bm|mathcal|mathrm)\b|[\\{}\s]|[_^].*")


class Both(Exception):
    """A derivative is written with d and with ∂ on one side, or cannot be told apart."""


def held(s: Statement, found: Finding, judge: Judge) -> Finding:
    """The finding, or that with ∂z/∂x of z as it is written where d stands beside ∂."""
    asked = found.verdict in (report.PROVED, report.REFUTED, report.CONDITIONAL, report.UNPROVED)
    mixed = r"\partial" in s.whole and TOTAL.search(s.whole) is not None
    if not asked or not mixed or s.rhs is None or s.relation not in ("=", ":="):
        return found
    system, refuted = judge.versions.system(s), found.verdict == report.REFUTED
    why = "d and ∂: what is held?"
    unclear = replace(found, verdict=report.UNPROVED, reason=why, correction="")
    parts, _ = sides(s.latex)
    try:
        if len(parts) != 2:
            raise Both
        left, right = _written(s.lhs, parts[0], system), _written(s.rhs, parts[1], system)
        if (left, right) == (s.lhs, s.rhs):
            return found
        there = replace(s, lhs=left, rhs=right)
        verdict = judge.prove(there, system)
    except (Both, SymattnError):
        return unclear if refuted else found
    if found.verdict == report.PROVED:
        through = replace(found, verdict=report.CONDITIONAL, reason="true where ∂ holds nothing")
        return through if verdict.status == "refuted" else found
    if verdict.status == "proved" and not verdict.trivial:
        return judge._proved(there, verdict, system, (HELD,))
    if refuted:
        return judge.confirmed(there, verdict, system) if verdict.status == "refuted" else unclear
    return found


def _written(side: Any, latex: str, system: System) -> Any:
    """The side with each ∂z/∂x of z as it is written; raises Both where d and ∂ are one."""
    if r"\partial" not in latex:
        return side
    total = {(_bare(m["top"]), _bare(m["by"])) for m in TOTAL.finditer(latex)}
    known = {p: (_only(p.args[0]), _only(p.args[1])) for p in side.atoms(Partial)}
    signs = TOTAL.sub("", latex).count(r"\partial")
    if not total <= {*known.values()} or signs < len(known) - len(total):
        raise Both
    put = {}
    for p, (top, by) in known.items():
        own = system.definitions.get(top)
        if (top, by) in total or own is None or by not in names(own.expr):
            continue
        letters = p.args[1].indices if isinstance(p.args[1], sp.Indexed) else ()
        put[p] = slope_of(System(own, facts=system.facts), p.args[0], by, letters)
    return side.xreplace(put)


def _only(x: Any) -> str:
    """The name of a number or a component; raises Both for ∂(log z)/∂x."""
    if not isinstance(x, sp.Symbol | sp.Indexed):
        raise Both
    return next(iter(names(x)), "")


def _bare(latex: str) -> str:
    r"""theta for \theta, z for z_i: the name alone."""
    return _STYLE.sub("", latex)


__all__ = ["held"]
