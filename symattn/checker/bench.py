"""How many slips of the pen a check finds, how many it mends, and how many alarms are false."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..read import read
from ..syntax import System
from . import report
from .documents import check_text, decided, plain, source, unread_row
from .finding import Finding
from .judge import Judge
from .limits import Limiting
from .links import sides
from .outline import Outline
from .repair import beside, made, mini, proves, relettered
from .report import Report
from .second import Unable, compare, differ
from .slips import KINDS, slips
from .statements import Statement, reading
from .versions import names

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

    @property
    def missed(self) -> bool:
        """A slip that makes the equation false and that is neither found nor noted."""
        return not self.harmless and self.verdict not in FLAGGED and not self.noted


@dataclass(frozen=True)
class Outcome:
    """Everything that was injected, and the alarms about formulas without a slip."""

    slips: tuple[Injected, ...]
    alarms: tuple[str, ...]
    before: tuple[str, ...]  # what was wrong before anything was changed

    def rows(self) -> list[dict[str, Any]]:
        """A row for every kind of slip, and one for all."""
        found = [self._row(kind, [s for s in self.slips if s.kind == kind]) for kind in KINDS]
        return [r for r in found if r["injected"]] + [self._row("all", list(self.slips))]

    def _row(self, kind: str, every: list[Injected]) -> dict[str, Any]:
        real = [s for s in every if not s.harmless]
        hit = [s for s in real if s.verdict in FLAGGED]
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
            "no slip": len(every) - len(real),
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

    Slips in equations that say nothing of each other share a copy.  `count` is how many are made
    in all, spread evenly; `progress` is called with a file, the slips done and their number.
    """
    documents = []
    for file in files:
        name, text = source(file)
        text = plain(text)
        progress(name, 0, 0)
        before = check_text(text, name, timeout=timeout, seed=seed)
        documents.append((name, text, before, _choices(text, before)))
    total = sum(len(choices) for *_, choices in documents)
    share = min(1.0, count / total) if count and total else 1.0
    found: list[Injected] = []
    alarms: list[str] = []
    wrong: list[str] = []
    taken = [_spread(choices, share) for *_, choices in documents]
    for (name, text, before, _), choices in zip(documents, taken, strict=True):
        wrong += [f"{name}:{r.line}: {r.latex}" for r in before.of(*report.WRONG)]
        for k, chosen in enumerate(_rounds(choices)):
            heard = alarms if k < LISTENED else None
            made = _round(name, text, before, chosen, heard, timeout, seed)
            for choice, one in zip(chosen, made, strict=True):
                if one.missed and len(chosen) > 1:  # another slip may have changed its names
                    (one,) = _round(name, text, before, [choice], None, timeout, seed)
                found.append(one)
                progress(name, len(found), sum(map(len, taken)))
    return Outcome(tuple(found), tuple(dict.fromkeys(alarms)), tuple(wrong))


Choice = tuple[Statement, str, str, str]  # statement, kind, side, side with a slip


def _choices(text: str, before: Report) -> list[Choice]:
    """Every slip that can be made in an equation that is proved."""
    proved = {(r.line, r.column, r.latex) for r in before.of(report.PROVED)}
    found: list[Choice] = []
    for s in reading(text).statements:
        if (s.line, s.column, s.latex) not in proved or s.kind not in ("claim", "definition"):
            continue
        parts, _ = sides(s.latex)
        if len(parts) == 2 and s.whole.count(parts[1]) == 1 and "\n" not in s.latex:
            found += [(s, kind, parts[1], wrong) for kind, wrong in slips(parts[1], parts[0])]
    return found


def _spread(choices: list[Choice], share: float) -> list[Choice]:
    """This share of them, evenly from the first to the last."""
    return [c for k, c in enumerate(choices) if int((k + 1) * share) > int(k * share)]


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


def _round(
    name: str,
    text: str,
    before: Report,
    chosen: list[Choice],
    alarms: list[str] | None,
    timeout: float | None,
    seed: int,
) -> Iterator[Injected]:
    """The verdicts on one copy of the document."""
    changed = _replaced(text, [(s, right, wrong) for s, _, right, wrong in chosen])
    found = reading(changed)
    outline = Outline(changed)
    judge = Judge(found, outline, seed)
    places = set()  # of the slips, which move what is behind them in its line
    bad = Counter((r.line, r.latex) for r in before.of(*report.WRONG))
    for s, kind, right, wrong in chosen:
        own = [
            x
            for x in found.statements
            if (x.line, x.number) == (s.line, s.number)
            and _same(x.latex, s.latex.replace(right, wrong))
        ]
        if not own:
            lost = [u for u in found.unread if u.line == s.line]
            row = unread_row(name, lost[0], judge, timeout) if lost else None
            verdict = row.verdict if row else report.SKIPPED
            reason = row.reason if row else "the statement is gone"
            given = row.correction if row else ""
            good = bool(given) and (_same(right, given) or _proves(s, given, judge))
            yield Injected(name, s.line, kind, right, wrong, verdict, reason, given, good, False)
            continue
        places.add((own[0].line, own[0].column))
        f = decided(judge, own[0], timeout)
        yield Injected(
            name,
            s.line,
            kind,
            right,
            wrong,
            f.verdict,
            f.reason,
            f.correction,
            _same(right, f.correction) or _mends(own[0], f, judge),
            f.verdict not in FLAGGED and f.differs is None and _harmless(own[0], f, judge),
            f.differs is not None,
        )
    for s in found.statements if alarms is not None else ():
        if (s.line, s.column) not in places and s.kind == "claim":
            f = decided(judge, s, timeout)
            if f.verdict in report.WRONG and not bad[s.line, s.latex]:
                assert alarms is not None
                alarms.append(f"{name}:{s.line}: {s.latex} ({f.reason})")


def _same(a: str, b: str) -> bool:
    return "".join(a.split()) == "".join(b.split())


def _replaced(text: str, changes: list[tuple[Statement, str, str]]) -> str:
    """The text with sides replaced, from the last to the first."""
    outline = Outline(text)
    for s, right, wrong in sorted(changes, key=lambda c: (c[0].line, c[0].column), reverse=True):
        at = outline.position(s.line, s.column)
        start = text.find(right, at)
        if 0 <= start < at + len(s.whole):
            text = text[:start] + wrong + text[start + len(right) :]
    return text


def _mends(s: Statement, f: Finding, judge: Judge) -> bool:
    """The statement with the correction on its right is read and proved."""
    if not f.correction or f.kind in ("number", "table"):
        return bool(f.correction)
    return _proves(s, f.correction, judge, f.system)


def _proves(s: Statement, right: str, judge: Judge, system: System | None = None) -> bool:
    system = system or judge.versions.system(s)
    parts, relations = sides(s.latex)
    text = mini(system, judge.head(s, system), [f"{parts[0]} {relations[0]} {right}"], s)
    try:
        document = read(text, strict=False)
        found = [e for e in document.equations if e.rhs is not None]
        if not found:
            return False
        wanted, system = beside(relettered(found[-1], s), made(document), system)
        if isinstance(s.lhs, sp.Limit):
            return Limiting(s.lhs, wanted, s.letters, system).proof() is not None
        return proves(replace(s, rhs=wanted), system)
    except SymattnError:
        return False


def _harmless(s: Statement, f: Finding, judge: Judge) -> bool:
    """The sides still agree: by numbers, not by the prover."""
    for system in (judge.versions.system(s), *judge.versions.others(s)):
        for seed in range(2):
            try:
                if differ(*compare(s.lhs, s.rhs, system, {}, {}, {}, seed)):
                    break
            except Unable:
                break
        else:
            return True
    return False


__all__ = ["Injected", "Outcome", "bench"]
