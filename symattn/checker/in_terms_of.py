r"""Derivatives of what a claim gives in terms of what they are by: F = a η/(1 − η), and ∂F/∂η.

Behind such a claim, which is proved, F is a function of η in the form that stands there, though
both are made of other things.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from ..syntax import System, define
from . import report
from .finding import Finding
from .inside import names
from .statements import Statement
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge


def in_terms_of(judge: Judge, s: Statement, found: Finding) -> Finding:
    """The finding, or that with the form that the last claim before it gives."""
    open_ = found.verdict in (report.UNPROVED, report.SKIPPED)
    p = s.lhs
    if not open_ or not isinstance(p, Partial) or s.rhs is None or s.letters:
        return found
    of, by = p.args[0], p.args[1]
    system = judge.versions.system(s)
    if not all(isinstance(x, sp.Symbol) and x.name in system.definitions for x in (of, by)):
        return found
    known = (t for t in judge.versions.stated.get(of.name, ()) if _gives(judge, t, s, by))
    t = max(known, key=lambda t: (t.line, t.column), default=None)
    if t is None or t.rhs is None:
        return found
    kept = names(t.rhs) | names(s.rhs)
    made = closure([by.name], system)
    if any(closure([n], system) & made for n in kept - {of.name, by.name}):
        return found  # S of η = S/T moves with η
    tied = made & {*system.definitions} | {of.name}
    try:
        world = System(*(d for d in system if d.name not in tied), define(of.name, (), t.rhs))
        verdict = judge.prove(s, world)
    except SymattnError:
        return found
    if verdict.status == "proved" and not verdict.trivial:
        return judge._proved(s, verdict, world)
    if verdict.status == "refuted":
        return judge.near(s, verdict, world) or judge.confirmed(s, verdict, world)
    return found


def _gives(judge: Judge, t: Statement, s: Statement, by: sp.Symbol) -> bool:
    """A claim before a statement in its section gives the name in terms of another one."""
    before = (t.line, t.column) < (s.line, s.column)
    section = judge.outline.section
    here = before and section(t.line) == section(s.line)
    return (
        here and t.rhs is not None and by.name in names(t.rhs) and judge(t).verdict == report.PROVED
    )


__all__ = ["in_terms_of"]
