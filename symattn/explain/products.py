"""Polynomials in few factors as products: x² − 2xμ + μ² = (x − μ)²."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

from sympy.polys.domains import QQ
from sympy.polys.rings import ring

from .. import normalize as nf
from ..canonical import key
from ..ir import ONE_TERM, ZERO, Poly, Ref, Term, rational, raw_atom, raw_product
from .cost import cost

SQUARE = (3, 12)  # how many terms a polynomial has that is tried as a product


def product(poly: Poly, collect: Callable[[Poly], Poly]) -> Poly | None:
    """A polynomial in few factors as a product of shorter ones, None where it is not shorter.

    Names below bars too: 1 + c s − y/s − c y = (1/s + c) (s − y).
    """
    if not SQUARE[0] <= len(poly) <= SQUARE[1]:
        return None
    if any(e.denominator != 1 for t, _ in poly for _, e in t):
        return None
    if any(e < 0 for t, _ in poly for _, e in t):
        return _over_bars(poly, collect)
    atoms = sorted({a for t, _ in poly for a, _ in t}, key=key)
    if len(atoms) > 6 or (len(poly) < 4 and max(e for t, _ in poly for _, e in t) < 2):
        return None
    if _irreducible(poly):
        return None
    content, parts = _element(poly, atoms).factor_list()
    if len(parts) == 1 and parts[0][1] == 1:
        return None
    made = _written(content, parts, atoms, collect)
    made = Poly({conjugates(t): c for t, c in made})
    return made if cost(made) < cost(poly) else None


def _over_bars(poly: Poly, collect: Callable[[Poly], Poly]) -> Poly | None:
    """The product of what is left without bars, and the bar, which a bracket takes in."""
    below: dict[Any, Any] = {}
    for term, _ in poly:
        for atom, e in term:
            below[atom] = min(e, below.get(atom, 0))
    below = {a: e for a, e in below.items() if e < 0}
    if not all(isinstance(a, Ref) for a in below) or len(poly) < 4:
        return None
    whole = nf.times(poly, {a: rational(-e) for a, e in below.items()})
    found = product(whole, collect)
    only = found.single if found is not None else None
    if only is None:
        return None
    made = []
    for bracket, e in only[0]:
        if isinstance(bracket, Poly) and e == 1:
            inner = collect(nf.multiply(nf.normalize(bracket), nf.product(below)))
            rest = Poly({Term({a: k for a, k in only[0] if a is not bracket}): only[1]})
            made.append(raw_product([rest, inner if inner.single else raw_atom(inner)]))
    best = min(made, key=cost, default=poly)
    whole = raw_product([Poly(dict([only])), Poly({Term(below): 1})])
    return best if cost(best) < min(cost(poly), cost(whole)) else None


def quotient(poly: Poly, divisor: Poly) -> Poly | None:
    """u + v of u² − v² and u − v: what a polynomial is divided by another, without a rest."""
    powers = [e for p in (poly, divisor) for t, _ in p for _, e in t]
    own = {a for t, _ in divisor for a in t.powers}
    atoms = sorted({a for t, _ in poly for a in t.powers}, key=key)
    if not own <= set(atoms) or any(e.denominator != 1 or e < 0 for e in powers):
        return None
    (made,), rest = _element(poly, atoms).div([_element(divisor, atoms)])
    return None if rest else _polynomial(made, atoms)


def _element(poly: Poly, atoms: list[Any]) -> Any:
    """The polynomial in a ring with a generator for each atom."""
    R, *_ = ring([f"g{k}" for k in range(len(atoms))], QQ)
    monomials = ((tuple(int(t.powers.get(a, 0)) for a in atoms), c) for t, c in poly)
    terms = {m: QQ(c.numerator, c.denominator) for m, c in monomials}
    return R.from_dict(terms)


def _polynomial(element: Any, atoms: list[Any]) -> Poly:
    """What an element of such a ring stands for."""
    return Poly(
        {
            Term(dict(zip(atoms, monomial, strict=True))): rational(
                Fraction(int(c.numerator), int(c.denominator))
            )
            for monomial, c in element.terms()
        }
    )


def _irreducible(poly: Poly) -> bool:
    """m x + r with x in no term of r, and m a product of which nothing divides r."""
    seen = Counter(a for t, _ in poly for a in t.powers)
    shared = any(n == len(poly) for n in seen.values())
    return not shared and any(seen[a] == 1 and e == 1 for t, _ in poly for a, e in t)


def _written(
    content: Any, parts: list[tuple[Any, int]], atoms: list[Any], collect: Callable[[Poly], Poly]
) -> Poly:
    value = rational(Fraction(int(content.numerator), int(content.denominator)))
    factors = [Poly({ONE_TERM: value})]
    for part, k in parts:
        inside = collect(_polynomial(part, atoms))
        back = Poly({t: -c for t, c in inside})
        if inside.terms.get(ONE_TERM, 0) < 0 and len(inside) == 2 and k % 2:
            factors, inside = [*factors, Poly({ONE_TERM: -1})], back
        only = inside.single
        if only is not None:
            factors.append(Poly({Term({a: e * k for a, e in only[0]}): rational(only[1] ** k)}))
        else:
            factors.append(raw_atom(inside, k))
    return raw_product(factors)


def conjugates(term: Term) -> Term:
    """1 − x² of (1 − x) (1 + x), as which a difference of squares is read."""
    brackets = [(a, e) for a, e in term if isinstance(a, Poly) and len(a) == 2]
    for (first, k), (second, e) in combinations(brackets, 2):
        whole = nf.multiply(first, second) if k == e else ZERO
        if len(whole) == 2 and whole not in term.powers:
            rest = {a: n for a, n in term if a is not first and a is not second}
            return conjugates(Term({**rest, whole: k}))
    return term
