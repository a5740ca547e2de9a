r"""∫_a^b f dx as F(b) − F(a), and by numbers.

F′ = f is proved, and nothing keeps F from being continuous between a and b; ends at which F has no
value are limits.  Quadrature may speak against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from .antiderivatives import Unknown, antiderivative
from .endpoints import at_end, leading
from .intervals import clear, dangers, finite, sign_of

DRAWS = 4  # points at which numbers are held against it
CLOSE = 1e-6
UNUSABLE = (sp.Sum, sp.core.function.AppliedUndef)


@dataclass(frozen=True)
class Closed:
    """What an integral comes to, and what that presupposes."""

    expr: sp.Expr
    conditions: tuple[str, ...] = ()


def definite(body: sp.Expr, over: Iterable[tuple[Any, Any, Any]]) -> Closed:
    """The value of an integral.  Raises Unknown where no rule gives it."""
    over = tuple(over)
    every = {x for x, _, _ in over}
    exprs = [body, *(e for _, low, high in over for e in (low, high))]
    outside = {y for e in exprs for y in (*e.atoms(sp.Indexed), *e.atoms(sp.Symbol))}
    held = {y for e in exprs for y in e.atoms(*UNUSABLE)}  # what a sum or f(0) is does not matter
    if any(y.free_symbols & every for y in held) or not all(x.is_Symbol for x in every):
        raise Unknown
    inside = {z for y in outside if isinstance(y, sp.Indexed) for z in y.free_symbols}
    inside -= {y for y in outside if isinstance(y, sp.Indexed)}
    loose = sorted((outside | held) - inside - every, key=str)
    plain = {
        y: sp.Symbol(
            f"c_{k}", **({"positive": True} if _positive(y) else {"real": True, "nonzero": True})
        )
        for k, y in enumerate(loose)
    }
    back = {v: k for k, v in plain.items()}
    expr, conditions = body.xreplace(plain), list[str]()
    for x, low, high in over:
        low, high = (e.xreplace(plain) for e in (low, high))
        value, found = _one(expr, x, low, high)
        if not _numbers_agree(expr, x, low, high, value):
            raise Unknown
        expr = value
        conditions += [_said(c, back) for c in found]
    if expr.free_symbols & every or expr.has(sp.oo, -sp.oo, sp.zoo, sp.nan, sp.I):
        raise Unknown
    return Closed(expr.xreplace(back), tuple(dict.fromkeys(conditions)))


def _positive(symbol: Any) -> bool:
    label = symbol.base.label if isinstance(symbol, sp.Indexed) else symbol
    return bool(label.is_positive)


def _said(condition: tuple[str, Any], back: Mapping[Any, Any]) -> str:
    text, expr = condition
    return text.format(sp.sstr(expr.xreplace(back)))


def _one(
    body: sp.Expr, x: sp.Symbol, low: sp.Expr, high: sp.Expr
) -> tuple[sp.Expr, list[tuple[str, Any]]]:
    """∫_low^high body dx, and what it presupposes."""
    if (low - high).is_extended_positive:
        value, conditions = _one(body, x, high, low)
        return -value, conditions
    kind = {"real": True}
    if low.is_nonnegative and (high.is_nonnegative or high == sp.oo):
        kind = {"positive": True}
    elif high.is_nonpositive and (low.is_nonpositive or low == -sp.oo):
        kind = {"negative": True}
    t = sp.Symbol("t_0", **kind)
    body = body.xreplace({x: t})
    if (kink := _kink(body, t, low, high)) is not None:
        left, right = _one(body, t, low, kink), _one(body, t, kink, high)
        return left[0] + right[0], [(c, e.xreplace({t: x})) for c, e in (*left[1], *right[1])]
    body = body.replace(lambda e: isinstance(e, sp.Abs) and e.has(t),
                        lambda e: sign_of(e.args[0], t, low, high) * e.args[0])  # fmt: skip
    if not body.has(t):
        return sp.expand_mul(body * (high - low)) if finite(low, high) else _diverges(), []
    body = sp.powsimp(body, combine="exp")
    if (found := _rate(body, t, low, high)) is not None:  # e^{-(m - l) t}: r = m - l has a sign
        rate, p = found
        number = sum(
            q.name.startswith("r_")
            for q in body.free_symbols | low.free_symbols | high.free_symbols
        )
        r = sp.Symbol(f"r_{number}", real=True, nonzero=True)
        there = {p: sp.simplify(p + (r - rate) / sp.diff(rate, p))}
        ends = (e.xreplace(there) for e in (low, high))
        value, conditions = _one(sp.simplify(body.xreplace(there)), t, *ends)
        return value.xreplace({r: rate}), [(c, e.xreplace({r: rate, t: x})) for c, e in conditions]
    primitive = antiderivative(body, t)
    total: sp.Expr = sp.S.Zero
    presupposed: list[tuple[str, Any]] = []
    for g, needs in dangers(primitive, t):
        presupposed += [(c, e.xreplace({t: x})) for c, e in clear(g, needs, t, low, high)]
    for end, side, sign in ((high, "-", 1), (low, "+", -1)):
        value, assumed = at_end(primitive, t, end, side)
        total += sign * value
        presupposed += [("{} > 0", p) for p in assumed]
    presupposed = list(dict.fromkeys(presupposed))
    taken = {
        p: sp.Symbol(p.name, positive=True)
        for text, p in presupposed
        if p.is_Symbol and text == "{} > 0"
    }
    if taken:  # √(s²) is s there
        total = sp.simplify(total.xreplace(taken)).xreplace({v: k for k, v in taken.items()})
    return total, [
        (text, p)
        for text, p in presupposed
        if text != "{} > 0" or not _diverges_below(body, t, (high, low), p)
    ]


def _rate(
    body: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr
) -> tuple[sp.Expr, sp.Symbol] | None:
    """A sum that decides whether an exponential or a power decays, and a name to solve it for."""
    rates = []
    for e in sorted((e.args[0] for e in body.atoms(sp.exp)), key=str):
        if e.is_polynomial(t) and e.has(t):
            rates.append(-sp.together(sp.Poly(e, t).LC()))
    if (power := _power(body, t)) is not None:
        ends = {low, high}
        rates += [-power - 1] * (sp.oo in ends) + [power + 1] * (sp.S.Zero in ends)
    for rate in rates:
        if rate.is_positive is not None or not sp.fraction(rate)[0].has(sp.Add):
            continue
        named = (p for p in rate.free_symbols if p.name.startswith("c_"))
        for p in sorted(named, key=str):
            if not sp.diff(rate, p).simplify().has(p):
                return rate, p
    return None


def _power(body: sp.Expr, t: sp.Symbol) -> sp.Expr | None:
    """The p of c t^p; None for any other function."""
    rest = body.as_independent(t, as_Add=False)[1]
    power = rest.exp if isinstance(rest, sp.Pow) and rest.base == t else None
    return power if power is not None and not power.has(t) else None


def _kink(body: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> sp.Expr | None:
    """Where what stands in |…| is 0 inside of the interval; None where it has one sign."""
    for g in sorted((e.args[0] for e in body.atoms(sp.Abs) if e.has(t)), key=str):
        if sign_of(g, t, low, high):
            continue
        if not g.is_polynomial(t) or sp.degree(g, t) != 1:
            raise Unknown
        zero = -g.xreplace({t: sp.S.Zero}) / sp.diff(g, t)
        if (zero - low).is_extended_positive and (high - zero).is_extended_positive:
            return sp.simplify(zero)
        raise Unknown
    return None


def _diverges() -> sp.Expr:
    raise Unknown


def _diverges_below(body: sp.Expr, t: sp.Symbol, ends: tuple[sp.Expr, sp.Expr], p: Any) -> bool:
    """True where the integral has no value when p is negative, so that nothing is said there."""
    others = [q for q in body.free_symbols - {t, p} if q.is_positive is None]
    there = {q: sp.Symbol(q.name, positive=True) for q in others} | {
        p: sp.Symbol(p.name, negative=True)
    }
    if (power := _power(body, t)) is not None:
        rate = (power + 1).xreplace(there)
        below = bool(rate.is_negative) and sp.S.Zero in ends
        return below or (bool(rate.is_positive) and sp.oo in ends)
    exponents = {e.args[0].xreplace(there) for e in body.atoms(sp.exp) if e.has(t)}
    if len(exponents) != 1 or not all(e.is_polynomial(t) for e in exponents):
        return False
    return any(not finite(end) and leading(e, t, end) > 0 for end in ends for e in exponents)


def _numbers_agree(
    body: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr, found: sp.Expr
) -> bool:
    """Quadrature gives the value at random points, or cannot be had at any."""
    names = sorted({y for e in (body, low, high, found) for y in e.free_symbols} - {t}, key=str)
    for k in range(DRAWS):
        rng = np.random.default_rng([k, 11])
        values = {y: sp.Rational(int(rng.integers(20, 140)), 64) for y in names}
        known = quadrature(*(e.xreplace(values) if e is not t else t for e in (body, t, low, high)))
        if known is None:
            continue
        value = complex(sp.N(found.xreplace(values)))
        if abs(value - known) > CLOSE * (1 + abs(known)):
            return False
    return True


def quadrature(body: sp.Expr, x: sp.Symbol, low: sp.Expr, high: sp.Expr) -> float | None:
    """∫ body dx by numbers of two precisions; None where these are not one."""
    found = []
    for digits in (15, 25):
        with mpmath.workdps(digits):
            try:
                f = sp.lambdify(x, body, "mpmath")
                ends = [mpmath.mpf(str(sp.N(e, 30))) if e.is_finite else
                        mpmath.inf * (1 if e == sp.oo else -1) for e in (low, high)]  # fmt: skip
                value, error = mpmath.quad(f, ends, error=True)
                if isinstance(value, mpmath.mpc) and abs(value.imag) > 1e-12:
                    return None
                value = float(value.real)
                if not np.isfinite(value) or abs(error) > CLOSE * (1 + abs(value)):
                    return None
            except Exception:  # what a formula of a text does to numbers is open
                return None
        found.append(value)
    if abs(found[0] - found[1]) > CLOSE * (1 + abs(found[0])):
        return None
    return found[1]


__all__ = ["Closed", "definite", "quadrature"]
