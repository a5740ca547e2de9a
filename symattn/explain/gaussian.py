r"""Φ and φ in the formulas of a text that writes Φ: (1 + erf(u/√2))/2 and e^{-u²/2}/√(2π).

The engine has erf alone; where a text says that Φ is the distribution function of the standard
normal law, its results are spelled in Φ and in its density.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from math import isqrt

from .. import normalize as nf
from ..ir import (
    ONE_TERM,
    Atom,
    Call,
    Index,
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
    refs,
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
    if not re.search(r"\\Phi\s*(?:\\left)?\(", text) or _otherwise(m, "Phi"):
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
        if set(behind) == {"("} and name not in unknown and not _otherwise(m, name):
            return Unknown(name, (0,))
    return SLOPE if any(written.values()) else Unknown("phi", (0,))


def _otherwise(m: Model, name: str) -> bool:
    """The text has that name for something else than Φ(x) = (1 + erf(x/√2))/2 or its slope."""
    body = m.bodies.get(name)
    if body is None or body.indices:
        return name in m.known
    x = [*{nf.ref(r.tensor, r.slots) for r in refs(body.normal) if str(r.tensor.symbol) != "pi"}]
    return len(x) != 1 or body.normal not in _laws(x[0], body.normal)


def _laws(x: Poly, like: Poly) -> list[Poly]:
    """(1 + erf(x/√2))/2 and e^{−x²/2}/√(2π)."""
    u = nf.multiply(x, nf.power(Poly({ONE_TERM: 2}), -HALF))
    value = nf.scale(nf.add(nf.ONE, nf.call("erf", [u])), HALF)
    pi = [nf.ref(r.tensor, r.slots) for r in refs(like) if str(r.tensor.symbol) == "pi"]
    bell = nf.call("exp", [nf.scale(nf.power(x, rational(2)), -HALF)])
    under = (nf.power(nf.scale(p, rational(2)), -HALF) for p in pi)
    return [value, *(nf.multiply(bell, p) for p in under)]


def lower_tails(text: str) -> bool:
    """True where the text writes Φ(−u), and nowhere 1 − Φ(u)."""
    behind = r"\\Phi\s*(?:\\left\s*)?\("
    return bool(re.search(behind + r"\s*-", text)) and not re.search(r"1\s*-\s*" + behind, text)


def with_normal_law(
    poly: Poly, phi: Unknown, lower: bool = False, bound: frozenset[Index] = frozenset()
) -> Poly:
    """The expression with Φ in place of erf, and φ in place of exponentials over √(2π).

    With `lower`, 1 − Φ(u) is Φ(−u).  Of a difference of two components of one name, the one whose
    letters no Σ binds stands first; `bound` are those that are bound.
    """
    if not any(isinstance(n, Call) and n.name in ("erf", "exp") for n in inside(poly)):
        return poly
    poly = raw_add(_free_first(t, c, bound) for t, c in poly)
    whole = raw_add(spliced(_term(t, c, phi, lower, bound)) for t, c in poly)
    return _opened(_alone(_paired(whole, lower)))


def _free_first(term: Term, c: Rational, bound: frozenset[Index]) -> Poly:
    """−erf(s_i − s_j) for erf(s_j − s_i) below a Σ_j."""
    powers: list[tuple[Atom, Rational]] = []
    for atom, e in term:
        if isinstance(atom, Call) and atom.name == "erf" and _bound_first(atom, bound):
            atom, c = _turned(atom), rational(c * (-1) ** int(e))
        powers.append((atom, e))
    return Poly({Term(collected(powers)): c})


def _bound_first(call: Call, bound: frozenset[Index]) -> bool:
    u = _multiplied(call.args[0])
    names = {c: [a for a, _ in t if isinstance(a, Ref) and a.slots] for t, c in u}
    if len(names) != 2 or any(len(found) != 1 for found in names.values()):
        return False
    (minus,), (plus,) = (names[c] for c in sorted(names))
    return minus.tensor is plus.tensor and not bound.isdisjoint(plus.free - minus.free)


def _turned(call: Call) -> Call:
    u = _multiplied(call.args[0])
    return Call(call.name, [Poly({t: -c for t, c in u})])


def _multiplied(u: Poly) -> Poly:
    """a s − a t of a (s − t)."""
    (term, c) = u.single or (ONE_TERM, 0)
    for bracket in (a for a, e in term if isinstance(a, Poly) and e == 1):
        rest = Poly({Term({a: e for a, e in term if a is not bracket}): c})
        return raw_add(raw_product([rest, Poly({t: d})]) for t, d in bracket)
    return u


def _term(term: Term, c: Rational, phi: Unknown, lower: bool, bound: frozenset[Index]) -> Poly:
    term = _density(_within(term), phi)
    front, parts = Fraction(c), []
    for atom, e in term:
        match atom:
            case Num() if e.denominator == 1:
                front *= Fraction(atom.prime) ** int(e)
            case Poly() if e.denominator == 1:
                times, inner = _content(with_normal_law(atom, phi, lower, bound))
                front *= Fraction(times) ** int(e)
                parts.append(_power(inner, e))
            case Sum() if e == 1:
                times, inner = _content(
                    with_normal_law(atom.body, phi, lower, bound | {*atom.bound})
                )
                front *= Fraction(times)
                parts.append(raw_sum(atom.bound, inner))
            case Call() if atom.name != "erf":
                args = [with_normal_law(a, phi, lower, bound) for a in atom.args]
                call = Call(atom.name, args)
                density = atom.name is phi and _bound_first(call, bound)
                parts.append(raw_atom(_turned(call) if density else call, e))
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


def _paired(poly: Poly, lower: bool = False) -> Poly:
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
            value = (
                [law]
                if beside == c
                else [_less(law, lower)]
                if e == 1
                else [law, _less(law, lower)]
            )
            del terms[term], terms[rest]
            whole = raw_product([Poly({rest: rational(2 * e * beside)}), *value])
            return _paired(raw_add([Poly(terms), whole]), lower)
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


def _less(law: Poly, lower: bool) -> Poly:
    """1 − Φ(u), or Φ(−u)."""
    ((term, _),) = law
    ((call, _),) = term
    if lower and isinstance(call, Call):
        return raw_atom(_turned(call))
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


def _apart(atom: Atom) -> tuple[Poly, list[tuple[Atom, Rational]]] | None:
    """u of e^{-u²/2}, and what is beside that: e^{-r t} of e^{-r t - u²/2}."""
    if not isinstance(atom, Call) or atom.name != "exp":
        return None
    if (alone := _deviation(atom.args[0])) is not None:
        return alone, []
    terms = spliced(atom.args[0])
    found = [(u, t) for t, c in terms if (u := _deviation(Poly({t: c}))) is not None]
    if len(found) != 1:
        return None
    ((u, own),) = found
    return u, [(Call("exp", [Poly({t: c for t, c in terms if t is not own})]), 1)]


def _deviation(exponent: Poly) -> Poly | None:
    """u of -u²/2."""
    only = exponent.single
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
        found = _apart(atom) if e == 1 else None
        if found is None:
            continue
        u, beside = found
        rest = [(a, k) for a, k in term if a is not atom and a is not pi]
        return Term(collected([*rest, *beside, (ROOT, HALF), (Call(phi, [u]), 1)]))
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
    return any(_apart(a) is not None for a, k in term if k == 1)


__all__ = ["density", "with_normal_law"]
