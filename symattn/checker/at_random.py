"""Expressions of sequences at random numbers, the same for the same names."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from .partial_sums import KINDS, Top, Unable, outermost

DIGITS = 40
NEAR = sp.Float("1e-20")
ENDS = 12  # sequences in endless sums are 0 from here on
TERMS = 300  # of an endless sum of powers
_ABOVE, _BELOW = (2, 3, 5, 7), (11, 13, 17, 19)  # between 0 and 1, and none is one half


class NoRange(Exception):
    """A sum from 1 to t - 1 at t = 0."""


@dataclass
class Table:
    """Numbers for names and for what sequences are at steps."""

    draw: random.Random
    known: dict[Any, Any] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)  # sequences that are 0 from some step on

    def __call__(self, expr: Any) -> Any:
        """The value, rational where it can be.  Raises Unable where it is no real number."""
        value = self._put_in(expr)
        value = value if value.is_Rational else sp.simplify(value)
        return value if value.is_Rational else _float(value)

    def _put_in(self, expr: Any) -> Any:
        found = self._unfolded(sp.sympify(expr))
        atoms = sorted({*found.free_symbols, *found.atoms(AppliedUndef)}, key=str)
        return found.xreplace({atom: self._of(atom) for atom in atoms})

    def _of(self, atom: Any) -> Any:
        if isinstance(atom, AppliedUndef):
            (at,) = atom.args
            if not at.is_Integer:
                raise Unable("no step")
            if str(atom.func) in self.ended and at >= ENDS:
                return sp.S.Zero
        return self.known.setdefault(
            atom, sp.Rational(self.draw.choice(_ABOVE), self.draw.choice(_BELOW))
        )

    def _unfolded(self, expr: Any) -> Any:
        """Sums, products and maxima written out, the outer ones first."""
        if not expr.has(*KINDS):
            return expr
        if not isinstance(expr, KINDS):
            return expr.func(*map(self._unfolded, expr.args))
        body, (index, low, high) = outermost(expr)
        if high is sp.oo and isinstance(expr, sp.Sum) and low.is_Integer:
            return self._endless(body, index, int(low))
        if not (low.is_Integer and high.is_Integer):
            raise Unable("no range")
        if (high - low + 1).is_negative:
            raise NoRange
        terms = [self._unfolded(body.subs(index, k)) for k in range(int(low), int(high) + 1)]
        if isinstance(expr, Top):
            if not terms:
                raise NoRange
            return sp.Max(*map(self, terms))
        return sp.Add(*terms) if isinstance(expr, sp.Sum) else sp.Mul(*terms)

    def _endless(self, body: Any, index: Any, low: int) -> Any:
        calls = [c for c in body.atoms(AppliedUndef) if c.has(index)]
        if body.has(*KINDS):
            raise Unable("an endless sum of sums")
        if calls:
            if sp.expand(body.xreplace(dict.fromkeys(calls, sp.S.Zero))) != 0:
                raise Unable("an endless sum")
            if any((c.args[0] - index).free_symbols for c in calls):
                raise Unable("a step that does not count on")
            self.ended |= {str(c.func) for c in calls}
            reach = max(int(ENDS - (c.args[0] - index)) for c in calls)
            return sp.Add(*(body.subs(index, k) for k in range(low, max(low, reach) + 1)))
        steps = range(low, low + TERMS)
        if abs(_float(self._put_in(body.subs(index, steps[-1])))) > NEAR * NEAR:
            raise Unable("it converges slowly, if at all")
        terms = [_float(self._put_in(body.subs(index, k))) for k in steps]
        return sp.Add(*terms)


def _float(number: Any) -> Any:
    value = sp.N(number, DIGITS)
    if not (value.is_Float or value.is_zero) or not value.is_finite:
        raise Unable("no real number")
    return value


def differ(a: Any, b: Any) -> bool:
    """Whether two values are different numbers."""
    if a.is_Rational and b.is_Rational:
        return bool(a != b)
    return bool(abs(a - b) > NEAR * (1 + abs(a) + abs(b)))


__all__ = ["ENDS", "NoRange", "Table", "differ"]
