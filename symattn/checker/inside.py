"""What stands in an expression: names of tensors and scalars.  It is asked again and again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..objects import Determinant, FunctionDerivative, Inverse, Partial

TIMES = frozenset(["t", "tau"])  # what a dot is a derivative by
KEPT = 1 << 14  # expressions of which the answers are kept


def names(expr: Any) -> set[str]:
    """The names of tensors and scalars in an expression: no letters and no sizes."""
    return {*_names(expr)}


@lru_cache(maxsize=KEPT)
def _names(expr: Any) -> frozenset[str]:
    if isinstance(expr, sp.Idx) or expr is None:
        return frozenset()
    if isinstance(expr, sp.Symbol):
        return frozenset() if expr.is_integer and expr.is_positive else frozenset([expr.name])
    if isinstance(expr, Inverse):
        return frozenset([expr.name]) | _names(expr.of)
    if isinstance(expr, sp.IndexedBase):
        return frozenset([expr.name])
    if isinstance(expr, sp.Indexed):
        return _names(expr.base)
    if isinstance(expr, Determinant):  # "det" is no name
        return _names(expr.args[0])
    parts: Sequence[Any] = expr.args
    if hasattr(expr, "limits") and hasattr(expr, "function"):
        parts = (expr.function,)
    return frozenset().union(*map(_names, parts))


@lru_cache(maxsize=KEPT)
def bases(expr: Any) -> frozenset[Any]:
    """The tensors in an expression."""
    return frozenset(expr.atoms(sp.IndexedBase))


@lru_cache(maxsize=KEPT)
def named(expr: Any) -> frozenset[Any]:
    """The tensors and the scalars of an expression: no letters, no labels of tensors, no sizes."""
    labels = {t.label for t in bases(expr)}
    numbers = {x for x in expr.atoms(sp.Symbol) if not isinstance(x, sp.Idx) and x not in labels}
    return bases(expr) | {x for x in numbers if not x.is_integer}


@lru_cache(maxsize=KEPT)
def symbols(expr: Any) -> frozenset[Any]:
    """The free symbols of an expression, as SymPy has them; what bodies of sums have is kept."""
    if isinstance(expr, sp.Sum | sp.Product):
        found = {*symbols(expr.function)}
        for letter, *ends in expr.limits:
            found = (found - {letter}).union(*map(symbols, ends))
        return frozenset(found)
    if isinstance(expr, sp.Add | sp.Mul | sp.Pow | sp.Function):
        return frozenset().union(*map(symbols, expr.args))
    return frozenset(getattr(expr, "free_symbols", ()))


def partials(*sides: Any) -> list[Partial]:
    """The derivatives in the sides that there are."""
    return [p for side in sides if side is not None for p in _partials(side)]


@lru_cache(maxsize=KEPT)
def _partials(side: Any) -> tuple[Partial, ...]:
    return (*side.atoms(Partial),)


@lru_cache(maxsize=KEPT)
def functions(expr: Any) -> frozenset[str]:
    """The undefined functions that an expression applies or derives."""
    derived = {str(f.args[0]) for f in expr.atoms(FunctionDerivative)}
    return frozenset({f.func.__name__ for f in expr.atoms(AppliedUndef)} | derived)


@lru_cache(maxsize=KEPT)
def letters(expr: Any) -> frozenset[Any]:
    """The letters of indices in an expression, bound ones among them."""
    return frozenset(expr.atoms(sp.Idx))


__all__ = ["TIMES", "bases", "functions", "letters", "named", "names", "partials", "symbols"]
