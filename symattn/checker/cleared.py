r"""Equations of inverses: L = R is M L = M R, for a matrix M whose inverse stands in it.

A common denominator does the same for numbers; it proves the push-through identity.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from ..errors import SymattnError
from ..objects import Inverse
from ..prove import Verdict, prove
from ..syntax import System
from .statements import Statement

MOST = 4  # products that are tried


def cleared(s: Statement, system: System, seed: int) -> Verdict | None:
    """The proof of M L = M R, or of L M = R M; None where none is found."""
    for k, (left, right) in enumerate(_products(s)):
        if k == MOST:
            break
        try:
            verdict = prove(left, right, given=system, seed=seed, over=s.letters)
        except SymattnError:
            continue
        if verdict:
            return verdict
    return None


def _products(s: Statement) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """Both sides times M along each free letter that its inverse bears."""
    for side in (s.lhs, s.rhs):
        for x in sorted(side.atoms(sp.Indexed), key=str):
            if not isinstance(x.base, Inverse):
                continue
            for axis, letter in enumerate(x.indices):
                if letter in s.letters:
                    other = sp.Idx("r_", letter.upper + 1)
                    slots = (letter, other) if axis else (other, letter)
                    m, span = x.base.of[slots], (letter, 0, letter.upper)
                    yield sp.Sum(m * s.lhs, span), sp.Sum(m * s.rhs, span)


__all__ = ["cleared"]
