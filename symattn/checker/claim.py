"""How a claim is decided: under the definitions in force, and under others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Inverse, Partial
from ..prove import Verdict
from ..refute import Counterexample
from ..syntax import System
from . import bends, blocks, proofs, report, wholes
from .again import restated
from .disputed import Disputed
from .doubts import OF_VALUES, abstract, differential, doubt, stated
from .figures import Figures
from .finding import Finding
from .finding import values as values_of
from .implicit import moving
from .inside import names
from .jets import with_fields
from .links import sides
from .repair import proves
from .statements import Statement
from .vacuous import in_general
from .versions import Version, varied
from .within import folded

UPSTREAM = "nothing defines what is derived"  # so other definitions are meant
_AT_A_POINT = re.compile(r"_\{[^{}=]+=[^{}]+\}$")  # \left. dM/dt \right|_{t = 0}


class Claims(Figures, Disputed):
    """Decides claims, each by itself."""

    _taken: dict[Statement, Finding]  # what sentences take for true

    def _follows_from(self, s: Statement, v: Version) -> bool:
        raise NotImplementedError

    def _claim(self, s: Statement, system: System) -> Finding:
        before = self.versions.before(s) if s.name and not s.number else None
        before = before if before is None or before.line else None  # what nobody wrote
        place = (s.line, s.column)
        if s.inline and before is not None and (before.line, before.column) > place:
            return Finding(report.DEFINITION)
        inverse = isinstance(getattr(s.lhs, "base", None), Inverse)
        if before is None and s.name and not s.number and s.name in names(s.rhs) and not inverse:
            verdict = self.prove(s, system)  # 𝔼[𝔼[x]] = 𝔼[x]
            told = s.lhs != s.rhs or s.name.startswith(("mean_", "var_", "cov_"))
            left = sides(s.latex)[0][0].strip()
            told = told or left.endswith(")") or _AT_A_POINT.search(left) is not None  # N(0) = a
            if verdict.status == "proved" and told and len({*sides(s.latex)[0]}) > 1:
                return self._proved(s, verdict, system)
            return Finding(
                report.SKIPPED, f"{s.name} stands on both sides: a recursion or an update"
            )
        if found := self._in_blocks(s):
            return found
        asked: list[tuple[Verdict, System]] = []
        problem, with_values, vacuous, again = "", None, None, 0
        unused: set[Any] = set()  # the facts that no rule is made of
        in_force = True  # what is in force goes together: by what is not, nothing is wrong
        for other in (system, *(folded(s, x) for x in self.versions.others(s))):
            if asked and asked[0][0].status == "refuted" and not self._agrees(s, other):
                asked.append((asked[0][0], other))  # numbers differ there as well
                continue
            try:
                verdict = self.prove(s, other)
            except SymattnError as error:
                problem = problem or error.problem
                in_force = in_force and other is not system
                unused |= set(other.facts)
                continue
            if getattr(verdict, "trivial", False):
                if (plainly := self._plainly(s, other)) is not None:
                    return plainly
                vacuous = vacuous or (verdict, other)
                continue
            asked.append((verdict, other))
            if verdict.status == "proved" and not self._doubtful(s, verdict, other):
                if other is system and (at := self._only_at(s, other)):
                    with_values = (at, verdict, other)
                    continue
                if other is system:
                    return self._proved(s, verdict, other)
                special = self.versions.special(s, other)
                special = tuple(v for v in special if not self._follows_from(s, v))
                if line := next((v.line for v in special if v.name == s.name), 0):
                    again = again or line
                    continue
                if not special:
                    rests = ", ".join(self.rests_on(s, other, system))
                    said = (f"the definitions {rests}",) * bool(rests)
                    if set(other.facts) - set(system.facts):
                        said += ("what sentences of other sections say",)
                    return self._proved(s, verdict, other, said)
                with_values = with_values or (special, verdict, other)
        if vacuous and vacuous[1] is system:  # nor what stands below, nor what asks less refutes
            asked = [
                x
                for x in asked
                if x[0].status != "refuted"
                or ({*system.facts} <= {*x[1].facts} and not self.versions.later(s, x[1]))
            ]
        if vacuous and not asked:
            asked = [vacuous]
        if not asked:
            return Finding(report.SKIPPED, problem)
        known = [x for x in asked if not x[0].limit.endswith(UPSTREAM)]
        if not s.name:  # \dot a = 0 of another place is none of its definitions
            known = [x for x in known if x is asked[0] or not self.versions.special(s, x[1])]
        asked = known or asked
        verdict, system = asked[0]
        if with_values:
            return self._special(s, verdict, system, *with_values)
        if again:
            return Finding(report.DEFINITION, f"as on line {again}", kind="definition")
        if verdict.status == "unknown" and self._agrees(s, system):
            proof = proofs.other(s, system, verdict, self.seed)
            if proof is not None:
                return self._proved(s, proof, system)
            if verdict.held and not moving(s, system, self.versions):
                why, values = f"true where {verdict.held}", values_of(verdict)
                return Finding(report.CONDITIONAL, why, values, proof=verdict, system=system)
            found = self._where_positive(s, verdict, system)
            if found is not None and found.verdict == report.CONDITIONAL:
                return found
        if verdict.limit.endswith(UPSTREAM) and s.lhs.atoms(Partial):
            even = self._where_symmetric(s, verdict, system)
            if even is not None and even.verdict != report.UNPROVED:
                return even
        keep: dict[str, Any] = {"proof": verdict, "system": system}
        if verdict.status == "malformed":
            return self._malformed(s, verdict, system)
        if verdict.status == "proved":
            zero = sp.S.Zero in (s.lhs, s.rhs) and stated(s, system, self.versions)
            kind, why = (report.SKIPPED, zero) if zero else (report.UNPROVED, "")
            return Finding(kind, why or self._doubtful(s, verdict, system), **keep)
        if verdict.status == "refuted":
            if not in_force or not unused <= set(system.facts):
                return Finding(report.SKIPPED, problem)
            if verdict.held and not doubt(s, system, self.versions, abstract):
                why = f"differs, also where {verdict.held}"
                found = Finding(report.REFUTED, why, values_of(verdict), **keep)
                return self._mended(s, found, verdict, system)
            if s.rhs.is_number and isinstance(s.lhs, sp.Symbol) and self._unsaid(s.lhs.name):
                return Finding(report.DEFINITION, f"says what {s.lhs} is", kind="definition")
            if s.number and s.name and self._unsaid(s.name) and self._first(s, s.name):
                return Finding(report.DEFINITION, f"says what {s.name} is", kind="definition")
            whole = wholes.taken(s, system, self.outline.text)
            if whole is not None and not wholes.real(whole, self.outline.text):
                proof = replace(verdict, status="proved", counterexample=None, hints=())
                say = wholes.in_words(whole)
                if all(wholes.counts(x, self.outline.text) for x in whole):
                    return self._proved(s, proof, system, (say,) if say else ())
                why = f"true where {say}"
                return Finding(report.CONDITIONAL, why, values_of(verdict), **keep)
            verdict = _at_whole_numbers(s, verdict, system)
            asked = [(verdict, system), *asked[1:]]
            meant = (d(s, other, self.versions) for _, other in asked for d in OF_VALUES)
            if why := next(filter(None, meant), ""):
                if before and self._elsewhere_before(s, before):
                    return restated(self, s, verdict, system, before)
                return Finding(report.UNPROVED, why, **keep)
            against = any(wholes.counterexample(s, other) for _, other in asked)
            if against and before and self._elsewhere_before(s, before):
                return restated(self, s, verdict, system, before)
            free = varied(s)  # ∂J/∂u is of any u, though u = −K x stands below
            open_ = [(v, x) for v, x in asked if free.isdisjoint(x.definitions)]
            first = open_[:1] if free & system.definitions.keys() else []
            for v, other in (*first, (verdict, system)):
                if found := self._under(s, v, other):
                    return found
            anew, other = self._anew(s)
            if anew and self._given_anew(anew):
                return self._proved(s, self.prove(s, other), other)
            if anew:
                reason = f"true with what line {anew.line} says"
                if self._taken[anew].verdict == report.DEFINITION:  # and no other form of the same
                    reason += ", and not with what is said before"
                return Finding(report.CONDITIONAL, reason, values_of(verdict), **keep)
            if all(v.status == "refuted" for v, _ in asked):
                for _, other in asked:  # the first that speaks against the author
                    of_name = self.versions.table.get(s.name, ())
                    later = (x for x in of_name if (x.line, x.column) > (s.line, s.column))
                    if before is None and any(x.definition in tuple(other) for x in later):
                        continue  # another equation for the same name, which may be the wrong one
                    if not doubt(s, other, self.versions):
                        apart = _at_whole_numbers(s, self.prove(s, other), other)
                        found = self._refuted(s, apart, other, before)
                        behind = other is not system and self.versions.later(s, other)
                        return replace(found, correction="") if behind else found
                return self._refuted(s, verdict, system, before)
            reason = "differs under the definitions last before it, and not under others"
            return Finding(report.UNPROVED, reason, **keep)
        reason = "neither a proof nor a counterexample was found"
        if verdict.limit:
            reason = f"no proof was found: {verdict.limit}"
        if why := differential(s, verdict, system, self.versions):
            return Finding(report.SKIPPED, why, **keep)
        if held := self._where_held(s, system):
            return Finding(report.CONDITIONAL, held, **keep)
        if not verdict.limit and (kinks := bends.beside(s, system, self.versions.document)):
            return Finding(report.CONDITIONAL, f"true beside its kinks, where {kinks}", **keep)
        if before is not None and (found := self._at_a_point(s, verdict, system, before)):
            return found
        decided = [(verdict, system), *((v, x) for v, x in asked[1:] if v.status == "refuted")]
        slips = (
            found
            for v, x in decided
            if (found := self.near(s, v, x)) is not None
            and (
                found.verdict != report.REFUTED
                or {*system.facts} <= {*x.facts}  # what asks for less refutes nothing
                or verdict.limit
            )
        )
        return next(slips, None) or Finding(report.UNPROVED, reason, **keep)

    def _at_a_point(
        self, s: Statement, verdict: Verdict, system: System, before: Version
    ) -> Finding | None:
        """The finding on another equation for a name, where fields have any derivatives.

        They have these at a point; so the sides differ for some fields.
        """
        if not verdict.limit.endswith(UPSTREAM):
            return None
        wide = with_fields(s, system)
        at_a_point = self.prove(s, wide)
        if at_a_point.status != "refuted" or self._agrees(s, wide):
            return None
        return restated(self, s, at_a_point, wide, before)

    def _plainly(self, s: Statement, system: System) -> Finding | None:
        """The proof of what is 0 = 0 here and says more."""
        own = {n for n, known in self.versions.table.items() if any(v.line for v in known)}
        for said, given in in_general(s, system, own):
            try:
                verdict = self.prove(said, given)
            except SymattnError:
                continue
            if verdict.status == "proved" and not self._doubtful(said, verdict, given):
                return self._proved(said, verdict, given)
        return None

    def _in_blocks(self, s: Statement) -> Finding | None:
        """The proof of a statement about matrices of blocks; None where there is none."""
        document = self.versions.document
        more = blocks.cells(s, document) if getattr(document, "grids", None) else ()
        system = self.versions.system(s, more)
        if not more or not blocks.proves(s, system, document):
            return None
        proof = Verdict("proved", s.lhs, s.rhs, over=tuple(x.name for x in s.letters))
        return self._proved(s, proof, system)

    def _only_at(self, s: Statement, system: System) -> tuple[Version, ...]:
        """The values at which a derivative is a number, as 0 at the optimum x = A⁻¹ b."""
        known = (v for n in varied(s) for v in self.versions.table.get(n, ()))
        return () if names(s.rhs) else tuple(v for v in known if v.definition in system)

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
        section = self.outline.section
        told = any(not v.numbers and section(v.line) == section(s.line) for v in special)
        return found if told else self._mended(s, found, verdict, system)  # there is no error

    def _unsaid(self, name: str) -> bool:
        """Nothing in the document says what a name is."""
        tied = getattr(self.versions.document, "unresolved", {})
        return name not in self.versions.table and name not in tied

    def _elsewhere_before(self, s: Statement, before: Version) -> bool:
        """The name is defined under an earlier heading."""
        earlier = (before.line, before.column) < (s.line, s.column)
        return earlier and self.outline.part(before.line) != self.outline.part(s.line)

    def _anew(self, s: Statement) -> tuple[Statement | None, System]:
        """What defines a name of the statement anew, or says it again, so that s is proved."""
        for said, system in self.versions.restated(s):
            if self._agrees(s, system) and proves(s, system):
                if said not in self._taken:
                    self._taken[said] = Finding(report.UNPROVED)  # while it is looked at
                    self._taken[said] = self._claim(said, self.versions.system(said))
                if self._taken[said].verdict in (report.DEFINITION, report.PROVED):
                    return said, system
        return None, System()

    def _given_anew(self, s: Statement) -> bool:
        """The words before a definition give its name to another thing."""
        place = s.line, s.column
        return self.outline.announced(*place) or self.outline.named_by_if(*place)

    def _malformed(self, s: Statement, verdict: Verdict, system: System) -> Finding:
        """The indices of the two sides do not fit: wrong where nothing speaks for the author."""
        why = doubt(s, system, self.versions)
        if why:
            reason = f"{verdict.limit}, but {why}"
            return self.near(s, verdict, system) or Finding(
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


def _at_whole_numbers(s: Statement, verdict: Verdict, system: System) -> Verdict:
    """The verdict with a counterexample of whole numbers, where ⌊ ⌋ asks for these."""
    found = wholes.counterexample(s, system)
    if found is None:
        return verdict
    values, left, right = found
    example = Counterexample({}, values, {}, float(left), float(right), 0)
    return replace(verdict, counterexample=example, hints=())


def example(v: Version, s: Statement) -> bool:
    """A sentence gives a scalar one of its values."""
    return v.numbers and s.inline and not v.definition.indices


__all__ = ["Claims", "example"]
