"""Steps of a derivation: an equation that follows from one before it, which is taken for true.

From log p(τ) = a, and then log p(τ) = b, follows a = b; x + y = z gives x = z − y.  What nothing
proves may be proved with what an earlier line of the section says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..budget import budget
from ..errors import SymattnError
from ..prove import Verdict, prove, whether
from ..syntax import System
from . import report
from .finding import Finding
from .inside import names
from .samples import sample
from .second import Unable, compare, differ
from .statements import Statement, as_fact
from .ties import EXACT
from .versions import closure

if TYPE_CHECKING:
    from .disputed import Disputed

NEAREST = 6  # earlier equations that are tried, the nearest first
WORK = 30_000  # units for each
SAMPLES = 2  # of two differences that may be the same
LARGEST = 200  # nodes of what is divided
_TIMES = re.compile(r"left = (-?\d+(?:/\d+)?) · right")


def followed(judge: Disputed, s: Statement, system: System) -> Finding | None:
    """True with what an earlier line says; None where no line is found, or it is refuted."""
    for said, proof in _steps(judge, s, system):
        if proof.status == "proved" and not proof.trivial and not judge.refutes(said):
            why = f"true with what line {said.place[0]} says"
            return Finding(
                report.CONDITIONAL, why, used=judge.rests_on(s, system), proof=proof, system=system
            )
    return None


def _steps(judge: Disputed, s: Statement, system: System) -> Iterator[tuple[Statement, Verdict]]:
    """What is asked with each earlier equation of the section taken for true."""
    for said in _before(judge, s, system):
        fact = as_fact(said)
        found = _asked(judge, s, s.lhs, s.rhs, system, fact)
        if found is None or found.status != "proved":
            wider = _with(judge, said, system)
            if wider is not system:  # what that line is made of is said too
                found = _asked(judge, s, s.lhs, s.rhs, wider, fact) or found
        if found is not None:  # of which no more is asked than whether it is proved
            yield said, found
        if s.letters != said.letters:
            continue
        apart, before = s.lhs - s.rhs, said.lhs - said.rhs
        found = None
        if _proportional(judge, s, apart, before, system):
            found = _hinted(judge, s, apart, before, system)
        if found is not None and (
            times := next(filter(None, map(_TIMES.fullmatch, found.hints)), None)
        ):
            found = _asked(judge, s, apart, sp.Rational(times[1]) * before, system)
        elif (factor := _quotient(apart, before)) is not None:
            found = _asked(judge, s, apart, factor * before, system)
        if found is not None:
            yield said, found


def _proportional(judge: Disputed, s: Statement, left: Any, right: Any, system: System) -> bool:
    """False where two samples show that the one is no number times the other."""
    quotients = list[float]()
    for k in range(judge.seed, judge.seed + SAMPLES):
        try:
            arrays, sizes = sample(s, system, k)
            top, bottom = compare(left, right, system, arrays, sizes, {}, k)
            quotients.append(top / bottom)
        except (Unable, ZeroDivisionError):
            return True
    return not differ(*quotients)


def _quotient(apart: sp.Expr, before: sp.Expr) -> sp.Expr | None:
    """What a difference of numbers is times another one, where that is a polynomial."""
    plain = sp.Symbol | sp.Number | sp.Add | sp.Mul | sp.Pow
    nodes = [*sp.preorder_traversal(apart), *sp.preorder_traversal(before)]
    if len(nodes) > LARGEST or not all(isinstance(n, plain) for n in nodes):
        return None
    top, bottom = sp.fraction(sp.cancel(apart / before)) if before else (apart, sp.S.Zero)
    return top / bottom if bottom.is_Number and bottom else None


def _with(judge: Disputed, said: Statement, system: System) -> System:
    """The system with the definitions and the facts that an earlier line rests on."""
    there, section = judge.versions.so_far(said), judge.outline.section
    more = [d for d in there if d.name not in system.definitions]
    here = closure(names(said.lhs) | names(said.rhs), there)
    about = (  # ω² = k/m, of the ω that it speaks of
        as_fact(f)
        for f in judge.versions.given
        if f.line <= said.line and section(f.line) == section(said.line) and names(f.lhs) <= here
        if names(f.lhs) and judge.versions.stands(f)
    )
    facts = [f for f in (*there.facts, *about) if f not in system.facts]
    if not more and not facts:
        return system
    try:
        return System(*system, *more, facts=(*system.facts, *facts))
    except SymattnError:
        return system


def _asked(
    judge: Disputed,
    s: Statement,
    left: Any,
    right: Any,
    system: System,
    *facts: sp.Eq,
) -> Verdict | None:
    """What the prover says with a little work; None where that is not enough."""
    try:
        given = System(*system, facts=(*system.facts, *facts)) if facts else system
        return whether(left, right, given=given, over=s.letters, seed=judge.seed, work=WORK)
    except SymattnError:
        return None


def _hinted(judge: Disputed, s: Statement, left: Any, right: Any, system: System) -> Verdict | None:
    """The same, with what is said of how the two differ."""
    try:
        with budget(WORK):
            return prove(left, right, given=system, over=s.letters, seed=judge.seed)
    except SymattnError:
        return None


def _before(judge: Disputed, s: Statement, system: System) -> Iterator[Statement]:
    """The nearest earlier equations that nothing settles and that speak of the same names."""
    reached = closure(names(s.lhs) | names(s.rhs), system) - system.definitions.keys()
    section = judge.outline.section
    found = 0
    for t in reversed(judge.versions.statements):
        if (t.line, t.column) >= (s.line, s.column) or section(t.line) != section(s.line):
            continue
        if t.kind != "claim" or t.relation not in EXACT or t.name in system.definitions:
            continue
        shared = (names(t.lhs) | names(t.rhs)) & reached
        if not shared or {t.lhs, t.rhs} == {s.lhs, s.rhs}:
            continue
        yield t
        found += 1
        if found >= NEAREST:
            return


__all__ = ["followed"]
