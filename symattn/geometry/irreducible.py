"""Polynomials that are seen to be irreducible, so that their powers cancel by division alone."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from .rings import Monomial, Poly, Ring


def irreducible(ring: Ring, p: Poly) -> bool:
    """True only if p, primitive in ZZ, is irreducible: seen where one variable is left of it.

    A polynomial without a divisor free of x is irreducible if it is so at some values of the other
    variables that keep its degree in x.
    """
    degrees = ring.degrees(p)
    used = sorted((n, k) for k, n in enumerate(degrees) if n)
    degree, x = used[0]
    coefficients: dict[int, dict[Monomial, int]] = {}
    for m, c in ring.terms(p):
        coefficients.setdefault(m[x], {})[(*m[:x], 0, *m[x + 1 :])] = c
    content = None
    for part in coefficients.values():
        poly = ring.make(part)
        content = poly if content is None else ring.gcd(content, poly)
        if not any(ring.degrees(content)):
            break
    else:
        return False
    if degree == 1:
        return True
    for shift in range(3):
        at = [2 + 3 * k + shift + k * k * shift for k in range(ring.size)]
        values = [
            sum(int(c) * _power_product(at, m) for m, c in coefficients.get(n, {}).items())
            for n in range(degree, -1, -1)
        ]
        if values[0] and _irreducible_at(values):
            return True
    return False


def _power_product(at: Sequence[int], m: Monomial) -> int:
    value = 1
    for x, e in zip(at, m, strict=True):
        value *= x**e
    return value


def _irreducible_at(values: Sequence[int]) -> bool:
    """Whether Σ values[j] x^(n−j) is irreducible over the rationals."""
    if len(values) == 3:
        a, b, c = values
        square = b * b - 4 * a * c
        return square < 0 or isqrt(square) ** 2 != square
    from sympy import Poly as UnivariatePoly
    from sympy import Symbol

    return bool(UnivariatePoly(values, Symbol("x")).is_irreducible)
