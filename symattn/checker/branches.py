r"""Inverse functions have branches: √y and −√y are inverses of x², one for x > 0, one for x < 0.

The reader takes f⁻¹(y) = r for r = x at y = f(x).  Where that differs and f(r) = f(x) is proved, r
is another branch; if f rises or falls on all of the line there is none, and the roots of negative
numbers are what differed, x = ∛y.  Of a value, f⁻¹(4) = 2, the reader has f(2) = 4: f has that
value at no other place, or at none where x lies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from ..errors import SymattnError
from ..read.ranges import Range
from ..syntax import System
from . import placed, report
from .finding import Finding
from .links import sides
from .pointwise import pointwise
from .repair import read_alone
from .statements import Statement

if TYPE_CHECKING:
    from .judge import Judge

LARGEST = 60  # operations of a function of which the slope is looked at
PLACES = np.concatenate([s * np.geomspace(1e-3, 1e3, 4_000) for s in (-1.0, 1.0)])
_SEEN = np.array([-2.3, -0.7, 0.4, 0.9, 1.9])  # places x
CLOSE = 1e-6  # of two places that are one


def branched(s: Statement, found: Finding, judge: Judge) -> Finding:
    """The finding on f⁻¹(y) = r, where f has one inverse, several, or this one for other x."""
    f = placed.inverse(s, judge.versions)
    x = _variable(f) if f is not None else None
    if f is None or x is None or s.rhs is None:
        return found
    system = judge.versions.system(s, [f.name])
    inside = replace(s, lhs=f.rhs, rhs=x)
    ranges = judge.said_of(inside, system).get(x.name, [])
    if not isinstance(s.rhs, sp.Symbol) or s.rhs.name not in (x.name, "x"):  # x is that of σ(x)
        return _at_a_value(s, found, judge, x, f, ranges)
    if found.verdict == report.PROVED or ranges:
        return found
    both = replace(s, lhs=f.rhs.xreplace({x: s.lhs}), rhs=f.rhs.xreplace({x: s.rhs}))
    proof = judge.prove(both, system)
    if proof.status != "proved":
        return found
    if _is_one_to_one(f.rhs, x) and _agree(f.rhs, s.lhs, x):
        used, assumed = judge.rests_on(both, system), (f"{placed.written(f)[0]} is one to one",)
        return Finding(report.PROVED, assumed=assumed, used=used, proof=proof, system=system)
    if found.verdict != report.REFUTED:
        return found
    why = f"true on another branch of the inverse of {placed.written(f)[0]}: say where {x} lies"
    return replace(found, verdict=report.CONDITIONAL, reason=why, correction="")


def _at_a_value(
    s: Statement, found: Finding, judge: Judge, x: sp.Symbol, f: Statement, ranges: list[Range]
) -> Finding:
    """f(r) = y, which is proved, counts where f has the value y at r alone of where x lies."""
    if found.verdict in report.WRONG:
        return replace(found, correction="")  # the number that f(r) is
    if found.verdict != report.PROVED:
        return found
    head = judge.head(s, found.system or System())
    right = sides(s.latex)[0][-1]
    try:
        (r, *_) = [sp.sympify(e.lhs) for e in read_alone(head, f"{right} = {right}")]
    except (SymattnError, ValueError):
        return found
    free = sorted((f.rhs.free_symbols | s.rhs.free_symbols | r.free_symbols) - {x}, key=str)
    signs = (1.0, -1.0) if any(not a.is_nonnegative for a in free) else (1.0,)
    drawn = ({a: sign * (0.6 + 0.37 * k) for k, a in enumerate(free)} for sign in signs)
    met = [(given, own) for given in drawn if (own := _number(r, given)) is not None]
    lies = [not ranges or any(k.low <= own <= k.high for k in ranges) for _, own in met]
    said = ranges[0].said if ranges else ""
    if met and not any(lies):
        why = f"{right.strip()} is not where {x} lies: {said}"
        return replace(found, verdict=report.REFUTED, reason=why, correction="")
    if not all(lies):
        why = f"true where {right.strip()} is where {x} lies: {said}"
        return replace(found, verdict=report.CONDITIONAL, reason=why)
    for given, own in met:
        others = _places(f.rhs - s.rhs, x, given)
        others = [p for p in others if abs(p - own) > CLOSE * (1 + abs(own))]
        if any(k.low <= p <= k.high for p in others for k in ranges or [Range()]):
            why = f"true on one branch of the inverse of {placed.written(f)[0]}: say where {x} lies"
            return replace(found, verdict=report.CONDITIONAL, reason=why)
    return found


def _variable(f: Statement) -> sp.Symbol | None:
    """The x of f(x) = …."""
    named = {a for a in f.rhs.free_symbols if type(a) is sp.Symbol}
    _, argument = placed.written(f)
    return next((a for a in sorted(named, key=str) if placed.spelled(a.name) == argument), None)


def _places(f: Any, x: sp.Symbol, given: Mapping[Any, float]) -> list[float]:
    """Where a function is zero, between −1000 and 1000."""
    if (at := pointwise(f.subs(given), [x])) is None:
        return []
    values = at(PLACES)
    found = [float(p) for p, v in zip(PLACES, values, strict=True) if v == 0.0]
    for k in np.flatnonzero(np.sign(values[:-1]) * np.sign(values[1:]) < 0):
        low, high = sorted((PLACES[k], PLACES[k + 1]))
        if low < 0 < high:
            continue
        root = _bisected(at, float(low), float(high))
        found += [root] if root is not None else []
    return found


def _bisected(at: Any, low: float, high: float) -> float | None:
    """The zero between two places; None for a pole."""
    begin = abs(at(low))
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if at(low) * at(middle) > 0 else (low, middle)
    return low if abs(at(low)) <= max(begin, 1e-9) else None


def _number(r: Any, given: Mapping[Any, float]) -> float | None:
    try:
        return float(r.subs(given))
    except TypeError:
        return None


def _is_one_to_one(f: Any, x: sp.Symbol) -> bool:
    """Its slope has one sign all along, with e^u for an x under a logarithm.

    SymPy tells no sign of what has a pole, an end or a step.
    """
    if f.count_ops() > LARGEST or f.free_symbols - {x}:
        return False
    u = sp.Symbol("u", real=True)
    f = f.subs(x, sp.exp(u) if _is_of_positive(f, x) else u)
    slope = sp.together(sp.diff(f, u))
    every = (slope, sp.expand(slope), sp.factor(slope))
    return any(e.is_nonnegative or e.is_nonpositive for e in every)


def _is_of_positive(f: Any, x: sp.Symbol) -> bool:
    """x stands under a logarithm or an even root, so that it is positive."""
    return f.has(sp.log(x)) or any(p.base == x and p.exp.q == 2 for p in f.atoms(sp.Pow)
                                   if p.exp.is_Rational)  # fmt: skip


def _agree(f: Any, r: Any, x: sp.Symbol) -> bool:
    """The sides agree where roots of odd degree are real: (x^3)^{1/3} = x."""
    odd = {p: sp.sign(p.base) * sp.Abs(p.base) ** p.exp for p in r.atoms(sp.Pow)
           if p.exp.is_Rational and p.exp.q % 2 and p.exp.q > 1 and p.exp.p % 2}  # fmt: skip
    seen = _SEEN[_SEEN > 0] if _is_of_positive(f, x) else _SEEN
    at = pointwise(r.xreplace(odd), [x])
    return at is not None and bool(np.allclose(at(seen), seen, rtol=1e-8))


__all__ = ["branched"]
