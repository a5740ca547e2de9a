"""Exponentials of one array with largest values taken out in turn are one exponential.

    e^{x_ij − a_j − b_i}  is  e^{x_ij − b_i − c_j} e^{c_j − a_j},   c_j = max_i (x_ij − b_i),

where x_ij − a_j − b_i is nowhere above 0: then c_j ≤ a_j, and both factors are at most 1, so
neither overflows, and what is rounded to 0 is 0 on the left, too.  Weights that are normalised by
rows, by columns and by rows again have such exponents.  In contractions the second factor goes to
what has its letters, so that there is one array of pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations

import sympy as sp

from .nodes import Letters, Node, Nodes, reachable

Exponent = dict[tuple[Node, Letters], sp.Expr]  # arrays with the axes that they have, and factors
Factor = tuple[Node, Letters]  # a node, and which axes of the exponential it has


def with_fewer_exponentials(roots: Iterable[Node], nodes: Nodes) -> dict[Node, Node]:
    """The plan with one exponential for such, node by node; empty where there are none."""
    roots = list(roots)
    work = _Rescaled(roots, nodes)
    return work.rebuilt(roots) if work.by else {}


class _Rescaled:
    """Exponentials by others: each with another one and the exponent of the factor beside that."""

    def __init__(self, roots: Iterable[Node], nodes: Nodes) -> None:
        self._nodes = nodes
        self.by: dict[Node, tuple[Node, Exponent]] = {}
        exponents = {n: _exponent(n) for n in reachable(roots) if _is_exponential(n)}
        held = {n: list(_largest(n, e)) for n, e in exponents.items() if len(n.shape) > 1}
        for one in (n for n, tops in held.items() if tops):
            for other in held:
                left = _left(exponents[one], held[other]) if other.shape == one.shape else None
                if left is not None and other is not one and not self._needs(other, one):
                    self.by[one] = other, left
                    break

    def _needs(self, node: Node, other: Node) -> bool:
        """What a node is computed of has the other one in it."""
        return other in reachable([node], read=self._below)

    def _below(self, node: Node) -> list[Node]:
        if node not in self.by:
            return list(node.args)
        other, exponent = self.by[node]
        return [other, *(x for x, _ in exponent)]

    def rebuilt(self, roots: Iterable[Node]) -> dict[Node, Node]:
        """Every node as it is now."""
        now: dict[Node, Node] = {}
        for node in reachable(roots, read=self._below):
            if node in self.by:
                base, factors = self._parts(node, now)
                axes = tuple(range(len(node.shape)))
                now[node] = self._product([(base, axes), *factors], node.shape)
            else:
                now[node] = self._of(node, now)
        return now

    def _parts(self, node: Node, now: Mapping[Node, Node]) -> tuple[Node, list[Factor]]:
        """The exponential that stands for a node, and the factors beside it."""
        factors = []
        while node in self.by:
            other, exponent = self.by[node]
            axes = tuple(sorted({x for _, place in exponent for x in place}))
            places = tuple(tuple(axes.index(x) for x in place) for _, place in exponent)
            shape, rank = [node.shape[x] for x in axes], len(axes)
            data = places, tuple(exponent.values())
            below = self._nodes.make("add", (now[x] for x, _ in exponent), data, shape, rank)
            every = (tuple(range(rank)),)
            factors.append((self._nodes.make("call", (below,), (every, "exp"), shape, rank), axes))
            node = other
        return now[node], factors

    def _of(self, node: Node, now: Mapping[Node, Node]) -> Node:
        """A node with its operands as they are now; a contraction with factors where they fit."""
        args, sizes, rank = [now[x] for x in node.args], node.sizes, len(node.shape)
        if node.op != "einsum" or not any(x in self.by for x in node.args):
            return self._nodes.make(node.op, args, node.data, sizes, rank, node.hints)
        places, beside = list(node.data[0]), list[Factor]()
        parts = [[(x, tuple(range(len(x.shape))))] for x in args]
        for k, arg in enumerate(node.args):
            if arg not in self.by:
                continue
            base, factors = self._parts(arg, now)
            parts[k][0] = base, tuple(range(len(arg.shape)))
            for f, axes in factors:
                letters = tuple(places[k][x] for x in axes)
                fits = [j for j, place in enumerate(places) if set(place) == set(letters)]
                if fits:
                    parts[fits[0]].append((f, tuple(places[fits[0]].index(x) for x in letters)))
                elif set(letters) == set(range(rank)):
                    beside.append((f, letters))
                elif len(places) == 1:
                    places.append(letters)
                    parts.append([(f, tuple(range(len(axes))))])
                else:
                    parts[k].append((f, axes))
        made = self._nodes.make(
            "einsum",
            [self._product(part, part[0][0].shape) for part in parts],
            (tuple(places), None),
            sizes,
            rank,
            node.hints,
        )
        return self._product([(made, tuple(range(rank))), *beside], node.shape)

    def _product(self, factors: list[Factor], shape: tuple[sp.Expr, ...]) -> Node:
        if len(factors) == 1:
            return factors[0][0]
        data = tuple(axes for _, axes in factors), (sp.S.One, (sp.S.One,) * len(factors))
        return self._nodes.make("product", (x for x, _ in factors), data, shape, len(shape))


def _is_exponential(node: Node) -> bool:
    return node.op == "call" and node.data[1] == "exp"


def _exponent(node: Node) -> Exponent:
    """The arrays that the exponent of a node is a sum of."""
    found: Exponent = {}
    summands(found, node.args[0], node.data[0][0], sp.S.One)
    return found


def summands(found: Exponent, node: Node, letters: Letters, by: sp.Expr) -> None:
    """Enters the arrays that a node is a sum of, with their letters and factors."""
    if node.op == "add":
        for x, place, c in zip(node.args, *node.data, strict=True):
            summands(found, x, tuple(letters[k] for k in place), by * c)
    elif node.op == "product" and node.data[1][1] == (1,):
        summands(
            found, node.args[0], tuple(letters[k] for k in node.data[0][0]), by * node.data[1][0]
        )
    else:
        key = node, letters
        found[key] = found.get(key, sp.S.Zero) + by
        if found[key] == 0:
            del found[key]


def _largest(node: Node, exponent: Exponent) -> Iterator[tuple[Node, Letters, Exponent]]:
    """The largest values m for which the exponent is y − m, with y = q of m = max q."""
    for (top, letters), c in exponent.items():
        if top.op != "max" or len(top.args) > 1 or c != -1:
            continue
        rest = {key: e for key, e in exponent.items() if key != (top, letters)}
        (place,), rank = top.data[0], len(top.shape)
        others = [x for x in range(len(node.shape)) if x not in letters]
        over = sorted({x for x in place if x >= rank})
        for axes in permutations(others, len(over)):
            at = dict(enumerate(letters)) | dict(zip(over, axes, strict=True))
            below: Exponent = {}
            summands(below, top.args[0], tuple(at[x] for x in place), sp.S.One)
            if below == rest:
                yield top, letters, rest
                break


def _left(exponent: Exponent, tops: Iterable[tuple[Node, Letters, Exponent]]) -> Exponent | None:
    """What an exponent y − a has beside y − m: m − a, where that has axes of m alone."""
    for top, letters, rest in tops:
        left: Exponent = {(top, letters): sp.S.One}
        for sign, part in ((1, exponent), (-1, rest)):
            for key, c in part.items():
                left[key] = left.get(key, sp.S.Zero) + sign * c
        left = {key: c for key, c in left.items() if c != 0}
        if left and all({*place} <= {*letters} for _, place in left):
            return left
    return None


__all__ = ["Exponent", "summands", "with_fewer_exponentials"]
