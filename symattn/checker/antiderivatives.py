"""Antiderivatives of one number: what SymPy proposes, and the prover says of their derivatives."""

from __future__ import annotations

from functools import partial
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..prove import whether
from .deadline import Late, within

PATIENCE = 2.0  # seconds for an antiderivative or a limit
ODD = (  # what no antiderivative may hold
    *(sp.Integral, sp.Limit, sp.Piecewise, sp.AccumBounds, sp.Derivative, sp.Subs, sp.Order),
    *(sp.Heaviside, sp.DiracDelta, sp.sign, sp.floor, sp.ceiling, sp.Abs, sp.re, sp.im, sp.arg),
)
WHOLE = (sp.exp, sp.sin, sp.cos, sp.sinh, sp.cosh, sp.tanh, sp.atan, sp.asinh, sp.erf, sp.erfc)
FAILURES = (ArithmeticError, ValueError, TypeError, AttributeError, KeyError, IndexError,
             NotImplementedError, RecursionError)  # fmt: skip


class Unknown(Exception):
    """No rule reaches this integral."""


def antiderivative(body: sp.Expr, t: sp.Symbol) -> sp.Expr:
    """F with F′ = body, which is proved.  Raises Unknown where none is found."""
    factor, body = body.as_independent(t, as_Add=False)
    for propose in (_gaussian, _by_hand, _by_sympy):
        try:
            found = within(PATIENCE, partial(propose, body, t))
        except (Late, *FAILURES):
            continue
        found = found.replace(lambda e: isinstance(e, sp.Piecewise), _generic)
        if found.has(*ODD) or not found.has(t) or found.has(sp.I):
            continue
        if found.atoms(sp.Function) - {f for f in found.atoms(sp.Function) if _known(f)}:
            continue
        if _same(sp.diff(found, t), body):
            return factor * found
    raise Unknown


def _gaussian(body: sp.Expr, t: sp.Symbol) -> sp.Expr:
    """For a polynomial times exp(−k t² + b t + c), in u = t − b/(2k)."""
    factors = sp.Mul.make_args(sp.powsimp(body, combine="exp"))
    exponent = sp.Add(*(f.args[-1] for f in factors if isinstance(f, sp.exp)))
    rest = sp.Mul(*(f for f in factors if not isinstance(f, sp.exp)))
    if not (exponent.is_polynomial(t) and rest.is_polynomial(t)):
        raise ValueError
    c, b, a = (sp.Poly(exponent, t).coeff_monomial(t**n) for n in range(3))
    if sp.Poly(exponent, t).degree() != 2 or sp.Poly(rest, t).degree() > 8 or a.is_positive:
        raise ValueError
    k = sp.simplify(-a)
    shift, u = sp.simplify(b / (2 * k)), sp.Symbol("u_0", real=True)
    root = sp.sqrt(k.xreplace({p: sp.Symbol(p.name, positive=True) for p in k.free_symbols}))
    root = root.xreplace({sp.Symbol(p.name, positive=True): p for p in k.free_symbols})
    bell = sp.exp(-k * u**2)
    moments = [sp.sqrt(sp.pi) / (2 * root) * sp.erf(root * u), -bell / (2 * k)]
    shifted = sp.Poly(rest.xreplace({t: u + shift}), u)
    for n in range(2, shifted.degree() + 1):
        moments.append((-(u ** (n - 1)) * bell + (n - 1) * moments[n - 2]) / (2 * k))
    found = sp.Add(*(p * moments[n] for (n,), p in shifted.terms()))
    height = sp.exp(sp.simplify(c + b**2 / (4 * k)))
    return sp.expand_mul(height * found.xreplace({u: t - shift}))


def _by_hand(body: sp.Expr, t: sp.Symbol) -> sp.Expr:
    return sp.integrate(body, t, manual=True)


def _by_sympy(body: sp.Expr, t: sp.Symbol) -> sp.Expr:
    return sp.integrate(sp.expand(body), t, meijerg=False)


def _generic(piece: Any) -> sp.Expr:
    """The case of a Piecewise that holds for almost all parameters."""
    for value, condition in piece.args:
        if condition == sp.true or isinstance(condition, sp.Ne):
            return value
    return piece


def _known(f: Any) -> bool:
    return isinstance(f, (*WHOLE, sp.log, sp.tan, sp.cot, sp.sec, sp.csc, sp.asin, sp.acos,
                          sp.acosh, sp.atanh, sp.coth))  # fmt: skip


def _same(a: sp.Expr, b: sp.Expr) -> bool:
    """True where the prover says that two expressions are equal."""
    try:
        verdict = whether(a, b)
        if verdict.status != "proved":
            verdict = whether(sp.trigsimp(sp.together(a)), sp.trigsimp(sp.together(b)))
    except (SymattnError, *FAILURES):
        return False
    return verdict.status == "proved"


__all__ = ["FAILURES", "ODD", "PATIENCE", "Unknown", "antiderivative"]
