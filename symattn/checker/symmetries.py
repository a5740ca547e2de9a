"""What holds for symmetric matrices only: metrics, covariances and couplings are, often unsaid."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..objects import TensorSymbol
from ..prove import prove
from ..syntax import System, define
from .statements import Statement
from .versions import closure, names

MOST = 4  # matrices that are tried


def symmetric_where(s: Statement, system: System) -> str:
    """The matrix that is to be symmetric for the statement to be proved; empty for none."""
    for base in _square(s, system)[:MOST]:
        change = {base: TensorSymbol(base.label, base.shape, "symmetric")}
        try:
            other = System(
                *(define(d.name, d.indices, _put(d.expr, change)) for d in system),
            )
            found = prove(_put(s.lhs, change), _put(s.rhs, change), given=other)
        except SymattnError:
            continue
        if found.status == "proved" and not found.trivial:
            return str(base.label)
    return ""


def _square(s: Statement, system: System) -> list[Any]:
    """Matrices with two equal axes of which nothing is said."""
    reached = closure(names(s.lhs) | names(s.rhs), system) - set(system.definitions)
    exprs = [s.lhs, s.rhs, *(d.expr for d in system)]
    found = {b for e in exprs for b in e.atoms(sp.IndexedBase) if str(b.label) in reached}
    return sorted(
        (
            b
            for b in found
            if len(b.shape) == 2
            and b.shape[0] == b.shape[1]
            and type(b) is TensorSymbol
            and not b.symmetry
        ),
        key=str,
    )


def _put(expr: Any, change: dict[Any, Any]) -> Any:
    """The expression with other tensors of the same names: no index is touched."""
    return expr.xreplace(change)


__all__ = ["symmetric_where"]
