r"""(AᵀA)⁻¹ beside (AAᵀ)⁻¹: both are there for a square A alone."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ..objects import Inverse
from ..syntax import System
from .inside import names
from .statements import Statement
from .versions import closure


def both_ways(s: Statement, system: System | None) -> str:
    """The A of two axes of which a statement, and what it rests on, inverts AᵀA and AAᵀ."""
    if system is None:
        return ""
    reached = closure(names(s.lhs) | names(s.rhs), system)
    exprs = [s.lhs, s.rhs, *(d.expr for d in system if d.name in reached)]
    inverted = {b.of.name for e in exprs for b in e.atoms(sp.IndexedBase) if isinstance(b, Inverse)}
    ways: dict[Any, set[int]] = {}
    for name in sorted(inverted & system.definitions.keys()):
        if (found := _gram(system.definitions[name].expr)) is not None:
            base, axis = found
            ways.setdefault(base, set()).add(axis)
    unlike = (b for b, axes in ways.items() if len(axes) == 2 and b.shape[0] != b.shape[1])
    return next((b.name for b in unlike), "")


def _gram(body: Any) -> tuple[sp.IndexedBase, int] | None:
    """The A of Σ_k A_ki A_kj, and along which of its axes is summed."""
    if not isinstance(body, sp.Sum) or len(body.limits) != 1:
        return None
    bound, factors = body.limits[0][0], sp.Mul.make_args(body.function)
    plain = len(factors) == 2 and all(isinstance(f, sp.Indexed) for f in factors)
    if not plain or factors[0].base != factors[1].base or len(factors[0].indices) != 2:
        return None
    axes = {f.indices.index(bound) for f in factors if bound in f.indices}
    return (factors[0].base, axes.pop()) if len(axes) == 1 else None


__all__ = ["both_ways"]
