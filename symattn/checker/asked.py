"""What the prover and a second way say of a statement, remembered, and what speaks for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from ..objects import Partial
from ..prove import Verdict, prove
from ..read.activations import SHOWN
from ..read.ranges import Range, Ranges, modulus_of
from ..syntax import Definition, System
from . import activations, layouts, report
from .borders import Within, round_the_axis
from .declarations import declared, mini
from .discourse import Discourse
from .effort import OTHER, WRONG, effort
from .finding import Finding
from .inside import TIMES, names, partials
from .links import sides
from .naming import only_here
from .orders import kept
from .outline import Outline
from .ranges import at_whole_numbers, within
from .repair import correction, edited, reads_back
from .samples import completed, sample
from .scopes import believed, meant, scope_of
from .second import Unable, compare, differ
from .spelling import spelled
from .statements import Reading, Statement
from .vacuous import nowhere
from .versions import AVERAGES, Versions, closure

MEANT = 4  # choices of definitions under which a correction is sought
_CIRCLE = re.compile(
    r"\b(?:periodic|cyclic|circular|circulant|wrap|torus|on a (?:ring|circle)|modulo)|\\p?mod\b",
    re.IGNORECASE,
)
SAMPLES = 4  # at which a second way tries to confirm a counterexample


class Asked:
    """The questions that are asked about the statements of one document."""

    def __init__(self, found: Reading, outline: Outline, seed: int = 0) -> None:
        self.versions, self.outline, self.seed = Versions(found, outline), outline, seed
        self._without: dict[tuple[int, int], dict[str, Any]] = {}  # what texts without one say
        self.declarations = declared(outline.text)
        if gradients := getattr(found.document, "gradients", None):
            self.declarations += "\n<!-- symattn: gradients {} of {} -->".format(*gradients)
        for name, (kind, whole) in getattr(found.document, "parts", {}).items():
            self.declarations += f"\n<!-- symattn: {kind} {name} of {whole} -->"
        if found.document is not None:
            sums = "implicit" if found.document.implicit else "written"
            self.declarations += f"\n<!-- symattn: sums {sums} -->"
        self.moments: Mapping[str, tuple[str, ...]] = getattr(found.document, "moments", {})
        if found.document is not None and self.moments:
            drawn = {x for random in self.moments.values() for x in random}
            plain = [m.name for m in found.document.meanings if m.name in drawn and not m.shape]
            self.declarations += f"\n<!-- symattn: scalars {' '.join(plain)} -->" if plain else ""
        self.refutes: Callable[[Statement], bool] = lambda s: False
        self._known: dict[Any, Verdict] = {}
        self._agreed: dict[Any, bool] = {}
        self._heads: dict[Any, str] = {}
        self.corrects = True  # what is wrong is shown with what is right
        self.reached: dict[Statement, Finding] = {}  # stands though time runs out behind it

    @cached_property
    def cases(self) -> Discourse:
        """The sentences of the text, and the cases that they speak of."""
        return Discourse(self.outline)

    def prove(self, s: Statement, system: System) -> Verdict:
        """The prover's verdict on a statement, remembered."""
        key = (s.lhs, s.rhs, s.letters, system.content)
        if key not in self._known:
            found = prove(s.lhs, s.rhs, given=system, over=s.letters, seed=self.seed)
            if found.status == "unknown" and system.facts:  # what holds without them holds
                plain = prove(s.lhs, s.rhs, given=System(*system), over=s.letters, seed=self.seed)
                found = plain if plain.status == "proved" else found
            law = found.status == "refuted" and found.held and _is_law(s, system)
            if law:  # dE/dt = F dx/dt is refuted by no values
                found = replace(found, status="unknown", counterexample=None, hints=(), held="")
            self._known[key] = found
        here = (*key, s.line, s.column)
        if self._known[key].status == "proved" and self._counts_whole_numbers:
            if here not in self._known:
                scope = scope_of(s, system, self.versions)
                said = self.ranges(s)
                self._known[here] = at_whole_numbers(
                    s, self._known[key], system, said, scope, self.seed
                )
            return self._known[here]
        if self._known[key].status not in ("refuted", "unknown"):
            return self._known[key]
        if here not in self._known:  # other things may be said of x elsewhere
            scope = scope_of(s, system, self.versions)
            found = within(s, self._known[key], system, self.ranges(s), scope, self.seed)
            if found.status == "refuted" and self.outline.orders:
                head = mini(system, self.declarations, [], s)
                found = kept(s, found, system, head, self.outline, self.seed)
            self._known[here] = found
        return self._known[here]

    @cached_property
    def _counts_whole_numbers(self) -> bool:
        """The text speaks of whole numbers, of even or of odd ones."""
        return any(map(modulus_of, self.versions.document.ranges))

    def ranges(self, s: Statement) -> Ranges:
        """What is said of values beside a statement."""
        others = [t for t in self.versions.statements if t is not s]
        return believed(self.versions.document, others, self.refutes)

    def _never_positive(self, s: Statement, system: System) -> set[str]:
        """The names of a statement that are said to have no values above zero."""
        said = self.said_of(s, system).items()
        return {n for n, several in said if all(r.high <= 0 for r in several)}

    def said_of(self, s: Statement, system: System) -> dict[str, list[Range]]:
        """Between which numbers the names of a statement lie, where the text says it there."""
        scope = scope_of(s, system, self.versions)
        said = meant(s, system, self.ranges(s), scope).items()
        bounded = ((n, rs) for n, rs in said if not any(r.is_all for r in rs))
        return {n: rs for n, rs in bounded if all(map(scope.covers, rs))}

    def _agrees(self, s: Statement, system: System) -> bool:
        """False when a second way has two values for the two sides at a sample of its own."""
        key = (s.lhs, s.rhs, s.letters, system.content)
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

    def _doubtful(self, s: Statement, verdict: Verdict, system: System) -> str:
        """Why a proof counts for nothing; empty where it does."""
        if getattr(verdict, "trivial", False):
            return "the proof is vacuous: it would stand for any right-hand side"
        if s.lhs.atoms(Partial) | s.rhs.atoms(Partial) and not self._agrees(s, system):
            return "a proof was found, and differences of numbers do not agree with it"
        for p in partials(s.lhs, s.rhs):  # ∂ 𝔼[e e⊤]/∂K is 0 for what has no form, where e has K
            inside, by = (closure(names(x), system) for x in p.args)
            drawn = {x for n in inside & self.moments.keys() for x in self.moments[n]}
            if drawn and (not inside & by or self.versions.made_of(drawn) & names(p.args[1])):
                return f"an average in it may hang on {min(names(p.args[1]), default='it')}"
            moving = self.versions.moving & inside - by if names(p.args[1]) & TIMES else ()
            if moving:
                return f"nothing in the document says how {min(moving)} depends on {min(by)}"
        return ""

    def _proved(
        self, s: Statement, verdict: Verdict, system: System, assumed: tuple[str, ...] = ()
    ) -> Finding:
        if never := nowhere(verdict.conditions):
            why = f"proved where {never}, which is nowhere"
            return Finding(report.UNPROVED, why, proof=verdict, system=system)
        circle = round_the_axis(s, system, self.seed)
        meant = not circle or _CIRCLE.search(self.outline.text) is not None
        return Finding(
            report.PROVED if meant else report.CONDITIONAL,
            "" if meant else "true where an index past the last one is the first again",
            assumed=(
                *("an index past the last one is the first again",) * (circle and meant),
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
        found = [f"{n}: {known[n]}" for n in sorted(reached & known.keys())]
        if SHOWN in known and activations.stands(s, system):
            found.append(f"{SHOWN}: {known[SHOWN]}")
        drawn = {x for n in reached & self.moments.keys() for x in self.moments[n]}
        if drawn:
            found.append(f"{', '.join(sorted(drawn))}: random, with finite moments")
        if drawn and (fixed := sorted(n for n in reached - drawn if not n.startswith(AVERAGES))):
            found.append(f"{', '.join(fixed)}: constant")
        return tuple(found)

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

    def head(self, s: Statement, system: System) -> str:
        """What a formula needs to be read by itself: declarations, and what says f(x) = …

        Where it is read in another way then, S_{yy} as components, the definitions it rests on.
        """
        key = s, system.content
        if key not in self._heads:
            self._heads[key] = self._head(s, system)
        return self._heads[key]

    def _head(self, s: Statement, system: System) -> str:
        reached = closure(names(s.lhs) | names(s.rhs), system)
        plain = self.written(s.latex, s.line, reached)
        if s.rhs is None or reads_back(mini(system, plain, [], s), s):
            return plain
        known = (v for n in sorted(reached - {s.name}) for v in self.versions.table.get(n, ()))
        said = [v.latex for v in known if v.latex and v.definition in tuple(system)]
        full = plain + "".join(f"\n\n$$ {latex} $$\n" for latex in said)
        return full if said and reads_back(mini(system, full, [], s), s) else plain

    def written(self, latex: str, line: int, reached: Collection[str] = ()) -> str:
        """Declarations, and what says f(x) = … of the functions that are written or reached."""
        here = "".join(latex.split())
        last = [versions[-1] for n, versions in sorted(self.versions.table.items())
                if n in reached or _function(versions[-1].latex) in here]  # fmt: skip
        heads = [v.latex for v in last if _function(v.latex) != " " and v.line != line]
        return self.declarations + "".join(f"\n\n$$ {latex} $$\n" for latex in heads)

    def _meant(self, s: Statement, system: System) -> list[System]:
        """The definitions that the author may have had in mind, a few, the likeliest first."""
        others = (x for x in self.versions.others(s) if x is not system)
        special, later = self.versions.special, self.versions.later
        every = [system, *(x for x in others if not (special(s, x) or later(s, x)))]
        return layouts.meant(s, self.versions, every)[:MEANT]

    def _beside(self, s: Statement) -> System:
        """The definitions in force, with those of its section that it does not name."""
        section = self.outline.section
        here = [n for n, found in self.versions.table.items()
                if any(v.line and section(v.line) == section(s.line) for v in found)]  # fmt: skip
        return self.versions.system(s, here)

    def _mended(self, s: Statement, found: Finding, verdict: Verdict, system: System) -> Finding:
        """The finding with a correction where one is found."""
        self.reached[s] = found
        if not self.corrects:
            return found
        s = _with_square(self.in_full(s))
        head, document = self.head(s, system), self.versions.document
        if premise := document.premises.get((s.line, s.column)):  # of what is read behind it
            head += f"\n\nIf ${premise}$:\n"
        meant, wide = self._meant(s, system), self._beside(s)
        with effort(WRONG if found.verdict in report.WRONG else OTHER):
            right = correction(s, verdict, meant, head, document, wide)
        left = s.latex.partition("=")[0].replace("&", "")
        for other in spelled(right, sides(s.latex)[0][-1], self.outline.text) if right else ():
            again = (edited(s, verdict, x, head, [[other]]) for x in meant)
            if proved := next(filter(None, again), ""):
                right = proved
                break
        same = left.split() == right.split()  # H^2 = H^2 corrects nothing
        hidden = same or only_here(right, self.outline.text)
        return replace(found, correction="" if hidden else right)

    def in_full(self, s: Statement) -> Statement:
        """The statement with the side that it goes on from, where its formula begins with =."""
        parts, relations = sides(s.latex)
        if parts[0] or len(relations) != 1 or (before := self.preceding(s)) is None:
            return s
        return replace(s, latex=f"{sides(before.latex)[0][-1]} {relations[0]} {parts[1]}")

    def preceding(self, s: Statement) -> Statement | None:
        """The link of a chain that ends with what this one begins with, or what stands alone there.

        Sentences between displays belong to neither.
        """
        if not s.number and sides(s.latex)[0][0]:
            return None
        every = self.versions.statements
        earlier = every[: every.index(s)] if s in every else ()
        before = next((t for t in reversed(earlier) if s.number or not t.inline), None)
        if before is None:
            return None
        end = before.lhs if before.rhs is None else before.rhs
        return before if names(end) == names(s.lhs) else None

    def _second(self, s: Statement, system: System, example: Any) -> tuple[float, float, str]:
        """Both sides as a second way has them where they differ, and why it does not say so.

        Where it cannot evaluate the counterexample, it looks at samples of its own.
        """
        why = ""
        for k in range(SAMPLES):
            try:
                at = dict(example.entry)
                if k:
                    (arrays, sizes), at = sample(s, system, self.seed + k), {}
                else:
                    arrays, sizes = completed(s, system, (example.values, example.sizes))
                left, right = compare(
                    s.lhs, s.rhs, system, arrays, sizes, at, self.seed + k, Within
                )
            except Unable as unable:
                why = why or f"could not confirm: {unable}"
                continue
            return left, right, "" if differ(left, right) else "did not confirm"
        return 0.0, 0.0, why


def _with_square(s: Statement) -> Statement:
    """σ² = x as it is written, of which the statement has σ = √x."""
    if not s.name or re.search(r"\^\s*\{?\s*2\s*\}?\s*$", sides(s.latex)[0][0]) is None:
        return s
    return replace(s, lhs=s.lhs**2, rhs=s.rhs**2, name="")


def _function(latex: str) -> str:
    """f( where f(x) = … is written, without spaces; a space, which nothing holds, elsewhere."""
    match = re.match(r"([^=(]*)\(", "".join(latex.split()))
    return match[0] if match else " "


def _is_law(s: Statement, system: System) -> bool:
    """What changes in time, or what the left side is not made of, may be a law of something."""
    by = {n for p in partials(s.lhs, s.rhs) for n in names(p.args[1])}
    left, right = (_inputs(side, system) for side in (s.lhs, s.rhs))
    return bool(by & TIMES) or not right <= left | by


def _inputs(side: Any, system: System) -> set[str]:
    """What a side is made of; of an inverse what is inverted."""
    found = closure(names(side), system) - system.definitions.keys()
    return {n.removeprefix("inverse(").removesuffix(")") for n in found}


__all__ = ["Asked"]
