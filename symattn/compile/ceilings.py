"""Exponents that are nowhere above a number, whatever the arrays are, as sums of what is in them.

z − max z                     is at most 0
−log Σ e^{z − max z}          too, for one of the terms is 1
−log(1 + e^t)                 is at most 0, and at most −t: t/2 − log(1 + e^t)/2 is no danger
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

import sympy as sp

from .nodes import Node

Linear = dict[Node, sp.Expr]
LARGEST = ("max", "maximum", "cummax")
MOST = 64  # ways in which what is subtracted may be read


def has_ceiling(exponent: Node) -> bool:
    """The sum of what is in the exponent is at most a number, read in one of the ways above."""
    for count, left in enumerate(_ways(_linear(exponent))):
        if all(x.op == "literal" or c == 0 for x, c in left.items()):
            return True
        if count >= MOST:
            break
    return False


def _ways(total: Linear) -> Iterator[Linear]:
    """What is above the exponent, with what is subtracted replaced by what that is at least: first
    what is made of others."""
    for x, c in sorted(total.items(), key=lambda pair: -pair[0].serial):
        if not c.is_negative:
            continue
        rest = {y: d for y, d in total.items() if y is not x}
        for least in _least(x):
            yield from _ways(_added(rest, least, c))
        if _least(x):
            return
    yield total


def _least(x: Node) -> list[Linear]:
    """Sums that the array is nowhere below."""
    if x.op in LARGEST:
        every = x.args if x.op == "maximum" else x.args[:1]
        return [_linear(arg) for arg in every]
    if x.op == "call" and x.data[1] == "softplus":
        return [{}, _linear(x.args[0])]
    if x.op == "call" and x.data[1] == "log" and _from_1(x.args[0]):
        return [{}]
    return []


def _from_1(node: Node) -> bool:
    """Σ e^{z − max z}, by itself."""
    if node.op != "einsum" or len(node.args) != 1:
        return False
    inside = node.args[0]
    if inside.op != "call" or inside.data[1] != "exp":
        return False
    total = _linear(inside.args[0])
    taken = [x for x, c in total.items() if x.op == "max" and c == -1]
    return any(
        all(c == 0 for c in _added(_added(total, {m: sp.S.One}), _linear(m.args[0]), -1).values())
        for m in taken
    )


def _linear(node: Node, by: sp.Expr = sp.S.One) -> Linear:
    """The arrays that a node is a sum of, with their factors; turned or read elsewhere or not."""
    while node.op in ("arrange", "gather", "select", "guard"):
        node = node.args[0]
    if node.op == "add":
        parts = (_linear(x, by * c) for x, c in zip(node.args, node.data[1], strict=True))
        return reduce(_added, parts, {})
    if node.op == "product" and node.data[1][1] == (1,):
        return _linear(node.args[0], by * node.data[1][0])
    return {node: sp.sympify(by)}


def _added(one: Linear, other: Linear, by: sp.Expr = sp.S.One) -> Linear:
    return one | {x: one.get(x, sp.S.Zero) + by * c for x, c in other.items()}


__all__ = ["has_ceiling"]
