"""Ends that a mask leaves out: beside [i ≤ n − 2] an axis has n − 1 places, and a shift is a slice.

    [i ≤ n − 2] (x_{i+1} − x_i)  is  x[1:] − x[:-1],  and 0 behind it
    [i ≥ 1] f_{i−1}              is  f[:-1],          and 0 before it

Every array of a plan is computed where it is needed and may be other than 0.  What needs it further
out gets the zeros; a shift of what has zeros at the end that goes around is the same array.  So
slices and zeros are fused into what reads them, where whole arrays would be turned around.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import sympy as sp

from .nodes import BOOLEAN, Letters, Node, Nodes, reachable, shift

Ends = tuple[int, int]  # how many places are left out at the beginning and at the end of an axis
Part = tuple[
    Node, tuple[int, ...]
]  # an array, and which of its axes it has: it is constant in others
WHOLE: Ends = (0, 0)
ELEMENTWISE = ("product", "einsum", "add", "call", "select")  # and sums of what is
NOWHERE: Ends = (10**9, 10**9)


@dataclass(frozen=True)
class Trimmed:
    """The roots without ends, and what each node was."""

    now: Mapping[Node, Node]
    origin: Mapping[Node, Node]


def without_ends(roots: Sequence[Node], nodes: Nodes) -> Trimmed | None:
    """The plan with slices and zeros in place of shifts; None where that saves no shift."""
    order = list(reachable(roots))
    if not any(_distance(n) for n in order) or not any(_interval(n) for n in order):
        return None
    work = _Ends(roots, order, nodes)
    now = {root: work.whole(root) for root in roots}
    after = list(reachable(now.values()))
    fewer = sum(_distance(n) != 0 for n in after) < sum(_distance(n) != 0 for n in order)
    if not fewer or sum(n.op not in ("crop", "pad") for n in after) > len(order):
        return None
    origin: dict[Node, Node] = {}
    for old in order:
        origin.setdefault(work.made[old][0], old)
    return Trimmed(now, origin)


def _interval(node: Node) -> Ends | None:
    """The ends that a mask of one index leaves out."""
    if node.op != "compare" or len(node.data) > 3 or node.data[1:] != (node.data[1], None):
        return None
    items, const, _ = node.data
    if len(items) != 1 or abs(items[0][1]) != 1:
        return None
    (size,) = node.sizes
    outside = -const if items[0][1] == 1 else sp.expand(size - 1 - const)
    if not outside.is_Integer:
        return None
    gone = max(int(outside), 0)
    return (gone, 0) if items[0][1] == 1 else (0, gone)


def _distance(node: Node) -> int:
    """How far a lookup moves an array along one axis; 0 for anything else."""
    moved = shift(node) if node.op == "gather" else None
    return int(moved.distance) if moved is not None and moved.distance.is_Integer else 0


def _both(one: Ends, other: Ends) -> Ends:
    return max(one[0], other[0]), max(one[1], other[1])


def _either(one: Ends, other: Ends) -> Ends:
    return min(one[0], other[0]), min(one[1], other[1])


class _Ends:
    """One plan made again."""

    def __init__(self, roots: Sequence[Node], order: Sequence[Node], nodes: Nodes) -> None:
        self._nodes, self._uses = nodes, Counter(arg for node in order for arg in node.args)
        self._support: dict[Node, tuple[Ends, ...]] = {}  # outside of it there are zeros
        for node in order:
            self._support[node] = self._supported(node)
        demand = {n: [NOWHERE] * len(n.shape) for n in order}
        for root in roots:
            demand[root] = [WHOLE] * len(root.shape)
        self._region: dict[Node, tuple[Ends, ...]] = {}
        for node in reversed(order):
            wanted = map(_both, demand[node], self._support[node])
            self._region[node] = tuple(wanted)
            targets = self._targets(node)
            if targets is None:  # as it is, of whole arrays
                self._region[node] = (WHOLE,) * len(node.shape)
                targets = [(WHOLE,) * len(arg.shape) for arg in node.args]
            for arg, target in zip(node.args, targets, strict=True):
                demand[arg] = list(map(_either, demand[arg], target))
        self.made: dict[Node, Part] = {}
        for node in order:
            self.made[node] = self._make(node)

    # ---------------------------------------------------------------------------- what is needed

    def _supported(self, node: Node) -> tuple[Ends, ...]:
        found = [WHOLE] * len(node.shape)
        gone = _interval(node)
        if gone is not None:
            return (gone,)
        by = _distance(node)
        if by:
            moved = shift(node)
            assert moved is not None
            for axis, x in enumerate(moved.letters):
                a, b = self._support[node.args[0]][axis]
                if axis != moved.axis:
                    found[x] = a, b
                elif (a if by > 0 else b) >= abs(by):
                    found[x] = a - by, b + by
        elif node.op == "call" and node.data[1] == "exp" and _plain(node):
            (place,) = node.data[0]  # e^{−∞} = 0
            for x, ends in zip(place, _left(node.args[0]), strict=True):
                found[x] = ends
        elif node.op in ("product", "einsum", "add") and _plain(node):
            powers = node.data[1][1] if node.op == "product" else [1] * len(node.args)
            for x in range(len(node.shape)):
                every = [
                    self._support[arg][place.index(x)] if x in place else WHOLE
                    for arg, place, e in zip(node.args, node.data[0], powers, strict=True)
                    if e > 0
                ]
                together = _either if node.op == "add" else _both
                for k, one in enumerate(every):
                    found[x] = together(found[x], one) if k else one
        return tuple(found)

    def _targets(self, node: Node) -> list[tuple[Ends, ...]] | None:
        """Where the operands are needed; None where a node is computed as a whole."""
        region = self._region[node]
        by = _distance(node)
        if by:
            moved = shift(node)
            assert moved is not None
            a, b = region[moved.letters[moved.axis]]
            if (b if by > 0 else a) < abs(by):
                return None
            target = [region[x] for x in moved.letters]
            target[moved.axis] = a + by, b - by
            return [tuple(target)]
        if node.op not in ELEMENTWISE or not _plain(node):
            return None
        inner = dict(enumerate(region))
        for arg, place in zip(node.args, node.data[0], strict=True):
            for axis, x in enumerate(place):
                if x >= len(region):  # summed: zeros need not be
                    inner[x] = _both(inner.get(x, WHOLE), self._support[arg][axis])
        return [tuple(inner[x] for x in place) for place in node.data[0]]

    # --------------------------------------------------------------------------------- new nodes

    def whole(self, node: Node) -> Node:
        """The node with all its places."""
        return self._at(node, (WHOLE,) * len(node.shape))[0]

    def _make(self, node: Node) -> Part:
        axes = tuple(range(len(node.shape)))
        targets = self._targets(node)
        if targets is None:
            args, rank = [self.whole(arg) for arg in node.args], len(axes)
            return self._nodes.make(node.op, args, node.data, node.sizes, rank, node.hints), axes
        moved = shift(node) if node.op == "gather" else None
        if moved is None:
            made = self._combined(node, targets)
        else:
            x, present = self._at(node.args[0], targets[0])
            made = (self._turned(node, x, moved.letters), axes) if present == axes else None
        if made is None:  # the node as it was
            self._region[node] = (WHOLE,) * len(axes)
            return node, axes
        return made

    def _combined(self, node: Node, targets: Sequence[tuple[Ends, ...]]) -> Part | None:
        """An elementwise node or a sum of products where it is needed."""
        places, data = node.data
        rank, ends = len(node.shape), dict(enumerate(self._region[node]))
        powers = data[1] if node.op == "product" else (1,) * len(node.args)
        args: list[Node] = []
        kept: list[Letters] = []
        exponents, shared = [], set[Node]()
        for arg, place, target, e in zip(node.args, places, targets, powers, strict=True):
            ends.update(zip(place, target, strict=True))
            gone = _interval(arg)
            held = gone is not None and _both(gone, target[0]) == target[0]
            if held and (node.op == "product" or (node.op == "select" and args)):
                continue  # the mask holds everywhere
            x, present = self._at(arg, target)
            if arg.op in BOOLEAN and x is not arg:
                return None
            args.append(x)
            if self._uses[arg] > 1:
                shared.add(x)
            kept.append(tuple(place[k] for k in present))
            exponents.append(e)
        letters = sorted({x for place in kept for x in place})
        summed = set(range(rank, len(node.sizes)))
        if not summed <= set(letters) or all(a.op in (*BOOLEAN, "literal") for a in args):
            return None
        if node.op != "product" and len(letters) < len(node.sizes):
            return None
        number = {x: k for k, x in enumerate(letters)}
        sizes = [node.sizes[x] - sum(ends[x]) for x in letters]
        present = tuple(x for x in letters if x < rank)
        if node.op == "product":
            data = data[0], tuple(exponents)
            args, kept, data = _in_one_product(args, kept, data, shared, len(letters))
        if node.op == "add":
            order = sorted(range(len(args)), key=lambda k: _from_the_ends(args[k]))
            args, kept = [args[k] for k in order], [kept[k] for k in order]
            data = tuple(data[k] for k in order)
        renamed = tuple(tuple(number[x] for x in place) for place in kept)
        hints = [node.hints[x] for x in letters] if node.hints else ()
        alone = data == (1, (1,)) if node.op == "product" else node.op == "select"
        if alone and len(args) == 1 and renamed[0] == tuple(range(len(letters))):
            return args[0], present
        if node.op == "select" and len(args) == 1:
            return None
        made = self._nodes.make(node.op, args, (renamed, data), sizes, len(present), hints)
        once = node.op == "einsum" and self._uses[node.args[0]] == 1
        return self._sum_of_sum(made) if once else made, present

    def _sum_of_sum(self, node: Node) -> Node:
        """Σ Σ x, that lost a mask in between, as one sum."""
        inner = node.args[0]
        if len(node.args) > 1 or inner.op != "einsum" or len(inner.args) > 1:
            return node
        (outer,), (place,), rank = node.data[0], inner.data[0], len(inner.shape)
        more = len(node.sizes) - rank
        letters = tuple(outer[x] if x < rank else x + more for x in place)
        sizes, hints = node.sizes + inner.sizes[rank:], node.hints + inner.hints[rank:]
        return self._nodes.make(
            "einsum", inner.args, ((letters,), None), sizes, len(node.shape), hints
        )

    def _at(self, node: Node, target: Sequence[Ends]) -> Part:
        """The node at these places; zeros outside of where it is computed."""
        (x, axes), region = self.made[node], self._region[node]
        if any(target[k] != region[k] for k in range(len(region)) if k not in axes):
            x, axes, region = node, tuple(range(len(region))), (WHOLE,) * len(region)
        wanted, rank = [target[k] for k in axes], len(axes)
        for op, sign in (("crop", 1), ("pad", -1)):  # first what is too much
            ends = tuple(
                (max(sign * (t[0] - r[0]), 0), max(sign * (t[1] - r[1]), 0))
                for t, r in zip(wanted, (region[k] for k in axes), strict=True)
            )
            if any(map(any, ends)):
                sizes = [s - sign * sum(e) for s, e in zip(x.shape, ends, strict=True)]
                data = (tuple(range(rank)),), ends
                x = self._nodes.make(op, (x,), data, sizes, rank, x.hints[:rank])
        return x, axes

    def _turned(self, node: Node, x: Node, letters: Letters) -> Node:
        if letters == tuple(range(len(letters))):
            return x
        sizes = [x.shape[letters.index(k)] for k in range(len(letters))]
        return self._nodes.make("arrange", (x,), ((letters,), None), sizes, len(sizes), node.hints)


def _in_one_product(
    args: Sequence[Node],
    kept: Sequence[Letters],
    data: tuple[sp.Expr, Sequence[sp.Expr]],
    shared: Collection[Node],
    rank: int,
) -> tuple[list[Node], list[Letters], tuple[sp.Expr, tuple[sp.Expr, ...]]]:
    """The factors of products of all letters as factors: x / y z is computed as x z / y."""
    coefficient, powers = data
    found: list[tuple[Node, Letters, sp.Expr]] = []
    for x, place, e in zip(args, kept, powers, strict=True):
        inner = x.op == "product" and e == 1 and len(place) == rank and x not in shared
        if not inner or any(a.op in BOOLEAN for a in x.args):
            found.append((x, place, e))
            continue
        coefficient *= x.data[1][0]
        for y, letters, f in zip(x.args, x.data[0], x.data[1][1], strict=True):
            found.append((y, tuple(place[k] for k in letters), f))
    exponents = tuple(part[2] for part in found)
    return [part[0] for part in found], [part[1] for part in found], (coefficient, exponents)


def _from_the_ends(node: Node) -> tuple[int, int]:
    """The order of what is added: last axes first, and of one axis what has no zeros before it,
    no zeros behind it, and zeros at both ends.

    XLA on a CPU fuses all of these, and computes in vectors where the outermost come first; entry
    by entry, in three to five times the time, where they do not.
    """
    if node.op != "pad":
        return 0, 0
    axis = max(k for k, ends in enumerate(node.data[1]) if any(ends))
    before, behind = node.data[1][axis]
    return len(node.shape) - axis, 0 if not before else 1 if not behind else 2


def _left(node: Node) -> list[Ends]:
    """What is −∞ at the ends of a node."""
    found = [WHOLE] * len(node.shape)
    if node.op == "select" and node.data[1] is None and _plain(node):
        for mask, place in zip(node.args[1:], node.data[0][1:], strict=True):
            gone = _interval(mask)
            if gone is not None:
                found[place[0]] = _both(found[place[0]], gone)
    return found


def _plain(node: Node) -> bool:
    """No operand has a letter twice."""
    return all(len(set(place)) == len(place) for place in node.data[0])


__all__ = ["Trimmed", "without_ends"]
