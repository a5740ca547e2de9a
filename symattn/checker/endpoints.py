"""The value of an antiderivative at an end, or its limit there."""

from __future__ import annotations

from typing import Any

import sympy as sp

from .antiderivatives import FAILURES, ODD, PATIENCE, Unknown
from .deadline import Late, within
from .intervals import dangers, finite


def at_end(
    primitive: sp.Expr, t: sp.Symbol, end: sp.Expr, side: str
) -> tuple[sp.Expr, tuple[Any, ...]]:
    """The value at an end, or the limit there, with the names that are assumed to be positive."""
    if finite(end):
        at = primitive.xreplace({t: end})
        singular = any(g.xreplace({t: end}).is_zero is not False and g.xreplace({t: end}).is_number
                       for g, _ in dangers(primitive, t))  # fmt: skip
        if not singular and not at.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I):
            return at, ()
    signless = sorted((p for p in primitive.free_symbols - {t} if p.is_positive is None), key=str)
    value = _limit(primitive, t, end, side)
    if value is not None:
        return value, ()
    if not signless:
        raise Unknown
    for p in signless:
        value = _with(primitive, t, end, side, [p])
        if value is not None:
            return value, (p,)
    taken = list(signless)
    value = _with(primitive, t, end, side, taken)
    if value is None:
        raise Unknown
    for p in signless:
        fewer = [q for q in taken if q != p]
        if _with(primitive, t, end, side, fewer) == value:
            taken = fewer
    return value, tuple(taken)


def _with(
    primitive: sp.Expr,
    t: sp.Symbol,
    end: sp.Expr,
    side: str,
    taken: list[Any],
    sign: str = "positive",
) -> sp.Expr | None:
    """The limit where these names are positive."""
    other = {p: sp.Symbol(p.name, **{sign: True}) for p in taken}
    value = _limit(primitive.xreplace(other), t, end.xreplace(other), side)
    return value.xreplace({v: k for k, v in other.items()}) if value is not None else None


def _limit(primitive: sp.Expr, t: sp.Symbol, end: sp.Expr, side: str) -> sp.Expr | None:
    terms = sp.Add.make_args(sp.expand_mul(primitive))
    if not finite(end) and any(_bell(term, t, end) is sp.nan for term in terms):
        return None
    values = [_raw_limit(term, t, end, side) for term in terms] if len(terms) > 1 else [None]
    settled = all(v is not None and v.is_finite for v in values)
    value = sp.Add(*values) if settled else _raw_limit(primitive, t, end, side)
    if value is None or value.has(*ODD, sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I) or value.has(t):
        return None
    return value


def _raw_limit(primitive: sp.Expr, t: sp.Symbol, end: sp.Expr, side: str) -> sp.Expr | None:
    if not finite(end) and (known := _bell(primitive, t, end)) is not None:
        return known if known.is_finite else None
    try:
        return within(PATIENCE, lambda: sp.limit(primitive, t, end, side))
    except (Late, *FAILURES):
        return None


def _bell(term: sp.Expr, t: sp.Symbol, end: sp.Expr) -> sp.Expr | None:
    """The limit at ±∞ of powers times exponentials and error functions of polynomials.

    NaN where a sign decides it that is not known; None for any other term.
    """
    if isinstance(term, sp.Add):
        return None
    constant, rest = term.as_independent(t, as_Add=False)
    exponent, value, grows = sp.S.Zero, constant, False
    for factor in sp.Mul.make_args(rest):
        if isinstance(factor, sp.exp):
            exponent += factor.args[0]
        elif isinstance(factor, sp.erf) and factor.args[0].is_polynomial(t):
            sign = leading(factor.args[0], t, end)
            if sign == 0:
                return sp.nan
            value *= sign
        elif factor.is_polynomial(t):
            grows = grows or factor.has(t)
        else:
            return None
    if not exponent.has(t):
        return value if not grows and rest != 1 else None
    if not exponent.is_polynomial(t):
        return None
    sign = leading(exponent, t, end)
    return sp.S.Zero if sign < 0 else sp.nan if sign == 0 else None


def leading(poly: sp.Expr, t: sp.Symbol, end: sp.Expr) -> int:
    """The sign of a polynomial at ±∞; 0 where it is not known."""
    found = sp.Poly(poly, t)
    leading = sp.factor(found.LC()) * (1 if end == sp.oo or found.degree() % 2 == 0 else -1)
    return 1 if leading.is_positive else -1 if leading.is_negative else 0


__all__ = ["at_end", "leading"]
