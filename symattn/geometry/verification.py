"""Compiled components at random points against automatic differentiation of the metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .formula import NAME

if TYPE_CHECKING:
    from ..comparison import Report
    from .metric import Metric


def verified(
    metric: Metric,
    domain: Sequence[tuple[float, float]],
    seed: int,
    points: int,
    curvature: bool,
) -> Report:
    """Rows for Γ in both precisions, and for the Riemann tensor in float64."""
    import jax
    import numpy as np

    from ..comparison import TOLERANCE, Report, Row

    low, high = np.transpose(domain)
    draws = np.random.default_rng(seed).uniform(low, high, (points, len(domain)))
    n, parameters = len(metric.coordinates), metric.parameters
    g = metric.function()

    def evaluated(f: Callable[..., Any], dtype: str) -> Any:
        def at(draw: Any) -> Any:
            return f(draw[:n], **{s.name: draw[n + k] for k, s in enumerate(parameters)})

        with jax.enable_x64(dtype == "float64"):
            values = jax.jit(jax.vmap(at))(jax.numpy.asarray(draws, dtype))
        return np.asarray(values, np.float64)

    compared: list[tuple[str, Any, Callable[..., Any], tuple[str, ...]]] = [
        (NAME, metric.christoffel, by_autodiff, ("float64", "float32"))
    ]
    if curvature:
        compared.append(("R", metric.riemann, riemann_by_autodiff, ("float64",)))
    rows, at = [], f"({', '.join(map(str, metric.coordinates))})"
    for name, components, reference, dtypes in compared:

        def wanted_at(x: Any, /, *, reference: Any = reference, **fixed: Any) -> Any:
            return reference(lambda y: g(y, **fixed), x)

        wanted, function = evaluated(wanted_at, "float64"), components.function()
        for dtype in dtypes:
            got = evaluated(function, dtype)
            error, scale = float(np.max(np.abs(got - wanted))), float(np.max(np.abs(wanted)))
            relative = error / scale if scale else error
            tolerance = TOLERANCE["autodiff", dtype] * (100 if name == "R" else 1)
            rows.append(Row(name + at, "jax autodiff", dtype, error, relative, tolerance))
    return Report(tuple(rows), {"n": n, "points": points}, seed)


def by_autodiff(g: Callable[[Any], Any], point: Any) -> Any:
    """Γ^c_{ab} at a point from a JAX function of the metric, without the index formula.

    Γ^c_{ab} v^a v^b = g^{-1} (d/dt(g v) − ½ ∂(v·g v)) is what the Euler–Lagrange equations of
    ½ v·g v leave beside the acceleration; Γ is half its Hessian in the velocity v.
    """
    import jax
    import jax.numpy as jnp

    slope, inverse = jax.jacfwd(g)(point), jnp.linalg.inv(g(point))

    def force(v: Any) -> Any:
        return inverse @ ((slope @ v) @ v - (v @ (jnp.moveaxis(slope, -1, 0) @ v).T) / 2)

    return jax.hessian(force)(jnp.zeros_like(point)) / 2


def christoffel_by_jacfwd(g: Callable[[Any], Any], point: Any) -> Any:
    """Γ^c_{ab} at a point by one jacfwd of the metric."""
    import jax
    import jax.numpy as jnp

    slope, inverse = jax.jacfwd(g)(point), jnp.linalg.inv(g(point))
    lower = slope + jnp.swapaxes(slope, 1, 2) - jnp.moveaxis(slope, 2, 0)  # (d, a, b) below
    return jnp.einsum("cd,dab->cab", inverse, lower) / 2


def riemann_by_autodiff(g: Callable[[Any], Any], point: Any) -> Any:
    """R^a_{bcd} = ∂_c Γ^a_{db} + Γ^a_{ce} Γ^e_{db} − (c ↔ d), by jacfwd twice."""
    import jax
    import jax.numpy as jnp

    def gamma(x: Any) -> Any:
        return christoffel_by_jacfwd(g, x)

    value, slope = gamma(point), jax.jacfwd(gamma)(point)
    half = jnp.einsum("adbc->abcd", slope) + jnp.einsum("ace,edb->abcd", value, value)
    return half - jnp.swapaxes(half, 2, 3)
