r"""Φ and φ in the formulas of a text that writes Φ: (1 + erf(u/√2))/2 and e^{-u²/2}/√(2π).

The engine has erf alone; where a text says that Φ is the distribution function of the standard
normal law, its results are spelled in Φ and in its density.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from math import isqrt

from ..ir import (
    ONE_TERM,
    Atom,
    Call,
    Num,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    Unknown,
    collected,
    inside,
    rational,
    raw_add,
    raw_atom,
    raw_product,
    raw_sum,
)
from ..model import Model
from .arrange import constant
from .joined import spliced

HALF = rational(Fraction(1, 2))
ROOT = Num(2)
DISTRIBUTION = Unknown("Phi", (0,))
SLOPE = Unknown("Phi", (1,))  # in a text whose φ is something else


def density(text: str, m: Model) -> Unknown | None:
    """The density of the standard normal law, where the text writes Φ and it was read as erf."""
    if not re.search(r"\\Phi\s*(?:\\left)?\(", text) or "Phi" in m.known:
        return None
    calls = {n.name for b in m.bodies.values() for n in inside(b.raw) if isinstance(n, Call)}
    unknown = {f.name for f in calls if isinstance(f, Unknown)}
    if "erf" not in calls or "Phi" in unknown:
        return None
    written = {
        name: re.findall(rf"\\{name}(?![A-Za-z])\s*(?:\\left\s*)?(.?)", text)
        for name in ("varphi", "phi")
    }
    for name, behind in written.items():  # a φ that is read, and is no other function or tensor
        if set(behind) == {"("} and name not in unknown and name not in m.known:
            return Unknown(name, (0,))
    return SLOPE if any(written.values()) else Unknown("phi", (0,))


def with_normal_law(poly: Poly, phi: Unknown) -> Poly:
    """The expression with Φ in place of erf, and φ in place of exponentials over √(2π)."""
    if not any(isinstance(n, Call) and n.name in ("erf", "exp") for n in inside(poly)):
        return poly
    return _opened(_alone(_paired(raw_add(spliced(_term(t, c, phi)) for t, c in poly))))


def _term(term: Term, c: Rational, phi: Unknown) -> Poly:
    term = _density(_within(term), phi)
    front, parts = Fraction(c), []
    for atom, e in term:
        match atom:
            case Num() if e.denominator == 1:
                front *= Fraction(atom.prime) ** int(e)
            case Poly() if e.denominator == 1:
                times, inner = _content(with_normal_law(atom, phi))
                front *= Fraction(times) ** int(e)
                parts.append(_power(inner, e))
            case Sum() if e == 1:
                times, inner = _content(with_normal_law(atom.body, phi))
                front *= Fraction(times)
                parts.append(raw_sum(atom.bound, inner))
            case Call() if atom.name != "erf":
                args = [with_normal_law(a, phi) for a in atom.args]
                parts.append(raw_atom(Call(atom.name, args), e))
            case _:
                parts.append(raw_atom(atom, e))
    return raw_product([*parts, Poly({ONE_TERM: rational(front)})])


def _power(inner: Poly, e: Rational) -> Poly:
    only = inner.single
    if only is not None and only[1] == 1:
        return Poly({Term({a: rational(k * e) for a, k in only[0]}): 1})
    return raw_atom(inner, e)


def _content(poly: Poly) -> tuple[Rational, Poly]:
    """The number that all terms have, and the rest: ½ (y/Φ − (1 − y)/(1 − Φ))."""
    sizes = {abs(Fraction(c)) for _, c in poly}
    if len(sizes) != 1 or not any(isinstance(n, Call) and _is_law(n) for n in inside(poly)):
        return 1, poly
    (size,) = sizes
    return rational(size), Poly({t: rational(Fraction(c) / size) for t, c in poly})


def _is_law(call: Call) -> bool:
    return isinstance(call.name, Unknown)


def _paired(poly: Poly) -> Poly:
    """R + R e of e = erf(u/√2) as 2 R Φ(u), R − R e as 2 R (1 − Φ), R − R e² as 4 R Φ (1 − Φ)."""
    terms = dict(poly.terms)
    for term, c in poly:
        for atom, e in term:
            if not isinstance(atom, Call) or atom.name != "erf" or e not in (1, 2):
                continue
            rest = Term({a: k for a, k in term if a is not atom})
            beside = terms.get(rest, 0)
            if term not in terms or beside not in ((c, -c) if e == 1 else (-c,)):
                continue
            law = raw_atom(Call(DISTRIBUTION, [_times_root(atom.args[0])]))
            value = [law] if beside == c else [_less(law)] if e == 1 else [law, _less(law)]
            del terms[term], terms[rest]
            whole = raw_product([Poly({rest: rational(2 * e * beside)}), *value])
            return _paired(raw_add([Poly(terms), whole]))
    return poly


def _alone(poly: Poly) -> Poly:
    """2 Φ(u) − 1 for erf(u/√2) that stands beside nothing of its kind."""
    terms = []
    for term, c in poly:
        parts = [Poly({ONE_TERM: c})]
        for atom, e in term:
            if isinstance(atom, Call) and atom.name == "erf":
                law = raw_atom(Call(DISTRIBUTION, [_times_root(atom.args[0])]))
                ((inner, _),) = law
                atom = Poly({inner: 2, ONE_TERM: -1})
            parts.append(raw_atom(atom, e))
        terms.append(raw_product(parts))
    return raw_add(terms)


def _less(law: Poly) -> Poly:
    ((term, _),) = law
    return raw_atom(Poly({ONE_TERM: 1, term: -1}))


def _times_root(poly: Poly) -> Poly:
    """u of u/√2."""
    parts = []
    for term, c in poly:
        powers: dict[Atom, Rational] = collected((_number(a), e) for a, e in term)
        e = rational(Fraction(powers.pop(ROOT, 0)) + Fraction(HALF))
        whole = Fraction(c) * 2 ** int(e)
        powers[ROOT] = rational(Fraction(e) - int(e))
        parts.append(Poly({Term({a: k for a, k in powers.items() if k}): rational(whole)}))
    return _opened(raw_add(parts))


def _number(atom: Atom) -> Atom:
    """2 as a prime, where it stands under a root as written."""
    return ROOT if isinstance(atom, Poly) and atom.constant == 2 else atom


def _opened(poly: Poly) -> Poly:
    """What stands in a bracket by itself."""
    only = poly.single
    ((atom, e),) = only[0] if only and only[1] == 1 and len(only[0].powers) == 1 else ((None, 0),)
    return _opened(atom) if isinstance(atom, Poly) and e == 1 else poly


def _deviation(atom: Atom) -> Poly | None:
    """u of e^{-u²/2}."""
    only = atom.args[0].single if isinstance(atom, Call) and atom.name == "exp" else None
    if only is None or only[1] >= 0 or any(e % 2 for _, e in only[0]):
        return None
    size = -2 * Fraction(only[1])
    k = Fraction(isqrt(size.numerator), isqrt(size.denominator))
    if k * k != size:
        return None
    return _opened(Poly({Term({a: rational(e / 2) for a, e in only[0]}): rational(k)}))


def _root_of_pi(powers: Iterable[tuple[Atom, Rational]]) -> Atom | None:
    found = (a for a, e in powers if isinstance(a, Ref) and constant(a) and e == -HALF)
    return next((a for a in found if str(a.tensor.symbol) == "pi"), None)


def _density(term: Term, phi: Unknown) -> Term:
    """√(2/π) e^{-u²/2} as 2 φ(u)."""
    pi = _root_of_pi(term)
    for atom, e in term if pi is not None else ():
        u = _deviation(atom) if e == 1 else None
        if u is None or pi is None:
            continue
        rest = [(a, k) for a, k in term if a is not atom and a is not pi]
        return Term(collected([*rest, (ROOT, HALF), (Call(phi, [u]), 1)]))
    return term


def _within(term: Term) -> Term:
    """√(2/π) Σ_i e^{-u_i²/2} f_i as Σ_i √(2/π) e^{-u_i²/2} f_i, and the same of a bracket."""
    pi = _root_of_pi(term)
    for whole, e in term if pi is not None else ():
        inner = whole.body if isinstance(whole, Sum) else whole
        if e != 1 or not isinstance(inner, Poly) or not all(map(_normal, inner.terms)):
            continue
        moved = [(a, k) for a, k in term if a in (pi, ROOT)]
        inner = Poly({Term(collected([*t, *moved])): c for t, c in inner})
        made: Atom = Sum(whole.bound, inner) if isinstance(whole, Sum) else inner
        rest = [(a, k) for a, k in term if a not in (pi, ROOT, whole)]
        return Term(collected([*rest, (made, 1)]))
    return term


def _normal(term: Term) -> bool:
    return any(_deviation(a) is not None for a, k in term if k == 1)


__all__ = ["density", "with_normal_law"]
