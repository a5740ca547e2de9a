"""Sums one in the other: Σ_i x_i g_i (1 − g_i) Σ_b u_ib v_ib, not Σ_ib of all factors.

And Σ_a (Σ_b u_ab x_b)², not Σ_abc u_ab u_ac x_b x_c.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from .. import normalize as nf
from ..ir import Atom, Index, Poly, Rational, Sum, Term, raw_add, raw_atom, raw_product, raw_sum

OUTER, INNER = 3, 2  # factors that stand before the inner sum, and in it, at least


def nested(poly: Poly, own: Iterable[Sum] = ()) -> Poly:
    """The sums of products of which many factors lack a letter, with that letter's sum inside.

    And squares of sums, but for the author's `own`.
    """
    return raw_add(_nested(t, c) for t, c in raw_add(_squared(t, c, own) for t, c in poly))


def _squared(term: Term, c: Rational, own: Iterable[Sum]) -> Poly:
    """Σ_abc u_ab u_ac x_b x_c as Σ_a (Σ_b u_ab x_b)²: one product at two letters."""
    for total, e in term:
        only = total.body.single if isinstance(total, Sum) and e == 1 else None
        if only is None or not isinstance(total, Sum):
            continue
        for first, second in combinations(total.bound, 2):
            half, other, before = _halves(only[0], first, second)
            if first.size != second.size or not half.powers or half.free.isdisjoint(other.free):
                continue
            if nf.substitute(Poly({half: 1}), {first: second}) is not Poly({other: 1}):
                continue
            if any(nf.normalize(raw_atom(a)) is nf.normalize(raw_atom(total)) for a in own):
                continue
            left = tuple(i for i in total.bound if i not in (first, second))
            square = Poly({Term({Sum((first,), Poly({half: 1})): 2}): 1})
            body = raw_product([Poly({before: only[1]}), square])
            rest = Poly({Term({a: k for a, k in term if a is not total}): c})
            return raw_product([rest, raw_sum(left, body) if left else body])
    return Poly({term: c})


def _halves(product: Term, first: Index, second: Index) -> tuple[Term, Term, Term]:
    """The factors with one of two letters, those with the other, and those with neither.

    None of the first where a factor has both.
    """
    mine = {a: k for a, k in product if first in a.free}
    other = {a: k for a, k in product if second in a.free}
    if not mine.keys().isdisjoint(other):
        mine = {}
    rest = {a: k for a, k in product if a not in mine and a not in other}
    return Term(mine), Term(other), Term(rest)


def _nested(term: Term, c: Rational) -> Poly:
    for total, e in term:
        only = total.body.single if isinstance(total, Sum) and e == 1 else None
        if only is None or not isinstance(total, Sum) or len(total.bound) != 2:
            continue
        for letter in total.bound:
            within = {a: k for a, k in only[0] if letter in a.free}
            before: dict[Atom, Rational] = {a: k for a, k in only[0] if a not in within}
            left = tuple(i for i in total.bound if i is not letter)
            if len(before) < OUTER or len(within) < INNER:
                continue
            if any(a.free.isdisjoint(left) for a in before):
                continue
            inner = raw_sum((letter,), Poly({Term(within): 1}))
            body = raw_product([Poly({Term(before): only[1]}), inner])
            rest = Poly({Term({a: k for a, k in term if a is not total}): c})
            return raw_product([rest, raw_atom(Sum(left, body))])
    return Poly({term: c})


__all__ = ["nested"]
