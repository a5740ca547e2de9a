"""Exponents that are nowhere above a number, whatever the arrays are, as sums of what is in them.

z − max z                     is at most 0
−log Σ e^{z − max z}          too, for one of the terms is 1
−log(1 + e^t)                 is at most 0, and at most −t: t/2 − log(1 + e^t)/2 is no danger
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import reduce

import sympy as sp

from .nodes import Node, reachable

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
    if node.op == "add" and len({*node.args}) == len(node.args):  # x_i − x_j is not 0
        parts = (_linear(x, by * c) for x, c in zip(node.args, node.data[1], strict=True))
        return reduce(_added, parts, {})
    if node.op == "product" and node.data[1][1] == (1,):
        return _linear(node.args[0], by * node.data[1][0])
    return {node: sp.sympify(by)}


def _added(one: Linear, other: Linear, by: sp.Expr = sp.S.One) -> Linear:
    return one | {x: one.get(x, sp.S.Zero) + by * c for x, c in other.items()}


def below_largest(exponent: Node, largest: Collection[str] = LARGEST) -> bool:
    """The exponent is a difference to a largest value."""
    if exponent.op in ("select", "arrange", "guard"):
        return below_largest(exponent.args[0], largest)
    if exponent.op != "add":
        return _not_above_0(exponent, largest)
    pairs = [*zip(exponent.args, exponent.data[1], strict=True)]
    if all(_not_above_0(x, largest, c) for x, c in pairs):
        return True
    if any(c.is_negative and _of_others(_read(x)) for x, c in pairs):
        return False
    taken = [_read(x) for x, c in pairs if c.is_negative and _read(x).op in largest]
    # a largest value that is added has to be in what the other one is the largest of
    added = [_read(x) for x, c in pairs if c.is_positive and _read(x).op in LARGEST]
    often = [_read(x) for x, c in pairs if c.is_negative and not (c + 1).is_nonnegative]
    if any(m in taken and not _has(pairs, m) for m in often):
        return False  # e^{q−m} e^{r−m}, where m is the largest q alone
    return any(all(_within(x, m) for x in added) for m in taken)


def _has(pairs: Sequence[tuple[Node, sp.Expr]], largest: Node) -> bool:
    """What is the largest is added as often as that is taken away."""
    parts = {_read(x): c for x, c in pairs}
    below = _read(largest.args[0])
    own = [(below, sp.S.One)]
    if below not in parts and below.op in ("add", "product"):
        factors = below.data[1] if below.op == "add" else below.data[1][:1]
        own = [(_read(x), c) for x, c in zip(below.args, factors, strict=False)]
    return all((parts.get(x, 0) + parts[largest] * c) == 0 for x, c in own)


def _not_above_0(node: Node, largest: Collection[str], by: sp.Expr = sp.S.One) -> bool:
    """−c log(1 + e^x), −c max(0, x), log(1 − P): a number times such, which are never above 0."""
    if node.op == "literal":
        return True
    c, powers = by, (1,)
    if node.op == "product" and len(node.args) == 1:
        (node,), (own, powers) = node.args, node.data[1]
        c = by * own
    softplus = node.op == "call" and node.data[1] == "softplus"
    softplus = softplus or (node.op == "maximum" in largest and any(map(_is_0, node.args)))
    below = bool(c.is_negative) if softplus else _of_others(node) and bool(c.is_positive)
    return below and powers == (1,)


def _is_0(node: Node) -> bool:
    return node.op == "literal" and node.data == 0


def _within(node: Node, largest: Node) -> bool:
    """The node is part of what the other one is the largest of, or the largest of fewer."""
    fewer = node.args[0] is largest.args[0] and {*node.args} > {*largest.args}
    return fewer or node in set(reachable(largest.args))


def _of_others(node: Node) -> bool:
    """log(1 − P): see complements.py."""
    last = node.args[2] if node.op == "choose" else node
    return node.op == "choose" and last.op == "call" and last.data[1] == "log1p"


def _read(node: Node) -> Node:
    """What is turned, or read at other places."""
    while node.op in ("arrange", "gather"):
        node = node.args[0]
    return node


__all__ = ["below_largest", "has_ceiling"]
