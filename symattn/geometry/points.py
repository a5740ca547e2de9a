"""Compiled functions of the point: JAX arrays of components, with common parts shared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..errors import ShapeError, UnsupportedError


class PointFunction:
    """f(point, **parameters): all components as one array, with the values' common parts shared.

    `point` is a float array of shape (n,) in the order of `coordinates`, `parameters` are scalars
    by name.  It goes through jax.jit, jax.vmap and jax.grad; under vmap, bind parameters first:
    jax.vmap(lambda x: f(x, R=2.0))(points).

    Raises ShapeError for a point of another shape and for names that are missing or unknown,
    UnsupportedError where a component has a function without a value, such as a(t) or δ(x).
    """

    def __init__(
        self,
        coordinates: Sequence[sp.Symbol],
        parameters: Sequence[sp.Symbol],
        shape: tuple[int, ...],
        values: Mapping[tuple[int, ...], sp.Expr],
    ) -> None:
        import numpy as np

        self.coordinates, self.parameters = tuple(coordinates), tuple(parameters)
        # a value and its negative are computed once
        places = {where: _without_sign(value) for where, value in values.items() if value != 0}
        distinct = {
            value: k + 1
            for k, (_, value) in enumerate(
                dict.fromkeys((0, value) for _, value in places.values())
            )
        }
        functions = sorted({str(f) for v in distinct for f in v.atoms(AppliedUndef)})
        if functions:
            raise UnsupportedError(
                f"{', '.join(functions)} has no value",
                mend="put a formula in its place in the matrix of the metric",
            )
        called = {f.func.__name__ for v in distinct for f in v.atoms(sp.Function)}
        unknown = sorted(called - _known())
        if unknown:
            raise UnsupportedError(
                f"{', '.join(unknown)} is no function that JAX has",
                expected="elementary functions, gamma, polygamma, erf, Heaviside and the like",
                mend="put an expression of these in its place in the matrix of the metric",
            )
        self._where = np.zeros(shape, np.int32)
        self._sign = np.ones(shape, np.int8)
        for where, (sign, value) in places.items():
            self._where[where], self._sign[where] = distinct[value], sign
        self._needed = [s.name for s in self.parameters if any(v.has(s) for v in distinct)]
        self._values = sp.lambdify(
            (*self.coordinates, *self.parameters), list(distinct), [_special(), "jax"], cse=True
        )

    def __call__(self, point: Any, /, **parameters: Any) -> Any:
        import jax.numpy as jnp

        point, n = jnp.asarray(point), len(self.coordinates)
        if point.shape != (n,):
            raise ShapeError(
                "the point does not fit the coordinates",
                got=f"shape {point.shape}",
                expected=f"shape ({n},) for {', '.join(map(str, self.coordinates))}",
                mend="use jax.vmap for many points",
            )
        check_names("the function", parameters, [s.name for s in self.parameters], self._needed)
        return self._run(point * 1.0, *(parameters.get(s.name, 0.0) for s in self.parameters))

    @cached_property
    def _run(self) -> Callable[..., Any]:
        import jax
        import jax.numpy as jnp

        def table(point: Any, *parameters: Any) -> Any:
            distinct = jnp.array([0.0, *self._values(*point, *parameters)], point.dtype)
            return distinct[self._where] * self._sign.astype(point.dtype)

        jitted: Callable[..., Any] = jax.jit(table)
        return jitted


def _special() -> dict[str, Any]:
    """Functions of jax.scipy that SymPy's printer does not know."""
    from jax.scipy import special

    return {"polygamma": special.polygamma}


def _known() -> set[str]:
    from sympy.printing.numpy import JaxPrinter

    printed = {n.removeprefix("_print_") for n in dir(JaxPrinter) if n.startswith("_print_")}
    return {*printed, *JaxPrinter().known_functions, *_special()}


def _without_sign(value: sp.Expr) -> tuple[int, sp.Expr]:
    return (-1, -value) if value.could_extract_minus_sign() else (1, value)


def check_names(
    what: str, given: Iterable[str], known: Sequence[str], needed: Sequence[str] = ()
) -> None:
    """ShapeError for names in `given` that are not known and for needed ones that it lacks."""
    wrong = [f"{n} is unknown" for n in given if n not in known]
    wrong += [f"{n} is missing" for n in needed if n not in given]
    if wrong:
        raise ShapeError(
            f"{what} has wrong names: {'; '.join(wrong)}",
            expected=", ".join(known) or "none",
            mend=f"give a value for {', '.join(needed)}" if needed else "",
        )
