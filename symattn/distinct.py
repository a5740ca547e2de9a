"""Pairs of two different indices, [i ≠ j]: 1 − δ_ij, or [i < j] + [j < i] where i = j has no value.

(1 − δ_ij)/(x_i − x_j) cannot be multiplied out: δ_ij/(x_i − x_j) is nothing.  The two masks exclude
each other, and each stays beside what it is a factor of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import sympy as sp

from .ir import (
    ONE_TERM,
    Atom,
    Call,
    Delta,
    Index,
    Mask,
    Poly,
    Rational,
    Ref,
    Tensor,
    Term,
    affine,
    inside,
    raw_add,
    raw_atom,
    slot_items,
)

Vacant = Callable[[Ref, Index, Index], bool]  # a component has no value, or no slope, at i = j


class Known(dict[str, Tensor]):
    """Tensors by name; definitions among them say where they are open."""

    def __init__(self, tensors: Mapping[str, Tensor], vacant: Vacant) -> None:
        super().__init__(tensors)
        self.vacant = vacant


def two_sided(factors: Sequence[Poly], known: Mapping[str, Tensor]) -> list[Poly]:
    """The factors with [i < j] + [j < i] for a 1 − δ_ij beside what may have no value at i = j."""
    vacant = known.vacant if isinstance(known, Known) else None
    return [
        raw_add(raw_atom(m) for m in sides(*pair))
        if (pair := _unequal(p)) and any(_open_at(q, pair, vacant) for q in factors if q is not p)
        else p
        for p in factors
    ]


def different(poly: Poly) -> tuple[Index, Index] | None:
    """The letters i and j of 1 − δ_ij and of [i < j] + [j < i]; None for anything else."""
    return _unequal(poly) or both_ways(poly)


def both_ways(poly: Poly) -> tuple[Index, Index] | None:
    """The letters i and j of [i < j] + [j < i]."""
    found = [below(_only(t)) for t, c in poly if c == 1]
    if len(poly) != 2 or len(found) != 2 or found[0] is None or found[1] is None:
        return None
    return found[0] if found[0] == found[1][::-1] else None


def _unequal(poly: Poly) -> tuple[Index, Index] | None:
    """The letters of 1 − δ_ij."""
    others = [(t, c) for t, c in poly if t is not ONE_TERM]
    if len(poly) != 2 or poly.terms.get(ONE_TERM) != 1 or others[0][1] != -1:
        return None
    delta = _only(others[0][0])
    if not isinstance(delta, Delta):
        return None
    i, j = delta.a, delta.b
    return (i, j) if isinstance(i, Index) and isinstance(j, Index) else None


def _only(term: Term) -> Atom | None:
    """The one factor of a term."""
    ((atom, e), *more) = term.powers.items() or ((None, 0),)
    return atom if e == 1 and not more else None


def sides(i: Index, j: Index) -> tuple[Mask, Mask]:
    """[i < j] and [j < i]."""
    one, other = (Mask(affine({b: 1, a: -1}, sp.S.NegativeOne)) for a, b in ((i, j), (j, i)))
    return one, other


def below(mask: Atom | None) -> tuple[Index, Index] | None:
    """The i and j of [i < j]."""
    items, const = slot_items(mask.slot) if isinstance(mask, Mask) else ({}, sp.S.Zero)
    signs = {c: i for i, c in items.items()}
    return (
        (signs[-1], signs[1]) if len(items) == 2 and const == -1 and {*signs} == {1, -1} else None
    )


def _open_at(poly: Poly, pair: tuple[Index, Index], vacant: Vacant | None) -> bool:
    """Something that has these letters is divided by, rooted or logged."""
    letters = frozenset(pair)
    named = vacant is not None and any(
        vacant(n, *pair) for n in inside(poly) if isinstance(n, Ref) and letters <= n.free
    )
    return named or any(letters <= a.free for a, _ in bent(poly))


def bent(poly: Poly) -> Iterator[tuple[Atom | Poly, Rational]]:
    """What is divided by, rooted or logged in an expression, and its exponent."""
    for n in inside(poly):
        if isinstance(n, Term):
            yield from ((a, e) for a, e in n if e < 0 or e.denominator > 1)
        elif isinstance(n, Call) and n.name == "log":
            yield n.args[0], 0


__all__ = ["Known", "below", "bent", "both_ways", "different", "sides", "two_sided"]
