r"""Means whose letter has no limit: \frac1d \sum_i x_i is \frac1d \sum_{i=1}^d x_i.

Where every d of a text stands so, below a 1 before a Σ over one letter, it is how many values that
letter has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from .tree import Chain, Fraction, Name, Node, Number, Product, Scripted, Symbol, rebuilt, walk

WHY = "how many values the letter of its mean has"


def counts(trees: list[Node], known: set[str]) -> set[str]:
    """The names that stand nowhere but in front of the Σ of a mean; none of those `known`."""
    uses = Counter(n.text for tree in trees for n in walk(tree) if isinstance(n, Name))
    means = Counter(d.text for tree in trees for n in walk(tree) for _, d in _means(n))
    return {d for d, k in means.items() if uses[d] == k and d not in known}


def limited(tree: Node, names: set[str]) -> Node:
    """The formula with the limits of these means."""

    def change(node: Any) -> Any:
        ends = {k: d for k, d in _means(node) if d.text in names}
        if not ends:
            return node
        parts = tuple(
            (op, _to(part, ends[k]) if k in ends else part)
            for k, (op, part) in enumerate(node.parts)
        )
        return replace(node, parts=parts)

    return rebuilt(tree, change)


def _means(node: Any) -> Iterator[tuple[int, Name]]:
    """The place of the Σ behind 1/d in a product, and the d."""
    parts = node.parts if isinstance(node, Product) else ()
    for k, ((_, over), (op, sum_)) in enumerate(pairwise(parts)):
        match over, sum_:
            case (
                Fraction(top=Number(text="1"), bottom=Name() as d),
                Scripted(base=Symbol(kind="sum"), scripts=(("_", Name()),)),
            ) if not op:
                yield k + 1, d


def _to(part: Any, end: Name) -> Node:
    """Σ_{i=1}^d of Σ_i."""
    ((_, letter),) = part.scripts
    first = Chain(letter.at, (letter, Number(letter.at, "1")), (("=", letter.at),))
    return replace(part, scripts=(("_", first), ("^", replace(end, at=letter.at))))


__all__ = ["WHY", "counts", "limited"]
