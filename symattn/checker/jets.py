r"""Fields as polynomials of the coordinates: u_i = b_ik x_k + c_ikl x_k x_l for ∂_k u_i.

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
from .versions import closure


def with_fields(s: Statement, system: System) -> System:
    """The system with a polynomial for every input that is derived by coordinates alone.

    The coordinates are a vector, or a number θ that ∂K/∂θ has and nothing else.
    """
    exprs = [s.lhs, s.rhs, *(d.expr for d in system)]
    partials = [p for e in exprs if e is not None for p in e.atoms(Partial)]
    below = {next(iter(names(b)), ""): getattr(b, "base", b) for _, b in (p.args for p in partials)}
    plain = set[str]().union(*(_plainly(e) for e in exprs if e is not None))
    coordinates = [x for name, x in below.items() if name not in plain | {*system.definitions}]
    if len(coordinates) != 1 or len(_shape(coordinates[0])) > 1:  # a matrix is no place
        return system
    (x,) = coordinates
    tops = {_innermost(p) for p in partials if getattr(p.args[1], "base", p.args[1]) == x}
    fields = [t for t in tops if str(getattr(t, "base", t)) not in system.definitions]
    if not _shape(x):
        fields = _moved({n for t in tops for n in names(t)}, exprs, system)
    try:
        more = [_polynomial(t, x) for t in sorted(fields, key=str)]
        return System(*more, *system, facts=system.facts)
    except SymattnError:
        return system


def without_fields(system: System) -> System:
    """The system with what is polynomials of the coordinates as inputs again."""
    made = {d.name for d in system if f"{d.name}_jet1" in names(d.expr)}
    return System(*(d for d in system if d.name not in made), facts=system.facts)


def _moved(tops: set[str], exprs: list[Any], system: System) -> list[Any]:
    """What those of the names are made of that are made of none of the others."""
    last = [t for t in tops if not tops - {t} & closure([t], system)]
    moved = closure(last, system) - {*system.definitions}
    atoms = (x for e in exprs if e is not None for x in e.atoms(sp.IndexedBase, sp.Symbol))
    inner = {b.label for e in exprs if e is not None for b in e.atoms(sp.IndexedBase)}
    named = {x for x in {*atoms} - inner if str(getattr(x, "label", x)) in moved}
    return [x for x in named if not x.is_integer]


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


def _shape(x: Any) -> tuple[Any, ...]:
    return tuple(x.shape) if isinstance(x, sp.IndexedBase) else ()


def _polynomial(field: Any, x: Any) -> Definition:
    shape, axis, name = _shape(field), _shape(x), str(field)
    letters = tuple(i for p, size in enumerate(shape) for i in indices(f"i{p}", size))
    k, m = indices("k m", *axis) if axis else (None, None)
    even = not axis and getattr(field, "symmetry", "") == "symmetric"
    parts = []
    for order in (1, 2):
        jet = tensor(f"{name}_jet{order}", *shape, *(axis * order), symmetric=even)
        at = (*letters, *(k, m)[:order]) if axis else letters
        parts.append(jet[at] if at else jet)
    if not axis:
        return define(name, letters, parts[0] * x + parts[1] * x**2)
    value = total(parts[0] * x[k], k) + total(parts[1] * x[k] * x[m], k, m)
    return define(name, letters, value)


__all__ = ["with_fields", "without_fields"]
