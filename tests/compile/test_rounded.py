"""What is rounded to 0 or to 1 under logarithms and roots, and exponentials of exponentials."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward
from symattn.primitives import sigmoid

(n,) = sa.sizes("n")
(i,) = sa.indices("i", n)
x, w = sa.tensor("x", n), sa.tensor("w", n)
FAR = np.array([-1e4, -60.0, 0.7, 50.0, 1e4], np.float32)
WEIGHT = np.array([0.5, -1.0, 2.0, 1.5, 3.0], np.float32)


def with_slope(function, named, over):
    """Σ w over(f(x)) and its gradient by x, f a definition or an expression as it stands."""
    D = sa.define("D", (i,), function)
    if named:
        system = sa.System(D, sa.define("L", (), sa.total(w[i] * over(D[i]), i)))
    else:
        system = sa.System(sa.define("L", (), sa.total(w[i] * over(function), i)))
    what = {"L": system["L"], "g": backward(system, output="L", wrt=("x",))}
    f = compile(what, given=system, target="numpy")
    with np.errstate(over="ignore", under="ignore"):
        made = f(x=FAR, w=WEIGHT, L_bar=np.float32(1))
    return made["L"], made["g"]["x"]


def logistic(x):
    return np.exp(-np.logaddexp(0, -np.float64(x)))


LOGISTIC = {  # c, s in c σ(s x)
    "1 - sigmoid": (1 - sigmoid(x[i]), 1, -1),
    "(1 + tanh)/2": ((1 + sp.tanh(x[i])) / 2, 1, 2),
    "1 - tanh": (1 - sp.tanh(x[i]), 2, -2),
}


@pytest.mark.parametrize("name", LOGISTIC)
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("over", [sp.log, sp.sqrt, lambda y: sp.log(sp.sqrt(y))])
def test_a_complement(name, named, over):
    function, c, s = LOGISTIC[name]
    value, slope = with_slope(function, named, over=over)
    log, change = np.log(c) - np.logaddexp(0, -s * np.float64(FAR)), s * logistic(-s * FAR)
    if over is sp.sqrt:
        want, steep = np.exp(log / 2), np.exp(log / 2) * change / 2
    else:
        half = 1 if over is sp.log else 0.5
        want, steep = half * log, half * change
    np.testing.assert_allclose(value, WEIGHT @ want, rtol=1e-5)
    np.testing.assert_allclose(slope, WEIGHT * steep, rtol=2e-5, atol=1e-9)


def test_a_product_of_complements():
    """1 − tanh² is 4 σ(2x) σ(−2x)."""
    value, slope = with_slope(1 - sp.tanh(x[i]) ** 2, True, over=sp.log)
    far = np.float64(FAR)
    log = np.log(4) - np.logaddexp(0, 2 * far) - np.logaddexp(0, -2 * far)
    np.testing.assert_allclose(value, WEIGHT @ log, rtol=1e-5)
    np.testing.assert_allclose(slope, -2 * WEIGHT * np.tanh(far), rtol=1e-5)


@pytest.mark.parametrize("name", ["both", "inner", ""])
def test_an_exponential_of_an_exponential(name):
    """e^x e^{−e^x} is 0 where e^x overflows, and so is a Gumbel density with its slope."""
    E = sa.define("E", (i,), sp.exp(x[i]))
    inside = E[i] if name else sp.exp(x[i])
    D = sa.define("D", (i,), sp.exp(x[i] - inside))
    body = D[i] if name == "both" else D.expr
    L = sa.define("L", (), sa.total(w[i] * body, i))
    system = sa.System(*[E] * bool(name), *[D] * (name == "both"), L)
    f = compile(backward(system, output="L", wrt=("x",)), target="numpy")
    with np.errstate(over="ignore", under="ignore"):
        slope = f(x=FAR, w=WEIGHT, L_bar=np.float32(1))["x"]
    near = np.where(FAR < 40, FAR, 0)
    right = WEIGHT * (1 - np.exp(near)) * np.exp(near - np.exp(near))
    np.testing.assert_allclose(slope, np.where(FAR < 40, right, 0), rtol=1e-5, atol=1e-30)
