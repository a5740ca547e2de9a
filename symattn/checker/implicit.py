"""Equations that define nothing, and that a derivative goes through: q + tanh q = z."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy as sp

from ..objects import Partial
from ..syntax import System
from .inside import names
from .links import TOTAL
from .repair import proves
from .statements import Statement
from .versions import Versions, closure
from .within import plainly

APART = "nothing says how"


def through(
    s: Statement,
    system: System,
    versions: Versions,
    but: Callable[[Statement], bool] = lambda t: False,
) -> str:
    """An equation makes a name that s speaks of a function of what it is derived by.

    What is proved of the definitions makes nothing of anything, nor does what is left out.
    """
    partials = {p for side in (s.lhs, s.rhs) for p in side.atoms(Partial)}
    by = {n for p in partials for n in names(p.args[1])}
    if pair := _apart(s, partials, system, versions):
        return f"{APART} {pair[0]} changes with {pair[1]}"
    abstract = any(names(p.args[0]) - system.definitions.keys() for p in partials)
    made = system.definitions if abstract else ()  # a loss is of whatever the text ends in
    reached = closure({*names(s.lhs), *names(s.rhs), *made}, system)
    for t in versions.statements if by else ():
        if level := _level(t, s, by, reached, versions):
            return level
        if t.rhs is None or t.relation not in ("=", ":=") or t.whole == s.whole or not t.line:
            continue
        if t.is_of_inverse:
            continue
        if t.number or t.name in system.definitions or t.lhs.atoms(Partial, sp.Limit):
            continue  # what a chain says of a name; and a limit ties no values
        if t.rhs.atoms(Partial, sp.Limit):
            continue
        told = names(t.lhs) | names(t.rhs)
        free = told - system.definitions.keys() - by
        left, right = (closure(names(side), system) for side in (t.lhs, t.rhs))
        if t.name in versions.table and t.name not in reached and by & right:
            continue  # another formula for what is defined, of which s does not speak
        if not (left ^ right) - system.definitions.keys():
            continue  # it is a claim about names that both sides have
        if not free & reached or not by & closure(told, system):
            continue
        if not TOTAL.search(s.latex) and _gives(t, reached, partials, system, versions):
            continue
        if but(t):
            continue
        if not (
            proves(t, system) or proves(t, versions.system(t)) or _misprint(t, system, versions)
        ):
            return f"line {t.place[0]} ties {min(free & reached)} and {min(by)}"
    return ""


def with_the_rest_held(s: Statement, system: System, versions: Versions) -> str:
    """What dL/dz with what z ties held still, as its proof takes it, holds under."""
    if not TOTAL.search(s.latex) or not s.lhs.atoms(Partial) | s.rhs.atoms(Partial):
        return ""
    why = through(s, system, versions)
    return f"true with the rest held: {why}" if why else ""


def _gives(
    t: Statement, reached: set[str], partials: set[Partial], system: System, versions: Versions
) -> bool:
    """Something else in an equation moves with what it ties: the x of p x + q y = m beside ∂/∂m.

    What is derived is made of what it is derived by, so that the rest is held.
    """
    others = [u for u in versions.statements if u is not t and u.rhs is not None and u.line]
    spoken = set[str]().union(*(names(u.lhs) | names(u.rhs) for u in others if not u.name))
    told = names(t.lhs) | names(t.rhs)
    return bool(told - system.definitions.keys() - reached - spoken) and all(
        names(p.args[1]) <= closure(names(p.args[0]), system) for p in partials
    )


def _apart(
    s: Statement, partials: set[Partial], system: System, versions: Versions
) -> tuple[str, str] | None:
    """H and S of dH/dS, of which other things are made and that nothing defines.

    ∂x/∂y of two inputs is 0, unless they move.
    """
    inside = set().union(*(names(plainly(d.expr)) for d in system))  # and no loss in ∂L/∂y
    made = inside - system.definitions.keys()
    total = TOTAL.search(s.latex) is not None
    for p in sorted(partials, key=str):
        pair = [*map(names, p.args)]
        free = all(len(x) == 1 and x <= made for x in pair) and pair[0] != pair[1]
        if free and (total or all(x <= versions.moving for x in pair)):
            return min(pair[0]), min(pair[1])
    return None


def _misprint(t: Statement, system: System, versions: Versions) -> bool:
    """What is proved of its left side has the same names, so that it states no condition."""
    others = (u for u in versions.statements if u is not t and u.rhs is not None)
    same = (u for u in others if u.lhs == t.lhs and names(u.rhs) == names(t.rhs))
    return any(u.relation == "=" and proves(u, system) for u in same)


def _level(t: Statement, s: Statement, by: set[str], reached: set[str], versions: Versions) -> str:
    """E = c, where E is made of q and z, ties z and q from there to the end of its section."""
    section = versions.outline.section
    there = (t.line, t.column)
    if t.rhs is None or section(t.line) != section(s.line) or (s.line, s.column) < there:
        return ""
    if versions.outline.at_a_value(*there):
        return ""
    if t.name not in versions.table or by & versions.made_of(names(t.rhs)):
        return ""
    for v in versions.table[t.name]:
        made = names(v.definition.expr)
        if names(t.rhs) & made:  # T = T_1 of a T made of T_1: a value of it
            continue
        if (v.line, v.column) < there and by & made and made - by & reached:
            return f"line {t.place[0]} ties {min(made - by & reached)} and {min(by & made)}"
    return ""


def turned_round(s: Statement, system: System, versions: Versions) -> str:
    """∂V/∂T of two inputs of p = n R T/V is meant with p held, and is not 0 as nobody writes it."""
    document = versions.document
    every = sorted(s.lhs.atoms(Partial) | s.rhs.atoms(Partial), key=str)
    followed = {  # ∂h_t/∂a = … ∂h_{t-1}/∂a goes on from what is defined
        n for p in every if names(p.args[0]) & system.definitions.keys() for n in names(p.args[1])
    }
    for p in every:
        y, x = (names(a) for a in p.args)
        if x <= followed:
            continue
        if len(y) != 1 or len(x) != 1 or x == y or (x | y) & document.definitions.keys():
            continue
        ties = (n for n in document.definitions if x | y <= closure([n], document))
        tie = next(ties, None)
        if tie is not None and proves(replace(s, lhs=p, rhs=sp.S.Zero), system):
            return f"how {min(y)} changes with {min(x)}: {tie} is made of both"
    return ""


def moving(s: Statement, system: System, versions: Versions) -> bool:
    """Another equation derives, by what s derives by, a name that s only has: dm/dt of m v²/2."""
    partials = {p for side in (s.lhs, s.rhs) for p in side.atoms(Partial)}
    by = {n for p in partials for n in names(p.args[1])}
    own = closure({n for p in partials for n in names(p.args[0])}, system)
    own -= {n for p in s.rhs.atoms(Partial) for n in closure(names(p.args[0]), system)}
    sides = (x for t in versions.statements for x in (t.lhs, t.rhs) if x is not None)
    others = (p.args for side in sides for p in side.atoms(Partial))
    return any(names(x) & own - system.definitions.keys() and names(t) & by for x, t in others)


__all__ = ["APART", "moving", "through", "turned_round", "with_the_rest_held"]
