"""Scalars inside an expression in the exact field of `symattn.geometry`: one notion of zero.

Components, sums, δ's and functions without relations are generators; what is made of them by +, ·,
powers, roots, exponentials, sines and cosines is 0 just when geometry says so.  Two brackets whose
difference is 0 become one, innermost first, and sums over the same ranges are taken together.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
import sympy as sp

from . import normalize as nf
from . import sums
from .budget import spend
from .errors import LimitError, UndefinedError, UnsupportedError
from .geometry.scalars import Scalars
from .ir import (
    CACHE,
    ZERO,
    Call,
    Index,
    Num,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    extent,
    parts,
    raw_atom,
)
from .laws import sign_of

FUNCTIONS = {"exp": sp.exp, "sin": sp.sin, "cos": sp.cos, "sinh": sp.sinh, "cosh": sp.cosh}
NODES, COST = 2_000, 8  # of one expression that are read, and units of work on each
SUMMANDS = 4  # of an angle or exponent that is taken apart
DIGITS = 30  # of values that are looked at first
ROUNDING = 1e-40  # of values with twice as many digits
WORK = 60_000  # products of terms in deciding one zero


def vanishes(poly: Poly) -> bool:
    """Whether the expression is 0 by the relations of the field; False where that is not known."""
    try:
        return related(poly) and _Brackets().vanish(poly)
    except UndefinedError:  # a part that is 0 is divided by
        return False


@lru_cache(maxsize=CACHE)
def related(node: Any) -> bool:
    """There is a quotient, a root or a function with relations inside: the field may know more."""
    if isinstance(node, Term) and any(e < 0 or not isinstance(e, int) for _, e in node):
        return True
    if isinstance(node, Call) and node.name in FUNCTIONS:
        return True
    return any(map(related, parts(node)))


class _Brackets:
    """What has been met inside brackets, each up to equality in the field."""

    def __init__(self) -> None:
        self.known: list[Poly] = []
        self.symbols: dict[Any, sp.Expr] = {}
        self.points: dict[Any, Any] = {}
        self.done: dict[Poly, Poly] = {}

    def vanish(self, poly: Poly) -> bool:
        return not self.settled(poly).terms

    def settled(self, poly: Poly) -> Poly:
        """The expression with equal brackets as one, and without sums that vanish."""
        if not related(poly):
            return poly
        if poly not in self.done:
            self.done[poly] = self._settled(poly)
        return self.done[poly]

    def _settled(self, poly: Poly) -> Poly:
        poly = nf.add(*(nf.scale(self._term(t), c) for t, c in poly))
        left = cleared = _without_sums_below(poly)
        for bound, body in _groups(cleared):
            if self.vanish(body):
                left = nf.subtract(left, nf.sum_over(bound, body))
        return ZERO if self._is_zero(left) else poly

    def _term(self, term: Term) -> Poly:
        return nf.multiply(*(self._factor(atom, e) for atom, e in term))

    def _factor(self, atom: Any, e: Rational) -> Poly:
        if related(atom) and (isinstance(atom, Poly) or (isinstance(atom, Sum) and e != 1)):
            return nf.power(self.same(atom if isinstance(atom, Poly) else raw_atom(atom)), e)
        if isinstance(atom, Call):
            return nf.power(nf.call(atom.name, [self.same(a) for a in atom.args]), e)
        return nf.product({atom: e})

    def same(self, poly: Poly) -> Poly:
        """The first bracket that was met which is equal to it, or to −1 times it, or itself."""
        poly = self.settled(poly)
        for other in self.known:
            spend(len(poly.terms) + len(other.terms))
            if other is poly or (other.free == poly.free and self.vanish(nf.subtract(poly, other))):
                return other
            if other.free == poly.free and self.vanish(nf.add(poly, other)):
                return nf.scale(other, -1)
        self.known.append(poly)
        return poly

    # -------------------------------------------------------------------------------- the field

    def _is_zero(self, poly: Poly) -> bool:
        nodes = extent(poly)
        if not poly.terms or nodes > NODES or not related(poly):
            return not poly.terms
        spend(COST * nodes)
        if self._has_a_value(poly):
            return False
        expr = self._expression(poly)
        if self._evaluates(expr):
            return False
        try:
            scalars = Scalars([expr])
            scalars.field.work = WORK
            return not scalars.read(expr)
        except (LimitError, UnsupportedError):
            return False

    def _has_a_value(self, poly: Poly) -> bool:
        """A value is not 0 at some point, beyond what rounding is of the largest number met."""
        with mpmath.workdps(2 * DIGITS):
            try:
                largest = [mpmath.mpf(1)]
                value = abs(self._value(poly, largest))
                return bool(mpmath.isfinite(value) and value > largest[0] * ROUNDING)
            except (ArithmeticError, ValueError):
                return False

    def _value(self, node: Any, largest: list[Any]) -> Any:
        """A value with a number for each generator; the largest magnitude on the way is noted."""
        match node:
            case Poly():
                terms = [self._product(term, c, largest) for term, c in node]
                found = mpmath.fsum(terms)
            case Num():
                found = mpmath.mpf(node.prime)
            case Call() if node.name in FUNCTIONS and len(node.args[0]) <= SUMMANDS:
                found = getattr(mpmath, str(node.name))(self._value(node.args[0], largest))
            case Ref() if node.tensor.symbol is not None and node.tensor.symbol.is_number:
                raise ValueError("a number with a name")
            case _:
                found = self.points.setdefault(node, mpmath.mpf(7 + 4 * len(self.points)) / 11)
        largest[0] = max(largest[0], abs(found))
        return found

    def _product(self, term: Term, c: Rational, largest: list[Any]) -> Any:
        found = mpmath.mpf(Fraction(c).numerator) / Fraction(c).denominator
        for atom, e in term:
            power = Fraction(e)
            exponent = mpmath.mpf(power.numerator) / power.denominator
            found *= mpmath.power(self._value(atom, largest), exponent)
            largest[0] = max(largest[0], abs(found))
        return found

    def _evaluates(self, expr: sp.Expr) -> bool:
        """The same with as many digits as it takes."""
        at = {s: sp.Rational(7 + 4 * k, 11) for k, s in enumerate(self.symbols.values())}
        value = expr.evalf(DIGITS, subs=at)
        return bool(value.is_number and value.is_finite and abs(value) > sp.Float(10) ** -12)

    def _expression(self, poly: Poly) -> sp.Expr:
        return sp.Add(
            *(sp.Mul(_number(c), *(self._power(atom, e) for atom, e in term)) for term, c in poly)
        )

    def _power(self, atom: Any, e: Rational) -> sp.Expr:
        return sp.Pow(self._atom(atom), _number(e))

    def _atom(self, atom: Any) -> sp.Expr:
        match atom:
            case Poly():
                return self._expression(atom)
            case Num():
                return sp.Integer(atom.prime)
            case Call() if atom.name in FUNCTIONS and len(atom.args[0]) <= SUMMANDS:
                return FUNCTIONS[str(atom.name)](self._expression(atom.args[0]))
            case Ref() if atom.tensor.symbol is not None and atom.tensor.symbol.is_number:
                return atom.tensor.symbol
        found = self.symbols.get(atom)
        if found is None:
            sign = {"real": True} | ({"positive": True} if sign_of(atom) == "+" else {})
            found = self.symbols[atom] = sp.Dummy(f"x{len(self.symbols)}", **sign)
        return found


def _without_sums_below(poly: Poly) -> Poly:
    """The expression times the sums that it is divided by, so that it is 0 just when that is."""
    worst: dict[Any, Rational] = {}
    for atom, e in (pair for term, _ in poly for pair in term):
        if isinstance(atom, Sum) and e < 0:
            worst[atom] = min(e, worst.get(atom, 0))
    return nf.times(poly, {atom: -e for atom, e in worst.items()}) if worst else poly


def _number(value: Rational) -> sp.Rational:
    fraction = Fraction(value)
    return sp.Rational(fraction.numerator, fraction.denominator)


def _groups(poly: Poly) -> Iterator[tuple[list[Index], Poly]]:
    """Σ_bound of all terms with a sum over the same ranges, the other factors inside of it."""
    found: dict[tuple[Any, ...], list[tuple[Term, Rational, Sum]]] = {}
    for term, c in poly:
        inside = [a for a, e in term if isinstance(a, Sum) and e == 1]
        inside = [a for a in inside if related(a)] or inside
        if inside:
            key = tuple(str(b.size) for b in inside[0].bound)
            found.setdefault(key, []).append((term, c, inside[0]))
    for members in found.values():
        every = frozenset(i for term, _, _ in members for i in term.free)
        if not any(related(atom) for _, _, atom in members):
            continue
        bodies = []
        for term, c, atom in members:
            bound, body = sums.opened(atom, every)
            rest = Term({a: e for a, e in term if a is not atom})
            bodies.append(nf.multiply(Poly({rest: c}), body))
        yield list(bound), nf.add(*bodies)


__all__ = ["related", "vanishes"]
