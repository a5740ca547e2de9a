r"""Closed forms of recursions, by induction: a_{n+1} = q a_n with a_0 = c gives a_n = c q^n.

Proved where the form at the next step is what the recursion makes of it, for every step, and where
it begins with the value that is said; in names that do not commute where capitals stand.  Refuted
where numbers that go on from the first value, or from the form itself, differ from it.  Sums and
products up to the step are split at their ends; a geometric sum is its quotient.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from ..read.counted import called, inside
from ..read.sequences import ClosedForm
from ..read.tree import Accent, Name, Node, walk
from ..read.tree import Symbol as Sign
from .at_random import NoRange, Table, differ
from .partial_sums import Unable, normal, vanishes
from .stepped import Algebra, at_first, counting, over

STEPS = 4  # that are counted in numbers
MAX_NODES = 150  # of a form and a recursion
TRIES = 3
FAULTS = (
    *(Unable, NoRange, TypeError, ValueError, KeyError, ZeroDivisionError),
    *(AttributeError, OverflowError, RecursionError, sp.PolynomialError),
)  # of formulas that are not known here


@dataclass(frozen=True)
class Outcome:
    """What induction says: "proved", "refuted", or "" with the first value that it asks for."""

    verdict: str
    reason: str = ""
    first: str = ""


def decide(form: ClosedForm) -> Outcome | None:
    """What induction says of a closed form; None where a formula holds what is not known here."""
    trees = _trees(form)
    nodes = [n for tree in trees for n in walk(tree)]
    if len(nodes) > MAX_NODES or ambiguous(trees):
        return None
    commutes = alike(trees, [form.name])
    try:
        if (wrong := _numbers(form)) is not None:
            return None if form.tied or _nearly(form) else wrong
        if _follows(form, commutes):
            return _begun(form, commutes)
    except FAULTS:
        return None
    return None


def ambiguous(trees: list[Node]) -> bool:
    """True for g beside g_t: it may be what all of them are."""
    nodes = [n for tree in trees for n in walk(tree)]
    stepping = [n for n in nodes if inside(n)[1] is not None]
    below = {id(n) for s in stepping for n in (s.base, *walk(s.base))}  # type: ignore[attr-defined]
    moving = {inside(n)[0] for n in stepping}
    alone = (n for n in nodes if isinstance(n, Name | Accent) and id(n) not in below)
    return any(called(n) in moving for n in alone)


def alike(trees: list[Node], own: Iterable[str]) -> bool:
    """True for numbers; other capitals are matrices, and what is transposed is no number."""
    nodes = [n for tree in trees for n in walk(tree)]
    capitals = {x for n in nodes if (x := called(n))[:1].isupper()} - {"I", *own, *counting(trees)}
    return not capitals and not any(isinstance(n, Sign) and n.kind == "top" for n in nodes)


def _step(form: ClosedForm) -> sp.Symbol:
    return sp.Symbol(form.letter, integer=True, nonnegative=True)


def _algebra(form: ClosedForm, commutes: bool, state: Callable[[Any], Any], at: Any) -> Algebra:
    own, here = {form.name: state}, {form.letter: at}
    return over(_trees(form), own, commutes, here, form.constants)


def _trees(form: ClosedForm) -> list[Node]:
    constants = (r.right for r in form.constants)
    return [form.form, form.goes_on, *constants, *([form.first[1]] if form.first else [])]


def _initial(form: ClosedForm, commutes: bool) -> Callable[[Any], Any]:
    """x_0 as a name, where a form speaks of it."""

    def state(at: Any) -> Any:
        if not at.is_Integer:
            raise Unable("a step in a form")
        return at_first(form.name, at, commutes)

    return state


def _value(form: ClosedForm, commutes: bool, at: Any) -> Any:
    """F at a step."""
    return _algebra(form, commutes, _initial(form, commutes), at)(form.form)


def _next(form: ClosedForm, commutes: bool, before: Any, at: Any) -> Any:
    """G of a value, for the step behind it."""
    return _algebra(form, commutes, lambda _: before, at - form.shift)(form.goes_on)


def _follows(form: ClosedForm, commutes: bool) -> bool:
    t = _step(form)
    gap = _value(form, commutes, t + 1) - _next(form, commutes, _value(form, commutes, t), t + 1)
    return vanishes(normal(gap))


def _begun(form: ClosedForm, commutes: bool) -> Outcome:
    number = sp.Integer(form.first[0] if form.first else 0)
    if form.first is None:
        begins = normal(_value(form, commutes, number))
        if begins == _initial(form, commutes)(sp.S.Zero):
            return Outcome("proved")
        return Outcome("", first=f"{form.name}_0 = {begins}")
    said = _said(form, commutes)
    try:
        begins = normal(_value(form, commutes, number))
    except Unable:  # a sum from 1 to t - 1 at t = 0: it begins with the next one
        said = _next(form, commutes, said, number + 1)
        begins = normal(_value(form, commutes, number + 1))
    return Outcome("proved") if vanishes(normal(begins - said)) else Outcome("")


def _said(form: ClosedForm, commutes: bool) -> Any:
    """The first value."""
    assert form.first is not None
    return _algebra(form, commutes, _initial(form, commutes), sp.S.Zero)(form.first[1])


def _numbers(form: ClosedForm) -> Outcome | None:
    """The refutation by numbers, from the first value where one is said; None where none differ."""
    draw = random.Random(0)
    wrong: set[str] = set()
    for _ in range(TRIES):
        number = Table(draw)
        begin = form.first[0] if form.first is not None else 0
        value = None if form.first is None else number(_said(form, True))
        for k in range(begin, begin + STEPS):
            if value is not None and k > begin:
                holder = sp.Symbol("before")
                gone_on = _next(form, True, holder, sp.Integer(k))
                value = number(gone_on.subs(holder, value))
            elif k == 0 and _speaks_of_first(form):
                value = number(sp.Symbol(f"{form.name}_0", nonzero=True))
            try:
                here = number(_value(form, True, sp.Integer(k)))
            except NoRange:
                continue
            if value is not None and differ(here, value):
                wrong.add(f"at {form.letter} = {k} it is not what the recursion gives")
                break
            value = here
        else:
            return None
    return Outcome("refuted", min(wrong)) if wrong else None


def _nearly(form: ClosedForm) -> bool:
    """True where form and recursion differ by ε² and higher powers of some number of theirs."""
    begin = form.first[0] if form.first is not None else 0
    if form.first is None and _speaks_of_first(form):
        value = _initial(form, True)(sp.S.Zero)
    else:
        value = _said(form, True) if form.first else _value(form, True, sp.Integer(begin))
    gaps = [value - _value(form, True, sp.Integer(begin))]
    for k in range(begin + 1, begin + STEPS):
        value = _next(form, True, value, sp.Integer(k))
        gaps.append(value - _value(form, True, sp.Integer(k)))
    for e in sorted({x for gap in gaps for x in gap.free_symbols}, key=str):
        near = [sp.expand(d.doit()) for gap in gaps for d in (gap, gap.diff(e))]
        if all(sp.simplify(d.subs(e, 0)) == 0 for d in near):
            return True
    return False


def _speaks_of_first(form: ClosedForm) -> bool:
    return any(inside(n)[0] == form.name for n in walk(form.form))


__all__ = ["FAULTS", "MAX_NODES", "Outcome", "alike", "ambiguous", "decide"]
