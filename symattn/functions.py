"""The SymPy classes of scalar functions that SymPy has not, each defined by simpler ones.

`formula` is the definition; it decides equality.  The derivative is that of the formula, but where
the function has a kink or where that form would overflow: there `slopes` says it.
"""

from __future__ import annotations

from typing import Any

import sympy as sp


class Defined(sp.Function):
    """A function of numbers that is equal to `formula` of its arguments."""

    count = 1  # arguments that have to be given
    defaults: tuple[Any, ...] = ()  # of the arguments behind them

    @classmethod
    def eval(cls, *args: Any) -> Any:
        missing = cls.count + len(cls.defaults) - len(args)
        if 0 < missing <= len(cls.defaults):
            return cls(*args, *map(sp.sympify, cls.defaults[len(cls.defaults) - missing :]))
        return None

    @staticmethod
    def formula(*args: Any) -> Any:
        """The function by simpler ones."""
        raise NotImplementedError

    @classmethod
    def slopes(cls, *args: Any) -> tuple[Any, ...]:
        """The derivative by each argument."""
        places = [sp.Dummy(f"x{k}", real=True) for k in range(len(args))]
        put = dict(zip(places, args, strict=True))
        return tuple(sp.diff(cls.formula(*places), x).xreplace(put) for x in places)

    def fdiff(self, argindex: int = 1) -> Any:
        return self.slopes(*self.args)[argindex - 1]

    def _eval_is_extended_real(self) -> bool | None:
        return all(x.is_extended_real for x in self.args) or None

    def _eval_evalf(self, prec: int) -> Any:
        return plain(self)._eval_evalf(prec)

    def _eval_rewrite_as_exp(self, *args: Any, **_: Any) -> Any:
        return plain(self.formula(*args))


def plain(expr: Any) -> Any:
    """The expression with every function of this page written out, in SymPy's own functions."""
    while found := expr.atoms(Defined, step):
        expr = expr.xreplace({f: f.formula(*f.args) for f in found})
    return expr


# ------------------------------------------------------------------------------------ smooth ones


class sigmoid(Defined):
    """sigmoid(x) = 1/(1 + e^{-x})."""

    @staticmethod
    def formula(x: Any) -> Any:
        return 1 / (1 + sp.exp(-x))

    @classmethod
    def slopes(cls, x: Any) -> tuple[Any, ...]:
        return (sigmoid(x) * (1 - sigmoid(x)),)


class softplus(Defined):
    """softplus(x) = log(1 + e^x)."""

    @staticmethod
    def formula(x: Any) -> Any:
        return sp.log(1 + sp.exp(x))

    @classmethod
    def slopes(cls, x: Any) -> tuple[Any, ...]:
        return (sigmoid(x),)


class log_sigmoid(Defined):
    """log_sigmoid(x) = log σ(x) = −softplus(−x)."""

    @staticmethod
    def formula(x: Any) -> Any:
        return -softplus(-x)


class silu(Defined):
    """silu(x) = x σ(x), also called swish."""

    @staticmethod
    def formula(x: Any) -> Any:
        return x * sigmoid(x)


class mish(Defined):
    """mish(x) = x tanh(softplus(x))."""

    @staticmethod
    def formula(x: Any) -> Any:
        return x * sp.tanh(softplus(x))


class gelu(Defined):
    """gelu(x) = x (1 + erf(x/√2))/2."""

    @staticmethod
    def formula(x: Any) -> Any:
        return x * (1 + sp.erf(x / sp.sqrt(2))) / 2


class gelu_tanh(Defined):
    """gelu_tanh(x) = x (1 + tanh(√(2/π) (x + 0.044715 x³)))/2, the approximation of gelu."""

    @staticmethod
    def formula(x: Any) -> Any:
        inside = sp.sqrt(2 / sp.pi) * (x + sp.Rational("0.044715") * x**3)
        return x * (1 + sp.tanh(inside)) / 2


class log1p(Defined):
    """log1p(x) = log(1 + x)."""

    @staticmethod
    def formula(x: Any) -> Any:
        return sp.log(1 + x)


class expm1(Defined):
    """expm1(x) = e^x − 1."""

    @staticmethod
    def formula(x: Any) -> Any:
        return sp.exp(x) - 1


class hypot(Defined):
    """hypot(x, y) = √(x² + y²)."""

    count = 2

    @staticmethod
    def formula(x: Any, y: Any) -> Any:
        return sp.sqrt(x**2 + y**2)

    @classmethod
    def slopes(cls, x: Any, y: Any) -> tuple[Any, ...]:
        return x / hypot(x, y), y / hypot(x, y)


class acosh(Defined):
    """acosh(x) = log(x + √(x² − 1)) for x ≥ 1, with the derivative 1/√(x² − 1)."""

    @staticmethod
    def formula(x: Any) -> Any:
        return sp.log(x + sp.sqrt(x**2 - 1))

    @classmethod
    def slopes(cls, x: Any) -> tuple[Any, ...]:
        return (1 / sp.sqrt(x**2 - 1),)


class logit(Defined):
    """logit(x) = log(x/(1 − x)), the inverse of σ."""

    @staticmethod
    def formula(x: Any) -> Any:
        return sp.log(x) - sp.log(1 - x)

    @classmethod
    def slopes(cls, x: Any) -> tuple[Any, ...]:
        return (1 / (x * (1 - x)),)


class log_ndtr(Defined):
    """log_ndtr(x) = log ((1 + erf(x/√2))/2), the logarithm of the normal distribution function."""

    @staticmethod
    def formula(x: Any) -> Any:
        return sp.log((1 + sp.erf(x / sp.sqrt(2))) / 2)

    @classmethod
    def slopes(cls, x: Any) -> tuple[Any, ...]:
        return (sp.exp(-(x**2) / 2 - log_ndtr(x)) / sp.sqrt(2 * sp.pi),)


class logaddexp(Defined):
    """logaddexp(x, y) = log(e^x + e^y)."""

    count = 2

    @staticmethod
    def formula(x: Any, y: Any) -> Any:
        return sp.log(sp.exp(x) + sp.exp(y))

    @classmethod
    def slopes(cls, x: Any, y: Any) -> tuple[Any, ...]:
        return sigmoid(x - y), sigmoid(y - x)


class xlogy(Defined):
    """xlogy(x, y) = x log y, and 0 where x = 0."""

    count = 2

    @staticmethod
    def formula(x: Any, y: Any) -> Any:
        return x * sp.log(y)


# -------------------------------------------------------------------------------- ones with kinks


class step(sp.Function):
    """step(x) = 1 for x ≥ 0 and 0 elsewhere; its derivative is taken as 0."""

    is_nonnegative = True

    @classmethod
    def eval(cls, x: sp.Expr) -> Any:
        if x.is_nonnegative:
            return sp.S.One
        return sp.S.Zero if x.is_negative else None

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        return sp.S.Zero

    def _eval_evalf(self, prec: int) -> Any:
        return step(self.args[0]._eval_evalf(prec))

    @staticmethod
    def formula(x: Any) -> Any:
        """1 for x ≥ 0, else 0."""
        return sp.Piecewise((1, x >= 0), (0, True))

    def _eval_rewrite_as_exp(self, x: sp.Expr, **_: Any) -> sp.Expr:
        return self.formula(x)


def above(x: Any) -> Any:
    """[x > 0]."""
    return 1 - step(-x)


class relu(Defined):
    """relu(x) = max(0, x); its derivative is [x > 0]."""

    @staticmethod
    def formula(x: Any) -> Any:
        return sp.Max(0, x)

    @classmethod
    def slopes(cls, x: Any) -> tuple[Any, ...]:
        return (above(x),)


class relu6(Defined):
    """relu6(x) = min(max(0, x), 6); its derivative is [0 < x < 6]."""

    @staticmethod
    def formula(x: Any) -> Any:
        return sp.Min(sp.Max(0, x), 6)

    @classmethod
    def slopes(cls, x: Any) -> tuple[Any, ...]:
        return (above(x) * above(6 - x),)


class leaky_relu(Defined):
    """leaky_relu(x, a) = max(0, x) + a min(0, x); its derivative by x is 1 at 0."""

    defaults = (sp.Rational(1, 100),)

    @staticmethod
    def formula(x: Any, a: Any) -> Any:
        return sp.Max(0, x) + a * sp.Min(0, x)

    @classmethod
    def slopes(cls, x: Any, a: Any) -> tuple[Any, ...]:
        return step(x) + a * (1 - step(x)), sp.Min(0, x)


class elu(Defined):
    """elu(x, a) = max(0, x) + a (e^{min(0, x)} − 1); its derivative by x is a at 0."""

    defaults = (sp.S.One,)

    @staticmethod
    def formula(x: Any, a: Any) -> Any:
        return sp.Max(0, x) + a * expm1(sp.Min(0, x))

    @classmethod
    def slopes(cls, x: Any, a: Any) -> tuple[Any, ...]:
        low = sp.Min(0, x)
        return above(x) + a * step(-x) * sp.exp(low), expm1(low)


class selu(Defined):
    """selu(x) = λ elu(x, α), with λ = 1.0507… and α = 1.6733…; its derivative is λ α at 0."""

    @staticmethod
    def formula(x: Any) -> Any:
        scale = sp.Rational("1.0507009873554805")
        return scale * elu(x, sp.Rational("1.6732632423543772"))


class cbrt(Defined):
    """cbrt(x) = ∛x, which is −∛(−x) for x < 0; it has no derivative at 0."""

    @staticmethod
    def formula(x: Any) -> Any:
        return sp.sign(x) * sp.Abs(x) ** sp.Rational(1, 3)

    @classmethod
    def slopes(cls, x: Any) -> tuple[Any, ...]:
        return (1 / (3 * cbrt(x) ** 2),)


class softsign(Defined):
    """softsign(x) = x/(1 + |x|)."""

    @staticmethod
    def formula(x: Any) -> Any:
        return x / (1 + sp.Abs(x))

    @classmethod
    def slopes(cls, x: Any) -> tuple[Any, ...]:
        return ((1 + sp.Abs(x)) ** -2,)


class hard_sigmoid(Defined):
    """hard_sigmoid(x) = relu6(x + 3)/6."""

    @staticmethod
    def formula(x: Any) -> Any:
        return relu6(x + 3) / 6


class hard_tanh(Defined):
    """hard_tanh(x) = min(max(−1, x), 1); its derivative is [−1 ≤ x ≤ 1]."""

    @staticmethod
    def formula(x: Any) -> Any:
        return sp.Min(sp.Max(-1, x), 1)

    @classmethod
    def slopes(cls, x: Any) -> tuple[Any, ...]:
        return (step(x + 1) * step(1 - x),)


class hard_swish(Defined):
    """hard_swish(x) = x hard_sigmoid(x), also called hard silu."""

    @staticmethod
    def formula(x: Any) -> Any:
        return x * hard_sigmoid(x)


class clip(Defined):
    """clip(x, a, b) = min(max(x, a), b), a ≤ b; its derivative by x is [a ≤ x ≤ b]."""

    count = 3

    @staticmethod
    def formula(x: Any, a: Any, b: Any) -> Any:
        return sp.Min(sp.Max(x, a), b)

    @classmethod
    def slopes(cls, x: Any, a: Any, b: Any) -> tuple[Any, ...]:
        return step(x - a) * step(b - x), above(a - x), above(x - b)
