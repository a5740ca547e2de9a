"""What is even in x is one function of it: softplus(x) + softplus(−x) = 2 log(e^{x/2} + e^{−x/2}).

The logarithm of σ(x) σ(−x), and so of 1 − tanh²x, has both; each takes an exponential and a
logarithm for every entry.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import sympy as sp

from .nodes import Node, Nodes, Summand

HALF = sp.Rational(1, 2)


def without_halves(roots: Iterable[Node], nodes: Nodes) -> dict[Node, Node]:
    """The plan with such pairs of a sum as one, node by node; empty where there are none."""

    def paired(node: Node, args: list[Node]) -> Node | None:
        if node.op != "add":
            return None
        terms = _paired([*zip(args, *node.data, strict=True)], nodes)
        data = tuple(place for _, place, _ in terms), tuple(c for *_, c in terms)
        rank = len(node.shape)
        return nodes.make("add", [x for x, *_ in terms], data, node.sizes, rank, node.hints)

    return nodes.rewritten(roots, paired)


def _paired(terms: list[Summand], nodes: Nodes) -> list[Summand]:
    for one, other in combinations(terms, 2):
        (x, place, c), (y, place_y, d) = one, other
        alike = c == d and place == place_y
        if alike and _softplus(x) and _softplus(y) and _opposite(x.args[0], y.args[0]):
            rest = [term for term in terms if term is not one and term is not other]
            rank, hints = len(x.shape), x.hints
            halves = [_half(part.args[0], nodes) for part in (x, y)]
            data = (x.data[0] * 2, "logaddexp")
            both = nodes.make("call", halves, data, x.sizes, rank, hints)
            return _paired([*rest, (both, place, 2 * c)], nodes)
    return terms


def _softplus(node: Node) -> bool:
    return node.op == "call" and node.data[1] == "softplus"


def _opposite(x: Node, y: Node) -> bool:
    """y = −x by how they are written."""
    if not x.op == y.op == "product" or x.args != y.args or x.data[0] != y.data[0]:
        return False
    (c, powers), (d, others) = x.data[1], y.data[1]
    return bool(c + d == 0) and powers == others


def _half(x: Node, nodes: Nodes) -> Node:
    """x/2 of a product."""
    c, powers = x.data[1]
    if c == 2 and powers == (1,) and x.data[0] == (tuple(range(len(x.shape))),):
        return x.args[0]
    return nodes.make(x.op, x.args, (x.data[0], (c * HALF, powers)), x.sizes, len(x.shape), x.hints)


__all__ = ["without_halves"]
