"""Functions with a kink, case by case: f = f₊ [u > 0] + f₀ [u = 0] + f₋ [u < 0].

The cases are written with two indicators, P = step(u) = [u ≥ 0] and Z = step(u) step(−u) = [u = 0]:

    f = f₋ + (f₊ − f₋) P + (f₀ − f₊) Z,   f₀ with u = 0 put in

so what is the same in every case becomes the same polynomial in indicators.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from . import normalize as nf
from . import sums
from .canonical import key
from .errors import UndefinedError
from .ir import (
    ONE,
    ZERO,
    Call,
    Max,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    number,
    parts,
    rational,
)
from .laws import sign_of

KINKS = 8  # of one expression that are gone through
BENT = ("step", "sign", "abs", "relu")


def apart(poly: Poly) -> Poly:
    """The expression with every kink u outside of sums over letters of u as a factor."""

    if not _bent(poly):
        return poly
    poly = _prepared(poly)
    done: set[Poly] = set()
    while len(done) < KINKS:
        found = [u for u in dict.fromkeys(_kinks(poly)) if u not in done]
        if not found:
            break
        u = min(found, key=lambda u: (len(list(_kinks(u))), key(u)))  # inner ones first
        done.add(u)
        poly = _expanded(poly, u)
    return poly


def _by_steps(node: Max) -> Poly:
    """max(x, y) = x + (y − x) step(y − x)."""
    top, *others = (apart(a) for a in node.args)
    for other in others:
        gap = nf.subtract(other, top)
        top = nf.add(top, nf.multiply(gap, nf.call("step", [gap])))
    return top


def _prepared(poly: Poly) -> Poly:
    """The expression with maxima and roots of squares by step and |u|, and sums gone through."""
    return nf.add(
        *(nf.scale(nf.multiply(*(_factor(a, e) for a, e in term)), c) for term, c in poly)
    )


def _factor(atom: Any, e: Rational) -> Poly:
    if not _bent(Term({atom: e})):
        return nf.product({atom: e})
    match atom:
        case Sum():
            bound, body = sums.opened(atom, atom.free)
            return nf.power(nf.sum_over(bound, apart(body)), e)
        case Max(bound=()):
            return nf.power(_by_steps(atom), e)
        case Call():
            return nf.power(nf.call(atom.name, [_prepared(a) for a in atom.args]), e)
        case Poly():
            root = _square_root(atom) if Fraction(e).denominator == 2 else None
            if root is not None:
                return nf.power(nf.call("abs", [root]), rational(2 * e))
            return nf.power(_prepared(atom), e)
    return nf.product({atom: e})


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


def _square_root(base: Any) -> Poly | None:
    """u where the base is u², None for anything else."""
    if not isinstance(base, Poly):
        return None
    squares = []
    for term, c in sorted(base, key=lambda pair: key(pair[0])):
        root = _rational_root(c)
        if root and all(isinstance(e, int) and e % 2 == 0 for _, e in term):
            squares.append(Poly({Term({a: e // 2 for a, e in term}): root}))
    if not squares or len(base) > len(squares) * (len(squares) + 1) // 2:
        return None
    first, *others = squares
    u = first
    for other in others:
        ((term, c),) = nf.multiply(first, other)
        u = nf.add(u, other if base.terms.get(term, 0) * c > 0 else nf.scale(other, -1))
    return u if nf.multiply(u, u) is base else None


def _rational_root(c: Any) -> Any:
    value = Fraction(c)
    if value <= 0:
        return None
    top, bottom = (round(n**0.5) for n in (value.numerator, value.denominator))
    exact = top * top == value.numerator and bottom * bottom == value.denominator
    return rational(Fraction(top, bottom)) if exact else None


def _kinks(node: Any) -> Iterator[Poly]:
    """u of every step(u), |u| and sign(u) whose letters are not bound inside, one sign of each."""
    if isinstance(node, Call) and node.name in BENT:
        (u,) = node.args
        if all(i.level <= 0 for i in u.free):
            yield min(u, nf.scale(u, -1), key=key)
    for part in parts(node):
        yield from _kinks(part)


def _expanded(poly: Poly, u: Poly) -> Poly:
    below, above = _case(poly, u, -1), _case(poly, u, 1)
    try:
        zero = _case(poly, u, 0)
    except UndefinedError:  # an equation says nothing where a side is not defined
        zero = above
    if below is zero is above:
        return below
    positive, negative = nf.call("step", [u]), nf.call("step", [nf.scale(u, -1)])
    return nf.add(
        below,
        nf.multiply(nf.subtract(above, below), positive),
        nf.multiply(_vanishing(nf.subtract(zero, above), u), positive, negative),
    )


def _case(poly: Poly, u: Poly, sign: int) -> Poly:
    """The expression where u has this sign."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Call) or atom.name not in BENT:
            return None
        (v,) = (nf.rewrite(a, rule) for a in atom.args)
        known = sign_where(v, u, sign)
        if known is None:
            return nf.call(atom.name, [v])
        match atom.name:
            case "step":
                return ONE if known >= 0 else ZERO
            case "sign":
                return number(known)
            case "abs":
                return nf.scale(v, known)
        return v if known > 0 else ZERO

    return nf.rewrite(poly, rule)


def sign_where(v: Poly, u: Poly, sign: int) -> int | None:
    """The sign of v where u has the given one; None where it does not follow.

    v = c u + r, with r of the same sign as c u.
    """
    if not v.terms:
        return 0
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
    """The expression with a component of u put in so that u = 0; as it is where there is none."""
    for term, c in sorted(u, key=lambda pair: key(pair[0])):
        if len(term.powers) != 1:
            continue
        ((atom, e),) = term
        rest = Poly({t: d for t, d in u if t is not term})
        if e != 1 or not isinstance(atom, Ref) or any(_has(t, atom) for t in rest.terms):
            continue
        value = nf.scale(rest, rational(-1 / Fraction(c)))
        try:
            return nf.rewrite(poly, {atom: value}.get)
        except UndefinedError:
            return poly
    return poly


def _has(node: Any, atom: Any) -> bool:
    return node is atom or any(_has(part, atom) for part in parts(node))


__all__ = ["apart", "sign_where"]
