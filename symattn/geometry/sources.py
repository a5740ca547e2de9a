"""Metrics that come from elsewhere: a line element in LaTeX, an embedding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy as sp

from ..errors import FormulaError
from . import given
from .line_element import read_line_element
from .metric import Metric


def from_line_element(
    latex: str,
    coordinates: Iterable[sp.Symbol] | None = None,
    *,
    where: Iterable[str] | str = (),
    parameters: Iterable[sp.Symbol] | None = None,
    signature: str | None = None,
) -> Metric:
    r"""The metric of ds^2 = …, with equations for letters in it in `where`.

    >>> from_line_element(r"ds^2 = d\theta^2 + \sin^2\theta\,d\phi^2").scalar
    2
    """
    equations = [where] if isinstance(where, str) else list(where)
    declared = None if parameters is None else tuple(parameters)
    found = read_line_element(latex, coordinates, equations, declared or ())
    return Metric(
        found.coordinates,
        found.matrix,
        parameters=declared,
        names=found.names,
        signature=signature,
    )


def embedded(
    coordinates: Iterable[sp.Symbol] | sp.Symbol,
    embedding: Sequence[Any] | Mapping[sp.Symbol, Any],
    *,
    ambient: Metric | None = None,
    **options: Any,
) -> Metric:
    """The metric that x ↦ X(x) pulls back: g_{ab} = G_{AB} ∂_a X^A ∂_b X^B, G = δ by default.

    >>> u, v, R = sp.symbols("u v R")
    >>> embedded((u, v), [R * sp.cos(u), R * sp.sin(u), v]).matrix
    Matrix([
    [R**2, 0],
    [   0, 1]])
    """
    xs = given.coordinates(coordinates)
    if isinstance(embedding, Mapping):
        if ambient is None or set(embedding) != set(ambient.coordinates):
            raise FormulaError(
                "the embedding does not name the coordinates of the space around",
                got=", ".join(map(str, embedding)),
                expected=", ".join(map(str, ambient.coordinates)) if ambient else "a list",
            )
        embedding = [embedding[x] for x in ambient.coordinates]
    images = [sp.sympify(e) for e in embedding]
    if ambient is not None and len(images) != len(ambient.coordinates):
        raise FormulaError(
            "the embedding does not fit the space around",
            got=f"{len(images)} functions",
            expected=f"one for each of {', '.join(map(str, ambient.coordinates))}",
        )
    from .scalars import canonical

    slopes = sp.Matrix(images).jacobian(sp.Matrix(xs))
    around = sp.eye(len(images))
    if ambient is not None:
        around = ambient.matrix.subs(
            dict(zip(ambient.coordinates, images, strict=True)), simultaneous=True
        )
    matrix = (slopes.T * around * slopes).applyfunc(canonical)
    return Metric(xs, matrix, **options)
