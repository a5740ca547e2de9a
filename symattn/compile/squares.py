"""Squares of differences that have been multiplied out, put back together.

    c x² − 2 c x y + c y² = c (x − y)²      and so with more terms, under a common factor
    s − 2 √s + 1 = (√s − 1)²                a root is a number where it is mixed with others

Multiplied out, a square loses the digits of x − y, and may be negative under a root.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce

from .. import normalize as nf
from ..ir import Delta, Mask, Poly, Term, rational, raw_add, raw_atom, raw_product

MOST = 60  # terms; more are left as they stand


def squares(poly: Poly) -> Poly:
    """An equal expression with squares of differences as such, or the same object."""
    if not 2 < len(poly) <= MOST:
        return poly
    terms = {t: Fraction(c) for t, c in poly}
    made: list[Poly] = []
    for first in list(terms):
        found = _square(terms, first) if first in terms else None
        if found is not None:
            used, square = found
            made.append(square)
            for term in used:
                del terms[term]
    if not made:
        return poly
    return raw_add([*made, Poly({t: rational(c) for t, c in terms.items()})])


def _square(terms: dict[Term, Fraction], first: Term) -> tuple[list[Term], Poly] | None:
    """The terms of a square with the square `first` in it, and the square."""
    c = terms[first]
    if not any(e in (1, 2) for _, e in first):
        return None
    for other, d in terms.items():
        root = _root(d / c)
        mixed = _mixed(first, other)
        if other is first or root is None or mixed is None or mixed not in terms:
            continue
        if terms[mixed] != -2 * c * root:
            continue
        parts, used = [(first, Fraction(1)), (other, -root)], [first, other, mixed]
        for more, e in terms.items():  # what goes with all of them
            r, between = _root(e / c), [_mixed(more, t) for t, _ in parts]
            present = [t for t in between if t is not None and t in terms]
            if more in used or r is None or len(present) < len(between):
                continue
            sign = 1 if terms[present[0]] > 0 else -1
            if all(
                terms[b] == 2 * c * sign * r * s for b, (_, s) in zip(present, parts, strict=True)
            ):
                parts.append((more, sign * r))
                used += [more, *present]
        factor = reduce(_common, (t for t, _ in parts))
        factor = Term({a: e for a, e in factor if isinstance(a, Mask | Delta) or e % 2})
        roots = {x: rational(r) for t, r in parts if (x := _half(t, factor)) is not None}
        if len(set(used)) < len(used) or len(roots) < len(parts):
            continue
        inside = Poly(roots)
        return used, raw_product([Poly({factor: rational(c)}), raw_atom(inside, 2)])
    return None


def _root(c: Fraction) -> Fraction | None:
    """√c where it is rational."""
    if c <= 0:
        return None
    found = Fraction(round(c.numerator**0.5), round(c.denominator**0.5))
    return found if found**2 == c else None


def _common(t: Term, u: Term) -> Term:
    return Term({a: e for a, e in t if u.powers.get(a) == e})


def _half(term: Term, factor: Term) -> Term | None:
    """r of a product f r², which may be a root."""
    left = {a: e for a, e in term if a not in factor.powers}
    if any(isinstance(a, Mask | Delta) for a in left):
        return None
    even = {a: e // 2 for a, e in left.items() if not e % 2}
    under = (Poly({Term({a: e}): 1}) for a, e in left.items() if e % 2)
    roots = (nf.power(p, Fraction(1, 2)) for p in under)
    found = nf.multiply(Poly({Term(even): 1}), *roots).single
    return found and found[0]


def _mixed(t: Term, u: Term) -> Term | None:
    """f r s of the products f r² and f s²."""
    factor = Term({a: e for a, e in _common(t, u) if isinstance(a, Mask | Delta) or e % 2})
    r, s = _half(t, factor), _half(u, factor)
    if r is None or s is None:
        return None
    only = nf.multiply(*(Poly({x: 1}) for x in (factor, r, s))).single
    return only and only[0]


__all__ = ["squares"]
