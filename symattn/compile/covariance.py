"""Covariances under weights, taken around the mean of one of the two:

    Σ_j w_j f_j g_j / Z − Σ_j w_j f_j Σ_j w_j g_j / Z² = Σ_j w_j f_j (g_j − Σ_k w_k g_k / Z) / Z

with Z = Σ_k w_k, as second derivatives of log Σ e^q have them.  The left side is a difference of
two large numbers where one weight is all of Z; the right side is then exactly 0, and is cheaper.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import TYPE_CHECKING

from .. import normalize as nf
from ..ir import Index, Poly, Ref, Sum, Term, raw_atom
from .contract import stand_in
from .logistic import exponent_of

if TYPE_CHECKING:
    from .plan import Planner


def covariances(planner: Planner, normal: Poly) -> Poly | None:
    """The expression with every covariance around a mean; None where there is none."""
    for term, c in normal:
        for z, e in term:
            if not isinstance(z, Sum) or not isinstance(e, int) or e > -2 or len(z.bound) > 1:
                continue
            sums = [a for a, f in term if isinstance(a, Sum) for _ in range(_times(f))]
            for one, other in permutations(sums, 2):
                found = _covariance(planner, normal, term, c, (z, one, other))
                if found is not None:
                    return covariances(planner, found) or found
    return None


def _times(e: object) -> int:
    return e if isinstance(e, int) and 0 < e < 3 else 0


def _covariance(
    planner: Planner, normal: Poly, term: Term, c: object, sums: tuple[Sum, Sum, Sum]
) -> Poly | None:
    """The expression with a product of two means, and the mean of the product, joined."""
    z, one, other = sums
    outside = nf.multiply(
        Poly({term: 1}), *(nf.power(raw_atom(a), -1) for a in (one, other)), raw_atom(z)
    )
    taken = set(normal.free)
    for j, weight, f in _weighed(one, z, taken):
        for k, _, g in _weighed(other, z, taken | f.free | {j}):
            g = nf.substitute(g, {k: j})
            if g.free - {j} <= set(z.free) and exponent_of(next(iter(weight.terms))):
                both = nf.multiply(outside, nf.sum_over([j], nf.multiply(weight, f, g)))
                only = both.single
                if only is None or normal.terms.get(only[0]) != -c * only[1]:  # type: ignore
                    continue
                left = Poly({t: d for t, d in normal if t not in (term, only[0])})
                apart = nf.multiply(weight, f, _about_mean(planner, weight, g, j, z))
                product = nf.multiply(outside, nf.sum_over([j], apart))
                return nf.add(left, nf.scale(product, -c))  # type: ignore[operator]
    return None


def _weighed(node: Sum, z: Sum, taken: set[Index]) -> Iterator[tuple[Index, Poly, Poly]]:
    """The letter j, w_j and f_j of Σ_j w_j f_j, where Z = Σ_j w_j."""
    bound, body = nf.opened(node, taken)
    (own,), inside = nf.opened(z, {*taken, *bound})
    product, weight = body.single, inside.single
    if product is None or weight is None or weight[1] != 1:
        return
    for j in bound:
        if j.size == own.size:
            w = nf.substitute(inside, {own: j})
            ((factors, _),) = w
            if all(product[0].powers.get(a) == e for a, e in factors):
                rest = Term({a: e for a, e in product[0] if a not in factors.powers})
                yield j, w, nf.sum_over([b for b in bound if b is not j], Poly({rest: product[1]}))


def _about_mean(planner: Planner, weight: Poly, g: Poly, j: Index, z: Sum) -> Poly:
    """g − Σ w g / Z as one array, in which the same values of g are weighed."""
    only = g.single
    plain = only is not None and only[1] == 1 and [*map(type, only[0].powers)] == [Ref]
    held = g if plain else raw_atom(stand_in(planner, g))
    total = nf.sum_over([j], nf.multiply(weight, held))
    mean = raw_atom(stand_in(planner, nf.multiply(total, nf.power(raw_atom(z), -1))))
    made = stand_in(planner, nf.subtract(held, mean))
    planner.written.add(planner.standing[made.tensor].poly)
    return raw_atom(made)


__all__ = ["covariances"]
