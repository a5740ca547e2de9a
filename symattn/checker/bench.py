"""How many slips of the pen a check finds, how many it mends, and how many alarms are false.

A slip is one change of the right side of an equation that is proved, the only one in what its copy
of the document says of the names in it.  It is none where both sides have the same values
afterwards (`no slip`).  It is found where that very equation is refuted or malformed, or true under
a condition that is named with the right side beside it; a condition alone, which may mislead, and
what is merely noted beside it, or shows in another equation, is missed.
A correction is right where it is what stood there or is proved in its place.  Definitions are left
alone but for those that say a name again, so that what is changed can be told to be wrong; where an
equation with a slip says what a name is that nothing before it speaks of, the slip is
`undetermined` and counts for nothing.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..read import read
from ..syntax import System
from . import report
from .declarations import mini
from .documents import decided, plain, source, unread_row
from .finding import Finding
from .inside import names
from .judge import Judge
from .limits import Limiting
from .links import sides
from .outline import Outline
from .repair import proves
from .reread import beside, made, relettered
from .second import Unable, compare, differ
from .slips import KINDS, slips
from .statements import Reading, Statement, reading

LISTENED = 2  # rounds in which formulas without a slip are checked again
FLAGGED = (report.REFUTED, report.MALFORMED, report.CONDITIONAL)


@dataclass(frozen=True)
class Injected:
    """One slip in a copy of a document, and what the check made of it."""

    file: str
    line: int
    kind: str
    right: str  # the side as it was
    wrong: str  # the side with the slip
    verdict: str
    reason: str
    correction: str
    mended: bool  # the correction is proved in the place of the slip
    harmless: bool  # the sides agree although the text was changed
    noted: bool = False  # shown as what separates it from the equation before it for its name
    undetermined: bool = False  # in the equation that first speaks of its name, and says what it is

    @property
    def found(self) -> bool:
        """Refuted or malformed, or true under a condition and shown with the right side."""
        return self.verdict in report.WRONG or (self.verdict == report.CONDITIONAL and self.mended)

    @property
    def missed(self) -> bool:
        """A slip that makes the equation false and that is neither found nor noted."""
        return not (self.harmless or self.undetermined or self.found or self.noted)


@dataclass(frozen=True)
class Outcome:
    """Everything that was injected, and the alarms about formulas without a slip."""

    slips: tuple[Injected, ...]
    alarms: tuple[str, ...]
    before: tuple[str, ...]  # what was wrong before anything was changed
    formulas: int = 0  # of the documents as they stand
    reading: float = 0.0  # seconds of the processor in which these are read
    deciding: float = 0.0  # and in which they get verdicts and corrections

    def rows(self) -> list[dict[str, Any]]:
        """A row for every kind of slip, and one for all."""
        found = [self._row(kind, [s for s in self.slips if s.kind == kind]) for kind in KINDS]
        return [r for r in found if r["injected"]] + [self._row("all", list(self.slips))]

    def _row(self, kind: str, every: list[Injected]) -> dict[str, Any]:
        real = [s for s in every if not (s.harmless or s.undetermined)]
        hit = [s for s in real if s.found]
        mended = [s for s in hit if s.mended]
        row = {
            "slip": kind,
            "injected": len(real),
            "found": len(hit),
            "recall": round(len(hit) / len(real), 3) if real else None,
            "noted": sum(s.noted for s in real),
            "missed": sum(s.missed for s in real),
            "mended": len(mended),
            "right corrections": round(len(mended) / len(hit), 3) if hit else None,
            "proved": sum(s.verdict == report.PROVED for s in real),
            "no slip": sum(s.harmless for s in every),
            "undetermined": sum(s.undetermined for s in every),
        }
        if kind == "all":
            alarms = len(self.alarms)
            row["false alarms"] = alarms
            row["wrong before"] = len(self.before)
            row["precision"] = round(len(hit) / (len(hit) + alarms), 3) if hit or alarms else None
        return row


def bench(
    files: Iterable[str | Path],
    *,
    timeout: float | None = 5.0,
    seed: int = 0,
    count: int | None = None,
    progress: Callable[[str, int, int], None] = lambda name, done, total: None,
) -> Outcome:
    """One slip of every kind in every equation that is proved, each in a copy of its document.

    What is wrong already is left out of the copies, and slips in equations that say nothing of each
    other share one.  `count` is how many are made
    in all, spread evenly; `progress` is called with a file, the slips done and their number.
    """
    documents = []
    for file in files:
        progress(str(file), 0, 0)
        document = _Document(file, timeout, seed)
        documents.append((document, list(document.choices())))
    total = sum(len(choices) for _, choices in documents)
    share = min(1.0, count / total) if count is not None and total else 1.0
    found: list[Injected] = []
    alarms: list[str] = []
    place = iter(range(1, total + 1))
    taken = [[c for c in choices if _whole(next(place), share)] for _, choices in documents]
    for (document, _), choices in zip(documents, taken, strict=True):
        for k, chosen in enumerate(_rounds(choices)):
            heard = alarms if k < LISTENED else None
            made = list(document.round(chosen, heard))
            for choice, one in zip(chosen, made, strict=True):
                if one.missed and len(chosen) > 1:  # another slip may have changed its names
                    (one,) = document.round([choice], None)
                found.append(one)
                progress(document.name, len(found), sum(map(len, taken)))
    wrong = [f"{d.name}:{s.line}: {s.latex}" for d, _ in documents for s in d.wrong]
    return Outcome(
        tuple(found),
        tuple(dict.fromkeys(alarms)),
        tuple(wrong),
        sum(d.formulas for d, _ in documents),
        sum(d.seconds[0] for d, _ in documents),
        sum(d.seconds[1] for d, _ in documents),
    )


Choice = tuple[Statement, str, str, str]  # statement, kind, side, side with a slip


class _Document:
    """A document, what is found in it, and copies of it with slips."""

    def __init__(self, file: str | Path, timeout: float | None, seed: int) -> None:
        self.timeout, self.seed = timeout, seed
        self.name, text = source(file)
        self.text = plain(text)
        self.seconds = self._decide({})
        self.formulas = len(self.reading.statements) + len(self.reading.unread)
        self.wrong = [s for s, f in self.before.items() if f.verdict in report.WRONG]
        if self.wrong:  # a slip is the only one in its copy
            known = {_question(self.judge, s): f for s, f in self.before.items()}
            self.text = _blanked(self.text, self.wrong)
            self._decide(known)

    def _decide(self, known: Mapping[Any, Finding]) -> tuple[float, float]:
        """The findings before a slip; what is known already is not asked again.

        Gives the seconds that reading and that deciding took.
        """
        begun = time.process_time()
        self.judge, self.reading = self._judged(self.text)
        self.judge.corrects = not known
        read_ = time.process_time()
        self.before = {
            s: known.get(_question(self.judge, s)) or decided(self.judge, s, self.timeout)
            for s in self.reading.statements
        }
        return read_ - begun, time.process_time() - read_

    def _judged(self, text: str) -> tuple[Judge, Reading]:
        found = reading(text)
        return Judge(found, Outline(text), self.seed), found

    def choices(self) -> Iterator[Choice]:
        """Every slip that can be made in an equation that is proved."""
        for s, f in self.before.items():
            if f.verdict != report.PROVED or s.kind not in ("claim", "definition"):
                continue
            parts, _ = sides(s.latex)
            if len(parts) == 2 and s.whole.count(parts[1]) == 1 and "\n" not in s.latex:
                for kind, wrong in slips(parts[1], parts[0]):
                    yield s, kind, parts[1], wrong

    def round(self, chosen: list[Choice], alarms: list[str] | None) -> Iterator[Injected]:
        """The verdicts on one copy of the document; alarms about the rest where they are heard."""
        judge, found = self._judged(_replaced(self.text, [(s, a, b) for s, _, a, b in chosen]))
        places = set()  # of the slips, which move what is behind them in its line
        for choice in chosen:
            s, _, right, wrong = choice
            there = _same(s.latex.replace(right, wrong))
            same = (x for x in found.statements if (x.line, x.number) == (s.line, s.number))
            own = next((x for x in same if _same(x.latex) == there), None)
            if own is None:
                yield self._lost(choice, judge, found)
                continue
            places.add((own.line, own.column))
            yield self._verdict(choice, own, judge)
        if alarms is not None:
            alarms += self._alarms(judge, found, places)

    def _verdict(self, choice: Choice, own: Statement, judge: Judge) -> Injected:
        """What is found of a statement with a slip."""
        s, kind, right, wrong = choice
        f = decided(judge, own, self.timeout)
        mended = _same(right) == _same(f.correction) or _mends(own, right, f, judge)
        harmless = f.verdict not in FLAGGED and f.differs is None and _harmless(own, s, judge)
        said = (f.verdict, f.reason, f.correction)
        open_ = f.verdict == report.DEFINITION and not harmless and _first(own, judge)
        return Injected(
            *(self.name, s.line, kind, right, wrong, *said, mended, harmless),
            noted=f.differs is not None,
            undetermined=open_,
        )

    def _lost(self, choice: Choice, judge: Judge, found: Reading) -> Injected:
        """What is found of a slip that makes a statement unreadable."""
        s, kind, right, wrong = choice
        lost = next((u for u in found.unread if u.line == s.line), None)
        row = unread_row(self.name, lost, judge, self.timeout) if lost else None
        verdict = row.verdict if row else report.SKIPPED
        reason = row.reason if row else "the statement is gone"
        given = row.correction if row else ""
        good = bool(given) and (_same(right) == _same(given) or _proves(s, given, judge))
        return Injected(
            self.name, s.line, kind, right, wrong, verdict, reason, given, good, harmless=False
        )

    def _alarms(self, judge: Judge, found: Reading, places: set[tuple[int, int]]) -> Iterator[str]:
        """What is wrong in a copy where no slip was made, and was not before."""
        judge.corrects = False
        bad = {(s.line, s.latex) for s, f in self.before.items() if f.verdict in report.WRONG}
        asked = {_question(self.judge, s) for s in self.before}
        for s in found.statements:
            if s.kind != "claim" or (s.line, s.column) in places or (s.line, s.latex) in bad:
                continue
            if _same_words(found, self.reading) and _question(judge, s) in asked:
                continue  # what it rests on has not changed
            f = decided(judge, s, self.timeout)
            # of two that speak against each other both are shown, each with the other
            slips = {t.place[0] for t in found.statements if (t.line, t.column) in places}
            named = any(f"line {line}, which it rests on" in f.reason for line in slips)
            if f.verdict in report.WRONG and not named:
                yield f"{self.name}:{s.line}: {s.latex} ({f.reason})"


def _question(judge: Judge, s: Statement) -> Any:
    """What a verdict hangs on: a statement, and all choices of definitions for it."""
    systems = (judge.versions.system(s), *judge.versions.others(s))
    bodies = (tuple((d.name, d.indices, d.expr) for d in system) for system in systems)
    return s, tuple(bodies), tuple(system.facts for system in systems)


def _same_words(one: Reading, other: Reading) -> bool:
    """Both texts leave the same formulas unread."""
    return [u.latex for u in one.unread] == [u.latex for u in other.unread]


def _whole(place: int, share: float) -> bool:
    """True for this share of all places, evenly from the first to the last."""
    return int(place * share) > int((place - 1) * share)


def _rounds(choices: list[Choice]) -> Iterator[list[Choice]]:
    """Slips in rounds: at most one for every equation in each, and none in what another rests on.

    What names nothing goes first: it can be wrong without a change for others.
    """
    left = sorted(choices, key=lambda c: bool(c[0].name))
    while left:
        chosen: dict[tuple[int, int], Choice] = {}
        for c in left:  # one slip in a statement, though a chain has several links
            place = (c[0].line, c[0].column)
            if place not in chosen and _apart(c[0], [x[0] for x in chosen.values()]):
                chosen[place] = c
        yield list(chosen.values())
        left = [c for c in left if c not in chosen.values()]


def _apart(s: Statement, others: Iterable[Statement]) -> bool:
    """True where a slip in one of them changes no name that another one has."""
    own = names(s.lhs) | names(s.rhs)
    return all(
        not (o.name and o.name in own) and not (s.name and s.name in names(o.lhs) | names(o.rhs))
        for o in others
    )


def _same(latex: str) -> str:
    return "".join(latex.split())


def _blanked(text: str, statements: Iterable[Statement]) -> str:
    """The text with blanks for statements."""
    outline = Outline(text)
    for s in statements:
        at = outline.position(s.line, s.column)
        if text.startswith(s.whole, at):
            text = text[:at] + re.sub(r"[^\n]", " ", s.whole) + text[at + len(s.whole) :]
    return text


def _replaced(text: str, changes: list[tuple[Statement, str, str]]) -> str:
    """The text with sides replaced, from the last to the first."""
    outline = Outline(text)
    for s, right, wrong in sorted(changes, key=lambda c: (c[0].line, c[0].column), reverse=True):
        at = outline.position(s.line, s.column)
        start = text.find(right, at)
        if 0 <= start < at + len(s.whole):
            text = text[:start] + wrong + text[start + len(right) :]
    return text


def _mends(s: Statement, right: str, f: Finding, judge: Judge) -> bool:
    """The statement with the correction on its right is proved, or it is what stood there."""
    if not f.correction or f.kind in ("number", "table"):
        return bool(f.correction)
    before = replace(s, latex=f"{right} = {f.correction}")
    return any(_proves(x, f.correction, judge, f.system) for x in (s, before))


def _proves(s: Statement, right: str, judge: Judge, system: System | None = None) -> bool:
    system = system or judge.versions.system(s)
    parts, relations = sides(s.latex)
    text = mini(system, judge.head(s, system), [f"{parts[0]} {relations[0]} {right}"], s)
    try:
        document = read(text, strict=False)
        found = [e for e in document.equations if e.rhs is not None]
        if not found:
            return False
        wanted, system = beside(relettered(found[-1], s), made(document), s, system)
        if isinstance(s.lhs, sp.Limit):
            return Limiting(s.lhs, wanted, s.letters, system).proof() is not None
        return proves(replace(s, rhs=wanted), system)
    except SymattnError:
        return False


def _first(s: Statement, judge: Judge) -> bool:
    """Nothing before an equation speaks of the name that it says something of."""
    place = (s.line, s.column, s.number)
    before = (t for t in judge.versions.statements if (t.line, t.column, t.number) < place)
    return bool(s.name) and not any(s.name in names(t.lhs) | names(t.rhs) for t in before)


def _harmless(s: Statement, before: Statement, judge: Judge) -> bool:
    """The sides still agree, or the right one is what it was: by numbers, not by the prover."""
    for left in (s.lhs, before.rhs):
        for system in (judge.versions.system(s), *judge.versions.others(s)):
            if all(_agree(left, s.rhs, system, seed) for seed in range(2)):
                return True
    return False


def _agree(left: Any, right: Any, system: System, seed: int) -> bool:
    """The same values, and not all of them 0, at several entries."""
    letters = sorted({i.name for e in (left, right) for i in e.atoms(sp.Idx)})
    entries = [{n: (k + j) % 2 for k, n in enumerate(letters)} for j in (0, 1)] if letters else []
    found = []
    for at in ({}, *entries):
        try:
            found.append(compare(left, right, system, {}, {}, at, seed))
        except Unable:
            continue
    return any(any(pair) for pair in found) and not any(differ(*pair) for pair in found)


__all__ = ["Injected", "Outcome", "bench"]
