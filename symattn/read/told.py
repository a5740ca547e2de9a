"""What the words and the equations of a text tell about its names, before they are read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from . import (
    adjoints,
    averages,
    bounded,
    coefficients,
    conventions,
    distributed,
    evidence,
    numbered,
    positive,
    said,
    sampled,
    sequences,
    series,
    spaces,
    spans,
    tabled,
    traits,
)
from .build import Link
from .displays import Displays
from .left import alone, head, is_shape, mirrored, redefine
from .names import Context, base_name, stem
from .ranges import is_ended
from .source import ReadError
from .split import Statement
from .tree import (
    Chain,
    Name,
    Node,
    base_of,
    is_equation,
    walk,
)
from .usage import check_positions, collect, context
from .words import concluded, supposed, unsaid


@dataclass
class Told(Displays):
    """All that is known while a document is read, and what its text tells of names."""

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
    coefficient_d: bool = False  # and it may stand right before a letter
    varies: bool = False  # dX is the differential of X
    tables: tabled.Sections = field(default_factory=tabled.Sections)
    numbered: dict[str, numbered.Numbered] = field(default_factory=dict)
    counted: set[str] = field(default_factory=set)  # vectors whose numbers count components
    rows: dict[str, series.Row] = field(default_factory=dict)
    alike: list[set[str]] = field(default_factory=list)  # names of one thing at several steps
    equated: set[tuple[int, int]] = field(default_factory=set)  # where A = A^T alone says that
    driven: set[str] = field(default_factory=set)  # what every step puts something new in
    stepwise: dict[tuple[int, int], sequences.Claim | sequences.Rule] = field(default_factory=dict)
    spoken_of: list[tuple[int, str, object]] = field(default_factory=list)  # tokens, with places
    means: bool = False  # 1/d before Σ_i says how many values i has

    def _lawful(self, found: Iterable[Statement]) -> list[Statement]:
        """Enter how things are distributed; the statements that do not say so."""
        trees = [s.tree for s in {*found, *self._spoken}]
        self.names.averaged = {x for tree in trees for x in distributed.averaged(tree)}
        lefts = (base_name(stem(tree.sides[0])) for tree in trees if is_equation(tree))
        self.names.about = {x for x in lefts if x is not None}
        self.names.reckoned = {x for tree in trees if (x := coefficients.reckoned(tree))}
        said = distributed.gather(self.source, self.names.about)
        self.names.laws, self.names.apart = said.laws, said.apart
        self.names.spoken = said.spoken
        self.names.random |= self.names.laws.keys()
        self.names.parameters |= {x for law in self.names.laws.values() for x in law.names}
        deviations = {x for law in self.names.laws.values() for x in law.deviations}
        self.names.numbers |= deviations
        self.names.alone |= deviations  # and no functions: σ² (X^⊤ X)^{-1}
        laws = [s for s in {*found, *self._spoken} if s.tree.at in said.places]
        chains = [s for s in laws if isinstance(s.tree, Chain) and len(s.tree.relations) > 1]
        for s in laws:
            if s in chains:
                short = s.without((0,))  # 𝔼[x] = a = b, of which a = b is a claim
                s.tree, s.here = short.tree, context(short.tree, self.names)
                s.latex = short.latex.lstrip("&= ")
            else:
                self.links.append(Link("law", "=", None, None, (), "", s.tree.at, s.latex))
        laws = [s for s in laws if s not in chains]
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
        defined = {shown(head(s.tree)) for s in found} | letters
        contexts = [s.here for s in found]
        said.fit(said.shapes(self.source, self.names, contexts), self.names, self.sizes, defined)

    def _told(self, found: Iterable[Statement], heard: bool = False) -> None:
        """Enter what statements tell about names, and what is left to convention.

        The words of the text are `heard` before where one statement is read again.
        """
        plain = self._plain(found)
        evidence.gather(plain, self.names)
        if not (self.strict or heard) and self.failed.keys().isdisjoint(found):
            self._said([here for _, here in plain])
        conventions.assume(plain, self.names)

    def _plain(self, found: Iterable[Statement]) -> list[tuple[Node, Context]]:
        return [(s.tree, s.here) for s in found if not is_shape(s.tree)]

    def _collected(self, s: Statement) -> None:
        if not is_shape(s.tree):
            last = s.tokens[-1]
            redefine(s.tree, self.names, s.here, self._end(last))
            self.lefts |= alone(s.tree, self.names, s.here)
            collect(s.tree, self.names, s.here)
            check_positions(s.tree, self.names, s.here)

    @property
    def every(self) -> list[Statement]:
        """All statements that were parsed, in order."""
        both = [*self.found, *(s for s in self._spoken if s not in self.early)]
        return sorted(both, key=lambda s: s.tokens[0].at)

    @cached_property
    def _spoken(self) -> list[Statement]:
        """The equations that stand in sentences."""
        found = [(d.start, s) for d in [*self.source.inline.values()] for s in self.spoken(d)]
        return [s for at, s in found if at in self.source.inline]  # and no condition by now

    def _said(self, others: list[Context]) -> None:
        """Enter how many axes the words of the text give to names: let X ∈ ℝ^{n×d}."""
        every = list(said.shapes(self.source, self.names, others))
        trees = [s.tree for s in {*self.found, *self._spoken}]
        self.counted |= spaces.numbered(every, trees)
        self.names.indexed |= self.counted
        for one in every:
            name = one.found.name
            self.names.lengths |= {n.text for size in one.sizes for n in walk(size)
                                   if isinstance(n, Name)}  # fmt: skip
            if one.rank is not None:
                known = name in self.names.stated
                self.names.each |= {name} if one.found.slots and not known else set()
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
        self.names.mean_of = sampled.means(self.source, self.names)
        self.names.antisymmetric -= self.names.symmetric | self.names.mirrored
        self.bounded, weakly, matrices, below, called = positive.gather(
            self.source, self.names, others
        )
        self.names.weakly |= weakly
        displayed = [(s.tree, s.latex) for s in self.found]
        self.names.ranges = bounded.gather(self.source, self.names, others, displayed)
        self.names.positive |= self.bounded
        self.names.positive -= below
        ranges = self.names.ranges
        torn = {n for n in below & ranges.keys() if any(r.low >= 0 for r in ranges[n])}
        denied = {n for n in below & ranges.keys()
                  if all(r.low >= 0 or r.is_all for r in ranges[n])}  # fmt: skip
        self.names.ranges = {n: r for n, r in ranges.items() if n not in denied}
        ended = {n for n in ranges if is_ended(ranges[n])}
        above = self.names.positive & ranges.keys()
        ended |= {n for n in above if any(r.is_below for r in ranges[n])}
        first = {n: min(ranges[n], key=lambda r: max(r.case, r.begin)) for n in above}
        ended |= {n for n in above - self.bounded if first[n].case[0]}  # for x ∈ (0, 1)
        ended |= {n for n in above if self._used_before(n, first[n].begin)}  # now take x > 0
        self.names.positive -= ended
        doubtful = (
            (below - self.names.ranges.keys()) | torn | ended | (called - self.names.positive)
        )
        for name in doubtful - self.names.declared:
            self.names.tied.setdefault(name, positive.OPEN)
        for name, strictly in matrices.items():
            self.names.symmetric |= {name} - self.varied
            self.names.mirrored.add(name)
            self.names.definite |= {name} - self.varied if strictly else set()
        for group in self.alike:
            for told in (self.names.positive, self.names.symmetric, self.names.definite):
                told |= group if told & group else set()
            ranks = [self.names.stated[name] for name in sorted(group & {*self.names.stated})]
            self.names.stated |= dict.fromkeys(group, ranks[0]) if ranks else {}

    def _used_before(self, name: str, place: tuple[int, int]) -> bool:
        """A formula before a place has the name, of which something is let there."""
        before = (s for s in (*self.found, *self._spoken)
                  if self.source.place(s.tokens[0].at) < place)  # fmt: skip
        return any(base_name(n) == name for s in before for n in walk(s.tree))

    def _mirrored(self, found: list[Statement]) -> None:
        r"""Enter $A = A^\top$ and $F_{ij} = -F_{ji}$ of sentences, for names that are inputs."""
        every = {*found, *self._spoken}
        defined = {shown(head(s.tree)) for s in every if not mirrored(s.tree)[0]} | self.varied
        alone: set[str] = set()
        for s in self._spoken:
            before = self.source.text[max(0, s.tokens[0].at - 200) : s.tokens[0].at]
            behind = self.source.text[s.tokens[-1].at :][:200].partition("$")[2]
            name, sign = mirrored(s.tree)
            said = not (unsaid(before, behind) or concluded(before) or supposed(before, behind))
            if name and name not in defined and said:
                told = (self.names.antisymmetric, self.names.symmetric)
                alone |= {name} - told[0] - told[1]
                told[sign > 0].update({name} - told[sign < 0])
                self.equated |= {self.source.place(s.tokens[0].at)} if name in alone else set()


def shown(node: Node | None) -> str:
    """The name that a left side is about."""
    return base_name(base_of(node)) or "" if node is not None else ""


__all__ = ["Told", "shown"]
