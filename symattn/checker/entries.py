"""Equations of matrices with two or three rows, entry by entry: σ² = I for σ = ((0, 1), (1, 0))."""

from __future__ import annotations

from itertools import product
from math import prod

import sympy as sp

from ..errors import SymattnError
from ..prove import Verdict, prove
from ..syntax import System, define
from .statements import Statement

MOST = 16  # entries


def proof(s: Statement, system: System, seed: int) -> Verdict | None:
    """The proof of all entries together, where every axis has a length that is a number."""
    sizes = [i.upper - i.lower + 1 for i in s.letters]
    if not sizes or not all(n.is_Integer for n in sizes) or prod(map(int, sizes)) > MOST:
        return None
    names, verdicts = {*system.definitions}, []
    left, right = (_fresh(name, names) for name in ("left", "right"))
    try:
        sides = define(left, s.letters, s.lhs), define(right, s.letters, s.rhs)
        whole = System(*system, *sides, facts=system.facts)
        for entry in product(*(range(int(n)) for n in sizes)):
            first, second = (side[tuple(map(sp.Integer, entry))] for side in sides)
            verdicts.append(prove(first, second, given=whole, seed=seed))
            if verdicts[-1].status != "proved":
                return None
    except SymattnError:
        return None
    return next((v for v in verdicts if not v.trivial), verdicts[0])


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    return name


__all__ = ["proof"]
