"""Elements of the field as SymPy expressions: over known factors, with sines if shorter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from .field import Circle, Element
from .rings import Poly

if TYPE_CHECKING:
    from .scalars import Scalars


def shown(scalars: Scalars, element: Element, named: bool = False) -> sp.Expr:
    """The element as numerator over denominator, both in the factors that the field knows."""
    field = scalars.field
    if not element:
        return sp.S.Zero
    element = field.normal(element)
    powers, rest = field.factor(element.top)
    for k, n in element.over.items():
        powers[k] = powers.get(k, 0) - n
    parts = []
    for circle in field.relations:
        if isinstance(circle, Circle):
            parts.append(_sine_power(scalars, circle, powers))
    for k, n in powers.items():
        parts.append(_factor(scalars, k, named) ** n)
    content = field.ring.content(rest)
    rest = field.ring.shrink(rest, content)
    low = [min(e) for e in zip(*(m for m, _ in field.ring.terms(rest)), strict=True)]
    monomial = field.ring.make({tuple(low): 1})
    reduced = field.ring.divide(rest, monomial)
    number = sp.Rational(content, element.whole)
    return sp.Mul(number, *parts, _expr(scalars, monomial), short(scalars, reduced))


def _sine_power(scalars: Scalars, circle: Circle, powers: dict[int, int]) -> sp.Expr:
    """sin^{2n} for the factors cos − 1 and cos + 1 in pairs, which are taken out of `powers`."""
    field = scalars.field
    cosine = field.top(field.generator(circle.cosine))
    pair = [
        k
        for p in (cosine - field.ring.one, cosine + field.ring.one)
        for k in powers
        if field.factors[k].poly == p
    ]
    if len(pair) < 2 or powers[pair[0]] * powers[pair[1]] <= 0:
        return sp.S.One
    n = min(powers[pair[0]], powers[pair[1]], key=abs)
    for k in pair:
        powers[k] -= n
        if not powers[k]:
            del powers[k]
    sine: sp.Expr = scalars.exprs[circle.sine]
    return (-circle.sign * sine**2) ** n


def _factor(scalars: Scalars, k: int, named: bool) -> sp.Expr:
    if named and k in scalars.names:
        symbol, sign = scalars.names[k]
        return sign * symbol
    return short(scalars, scalars.field.factors[k].poly)


def short(scalars: Scalars, p: Poly) -> sp.Expr:
    """The polynomial with cosines, or with sines in place of their squares if that is shorter."""
    field = scalars.field
    degrees = field.ring.degrees(p)
    for circle in field.relations:
        if isinstance(circle, Circle) and degrees[circle.cosine] > 1:
            sine = field.top(field.generator(circle.sine))
            parts = field._by_degree(p, circle.cosine, 2)
            other = field._horner(parts, field.ring.one - sine * sine * circle.sign)
            if _length(scalars, other) <= _length(scalars, p):
                p = other
    return _expr(scalars, p)


def _length(scalars: Scalars, p: Poly) -> tuple[int, int]:
    terms = list(scalars.field.ring.terms(p))
    return len(terms), sum(sum(m) for m, _ in terms)


def _expr(scalars: Scalars, p: Poly) -> sp.Expr:
    terms = []
    for monomial, c in scalars.field.ring.terms(p):
        powers = [scalars.exprs[k] ** n for k, n in enumerate(monomial) if n]
        terms.append(sp.Mul(sp.Integer(int(c)), *powers))
    return sp.Add(*terms)
