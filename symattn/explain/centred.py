"""What is counted from a mean under weights: Σ_j A_ij (Ā_ij − Σ_l A_il Ā_il) k_ja."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

from .. import normalize as nf
from .. import sums
from ..ir import Atom, Index, Poly, Rational, Ref, Sum


def from_the_mean(rests: list[Poly], weights: Mapping[Atom, Rational]) -> bool:
    """x_j − Σ_l w_l x_l beside a factor w_j: what is counted from the mean under these weights."""
    if len(rests) != 2 or sum(c for r in rests for _, c in r) != 0:
        return False
    for x, total in permutations(map(_alone, rests)):
        if not isinstance(x, Ref) or not isinstance(total, Sum) or len(total.bound) > 1:
            continue
        bound, body = sums.opened(total, {*x.free})
        for letter in (s for s in x.slots if isinstance(s, Index) and s.size == bound[0].size):
            there = nf.substitute(body, {bound[0]: letter}).single
            factors = dict(there[0]) if there and there[1] == 1 else {}
            if factors.pop(x, 0) == 1 == len(factors) and factors.keys() <= weights.keys():
                return True
    return False


def _alone(poly: Poly) -> Atom | None:
    """The factor that a term is, but for a number."""
    factors = [*poly.single[0]] if poly.single is not None else []
    return factors[0][0] if len(factors) == 1 and factors[0][1] == 1 else None


__all__ = ["from_the_mean"]
