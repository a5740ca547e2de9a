"""What a difference of two sides means: a condition, a doubt, or an error of the author."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from ..prove import Verdict, prove
from ..read.builder import PRODUCT
from ..read.calls import ALONE
from ..read.positive import OPEN as SIGN
from ..read.recursions import ELSEWHEN
from ..syntax import System
from . import borders, counts, layouts, logarithms, placed, reach, report, scenes
from .again import condition as condition_of
from .again import restated
from .asked import Asked
from .conditions import cased, conditional, told_by_itself
from .doubts import (
    CONDITION,
    ONE_EXAMPLE,
    doubt,
    otherwise_ranked,
    particular,
    stated,
    unindexed,
)
from .effort import IDENTITY, effort
from .finding import Finding
from .finding import values as values_of
from .generality import taken_back
from .implicit import through, turned_round
from .inside import names, partials
from .jets import with_fields
from .links import TOTAL, sides
from .nearby import FEW, identity, shortened
from .orthogonality import orthogonal_where
from .outline import ASKED, COUNTED
from .ranges import ranged
from .reached import out_of_reach
from .repair import proves
from .rows import stacked
from .scopes import covering
from .second import Unable, compare, differ
from .sections import STOP
from .statements import Statement, alone, as_fact
from .symmetries import (
    all_symmetric,
    changed,
    held_with,
    matrices_without,
    oblong,
    proved_with,
    symmetric_where,
)
from .ties import ALIKE, APART, constrained, namesakes, qualified, ties, together, transposes
from .ties import unresolved as tied
from .versions import Version, closure
from .ways import Way, under, worlds
from .weighted import summing_to_one

_EQUATION = re.compile(  # and no identity
    r"\b(?:equations?|roots?|sol(?:ve\w*|ving|utions?)|conditions?|curves?|lines?|set of|"
    r"loc(?:us|i)|sphere|plane|level|if|when|where|unless|only|points?|holds? (?:at|on|for))\b"
)
_NAME = r"\\?{}(?:_\w+|_\{{[^}}]*\}})?"  # a name as it is written, with or without a label


SPACES = frozenset({2, 3, 4})  # dimensions that a trace may have without a word


class Disputed(Asked):
    """Statements that the prover refutes."""

    def __call__(self, s: Statement) -> Finding:
        raise NotImplementedError

    def anew(self, s: Statement, but: str = "") -> dict[str, Version]:
        raise NotImplementedError

    def _under(self, s: Statement, verdict: Verdict, system: System) -> Finding | None:
        """The condition on sizes, symmetries or sums under which a statement holds after all.

        Where its names may be anything, or where they lie as the text says.
        """
        if (found := self._under_any(s, verdict, system)) is not None:
            return found
        said = self.said_of(s, system).items()
        free = {n: r[0] for n, r in said if len(r) == 1 and n not in system.definitions}
        inside = ranged(s, system, free)
        return self._under_any(inside[0], verdict, inside[1]) if inside is not None else None

    def _under_any(self, s: Statement, verdict: Verdict, system: System) -> Finding | None:
        keep: dict[str, Any] = {"proof": verdict, "system": system}
        if (trace := counts.traced(s)) is not None:
            found = self.prove(trace, system)
            if found.status == "proved" and not self._doubtful(trace, found, system):
                return self._proved(s, found, system, ("what is repeated on the left is summed",))
            if found.status == "refuted" and (below := self._under(trace, found, system)):
                return below
        if (within := borders.inside(s)) is not None:
            inner = self.prove(within[0], system)
            if inner.status == "proved":
                return Finding(report.CONDITIONAL, f"true where {within[1]}", **keep)
            if inner.status == "unknown":
                return Finding(report.UNPROVED, f"it may hold where {within[1]}", **keep)
        if operator := reach.of_sum(s, verdict, system, self.head(s, system)):
            why = f"true where {operator} is of all of the sum behind it: write brackets"
            return Finding(report.CONDITIONAL, why, values_of(verdict), **keep)
        if even := self._where_symmetric(s, verdict, system):
            return even
        if turned := orthogonal_where(s, system):
            why = f"true only if {turned}"
            given = Finding(report.CONDITIONAL, why, values_of(verdict), **keep)
            return self._mended(s, given, verdict, system)
        if layout := layouts.numerator(s, system, self.versions, self.outline):
            return self._mended(
                s, Finding(report.CONDITIONAL, layout, values_of(verdict), **keep), verdict, system
            )
        if (signs := self._where_positive(s, verdict, system)) is not None:
            settled = signs.verdict == report.CONDITIONAL
            return self._mended(s, signs, verdict, system) if settled else signs
        every = (v.definition.expr for several in self.versions.table.values() for v in several)
        if weights := summing_to_one(s, system, every):
            given = Finding(report.CONDITIONAL, f"true where {weights}", values_of(verdict), **keep)
            return self._mended(s, given, verdict, system)
        stacks = [x for x in stacked(s, system) if x[2] != "refuted"]
        for _, why, status in sorted(stacks, key=lambda x: x[2] != "proved"):
            if status == "proved":
                given = Finding(report.CONDITIONAL, f"true if {why}", values_of(verdict), **keep)
                return self._mended(s, given, verdict, system)
            return Finding(report.UNPROVED, f"it may hold where {why}", **keep)
        if why := self._where_held(s, system):
            given = Finding(report.CONDITIONAL, why, values_of(verdict), **keep)
            return self._mended(s, given, verdict, system)
        said, text = self.outline.dimensions, re.sub(r"[\\{}\s]", "", self.outline.text)
        counted = list[tuple[str, counts.Change]]()
        for condition, meant in counts.numbers(s, system):
            size, _, number = condition.split()
            unsaid = size not in text and r"\sum" not in s.whole  # how far a runs, in g^{ab} g_{ab}
            space = counts.has_trace(s) or unsaid
            if int(number) in (said | SPACES if space else said):
                counted.append((condition, meant))
        for name, same in namesakes(s, system, self.versions):
            if proves(s, under(system, [Way((same,))])):
                why = f"true where {name} is the {name} of elsewhere in the text"
                return Finding(report.CONDITIONAL, why, **keep)
        if shapes := _shapes(s, system):
            return Finding(report.CONDITIONAL, f"true where {shapes}", **keep)
        alike = (*counts.letters(s, system), *counts.both(s, system), *counted)
        for condition, meant in alike:
            why = f"true if {condition}, the number of values that are summed"
            if proved_with(s, system, meant):
                return Finding(report.CONDITIONAL, why, **keep)
            symmetric = all_symmetric(s, system)  # as metrics are
            if symmetric and proved_with(s, system, meant | symmetric):
                own = {b: x for b, x in symmetric.items() if not self._oblong(s, b.name)}
                if not own or (own != symmetric and not proved_with(s, system, meant | own)):
                    continue
                listed = ", ".join(b.name for b in own)
                return Finding(report.CONDITIONAL, f"{why}, and {listed} symmetric", **keep)
        return None

    def _where_symmetric(self, s: Statement, verdict: Verdict, system: System) -> Finding | None:
        """Conditional where it is proved for a symmetric matrix; open where no value differs."""
        unresolved = getattr(self.versions.document, "unresolved", {})
        tied = {n for n, why in unresolved.items() if why not in (ELSEWHEN, SIGN)}
        keep: dict[str, Any] = {"proof": verdict, "system": system}
        said = self.versions.document.symmetric
        for matrices, proved in symmetric_where(s, system, tied, said):
            if any(self._oblong(s, matrix) for matrix in matrices):
                continue
            verb = "is" if len(matrices) == 1 else "are"
            even = f"{' and '.join(matrices)} {verb} symmetric"
            if not proved:
                return Finding(report.UNPROVED, f"it may hold where {even}", **keep)
            if {*matrices} <= {*said}:
                found = replace(verdict, status="proved", counterexample=None, hints=())
                known = tuple(f"{matrix}: symmetric" for matrix in matrices)
                return self._proved(s, found, system, known)
            change = {b: x for b, x in all_symmetric(s, system).items() if b.name in matrices}
            held = held_with(s, system, change)
            why = f"true only if {even}" + f" and {held}" * bool(held)
            given = Finding(report.CONDITIONAL, why, values_of(verdict), **keep)
            return self._mended(s, given, verdict, system)
        return None

    def _oblong(self, s: Statement, matrix: str) -> bool:
        """The text gives the matrix two sizes, or would without this statement."""
        place = s.line, s.column
        if matrix in self.outline.rectangular:
            return True
        if place not in self._without:
            self._without[place] = matrices_without(s, self.outline)
        return oblong(matrix, self._without[place])

    def _where_positive(self, s: Statement, verdict: Verdict, system: System) -> Finding | None:
        """Conditional where it is proved for positive values of some names, else open."""
        reached = closure(names(s.lhs) | names(s.rhs), system)
        known = (v for n in sorted(reached) for v in self.versions.table.get(n, ()))
        own = [s.whole, *(v.latex for v in known if v.definition in tuple(system))]
        roots_ = "\\sqrt" in self.outline.text and not any(map(logarithms.BENT.search, own))
        signs, proved = logarithms.positive_where(s, system, self.versions.document.weakly, roots_)
        if not signs or self._never_positive(s, system) & {*signs}:
            return None
        where = f"{', '.join(signs)} > 0"
        keep: dict[str, Any] = {"proof": verdict, "system": system}
        if not proved and self.near(s, verdict, system):
            return None
        if not proved:
            return Finding(report.UNPROVED, f"it may hold where {where}", **keep)
        return Finding(report.CONDITIONAL, f"true where {where}", values_of(verdict), **keep)

    def _where_held(self, s: Statement, system: System) -> str:
        """The condition under which it is proved where data or weights do not change."""
        found = (name for name, held in self._held(s, system) if proves(s, held))
        name = next(found, "")
        return f"true only if {name} does not change with what it is derived by" if name else ""

    def _held(self, s: Statement, system: System) -> Iterator[tuple[str, System]]:
        """The definitions without one that a derivative goes through: y = X w + ε are data."""
        for p in sorted(s.lhs.atoms(Partial), key=str):
            top, below = (names(x) for x in p.args)
            for name in sorted(closure(top, system) & system.definitions.keys() - top):
                if below & closure([name], system) - {name} and not self._derived(s, name, below):
                    rest = (d for d in system if d.name != name)
                    yield name, System(*rest, facts=system.facts)

    def _derived(self, s: Statement, name: str, below: set[str]) -> bool:
        """The text differentiates the name by these, as it is here: it is held fixed nowhere."""
        again, here = self.versions.again.get(name, ()), (s.line, s.column)
        for t in self.versions.statements:
            every = (p for side in (t.lhs, t.rhs) if side is not None for p in side.atoms(Partial))
            if any(name in names(p.args[0]) and below & names(p.args[1]) for p in every):
                there = t.line, t.column  # and not the V of a cone, behind which another is said
                if not any(there < (a.line, a.column) < here for a in again):
                    return True
        return False

    def _refuted(
        self, s: Statement, verdict: Verdict, system: System, before: Version | None
    ) -> Finding:
        """What a difference of the two sides means."""
        if before is not None and not cased(s, self.versions):
            return restated(self, s, verdict, system, before)
        if before is None and self.versions.anew(s):
            why = f"{s.name} is another one here"
            return Finding(report.DEFINITION, why, proof=verdict, system=system)
        why = doubt(s, system, self.versions)
        partly = bool(why) and not TOTAL.search(s.latex)  # ∂y/∂q, and no dy/dq along a curve
        tied_up = partly and why == through(s, system, self.versions)
        if tied_up and not through(s, system, self.versions, self._is_wrong):
            why = doubt(s, system, self.versions, through)
        if why.startswith(CONDITION) and (_multiple(verdict) or _never(s, verdict, system)):
            why = doubt(s, system, self.versions, stated)
        meets = bool(why) and self.outline.meets(s.line, s.column)
        if meets and why == conditional(s, system, self.versions) and _never(s, verdict, system):
            why = doubt(s, system, self.versions, conditional)
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
        several = (d(s, system, self.versions) for d in (qualified, together, unindexed))
        told = next(filter(None, several), "")
        held = why.endswith(ALONE) and bool(partials(s.lhs, s.rhs))  # f g² may be f(g) g²
        slip = why and not told and not held
        new = self._new(s, why)
        if slip and (near := self.near(s, verdict, system, says=bool(new))):
            return near
        if new:
            return Finding(report.DEFINITION, f"says what {new} is", kind="definition")
        if why:
            return Finding(
                report.UNPROVED if _speaks(why) else report.SKIPPED,
                why,
                proof=verdict,
                system=system,
            )
        return self.confirmed(s, verdict, system)

    def _is_wrong(self, t: Statement) -> bool:
        """A claim without derivatives that is refuted by itself: it ties no names."""
        return (
            t.kind == "claim" and not partials(t.lhs, t.rhs) and self(t).verdict == report.REFUTED
        )

    def _new(self, s: Statement, why: str) -> str:
        """The name that an equation defines, though it does not stand alone on the left."""
        found = re.fullmatch(r"nothing in the document says what (\S+) is", why)
        if found and found[1] in names(s.rhs):
            free = not s.lhs.atoms(Partial) or alone(s.rhs) == found[1]
            return found[1] if free and not self._said_before(s, found[1]) else ""
        angle = s.lhs.args[0] if isinstance(s.lhs, sp.cos | sp.sin | sp.tan) else None
        if isinstance(angle, sp.Symbol) and self._first(s, angle.name):  # cos θ = …
            return angle.name
        tied = getattr(self.versions.document, "unresolved", {})
        name = alone(s.rhs)
        told = tied.get(name, "")
        if told.startswith(PRODUCT):  # … = ∏_j p(h_j | x)
            name = told.removeprefix(PRODUCT)
            told = tied.get(name, "")
        return name if told.startswith("a function") and self._first(s, name) else ""

    def _said_before(self, s: Statement, name: str) -> bool:
        """Another claim before this one has the name on one of its sides, and says what it is."""
        place = s.line, s.column, s.number
        before = (t for t in self.versions.statements
                  if t.kind == "claim" and (t.line, t.column, t.number) < place)  # fmt: skip
        return any(name in names(t.rhs) - names(t.lhs) for t in before)

    def _first(self, s: Statement, name: str) -> bool:
        """Nothing defines a name, and no formula before this one has it."""
        if name in self.versions.table or name in names(s.lhs) & names(s.rhs):
            return False
        before = (t for t in self.versions.statements if (t.line, t.column) < (s.line, s.column))
        return not any(name in names(t.lhs) | names(t.rhs) for t in before)

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
        for world in worlds(ties(s, system, self.versions), system):
            if found := self._under(s, verdict, world):
                why = f"{found.reason}, with what the words say of its names"
                return Finding(report.UNPROVED, why, values, proof=verdict, system=system)
        letter = _each(s, verdict)
        why = f"true of every {letter}, and not of the sums over {letter}" if letter else ""
        own = re.sub(r"\\[A-Za-z]+", " ", s.whole)  # and no letter that only the reader gives
        sizes = {x.name for x in s.letters if x.name in own and self._counts(x.name)}
        if sizes and not self._differs_last(s, system, example, sizes):
            why = f"{min(sizes)} may be the number of components that the text says it is"
        if "both sides agree when I = 1" in verdict.hints and _adds_unit(s, system):
            why = "I may be the unit matrix"
        if why:
            return Finding(report.UNPROVED, why, values, proof=verdict, system=system)
        within = borders.inside(s)  # a counterexample at which every index is in its range
        inner = self.prove(within[0], system).counterexample if within is not None else None
        example = inner or example
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
        return self._mended(s, found, replace(verdict, counterexample=example), system)

    def _counts(self, letter: str) -> bool:
        """The text has ℝ^{n×d} with this letter: (A x)_n may be the last component of A x."""
        space = rf"\\mathbb\s*\{{?R\}}?\s*\^\s*(?:\{{[^{{}}]*(?<![\w\\]){letter}(?!\w)|{letter}\b)"
        return re.search(space, self.outline.text) is not None

    def _differs_last(self, s: Statement, system: System, example: Any, last: set[str]) -> bool:
        """The sides differ where these letters are at the ends of their ranges as well."""
        at = {n: k for n, k in dict(example.entry).items() if n not in last}
        try:
            values = compare(s.lhs, s.rhs, system, example.values, example.sizes, at, self.seed)
        except Unable:
            return False
        return differ(*values)

    def _granted(self, s: Statement, system: System) -> Finding | None:
        """The finding where a condition that is stated before or beside it decides: ∑ y = 1."""
        reached = closure(names(s.lhs) | names(s.rhs), system)
        section = self.outline.section
        said: dict[Any, Statement] = {}
        for c in self.versions.statements:
            about = names(c.lhs) | names(c.rhs)
            if (
                (c.kind, c.relation, c.name) == ("claim", "=", "")
                and (c.line, c.column) != (s.line, s.column)
                and (c.line <= s.line or section(c.line) == section(s.line))
                and about
                and about <= reached - self.versions.table.keys()
                and stated(c, self.versions.system(c), self.versions)
                and not proves(c, self.versions.system(c))  # what always holds asks for nothing
                and not self._cased(c)
            ):
                said[as_fact(c)] = c
        return self._with(s, system, said) if said else None

    def _cased(self, s: Statement) -> bool:
        """Its sentence says when it holds: no condition on anything else."""
        outline, place = self.outline, (s.line, s.column)
        if outline.under_an_if(*place):
            return True
        known = covering(s, self.versions.system(s), self.versions).values()
        return any(r.clause for r in known)

    def _with(self, s: Statement, system: System, said: dict[Any, Statement]) -> Finding | None:
        """The finding with conditions as facts; one that is refuted by itself is none."""
        lines = ", ".join(dict.fromkeys(f"line {c.place[0]}" for c in said.values()))
        try:
            world = System(*system, facts=(*system.facts, *said))
            verdict = prove(s.lhs, s.rhs, given=world, over=s.letters, seed=self.seed)
        except SymattnError:
            verdict = None
        proved = verdict is not None and verdict.status == "proved"
        if verdict is not None and proved and not self._doubtful(s, verdict, world):
            right = {f: c for f, c in said.items() if not self.refutes(c)}
            if len(right) < len(said):
                return self._with(s, system, right) if right else None
            found = self._proved(s, verdict, world, (f"with what {lines} says",))
            follows = (self.outline.follows(c.line, c.column) for c in said.values())
            if all(c.line <= s.line for c in said.values()) and not any(follows):
                return found
            why = f"true with what {lines} says"  # behind it, or as a claim that is open
            return replace(found, verdict=report.CONDITIONAL, reason=why)
        if verdict is not None and verdict.status == "refuted":
            return None
        meant = {f: c for f, c in said.items() if not self._misprinted(c)}
        if len(meant) < len(said):
            return self._with(s, system, meant) if meant else None
        return Finding(report.UNPROVED, f"{lines} may be a condition on it", system=system)

    def _misprinted(self, s: Statement) -> bool:
        """One slip makes an identity of it, so that it asks for nothing: σ(z) − σ(−z) = 1."""
        system = self.versions.system(s)
        try:
            verdict = self.prove(s, system)
        except SymattnError:
            return False
        slip = self.near(s, verdict, system) if verdict.status == "refuted" else None
        return slip is not None and slip.verdict == report.REFUTED

    def near(
        self,
        s: Statement,
        verdict: Verdict,
        system: System,
        says: bool = False,
        supposed: bool = False,
    ) -> Finding | None:
        """The refutation of what one slip separates from an identity.

        What lacks a piece of one is conditional, where it is not what `says` what a name is.  What
        the words before it suppose is in the system, where it is `supposed`.
        """
        if self.outline.behind(s.line, s.column, s.whole):
            return None
        if not (supposed or self.supposes(s, system)):
            return None
        free = [closure(names(x), system) - {*system.definitions} for x in (s.lhs, s.rhs)]
        own = placed.body(s, self.versions)
        if s.kind == "fact" and free[0] | own != free[1] | own:
            return None  # with $\\hbar \\omega = 1$, which says what ω is
        below = closure(names(s.lhs) | names(s.rhs), system)
        unresolved = getattr(self.versions.document, "unresolved", {})
        if any(unresolved.get(name) == SIGN for name in below) and tied(s, system, self.versions):
            return None  # the sides agree for some signs
        reached = below & set(system.definitions)
        if not supposed and any(self._given_twice(name, s) for name in reached):
            return None
        otherwise = (particular, turned_round, constrained, otherwise_ranked)
        if any(doubts(s, system, self.versions) for doubts in otherwise):
            return None
        if taken_back(s, system, self):  # type: ignore[arg-type]
            return None
        system = with_fields(s, system)
        averaged = (names(s.lhs) | names(s.rhs)) & self.moments.keys()
        around = self.outline.around(s.line) if averaged else ""
        if ALIKE.search(around) or (APART.search(around) and not self._alone(averaged, s)):
            return None
        full = self.in_full(s)
        turned = self._turned(full)  # 0 = Σ_i (x_i - m), of which the side with names is edited
        ways = [full if turned is None or s.rhs != 0 else turned]
        if turned is not None and s.rhs != 0 and not (system.facts or self._asked_for(s)):
            ways.append(turned)  # σ(z) − σ(−z) = 1, of which either side is edited
        near = [x for x in ways if not out_of_reach(x, system, FEW)]
        if not near:
            return None
        apart, s = not self._agrees(s, system), full
        head, right, way = self.head(s, system), "", ways[0]
        for way in near:
            with effort(IDENTITY):
                right = identity(way, verdict, system, head, apart, bool(averaged))
            if right:
                break
        if not right and ways[0] not in near:
            return None
        turned = turned if (way if right else ways[0]) is turned else None
        if not right:
            whole = says or (turned is not None and not derives(s, system))
            found = (
                None
                if whole
                else shortened(self, turned or s, verdict, system, apart, bool(averaged))
            )
            if found is None or turned is None:
                return found
            return replace(found, correction=f"{found.correction} = {sides(s.latex)[0][-1]}")
        right = f"{right} = {sides(s.latex)[0][-1]}" if turned is not None else right
        return Finding(
            report.REFUTED,
            "one slip away from an identity",
            values_of(verdict),
            right,
            used=self.rests_on(s, system),
            proof=verdict,
            system=system,
        )

    def _alone(self, averaged: set[str], s: Statement) -> bool:
        """Each average is of one thing, so that what is independent makes nothing else of it."""
        indexed = {b.name for side in (s.lhs, s.rhs) for b in side.atoms(sp.IndexedBase)}
        return not averaged & indexed and all(len(self.moments[n]) == 1 for n in averaged)

    def _turned(self, s: Statement) -> Statement | None:
        """0 = E for E = 0, and so of another number; None for any other equation."""
        parts, relations = sides(s.latex)
        number = s.rhs is not None and s.rhs.is_number and (s.rhs == 0 or not s.name)
        if not number or len(parts) != 2:
            return None
        return replace(s, lhs=s.rhs, rhs=s.lhs, latex=f"{parts[1]} {relations[0]} {parts[0]}")

    def _asked_for(self, s: Statement) -> bool:
        """Its sentence speaks of an equation, or of where it holds: it has the solutions ...."""
        end = self.outline.position(s.line, s.column) + len(s.whole)
        behind = STOP.split(self.outline.text[end : end + 100])[0]
        words = f"{self.outline.sentence(s.line, s.column)} {behind}"
        return _EQUATION.search(words) is not None

    def _given_twice(self, name: str, s: Statement) -> bool:
        """Several equations say what a name is, and a statement may be true with one of them.

        It is not where they are proved to agree, or the sides have two values with each of them.
        """
        said = self.versions.stated.get(name, [])[1:]
        try:
            loose = (t for t in said if self.prove(t, self.versions.system(t)).status != "proved")
            return not all(self._differs_with(s, t) for t in loose)
        except SymattnError:
            return True

    def _differs_with(self, s: Statement, other: Statement) -> bool:
        """The sides have two values, too, where another equation says what its name is."""
        made = self.versions.made_by(other) if other is not s else None
        systems = [*self.versions.with_version(s, made)] if made is not None else []
        return bool(systems) and not any(self._agrees(s, system) for system in systems)

    def supposes(self, s: Statement, system: System) -> bool:
        """What the words before it suppose is in the system, or is no more than how many there are.

        Of names that are defined nothing can be asked: that they satisfy it is a claim.
        """
        outline, place = self.outline, (s.line, s.column)
        at = told_by_itself(s, system, self.versions)
        if not outline.condition(*place, at) or scenes.sets(s, system, self.versions):
            return True
        if not outline.condition(*place, COUNTED):
            return not any(x.is_integer for e in (s.lhs, s.rhs) for x in _bare(e).free_symbols)
        about = names(s.lhs)
        made = (bool(about) and about <= {*system.definitions}) or derives(s, system)
        if made and not outline.condition(*place, ASKED):
            return True
        below = closure(names(s.lhs) | names(s.rhs), system)  # what else is defined is no matter
        known = {
            re.sub(r"\s", "", v.latex)
            for versions in self.versions.table.values()
            for v in versions
            if v.definition in tuple(system) or v.name not in below
        }
        supposed = outline.supposed(*place) or [re.sub(r"\s", "", outline.case(*place))]
        return all(latex in known for latex in supposed)

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


def derives(s: Statement, system: System) -> bool:
    """It has derivatives, and all of what a formula defines: x(t) solves x'' + 2 c x' = 0."""
    tops = [p.args[0] for p in partials(s.lhs, s.rhs) if not p.args[0].atoms(Partial)]
    return bool(tops) and all(names(top) <= {*system.definitions} for top in tops)


def _bare(e: Any) -> Any:
    """The expression with a name for every component, so that no size of a tensor is left."""
    return e.xreplace({x: sp.Symbol(x.base.name) for x in e.atoms(sp.Indexed)})


def _shapes(s: Statement, system: System) -> str:
    """How large an I is that stands alone, and which blocks are transposes, for s to be proved."""
    for size, meant in (("", {}), *counts.units(s, system)):
        left, right, resized = changed(s, system, meant)
        there = replace(s, lhs=left, rhs=right)
        blocks = [(f"{one} is the transpose of {other}", (Way((turned,)),))
                  for one, other, turned in transposes(there, resized)]  # fmt: skip
        for block, ways in (("", ()), *blocks):
            conditions = [x for x in (size, block) if x]
            if conditions and proves(there, under(resized, ways)):
                return " and ".join(conditions)
    return ""


def _multiple(verdict: Verdict) -> bool:
    """left = c · right with a number c."""
    return any(re.fullmatch(r"left = -?\d+(?:/\d+)? · right", h) for h in verdict.hints)


def _never(s: Statement, verdict: Verdict, system: System) -> bool:
    """The left side is another number whatever its names are, det R = 0 of a rotation."""
    example = verdict.counterexample
    counts = isinstance(s.rhs, sp.Symbol) and s.rhs.is_integer  # how many there are
    if example is None or s.rhs is None or not (s.rhs.is_number or counts):
        return False
    value = sp.nsimplify(round(example.lhs, 9), rational=True)
    other = value == 0 if counts else value.q < 100 and value != s.rhs
    return bool(other) and proves(replace(s, rhs=value), system)


def _speaks(why: str) -> bool:
    """True for a doubt about a claim; the others say that nothing is claimed."""
    return not why.startswith((CONDITION, ONE_EXAMPLE)) and "states no equality" not in why


def _adds_unit(s: Statement, system: System) -> bool:
    """True where nothing defines I and it is a term, as in I - K H and K + σ² I."""
    exprs = [s.lhs, s.rhs, *(d.expr for d in system)]
    terms = (t for e in exprs for x in e.atoms(sp.Add) for t in x.args)
    factors = ({str(f) for f in sp.Mul.make_args(t)} for t in terms)
    alone = any("I" in f and not any(x[:1].isupper() for x in f - {"I"}) for f in factors)
    return alone and "I" not in system.definitions


def _each(s: Statement, verdict: Verdict) -> str:
    """The k of √(z_k x_k) = x_k √x_k, which may be meant of each k: with one k it is true."""
    if "\\sum" in s.whole:
        return ""
    summed = [
        {(v.name, str(v.upper + 1)) for t in side.atoms(sp.Sum) for v in t.variables}
        for side in (s.lhs, s.rhs)
    ]
    if summed[0] != summed[1]:
        return ""
    single = {h.removeprefix("both sides agree when ") for h in verdict.hints}
    own = (x for x in sorted(summed[0]) if x[0] in s.whole)  # no letter that the reader gives
    return next((x for x, size in own if f"{size} = 1" in single), "")


__all__ = ["Disputed"]
