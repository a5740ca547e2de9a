"""Readings of sums along an axis: part of it, from its end, shifted, and in turn.

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
    slot_items,
)
from .places import apart, lasting, modulus, slot_range, within, wrapping


def axes_whole(poly: Poly) -> Poly:
    """Σ_{p<n−1} x_{p+1} as Σ_k [k ≥ 1] x_k along all of the axis."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Sum):
            return None
        bound, body = sums.opened(atom, atom.free)
        for letter in bound:
            found = whole(body, letter, bound)
            if found is not None:
                k, first, moved = found
                left = [k if b is letter else b for b in bound]
                held = nf.inside(affine({k: 1}, -first), letter.size)
                return nf.rewrite(nf.sum_over(left, nf.multiply(held, moved)), rule)
        return None

    return nf.rewrite(poly, rule)


def whole(
    body: Poly, letter: Index, bound: tuple[Index, ...]
) -> tuple[Index, sp.Expr, Poly] | None:
    """The letter k of all of the axis, the c at which a shorter one begins, and the body with k − c
    in its place."""
    ends = stretch(body, letter)
    if ends is None:
        return None
    first, size = ends
    (k,) = fresh_indices([size], [*bound, *body.free])
    return k, first, nf.substitute(body, {letter: affine({k: 1}, -first)})


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
            front = len(items) == 1 and items[letter] == 1 and within(slot, size)
            if not more.is_positive or not (front or more.is_Integer):
                return None
            found.append((const if front else sp.Integer(0), size))
    if len({size for _, size in found}) != 1:
        return None
    return min((first for first, _ in found if first), default=sp.Integer(0)), found[0][1]


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
        if found is None:
            return None
        if found[2] is nf.scale(body, -1):
            return ZERO
        return nf.rewrite(nf.sum_over(bound, found[2]), rule)

    return nf.rewrite(poly, rule)


def mirrored(bound: tuple[Index, ...], body: Poly) -> tuple[Index, Slot, Poly] | None:
    """A letter k, n − 1 − k, and the body with this in its place, where it then runs forward, or is
    −1 times what it was."""
    for letter in bound:
        if any(isinstance(n, Delta) and letter in n.free for n in nodes(body)):
            continue
        if not any(_backward(body, letter)):
            continue
        back = affine({letter: -1}, letter.size - 1)
        turned = nf.substitute(body, {letter: back})
        negative = turned is nf.scale(body, -1)
        if negative or _order(turned, letter, bound) < _order(body, letter, bound):
            return letter, back, turned
    return None


def _backward(body: Poly, letter: Index) -> tuple[int, int]:
    """How many slots run backward as the letter runs, and how many masks, where no slot says it:
    of [i ≤ k] and [i + k < n] the second one."""
    ways = [slot_items(s)[0][letter] for s in _slots(body) if letter in s.free]
    return sum(way < 0 for way in ways), 0 if ways else _against(body, letter)


def _slots(body: Poly) -> Iterator[Slot]:
    """The slots of components, and those of [s = argmax x]."""
    for node in nodes(body):
        yield from node.slots if isinstance(node, Ref) and node.tensor.role != "place" else ()
        yield from node.at if isinstance(node, Argmax) else ()


def _against(body: Poly, letter: Index) -> int:
    """How many masks have another letter with the same sign."""
    found = 0
    for node in nodes(body):
        items = slot_items(node.slot)[0] if isinstance(node, Mask) else {}
        own = items.pop(letter, 0)
        found += any(own * c > 0 for c in items.values())
    return found


def _order(body: Poly, letter: Index, bound: tuple[Index, ...]) -> tuple[Any, ...]:
    """By the slots that run backward, and by content: the same way whatever the masks are.

    What has no bound letter, e^{n−1} of e^{n−1−k}, does not stay below the Σ.
    """
    names = dict.fromkeys(bound, "*")
    below = [t for term, _ in body for b, t in sums.components(set(bound), term) if b]
    plain = (Term({a: e for a, e in t if not isinstance(a, Mask)}) for t in below)
    bare, full = (sorted(key(t, names) for t in terms) for terms in (plain, below))
    return _backward(body, letter), bare, full


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


def axes_shifted(poly: Poly) -> Poly:
    """Σ_k [k < j] x_{k+1} as Σ_k [1 ≤ k ≤ j] x_k + [n ≤ j] x_n."""

    def rule(atom: Any) -> Poly | None:
        found = shifted(*sums.opened(atom, atom.free)) if isinstance(atom, Sum) else None
        if found is None:
            return None
        letter, _, kept, ends = found
        bound = sums.opened(atom, atom.free)[0]
        left = [b for b in bound if b is not letter]
        others = (nf.sum_over(left, end) for _, end in ends)
        return nf.rewrite(nf.add(nf.sum_over(bound, kept), *others), rule)

    return nf.rewrite(poly, rule)


def shifted(
    bound: tuple[Index, ...], body: Poly
) -> tuple[Index, int, Poly, list[tuple[Slot, Poly]]] | None:
    """A letter k, the least c of its slots k + c, the body with k − c in its place where that is on
    the axis, and the body at the places that this leaves out."""
    for letter in bound:
        by = _first(body, letter)
        if by is None or wrapping(body, letter) is not None:
            continue
        back = affine({letter: 1}, sp.Integer(-by))
        ends = range(-by) if by < 0 else range(-by, 0)
        places = [affine({}, c + (letter.size if by > 0 else 0)) for c in ends]
        if not all(within(p, letter.size) and lasting(body, {letter: p}) for p in places):
            continue
        kept = nf.multiply(nf.inside(back, letter.size), nf.substitute(body, {letter: back}))
        return letter, by, kept, [(p, nf.substitute(body, {letter: p})) for p in places]
    return None


def _first(body: Poly, letter: Index) -> int | None:
    """The least c of slots k + c, where it is not 0 and all slots with the letter are such."""
    found = []
    for node in nodes(body):
        if isinstance(node, Delta | Argmax) and letter in node.free:
            return None
        if not isinstance(node, Ref):
            continue
        for slot, size in zip(node.slots, node.tensor.shape, strict=True):
            if letter not in slot.free:
                continue
            items, const = slot_items(slot)
            if items != {letter: 1} or size != letter.size or not const.is_Integer:
                return None
            found.append(int(const))
    return min(found) or None if found else None


def circles_cut(poly: Poly) -> Poly:
    """Σ_j δ_{j+1,i} [j < k] f_j as [i ≥ 1] [i ≤ k] f_{i−1} + δ_{i0} [n − 1 < k] f_{n−1}."""

    def rule(atom: Any) -> Poly | None:
        found = cut(*sums.opened(atom, atom.free)) if isinstance(atom, Sum) else None
        if found is None:
            return None
        letter, _, pieces = found
        left = [b for b in sums.opened(atom, atom.free)[0] if b is not letter]
        return nf.rewrite(nf.sum_over(left, nf.add(*pieces)), rule)

    return nf.rewrite(poly, rule)


def cut(bound: tuple[Index, ...], body: Poly) -> tuple[Index, Slot, list[Poly]] | None:
    """A letter that a δ fixes modulo an axis, what it is there, and the rest of the body where s,
    s − n or s + n is in its range, with the masks that say so."""
    if body.single is None:
        return None
    term, c = body.single
    for atom, _ in term:
        size = modulus(atom) if isinstance(atom, Delta) else None
        if not isinstance(atom, Delta) or size is None:
            continue
        rest = Poly({Term({a: e for a, e in term if a is not atom}): c})
        for letter in bound:
            slot = _fixed_at(atom, letter, size)
            if slot is None or any(isinstance(n, Delta) and letter in n.free for n in nodes(rest)):
                continue
            items, const = slot_items(slot)
            slots = [affine(items, sp.expand(const + k * size)) for k in (-1, 0, 1)]
            if not all(lasting(rest, {letter: s}) for s in slots):
                continue
            there = ((nf.inside(s, letter.size), nf.substitute(rest, {letter: s})) for s in slots)
            return letter, slot, [nf.multiply(*pair) for pair in there]
    return None


def _fixed_at(atom: Delta, letter: Index, size: sp.Expr) -> Slot | None:
    """What a letter is, modulo a size that is no shorter, where that is −n … 2 n − 1."""
    items, const = apart(atom.a, atom.b)
    c = items.pop(letter, 0)
    if abs(c) != 1 or not sp.expand(size - letter.size).is_nonnegative:
        return None
    slot = affine({i: -c * d for i, d in items.items()}, -c * const)
    low, high = slot_range(slot)
    near = (low + size).is_nonnegative and sp.expand(2 * size - 1 - high).is_nonnegative
    return slot if near else None


__all__ = [
    "axes_mirrored",
    "axes_shifted",
    "axes_turned",
    "axes_whole",
    "circles_cut",
    "cut",
    "mirrored",
    "shifted",
    "whole",
]
