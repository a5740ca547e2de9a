"""Values and gradients of a case in ball arithmetic, at scores that overflow any float.

A number is a power series whose coefficients are balls: an interval around the right value, as
narrow as the precision makes it.  Where it stays wide, more bits are taken.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import flint
import numpy as np

from .formulas import Case
from .values import NoValue, Numbers, Table

BITS = (700, 12_000, 60_000)
NARROW, NOTHING = 1e-8, 1e-60  # how wide a ball may be: relative to its value, and by itself


def series(*coefficients: Any) -> Any:
    return flint.arb_series([flint.arb(c) for c in coefficients], prec=2)


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + (-x).exp())


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "exp": lambda x: x.exp(),
    "log": lambda x: x.log(),
    "tanh": lambda x: 2 * _sigmoid(2 * x) - 1,
    "sigmoid": _sigmoid,
    "softplus": lambda x: (1 + x.exp()).log(),
}


class Balls(Numbers):
    """The same loops over balls; nothing is too large or too small for them."""

    def checked(self, x: Any) -> Any:
        return x

    def function(self, node: Any) -> Callable[[Any], Any]:
        match type(node).__name__:
            case "Num":
                x = series(node.value.numerator) / series(node.value.denominator)
                return lambda env: x
            case "Fun":
                inner, outer = self.function(node.arg), FUNCTIONS[node.name]
                return lambda env: outer(inner(env))
        return super().function(node)

    def power(self, base: Callable[[Any], Any], exponent: Any) -> Callable[[Any], Any]:
        if exponent.denominator == 2:
            return self.power(lambda env: base(env).sqrt(), exponent * 2)

        def run(env: Any) -> Any:
            x, result = base(env), series(1)
            for _ in range(abs(int(exponent))):
                result = result * x
            return 1 / result if exponent < 0 else result

        return run


def as_float(x: Any) -> float:
    """The middle of a narrow ball."""
    x = flint.arb(x)
    if not x.is_finite() or (x.rad() > abs(x.mid()) * NARROW and x.rad() > NOTHING):
        raise ArithmeticError("the ball is wide")
    return float(x.mid())


def gradients(
    case: Case, sizes: Mapping[str, int], arrays: Mapping[str, Any], of: str, wrt: tuple[str, ...]
) -> tuple[float, dict[str, Any]]:
    """The value of a scalar and its gradients, rounded once; NoValue where there are none."""
    for bits in BITS:
        flint.ctx.prec = bits
        try:
            value = as_float(_along(case, sizes, arrays, of, "", ())[0])
            slopes = {}
            for name in wrt:
                slopes[name] = np.zeros(np.shape(arrays[name]))
                for place in itertools.product(*map(range, slopes[name].shape)):
                    slopes[name][place] = as_float(_along(case, sizes, arrays, of, name, place)[1])
            return value, slopes
        except (ArithmeticError, ValueError) as error:
            problem = error
    raise NoValue(str(problem))


def _along(case: Case, sizes: Any, arrays: Any, of: str, name: str, place: Any) -> Any:
    """The series of a scalar along one entry of an array."""
    given: dict[str, Table] = {
        x: {e: series(float(v), x == name and e == place) for e, v in np.ndenumerate(array)}
        for x, array in arrays.items()
    }
    return series(0, 0) + Balls(case, sizes, given).table(of)[()]
