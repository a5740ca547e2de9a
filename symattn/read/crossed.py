"""Cross products in space: (u × v)_1 = u_2 v_3 - u_3 v_2, and so on round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from .sizes import Letter
from .source import ReadError
from .terms import Add, Affine, Compare, Mul, Number, Term, at_index
from .values import Counts, Value

if TYPE_CHECKING:
    from .elaborate import Reader


def product(reader: Reader, u: Value, v: Value, at: int) -> Value | None:
    """u × v; None where they are no vectors in space, or the text does not say that they are."""
    told = reader.source.spatial or reader.names.crossed
    if not told or not (u.row and v.row) or u.col or v.col:
        return None
    row, mark = Letter("r", at), reader.sizes.mark()
    try:
        for letter in (row, u.row, v.row):
            reader.sizes.give(letter.size, sp.Integer(3), at, "the axes of a cross product")
    except ReadError:
        reader.sizes.back(mark)
        return None
    one = [at_index(u.term, u.row, k) for k in range(3)]
    two = [at_index(v.term, v.row, k) for k in range(3)]
    parts: list[tuple[int, Term]] = []
    for k in range(3):
        here = Compare("=", row, Affine((), Number(sp.Integer(k))))
        i, j = (k + 1) % 3, (k + 2) % 3
        parts += [(1, Mul((one[i], two[j], here))), (-1, Mul((one[j], two[i], here)))]
    free: Counts = dict(u.free)
    for letter, (up, down) in v.free.items():
        before = free.get(letter, (0, 0))
        free[letter] = before[0] + up, before[1] + down
    return Value(Add(tuple(parts)), free, row=row, summed=u.summed | v.summed)


__all__ = ["product"]
