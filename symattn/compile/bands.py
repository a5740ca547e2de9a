"""What a block of rows needs of an axis: a band, outside of which everything is 0 or not read.

A block of rows i of A_ij [j ≤ i] needs the keys j up to its last row, and with [i − j < w] those
from w − 1 before its first one on.  Of a table that is read at i − j + n − 1 it needs the n places
from its first row on, and what comes back to the table is 0 elsewhere.  The axis is found by
following letters through the plan; then the largest arrays, everything that is summed over it and
every sum that has it must vanish outside, or be no result of the block, and what is read at other
places must be read inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from .nodes import ENTRYWISE, Letters, Node
from .rows import Cut, operands
from .skewed import affine_axis, skew

ELEMENTWISE = frozenset((*ENTRYWISE, "guard"))
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
    tables = [table for n in inside if (table := _table(n, made)) is not None]
    classes = _classes(inside, tables)
    rows = {classes[n, x] for n, x in made.letters.items() if x >= 0}
    asked = dict.fromkeys(
        classes[n, x]
        for n in inside
        for mask, letters in _masks(n)
        for x in letters
        if classes[n, x] not in rows
    )
    asked |= dict.fromkeys(classes[key] for key, _ in tables)
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


def _classes(
    inside: list[Node], tables: list[tuple[tuple[Node, int], Bounds]]
) -> dict[tuple[Node, int], Any]:
    """A name for every letter of every node, the same for letters that are one index, and for
    places of tables that are of one length and needed within the same bounds."""
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
    alike: dict[tuple[sp.Expr, Bounds], tuple[Node, int]] = {}
    for key, bounds in tables:
        if key in parent:
            parent[root(key)] = root(alike.setdefault((key[0].sizes[key[1]], bounds), key))
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
        for arg, places in operands(node):
            k = letters.get(arg, len(arg.shape))
            if k < len(arg.shape) and places[k] < 0:  # not read along that axis
                needed.append(_read(node, k, made) if node.op == "gather" else NONE)
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
            zero[node] = _filled(node, x, made)
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


def _table(node: Node, made: Cut) -> tuple[tuple[Node, int], Bounds] | None:
    """The axis of a block's own table that is read at places of rows, or that has what was not
    read there, and within which bounds."""
    found = affine_axis(node)
    if found is None:
        return None
    axis, (items, *_) = found
    if not node.data[1]:
        bounds = _read(node, axis, made)
        return ((node.args[0], axis), bounds) if bounds and node.args[0] in made.letters else None
    for x, _ in items:
        bounds = _filled(node, x, made)
        if bounds:
            return (node, x), bounds
    return None


def _read(node: Node, axis: int, made: Cut) -> Bounds:
    """The bounds within which x is read along an axis, at k = i + …, for rows i."""
    row, (source,) = made.letters[node], node.args
    found = affine_axis(node)
    if found is None or found[0] != axis or node.data[1] or row < 0:
        return NONE
    items, const, modulus = found[1]
    if dict(items).get(row) != 1 or modulus != source.shape[axis]:
        return NONE
    others = [(c, c * (node.sizes[x] - 1)) for x, c in items if x != row]
    low, high = (const + sum(most for c, most in others if (c > 0) is up) for up in (False, True))
    left = sp.expand(modulus - node.sizes[row] - high)  # places after the last one
    inside = sp.expand(low).is_nonnegative and left.is_nonnegative
    return _bounded(low, high) if inside else NONE


def _filled(node: Node, key: int, made: Cut) -> Bounds:
    """The bounds outside of which x, read along an axis at i − k + c or k − i + c, is 0."""
    found = skew(node)
    if found is None or not node.data[1] or (found.i, found.j) != (made.letters[node], key):
        return NONE
    row, own, low = found.first(True)
    most = node.args[0].shape[found.axis] - 1
    low += min(own, 0) * most
    return _bounded(low, low + most) if row == 1 else NONE


def _bounded(low: sp.Expr, high: sp.Expr) -> Bounds:
    """i + low ≤ k ≤ i + high"""
    return frozenset(((True, sp.expand(high)), (False, sp.expand(-low))))


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
