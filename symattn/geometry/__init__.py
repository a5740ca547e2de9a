"""Metrics and their Christoffel symbols: in index form, for all sizes, and in components.

The index formula stands in `formula.py` and nowhere else.  It is read with tensors, as the
definition `levi_civita(n)`; with a metric given by an index formula, as the derivation
`christoffel(g, x)`; and with the components of an explicit metric, as `Metric.christoffel`.
"""

from .components import Components, PointFunction
from .formula import christoffel, levi_civita
from .metric import Metric, by_autodiff
from .scalars import canonical

__all__ = [
    "Components",
    "Metric",
    "PointFunction",
    "by_autodiff",
    "canonical",
    "christoffel",
    "levi_civita",
]
