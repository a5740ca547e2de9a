"""Mixtures of two with the shares m and 1 − m, where the author writes them so."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Any

from ..ir import (
    ONE_TERM,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    collected,
    raw_add,
    raw_atom,
    raw_product,
)
from ..model import Body


def shares(terms: Iterable[Term]) -> frozenset[Ref]:
    """The names m of the factors 1 − m in these terms."""
    found = set()
    for bracket in (a for t in terms for a, e in t if isinstance(a, Poly) and e == 1):
        if len(bracket) == 2 and bracket.terms.get(ONE_TERM) == 1:
            ((term, c),) = ((t, c) for t, c in bracket if t is not ONE_TERM)
            found |= {a for a, e in term if (c, e, len(term.powers)) == (-1, 1, 1)}
    return frozenset(a for a in found if isinstance(a, Ref))


def weights(bodies: Iterable[Body]) -> frozenset[Ref]:
    """The names r of definitions r = g/(g + h), the complement of which is h/(g + h)."""
    found = set()
    for body in bodies:
        term, c = body.raw.single or (ONE_TERM, 0)
        below = [a for a, e in term if isinstance(a, Poly) and e == -1 and len(a) == 2]
        if len(below) == 1 and below[0].terms.get(Term({a: e for a, e in term if e > 0})) == c:
            found.add(Ref(body.tensor, body.indices))
    return frozenset(found)


def mixed(node: Any, known: frozenset[Ref]) -> Any:
    """y + m (x − y) as m x + (1 − m) y, where m is one of the shares `known`."""
    match node:
        case Poly():
            inside = Poly({mixed(t, known): c for t, c in node})
            for term, c in inside:
                made = _mixture(term, c, inside, known)
                if made is not None:
                    return made
            return inside
        case Term():
            return Term(collected((mixed(a, known), e) for a, e in node))
        case Sum():
            return Sum(node.bound, mixed(node.body, known))
    return node


def _mixture(term: Term, c: Rational, whole: Poly, known: frozenset[Ref]) -> Poly | None:
    """The sum with the term c m (x − y) and its c y as m x and (1 − m) y."""
    names = [a for a, e in term if e == 1 and isinstance(a, Ref) and shared(a, known)]
    brackets = [a for a, e in term if e == 1 and isinstance(a, Poly) and len(a) == 2]
    if len(names) != 1 or len(brackets) != 1:
        return None
    front = Poly({Term({a: e for a, e in term if a not in (*names, *brackets)}): c})
    sides = (raw_product([front, Poly({t: d})]) for t, d in brackets[0])
    for x, y in permutations(sides):
        ((own, d),) = y
        if whole.terms.get(own) == -d:
            rest = Poly({t: k for t, k in whole if t is not term and t is not own})
            left = raw_atom(Poly({ONE_TERM: 1, Term({names[0]: 1}): -1}))
            parts = [raw_product([raw_atom(names[0]), x]), raw_product([left, Poly({own: -d})])]
            return raw_add([rest, *parts])
    return None


def shared(name: Ref, known: frozenset[Ref]) -> bool:
    """One of those, at any letters."""
    return any(own.tensor is name.tensor for own in known)


__all__ = ["mixed", "shared", "shares", "weights"]
