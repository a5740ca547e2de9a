r"""What sentences say of shapes: let $X \in \mathbb{R}^{n \times d}$, and rows of X are d long.

Words come last: they never make a formula unreadable.  A size that they give to an axis is taken
where displays leave it open, where all sentences agree, and where its letter is nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

import sympy as sp

from ..errors import SymattnError
from .grammar import parse
from .left import dimensions, is_shape
from .names import Context, Names
from .scripts import Component, component
from .sizes import Size, Sizes
from .source import UNFORESEEN, Source
from .split import statements
from .tokens import tokens
from .tree import Accent, Chain, Name, Node, Number, Product, Scripted
from .usage import context

MAX_SHAPES = 1_000  # that are looked at


def shapes(
    source: Source, names: Names, others: Iterable[Context]
) -> Iterator[tuple[Component, list[Node]]]:
    """Every name of which a sentence says that it is in ℝ^{…}, with the dimensions."""
    letters = {x for o in others for x in o.letters if o.has_index(x)}
    for display in source.shapes[:MAX_SHAPES]:
        try:
            listed: list[Node] = []  # Q and K of Q, K \in \mathbb{R}^{n \times d}
            for piece in statements(tokens(source, display)):
                tree = parse(source, piece)
                if not is_shape(tree):
                    listed = [] if isinstance(tree, Chain) else [*listed, tree]
                    continue
                assert isinstance(tree, Chain)
                here = context(tree, names)
                for node in (*listed, tree.sides[0]):
                    here.bound = letters
                    if not isinstance(node, Name | Accent | Scripted):
                        continue
                    found = component(node, names, here)
                    if found is not None and not found.transposed and found.power is None:
                        yield found, dimensions(tree.sides[1])
                listed = []
        except (SymattnError, *UNFORESEEN):
            continue


def fit(
    said: Iterable[tuple[Component, list[Node]]],
    names: Names,
    sizes: Sizes,
    defined: AbstractSet[str],
) -> None:
    """Give the sizes that sentences name to the axes that displays leave open."""
    votes: dict[Size, set[sp.Expr | None]] = {}
    for found, nodes in said:
        dims = [_size(n) for n in nodes]
        if len(dims) > 1 and dims[-1] == 1:
            dims.pop()
        rank = names.ranks.get(found.name)
        if rank != len(found.slots) + len(dims) or found.name in names.declared:
            continue
        for k, size in enumerate(dims, start=len(found.slots)):
            votes.setdefault(sizes.slot(found.name, k, found.at).root(), set()).add(size)
    letters = {x for size in sizes.slots.values() for x in size.root().letters}
    for root, values in votes.items():
        (value, *more) = values
        if root.value is not None or more or value is None:
            continue
        used = {s.name for s in value.free_symbols}
        if used & (letters | defined | names.declared) or any(map(names.ranks.get, used)):
            continue  # the letter is an index, a tensor, or has a value of its own
        root.value = value
        sizes.names.update(s.name for s in value.free_symbols)


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


__all__ = ["fit", "shapes"]
