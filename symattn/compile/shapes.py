"""Arrays against symbolic shapes: every mistake is named before JAX is reached."""

from __future__ import annotations

import numbers
from collections.abc import Container, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from keyword import iskeyword
from typing import Any

import numpy as np
import sympy as sp

from ..errors import ShapeError

Shape = tuple[sp.Expr, ...]


def shown(shape: tuple[Any, ...]) -> str:
    """A shape as Python prints a tuple."""
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"


def spelled(name: str) -> str:
    """The name of an array as an argument: lambda_ for lambda, which is a word of Python."""
    return f"{name}_" if iskeyword(name) else name


def as_named(given: Mapping[str, Any], names: Container[str]) -> Mapping[str, Any]:
    """The arguments under the names of the system, lambda_ under lambda."""
    words = {n: n[:-1] for n in given if n not in names and iskeyword(n.removesuffix("_"))}
    words = {n: own for n, own in words.items() if own in names and own not in given}
    return {words.get(n, n): x for n, x in given.items()} if words else given


def check_names(given: Mapping[str, Any], expected: Mapping[str, Shape]) -> None:
    """Raises ShapeError for arrays that are missing and for names that are no inputs."""
    if given.keys() == expected.keys():
        return
    takes = ", ".join(f"{name} {shown(shape)}" for name, shape in expected.items())
    surplus = [name for name in given if name not in expected]
    if surplus:
        raise ShapeError(
            f"{surplus[0]!r} is not an input",
            expected=takes,
            got=", ".join(given),
            mend=_meant(surplus[0], [name for name in expected if name not in given]),
        )
    name = next((name for name in expected if name not in given), None)
    if name is not None:
        raise ShapeError(
            f"the array {name!r} is missing",
            expected=takes,
            got=", ".join(given) or "nothing",
            mend=f"add {spelled(name)}=… with shape {shown(expected[name])}{_upstream(name)}",
        )


def _upstream(name: str) -> str:
    """What r_bar is, to whom it is new."""
    if not name.endswith("_bar"):
        return ""
    of = name.removesuffix("_bar")
    return f": the gradient of a loss with respect to {of}, and ones for that of its sum"


def _meant(name: str, missing: Sequence[str]) -> str:
    """What to do about a name that is no input, where these are missing."""
    near = [x for x in missing if x.casefold() == name.casefold()]
    near = near or get_close_matches(name, missing, n=1)
    return f"did you mean {spelled(near[0])}?" if near else "leave it out"


def _axes(many: int) -> str:
    return "1 axis" if many == 1 else f"{many} axes"


def _no_array(name: str, value: Any, shape: Shape) -> ShapeError:
    return ShapeError(
        f"{name} is not an array",
        expected=f"{name} {shown(shape)}",
        got="None" if value is None else type(value).__name__,
        mend="give a JAX or NumPy array",
    )


def check_array(name: str, value: Any, shape: Shape) -> Any:
    """The value, as an array or a float, with the right rank and a floating dtype.

    Looks at `shape` and `dtype` only, so tracers pass.  Raises ShapeError.
    """
    if not hasattr(value, "dtype") or not hasattr(value, "shape"):
        if isinstance(value, numbers.Real) and not isinstance(value, bool) and not shape:
            return float(value)
        try:
            value, own = np.asarray(value), value
        except ValueError:  # a list of lists of several lengths
            raise _no_array(name, value, shape) from None
        if value.dtype.kind in "OSU":
            raise _no_array(name, own, shape)
    if len(value.shape) != len(shape):
        more = len(value.shape) > len(shape)
        raise ShapeError(
            f"{name} has {_axes(len(value.shape))} and needs {len(shape)}",
            expected=f"{name} {shown(shape)}",
            got=f"{name} {shown(value.shape)}",
            mend="say which axes lead: compile(…, batch=…), or use jax.vmap"
            if more
            else "give it every axis, also one of length 1",
        )
    if not shape and value.dtype.kind in "iu":  # a Python number, traced
        value = value.astype(float)
    if value.dtype.kind not in "fV" or value.dtype.names:  # bfloat16 and float8 are of kind V
        raise ShapeError(
            f"{name} holds {value.dtype} where floats are needed",
            expected=f"{name} {shown(shape)} of a floating dtype",
            got=str(value.dtype),
            mend=f"convert it: {name}.astype(float)",
        )
    return value


def unify(
    arrays: Mapping[str, Any],
    shapes: Mapping[str, Shape],
    given: Mapping[sp.Symbol, int] | None = None,
) -> dict[sp.Symbol, int]:
    """The sizes that make every symbolic shape equal to the shape of its array.

    `given` are sizes that were said.  Raises ShapeError naming the two places that disagree.
    """
    got = tuple(tuple(map(int, np.shape(arrays[name]))) for name in shapes)
    return dict(_sizes(tuple(shapes.items()), got, tuple((given or {}).items())))


@lru_cache(maxsize=4096)  # a function is called many times with arrays of the same shapes
def _sizes(
    symbolic: tuple[tuple[str, Shape], ...],
    given: tuple[tuple[int, ...], ...],
    said: tuple[tuple[sp.Symbol, int], ...],
) -> dict[sp.Symbol, int]:
    shapes = dict(symbolic)
    lengths = dict(zip(shapes, given, strict=True))
    known: dict[sp.Symbol, int] = dict(said)
    where: dict[sp.Symbol, str] = {s: f"{s} = {value}" for s, value in said}
    pending = [
        (name, axis, size, lengths[name][axis])
        for name, shape in shapes.items()
        for axis, size in enumerate(shape)
    ]
    while pending:
        later = []
        for name, axis, size, got in pending:
            left = size.subs(known)
            if left.is_Integer:
                if int(left) != got:
                    raise _disagreement(name, axis, size, int(left), got, shapes, lengths, where)
                continue
            free = sorted(left.free_symbols, key=str)
            if len(free) != 1:
                later.append((name, axis, size, got))
                continue
            (symbol,) = free
            roots = [r for r in _roots(left, symbol, got) if r.is_Integer and r >= 0]
            if len(roots) != 1:
                raise ShapeError(
                    f"axis {axis} of {name} has a length that {size} cannot be",
                    expected=f"{name} {shown(shapes[name])}",
                    got=f"{name} {shown(lengths[name])}",
                    mend=f"give it the length {size} for a whole {symbol}",
                )
            known[symbol] = int(roots[0])
            where[symbol] = f"axis {axis} of {name} {shown(lengths[name])}"
        if len(later) == len(pending):
            break
        pending = later
    return known


def _roots(size: sp.Expr, symbol: sp.Symbol, length: int) -> list[sp.Expr]:
    """The values of a size symbol, 0 among them, for which a size has this length."""
    free = sp.Dummy()
    found: list[sp.Expr] = sp.solve(size.xreplace({symbol: free}) - length, free)
    return found


def _disagreement(
    name: str,
    axis: int,
    size: sp.Expr,
    wanted: int,
    got: int,
    shapes: Mapping[str, Shape],
    lengths: Mapping[str, tuple[int, ...]],
    where: Mapping[sp.Symbol, str],
) -> ShapeError:
    sources = "; ".join(where[s] for s in sorted(size.free_symbols, key=str) if s in where)
    because = f", because of {sources}" if sources else ""
    return ShapeError(
        f"axis {axis} of {name} has {got} entries and {size} is {wanted}",
        expected=f"{name} {shown(shapes[name])} with {size} = {wanted}{because}",
        got=f"{name} {shown(lengths[name])}",
        mend="look for a transposed array, or for arrays of two different problems",
    )
