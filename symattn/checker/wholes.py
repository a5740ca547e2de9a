"""Equations of whole numbers: ⌊(2n + 1)/2⌋ = n, by the laws that SymPy knows of ⌊ ⌋ and ⌈ ⌉.

A proof says which names it takes for whole numbers: n and N are some, and x is where words say so.

One is refuted where whole numbers of every kind that words may mean speak against it: odd ones and
even ones, multiples of each other, larger and smaller ones.  ⌊k/2⌋ = k/2, which is true of even k,
stays open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from math import ceil, floor, prod
from typing import Any

import numpy as np
import sympy as sp

from ..read.words import PLAINLY
from ..syntax import System
from .statements import Statement
from .versions import closure

ROUNDS = {"floor": sp.floor, "ceil": sp.ceiling, "ceiling": sp.ceiling}
DEEPEST = 8  # definitions in definitions
MOST = 8  # names
LARGEST = 24
LETTERS = frozenset("ijklmnpq")  # which are whole numbers where words say nothing
POINTS = 6  # of each kind that are looked at

KINDS = ("real", "integer")
_LISTED = r"[A-Za-z\\\s,_{}\d]+?"
_SETS = re.compile(  # $x, y \in \mathbb{R}$
    rf"(?:\$|\\[\(\[])\s*({_LISTED})\s*\\in\s*(\\mathbb\s*\{{?\s*[NZR]|\\[NZR](?![A-Za-z])|[\[(]|\\\{{)"
)
_KIND = r"(?P<kind>reals?|integers?|integral|natural|whole)\b(?!-valued)"
_FORMULA = rf"(?:\$|\\\()\s*{_LISTED}\s*(?:\$|\\\))"
_FORMULAS = rf"(?P<names>{_FORMULA}(?:(?:,| and|, and)\s+{_FORMULA})*)"
_OWN = r"(?!\s+(?:an?|any|reals?|complex|rational|arbitrary|positive|negative)\b)"  # and $x$ real
_WORDS = (
    re.compile(rf"{_FORMULAS},?\s+(?:be|is|are|denotes?|being)\s+"
               rf"(?:(?!and\b)[\w-]+\s+){{0,3}}?{_KIND}"),
    re.compile(rf"\b(?i:{_KIND})\s+(?:(?!and\b){PLAINLY}\s+){{0,2}}?{_FORMULAS}{_OWN}"),
)  # fmt: skip

Values = dict[str, int]


class _NoNumber(Exception):
    """An expression that is more than whole numbers, their quotients and what rounds them."""


def taken(s: Statement, system: System, text: str = "") -> frozenset[str] | None:
    """The names that are whole numbers in a proof of both sides, of numbers alone, being equal.

    These are as few as may be, of what the text says are none at first.

    None where they are not equal for all whole numbers.
    """
    sides = _sides(s.lhs, s.rhs, system)
    if sides is None:
        return None
    apart = (sides[0] - sides[1]).replace(sp.ceiling, lambda x: -sp.floor(-x))
    found = sorted(apart.atoms(sp.Symbol), key=lambda x: (counts(x.name, text), x.name))

    def equal(whole: list[Any]) -> bool:
        kinds = {x: sp.Dummy(x.name, **{KINDS[x in whole]: True}) for x in found}
        return bool(sp.expand(apart.xreplace(kinds).doit()) == 0)

    if not equal(found):
        return None
    needed = found
    for x in found:
        fewer = [y for y in needed if y is not x]
        needed = fewer if equal(fewer) else needed
    return frozenset(map(str, needed))


def in_words(names: frozenset[str]) -> str:
    """n is a whole number; nothing where there is no name."""
    be = "is a whole number" if len(names) == 1 else "are whole numbers"
    return f"{', '.join(sorted(names))} {be}" if names else ""


@lru_cache(maxsize=16)
def _said(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names that a text says are real numbers, and those that it says are whole ones."""
    found: tuple[set[str], set[str]] = (set(), set())
    for names, of in _SETS.findall(text):
        found[of[-1] in "NZ{"].update(_letters(names))
    for match in (m for words in _WORDS for m in words.finditer(text)):
        found[not match["kind"].lower().startswith("real")].update(_letters(match["names"]))
    real, whole = found
    return frozenset(real - whole), frozenset(whole)


def _letters(listed: str) -> list[str]:
    parts = (re.sub(r"[\\${}()\s]", "", x) for x in re.split(r",|\band\b", listed))
    return [x for x in parts if x]


def real(names: frozenset[str], text: str) -> bool:
    """The text says that one of them is any real number."""
    return not _said(text)[0].isdisjoint(names)


def counts(name: str, text: str) -> bool:
    """The words of the text say that a name is a whole number, or it is an n or an N."""
    kept, whole = _said(text)
    stem = name.split("_")[0]
    usual = stem in LETTERS or (len(stem) == 1 and stem.isupper())
    return name in whole or (usual and name not in kept)


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


__all__ = ["ROUNDS", "counterexample", "counts", "in_words", "real", "taken"]
