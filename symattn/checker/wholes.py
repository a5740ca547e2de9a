"""Equations of whole numbers: ⌊(2n + 1)/2⌋ = n, by the laws that SymPy knows of ⌊ ⌋ and ⌈ ⌉.

One is refuted where whole numbers of every kind that words may mean speak against it: odd ones and
even ones, multiples of each other, larger and smaller ones.  ⌊k/2⌋ = k/2, which is true of even k,
stays open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from math import ceil, floor, prod
from typing import Any

import numpy as np
import sympy as sp

from ..syntax import System
from .statements import Statement
from .versions import closure

ROUNDS = {"floor": sp.floor, "ceil": sp.ceiling, "ceiling": sp.ceiling}
DEEPEST = 8  # definitions in definitions
MOST = 8  # names
LARGEST = 24
POINTS = 6  # of each kind that are looked at

Values = dict[str, int]


class _NoNumber(Exception):
    """An expression that is more than whole numbers, their quotients and what rounds them."""


def proves(s: Statement, system: System) -> bool:
    """True where both sides, of numbers alone, are equal for all whole values of their names."""
    sides = _sides(s.lhs, s.rhs, system)
    if sides is None:
        return False
    apart = sides[0] - sides[1]
    whole = {x: sp.Dummy(x.name, integer=True) for x in apart.atoms(sp.Symbol)}
    return bool(sp.expand(apart.xreplace(whole).doit()) == 0)


def counterexample(s: Statement, system: System) -> tuple[Values, Fraction, Fraction] | None:
    """Whole numbers above zero at which the sides differ, and both sides there.

    None where the sides agree at all of one kind, or where more is said of the names.
    """
    facts = {str(x) for f in system.facts for x in f.free_symbols}
    sides = _sides(s.lhs, s.rhs, system)
    if sides is None:
        return None
    names = tuple(sorted(str(x) for x in sp.Tuple(*sides).free_symbols))
    if not 0 < len(names) <= MOST or facts & closure(names, system):
        return None
    return _everywhere(sides, names)


@lru_cache(maxsize=64)
def _everywhere(
    sides: tuple[Any, Any], names: tuple[str, ...]
) -> tuple[Values, Fraction, Fraction] | None:
    """The first point of the first kind; None where one kind has none."""
    first = None
    for kind, points in enumerate(_kinds(names)):
        found, seen = None, 0
        for values in points:
            try:
                left, right = (_value(x, values) for x in sides)
            except (_NoNumber, RecursionError):
                return None
            except ArithmeticError:  # at a zero of a divisor nothing is claimed
                continue
            seen += 1
            if left != right:
                found = values, left, right
                break
        if seen and found is None:
            return None
        first = first or found
        if kind == 0 and first is None:
            return None
    return first


def _sides(lhs: Any, rhs: Any, system: System) -> tuple[Any, Any] | None:
    """Both sides in numbers that nothing defines; None for what has indices or rounds nothing."""
    sides = sp.Tuple(lhs, rhs)
    for _ in range(DEEPEST):
        if sides.atoms(sp.Indexed, sp.Sum, sp.Idx):  # whose letters are no names
            return None
        known = {
            x: system.definitions[x.name].expr
            for x in sides.atoms(sp.Symbol)
            if x.name in system.definitions and not system.definitions[x.name].indices
        }
        if not known:
            break
        sides = sides.xreplace(known)
    rounded = [f for f in sides.atoms(sp.Function) if f.func.__name__ in ROUNDS]
    if sides.atoms(sp.Indexed, sp.Sum, sp.Idx) or not rounded:
        return None
    for f in rounded:
        sides = sides.replace(
            lambda e, f=f: getattr(e, "func", None) is f.func,
            lambda e, f=f: ROUNDS[f.func.__name__](*e.args),
        )
    return sides[0], sides[1]


def _kinds(names: tuple[str, ...]) -> Iterator[Iterator[Values]]:
    """Points of every kind: any, those with rests of one or two names, multiples, and orders."""
    rng = np.random.default_rng(0)

    def drawn() -> Values:
        return {n: int(k) for n, k in zip(names, rng.integers(2, LARGEST, len(names)), strict=True)}

    def changed(**own: Any) -> Iterator[Values]:
        for _ in range(POINTS):
            values = drawn()
            values.update({n: f(values) for n, f in own.items()})
            yield values

    def rest(n: str, m: int, r: int) -> Any:
        return lambda v: v[n] * m + r

    yield changed()
    for n in names:
        yield from (changed(**{n: rest(n, m, r)}) for m in (2, 3, 4) for r in range(m))
        yield changed(**{n: lambda v: 1})
        yield changed(**{n: lambda v, n=n: v[n] + 10 * sum(v.values())})
    for a, b in combinations(names, 2):
        yield from (changed(**{a: rest(a, 2, r), b: rest(b, 2, q)}) for r in (0, 1) for q in (0, 1))
    for a, b in permutations(names, 2):
        yield changed(**{a: lambda v, a=a, b=b: v[a] * v[b]})
        yield changed(**{a: lambda v, a=a, b=b: v[a] + v[b]})
        yield from (changed(**{a: lambda v, b=b, k=k: v[b] + k}) for k in (0, 1))


def _value(expr: Any, values: Mapping[str, int]) -> Fraction:
    """The value at whole numbers, exactly."""
    match expr:
        case sp.Rational():
            return Fraction(int(expr.p), int(expr.q))
        case sp.Symbol():
            return Fraction(values[expr.name])
        case sp.Add():
            return sum((_value(a, values) for a in expr.args), Fraction(0))
        case sp.Mul():
            return prod((_value(a, values) for a in expr.args), start=Fraction(1))
        case sp.Pow(args=(base, sp.Integer() as power)) if abs(power) <= LARGEST:
            return _value(base, values) ** int(power)
        case sp.floor():
            return Fraction(floor(_value(expr.args[0], values)))
        case sp.ceiling():
            return Fraction(ceil(_value(expr.args[0], values)))
        case sp.Max() | sp.Min():
            return (max if isinstance(expr, sp.Max) else min)(_value(a, values) for a in expr.args)
    raise _NoNumber


__all__ = ["counterexample", "proves"]
