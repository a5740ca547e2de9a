r"""Geodesics beside a metric: \ddot x^a + Γ^a_{bc} \dot x^b \dot x^c = 0, of one coordinate."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from string import ascii_letters
from typing import Any

import sympy as sp

from ..geometry import Metric, is_zero
from . import report
from .finding import Finding

WORDS = re.compile(r"geodesic|free(?:ly)? (?:fall|particle)|equations? of motion", re.IGNORECASE)
SECOND = re.compile(r"\\ddot|d\s*\^\s*\{?\s*2")
_PARAMETER = r"(?:\\tau|\\lambda|\\sigma|s|t|u)"
_D = r"(?:\\mathrm\s*\{\s*d\s*\}|d)"


def equation(
    metric: Metric, text: str, read: Callable[[str, list[sp.Symbol]], sp.Expr | None]
) -> Finding | None:
    """The verdict on an equation with the second derivative of one coordinate; None for another.

    `read` gives the value of a formula with further symbols.
    """
    coordinates = list(metric.coordinates)
    free = [x for x in ascii_letters if not re.search(rf"(?<![A-Za-z\\]){x}(?![A-Za-z])", text)]
    taken = {str(x) for x in metric.matrix.free_symbols} | {"e", "i", "d"}
    unused = iter([x for x in free if x not in taken])
    first, second = ([sp.Symbol(next(unused)) for _ in coordinates] for _ in range(2))
    for x, u, w in zip(coordinates, first, second, strict=True):
        name = re.escape(sp.latex(x))
        name = rf"(?:{name}|\{{\s*{name}\s*\}})(?![A-Za-z])"
        twice = (
            rf"{_D}\s*\^\s*\{{?2\}}?\s*{name}\s*\}}\s*\{{\s*{_D}\s*{_PARAMETER}\s*\^\s*\{{?2\}}?"
        )
        once = rf"{_D}\s*{name}\s*\}}\s*\{{\s*{_D}\s*{_PARAMETER}"
        for pattern, letter in (
            (rf"\\ddot\s*{name}|\\d?frac\s*\{{\s*{twice}\s*\}}", w),
            (rf"\\dot\s*{name}|\\d?frac\s*\{{\s*{once}\s*\}}", u),
        ):
            text = re.sub(pattern, partial(_factor, letter), text)
    sides = text.split("=")
    if len(sides) != 2 or not any(f" {w} " in text for w in second):
        return None
    values = [read(side, [*first, *second]) for side in sides]
    if None in values:
        return None
    difference = sp.expand(values[0] - values[1])  # type: ignore[operator]
    inside = [k for k, w in enumerate(second) if difference.has(w)]
    if len(inside) != 1:
        return None
    (k,) = inside
    factor = sp.diff(difference, second[k])
    if factor.free_symbols & {*first, *second}:
        return None
    derived = _rest(metric, k, first)
    rest = sp.expand((difference / factor).subs(second[k], 0))
    if is_zero(sp.expand(rest - derived)):
        return Finding(report.PROVED, kind="claim")
    shown = _shown(metric, k, first, derived)
    if {*_terms(rest, first)} == {*_terms(derived, first)}:
        why = "the metric gives another equation"
        return Finding(report.REFUTED, why, correction=f"{shown} = 0", kind="claim")
    return Finding(report.UNPROVED, f"the metric gives {shown} = 0", kind="claim")


def _factor(letter: sp.Symbol, found: re.Match[str]) -> str:
    r"""The letter as a factor, apart from \cot\theta before it."""
    before = found.string[: found.start()].rstrip()[-1:]
    return f" {letter} " if before in "=+-({[" else rf" \cdot {letter} "


def _rest(metric: Metric, k: int, first: list[sp.Symbol]) -> Any:
    """Γ^k_{ab} u^a u^b."""
    x = metric.coordinates
    return sp.expand(
        sum(
            metric.christoffel[x[k], x[a], x[b]] * u * v
            for a, u in enumerate(first)
            for b, v in enumerate(first)
        )
    )


def _terms(value: Any, first: list[sp.Symbol]) -> list[Any]:
    """The products of velocities that stand in an expression, where others may."""
    return [m for m, c in sp.Poly(value, *first).terms() if c != 0]


def _shown(metric: Metric, k: int, first: list[sp.Symbol], rest: Any) -> str:
    names = [sp.latex(x) for x in metric.coordinates]
    put = {u: sp.Symbol(rf"\dot{{{n}}}") for u, n in zip(first, names, strict=True)}
    return rf"\ddot{{{names[k]}}} + {sp.latex(sp.simplify(rest).subs(put))}"


__all__ = ["SECOND", "WORDS", "equation"]
