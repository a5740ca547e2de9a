"""What is done to a sum that nothing else reads is done to what it is made of.

    Σ_i (Σ_p x_ipa y_ipc)      is   Σ_ip x_ipa y_ipc
    Σ_j (x_ij + x_ji)          is   Σ_j x_ij + Σ_j x_ji
    (Σ_i x_ia y_ib)ᵀ           is   Σ_i x_ia y_ib as an array of b and a

Otherwise what stands between would be an array that is larger than the result, or one more of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import sympy as sp

from .nodes import Letters, Node, Nodes, reachable


def flattened(roots: Iterable[Node], nodes: Nodes) -> dict[Node, Node]:
    """The plan with such sums as one, node by node; empty where there are none."""
    roots = list(roots)
    users = Counter(arg for node in reachable(roots) for arg in node.args)
    users.update(roots)

    def one(node: Node, args: list[Node]) -> Node | None:
        alone = len(args) == 1 and users[node.args[0]] == 1
        if not alone or node.op not in ("einsum", "arrange"):
            return None
        return _joined(node, args[0], nodes) or _shared_out(node, args[0], nodes)

    return nodes.rewritten(roots, one)


def _joined(node: Node, inner: Node, nodes: Nodes) -> Node | None:
    """One contraction, of a contraction that is summed or whose axes are moved."""
    place: Letters = node.data[0][0]
    whole = len(set(place)) == len(place) == len(inner.shape)
    if inner.op != "einsum" or not whole:
        return None
    if node.op == "arrange" and (len(place) < len(node.shape) or not _of_matrices(inner)):
        return None
    own, count = len(inner.shape), len(node.sizes)
    letters = (*place, *range(count, count + len(inner.sizes) - own))
    places = tuple(tuple(letters[x] for x in part) for part in inner.data[0])
    named = dict(zip(place, inner.hints, strict=False))
    hints = (*(named.get(k, hint) for k, hint in enumerate(node.hints)), *inner.hints[own:])
    sizes = (*node.sizes, *inner.sizes[own:])
    return nodes.make("einsum", inner.args, (places, None), sizes, len(node.shape), hints)


def _of_matrices(node: Node) -> bool:
    """Both operands have letters of their own in the result."""
    parts = [{x for x in place if x < len(node.shape)} for place in node.data[0]]
    return len(parts) == 2 and bool(parts[0] - parts[1]) and bool(parts[1] - parts[0])


def _shared_out(node: Node, inner: Node, nodes: Nodes) -> Node | None:
    """The sum of every term, of a sum in which an array is read against the order of its axes."""
    if node.op != "einsum" or inner.op != "add":
        return None
    place: Letters = node.data[0][0]
    rank = len(node.shape)
    terms = [tuple(place[x] for x in part) for part in inner.data[0]]
    against = any(list(part) != sorted(part) for part in inner.data[0])
    if not against or any(len(part) < len(place) for part in terms):
        return None
    sums = [_total(arg, part, node, nodes) for arg, part in zip(inner.args, terms, strict=True)]
    places = (tuple(range(rank)),) * len(sums)
    return nodes.make("add", sums, (places, inner.data[1]), node.shape, rank, node.hints[:rank])


def _total(arg: Node, place: Letters, node: Node, nodes: Nodes) -> Node:
    """The sum of an array over what a node sums."""
    sizes: Sequence[sp.Expr] = node.sizes
    return nodes.make("einsum", (arg,), ((place,), None), sizes, len(node.shape), node.hints)


__all__ = ["flattened"]
