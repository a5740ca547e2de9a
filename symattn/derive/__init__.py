"""Derivatives of definitions for all sizes, with the steps that lead to them.

The chain rule goes through named definitions, which stay as they are.  Every step is recorded as
the derivation is made, and `check_steps` re-checks each on its own.
"""

from .forward import Tangents, jvp
from .jacobian import jacobian
from .record import Derivation, Step, StepCheck, StepReport
from .reverse import LOSS, Gradients, backward
from .rules import (
    component_derivative,
    differentiate,
    evaluate_partials,
    outputs_of,
    outside,
    partial,
    split_partial,
    total_derivative,
    variables,
)
from .second import hessian, hvp

__all__ = [
    "LOSS",
    "Derivation",
    "Gradients",
    "Step",
    "StepCheck",
    "StepReport",
    "Tangents",
    "backward",
    "component_derivative",
    "differentiate",
    "evaluate_partials",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "outputs_of",
    "outside",
    "partial",
    "split_partial",
    "total_derivative",
    "variables",
]
