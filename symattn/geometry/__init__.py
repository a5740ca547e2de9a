"""Metrics and what follows from them: in index form, for all sizes, and in components.

The index formula of the Christoffel symbols stands in `formula.py` and nowhere else.  It is read
with tensors, as the definition `levi_civita(n)`; with a metric given by an index formula, as the
derivation `christoffel(g, x)`; and with the components of an explicit metric, as
`Metric.christoffel`, from which curvature follows.
"""

from .components import Components
from .formula import christoffel, levi_civita
from .metric import Metric
from .points import PointFunction
from .scalars import Scalars, canonical, is_zero
from .verification import by_autodiff

__all__ = [
    "Components",
    "Metric",
    "PointFunction",
    "Scalars",
    "by_autodiff",
    "canonical",
    "christoffel",
    "is_zero",
    "levi_civita",
]
