"""Laws of powers, exponentials and logarithms, each with its side condition.

(x^a)^b = x^{ab}              b an integer, or x ≥ 0, or a no integer (so that x ≥ 0 already)
exp(p) exp(q) = exp(p + q)    always
exp(c log p + r) = p^c exp r  c rational; log p presupposes p > 0
log(x^a y) = a log x + log y  x > 0, y > 0
(c m p)^a = c^a m^a p^a       m, c > 0, or a an integer
sin² = 1 − cos²               always
|c x| = c |x|                 c > 0, and so relu; step and sign of c x are those of x
step² = step, |x|² = x²       always
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp

from . import normalize as nf
from . import primitives
from .budget import spend
from .canonical import key
from .errors import LimitError, UndefinedError
from .ir import (
    ONE,
    ONE_TERM,
    ZERO,
    Argmax,
    Atom,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Num,
    Poly,
    Rational,
    Ref,
    Slot,
    Sum,
    Term,
    Unknown,
    determinant_tensor,
    magnitude,
    number,
    rational,
    raw_atom,
    scalar,
)

POWER_LIMIT = 64  # the largest integer power of a several-term expression that is multiplied out


# ------------------------------------------------------------------------------------------ signs


def sign_of(node: Any) -> str:
    """ "+" when every value is positive, "0+" when none is negative, "" when that is not known."""
    return _sign(node)


@lru_cache(maxsize=1 << 16)
def _sign(node: Any) -> str:
    match node:
        case Ref():
            known = "0+" if node.tensor.role == "place" else node.tensor.sign
            return known if known in ("+", "0+") else ""
        case Num():
            return "+"
        case Delta() | Mask() | Argmax():
            return "0+"
        case Max():  # one positive argument is enough
            signs = [_sign(a) for a in node.args]
            return "+" if "+" in signs else "0+" if "0+" in signs or ZERO in node.args else ""
        case Call():
            return primitives.by_name(node.name).sign
        case Sum():
            sign = _sign(node.body)
            if sign == "+" and not all((b.size - 1).is_nonnegative for b in node.bound):
                return "0+"  # a sum over n − 1 indices may be empty
            return sign
        case Term():
            signs = [_power_sign(atom, e) for atom, e in node]
            return "" if "" in signs else "0+" if "0+" in signs else "+"
        case Poly():
            signs = [_sign(term) if c > 0 else "" for term, c in node]
            return "" if "" in signs or not signs else "+" if "+" in signs else "0+"
    return ""


def _power_sign(atom: Atom, e: Rational) -> str:
    sign = _sign(atom)
    if sign == "+" or (sign == "0+" and e > 0):
        return sign
    if not isinstance(e, int):
        return "0+"  # a real root is not negative
    return "0+" if e % 2 == 0 else sign


def slot_order(slot: Slot) -> tuple[Any, ...]:
    """The order of slots in a symmetric tensor."""
    return (0, slot.sort) if isinstance(slot, Index) else (1, key(slot))


# ----------------------------------------------------------------------------------------- powers


@lru_cache(maxsize=1 << 16)
def power(poly: Poly, e: Rational) -> Poly:
    """poly ** e in normal form."""
    spend()
    if e == 0 or poly is ONE:
        return ONE
    if e == 1:
        return poly
    if not poly.terms:
        if e < 0:
            raise UndefinedError("a division by zero", mend="look at the denominator")
        return ZERO
    only = poly.single
    if only:
        return _term_power(*only, e)
    if isinstance(e, int) and e > 0:
        if e > POWER_LIMIT:
            raise LimitError(
                f"a sum to the power {e} is not multiplied out",
                mend=f"use powers up to {POWER_LIMIT}",
            )
        half = power(poly, e // 2)
        return nf.multiply(half, half, poly) if e % 2 else nf.multiply(half, half)
    coefficient, content, primitive = primitive_part(poly, integer=isinstance(e, int))
    if content is ONE_TERM and coefficient == 1:
        return raw_atom(primitive, e)
    return nf.multiply(
        _number_power(coefficient, e),
        _term_power(content, 1, e),
        raw_atom(primitive, e) if primitive is poly else power(primitive, e),
    )


def _term_power(term: Term, coefficient: Rational, e: Rational) -> Poly:
    if isinstance(e, int):
        return nf.scale(
            nf.product({a: rational(k * e) for a, k in term}), rational(Fraction(coefficient) ** e)
        )
    split: dict[Atom, Rational] = {}
    rest: dict[Atom, Rational] = {}
    for atom, k in term:
        free = not isinstance(k, int) or sign_of(atom) != ""
        (split if free else rest)[atom] = rational(k * e) if free else k
    result = nf.multiply(_number_power(magnitude(coefficient), e), nf.product(split))
    sign = 1 if coefficient > 0 else -1
    if rest and sign > 0 and all(k % 2 == 0 for k in rest.values()):  # |x y| = |x| |y|
        squares: dict[Atom, Rational] = {
            Poly({Term({a: 2}): 1}): rational(Fraction(k, 2) * e) for a, k in rest.items()
        }
        return nf.multiply(result, nf.product(squares))
    if not rest:
        if sign < 0:
            raise UndefinedError("a root of a negative quantity", mend="look at the radicand")
        return result
    if is_turned(rest):  # (y/x)^e = (x/y)^−e
        rest, e = {a: -k for a, k in rest.items()}, rational(-e)
    return nf.multiply(result, raw_atom(Poly({Term(rest): sign}), e))


def is_turned(powers: Mapping[Atom, Rational]) -> bool:
    """True for one of M and 1/M, whatever letters stand in M; M = (x + y)/z is multiplied out."""
    if any(isinstance(a, Poly) and e < 0 for a, e in powers.items()):
        return False
    first: dict[str, list[Rational]] = {}
    for a, e in powers.items():
        if isinstance(a, Ref):
            first.setdefault(f"{a.tensor.name}{a.tensor.role}[", []).append(e)
        elif not a.free:
            first[key(a)] = [e]
    alone = {name: es[0] for name, es in first.items() if len(es) == 1}
    return bool(alone) and alone[min(alone)] < 0


@lru_cache(maxsize=4096)
def _factors(whole: int) -> dict[int, int]:
    """A positive integer as Π prime ** k; of a large one the last factor may be composite."""
    if whole.bit_length() <= 60:
        return {int(p): int(k) for p, k in sp.factorint(whole).items()}
    found = sp.factorint(
        whole, limit=1 << 12, use_rho=False, use_pm1=False, use_ecm=False, verbose=False
    )
    return {int(p): int(k) for p, k in found.items()}


@lru_cache(maxsize=4096)
def _number_power(value: Rational, e: Rational) -> Poly:
    fraction = Fraction(value)
    if isinstance(e, int):
        return number(rational(fraction**e))
    powers: dict[Atom, Rational] = {}
    for whole, sign in ((fraction.numerator, 1), (fraction.denominator, -1)):
        for prime, k in _factors(whole).items():
            atom = Num(int(prime))
            powers[atom] = rational(powers.get(atom, 0) + sign * k * e)
    return nf.product(powers)


@lru_cache(maxsize=1 << 14)
def primitive_part(poly: Poly, integer: bool) -> tuple[Rational, Term, Poly]:
    """poly = coefficient · content · primitive, the greatest common (Laurent) factors taken out.

    Without `integer` only factors that are never negative come out, so that roots may be split.
    """
    coefficient, content = common_content(list(poly), integer)
    inverse = {a: -e for a, e in content}
    return (
        coefficient,
        content,
        nf.scale(nf.times(poly, inverse), rational(1 / Fraction(coefficient))),
    )


def common_content(
    terms: Sequence[tuple[Term, Rational]],
    integer: bool,
    apart: frozenset[Index] = frozenset(),
    signs: frozenset[str] = frozenset(("+", "0+")),
    squares: bool = False,
) -> tuple[Rational, Term]:
    """The greatest common (Laurent) factor of these terms, as a coefficient and a product.

    Without `integer` its factors have one of the `signs`: it is never negative, or positive where
    "+" alone is asked for; with `squares` it has those of names of any sign.  What touches an
    index in `apart` stays inside.
    """
    gcd = Fraction(0)
    for _, c in terms:
        gcd = Fraction(
            int(sp.igcd(gcd.numerator, Fraction(c).numerator)),
            int(sp.ilcm(gcd.denominator, Fraction(c).denominator)),
        )
    if integer and min(terms, key=lambda pair: key(pair[0]))[1] < 0:
        gcd = -gcd
    common: dict[Atom, Rational] = {}
    for atom in dict.fromkeys(atom for term, _ in terms for atom, _ in term):
        if isinstance(atom, Delta | Mask | Argmax) or not apart.isdisjoint(atom.free):
            continue
        if isinstance(atom, Call) and atom.name == "exp":
            continue
        least = min(term.powers.get(atom, 0) for term, _ in terms)
        root = "+" in signs and "0+" in signs and not isinstance(least, int)
        if integer or sign_of(atom) in signs or root:
            common[atom] = least
        elif squares and "0+" in signs and isinstance(least, int):
            common[atom] = least - least % 2  # a square
    exponent = _common_exponent([term for term, _ in terms], apart)
    if exponent.terms:
        common[Call("exp", (exponent,))] = 1
    return rational(gcd), Term({atom: e for atom, e in common.items() if e})


def _exponent(term: Term) -> Poly:
    for atom, _ in term:
        if isinstance(atom, Call) and atom.name == "exp":
            return atom.args[0]
    return ZERO


def _common_exponent(terms: list[Term], apart: frozenset[Index]) -> Poly:
    # The least coefficient of every monomial, so that 1/(1 + e^{-x}) = e^x/(e^x + 1).
    exponents = [_exponent(term) for term in terms]
    monomials = dict.fromkeys(m for p in exponents for m in p.terms if apart.isdisjoint(m.free))
    return Poly({m: min(p.terms.get(m, 0) for p in exponents) for m in monomials})


def cancel_common_denominators(poly: Poly, bound: tuple[Index, ...]) -> Poly:
    """Σ (x/q + y/q) = Σ 1 for q = x + y: terms over one bound several-term base are divided."""
    bases = dict.fromkeys(
        atom
        for term, _ in poly
        for atom, e in term
        if isinstance(atom, Poly) and isinstance(e, int) and e < 0 and atom.free & set(bound)
    )
    for base in bases:
        poly = _divide_by(poly, base)
    return poly


def _divide_by(poly: Poly, base: Poly) -> Poly:
    lead = min(base.terms, key=key)
    if any(isinstance(a, Delta | Mask | Argmax) for a, _ in lead):
        return poly  # it may be 0
    groups: dict[Rational, dict[Term, Rational]] = {}
    for term, c in poly:
        groups.setdefault(term.powers.get(base, 0), {})[term] = c
    for e in sorted(groups):
        if e >= 0 or not isinstance(e, int) or len(groups[e]) < 2:
            continue  # one term is none fewer
        # Long division in one variable ordering: replace lead·r by base·r − (base − lead)·r.
        done: dict[Term, Rational] = {}
        remaining = dict(groups[e])
        tail = Poly({t: c for t, c in base if t is not lead})
        for _ in range(4 * len(groups[e])):
            hit = min((t for t in remaining if _divides(lead, t)), key=key, default=None)
            if hit is None or len(done) > 2 * len(groups[e]):
                break
            spend(1 + len(remaining) // 8)
            c = rational(Fraction(remaining.pop(hit)) / base.terms[lead])
            cofactor = nf.multiply(Poly({hit: c}), power(Poly({lead: 1}), -1))
            for into, more, sign in (
                (remaining, nf.multiply(cofactor, tail), -1),
                (done, nf.times(cofactor, {base: 1}), 1),
            ):
                for t, d in more:
                    if total := rational(into.pop(t, 0) + sign * d):
                        into[t] = total
        candidate = nf.add(Poly(remaining), Poly(done))
        if len(candidate) < len(groups[e]):
            others = Poly({t: c for k, g in groups.items() if k != e for t, c in g.items()})
            return _divide_by(nf.add(others, candidate), base)
    return poly


def _divides(lead: Term, term: Term) -> bool:
    """lead's factors all occur in term with at least their exponents."""
    for atom, e in lead:
        if isinstance(atom, Call) and atom.name == "exp":
            inside = _exponent(term)
            if any(inside.terms.get(m, 0) < c for m, c in atom.args[0] if c > 0):
                return False
        elif term.powers.get(atom, 0) < e:
            return False
    return True


# -------------------------------------------------------------------- exponentials and logarithms


@lru_cache(maxsize=1 << 16)
def exponential(poly: Poly) -> Poly:
    """exp(p), the logarithms of the exponent taken out as powers."""
    rest: dict[Term, Rational] = {}
    powers: list[Poly] = []
    for term, c in poly:
        only = next(iter(term)) if len(term.powers) == 1 else None
        if only and only[1] == 1 and isinstance(only[0], Call) and only[0].name == "log":
            powers.append(power(only[0].args[0], c))
        else:
            rest[term] = c
    plain = raw_atom(Call("exp", (Poly(rest),))) if rest else ONE
    return nf.multiply(plain, *powers) if powers else plain


@lru_cache(maxsize=1 << 16)
def logarithm(poly: Poly) -> Poly:
    """log(p), split over factors that are positive."""
    only = poly.single
    if only is None:
        if not poly.terms:
            raise UndefinedError("the logarithm of zero")
        coefficient, content, primitive = primitive_part(poly, integer=False)
        positive = Term({a: e for a, e in content if sign_of(a) == "+"})
        if coefficient == 1 and positive is ONE_TERM:
            return raw_atom(Call("log", (poly,)))
        left = Term({a: e for a, e in content if sign_of(a) != "+"})
        inner = nf.multiply(Poly({left: 1}), primitive)
        return nf.add(_log_number(coefficient), _log_factors(positive), logarithm(inner))
    term, coefficient = only
    if coefficient == 1 and len(term.powers) == 1:
        ((atom, e),) = term
        if isinstance(atom, Ref) and atom.tensor.role == "det":  # the logarithm presupposes det > 0
            (matrix,) = atom.tensor.of
            return nf.scale(raw_atom(Ref(determinant_tensor(matrix, "logdet"))), e)
    positive = Term({a: e for a, e in term if sign_of(a) == "+"})
    rest = Term({a: e for a, e in term if sign_of(a) != "+"})
    sign = 1 if coefficient > 0 else -1
    parts = [_log_number(magnitude(coefficient)), _log_factors(positive)]
    if rest is not ONE_TERM or sign < 0:
        parts.append(raw_atom(Call("log", (Poly({rest: sign}),))))
    return nf.add(*parts)


def _log_factors(term: Term) -> Poly:
    parts = []
    for atom, e in term:
        if isinstance(atom, Call) and atom.name == "exp":
            parts.append(nf.scale(atom.args[0], e))
        elif isinstance(atom, Num):
            parts.append(nf.scale(_log_number(atom.prime), e))
        elif isinstance(atom, Ref) and atom.tensor.role == "det":
            (matrix,) = atom.tensor.of
            parts.append(nf.scale(raw_atom(Ref(determinant_tensor(matrix, "logdet"))), e))
        else:
            base = atom if isinstance(atom, Poly) else raw_atom(atom)
            parts.append(nf.scale(raw_atom(Call("log", (base,))), e))
    return nf.add(*parts)


def _log_number(value: Rational) -> Poly:
    fraction = Fraction(value)
    parts = []
    for whole, sign in ((fraction.numerator, 1), (fraction.denominator, -1)):
        for prime, k in _factors(whole).items():
            parts.append(nf.scale(raw_atom(Call("log", (number(int(prime)),))), sign * int(k)))
    return nf.add(*parts)


def at_arguments(formula: Poly, args: Iterable[Poly]) -> Poly:
    """A formula of primitives.VARIABLES at these arguments."""
    put = dict(zip(map(scalar, primitives.VARIABLES), args, strict=False))
    return nf.rewrite(formula, put.get, around={i for a in put.values() for i in a.free})


HOMOGENEOUS = frozenset(("step", "sign", "abs", "relu"))


def _of_sign(name: str, x: Poly) -> Poly | None:
    """|c x| = c |x| and step(c x) = step(x) for c > 0, and values where the sign of x is known.

    None where the argument has no positive factor and its sign is not known.
    """
    degree = int(name in ("abs", "relu"))
    for sign, y in ((1, x), (-1, nf.scale(x, -1))):
        known = sign_of(y)
        if known == "+" or (known and (name != "sign") and (sign > 0 or name != "step")):
            value = {"step": sign > 0, "sign": sign, "abs": 1, "relu": sign > 0}[name]
            return nf.scale(y if degree else ONE, int(value))
    only = x.single if name == "abs" else None
    if only and all(isinstance(e, int) for _, e in only[0]):  # |x y| = |x| |y|
        term, c = only
        if len(term.powers) > 1 or magnitude(c) != 1 or any(e != 1 for _, e in term):
            factors = (power(call("abs", (raw_atom(a),)), e) for a, e in term)
            return nf.scale(nf.multiply(*factors), magnitude(c))
    c, content = common_content(list(x), integer=False, signs=frozenset("+"))
    if c == 1 and content is ONE_TERM:
        return None
    inside = nf.scale(nf.times(x, {a: -e for a, e in content}), rational(1 / Fraction(c)))
    return nf.multiply(Poly({content: c}) if degree else ONE, call(name, (inside,)))


@lru_cache(maxsize=1 << 16)
def call(name: str | Unknown, args: tuple[Poly, ...]) -> Poly:
    """A registered function of normal arguments."""
    if name == "exp":
        return exponential(args[0])
    if name == "log":
        return logarithm(args[0])
    if isinstance(name, Unknown):
        return raw_atom(Call(name, args))
    primitive = primitives.by_name(name)
    if primitive.arity > 1:
        return raw_atom(Call(name, args))
    (x,) = args
    if name in HOMOGENEOUS and x.terms and (value := _of_sign(name, x)) is not None:
        return value
    if primitive.parity and x.terms and min(x, key=lambda pair: key(pair[0]))[1] < 0:
        return nf.scale(raw_atom(Call(name, (nf.scale(x, -1),))), primitive.parity)
    if not x.terms:
        value = primitives.plain(primitive.function(sp.S.Zero))
        if value.is_Rational:
            return number(rational(value))
    return raw_atom(Call(name, args))
