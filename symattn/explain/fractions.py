"""Two terms of several as one: −1/p − f/p − f/(1 − p) as −1/p − f/(p (1 − p))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations

from .. import normalize as nf
from ..folding import match
from ..ir import (
    ONE_TERM,
    Call,
    Index,
    Poly,
    Ref,
    Term,
    inside,
    rational,
    raw_add,
    raw_atom,
    raw_product,
)
from ..logistic import together
from .polynomials import series
from .views import quotient

SEVERAL = (3, 6)  # terms of which two are looked at; `together` does so with all of them


def two_together(poly: Poly) -> Iterator[Poly]:
    """a/b + c/d + r as (a d + c b)/(b d) + r, where one term is left above the bar.

    A bracket of names stands below one of the two bars: 1 − cos² has other forms.
    """
    if not SEVERAL[0] <= len(poly) <= SEVERAL[1]:
        return
    below = {t: {a for a, e in t if e < 0} for t in poly.terms}
    for (one, c), (other, d) in combinations(poly, 2):
        bars = below[one] | below[other]
        brackets = [a for a in bars if isinstance(a, Poly)]
        waves = any(isinstance(n, Call) for b in brackets for n in inside(b))
        if not below[one] or not below[other] or not brackets or waves:
            continue
        whole = together(Poly({one: c, other: d}))
        if whole.single is not None:
            rest = Poly({t: rational(k) for t, k in poly if t is not one and t is not other})
            yield nf.add(rest, whole)


def in_his_bracket(poly: Poly, own: Sequence[tuple[Poly, tuple[Index, ...]]]) -> Poly:
    """r − 2 r x/K beside other terms as r (1 − 2 x/K), where the author has 1 − x/K.

    But M/r² − l²/r³ + 3 M l²/r⁴ stays a series in r.
    """
    if len(poly) < SEVERAL[0] or not own or series(poly):
        return poly
    for (front, c), (term, d) in permutations(poly, 2):
        rest = quotient({**dict.fromkeys(front.powers, rational(0)), **term.powers}, front.powers)
        ratio = rational(Fraction(d) / Fraction(c))
        plain = front.powers and all(isinstance(a, Ref) for a in rest)
        if not plain or sorted(rest.values()) != [-1, 1]:
            continue
        for bracket, letters in own:
            ((_, k),) = ((t, k) for t, k in bracket if t is not ONE_TERM)
            whole = match(bracket, Poly({ONE_TERM: 1, Term(rest): k}), letters)
            if whole is not None and ratio.denominator == 1 and k * ratio > 0:
                inside = raw_atom(Poly({ONE_TERM: 1, Term(rest): ratio}))
                others = Poly({t: x for t, x in poly if t is not front and t is not term})
                return raw_add([raw_product([Poly({front: c}), inside]), others])
    return poly


__all__ = ["in_his_bracket", "two_together"]
