"""The gallery of forms: what a textbook prints for the gradients of systems.  One `Form` adds a row."""

from . import activations, attention, kernels, linear, losses, networks, normalisation, probability
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
    )
    for form in module.FORMS
]

__all__ = ["FORMS", "Form", "Line"]
