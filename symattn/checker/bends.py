"""Derivatives where a function bends: there [x ≥ 0] is as good a slope of max(0, x) as [x > 0]."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from .. import normalize as nf
from ..convert import lower
from ..functions import step
from ..model import model
from ..syntax import System, define
from .derived import printed
from .inside import names
from .repair import proves
from .statements import Statement
from .versions import closure

MOST = 4  # indicators that are opened or closed


def beside(s: Statement, system: System, document: System) -> str:
    """Away from which kinks a statement holds, in words; empty where it is proved beside none."""
    reached = closure(names(s.lhs) | names(s.rhs), system)
    below = [d for d in system if d.name in reached]
    found = {u for e in (s.lhs, s.rhs, *(d.expr for d in below)) for u in e.atoms(step)}
    bent = sorted(found, key=sp.default_sort_key)[:MOST]
    for some in [[u] for u in bent] + [bent] * (len(bent) > 1):
        meant = {u: 1 - step(-u.args[0]) for u in some}  # [u > 0] for [u ≥ 0]
        opened = replace(s, lhs=s.lhs.xreplace(meant), rhs=s.rhs.xreplace(meant))
        made = {d.name: define(d.name, d.indices, d.expr.xreplace(meant)) for d in below}
        there = System(*(made.get(d.name, d) for d in system), facts=system.facts)
        if proves(opened, there):
            return " and ".join(_apart(u.args[0], system, document) for u in some)
    return ""


def _apart(u: Any, system: System, document: System) -> str:
    letters = tuple(sorted((i for i in u.free_symbols if isinstance(i, sp.Idx)), key=str))
    inside = nf.normalize(lower(u, letters, known=model(system).known))
    order = tuple(sorted(inside.free, key=lambda i: i.sort))
    return f"{printed(inside, order, document)} ≠ 0"


__all__ = ["beside"]
