"""Differences of powers of one quotient, (s/r)^12 − (s/r)^6, which stay in their bracket."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from ..ir import (
    ONE_TERM,
    Atom,
    Poly,
    Rational,
    Ref,
    Tensor,
    Term,
    collected,
    inside,
    rational,
    raw_atom,
    raw_product,
)
from ..model import Body
from .arrange import taken_out

Powers: TypeAlias = Mapping[Tensor, Rational]  # of names, each once


def powers_of_one_quotient(bodies: Iterable[Body]) -> list[tuple[Powers, Powers]]:
    """The powers in the author's brackets of two terms, both of them powers of one quotient."""
    found = []
    terms = (n for b in bodies for n in inside(b.raw) if isinstance(n, Term))
    for bracket in dict.fromkeys(a for t in terms for a, e in t if isinstance(a, Poly) and e == 1):
        pair = [powers for t, _ in bracket if (powers := _names(_plain(t))) is not None]
        if len(bracket) == len(pair) == 2 and _quotient(pair[0]) == _quotient(pair[1]) != []:
            found.append((pair[0], pair[1]))
    return found


def _quotient(powers: Powers) -> list[Tensor]:
    """s and r of (s/r)^k."""
    above = [t for t, e in powers.items() if e > 0]
    below = [t for t, e in powers.items() if e < 0]
    one = len(above) == len(below) == 1 and powers[above[0]] == -powers[below[0]]
    return [*above, *below] if one else []


def in_their_bracket(poly: Poly, own: Sequence[tuple[Powers, Powers]]) -> Poly:
    """24 e s⁶/r⁷ − 48 e s¹²/r¹³ as 24 e/r (s⁶/r⁶ − 2 s¹²/r¹²) beside (s/r)¹² − (s/r)⁶."""
    if not own:
        return poly
    if len(poly) == 2:
        return next(_bracketed(ONE_TERM, 1, poly, own), poly)
    for term, c in poly if poly.single is not None else ():
        for bracket, e in term:
            if isinstance(bracket, Poly) and e == 1 and len(bracket) == 2:
                rest = Term({a: k for a, k in term if a is not bracket})
                return next(_bracketed(rest, c, bracket, own), poly)
    return poly


def _bracketed(
    around: Term, times: Rational, poly: Poly, own: Sequence[tuple[Powers, Powers]]
) -> Iterator[Poly]:
    """A number and a term times a difference, with the author's powers in its bracket."""
    (first, c), (second, d) = poly
    every = {*first.powers, *second.powers}
    apart = {a for a in every if first.powers.get(a) != second.powers.get(a)}
    names = {a.tensor: a for a in apart if isinstance(a, Ref)}
    for one, two in (pair for both in own for pair in (both, both[::-1])):
        if len(names) < len(apart) or {*one, *two} != {*names}:
            continue
        if any(
            first.powers.get(a, 0) - second.powers.get(a, 0) != one[t] - two[t]
            for t, a in names.items()
        ):
            continue
        front = _times(around, first, {names[t]: -e for t, e in one.items()})
        if any(front.powers.get(a, 0) * one[t] < 0 for t, a in names.items()):
            continue  # nothing is divided by s, nor multiplied by r
        number = taken_out([c, d], front)
        terms = {_of(one, names): rational(c / number), _of(two, names): rational(d / number)}
        yield raw_product([Poly({front: rational(times * number)}), raw_atom(Poly(terms))])


def _plain(term: Term) -> Term:
    """The term with (s/r)^12 taken apart."""
    powers: dict[Atom, Rational] = {}
    for atom, e in term:
        only = atom.single if isinstance(atom, Poly) else None
        parts = only[0].powers if only is not None and only[1] == 1 else {atom: 1}
        for a, k in parts.items():
            powers[a] = rational(powers.get(a, 0) + k * e)
    return Term(powers)


def _names(term: Term) -> Powers | None:
    """The powers of names, where there is nothing else and each stands once."""
    found = {a.tensor: e for a, e in term if isinstance(a, Ref)}
    return found if found and len(found) == len(term.powers) else None


def _times(*factors: Term | Mapping[Ref, Rational]) -> Term:
    return Term(
        collected(pair for f in factors for pair in (f if isinstance(f, Term) else f.items()))
    )


def _of(powers: Powers, names: Mapping[Tensor, Ref]) -> Term:
    return Term({names[t]: e for t, e in powers.items()})


__all__ = ["in_their_bracket", "powers_of_one_quotient"]
