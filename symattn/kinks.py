"""Functions with a kink, case by case: what is above, at and below every u where something bends.

Outside of sums the cases are gone through one by one, and an expression is 0 where it is 0 in every
case that linear inequalities do not exclude.  Inside of sums, whose letters u may have, the cases
are written with two indicators, P = step(u) = [u ≥ 0] and Z = step(u) step(−u) = [u = 0]:

    f = f₋ + (f₊ − f₋) P + (f₀ − f₊) Z,   f₀ with u = 0 put in

so what is the same in every case becomes the same polynomial in indicators.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any, TypeAlias

import mpmath

from . import maxima, sums
from . import normalize as nf
from .canonical import key
from .errors import LimitError, SymattnError, UndefinedError
from .inequalities import Signs, possible, sign_of_product, signs_of
from .ir import (
    CACHE,
    ONE,
    ZERO,
    Call,
    Max,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    extent,
    number,
    parts,
    rational,
    raw_atom,
    refs,
)
from .laws import sign_of
from .perfect_squares import square_root

KINKS = 8  # under one sum that are gone through
DIGITS = 50  # of numbers whose sign is asked for
LARGEST = 20_000  # nodes of what is gone through
CASES = 600  # outside of sums that are gone through
BENT = ("step", "sign", "abs", "relu")
SCALED = ("abs", "relu")  # of c u with c > 0: c times as large
NO_SIGNS: Signs = {}

Case: TypeAlias = tuple[Poly, int]  # u, and whether it is above 0, 0 or below


def apart(poly: Poly, settled: Callable[[Poly], Poly]) -> Poly:
    """0 where the expression vanishes in every case; else with the sums gone through.

    `settled` brings an expression without kinks to the form in which it is compared with 0.
    """
    if not _bent(poly):
        return poly
    left = [CASES]

    def vanishes(poly: Poly, known: tuple[Case, ...]) -> bool:
        if not poly.terms:
            return True
        found = _first(poly)
        if found is None:
            rooted = _prepared(poly, steps=False)
            if rooted is not poly:
                return vanishes(rooted, known)
            return not settled(_sums_apart(poly)).terms
        for u, sign in known:
            if u is found:  # in a root that became |u| since
                case = _case(poly, u, sign, signs_of(known))
                return case is not poly and vanishes(case, known)
        fixed = _of_number(found)
        for sign in (1, -1, 0):
            cases = (*known, (found, sign))
            if fixed not in (None, sign) or not possible(cases):
                continue
            left[0] -= 1
            if left[0] < 0:
                return False
            try:
                case = _case(poly, found, sign, signs_of(cases))
                case = case if sign else _vanishing(case, found)
            except UndefinedError:  # an equation says nothing where a side is not defined
                continue
            if not vanishes(case, cases):
                return False
        return True

    return ZERO if vanishes(poly, ()) else settled(_sums_apart(poly))


def _sums_apart(poly: Poly) -> Poly:
    """The expression with the bodies of its sums gone through."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Sum) or not _bent(atom):
            return None
        return _body_apart(atom)

    return nf.rewrite(poly, rule)


def _body_apart(atom: Sum) -> Poly:
    """The sum with its body gone through; what no kink has a letter of is summed first."""
    bound, body = sums.opened(atom, atom.free)
    bent = {*bound} & {i for u in open_kinks(body) for i in u.free}
    if bent:
        body = nf.sum_over([i for i in bound if i not in bent], body)
        bound = tuple(i for i in bound if i in bent)
    return nf.sum_over(bound, _by_indicators(body))


def _by_indicators(poly: Poly) -> Poly:
    """The expression with every kink u outside of sums over letters of u as a factor."""
    if not _bent(poly):
        return poly
    poly = _prepared(poly)
    done: set[Poly] = set()
    while len(done) < KINKS:
        found = [u for u in open_kinks(poly) if u not in done]
        if not found:
            break
        u = min(found, key=lambda u: (len(open_kinks(u)), key(u)))  # inner ones first
        done.add(u)
        poly = _expanded(poly, u)
        if extent(poly) > LARGEST:
            raise LimitError("an expression has too many cases")
    return poly


def _by_steps(node: Max) -> Poly:
    """max(x, y) = x + (y − x) step(y − x)."""
    top, *others = (_by_indicators(a) for a in node.args)
    for other in others:
        gap = nf.subtract(other, top)
        top = nf.add(top, nf.multiply(gap, nf.call("step", [gap])))
    return top


def _prepared(poly: Poly, steps: bool = True) -> Poly:
    """Roots of squares by |u|; with `steps` maxima by step as well, and sums gone through."""

    def factor(atom: Any, e: Rational) -> Poly:
        match atom:
            case _ if not _bent(Term({atom: e})):
                return nf.product({atom: e})
            case Sum() if steps:
                return nf.power(_body_apart(atom), e)
            case Max(bound=()) if steps:
                return nf.power(_by_steps(atom), e)
            case Max(bound=()):
                return nf.power(maxima.largest((), [_prepared(a, steps) for a in atom.args]), e)
            case Call():
                args = [_prepared(a, steps) for a in atom.args]
                if atom.name in ("step", "sign"):
                    args = [over_squares(u) for u in args]
                return nf.power(nf.call(atom.name, args), e)
            case Poly():
                root = square_root(atom) if Fraction(e).denominator == 2 else None
                if root is not None:
                    return nf.power(nf.call("abs", [root]), rational(2 * e))
                return nf.power(_prepared(atom, steps), e)
        return nf.product({atom: e})

    return nf.add(*(nf.scale(nf.multiply(*(factor(a, e) for a, e in t)), c) for t, c in poly))


def over_squares(u: Poly) -> Poly:
    """d² u of u = a + b/d: without what u is divided by, and of the same sign."""
    below: dict[Any, int] = {}
    for term, _ in u:
        for atom, e in term:
            if e < 0 and e.denominator == 1:
                below[atom] = max(below.get(atom, 0), -int(e))
    return nf.multiply(u, nf.product({a: rational(n + n % 2) for a, n in below.items()}))


@lru_cache(maxsize=CACHE)
def _bent(node: Any) -> bool:
    """There is a kink inside, or a root that may be one."""
    match node:
        case Max(bound=()):
            return True
        case Call() if node.name in BENT:
            return True
        case Term() if any(isinstance(a, Poly) and Fraction(e).denominator == 2 for a, e in node):
            return True
    return any(map(_bent, parts(node)))


@lru_cache(maxsize=CACHE)
def open_kinks(node: Any) -> tuple[Poly, ...]:
    """u of every step(u), |u| and sign(u), and the gaps of maxima, one sign of each.

    Those with letters that are bound inside are left out.
    """
    found: dict[Poly, None] = {}
    if isinstance(node, Call) and node.name in BENT:
        found[node.args[0]] = None
    if isinstance(node, Max) and not node.bound:
        found |= {nf.subtract(a, b): None for a, b in combinations(node.args, 2)}
    found = {min(v, nf.scale(v, -1), key=key): None for u in found if _open(u) for v in _factors(u)}
    for part in parts(node):
        found |= dict.fromkeys(open_kinks(part))
    return tuple(found)


def _factors(u: Poly) -> list[Poly]:
    """What decides the sign: the factors of one product, whose signs are not known."""
    only = u.single
    if not only:
        return [u]
    return [raw_atom(a) for a, e in only[0] if isinstance(e, int) and sign_of(a) != "+"] or [u]


def _of_number(u: Poly) -> int | None:
    """The sign of an expression without letters and names, which is a number; None elsewhere."""
    if u.free or refs(u):
        return None
    from .carriers import ROUNDED, multiprecision  # which need NumPy, and are seldom needed
    from .evaluate import Evaluator

    try:
        with mpmath.workdps(DIGITS):
            value = Evaluator({}, {}, multiprecision())(u).item()
    except (SymattnError, ArithmeticError, ValueError):
        return None
    if not isinstance(value, mpmath.mpf) or abs(value) < ROUNDED:
        return None
    return 1 if value > 0 else -1


def _open(u: Poly) -> bool:
    return all(i.level <= 0 for i in u.free)


def _first(poly: Poly) -> Poly | None:
    """A kink without another one inside, the shortest one; None where there is none."""
    plain = [u for u in open_kinks(poly) if not open_kinks(u)]
    return min(plain, key=lambda u: (len(u), key(u)), default=None)


def _expanded(poly: Poly, u: Poly) -> Poly:
    below, above = (_case(poly, u, k, signs_of([(u, k)])) for k in (-1, 1))
    try:
        zero = _case(poly, u, 0, {})
    except UndefinedError:  # an equation says nothing where a side is not defined
        zero = above
    if below is zero is above:
        return below
    positive, negative = nf.call("step", [u]), nf.call("step", [nf.scale(u, -1)])
    apart = nf.add(below, nf.multiply(nf.subtract(above, below), positive))
    try:
        there = _vanishing(nf.subtract(zero, above), u)
    except UndefinedError:
        return apart
    return nf.add(apart, nf.multiply(there, positive, negative))


def _case(poly: Poly, u: Poly, sign: int, signs: Signs) -> Poly:
    """The expression where u has this sign, and factors have those of `signs`."""

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Max) and not atom.bound:
            return largest([nf.rewrite(a, rule, around=u.free) for a in atom.args])
        if not isinstance(atom, Call) or atom.name not in BENT:
            return None
        (v,) = (nf.rewrite(a, rule, around=u.free) for a in atom.args)
        known = sign_where(v, u, sign, signs)
        if known is None:
            scale, v = _without(v, u, sign)
            return nf.multiply(scale if atom.name in SCALED else ONE, nf.call(atom.name, [v]))
        match atom.name:
            case "step":
                return ONE if known >= 0 else ZERO
            case "sign":
                return number(known)
            case "abs":
                return nf.scale(v, known)
        return v if known > 0 else ZERO

    def largest(args: list[Poly]) -> Poly:
        kept = list(dict.fromkeys(args))
        for a, b in combinations(tuple(kept), 2):
            both = a in kept and b in kept
            known = sign_where(nf.subtract(a, b), u, sign, signs) if both else None
            if known is not None:
                kept.remove(b if known >= 0 else a)
        return maxima.largest((), kept)

    return nf.rewrite(poly, rule, around=u.free)


def _without(v: Poly, u: Poly, sign: int) -> tuple[Poly, Poly]:
    """|u|ᵏ and ±w of v = uᵏ w, where u has the sign and is no sum; 1 and v of any other v."""
    only, own = v.single, u.single
    if not sign or not only or not own or [*own[0].powers.values()] != [1]:
        return ONE, v
    (factor,) = own[0].powers
    if not isinstance(only[0].powers.get(factor), int):
        return ONE, v
    (term, c), e = only, only[0].powers[factor]
    turn = sign if own[1] > 0 else -sign  # of the factor
    rest = Poly({Term({a: k for a, k in term if a is not factor}): c})
    size = nf.scale(nf.product({factor: e}), rational(turn**e))
    return size, nf.scale(rest, rational(turn**e))


def sign_where(v: Poly, u: Poly, sign: int, signs: Signs = NO_SIGNS) -> int | None:
    """The sign of v where u has the given one; None where it does not follow.

    v = c u + r, with r of the same sign as c u, or a product of factors with known signs.
    """
    if not v.terms:
        return 0
    only = v.single
    if only:
        whole, strict = sign_of_product(only[0], signs)
        if whole and strict:
            return whole if only[1] > 0 else -whole
    lead = min((t for t in u.terms if t.powers), key=key, default=None)
    if lead is None:
        return None
    c = Fraction(v.terms.get(lead, 0)) / Fraction(u.terms[lead])
    rest = nf.subtract(v, nf.scale(u, rational(c)))
    own = (c > 0) * sign - (c < 0) * sign
    if not rest.terms:
        return own
    for side in (1, -1):
        known = sign_of(nf.scale(rest, side))
        if own == side and known:
            return side
        if own == 0 and known == "+":
            return side
    return None


def _vanishing(poly: Poly, u: Poly) -> Poly:
    """The expression with a factor of u put in so that u = 0; as it is where there is none."""
    found = []
    for term, c in u:
        for atom, e in term:
            others = Term({a: k for a, k in term if a is not atom})
            rest = Poly({t: d for t, d in u if t is not term})
            if e == 1 and (not others.powers or sign_of(others) == "+") and atom not in refs(rest):
                # x_i = … before n x_i = … and before Σ_i x_i = …
                order = (not isinstance(atom, Ref), len(others.powers), key(term), key(atom))
                value = nf.times(rest, {a: -k for a, k in others})
                found.append((order, atom, nf.scale(value, rational(-1 / Fraction(c)))))
    if not found:
        return _divided(poly, u)
    _, atom, value = min(found, key=lambda row: row[0])
    singular = atom.tensor.of if isinstance(atom, Ref) and atom.tensor.role == "det" else ()
    inverses = (r.tensor for r in refs(poly) if r.tensor.role == "inverse")
    if not value.terms and singular and any(t.of == singular for t in inverses):
        raise UndefinedError("a matrix whose determinant is 0 has no inverse")
    return nf.rewrite(poly, {atom: value}.get, around=u.free)


def _divided(poly: Poly, u: Poly) -> Poly:
    """The remainder by u = 1 - x y: with 1 for every x y."""
    lead = max((t for t in u.terms if t.powers), key=lambda t: (sum(e for _, e in t), key(t)))
    if any(e < 0 or not isinstance(e, int) for _, e in lead):
        return poly
    c = Fraction(u.terms[lead])
    value = nf.scale(Poly({t: d for t, d in u if t is not lead}), rational(-1 / c))

    def remainder(term: Term) -> Poly:
        times = max(0, min(int(Fraction(term.powers.get(a, 0)) // e) for a, e in lead))
        rest = {a: rational(e - times * Fraction(lead.powers.get(a, 0))) for a, e in term}
        return nf.times(nf.power(value, times), rest)

    return nf.add(*(nf.scale(remainder(t), d) for t, d in poly))


__all__ = ["apart", "over_squares", "sign_where"]
