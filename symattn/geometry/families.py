"""Statistical families: Fisher metric, third moments, α-connections, expansion of KL.

A random variable is represented exactly: by its values on finitely many outcomes, or as a
polynomial in a standard normal z.  Expectations are then finite sums, in the field of the
parameters.

Source: S. Amari, H. Nagaoka, Methods of Information Geometry, 2000, sections 2.2, 2.3 and 3.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, permutations, product
from math import factorial
from typing import Any, Protocol, TypeAlias

import sympy as sp

from ..errors import FormulaError
from . import given
from .components import Components, Place
from .curvature import Products
from .field import Element
from .metric import Metric
from .scalars import Scalars
from .tensors import Tensors

Variable: TypeAlias = Mapping[int, Element]  # outcome, or power of z, ↦ value or coefficient


class Outcomes(Protocol):
    """How random variables of a family are multiplied, averaged and differentiated."""

    def score(self, x: sp.Symbol) -> Variable:
        """∂_x log p."""

    def times(self, one: Variable, other: Variable) -> Variable:
        """The product of two random variables."""

    def slope(self, variable: Variable, x: sp.Symbol) -> Variable:
        """∂_x of a random variable at a fixed outcome."""

    def mean(self, variable: Variable) -> Element:
        """The expectation."""


class Finite:
    """Outcomes 1 … n with probabilities p_k."""

    def __init__(self, scalars: Scalars, probabilities: Sequence[Any]) -> None:
        self.scalars, self.field = scalars, scalars.field
        self.p = [scalars.read(p) for p in probabilities]

    def score(self, x: sp.Symbol) -> Variable:
        return {k: self.scalars.derivative(p, x) / p for k, p in enumerate(self.p)}

    def times(self, one: Variable, other: Variable) -> Variable:
        return {k: value * other[k] for k, value in one.items()}

    def slope(self, variable: Variable, x: sp.Symbol) -> Variable:
        return {k: self.scalars.derivative(value, x) for k, value in variable.items()}

    def mean(self, variable: Variable) -> Element:
        return self.field.total([(1, (self.p[k], value)) for k, value in variable.items()])


class Normal:
    """x = mean + deviation · z; variables are polynomials in z."""

    def __init__(self, scalars: Scalars, mean: Any, deviation: Any) -> None:
        self.scalars, self.field = scalars, scalars.field
        self.centre, self.width = scalars.read(mean), scalars.read(deviation)

    def _drift(self, x: sp.Symbol) -> tuple[Element, Element]:
        """(μ'/σ, σ'/σ), so that ∂_x z = −μ'/σ − z σ'/σ at a fixed outcome."""
        slopes = (self.scalars.derivative(e, x) for e in (self.centre, self.width))
        first, second = (slope / self.width for slope in slopes)
        return first, second

    def score(self, x: sp.Symbol) -> Variable:
        shift, scale = self._drift(x)  # log p = −z²/2 − log σ + const
        return {0: -scale, 1: shift, 2: scale}

    def times(self, one: Variable, other: Variable) -> Variable:
        terms: dict[int, list[tuple[int, tuple[Element, Element]]]] = {}
        for (j, a), (k, b) in product(one.items(), other.items()):
            terms.setdefault(j + k, []).append((1, (a, b)))
        return {k: self.field.total(parts) for k, parts in terms.items()}

    def slope(self, variable: Variable, x: sp.Symbol) -> Variable:
        shift, scale = self._drift(x)
        terms: dict[int, list[tuple[int, tuple[Element, ...]]]] = {}
        for k, value in variable.items():
            terms.setdefault(k, []).append((1, (self.scalars.derivative(value, x),)))
            if k:
                terms.setdefault(k - 1, []).append((-k, (value, shift)))
                terms.setdefault(k, []).append((-k, (value, scale)))
        return {k: self.field.total(parts) for k, parts in terms.items()}

    def mean(self, variable: Variable) -> Element:
        even = [(int(sp.factorial2(k - 1)), (v,)) for k, v in variable.items() if k % 2 == 0]
        return self.field.total(even)


class Family:
    """A parametrised family of distributions; made by `categorical`, `gaussian`, `finite`, ….

    `fisher` is E[∂_a l ∂_b l] as a matrix, which may be singular; `metric` needs it regular.
    """

    def __init__(
        self, coordinates: Iterable[sp.Symbol] | sp.Symbol, scalars: Scalars, outcomes: Outcomes
    ) -> None:
        self.coordinates = given.coordinates(coordinates)
        self.scalars, self.outcomes, self.n = scalars, outcomes, len(self.coordinates)

    @cached_property
    def _scores(self) -> list[Variable]:
        return [self.outcomes.score(x) for x in self.coordinates]

    @cached_property
    def _fisher(self) -> dict[Place, Element]:
        found: dict[Place, Element] = {}
        for a, b in combinations_with_replacement(range(self.n), 2):
            value = self.outcomes.mean(self.outcomes.times(self._scores[a], self._scores[b]))
            found[a, b] = found[b, a] = value
        return found

    @cached_property
    def fisher(self) -> sp.ImmutableMatrix:
        """F_{ab} = E[∂_a l ∂_b l]."""
        return sp.ImmutableMatrix(
            self.n, self.n, lambda a, b: self.scalars.shown(self._fisher[int(a), int(b)])
        )

    @cached_property
    def metric(self) -> Metric:
        """The Fisher metric.  FormulaError where it is singular."""
        return Metric(self.coordinates, self.fisher)

    @cached_property
    def third_moments(self) -> Components:
        """T_{abc} = E[∂_a l ∂_b l ∂_c l], of Amari and Chentsov, totally symmetric."""
        found = {}
        for place in combinations_with_replacement(range(self.n), 3):
            a, b, c = (self._scores[k] for k in place)
            value = self.outcomes.mean(self.outcomes.times(self.outcomes.times(a, b), c))
            for where in permutations(place):
                found[where] = self.scalars.shown(value)
        return self._made("T", "___", found)

    def _made(self, name: str, slots: str, values: Mapping[Place, Any]) -> Components:
        metric = self.metric
        read = {place: metric.scalars.read(value) for place, value in values.items()}
        return Tensors(metric).made(name, slots, read, "")

    # ------------------------------------------------------------------------------- connections

    def connection(self, alpha: Any) -> Components:
        """Γ^{(α)c}_{ab} = Γ^c_{ab} − (α/2) T^c_{ab}: e for α = 1, m for α = −1."""
        metric = self.metric
        raised = self.third_moments.to("^__").exact
        scale = metric.scalars.read(-sp.sympify(alpha) / 2)
        products = Products()
        for place, value in metric.christoffel.exact.items():
            products.setdefault(place, []).append((1, (value,)))
        for place, value in raised.items():
            products.setdefault(place, []).append((1, (scale, value)))
        return Tensors(metric).made("Gamma", "^__", metric.curvature.totals(products), "")

    def curvature(self, alpha: Any) -> Components:
        """R^a_{bcd} of the α-connection, which is 0 for α = ±1 in an exponential family."""
        metric, gamma = self.metric, self.connection(alpha).exact
        products = Products()
        for (a, d, b), value in gamma.items():
            for c, x in enumerate(metric.coordinates):
                slope = metric.scalars.derivative(value, x)
                products.setdefault((a, b, c, d), []).append((1, (slope,)))
                products.setdefault((a, b, d, c), []).append((-1, (slope,)))
        for ((a, c, e), one), ((f, d, b), other) in product(gamma.items(), repeat=2):
            if e == f:
                products.setdefault((a, b, c, d), []).append((1, (one, other)))
                products.setdefault((a, b, d, c), []).append((-1, (one, other)))
        values = metric.curvature.totals(products)
        return Components(
            "R",
            "^___",
            metric.coordinates,
            values,
            metric.parameters,
            metric=metric,
            independent=lambda p: p[2] < p[3],
        )

    # ------------------------------------------------------------------------------- divergence

    def divergence(self, order: int = 3) -> list[Components]:
        """The coefficients of KL(p_θ | p_{θ+d}) = ½ F_{ab} d^a d^b + ⅙ C_{abc} d^a d^b d^c + ….

        They are −E[∂_a ∂_b l], −E[∂_a ∂_b ∂_c l], …, up to `order`.
        """
        found = []
        for rank in range(2, order + 1):
            values: dict[Place, sp.Expr] = {}
            for place in combinations_with_replacement(range(self.n), rank):
                variable = self._scores[place[0]]
                for k in place[1:]:
                    variable = self.outcomes.slope(variable, self.coordinates[k])
                value = self.scalars.shown(-self.outcomes.mean(variable))
                values |= dict.fromkeys(permutations(place), value)
            found.append(self._made("F" if rank == 2 else "C", "_" * rank, values))
        return found

    def expanded_divergence(self, displacement: Sequence[Any], order: int = 3) -> sp.Expr:
        """KL(p_θ | p_{θ+d}) up to the order in d."""
        total = sp.S.Zero
        for part in self.divergence(order):
            scale = factorial(part.rank)
            for place, value in part._values.items():
                total += sp.Mul(value, *(displacement[k] for k in place)) / scale
        return total

    # --------------------------------------------------------------------------------- gradients

    def natural_gradient(self, loss: Any) -> Components:
        """F^{ab} ∂_b L."""
        return self.metric.gradient(loss)


# ------------------------------------------------------------------------------------------ makers


def finite(coordinates: Iterable[sp.Symbol] | sp.Symbol, probabilities: Sequence[Any]) -> Family:
    """The family with these probabilities, one expression of the coordinates an outcome.

    FormulaError where they do not add up to 1.
    """
    xs = given.coordinates(coordinates)
    probabilities = [sp.sympify(p) for p in probabilities]
    scalars = Scalars([*xs, *probabilities])
    if scalars.field.total([(1, (scalars.read(p),)) for p in (*probabilities, -1)]):
        raise FormulaError(
            "the probabilities do not add up to 1",
            formula=" + ".join(map(str, probabilities)),
            expected="1",
            mend="divide each by their sum",
        )
    return Family(xs, scalars, Finite(scalars, probabilities))


def categorical(coordinates: Iterable[sp.Symbol]) -> Family:
    """n outcomes in simplex coordinates p_1 … p_{n−1}; F_{ij} = δ_{ij}/p_i + 1/p_n.

    >>> categorical(sp.symbols("p q")).metric.scalar
    1/2
    """
    xs = given.coordinates(coordinates)
    return finite(xs, [*xs, 1 - sp.Add(*xs)])


def softmax(logits: Iterable[sp.Symbol]) -> Family:
    """n outcomes with p_i = exp(z_i)/Σ exp(z_j); F = diag(p) − p pᵀ is singular along 1."""
    zs = given.coordinates(logits)
    weights = [sp.exp(z) for z in zs]
    return finite(zs, [w / sp.Add(*weights) for w in weights])


def gaussian(coordinates: Iterable[sp.Symbol], mean: Any = None, deviation: Any = None) -> Family:
    """The normal distributions, in (μ, σ) or as functions of other coordinates.

    >>> gaussian(sp.symbols("mu sigma", positive=True)).metric.scalar
    -1
    """
    xs = given.coordinates(coordinates)
    if mean is None and deviation is None and len(xs) == 2:
        mean, deviation = xs
    if mean is None or deviation is None:
        raise FormulaError(
            "a normal distribution has a mean and a deviation",
            expected="two coordinates (mu, sigma), or mean= and deviation=",
            got=", ".join(map(str, xs)),
        )
    scalars = Scalars([*xs, mean, deviation])
    if not scalars.read(deviation):
        raise FormulaError("the deviation is 0", formula=str(deviation))
    return Family(xs, scalars, Normal(scalars, mean, deviation))


def softmax_inverse(p: Sequence[Any]) -> sp.ImmutableMatrix:
    """The pseudo-inverse of F = diag(p) − p pᵀ: F⁺ = P diag(1/p) P with P = I − 1 1ᵀ/n.

    F 1 = 0: the direction 1 only shifts all logits; F⁺ ∇L has no part along it.
    """
    n = len(p)
    centre = sp.eye(n) - sp.ones(n, n) / n
    return sp.ImmutableMatrix(centre * sp.diag(*[1 / sp.sympify(x) for x in p]) * centre)
