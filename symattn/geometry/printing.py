"""Elements of the field as SymPy expressions: over known factors, with sines if shorter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from .field import Circle, Element
from .rings import Poly

WORTH, LARGE = 4, 80  # terms of numerators that are tried over the factors below them

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
    for bracket in scalars.brackets:
        while (quotient := field.ring.divide(rest, field.top(bracket))) is not None:
            parts.append(short(scalars, bracket.top))
            rest = quotient
    content = field.ring.content(rest)
    rest = field.ring.shrink(rest, content)
    low = [min(e) for e in zip(*(m for m, _ in field.ring.terms(rest)), strict=True)]
    monomial = field.ring.make({tuple(low): 1})
    reduced = field.ring.divide(rest, monomial)
    number = sp.Rational(content, element.whole)
    numerator = _over_factors(scalars, reduced, tuple(element.over), named)
    terms = sp.Add.make_args(numerator)
    if 2 * sum(t.as_coeff_Mul()[0].is_negative for t in terms) > len(terms):
        number, numerator = -number, sp.Add(*(-t for t in terms))
    return sp.Mul(number, *parts, _expr(scalars, monomial), numerator)


def _over_factors(scalars: Scalars, p: Poly, factors: tuple[int, ...], named: bool) -> sp.Expr:
    """The polynomial as Σ digit · factor^n over a factor of the denominator, if that is shorter."""
    best, cost = p, _length(scalars, _shorter(scalars, p))[0]
    chosen: tuple[int, list[Poly]] | None = None
    if WORTH <= cost <= LARGE:
        for k in factors:
            digits = _digits(scalars, p, k)
            total = sum(_length(scalars, _shorter(scalars, d))[0] for d in digits if d)
            total += sum(1 for d in digits[1:] if d)
            if total < cost:
                chosen, cost = (k, digits), total
    if chosen is None:
        return short(scalars, best)
    k, digits = chosen
    rest = tuple(f for f in factors if f != k)
    factor = _factor(scalars, k, named)
    return sp.Add(
        *(_over_factors(scalars, d, rest, named) * factor**n for n, d in enumerate(digits) if d)
    )


def _digits(scalars: Scalars, p: Poly, k: int) -> list[Poly]:
    """p = Σ digits[n] · factor^n, by division with a rest; [p] where that says nothing."""
    ring, factor = scalars.field.ring, scalars.field.factors[k].poly
    lead = max(ring.terms(factor))
    circular = any(
        isinstance(c, Circle) and sum(lead[0]) == lead[0][c.cosine] == 1
        for c in scalars.field.relations
    )
    if abs(lead[1]) != 1 or not any(lead[0]) or circular:
        return [p]
    found = []
    while p:
        p, digit = ring.divided(p, factor)
        found.append(digit)
    return found


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
    return _expr(scalars, _shorter(scalars, p))


def _shorter(scalars: Scalars, p: Poly) -> Poly:
    field = scalars.field
    degrees = field.ring.degrees(p)
    for circle in field.relations:
        if isinstance(circle, Circle) and degrees[circle.cosine] > 1:
            sine = field.top(field.generator(circle.sine))
            parts = field.by_degree(p, circle.cosine, 2)
            other = field.horner(parts, field.ring.one - sine * sine * circle.sign)
            if _length(scalars, other) <= _length(scalars, p):
                p = other
    return p


def _length(scalars: Scalars, p: Poly) -> tuple[int, int]:
    terms = list(scalars.field.ring.terms(p))
    return len(terms), sum(sum(m) for m, _ in terms)


def _expr(scalars: Scalars, p: Poly) -> sp.Expr:
    terms = []
    for monomial, c in scalars.field.ring.terms(p):
        powers = [scalars.exprs[k] ** n for k, n in enumerate(monomial) if n]
        terms.append(sp.Mul(sp.Integer(int(c)), *powers))
    return sp.Add(*terms)
