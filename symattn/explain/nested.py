"""Double sums one in the other: Σ_i x_i g_i (1 − g_i) Σ_b u_ib v_ib, not Σ_ib of all factors."""

from __future__ import annotations

from ..ir import Atom, Poly, Rational, Sum, Term, raw_add, raw_atom, raw_product, raw_sum

OUTER, INNER = 3, 2  # factors that stand before the inner sum, and in it, at least


def nested(poly: Poly) -> Poly:
    """The sums of products of which many factors lack a letter, with that letter's sum inside."""
    return raw_add(_nested(t, c) for t, c in poly)


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
