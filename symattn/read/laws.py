r"""The moments that follow from what a text says of how things are distributed.

What has a law has the moments that follow from it: 𝔼[x_i] = μ_i, 𝔼[x_i x_j] = μ_i μ_j + Σ_ij, and,
of a normal law, those of the third and the fourth order (Isserlis, Biometrika 12, 1918).  What is
said to be independent has averages of products that are products of averages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from . import opaque
from .build import DEFINING
from .names import atoms, base_name, stem
from .sizes import Letter
from .terms import ONE, ZERO, Add, Compare, Mul, Ref, Slot, Term, Total, refs
from .tree import Name, Node, Scripted, replaced, walk
from .tree import Number as NumberNode
from .values import Scope, once

if TYPE_CHECKING:
    from .elaborate import Reader


@dataclass(frozen=True)
class Law:
    """The mean and the (co)variance of one draw, as they are written; `index` for x_i each.

    `second` is the mean of its square.
    """

    mean: Node | None
    spread: Node | None
    normal: bool
    index: str
    second: Node | None = None

    @property
    def deviations(self) -> set[str]:
        """The σ of σ² and σ² I."""
        nodes = _nodes(self.spread)
        return _bases(n.base for n in nodes if isinstance(n, Scripted) and _is_square(n))

    @property
    def names(self) -> set[str]:
        """What it is made of."""
        return _bases(chain(_nodes(self.mean), _nodes(self.spread)))


def _nodes(tree: Node | None) -> Iterator[Node]:
    return walk(tree) if tree is not None else iter(())


def _bases(nodes: Iterable[Node]) -> set[str]:
    return {name for n in nodes if (name := base_name(n)) is not None}


@dataclass(frozen=True)
class Apart:
    """Names that a sentence calls independent, and where: everywhere or in that sentence alone;
    or uncorrelated, which is less."""

    names: frozenset[str]
    at: int
    supposed: bool
    uncorrelated: bool


def moment(reader: Reader, factors: Sequence[Term], at: int) -> Term | None:
    """𝔼 of a product of components of one thing whose law is stated; None where it does not say."""
    names = {r.name for r in factors if isinstance(r, Ref)}
    if len(names) != 1 or not all(isinstance(r, Ref) for r in factors):
        return None
    (name,) = names
    law = reader.names.laws.get(name)
    if law is None or (len(factors) > 2 and not law.normal) or len(factors) > 4:
        return None
    own = _Own(reader, name, law, at)
    return own.moment([r.slots for r in factors if isinstance(r, Ref)])


@dataclass
class _Own:
    """The moments of one name."""

    reader: Reader
    name: str
    law: Law
    at: int

    def moment(self, slots: list[tuple[Slot, ...]]) -> Term | None:
        """Σ over the pairs of some of the factors Π of covariances Π of the means of the others."""
        terms: list[Term] = []
        for pairs in _pairings(len(slots)):
            paired = {k for pair in pairs for k in pair}
            means = [self.mean(slots[k]) for k in range(len(slots)) if k not in paired]
            spreads = [self.spread(slots[a], slots[b]) for a, b in pairs]
            factors = [*means, *spreads]
            if None in factors:
                return None
            terms.append(Mul(tuple(f for f in factors if f is not None)) if factors else ONE)
        return Add(tuple((1, t) for t in terms))

    def mean(self, slots: tuple[Slot, ...]) -> Term | None:
        return self._at(self.law.mean, slots, "mean")

    def spread(self, one: tuple[Slot, ...], other: tuple[Slot, ...]) -> Term | None:
        if one and not self.law.index:
            return self._at(self.law.spread, (*one, *other), "covariance")
        found = self._at(self.law.spread, one, "variance")
        differ = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
        if not differ or found is None:
            return found
        if not any(self.name in g.names and _here(self.reader, g) for g in self.reader.names.apart):
            return None
        return Mul((found, *(Compare("=", a, b) for a, b in differ)))

    def _at(self, node: Node | None, slots: tuple[Slot, ...], called: str) -> Term | None:
        """What is written, at these components."""
        if node is None:
            return None
        each = {x: Letter(x, self.at) for x in [self.law.index] if x}  # σ_i² is no sum over i
        scope = Scope(each, frozenset(each.values()), {})
        if any(map(_is_identity, walk(node))):  # σ² I
            if len(slots) != 2:
                return None
            plainly = replaced(node, lambda n: NumberNode(n.at, "1") if _is_identity(n) else n)
            number = self.reader.read(plainly, scope)
            return None if number.axes else Mul((number.term, Compare("=", *slots)))
        name, ranks = base_name(stem(node)), self.reader.names.ranks
        for n in walk(node) if self.law.index else ():  # μ_i and σ_i²
            below = [a for m, s in getattr(n, "scripts", ()) if m == "_" for a in atoms(s)]
            if [getattr(a, "text", "") for a in below] == [self.law.index]:
                ranks.setdefault(base_name(stem(n)) or "", 1)
        if name is not None and not self.law.index and isinstance(node, Name):
            ranks.setdefault(name, len(slots))  # the mean of a vector is one
        value = self.reader.read(node, scope)
        value = replace(value, free=once(value.free))
        axes = (*value.free, *value.axes)
        if not axes:
            plainly = not slots or bool(self.law.index) or value.term == ZERO
            return value.term if plainly else None
        if len(axes) != len(slots) or (
            value.free and {x.name for x in value.free} != {self.law.index}
        ):
            return None
        for axis, slot in zip(axes, slots, strict=True):
            if isinstance(slot, Letter):
                self.reader.sizes.unite(axis.size, slot.size, self.at, f"an axis of {self.name}")
        named = opaque.defined(self.reader, called, value, self.at)
        assert isinstance(named.term, Ref)
        return Ref(named.term.name, slots)


def _is_square(node: Scripted) -> bool:
    return node.scripts[-1] == ("^", NumberNode(node.scripts[-1][1].at, "2"))


def _is_identity(node: Node) -> bool:
    """True for I and I_n."""
    return isinstance(node, Name | Scripted) and base_name(stem(node)) == "I"


def _pairings(count: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """All sets of pairs of so many, the empty one included."""
    every = list(combinations(range(count), 2))
    for number in range(count // 2 + 1):
        for pairs in combinations(every, number):
            if len({k for pair in pairs for k in pair}) == 2 * number:
                yield pairs


def apart(reader: Reader, factors: Sequence[Term]) -> list[list[Term]]:
    """The factors in groups that are independent of one another."""
    groups: list[tuple[set[str], list[Term]]] = []
    alone = len(factors) == 2 and all(isinstance(f, Ref) for f in factors)
    for factor in factors:
        names, terms = {r.name for r in refs(factor)}, [factor]
        tied = [g for g in groups if not _independent(reader, g[0], names, alone)]
        for others, before in tied:
            names, terms = names | others, [*before, *terms]
        groups = [*(g for g in groups if g not in tied), (names, terms)]
    return [terms for _, terms in groups]


def _independent(reader: Reader, some: set[str], others: set[str], alone: bool) -> bool:
    """Whether each of some is independent of each of the others; uncorrelated, where they are
    `alone`."""
    groups = [
        g.names for g in reader.names.apart if (alone or not g.uncorrelated) and _here(reader, g)
    ]
    return all(a != b and any({a, b} <= g for g in groups) for a in some for b in others)


def _here(reader: Reader, said: Apart) -> bool:
    """Whether it is said of the formula that is read: what is supposed holds in its sentence, and
    in another section it holds where nothing is said of these names as random things."""
    source, here = reader.source, reader.sizes.place
    if said.supposed:
        return said.at < here and not _ENDED.search(source.text, said.at, here)
    own = source.section(here)
    if source.section(said.at) == own:
        return True
    return not any(
        source.section(at) == own and names & said.names for names, at in reader.names.spoken
    )


_ENDED = re.compile(r"[.!?;](?:\s|$)")


def body(reader: Reader, ref: Ref) -> Term | None:
    """What the document defines a component by, its sums over letters of their own."""
    link = next((k for k in reader.links if k.name == ref.name and k.kind in DEFINING), None)
    letters: Sequence[Slot] = link.lhs.slots if link and isinstance(link.lhs, Ref) else ()
    term = link.rhs if link is not None else None
    for name, axes, inside in reader.made:
        if name == ref.name:
            letters, term = axes, inside
    new = {x.real(): s for x, s in zip(letters, ref.slots, strict=False) if isinstance(x, Letter)}
    if term is None or not len(new) == len(letters) == len(ref.slots):
        return None
    return _copied(reader, term, new)


def _copied(reader: Reader, value: Any, new: Mapping[Letter, Slot]) -> Any:
    if isinstance(value, Letter):
        return new.get(value.real(), value)
    if isinstance(value, tuple):
        return tuple(_copied(reader, v, new) for v in value)
    if isinstance(value, Total):
        own = {x.real(): Letter(x.name, x.at) for x in value.letters}
        for old, mine in own.items():
            reader.sizes.unite(mine.size, old.size, mine.at, f"the range of {mine.name}")
        return Total(tuple(own.values()), _copied(reader, value.body, {**new, **own}))
    if hasattr(value, "__dataclass_fields__"):
        fields = {f: getattr(value, f) for f in value.__dataclass_fields__}
        return replace(value, **{f: _copied(reader, v, new) for f, v in fields.items()})
    return value


__all__ = ["Law", "apart", "body", "moment"]
