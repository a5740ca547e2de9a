"""Readings of masks: as stricter ones and δ's, so that what they have in common cancels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import sympy as sp

from . import normalize as nf
from .ir import ONE, Delta, Index, Mask, Poly, Slot, affine, slot_items
from .places import apart, modulus, slot_range, within

MOST_TURNS = 4  # of an axis, by which sides of a δ may differ where it is short
MOST_PLACES = 8  # that are written one by one
MOST_VALUES = 2  # beside the last of a sum of letters, which are
Kind: TypeAlias = tuple[Any, ...]  # what masks share that differ by a number


def masks_apart(poly: Poly) -> Poly:
    """[a ≤ b] as [a < b] + δ, [a ≤ 1] as δ's, [a < n − 1] as 1 − δ and [a > b] as 1 − [a ≤ b]."""
    found: list[Mask] = []

    def collect(atom: Any) -> None:
        if isinstance(atom, Mask):
            found.append(atom)

    def rule(atom: Any) -> Poly | None:
        return levelled(atom, least) if isinstance(atom, Mask) else None

    nf.rewrite(poly, collect)  # the letters in a scope are those of the rule
    least = levels(found)
    return nf.rewrite(poly, rule) if found else poly


def circles_opened(poly: Poly) -> Poly:
    """δ_{i,j−1} modulo n as [i = j − 1] + [i = j − 1 + n], in masks."""

    def rule(atom: Any) -> Poly | None:
        return opened(atom) if isinstance(atom, Delta) else None

    return nf.rewrite(poly, rule)


def opened(delta: Delta) -> Poly | None:
    """A δ that counts modulo the range of a letter, by the masks of what it compares; None where
    that is more than once around."""
    size = modulus(delta)
    items, const = apart(delta.a, delta.b)
    if size is None or not items:
        return None
    low, high = slot_range(affine(items, const))
    ends = ((sp.expand(k * size + e) for e in (low, -high)) for k in range(1, MOST_TURNS + 1))
    far = next((k for k, two in enumerate(ends) if all(e.is_positive for e in two)), None)
    if far is None:
        return None
    back = {i: -c for i, c in items.items()}
    found = []
    for k in range(-far, far + 1):
        here = sp.expand(const + k * size)
        found.append(nf.multiply(nf.mask(affine(items, here)), nf.mask(affine(back, -here))))
    return nf.add(*found)


def levels(masks: Iterable[Mask]) -> Mapping[Kind, sp.Expr]:
    """The least number in masks of a kind."""
    least: dict[Kind, sp.Expr] = {}
    for mask in masks:
        if mask.free:
            kind, number = _kind(forward(mask.slot)[0])
            least[kind] = min(number, least.get(kind, _strict(kind)))
    return least


def levelled(mask: Mask, least: Mapping[Kind, sp.Expr]) -> Poly | None:
    """A mask by δ's, or by a stricter one and δ's; None where it compares sizes."""
    if not mask.free:
        return None
    if (few := few_places(mask)) is not None:
        return few
    slot, turned = forward(mask.slot)
    kind, number = _kind(slot)
    strict = stricter(slot, number - least.get(kind, number))
    return nf.subtract(ONE, strict) if turned else strict


def forward(slot: Slot) -> tuple[Slot, bool]:
    """The s of [s ≥ 0], or of 1 − [s ≥ 0], in which the first letter is subtracted."""
    items, const = slot_items(slot)
    if items[min(items, key=lambda i: i.sort)] < 0:
        return slot, False
    return affine({i: -c for i, c in items.items()}, -const - 1), True


def _kind(slot: Slot) -> tuple[Kind, sp.Expr]:
    """The letters of a slot by their ranges, and the number in it."""
    items, const = slot_items(slot)
    number, rest = const.as_coeff_Add()
    return (*sorted((c, str(i.size)) for i, c in items.items()), rest), number


def _strict(kind: Kind) -> sp.Expr:
    """The number of masks that are strict enough: −1 of [a < b]."""
    *letters, rest = kind
    two = [c for c, _ in letters] == [-1, 1] and len({n for _, n in letters}) == 1
    return sp.S.NegativeOne if two and not rest else sp.oo


def stricter(slot: Slot, by: sp.Expr) -> Poly:
    """[s ≥ 0] as [s − 1 ≥ 0] + [s = 0], so many times."""
    items, const = slot_items(slot)
    found = []
    while by > 0 and (here := zero(affine(items, const))) is not None:
        found.append(here)
        const, by = const - 1, by - 1
    return nf.add(nf.mask(affine(items, const)), *found)


def zero(slot: Slot) -> Poly | None:
    """[s = 0] as a δ of a letter and what it is there, where that is in its range."""
    items, const = slot_items(slot)
    letters = [i for i, c in items.items() if abs(c) == 1]
    if not letters:
        return None
    letter = min(letters, key=lambda i: i.sort)
    c = items.pop(letter)
    there = affine({i: -c * d for i, d in items.items()}, -c * const)
    if isinstance(there, Index) and there.size != letter.size:
        return None
    return nf.multiply(nf.delta(letter, there), nf.inside(there, letter.size))


def few_places(mask: Mask) -> Poly | None:
    """Σ_c δ_{ac} over the numbers c of which a mask is 1, or 1 − Σ_c δ_{ac} over the others.

    Each c is in the range of the letter at every size: beside a letter a δ counts modulo its size.
    """
    items, _ = slot_items(mask.slot)
    if len(items) > 1:
        return _corner(mask.slot, *slot_range(mask.slot))
    (letter,) = items
    for holds, places in ends(mask):
        if all(within(c, letter.size) for c in places):
            found = nf.add(*(nf.delta(letter, c) for c in places))
            return found if holds else nf.subtract(ONE, found)
    return None


def ends(mask: Mask) -> Iterator[tuple[bool, list[Slot]]]:
    """The few numbers at which a mask of one letter is 1, and those at which it is 0."""
    items, const = slot_items(mask.slot)
    ((_, turn),) = items.items()
    low, high = slot_range(mask.slot)
    for holds, values in ((True, (0, high)), (False, (low, -1))):
        first, last = map(sp.sympify, values)
        if abs(turn) == 1 and first.is_Integer and last.is_Integer and last - first < MOST_PLACES:
            here = range(int(first), int(last) + 1)
            yield holds, [affine({}, turn * (v - const)) for v in here]


def _corner(slot: Slot, low: sp.Expr, high: sp.Expr) -> Poly | None:
    """[i + j ≥ 1] = 1 − δ_{i0} δ_{j0}: a mask that is 1, or 0, where letters are at ends."""
    items, _ = slot_items(slot)
    for holds, last in ((True, high), (False, -1 - low)):
        if not last.is_Integer or last > MOST_VALUES:
            continue
        ends = {i: i.size - 1 if (c > 0) == holds else sp.S.Zero for i, c in items.items()}
        found: list[Poly | None] = [
            nf.multiply(*(nf.delta(i, affine({}, end)) for i, end in ends.items()))
        ]
        for value in range(int(last)):
            found.append(zero(_moved(slot, -value if holds else value + 1)))
        if None not in found:
            few = nf.add(*(x for x in found if x is not None))
            return few if holds else nf.subtract(ONE, few)
    return None


def _moved(slot: Slot, by: int) -> Slot:
    items, const = slot_items(slot)
    return affine(items, const + by)


__all__ = [
    "MOST_PLACES",
    "ends",
    "few_places",
    "forward",
    "levelled",
    "levels",
    "masks_apart",
    "stricter",
    "zero",
]
