"""Components as they are written: T^{ij}, the inverse of a matrix, ∂²L/∂w_i ∂w_j."""

from __future__ import annotations

from ..ir import Slot, Tensor
from .naming import name, slot
from .notation import UP, current, named, scripts


def reference(tensor: Tensor, group: tuple[Slot, ...]) -> str:
    """A component T^{ij}, or a derivative of components."""
    if tensor.parts:
        of, wrt = tensor.parts
        if own := current().gradient(tensor):
            return own + scripts(wrt, group)
        rank = len(of.shape)
        bottom = [rf"\partial {reference(wrt, group[rank:])}"]
        while of.parts:  # ∂²L/∂w∂w is a derivative of a derivative
            of, wrt = of.parts
            bottom.insert(0, rf"\partial {reference(wrt, group[len(of.shape) : rank])}")
            rank = len(of.shape)
        order = f"^{len(bottom)}" if len(bottom) > 1 else ""
        return rf"\frac{{\partial{order} {reference(of, group[:rank])}}}{{{' '.join(bottom)}}}"
    if tensor.role == "norm":
        return rf"\|{name(tensor.name)}\|"
    if tensor.role in ("place", "counted"):
        return slot(group[0])
    if tensor.role == "adjoint" and not current().bars:
        return rf"\frac{{\partial \mathcal{{L}}}}{{\partial {reference(tensor.of[0], group)}}}"
    if tensor.name in current().slopes:
        of = Tensor(current().slopes[tensor.name], tensor.shape[1:])
        return rf"\partial_{{{slot(group[0])}}} {reference(of, group[1:])}"
    return (_linked(tensor) or named(tensor)) + scripts(tensor, group)


def _linked(tensor: Tensor) -> str:
    """The inverse, the determinant or its logarithm by the name of its matrix; empty for others."""
    if tensor.role not in ("inverse", "det", "logdet"):
        return ""
    (of,) = tensor.of
    inner = _linked(of) or name(of.name)
    if current().raised(tensor):
        return inner
    if tensor.role == "inverse" and current().bare and UP not in current().pattern(tensor):
        return rf"{inner}^{{-1}}"
    return {
        "inverse": rf"\left({inner}^{{-1}}\right)",
        "det": rf"\det\left({inner}\right)",
        "logdet": rf"\log\det\left({inner}\right)",
    }[tensor.role]
