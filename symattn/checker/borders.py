"""Statements with x_{i-1} hold where that is a component: before the first x there is none."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from ..syntax import iverson
from .statements import Statement


def inside(s: Statement) -> tuple[Statement, str] | None:
    """The statement where all its shifted indices are within their ranges, and where that is.

    None for one without a letter that is free and shifted.
    """
    first: dict[sp.Idx, int] = {}
    last: dict[sp.Idx, int] = {}
    for x in s.lhs.atoms(sp.Indexed) | s.rhs.atoms(sp.Indexed):
        for slot in x.indices:
            shift, letter = sp.sympify(slot).as_coeff_Add()
            if letter in s.letters and shift.is_Integer and shift:
                bound = first if shift < 0 else last
                bound[letter] = max(bound.get(letter, 0), abs(int(shift)))
    masks = [iverson(i >= c) for i, c in first.items()]
    masks += [iverson(i <= i.upper - c) for i, c in last.items()]
    if not masks:
        return None
    within = sp.Mul(*masks)
    early = [f"{i} > {c}" if c > 1 else f"{i} is not the first" for i, c in first.items()]
    late = [f"{i} is not the last" if c == 1 else f"{c} more follow {i}" for i, c in last.items()]
    return replace(s, lhs=within * s.lhs, rhs=within * s.rhs), " and ".join([*early, *late])


__all__ = ["inside"]
