"""A name for what other definitions hold: z = σ(p) once p = W x + U h, so that ∂z/∂p is meant."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from ..prove import whether
from ..syntax import Definition, System, define
from .inside import names, partials
from .statements import Statement


def folded(s: Statement, system: System) -> System:
    """The system with the names that it differentiates by, where nothing uses them yet.

    What is derived has to be made of nothing else that the name is made of: with τ = 1/σ²,
    ∂/∂τ of a log σ + b/σ² is not b.
    """
    every = (s.lhs, s.rhs, *(d.expr for d in system))
    derived = {*partials(*every)}
    for name in sorted({n for p in derived for n in names(p.args[1])} & system.definitions.keys()):
        part = system.definitions[name]
        if any(name in names(plainly(d.expr)) for d in system):
            continue
        put = System(*(_put(d, part) for d in system), facts=system.facts)
        of = {n for p in derived if name in names(p.args[1]) for n in names(p.args[0])}
        if not besides(of, part, put) & names(part.expr):
            system = put
    return system


def besides(of: set[str], part: Definition, system: System) -> set[str]:
    """What these names are made of besides the part."""
    seen, left = {part.name}, {*of}
    while left - seen:
        name = (left - seen).pop()
        seen.add(name)
        if name in system.definitions:
            left |= names(plainly(system.definitions[name].expr))
    return seen


def plainly(expr: Any) -> Any:
    """The expression without what is derived in it: ∂C/∂z makes no use of z."""
    return expr.xreplace(dict.fromkeys(expr.atoms(Partial), sp.S.One))


def _put(d: Definition, part: Definition) -> Definition:
    """A definition with the name of its part put in, where that is proved to be the same."""
    if d.name == part.name:
        return d
    whole = found = _alike(d.expr)
    summed = sorted({x for e in whole.atoms(sp.Sum) for x, *_ in e.limits}, key=str)
    for body, name in _instances((*d.indices, *summed), part):
        found = _replaced(found, _alike(body), name)
    try:
        if found != whole:
            same = whether(found, d.expr, given=System(part), over=d.indices)
            return define(d.name, d.indices, found) if same.status == "proved" else d
    except SymattnError:
        pass
    return d


def _instances(among: tuple[Any, ...], part: Definition) -> Iterator[tuple[Any, Any]]:
    """The body of the part with letters among these, and the component that it is."""
    bound = {x for e in part.expr.atoms(sp.Sum) for x, *_ in e.limits}
    for letters in permutations(among, len(part.indices)):
        fits = all(a.upper == b.upper for a, b in zip(letters, part.indices, strict=True))
        if fits and bound.isdisjoint(letters):
            given = dict(zip(part.indices, letters, strict=True))
            yield part.expr.xreplace(given), part[letters] if letters else part.lhs


def _alike(expr: Any, depth: int = 0) -> Any:
    """The expression with the letters of its sums called by their depth."""
    if not expr.args or isinstance(expr, sp.Indexed | Partial):
        return expr
    if isinstance(expr, sp.Sum):
        called = {x: sp.Idx(f"summed{depth + k}", (low, high))
                  for k, (x, low, high) in enumerate(expr.limits)}  # fmt: skip
        inner = _alike(expr.function.xreplace(called), depth + len(called))
        return sp.Sum(inner, *((called[x], low, high) for x, low, high in expr.limits))
    return expr.func(*(_alike(x, depth) for x in expr.args))


def _replaced(expr: Any, body: Any, name: Any) -> Any:
    """The expression with the name for the body, also for some of the terms of a sum."""
    if expr == body:
        return name
    if not expr.args or isinstance(expr, sp.Indexed | Partial):
        return expr
    if isinstance(expr, sp.Add) and isinstance(body, sp.Add) and {*body.args} < {*expr.args}:
        return sp.Add(name, *(x for x in expr.args if x not in body.args))
    return expr.func(*(_replaced(x, body, name) for x in expr.args))


__all__ = ["besides", "folded", "plainly"]
