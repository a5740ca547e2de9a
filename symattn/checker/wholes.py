"""Equations of whole numbers: ⌊(2n + 1)/2⌋ = n, by the laws that SymPy knows of ⌊ ⌋ and ⌈ ⌉."""

from __future__ import annotations

import sympy as sp

from ..syntax import System
from .statements import Statement

ROUNDS = {"floor": sp.floor, "ceil": sp.ceiling, "ceiling": sp.ceiling}
DEEPEST = 8  # definitions in definitions


def proves(s: Statement, system: System) -> bool:
    """True where both sides, of numbers alone, are equal for all whole values of their names."""
    apart = s.lhs - s.rhs
    for _ in range(DEEPEST):
        if apart.atoms(sp.Indexed, sp.Sum, sp.Idx):  # whose letters are no names
            return False
        known = {
            x: system.definitions[x.name].expr
            for x in apart.atoms(sp.Symbol)
            if x.name in system.definitions and not system.definitions[x.name].indices
        }
        if not known:
            break
        apart = apart.xreplace(known)
    rounded = [f for f in apart.atoms(sp.Function) if f.func.__name__ in ROUNDS]
    if apart.atoms(sp.Indexed, sp.Sum, sp.Idx) or not rounded:
        return False
    for f in rounded:
        apart = apart.xreplace({f: ROUNDS[f.func.__name__](*f.args)})
    whole = {x: sp.Dummy(x.name, integer=True) for x in apart.atoms(sp.Symbol)}
    return bool(sp.expand(apart.xreplace(whole).doit()) == 0)


__all__ = ["proves"]
