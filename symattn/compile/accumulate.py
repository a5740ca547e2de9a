"""Derivatives of a plan, operation by operation: reverse and forward accumulation over its nodes.

    x̄ = Σ ∂y/∂x ȳ  over everything y that uses x        ẏ = Σ ∂y/∂x ẋ  over its operands

The results are nodes of the same plan, so what the forward pass has computed is used and not
computed again.  A view may lack axes of what it is the derivative of: it is the same along them.
Largest values that are FIXED change nothing, and have no derivative.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import sympy as sp

from ..derive.rules import differentiate
from ..ir import ONE, ZERO, Call, Ref, Tensor, raw_atom
from . import cumulative, ordered, solutions, windows
from .entry import STAND_IN, numbered
from .inverse import MATRIX
from .nodes import BOOLEAN, FIXED, Label, Letters, Node, View, in_order, reachable
from .small import SHARE, SLOPE, SMALL

if TYPE_CHECKING:
    from .plan import Planner

Factors = tuple[list[tuple[View, sp.Rational]], sp.Expr]  # powers of arrays, and a number
CONSTANT = ("input", "literal", *BOOLEAN, "one_hot", "range")  # what has no derivative by itself

APART = (sp.S.One, -sp.S.One)  # the numbers of x − y


class Unknown(Exception):
    """An operation, or a use of one, whose derivative is not known here."""


class Accumulation:
    """The derivatives of the nodes of one plan."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self._axes: dict[Node, tuple[Label, ...]] = {}
        self._slopes: dict[tuple[Node, int], View] = {}

    def axes(self, node: Node) -> tuple[Label, ...]:
        """A label for every letter of a node, those of its axes first."""
        if node not in self._axes:
            hints = node.hints or ("x",) * len(node.sizes)
            self._axes[node] = tuple(map(Label, hints, node.sizes))
        return self._axes[node]

    def own(self, node: Node) -> View:
        """A node under its own labels."""
        return View(node, self.axes(node)[: len(node.shape)])

    # ---------------------------------------------------------------------------------- reverse

    def reverse(self, root: Node, bar: View, wrt: Collection[Node]) -> dict[Node, View]:
        """x̄ for the nodes in `wrt` and for all that depends on them, from that of the root.

        `bar` has labels of the root, see `axes`.  Raises Unknown.
        """
        order = list(reachable([root]))
        moving = _moving(order, wrt)
        found: dict[Node, list[View]] = {root: [bar]}
        done: dict[Node, View] = {}
        around = self._around()
        for node in reversed(order):
            if node not in moving or node not in found:
                continue
            bar = self.added([(view, sp.S.One) for view in found[node]])
            done[node] = bar
            for k, arg in enumerate(node.args):
                if arg in moving and not (node in around and len(arg.shape) < len(node.shape)):
                    for view in self._pulled(node, k, bar):
                        found.setdefault(arg, []).append(view)
        return done

    def _around(self) -> set[Node]:
        """Arrays x − m of which differences alone matter (means.py), so that what comes back to
        them has the sum 0, and the mean m gets nothing."""
        known = self.planner.tensors
        made = {known[t][0] for t in self.planner.around if t in known}
        return {n for n in made if n.op == "add" and len(n.args) == 2}

    def _pulled(self, node: Node, k: int, bar: View) -> Iterable[View]:
        """What operand k gets from the result, under the labels of the operand."""
        letters = self.axes(node)
        views = self._operands(node)
        if node.op == "gather":
            return [self._spread(node, bar)]
        if node.op == "cumsum":
            rate = views[1] if len(views) > 1 else None
            view: View | None = cumulative.turned(self.planner, node.data[1], bar, letters, rate)
            if k == 1:
                view = cumulative.turned_rate(self.planner, node, bar, views, letters)
            if view is None:
                raise Unknown("a reference")
            return [self._total(node, k, node.data[0][k], [(view, sp.S.One)], sp.S.One)]
        if node.op == "ordered":
            turned = ordered.turned(self.planner, node, k, bar, views, letters)
            if turned is None:
                raise Unknown(node.op)
            return [self._under(node.args[k], node.data[0][k], letters, turned)]
        if node.op == "windows":
            bar = self.planner.arrange(bar, letters[: len(node.shape)])
            view = windows.turned(self.planner, node, k, bar, views, letters)
            return [self._under(node.args[k], node.data[0][k], letters, view)]
        if node.op in MATRIX:
            return [solutions.pulled(self, node, k, bar)]
        if node.op == "scatter":
            (place,), (items, const, modulus) = node.data
            rank = len(node.shape)
            bar = self.planner.arrange(bar, letters[:rank])
            grid = [({x: 1}, sp.S.Zero) for x in letters[: rank - 1]]
            grid.append(({letters[x]: c for x, c in items}, const))
            moduli = [None] * (rank - 1) + [modulus]
            read = self.planner.gather(bar.node, grid, fill=False, moduli=moduli)
            return [self._under(node.args[k], place, letters, read)]
        place = node.data[0][k]
        if node.op == "einsum":
            others = [(v, sp.S.One) for n, v in enumerate(views) if n != k]
            parts, coefficient = [(bar, sp.S.One), *others], sp.S.One
        else:
            parts, coefficient = self._changed(node, k, bar)
        return [self._total(node, k, place, parts, coefficient)]

    def _changed(self, node: Node, k: int, change: View) -> Factors:
        """The factors of ∂y/∂x_k times a change, for what is no sum over letters."""
        first, views = (change, sp.S.One), self._operands(node)
        if node.op in ("guard", "arrange"):
            return [first], sp.S.One
        if node.op == "add":
            return [first], node.data[1][k]
        if node.op == "select" and k == 0:
            return [first, *((mask, sp.S.One) for mask in views[1:])], sp.S.One
        if node.op == "choose":
            return [first, (self._chosen(views[0], k), sp.S.One)], sp.S.One
        if node.op == "call":
            return [first, (self.slope(node, k), sp.S.One)], sp.S.One
        if node.op == "weighed":
            return [
                first,
                (self._grown(views[0]) if k else self.own(node), sp.S.One),
            ], sp.S.One
        if node.op == "small":
            return self._beside_small(node, k, first)
        if node.op == "maximum" and len(views) == 2:
            return [first, (self._larger(views, k), sp.S.One)], sp.S.One
        if node.op == "product":
            return self._beside(node, k, first)
        raise Unknown(node.op)

    def _beside_small(self, node: Node, k: int, first: tuple[View, sp.Rational]) -> Factors:
        """The same of log(1 + w e^z) and of its derivatives."""
        views, kind, labels = self._operands(node), node.data[1], self.axes(node)
        operands = [(v.node, v.labels) for v in views]

        def of(kind: str) -> View:
            return self.planner.node("small", operands, labels[: len(node.shape)], kind)

        if kind == SMALL:
            return [first, (of(SHARE if k else SLOPE), sp.S.One)], sp.S.One
        if kind == SLOPE and k == 0:
            return [first, (self.own(node), sp.Integer(2))], -sp.S.One
        left = self.planner.multiply([(of(SMALL), sp.S.One)], -sp.S.One)
        left = self.planner.node("call", [(left.node, left.labels)], left.labels, "exp")
        beside = self.own(node) if k else of(SLOPE)
        return [first, (beside, sp.S.One), (left, sp.S.One)], sp.S.One

    def _larger(self, views: Sequence[View], k: int) -> View:
        """Where the second one of two is larger, or where it is not."""
        x, y = views
        plain = x.node.op == "literal" and x.node.data == 0
        change = y if plain else self.added([(y, sp.S.One), (x, -sp.S.One)])
        operands = [(change.node, change.labels)]
        test = self.planner.node("test", operands, change.labels, ">")
        return test if k else View(self.planner.nodes.opposite(test.node), test.labels)

    def _grown(self, x: View) -> View:
        """e^x, the derivative of w e^x by w."""
        return self.planner.node("weighed", [(x.node, x.labels)], x.labels, None)

    def _beside(self, node: Node, k: int, change: tuple[View, sp.Rational]) -> Factors:
        """The factors of ∂(c Π x^e)/∂x_k times a change."""
        coefficient, powers = node.data[1]
        views, e = self._operands(node), powers[k]
        if e < 0 and not any(a.op in BOOLEAN for a in node.args):
            return [change, (self.own(node), sp.S.One), (views[k], -sp.S.One)], e
        factors = [(v, f) for n, (v, f) in enumerate(zip(views, powers, strict=True)) if n != k]
        if e != 1:
            factors.append((views[k], e - 1))
        return [change, *factors], coefficient * e

    def _total(
        self,
        node: Node,
        k: int,
        place: Letters,
        parts: list[tuple[View, sp.Rational]],
        coefficient: sp.Expr,
    ) -> View:
        """The product of the parts, summed over what operand k does not have, under its labels."""
        letters, planner = self.axes(node), self.planner
        if len(set(place)) < len(place):
            raise Unknown("a diagonal")
        kept = {letters[x] for x in place}
        present = {x for view, _ in parts for x in view.labels}
        absent = [x.size for x in letters[: len(node.shape)] if x not in kept | present]
        lost = present - kept
        inside = [(v, e) for v, e in parts if lost & set(v.labels)]
        outside = [(v, e) for v, e in parts if not lost & set(v.labels)]
        between = self._between(node, inside, lost) if lost else None
        if between is not None:
            outside.insert(0, (between, sp.S.One))
        elif lost:
            arrays = [v for v, e in inside if e == 1 and v.node.op not in BOOLEAN]
            if len(inside) == len(arrays) and (node.op == "einsum" or len(arrays) == 2):
                has = {x for v in arrays for x in v.labels}
                out = tuple(letters[x] for x in place if letters[x] in has)  # as the operand lies
                outside.insert(0, (planner.einsum(arrays, out), sp.S.One))
            else:
                whole = planner.multiply(inside, sp.S.One)
                out = tuple(x for x in whole.labels if x in kept)
                outside.insert(0, (planner.einsum([whole], out), sp.S.One))
        view = planner.multiply(outside, sp.Mul(coefficient, *absent))
        return self._under(node.args[k], place, letters, view)

    def _between(
        self, node: Node, parts: list[tuple[View, sp.Rational]], lost: set[Label]
    ) -> View | None:
        """Σ_j w_ij (x_ia − y_ja) = x_ia Σ_j w_ij − Σ_j w_ij y_ja for the difference x − y of pairs
        itself, with x and y around the mean of y; None for anything else.

        x_i − x_i is 0 whatever its weight, so w_ii is left out: it may be the only large one.
        Where w_ij divides by something of the same pair, x_i − y_j has the digits, and stays.
        """
        planner, ((bar, e), *others) = self.planner, parts
        if node.op != "add" or node.data[1] not in (APART, APART[::-1]) or others or e != 1:
            return None
        if bar.node.op != "product" or node not in bar.node.args:
            return None
        c, factors = self._factors(bar)
        itself = View(node, self.axes(node)[: len(node.shape)])
        weights = [(v, f) for v, f in factors if v != itself]
        if len(weights) != len(factors) - 1 or (itself, sp.S.One) not in factors:
            return None
        if any(_singular(v.node, node) for v, _ in weights):
            return None
        if len(weights) == 1 and weights[0][1] == 1:
            by, weights = self._factors(weights[0][0])
            c *= by
        apart = [(v, f) for v, f in weights if not lost & set(v.labels)]  # u_a (x_ia − y_ja)
        weights = [(v, f) for v, f in weights if lost & set(v.labels)]
        w, pair = planner.multiply(weights, c), self._operands(node)
        x, y = pair if node.data[1] == APART else pair[::-1]
        own = [k for k in (set(x.labels) - set(y.labels), set(y.labels) - set(x.labels)) if k]
        if len(own) < 2 or not any(set(lost) == k for k in own) or set(x.labels) <= set(w.labels):
            return None
        if x.node is y.node and all(len(k) == 1 for k in own):
            gap = {label: c for k, c in zip(own, (1, -1), strict=True) for label in k}
            same = planner.compared(gap, sp.S.Zero, next(iter(gap)).size)
            other = View(planner.nodes.opposite(same.node), same.labels)
            w = planner.multiply([(w, sp.S.One), (other, sp.S.One)], sp.S.One)
        alone = set(y.labels) - set(x.labels)
        total = planner.einsum([y], tuple(k for k in y.labels if k not in alone))
        mean = planner.multiply([(total, sp.S.One)], 1 / sp.Mul(*(k.size for k in alone)))
        found = []
        for side, sign in ((x, sp.S.One), (y, -sp.S.One)):
            side = self.added([(side, sp.S.One), (mean, -sp.S.One)])
            out = in_order(k for v in (w, side) for k in v.labels if k not in lost)
            if set(lost) <= set(side.labels):
                found.append((planner.einsum([w, side], out), sign))
            else:
                weight = planner.einsum([w], tuple(k for k in w.labels if k not in lost))
                times = sp.Mul(*(k.size for k in lost if k not in w.labels))  # Σ_j w_i = n w_i
                product = planner.multiply([(weight, sp.S.One), (side, sp.S.One)], times)
                found.append((product, sign))
        return planner.multiply([(self.added(found), sp.S.One), *apart], sp.S.One)

    def _factors(self, view: View) -> tuple[sp.Expr, list[tuple[View, sp.Rational]]]:
        """The number and the powers that a product is, under the labels of the view."""
        if view.node.op != "product":
            return sp.S.One, [(view, sp.S.One)]
        c, powers = view.node.data[1]
        known = dict(zip(self.axes(view.node), view.labels, strict=False))
        factors = []
        for v, e in zip(self._operands(view.node), powers, strict=True):
            factors.append((View(v.node, tuple(known[x] for x in v.labels)), e))
        return c, factors

    def _under(self, arg: Node, place: Letters, letters: Sequence[Label], view: View) -> View:
        """A view under the labels that the operand itself has."""
        own = dict(zip((letters[x] for x in place), self.axes(arg), strict=False))
        return View(view.node, tuple(own[x] for x in view.labels))

    def _spread(self, node: Node, bar: View) -> View:
        """Every entry of a lookup goes back to its place."""
        slots, _ = node.data
        (arg,), letters = node.args, self.axes(node)
        plain = [_letter(slot, node, size) for slot, size in zip(slots, arg.shape, strict=True)]
        at = [k for k, x in enumerate(plain) if x is None]
        firm = [x for x in plain if x is not None]
        if len(at) != 1 or len(set(firm)) < len(firm):
            return self._under_masks(node, plain, bar)
        (axis,) = at
        items, const, modulus = slots[axis]
        if modulus != arg.shape[axis] or {x for x, _ in items} & set(firm):
            return self._under_masks(node, plain, bar)
        bar = self.planner.arrange(bar, letters[: len(node.shape)])
        if len(items) == 1 and abs(items[0][1]) == 1 and node.sizes[items[0][0]] == modulus:
            # every place is read once: x̄ at r is ȳ at c (r − const)
            ((x, c),), mine = items, self.axes(arg)
            back = {y: ({mine[k]: 1}, sp.S.Zero) for k, y in enumerate(plain) if y is not None}
            back[x] = ({mine[axis]: c}, -c * const)
            return self.planner.gather(bar.node, [back[y] for y in range(len(node.shape))], False)
        own = Label(arg.hints[axis] if arg.hints else "r", modulus)
        first = tuple(letters[x] for x in firm)
        grid = [*first, own, *(letters[x] for x, _ in items)]
        linear = tuple(sorted((grid.index(letters[x]), c) for x, c in items))
        found = self.planner.node(
            "scatter", [(bar.node, bar.labels)], (*first, own), (linear, const, modulus)
        )
        mine = self.axes(arg)
        places = {x: mine[k] for k, n in enumerate(plain) if n is not None for x in (letters[n],)}
        return View(found.node, tuple({**places, own: mine[axis]}[x] for x in found.labels))

    def _under_masks(self, node: Node, read: Sequence[int | None], bar: View) -> View:
        """x̄_rs = Σ_i [r = i + 1] [s = 2i] ȳ_i for y_i = x_{(i+1)(2i)}: `read` are the letters of
        axes that are read at their own places."""
        (arg,), letters, planner = node.args, self.axes(node), self.planner
        mine = self.axes(arg)[: len(arg.shape)]
        own: dict[Label, Label] = {}
        for label, x in zip(mine, read, strict=True):
            if x is not None:
                own.setdefault(letters[x], label)
        factors = [(View(bar.node, tuple(own.get(x, x) for x in bar.labels)), sp.S.One)]
        for label, x, slot in zip(mine, read, node.data[0], strict=True):
            if x is None or own[letters[x]] is not label:
                items, const, modulus = slot
                gap = {own.get(letters[y], letters[y]): c for y, c in items} | {label: -1}
                factors.append((planner.compared(gap, const, modulus), sp.S.One))
        whole = planner.multiply(factors, sp.S.One)
        return planner.summed(whole, set(whole.labels) - set(mine))

    # ---------------------------------------------------------------------------------- forward

    def forward(self, root: Node, dots: Mapping[Node, View]) -> View | None:
        """ẏ for the root from ẋ for some nodes, under its labels; None where it is 0.

        Raises Unknown.
        """
        order = list(reachable([root]))
        moving, found = _moving(order, dots), dict(dots)
        for node in order:
            if node in moving and node not in found:
                found[node] = self._pushed(node, {a: found[a] for a in node.args if a in found})
        return found.get(root)

    def _pushed(self, node: Node, dots: Mapping[Node, View]) -> View:
        planner, letters = self.planner, self.axes(node)
        rank = len(node.shape)
        if node.op == "cumsum":
            found = {}
            for k, (arg, place) in enumerate(zip(node.args, node.data[0], strict=True)):
                if arg in dots:
                    mine = dict(zip(self.axes(arg), (letters[x] for x in place), strict=False))
                    found[k] = View(dots[arg].node, tuple(mine[x] for x in dots[arg].labels))
            return cumulative.moved(planner, node, found, self._operands(node), letters)
        if node.op in MATRIX:
            return solutions.pushed(self, node, dots)
        if node.op in ("gather", "scatter"):
            (arg,) = node.args
            dot = planner.arrange(dots[arg], self.axes(arg)[: len(arg.shape)])
            if node.op == "scatter":
                data, (place,) = node.data[1], node.data[0]
                operand = (dot.node, tuple(letters[x] for x in place))
                return planner.node("scatter", [operand], letters[:rank], data)
            slots, fill = node.data
            grid = [({letters[x]: c for x, c in items}, const) for items, const, _ in slots]
            read = planner.gather(dot.node, grid, fill, [m for *_, m in slots])
            return read
        parts: list[tuple[View, sp.Expr]] = []
        for k, (arg, place) in enumerate(zip(node.args, node.data[0], strict=True)):
            if arg not in dots:
                continue
            mine = dict(zip(self.axes(arg), (letters[x] for x in place), strict=False))
            dot = View(dots[arg].node, tuple(mine[x] for x in dots[arg].labels))
            if node.op == "einsum":
                parts.append((self._contracted(node, k, dot), sp.S.One))
            elif node.op == "ordered":
                views = self._operands(node)
                views[k] = planner.arrange(dot, views[k].labels)
                i, j, *how = node.data[1]
                made = ordered.ordered(planner, views, letters[i], letters[j], letters[:rank], *how)
                parts.append((made, sp.S.One))
            else:
                factors, c = self._changed(node, k, dot)
                alone = len(factors) == 1  # c · ẋ is a term of the sum
                parts.append((dot, c) if alone else (planner.multiply(factors, c), sp.S.One))
        return self.added(parts)

    def _contracted(self, node: Node, k: int, dot: View) -> View:
        """The contraction with another operand k, which may lack axes."""
        letters, rank = self.axes(node), len(node.shape)
        views = [v for n, v in enumerate(self._operands(node)) if n != k]
        present = {x for v in (dot, *views) for x in v.labels}
        lost = [x.size for x in letters[rank:] if x not in present]
        out = tuple(x for x in letters[:rank] if x in present)
        if all(x in out for x in present):
            made = self.planner.multiply([(v, sp.S.One) for v in (dot, *views)], sp.S.One)
        else:
            made = self.planner.einsum([dot, *views], out)
        return self.planner.multiply([(made, sp.S.One)], sp.Mul(*lost))

    # ------------------------------------------------------------------------------------- both

    def slope(self, node: Node, k: int) -> View:
        """∂f(x, …)/∂x_k for a node f(x, …), under its labels."""
        if (node, k) not in self._slopes:
            planner, letters = self.planner, self.axes(node)
            indices = tuple(numbered(n, x.size) for n, x in enumerate(letters))
            stands = [Tensor(f"~x{n}", arg.shape, role=STAND_IN) for n, arg in enumerate(node.args)]
            places = node.data[0]
            args = [
                Ref(tensor, tuple(indices[n] for n in place))
                for tensor, place in zip(stands, places, strict=True)
            ]
            value = raw_atom(Call(node.data[1], tuple(map(raw_atom, args))))
            change = differentiate(value, lambda r: ONE if r is args[k] else ZERO, frozenset())
            env = dict(zip(indices, letters, strict=True))
            with planner.standing_for(dict(zip(stands, node.args, strict=True))):
                planner.memo.keep(value, self.own(node), env)
                self._slopes[node, k] = planner.lower(change, env)
        return self._slopes[node, k]

    def _chosen(self, test: View, k: int) -> View:
        """Where operand k is what a choice takes."""
        return test if k == 1 else View(self.planner.nodes.opposite(test.node), test.labels)

    def added(self, parts: Sequence[tuple[View, sp.Expr]]) -> View:
        """Σ c · view, broadcast."""
        terms: dict[View, sp.Expr] = {}
        for view, c in parts:
            terms[view] = terms.get(view, sp.S.Zero) + c
        if len(terms) == 1:
            ((view, c),) = terms.items()
            return self.planner.multiply([(view, sp.S.One)], c)
        return self.planner.plus(terms.items())

    def _operands(self, node: Node) -> list[View]:
        if node.op in ("gather", "scatter"):
            return []
        letters = self.axes(node)
        return [
            View(arg, tuple(letters[x] for x in place))
            for arg, place in zip(node.args, node.data[0], strict=True)
        ]


def _moving(order: Iterable[Node], wrt: Collection[Node]) -> set[Node]:
    """What changes with the nodes in `wrt`.  Raises Unknown for the largest of what changes."""
    found: set[Node] = set()
    for node in order:
        if node in wrt:
            found.add(node)
        elif node.op not in CONSTANT and any(arg in found for arg in node.args):
            if node.op == "cummax" or (node.op in ("max", "maximum") and node.data[1] == FIXED):
                continue
            found.add(node)
    return found


def _singular(weight: Node, difference: Node) -> bool:
    """A weight that divides by something made of a difference, with a place for every pair."""
    pairs = len(difference.shape) - 1
    return any(
        n.op == "product"
        and any(
            e < 0 and len(x.shape) >= pairs and difference in set(reachable([x]))
            for x, e in zip(n.args, n.data[1][1], strict=True)
        )
        for n in reachable([weight])
    )


def _letter(
    slot: tuple[Sequence[tuple[int, int]], sp.Expr, sp.Expr], node: Node, size: sp.Expr
) -> int | None:
    """The letter that a slot of a lookup is, if an axis of this size is read at its own places."""
    items, const, modulus = slot
    plain = len(items) == 1 and items[0][1] == 1 and const == 0
    return items[0][0] if plain and node.sizes[items[0][0]] == modulus == size else None


__all__ = ["Accumulation", "Unknown"]
