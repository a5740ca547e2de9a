r"""Masks under a Σ as its limits: Σ_t [t ≤ n − 1] f_t as \sum_{t=1}^{n-1} f_t.

And Σ_i [j ≤ i] f_i as \sum_{i \ge j} f_i, where the author writes his sums so.
"""

from __future__ import annotations

import re
from typing import TypeAlias

import sympy as sp

from ..distinct import below, different
from ..ir import Index, Mask, Poly, Slot, Sum, Term, affine, inside, slot_items
from ..model import Model

# the least and the largest value of a letter, None for the end of an axis that has no name
Limits: TypeAlias = "dict[Index, tuple[Slot, Slot | None]]"

_SUM = r"\\sum(?:\\limits)?\s*_\s*\{\s*\\?\w+\s*="
_LIMITS, _FROM_0 = re.compile(_SUM), re.compile(rf"{_SUM}\s*0\s*\}}")
_BELOW = re.compile(r"\\sum(?:\\limits)?\s*_\s*\{\s*\\?\w+\s*(?:<|>|\\le|\\ge)[^=]*?\}")
_UNEQUAL = re.compile(r"\\sum(?:\\limits)?\s*_\s*\{\s*\\?\w+\s*(?:<|>|\\neq?(?![a-z])|≠)")
_COMPARED = re.compile(r"\[[^\[\]]*(?:<|>|\\le|\\ge)")


def written(text: str, origin: int) -> bool:
    r"""The author says how far a sum runs by its limits, and compares no letters, [j \le i].

    Where he begins to count has to be known: at 1, or at the 0 of a Σ.
    """
    counts = _LIMITS.search(text) if origin else _FROM_0.search(text)
    return bool(counts) and not _COMPARED.search(text)


def compared(text: str) -> bool:
    r"""The author has \sum_{j \le i}, and compares no letters in brackets, [j \le i]."""
    return bool(_BELOW.search(text)) and not _COMPARED.search(text)


def unequal(text: str, m: Model) -> bool:
    r"""The author has \sum_{j \neq i} or \sum_{i < j}; in Python 1 − δ_ij or [i < j]."""
    if text:
        return bool(_UNEQUAL.search(text))
    masks = (n for b in m.bodies.values() for n in inside(b.raw) if isinstance(n, Mask))
    return apart(m) or any(below(mask) is not None for mask in masks)


def apart(m: Model) -> bool:
    """1 − δ_ij or [i < j] + [j < i] is a factor somewhere."""
    raws = (n for b in m.bodies.values() for n in inside(b.raw) if isinstance(n, Poly))
    return any(different(n) is not None for n in raws)


def two_sided(atom: Sum) -> tuple[Index, Index, Poly] | None:
    r"""The letters of \sum_{j \neq i} where its body says so, the bound one first, and the rest."""
    if atom.body.single is None:
        return None
    term, c = atom.body.single
    for factor, e in term:
        pair = different(factor) if isinstance(factor, Poly) and e == 1 else None
        if pair is not None and not {*pair}.isdisjoint(atom.bound):
            other, letter = sorted(pair, key=lambda i: i in atom.bound)
            rest = Poly({Term({a: k for a, k in term if a is not factor}): c})
            return letter, other, rest
    return None


def one_sided(atom: Sum) -> tuple[dict[Index, tuple[str, Index]], Poly]:
    r"""The letters that one mask binds to another letter, as i \ge j, and the body without it."""
    if atom.body.single is None:
        return {}, atom.body
    term, c = atom.body.single
    found: dict[Index, tuple[str, Index]] = {}
    left = dict(term.powers)
    for letter in atom.bound:
        own = [a for a, e in left.items() if isinstance(a, Mask) and e == 1 and letter in a.free]
        end, slot = _side(own[0], letter) if len(own) == 1 else (0, letter)
        items, const = slot_items(slot)
        ((other, times),) = items.items() if len(items) == 1 else ((letter, 0),)
        sign = {(1, 0): r"\ge", (1, 1): ">", (-1, 0): r"\le", (-1, -1): "<"}.get((end, const))
        if sign and times == 1 and other not in found:
            found[letter] = sign, other
            del left[own[0]]
    return found, Poly({Term(left): c})


def limited(atom: Sum) -> tuple[Limits, Poly]:
    """The limits of the letters that masks bound, and the body without these masks."""
    if atom.body.single is None:
        return {}, atom.body
    term, c = atom.body.single
    found: Limits = {}
    left = dict(term.powers)
    for letter in atom.bound:
        own = [a for a, e in left.items() if isinstance(a, Mask) and e == 1 and letter in a.free]
        sides = [(_side(mask, letter), mask) for mask in own]
        ends = [end for (end, _), _ in sides]
        bounds = {i for (_, slot), _ in sides for i in slot.free} & {*atom.bound}
        if not own or 0 in ends or len({*ends}) < len(ends) or not bounds.isdisjoint(found):
            continue
        at = {end: slot for (end, slot), _ in sides}
        least = at.get(1, affine({}, sp.S.Zero))
        named = not str(letter.size).startswith("n_")
        found[letter] = least, at.get(-1, affine({}, letter.size - 1) if named else None)
        left = {a: e for a, e in left.items() if a not in own}
    return found, Poly({Term(left): c})


def _side(mask: Mask, letter: Index) -> tuple[int, Slot]:
    """1 and the least value of the letter, or −1 and the largest; 0 where it is no bound of it."""
    items, const = slot_items(mask.slot)
    end = items.pop(letter)
    if end not in (1, -1):
        return 0, mask.slot
    return end, affine({i: -end * c for i, c in items.items()}, -end * const)


__all__ = ["compared", "limited", "one_sided", "two_sided", "unequal", "written"]
