"""An equation for one value of a name: with γ = 2 it is … .

Where the words before an equation state nothing else, it is held against the definitions with that
number among them.  What is proved so is proved; it is refuted where one edit of its right side is
proved, since words may mean more than they say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..derive import jacobian
from ..errors import SymattnError
from ..objects import Partial
from ..syntax import System, define
from . import report
from .at_equations import put
from .effort import IDENTITY, effort
from .finding import Finding, values
from .inside import names
from .repair import edited
from .statements import Statement, alone
from .versions import closure
from .wording import changed

if TYPE_CHECKING:
    from .judge import Judge

_USUAL = re.compile(r"\b(?:with|becomes?)\b", re.IGNORECASE)
BEFORE = "the words before it state a condition"  # which that value may be


def put_in(judge: Judge, s: Statement, found: Finding) -> Finding:
    """The verdict with the number that words before an equation give to a name."""
    told = found.verdict == report.DEFINITION and found.reason.startswith("redefines")
    asked = found.verdict == report.UNPROVED and found.reason.startswith(BEFORE)
    only = found.verdict == report.CONDITIONAL and " only if " in found.reason
    if (
        not (told or asked or only)
        or not judge.outline.only_puts(s.line, s.column)
        or s.rhs is None
    ):
        return found
    for t, system, said in _worlds(judge, s):
        if s.name and s.name not in system.definitions:
            continue
        try:
            verdict = judge.prove(t, system)
            right = ""
            if verdict.status == "refuted" and not only and not _changes(judge, s):
                with effort(IDENTITY):
                    right = edited(t, verdict, system, judge.head(s, system))
        except SymattnError:
            continue
        used = (*(u for u in judge.rests_on(s, system) if "line" in u), *said)
        if verdict.status == "proved" and not verdict.trivial:
            return Finding(report.PROVED, used=used, proof=verdict, system=system)
        if right:
            why = f"one slip away from what is so with {' and '.join(said)}"
            return Finding(
                report.REFUTED, why, values(verdict), right, used=used, proof=verdict, system=system
            )
    return found


def _changes(judge: Judge, s: Statement) -> bool:
    """The words before it speak of another thing, which has that number too."""
    words = _USUAL.sub(" ", judge.outline.sentence(s.line, s.column))
    return changed(words)


def _worlds(judge: Judge, s: Statement) -> Iterator[tuple[Statement, System, tuple[str, ...]]]:
    """The statement, the definitions with the numbers that are put, and these as written.

    A derivative by what has a value is taken before that is put in.
    """
    before = judge.versions.before(s) if s.name else None
    systems = judge.versions.with_version(s, before) if before is not None else ()
    for system in systems if s.name else (judge.versions.system(s),):
        put = {name: (value, latex) for name, value, latex in _put(judge, s, system)}
        made = [define(name, (), sp.sympify(value)) for name, (value, _) in put.items()]
        known = {n for d in made if (n := d.name) in system.definitions
                 and system.definitions[n].expr != d.expr}  # fmt: skip
        rest = System(*(d for d in system if d.name not in put), facts=system.facts)
        reached = closure(names(s.lhs) | names(s.rhs), rest)
        if not put or known or not put.keys() <= reached:
            continue
        try:
            world = System(*made, *rest, facts=rest.facts)
            t = replace(s, lhs=_derived(s.lhs, put, rest), rhs=_derived(s.rhs, put, rest))
        except SymattnError:
            continue
        yield t, world, tuple(latex for _, latex in put.values())


def _derived(side: Any, put: Mapping[str, Any], system: System) -> Any:
    """The side with derivatives by names of numbers written out."""
    by = [p for p in sp.sympify(side).atoms(Partial) if names(p.args[1]) & put.keys()]
    found = {p: jacobian(system, of=alone(p.args[0]), wrt=alone(p.args[1])).expr for p in by}
    return side.xreplace(found) if found else side


def _put(judge: Judge, s: Statement, system: System) -> Iterator[tuple[str, Any, str]]:
    """The names that the words before it give values to: γ = 2, or s = H."""
    numbers = [*judge.numbers_put(s)]
    yield from numbers
    there = put(judge.outline, s.line, s.column)
    if numbers or there is None:
        return
    latex, d = there
    exprs = (s.lhs, s.rhs, *(x for d in system for x in (d.lhs, d.expr)))
    known = {
        x.name: x for e in exprs for x in sp.sympify(e).free_symbols if isinstance(x, sp.Symbol)
    }
    name, *others = (judge.versions.called(x, s) for x in (d.name, *sorted(names(d.expr))))
    made = {x: known[n] for x, n in zip(sorted(d.expr.free_symbols, key=str), others, strict=True)
            if n in known}  # fmt: skip
    if len(made) == len(others) and name in known and not known[name].is_integer:
        yield name, d.expr.xreplace(made), latex


__all__ = ["put_in"]
