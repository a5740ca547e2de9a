r"""Fields as polynomials of the coordinates: u_i = a_i + b_ik x_k + c_ikl x_k x_l for ∂_k u_i.

At a point the derivatives of a field may have any values that are symmetric in their order, and
these polynomials have all of them.  So an identity of derivatives up to the second holds for
fields just when it holds for them, where everything has values and derivatives that are known.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from ..syntax import Definition, System, define, indices, tensor, total
from .inside import names
from .statements import Statement


def with_fields(s: Statement, system: System) -> System:
    """The system with a polynomial for every input that is derived by coordinates alone."""
    exprs = [s.lhs, s.rhs, *(d.expr for d in system)]
    partials = [p for e in exprs if e is not None for p in e.atoms(Partial)]
    below = {str(b.base.label): b.base for _, b in (p.args for p in partials)
             if isinstance(b, sp.Indexed)}  # fmt: skip
    plain = set[str]().union(*(_plainly(e) for e in exprs if e is not None))
    coordinates = [x for name, x in below.items() if name not in plain | {*system.definitions}]
    if len(coordinates) != 1 or len(coordinates[0].shape) != 1:  # a matrix is no place
        return system
    (x,) = coordinates
    tops = {_innermost(p) for p in partials if p.args[1].base == x}
    fields = [t for t in tops if str(getattr(t, "base", t)) not in system.definitions]
    try:
        more = [_polynomial(t, x) for t in sorted(fields, key=str)]
        return System(*more, *system, facts=system.facts)
    except SymattnError:
        return system


def _plainly(e: Any) -> set[str]:
    """The names in an expression, but for those that it differentiates by alone."""
    if isinstance(e, Partial):
        return _plainly(e.args[0])
    if isinstance(e, sp.Indexed | sp.Symbol):
        return names(e)
    return set[str]().union(*map(_plainly, e.args))


def _innermost(p: Any) -> Any:
    while isinstance(p, Partial):
        p = p.args[0]
    return p.base if isinstance(p, sp.Indexed) else p


def _polynomial(field: Any, x: sp.IndexedBase) -> Definition:
    shape = tuple(field.shape) if isinstance(field, sp.IndexedBase) else ()
    (n,), name = x.shape, str(field)
    letters = tuple(i for p, size in enumerate(shape) for i in indices(f"i{p}", size))
    k, m = indices("k m", n)
    parts = [
        tensor(f"{name}_jet{order}", *shape, *([n] * order))[(*letters, *(k, m)[:order])]
        for order in (1, 2)
    ]
    value = total(parts[0] * x[k], k) + total(parts[1] * x[k] * x[m], k, m)
    return define(name, letters, value)


__all__ = ["with_fields"]
