"""What a result is brought to before other forms of it are searched for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .. import normalize as nf
from ..axes import circles_cut
from ..ir import Mask, Poly, Rational, Term, inside, rational
from ..logistic import together


def settled(
    poly: Poly, symmetric: Callable[[Poly], Poly], of_one_kind: Callable[[Poly], Poly]
) -> Iterator[tuple[str, Poly]]:
    """Each step that changes the expression, with its reason.

    `symmetric` orders the indices of inverses, `of_one_kind` those exponentials that differ by
    what definitions say.
    """
    for reason, rule in (
        ("bring powers together", _rooted),
        ("bring fractions together", _one_root),
        ("use a symmetry", symmetric),
        ("stay within the axis", _within_axes),
        ("insert the definitions", of_one_kind),
    ):
        after = rule(poly)
        if after is not poly:
            poly = after
            yield reason, poly


def _within_axes(poly: Poly) -> Poly:
    """[t > 0] f_{t−1} for Σ_i [t = i + 1] [i ≤ n − 2] f_i, where i + 1 counts modulo n."""
    return circles_cut(poly) if any(isinstance(n, Mask) for n in inside(poly)) else poly


def _rooted(poly: Poly) -> Poly:
    """t/√t as √t: where there is a root of t, t is not negative."""
    made = []
    for term, c in poly:
        powers = dict(term.powers)
        for atom, e in term:
            only = atom.single if isinstance(atom, Poly) else None
            if only is not None and only[1] == 1 and e.denominator == 2:
                ((name, k),) = only[0] if len(only[0].powers) == 1 else ((None, 0),)
                if k == 1 and name in powers:
                    powers[atom] = rational(powers[atom] + powers.pop(name))
        made.append(Poly({Term(powers): c}))
    return nf.add(*made)


def _one_root(poly: Poly) -> Poly:
    """1/√u + v²/u^{3/2} as c²/u^{3/2} for u = c² − v²; so of several roots, where all terms are."""
    over: dict[Poly, dict[Term, Rational]] = {}
    for term, c in poly:
        roots = [a for a, e in term if isinstance(a, Poly) and len(a) > 1 and e.denominator > 1]
        if len(roots) == 1:
            over.setdefault(roots[0], {})[term] = c
    left, made = dict(poly.terms), []
    for base, terms in over.items():
        below = any(t.powers[base] < 0 for t in terms)
        whole = together(Poly(terms)) if below and len(terms) > 1 else None
        if whole is not None and len(whole) == 1:
            made.append(whole)
            left = {t: c for t, c in left.items() if t not in terms}
    return nf.add(*made) if made and not left else poly


__all__ = ["settled"]
