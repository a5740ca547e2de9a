"""THE registry of scalar functions: one record holds all that symattn knows about a function.

`register` a record to add one; nothing else has to change.  The derivative is asked of SymPy once,
on plain symbols.  The classes that SymPy has not are in `symattn.functions`, and can be taken from
here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import sympy as sp

from .errors import SymattnError
from .functions import (
    Defined,
    acosh,
    cbrt,
    clip,
    elu,
    expm1,
    gelu,
    gelu_tanh,
    hard_sigmoid,
    hard_swish,
    hard_tanh,
    hypot,
    leaky_relu,
    log1p,
    log_ndtr,
    log_sigmoid,
    logaddexp,
    logit,
    mish,
    plain,
    relu,
    relu6,
    selu,
    sigmoid,
    silu,
    softplus,
    softsign,
    step,
    xlogy,
)
from .ir import Unknown
from .objects import FunctionDerivative
from .records import RECORDS, Primitive, filled

X, Y, Z = VARIABLES = tuple(sp.Dummy(letter, real=True) for letter in "xyz")
_BY_NAME: dict[str, Primitive] = {}
_BY_CLASS: dict[Any, Primitive] = {}


def register(primitive: Primitive) -> Primitive:
    """Add a scalar function, which can be differentiated, printed, read and compiled from then on.

    Raises SymattnError when the name or a spelling is taken, when SymPy has no derivative for the
    function, when that derivative disagrees with finite differences somewhere in the domain, when
    the definition is not the function, when a template gives another value there, and when it is
    said to increase and does not.
    """
    if primitive.name in _BY_NAME:
        raise SymattnError(
            f"the scalar function {primitive.name!r} is registered already",
            mend="give the new record another name",
        )
    for word in spellings(primitive):
        if (other := by_word(word)) is not None:
            raise SymattnError(
                f"{word} is how {other.name!r} is written in LaTeX",
                mend=f"give {primitive.name!r} another spelling",
            )
    at = VARIABLES[: primitive.arity]
    value = primitive.function(*at)
    for k, x in enumerate(at):
        slope = _differentiated(value, x)
        if slope is None:
            raise SymattnError(
                f"SymPy does not know the derivative of {primitive.name!r}",
                mend="give the SymPy function an fdiff method",
            )
        _check_slope(primitive, value, slope, k)
    _check_templates(primitive, value)
    _check_increase(primitive, value)
    return _add(primitive)


def _points(primitive: Primitive) -> Iterator[dict[Any, sp.Float]]:
    """Five points of the domain; arguments behind the first one are in ascending order."""
    low, high = (sp.Float(end, 40) for end in primitive.domain)
    for k in range(1, 6):
        shares = (sp.Rational(k, 6), sp.Rational(31, 100), sp.Rational(77, 100))
        places = zip(VARIABLES, shares[: primitive.arity], strict=False)
        yield {x: low + (high - low) * share for x, share in places}


def _check_increase(primitive: Primitive, value: Any) -> None:
    values = [_number(value, point) for point in _points(primitive)]
    if primitive.increasing and any(a >= b for a, b in pairwise(values)):
        raise SymattnError(
            f"{primitive.name!r} does not increase in its domain",
            mend="leave out increasing=True",
        )


def _check_slope(primitive: Primitive, value: Any, slope: Any, k: int) -> None:
    step = sp.Float(primitive.domain[1] - primitive.domain[0], 40) * sp.Float("1e-9", 40)
    for point in _points(primitive):
        x = VARIABLES[k]
        up, down = (_number(value, {**point, x: point[x] + h}) for h in (step, -step))
        got, wanted = _number(slope, point), (up - down) / (2 * step)
        if abs(got - wanted) > 1e-6 * (1 + abs(wanted)):
            raise SymattnError(
                f"the derivative of {primitive.name!r} disagrees with finite differences",
                expected=f"{float(wanted):.6g} at {_said(point)}",
                got=f"{float(got):.6g}",
                mend="look at fdiff of the SymPy function, and at the domain of the record",
            )


def _check_templates(primitive: Primitive, value: Any) -> None:
    """The definition and both templates against the SymPy function, at points of the domain."""
    import math

    import jax
    import jax.numpy as jnp
    import numpy as np

    names = {"jax": jax, "jnp": jnp, "np": np, "math": math}
    for point in _points(primitive):
        wanted = float(_number(value, point))
        found = {}
        if primitive.definition is not None:
            at = VARIABLES[: primitive.arity]
            found["definition"] = float(_number(primitive.definition(*at), point))
        for module in ("jnp", "np"):
            code, numbers = primitive.template(module), [float(x) for x in point.values()]
            if "scipy." in code.replace("jax.scipy.", ""):
                import scipy.special

                names["scipy"] = scipy
            arrays = [np.asarray(x, np.float32 if module == "jnp" else float) for x in numbers]
            words = dict(zip("xyz", arrays, strict=False))
            try:
                got = eval(filled(code, tuple(words)), {**names, **words})
            except (NameError, AttributeError, SyntaxError, TypeError) as error:
                raise SymattnError(
                    f"the {_KIND[module]} expression of {primitive.name!r} does not run",
                    got=f"{code}: {error}",
                    mend="write an expression of {x} with jax, jnp and math, or np and math",
                ) from None
            found[_KIND[module]] = float(got)
        for kind, got in found.items():
            if not abs(got - wanted) <= (1e-4 if kind == "JAX" else 1e-9) * (1 + abs(wanted)):
                raise SymattnError(
                    f"the {kind} expression of {primitive.name!r} is another function"
                    if kind != "definition"
                    else f"the definition of {primitive.name!r} is another function",
                    expected=f"{wanted:.6g} at {_said(point)}",
                    got=f"{got:.6g}",
                    mend="look at the record",
                )


_KIND = {"jnp": "JAX", "np": "NumPy"}


def _said(point: dict[Any, sp.Float]) -> str:
    return ", ".join(f"{x.name} = {float(v):.4g}" for x, v in point.items())


def _number(expr: sp.Expr, at: Any) -> sp.Expr:
    """The value at a point, or at a number in place of X."""
    put = at if isinstance(at, dict) else {X: at}
    value = plain(sp.sympify(expr)).xreplace(put).evalf(40)
    return value if value.is_Float or value.is_Integer else value.rewrite(sp.exp).evalf(40)


def _add(primitive: Primitive) -> Primitive:
    _BY_NAME[primitive.name] = primitive
    if isinstance(primitive.function, type):
        _BY_CLASS[primitive.function] = primitive
    _forget()
    return primitive


def _forget() -> None:
    for memo in (derivative, kinked, commands, by_word):
        memo.cache_clear()


def by_name(name: str | Unknown) -> Primitive:
    """The record with that name; of an unknown function one that knows how it is shown."""
    return _BY_NAME[name] if isinstance(name, str) else _unknown(name)


@cache
def _unknown(f: Unknown) -> Primitive:
    def show(*args: Any) -> sp.Expr:
        if any(f.orders):
            return FunctionDerivative(f.name, f.orders, args)
        return sp.Function(f.name, real=True)(*args)

    return Primitive(str(f), show, str(f), "", arity=len(f.orders))


COMPOSED: dict[Any, Callable[..., Any]] = {  # functions that are read as what others give
    sp.sec: lambda x: 1 / sp.cos(x),
    sp.csc: lambda x: 1 / sp.sin(x),
    sp.cot: lambda x: 1 / sp.tan(x),
    sp.sech: lambda x: 1 / sp.cosh(x),
    sp.csch: lambda x: 1 / sp.sinh(x),
    sp.acosh: acosh,
    sp.asec: lambda x: sp.acos(1 / x),
    sp.acsc: lambda x: sp.asin(1 / x),
    sp.acot: lambda x: sp.atan(1 / x),
    sp.asech: lambda x: acosh(1 / x),
    sp.acsch: lambda x: sp.asinh(1 / x),
    sp.acoth: lambda x: sp.atanh(1 / x),
    sp.Heaviside: lambda x, h: step(x) - (1 - h) * step(x) * step(-x),
    sp.beta: lambda x, y: sp.gamma(x) * sp.gamma(y) / sp.gamma(x + y),
    sp.factorial: lambda x: sp.gamma(x + 1),
    sp.binomial: lambda n, k: sp.gamma(n + 1) / (sp.gamma(k + 1) * sp.gamma(n - k + 1)),
}


def call_of(expr: sp.Expr) -> tuple[Primitive, tuple[Any, ...]] | None:
    """The record of a SymPy function and its arguments; None when nobody registered it."""
    if isinstance(expr, sp.polygamma) and expr.args[0] == 0:
        return _BY_NAME["digamma"], expr.args[1:]
    record = _BY_CLASS.get(type(expr))
    return None if record is None or len(expr.args) != record.arity else (record, expr.args)


def spellings(primitive: Primitive) -> list[str]:
    """How a function is written in LaTeX, commands with their backslash."""
    return list(dict.fromkeys([primitive.name, *primitive.words.split()]))


@cache
def by_word(word: str) -> Primitive | None:
    """The record of a function as LaTeX writes it: a name, or a command with its backslash."""
    for record in _BY_NAME.values():
        if word in spellings(record):
            return record
    return None


@cache
def commands() -> dict[str, str]:
    """The words that are functions wherever they stand, each with the name of its function."""
    return {
        word.removeprefix("\\"): record.name
        for record in _BY_NAME.values()
        for word in spellings(record)
        if word.startswith("\\")
    }


@cache
def kinked(name: str) -> bool:
    """True for a function that bends or jumps somewhere."""
    if name in ("step", "sign", "abs"):
        return True
    definition = _BY_NAME[name].definition
    if definition is None:
        return False
    value = plain(definition(*VARIABLES[: _BY_NAME[name].arity]))
    return bool(value.has(sp.Max, sp.Min, sp.Abs, sp.sign, step))


def names() -> tuple[str, ...]:
    """All registered names, in order of registration."""
    return tuple(_BY_NAME)


@cache
def derivative(name: str, k: int = 0) -> sp.Expr | None:
    """∂f/∂x_k as a SymPy expression of the plain `VARIABLES`; None where there is none."""
    record = _BY_NAME[name]
    return _differentiated(record.function(*VARIABLES[: record.arity]), VARIABLES[k])


def _differentiated(value: Any, by: Any) -> Any:
    try:
        slope = sp.diff(value, by)
    except sp.function.ArgumentIndexError:
        return None
    if slope.has(sp.Derivative, sp.Subs):
        return None
    return slope.replace(sp.DiracDelta, lambda *_: sp.S.Zero)  # at a jump it is taken as 0


for _record in RECORDS:
    _add(_record)

__all__ = [
    "VARIABLES",
    "Defined",
    "Primitive",
    "X",
    "acosh",
    "by_name",
    "by_word",
    "call_of",
    "cbrt",
    "clip",
    "commands",
    "derivative",
    "elu",
    "expm1",
    "gelu",
    "gelu_tanh",
    "hard_sigmoid",
    "hard_swish",
    "hard_tanh",
    "hypot",
    "leaky_relu",
    "log1p",
    "log_ndtr",
    "log_sigmoid",
    "logaddexp",
    "logit",
    "mish",
    "names",
    "plain",
    "register",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "silu",
    "softplus",
    "softsign",
    "step",
    "xlogy",
]
