"""Statement → verdict: which question the prover is asked, and what its answer means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from ..prove import Verdict
from ..read.calls import UNDEFINED
from ..read.result import Document
from ..read.solved import TWO_ROOTS
from ..syntax import System, define, for_all
from . import (
    grams,
    lagrange,
    layouts,
    noncommuting,
    placed,
    quantities,
    report,
    roots,
    said_kinds,
    wholes,
)
from .at_fixed import at_fixed
from .averaged import against, of_outcomes
from .behind_brackets import reaching
from .bounds import bound
from .branches import branched
from .claim import example
from .commutators import OF_OPERATORS, Commutators
from .complex_numbers import settled
from .conditions import cased
from .curves import along
from .disputed import derives
from .doubts import DETERMINES, exchanged
from .elsewhere import elsewhere
from .endless import endless
from .ends import limit
from .finding import Finding
from .following import followed
from .generality import restricted, signed, taken_back
from .given_values import PUT, number, said_again, with_values
from .held import held
from .hypotheses import hypothetical
from .implied import implied
from .in_terms_of import in_terms_of
from .inside import names
from .inside_averages import NOT_PUT, in_averages
from .integrated import judged
from .inverted import inverted
from .kept import kept
from .motion import derived, moved
from .noncommuting import commuting
from .outline import Outline
from .overheard import overheard
from .principal import principal
from .put_in import put_in
from .repair import proves
from .resting import Resting, rests
from .said_rates import said_rate
from .samples import satisfiable
from .sequences import of_steps
from .solutions import is_solved, solved_law
from .starred import at_the_star
from .statements import Reading, Statement, reading
from .supplanted import supplanted
from .theorems import theorem
from .ties import EXACT
from .told import ASKED_OF
from .unheeded import unheeded
from .unrolled import unrolled
from .versions import closure, functions
from .within import folded

QUIET = {
    "shape": (report.DEFINITION, "declares a shape"),
    "law": (report.DEFINITION, "says how it is distributed"),
    "expression": (report.SKIPPED, "no relation, so nothing is claimed"),
}
_POSITIVE = re.compile(r"true where (\w+(?:, \w+)*) > 0")
_FOR = re.compile(r"\b[Ff]or\s*[$(\\]*\s*$")
_SATISFIES = re.compile(  # and none that is looked for
    r"^(?!.*\b(?:choos|find|such that|so that|if|must|should|want|let us)).*"
    r"\bsatisfies\s*(?:the (?:[a-z]+ )?equation\s*)?$",
    re.IGNORECASE | re.DOTALL,
)
_ANOTHER = re.compile(
    r"\b(?:For|In) (?:an?|one|another) (?:(?!\n\n)[^.])*$"
)  # for one of second order


class Judge(Resting):
    """Decides the statements of one document."""

    def __init__(self, found: Reading, outline: Outline, seed: int = 0) -> None:
        super().__init__(found, outline, seed)
        self.versions.settle(proves)
        self.versions.stands = lambda s: self._given(s).verdict == report.DEFINITION
        self.versions.settles = lambda s: self(s).verdict == report.PROVED
        self.versions.follows = self._follows
        self.refutes = self._wrong
        self.versions.until = dict(said_kinds.facts(self))
        self.versions.given = sorted(
            (*self.versions.given, *self.versions.until), key=lambda f: (f.line, f.column)
        )
        self._taken: dict[Statement, Finding] = {}
        self._found: dict[Statement, Finding] = {}
        self.of_one_step: dict[
            Document, tuple[Judge, set[str]]
        ] = {}  # the judges of one step of a recursion
        self.others: dict[str, Judge] = {}  # of the text with other words, or without some
        self._asked: set[Statement] = set()  # while what they rest on is looked at

    def __call__(self, s: Statement) -> Finding:
        """The verdict on a statement; a refutation names what it rests on and is refuted too."""
        if s in self._found:
            return self._found[s]
        found = self._by_itself(s)
        if OF_OPERATORS in found.assumed:
            self._found[s] = elsewhere(self, s, supplanted(self, s, found))
            return self._found[s]
        if (found.kind, found.verdict) == ("number", report.UNPROVED):
            found = self.of_the_chain(s) or found
        if found.verdict in report.WRONG and found.system is not None:
            self.reached[s] = found
            self._asked.add(s)
            below = [*self._below(s, found.system)]
            if (goes_on := self._from_the_first(s)) is not None:
                found = goes_on
            elif line := self._wrong_before(s):  # what would mend it would go on with that
                found = replace(found, reason=rests(found, line), correction="")
            elif v := next((v for v, t in below if self._wrong(t)), None):
                found = self._with_the_first(s, v) or replace(found, reason=rests(found, v.line))
            elif line := next((v.line for v, t in below if self._differs(t)), 0):
                why = f"{found.reason}; line {line}, which it rests on, differs from one before it"
                found = replace(found, reason=why)
            self._asked.discard(s)
        if found.verdict == report.PROVED and (why := self._rests_on_some(s, found)):
            found = replace(found, verdict=report.CONDITIONAL, reason=why)
        if found.verdict == report.PROVED and (why := self._of_another_case(s, found)):
            found = replace(found, verdict=report.CONDITIONAL, reason=why)
        if found.verdict == report.PROVED and (put := self._put_otherwise(s, found)):
            why = f"the words before it put {put}, and it is true with another value"
            found = replace(found, verdict=report.CONDITIONAL, reason=why)
        if found.verdict == report.PROVED and (why := self._otherwise_in(s, found)):
            found = replace(found, verdict=report.CONDITIONAL, reason=why)
        if found.verdict in (report.PROVED, *report.WRONG) and (f := self.versions.replaced(s)):
            found = self._with_what_was(s, found, f)
        if found.verdict in report.WRONG and (several := self.anew(s)):
            system = self.versions.with_versions(s, several)
            status = self.prove(s, system).status if system is not None else "unknown"
            if status != "refuted":
                lines = ", ".join(str(line) for line in sorted({v.line for v in several.values()}))
                true = status == "proved"
                why = "true with what is said anew" if true else "differs, and not with all of it"
                why = f"{why} (line {lines})"
                kind = report.CONDITIONAL if true else report.UNPROVED
                found = replace(found, verdict=kind, reason=why)
            found = replace(found, correction="")  # which of them is in force?
        if found.verdict == report.REFUTED and found.system is not None:
            before = self.versions.without_later(s, found.system)
            again = self.prove(s, before) if before is not None else None
            proved = again is not None and again.status == "proved" and not again.trivial
            if proved and again is not None and before is not None:
                found = self._proved(s, again, before)
        if found.verdict == report.REFUTED and found.system is not None:
            tied = self.versions.constrained(s)
            if tied is not None and self.prove(s, tied).status != "refuted":
                why = "differs, and not where what the text says of its names holds"
                found = replace(found, verdict=report.UNPROVED, reason=why, correction="")
        if found.verdict == report.REFUTED and found.system is not None:
            found = with_values(self, s, found, found.system)
        found = commuting(self, s, elsewhere(self, s, supplanted(self, s, found)))
        found = reaching(self, s, overheard(self, s, found))
        law = found.verdict != report.PROVED and s.kind in ("claim", "fact")
        if law and found.reason != "taken for true" and (t := is_solved(self, s)):
            why = f"says what {t.name} is, which line {t.line} does not follow from"
            found = Finding(report.DEFINITION, why, kind="fact")
        itself = (s.line, s.column) in self.versions.document.equated  # that A is symmetric
        if found.verdict == report.PROVED and itself:
            found = Finding(report.DEFINITION, "taken for true", kind="definition")
        self._found[s] = found
        return found

    def _follows(self, s: Statement) -> bool:
        """It is proved by definitions, and by nothing that another line says."""
        found = self(s)
        return found.verdict == report.PROVED and not any(
            a.startswith("with what") for a in found.assumed
        )

    def _of_another_case(self, s: Statement, found: Finding) -> str:
        """What a sentence before it says for a case, for $u = v$, of names that may be any."""
        outline = self.outline
        for v, t in self._below(s, found.system or System()):
            words = outline.leading(v.line, v.column)
            plain = isinstance(v.definition.expr, sp.Symbol) and not v.definition.indices
            if not t.inline or not plain or not _FOR.search(words):
                continue
            before = (
                u for u in self.versions.statements if (u.line, u.column) < (v.line, v.column)
            )
            known = any(v.name in names(u.lhs) | names(u.rhs) for u in before if u.rhs is not None)
            if known and not outline.together((v.line, v.column), (s.line, s.column)):
                return f"true with {v.latex.strip()} (line {v.line}), which is said of a case"
        return ""

    @cached_property
    def commutators(self) -> Commutators:
        """The equations of operators of the text."""
        return Commutators(self.outline)

    @cached_property
    def noncommuting(self) -> dict[str, str]:
        """The names of the text of which products need not commute, each as it is written."""
        return noncommuting.of_the_text(self.outline.text)

    def in_text(self, text: str, s: Statement, lower: int = 0) -> Finding | None:
        """The verdict on a statement in another text, some lines lower; None where it is none."""
        if text not in self.others:
            self.others[text] = type(self)(reading(text), Outline(text), self.seed)
        other, place = self.others[text], (s.line + lower, s.column, s.latex)
        every = (*other.versions.statements, *other.worked.claims.values())
        same = (t for t in every if (t.line, t.column, t.latex) == place)
        one = next(same, None)
        return None if one is None else other._by_itself(one)

    def rewritten(self, s: Statement, latex: str) -> Finding | None:
        """The verdict on a statement that is written otherwise; None where it is none then."""
        text, at = self.outline.text, self.outline.position(s.line, s.column)
        if latex == s.latex or not text.startswith(s.latex, at):
            return None
        other = f"{text[:at]}{latex}{text[at + len(s.latex) :]}"
        return self.in_text(other, replace(s, latex=latex))

    @cached_property
    def signed(self) -> frozenset[str]:
        """The names that the text says are on one side of zero."""
        return signed(self.versions)

    def forget(self, s: Statement) -> None:
        """Decide a statement anew when it is asked for again."""
        self._found.pop(s, None)

    def _by_itself(self, s: Statement) -> Finding:
        """The verdict on a statement by itself; on what the words deny, whether they are right."""
        found = self.commutators.finding(s.line, s.column, s.number)
        if found is not None:
            return self._unless_denied(s, found)
        found = self._of_laws(s)
        if found is None or found.verdict == report.CONDITIONAL:
            plain = settled(self, s, self.plain(s))
            plain = inverted(s, judged(s, plain, self), self)
            plain = branched(s, principal(s, plain, self), self)
            plain = held(s, at_fixed(s, along(s, plain, self), self), self)
            plain = put_in(self, s, kept(s, implied(s, plain, self), self))
            plain = theorem(self, s, in_averages(self, s, in_terms_of(self, s, plain)))
            plain = self._of_quantities(plain)
            found = plain if found is None or plain.verdict == report.PROVED else found
            if found is plain and plain.verdict == report.PROVED and s.relation in EXACT:
                why = against(self, s.line, s.column, s.latex)
                found = replace(plain, verdict=report.UNPROVED, reason=why) if why else plain
        if found.verdict not in (report.PROVED, *report.WRONG):
            return found
        own = self.versions.made_by(s)
        if found.verdict == report.PROVED and own and own.definition in tuple(found.system or ()):
            return Finding(report.DEFINITION, kind="definition")  # which proves nothing of itself
        found = self._supposed(s, found)
        return self._unless_denied(s, found)

    def _unless_denied(self, s: Statement, found: Finding) -> Finding:
        """The finding; of what the words deny, whether they are right."""
        decided = found.verdict in (report.PROVED, *report.WRONG)
        if not decided or not self.outline.denied(s.line, s.column, s.whole):
            return found
        if found.verdict == report.PROVED:
            why = "the words deny it, and it is proved"
            return replace(found, verdict=report.UNPROVED, reason=why)
        why = f"the words deny it, and they are right: {found.reason}"
        return replace(found, verdict=report.SKIPPED, reason=why, correction="")

    def _of_quantities(self, found: Finding) -> Finding:
        """What is true where k > 0 is true of a stiffness k."""
        said = _POSITIVE.fullmatch(found.reason) if found.verdict == report.CONDITIONAL else None
        if said is None or not {*said[1].split(", ")} <= self.quantities:
            return found
        proof = found.proof
        if isinstance(proof, Verdict):
            proof = replace(proof, status="proved", counterexample=None, hints=())
        assumed = (*found.assumed, f"{said[1]} > 0: by what the words call it")
        return replace(
            found, verdict=report.PROVED, reason="", counterexample=None, correction="",
            assumed=assumed, proof=proof,
        )  # fmt: skip

    @cached_property
    def quantities(self) -> frozenset[str]:
        """The names that are above zero by what the words call them."""
        return quantities.positive(self.outline.text)

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
            at = with_values(self, s, found, found.system or System())
            if at.verdict in (report.PROVED, report.CONDITIONAL):
                return at
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
        proved = found.verdict == report.PROVED and s.rhs is not None
        if proved and (why := unheeded(s, found.system or System(), self.outline)):
            return replace(found, verdict=report.CONDITIONAL, reason=f"true where {why}")
        if found.correction and found.system:
            given = any(example(v, t) for v, t in self._below(s, found.system))
            tied = getattr(self.versions.document, "unresolved", {})
            reached = closure(names(s.lhs) | names(s.rhs), found.system)
            roots_ = any(tied.get(n, "").endswith(TWO_ROOTS) for n in reached)
            if (given and names(s.rhs)) or roots_ or taken_back(s, found.system, self):
                found = replace(found, correction="")
        if found.verdict == report.PROVED and (tied := restricted(s, found, self)):
            why = f"true with what the text says of some {tied}"
            return replace(found, verdict=report.CONDITIONAL, reason=why)
        if found.verdict == report.PROVED and (a := grams.both_ways(s, found.system)):
            if s.name and self.versions.before(s) is not None:
                anew = f"another definition of {s.name}, and the same where {a} is square"
                return Finding(report.DEFINITION, anew, kind="definition")
            return replace(found, verdict=report.CONDITIONAL, reason=f"true where {a} is square")
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
        """The p = 1/2 right before a claim in letters which was decided without it.

        It was where the name is in no definition that was used, and in one that another took the
        place of: u = p of a = 1 says nothing of the u of a = 2.
        """
        system = found.system or System()
        if not [*self._putting(s)]:
            return ""
        reached = self.versions.made_of(names(s.lhs) | names(s.rhs))
        before = (put for _, t in self._below(s, system) for put in self._putting(t))
        elsewhere = {name: (latex, put) for latex, name, put in before}
        for latex, name, put in self._putting(s):
            known = system.definitions.get(name)
            if name in elsewhere:  # of another sample, or of the same
                if elsewhere[name][0] != latex:
                    return latex
                continue
            if name in reached and (known is None or not _is(known.expr, put)):
                used = name in closure(names(s.lhs) | names(s.rhs), system)
                alone = used and put["names"].count("=") == 1
                if not (alone and self._apart_at(s, name, put, system)):
                    return latex
        return ""

    def _put_otherwise(self, s: Statement, found: Finding) -> str:
        """The b = 2 right before a claim that is proved with b = 4."""
        system = found.system or System()
        reached = closure(names(s.lhs) | names(s.rhs), system)
        for latex, name, put in self._putting(s):
            known = system.definitions.get(name)
            if known is None or name not in reached or names(known.expr):
                continue
            if not _is(known.expr, put):
                return latex
        return ""

    def _apart_at(self, s: Statement, name: str, put: re.Match[str], system: System) -> bool:
        """The sides differ where a name has the value that words put as well."""
        value = -number(put) if put["sign"] or put[0].startswith("-") else number(put)
        rest = (d for d in system if d.name != name)
        try:
            at = System(*rest, define(name, (), value), facts=system.facts)
            return self.prove(s, at).status == "refuted"
        except SymattnError:
            return False

    def numbers_put(self, s: Statement) -> Iterator[tuple[str, sp.Rational, str]]:
        """The names that the words before a statement give numbers to, with these."""
        for latex, name, put in self._putting(s):
            yield name, -number(put) if put["sign"] else number(put), latex

    def _putting(self, s: Statement) -> Iterator[tuple[str, str, re.Match[str]]]:
        """The formulas in the words before a statement that put numbers, with their names."""
        for latex in self.outline.taken(s.line, s.column):
            if put := PUT.fullmatch(latex):
                for name in re.findall(r"[A-Za-z]+(?:_\{?\w+)?", put["names"]):
                    yield latex, self.versions.called(name.replace("{", ""), s), put

    def plain(self, s: Statement) -> Finding:
        """The verdict on a statement as it stands."""
        if r"\infty" in s.latex and (found := endless(s.latex, self.versions)):
            return found
        if found := self.versions.components.finding(s.whole, s.line, s.column, s.number):
            return found
        if s.inline and s.latex.startswith("=") and self._goes_on_from_unread(s):
            return Finding(report.SKIPPED, "what it goes on from was not read")
        if s.kind in QUIET:
            return Finding(*QUIET[s.kind])
        if s in self.versions.valued:
            return Finding(report.DEFINITION, kind="definition")
        if found := self.of_values(s):
            return found
        stated = s.kind != "fact"
        of_one = unrolled(self, s.line, s.column, s.number)
        if of_one is not None and of_one.verdict != report.UNPROVED:
            return of_one
        if s.kind == "definition" and not self._again(s):
            of_one = None
        if stated and (found := of_steps(self, s.line, s.column, s.whole, s.number) or of_one):
            return self._corrected(s, found)
        rate = derived(self, s) if s.rhs is not None else None
        if rate is not None and (found := moved(self, s)):
            return found
        if found := lagrange.of_motion(self, s):
            return found
        if s.kind == "definition" and not self._again(s):
            found = self._definition(s)
            if found == Finding(report.DEFINITION):
                found = said_rate(self, s) or solved_law(self, s) or at_the_star(self, s) or found
            return self._of_rates(s, found) if rate is not None else found
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
        found = hypothetical(self, s, system) or self._numbers(s, system) or self._claim(s, system)
        found = self._of_rates(s, found) if rate is not None else found
        found = said_again(self, s, found)
        if found.verdict == report.DEFINITION and found.reason.endswith(TWO_ROOTS):
            found = roots.rooted(self, s) or found
        differs = found.verdict in (report.REFUTED, report.CONDITIONAL)
        if differs and (line := self._another_example(s)):
            said = f"redefines {s.name} of line {line}, from which it differs"
            return Finding(report.DEFINITION, said, kind="definition")
        if found.reason.startswith((DETERMINES, "says what")):
            found = (solved_law(self, s) if s.name else moved(self, s)) or found
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
        found = roots.rooted(self, s) or followed(self, s, system) or moved(self, s) or found
        open_ = found.verdict in (report.UNPROVED, report.SKIPPED)
        return (solved_law(self, s) if s.name and open_ else None) or found

    def _goes_on_from_unread(self, s: Statement) -> bool:
        """The last formula before it, of which it is said to be another form, was not read."""
        place = s.line, s.column
        read = max((p for t in self.versions.statements if (p := (t.line, t.column)) < place),
                   default=(0, 0))  # fmt: skip
        return any(read < (u.line, u.column) < place for u in self.versions.unread)

    def _corrected(self, s: Statement, found: Finding) -> Finding:
        """A refutation of an endless sum with its correction, where the prover has one."""
        endless = found.verdict == report.REFUTED and r"\infty" in s.latex
        if not endless or s.rhs is None or s.kind not in ("claim", "definition"):
            return found
        again = self._claim(s, folded(s, self.versions.system(s)))
        return again if again.verdict == report.REFUTED else found

    def _of_rates(self, s: Statement, found: Finding) -> Finding:
        r"""No proof of \dot V = 0 by the same line before it: that may be of other rates."""
        before = self.versions.before(s)
        if found.verdict != report.PROVED or before is None or not 0 < before.line < s.line:
            return found
        why = f"true with what line {before.line} says"
        return replace(found, verdict=report.CONDITIONAL, reason=why)

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
            why = f"{inner} {NOT_PUT}"
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
            system = self.versions.system(s)
            found = self._numbers(s, system) or self._claim(s, system)
            place = self.outline.position(s.line, s.column)
            another = _ANOTHER.search(self.outline.text, max(0, place - 200), place)
            words = self.outline.leading(s.line, s.column)
            asked = found.verdict == report.REFUTED and ASKED_OF.search(words) is not None
            if asked and satisfiable(s, found.system or System(), self.seed):
                slip = self._solution(s, found)  # y = A x with |y| = 1 is asked of A and x
                self._taken[s] = slip or self._taken[s]
            elif found.verdict == report.PROVED or (
                found.verdict in (report.REFUTED, report.MALFORMED) and not another
            ):
                self._taken[s] = found
            elif (follows := self._from_facts(s)) is not None:
                self._taken[s] = follows
        return self._taken[s]

    def _solution(self, s: Statement, found: Finding) -> Finding | None:
        """The refutation of a slip in what a given function is said to satisfy, or to be."""
        system, words = found.system or System(), self.outline.leading(s.line, s.column)
        solves = _SATISFIES.search(words) and derives(s, system)
        value = (
            not placed.sought(s, self.versions) and placed.function(s, self.versions) is not None
        )
        computed = not placed.sought(s, self.versions) and self._computed(s, system)
        if found.proof is None or not (solves or value or computed):
            return None
        return self.near(s, found.proof, system)

    def _computed(self, s: Statement, system: System) -> bool:
        """The left side is made of what is given before it, det L = g s, the right is no value."""
        made, here = names(s.lhs) & {*system.definitions}, (s.line, s.column)
        given = (self.versions.before(s, n) for n in made)
        earlier = bool(made) and all(v is None or (v.line, v.column) < here for v in given)
        whole = made == names(s.lhs) or derives(s, system)
        return earlier and whole and not s.name and bool(names(s.rhs))

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


def _is(expr: Any, put: re.Match[str] | None) -> bool:
    """A definition is the number that a formula puts, whatever its sign."""
    return put is not None and not names(expr) and bool(sp.Abs(expr) == number(put))


__all__ = ["Judge"]
