"""The gallery of forms: what a textbook prints for gradients.  One `Form` adds a system."""

from . import (
    activations,
    attention,
    cells,
    chemistry,
    contrast,
    control,
    economics,
    factors,
    flows,
    kernels,
    lattices,
    learning,
    linear,
    losses,
    networks,
    normalisation,
    optimisation,
    physics,
    probability,
    regression,
    robust,
    statistics,
    unseen,
)
from .form import Form, Line

FORMS = [
    form
    for module in (
        activations,
        normalisation,
        losses,
        attention,
        networks,
        probability,
        linear,
        kernels,
        physics,
        statistics,
        optimisation,
        learning,
        control,
        economics,
        chemistry,
        contrast,
        robust,
        flows,
        regression,
        factors,
        lattices,
        cells,
        unseen,
    )
    for form in module.FORMS
]

__all__ = ["FORMS", "Form", "Line"]
