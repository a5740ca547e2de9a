"""What verdicts rest on: claims that are wrong, or hold under a condition, and facts in force."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..errors import SymattnError
from ..objects import Partial
from ..syntax import System
from . import report
from .claim import Claims, example
from .finding import Finding
from .generality import restricted
from .given_values import status
from .inside import names
from .repair import proves
from .statements import Statement, as_fact
from .versions import AVERAGES, Version, closure

_WRITES = re.compile(
    r"\b(?:writ(?:e|ing)|defin(?:e|ing)|abbreviat(?:e|ing)|denot(?:e|ing)|introduc(?:e|ing))\b"
    r"(?: [a-z]+){0,4}\s*$",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?<=\\)[A-Za-z]+|(?<![A-Za-z\\])[A-Za-z]|(?<=[A-Za-z])[A-Za-z]")


class Resting(Claims):
    """Verdicts with those of what they rest on."""

    _asked: set[Statement]  # while what they rest on is looked at

    def __call__(self, s: Statement) -> Finding:
        raise NotImplementedError

    def _by_itself(self, s: Statement) -> Finding:
        raise NotImplementedError

    def _with_what_was(self, s: Statement, found: Finding, f: Statement) -> Finding:
        """The finding where a fact may not hold any more: a proof without it stands."""
        said = f"{f.latex.strip()} (line {f.line})"
        if found.verdict != report.PROVED:
            why = f"differs with {said}, in place of which the text puts another"
            return replace(found, verdict=report.UNPROVED, reason=why, correction="")
        system = found.system or self.versions.system(s)
        fact = as_fact(f)
        rest = System(*system, facts=[x for x in system.facts if x != fact])
        if fact not in system.facts or proves(s, rest):
            return found
        return replace(found, verdict=report.CONDITIONAL, reason=f"true with {said}")

    def _rests_on_some(self, s: Statement, found: Finding) -> str:
        """What a claim that a proof takes for granted needs, and the statement does not say."""
        letters = s.rhs is not None and bool(names(s.lhs) and names(s.rhs))
        of_values = found.kind == "number" and letters
        system = self.versions.system(s) if of_values else found.system
        if system is None or s in self._asked:
            return ""
        self._asked.add(s)
        why = ""
        for v, t in self._below(s, system):
            if why or t.kind not in ("claim", "definition") or t in self._asked:
                continue
            if example(v, t) and letters and not self._named(v):  # with $p = 1/2$, said of any p
                if not self._proved_otherwise(s, system, v):
                    why = f"true with {v.latex.strip()} (line {v.line})"
                continue
            if self.versions.elsewhere(s, v):
                if not self._proved_otherwise(s, system, v):
                    why = f"true with {v.latex.strip()} (line {v.line}), and not in general"
                continue
            concluded = v.name.startswith(AVERAGES) and self.outline.follows(v.line, v.column)
            if concluded and not self._proved_otherwise(s, system, v):  # hence Var(Y) = …
                why = f"true with {v.latex.strip()} (line {v.line})"
                continue
            if (names(s.rhs) or s.lhs.atoms(Partial)) and self._another_since(s, v):
                why = f"true with {v.latex.strip()} (line {v.line}), and another is said since"
                continue
            own = self(t)
            doubtful = own.verdict == report.CONDITIONAL or (
                own.verdict not in (report.PROVED, report.DEFINITION)
                and self._first_version(v) is not None
            )
            if doubtful and not self._proved_otherwise(s, system, v):
                why = f"true where line {v.line}, which is {own.verdict}, holds"
            elif own.verdict == report.PROVED and (
                tied := restricted(t, own, self, s)  # type: ignore[arg-type]
            ):
                why = f"true with what the text says of some {tied}"
        self._asked.discard(s)
        return why

    def _named(self, v: Version) -> bool:
        """A sentence gives a number a name that stands nowhere before: write $c = \\log 10$."""
        place = (v.line, v.column)
        if _WRITES.search(self.outline.leading(*place)) is None:
            return False
        before = (u for u in self.versions.statements if (u.line, u.column) < place)
        return not any(
            v.name in names(side) for u in before for side in (u.lhs, u.rhs) if side is not None
        )

    def _first_version(self, v: Version) -> Version | None:
        """An earlier equation for what a name is; None where this is the first."""
        known = (w for w in self.versions.table.get(v.name, ()) if w.line)
        return next((w for w in known if (w.line, w.column) < (v.line, v.column)), None)

    def _with_the_first(self, s: Statement, v: Version) -> Finding | None:
        """The verdict on what differs with a wrong equation for a name, by the one before it.

        None where it differs with that, too, or where there is none.
        """
        if (first := self._first_version(v)) is None:
            return self._with_what_is_right(s, v)
        found = {status(self, s, x) for x in self.versions.with_version(s, first)}
        if "refuted" in found or not found:
            return None
        said = f"{first.latex.strip()} (line {first.line}), which line {v.line} speaks against"
        if found == {"proved"}:
            return Finding(report.CONDITIONAL, f"true with {said}")
        return Finding(report.UNPROVED, f"differs, and it may be so with {said}")

    def _with_what_is_right(self, s: Statement, v: Version) -> Finding | None:
        """The verdict on what differs with a wrong solution of a law, by the right one."""
        told = (
            t
            for t in self.versions.stated.get(v.name, ())
            if (t.line, t.column) == (v.line, v.column)
        )
        known = [x for t in told if (x := self(t).system) is not None]
        right = known[0].definitions.get(v.name) if known else None
        if right is None or right.expr == v.definition.expr or s.name == v.name:
            return None
        rest = [d for d in self.versions.system(s) if d.name != v.name]
        more = [d for d in known[0] if d.name not in {x.name for x in rest}]
        try:
            world = System(*rest, *more)
            verdict = self.prove(s, world)
        except SymattnError:
            return None
        signs = self._where_positive(s, verdict, world) if verdict.status != "proved" else None
        if verdict.status != "proved" and (signs is None or signs.verdict != report.CONDITIONAL):
            return None
        return Finding(report.CONDITIONAL, f"true with what line {v.line} should say")

    def _otherwise_in(self, s: Statement, found: Finding) -> str:
        """A formula that a sentence of the section puts in place of one that a proof rests on.

        If $v = a S^2$, behind $v = a S/(b + S)$; a letter or a number is a case of the same.
        """
        section, system = self.outline.section, found.system
        if system is None:
            return ""
        for v, _ in self._below(s, system):
            for line, name, right in self.versions.instead:
                inside = {n.split("_")[0] for n in names(v.definition.expr)}
                if not inside & {*_LETTER.findall(right)}:
                    continue
                between = v.line < line <= s.line and section(line) == section(s.line)
                if name == v.name and between and section(v.line) == section(line):
                    said = f"{v.latex.strip()} (line {v.line})"
                    return f"true with {said}, and line {line} puts another in its place"
        return ""

    def _follows_from(self, s: Statement, v: Version) -> bool:
        """What is in force for a name is a proved consequence of an earlier equation for it."""
        own = self.versions.before(s, v.name)
        if own is None or v.numbers or v.case or not (v.line, v.column) < (own.line, own.column):
            return False
        said = next((t for t in self.versions.stated.get(v.name, ())
                     if (t.line, t.column) == (own.line, own.column)), None)  # fmt: skip
        before = said is not None and (said.line, said.column) < (s.line, s.column)
        if said is None or not before or said in self._asked:
            return False
        return self(said).verdict == report.PROVED

    def _another_since(self, s: Statement, v: Version) -> bool:
        """An alternative for a name stands between its definition and a claim that needs the first.

        The Gaussian kernel is k = …, the Laplace kernel is k = …
        """
        made = names(v.definition.expr)  # p = 1/n of equal scores is a value of p, and no other p
        cases = (w for w in self.versions.table.get(v.name, ())
                 if w.case and w is not v and not names(w.definition.expr) < made)  # fmt: skip
        for a in (*self.versions.again.get(v.name, ()), *cases):
            place = (a.line, a.column)
            if self.versions.over(s, a) or self.outline.at_a_value(*place):
                continue
            said = next((t for t in self.versions.statements if (t.line, t.column) == place), None)
            if said is None or not (v.line, v.column) < place < (s.line, s.column):
                continue
            if said in self._asked or self(said).verdict != report.DEFINITION:
                continue
            if not any(proves(s, x) for x in self.versions.with_version(s, a)):
                return True
        return False

    def anew(self, s: Statement, but: str = "") -> dict[str, Version]:
        """What its section says again of names that a statement rests on, and that defines them.

        For p polarisation r = … and t = …, behind r and t of another one.
        """
        found: dict[str, Version] = {}
        system, section = self.versions.system(s), self.outline.section
        for name in sorted(closure(names(s.lhs) | names(s.rhs), system) - {but}):
            for v in self.versions.again.get(name, ()):
                place, own = (v.line, v.column), self.versions.before(s, name)
                said = next((t for t in self.versions.statements
                             if (t.line, t.column) == place), None)  # fmt: skip
                if said is None or said in self._asked or not place < (s.line, s.column):
                    continue
                if section(v.line) != section(s.line) or (own and place < (own.line, own.column)):
                    continue
                self._asked.add(said)
                if self(said).verdict not in (report.PROVED, *report.WRONG):
                    found[name] = v
                self._asked.discard(said)
        return found

    def _proved_otherwise(self, s: Statement, system: System, v: Version) -> bool:
        """It is proved for any value of a name, or with another thing that the text says of it."""
        left = System(*(d for d in system if d is not v.definition), facts=system.facts)
        others = (x for x in self.versions.others(s) if v.definition not in tuple(x))
        return any(proves(s, x) for x in (left, *others))

    def _from_the_first(self, s: Statement) -> Finding | None:
        """What a = b = c says with a b that is wrong: a = c, where that is proved."""
        before = self.preceding(s)
        if not (line := self._wrong_before(s)):
            return None
        why = f"true where line {line}, which is {report.REFUTED}, is left out of the chain"
        while before is not None:
            found = self._by_itself(replace(s, lhs=before.lhs, name=before.name))
            if found.verdict == report.PROVED:
                return replace(found, verdict=report.CONDITIONAL, reason=why)
            before = self.preceding(before)
        return None

    def _wrong_before(self, s: Statement) -> int:
        """The line of the link before it in its chain, where that is wrong; else 0."""
        before = self.preceding(s)
        return before.place[0] if before is not None and self._wrong(before) else 0

    def _wrong(self, s: Statement) -> bool:
        """A refuted statement; one that speaks against what is looked at is known to be."""
        return s in self._asked or self(s).verdict in report.WRONG

    def _differs(self, s: Statement) -> bool:
        """A definition that is one slip away from an earlier one for its name."""
        return s not in self._asked and self(s).differs is not None

    def _below(self, s: Statement, system: System) -> Iterator[tuple[Version, Statement]]:
        """The other equations that a statement rests on."""
        for name in sorted(closure(names(s.lhs) | names(s.rhs), system)):
            for v in self.versions.table.get(name, ()):
                place = (v.line, v.column)
                if v.definition in tuple(system) and place != (s.line, s.column):
                    valued = (t for t, d in self.versions.valued.items() if d.name == name)
                    said = dict.fromkeys((*self.versions.stated.get(name, ()), *valued))
                    yield from ((v, t) for t in said if (t.line, t.column) == place)


def rests(found: Finding, line: int) -> str:
    return f"{found.reason}; line {line}, which it rests on, is {report.REFUTED} too"


__all__ = ["Resting", "rests"]
