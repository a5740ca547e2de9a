"""Quotients of one denominator brought together where all but one product cancels.

    a b p^e + … with p = a + r:    b p^{e+1} − a b p^e = r b p^e

as 1/s − z²/s³ = 1/s³ for s² = 1 + z²: the left side is the difference of two numbers that are
almost equal where r is small against a, and it is two arrays for one.
"""

from __future__ import annotations

from fractions import Fraction

from .. import normalize as nf
from ..ir import Poly, Rational, Term, rational, raw_atom


def quotients_joined(poly: Poly) -> Poly:
    """An equal expression with fewer quotients, or the same object."""
    terms = {t: c for t, c in poly}
    changed = False
    while (found := _pair(terms)) is not None:
        lower, upper, joined = found
        del terms[lower], terms[upper]
        for term, c in joined:
            terms[term] = rational(Fraction(terms.get(term, 0)) + c)
        terms = {t: c for t, c in terms.items() if c != 0}
        changed = True
    return Poly(terms) if changed else poly


def _pair(terms: dict[Term, Rational]) -> tuple[Term, Term, Poly] | None:
    """Two products of which one is left, and that."""
    for lower, c in terms.items():
        for p, e in lower:
            if not isinstance(p, Poly) or e >= 0 or len(p) != 2:
                continue
            parts = list(p)
            for (a, k), (r, d) in (parts, reversed(parts)):
                made = nf.multiply(
                    Poly({lower: c}), raw_atom(p), nf.power(Poly({a: k}), -1)
                ).single  # b p^{e+1} of the law, but for its sign
                if made is None or terms.get(made[0]) != -made[1]:
                    continue
                rest = nf.multiply(Poly({lower: -c}), Poly({r: d}), nf.power(Poly({a: k}), -1))
                if rest.single is not None:
                    return lower, made[0], rest
    return None
