r"""Indices that begin at different numbers, compared as their author counts them.

Where a text has one first number for all, indices are counted from it.  Where \sum_{i=1}^n and
\sum_{j=0}^{i-1} stand in one text, a letter has a first number of its own, and [j ≤ i − 1] is
[j ≤ i] of the places.
"""

from __future__ import annotations

import sympy as sp

from .names import is_letter
from .sizes import Letter
from .terms import ONE, Add, Affine, Compare, Mul, Number, Slot, Term
from .tree import Name, Node, walk
from .tree import Number as NumberNode
from .values import Scope


def base(slot: Slot) -> int | None:
    """How much larger the author's number of an index is than its place; None where it is open."""
    items = ((slot, 1),) if isinstance(slot, Letter) else slot.items
    firsts = [(x.first, c) for x, c in items]
    if not firsts or any(first is None for first, _ in firsts):
        return None
    return sum(c * (first or 0) for first, c in firsts)


def apart(a: Slot, b: Slot) -> int:
    """What has to be added to the place of a beside that of b: the first number of a less b's."""
    one, other = base(a), base(b)
    return 0 if one is None or other is None else one - other


def compared(relation: str, a: Slot, b: Slot) -> Term:
    """[a R b] of the numbers that these places have."""
    gap = apart(a, b)
    if not gap:
        return Compare(relation, a, b)
    items = ((b, 1),) if isinstance(b, Letter) else b.items
    more: Term = Number(sp.Integer(-gap))
    if isinstance(b, Affine) and b.constant is not None:
        more = Add(((1, b.constant), (1, more)))
    there = Affine(items, more)
    if relation not in ("=", "≠"):  # a δ counts modulo the range, and these differ
        return Compare(relation, a, there)
    same = Mul((Compare("≤", a, there), Compare("≥", a, there)))
    return same if relation == "=" else Add(((1, ONE), (-1, same)))


def first(start: Node, scope: Scope) -> int | None:
    """The number 0 or 1 of a lower limit, or the one that its letters begin with."""
    if isinstance(start, NumberNode):
        return int(start.text) if start.text in ("0", "1") else None
    names = {n.text for n in walk(start) if isinstance(n, Name) and is_letter(n)}
    known = {scope.letters[x].first for x in names & scope.letters.keys()}
    return known.pop() if len(known) == 1 else None


__all__ = ["apart", "base", "compared", "first"]
