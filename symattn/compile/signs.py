"""An array that is there with the other sign is not computed again.

    Σ_i W_ij (y_j − x_i)  beside  Σ_j W_ij (x_i − y_j)   is  −Σ_i W_ij (x_i − y_j)

What comes back to both sides of a difference has it with both signs.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from .nodes import Node, Nodes, reachable


def without_opposites(roots: Iterable[Node], nodes: Nodes) -> dict[Node, Node]:
    """The plan with one of x and −x, node by node; empty where no sum is there with both signs.

    A sum stays that is a result, or an operand of what is no product and no sum.
    """
    roots = list(roots)
    order = list(reachable(roots))
    opposite = _opposites(order)
    for node in roots:
        opposite.pop(node, None)
    for user in order:
        if not _carries_sign(user):
            for arg in user.args:
                opposite.pop(arg, None)
    if not opposite:
        return {}
    now: dict[Node, Node] = {}
    for node in order:
        args, data, sign = [], node.data, 1
        for k, arg in enumerate(node.args):
            if arg not in opposite:
                args.append(now[arg])
                continue
            args.append(now[opposite[arg]])
            places, inner = data
            if node.op == "add":
                inner = (*inner[:k], -inner[k], *inner[k + 1 :])
            elif node.op == "product":
                inner = (-inner[0] if inner[1][k] % 2 else inner[0], inner[1])
            else:
                sign = -sign
            data = places, inner
        rank = len(node.shape)
        made = nodes.make(node.op, args, data, node.sizes, rank, node.hints)
        if sign < 0:
            every = (tuple(range(rank)),)
            made = nodes.make(
                "product", (made,), (every, (-sp.S.One, (sp.S.One,))), node.shape, rank,
                node.hints[:rank],
            )  # fmt: skip
        now[node] = made
    return now


def _opposites(order: Iterable[Node]) -> dict[Node, Node]:
    """Every sum that is an earlier one with the other sign, and that one."""
    first: dict[object, Node] = {}
    found = {}
    for node in order:
        if node.op != "add" or len(node.args) < 2:
            continue
        terms = list(zip(node.args, node.data[0], node.data[1], strict=True))
        same, other = (
            (node.sizes, frozenset((x, place, sign * c) for x, place, c in terms))
            for sign in (1, -1)
        )
        if other in first:
            found[node] = first[other]
        else:
            first.setdefault(same, node)
    return found


def _carries_sign(node: Node) -> bool:
    """The sign of an operand becomes one of the result, or of a term."""
    if node.op == "product":
        return all(e.is_Integer for e in node.data[1][1])
    return node.op in ("add", "einsum")


__all__ = ["without_opposites"]
