"""A text as a document: its displays parsed, its names told, its statements read, and built."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

from ..errors import SymattnError
from ..syntax import for_all
from . import (
    abstract,
    acronyms,
    adjoints,
    arguments,
    averages,
    closed_forms,
    conventions,
    distributed,
    energies,
    evidence,
    examples,
    families,
    foreach,
    gates,
    imaginary,
    instances,
    integrals,
    labels,
    lonely,
    means,
    parts,
    positive,
    recursions,
    rewrite,
    said,
    scopes,
    series,
    spans,
    steps,
    summation,
    traits,
    unapplied,
    variations,
)
from .applications import of_itself
from .build import DEFINING, Link, build
from .builder import Builder
from .displays import Displays
from .instances import Functions
from .left import alone, head, is_shape, mirrored, redefine
from .names import Context, atoms, base_name, reached, stem
from .outgrown import outgrown
from .result import Document
from .scripts import component
from .solved import squares
from .source import UNFORESEEN, ReadError, placed
from .split import Statement
from .summary import meanings
from .tree import (
    Chain,
    Name,
    Node,
    Number,
    Scripted,
    base_of,
    is_equation,
    walk,
)
from .usage import check_positions, collect, context
from .words import UNSAID

MISFIT = re.compile(  # errors of a name that is another tensor elsewhere
    r"two sizes|different shapes|has \S+ axes|(?:has|takes) (?:no|one|\d+) ind|without indices"
    r"|stands? beside|not known|vector|matrix"
)
MOST_SIDES = 6  # of a chain from which sides are left out
SIZES = re.compile(r"(?:contracted axis|ax[ie]s of \S+ \S+|axis \d+ of \S+) has two sizes")


@dataclass
class Assembly(Displays):
    """Everything that is known while a document is read."""

    found: list[Statement] = field(default_factory=list)
    failed: dict[Statement, ReadError] = field(default_factory=dict)
    lonely: dict[int, str] = field(default_factory=dict)  # what alone makes a matrix square
    patched: set[Statement] = field(default_factory=set)  # read with names of their own
    early: set[Statement] = field(default_factory=set)  # sentences that define what displays use
    varied: set[str] = field(default_factory=set)  # names that are differentiated by
    shown: dict[str, int] = field(default_factory=dict)  # ranks that displays settle
    bounded: set[str] = field(default_factory=set)  # names that sentences say are positive
    adjoints: adjoints.Notation | None = None
    number_d: bool = True  # d is a number in this text
    varies: bool = False  # dX is the differential of X
    instances: Functions = field(default_factory=Functions)
    rows: dict[str, series.Row] = field(default_factory=dict)
    alike: list[set[str]] = field(default_factory=list)  # names of one thing at several steps
    driven: set[str] = field(default_factory=set)  # what every step puts something new in
    closed: dict[tuple[int, int], closed_forms.ClosedForm] = field(default_factory=dict)
    means: bool = False  # 1/d before Σ_i says how many values i has

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
        found = self._parsed()
        if not self.strict:
            self.closed = self._closed_forms({*found, *self._spoken})
        written = [*found, *self._spoken] if not self.strict else []
        if signs := energies.functions(s.tree for s in written):
            for s in written:
                s.tree = energies.as_names(s.tree, signs)
                s.here = context(s.tree, self.names)
        self.names.parts = parts.laid(self.names.parts, [s.tree for s in found])
        found += self._defining(found)
        found = sorted([*found, *self._at_other_steps(found)], key=lambda s: s.tokens[0].at)
        if not self.strict:
            every = {*found, *self._spoken}
            runs = acronyms.gather([s.tree for s in every], self.source)
            words = labels.words(s.tree for s in every)
            above = labels.policies(s.tree for s in every)
            for s in every if runs | words | above else ():
                s.tree = labels.as_words(acronyms.as_names(s.tree, runs), words)
                s.tree = labels.as_policies(s.tree, above)
                s.here = context(s.tree, self.names)
        if not self.strict:
            listed = list(dict.fromkeys([*found, *self._spoken]))
            for s in listed if averages.infer([s.tree for s in listed], self.names) else ():
                s.here = context(s.tree, self.names)
        self.found = found
        self.stepping = foreach.stepping(s.parsed or s.tree for s in {*found, *self._spoken})
        self.names.heads = {
            _written(left) for s in {*found, *self._spoken} if (left := head(s.tree))
        }
        trees = rewrite.calligraphic([s.tree for s in found])
        spoken = [s.tree for s in self._spoken if s not in self.early]
        if not self.strict:
            both = rewrite.applied([*trees, *spoken])
            trees, spoken = both[: len(trees)], both[len(trees) :]
            trees = rewrite.traces(self.source, trees)
            trees = rewrite.solved(trees, {_shown(head(t)) for t in (*trees, *spoken)} - {""})
            self.instances = instances.gather(trees, spoken, self.source.text)
            trees, spoken = [*map(self.instances, trees)], [*map(self.instances, spoken)]
            self.rows = series.gather([*trees, *(s.tree for s in self._spoken)])
            trees = [series.written_out(t, self.rows) for t in trees]
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
            evidence.styles(self._plain(found), self.names)
            evidence.several(self._plain(found), self.names)
            general = [s for s in found if not is_shape(s.tree) and not examples.is_example(s.tree)]
            scopes.apart(_places(general), self.names)
        if self.conventions.origin is None:
            trees = [s.tree for s in found]
            self.conventions.origin = evidence.origin(trees, self.strict)
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
        read = self._each([s for s in found if s not in {*self.failed, *late}], self._read)
        if not self.strict:
            self._outgrown(read)
        if self.failed and not self.strict:
            self._again([s for s in read if s not in self.failed])
            self._otherwise()
        self._sentences(late)
        if not self.strict:
            self._shortened()
        for s, error in self.failed.items():
            self.refuse(s.tokens[0].at, s.latex, error)
        self.links.sort(key=lambda link: link.at)
        return self._built()

    def _lawful(self, found: Iterable[Statement]) -> list[Statement]:
        """Enter how things are distributed; the statements that do not say so."""
        trees = [s.tree for s in {*found, *self._spoken}]
        self.names.averaged = {x for tree in trees for x in distributed.averaged(tree)}
        lefts = (base_name(stem(tree.sides[0])) for tree in trees if is_equation(tree))
        self.names.about = {x for x in lefts if x is not None}
        said = distributed.gather(self.source, self.names.about)
        self.names.laws, self.names.apart = said.laws, said.apart
        self.names.random |= self.names.laws.keys()
        self.names.parameters |= {x for law in self.names.laws.values() for x in law.names}
        deviations = {x for law in self.names.laws.values() for x in law.deviations}
        self.names.numbers |= deviations
        self.names.alone |= deviations  # and no functions: σ² (X^⊤ X)^{-1}
        for s in (laws := [s for s in {*found, *self._spoken} if s.tree.at in said.places]):
            self.links.append(Link("law", "=", None, None, (), "", s.tree.at, s.latex))
        self.early |= {s for s in self._spoken if s in laws}
        return [s for s in found if s not in laws]

    def _averaged(self, s: Statement) -> None:
        """Enter the name that an equation gives to an average."""
        mean = averages.named(s.tree.sides[0], self.names, s.here)  # type: ignore[attr-defined]
        if mean is not None:
            self.names.means.add(mean.name)
            self.names.use(mean.name, len(mean.slots), mean.at)

    def _fitted(self, found: list[Statement]) -> None:
        """Enter how long the words of the text say that axes are, before equations are read."""
        if self.conventions.origin == 1:
            pairs = [*self._plain(found), *self._plain(self._spoken)]
            self.names.counts = spans.counts(pairs, self.names.lengths)
        letters = {x for s in found for x in s.here.letters if s.here.has_index(x)}
        letters -= self.names.counts
        defined = {_shown(head(s.tree)) for s in found} | letters
        contexts = [s.here for s in found]
        said.fit(said.shapes(self.source, self.names, contexts), self.names, self.sizes, defined)

    def _told(self, found: Iterable[Statement]) -> None:
        """Enter what statements tell about names, and what is left to convention."""
        plain = self._plain(found)
        evidence.gather(plain, self.names)
        if not self.strict and self.failed.keys().isdisjoint(found):
            self._said([here for _, here in plain])
        conventions.assume(plain, self.names)

    def _plain(self, found: Iterable[Statement]) -> list[tuple[Node, Context]]:
        return [(s.tree, s.here) for s in found if not is_shape(s.tree)]

    def _each(
        self, found: Iterable[Statement], step: Callable[[Statement], None]
    ) -> list[Statement]:
        """The statements that a step takes; the errors of the others are noted."""
        taken = []
        for s in found:
            try:
                step(s)
                taken.append(s)
            except (SymattnError, *UNFORESEEN) as error:
                at = s.tokens[0].at
                self.failed[s] = placed(self.source, at, error)
                if self.strict:
                    raise self.failed[s] from None
        return taken

    def _collected(self, s: Statement) -> None:
        if not is_shape(s.tree):
            last = s.tokens[-1]
            redefine(s.tree, self.names, s.here, self._end(last))
            self.lefts |= alone(s.tree, self.names, s.here)
            collect(s.tree, self.names, s.here)
            check_positions(s.tree, self.names, s.here)

    def _examples(self, found: list[Statement]) -> None:
        """Names that a section gives to matrices of numbers are other tensors there."""
        numbers = [s for s in found if examples.is_example(s.tree)]
        before = [s for s in found if s not in numbers]
        scopes.local(_places(numbers), _places(before), self.names, ahead=True)

    def _outgrown(self, read: Iterable[Statement]) -> None:
        """Read again what took names for numbers that equations behind it gave axes."""
        for s in read:
            first, last = s.tokens[0].at, s.tokens[-1].at
            own = [k for k in self.links if first <= k.at <= last]
            name = next((n for k in own if (n := outgrown(k, self.names.ranks))), None)
            if name is None or is_shape(s.tree):
                continue
            self._unread(own)
            if not self._each([s], self._read):
                at, rank = s.tokens[0].at, self.names.ranks[name]
                self.failed[s] = self.names.clash(name, 0, rank, at)

    def _unread(self, links: Iterable[Link]) -> None:
        """Forget what links say."""
        gone = {id(link): link for link in links}
        for link in gone.values():
            if link.kind in DEFINING:
                self.uses.pop(link.name, None)
                self.functions.pop(link.name, None)
        self.links[:] = [k for k in self.links if id(k) not in gone]

    def _again(self, read: list[Statement]) -> None:
        """Read what failed in sections that give names to other tensors."""
        misfits = [s for s, error in self.failed.items() if MISFIT.search(error.problem)]
        regions = scopes.local(_places(misfits), _places(read), self.names)
        inside = [s for s in self.failed if any(a <= s.tokens[0].at < b for a, b in regions)]
        for s in inside:
            del self.failed[s]
        shapes = [s for s in inside if is_shape(s.tree)]
        self._each(shapes, lambda s: self._shape(s, []))
        self._told(inside)
        self._each(inside, self._collected)
        self._each([s for s in inside if s not in self.failed], self._read)

    def _otherwise(self) -> None:
        """Read what still fails with names that are other tensors in that statement.

        Parameters of a function come first, then names with other axes than elsewhere.
        """
        shared: dict[tuple[str, int], str] = {}
        for s, error in list(self.failed.items()):
            if is_shape(s.tree) or not MISFIT.search(error.problem):
                continue
            place = (s.tree, s.here, s.tokens[0].at)
            own = scopes.parameters(s.tree, s.here, self.names)
            others = scopes.differing(place, self.names)
            called = {n: shared.get((n, r)) for n, r in others.items()}
            tries = [dict.fromkeys(others.keys() & own), called, dict.fromkeys(others)]
            if SIZES.search(error.problem) and not self.names.versions.table:
                tries = tries[:1]
            again = {k: t for k, t in enumerate([{}, *tries]) if t or not k}  # O = P V before O_i
            any(self._with(s, t, shared if k > 1 else {}) for k, t in again.items())

    def _shortened(self) -> None:
        """Read a = b = c without the b that cannot be read, which is refused by itself."""
        for s, error in list(self.failed.items()):
            tree = s.tree
            if not isinstance(tree, Chain) or {r for r, _ in tree.relations} - {"="}:
                continue
            inner = range(1, min(len(tree.sides), MOST_SIDES))
            tries = (out for k in inner[:-1] for out in combinations(inner, k))
            out = next((x for x in tries if self._readable(s.without(x))), ())
            if not out:
                continue
            del self.failed[s]
            ends = [at for _, at in tree.relations[1:]] + [self._end(s.tokens[-1])]
            for k in out:
                at = tree.relations[k - 1][1]
                self.refuse(at, self.source.text[at : ends[k - 1]].strip(), error)

    def _readable(self, s: Statement) -> bool:
        """Read a statement; where that fails the ranks of names are as before."""
        ranks = dict(self.names.ranks)
        if self._each(self._each([s], self._collected), self._read):
            return True
        self.names.ranks.clear()
        self.names.ranks.update(ranks)
        del self.failed[s]
        return False

    def _with(
        self, s: Statement, local: dict[str, str | None], shared: dict[tuple[str, int], str]
    ) -> bool:
        """True where the statement can be read with these names as other tensors."""
        names, versions = self.names, self.names.versions
        ranks, error = dict(names.ranks), self.failed.pop(s)
        end = self._end(s.tokens[-1])
        called = {
            n: versions.local(n, min(t.at for t in s.tokens), end + 1, known or "")
            for n, known in local.items()
        }
        self._told([s])
        if self._each(self._each([s], self._collected), self._read):
            self.patched.add(s)
            for n, other in called.items():
                shared.setdefault((n, names.ranks.get(other, 0)), other)
                names.tied.setdefault(other, f"another {n} than elsewhere in the text")
            return True
        for n in local:
            versions.forget(n)
        names.ranks.clear()
        names.ranks.update(ranks)
        self.failed[s] = error
        return False

    def _read(self, s: Statement) -> None:
        """Read one statement in the layout of derivatives that its shapes ask for."""
        self.names.layouts.read(lambda: self._once(s), self.sizes, self.names.ranks)

    def _once(self, s: Statement) -> None:
        """Read one statement; what cannot be read leaves no trace."""
        mark, undo = len(self.links), self.sizes.mark()
        ranks, known = dict(self.names.ranks), dict(self.names.auxiliary)
        self.sizes.begin(s.tokens[0].at)
        try:
            if imaginary.is_sized(s.tree, self.names.imaginary):
                raise self.source.fail(
                    s.tokens[0].at,
                    "the size of a complex number",
                    expected="names of real numbers",
                    mend="write real and imaginary parts as equations of their own",
                )
            self._statement(s)
            self._auxiliary(s)
            for name, rank in self.shown.items():
                if self.names.ranks.get(name, rank) != rank:
                    raise self.names.clash(name, self.names.ranks[name], rank, s.tokens[0].at)
        except (SymattnError, *UNFORESEEN):
            self._unread(self.links[mark:])
            self.sizes.back(undo)
            self.names.auxiliary = known
            self.made.clear()
            self.names.ranks.clear()
            self.names.ranks.update(ranks)
            raise

    def _varied(self, found: list[Statement], spoken: list[Node]) -> list[Statement]:
        """The statements with dA as a name of its own."""
        sizes = {x for s in self.sizes.slots.values() if s.value for x in map(str, s.value.atoms())}
        known = {"d"} & (self.names.declared | sizes | self.sizes.names)
        number = bool(known) or any(rewrite.counts(s.tree) for s in found)
        trees = [*(s.tree for s in found), *spoken]
        joined = []
        for tree in trees:
            with suppress(ReadError):  # which is refused below
                joined.append(rewrite.differentials(self.source, tree, False))
        self.adjoints = adjoints.gather(joined, self.names)
        named = any(rewrite.names_differential(self.source, s.tree) for s in found)
        if not self.strict and (named or self.varies):
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
        return [s for s in found if self._differentials(s)]

    def _where(self) -> dict[tuple[int, int], str]:
        """Under what equations between differentials are meant."""
        where = self.names.varying.where if self.names.varying is not None else {}
        return {self.source.place(at): why for at, why in where.items()}

    def _differentials(self, s: Statement) -> bool:
        """Give a statement dA as a name of its own; False where it may be d times A as well."""
        try:
            tree = rewrite.differentials(self.source, s.tree, self.number_d)
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

    def _at_other_steps(self, found: list[Statement]) -> list[Statement]:
        """What equations between steps say of the steps that others speak of."""
        every = [*{*found, *self._spoken}] if self.source.steps else []
        every.sort(key=lambda s: s.tokens[0].at)
        steps_, section = self.source.steps, self.source.section_end
        told = recursions.instances([s.tree for s in every], steps_, section)
        self.names.tied |= dict.fromkeys(told.open, recursions.ELSEWHEN)
        self.alike, self.driven = [*told.same.values()], told.driven
        self.names.stated |= told.axes(self.source.before)
        return [
            replace(
                every[k],
                tree=tree,
                latex="",
                here=context(tree, self.names),
                fact=True,
                instance=True,
            )
            for k, trees in told.given.items()
            for tree in trees
        ]

    def _sentences(self, late: list[Statement]) -> None:
        """Read the equations that stand in sentences; what displays say comes before them."""
        found = [s for s in self._spoken if s not in self.early]
        for s in found:
            tree = series.written_out(self.instances(s.tree), self.rows)
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

        def told(s: Statement) -> None:
            known = dict(ranks)
            self.shown = {**plainly, **known}
            if not self._each(self._each([s], self._collected), self._read):
                ranks.clear()
                ranks.update(known)

        last = [s for s in found if s.tokens[0].at in self.source.late]
        for s in found:
            if s not in last:
                told(s)
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

    @property
    def every(self) -> list[Statement]:
        """All statements that were parsed, in order."""
        both = [*self.found, *(s for s in self._spoken if s not in self.early)]
        return sorted(both, key=lambda s: s.tokens[0].at)

    @property
    def unread(self) -> list[Statement]:
        """The statements that could not be read with names as they are elsewhere."""
        return [s for s in self.every if s in self.failed or s in self.patched]

    @property
    def patches(self) -> tuple[int, int]:
        """How much could not be read, and how many names had to be taken for other ones."""
        return len(self.refused), len(self.patched) + len(self.names.versions.table)

    @cached_property
    def _spoken(self) -> list[Statement]:
        """The equations that stand in sentences."""
        return [s for display in self.source.inline.values() for s in self.spoken(display)]

    def _defining(self, displays: list[Statement]) -> list[Statement]:
        """The equations of sentences that define what displays use and do not define."""
        plainly = (s.tree for s in displays if not steps.goes_on(s.tree) and not of_itself(s.tree))
        defined = {_shown(head(tree, taken=True)) for tree in plainly}
        new = displays
        while new:  # what they are made of too
            used = {(base_name(n) or "").rstrip("'") for s in new for n in walk(s.tree)}
            wanted = used - defined - {""}
            others = [s for s in self._spoken if s not in self.early]
            new = [s for s in others if _shown(head(s.tree)) in wanted]
            self.early |= {*new}
        return [s for s in self._spoken if s in self.early]

    def _closed_forms(
        self, found: Iterable[Statement]
    ) -> dict[tuple[int, int], closed_forms.ClosedForm]:
        before = len(self.refused)
        values = [s for v in self.source.values for s in self.spoken(v)]  # with $m_0 = 0$
        del self.refused[before:]
        trees = (self.source.parsed.get(tuple(s.tokens)) for s in {*found, *values})
        plain = sorted((t for t in trees if isinstance(t, Chain)), key=lambda t: t.at)
        forms = closed_forms.gather(plain, self.source.section_end)
        place = self.source.place
        return {
            place(at): replace(form, places=tuple(place(x)[0] for x in form.places))
            for at, form in forms.items()
        }

    def _said(self, others: list[Context]) -> None:
        """Enter how many axes the words of the text give to names: let X ∈ ℝ^{n×d}."""
        for one in said.shapes(self.source, self.names, others):
            name = one.found.name
            self.names.lengths |= {n.text for size in one.sizes for n in walk(size)
                                   if isinstance(n, Name)}  # fmt: skip
            if one.rank is not None:
                self.names.stated.setdefault(name, one.rank)
            if name not in self.names.declared:
                self.names.positive |= {name} if "positive" in one.traits else set()
                self.names.weakly |= {name} if "not negative" in one.traits else set()
                whole = "symmetric" in one.traits and one.found.written not in self.varied
                self.names.symmetric |= {name} if whole else set()
                self.names.mirrored |= {name} if "symmetric" in one.traits else set()
                turned = "antisymmetric" in one.traits and one.found.written not in self.varied
                self.names.antisymmetric |= {name} if turned else set()
                self.names.definite |= {name} if whole and "definite" in one.traits else set()
                self.names.constants |= {name} if "constant" in one.traits else set()
                self.names.random |= {name} if "random" in one.traits else set()
                self.names.centred |= {name} if "centred" in one.traits else set()
                if "below" in one.traits:
                    self.names.tied.setdefault(name, positive.OPEN)
                if "normalised" in one.traits:
                    self.names.positive.add(name)
                for trait in one.traits & traits.TRAITS.keys():
                    if "ortho" not in trait or one.found.written not in self.varied:
                        self.names.traits.setdefault(name, set()).add(trait)
        self.names.antisymmetric -= self.names.symmetric | self.names.mirrored
        self.bounded, weakly, matrices, below = positive.gather(self.source, self.names, others)
        for name in below - self.names.declared:
            self.names.tied.setdefault(name, positive.OPEN)
        self.names.weakly |= weakly
        self.names.positive |= self.bounded
        self.names.positive -= below
        for name, strictly in matrices.items():
            self.names.symmetric |= {name} - self.varied
            self.names.mirrored.add(name)
            self.names.definite |= {name} - self.varied if strictly else set()
        for group in self.alike:
            for told in (self.names.positive, self.names.symmetric, self.names.definite):
                told |= group if told & group else set()
            ranks = [self.names.stated[name] for name in group & self.names.stated.keys()]
            self.names.stated |= dict.fromkeys(group, ranks[0]) if ranks else {}

    def _mirrored(self, found: list[Statement]) -> None:
        r"""Enter $A = A^\top$ and $F_{ij} = -F_{ji}$ of sentences, for names that are inputs."""
        defined = {_shown(head(s.tree)) for s in found if not mirrored(s.tree)[0]} | self.varied
        for s in self._spoken:
            before = self.source.text[max(0, s.tokens[0].at - 60) : s.tokens[0].at]
            name, sign = mirrored(s.tree)
            if name and name not in defined and not UNSAID.search(before):
                told = (self.names.antisymmetric, self.names.symmetric)
                told[sign > 0].update({name} - told[sign < 0])

    def _shaped_anew(self, s: Statement, error: ReadError) -> None:
        """Q ∈ ℝ^{m×k} where Q has another shape: another Q from here on."""
        assert isinstance(s.tree, Chain)
        found = component(s.tree.sides[0], self.names, s.here)
        if found is None or not MISFIT.search(error.problem):
            self.failed[s] = error
            return
        other = self.names.versions.local(found.written, s.tree.at, len(self.source.text) + 1)
        try:
            self._shape(s, [])
            self.links.append(Link("shape", "∈", None, None, (), "", s.tree.at, s.latex))
            self.names.tied[other] = f"another {found.written} than before in the text"
        except ReadError:
            self.names.versions.forget(found.written)
            self.failed[s] = error

    def _built(self) -> Document:
        self.names.positive -= {x for x in self.bounded if self.names.ranks.get(x) == 2}  # R > 0
        self.sizes.taken |= self.names.versions.written | self.names.ranks.keys()
        if not self.strict:
            self.sizes.tensors = {n for n, r in self.names.ranks.items() if r} | self.uses.keys()
        shapes = said.shapes(self.source, self.names, [])
        said.fit(shapes, self.names, self.sizes, self.uses.keys())
        if not self.strict:
            spans.count(self.source, self.names, self.sizes, self.uses.keys())
            self.sizes.settle()
            self.links += abstract.losses(self.names, self.uses)
            for name in self.driven:  # a vector that may be any, a^{l-1} for some W^{l-1}
                if self.names.ranks.get(name) == 1:
                    self.names.tied.pop(name, None)
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
        for name in self.names.ranks.keys() | self.names.bare:
            stem, _, number = name.rpartition("_")
            whole, own = (self.names.ranks.get(x, 0) for x in (stem, name))
            known = name in definitions or name in self.source.called
            if number.isdigit() and own < whole and not known:  # not W_0 beside W
                self.names.tied.setdefault(name, f"being a component of {stem}, or another name")
        refused = [r for _, r in sorted(self.refused, key=lambda pair: pair[0])]
        facts = traits.facts(self.names, builder)
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
            assumed={**self.names.assumed, **self.source.guessed},
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
            jacobians={n: n in self.names.layouts.open for n in self.names.layouts.used},
            where=self._where(),
            closed=self.closed,
            premises={
                self.source.place(s.tokens[0].at): " and ".join(p.latex for p in s.premises)
                for s in self.found
                if s.premises
            },
            limited={self.source.place(s.tokens[0].at): s.limit for s in self.found if s.limit},
            loose={self.source.place(at): (*sorted(x),) for at, x in self.names.loose.items()},
            parameters=self.names.parameters,
            sets=self.names.sets,
            gradients=(self.adjoints.mark, self.adjoints.loss.text) if self.adjoints else None,
            meanings=meanings(self.names, self.sizes, definitions, self.source.guessed),
        )


def _shown(node: Node | None) -> str:
    """The name that a left side is about."""
    return base_name(base_of(node)) or "" if node is not None else ""


def _written(node: Node) -> str:
    """V, V_c and V_0 as they are called."""
    below = node.scripts if isinstance(node, Scripted) else ()
    labels = (a.text for _, s in below for a in atoms(s) if isinstance(a, Name | Number))
    return "_".join([_shown(node), *labels])


def _places(found: Iterable[Statement]) -> list[scopes.Place]:
    return [(s.tree, s.here, s.tokens[0].at) for s in found]


__all__ = ["Assembly"]
