"""Whether signs of expressions can go together: linear inequalities, products as unknowns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

from .canonical import key
from .ir import ONE_TERM, Atom, Poly, Ref, Term
from .laws import sign_of
from .model import is_size

Row: TypeAlias = tuple[dict[Term, Fraction], bool]  # Σ c · product > 0, or ≥ 0
Signs: TypeAlias = dict[Atom, int]
ROWS = 80  # past it nothing is excluded


def possible(cases: Sequence[tuple[Poly, int]]) -> bool:
    """False where no values give every expression its sign; the sign of a product is known.

    Fourier–Motzkin elimination: unknowns go one by one, each lower bound below each upper one.
    """
    rows = [row for u, sign in cases for row in _rows(u, sign)]
    products = dict.fromkeys(t for row, _ in rows for t in row if t is not ONE_TERM)
    signs = signs_of(cases)
    for term in list(products):
        sign, strict = sign_of_product(term, signs)
        if sign:
            rows.append(({term: Fraction(sign)}, strict))
        for size in [a for a, e in term if e == 1 and isinstance(a, Ref) and is_size(a.tensor)]:
            less = Term({a: e for a, e in term if a is not size})  # n x ≥ x
            sign, _ = sign_of_product(less, signs)
            if sign:
                products[less] = None
                rows.append(({term: Fraction(sign), less: Fraction(-sign)}, False))
    products.pop(ONE_TERM, None)
    for term in sorted(products, key=key):
        rows = _without(term, rows)
        if len(rows) > ROWS:
            return True
        if not all(map(_holds, rows)):
            return False
    return all(map(_holds, rows))


def _rows(u: Poly, sign: int) -> Iterable[Row]:
    for side in (1, -1) if sign == 0 else (sign,):
        yield {t: Fraction(c) * side for t, c in u}, sign != 0


def _holds(row: Row) -> bool:
    """A row without unknowns is true; one with some may be."""
    coefficients, strict = row
    if any(t is not ONE_TERM for t in coefficients):
        return True
    constant = coefficients.get(ONE_TERM, Fraction(0))
    return constant > 0 if strict else constant >= 0


def _without(term: Term, rows: list[Row]) -> list[Row]:
    """What follows for the other unknowns."""
    above = [r for r in rows if r[0].get(term, 0) > 0]
    below = [r for r in rows if r[0].get(term, 0) < 0]
    found = [r for r in rows if not r[0].get(term)]
    for p, strict in above:
        for q, also in below:
            a, b = -q[term], p[term]
            sums = {t: a * p.get(t, 0) + b * q.get(t, 0) for t in (*p, *q)}
            row = ({t: c for t, c in sums.items() if c}, strict or also)
            if row not in found:
                found.append(row)
    return found


def signs_of(cases: Sequence[tuple[Poly, int]]) -> Signs:
    """The signs of factors that are an expression of their own, but for a number."""
    known: Signs = {}
    for u, sign in cases:
        only = u.single
        if only and len(only[0].powers) == 1:
            ((atom, e),) = only[0]
            if e == 1:
                known[atom] = sign if only[1] > 0 else -sign
    return known


def sign_of_product(term: Term, known: Signs) -> tuple[int, bool]:
    """The sign of a product, and whether it is not 0; (0, …) where it is not known."""
    total, strict = 1, True
    for atom, e in term:
        own = sign_of(atom)
        if known.get(atom):
            total *= known[atom] if isinstance(e, int) and e % 2 else 1
        elif own or not isinstance(e, int) or e % 2 == 0:
            strict = strict and own == "+"
        else:
            return 0, False
    return total, strict


__all__ = ["Signs", "possible", "sign_of_product", "signs_of"]
