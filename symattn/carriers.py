"""The kinds of numbers that expressions are evaluated in: floats, JAX arrays, exact, mpmath."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

import numpy as np
import sympy as sp

from . import primitives
from .errors import FormulaError, UndefinedError
from .ir import Rational

ROUNDED = 1e-35  # mpmath numbers of 50 digits below it count as 0

Array = Any


@dataclass(frozen=True)
class Carrier:
    """The kind of numbers in use: how to make one, and how to apply a scalar function."""

    name: str
    number: Callable[[Rational], Any]
    function: Callable[[str], Callable[..., Array]]
    xp: Any  # numpy or jax.numpy


KEPT = 1 << 13  # values of one function that are kept
LARGE = 64  # binary digits before the point of what functions are taken of


def _plain(name: str) -> sp.Expr:
    """The function of plain symbols in terms that SymPy's printers know."""
    record = primitives.by_name(name)
    value = primitives.plain(record.function(*primitives.VARIABLES[: record.arity]))
    return value if value.func.__module__.startswith("sympy") else value.rewrite(sp.exp)


def _variables(name: str) -> tuple[sp.Dummy, ...]:
    return primitives.VARIABLES[: primitives.by_name(name).arity]


@cache
def _compiled(name: str, modules: str) -> Callable[..., Array]:
    order = ["scipy", "numpy"] if modules == "numpy" else modules
    function: Callable[..., Array] = sp.lambdify(_variables(name), _plain(name), order)
    return function


@cache
def _objectwise(name: str, modules: str, rounded: float = ROUNDED) -> Callable[..., Array]:
    if modules == "sympy":
        exact = primitives.by_name(name).function
        return np.frompyfunc(lambda *x: primitives.plain(exact(*x)), len(_variables(name)), 1)
    function = _compiled(name, modules)
    if name in ("step", "sign"):  # what is rounding of 0 is 0 where they jump
        return np.frompyfunc(lambda x: function(x if abs(x) > rounded else 0 * x), 1, 1)
    if modules != "mpmath" or name in ("log", "abs"):
        return np.frompyfunc(function, len(_variables(name)), 1)

    import mpmath

    @lru_cache(KEPT)
    def value(bits: int, *x: Any) -> Any:  # where one component moves, most others do not
        return function(*x)

    def within_reach(*x: Any) -> Any:  # e^x of a number with billions of digits never ends
        if any(sum(getattr(v, "_mpf_", (0, 0, 0, 0))[2:]) > LARGE for v in x):
            raise OverflowError(f"{name} of a number that is too large")
        return value(mpmath.mp.prec, *x)

    return np.frompyfunc(within_reach, len(_variables(name)), 1)


def floats() -> Carrier:
    """float64 by NumPy."""
    return Carrier("numpy", float, lambda n: _compiled(n, "numpy"), np)


def jax_arrays() -> Carrier:
    """JAX arrays of the dtype of the inputs."""
    import jax.numpy as jnp

    return Carrier("jax", float, _registered, jnp)


@cache
def _registered(name: str) -> Callable[..., Array]:
    """The JAX expression of the record, which only those who register functions can write."""
    import jax
    import jax.numpy as jnp

    record = primitives.by_name(name)
    source = "lambda x, y=None, z=None: " + record.jax.format(x="x", y="y", z="z")
    function: Callable[..., Array] = eval(source, {"jax": jax, "jnp": jnp})
    return function


def exact() -> Carrier:
    """Exact SymPy numbers."""
    return Carrier(
        "sympy",
        lambda q: sp.Rational(q.numerator, q.denominator),
        lambda n: _objectwise(n, "sympy"),
        np,
    )


def fractions() -> Carrier:
    """Exact rational numbers, for expressions without functions and roots."""

    def none(name: str) -> Callable[..., Array]:
        raise FormulaError(f"{name} of a rational number is not rational")

    return Carrier("fractions", Fraction, none, np)


def multiprecision(rounded: float = ROUNDED) -> Carrier:
    """mpmath numbers at the working precision; functions jump at what is rounded to 0."""
    import mpmath

    return Carrier(
        "mpmath",
        lambda q: mpmath.mpf(q.numerator) / q.denominator,
        lambda n: _objectwise(n, "mpmath", rounded),
        np,
    )


def eliminated(matrix: Array, carrier: Carrier) -> tuple[Array, Any]:
    """The inverse and the determinant by elimination with the largest pivot, for any numbers."""
    n = len(matrix)
    one, zero = carrier.number(1), carrier.number(0)
    rows = [[*row, *(one if k == r else zero for k in range(n))] for r, row in enumerate(matrix)]
    determinant = one
    for k in range(n):
        pivot = max(range(k, n), key=lambda r: abs(rows[r][k]))
        if rows[pivot][k] == 0:
            raise UndefinedError("a singular matrix has no inverse")
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            determinant = -determinant
        lead = rows[k][k]
        determinant = determinant * lead
        rows[k] = [x / lead for x in rows[k]]
        for r in range(n):
            if r != k and rows[r][k] != 0:
                factor = rows[r][k]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[k], strict=True)]
    return np.array([row[n:] for row in rows], dtype=object).reshape(n, n), determinant
