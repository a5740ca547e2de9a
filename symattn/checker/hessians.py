"""Inverses of derivatives: where H = ∇²f is A, H⁻¹ is A⁻¹, as in a step of Newton's method."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Inverse, Partial
from ..prove import Verdict, prove, whether
from ..syntax import Definition, System, define
from .inside import names
from .statements import Statement
from .versions import closure

MOST = 6  # matrices that a derivative is held against


def proof(s: Statement, system: System) -> Verdict | None:
    """The proof with matrices in place of the derivatives that they are proved to be."""
    reached = closure(names(s.lhs) | names(s.rhs), system)
    exprs = [s.lhs, s.rhs, *(d.expr for d in system if d.name in reached)]
    inverted = {str(b.of.name) for e in exprs for b in e.atoms(Inverse)}
    made: dict[str, Definition] = {}
    for d in system:
        if d.name in inverted and len(d.indices) == 2 and d.expr.atoms(Partial):
            same = (x for x in _matrices(exprs, d, system) if _is(d, x, system))
            if (matrix := next(same, None)) is not None:
                made[d.name] = define(d.name, d.indices, matrix[d.indices])
    if not made:
        return None
    try:
        there = System(*(made.get(d.name, d) for d in system), facts=system.facts)
        found = prove(s.lhs, s.rhs, given=there, over=s.letters)
    except SymattnError:
        return None
    return found if found.status == "proved" and not found.trivial else None


def _matrices(exprs: list[Any], d: Definition, system: System) -> Iterator[Any]:
    """The matrices of that shape which no derivative defines."""
    bases = {x.base for e in exprs for x in e.atoms(sp.Indexed) if len(x.indices) == 2}
    bases |= {b.of for e in exprs for b in e.atoms(Inverse)}
    plain = [b for b in sorted(bases, key=str) if not isinstance(b, Inverse)]
    for b in plain[:MOST]:
        known = system.definitions.get(str(b.label))
        derived = known is not None and bool(known.expr.atoms(Partial))
        if not derived and tuple(b.shape) == tuple(d.shape) and str(b.label) != d.name:
            yield b


def _is(d: Definition, matrix: Any, system: System) -> bool:
    """True where every component of the derivative is that of the matrix."""
    try:
        found = whether(d.lhs, matrix[d.indices], given=system, over=d.indices)
    except SymattnError:
        return False
    return found.status == "proved" and not found.trivial


__all__ = ["proof"]
