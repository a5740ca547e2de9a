"""Sums of what pairs give, slice by slice.

    Σ_a (x_ia − y_ja)²        the pairs i, j for every a, added up
    Σ_j w_ij (x_ia − y_ja)    a sum over pairs for every a

No operand has all three letters, and none is taken apart into products of matrices, which would
lose the digits of differences.  With all letters at once, the last and shortest axis is what a
CPU computes at a time; slice by slice it is the one of the keys.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from .nodes import ENTRYWISE, Letters, Node
from .order import Symbols

ELEMENTWISE = {*ENTRYWISE} - {"maximum"}
MOST = 40  # operations of one sum


@dataclass(frozen=True)
class Slices:
    """A sum, for one letter at a time.

    taken   what has the letter, as `slice` nodes (data: the axis), one for every order in which
            its other axes are read: x_i and x_j of (x_i − x_j)² in one slice keep XLA on a CPU
            from computing several j at a time
    result  what one slice gives, a node made of these and of whole arrays
    inside  the operations of one slice, operands first, `result` last
    axis    the axis of the letter in the sum; None where it is summed
    tree    the nodes that exist in slices alone
    """

    taken: tuple[Node, ...]
    result: Node
    inside: tuple[Node, ...]
    axis: int | None
    tree: frozenset[Node]


def in_slices(
    order: Sequence[Node], kept: Collection[Node], long: Symbols
) -> tuple[dict[Node, Slices], set[Node]]:
    """The sums that are taken slice by slice, and the nodes that need no array for it.

    `kept` are needed whole; `long` are the sizes that are long as a rule.
    """
    found = {n: made for n in order if (made := _slices(n, long)) is not None}
    users: dict[Node, list[Node]] = {}
    for node in order:
        for arg in node.args:
            users.setdefault(arg, []).append(node)
    while True:
        inside = {n for made in found.values() for n in made.tree}
        whole = {
            n
            for n in inside
            if n in kept or any(u not in found and u not in inside for u in users.get(n, ()))
        }
        left = {n: made for n, made in found.items() if not made.tree & whole}
        if len(left) == len(found):
            return found, inside
        found = left


def _slices(node: Node, long: Symbols) -> Slices | None:
    if node.op != "einsum" or len(node.args) > 2:
        return None
    places = node.data[0]
    letters = tuple(range(len(node.sizes)))
    if len(letters) < 3 or not any(sorted(place) == [*letters] for place in places):
        return None
    leaves: dict[tuple[Node, Letters], None] = {}
    tree: dict[Node, Letters] = {}
    for arg, place in zip(node.args, places, strict=True):
        if not _descend(arg, place, set(letters), tree, leaves):
            return None
    arrays = [(n, x) for n, x in leaves if x]
    for letter in letters:
        size = node.sizes[letter]
        have = [n for n, x in arrays if letter in x]
        leading = letter < len(node.shape) and len(have) == len(arrays)
        alone = sum(s == size for s in node.sizes) == 1
        # weights of features are read one by one, but no function is computed again for them
        plain = all(n.op != "call" for n in tree)
        first = any(x[0] == letter and not (plain and len(x) == 1) for _, x in arrays)
        if size.free_symbols & long or leading or first or not alone or not have:
            continue
        if all(n.op != "compare" for n in have):
            return _made(node, letter, frozenset(tree))
    return None


def _descend(
    node: Node,
    letters: Letters,
    every: set[int],
    tree: dict[Node, Letters],
    leaves: dict[tuple[Node, Letters], None],
) -> bool:
    """Enter a node that has these letters; False where it is an array with all of them."""
    if set(letters) != every:
        leaves[node, letters] = None
        return True
    if tree.get(node) == letters:
        return True
    if node.op not in ELEMENTWISE or node in tree or len(tree) > MOST:
        return False
    tree[node] = letters
    return all(
        _descend(arg, tuple(letters[k] for k in place), every, tree, leaves)
        for arg, place in zip(node.args, node.data[0], strict=True)
    )


def _made(node: Node, letter: int, tree: frozenset[Node]) -> Slices:
    taken: dict[tuple[Node, int, Letters], Node] = {}
    inner: dict[tuple[Node, int], Node] = {}

    def sliced(arg: Node, axis: int, place: Letters) -> Node:
        if arg not in tree:
            key = arg, axis, _without(place, axis)
            if key not in taken:
                shape = _without(arg.shape, axis)
                hints = _without(arg.hints[: len(arg.shape)], axis)
                taken[key] = Node("slice", (arg,), axis, shape, -1, shape, hints)
            return taken[key]
        if (arg, axis) not in inner:
            inner[arg, axis] = rebuilt(arg, axis)
        return inner[arg, axis]

    def rebuilt(old: Node, gone: int) -> Node:
        args, places = [], []
        for arg, place in zip(old.args, old.data[0], strict=True):
            args.append(sliced(arg, place.index(gone), place) if gone in place else arg)
            places.append(tuple(x - (x > gone) for x in place if x != gone))
        rank = len(old.shape) - (gone < len(old.shape))
        sizes = _without(old.sizes, gone)
        data = (tuple(places), *old.data[1:])
        hints = _without(old.hints, gone)
        return replace(
            old, args=tuple(args), data=data, shape=sizes[:rank], sizes=sizes, hints=hints
        )

    rank = len(node.shape)
    result = rebuilt(node, letter)
    if len(result.sizes) == len(result.shape):  # nothing else is summed
        ones = (sp.S.One,) * len(result.args)
        result = replace(result, op="product", data=(result.data[0], (sp.S.One, ones)))
    axis = letter if letter < rank else None
    return Slices(tuple(taken.values()), result, (*inner.values(), result), axis, tree)


def _without(row: tuple[Any, ...], k: int) -> tuple[Any, ...]:
    return (*row[:k], *row[k + 1 :])


__all__ = ["Slices", "in_slices"]
