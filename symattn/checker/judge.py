"""Statement → verdict: which question the prover is asked, and what its answer means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Inverse, Partial
from ..prove import Verdict
from ..read.calls import UNDEFINED
from ..read.result import Document
from ..read.solved import TWO_ROOTS
from ..refute import Counterexample
from ..syntax import System, for_all
from . import bends, blocks, lagrange, layouts, proofs, report, roots, wholes
from .again import restated
from .averaged import against, of_outcomes
from .bounds import bound
from .curves import along
from .disputed import Disputed
from .doubts import OF_VALUES, abstract, cased, differential, doubt, exchanged, stated
from .endless import endless
from .ends import limit
from .figures import Figures
from .finding import Finding
from .finding import values as values_of
from .following import followed
from .generality import restricted, signed, taken_back
from .held import held
from .implicit import moving
from .implied import implied
from .inside import names
from .integrated import judged
from .inverted import inverted
from .jets import with_fields
from .links import sides
from .motion import derived, moved
from .outline import Outline
from .repair import proves
from .samples import satisfiable
from .sequences import of_steps
from .statements import Reading, Statement
from .told import ASKED_OF
from .unrolled import unrolled
from .vacuous import in_general
from .versions import Version, closure, functions, varied
from .within import folded

EXACT = ("=", ":=")
QUIET = {
    "shape": (report.DEFINITION, "declares a shape"),
    "law": (report.DEFINITION, "says how it is distributed"),
    "expression": (report.SKIPPED, "no relation, so nothing is claimed"),
}
UPSTREAM = "nothing defines what is derived"  # so other definitions are meant
_AT_A_POINT = re.compile(r"_\{[^{}=]+=[^{}]+\}$")  # \left. dM/dt \right|_{t = 0}
_PUT = re.compile(r"\\?(?P<name>[A-Za-z]+)=-?(?:[\d.]+(?:/\d+)?|\\[td]?frac\{?\d+\}?\{?\d+\}?)")
_ANOTHER = re.compile(
    r"\b(?:For|In) (?:an?|one|another) (?:(?!\n\n)[^.])*$"
)  # for one of second order


class Judge(Figures, Disputed):
    """Decides the statements of one document."""

    def __init__(self, found: Reading, outline: Outline, seed: int = 0) -> None:
        super().__init__(found, outline, seed)
        self.versions.stands = lambda s: self._given(s).verdict == report.DEFINITION
        self.refutes = self._wrong
        self._taken: dict[Statement, Finding] = {}
        self._found: dict[Statement, Finding] = {}
        self.of_one_step: dict[
            Document, tuple[Judge, set[str]]
        ] = {}  # the judges of one step of a recursion
        self._asked: set[Statement] = set()  # while what they rest on is looked at

    def __call__(self, s: Statement) -> Finding:
        """The verdict on a statement; a refutation names what it rests on and is refuted too."""
        if s in self._found:
            return self._found[s]
        found = self._by_itself(s)
        if found.verdict in report.WRONG and found.system is not None:
            self.reached[s] = found
            self._asked.add(s)
            below = [*self._below(s, found.system)]
            if (goes_on := self._from_the_first(s)) is not None:
                found = goes_on
            elif line := self._wrong_before(s):  # what would mend it would go on with that
                found = replace(found, reason=_rests(found, line), correction="")
            elif line := next((v.line for v, t in below if self._wrong(t)), 0):
                found = replace(found, reason=_rests(found, line))
            elif line := next((v.line for v, t in below if self._differs(t)), 0):
                why = f"{found.reason}; line {line}, which it rests on, differs from one before it"
                found = replace(found, reason=why)
            self._asked.discard(s)
        if found.verdict == report.PROVED and (why := self._rests_on_some(s, found)):
            found = replace(found, verdict=report.CONDITIONAL, reason=why)
        if found.verdict in (report.PROVED, *report.WRONG) and (f := self.versions.replaced(s)):
            found = self._with_what_was(s, found, f)
        if found.verdict == report.REFUTED and found.system is not None:
            tied = self.versions.constrained(s)
            if tied is not None and self.prove(s, tied).status != "refuted":
                why = "differs, and not where what the text says of its names holds"
                found = replace(found, verdict=report.UNPROVED, reason=why, correction="")
        self._found[s] = found
        return found

    def _with_what_was(self, s: Statement, found: Finding, f: Statement) -> Finding:
        """The finding where a fact may not hold any more: a proof without it stands."""
        said = f"{f.latex.strip()} (line {f.line})"
        if found.verdict != report.PROVED:
            why = f"differs with {said}, in place of which the text puts another"
            return replace(found, verdict=report.UNPROVED, reason=why, correction="")
        system = found.system or self.versions.system(s)
        fact = for_all(f.lhs, f.rhs, f.letters)
        rest = System(*system, facts=[x for x in system.facts if x != fact])
        if fact not in system.facts or proves(s, rest):
            return found
        return replace(found, verdict=report.CONDITIONAL, reason=f"true with {said}")

    @cached_property
    def signed(self) -> frozenset[str]:
        """The names that the text says are on one side of zero."""
        return signed(self.versions)

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
            if _example(v, t) and letters:  # with $p = 1/2$, and said of any p
                if not self._proved_otherwise(s, system, v):
                    why = f"true with {v.latex.strip()} (line {v.line})"
                continue
            if self._another_since(s, v) and names(s.rhs):
                why = f"true with {v.latex.strip()} (line {v.line}), and another is said since"
                continue
            own = self(t)
            if own.verdict == report.CONDITIONAL and not self._proved_otherwise(s, system, v):
                why = f"true where line {v.line}, which is {report.CONDITIONAL}, holds"
            elif own.verdict == report.PROVED and (tied := restricted(t, own, self, s)):
                why = f"true with what the text says of some {tied}"
        self._asked.discard(s)
        return why

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
        for a in self.versions.again.get(v.name, ()):
            place = (a.line, a.column)
            said = next((t for t in self.versions.statements if (t.line, t.column) == place), None)
            if said is None or not (v.line, v.column) < place < (s.line, s.column):
                continue
            if said in self._asked or self(said).verdict != report.DEFINITION:
                continue
            if not any(proves(s, x) for x in self.versions.with_version(s, a)):
                return True
        return False

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
                    said = self.versions.stated.get(name, ())
                    yield from ((v, t) for t in said if (t.line, t.column) == place)

    def forget(self, s: Statement) -> None:
        """Decide a statement anew when it is asked for again."""
        self._found.pop(s, None)

    def _by_itself(self, s: Statement) -> Finding:
        """The verdict on a statement by itself; on what the words deny, whether they are right."""
        found = self._of_laws(s)
        if found is None or found.verdict == report.CONDITIONAL:
            plain = inverted(s, judged(s, self.plain(s), self), self)
            plain = held(s, along(s, plain, self), self)
            plain = implied(s, plain, self)
            found = plain if found is None or plain.verdict == report.PROVED else found
            if found is plain and plain.verdict == report.PROVED and s.relation in EXACT:
                why = against(self, s.line, s.column, s.latex)
                found = replace(plain, verdict=report.UNPROVED, reason=why) if why else plain
        if found.verdict not in (report.PROVED, *report.WRONG):
            return found
        found = self._supposed(s, found)
        decided = found.verdict in (report.PROVED, *report.WRONG)
        if not decided or not self.outline.denied(s.line, s.column, s.whole):
            return found
        if found.verdict == report.PROVED:
            why = "the words deny it, and it is proved"
            return replace(found, verdict=report.UNPROVED, reason=why)
        why = f"the words deny it, and they are right: {found.reason}"
        return replace(found, verdict=report.SKIPPED, reason=why, correction="")

    def _of_laws(self, s: Statement) -> Finding | None:
        """What sums over outcomes say of an equation that speaks of laws."""
        if s.rhs is None or s.kind in ("fact", *QUIET) or s.relation not in (*EXACT, "≥", "≤"):
            return None
        return of_outcomes(self, s.line, s.column, s.latex, s.number)

    def _supposed(self, s: Statement, found: Finding) -> Finding:
        """The verdict with what the reader took for granted: that W is held, that b is no noise.

        Nor is anything wrong that stands under a condition which is not in the formula.
        """
        document, place = self.versions.document, (s.line, s.column)
        where, loose = document.where.get(place, ""), ", ".join(document.loose.get(place, ()))
        if found.verdict in report.WRONG and (line := self._value_of_what_is_derived(s, found)):
            why = f"line {line} gives a value of what it derives"
            return replace(found, verdict=report.UNPROVED, reason=why, correction="")
        put = self._put(s, found) if found.verdict in report.WRONG else ""
        if put and found.kind != "number":
            why = f"the words before it put {put}"
            return replace(found, verdict=report.UNPROVED, reason=why, correction="")
        if found.verdict in report.WRONG and (why := cased(s, self.versions)):
            return replace(found, verdict=report.UNPROVED, reason=why, correction="")
        if loose and found.verdict in report.WRONG:
            why = f"{loose} may be random"
            return replace(found, verdict=report.UNPROVED, reason=why, correction="")
        if loose:
            found = replace(found, assumed=(*found.assumed, f"{loose}: not random"))
        if found.verdict == report.PROVED and found.system is not None:
            said = [s.latex, *(t.latex for _, t in self._below(s, found.system))]
            arrays = {b.name for side in (s.lhs, s.rhs) for b in side.atoms(sp.IndexedBase)}
            if pair := exchanged(said, (names(s.lhs) | names(s.rhs)) - arrays, found.system):
                one, other = pair
                why = f"true where {one} and {other} commute, which matrices and vectors do not"
                return replace(found, verdict=report.CONDITIONAL, reason=why)
        if found.verdict == report.PROVED and (why := layouts.odd(s, self.versions)):
            return replace(found, verdict=report.CONDITIONAL, reason=why)
        if found.correction and found.system:
            given = any(_example(v, t) for v, t in self._below(s, found.system))
            tied = getattr(self.versions.document, "unresolved", {})
            reached = closure(names(s.lhs) | names(s.rhs), found.system)
            roots_ = any(tied.get(n, "").endswith(TWO_ROOTS) for n in reached)
            if (given and names(s.rhs)) or roots_ or taken_back(s, found.system, self):
                found = replace(found, correction="")
        if found.verdict == report.PROVED and (tied := restricted(s, found, self)):
            why = f"true with what the text says of some {tied}"
            return replace(found, verdict=report.CONDITIONAL, reason=why)
        if where and found.verdict == report.PROVED:
            return replace(found, verdict=report.CONDITIONAL, reason=f"true where {where}")
        return found

    def _value_of_what_is_derived(self, s: Statement, found: Finding) -> int:
        """The line of f = -3, with which ∂f/∂x would be 0: who derives f means more than that."""
        system = found.system or System()
        partials_ = s.lhs.atoms(Partial) | (s.rhs.atoms(Partial) if s.rhs is not None else set())
        tops = {n for p in partials_ for n in names(p.args[0])}
        values = (v for n in sorted(tops) for v in self.versions.table.get(n, ()) if v.numbers)
        return next((v.line for v in values if v.definition in tuple(system)), 0)

    def _put(self, s: Statement, found: Finding) -> str:
        """The p = 1/2 right before a claim in letters which was decided without it."""
        system = found.system or System()
        reached = closure(names(s.lhs) | names(s.rhs), self.versions.system(s))
        for latex in self.outline.supposed(s.line, s.column):
            put = _PUT.fullmatch(latex)
            if put and put["name"] in reached and put["name"] not in system.definitions:
                return latex
        return ""

    def plain(self, s: Statement) -> Finding:
        """The verdict on a statement as it stands."""
        if r"\infty" in s.latex and (found := endless(s.latex, self.versions)):
            return found
        if found := self.versions.components.finding(s.whole, s.line, s.column, s.number):
            return found
        if s.kind in QUIET:
            return Finding(*QUIET[s.kind])
        if found := self.of_values(s):
            return found
        stated = s.kind != "fact"
        of_one = unrolled(self, s.line, s.column, s.number)
        if of_one is not None and of_one.verdict != report.UNPROVED:
            return of_one
        if s.kind == "definition" and not self._again(s):
            of_one = None
        if stated and (found := of_steps(self, s.line, s.column, s.whole, s.number) or of_one):
            return found
        if s.rhs is not None and derived(self, s) and (found := moved(self, s)):
            return found
        if found := lagrange.of_motion(self, s):
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
            given = of_steps(self, s.line, s.column, s.whole)
            return given or Finding(report.SKIPPED, "a recursion or an update")
        if s.kind == "relation":
            return bound(s, self)
        if s.kind not in ("claim", "numeric", "definition"):
            return Finding(report.SKIPPED, f"{s.relation} states no equality")
        s = self._without_unknown(s)
        system = folded(s, self.versions.system(s))
        found = self._numbers(s, system) or self._claim(s, system)
        if found.verdict == report.DEFINITION and found.reason.endswith(TWO_ROOTS):
            found = roots.rooted(self, s) or found
        differs = found.verdict in (report.REFUTED, report.CONDITIONAL)
        if differs and (line := self._another_example(s)):
            said = f"redefines {s.name} of line {line}, from which it differs"
            return Finding(report.DEFINITION, said, kind="definition")
        open_ = found.verdict in (report.UNPROVED, report.SKIPPED)
        if s.kind != "claim" or s.relation not in EXACT or not open_ or found.kind:
            return found
        self.reached[s] = found
        if line := self._said_on(s):
            return Finding(report.DEFINITION, f"as on line {line}", kind="definition")
        if s.relation == ":=" and not s.number and not self._said_twice(s):
            return Finding(report.DEFINITION, "says what its left side is", kind="definition")
        if name := roots.says(self, s):
            said = f"says what the square of {name} is"
            return Finding(report.DEFINITION, said, kind="definition")
        return roots.rooted(self, s) or followed(self, s, system) or moved(self, s) or found

    def _said_twice(self, s: Statement) -> bool:
        """Another equation has the same left side."""
        others = (t for t in self.versions.statements if t is not s and t.relation in EXACT)
        return any(t.lhs == s.lhs for t in others)

    def _said_on(self, s: Statement) -> int:
        """The line of the same equation before it, where that says what a name is; else 0."""
        same = (t for t in self.versions.statements
                if (t.lhs, t.rhs, t.relation) == (s.lhs, s.rhs, s.relation)
                and (t.line, t.column) < (s.line, s.column))  # fmt: skip
        return next((t.line for t in same if self(t).verdict == report.DEFINITION), 0)

    def _definition(self, s: Statement) -> Finding:
        """A definition, held against the one before it where there is one."""
        before = self.versions.before(s) if s.name else None
        plain = Finding(report.DEFINITION)
        stem, _, inner = s.name.partition("_")
        averaged = stem in ("mean", "var", "cov") and inner in self.versions.table
        if before is None and averaged and s.rhs is not None:
            why = f"{inner} is defined, and what it is made of is not put into averages"
            return Finding(report.UNPROVED, why, kind="claim")
        if before is None or s.rhs is None or not names(s.rhs) or before.numbers:
            return plain
        if not (0, 0) < (before.line, before.column) < (s.line, s.column):
            return plain
        found = self._claim(s, self.versions.system(s))
        return found if found.verdict in (report.PROVED, report.DEFINITION) else plain

    def _without_unknown(self, s: Statement) -> Statement:
        """In a = g(b) = c of a g that nothing defines, which is a, what is claimed is a = c."""
        if not s.number or s.head is None or s.kind != "claim":
            return s
        system = self.versions.system(s)
        tied = getattr(self.versions.document, "unresolved", {})
        own = {n for n in names(s.lhs) if tied.get(n, "").startswith(UNDEFINED)}
        own |= functions(s.lhs, system) - wholes.ROUNDS.keys()
        own -= functions(s.rhs, system) | names(s.rhs)
        return replace(s, lhs=s.head) if own - functions(s.head, system) - names(s.head) else s

    def _another_example(self, s: Statement) -> int:
        """The line of the numbers that a name had before it is given others; 0 for a claim."""
        if not s.name or s.number or names(s.rhs) or self.versions.said_to_be(s):
            return 0
        known = (v for v in self.versions.table.get(s.name, ()) if v.numbers)
        earlier = [v.line for v in known if (v.line, v.column) < (s.line, s.column)]
        return max(earlier, default=0)

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
            place = self.outline.position(s.line, s.column)
            another = _ANOTHER.search(self.outline.text, max(0, place - 200), place)
            words = self.outline.leading(s.line, s.column)
            asked = found.verdict == report.REFUTED and ASKED_OF.search(words) is not None
            if asked and satisfiable(s, found.system or System(), self.seed):
                pass  # y = A x with |y| = 1, which is asked of A and x
            elif found.verdict == report.PROVED or (
                found.verdict in (report.REFUTED, report.MALFORMED) and not another
            ):
                self._taken[s] = found
            elif (follows := self._from_facts(s)) is not None:
                self._taken[s] = follows
        return self._taken[s]

    def _from_facts(self, s: Statement) -> Finding | None:
        """The proof of what a sentence takes for true by what its section says before it."""
        system, section = self.versions.system(s), self.outline.section
        reached = closure(names(s.lhs) | names(s.rhs), system)
        earlier = [
            f
            for f in self.versions.given
            if (f.line, f.column) < (s.line, s.column) and section(f.line) == section(s.line)
            if names(f.lhs) | names(f.rhs) <= reached and self.versions.stands(f)
        ]
        if not earlier:
            return None
        try:
            facts = [for_all(f.lhs, f.rhs, f.letters) for f in earlier]
            system = System(*system, facts=(*system.facts, *facts))
            verdict = self.prove(s, system)
        except SymattnError:
            return None
        proved = verdict.status == "proved" and not self._doubtful(s, verdict, system)
        return self._proved(s, verdict, system) if proved else None

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
            if anew := self._anew(s):
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
                        return self._refuted(s, apart, other, before)
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
        slips = (self.near(s, v, x) for v, x in decided)
        return next(filter(None, slips), None) or Finding(report.UNPROVED, reason, **keep)

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
        return self._mended(s, found, verdict, system)

    def _unsaid(self, name: str) -> bool:
        """Nothing in the document says what a name is."""
        tied = getattr(self.versions.document, "unresolved", {})
        return name not in self.versions.table and name not in tied

    def _elsewhere_before(self, s: Statement, before: Version) -> bool:
        """The name is defined under an earlier heading."""
        earlier = (before.line, before.column) < (s.line, s.column)
        return earlier and self.outline.part(before.line) != self.outline.part(s.line)

    def _anew(self, s: Statement) -> Statement | None:
        """What defines a name of the statement anew, or says it again, so that s is proved."""
        for said, system in self.versions.restated(s):
            if self._agrees(s, system) and proves(s, system):
                if said not in self._taken:
                    self._taken[said] = Finding(report.UNPROVED)  # while it is looked at
                    self._taken[said] = self._claim(said, self.versions.system(said))
                if self._taken[said].verdict in (report.DEFINITION, report.PROVED):
                    return said
        return None

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


def _example(v: Version, s: Statement) -> bool:
    """A sentence gives a scalar one of its values."""
    return v.numbers and s.inline and not v.definition.indices


def _rests(found: Finding, line: int) -> str:
    return f"{found.reason}; line {line}, which it rests on, is {report.REFUTED} too"


__all__ = ["Judge"]
