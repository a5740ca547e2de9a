"""Polynomials with integer coefficients, behind one small interface with two back ends.

`SympyRing` needs nothing but SymPy; `FlintRing` does the same on python-flint's `fmpz_mpoly` and is
taken where that is installed.  Both order monomials lexicographically, so every result, and what is
printed of it, is the same with either.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from typing import Any, Protocol, TypeAlias

Poly: TypeAlias = Any  # what a ring makes: it has + - * and ** by a whole number, == and bool
Monomial: TypeAlias = tuple[int, ...]


class Ring(Protocol):
    """ZZ[x_0, …, x_{n−1}]: polynomials are made and taken apart by exponents."""

    size: int
    zero: Poly
    one: Poly

    def make(self, terms: Mapping[Monomial, int]) -> Poly:
        """The polynomial with these coefficients, none of them 0."""

    def terms(self, p: Poly) -> Iterable[tuple[Monomial, int]]:
        """Exponents and coefficients, in no stated order."""

    def degrees(self, p: Poly) -> Monomial:
        """The degree of p ≠ 0 in every generator."""

    def content(self, p: Poly) -> int:
        """The greatest common divisor of the coefficients of p ≠ 0."""

    def shrink(self, p: Poly, k: int) -> Poly:
        """p / k for a whole number that divides all coefficients."""

    def derivative(self, p: Poly, k: int) -> Poly:
        """∂p/∂x_k."""

    def divide(self, p: Poly, q: Poly) -> Poly | None:
        """p / q where that is a polynomial."""

    def gcd(self, p: Poly, q: Poly) -> Poly:
        """A greatest common divisor."""

    def divided(self, p: Poly, q: Poly) -> tuple[Poly, Poly]:
        """p = a q + b with no term of b divisible by the leading one of q, as (a, b)."""


def ring(size: int, flint: bool | None = None) -> Ring:
    """The ring in `size` generators, on python-flint where it is installed."""
    if HAS_FLINT if flint is None else flint:
        return FlintRing(size)
    return SympyRing(size)


HAS_FLINT = find_spec("flint") is not None


class SympyRing:
    """The interface on SymPy's sparse polynomials."""

    def __init__(self, size: int) -> None:
        self.size, self._ring = size, _sympy_ring(size)
        self.zero, self.one = self._ring.zero, self._ring.one

    def make(self, terms: Mapping[Monomial, int]) -> Poly:
        whole = self._ring.domain
        return self.zero.new({m: whole(c) for m, c in terms.items()})

    def terms(self, p: Poly) -> Iterable[tuple[Monomial, int]]:
        return p.items()

    def degrees(self, p: Poly) -> Monomial:
        return tuple(map(max, zip(*p, strict=True)))

    def content(self, p: Poly) -> int:
        return int(p.content())

    def shrink(self, p: Poly, k: int) -> Poly:
        return p.quo_ground(self._ring.domain(k))

    def derivative(self, p: Poly, k: int) -> Poly:
        return p.diff(k)

    def gcd(self, p: Poly, q: Poly) -> Poly:
        return p.gcd(q)

    def divided(self, p: Poly, q: Poly) -> tuple[Poly, Poly]:
        a, b = p.div(q)
        return a, b

    def divide(self, p: Poly, q: Poly) -> Poly | None:
        """Long division that ends at the first term that does not go in; 0 is divided by all."""
        if not p:
            return p
        lead, low = max(q), min(q)
        if len(q) == 1:
            return self._by_term(p, lead, q[lead])
        if not (_goes(lead, max(p)) and _goes(low, min(p)) and q[low] and not p[min(p)] % q[low]):
            return None
        others = [(m, c) for m, c in q.items() if m != lead]
        rest, top, result = dict(p), q[lead], {}
        heap = [tuple(-e for e in m) for m in rest]
        heapq.heapify(heap)
        while heap:
            largest = tuple(-e for e in heapq.heappop(heap))
            coefficient = rest.pop(largest, 0)
            if not coefficient:
                continue
            factor, left = divmod(coefficient, top)
            if left or not _goes(lead, largest):
                return None
            quotient = tuple(a - b for a, b in zip(largest, lead, strict=True))
            result[quotient] = factor
            for m, c in others:
                at = tuple(a + b for a, b in zip(m, quotient, strict=True))
                if at in rest:
                    rest[at] -= c * factor
                else:
                    rest[at] = -c * factor
                    heapq.heappush(heap, tuple(-e for e in at))
        return self.zero.new(result)

    def _by_term(self, p: Poly, lead: Monomial, top: int) -> Poly | None:
        result = {}
        for m, c in p.items():
            if c % top or not _goes(lead, m):
                return None
            result[tuple(a - b for a, b in zip(m, lead, strict=True))] = c // top
        return self.zero.new(result)


def _goes(small: Monomial, large: Monomial) -> bool:
    return all(a <= b for a, b in zip(small, large, strict=True))


@cache
def _sympy_ring(size: int) -> Any:
    from sympy.polys.domains import ZZ
    from sympy.polys.orderings import lex
    from sympy.polys.rings import PolyRing

    return PolyRing([f"x{k}" for k in range(size)], ZZ, lex)


class FlintRing:
    """The interface on python-flint's fmpz_mpoly."""

    def __init__(self, size: int) -> None:
        from flint import Ordering, fmpz_mpoly_ctx
        from flint.utils.flint_exceptions import DomainError

        self.size, self._inexact = size, DomainError
        self._context = fmpz_mpoly_ctx.get([f"x{k}" for k in range(size)], Ordering.lex)
        self.zero, self.one = self._context.constant(0), self._context.constant(1)

    def make(self, terms: Mapping[Monomial, int]) -> Poly:
        return self._context.from_dict(dict(terms))

    def terms(self, p: Poly) -> Iterable[tuple[Monomial, int]]:
        return p.to_dict().items()

    def degrees(self, p: Poly) -> Monomial:
        return tuple(map(int, p.degrees()))

    def content(self, p: Poly) -> int:
        return abs(int(p.content()))

    def shrink(self, p: Poly, k: int) -> Poly:
        return p / k

    def derivative(self, p: Poly, k: int) -> Poly:
        return p.derivative(k)

    def gcd(self, p: Poly, q: Poly) -> Poly:
        return p.gcd(q)

    def divided(self, p: Poly, q: Poly) -> tuple[Poly, Poly]:
        a, b = divmod(p, q)
        return a, b

    def divide(self, p: Poly, q: Poly) -> Poly | None:
        try:
            return p / q
        except self._inexact:
            return None


def lifted(old: Ring, new: Ring, p: Poly) -> Poly:
    """A polynomial of a ring in a ring with more generators."""
    more = (0,) * (new.size - old.size)
    return new.make({(*m, *more): c for m, c in old.terms(p)})
