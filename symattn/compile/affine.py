"""Affine indices inside a sum: contract first, look up after; move the sum to the offset.

    Σ_a x_{ia} R_{(i−j)a} = T_{i(i−j)},   T_{ir} = Σ_a x_{ia} R_{ra}
    Σ_j x_{ij} R_{(i−j)a} = Σ_r y_{ir} R_{ra},   y_{ir} = x_{i(i−r)}, 0 where i−r is no index
    Σ_j x_{ij} δ_{r(i−j)} = y_{ir}
    Σ_j x_{ij} δ_{j(r+1)} = x_{i(r+1)}
    δ_{i s} δ_{j s} = δ_{ij} δ_{i s}     for i and j of one size
    Σ_j x_{ij} [j ≤ k + 1] [k + 1 ≤ j] = x_{i(k+1)}, 0 where k + 1 is no index

Affine indices count modulo the size of their axis.  The second and third law need an axis at least
as long as the range of j, so that no offset is met twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import sympy as sp

from .. import normalize as nf
from ..ir import (
    Affine,
    Atom,
    Delta,
    Index,
    Mask,
    Poly,
    Rational,
    Ref,
    Slot,
    affine,
    raw_atom,
    slot_items,
)

if TYPE_CHECKING:
    from .contract import Scope, Unit
    from .plan import Planner


def resolve(planner: Planner, units: list[Unit], scope: Scope) -> list[Unit]:
    """The units with every affine index treated that one of the laws fits."""
    while True:
        for law in (_meet, _eliminate, _equate, _move, _contract_first):
            found = law(planner, units, scope)
            if found is not None:
                units = found
                break
        else:
            return units


def _product(units: list[Unit]) -> Poly:
    return nf.multiply(*(nf.power(raw_atom(atom), e) for atom, e in units))


def _sources(units: list[Unit]) -> Iterator[tuple[int, int, Affine, Ref]]:
    for k, (atom, e) in enumerate(units):
        if isinstance(atom, Ref) and e == 1:
            for place, slot in enumerate(atom.slots):
                if isinstance(slot, Affine) and slot.items:
                    yield k, place, slot, atom


def _contract_first(planner: Planner, units: list[Unit], scope: Scope) -> list[Unit] | None:
    from .contract import stand_in

    for k, place, slot, ref in _sources(units):
        if slot.free & scope.bound:
            continue
        gone = {s for s in ref.slots if isinstance(s, Index) and s in scope.bound}
        partners = [u for n, u in enumerate(units) if n != k and u[0].free & gone]
        others = [u for n, u in enumerate(units) if n != k and not u[0].free & gone]
        if not gone or any(u[0].free & gone and not _plain(u) for u in partners):
            continue
        if slot.free <= {i for u in partners for i in u[0].free}:
            continue  # Σ_a x_ia y_{(i+1)a} has i alone, and the product i and r
        r = scope.fresh(planner, ref.tensor.shape[place])
        slots = [*ref.slots[:place], r, *ref.slots[place + 1 :]]
        product = nf.multiply(raw_atom(Ref(ref.tensor, slots)), _product(partners))
        table = stand_in(planner, nf.sum_over(gone, product))
        looked_up = Ref(table.tensor, [slot if s is r else s for s in table.slots])
        return [*others, (looked_up, 1)]
    return None


def _plain(unit: tuple[object, Rational]) -> bool:
    return all(isinstance(s, Index) for s in getattr(unit[0], "slots", ()))


def _move(planner: Planner, units: list[Unit], scope: Scope) -> list[Unit] | None:
    for k, place, slot, ref in _sources(units):
        size = ref.tensor.shape[place]
        others = [u for n, u in enumerate(units) if n != k]
        r = scope.fresh(planner, size)
        beside = {s for n, s in enumerate(ref.slots) if n != place}
        letters = slot.free.union(*(s.free for s in beside))
        # as many letters as a lookup of the array would have are too many
        moved = _offset(planner, others, slot, r, size, scope, beside, len(letters))
        if moved is not None:
            scope.bound |= {r}
            slots = [*ref.slots[:place], r, *ref.slots[place + 1 :]]
            return [*moved, (Ref(ref.tensor, slots), 1)]
    return None


def _meet(planner: Planner, units: list[Unit], scope: Scope) -> list[Unit] | None:
    """Two letters that are equal to one affine index are equal."""
    found: dict[Affine, tuple[int, Index]] = {}
    for k, (atom, _) in enumerate(units):
        if not isinstance(atom, Delta):
            continue
        for letter, slot in ((atom.a, atom.b), (atom.b, atom.a)):
            if isinstance(letter, Index) and isinstance(slot, Affine) and slot.free & scope.bound:
                _, other = found.setdefault(slot, (k, letter))
                if other is not letter and other.size == letter.size:
                    met = nf.delta(other, letter).single
                    assert met is not None
                    ((delta, e),) = met[0]
                    return [*units[:k], (delta, e), *units[k + 1 :]]
    return None


def _eliminate(planner: Planner, units: list[Unit], scope: Scope) -> list[Unit] | None:
    for k, (atom, _) in enumerate(units):
        if not isinstance(atom, Delta):
            continue
        for fixed, slot in ((atom.a, atom.b), (atom.b, atom.a)):
            if isinstance(fixed, Index) and isinstance(slot, Affine):
                others = [u for n, u in enumerate(units) if n != k]
                moved = _offset(planner, others, slot, fixed, fixed.size, scope, {fixed})
                if moved is not None:
                    return moved
                if fixed in scope.bound - slot.free and any(fixed in u[0].free for u in others):
                    others = [(_turned(a, fixed, slot), e) for a, e in others]
                    return _read(planner, others, fixed, slot, fixed.size, scope)
    return None


def _turned(atom: Atom, j: Index, position: Affine) -> Atom:
    """[j ≤ n − 1 − b] as [i ≥ b] where j is i − b modulo n, and [j ≥ a] as [i ≤ n − 1 − a] where
    it is i + a; anything else as it was."""
    items, const = slot_items(position)
    if not isinstance(atom, Mask) or atom.free != {j} or list(items.values()) != [1]:
        return atom
    (i,) = items
    if i.size != j.size:
        return atom
    own, bound = slot_items(atom.slot)
    last = j.size - 1 + const
    if own[j] == -1 and sp.expand(bound - last) == 0 and const.is_negative:
        return Mask(affine({i: 1}, const))
    if own[j] == 1 and sp.expand(bound + const) == 0 and const.is_positive:
        return Mask(affine({i: -1}, j.size - 1 - const))
    return atom


def _equate(planner: Planner, units: list[Unit], scope: Scope) -> list[Unit] | None:
    """The units without [s ≥ 0] [−s ≥ 0], which fixes a letter of s."""
    masks = {atom.slot: k for k, (atom, _) in enumerate(units) if isinstance(atom, Mask)}
    for slot, k in masks.items():
        items, const = slot_items(slot)
        other = masks.get(affine({i: -c for i, c in items.items()}, -const))
        if other is None:
            continue
        rest = [u for n, u in enumerate(units) if n not in (k, other)]
        for j, c in items.items():
            if j not in scope.bound or abs(c) != 1 or not any(j in u[0].free for u in rest):
                continue
            # c·j + others = 0, and c² = 1
            position = affine({i: -c * f for i, f in items.items() if i is not j}, -c * const)
            low, high = nf.slot_range(position)
            below = sp.S.Zero if low.is_nonnegative else -low
            if below.is_nonnegative:  # what is before the beginning comes to lie past the end
                end = j.size + high + below + 1
                apart = [u for u in rest if j not in u[0].free]
                for unit in rest:
                    if j in unit[0].free:
                        apart += _read(planner, [unit], j, position, end, scope)
                return apart
    return None


def _offset(
    planner: Planner,
    units: list[Unit],
    slot: Affine,
    r: Index,
    size: sp.Expr,
    scope: Scope,
    elsewhere: set[Slot],
    fewer: int | None = None,
) -> list[Unit] | None:
    """The units after the sum over a letter j of the slot has become one over slot = r; None
    where none can, or what has j would get `fewer` letters or more."""
    best: tuple[int, Index] | None = None
    taken = {i for s in elsewhere for i in s.free}
    for j, c in slot.items:
        if j not in scope.bound or abs(c) != 1 or j in taken:
            continue
        if not sp.expand(size - j.size).is_nonnegative:
            continue
        letters = {i for atom, _ in units if j in atom.free for i in atom.free}
        count = len(letters | slot.free)  # r comes for j
        if j in letters and (best is None or count < best[0]):
            best = count, j
    if best is None or (fewer is not None and best[0] >= fewer):
        return None
    j = best[1]
    items, const = slot_items(slot)
    c = items.pop(j)
    # c·j + rest = r, and c² = 1
    position = affine({r: c} | {i: -c * k for i, k in items.items()}, -c * const)
    return _read(planner, units, j, position, size, scope)


def _read(
    planner: Planner,
    units: list[Unit],
    j: Index,
    position: Slot,
    modulus: sp.Expr,
    scope: Scope,
) -> list[Unit]:
    """The units with what has the letter j read at a position, 0 where that is past the end."""
    from .contract import stand_in

    touched = [u for u in units if j in u[0].free]
    if not touched:
        scope.bound -= {j}
        return units
    source = stand_in(planner, _product(touched))
    free = tuple(i for i in source.slots if isinstance(i, Index) and i is not j)
    indices = tuple(dict.fromkeys((*free, *position.free)))
    tensor = planner.shifted(source, indices, j, position, modulus)
    scope.bound -= {j}
    return [*(u for u in units if j not in u[0].free), (Ref(tensor, indices), 1)]
