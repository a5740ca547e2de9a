"""What masks leave of a block of rows: a band of an axis, outside of which everything is 0.

A block of rows i of A_ij [j ≤ i] needs the keys j up to its last row, and with [i − j < w] those
from w − 1 before its first one on.  The axis j is found by following letters through the plan;
then the largest arrays, everything that is summed over j and every sum that has j must vanish
where the mask does, or be no result of the block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from .nodes import Letters, Node
from .rows import Cut, operands

ELEMENTWISE = frozenset(
    ("product", "add", "call", "select", "test", "choose", "maximum", "guard", "weighed")
)
Bound = tuple[bool, sp.Expr]  # (True, c): j ≤ i + c;  (False, c): j ≥ i − c
Bounds = frozenset[Bound]
NONE: Bounds = frozenset()


@dataclass
class Band:
    """The letter of every node that is computed for a band of keys, and how far it reaches."""

    letters: dict[Node, int]
    below: sp.Expr | None = None  # keys before the first row, None for all of them
    above: sp.Expr | None = None  # and after the last one
    size: sp.Expr = field(default_factory=lambda: sp.S.Zero)


def band(order: Iterable[Node], made: Cut, roots: Iterable[Node]) -> Band | None:
    """The band of the largest arrays that a mask bounds; None where nothing is skipped by it."""
    inside = [n for n in order if n in made.letters]
    classes = _classes(inside)
    rows = {classes[n, x] for n, x in made.letters.items() if x >= 0}
    asked = dict.fromkeys(
        classes[n, x]
        for n in inside
        for mask, letters in _masks(n)
        for x in letters
        if classes[n, x] not in rows
    )
    kept = {a for n in order if n in made.after for a in n.args} | set(roots)
    found = []
    for name in asked:
        letters = {n: x for n in inside for x in range(len(n.sizes)) if classes.get((n, x)) == name}
        if _pairs(letters, made):
            continue
        bounds = _bounds(inside, letters, classes, name, made, kept)
        if bounds:
            ends = {up: min((c for u, c in bounds if u is up), key=str, default=None)
                    for up in (True, False)}  # fmt: skip
            node, x = next(iter(letters.items()))
            found.append(Band(letters, ends[False], ends[True], node.sizes[x]))
    return max(found, key=lambda b: len(b.letters), default=None)


def _pairs(letters: dict[Node, int], made: Cut) -> bool:
    """An array from outside has rows and keys: a block takes its rows with all of the keys."""
    return any(
        arg not in made.letters
        and arg.op != "compare"
        and {made.letters[node], key} <= set(x)
        and made.letters[node] >= 0
        for node, key in letters.items()
        for arg, x in operands(node)
    )


def _classes(inside: list[Node]) -> dict[tuple[Node, int], Any]:
    """A name for every letter of every node, the same for letters that are one index."""
    parent: dict[tuple[Node, int], tuple[Node, int]] = {
        (n, x): (n, x) for n in inside for x in range(len(n.sizes))
    }

    def root(key: tuple[Node, int]) -> tuple[Node, int]:
        while parent[key] != key:
            key = parent[key]
        return key

    known = set(inside)
    for node in inside:
        for arg, letters in operands(node):
            if arg in known:
                for k, x in enumerate(letters):
                    if x >= 0:
                        parent[root((arg, k))] = root((node, x))
    return {key: root(key) for key in parent}


def _masks(node: Node) -> Iterator[tuple[Node, Letters]]:
    """The comparisons of two indices that a node has as operands, with their letters."""
    if node.op not in ("compare", "input", "literal", "gather"):
        for arg, letters in operands(node):
            if arg.op == "compare" and arg.data[2] is None and len(arg.data) == 3:
                yield arg, letters


def _bounds(
    inside: list[Node],
    letters: dict[Node, int],
    classes: dict[tuple[Node, int], Any],
    name: Any,
    made: Cut,
    kept: set[Node],
) -> Bounds:
    """The bounds outside of which nothing is lost; none where something needs all keys."""
    zero: dict[Node, Bounds] = {}  # a node is 0 outside of these
    needed: list[Bounds] = []
    for node in inside:
        if node not in letters:
            continue
        x = letters[node]
        if sum(classes[node, y] == name for y in range(len(node.sizes))) > 1:
            return NONE
        held = _held(node, x, zero, made)
        if node.op in ELEMENTWISE:
            zero[node] = held if node.op != "select" else NONE
        elif node.op == "gather":
            if any(arg in letters for arg in node.args):
                return NONE
            zero[node] = NONE
        elif node.op == "arrange":
            if len(node.data[0][0]) != len(node.shape):
                return NONE
            zero[node] = held
        elif node.op in ("einsum", "max"):
            zero[node] = held
            if x >= len(node.shape):
                needed.append(held)
        else:
            return NONE
        if x < len(node.shape):
            if node in made.sums:
                needed.append(zero[node])
            elif node in kept:
                return NONE
    return frozenset.intersection(*needed) if needed else NONE


def _held(node: Node, key: int, zero: dict[Node, Bounds], made: Cut) -> Bounds:
    """The bounds outside of which a node is 0, or the −∞ of a maximum."""
    row = made.letters[node]
    own = frozenset(b for m, y in _masks(node) if (b := _bound(m, y, row, key)) is not None)
    parts = [zero.get(arg, NONE) if key in y else NONE for arg, y in operands(node)]
    match node.op:
        case "product":
            positive = [p for p, e in zip(parts, node.data[1][1], strict=True) if e > 0]
            return own.union(*positive)
        case "add":
            return frozenset.intersection(*parts)
        case "choose":
            return parts[1] & parts[2]
        case "einsum":
            return NONE.union(*parts)
        case "select" | "max":
            below = _lowest(node.args[0], node.data[0][0], row, key, made)
            return own | below
        case "call" if node.data[1] == "exp":
            return _lowest(node.args[0], node.data[0][0], row, key, made)
        case "arrange":
            return parts[0]
    return NONE


def _lowest(node: Node, letters: Letters, row: int, key: int, made: Cut) -> Bounds:
    """The bounds outside of which an operand with these letters is −∞."""
    if node.op != "select" or node.data[1] is not None:
        return NONE
    found = (_bound(m, [letters[x] for x in y], row, key) for m, y in _masks(node))
    return frozenset(b for b in found if b is not None)


def _bound(mask: Node, letters: Iterable[int], row: int, key: int) -> Bound | None:
    """What [c·index + … ≥ 0] says of keys and rows."""
    letters = list(letters)
    items, const, _ = mask.data
    c = {letters[x]: f for x, f in items}
    if c == {row: 1, key: -1}:
        return True, const
    if c == {row: -1, key: 1}:
        return False, const
    return None


__all__ = ["Band", "band"]
