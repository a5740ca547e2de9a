"""A text as a document: its displays parsed, its names told, its statements read, and built."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import sympy as sp

from ..syntax import for_all
from . import (
    abstract,
    acronyms,
    activations,
    adjoints,
    arguments,
    at_numbers,
    averages,
    blocked,
    called,
    called_later,
    coefficients,
    dependent,
    diagonal,
    energies,
    euler,
    evidence,
    examples,
    factored,
    families,
    foreach,
    gates,
    hanging,
    imaginary,
    instances,
    integrals,
    labels,
    lonely,
    means,
    members,
    normal,
    numbered,
    objectives,
    outcomes,
    partials,
    parts,
    predicted,
    primed,
    quadratic,
    ranges,
    rates,
    recursions,
    remainders,
    rewrite,
    said,
    sampled,
    scopes,
    sequences,
    series,
    spans,
    spatial,
    stacked,
    steps,
    summation,
    tabled,
    timed,
    traits,
    unapplied,
    variations,
)
from .applications import defined as is_given
from .applications import of_itself
from .build import DEFINING, build
from .builder import Builder
from .counted import begins, chosen, names_of
from .covariant import INDICES
from .left import head, is_shape
from .names import BLOCK, atoms, base_name, reached, unmarked
from .result import Document
from .retried import COMPONENT, PART, Retried, places
from .solved import squares
from .source import ReadError
from .split import Statement
from .summary import meanings
from .told import shown
from .tree import (
    Chain,
    Name,
    Node,
    Number,
    Scripted,
    is_equation,
    walk,
)
from .unrolled import Unrolled
from .usage import check_positions, context


@dataclass
class Assembly(Retried):
    """Everything that is known while a document is read."""

    def document(self) -> Document:
        """Read every display of the source."""
        for at, error in self.source.broken:
            self.refuse(at, self.source.spoilt.get(at, ""), error)
        if not self.strict:
            self.names.parts = {**parts.gather(self.source), **self.names.parts}
        for part in self.names.parts.values():
            self.names.stated.setdefault(part.whole, 2)
        if examples.prior(self.source.text):
            self.names.ranks.setdefault("pi", 0)
        self.names.number_pi = not examples.function(self.source.text)
        blocks = set() if self.strict else blocked.spoken(self.source.text)
        self.names.versions.bares |= blocked.wholes(blocks, self.source.text)
        found = self._parsed()
        if not self.strict:
            self._given(found)
        every = {*found, *self._spoken}
        sigma, self.names.said_sigma = activations.meaning(
            [s.tree for s in every], self.source.text
        )
        self.names.logistic = sigma == activations.LOGISTIC
        found = [s for s in found if not activations.names_it(s.tree)]
        self._spoken = [s for s in self._spoken if not activations.names_it(s.tree)]
        if not self.strict:
            self.stepwise = self._sequences({*found, *self._spoken})
            every = {*found, *self._spoken}
            self.spoken_of = [(s.tokens[0].at, s.latex, tuple(s.tokens)) for s in every]
            found = self._without_recursions(found)
        written = [*found, *self._spoken] if not self.strict else []
        if examples.circles((s.tree for s in written), self.source.normal):
            self.names.versions.renew("pi", 0)
            for s in written:
                s.tree = examples.number(s.tree)
                s.here = context(s.tree, self.names)
        if classes := hanging.letters(written, self.source.text):
            for s in written:
                s.tree = hanging.shown(s.tree, classes)
                s.here = context(s.tree, self.names)
        if signs := energies.functions(s.tree for s in written):
            for s in written:
                s.tree = energies.as_names(s.tree, signs)
                s.here = context(s.tree, self.names)
        self.names.parts = parts.laid(self.names.parts, [s.tree for s in found])
        found += self._diagonal({*found, *self._spoken}) if not self.strict else []
        found += self._called(found) if not self.strict else []
        found += self._defining(found)
        found = sorted([*found, *self._instances(found)], key=lambda s: s.tokens[0].at)
        if not self.strict:
            every = {*found, *self._spoken}
            for s in every:
                if (tree := labels.left_out(s.tree)) != s.tree:
                    s.tree, s.here = tree, context(tree, self.names)
            slopes = partials.gather(s.tree for s in every)
            self.names.varied = partials.numbers(s.tree for s in every) & INDICES
            for s in every if slopes or self.names.varied else ():
                s.tree = partials.written_out(s.tree, slopes)
                s.here = context(s.tree, self.names)
            moving = timed.gather((s.tree for s in every), self.source)
            for s in every if moving else ():
                s.tree = timed.bare(s.tree, moving)
                s.here = context(s.tree, self.names)
            if moving:
                self._spoken = [s for s in self._spoken if not timed.says_nothing(s.tree)]
                found = [s for s in found if not timed.says_nothing(s.tree)]
                every = {*found, *self._spoken}
            on = dependent.gather((s.tree for s in every), self.source, self.names.declared)
            for s in every if on else ():
                s.tree = dependent.written_out(s.tree, on)
                s.here = context(s.tree, self.names)
            by = primed.gather([s.tree for s in every], self.source.text)
            for s in every if by else ():
                s.tree = primed.written_out(s.tree, by)
                s.here = context(s.tree, self.names)
            for s in every:
                if (tree := chosen(s.tree)) is not s.tree:
                    s.tree, s.here = tree, context(tree, self.names)
            if euler.is_number((s.tree for s in every), self.source.text):
                for s in every:
                    if (tree := euler.raised(s.tree)) is not s.tree:
                        s.tree, s.here = tree, context(tree, self.names)
            sets = members.gather(s.tree for s in every)
            for s in every:
                tree = members.written_out(s.tree, sets)
                if tree is not s.tree:
                    s.tree, s.here = tree, context(tree, self.names)
            runs = acronyms.gather([s.tree for s in every], self.source)
            words = labels.words(s.tree for s in every)
            above = labels.policies(s.tree for s in every)
            plainly = labels.bracketed(s.tree for s in every)
            for s in every if runs | words | above | plainly else ():
                s.tree = labels.as_words(acronyms.as_names(s.tree, runs), words)
                s.tree = labels.as_policies(labels.in_brackets(s.tree, plainly), above)
                s.here = context(s.tree, self.names)
        if not self.strict:
            listed = list(dict.fromkeys([*found, *self._spoken]))
            for s in listed if averages.infer([s.tree for s in listed], self.names) else ():
                s.here = context(s.tree, self.names)
        self.found = found
        whole = [s.parsed or s.tree for s in {*found, *self._spoken}]
        self.stepping, self.numerical = foreach.stepping(whole), foreach.numbered(whole)
        self.names.heads = {
            _written(left) for s in {*found, *self._spoken} if (left := head(s.tree))
        }
        trees = rewrite.calligraphic([s.tree for s in found])
        spoken = [s.tree for s in self._spoken if s not in self.early]
        if sigma and not self.names.logistic:
            trees, spoken = ([activations.named(t, sigma) for t in row] for row in (trees, spoken))
        if not self.strict:
            both = rewrite.applied([*trees, *spoken])
            trees, spoken = both[: len(trees)], both[len(trees) :]
            trees = rewrite.traces(self.source, trees)
            trees = rewrite.solved(trees, {shown(head(t)) for t in (*trees, *spoken)} - {""})
            both = [*trees, *(s.tree for s in self._spoken)]
            self.tables = tabled.by_section(both, self.source.section)
            trees, spoken = [*map(self.tables, trees)], [*map(self.tables, spoken)]
            self.names.tied |= dict.fromkeys(self.tables.laws, tabled.LAWS)
            self.instances = instances.gather(
                trees,
                spoken,
                self.source,
                self.names.logistic,
                normal.functions(self.source),
            )
            opened = [*map(self.instances, trees)]
            for s, tree, inside in zip(found, trees, opened, strict=True):
                s.called = tree if inside is not tree else None
                s.value = instances.is_value(tree, inside)
            trees, spoken = opened, [*map(self.instances, spoken)]
            self.numbered = numbered.gather([*trees, *spoken])
            trees = [numbered.put_in(t, self.numbered) for t in trees]
            self.rows = series.gather([*trees, *(s.tree for s in self._spoken)])
            trees = [series.written_out(t, self.rows) for t in trees]
            both = rates.dotted([*trees, *spoken])
            trees, spoken = both[: len(trees)], both[len(trees) :]
            self.varies = variations.said([*trees, *spoken], self.source)
            if self.varies:
                trees, spoken = [*map(variations.marked, trees)], [*map(variations.marked, spoken)]
        arguments.gather([*trees, *spoken], self.names)
        applied = {} if self.strict else unapplied.heads([*trees, *spoken], self.source.displays)
        applied = {n: hs for n, hs in applied.items() if n not in self.names.arguments}
        for s, tree in zip(found, trees, strict=True):
            tree = unapplied.written(tree, applied, self.source.displays)
            tree = arguments.without(tree, self.names)
            if tree is not s.tree:
                s.tree, s.here = tree, context(tree, self.names)
        found = self._varied(found, spoken)
        if not self.strict:
            gates.gather([*self._plain(found), *self._plain(self._spoken)], self.names)
            for s in {*found, *self._spoken} if self.names.labelled else ():
                s.here = context(s.tree, self.names)
            pairs = [*self._plain(found), *self._plain(self._spoken)]
            imaginary.gather(pairs, self.source, self.names)
            for s in {*found, *self._spoken} if self.names.imaginary else ():
                said = imaginary.squared(s.tree)
                s.reason = s.reason and said is None  # i² = −1 is no condition
                tree = said or imaginary.opened(s.tree, self.names.imaginary)
                if tree is not s.tree:
                    s.tree, s.here = tree, context(tree, self.names)
            self.names.squares = squares(tree for tree, _ in pairs)
        for s in found:
            tree = adjoints.written_out(s.tree, self.adjoints)
            if tree is not s.tree:
                s.tree, s.here = tree, context(tree, self.names)
        if not self.strict:
            found = self._lawful(found)
        for s in found:
            if is_equation(s.tree):
                with suppress(ReadError):
                    self._averaged(s)
        if not self.strict:
            self.varied = {x for s in found for x in evidence.varied(s.tree)}
            self.names.objectives = objectives.gather(
                (s.tree for s in {*found, *self._spoken}), self.names
            )
            self.names.stated |= dict.fromkeys(sorted(self.names.objectives), 0)
            rows = stacked.gather(s.tree for s in {*found, *self._spoken})
            forms = quadratic.numbers(s.tree for s in {*found, *self._spoken})
            self.names.stated = {**dict.fromkeys(sorted(forms), 0), **self.names.stated}
            self.names.stated = {**rows, **self.names.stated}
            self.names.layouts.told(self.source.text)
            told = self.conventions.implicit
            self.names.implicit = (
                told
                if told is not None
                else summation.implicit([*self._plain(found), *self._plain(self._spoken)])
            )
            self._said([s.here for s in found])
            self._mirrored(found)
            for s in found:  # p_μ p^μ: the second with its index raised
                with suppress(ReadError):
                    check_positions(s.tree, self.names, s.here)
            pairs = self._plain(found)
            evidence.styles(pairs, self.names, blocked.gather(pairs, self.names, blocks))
            evidence.several(self._plain(found), self.names)
            general = [s for s in found if not is_shape(s.tree) and not examples.is_example(s.tree)]
            scopes.apart(places(general), self.names)
        if self.conventions.origin is None:
            trees = [s.tree for s in found]
            self.conventions.origin = evidence.origin(trees, self.strict)
        if self.conventions.origin is None and self.counted:
            self.conventions.origin = 1  # n_1, n_2 and n_3 are all that n ∈ ℝ³ has
        if self.means:
            taken = self.names.declared | self.names.indexed | self.names.scalars
            counted = means.counts([s.tree for s in found], taken)
            for s in found if counted else ():
                s.tree = means.limited(s.tree, counted)
            self.names.assumed |= dict.fromkeys(counted, means.WHY)
            self.means = bool(counted)
        self._told(found)
        if not self.strict:
            self._examples(found)
        self._each([s for s in found if not s.inline], self._collected)
        self._each([s for s in found if s.inline], self._collected)
        if not self.strict:
            families.gather(self._plain(found), self.names)
            self._fitted(found)
        late = [s for s in found if s.tokens[0].at in self.source.late]
        first = found if self.strict else called_later.in_order(found, self.source)
        read = self._each([s for s in first if s not in {*self.failed, *late}], self._read)
        if not self.strict:
            self._outgrown(read)
        if self.failed and not self.strict:
            self._again([s for s in read if s not in self.failed])
            self._otherwise()
        self._sentences(late)
        if not self.strict:
            self._shortened()
        for s, error in self.failed.items():
            if s.latex or not s.instance:  # of which the author wrote nothing
                self.refuse(s.tokens[0].at, s.latex, error)
        self.links.sort(key=lambda link: link.at)
        return self._built()

    def _varied(self, found: list[Statement], spoken: list[Node]) -> list[Statement]:
        """The statements with dA as a name of its own."""
        sizes = {x for s in self.sizes.slots.values() if s.value for x in map(str, s.value.atoms())}
        known = {"d"} & (self.names.declared | sizes | self.sizes.names)
        every = [*found, *self._spoken]
        number = bool(known) or any(rewrite.counts(s.tree) for s in every)
        trees = [*(s.tree for s in found), *spoken]
        joined = []
        for tree in trees:
            with suppress(ReadError):  # which is refused below
                joined.append(rewrite.differentials(self.source, tree, False))
        self.adjoints = adjoints.gather(joined, self.names)
        named = [s.tree for s in found if rewrite.names_differential(self.source, s.tree)]
        apart = rewrite.upright(trees) and not rewrite.slanted(named)  # \mathrm{d}A, and d a size
        if not self.strict and (named or self.varies) and not apart:
            number = False  # dK = … defines no product
        if self.adjoints is not None and self.adjoints.kind == "d":
            number = False  # dO is the gradient by O, and d a size beside it
        elif self.varies and not variations.OTHER.search(self.source.text):
            numbers, sure = variations.of_numbers(joined, self.source)
            guessed = frozenset[str]() if sure else frozenset(numbers)
            self.names.numbers |= numbers
            self.names.varying = variations.gather(joined, adjoints.losses(joined), guessed)
            self.names.stated = {**variations.ranks(joined), **self.names.stated}
        self.number_d = number
        calm = not (self.strict or self.adjoints is not None or self.varies or named)
        self.coefficient_d = calm and coefficients.is_coefficient(trees)
        return [s for s in found if self._differentials(s)]

    def _where(self) -> dict[tuple[int, int], str]:
        """Under what equations are meant, between differentials and against the words."""
        where = self.names.varying.where if self.names.varying is not None else {}
        where = self.names.where | where
        return {self.source.place(at): why for at, why in where.items()}

    def _differentials(self, s: Statement) -> bool:
        """Give a statement dA as a name of its own; False where it may be d times A as well."""
        try:
            tree = None
            if self.coefficient_d:
                joined = rewrite.differentials(self.source, s.tree, False)
                mixed = coefficients.mixed(joined)
                tree = rewrite.differentials(self.source, s.tree, True, mixed) if mixed else None
            tree = tree or rewrite.differentials(self.source, s.tree, self.number_d)
        except ReadError as error:
            self.refuse(s.tokens[0].at, s.latex, error)
            return False
        if not self.strict:
            tree = integrals.joined(tree)
        if self.names.varying is not None:
            tree = variations.written_out(tree, self.names.varying)
        linear = self.names.varying is not None and variations.linear(tree)
        for n in walk(tree) if tree is not s.tree and not linear else ():
            taken = self.adjoints is not None and self.adjoints.of(n) is not None
            if isinstance(n, Name) and n.style.startswith("differential") and not taken:
                self.names.tied.setdefault(n.text, "a differential")
        if tree is not s.tree:
            s.tree, s.here = tree, context(tree, self.names)
        return True

    def _given(self, found: Iterable[Statement]) -> None:
        """Leave out the one thing that all averages of the text are given."""
        every = {*found, *self._spoken}
        known = averages.condition(s.tree for s in every)
        if known is None:
            return
        plainly = partial(averages.unconditioned, name=known.text)
        self.source.unconditioned = plainly
        self.source.memory.clear()
        for s in every:
            s.tree, s.parsed = plainly(s.tree), plainly(s.parsed)
            s.here = context(s.tree, self.names)

    def _parsed(self) -> list[Statement]:
        found = []
        for here in self.displayed():
            for s in [s for s in here if is_shape(s.tree)]:
                others = [o.here for o in here if not is_shape(o.tree)]
                try:
                    self._shape(s, others)
                except ReadError as error:
                    if self.strict:
                        raise
                    self._shaped_anew(s, error)
                    here.remove(s)
            found += here
        return found

    def _slots(self, every: list[Statement], same: Iterable[set[str]]) -> dict[str, int]:
        """The axes of what one thing is called at several steps, where it has indices at one."""
        slots: dict[str, int] = {}
        for s in every:
            for leaf in evidence.leaves(s.tree):
                found = evidence.name_of(leaf, self.names, s.here)
                if found is not None and found.slots:
                    slots[found.name] = max(len(found.slots), slots.get(found.name, 0))
        axes = (({*map(slots.get, names & slots.keys())}, names) for names in same)
        return {n: r for several, names in axes if len(several) == 1
                for r in several if r is not None for n in sorted(names)}  # fmt: skip

    def _diagonal(self, every: Iterable[Statement]) -> list[Statement]:
        """What words say is on the diagonal of matrices, where no equation does."""
        every = sorted(every, key=lambda s: s.tokens[0].at)
        factors = factored.gather((s.tree for s in every), self.source.text)
        for name, trait in factors.traits.items():
            self.names.traits.setdefault(name, set()).add(trait)
        alike = [*factored.alike(every, factors)]
        self.equated |= {self.source.place(tree.at) for tree, _ in alike}
        said = {
            name: diagonal.Said(name, name if len(name) == 1 else f"\\{name}", None, one.at)
            for name, one in factors.diagonal.items()
        } | diagonal.gather(self.source)
        self.names.diagonal |= said.keys()
        for s in every if said else ():
            tree = diagonal.whole(s.tree, said)
            if tree is not s.tree:
                s.tree, s.here = tree, context(tree, self.names)
        heads = [h for s in every if (h := head(s.tree)) is not None and not evidence.is_top(h)]
        free = {n: one for n, one in said.items() if n not in {*map(shown, heads)}}
        return [
            Statement(tree, own, "", context(tree, self.names), fact=True, instance=True)
            for tree, own in (*diagonal.entries(self.source, free), *alike)
        ]

    def _called(self, found: Sequence[Statement]) -> list[Statement]:
        """What words call the side of a display."""
        heads = {shown(head(s.tree)) for s in found}
        return [
            Statement(tree, own, "", context(tree, self.names), fact=True, instance=True)
            for tree, own in called.gather(self.source, found)
            if shown(head(tree)) not in heads
        ]

    def _instances(self, found: list[Statement]) -> list[Statement]:
        """What equations say of other steps, and of the samples, that others speak of."""
        every = [*{*found, *self._spoken}]
        every.sort(key=lambda s: s.tokens[0].at)
        trees = [s.tree for s in every]
        steps_, section = self.source.steps, self.source.section_end
        told = recursions.instances(trees if steps_ else [], steps_, section)
        self.names.tied |= dict.fromkeys(told.open, recursions.ELSEWHEN)
        self.alike, self.driven = [*told.same.values()], told.driven
        self.names.stated |= told.axes(self.source.before) | self._slots(every, told.same.values())
        if isinstance(self.source.unrolled, Unrolled):
            own = self.source.unrolled.axes(self.source.before)
            for name, rank in own.items():  # at every step
                group = next((g for g in self.alike if name in g), {name})
                self.names.stated |= dict.fromkeys(sorted({*group, name}), rank)
        samples = predicted.Predicted() if self.strict else predicted.gather(trees)
        self.names.versions.scalars |= {base_name(n) or "" for n in samples.numbers}
        given = [*told.given.items(), *((k, [tree]) for k, tree in samples.given.items())]
        return [
            replace(
                every[k],
                tree=tree,
                latex="",
                here=context(tree, self.names),
                fact=True,
                instance=True,
            )
            for k, trees in given
            for tree in trees
        ]

    def _sentences(self, late: list[Statement]) -> None:
        """Read the equations that stand in sentences; what displays say comes before them."""
        found = [s for s in self._spoken if s not in self.early]
        for s in found:
            own = self.tables(s.tree)
            tree = self.instances(own)
            s.value = instances.is_value(own, tree)
            tree = numbered.put_in(tree, self.numbered)
            tree = series.written_out(tree, self.rows)
            tree = variations.marked(tree) if self.varies else tree
            s.tree = arguments.without(tree, self.names)
        found = [s for s in found if self._differentials(s)]
        for s in found:
            tree = s.tree
            s.tree = adjoints.written_out(tree, self.adjoints)
            s.here = context(s.tree, self.names)
        ranks = self.names.ranks
        self.names.numbers |= {n for n in self.names.mentioned if not ranks.get(n)}
        plainly = dict.fromkeys(self.names.bare - ranks.keys(), 0)  # numbers in displays
        self._told(found)

        def told(s: Statement) -> bool:
            known = dict(ranks)
            self.failed.pop(s, None)
            self.shown = {**plainly, **known}
            if self._each(self._each([s], self._collected), self._read):
                return True
            ranks.clear()
            ranks.update(known)
            return False

        last = [s for s in found if s.tokens[0].at in self.source.late]
        open_ = [s for s in found if s not in last]
        read = -1
        while read:  # of a D that D_i = … behind it says
            before, open_ = open_, [s for s in open_ if self._waits(s) or not told(s)]
            read = len(before) - len(open_)
        open_ = [s for s in open_ if s in self.failed or not told(s)]
        for s in open_:
            self._with_others(s, {})
        self._squared()
        if not self.source.late:
            inside = reached(self.names.inverses.values(), self.uses) - {*self.names.inverses}
            self.lonely = lonely.formulas(self.sizes, self.links, inside)
            return
        self.sizes.close()
        self.shown = dict(ranks)
        self._each(late, self._read)
        self._otherwise()
        for s in late:
            own = scopes.written(s.tree, s.here, self.names)
            if s in self.failed and not own.values() & self.uses.keys():  # of square matrices
                self._with(s, dict.fromkeys(own), {})
        for s in last:
            told(s)

    def _squared(self) -> None:
        """What is called symmetric, or orthogonal, is square; a rate has the axes of its name."""
        orthogonal = {n for n, said in self.names.traits.items() if "orthogonal" in said}
        for name in sorted(self.names.symmetric | self.names.definite | orthogonal):
            one, two = ((name, k) for k in (0, 1))
            if one in self.sizes.slots and two in self.sizes.slots:
                with suppress(ReadError):  # said beside the declaration of the tensor
                    row, col = self.sizes.slots[one], self.sizes.slots[two]
                    self.sizes.unite(row, col, row.at, f"both axes of {name}")
        for name, k in sorted(self.sizes.slots):
            stem, order = unmarked(name)
            alike = self.names.ranks.get(stem) == self.names.ranks.get(name)
            if order and alike and "'" not in name and (stem, k) in self.sizes.slots:
                with suppress(ReadError):  # A and dA/dt
                    own, rate = self.sizes.slots[stem, k], self.sizes.slots[name, k]
                    self.sizes.unite(own, rate, rate.at, f"the axes of {stem} and its rate")

    def _waits(self, s: Statement) -> bool:
        """y = S x, of which another sentence has x_k, and none that was read: x is no number."""
        own = (evidence.unindexed(n, self.names, s.here) for n in evidence.leaves(s.tree))
        return any(x in self.names.indexed and x not in self.names.ranks for x in own)

    @property
    def unread(self) -> list[Statement]:
        """The statements that could not be read with names as they are elsewhere."""
        return [s for s in self.every if s in self.failed or s in self.patched]

    @property
    def patches(self) -> tuple[int, int]:
        """How much could not be read, and how many names had to be taken for other ones."""
        return len(self.refused), len(self.patched) + len(self.names.versions.table)

    def _defining(self, displays: list[Statement]) -> list[Statement]:
        """The equations of sentences that define what displays use and do not define.

        So does δ = ∂L/∂z: what displays say of δ is a claim then.
        """
        plainly = (s.tree for s in displays if not steps.goes_on(s.tree) and not of_itself(s.tree))
        said = {shown(head(s.tree)): s.tokens[0].at for s in self._spoken if not _is_value(s.tree)}
        defined = {
            name
            for tree in plainly
            if (name := shown(head(tree, taken=True))) not in said
            or not (_is_value(tree) and said[name] < tree.at)  # at the minimum f = -3
        }
        defined -= {shown(head(s.tree)) for s in self._spoken if adjoints.says(s.tree)}
        shown_, said_ = (
            {shown(head(s.tree)) for s in row if is_given(s.tree)}
            for row in (displays, self._spoken)
        )
        defined -= shown_ & said_  # f(x) = … of one example, and of another
        new = displays
        while new:  # what they are made of too
            named = {base_name(n) or "" for s in new for n in walk(s.tree)}
            wanted = (named | {n.rstrip("'") for n in named}) - defined - {""}
            others = [s for s in self._spoken if s not in self.early]
            new = [s for s in others if shown(head(s.tree)) in wanted]
            self.early |= {*new}
        return [s for s in self._spoken if s in self.early]

    def _sequences(
        self, found: Iterable[Statement]
    ) -> dict[tuple[int, int], sequences.Claim | sequences.Rule]:
        before = len(self.refused)
        sure = (v for v in self.source.values if v.start not in self.source.supposed)
        values = [s for v in sure for s in self.spoken(v)]  # with $m_0 = 0$
        numbers = [
            (v.start, v.end, self.source.parsed.get(tuple(s.tokens)))
            for v in self.source.values
            for s in self.spoken(v)
        ]
        del self.refused[before:]

        def chains(several: Iterable[Statement]) -> list[Chain]:
            parsed = (self.source.parsed.get(tuple(s.tokens)) for s in several)
            return [t for t in parsed if isinstance(t, Chain)]

        displays, inline = (chains(s for s in found if s.inline == kind) for kind in (False, True))
        whole = set[str]() if self.strict else remainders.names(self.source)
        inline = [t for t in inline if begins(t.sides[0]) or any(map(names_of, t.sides[1:]))
                  or whole & names_of(t)]  # fmt: skip
        begun = [t for t in chains(values) if begins(t.sides[0])]  # and q = 1/2 is an example
        every = {t.at: t for t in (*displays, *inline, *begun)}
        plain = [every[at] for at in sorted(every)]
        said = at_numbers.said(numbers, self.source.text)
        claims, rules = sequences.gather(plain, self.source.section_end, said, whole)
        place = self.source.place
        lines = {at: replace(c, places=tuple(place(x)[0] for x in c.places))
                 for at, c in claims.items()}  # fmt: skip
        return {place(at): one for at, one in (*rules.items(), *lines.items())}

    def _outcomes(self) -> dict[tuple[int, int], outcomes.Claim]:
        every = ((at, x, self.source.parsed.get(tokens)) for at, x, tokens in self.spoken_of)
        plain = sorted(
            ((at, x, t) for at, x, t in every if isinstance(t, Chain)), key=lambda p: p[:2]
        )
        claims = outcomes.gather(
            plain,
            self.source.text,
            self.source.section,
            self.names.constants,
            self.names.random,
        )
        return outcomes.numbered(claims, self.source.place)

    def _spatial(self) -> dict[tuple[int, int], spatial.Claim]:
        every = ((at, self.source.parsed.get(tokens)) for at, _, tokens in self.spoken_of)
        plain = sorted(((at, t) for at, t in every if t is not None), key=lambda p: p[0])
        found = spatial.gather(plain, self.source.text, self.names.mirrored, self.source.spatial)
        return {self.source.place(at): claim for at, claim in found.items()}

    def _without_recursions(self, found: list[Statement]) -> list[Statement]:
        """The statements but S_t = S_{t-1} + u_t v_t^⊤, where what S_t is stands there outright."""
        apart = self.source.apart
        for s in found:
            if s.tree.at in apart:
                said = self.source.fail(s.tree.at, "a recursion")
                self.refuse(s.tokens[0].at, s.latex, said)
        self._spoken[:] = [s for s in self._spoken if s.tree.at not in apart]
        return [s for s in found if s.tree.at not in apart]

    def _built(self) -> Document:
        self.names.positive -= {x for x in self.bounded if self.names.ranks.get(x) == 2}  # R > 0
        self.sizes.taken |= self.names.versions.written | self.names.ranks.keys()
        if not self.strict:
            self.sizes.tensors = {n for n, r in self.names.ranks.items() if r} | self.uses.keys()
        shapes = said.shapes(self.source, self.names, [])
        said.fit(shapes, self.names, self.sizes, self.uses.keys())
        self._squared()
        if not self.strict:
            trees = [s.tree for s in {*self.found, *self._spoken}]
            parameters = {x for tree in trees for x in spans.unlike_sizes(tree)}
            spans.count(self.source, self.names, self.sizes, self.uses.keys() | parameters)
            self.sizes.settle()
            self.links += abstract.losses(self.names, self.uses)
            for name in self.driven:  # a vector that may be any, a^{l-1} for some W^{l-1}
                if self.names.ranks.get(name) == 1:
                    self.names.tied.pop(name, None)
        made = [(k.name, k.rhs) for k in self.links if k.kind in DEFINING]
        self.names.ranges = ranges.derived(made, self.names.ranges)
        builder = Builder(self.sizes, {}, self.names)
        definitions, equations = build(self.source, self.links, self.uses, builder, self.refuse)
        if (
            self.strict
            and all(q.kind == "expression" for q in equations)
            and (self.source.bare or not equations)
        ):
            raise self.source.fail(
                0,
                "there is no equation in this text",
                expected="display formulas: $$ … $$, \\[ … \\], equation, align",
                mend="write $$ S^{ij} = Q^{ia} K^{ja} $$",
            )
        grids = self.names.grids.keys()
        wholes = {
            re.sub(r"_\d$", "", n) for n, d in definitions.items() if not _names(d.expr) & grids
        }
        for name in self.names.ranks.keys() | self.names.bare:
            stem, _, number = name.rpartition("_")
            axes, own = (self.names.ranks.get(x, 0) for x in (stem, name))
            known = name in definitions or name in self.source.called
            if number.isdigit() and own < axes and not known:  # not W_0 beside W
                self.names.tied.setdefault(name, f"{COMPONENT}{stem}, or another name")
            block = BLOCK.fullmatch(name)
            if block and block[1] in wholes and not known:  # the Λ_ab of Λ = Σ⁻¹
                self.names.tied.setdefault(name, f"{PART}{block[1]}")
        refused = [r for _, r in sorted(self.refused, key=lambda pair: pair[0])]
        facts = traits.facts(self.names, builder)
        definitions |= {d.name: d for d in sampled.definitions(self.names, builder)}
        taken = [q for q in equations if q.kind == "fact" and not (q.inline and q.latex)]
        facts += [for_all(q.lhs, q.rhs, q.indices) for q in taken]
        return Document(
            *definitions.values(),
            facts=facts,
            equations=[q for q in equations if q not in taken],
            refused=refused,
            unresolved={
                n: w
                for n, w in {**self.names.tied, **self.sizes.open}.items()
                if n not in definitions
            },
            assumed={
                **self.names.assumed,
                **self.source.guessed,
                **({} if self.names.said_sigma else {activations.SHOWN: activations.CONVENTION}),
            },
            wanted=self.names.wanted,
            values=[
                (*self.source.place(v.start), self.source.text[v.start : v.end].strip())
                for v in self.source.values
            ],
            origin=self.conventions.origin or 0,
            parts={n: (p.kind, p.whole) for n, p in self.names.parts.items()},
            moments={n: drawn for n, (_, drawn) in self.names.moments.items()},
            integrals=integrals.built(self.names.integrals, builder),
            grids={
                name: tuple(tuple(map(builder.cell, row)) for row in rows)
                for name, rows in self.names.grids.items()
            },
            implicit=self.names.implicit,
            symmetric=self.names.mirrored,
            weakly=self.names.weakly,
            ranges=self.names.ranges,
            jacobians={n: n in self.names.layouts.open for n in self.names.layouts.used},
            where=self._where(),
            sequences=self.stepwise,
            outcomes=self._outcomes(),
            spatial=self._spatial(),
            premises={
                self.source.place(s.tokens[0].at): " and ".join(p.latex for p in s.premises)
                for s in self.every
                if s.premises
            },
            namings=map(self.source.place, self.source.namings),
            limited={self.source.place(s.tokens[0].at): s.limit for s in self.every if s.limit},
            loose={self.source.place(at): (*sorted(x),) for at, x in self.names.loose.items()},
            parameters=self.names.parameters,
            sets=self.names.sets,
            equated=self.equated,
            gradients=(self.adjoints.mark, self.adjoints.loss.text) if self.adjoints else None,
            meanings=meanings(self.names, self.sizes, definitions, self.source.guessed),
        )


def _names(expr: Any) -> set[str]:
    return {str(getattr(x, "label", x)) for x in expr.atoms(sp.Symbol, sp.IndexedBase)}


def _is_value(tree: Node) -> bool:
    """f = -3, which says what f is somewhere."""
    return isinstance(tree, Chain) and not any(map(names_of, tree.sides[1:]))


def _written(node: Node) -> str:
    """V, V_c and V_0 as they are called."""
    below = node.scripts if isinstance(node, Scripted) else ()
    labels = (a.text for _, s in below for a in atoms(s) if isinstance(a, Name | Number))
    return "_".join([shown(node), *labels])


__all__ = ["Assembly"]
