"""Two fractions of several as one: −1/p − f/p − f/(1 − p) as −1/p − f/(p (1 − p))."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from .. import normalize as nf
from ..ir import Poly, rational
from ..logistic import together

SEVERAL = (3, 6)  # terms of which two are looked at; `together` does so with all of them


def two_together(poly: Poly) -> Iterator[Poly]:
    """a/b + c/d + r as (a d + c b)/(b d) + r, where one term is left above the bar.

    A bracket stands below one of the two bars.
    """
    if not SEVERAL[0] <= len(poly) <= SEVERAL[1]:
        return
    below = {t: {a for a, e in t if e < 0} for t in poly.terms}
    for (one, c), (other, d) in combinations(poly, 2):
        bars = below[one] | below[other]
        if not below[one] or not below[other] or not any(isinstance(a, Poly) for a in bars):
            continue
        whole = together(Poly({one: c, other: d}))
        if whole.single is not None:
            rest = Poly({t: rational(k) for t, k in poly if t is not one and t is not other})
            yield nf.add(rest, whole)


__all__ = ["two_together"]
