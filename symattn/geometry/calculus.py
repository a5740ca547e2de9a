"""Calculus over a metric: products, operators of fields, symmetries, and curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import FormulaError
from .components import Components
from .scalars import FinerError
from .tensors import Tensors

if TYPE_CHECKING:
    from .curvature import Curvature
    from .curves import Geodesics
    from .field import Element
    from .scalars import Scalars


class Calculus:
    """What a metric does with functions, vectors and curves; vectors are lists or Components."""

    coordinates: tuple[sp.Symbol, ...]
    parameters: tuple[sp.Symbol, ...]
    matrix: sp.ImmutableMatrix
    scalars: Scalars
    curvature: Curvature
    signature: Any
    determinant: Any
    refined: Any

    # ----------------------------------------------------------------------------------- vectors

    def as_vector(self, given: Any) -> Components:
        """Components with one upper index."""
        tensors = Tensors(self)  # type: ignore[arg-type]
        if not isinstance(given, Components):
            return tensors.given("^", given, "v")
        return tensors.moved(given, "^")

    def inner(self, u: Any, v: Any) -> sp.Expr:
        """g(u, v) = g_{ab} u^a v^b."""
        return self.scalars.shown(self._inner(u, v))

    def _inner(self, u: Any, v: Any) -> Element:
        one, other = self.as_vector(u).exact, self.as_vector(v).exact
        return self.scalars.field.total(
            [
                (1, (factor, one[a,], other[b,]))
                for (a, b), factor in self.curvature.metric.items()
                if (a,) in one and (b,) in other
            ]
        )

    def length(self, v: Any) -> sp.Expr:
        """√g(v, v)."""
        return sp.sqrt(self.inner(v, v))

    def angle(self, u: Any, v: Any) -> sp.Expr:
        """arccos g(u, v) / √(g(u, u) g(v, v))."""
        cosine = self.inner(u, v) / sp.sqrt(self.inner(u, u) * self.inner(v, v))
        return sp.acos(sp.sqrtdenest(cosine))

    def sectional(self, u: Any, v: Any) -> sp.Expr:
        """K(u, v) = R_{abcd} u^a v^b u^c v^d / (g(u,u) g(v,v) − g(u,v)²)."""
        field, one, other = self.scalars.field, self.as_vector(u).exact, self.as_vector(v).exact
        zero, planes = field.number(0), self.curvature.planes
        area = {
            (a, b): field.total(
                [
                    (1, (one.get((a,), zero), other.get((b,), zero))),
                    (-1, (one.get((b,), zero), other.get((a,), zero))),
                ]
            )
            for a, b in planes
        }
        top = field.total(
            [
                (1, (self.curvature.riemann_at(*p, *q)[1], area[p], area[q]))
                for p in planes
                for q in planes
            ]
        )
        u_u, v_v, u_v = self._inner(u, u), self._inner(v, v), self._inner(u, v)
        below = field.total([(1, (u_u, v_v)), (-1, (u_v, u_v))])
        if not below:
            raise FormulaError(
                "the two vectors span no plane with an area",
                formula=f"u = {u}, v = {v}",
                mend="take vectors that are independent and not both in a null plane",
            )
        return self.scalars.shown(top / below)

    @property
    def gaussian(self) -> sp.Expr:
        """K = R_{0101} / det g, of a surface."""
        if len(self.coordinates) != 2:
            raise FormulaError(
                "the Gaussian curvature is of a surface",
                expected="2 coordinates",
                got=f"{len(self.coordinates)}: {', '.join(map(str, self.coordinates))}",
                mend="use sectional(u, v) for a plane",
            )
        return self.scalars.shown(
            self.curvature.riemann_at(0, 1, 0, 1)[1] / self.curvature.determinant
        )

    # --------------------------------------------------------------------------------- operators

    @property
    def volume(self) -> sp.Expr:
        """√|det g|, with the factors of an even power taken as positive."""
        sign = (-1) ** self.signature.count("-")
        root = sp.S.One
        for part in sp.Mul.make_args(sign * self.determinant):
            base, exponent = part.as_base_exp()
            if isinstance(part, sp.exp) or base is sp.E:
                root *= sp.exp(exponent / 2)
            elif exponent.is_Integer:
                root *= base ** (exponent // 2) * sp.sqrt(base) ** (exponent % 2)
            else:
                root *= sp.sqrt(part)
        return root

    def gradient(self, f: Any) -> Components:
        """∇^a f = g^{ab} ∂_b f."""
        return self.differential(f).to("^")

    def differential(self, f: Any) -> Components:
        """∂_a f."""
        try:
            element = self.scalars.read(f)
        except FinerError:  # over the same metric, in a field that has f
            return self.refined([f]).differential(f)
        slopes = {(k,): self.scalars.derivative(element, x) for k, x in enumerate(self.coordinates)}
        return Tensors(self).made("df", "_", slopes, "df")  # type: ignore[arg-type]

    def hessian(self, f: Any) -> Components:
        """∇_a ∂_b f = ∂_a ∂_b f − Γ^c_{ab} ∂_c f."""
        return self.differential(f).covariant_derivative()

    def laplacian(self, f: Any) -> sp.Expr:
        """Δf = g^{ab} ∇_a ∂_b f, of Laplace and Beltrami."""
        hessian = self.hessian(f)
        metric = hessian.metric or self
        return metric.scalars.shown(metric.curvature.trace(hessian.exact))

    def divergence(self, v: Any) -> sp.Expr:
        """∇_a v^a."""
        slopes = self.as_vector(v).covariant_derivative().exact
        return self.scalars.shown(
            self.scalars.field.total([(1, (e,)) for (a, b), e in slopes.items() if a == b])
        )

    # -------------------------------------------------------------------------------- symmetries

    def killing(self, v: Any) -> Components:
        """∇_a v_b + ∇_b v_a, which is 0 for a Killing vector v^a."""
        tensors = Tensors(self)  # type: ignore[arg-type]
        slopes = tensors.covariant_derivative(tensors.moved(self.as_vector(v), "_")).exact
        products: dict[tuple[int, ...], list[tuple[int, tuple[Element, ...]]]] = {}
        for (a, b), value in slopes.items():
            products.setdefault((a, b), []).append((1, (value,)))
            products.setdefault((b, a), []).append((1, (value,)))
        return tensors.made("K", "__", self.curvature.totals(products), "")

    def is_killing(self, v: Any) -> bool:
        """Whether moving along v leaves the metric as it is, decided exactly."""
        return self.killing(v).is_zero

    def killing_equations(self, names: str = "xi") -> tuple[sp.Eq, ...]:
        """∇_a ξ_b + ∇_b ξ_a = 0 for unknown ξ^a of all coordinates, one equation a pair."""
        unknown = [sp.Function(f"{names}^{x}")(*self.coordinates) for x in self.coordinates]
        found = self.killing(unknown)
        return tuple(sp.Eq(found[a, b], 0) for a, b in self.curvature.pairs() if found[a, b] != 0)

    # ------------------------------------------------------------------------------------ curves

    def geodesics(self, parameter: str = "") -> Geodesics:
        """The equations of geodesics, and their right-hand side to be integrated.

        The parameter is λ, or σ, s, … where these have a meaning in the metric.
        """
        from .curves import Geodesics

        taken = {x.name for x in (*self.coordinates, *self.parameters)}
        usual = (name for name in ("lambda", "sigma", "s", "ell", "w", "q") if name not in taken)
        return Geodesics(self, sp.Symbol(parameter or next(usual)))  # type: ignore[arg-type]

    def arc_length(
        self, curve: Mapping[sp.Symbol, Any] | Sequence[Any], along: tuple[Any, Any, Any]
    ) -> sp.Integral:
        """∫ √g(x', x') of a curve λ ↦ x, along = (λ, from, to); `doit()` evaluates it."""
        from .curves import speed_squared

        return sp.Integral(sp.sqrt(speed_squared(self, curve, along[0])), along)

    def parallel_transport(
        self, curve: Mapping[sp.Symbol, Any] | Sequence[Any], parameter: sp.Symbol
    ) -> tuple[sp.Eq, ...]:
        """dv^c/dλ = −Γ^c_{ab} x'^a v^b along a curve λ ↦ x."""
        from .curves import parallel_transport

        return parallel_transport(self, curve, parameter)
