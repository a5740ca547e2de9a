"""Logarithms and exponents with fractions: log(y/x) = −log(x/y), x^{a/(1−a)} x = x^{1/(1−a)};
logarithms of squares: log(x² y) = 2 log|x| + log y.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy.polys.domains import QQ
from sympy.polys.rings import PolyRing

from . import normalize as nf
from .canonical import key
from .ir import ONE, Call, Poly, Rational, Term, number, rational, raw_atom
from .laws import exponential, is_turned, logarithm, power, sign_of


def quotients_upright(poly: Poly) -> Poly:
    """logarithms of quotients turned: log(y/x) = −log(x/y)."""

    def rule(atom: Any) -> Poly | None:
        only = atom.args[0].single if isinstance(atom, Call) and atom.name == "log" else None
        if only is None:
            return None
        sums = [e for a, e in only[0] if isinstance(a, Poly)]
        if sums != [-1] and not is_turned(only[0].powers):
            return None
        return nf.scale(logarithm(power(atom.args[0], -1)), -1)

    return nf.rewrite(poly, rule)


def squares_apart(poly: Poly) -> Poly:
    """logarithms of squares and magnitudes apart."""

    def rule(atom: Any) -> Poly | None:
        only = atom.args[0].single if isinstance(atom, Call) and atom.name == "log" else None
        if only is None:
            return None
        term, c = only
        squares = {a: e for a, e in term if isinstance(e, int) and e % 2 == 0}
        sizes = {a: e for a, e in term if a not in squares and sign_of(a)}
        rest = Poly({Term({a: e for a, e in term if a not in {*squares, *sizes}}): c})
        if not squares and (not sizes or rest is ONE) and len(sizes) < 2:
            return None
        if rest.constant is not None and c < 0:
            return None
        parts = [nf.scale(logarithm(raw_atom(a)), e) for a, e in sizes.items()]
        for a, e in squares.items():
            parts.append(nf.scale(logarithm(nf.call("abs", [raw_atom(a)])), e))
        return nf.add(logarithm(rest), *parts)

    return nf.rewrite(poly, rule)


def roots_joined(poly: Poly) -> Poly:
    """1/((−u) √u) as −u^{−3/2}: where there is a root of u, it is not negative."""
    made = []
    for term, c in poly:
        powers, sign = dict(term.powers), 1
        for atom, e in term:
            back = nf.scale(atom, -1) if isinstance(atom, Poly) and e.denominator != 1 else None
            if back is not None and isinstance(k := powers.get(back), int):
                del powers[back]
                powers[atom] = rational(e + k)
                sign *= (-1) ** abs(k)
        whole = nf.product(powers) if len(powers) < len(term.powers) else Poly({term: 1})
        made.append(nf.scale(whole, sign * c))
    return nf.add(*made)


def over_one_bar(poly: Poly) -> Poly:
    """exponents over a common denominator, with the factors that they are exponents of."""
    return nf.add(*(nf.scale(_joined(term), c) for term, c in poly))


def over_one_of_them(poly: Poly) -> Poly:
    """exponentials over one of them: s e^{a/c} − M e^{b/c} is 0 where s e^{(a − b)/c} is M."""
    exponents = [e for term, _ in poly if (e := _exponent(term)) is not None]
    if len(poly.terms) < 2 or len(exponents) < len(poly.terms) or len({*exponents}) < 2:
        return poly
    first = exponential(nf.scale(min(exponents, key=key), -1))
    return over_one_bar(nf.multiply(poly, first))


def _exponent(term: Term) -> Poly | None:
    """The exponent of a product, where it has a sum below a bar."""
    for atom, e in term:
        if isinstance(atom, Call) and atom.name == "exp" and e == 1 and _below(atom.args[0]):
            return atom.args[0]
    return None


def _below(poly: Poly) -> dict[Poly, Rational]:
    """The sums below the bars of an expression, each with its lowest power."""
    found: dict[Poly, Rational] = {}
    for term, _ in poly:
        for atom, e in term:
            if isinstance(atom, Poly) and e < 0:
                found[atom] = min(e, found.get(atom, 0))
    return found


def _logarithms(inside: Poly) -> list[Call]:
    return [a for t, _ in inside for a, _ in t if isinstance(a, Call) and a.name == "log"]


def _base(log: Call) -> tuple[Any, Rational, Poly] | None:
    """x, k and M/x^k of log M, one factor of M with what stands beside it; a sum is all of M."""
    only = log.args[0].single
    if only is None:
        return log.args[0], 1, ONE
    if only[1] != 1:
        return None
    atom, k = min(only[0], key=lambda pair: key(pair[0]))
    rest = Poly({Term({a: e for a, e in only[0] if a is not atom}): 1})
    return (atom, k, rest) if k in (1, -1) else None


def _joined(term: Term) -> Poly:
    """The product with x^e as (M^e / (M/x)^e), M = exp(log M), in the exponent."""
    inside = _exponent(term)
    if inside is None:
        return Poly({term: 1})
    powers = {a: e for a, e in term if not (isinstance(a, Call) and a.name == "exp")}
    others: list[Poly] = []
    bases = {log: base for log in _logarithms(inside) if (base := _base(log))}
    for log, (atom, k, rest) in bases.items():
        back = nf.scale(atom, -1) if isinstance(atom, Poly) else atom
        if back is not atom and isinstance(e := powers.get(back, 0), int) and e:
            powers[atom] = rational(powers.get(atom, 0) + powers.pop(back))  # (−M)^e
            others.append(number((-1) ** abs(e)))
        e = powers.pop(atom, 0)
        if isinstance(e, int) and e:
            inside = nf.add(inside, nf.scale(raw_atom(log), e * k))
            others.append(power(rest, -e * k))
        elif e:
            powers[atom] = e
    exponent = nf.add(*map(_over_its_bar, _by_logarithms(inside)))
    return nf.multiply(nf.product(powers), *others, exponential(exponent))


def _by_logarithms(inside: Poly) -> list[Poly]:
    """The parts of an exponent that have the same functions in them."""
    parts: dict[frozenset[Any], dict[Term, Rational]] = {}
    for term, c in inside:
        parts.setdefault(frozenset(a for a, _ in term if isinstance(a, Call)), {})[term] = c
    return [Poly(terms) for terms in parts.values()]


def _over_its_bar(part: Poly) -> Poly:
    """a/(1 − c) − a c/(1 − c) as a: over a common denominator, without what both have."""
    low = _below(part)
    top = nf.times(part, {base: -e for base, e in low.items()})
    for base in low:
        while low[base] < 0 and (less := _quotient(top, base)) is not None:
            top, low[base] = less, rational(low[base] + 1)
    return nf.multiply(top, *(power(base, e) for base, e in low.items()))


def _quotient(top: Poly, base: Poly) -> Poly | None:
    """p of p · base; None for what is no multiple of it."""
    atoms = sorted({a for poly in (top, base) for term, _ in poly for a, _ in term}, key=key)
    if any(not isinstance(e, int) or e < 0 for poly in (top, base) for t, _ in poly for _, e in t):
        return None
    ring = PolyRing([f"x{k}" for k in range(len(atoms))], QQ)
    both = (
        ring.from_dict({tuple(term.powers.get(a, 0) for a in atoms): QQ(c) for term, c in poly})
        for poly in (top, base)
    )
    found, rest = next(both).div(next(both))
    if rest:
        return None
    terms = dict[Term, Rational]()
    for powers, c in found.terms():
        own = {a: e for a, e in zip(atoms, powers, strict=True) if e}
        terms[Term(own)] = rational(Fraction(int(c.numerator), int(c.denominator)))
    return Poly(terms)


__all__ = ["over_one_bar", "over_one_of_them", "quotients_upright", "roots_joined", "squares_apart"]
