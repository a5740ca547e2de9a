r"""Sums, products and maxima up to a step, split at their ends: Σ_{i≤t} g_i is Σ_{i<t} g_i + g_t.

What is summed stands at the letter of the sum, Σ_{k≥0} γ^k r_{t+k} as Σ_{j≥t} γ^{j-t} r_j; a
geometric sum is its quotient.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

STEPS = 4  # that are split off


class Unable(Exception):
    """Something in a formula that is not known here."""


class Largest(sp.Function):
    """The largest of several: in any order, each once, and none inside another."""

    @classmethod
    def eval(cls, *args: Any) -> Any:
        """What it is of these."""
        flat = [a for arg in args for a in (arg.args if isinstance(arg, Largest) else (arg,))]
        once = sorted(dict.fromkeys(flat), key=str)
        if all(a.is_number and a.is_extended_real for a in once):
            return sp.Max(*once)
        if len(once) == 1:
            return once[0]
        return None if tuple(once) == args else cls(*once)


class Top(sp.Function):
    """The largest of f(i) for the i of a range: of a Lambda, the first and the last i."""

    def __new__(cls, body: Any, limits: Any, *rest: Any) -> Any:
        """Of a body and (i, first, last), as a Σ."""
        if rest:
            return super().__new__(cls, body, limits, *rest)
        index, low, high = limits
        return super().__new__(cls, sp.Lambda(index, body), low, high)

    @property
    def function(self) -> Any:
        """What it is the largest of."""
        return self.args[0].expr

    @property
    def limits(self) -> Any:
        """The letter with the first and the last of its values."""
        (index,) = self.args[0].variables
        return ((index, self.args[1], self.args[2]),)


KINDS = (sp.Sum, sp.Product, Top)


def outermost(over: Any) -> tuple[Any, Any]:
    """What runs over a letter, and the letter with its first and last value.

    SymPy makes one Σ with two letters of a Σ in a Σ, the outer one last.
    """
    *inner, last = over.limits
    return (over.func(over.function, *inner) if inner else over.function), last


_JOIN = {sp.Sum: sp.Add, sp.Product: sp.Mul, Top: Largest}


def normal(expr: Any) -> Any:
    """The expression with the ends of what runs over steps at t or n, and not at t + c or n + c."""

    def split(found: Any) -> Any:
        kind, join = type(found), _JOIN[type(found)]
        body, (index, low, high) = outermost(found)
        body, index = _lettered(normal(body), index)
        if (high - low + 1).is_negative:
            raise Unable("no range")
        body, low, high = _settled(body, index, low, high)
        span = sp.expand(high - low)
        if span.is_Integer and (low.is_Integer or span <= STEPS):
            return join(*(normal(body.subs(index, low + k)) for k in range(int(span) + 1)))
        if kind is sp.Sum:
            terms = sp.Add.make_args(sp.expand(body, power_exp=True))
            return sp.Add(*(_ended(sp.Sum, *_settled(x, index, low, high), index) for x in terms))
        return _ended(kind, body, low, high, index)

    found = expr.replace(lambda e: isinstance(e, KINDS), split)
    return sp.expand(found, power_exp=True, power_base=False)


def _lettered(body: Any, index: Any) -> tuple[Any, Any]:
    """The body with a letter that says how many sums stand inside, and no other."""
    inside = (x.name.lstrip("#") for over in body.atoms(*KINDS) for x, *_ in over.limits)
    height = 1 + max((int(x) for x in inside if x.isdigit()), default=0)
    letter = sp.Symbol(f"#{height}", **index.assumptions0)
    return body.xreplace({index: letter}), letter


def telescopes(expr: Any) -> bool:
    """True where parts of an endless sum cancel: Σ_k (a_{k+1} - a_k) is -a_0 if a_k goes to 0."""
    found = normal(expr)
    for whole in expr.atoms(sp.Sum):
        body, (index, low, high) = outermost(whole)
        terms = sp.Add.make_args(sp.expand(normal(body), power_exp=True))
        if high is not sp.oo or len(terms) == 1:
            continue
        rows = (normal(sp.Sum(term, (index, low, high))) for term in terms)
        parts = (x for row in rows for x in row.atoms(sp.Sum))
        if any(x.limits[-1][2] is sp.oo and not found.has(x) for x in parts):
            return True
    return False


def _settled(body: Any, index: Any, low: Any, high: Any) -> tuple[Any, Any, Any]:
    """Σ_s g_{t-s} as Σ_i g_i, and Σ_k g_{t+k} too: the body and its range."""
    calls = sorted((c for c in body.atoms(AppliedUndef) if c.has(index)), key=str)
    for call in calls:
        (at,) = call.args
        rest = sp.expand(at + index)
        if not rest.has(index):
            body = sp.expand(body.subs(index, rest - index), power_exp=True)
            return body, sp.expand(rest - high), sp.expand(rest - low)
    gaps = [sp.expand(call.args[0] - index) for call in calls]
    if gaps and all(not (gap - gaps[0]).free_symbols for gap in gaps):
        gap = min(gaps, key=lambda g: g - gaps[0])
        if gap != 0:
            body = sp.expand(body.subs(index, index - gap), power_exp=True)
            return body, sp.expand(low + gap), sp.expand(high + gap)
    return body, low, high


def _ended(kind: Any, body: Any, low: Any, high: Any, index: Any) -> Any:
    """The same from 1, t or n on, up to t or n, and what that leaves."""
    more: list[Any] = []
    less: list[Any] = []
    first, last = _anchor(low), _anchor(high)
    if first == 0:
        first = low if kind is Top else sp.S.One
    _beyond(body, index, last, high, more, less)
    _beyond(body, index, first - 1, low - 1, less, more)
    more, less = [normal(b) for b in more], [normal(b) for b in less]
    whole = _sum(body, index, first, last) if kind is sp.Sum else kind(body, (index, first, last))
    if less and kind is Top:
        raise Unable("a maximum of fewer")
    found = _JOIN[kind](whole, *more)
    if not less:
        return found
    return found - sp.Add(*less) if kind is sp.Sum else found / sp.Mul(*less)


def _anchor(end: Any) -> Any:
    """The t of t + 2."""
    return end if end is sp.oo else end - end.as_coeff_Add()[0]


def _beyond(body: Any, index: Any, end: Any, to: Any, more: list[Any], less: list[Any]) -> None:
    """Enter the terms from an end to another one, or those that it has too many."""
    steps = sp.S.Zero if to is sp.oo else sp.expand(to - end)
    if not steps.is_Integer or abs(steps) > STEPS:
        raise Unable("the end of a sum")
    for k in range(min(0, int(steps)) + 1, max(0, int(steps)) + 1):
        (more if steps > 0 else less).append(body.subs(index, end + k))


def _sum(body: Any, index: sp.Symbol, low: Any, high: Any) -> Any:
    """Σ_{i=low}^{high} of every term, what does not hang on i in front."""
    total: Any = sp.S.Zero
    for term in sp.Add.make_args(sp.expand(body, power_exp=True)):
        front, rest = term.as_independent(index, as_Add=False)
        ratio: Any = sp.S.Zero
        if rest.is_commutative:
            ratio = sp.powsimp(rest.subs(index, index + 1) / rest)
        geometric = ratio != 0 and not ratio.has(index) and not rest.atoms(AppliedUndef)
        if rest == 1 and high is not sp.oo:
            total += front * (high - low + 1)
        elif geometric and ratio != 1 and high is sp.oo:
            total += front * rest.subs(index, low) / (1 - ratio)
        elif geometric and ratio != 1:
            total += front * rest.subs(index, low) * (ratio ** (high - low + 1) - 1) / (ratio - 1)
        else:
            total += front * sp.Sum(rest, (index, low, high))
    return total


def rooted(expr: Any) -> Any:
    """The expression in r, where √a stands in it alone and a = r²: √(a b) as r √b.

    A root that is written says that what is under it is not negative.
    """
    for _ in range(STEPS):
        for factors in _under_roots(expr):
            if len(factors) != 1 or (put := _squared(factors[0])) is None:
                continue
            name, value = put
            expr = expr.xreplace({name: value})
            expr = expr.replace(lambda e: isinstance(e, sp.Pow) and not e.exp.is_Integer, _split)
            break
        else:
            break
    return normal(expr)


def _under_roots(expr: Any) -> list[list[Any]]:
    """The factors whose sign says whether a root is real, of every root."""
    roots = [p for p in expr.atoms(sp.Pow) if p.exp.is_Rational and p.exp.q == 2]
    bases = sorted({sp.factor(p.base) for p in roots}, key=str)
    split = [[f.as_base_exp() for f in sp.Mul.make_args(base)] for base in bases]
    return [[b for b, e in row if not (b.is_nonnegative or e.is_even)] for row in split]


def _split(power: Any) -> Any:
    """A root, with the factors that are not negative outside."""
    return sp.Pow(sp.factor(power.base), power.exp)


def _squared(base: Any) -> tuple[Any, Any] | None:
    """The name in a base and its value where the base is r²: b → 1 − r² of 1 − b."""
    root = sp.Dummy("r", positive=True)
    whole = base.atoms(*KINDS)
    names = whole or base.atoms(AppliedUndef) or base.free_symbols
    if len(names) != 1 or not base.is_commutative:
        return None
    (name,) = names
    holder = sp.Dummy()
    held = base.xreplace({name: holder})
    if held.has(*KINDS, AppliedUndef) or held.free_symbols != {holder}:
        return None
    line = sp.Poly(held, holder) if held.is_polynomial(holder) else None
    if line is None or line.degree() != 1:
        return None
    return name, (root**2 - line.coeff_monomial(1)) / line.coeff_monomial(holder)


def vanishes(gap: Any) -> bool:
    """True for 0, however it is written."""
    if gap == 0:
        return True
    if not gap.is_commutative:
        return False
    top, _ = sp.fraction(sp.together(gap))
    return bool(sp.expand(sp.powsimp(sp.expand(top, power_exp=True)), power_exp=True) == 0)


__all__ = [
    "KINDS",
    "STEPS",
    "Largest",
    "Top",
    "Unable",
    "normal",
    "outermost",
    "rooted",
    "telescopes",
    "vanishes",
]
