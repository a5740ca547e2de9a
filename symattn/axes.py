"""Readings of sums along an axis: part of it, from its end, in turn, and an axis of one place.

Each is an equality for all sizes; they are tried when normal forms do not agree yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from . import normalize as nf
from . import sums
from .canonical import key
from .ir import (
    ZERO,
    Argmax,
    Delta,
    Index,
    Mask,
    Poly,
    Ref,
    Slot,
    Sum,
    Term,
    affine,
    fresh_indices,
    parts,
    raw_atom,
    slot_items,
)
from .places import within


def axes_whole(poly: Poly) -> Poly:
    """Σ_{p<n−1} x_{p+1} as Σ_k [k ≥ 1] x_k along all of the axis."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Sum):
            return None
        bound, body = sums.opened(atom, atom.free)
        for letter in bound:
            found = whole(body, letter, bound)
            if found is not None:
                left, value = found
                return nf.rewrite(nf.sum_over(left, value), rule)
        return None

    return nf.rewrite(poly, rule)


def whole(
    body: Poly, letter: Index, bound: tuple[Index, ...]
) -> tuple[tuple[Index, ...], Poly] | None:
    """The letters and the body with k − c for a letter that runs over a part of k's axis."""
    ends = stretch(body, letter)
    if ends is None:
        return None
    first, size = ends
    (k,) = fresh_indices([size], [*bound, *body.free])
    here = affine({k: 1}, -first)
    inside = nf.multiply(
        nf.mask(here), nf.mask(affine({k: -1}, sp.expand(letter.size - 1 + first)))
    )
    value = nf.multiply(inside, nf.substitute(body, {letter: here}))
    return tuple(k if b is letter else b for b in bound), value


def stretch(body: Poly, letter: Index) -> tuple[sp.Expr, sp.Expr] | None:
    """Where on an axis a shorter letter p begins, the c of x_{p+c}, and the size of the axis."""
    found: list[tuple[int, sp.Expr]] = []
    for node in nodes(body):
        if isinstance(node, Delta | Argmax) and letter in node.free:
            return None  # counts modulo the range of the letter
        if not isinstance(node, Ref):
            continue
        for slot, size in zip(node.slots, node.tensor.shape, strict=True):
            if letter not in slot.free:
                continue
            items, const = slot_items(slot)
            more = sp.expand(size - letter.size)
            if len(items) > 1 or not (more.is_Integer and more > 0 and within(slot, size)):
                return None
            found.append((int(const) if items[letter] == 1 else 0, size))
    if len({size for _, size in found}) != 1:
        return None
    first, size = min(found, key=lambda pair: pair[0])
    return sp.Integer(first), size


def nodes(node: Any) -> Iterator[Any]:
    """All nodes inside."""
    yield node
    for part in parts(node):
        yield from nodes(part)


def axes_mirrored(poly: Poly) -> Poly:
    """Σ_k [k ≤ i] x_k for Σ_k [k ≥ n − 1 − i] x_{n−1−k}."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Sum):
            return None
        bound, body = sums.opened(atom, atom.free)
        found = mirrored(bound, body)
        return found and nf.rewrite(nf.sum_over(bound, found[1]), rule)

    return nf.rewrite(poly, rule)


def mirrored(bound: tuple[Index, ...], body: Poly) -> tuple[Index, Poly] | None:
    """A letter and the body with n − 1 − k in its place, where that counts from the front."""
    for letter in bound:
        if any(isinstance(n, Delta | Argmax) and letter in n.free for n in nodes(body)):
            continue
        if not _backward(body, letter):
            continue
        turned = nf.substitute(body, {letter: mirror(letter)})
        if _order(turned, letter, bound) < _order(body, letter, bound):
            return letter, turned
    return None


def mirror(letter: Index) -> Slot:
    """n − 1 − k."""
    return affine({letter: -1}, letter.size - 1)


def _backward(body: Poly, letter: Index) -> int:
    """How many slots run backward as the letter runs."""
    slots = (s for n in nodes(body) if isinstance(n, Ref) for s in n.slots)
    return sum(slot_items(s)[0][letter] < 0 for s in slots if letter in s.free)


def _order(body: Poly, letter: Index, bound: tuple[Index, ...]) -> tuple[int, str]:
    return _backward(body, letter), key(body, dict.fromkeys(bound, "*"))


def axes_turned(poly: Poly) -> Poly:
    """Σ_k a_k b_{k+1} for Σ_k a_{k−1} b_k, all around the axis."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Sum):
            return None
        new, body = sums.opened(atom, atom.free)
        single = body.single
        found = sums.turn(new, single[0], several=True) if single else None
        if single is None or found is None:
            return None
        return nf.rewrite(nf.scale(nf.sum_over(new, found[2]), single[1]), rule)

    return nf.rewrite(poly, rule)


def one_place(poly: Poly) -> Poly:
    """[n ≤ 1] x_i as [n ≤ 1] x_0."""
    found = []
    for term, c in poly:
        value = Poly({term: c})
        for atom, _ in term:
            size = single_place(atom)
            if size is not None:
                rest = Term({a: e for a, e in term if a is not atom})
                value = nf.scale(nf.multiply(raw_atom(atom), _alone(rest, size)), c)
                break
        found.append(value)
    return nf.add(*found)


def single_place(atom: Any) -> sp.Symbol | None:
    """The size n of [n ≤ 1]."""
    if not isinstance(atom, Mask) or atom.free:
        return None
    _, const = slot_items(atom.slot)
    size = 1 - const
    return size if size.is_Symbol else None


def _alone(node: Any, size: sp.Symbol) -> Poly:
    """An expression where an axis of that size has one place."""

    def at_one(expr: sp.Expr) -> sp.Expr:
        return sp.expand(expr.xreplace({size: sp.S.One}))

    def placed(slot: Slot) -> Slot:
        items, const = slot_items(slot)
        return affine({i: c for i, c in items.items() if i.size != size}, at_one(const))

    def rule(atom: Any) -> Poly | None:
        match atom:
            case Ref() if atom.tensor.symbol is size:
                return nf.ONE
            case Ref():
                slots = [
                    affine({}) if length == size else placed(s)
                    for s, length in zip(atom.slots, atom.tensor.shape, strict=True)
                ]
                return nf.ref(atom.tensor, slots)
            case Mask():
                return nf.mask(placed(atom.slot))
            case Sum() if any(at_one(b.size) == 0 for b in atom.bound):
                return ZERO
            case Sum() if any(b.size == size for b in atom.bound):
                bound, body = sums.opened(atom, atom.free)
                left = [b for b in bound if b.size != size]
                return nf.sum_over(left, nf.rewrite(body, rule))
            case Delta() if isinstance(atom.a, Index) and atom.a.size == size:
                return nf.ONE
            case Delta() | Argmax():
                return raw_atom(atom)
        return None

    return nf.rewrite(node if isinstance(node, Poly) else Poly({node: 1}), rule)


__all__ = [
    "axes_mirrored",
    "axes_turned",
    "axes_whole",
    "mirror",
    "mirrored",
    "one_place",
    "single_place",
    "whole",
]
