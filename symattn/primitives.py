"""THE registry of scalar functions: one record holds all that symattn knows about a function.

`register` a record to add one; nothing else has to change.  The derivative is asked of SymPy once,
on a plain symbol, and is never typed in by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import sympy as sp

from .errors import SymattnError
from .ir import Unknown
from .objects import FunctionDerivative


@dataclass(frozen=True)
class Primitive:
    """A scalar function of one variable.

    name      the name in the IR, in errors and in plain text
    function  the SymPy function (or a callable that builds the SymPy expression)
    latex     the LaTeX command that stands before the argument
    jax       the JAX expression, with {x} for the argument
    numpy     the same for NumPy; the default replaces jnp by np
    domain    the open interval of arguments where it is smooth, for checks and for drawing samples
    sign      "+" where every value is positive, "0+" where none is negative, "" otherwise
    parity    1 for an even function, -1 for an odd one, 0 for neither
    definition  the function in terms of simpler ones, as a SymPy expression of `x`, used to decide
    """

    name: str
    function: Callable[[Any], Any]
    latex: str
    jax: str
    numpy: str = ""
    domain: tuple[float, float] = (-3.0, 3.0)
    sign: str = ""
    parity: int = 0
    definition: Callable[[Any], Any] | None = field(default=None, repr=False)


X = sp.Dummy("x", real=True)
_BY_NAME: dict[str, Primitive] = {}
_BY_CLASS: dict[Any, Primitive] = {}


def register(primitive: Primitive) -> Primitive:
    """Add a scalar function; it can be used in formulas, differentiated, printed and compiled.

    Raises SymattnError when the name is taken, when SymPy has no derivative for the function, and
    when that derivative disagrees with finite differences somewhere in the domain.
    """
    if primitive.name in _BY_NAME:
        raise SymattnError(
            f"the scalar function {primitive.name!r} is registered already",
            mend="give the new record another name",
        )
    slope = sp.diff(primitive.function(X), X)
    if slope.has(sp.Derivative, sp.Subs):
        raise SymattnError(
            f"SymPy does not know the derivative of {primitive.name!r}",
            mend="give the SymPy function an fdiff method",
        )
    low, high = (sp.Float(end, 40) for end in primitive.domain)
    step = (high - low) * sp.Float("1e-9", 40)
    for k in range(1, 6):
        x = low + (high - low) * k / 6
        up, down = (_number(primitive.function(X), x + h) for h in (step, -step))
        got, wanted = _number(slope, x), (up - down) / (2 * step)
        if abs(got - wanted) > 1e-6 * (1 + abs(wanted)):
            raise SymattnError(
                f"the derivative of {primitive.name!r} disagrees with finite differences",
                expected=f"{float(wanted):.6g} at x = {float(x):.4g}",
                got=f"{float(got):.6g}",
                mend="look at fdiff of the SymPy function, and at the domain of the record",
            )
    return _add(primitive)


def _number(expr: sp.Expr, at: sp.Float) -> sp.Expr:
    value = expr.xreplace({X: at}).evalf(40)
    return value if value.is_Float or value.is_Integer else value.rewrite(sp.exp).evalf(40)


def _add(primitive: Primitive) -> Primitive:
    _BY_NAME[primitive.name] = primitive
    if isinstance(primitive.function, type):
        _BY_CLASS[primitive.function] = primitive
    _slope.cache_clear()
    return primitive


def by_name(name: str | Unknown) -> Primitive:
    """The record with that name; of an unknown function one that knows how it is shown."""
    return _BY_NAME[name] if isinstance(name, str) else _unknown(name)


@cache
def _unknown(f: Unknown) -> Primitive:
    def show(*args: Any) -> sp.Expr:
        if any(f.orders):
            return FunctionDerivative(f.name, f.orders, args)
        return sp.Function(f.name, real=True)(*args)

    return Primitive(str(f), show, str(f), "")


def by_class(cls: type) -> Primitive | None:
    """The record of a SymPy function class, None when nobody registered it."""
    return _BY_CLASS.get(cls)


def names() -> tuple[str, ...]:
    """All registered names, in order of registration."""
    return tuple(_BY_NAME)


@cache
def _slope(name: str) -> sp.Expr:
    return sp.diff(_BY_NAME[name].function(X), X)


def derivative(name: str) -> sp.Expr:
    """f'(X) as a SymPy expression of the plain symbol `X`."""
    return _slope(name)


class sigmoid(sp.Function):
    """sigmoid(x) = 1/(1 + e^{-x})."""

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        return sigmoid(self.args[0]) * (1 - sigmoid(self.args[0]))

    def _eval_is_extended_real(self) -> bool | None:
        return self.args[0].is_extended_real

    def _eval_evalf(self, prec: int) -> Any:
        return self.rewrite(sp.exp)._eval_evalf(prec)

    def _eval_rewrite_as_exp(self, x: sp.Expr, **_: Any) -> sp.Expr:
        return 1 / (1 + sp.exp(-x))


class softplus(sp.Function):
    """softplus(x) = log(1 + e^x)."""

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        return sigmoid(self.args[0])

    def _eval_is_extended_real(self) -> bool | None:
        return self.args[0].is_extended_real

    def _eval_evalf(self, prec: int) -> Any:
        return self.rewrite(sp.exp)._eval_evalf(prec)

    def _eval_rewrite_as_exp(self, x: sp.Expr, **_: Any) -> sp.Expr:
        return sp.log(1 + sp.exp(x))


class step(sp.Function):
    """step(x) = 1 for x ≥ 0 and 0 elsewhere; its derivative is taken as 0."""

    @classmethod
    def eval(cls, x: sp.Expr) -> Any:
        if x.is_nonnegative:
            return sp.S.One
        return sp.S.Zero if x.is_negative else None

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        return sp.S.Zero

    def _eval_evalf(self, prec: int) -> Any:
        return step(self.args[0]._eval_evalf(prec))

    def _eval_rewrite_as_exp(self, x: sp.Expr, **_: Any) -> sp.Expr:
        return sp.Piecewise((1, x >= 0), (0, True))


def _exp_form(f: Any) -> Callable[[Any], Any]:
    return lambda x: f(x).rewrite(sp.exp)


for _record in (
    Primitive("exp", sp.exp, r"\exp", "jnp.exp({x})", sign="+"),
    Primitive("log", sp.log, r"\log", "jnp.log({x})", domain=(0.1, 5.0)),
    Primitive("sin", sp.sin, r"\sin", "jnp.sin({x})", parity=-1),
    Primitive("cos", sp.cos, r"\cos", "jnp.cos({x})", parity=1),
    Primitive(
        "tan",
        sp.tan,
        r"\tan",
        "jnp.tan({x})",
        domain=(-1.4, 1.4),
        parity=-1,
        definition=lambda x: sp.sin(x) / sp.cos(x),
    ),
    Primitive("sinh", sp.sinh, r"\sinh", "jnp.sinh({x})", parity=-1, definition=_exp_form(sp.sinh)),
    Primitive(
        "cosh",
        sp.cosh,
        r"\cosh",
        "jnp.cosh({x})",
        sign="+",
        parity=1,
        definition=_exp_form(sp.cosh),
    ),
    Primitive("tanh", sp.tanh, r"\tanh", "jnp.tanh({x})", parity=-1, definition=_exp_form(sp.tanh)),
    Primitive(
        "sigmoid",
        sigmoid,
        r"\sigma",
        "jax.nn.sigmoid({x})",
        numpy="np.exp(-np.logaddexp(0, -({x})))",
        sign="+",
        definition=_exp_form(sigmoid),
    ),
    Primitive(
        "softplus",
        softplus,
        r"\operatorname{softplus}",
        "jnp.logaddexp({x}, 0)",
        sign="+",
        definition=_exp_form(softplus),
    ),
    Primitive(
        "erf",
        sp.erf,
        r"\operatorname{erf}",
        "jax.scipy.special.erf({x})",
        numpy="np.vectorize(math.erf)({x})",
        parity=-1,
    ),
    Primitive(
        "step",
        step,
        r"\operatorname{step}",
        "jnp.where({x} >= 0, 1.0, 0.0)",
        domain=(-3.0, -0.2),
        sign="0+",
    ),
    Primitive("asin", sp.asin, r"\arcsin", "jnp.arcsin({x})", domain=(-0.9, 0.9), parity=-1),
    Primitive("acos", sp.acos, r"\arccos", "jnp.arccos({x})", domain=(-0.9, 0.9), sign="0+"),
    Primitive("atan", sp.atan, r"\arctan", "jnp.arctan({x})", parity=-1),
):
    _add(_record)
