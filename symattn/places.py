"""Where an affine index may stand in place of a letter.

A letter is in range by construction; an affine index such as i − 1 may leave the range, and in a
slot of a tensor it then counts from the end, modulo the length of the axis.  A mask [j ≤ i] or
another affine slot compares or adds plain integers, so what holds there for the letter does not
hold for the affine index.  In a δ with one letter the affine side counts modulo the range of that
letter.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import repeat
from typing import Any

import sympy as sp

from .ir import Affine, Argmax, Delta, Index, Mask, Ref, Slot, affine, parts, slot_items


@lru_cache(maxsize=4096)
def slot_range(slot: Slot) -> tuple[sp.Expr, sp.Expr]:
    """The least and the greatest value of an affine index."""
    items, const = slot_items(slot)
    low = const + sum(c * (i.size - 1) for i, c in items.items() if c < 0)
    high = const + sum(c * (i.size - 1) for i, c in items.items() if c > 0)
    return sp.expand(low), sp.expand(high)


@lru_cache(maxsize=4096)
def within(slot: Slot, size: sp.Expr) -> bool:
    """Every value of the slot is one of 0 … size − 1."""
    if isinstance(slot, Index) and slot.size == size:
        return True
    low, high = slot_range(slot)
    return bool(low.is_nonnegative and sp.expand(size - 1 - high).is_nonnegative)


@lru_cache(maxsize=4096)
def reduced(slot: Slot, size: sp.Expr) -> Slot:
    """x_{n+i} = x_i and x_{−1} = x_{n−1}: an index modulo the size of its axis, written one way.

    In its range if it can be, else reaching into it, with the plainest constant.
    """
    if isinstance(slot, Index) or within(slot, size):
        return slot
    items, const = slot_items(slot)
    start = sp.expand(const - _times(const, size) * size)
    turned = [affine(items, sp.expand(start + k * size)) for k in (0, 1, -1, 2, -2)]
    inside = next((s for s in turned if within(s, size)), None)
    return inside or min((s for s in turned if _reaches(s, size)), key=_plainness, default=slot)


def _times(const: sp.Expr, size: sp.Expr) -> int:
    """How often a size is in a constant."""
    if size.is_number:
        return int(sp.floor(const / size)) if const.is_number and size else 0
    counts = {p: c for p, c in size.as_coefficients_dict().items() if not p.is_number}
    part = min(counts, key=sp.default_sort_key)
    times = const.as_coefficients_dict().get(part, 0) / counts[part]
    return int(times) if times.is_Integer else 0


def _reaches(slot: Slot, size: sp.Expr) -> bool:
    """Nothing says that no value of the slot is one of 0 … size − 1."""
    low, high = slot_range(slot)
    return not (high.is_negative or sp.expand(low - size).is_nonnegative)


def _plainness(slot: Slot) -> tuple[int, Any, bool]:
    _, const = slot_items(slot)
    number, rest = const.as_coeff_Add()
    return len(str(rest)) if rest else 0, abs(number), bool(number < 0)


def wrapping(node: Any, letter: Index) -> frozenset[Slot] | None:
    """The slots with the letter, where each of them runs once over all of its axis.

    None where one does not, or where the letter is compared or counted.
    """
    if letter not in node.free:
        return frozenset()
    if isinstance(node, Mask | Delta) or (isinstance(node, Ref) and node.tensor.role == "place"):
        return None
    if not isinstance(node, Ref | Argmax):
        found = [wrapping(part, letter) for part in parts(node)]
        return None if None in found else frozenset().union(*(f for f in found if f))
    if isinstance(node, Argmax) or any(
        letter in s.free and not _once(s, size, letter)
        for s, size in zip(node.slots, node.tensor.shape, strict=True)
    ):
        return None
    return frozenset(s for s in node.slots if letter in s.free)


def _once(slot: Slot, size: sp.Expr, letter: Index) -> bool:
    """The slot has every value of 0 … size − 1 once, modulo the size, as the letter runs."""
    return bool(size == letter.size) and abs(slot_items(slot)[0][letter]) == 1


def renamed(slot: Slot, mapping: Mapping[Index, Slot]) -> Slot:
    """A slot with indices replaced."""
    if isinstance(slot, Index):
        return mapping.get(slot, slot)
    if not (slot.free & mapping.keys()):
        return slot
    items: dict[Index, int] = {}
    const = slot.const
    for index, c in slot.items:
        others, shift = slot_items(mapping.get(index, index))
        const = const + c * shift
        for other, d in others.items():
            items[other] = items.get(other, 0) + c * d
    return affine(items, const)


def apart(a: Slot, b: Slot) -> tuple[dict[Index, int], sp.Expr]:
    """a − b as letters with their factors, and a constant."""
    items, const = slot_items(a)
    others, other = slot_items(b)
    for index, c in others.items():
        items[index] = items.get(index, 0) - c
    return {i: c for i, c in items.items() if c}, sp.expand(const - other)


def modulus(node: Delta) -> sp.Expr | None:
    """The size that a δ counts modulo; None where it compares integers."""
    return next((s.size for s in (node.a, node.b) if isinstance(s, Index)), None)


def solved(a: Slot, b: Slot, size: sp.Expr) -> tuple[Index, Slot] | None:
    """A letter of that size and what it is, modulo the size, where a = b."""
    items, const = apart(a, b)
    letters = [i for i, c in items.items() if abs(c) == 1 and i.size == size]
    if not letters:
        return None
    letter = min(letters, key=lambda i: i.sort)
    c = items.pop(letter)
    return letter, affine({i: -c * d for i, d in items.items()}, -c * const)


def placeable(node: Any, mapping: Mapping[Index, Slot]) -> bool:
    """The letters of the mapping may be replaced in the node without a change of meaning."""
    if all(isinstance(slot, Index) and slot.size == i.size for i, slot in mapping.items()):
        return True
    leaving = {i for i, slot in mapping.items() if not within(slot, i.size)}
    return _places(node, frozenset(leaving), mapping)


def _places(node: Any, letters: frozenset[Index], mapping: Mapping[Index, Slot]) -> bool:
    if mapping.keys().isdisjoint(node.free):
        return True
    match node:
        case Delta() if not _decided(node, mapping):
            return False
        case Ref() if not all(map(_lasting, node.slots, node.tensor.shape, repeat(mapping))):
            return False
        case Ref() | Mask() | Delta() | Argmax() if letters.isdisjoint(node.free):
            return not isinstance(node, Argmax) or _places(node.body, letters, mapping)
        case Ref(tensor=tensor) if tensor.role == "place":
            return False
        case Ref():
            return all(  # a letter by itself may stand in a longer axis, as k of n in R_{n−1−i+k}
                all(i.size == size for i in letters & s.free)
                for s, size in zip(node.slots, node.tensor.shape, strict=True)
            )
        case Delta():
            return _in_delta(node.a, node.b, letters) and _in_delta(node.b, node.a, letters)
        case Mask():
            return False
        case Argmax():
            return all(
                letters.isdisjoint(s.free) or (isinstance(s, Index) and s.size == b.size)
                for s, b in zip(node.at, node.bound, strict=True)
            ) and _places(node.body, letters, mapping)
    return all(_places(part, letters, mapping) for part in parts(node))


def lasting(node: Any, mapping: Mapping[Index, Slot]) -> bool:
    """No component of the node becomes one that there need not be."""
    if isinstance(node, Ref):
        return all(map(_lasting, node.slots, node.tensor.shape, repeat(mapping)))
    return mapping.keys().isdisjoint(node.free) or all(
        lasting(part, mapping) for part in parts(node)
    )


def _lasting(slot: Slot, size: sp.Expr, mapping: Mapping[Index, Slot]) -> bool:
    """x_{i+2} does not become x_2, which says that n > 2, where i + 2 counts modulo n."""
    new = renamed(slot, mapping)
    fixed = isinstance(slot, Affine) and new is not slot and not new.free
    return not fixed or within(reduced(new, size), size)


def _decided(node: Delta, mapping: Mapping[Index, Slot]) -> bool:
    """Beside the letter that it counts modulo, or one of its size, the δ can be written again."""
    size, a, b = modulus(node), renamed(node.a, mapping), renamed(node.b, mapping)
    if size is None:
        return True
    items, const = apart(a, b)
    return solved(a, b, size) is not None or bool(not items and const.is_number)


def _in_delta(side: Slot, other: Slot, letters: frozenset[Index]) -> bool:
    """A letter by itself, or inside an affine index that counts modulo its range."""
    if isinstance(side, Affine):
        inside = letters & side.free
        return not inside or (
            isinstance(other, Index)
            and other not in letters
            and all(i.size == other.size for i in inside)
        )
    return True


__all__ = [
    "apart",
    "lasting",
    "modulus",
    "placeable",
    "reduced",
    "renamed",
    "slot_range",
    "solved",
    "within",
    "wrapping",
]
