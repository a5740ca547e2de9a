"""Sums of squares: Σ_R f² ≥ 0, seen in normal forms, where a square is written out.

(Σ_a W_ra u_a)² is Σ_ab W_ra u_a W_rb u_b there: for fixed r the sum splits into two factors that
are one and the same.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from ..ir import Poly, Rational, Sum, Term
from ..laws import sign_of
from ..sums import opened, split_exponentials, sum_over

LETTERS = 6  # bound letters of a sum that is looked at


def squares(poly: Poly) -> bool:
    """Every term is a positive number times sums of squares and factors that are not negative."""
    return all(c > 0 and all(_never_negative(a, e) for a, e in term) for term, c in poly)


def _never_negative(atom: Any, e: Rational) -> bool:
    if sign_of(Term({atom: e})) != "":
        return True
    return e == 1 and isinstance(atom, Sum) and _sum_of_squares(atom)


def _sum_of_squares(atom: Sum) -> bool:
    """Σ_R Π_k g_k, where for fixed R every factor that may be negative occurs an even number."""
    if len(atom.bound) > LETTERS:
        return False
    bound, body = opened(atom, ())
    only = body.single
    if only is None or only[1] < 0:
        return False
    return any(
        _even(frozenset(bound) - set(fixed), only[0])
        for k in range(len(bound) - 1)
        for fixed in combinations(bound, k)
    )


def _even(letters: frozenset[Any], term: Term) -> bool:
    """With the other letters fixed, the sum over these is a product of squares."""
    found: Counter[Poly] = Counter()
    groups: list[tuple[frozenset[Any], list[tuple[Any, Rational]]]] = []
    for atom, e in split_exponentials(term):
        touched = letters & atom.free
        if not touched:
            found[Poly({Term({atom: e}): 1})] += 1
            continue
        pieces = [(atom, e)]
        for group in [g for g in groups if g[0] & touched]:
            groups.remove(group)
            touched |= group[0]
            pieces += group[1]
        groups.append((touched, pieces))
    for touched, pieces in groups:
        body = Poly({Term(dict(pieces)): 1})
        found[sum_over(sorted(touched, key=lambda i: i.sort), body)] += 1
    return all(n % 2 == 0 or sign_of(value) for value, n in found.items())


__all__ = ["squares"]
