"""Metrics and what follows from them: in index form, for all sizes, and in components.

The index formula of the Christoffel symbols stands in `formula.py` and nowhere else.  It is read
with tensors, as the definition `levi_civita(n)`; with a metric given by an index formula, as the
derivation `christoffel(g, x)`; and with the components of an explicit metric, as
`Metric.christoffel`, from which curvature follows.

rings, irreducible, field          polynomials, and numerators over known factors
preparing, scalars, printing       SymPy scalars in that field, and back
linear, curvature                  what follows from a metric in the field
components, tensors, calculus      tensors over it, and their derivatives
metric, given, signature           a metric, and what it may be given as
tokens, line_element, files        line elements in LaTeX
sources, families                  embeddings, statistical families
curves, points, compiled           geodesics, and functions of the point in JAX
formula, derivation                the index formula, and read component by component
abstract                           where it comes from, and in other coordinates, for all sizes
verification                       components against automatic differentiation
catalogue                          known metrics by name
"""

from . import catalogue
from .abstract import levi_civita_derivation, placed, transformation_law
from .compiled import compile
from .components import Components
from .curves import Geodesics
from .derivation import ChristoffelDerivation
from .families import Family, categorical, finite, gaussian, softmax, softmax_inverse
from .files import read_metric
from .formula import christoffel, levi_civita
from .metric import Metric
from .points import PointFunction
from .scalars import Scalars, canonical, is_zero
from .sources import embedded, from_line_element
from .verification import by_autodiff

__all__ = [
    "ChristoffelDerivation",
    "Components",
    "Family",
    "Geodesics",
    "Metric",
    "PointFunction",
    "Scalars",
    "by_autodiff",
    "canonical",
    "catalogue",
    "categorical",
    "christoffel",
    "compile",
    "embedded",
    "finite",
    "from_line_element",
    "gaussian",
    "is_zero",
    "levi_civita",
    "levi_civita_derivation",
    "placed",
    "read_metric",
    "softmax",
    "softmax_inverse",
    "transformation_law",
]
