"""Curves: geodesics as equations and as compiled functions, lengths, parallel transport."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import FormulaError
from .points import PointFunction

if TYPE_CHECKING:
    from .metric import Metric


class Geodesics:
    """x''^c = −Γ^c_{ab} x'^a x'^b: `equations`, LaTeX, and a compiled right-hand side."""

    def __init__(self, metric: Metric, parameter: sp.Symbol) -> None:
        self.metric, self.parameter = metric, parameter

    @cached_property
    def accelerations(self) -> tuple[sp.Expr, ...]:
        """−Γ^c_{ab} v^a v^b in the symbols `velocities`."""
        gamma, v = self.metric.christoffel, self.velocities
        found = [sp.S.Zero] * len(v)
        for (c, a, b), _ in self.metric.curvature.second_kind.items():
            if a <= b:
                found[c] -= (1 if a == b else 2) * gamma[c, a, b] * v[a] * v[b]
        return tuple(found)

    @cached_property
    def velocities(self) -> tuple[sp.Symbol, ...]:
        """Symbols for x'^a, named after the coordinates."""
        taken = {s.name for s in (*self.metric.coordinates, *self.metric.parameters)}
        return tuple(
            sp.Symbol(next(n for n in _dotted(x.name) if n not in taken))
            for x in self.metric.coordinates
        )

    @property
    def equations(self) -> tuple[sp.Eq, ...]:
        """The equations for x^c as functions of the parameter."""
        curve = {x: sp.Function(x.name)(self.parameter) for x in self.metric.coordinates}
        speeds = {
            v: curve[x].diff(self.parameter)
            for v, x in zip(self.velocities, self.metric.coordinates, strict=True)
        }
        return tuple(
            sp.Eq(
                curve[x].diff(self.parameter, 2), a.xreplace(curve).xreplace(speeds), evaluate=False
            )
            for x, a in zip(self.metric.coordinates, self.accelerations, strict=True)
        )

    def latex(self) -> str:
        """The equations as an aligned block."""
        dots = {
            v: sp.Symbol(rf"\dot{{{sp.latex(x)}}}")
            for v, x in zip(self.velocities, self.metric.coordinates, strict=True)
        }
        lines = [
            rf"\ddot{{{sp.latex(x)}}} &= {sp.latex(a.xreplace(dots))}"
            for x, a in zip(self.metric.coordinates, self.accelerations, strict=True)
        ]
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def function(self) -> PointFunction:
        """f(state, **parameters): (x, v) ↦ (v, −Γ v v), to be integrated."""
        n, state = len(self.velocities), (*self.metric.coordinates, *self.velocities)
        values: dict[tuple[int, ...], sp.Expr] = {
            (k,): v for k, v in enumerate((*self.velocities, *self.accelerations))
        }
        return PointFunction(state, self.metric.parameters, (2 * n,), values)


def _dotted(name: str) -> Sequence[str]:
    return [f"{name}_dot", *(f"{name}_dot{k}" for k in range(1, 99))]


def _curve(metric: Any, given: Mapping[sp.Symbol, Any] | Sequence[Any]) -> dict[sp.Symbol, Any]:
    """One expression of the parameter for every coordinate."""
    found = (
        dict(given)
        if isinstance(given, Mapping)
        else dict(zip(metric.coordinates, given, strict=False))
    )
    if set(found) != set(metric.coordinates) or (
        not isinstance(given, Mapping) and len(given) != len(metric.coordinates)
    ):
        raise FormulaError(
            "the curve has not one expression for every coordinate",
            expected=", ".join(map(str, metric.coordinates)),
            got=", ".join(map(str, found)),
            mend="write {x: …, y: …}",
        )
    return {x: sp.sympify(found[x]) for x in metric.coordinates}


def speed_squared(metric: Any, given: Any, parameter: sp.Symbol) -> sp.Expr:
    """g_{ab} x'^a x'^b along a curve."""
    curve = _curve(metric, given)
    speeds = [curve[x].diff(parameter) for x in metric.coordinates]
    g = metric.matrix.subs(curve, simultaneous=True)
    total = sum(
        g[a, b] * speeds[a] * speeds[b] for a in range(len(speeds)) for b in range(len(speeds))
    )
    from .scalars import canonical

    return canonical(total)


def parallel_transport(metric: Any, given: Any, parameter: sp.Symbol) -> tuple[sp.Eq, ...]:
    """dv^c/dλ = −Γ^c_{ab} x'^a v^b for unknown v^c(λ)."""
    curve = _curve(metric, given)
    v = [sp.Function(f"v^{x}")(parameter) for x in metric.coordinates]
    right = [sp.S.Zero] * len(v)
    for (c, a, b), value in metric.curvature.second_kind.items():
        shown = metric.scalars.shown(value).subs(curve, simultaneous=True)
        right[c] -= shown * curve[metric.coordinates[a]].diff(parameter) * v[b]
    return tuple(
        sp.Eq(left.diff(parameter), side, evaluate=False)
        for left, side in zip(v, right, strict=True)
    )
