"""Derivatives written out before anything is averaged: ∂ℓ/∂μ of a log density as (x − μ)/σ²."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from . import laws
from .evaluated import below, opened
from .names import reached
from .source import ReadError
from .terms import (
    MINUS_ONE,
    ONE,
    ZERO,
    Add,
    Call,
    Compare,
    Derivative,
    Mul,
    Number,
    Pow,
    Ref,
    Term,
    Total,
    refs,
)

if TYPE_CHECKING:
    from .elaborate import Reader


class Unwritten(Exception):
    """Something whose derivative is not written out here."""


def slope(reader: Reader, term: Derivative, at: int) -> Term | None:
    """A derivative of what the text defines, written out; None where that is not known."""
    try:
        return _slope(reader, term, at)
    except (Unwritten, ReadError):
        return None


def _slope(reader: Reader, term: Derivative, at: int) -> Term:
    by = term.bottom
    if isinstance(term.top, Derivative):
        inside = _slope(reader, term.top, at)
    else:
        body = laws.body(reader, term.top)
        if body is None:
            raise Unwritten
        inside = body
    if any(_moves(reader, r, by) for r in refs(inside)):
        raise Unwritten
    return _derived(opened(reader, inside, by.name, by.name, at), by)


def _moves(reader: Reader, ref: Ref, by: Ref) -> bool:
    """What is drawn hangs on what is derived by, as y = w x + ε: is it held, as data are?"""
    inside = reached([ref.name], reader.uses)
    drawn = not inside.isdisjoint(reader.names.laws)
    return drawn and ref.name != by.name and by.name in below(reader, ref)


def _derived(term: Term, by: Ref) -> Term:
    """∂term/∂by, where names stand for themselves."""
    if by.name not in {r.name for r in refs(term)}:
        return ZERO
    match term:
        case Ref():
            pairs = zip(term.slots, by.slots, strict=True)
            return _product([Compare("=", a, b) for a, b in pairs])
        case Add():
            return _sum([(sign, _derived(p, by)) for sign, p in term.parts])
        case Mul():
            rows = (
                [*term.parts[:k], _derived(p, by), *term.parts[k + 1 :]]
                for k, p in enumerate(term.parts)
            )
            return _sum([(1, _product(row)) for row in rows])
        case Pow(exponent=Number(value=n)):
            less = Pow(term.base, Number(n - 1)) if n != 2 else term.base
            return _product([Number(n), less, _derived(term.base, by)])
        case Call(name="log", others=()):
            return _product([Pow(term.argument, MINUS_ONE), _derived(term.argument, by)])
        case Call(name="exp", others=()):
            return _product([term, _derived(term.argument, by)])
        case Total():
            inside = _derived(term.body, by)
            return ZERO if inside == ZERO else Total(term.letters, inside)
    raise Unwritten


def _sum(terms: list[tuple[int, Term]]) -> Term:
    left = tuple((sign, t) for sign, t in terms if t != ZERO)
    if not left:
        return ZERO
    return left[0][1] if len(left) == 1 and left[0][0] == 1 else Add(left)


def _product(factors: list[Term]) -> Term:
    if ZERO in factors:
        return ZERO
    number = sp.Mul(*(f.value for f in factors if isinstance(f, Number)))
    rest = [f for f in factors if not isinstance(f, Number)]
    left = [Number(number), *rest] if number != 1 else rest
    return Mul(tuple(left)) if len(left) > 1 else left[0] if left else ONE


__all__ = ["slope"]
