"""Polynomials in one name or bracket, which stay what they are: k x + c x³."""

from __future__ import annotations

from ..ir import ONE_TERM, Atom, Poly, Ref, Term


def is_polynomial(poly: Poly) -> bool:
    """k x + c x³, as which it stays: one name in different powers, with different coefficients."""
    rests, powers = [], []
    for term, _ in poly:
        for atom, e in term:
            if isinstance(atom, Ref) and e > 0 and all(atom in t.powers for t, _ in poly):
                rests.append(Term({a: k for a, k in term if a is not atom}))
                powers.append(e)
    return len({*rests}) == len(rests) == len(poly) == len({*powers}) > 1


def series(poly: Poly) -> frozenset[Atom]:
    """The names in different powers of which all terms are, some below a bar: r of M/r² − l²/r³."""
    first = next(iter(poly.terms), ONE_TERM)
    powers = {a: [t.powers.get(a, 0) for t, _ in poly] for a in first.powers if isinstance(a, Ref)}
    plain = all(isinstance(a, Ref) for t, _ in poly for a in t.powers)
    return frozenset(
        a
        for a, es in powers.items()
        if plain and len({*es}) == len(es) > 1 and all(es) and min(es) < 0
    )


__all__ = ["is_polynomial", "series"]
