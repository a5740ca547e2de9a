"""Contractions as products of matrices in the layout that is fast on a CPU."""

from __future__ import annotations

from collections.abc import Sequence

from .nodes import Letters, Node


def leading(node: Node) -> tuple[int, int] | None:
    """The order of the two operands of a product of matrices, the leading one first, where that
    one is not stored with its summed axes last; None for other contractions.

    The leading operand has the first axis of the result that is not in both.
    """
    places: Sequence[Letters] = node.data[0]
    rank = len(node.shape)
    if len(places) != 2 or any(len(set(p)) < len(p) for p in places):
        return None
    a, b = map(set, places)
    summed = {x for x in a if x >= rank}
    if not summed or summed != {x for x in b if x >= rank} or not a - b or not b - a:
        return None
    order = (0, 1) if min(a ^ b) in a else (1, 0)
    last = places[order[0]][-len(summed) :]
    return None if set(last) == summed else order


def interleaved(node: Node) -> tuple[int, int] | None:
    """The order of two operands with letters in common that the result has, but not first: the one
    with its last axis leads, as for Σ_b R_cab D_icb as [i, c, a]; None for other contractions.

    A CPU takes up to three times as long in the other order.
    """
    places: Sequence[Letters] = node.data[0]
    rank = len(node.shape)
    if len(places) != 2 or any(len(set(p)) < len(p) for p in places) or rank < 2:
        return None
    a, b = map(set, places)
    both = {x for x in a & b if x < rank}
    between = both and both != set(range(len(both))) and any(x >= rank for x in a & b)
    if not between or not a - b or not b - a or rank - 1 in both:
        return None
    return (0, 1) if rank - 1 in a else (1, 0)


__all__ = ["interleaved", "leading"]
