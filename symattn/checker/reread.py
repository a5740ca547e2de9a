"""What is read by itself, in the names and letters of the statement that it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import sympy as sp

from ..objects import Inverse
from ..read import Document, Equation
from ..syntax import Definition, System, define, inverse, tensor
from .inside import bases, named, symbols
from .statements import Statement, alone


def made(document: Document) -> tuple[Definition, ...]:
    """What a document defines without an equation: what it inverts."""
    said = {alone(e.lhs) for e in document.equations if e.kind != "claim"}
    return tuple(d for d in document if d.name not in said)


def beside(
    right: Any, more: Iterable[Definition], s: Statement, system: System, mark: str = ""
) -> tuple[Any, System]:
    """A side read by itself, and the system with what it inverts or derives, under own names."""
    right, more = _declared_alike(right, more, s, system)
    every = [right, *(d.expr for d in more)]
    known = {x.name: x for e in every for x in bases(e)}
    known |= {x.name: x for e in every for x in e.atoms(sp.Symbol) if x.name not in known}
    own = {d.name: f"{d.name}_of_{mark}right" for d in more}
    found: dict[Any, Any] = {
        known[d.name]: tensor(own[d.name], *d.shape) for d in more if d.name in known
    }
    for b in {b for e in every for b in e.atoms(Inverse)}:
        if b.of.name in own:
            found[b] = inverse(tensor(own[b.of.name], *b.shape))
    if not found:
        return right, system
    new = [define(own[d.name], d.indices, d.expr.xreplace(found)) for d in more]
    return right.xreplace(found), System(*system, *new, facts=system.facts)


def _declared_alike(
    right: Any, more: Iterable[Definition], s: Statement, system: System
) -> tuple[Any, list[Definition]]:
    """A side and definitions that were read by themselves, with the names of the statement."""

    def own(expr: Any) -> Any:
        return alike(expr, s, system)

    return own(right), [define(d.name, d.indices, own(d.expr)) for d in more]


def alike(expr: Any, s: Statement, system: System) -> Any:
    """What was read by itself with the names and sizes of the statement."""
    every = (*(d.expr for d in system), s.lhs, s.rhs)
    sizes = (x for e in every for x in symbols(e) if x.is_integer and x.is_positive)
    known = {x.name: x for x in sizes if isinstance(x, sp.Symbol)}  # the n of 1/n, a number here
    known |= {str(getattr(x, "label", x)): x for e in every for x in named(e)}
    there = ((x, known.get(str(getattr(x, "label", x)))) for x in named(expr))
    return expr.xreplace({x: own for x, own in there if own is not None and
                          own != x and _shape(own) == _shape(x)})  # fmt: skip


def relettered(e: Equation, s: Statement) -> Any:
    """The right side of a reading in the letters of the statement."""
    if e.rhs is None:
        return None
    right: Any = _apart(e.rhs.xreplace(_renamed(e, s)), e, s)
    own, there = {str(i): i for i in s.letters}, {str(i): i for i in e.indices}
    if set(own) == set(there):
        return right.xreplace({there[n]: own[n] for n in own})
    return right.xreplace(dict(zip(e.indices, s.letters, strict=False)))


def _apart(right: Any, e: Equation, s: Statement) -> Any:
    """The side with other letters under its sums than the statement has free."""
    bound = right.atoms(sp.Idx) - {*e.indices}
    free = {str(i) for i in s.letters}
    used = free | {str(i) for i in (*bound, *e.indices)}
    fresh = {}
    for i in sorted((i for i in bound if str(i) in free), key=str):
        name = f"{i}'"
        while name in used:
            name += "'"
        used.add(name)
        fresh[i] = sp.Idx(name, i.upper + 1)
    return right.xreplace(fresh)


def _renamed(e: Equation, s: Statement) -> dict[Any, Any]:
    """What has another name here than in its document: x, which is x_2 there, and 𝓛 and L."""
    own, there = ({str(getattr(x, "label", x)): x for side in sides_ for x in named(side)}
                  for sides_ in ((s.lhs, s.rhs), (e.lhs, e.rhs)))  # fmt: skip
    found = {}
    for name in there.keys() - own.keys():
        local = [n for n in own.keys() - there.keys() if re.fullmatch(rf"{name}_(?:\d+|scalar)", n)]
        if len(local) == 1 and _shape(own[local[0]]) == _shape(there[name]):
            found[there[name]] = own[local[0]]
    left, mine = ({x for x in named(side) if isinstance(x, sp.Symbol)} for side in (e.lhs, s.lhs))
    more = [x for x in left - mine if x not in found], [x for x in mine - left - {*found.values()}]
    return found | (dict(zip(*more, strict=True)) if len(more[0]) == len(more[1]) == 1 else {})


def _shape(name: Any) -> Any:
    return getattr(name, "shape", ())


__all__ = ["alike", "beside", "made", "relettered"]
