r"""What a text says of one case proves nothing in another: on weekdays $a = 2 b$, at weekends not.

The sentences that say nothing of a claim (other_cases.py) are left out of the text, which is read
once more without them.  What is no longer proved then rests on them, and holds under a condition;
what is no longer refuted is open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ..syntax import System
from . import placed, report
from .discourse import KIND, Discourse
from .finding import Finding
from .frames import Sentence
from .inside import names
from .other_cases import BEHIND, RULES, in_another_world, replaced
from .qualities import NAMES
from .repair import proves
from .statements import Statement
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge

Place = tuple[int, int]
LOST = Finding(report.UNPROVED)  # of a statement that is none in the text that is left
_MORE = re.compile(r"[<>≤≥∈∼]|\\(?:leq?|geq?|lt|gt|in|perp|sim|neq?)(?![a-z])")
MOST = 60  # statements of a text that is read once more; of a longer one a proof is conditional


def elsewhere(judge: Judge, s: Statement, found: Finding) -> Finding:
    """The finding, or what is left of it where it rests on what is said of another case."""
    cases, proved = judge.cases, found.verdict == report.PROVED
    here = cases.at(judge.outline.position(s.line, s.column))
    if not (proved or found.verdict in report.WRONG) or s.rhs is None or here is None:
        return found
    if placed.somewhere(s, judge.versions) is not None:  # at the surface, of u(H)
        here = replace(here, frame=None)
    if proved and in_another_world(here) and not proves(s, System()):
        why = "its sentence speaks of another case"
        return replace(found, verdict=report.CONDITIONAL, reason=why)
    system = found.system or judge.versions.system(s)
    reached = closure(names(s.lhs) | names(s.rhs), system)
    stems = {n.split("_")[0] for n in reached} | {*NAMES.findall(s.whole)}
    used = [judge.outline.position(*place) for place in _places(judge, reached, s)]

    def about(x: Sentence) -> bool:
        letters = (n for f in cases.formulas(x) for n in NAMES.findall(f))
        return not stems.isdisjoint(letters) and cases.tells(x, used)

    rules = RULES if proved else (*RULES, replaced)  # a proof by an older formula says so itself
    gone = [*cases.foreign(here, rules, BEHIND, about)]
    long = len(judge.versions.statements) > MOST
    left = _without(judge, cases, [x for x, _ in gone], s) if gone and not long else None
    if gone and long and proved and _by_the_rest(judge, s, found, [x for x, _ in gone]):
        return found
    if not (gone and long) and (left is None or left.verdict == found.verdict):
        return found
    if left is LOST and not proved:  # what is read otherwise without them says nothing of a slip
        return found
    x, why = gone[0]
    case = x.frame is not None and why == x.frame.said
    of = f"{why[0].lower()}{why[1:]}" if case else f"of {why}"  # what is said on weekdays
    told = why if why.startswith("what ") else f"what is said {of}"
    said = f"{told} (line {judge.outline.place(x.start)[0]})"
    if proved:
        return replace(found, verdict=report.CONDITIONAL, reason=f"true with {said}")
    return replace(found, verdict=report.UNPROVED, reason=f"differs with {said}", correction="")


def _places(judge: Judge, reached: Iterable[str], s: Statement) -> Iterator[Place]:
    """Where what a verdict may rest on is said: definitions, values, facts, f(x) before it."""
    versions = judge.versions
    yield from ((v.line, v.column) for n in reached for v in versions.table.get(n, ()))
    yield from ((f.line, f.column) for f in versions.given)
    yield from ((line, column) for line, column, _ in versions.document.values)
    last: dict[str, Place] = {}  # where each name stands first on a left side
    for t in versions.statements:
        if (t.line, t.column) < (s.line, s.column) and (left := NAMES.search(t.whole)):
            last[left[0]] = max(last.get(left[0], (0, 0)), (t.line, t.column))
    yield from (last[n] for n in {*NAMES.findall(s.whole)} & last.keys())


def _by_the_rest(judge: Judge, s: Statement, found: Finding, gone: list[Sentence]) -> bool:
    """A proof needs no equation of some sentences, which say no more than equations."""
    formulas = (f for x in gone for f in judge.cases.formulas(x))
    if any(KIND.search(x.words) for x in gone) or any(map(_MORE.search, formulas)):
        return False

    def left_out(place: Place) -> bool:
        at = judge.outline.position(*place)
        return any(x.start <= at < x.end for x in gone)

    system, versions = found.system or judge.versions.system(s), judge.versions
    every = (v for several in versions.table.values() for v in several)
    away = {v.definition for v in every if left_out((v.line, v.column))}
    said = {(f.lhs, f.rhs) for f in versions.given if left_out((f.line, f.column))}
    kept = (d for d in system if d not in away)
    facts = tuple(f for f in system.facts if (f.lhs, f.rhs) not in said)
    return proves(s, System(*kept, facts=facts))


def _without(judge: Judge, cases: Discourse, gone: list[Sentence], s: Statement) -> Finding | None:
    """The verdict on a statement in the text without some sentences; None where it is the same."""
    text = cases.blanked(gone)
    if text == cases.text:
        return None
    again = judge.in_text(text, s)
    return LOST if again is None else again


__all__ = ["elsewhere"]
