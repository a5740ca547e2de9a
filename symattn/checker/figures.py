"""Claims between numbers, those of worked examples included."""

from __future__ import annotations

from dataclasses import replace

from ..syntax import System
from . import report
from .asked import Asked
from .finding import Finding
from .inside import names
from .numbers import Outcome, is_numeric, numbers_apart, numeric, shown
from .outline import Outline
from .statements import Reading, Statement
from .versions import Version, closure
from .worked import Worked


class Figures(Asked):
    """Statements of numbers."""

    def __init__(self, found: Reading, outline: Outline, seed: int = 0) -> None:
        super().__init__(found, outline, seed)
        self.worked = Worked(found, self.versions, outline)

    def of_values(self, s: Statement) -> Finding | None:
        """The verdict on the numbers of a worked example; None where the text gives no values."""
        found = self.worked.outcome(s)
        if found is None:
            return None
        outcome, values, doubtful = found
        used = tuple(f"{v.latex.strip()} (line {v.line})" for v in values)
        if outcome.verdict == report.REFUTED and doubtful:
            return Finding(report.UNPROVED, doubtful, kind="number", used=used)
        return self._outcome(s, outcome, used)

    def of_the_chain(self, s: Statement) -> Finding | None:
        """The refutation of 105/1.04 = 102 in P = 105/1.04 = 102, where P is 105/1.04 here.

        1.04 by itself may be a rounded number; what P is made of says that it is none.  Of several
        equations for P it is the one that gives what is written behind it.
        """
        before = self.preceding(s) if s.number else None
        if before is None or not before.name or before.rhs is None or names(before.rhs):
            return None
        own = replace(s, lhs=before.lhs, name=before.name)
        by = {v: found for v, found, _ in self.worked.in_turn(own)}
        for version, found, values in self.worked.in_turn(before):
            then = by.get(version)
            if found.verdict == report.PROVED and then and then.verdict == report.REFUTED:
                used = tuple(f"{v.latex.strip()} (line {v.line})" for v in values)
                return self._outcome(s, then, used)
        return None

    def _numbers(self, s: Statement, system: System) -> Finding | None:
        """The verdict on a claim between numbers; None where it is none."""
        found: list[tuple[Outcome, System]] = []
        for other in (system, *self.versions.others(s)):
            later = self.versions.special(s, other)
            if all(self._since(s, v) for v in later) and is_numeric(s, other):
                printed, exact = self._printed(s, other), self.worked.exact(s)
                outcome = numeric(s, other, printed, exact=exact)
                if outcome is not None:
                    found.insert(0 if later else len(found), (outcome, other))
                    if outcome.verdict == report.PROVED:
                        break
        if not found:
            return None
        order = (report.PROVED, report.UNPROVED, report.REFUTED)
        outcome, chosen = min(found, key=lambda pair: order.index(pair[0].verdict))
        if outcome.verdict == report.REFUTED:
            if s.name and self._names_itself(s, chosen):
                return None
            apart = numbers_apart(s, self.worked.exact(s))
            if apart is not None and not apart:
                reason = "agrees only within the rounding of its numbers"
                outcome = replace(outcome, verdict=report.UNPROVED, reason=reason)
        return self._outcome(s, outcome, self.rests_on(s, chosen))

    def _since(self, s: Statement, version: Version) -> bool:
        """Numbers of a section that ended, and that nothing but what was before them replaces."""
        own = self.versions.before(s, version.name) if version.name != s.name else None
        return version.numbers and own is not None and own.line < version.line < s.line

    def _outcome(self, s: Statement, outcome: Outcome, used: tuple[str, ...]) -> Finding:
        """What the numbers of both sides say."""
        if outcome.verdict == report.PROVED:
            return Finding(report.PROVED, outcome.reason, kind="number", used=used)
        right = s.latex.rsplit("=", 1)[-1]
        correction = shown(outcome.value, right)
        values = {
            "lhs": float(outcome.value[outcome.entry]),
            "rhs": float(outcome.other[outcome.entry]),
            "entry": list(outcome.entry),
        }
        if outcome.verdict == report.UNPROVED:
            reason = f"{outcome.reason}, which give {correction}"
            return Finding(report.UNPROVED, reason, values, kind="number", used=used)
        entry = shown(outcome.value[outcome.entry], right)
        reason = f"{outcome.reason}: the left side is {entry}"
        return Finding(report.REFUTED, reason, values, correction, kind="number", used=used)

    def _names_itself(self, s: Statement, system: System) -> bool:
        """A name that stands alone on the left and has numbers from elsewhere: a new example."""
        before = self.versions.before(s)
        if s.inline and before is not None and before.numbers:
            return True
        return before is None or self.outline.part(before.line) != self.outline.part(s.line)

    def _printed(self, s: Statement, system: System) -> str:
        """The text that the numbers of a statement come from."""
        reached = closure(names(s.lhs) | names(s.rhs), system)
        texts = [s.whole]
        for name in sorted(reached):
            texts += [v.latex for v in self.versions.table.get(name, ()) if v.numbers]
        return "\n".join(texts)


__all__ = ["Figures"]
