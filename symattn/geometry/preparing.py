"""Expressions made ready for the field: quotients of sines, sums in angles, exponents in parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..errors import UnsupportedError


def _one(u: sp.Expr) -> sp.Expr:
    return sp.S.One


QUOTIENTS = {
    sp.tan: (sp.sin, sp.cos),
    sp.cot: (sp.cos, sp.sin),
    sp.sec: (_one, sp.cos),
    sp.csc: (_one, sp.sin),
    sp.tanh: (sp.sinh, sp.cosh),
    sp.coth: (sp.cosh, sp.sinh),
    sp.sech: (_one, sp.cosh),
    sp.csch: (_one, sp.sinh),
}
CIRCULAR = (sp.sin, sp.cos, sp.sinh, sp.cosh)


class Magnitude(sp.Function):
    """|u| of a real u, for its derivative: SymPy's is of complex numbers."""

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        return Sign(self.args[0])


class Sign(sp.Function):
    """The sign of a real u."""

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        return 2 * sp.DiracDelta(self.args[0])


def slope(expr: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """∂/∂x, where all symbols stand for real numbers."""
    if not expr.has(sp.Abs, sp.sign):
        return sp.diff(expr, x)
    real = expr.replace(sp.Abs, Magnitude).replace(sp.sign, Sign)
    return sp.diff(real, x).replace(Magnitude, sp.Abs).replace(Sign, sp.sign)


def prepared(expr: Any) -> sp.Expr:
    """Quotients of sines written out; sums in angles and logarithms taken apart."""
    expr = sp.sympify(expr)
    if not isinstance(expr, sp.Expr):
        raise UnsupportedError(
            f"{expr} is not an exact scalar of plain symbols", got=type(expr).__name__
        )
    if any(not isinstance(d.expr, AppliedUndef) for d in expr.atoms(sp.Derivative)):
        expr = expr.replace(sp.Derivative, lambda *u: sp.Derivative(*u).doit())
    if any(_nested(p) for p in expr.atoms(sp.Pow)):
        expr = sp.sqrtdenest(expr)
    if expr.has(sp.Subs):  # the derivative of f(x) at x is one of f(x)
        expr = expr.replace(lambda e: isinstance(e, sp.Subs), lambda e: e.doit())
    functions = expr.atoms(sp.Function)
    kinds = {type(f) for f in functions}
    for function, parts in QUOTIENTS.items():
        if function in kinds:
            expr = expr.replace(function, lambda u, p=parts: p[0](u) / p[1](u))
    if kinds & {*QUOTIENTS, *CIRCULAR}:
        angles = {f.args[0] for f in expr.atoms(*CIRCULAR)}
        if any(a.is_Add or (a.is_Mul and a.has(sp.Add)) for a in angles):
            for function in CIRCULAR:
                expr = expr.replace(function, lambda u, f=function: sp.expand_trig(f(sp.expand(u))))
    if sp.log in kinds:
        expr = sp.expand_log(expr, factor=True)
    if any(p.base.is_Mul and not p.exp.is_Integer for p in expr.atoms(sp.Pow)):
        expr = sp.expand_power_base(expr)
    return expr


def _without_log(base: sp.Expr, exponent: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """e^{c log u} as u^c."""
    logs = [f for f in sp.Mul.make_args(exponent) if isinstance(f, sp.log)]
    if base is not sp.E or len(logs) != 1:
        return base, exponent
    (log,) = logs
    return log.args[0], exponent / log


def _nested(p: sp.Pow) -> bool:
    """Whether it is a root of a number that has roots in it, such as √(5 + 2√6)."""
    return bool(p.exp.is_Rational and not p.exp.is_Integer and p.base.is_Add and p.base.is_number)


def multiples(e: sp.Expr) -> Iterator[tuple[Any, sp.Expr, sp.Rational]]:
    """(kind or base, direction, amount): an angle or a part of an exponent, amount · direction."""
    if isinstance(e, CIRCULAR):
        amount, direction = e.args[0].as_coeff_Mul(rational=True)
        yield (sp.cos if isinstance(e, sp.sin | sp.cos) else sp.cosh), direction, amount
        return
    power, exponent = e.as_base_exp()
    for part in sp.Add.make_args(sp.expand(exponent)):
        base, part = _without_log(power, part)
        amount, direction = part.as_coeff_Mul(rational=True)
        if base.is_Rational and base != 0:  # its positive primes each have the exponent
            for prime, k in sp.factorrat(base).items():
                yield sp.Integer(prime), direction, amount * k
        else:
            yield base, direction, amount
