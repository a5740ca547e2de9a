r"""What sentences say of shapes: let $X \in \mathbb{R}^{n \times d}$, and rows of X are d long.

Words come last: they never make a formula unreadable.  A size that they give to an axis is taken
where displays leave it open, where all sentences agree, and where its letter is nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

import sympy as sp

from ..errors import SymattnError
from . import drawn
from .grammar import parse
from .left import head, is_shape, is_space, values_in
from .names import Context, Names
from .scripts import Component, component
from .sizes import Size, Sizes
from .source import UNFORESEEN, Display, ReadError, Source
from .spans import take
from .split import statements
from .tokens import tokens
from .tree import Accent, Chain, Name, Node, Number, Product, Scripted, dimensions, lengths
from .usage import context
from .words import phrases

_DRAWN = re.compile(
    r"\\mathcal|\\N\b|\\[Nn]ormal|\\Gauss|\\cN\b|\\mathscr|N\s*\\?\(|[Cc]ov|E|[\[⟨]|langle"
)
MAX_SHAPES = 1_000  # that are looked at


@dataclass(frozen=True)
class Said:
    """A name of which a sentence says how many axes it has, how long they are, and what it is."""

    found: Component
    rank: int | None
    sizes: tuple[Node, ...] = ()
    traits: frozenset[str] = frozenset()


def shapes(source: Source, names: Names, others: Iterable[Context]) -> Iterator[Said]:
    """Every name of which a sentence says what it is."""
    letters = {x for o in others for x in o.letters if o.has_index(x)}
    for display in source.shapes[:MAX_SHAPES]:
        listed: list[Node] = []  # Q and K of Q, K \in \mathbb{R}^{n \times d}
        for tree in trees_of(source, display):
            if not is_shape(tree):
                listed = [] if isinstance(tree, Chain) else [*listed, tree]
                continue
            assert isinstance(tree, Chain)
            sizes = tuple(dimensions(tree.sides[1]))
            for node in (*listed, tree.sides[0]):
                found = named(node, names, letters)
                if found is not None:
                    trait = frozenset({values_in(tree.sides[1])} - {""})
                    yield Said(found, len(found.slots) + len(sizes), sizes, trait)
            listed = []
    yield from _drawn(source, names, letters)
    if "phrases" not in source.memory:
        source.memory["phrases"] = list(islice(phrases(source), MAX_SHAPES))
    for phrase in source.memory["phrases"]:
        length = trees_of(source, phrase.size)[:1]
        sizes = tuple(s for tree in length for s in _lengths(tree))
        space = any(map(is_space, length))
        for tree in trees_of(source, phrase.names):
            node = tree.sides[0] if isinstance(tree, Chain) else tree
            found = named(node, names, letters)
            bound = isinstance(tree, Chain) and tree.relations[0][0] in "≥≤<>≻⪰"  # w_i ≥ 0
            if found is not None and (bound or not (isinstance(tree, Chain) and not head(tree))):
                rank = _rank(len(found.slots), phrase.axes, bool(sizes), space)
                fits = rank is not None and rank == len(found.slots) + len(sizes)
                yield Said(found, rank, sizes if fits else (), phrase.traits)


def _drawn(source: Source, names: Names, letters: set[str]) -> Iterator[Said]:
    r"""Of x ∼ \mathcal{N}(μ, Σ) and Cov(x) = Σ, in sentences and displays."""
    every = dict.fromkeys([*source.drawn, *source.displays, *source.inline.values()])
    for display in islice(every, MAX_SHAPES):
        if not _DRAWN.search(source.text, display.start, display.end):
            continue
        for node, axes in (
            found
            for tree in trees_of(source, display)
            for found in (*drawn.normal(tree, source.linear), *drawn.covariance(tree))
        ):
            own = named(node, names, letters)
            traits = frozenset(["symmetric", "definite"]) if axes == 2 else frozenset[str]()
            if own is not None:
                yield Said(own, len(own.slots) + axes, (), traits)


def _lengths(tree: Node) -> list[Node]:
    """The sizes in n × d and in ℝ^{n×d}."""
    return dimensions(tree) if is_space(tree) else lengths(tree)


def _rank(slots: int, axes: int | None, sized: bool, space: bool) -> int | None:
    """The axes of what is called a vector or a matrix.

    One of several vectors v_i is an element of `space`; without one v_i may be a component.
    """
    if axes is None:
        return None
    if not slots or not axes:
        return axes + slots
    if slots == axes > 1:  # A_ij
        return axes
    return slots + axes if space or (sized and slots != axes) else None


def trees_of(source: Source, display: Display | None) -> list[Node]:
    """What stands in a formula of the words, as far as it can be parsed."""
    if display is None:
        return []
    place = display.start, display.end
    if place not in source.memory:
        try:
            pieces = statements(tokens(source, display))
            source.memory[place] = [parse(source, piece) for piece in pieces]
        except (SymattnError, *UNFORESEEN):
            source.memory[place] = []
    found: list[Node] = source.memory[place]
    return found


def named(node: Node, names: Names, letters: set[str]) -> Component | None:
    if not isinstance(node, Name | Accent | Scripted):
        return None
    try:
        here = context(node, names)
        here.bound = here.bound | letters
        found = component(node, names, here)
    except (SymattnError, *UNFORESEEN):
        return None
    return None if found is None or found.transposed or found.power is not None else found


def fit(
    said: Iterable[Said],
    names: Names,
    sizes: Sizes,
    defined: AbstractSet[str],
) -> None:
    """Give the sizes that sentences name to the axes that displays leave open."""
    votes: dict[Size, set[sp.Expr | None]] = {}
    for one in said:
        found, dims = one.found, [_size(n) for n in one.sizes]
        if len(dims) > 1 and dims[-1] == 1:
            dims.pop()
        rank = names.ranks.get(found.name)
        turned = one.traits & {"symmetric", "antisymmetric"}
        if turned and rank == 2:
            with suppress(ReadError):
                first, second = (sizes.slot(found.name, k, found.at) for k in range(2))
                sizes.unite(first, second, found.at, f"{found.name}, which is {min(turned)}")
        if not dims or rank != len(found.slots) + len(dims) or found.name in names.declared:
            continue
        for k, size in enumerate(dims, start=len(found.slots)):
            votes.setdefault(sizes.slot(found.name, k, found.at).root(), set()).add(size)
    for root, values in votes.items():
        (value, *more) = values
        if not more and value is not None:
            take(root, value, names, sizes, defined)


def _size(node: Node) -> sp.Expr | None:
    """A size such as n_k, 5 or 2d; None for anything else."""
    match node:
        case Number() if node.text.isdigit() and int(node.text):
            return sp.Integer(node.text)
        case Name():
            return sp.Symbol(node.text, positive=True, integer=True)
        case Scripted(base=Name() as base, scripts=(("_", Name() | Number() as below),)):
            return sp.Symbol(f"{base.text}_{below.text}", positive=True, integer=True)
        case Product() if all(op in ("", "·") for op, _ in node.parts):
            found = [_size(part) for _, part in node.parts]
            return None if None in found else sp.Mul(*found)
    return None


__all__ = ["Said", "fit", "named", "shapes", "trees_of"]
