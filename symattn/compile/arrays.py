"""Nodes from operands whose axes are labelled: products, sums, lookups, comparisons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import sympy as sp

from ..ir import Index, Slot, slot_items
from .entry import Env, labelled
from .inverse import solved
from .nodes import BOOLEAN, ENTRYWISE, Label, Node, Nodes, View, in_order

NEAR = 24  # nodes of a factor among which exponentials are looked for


class Arrays:
    """Makes the nodes of one plan, equal ones once."""

    def __init__(self) -> None:
        self.nodes = Nodes()
        self.symmetric: set[Node] = set()  # matrices that are inverted and are their transposes

    def multiply(self, factors: Sequence[tuple[View, sp.Rational]], coefficient: sp.Expr) -> View:
        """c · Π view ** e, broadcast over the union of the labels."""
        if not factors or coefficient == 0:
            return View(self.literal(coefficient))
        if len(factors) > 1 or coefficient != 1:
            factors = [part for pair in factors for part in _masks(*pair)]
            factors = [part for pair in factors for part in self._rooted(*pair)]
            factors = self._within_range(factors)
        (first, e), *others = factors
        if not others and e == 1 and coefficient == 1 and first.node.op not in BOOLEAN:
            return first
        out = in_order(x for view, _ in factors for x in view.labels)
        return self.node(
            "product",
            [(v.node, v.labels) for v, _ in factors],
            out,
            (coefficient, tuple(e for _, e in factors)),
        )

    def plus(self, terms: Iterable[tuple[View, sp.Expr]]) -> View:
        """Σ c · view, broadcast over the union of the labels."""
        terms = list(terms)
        if len(terms) == 2:
            squares = self._difference_of_squares(*terms)
            if squares is not None:
                return squares
        out = in_order(x for view, _ in terms for x in view.labels)
        coefficients = tuple(c for _, c in terms)
        return self.node("add", [(v.node, v.labels) for v, _ in terms], out, coefficients)

    def _difference_of_squares(
        self, one: tuple[View, sp.Expr], other: tuple[View, sp.Expr]
    ) -> View | None:
        """c (x − y)(x + y) of c x² − c y², where both have the same letters or one is a number.

        It has the digits of x − y.  1 − tanh² stays: tanh is rounded as much as its square is, and
        on a CPU XLA makes an array of every 1 that stands beside another product.
        """
        found = []
        for view, c in (one, other):
            node = view.node
            if node.op == "literal":
                found.append((View(self.literal(sp.S.One)), c * node.data))
            elif node.op == "product" and node.data[1][1] == (2,):
                (place,), (k, _) = node.data
                found.append((View(node.args[0], tuple(view.labels[x] for x in place)), c * k))
        if len(found) < 2 or found[0][1] + found[1][1] != 0:
            return None
        (x, c), (y, _) = found
        if not (x.labels and y.labels) and "call" in (x.node.op, y.node.op):
            return None
        if x.labels and y.labels and set(x.labels) != set(y.labels):
            return None
        ways = self.minus(x, y), self.plus([(x, sp.S.One), (y, sp.S.One)])
        return self.multiply([(way, sp.S.One) for way in ways], c)

    def above_1(self, view: View) -> View | None:
        """u of an array 1 + u where nothing is subtracted: its logarithm has the digits of u."""
        node, one = view.node, self.literal(sp.S.One)
        if node.op != "add" or not all(c.is_positive for c in node.data[1]):
            return None
        terms = [
            (View(arg, tuple(view.labels[k] for k in place)), c)
            for arg, place, c in zip(node.args, *node.data, strict=True)
        ]
        rest = [(v, c) for v, c in terms if v.node is not one or c != 1]
        if len(rest) != len(terms) - 1:
            return None
        if len(rest) > 1:
            return self.plus(rest)
        ((only, c),) = rest
        return self.multiply([(only, sp.S.One)], c)

    def minus(self, x: View, y: View) -> View:
        """x − y, broadcast."""
        return self.plus([(x, sp.S.One), (y, -sp.S.One)])

    def _rooted(self, view: View, e: sp.Rational) -> list[tuple[View, sp.Rational]]:
        """x^{k+1/2} as x^k and the square root, which is one array wherever it is needed."""
        e = sp.Rational(e)
        if e.q != 2 or view.node.op == "literal":
            return [(view, e)]
        root = self.multiply([(view, sp.Rational(1, 2))], sp.S.One)
        whole = int(e)  # towards 0
        return [(view, sp.Integer(whole))] * (whole != 0) + [(root, sp.Integer(1 if e > 0 else -1))]

    def _within_range(
        self, factors: list[tuple[View, sp.Rational]]
    ) -> list[tuple[View, sp.Rational]]:
        """The factors with e^x as far as numbers go beside an exponential that e^x is inside of:
        e^x e^{−e^x} is 0 where e^x overflows."""
        towers = {
            inner.args
            for view, e in factors
            if e > 0
            for node in islice(_inside(view.node, ("product",)), NEAR)
            if _is_exponential(node)
            for inner in islice(_inside(node.args[0], ("product", "add")), NEAR)
            if _is_exponential(inner) or inner.op == "weighed"
        }
        near = {n for v, _ in factors for n in islice(_inside(v.node, ("product", "add")), NEAR)}
        if not towers or len(near) >= NEAR:  # a chain of definitions, which would be copied
            return factors
        made: dict[Node, Node] = {}
        return [(View(self._bounded(v.node, towers, made), v.labels), e) for v, e in factors]

    def within_numbers(self, view: View) -> View:
        """An argument with e^x in it as far as numbers go: e^{−e^x} has the derivative 0 where
        e^x overflows."""
        inside = islice(_inside(view.node, ("product", "add")), NEAR)
        towers = {node.args for node in inside if _is_exponential(node)}
        return View(self._bounded(view.node, towers, {}), view.labels) if towers else view

    def _bounded(
        self, node: Node, towers: Collection[tuple[Node, ...]], made: dict[Node, Node]
    ) -> Node:
        """A node in whose products and sums the exponentials of these go as far as numbers do.

        A node is made once: a chain of definitions has more paths than nodes.
        """
        if node not in made:
            args, op, data = node.args, node.op, node.data
            if _is_exponential(node) and args in towers:
                op, data = "weighed", (data[0], None)
            elif op in ("product", "add"):
                args = tuple(self._bounded(x, towers, made) for x in args)
            same = op == node.op and all(x is y for x, y in zip(args, node.args, strict=True))
            made[node] = node if same else self.nodes.make(
                op, args, data, node.sizes, len(node.shape), node.hints
            )  # fmt: skip
        return made[node]

    def place(self, node: Node, slots: Sequence[Slot | Label], env: Env) -> View:
        """A node with an index, an affine index or a label for each axis."""
        labels = [
            s if isinstance(s, Label) else self._along(s, size, env)
            for s, size in zip(slots, node.shape, strict=True)
        ]
        if None in labels or len(set(labels)) < len(labels):  # a diagonal is a lookup too
            grid = []
            for slot in slots:
                items, const = (
                    ({slot: 1}, sp.S.Zero)
                    if isinstance(slot, Label)
                    else (labelled(*slot_items(slot), env))
                )
                grid.append((items, const))
            return self.gather(node, grid, fill=False)
        plain: list[Label] = labels  # type: ignore[assignment]
        return View(node, tuple(plain))

    @staticmethod
    def _along(slot: Slot, size: sp.Expr, env: Env) -> Label | None:
        """The label of a letter that runs over a whole axis; that of x[0 + k] may be shorter."""
        return env.get(slot) if isinstance(slot, Index) and slot.size == size else None

    def gather(
        self,
        node: Node,
        grid: Sequence[tuple[dict[Label, int], sp.Expr]],
        fill: bool,
        moduli: Sequence[sp.Expr | None] = (),
    ) -> View:
        """x at affine indices modulo the axis size (or `moduli`); past the end 0 with `fill`."""
        out = in_order(x for items, _ in grid for x in items)
        where = {label: k for k, label in enumerate(out)}
        slots = tuple(
            (
                tuple(sorted((where[x], c) for x, c in items.items())),
                const,
                moduli[k] if moduli and moduli[k] is not None else node.shape[k],
            )
            for k, (items, const) in enumerate(grid)
        )
        made = self.nodes.make(
            "gather", (node,), (slots, fill), [x.size for x in out], len(out), [x.name for x in out]
        )
        return View(made, out)

    def compare(
        self, items: Mapping[Index, int], const: sp.Expr, modulus: sp.Expr | None, env: Env
    ) -> View:
        """[Σ items + const ≥ 0], or [… = 0 mod modulus]."""
        return self.compared(*labelled(items, const, env), modulus)

    def compared(self, items: Mapping[Label, int], const: sp.Expr, modulus: sp.Expr | None) -> View:
        """[Σ items + const ≥ 0], or [… = 0 mod modulus], of labels."""
        out = in_order(items)
        data = (
            tuple(
                (out.index(x), c) for x, c in sorted(items.items(), key=lambda pair: pair[0].order)
            ),
            const,
            modulus,
        )
        node = self.nodes.make(
            "compare", (), data, [x.size for x in out], len(out), [x.name for x in out]
        )
        return View(node, out)

    def arrange(self, view: View, out: Sequence[Label]) -> View:
        """The view with its axes in this order, repeated along those it does not have."""
        if view.node.op == "arrange":
            (inner,), ((places,), _) = view.node.args, view.node.data
            if len(places) == len(view.labels):  # turned, and now turned again
                view = View(inner, tuple(view.labels[k] for k in places))
        if view.labels == tuple(out):
            return view
        return self.node("arrange", [(view.node, view.labels)], out, None)

    def literal(self, value: sp.Expr) -> Node:
        """A number made of sizes."""
        return self.nodes.make("literal", (), sp.sympify(value), (), 0)

    def node(
        self,
        op: str,
        operands: Iterable[tuple[Node, tuple[Label, ...]]],
        out: Sequence[Label],
        data: Any,
    ) -> View:
        """A node from labelled operands; letters that are not in `out` come after those in it."""
        operands = list(operands)
        letters = [*out]
        for _, labels in operands:
            letters += [x for x in labels if x not in letters]
        assert len(letters) == len(out) or op not in ENTRYWISE, f"{op} leaves out an axis"
        number = {x: k for k, x in enumerate(letters)}
        places = tuple(tuple(number[x] for x in labels) for _, labels in operands)
        node = self.nodes.make(
            op,
            [n for n, _ in operands],
            (places, data),
            [x.size for x in letters],
            len(out),
            [x.name for x in letters],
        )
        return View(node, tuple(out))

    def summed(self, view: View, gone: Collection[Label]) -> View:
        """Σ over labels, inside the contraction or the terms that the view is made of."""
        kept = tuple(x for x in view.labels if x not in gone)
        node = view.node
        if len(kept) == len(view.labels):
            return view
        if node.op not in ("add", "einsum", "product"):
            return self.einsum([view], kept)
        places, data = node.data
        letters = [*view.labels]
        letters += map(Label, node.hints[len(letters) :], node.sizes[len(letters) :])
        parts = [
            View(arg, tuple(letters[x] for x in place))
            for arg, place in zip(node.args, places, strict=True)
        ]
        lost = set(view.labels) - set(kept)
        having = [k for k, part in enumerate(parts) if lost & set(part.labels)]
        if node.op == "einsum":
            return self.einsum(parts, kept)
        if node.op == "add" and all(lost <= set(part.labels) for part in parts):
            parts = [self.summed(part, gone) for part in parts]
            return self.node("add", [(part.node, part.labels) for part in parts], kept, data)
        if node.op == "product" and len(having) == 1 and data[1][having[0]] == 1:
            parts[having[0]] = self.summed(parts[having[0]], gone)
            return self.multiply(list(zip(parts, data[1], strict=True)), data[0])
        return self.einsum([view], kept)

    def einsum(self, views: Sequence[View], out: Sequence[Label]) -> View:
        """Σ over the labels that are not in `out`."""
        scalars = [v for v in views if not v.labels]
        if scalars and len(scalars) < len(views):
            whole = self.einsum([v for v in views if v.labels], out)
            factor = sp.Mul(*(v.node.data for v in scalars if v.node.op == "literal"))
            others = [v for v in (whole, *scalars) if v.node.op != "literal"]
            return self.multiply([(v, sp.S.One) for v in others], factor)
        found = self._scattered(views[0], out) if len(views) == 1 else solved(self, views, out)
        if found is not None:
            return found
        return self.node("einsum", [(v.node, v.labels) for v in views], out, None)

    def _scattered(self, view: View, out: Sequence[Label]) -> View | None:
        """Σ_i x[i, i − r] for all r: every entry of x goes to its place, and no array has i and r.

        None for what is no such sum.
        """
        node = view.node
        if node.op != "gather" or not node.data[1]:
            return None
        slots, _ = node.data
        plain = [x[0][0][0] if _is_letter(x, node) else None for x in slots]
        if plain.count(None) != 1:
            return None
        axis = plain.index(None)
        items, const, modulus = slots[axis]
        loose = [(k, c) for k, c in items if k not in plain]
        if len(loose) != 1 or abs(loose[0][1]) != 1 or node.sizes[loose[0][0]] != modulus:
            return None
        (r, c), others = loose[0], {view.labels[k]: f for k, f in items if k != loose[0][0]}
        place, gone = view.labels[r], {x for x in view.labels if x not in out}
        if place in gone or not others or not others.keys() <= gone:
            return None
        own = Label(node.hints[r], node.args[0].shape[axis])  # of the axis that is read at r
        labels = tuple(own if k is None else view.labels[k] for k in plain)
        x = View(node.args[0], labels)
        if gone > others.keys():
            kept = tuple(y for y in labels if y is own or y in others or y not in gone)
            x = self.einsum([x], kept)
        # own = c r + Σ others + const, and c² = 1
        found = {own: c} | {y: -c * f for y, f in others.items()}
        first = tuple(y for y in x.labels if y not in found)
        letters = [*first, place, *(y for y in x.labels if y in found)]
        linear = tuple(sorted((letters.index(y), f) for y, f in found.items()))
        data = linear, sp.expand(-c * const), modulus
        return self.node("scatter", [(x.node, x.labels)], (*first, place), data)


def _masks(view: View, e: sp.Rational) -> list[tuple[View, sp.Rational]]:
    """Masks that were a number by themselves, or a power of it, as masks again."""
    node, e = view.node, sp.Rational(e)
    if e.q != 1 or e < 1 or node.op != "product" or not all(x.op in BOOLEAN for x in node.args):
        return [(view, e)]
    coefficient, powers = node.data[1]
    if coefficient != 1 or any(f != 1 for f in powers):
        return [(view, e)]
    pairs = zip(node.args, node.data[0], strict=True)
    return [(View(x, tuple(view.labels[k] for k in place)), e) for x, place in pairs]


def _is_exponential(node: Node) -> bool:
    return node.op == "call" and node.data[1] == "exp" and node.args[0].op != "literal"


def _inside(node: Node, ops: Collection[str]) -> Iterator[Node]:
    """What a node is made of by these operations, and the node."""
    seen, stack = set[Node](), [node]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            yield node
            stack.extend(node.args if node.op in ops else ())


def _is_letter(slot: tuple[Sequence[tuple[int, int]], sp.Expr, sp.Expr], node: Node) -> bool:
    """An axis that is not read at other places than its own."""
    items, const, modulus = slot
    return (
        len(items) == 1 and items[0][1] == 1 and const == 0 and node.sizes[items[0][0]] == modulus
    )
