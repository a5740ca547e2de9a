"""One entry to compiled functions of the point: components, scalars, geodesics, a metric."""

from __future__ import annotations

from itertools import product
from typing import Any

import sympy as sp

from ..errors import UnsupportedError
from .components import Components
from .curves import Geodesics
from .families import Family
from .metric import Metric
from .points import PointFunction


def compile(what: Any, metric: Metric | None = None) -> PointFunction:
    """A JAX function f(point, **parameters) of components, a metric, geodesics or a scalar.

    Geodesics give (x, v) ↦ (v, −Γ v v), to be integrated; a scalar or a matrix needs its metric,
    which says what the coordinates are; a statistical family gives its Fisher matrix.
    """
    if isinstance(what, Components | Metric | Geodesics):
        return what.function()
    if isinstance(what, Family):
        places: dict[tuple[int, ...], sp.Expr] = {
            (i, j): what.fisher[i, j] for i in range(what.n) for j in range(what.n)
        }
        free = sorted(what.fisher.free_symbols - set(what.coordinates), key=lambda s: s.name)
        return PointFunction(what.coordinates, free, (what.n, what.n), places)
    if isinstance(what, sp.Expr | sp.MatrixBase) and metric is not None:
        free = sorted(what.free_symbols - set(metric.coordinates), key=lambda s: s.name)
        if isinstance(what, sp.MatrixBase):
            entries = dict(zip(product(*map(range, what.shape)), what, strict=True))
            return PointFunction(metric.coordinates, free, what.shape, entries)
        return PointFunction(metric.coordinates, free, (), {(): what})
    raise UnsupportedError(
        f"{what} is nothing to compile over a metric",
        got=type(what).__name__,
        expected="components such as metric.riemann, a metric, metric.geodesics(), a family, "
        "or a scalar or a matrix with its metric",
        mend="compile(metric.scalar, metric)",
    )
