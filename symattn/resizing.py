"""An expression at other sizes: n = 1, n = 2, and n + 2 in place of n for all larger ones.

What hangs on how a size compares with a number, [n ≥ 2], whether x_1 is a component, whether i + 2
and i − 1 are one place of a circle, is decided then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import prod

import sympy as sp

from . import normalize as nf
from .facts import Fact
from .ir import (
    Affine,
    Argmax,
    Atom,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Node,
    Num,
    Poly,
    Rational,
    Ref,
    Slot,
    Sum,
    Tensor,
    Term,
    affine,
    inside,
    rational,
    refs,
    slot_items,
)
from .masks import ends
from .model import Model
from .places import slot_range, within

Sizes = Mapping[sp.Symbol, sp.Expr]
MOST = 9  # a size from which on everything is decided
CASES = 6  # of several sizes together


def resized(node: Poly, sizes: Sizes) -> Poly:
    """A raw expression with other sizes."""
    return _Resizing(sizes).poly(node)


def resized_tensor(tensor: Tensor, sizes: Sizes) -> Tensor:
    """A tensor with other sizes."""
    return _Resizing(sizes).tensor(tensor)


def resized_fact(fact: Fact, sizes: Sizes) -> Fact:
    """A fact with other sizes."""
    at = _Resizing(sizes)
    symmetric = fact.symmetric and at.tensor(fact.symmetric)
    return Fact(fact.label, at.poly(fact.left), at.poly(fact.right), symmetric)


def resized_model(m: Model, sizes: Sizes) -> Model:
    """The definitions with other sizes."""
    at = _Resizing(sizes)
    bodies = {}
    for name, body in m.bodies.items():
        raw, letters = at.poly(body.raw), tuple(map(at.index, body.indices))
        bodies[name] = replace(
            body, tensor=at.tensor(body.tensor), indices=letters, raw=raw, normal=nf.normalize(raw)
        )
    other = m.restated(bodies, {n: at.tensor(t) for n, t in m.symmetric.items()})
    other.inputs = {n: at.tensor(t) for n, t in other.inputs.items()}
    other.losses = {n: tuple(map(at.tensor, ts)) for n, ts in m.losses.items()}
    return other


class _Resizing:
    def __init__(self, sizes: Sizes) -> None:
        self.sizes = sizes

    def size(self, size: sp.Expr) -> sp.Expr:
        return sp.expand(size.xreplace(dict(self.sizes)))

    def index(self, index: Index) -> Index:
        return Index(index.name, self.size(index.size), index.level)

    def slot(self, slot: Slot) -> Slot:
        if isinstance(slot, Index):
            return self.index(slot)
        return affine({self.index(i): c for i, c in slot.items}, self.size(slot.const))

    def tensor(self, tensor: Tensor) -> Tensor:
        shape = tuple(map(self.size, tensor.shape))
        of = tuple(map(self.tensor, tensor.of))
        name = f"place({shape[0]})" if tensor.role == "place" else tensor.name
        rest = (tensor.sign, tensor.symmetry, tensor.symbol, tensor.role, of, tensor.definite)
        return Tensor(name, shape, *rest)

    def poly(self, node: Poly) -> Poly:
        terms: dict[Term, Rational] = {}
        for term, c in node:
            powers: dict[Atom, Rational] = {}
            for atom, e in term:
                new = self.atom(atom)
                powers[new] = rational(powers.get(new, 0) + e)
            made = Term(powers)
            terms[made] = rational(terms.get(made, 0) + c)
        return Poly(terms)

    def atom(self, node: Atom) -> Atom:
        match node:
            case Ref() if node.tensor.symbol in self.sizes:
                return nf.size_poly(self.size(node.tensor.symbol))
            case Ref():
                return Ref(self.tensor(node.tensor), map(self.slot, node.slots))
            case Delta():
                return Delta(self.slot(node.a), self.slot(node.b))
            case Mask():
                return Mask(self.slot(node.slot))
            case Call():
                return Call(node.name, map(self.poly, node.args))
            case Sum():
                return Sum(map(self.index, node.bound), self.poly(node.body))
            case Max():
                return Max(map(self.index, node.bound), map(self.poly, node.args))
            case Argmax():
                at, bound = map(self.slot, node.at), map(self.index, node.bound)
                return Argmax(at, bound, self.poly(node.body))
            case Poly():
                return self.poly(node)
        assert isinstance(node, Num)
        return node


# ----------------------------------------------------------------------------------- which sizes


def size_cases(poly: Poly, written: Iterable[Poly]) -> list[Sizes]:
    """The sizes of which each decides what an expression leaves open; none where nothing is.

    Sizes at which a component that is `written` is none do not count.
    """
    least = least_sizes(written)
    choices: list[list[tuple[sp.Symbol, sp.Expr]]] = []
    comparisons = list(_comparisons(poly))
    for n in sorted({s for _, _, c in comparisons for s in c}, key=str):
        first = least.get(n, 1)
        last = next((c for c in range(1, MOST) if _all_decided(comparisons, n, c)), MOST)
        if max(first, last) == 1 or last == MOST:
            continue
        last = max(first, last)
        numbers = [(n, sp.Integer(c)) for c in range(first, last)]
        choices.append([*numbers, (n, n + last - 1)])
    if not choices or prod(map(len, choices)) > CASES:
        return []
    return [dict(case) for case in product(*choices)]


def least_sizes(written: Iterable[Poly]) -> dict[sp.Symbol, int]:
    """From where on every number in a slot is a component: 3 for the n of x_2, 2 of x_{n−2}."""
    places = [place for side in written for place in _positions(side)]
    found = {}
    for n in sorted({s for place in places for x in place for s in x.free_symbols}, key=str):
        found[n] = next((c for c in range(1, MOST) if _all_exist(places, n, c)), MOST)
    return {n: c for n, c in found.items() if c > 1}


Comparison = tuple[Slot, sp.Expr | None, frozenset[sp.Symbol]]


def _comparisons(node: Node) -> Iterator[Comparison]:
    """Numbers that are components or not, and comparisons of sizes, with the sizes in them."""
    found = dict.fromkeys(pair for part in inside(node) for pair in _slots(part))
    for slot, size in found:
        if not slot.free:
            _, const = slot_items(slot)
            yield slot, size, frozenset((const + (size or 0)).free_symbols)


def _slots(node: Node) -> Iterator[tuple[Slot, sp.Expr | None]]:
    """The slots of one node, and the sizes of the axes that they are in."""
    match node:
        case Ref():
            yield from zip(node.slots, node.tensor.shape, strict=True)
        case Mask(slot=Affine(items=((letter, _),))):
            yield from ((c, letter.size) for _, places in ends(node) for c in places)
        case Mask():
            yield node.slot, None
        case Delta():
            sides = (node.a, node.b)
            for side, other in (sides, sides[::-1]):
                if isinstance(other, Index):
                    yield side, other.size


def _positions(node: Node) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """Numbers in slots of tensors, and how long the axis is."""
    for r in refs(node):
        for slot, size in zip(r.slots, r.tensor.shape, strict=True):
            if not slot.free:
                yield slot_items(slot)[1], size


def _all_exist(places: list[tuple[sp.Expr, sp.Expr]], n: sp.Symbol, least: int) -> bool:
    """From that size on every number is one of 0 … size − 1, or of −size … −1."""
    return not any(
        n in (const + size).free_symbols and not exists(const, size, {n: n + least - 1})
        for const, size in places
    )


def exists(const: sp.Expr, size: sp.Expr, sizes: Sizes) -> bool:
    """A number is a component of an axis; −1 is the last one."""
    here, length = (sp.expand(x.xreplace(dict(sizes))) for x in (const, size))
    back = here + length if const.is_number and const < 0 else here
    return within(affine({}, back), length)


def _all_decided(comparisons: list[Comparison], n: sp.Symbol, least: int) -> bool:
    """From that size on nothing is open."""
    at = _Resizing({n: n + least - 1})
    for slot, size, sizes in comparisons:
        if n not in sizes:
            continue
        here = at.slot(slot)
        low, high = slot_range(here)
        if size is None and not (low.is_nonnegative or high.is_negative):
            return False
        if size is not None and not within(here, at.size(size)):
            return False
    return True


__all__ = [
    "exists",
    "least_sizes",
    "resized",
    "resized_fact",
    "resized_model",
    "resized_tensor",
    "size_cases",
]
