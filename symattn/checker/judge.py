"""Statement → verdict: which question the prover is asked, and what its answer means."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Inverse, Partial
from ..prove import Verdict, prove
from ..syntax import Definition, System
from . import counts, logarithms, report
from .again import condition as condition_of
from .again import restated
from .bounds import bound
from .cleared import cleared
from .doubts import OF_VALUES, doubt, stated
from .endless import endless
from .ends import limit
from .finding import Finding
from .finding import values as values_of
from .links import sides
from .moments import moments
from .nearby import identity
from .numbers import Outcome, is_numeric, numbers_apart, numeric, shown
from .outline import Outline
from .repair import correction, declared, proves
from .samples import sample
from .second import Unable, compare, differ
from .statements import Reading, Statement
from .symmetries import proved_with, symmetric_where
from .versions import Version, Versions, closure, names, system_key
from .worked import Worked

_NAME = r"\\?{}(?:_\w+|_\{{[^}}]*\}})?"  # a name as it is written, with or without a label
MEANT = 4  # choices of definitions under which a correction is sought
SAMPLES = 4  # at which a second way tries to confirm a counterexample
EXACT = ("=", ":=")
QUIET = {
    "shape": (report.DEFINITION, "declares a shape"),
    "expression": (report.SKIPPED, "no relation, so nothing is claimed"),
}


class Judge:
    """Decides the statements of one document."""

    def __init__(self, found: Reading, outline: Outline, seed: int = 0) -> None:
        self.versions, self.outline, self.seed = Versions(found, outline), outline, seed
        self.declarations = declared(outline.text)
        if gradients := getattr(found.document, "gradients", None):
            self.declarations += "\n<!-- symattn: gradients {} of {} -->".format(*gradients)
        for name, (kind, whole) in getattr(found.document, "parts", {}).items():
            self.declarations += f"\n<!-- symattn: {kind} {name} of {whole} -->"
        self.worked = Worked(found, self.versions, outline)
        self.versions.stands = lambda s: self._given(s).verdict == report.DEFINITION
        self._known: dict[Any, Verdict] = {}
        self._taken: dict[Statement, Finding] = {}
        self._agreed: dict[Any, bool] = {}
        self.reached: Finding | None = None  # stands though time runs out before its correction

    def __call__(self, s: Statement) -> Finding:
        """The verdict on a statement; on what the words deny, whether they are right."""
        found = self._plain(s)
        if found.verdict in (report.DEFINITION, report.UNPROVED, report.SKIPPED):
            found = moments(s.latex, s.line, self) or found
        if found.verdict not in (report.PROVED, *report.WRONG):
            return found
        if not self.outline.denied(s.line, s.column, s.whole):
            return found
        if found.verdict == report.PROVED:
            why = "the words deny it, and it is proved"
            return replace(found, verdict=report.UNPROVED, reason=why)
        why = f"the words deny it, and they are right: {found.reason}"
        return replace(found, verdict=report.SKIPPED, reason=why, correction="")

    def _plain(self, s: Statement) -> Finding:
        """The verdict on a statement as it stands."""
        self.reached = None
        if r"\infty" in s.latex and (found := endless(s.latex, self.versions)):
            return found
        if found := self.versions.components.finding(s.whole, s.line, s.column):
            return found
        if s.kind in QUIET:
            return Finding(*QUIET[s.kind])
        if found := self.of_values(s):
            return found
        if s.kind == "definition" and not self._again(s):
            return self._definition(s)
        if s.rhs is None:
            return Finding(*QUIET["expression"])
        if isinstance(s.lhs, sp.Limit) or isinstance(s.rhs, sp.Limit):
            return limit(s, self)
        if s.kind == "fact":
            return self._given(s)
        if s.kind == "recursion":
            return Finding(report.SKIPPED, "a recursion or an update")
        if s.kind == "relation":
            return bound(s, self)
        if s.kind not in ("claim", "numeric", "definition"):
            return Finding(report.SKIPPED, f"{s.relation} states no equality")
        system = self.versions.system(s)
        return self._numbers(s, system) or self._claim(s, system)

    def _definition(self, s: Statement) -> Finding:
        """A definition, held against the one before it where there is one."""
        before = self.versions.before(s) if s.name else None
        plain = Finding(report.DEFINITION)
        if before is None or s.rhs is None or not names(s.rhs) or before.numbers:
            return plain
        if not (0, 0) < (before.line, before.column) < (s.line, s.column):
            return plain
        found = self._claim(s, self.versions.system(s))
        return found if found.verdict in (report.PROVED, report.DEFINITION) else plain

    def _again(self, s: Statement) -> bool:
        """A sentence before it in its section defines the name already."""
        before = self.versions.before(s) if s.name else None
        section = self.outline.section
        return (
            before is not None
            and before.line > 0
            and (before.line, before.column) < (s.line, s.column)
            and section(before.line) == section(s.line)
        )

    def _given(self, s: Statement) -> Finding:
        """What a sentence takes for true: a claim where definitions settle it, else a condition."""
        if s not in self._taken:
            self._taken[s] = Finding(report.DEFINITION, "taken for true", kind="fact")
            found = self._claim(s, self.versions.system(s))
            if found.verdict in (report.PROVED, report.REFUTED, report.MALFORMED):
                self._taken[s] = found
        return self._taken[s]

    # --------------------------------------------------------------------------------- numbers

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

    def _numbers(self, s: Statement, system: System) -> Finding | None:
        """The verdict on a claim between numbers; None where it is none."""
        found: list[tuple[Outcome, System]] = []
        for other in (system, *self.versions.others(s)):
            if is_numeric(s, other) and not self.versions.special(s, other):
                outcome = numeric(s, other, self._printed(s, other))
                if outcome is not None:
                    found.append((outcome, other))
                    if outcome.verdict == report.PROVED:
                        break
        if not found:
            return None
        order = (report.PROVED, report.UNPROVED, report.REFUTED)
        outcome, chosen = min(found, key=lambda pair: order.index(pair[0].verdict))
        if outcome.verdict == report.REFUTED:
            if s.name and self._names_itself(s, chosen):
                return None
            if (apart := numbers_apart(s, chosen)) is not None and not apart:
                reason = "agrees only within the rounding of its numbers"
                outcome = replace(outcome, verdict=report.UNPROVED, reason=reason)
        return self._outcome(s, outcome, self.rests_on(s, chosen))

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

    # ---------------------------------------------------------------------------------- claims

    def _claim(self, s: Statement, system: System) -> Finding:
        before = self.versions.before(s) if s.name and not s.number else None
        place = (s.line, s.column)
        if s.inline and before is not None and (before.line, before.column) > place:
            return Finding(report.DEFINITION)
        inverse = isinstance(getattr(s.lhs, "base", None), Inverse)
        if before is None and s.name and not s.number and s.name in names(s.rhs) and not inverse:
            verdict = self.prove(s, system)  # 𝔼[𝔼[x]] = 𝔼[x]
            told = s.lhs != s.rhs or s.name.startswith(("mean_", "var_", "cov_"))
            if verdict.status == "proved" and told and len({*sides(s.latex)[0]}) > 1:
                return self._proved(s, verdict, system)
            return Finding(
                report.SKIPPED, f"{s.name} stands on both sides: a recursion or an update"
            )
        asked: list[tuple[Verdict, System]] = []
        problem, with_values, again = "", None, 0
        for other in (system, *self.versions.others(s)):
            if asked and asked[0][0].status == "refuted" and not self._agrees(s, other):
                asked.append((asked[0][0], other))  # numbers differ there as well
                continue
            try:
                verdict = self.prove(s, other)
            except SymattnError as error:
                problem = problem or error.problem
                continue
            asked.append((verdict, other))
            if verdict.status == "proved" and not self._doubtful(s, verdict, other):
                if other is system:
                    return self._proved(s, verdict, other)
                special = self.versions.special(s, other)
                if line := next((v.line for v in special if v.name == s.name), 0):
                    again = again or line
                    continue
                if not special:
                    rests = ", ".join(self.rests_on(s, other, system))
                    return self._proved(
                        s, verdict, other, (f"the definitions {rests}",) * bool(rests)
                    )
                with_values = with_values or (special, verdict, other)
        if not asked:
            return Finding(report.SKIPPED, problem)
        verdict, system = asked[0]
        if with_values:
            return self._special(s, verdict, system, *with_values)
        if again:
            return Finding(report.DEFINITION, f"as on line {again}", kind="definition")
        if verdict.status == "unknown" and self._agrees(s, system):
            proof = cleared(s, system, self.seed) or logarithms.proof(s, system)
            if proof is not None:
                return self._proved(s, proof, system)
        keep: dict[str, Any] = {"proof": verdict, "system": system}
        if verdict.status == "malformed":
            return self._malformed(s, verdict, system)
        if verdict.status == "proved":
            return Finding(report.UNPROVED, self._doubtful(s, verdict, system), **keep)
        if verdict.status == "refuted":
            if s.rhs.is_number and isinstance(s.lhs, sp.Symbol) and self._unsaid(s.lhs.name):
                return Finding(report.DEFINITION, f"says what {s.lhs} is", kind="definition")
            meant = (d(s, other, self.versions) for _, other in asked for d in OF_VALUES)
            if why := next(filter(None, meant), ""):
                if before and self._elsewhere_before(s, before):
                    return restated(self, s, verdict, system, before)
                return Finding(report.UNPROVED, why, **keep)
            if found := self._under(s, verdict, system):
                return found
            if line := self._anew(s):
                reason = f"holds with what line {line} says, and not with what is said before"
                return Finding(report.UNPROVED, reason, **keep)
            if all(v.status == "refuted" for v, _ in asked):
                for _, other in asked:  # the first that speaks against the author
                    if not doubt(s, other, self.versions):
                        return self._refuted(s, self.prove(s, other), other, before)
                return self._refuted(s, verdict, system, before)
            reason = "differs under the definitions last before it, and not under others"
            return Finding(report.UNPROVED, reason, **keep)
        reason = "neither a proof nor a counterexample was found"
        if verdict.limit:
            reason = f"no proof was found: {verdict.limit}"
        return self._near(s, verdict, system) or Finding(report.UNPROVED, reason, **keep)

    def _special(
        self,
        s: Statement,
        verdict: Verdict,
        system: System,
        special: Sequence[Version],
        proof: Verdict,
        other: System,
    ) -> Finding:
        """True with the values that another place gives to what is anything here."""
        said = " and ".join(f"{v.latex.strip()} (line {v.line})" for v in special)
        found = Finding(
            report.CONDITIONAL,
            f"true with {said}, and not in general"
            if verdict.status == "refuted"
            else f"true with {said}",
            values_of(verdict),
            used=self.rests_on(s, other),
            proof=proof,
            system=other,
        )
        return self._mended(s, found, verdict, system)

    def _unsaid(self, name: str) -> bool:
        """Nothing in the document says what a name is."""
        tied = getattr(self.versions.document, "unresolved", {})
        return name not in self.versions.table and name not in tied

    def _elsewhere_before(self, s: Statement, before: Version) -> bool:
        """The name is defined under an earlier heading."""
        earlier = (before.line, before.column) < (s.line, s.column)
        return earlier and self.outline.part(before.line) != self.outline.part(s.line)

    def _anew(self, s: Statement) -> int:
        """The line that defines a name of the statement anew, so that it is proved; else 0."""
        for said, system in self.versions.restated(s):
            if self._agrees(s, system) and proves(s, system):
                if said not in self._taken:
                    self._taken[said] = Finding(report.UNPROVED)  # while it is looked at
                    self._taken[said] = self._claim(said, self.versions.system(said))
                if self._taken[said].verdict == report.DEFINITION:
                    return said.line
        return 0

    def _malformed(self, s: Statement, verdict: Verdict, system: System) -> Finding:
        """The indices of the two sides do not fit: wrong where nothing speaks for the author."""
        why = doubt(s, system, self.versions)
        if why:
            reason = f"{verdict.limit}, but {why}"
            return self._near(s, verdict, system) or Finding(
                report.UNPROVED, reason, proof=verdict, system=system
            )
        found = Finding(
            report.MALFORMED,
            verdict.limit or "the indices of the two sides do not fit",
            used=self.rests_on(s, system),
            proof=verdict,
            system=system,
        )
        return self._mended(s, found, verdict, system)

    def _mended(self, s: Statement, found: Finding, verdict: Verdict, system: System) -> Finding:
        """The finding with a correction where one is found."""
        self.reached = found
        head, document = self.head(s, system), self.versions.document
        right = correction(s, verdict, self._meant(s, system), head, document)
        left = s.latex.partition("=")[0].replace("&", "")
        same = left.split() == right.split()  # H^2 = H^2 corrects nothing
        return replace(found, correction="" if same else right)

    def head(self, s: Statement, system: System) -> str:
        """What a formula needs to be read by itself: declarations, and what says f(x) = …"""
        return self.written(s.latex, s.line, closure(names(s.lhs) | names(s.rhs), system))

    def written(self, latex: str, line: int, reached: Collection[str] = ()) -> str:
        """Declarations, and what says f(x) = … of the functions that are written or reached."""
        here = "".join(latex.split())
        last = [versions[-1] for n, versions in sorted(self.versions.table.items())
                if n in reached or _function(versions[-1].latex) in here]  # fmt: skip
        heads = [v.latex for v in last if _function(v.latex) != " " and v.line != line]
        return self.declarations + "".join(f"\n\n$$ {latex} $$\n" for latex in heads)

    def _meant(self, s: Statement, system: System) -> list[System]:
        """The definitions that the author may have had in mind, a few, the likeliest first."""
        return [system, *(x for x in self.versions.others(s) if x is not system)][:MEANT]

    def _doubtful(self, s: Statement, verdict: Verdict, system: System) -> str:
        """Why a proof counts for nothing; empty where it does."""
        if getattr(verdict, "trivial", False):
            return "the proof is vacuous: it would stand for any right-hand side"
        if s.lhs.atoms(Partial) | s.rhs.atoms(Partial) and not self._agrees(s, system):
            return "a proof was found, and differences of numbers do not agree with it"
        return ""

    def prove(self, s: Statement, system: System) -> Verdict:
        """The prover's verdict on a statement, remembered."""
        key = (s.lhs, s.rhs, system_key(system))
        if key not in self._known:
            self._known[key] = prove(s.lhs, s.rhs, given=system, over=s.letters, seed=self.seed)
        return self._known[key]

    def _proved(
        self, s: Statement, verdict: Verdict, system: System, assumed: tuple[str, ...] = ()
    ) -> Finding:
        return Finding(
            report.PROVED,
            "",
            assumed=(
                *assumed,
                *self._conventions(s, system),
                *getattr(verdict, "assumed", ()),
                *verdict.conditions,
            ),
            used=tuple(dict.fromkeys((*verdict.used, *self.rests_on(s, system)))),
            proof=verdict,
            system=system,
        )

    def _conventions(self, s: Statement, system: System) -> tuple[str, ...]:
        """What the names of a statement were taken for by convention alone."""
        known: Mapping[str, str] = getattr(self.versions.document, "assumed", {})
        reached = closure(names(s.lhs) | names(s.rhs), system)
        return tuple(f"{n}: {known[n]}" for n in sorted(reached & known.keys()))

    def _agrees(self, s: Statement, system: System) -> bool:
        """False when a second way has two values for the two sides at a sample of its own."""
        key = (s.lhs, s.rhs, system_key(system))
        if key not in self._agreed:
            self._agreed[key] = True
            for k in range(SAMPLES):
                try:
                    arrays, sizes = sample(s, system, self.seed + k)
                    values = compare(s.lhs, s.rhs, system, arrays, sizes, {}, self.seed + k)
                except Unable:
                    continue
                self._agreed[key] = not differ(*values)
                break
        return self._agreed[key]

    def rests_on(
        self, s: Statement, system: System, beside: Iterable[Definition] = ()
    ) -> tuple[str, ...]:
        """The definitions that a statement reaches, each with its line, but for those `beside`."""
        reached = closure(names(s.lhs) | names(s.rhs), system)
        known_already = set(map(id, beside))
        rows = []
        for d in system:
            if d.name in reached and id(d) not in known_already:
                known = self.versions.table.get(d.name, ())
                at = next((v.line for v in known if v.definition is d), 0)
                rows.append(f"{d.name} (line {at})" if at else d.name)
        return tuple(rows)

    # ---------------------------------------------------------------------------- differences

    def _under(self, s: Statement, verdict: Verdict, system: System) -> Finding | None:
        """The condition on sizes, symmetries or sums under which a statement holds after all."""
        tied = getattr(self.versions.document, "unresolved", {})
        keep: dict[str, Any] = {"proof": verdict, "system": system}
        if (trace := counts.traced(s)) is not None:
            found = self.prove(trace, system)
            if found.status == "proved" and not self._doubtful(trace, found, system):
                return self._proved(s, found, system, ("what is repeated on the left is summed",))
            if found.status == "refuted" and (under := self._under(trace, found, system)):
                return under
        for matrix, proved in symmetric_where(s, system, tied):
            if matrix in self.outline.rectangular:
                continue
            if not proved:
                return Finding(report.UNPROVED, f"it may hold where {matrix} is symmetric", **keep)
            why = f"true only if {matrix} is symmetric"
            given = Finding(report.CONDITIONAL, why, values_of(verdict), **keep)
            return self._mended(s, given, verdict, system)
        said = self.outline.dimensions
        counted = [c for c in counts.numbers(s, system) if int(c[0].split()[-1]) in said]
        for condition, meant in (*counts.letters(s, system), *counted):
            if proved_with(s, system, meant):
                why = f"true if {condition}, the number of values that are summed"
                return Finding(report.CONDITIONAL, why, **keep)
        return None

    def _refuted(
        self, s: Statement, verdict: Verdict, system: System, before: Version | None
    ) -> Finding:
        """What a difference of the two sides means."""
        if before is not None:
            return restated(self, s, verdict, system, before)
        why = doubt(s, system, self.versions)
        if why.startswith("it may be a condition") and _multiple(verdict):
            why = ""
        condition = condition_of(s, verdict, system, both=True)
        values = values_of(verdict)
        if (
            condition
            and not why
            and (self._said(condition) or self._elsewhere(s, condition, system))
        ):
            found = Finding(
                report.CONDITIONAL,
                f"true only if {condition}",
                values,
                proof=verdict,
                system=system,
            )
            return self._mended(s, found, verdict, system)
        new = re.fullmatch(r"nothing in the document says what (\S+) is", why)
        if new and new[1] in names(s.rhs) and not s.lhs.atoms(Partial):
            return Finding(report.DEFINITION, f"says what {new[1]} is", kind="definition")
        if why:
            return self._near(s, verdict, system) or Finding(
                report.UNPROVED if _speaks(why) else report.SKIPPED,
                why,
                proof=verdict,
                system=system,
            )
        return self.confirmed(s, verdict, system)

    def _near(self, s: Statement, verdict: Verdict, system: System) -> Finding | None:
        """The refutation of what one slip separates from an identity."""
        if self.outline.condition(s.line, s.column) or self.outline.behind(
            s.line, s.column, s.whole
        ):
            return None
        reached = closure(names(s.lhs) | names(s.rhs), system) & set(system.definitions)
        if any(self.versions.given_twice(name) for name in reached):
            return None
        apart = not self._agrees(s, system)
        right = identity(s, verdict, system, self.head(s, system), apart)
        if not right:
            return None
        return Finding(
            report.REFUTED,
            "one slip away from an identity",
            values_of(verdict),
            right,
            used=self.rests_on(s, system),
            proof=verdict,
            system=system,
        )

    def _said(self, condition: str) -> bool:
        """The text says somewhere what makes the statement true: β = 1, V = K."""
        first, _, second = condition.partition(" = ")
        a, b = (_NAME.format(re.escape(x.split("_")[0])) for x in (first, second))
        return any(
            re.search(rf"(?<![\w\\]){x}\s*(?:=|\\equiv)\s*{y}(?![\w.^_])", self.outline.text)
            for x, y in ((a, b), (b, a))
        )

    def _elsewhere(self, s: Statement, condition: str, system: System) -> bool:
        """It has a scalar that the definitions, all in other sections, are without: T = 1 there."""
        here = names(s.lhs) | names(s.rhs)
        scalar, _, one = condition.partition(" = ")
        behind = closure(here & set(system.definitions), system) - (here - set(system.definitions))
        if one != "1" or scalar not in here or scalar in behind | set(system.definitions):
            return False
        lines = [v.line for n in behind for v in self.versions.table.get(n, ()) if v.line]
        section = self.outline.section
        return bool(lines) and all(section(line) != section(s.line) for line in lines)

    def confirmed(
        self, s: Statement, verdict: Verdict, system: System, instead: str = ""
    ) -> Finding:
        """A refutation that a second way shows again; `instead` is a right side that is proved."""
        example = verdict.counterexample
        values = values_of(verdict)
        if example is None:
            return Finding(report.UNPROVED, "no counterexample was found", proof=verdict)
        if found := self._granted(s, system):
            return found
        left, right, why = self._second(s, system, example)
        if why:
            return Finding(
                report.UNPROVED,
                f"differs at a sampled point, which a second way {why}",
                values,
                proof=verdict,
                system=system,
            )
        hints = sorted(verdict.hints, key=lambda h: "agree when" in h)
        reason = hints[0] if hints else f"left {left:.6g}, right {right:.6g} at a sampled point"
        found = Finding(
            report.REFUTED,
            reason,
            values,
            used=self.rests_on(s, system),
            proof=verdict,
            system=system,
        )
        if instead:
            return replace(found, correction=instead)
        return self._mended(s, found, verdict, system)

    def _granted(self, s: Statement, system: System) -> Finding | None:
        """The finding where a condition that the section states beside it decides: ∑ y = 1."""
        reached = closure(names(s.lhs) | names(s.rhs), system)
        section = self.outline.section
        said: dict[Any, Statement] = {}
        for c in self.versions.statements:
            about = names(c.lhs) | names(c.rhs)
            if (
                (c.kind, c.relation, c.name) == ("claim", "=", "")
                and (c.line, c.column) != (s.line, s.column)
                and section(c.line) == section(s.line)
                and about
                and about <= reached - self.versions.table.keys()
                and stated(c, self.versions.system(c), self.versions)
            ):
                said[sp.Eq(c.lhs, c.rhs, evaluate=False)] = c
        if not said:
            return None
        lines = ", ".join(dict.fromkeys(f"line {c.line}" for c in said.values()))
        try:
            under = System(*system, facts=(*system.facts, *said))
            verdict = prove(s.lhs, s.rhs, given=under, over=s.letters, seed=self.seed)
        except SymattnError:
            return Finding(report.UNPROVED, f"{lines} may be a condition on it", system=system)
        if verdict.status == "proved" and not self._doubtful(s, verdict, under):
            return self._proved(s, verdict, under, (f"with what {lines} says",))
        if verdict.status == "refuted":
            return None
        return Finding(report.UNPROVED, f"{lines} may be a condition on it", system=system)

    def _second(self, s: Statement, system: System, example: Any) -> tuple[float, float, str]:
        """Both sides as a second way has them where they differ, and why it does not say so.

        Where it cannot evaluate the counterexample, it looks at samples of its own.
        """
        why = ""
        for k in range(SAMPLES):
            try:
                arrays, sizes, at = example.values, example.sizes, dict(example.entry)
                if k:
                    (arrays, sizes), at = sample(s, system, self.seed + k), {}
                left, right = compare(s.lhs, s.rhs, system, arrays, sizes, at, self.seed + k)
            except Unable as unable:
                why = why or f"could not confirm: {unable}"
                continue
            return left, right, "" if differ(left, right) else "did not confirm"
        return 0.0, 0.0, why


def _function(latex: str) -> str:
    """f( where f(x) = … is written, without spaces; a space, which nothing holds, elsewhere."""
    match = re.match(r"([^=(]*)\(", "".join(latex.split()))
    return match[0] if match else " "


def _multiple(verdict: Verdict) -> bool:
    """left = c · right with a number c."""
    return any(re.fullmatch(r"left = -?\d+(?:/\d+)? · right", h) for h in verdict.hints)


def _speaks(why: str) -> bool:
    """True for a doubt about a claim; the others say that nothing is claimed."""
    return not why.startswith("it may be a condition") and "states no equality" not in why
