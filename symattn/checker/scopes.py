r"""Where names lie at a place of a text: which of the ranges that it speaks of are meant there."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable

from ..read.clauses import ATTACHED, governing
from ..read.ranges import Place, Range, Ranges, Scope, in_force, modulus_of, names_of, rest_of
from ..read.result import Document
from ..syntax import System
from . import placed
from .inside import names
from .outline import ALWAYS
from .qualities import FORMULA
from .sections import REACH, STOP
from .statements import Statement
from .versions import Versions, closure

_ORDER = re.compile(r"[<>]|\\(?:le|ge|leq|geq|lt|gt|in)(?![a-z])")  # x = 3 < 4


def believed(
    document: Document, statements: Iterable[Statement], refutes: Callable[[Statement], bool]
) -> Ranges:
    """What a document says of values, without inequalities in displays that are wrong."""
    ranges = document.ranges
    cases = {r.case[0] for several in ranges.values() for r in several if r.case[0]}
    shown = [s for s in statements if s.kind == "relation" and not s.inline and s.line in cases]
    wrong = {s.line for s in shown if refutes(s)}
    return {n: (*(r for r in rs if r.case[0] not in wrong),) for n, rs in ranges.items()}


def meant(s: Statement, system: System, ranges: Ranges, scope: Scope) -> dict[str, list[Range]]:
    """Between which numbers the names of a statement may lie, as the text says."""
    reached = closure(names(s.lhs) | names(s.rhs), system)
    made = {n for n in system.definitions if not _inputs(n, system) - reached}
    known = (n for n in sorted(ranges) if _speaks_of(n, reached, made))
    found = {n: in_force(ranges[n], scope) for n in known}
    own = any(scope.beside(r) for n in found for r in ranges[n])
    alone = own or scope.general  # and no other sentence's case
    return {n: r for n, r in found.items()
            if r and not (alone and all(x.clause and not scope.covers(x) for x in r))}  # fmt: skip


def _inputs(name: str, system: System) -> set[str]:
    return closure([name], system) - system.definitions.keys()


def _speaks_of(key: str, reached: set[str], made: set[str]) -> bool:
    """What is said of a name that is reached, or of one less what is made of such: a > b = 2 c."""
    several = {*names_of(key)}
    return several <= reached or (len(several) > 1 and several <= reached | made)


def remainders(name: str, place: Place, versions: Versions) -> tuple[int, int, bool] | None:
    """The modulus and the remainder of a name at a place, and whether its sentence says so.

    None where nothing is said of it there, or several things.
    """
    ranges, scope = versions.document.ranges, scope_at(place, versions)
    found: dict[int, tuple[int, bool]] = {}
    for key in (k for k in ranges if modulus_of(k) and names_of(k) == [name]):
        said = [r for r in in_force(ranges[key], scope) if scope.covers(r)]
        if len(said) == 1 and not said[0].is_all:
            r = said[0]
            found[modulus_of(key)] = rest_of(r), bool(r.case[0] or r.begin[0])
    finer = {m: v for m, v in found.items() if m > 1} or found
    return next(((m, *v) for m, v in finer.items()), None) if len(finer) == 1 else None


def scope_of(s: Statement, system: System, versions: Versions) -> Scope:
    """The place of a statement, and of what defines a name in it or what it inverts."""
    reached = closure(names(s.lhs) | names(s.rhs), system)
    known = (v for n in sorted(reached) for v in versions.table.get(n, ()) if v.line)
    said = {(v.line, v.column) for v in known if v.definition in tuple(system)}
    inverted = placed.inverse(s, versions)
    said |= {(inverted.line, inverted.column)} if inverted is not None else set()
    return scope_at((s.line, s.column), versions, said)


def scope_at(place: Place, versions: Versions, said: Collection[Place] = ()) -> Scope:
    """A place, and those of what it is made of."""
    beside, own = _cases(place, versions), set[Place]()
    for x in {*said} - {place}:
        own |= _cases(x, versions)
    there = {c for c in _told(versions) if any(versions.outline.together(c, x) for x in said)}
    return Scope(
        place,
        lambda r: r.case in beside,
        lambda r: r.case in own,
        lambda r: bool(own) and r.case in there - own,
        ALWAYS.search(versions.outline.sentence(*place)) is not None,
    )


def _told(versions: Versions) -> set[Place]:
    """Where a text speaks of cases."""
    every = versions.document.ranges.values()
    return {r.case for several in every for r in several if r.case[0]}


def _cases(place: Place, versions: Versions) -> set[Place]:
    """The cases of which its sentence says the equation at a place."""
    outline, text = versions.outline, versions.outline.text
    cases = {outline.position(*c): c for c in _told(versions) if outline.together(c, place)}
    here = outline.position(*place)
    if not cases or here in cases:
        return {cases[here]} if here in cases else set()
    first, last = min(here, *cases), max(here, *cases)
    stops = [m.end() for m in STOP.finditer(text, max(0, first - REACH), first)]
    found = FORMULA.finditer(text, stops[-1] if stops else max(0, first - REACH), last)
    equations = {m.start() for m in found if "=" in m[0] and not _ORDER.search(m[0])}
    attached = {x for x in cases if ATTACHED.search(text, max(0, x - REACH), x)}
    return {cases[m] for m in governing(equations, cases, here, attached)}


def covering(s: Statement, system: System, versions: Versions) -> dict[str, Range]:
    """The one range in which each name of a statement lies, where the text says it of it there."""
    scope, ranges = scope_of(s, system, versions), versions.document.ranges
    said = meant(s, system, ranges, scope).items()
    return {n: r[0] for n, r in said if len(r) == 1 and scope.covers(r[0])}


__all__ = ["believed", "covering", "meant", "remainders", "scope_of"]
