"""What is used only where a mask holds is computed as that of 1 elsewhere.

    r̄_ij (x_i − x_j) / r_ij       r_ij = |x_i − x_j|, and 1 where i = j, where x_i − x_j is 0
    √s_ij  with s_ii = 0          √1 · 0 where i = j, so it has a derivative there: 0
    Σ_{i<j} w_ij log s_ij         log 1 elsewhere

Definitions and adjoints with names are arrays of their own, so a mask may be far from the quotient,
the root or the logarithm that it leaves out, and 0 · ∞ is nan.  Arrays are gone through twice: from
the inputs on it is found where each of them is 0 whatever comes in, from the results back where
each of them is used at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations

import sympy as sp

from .. import normalize as nf
from ..ir import ZERO
from .branches import PARTIAL
from .ceilings import below_largest, has_ceiling
from .nodes import Letters, Node, Nodes, reachable

Condition = tuple[Node, Letters]  # a boolean array, and the letters of its axes
Conditions = frozenset[Condition]
NONE: Conditions = frozenset()
BENT = PARTIAL - {"expm1", "cosh", "sinh", "xlogy"}  # have no value, or none that a number holds
ALONG = ("product", "add", "einsum", "call", "select", "choose", "weighed", "arrange", "guard")


def spared(roots: Iterable[Node], nodes: Nodes) -> dict[Node, Node]:
    """The plan in which nothing without a value is computed where it is not used, node by node;
    empty where that is so already."""
    roots = list(roots)
    order = list(reachable(roots))
    if not any(_bent(node) for node in order):
        return {}
    work = _Uses(order, roots, nodes)
    return nodes.rewritten(roots, work.rule)


def exposed(roots: Iterable[Node]) -> int:
    """How many quotients are used at i = j, where their denominators are 0 by what they are, or
    have them without digits near it, as |x_i|² + |x_j|² − 2 x_i x_j."""
    roots = list(roots)
    order = list(reachable(roots))
    if not any(_bent(node) for node in order):
        return 0
    work = _Uses(order, roots, Nodes())
    return sum(
        work.open_at(node, k) or work.cancels(x)
        for node in order
        if node.op == "product"
        for k, (x, e) in enumerate(zip(node.args, node.data[1][1], strict=True))
        if e < 0
    )


class _Uses:
    """Where the arrays of a plan are 0 by what they are, and where they are used."""

    def __init__(self, order: Sequence[Node], roots: Collection[Node], nodes: Nodes) -> None:
        self.nodes = nodes
        self.zero: dict[Node, Conditions] = {}  # each is 0 where one of these fails
        for node in order:
            self.zero[node] = self._zero(node)
        self.used: dict[Node, Conditions] = dict.fromkeys(roots, NONE)  # only where all hold
        for node in reversed(order):
            for k, arg in enumerate(node.args):
                where = self.at(node, k)
                self.used[arg] = self.used[arg] & where if arg in self.used else where

    # ---------------------------------------------------------------------------- what is zero

    def _apart(self, i: int, j: int, size: sp.Expr) -> Condition:
        """[i ≠ j]"""
        data = ((0, 1), (1, -1)), sp.S.Zero, size, True
        return self.nodes.make("compare", (), data, (size, size), 2, ("i", "j")), (i, j)

    def _zero(self, node: Node) -> Conditions:
        every = tuple(range(len(node.shape)))
        match node.op:
            case "compare" | "test":
                pair = _different(node)
                return frozenset({(node, every)} | ({self._apart(*pair)} if pair else set()))
            case "product":
                powers = node.data[1][1]
                return self._any(node, (k for k, e in enumerate(powers) if e > 0))
            case "einsum":
                return self._any(node, range(len(node.args)))
            case "add":
                pairs = zip(node.args, node.data[0], strict=True)
                own = [_renamed(self.zero[x], place) for x, place in pairs]
                return own[0].intersection(*own[1:]) | self._differences(node, own)
            case "arrange":
                return self._any(node, [0])
            case "call" if len(node.args) == 1 and _at_zero(node.data[1]):
                return self._any(node, [0])
            case "select" if node.data[1] == 0:
                return self._any(node, range(len(node.args)))
            case "weighed" if len(node.args) == 2:
                return self._any(node, [1])
        return NONE

    def _any(self, node: Node, which: Iterable[int]) -> Conditions:
        rank = len(node.shape)
        found = (_renamed(self.zero[node.args[k]], node.data[0][k]) for k in which)
        every = self._closed(c for own in found for c in own)
        return frozenset(c for c in every if max(c[1], default=-1) < rank)

    def _differences(self, node: Node, own: Sequence[Conditions]) -> Conditions:
        """[i ≠ j] for a sum in which all that is not 0 at i = j cancels there, as in x_i − x_j."""
        found = set()
        for i, j in combinations(range(len(node.shape)), 2):
            if node.sizes[i] != node.sizes[j]:
                continue
            apart, left = self._apart(i, j, node.sizes[i]), dict[object, sp.Expr]()
            for x, place, c, zero in zip(node.args, *node.data, own, strict=True):
                if apart not in zero:
                    there, number = _content(x, tuple(i if k == j else k for k in place))
                    left[there] = left.get(there, sp.S.Zero) + c * number
            if not any(left.values()):
                found.add(apart)
        return frozenset(found)

    # ---------------------------------------------------------------------------- what is used

    def at(self, node: Node, k: int) -> Conditions:
        """Where operand k is used for what the node is used for, by the axes of the operand."""
        if node.op not in ALONG:
            return NONE
        where = self._closed(self.used[node] | self._beside(node, k))
        return _back(where, node.data[0][k])

    def _beside(self, node: Node, k: int) -> set[Condition]:
        """Where the other operands leave anything of operand k."""
        match node.op:
            case "product":
                others = [n for n, e in enumerate(node.data[1][1]) if n != k and e > 0]
            case "einsum":
                others = [n for n in range(len(node.args)) if n != k]
            case "select":
                others = list(range(1, len(node.args))) if k == 0 else []
            case "choose":
                test, place = node.args[0], node.data[0][0]
                if k == 0:
                    return set()
                return {(test if k == 1 else self.nodes.opposite(test), place)}
            case "weighed":
                others = [1] if k == 0 and len(node.args) == 2 else []
            case _:
                others = []
        own = (_renamed(self.zero[node.args[n]], node.data[0][n]) for n in others)
        return {c for conditions in own for c in conditions}

    def open_at(self, node: Node, k: int) -> bool:
        """Operand k is 0 at i = j, and used there."""
        zero = self.zero[node.args[k]]
        return any(_different(c) for c, _ in zero) and not zero & self.at(node, k)

    def cancels(self, node: Node) -> bool:
        """The array, or what it is a power of, is a sum of contractions that is 0 at i = j."""
        while node.op in ("select", "arrange") or (node.op == "product" and len(node.args) == 1):
            node = node.args[0]
        if node.op != "add" or not any(_different(c) for c, _ in self.zero[node]):
            return False
        return any(x.op == "einsum" and len(x.args) > 1 for x in node.args)

    # -------------------------------------------------------------------------------- the rule

    def rule(self, node: Node, args: list[Node]) -> Node | None:
        """A quotient, a root or a logarithm of what is 1 where it is not used."""
        if node.op == "call" and node.data[1] in BENT:
            if node.data[1] == "exp" and _bounded(node.args[0]):
                return None
            args = [*args[:-1], self._kept(node.args[-1], args[-1], self.at(node, len(args) - 1))]
            return self._remade(node, args, node.data)
        if node.op != "product" or not _bent(node):
            return None
        places, (c, powers) = node.data
        masks = list[Condition]()
        for k, (x, e) in enumerate(zip(node.args, powers, strict=True)):
            if not _is_bent(x, e):
                continue
            args[k] = self._kept(x, args[k], self.at(node, k))
            apart = [y for y in self.zero[x] if _different(y[0])]
            if e > 0 and apart and args[k] is not None and not _is_kept(args[k], apart):
                args[k] = self._where(args[k], apart[:1])
                masks += _renamed(frozenset(apart[:1]), places[k])
        data = (*places, *(p for _, p in masks)), (c, (*powers, *([sp.S.One] * len(masks))))
        return self._remade(node, [*args, *(m for m, _ in masks)], data)

    def _kept(self, old: Node, new: Node, where: Conditions) -> Node:
        """The operand, and 1 where it is not used and may be 0."""
        masks = sorted(self._strongest(where), key=lambda c: (c[0].serial, c[1]))
        if not masks or (_positive(old) and not where & self.zero[old]) or _is_kept(new, masks):
            return new
        return self._where(new, masks)

    def _strongest(self, where: Conditions) -> Conditions:
        """The conditions without i ≠ j beside i < j."""
        ordered = {frozenset(letters) for c, letters in where if _order(c)}
        return frozenset(
            (c, letters)
            for c, letters in where
            if _order(c) or not (_different(c) and frozenset(letters) in ordered)
        )

    def _closed(self, where: Iterable[Condition]) -> Conditions:
        """The conditions with i ≠ k of i < j and j < k, and of i = j and j ≠ k."""
        found = set(where)
        strict = ((x, pair) for c, x in found if (pair := _order(c)) is not None)
        below = {(x[i], x[j]) for x, (i, j) in strict}
        while more := {(i, k) for i, j in below for l, k in below if j == l} - below:
            below |= more
        apart = {frozenset(x) for c, x in found if _different(c)} | {frozenset(x) for x in below}
        for same in (frozenset(x) for c, x in found if _equal(c)):
            apart |= {pair ^ same for pair in apart if len(pair & same) == 1}
        size = {k: c.shape[n] for c, x in found for n, k in enumerate(x)}
        pairs = [sorted(pair) for pair in apart if len(pair) == 2]
        return frozenset(found | {self._apart(i, j, size[i]) for i, j in pairs})

    def _where(self, node: Node, masks: Sequence[Condition]) -> Node:
        rank = len(node.shape)
        data = (tuple(range(rank)), *(place for _, place in masks)), 1
        args = (node, *(m for m, _ in masks))
        return self.nodes.make("select", args, data, node.shape, rank, node.hints[:rank])

    def _remade(self, node: Node, args: Sequence[Node], data: object) -> Node:
        return self.nodes.make(node.op, args, data, node.sizes, len(node.shape), node.hints)


def _bent(node: Node) -> bool:
    if node.op == "call":
        return node.data[1] in BENT
    return node.op == "product" and any(map(_is_bent, node.args, node.data[1][1]))


def _is_bent(x: Node, e: sp.Rational) -> bool:
    return x.op != "literal" and bool(e < 0 or e.q > 1)


def _is_kept(node: Node, masks: Collection[Condition]) -> bool:
    """The array is 1, or a power of 1, where a mask fails."""
    while node.op == "product" and len(node.args) == 1 and node.data[1][0] == 1:
        node = node.args[0]
    return node.op == "select" and node.data[1] == 1 and bool(set(_masks(node)) & {*masks})


def _masks(node: Node) -> Iterator[Condition]:
    return zip(node.args[1:], node.data[0][1:], strict=True)


def _renamed(conditions: Conditions, place: Letters) -> Conditions:
    """Conditions on the axes of an operand, by the letters of the result."""
    found = (_condition(c, [place[k] for k in axes]) for c, axes in conditions)
    return frozenset((c, letters) for c, letters in found if len({*letters}) == len(letters))


def _back(conditions: Iterable[Condition], place: Letters) -> Conditions:
    """Those that an operand has the letters of, by its axes."""
    axis = {x: k for k, x in enumerate(place)}
    return frozenset(
        _condition(c, [axis[x] for x in letters])
        for c, letters in conditions
        if {*letters} <= {*axis}
    )


def _condition(node: Node, letters: Sequence[int]) -> Condition:
    """[i ≠ j] is [j ≠ i]."""
    even = node.op == "compare" and node.data[2] is not None and _different(node)
    return node, tuple(sorted(letters) if even else letters)


def _different(node: Node) -> tuple[int, int, sp.Expr] | None:
    """The axes i and j, and their size, of a comparison that is false at i = j."""
    if node.op != "compare":
        return None
    items, const, modulus, *negated = node.data
    if len(items) != 2 or {c for _, c in items} != {1, -1}:
        return None
    (i, _), (j, _) = sorted(items)
    if node.shape[i] != node.shape[j]:
        return None
    if modulus is not None:
        apart = bool(negated) and const == 0 and modulus == node.shape[i]
    else:
        apart = bool(const >= 0 if negated else const < 0) if const.is_number else False
    return (i, j, node.shape[i]) if apart else None


def _content(node: Node, letters: Letters) -> tuple[object, sp.Expr]:
    """What tells products of the same arrays to be equal: Σ_a x_ia x_ja at i = j is Σ_a x_ia²;
    and the number before it."""
    factors = dict[tuple[Node, Letters], sp.Expr]()
    number = sp.S.One
    rank = len(node.shape)
    stack = [(node, letters, sp.S.One)]
    while stack:
        x, place, e = stack.pop()
        rank = len(x.shape)
        own = (*place, *(-1 - k for k in range(len(x.sizes) - rank)))  # letters of a sum
        if x.op == "einsum" and x is node:
            pairs = zip(x.args, x.data[0], strict=True)
            stack += [(y, tuple(own[k] for k in part), e) for y, part in pairs]
        elif x.op == "product":
            c, powers = x.data[1]
            number *= c**e
            parts = zip(x.args, x.data[0], powers, strict=True)
            stack += [(y, tuple(own[k] for k in part), e * f) for y, part, f in parts]
        else:
            factors[x, place] = factors.get((x, place), sp.S.Zero) + e
    return (node.op == "einsum", frozenset(factors.items())), number


def _equal(node: Node) -> bool:
    """[i = j] of two axes."""
    if node.op != "compare" or len(node.data) > 3:
        return False
    items, const, modulus = node.data
    return {c for _, c in items} == {1, -1} and const == 0 and set(node.shape) == {modulus}


def _order(node: Node) -> tuple[int, int] | None:
    """The axes i and j of [i < j]."""
    pair = _different(node)
    if pair is None or node.data[2] is not None:
        return None
    ((i, c), (j, _)), opposite = node.data[0], len(node.data) > 3
    return (j, i) if (c > 0) != opposite else (i, j)


def _at_zero(name: str | None) -> bool:
    """The function is 0 at 0."""
    return name is not None and name not in PARTIAL and nf.call(name, [ZERO]) is ZERO


def _bounded(exponent: Node) -> bool:
    """Nothing makes the exponential overflow, or a mask leaves it out already."""
    return exponent.op == "select" or below_largest(exponent) or has_ceiling(exponent)


def _positive(node: Node) -> bool:
    """Numbers that are never 0 or below it, whatever comes in."""
    match node.op:
        case "input":
            return bool(node.data.positive)
        case "literal":
            return bool(node.data.is_positive)
        case "product":
            c, powers = node.data[1]
            pairs = zip(node.args, powers, strict=True)
            return bool(c.is_positive) and all(_positive(x) for x, e in pairs)
        case "add":
            parts = [*zip(node.args, node.data[1], strict=True)]
            some = any(_positive(x) for x, _ in parts)
            return some and all(c.is_positive and (_positive(x) or _square(x)) for x, c in parts)
        case "einsum" | "cumsum":
            return all(map(_positive, node.args))
        case "call":
            return node.data[1] in ("exp", "sigmoid", "softplus", "cosh")
        case "guard" | "hazard":
            return True
        case "arrange" | "gather" | "select":
            return _positive(node.args[0]) and (node.op != "select" or node.data[1] == 1)
    return False


def _square(node: Node) -> bool:
    """Numbers that are never below 0."""
    if node.op == "product":
        c, powers = node.data[1]
        pairs = zip(node.args, powers, strict=True)
        return bool(c.is_positive) and all(e % 2 == 0 or _positive(x) for x, e in pairs)
    if node.op == "einsum":
        twice = len(node.args) == 2 and node.args[0] is node.args[1]
        return (twice and len({*node.data[0]}) == 1) or all(map(_square, node.args))
    return _positive(node) or (node.op == "maximum" and any(map(_is_zero, node.args)))


def _is_zero(node: Node) -> bool:
    return node.op == "literal" and node.data == 0


__all__ = ["exposed", "spared"]
