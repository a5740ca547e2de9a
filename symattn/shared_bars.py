"""Sums over one denominator u = x + y: Σ x/u + Σ y/u = Σ 1, and Σ 1/u − Σ x/u² = Σ y/u²."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from . import normalize as nf
from . import sums
from .ir import Index, Poly, Rational, Sum, Term, fresh_indices


class Shared(NamedTuple):
    """c Σ_x f_x for every c and f of the `bodies`, each times `rest`; their sum, and Σ of it."""

    rest: Term
    letter: Index
    terms: Poly
    bodies: list[tuple[Rational, Poly]]
    body: Poly
    together: Poly


def sums_joined(poly: Poly) -> Poly:
    """sums over one denominator together, where that is shorter."""
    while found := shared(poly):
        value = nf.multiply(Poly({found.rest: 1}), found.together)
        poly = nf.add(nf.subtract(poly, found.terms), value)
    return poly


def shared(poly: Poly) -> Shared | None:
    """Sums of which fewer are left where they are added under one Σ."""
    groups: dict[tuple[Term, Index], list[tuple[Term, Rational, Poly]]] = {}
    letters: dict[object, Index] = {}
    for term, c in poly:
        for atom, rest in _sums(term):
            (bound,), body = sums.opened(atom, poly.free)
            letter = letters.setdefault(bound.size, fresh_indices([bound.size], poly.free)[0])
            row = term, c, nf.substitute(body, {bound: letter})
            groups.setdefault((rest, letter), []).append(row)
    for (rest, letter), rows in groups.items():
        for bar in dict.fromkeys(bar for *_, body in rows for bar in _bars(body)):
            own = {t: (c, body) for t, c, body in rows if bar in _bars(body)}
            bodies = [*own.values()]
            whole = _over(bar, [nf.scale(f, c) for c, f in bodies])
            together = nf.sum_over([letter], whole)
            if len(together.terms) < len(own):
                terms = Poly({t: c for t, (c, _) in own.items()})
                return Shared(rest, letter, terms, bodies, whole, together)
    return None


def _over(bar: Poly, parts: list[Poly]) -> Poly:
    """The sum of the parts over the lowest power of the denominator that is in one of them."""
    least = min(t.powers.get(bar, 0) for part in parts for t, _ in part)
    if least.denominator != 1:
        return nf.add(*parts)
    above = nf.add(*(nf.multiply(part, nf.power(bar, -least)) for part in parts))
    return nf.multiply(above, nf.power(bar, least))


def _sums(term: Term) -> Iterator[tuple[Sum, Term]]:
    """A Σ over one letter with a denominator, and what stands beside it."""
    for atom, e in term:
        if isinstance(atom, Sum) and e == 1 and len(atom.bound) == 1 and _bars(atom.body):
            yield atom, Term({a: k for a, k in term if a is not atom})


def _bars(body: Poly) -> list[Poly]:
    """The sums of several terms that are divided by."""
    return [a for term, _ in body for a, e in term if isinstance(a, Poly) and e < 0]


__all__ = ["Shared", "shared", "sums_joined"]
