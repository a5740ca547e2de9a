"""Where a function of one number may jump between two ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from .antiderivatives import FAILURES, PATIENCE, Unknown
from .deadline import Late, within


def finite(*ends: sp.Expr) -> bool:
    return all(e not in (sp.oo, -sp.oo) for e in ends)


def dangers(expr: sp.Expr, t: sp.Symbol) -> Iterator[tuple[sp.Expr, str]]:
    """Where an expression may jump or have no value: what must not be 0, or below it."""
    for node in sp.preorder_traversal(expr):
        if not node.has(t):
            continue
        if isinstance(node, sp.Pow):
            base, exponent = node.args
            if base == sp.E or not base.has(t):
                continue
            if not exponent.is_integer:
                yield base, "> 0" if not exponent.is_positive else ">= 0"
            elif not exponent.is_nonnegative:
                yield base, "!= 0"
        elif isinstance(node, sp.log):
            yield node.args[0], "> 0"
        elif isinstance(node, sp.tan | sp.sec):
            yield sp.cos(node.args[0]), "!= 0"
        elif isinstance(node, sp.cot | sp.csc):
            yield sp.sin(node.args[0]), "!= 0"
        elif isinstance(node, sp.coth):
            yield sp.sinh(node.args[0]), "!= 0"
        elif isinstance(node, sp.asin | sp.acos):
            yield 1 - node.args[0] ** 2, ">= 0"
        elif isinstance(node, sp.atanh):
            yield 1 - node.args[0] ** 2, "> 0"
        elif isinstance(node, sp.acosh):
            yield node.args[0] - 1, ">= 0"


def clear(
    g: sp.Expr, needs: str, t: sp.Symbol, low: sp.Expr, high: sp.Expr
) -> list[tuple[str, Any]]:
    """What keeps g from 0 between the ends, if anything.  Raises Unknown where 0 is met."""
    sign = sign_of(g, t, low, high)
    if sign > 0 or (sign < 0 and needs == "!= 0") or (needs == ">= 0" and g.is_nonnegative):
        return []
    if sign < 0:
        raise Unknown
    numbers = not (g.free_symbols - {t}) and all(
        e.is_number or e in (sp.oo, -sp.oo) for e in (low, high)
    )
    if numbers:
        if _isclear(g, needs, t, low, high):
            return []
        raise Unknown
    return [("{} " + needs + " between the limits", g)]


def sign_of(g: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> int:
    """The sign of an expression inside of the interval; 0 where it is not known."""
    if g.is_positive or g.is_negative:
        return 1 if g.is_positive else -1
    factors = sp.Mul.make_args(sp.factor(sp.together(g)))
    if len(factors) > 1:
        signs = [sign_of(f, t, low, high) for f in factors]
        return int(np.prod(signs))
    if isinstance(g, sp.Pow) and g.exp.is_integer:
        inner = sign_of(g.base, t, low, high)
        return inner**2 if g.exp.is_even else inner
    if not g.is_polynomial(t) or sp.degree(g, t) != 1:
        return 0
    ends = [_towards(g, t, e) for e in (low, high)]
    for sign, weak, strict in ((1, "is_nonnegative", "is_positive"),
                               (-1, "is_nonpositive", "is_negative")):  # fmt: skip
        if all(getattr(e, weak) for e in ends) and any(getattr(e, strict) for e in ends):
            return sign
    return 0


def _towards(g: sp.Expr, t: sp.Symbol, end: sp.Expr) -> sp.Expr:
    """The value at an end; at ∞ the sign of the slope."""
    if end in (sp.oo, -sp.oo):
        slope = sp.diff(g, t)
        return slope if end == sp.oo else -slope
    return sp.simplify(g.xreplace({t: end}))


def _isclear(g: sp.Expr, needs: str, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> bool:
    """True where a function of one number is known not to be 0 inside of the interval."""
    if (low - high).is_positive:
        low, high = high, low
    inside = sp.Interval.open(low, high)
    real = sp.Symbol("t_1", real=True)
    try:
        zeros = within(PATIENCE, lambda: sp.solveset(g.xreplace({t: real}), real, inside))
    except (Late, *FAILURES):
        return False
    if zeros is not sp.S.EmptySet and zeros != sp.S.EmptySet:
        return False
    middle = (low + high) / 2 if finite(low, high) else (
        low + 1 if low != -sp.oo else high - 1 if high != sp.oo else sp.S.Zero)  # fmt: skip
    return needs == "!= 0" or bool(sp.N(g.xreplace({t: middle})) > 0)


__all__ = ["clear", "dangers", "finite", "sign_of"]
