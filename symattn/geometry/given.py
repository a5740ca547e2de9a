"""What a metric may be given as: coordinates, matrices and symbols, with errors that say where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..errors import FormulaError


def coordinates(given: Any) -> tuple[sp.Symbol, ...]:
    """Different symbols, in an order."""
    if isinstance(given, set | frozenset):
        raise FormulaError("a set of coordinates has no order", mend="write (theta, phi)")
    found = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    for x in found:
        if not isinstance(x, sp.Symbol):
            raise FormulaError(
                f"the coordinate {x} is not a symbol",
                got=type(x).__name__,
                expected="SymPy symbols",
                mend='make them with sp.symbols("theta phi")',
            )
    if not found or len({x.name for x in found}) < len(found):
        raise FormulaError(
            "the coordinates are not different symbols",
            got=", ".join(map(str, found)) or "none",
            mend="name each one once",
        )
    return found


def matrix(names: tuple[sp.Symbol, ...], given: Any) -> sp.ImmutableMatrix:
    """A matrix with one row and one column for every coordinate."""
    n = len(names)
    try:
        found = sp.ImmutableMatrix(given)
    except (TypeError, ValueError) as error:
        raise FormulaError(
            f"the metric is not a matrix: {error}",
            got=type(given).__name__,
            mend="write sp.Matrix([[…], […]])",
        ) from None
    if found.shape != (n, n):
        raise FormulaError(
            f"the metric does not fit the coordinates {', '.join(map(str, names))}",
            expected=f"a matrix of shape ({n}, {n})",
            got=f"shape {found.shape}",
            mend="give one row and one column for every coordinate",
        )
    return found


def written_out(
    xs: Sequence[sp.Symbol], names: Mapping[sp.Symbol, sp.Expr]
) -> dict[sp.Symbol, sp.Expr]:
    """What names stand for, without names in it.  FormulaError where that does not end."""
    for x in xs:
        if x in names:
            raise FormulaError(
                f"{x} is a coordinate, it stands for nothing else", got=f"{x} = {names[x]}"
            )
    found = dict(names)
    for _ in found:
        found = {s: e.xreplace(found) for s, e in found.items()}
    for s, e in found.items():
        if e.free_symbols & found.keys():
            raise FormulaError(f"{s} is said by itself", formula=f"{s} = {names[s]}")
    return found


def symbols(
    names: Sequence[sp.Symbol],
    value: sp.Expr,
    where: str,
    parameters: Sequence[sp.Symbol] | None = None,
) -> None:
    """FormulaError for symbols that are mistaken for coordinates, or that nothing declares."""
    known = {x.name: x for x in names}
    formula = f"{where} = {value}"
    for part in sorted(value.atoms(sp.Indexed), key=str):
        raise FormulaError(
            f"{part} in the metric is a component of a tensor",
            formula=formula,
            expected="plain symbols, made with sp.symbols()",
            mend="for a metric in index notation use symattn.geometry.christoffel(g, x)",
        )
    for s in sorted(value.free_symbols - set(names), key=str):
        if getattr(s, "name", None) in known:
            raise FormulaError(
                f"{s} in the metric is not the coordinate {s}",
                formula=formula,
                expected=f"the symbol with {_assumptions(known[s.name])}",
                got=f"one with {_assumptions(s)}",
                mend="make the symbol once and use that object everywhere",
            )
    for f in sorted(value.atoms(AppliedUndef), key=str):
        if not f.free_symbols & set(names):
            raise FormulaError(
                f"{f} does not depend on a coordinate",
                formula=formula,
                expected=f"a function of some of {', '.join(known)}",
                mend=f"declare {', '.join(map(str, f.args))} as a coordinate, or write a symbol "
                f"in place of {f}",
            )
    if parameters is not None:
        for s in sorted(value.free_symbols - set(names) - set(parameters), key=str):
            raise FormulaError(
                f"{s} is neither a coordinate nor a parameter",
                formula=formula,
                expected=f"the coordinates {', '.join(known)} and the parameters "
                + (", ".join(map(str, parameters)) or "none"),
                mend=f"declare {s} in parameters=",
            )


def _assumptions(symbol: sp.Symbol) -> str:
    given = [k if v else f"not {k}" for k, v in sorted(symbol._assumptions_orig.items())]
    return f"the assumptions {', '.join(given)}" if given else "no assumptions"
