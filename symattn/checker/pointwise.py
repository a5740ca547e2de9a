"""Expressions of numbers as NumPy functions of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

_FAULTS = (TypeError, ValueError, NameError, AttributeError, KeyError, NotImplementedError)


def pointwise(expr: Any, variables: Sequence[sp.Symbol]) -> Callable[..., np.ndarray] | None:
    """The real values of an expression where its variables are; None where it has other names.

    NaN stands where it has no real value.  Names of a document never reach the source that SymPy
    makes of it.
    """
    if expr.has(AppliedUndef, sp.Indexed, sp.Sum) or expr.free_symbols - {*variables}:
        return None
    plain = [sp.Symbol(f"x{k}", real=True) for k in range(len(variables))]
    expr = expr.xreplace(dict(zip(variables, plain, strict=True)))
    try:
        at = sp.lambdify(plain, expr, "numpy")
        with np.errstate(all="ignore"):
            at(*(np.ones(1) for _ in plain))
    except _FAULTS:
        return None

    def values(*places: Any) -> np.ndarray:
        with np.errstate(all="ignore"):
            found = np.asarray(at(*places))
        found = np.where(np.iscomplex(found), np.nan, np.real(found)).astype(float)
        return np.broadcast_to(found, np.broadcast_shapes(*(np.shape(p) for p in places)))

    return values


__all__ = ["pointwise"]
