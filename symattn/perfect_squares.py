"""u of u², which |u| is the root of."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from . import normalize as nf
from .canonical import key
from .ir import Call, Poly, Rational, rational


def square_root(base: Any) -> Poly | None:
    """u where the base is u², None for anything else."""
    if not isinstance(base, Poly):
        return None
    squares = []
    for term, c in sorted(base, key=lambda pair: key(pair[0])):
        root = _rational_root(c)
        if root and all(_exponential(a) or (isinstance(e, int) and e % 2 == 0) for a, e in term):
            squares.append(nf.scale(nf.multiply(*(_half(a, e) for a, e in term)), root))
    if not squares or len(base) > len(squares) * (len(squares) + 1) // 2:
        return None
    first, *others = squares
    u = first
    for other in others:
        ((term, c),) = nf.multiply(first, other)
        u = nf.add(u, other if base.terms.get(term, 0) * c > 0 else nf.scale(other, -1))
    return u if nf.multiply(u, u) is base else None


def _exponential(atom: Any) -> bool:
    return isinstance(atom, Call) and atom.name == "exp"


def _half(atom: Any, e: Rational) -> Poly:
    """The square root of an exponential, or of an even power."""
    if _exponential(atom):
        return nf.call("exp", [nf.scale(atom.args[0], rational(Fraction(e) / 2))])
    return nf.product({atom: rational(Fraction(e) / 2)})


def _rational_root(c: Any) -> Any:
    value = Fraction(c)
    if value <= 0:
        return None
    top, bottom = (round(n**0.5) for n in (value.numerator, value.denominator))
    exact = top * top == value.numerator and bottom * bottom == value.denominator
    return rational(Fraction(top, bottom)) if exact else None


__all__ = ["square_root"]
