"""The Christoffel symbols of one metric, derived component by component."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

from . import formula
from .curvature import Slopes
from .metric import Metric

FORMULA = (
    r"\Gamma^{c}{}_{a b} = \frac{1}{2} g^{c d} \left(\partial_{a} g_{b d} "
    r"+ \partial_{b} g_{a d} - \partial_{d} g_{a b}\right)"
)
PLAIN = "Gamma[c, a, b] = 1/2 g^[c, d] (∂_a g[b, d] + ∂_b g[a, d] - ∂_d g[a, b])"


@dataclass(frozen=True)
class Insertion:
    """One product of the index formula at a component: ½ n g^{cd} ∂_k g_{pq}."""

    number: int
    inverse: tuple[int, int]
    slope: tuple[int, int, int]


@dataclass(frozen=True)
class ComponentStep:
    """Γ^c_{ab}: the products that are not 0, with their values, and what they add up to."""

    place: tuple[int, int, int]
    products: tuple[Insertion, ...]
    values: tuple[tuple[sp.Expr, sp.Expr], ...]  # g^{cd} and ∂_k g_{pq} of each product
    result: sp.Expr


class ChristoffelDerivation:
    """The index formula read at every component: what is inserted, and the value."""

    def __init__(self, metric: Metric) -> None:
        self.metric = metric

    @cached_property
    def steps(self) -> tuple[ComponentStep, ...]:
        """One step for each Γ^c_{ab} with a ≤ b that is not 0, or whose products cancel."""
        metric, found = self.metric, []
        curvature, scalars = metric.curvature, metric.scalars
        n = range(len(metric.coordinates))
        for c in n:
            for a, b in curvature.pairs():
                products, values = [], []
                for d in n:
                    inverse = curvature.inverse.get((c, d))
                    if not inverse:
                        continue
                    bracket = formula.bracket(lambda *at: Slopes({at: 1}), a, b, d)
                    for at, number in bracket.items():
                        slope = curvature.slopes.get(at)
                        if number and slope:
                            products.append(Insertion(number, (c, d), at))
                            values.append((scalars.shown(inverse), scalars.shown(slope)))
                if products:
                    result = metric.christoffel[c, a, b]
                    found.append(ComponentStep((c, a, b), tuple(products), tuple(values), result))
        return tuple(found)

    def check_steps(self) -> bool:
        """Whether the products of every step add up to its result, exactly, as expressions."""
        from .scalars import is_zero

        return all(
            is_zero(
                step.result
                - sum(
                    sp.Rational(1, 2) * p.number * inverse * slope
                    for p, (inverse, slope) in zip(step.products, step.values, strict=True)
                )
            )
            is True
            for step in self.steps
        )

    # ---------------------------------------------------------------------------------- printing

    def latex(self) -> str:
        """The formula, then one line a component: what is inserted, and the value."""
        lines = [FORMULA.replace(" = ", " &= ", 1)]
        for step in self.steps:
            label = self.metric.christoffel._label(step.place)
            value = sp.latex(self.metric.christoffel._expr(step.place, named=True))
            lines.append(f"{label} &= {self._inserted(step)} = {value}")
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"

    def _inserted(self, step: ComponentStep) -> str:
        terms = []
        x = [sp.latex(s) for s in self.metric.coordinates]
        for p in step.products:
            scale = Fraction(p.number, 2)
            sign = "-" if scale < 0 else "+"
            size = sp.latex(sp.Rational(abs(scale.numerator), scale.denominator))
            factor = "" if abs(scale) == 1 else size + " "
            (c, d), (k, i, j) = p.inverse, p.slope
            terms.append(
                f"{sign} {factor}g^{{{x[c]} {x[d]}}} \\partial_{{{x[k]}}} g_{{{x[i]} {x[j]}}}"
            )
        text = " ".join(terms)
        return text[2:] if text.startswith("+ ") else text

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def __str__(self) -> str:
        metric, x = self.metric, [str(s) for s in self.metric.coordinates]
        rows = [f"coordinates {', '.join(x)}"]
        if metric.parameters:
            rows.append(f"parameters {', '.join(map(str, metric.parameters))}")
        rows.append("")
        rows += [
            f"  g[{x[i]}, {x[j]}] = {metric.matrix[i, j]}"
            for i, j in metric.curvature.pairs()
            if metric.matrix[i, j] != 0
        ]
        inverse = metric.inverse
        rows += ["", "inverse"] + [
            f"  g^[{x[i]}, {x[j]}] = {inverse[i, j]}"
            for i, j in metric.curvature.pairs()
            if inverse[i, j] != 0
        ]
        rows += ["", PLAIN, ""]
        for step in self.steps:
            c, a, b = (x[k] for k in step.place)
            rows.append(f"  Gamma[{c}, {a}, {b}]")
            for p, (up, slope) in zip(step.products, step.values, strict=True):
                (i, j), (k, q, s) = p.inverse, p.slope
                scale = sp.Rational(p.number, 2)
                rows.append(
                    f"    {'+' if scale > 0 else '-'} {abs(scale)} g^[{x[i]}, {x[j]}] "
                    f"∂_{x[k]} g[{x[q]}, {x[s]}]   {up} · {slope}"
                )
            rows.append(f"    = {step.result}")
        return "\n".join(rows) + ("" if self.steps else "\n  every component is 0")

    __repr__ = __str__

    def markdown(self, title: str) -> str:
        """A page: the metric, its inverse, the derivation, the table."""
        metric = self.metric
        blocks = [
            ("Metric", sp.latex(metric.matrix)),
            ("Inverse", sp.latex(sp.Matrix(metric.inverse))),
            ("Christoffel symbols", self.latex()),
            ("Riemann tensor", metric.riemann_lower.latex()),
            ("Ricci tensor", metric.ricci.latex()),
            ("Scalar curvature", f"R = {sp.latex(metric.scalar)}"),
        ]
        parts = [f"# {title}", ""]
        for head, latex in blocks:
            parts += [f"## {head}", "", f"$$\n{latex}\n$$", ""]
        return "\n".join(parts)

    def as_data(self) -> dict[str, Any]:
        """For a program: SymPy's notation, and LaTeX."""
        metric, x = self.metric, [str(s) for s in self.metric.coordinates]
        return {
            "coordinates": x,
            "metric": [[str(e) for e in row] for row in metric.matrix.tolist()],
            "christoffel": [
                {"indices": [str(s) for s in where], "value": str(value)}
                for where, value in metric.christoffel.nonzero.items()
            ],
            "steps": [
                {
                    "indices": [x[k] for k in step.place],
                    "latex": self._inserted(step),
                    "value": str(step.result),
                }
                for step in self.steps
            ],
            "latex": self.latex(),
        }
