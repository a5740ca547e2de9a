"""The gallery of forms: what a textbook prints for gradients.  One `Form` adds a system."""

from . import (
    activations,
    again,
    attention,
    brought,
    further,
    kernels,
    learning,
    linear,
    losses,
    networks,
    normalisation,
    optimisation,
    physics,
    probability,
    statistics,
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
        further,
        again,
        brought,
    )
    for form in module.FORMS
]

__all__ = ["FORMS", "Form", "Line"]
