"""What ties a name: words, sets and equations by which it is not free, or is all the same.

A tie is loose where the sides differ for every value that it leaves to the name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Iverson, Partial
from ..prove import whether
from ..read.builder import PRODUCT
from ..read.calls import ABSTRACT, ALONE
from ..read.positive import OPEN as SIGN
from ..read.recursions import ELSEWHEN
from ..syntax import System, define, for_all, indices, tensor, total
from .inside import names, partials
from .statements import Statement
from .versions import Versions, closure

EXACT = ("=", ":=")
SIGNED = 3  # names of whose signs a text speaks, that are tried together
LABELS = ("hat", "tilde", "bar", "star")


def unresolved(s: Statement, system: System, versions: Versions) -> str:
    """A name that an equation ties without defining it: a recursion, a differential."""
    tied: Mapping[str, str] = getattr(versions.document, "unresolved", {})
    below = closure(names(s.lhs) | names(s.rhs), system)
    exprs = [s.lhs, s.rhs, *(d.expr for d in system if d.name in below)]
    free = {x for e in exprs for x in getattr(e, "free_symbols", ())}
    sizes = {str(x) for x in free if not isinstance(x, sp.Idx)}  # an index i is no imaginary i
    reached = (below | sizes) - set(system.definitions)
    return next(
        (
            f"{n} is tied by {tied[n]}"
            for n in sorted(reached & tied.keys())
            if not _loose(n, tied[n], s, system, versions)
        ),
        "",
    )


def _loose(name: str, why: str, s: Statement, system: System, versions: Versions) -> bool:
    """What ties a name leaves it free here, or the sides differ for every value it may have."""
    if why == ALONE:
        return _apart(name, s, system, versions)
    if why == SIGN:
        return _whatever_sign(name, s, system, versions.document.unresolved)
    if why == ELSEWHEN:
        return _whatever_state(name, s, system, versions)
    if why.startswith(PRODUCT):
        made = closure(why.removeprefix(PRODUCT).split(", "), system)
        both = (closure(names(side), system) for side in (s.lhs, s.rhs))
        return all(name in side and not made & side for side in both)
    if why == ABSTRACT:  # its derivatives are free, where both sides have them
        values = dict.fromkeys(partials(s.lhs, s.rhs), sp.S.One)
        tops = [[p.args[0] for p in partials(side)] for side in (s.lhs, s.rhs)]
        derived = all(any(name in closure(names(x), system) for x in top) for top in tops)
        sides = (side.xreplace(values) for side in (s.lhs, s.rhs) if side is not None)
        return derived and all(name not in closure(names(side), system) for side in sides)
    if name == "first_index":
        return all(_differ(s, System(*system, define(name, (), k), facts=system.facts))
                   for k in (sp.S.Zero, sp.S.One))  # fmt: skip
    return False


def _whatever_sign(name: str, s: Statement, system: System, tied: Mapping[str, str]) -> bool:
    """The sides differ for values of numbers above and below zero, near it and far away.

    All numbers of the statement of whose signs the text speaks have each of them: |a b| = a b
    holds for some.
    """
    below = closure(names(s.lhs) | names(s.rhs), system) | {name}
    spoken = sorted(n for n in below if tied.get(n) == SIGN)
    if not {*spoken} <= _numbers(s, system) or len(spoken) > SIGNED:
        return False

    def values(signs: Iterable[int], kind: Callable[[Any], Any]) -> list[Any]:
        pairs = zip(spoken, signs, strict=True)
        return [define(n, (), sign * kind(sp.Symbol(f"{n}_any", real=True))) for n, sign in pairs]

    kinds = (lambda u: u**2, lambda u: u**2 / (1 + u**2), lambda u: 1 + u**2)
    return all(
        _differ(s, System(*values(signs, kind), *system, facts=system.facts))
        for kind in kinds
        for signs in product((1, -1), repeat=len(spoken))
    )


def _whatever_state(name: str, s: Statement, system: System, versions: Versions) -> bool:
    """A derivative within one step differs for a state before it that is 0, small or any other.

    What is no derivative may hold by the steps before: a_t a_{t-1} = a_{t-1} Σ_{i≤t} x_i.
    """
    told: Mapping[str, str] = getattr(versions.document, "unresolved", {})
    both = [closure(names(side), system) for side in (s.lhs, s.rhs) if side is not None]
    alone = set().union(*both) & told.keys() - {*system.definitions} == {name}
    exprs = [s.lhs, *(d.expr for d in system if d.name in both[0])]
    derived = any(e.atoms(Partial) for e in exprs) and not any(e.atoms(Iverson) for e in exprs)
    bases = (x for e in exprs for x in e.atoms(sp.IndexedBase, sp.Symbol))
    state = next((x for x in bases if str(getattr(x, "label", x)) == name), None)
    if state is None or not alone or not derived or not all(name in x for x in both):
        return False
    shape = getattr(state, "shape", ())
    letters = tuple(i for k, size in enumerate(shape) for i in indices(f"i{k}", size))
    u = tensor(f"{name}_any", *shape)
    x = u[letters] if letters else u
    kinds = (sp.S.Zero, x / (2 + 2 * x**2), x**2 / (1 + x**2), x)
    return all(
        _differ(s, System(define(name, letters, kind), *system, facts=system.facts))
        for kind in kinds
    )


def _apart(name: str, s: Statement, system: System, versions: Versions) -> bool:
    """K_{ij} is not the K(q, k) that another section speaks of."""
    ranks = {len(b.shape) for e in (s.lhs, s.rhs, *(d.expr for d in system))
             for b in e.atoms(sp.IndexedBase) if str(b.label) == name}  # fmt: skip
    applied = rf"(?<![A-Za-z\\]){re.escape(name)}\s*(?:\\left)?\("
    return bool(ranks) and not re.search(applied, versions.outline.around(s.line))


def sampled(s: Statement, system: System, versions: Versions) -> str:
    """The x_n of (1/N) Σ_n x_n beside an N × D matrix X are its rows, said or not."""
    reached = closure(names(s.lhs) | names(s.rhs), system) - {*system.definitions}
    here = {n: t for n, t in _tensors(s, system).items() if n in reached}
    for name, x in sorted(here.items()):
        whole = here.get(name.upper()) if len(name) == 1 and name.islower() else None
        if whole is not None and len(x.shape) < len(whole.shape) and x.shape[0] == whole.shape[0]:
            return f"it may hold where {name} is of {name.upper()}"
    return ""


def partial(s: Statement, system: System, versions: Versions) -> str:
    """A name that words call a row, a column or an entry of another one is not free beside it.

    Where the two have one shape, a difference that stays when they are one refutes after all.
    """
    reached = closure(names(s.lhs) | names(s.rhs), system)
    told = getattr(versions.document, "parts", {})
    free = {n.split("_")[0]: n for n in sorted(reached - set(system.definitions) - told.keys())}
    every = {n.split("_")[0]: n for n in sorted(reached)}
    for parts, wholes in versions.outline.parts:
        for part in sorted(parts & free.keys()):
            for whole in sorted(wholes & every.keys() - {part}):
                one = _as_one(s, system, free[part], every[whole])
                if one is None or not _differ(s, one):
                    return f"in the words of the text {free[part]} is a part of {every[whole]}"
    return ""


def qualified(s: Statement, system: System, versions: Versions) -> str:
    """A name of whose values words say more than the equations that were read is not free.

    What differs for all values of that kind refutes after all.
    """
    free = closure(names(s.lhs) | names(s.rhs), system) - set(system.definitions)
    known = {n for f in system.facts for n in names(f.lhs) | names(f.rhs)}
    said = versions.outline.qualities
    for name in sorted(free - known - _numbers(s, system)):
        if word := said.get(name) or said.get(name.split("_")[0]):
            facts = _facts(s, system, name, word)
            if not facts or not all(
                _differ(s, System(*system, facts=(*system.facts, f))) for f in facts
            ):
                return f"in the words of the text {name} is {word}"
    return ""


def among(s: Statement, system: System, versions: Versions) -> str:
    """The N of Σ_{j∈N(i)} is 1 for neighbours; what is wrong where all are neighbours is wrong."""
    sets: frozenset[str] = getattr(versions.document, "sets", frozenset())
    for name in sorted(sets & closure(names(s.lhs) | names(s.rhs), system)):
        x = _tensors(s, system).get(name)
        if x is None or name in system.definitions:
            continue
        letters = tuple(indices([f"part{k}"], size)[0] for k, size in enumerate(x.shape))
        if not _differ(s, System(define(name, letters, sp.S.One), *system, facts=system.facts)):
            return f"it may be meant where the indices are in {name}"
    return ""


_MASK = re.compile(r"\bmasks?\b|\bindicators?\b|\bbinary\b", re.IGNORECASE)
_KINDS: tuple[tuple[re.Pattern[str], Callable[[Any], tuple[Any, int]]], ...] = (  # sums of values
    (re.compile(r"normali|unit|spherical", re.I), lambda x: (x**2, 1)),
    (re.compile(r"normali", re.I), lambda x: (x, 1)),
    (re.compile(r"normali", re.I), lambda x: (sp.Abs(x), 1)),
    (re.compile(r"cent(?:er|re)d|zero.mean", re.I), lambda x: (x, 0)),
)


def _facts(s: Statement, system: System, name: str, word: str) -> list[sp.Eq]:
    """What a word may say of a name, along each of its axes; nothing where that is not known."""
    x = _tensors(s, system).get(name)
    if x is None or not 0 < len(x.shape) < 3:
        return []
    letters = [indices([f"part{k}"], size)[0] for k, size in enumerate(x.shape)]
    here = x[tuple(letters)]
    if _MASK.search(word):  # of 0 and 1, or of 0 where it is added and something else
        values = (sp.S.One, sp.S(2))
        return [for_all(here**2, here * v, letters) for v in values]
    return [
        for_all(total(form(here)[0], i), form(here)[1], [j for j in letters if j is not i])
        for pattern, form in _KINDS
        if pattern.search(word)
        for i in letters
    ]


def equated(s: Statement, system: System, versions: Versions) -> str:
    """A name of which its section says in an equation what does not follow is not free."""
    section = versions.outline.section
    free = closure(names(s.lhs) | names(s.rhs), system) - set(system.definitions)
    for t in versions.statements:
        if t.name in free and t.line and t is not s and t.relation in EXACT and t.rhs is not None:
            told = names(t.rhs) - {t.name} and section(t.line) == section(s.line)
            if told and t.whole != s.whole and _status(t, system) != "proved":
                return f"line {t.line} says something of {t.name}"
    return ""


def unheard(s: Statement, system: System, versions: Versions) -> str:
    """A name whose equation was not read is not free."""
    reached = closure(names(s.lhs) | names(s.rhs), system) - set(system.definitions)
    numbers = _numbers(s, system)
    for name in sorted(reached):
        stem, *marks = name.split("_")
        label = next((f"_{x}" for x in marks if x in LABELS), "")
        line = versions.unheard.get(stem + label)
        apart = name in numbers and not marks and line in versions.scripted
        if line is not None and not (
            apart or (line in versions.applied and _apart(name, s, system, versions))
        ):
            return f"line {line}, which was not read, may say what {name} is"
    section = versions.outline.section
    below = closure(names(s.lhs) | names(s.rhs), system)
    known = {v.name: v.line for n in below for v in versions.table.get(n, ())
             if v.definition in system}  # fmt: skip
    for line, name in versions.unsaid:
        anew = known.get(name, line) < line <= s.line  # with another one instead, h = …
        if (name in reached or anew) and section(line) == section(s.line):
            return f"line {line} may say what {name} is"
    return ""


def _numbers(s: Statement, system: System) -> set[str]:
    """The names of numbers, which have no index."""
    exprs = (s.lhs, s.rhs, *(d.expr for d in system))
    return {x.name for e in exprs for x in e.free_symbols} - _tensors(s, system).keys()


def _tensors(s: Statement, system: System) -> dict[str, Any]:
    here = {str(b.label): b for side in (s.lhs, s.rhs) for b in side.atoms(sp.IndexedBase)}
    return {**here, **system.inputs}


def _as_one(s: Statement, system: System, part: str, whole: str) -> System | None:
    """The system where the rows that a name stands for are those of a matrix."""
    x, y = map(_tensors(s, system).get, (part, whole))
    if x is None or y is None or len(x.shape) != 2 or x.shape != y.shape:
        return None
    letters = [indices([f"part{k}"], size)[0] for k, size in enumerate(x.shape)]
    return System(define(part, tuple(letters), y[tuple(letters)]), *system, facts=system.facts)


def _differ(s: Statement, system: System) -> bool:
    return _status(s, system) == "refuted"


def _status(s: Statement, system: System) -> str:
    try:
        return whether(s.lhs, s.rhs, given=system, over=s.letters).status
    except SymattnError:
        return ""


__all__ = [
    "EXACT",
    "among",
    "equated",
    "partial",
    "qualified",
    "sampled",
    "unheard",
    "unresolved",
]
