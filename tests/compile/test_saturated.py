"""What vanishes where σ or tanh is rounded to a limit keeps its digits in float32."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn import backward, compile, hvp
from symattn.primitives import gelu_tanh, sigmoid, silu

n, m = sa.sizes("n m")
(i, j), (a,) = sa.indices("i j", n), sa.indices("a", m)
x = sa.tensor("x", n)
AT = np.array([-30, -16.5, -9.1, -8, -4, -1, -0.01, 0, 0.3, 2, 5, 7.9, 9, 12, 20, 35], "float32")
FUNCTIONS = {
    "tanh": sp.tanh,
    "tanh³": lambda z: sp.tanh(z) ** 3,
    "σ": sigmoid,
    "σ by exp": lambda z: 1 / (1 + sp.exp(-z)),
    "σ⁴": lambda z: sigmoid(z) ** 4,
    "2 + tanh": lambda z: sp.log(2 + sp.tanh(z)),
}

pytestmark = pytest.mark.usefixtures("usual_emitters")


def exact(function, order):
    """The derivatives in 60 digits."""
    z = sp.Symbol("z", real=True)
    slope = sp.lambdify(z, sp.diff(function(z).rewrite(sp.exp), z, order), "mpmath")
    with mpmath.workdps(60):
        return np.array([float(slope(mpmath.mpf(float(v)))) for v in AT])


def relative(got, wanted):
    """The largest relative error."""
    got = np.asarray(got, "float64")
    return np.max(np.abs(got - wanted) / np.maximum(np.abs(wanted), 1e-36))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_slopes_far_out(name):
    y = sa.define("y", (i,), FUNCTIONS[name](x[i]))
    f = compile(backward(sa.System(y), output="y", wrt="x"))
    got = f(x=AT, y_bar=np.ones_like(AT))["x"]
    assert relative(got, exact(FUNCTIONS[name], 1)) < 4e-6


@pytest.mark.parametrize("name", ["tanh", "σ", "σ by exp"])
def test_second_derivatives_far_out(name):
    loss = sa.define("L", (), sa.total(FUNCTIONS[name](x[i]), i))
    f = compile(hvp(sa.System(loss), of="L", wrt="x"))
    got = f(x=AT, x_dot=np.ones_like(AT))
    assert relative(got, exact(FUNCTIONS[name], 2)) < 1e-5  # 0 at 0, where σ is ½


def test_beside_large_factors():
    """(1 − tanh² x) Σ w, whose second factor is large."""
    w = sa.tensor("w", n)
    y = sa.define("y", (i,), sa.iverson(j <= i) * sp.tanh(x[j]) * w[i])
    f = compile(backward(sa.System(y), output="y", wrt="x"))
    weight, at = np.full(AT.shape, 1e6, "float32"), np.sort(AT)[::-1].copy()
    got = f(x=at, w=weight, y_bar=np.ones_like(AT))["x"]
    slope = 1 / np.cosh(at.astype("float64")) ** 2
    assert relative(got, slope * np.cumsum(weight.astype("float64"))[::-1]) < 4e-6


def test_a_name_and_a_contraction():
    """The gradient of a layer whose units are all saturated."""
    X, W, T = sa.tensor("X", n, m), sa.tensor("W", m, m), sa.tensor("T", n, m)
    (b,) = sa.indices("b", m)
    H = sa.define("H", (i, b), sp.tanh(sa.total(X[i, a] * W[a, b], a)))
    loss = sa.define("L", (), sa.total(H[i, b] * T[i, b], i, b))
    f = compile(backward(sa.System(H, loss), output="L", wrt="W"))
    rng = np.random.default_rng(0)
    big, eye = (9 + rng.random((5, 3))).astype("float32"), np.eye(3, dtype="float32")
    target = rng.random((5, 3)).astype("float32")
    got = f(X=big, W=eye, T=target, L_bar=np.float32(1))["W"]
    wide = big.astype("float64")
    assert relative(got, wide.T @ (target / np.cosh(wide) ** 2)) < 4e-6


def test_what_does_not_vanish_stays():
    """2 − tanh² x is no product, and no other function is evaluated for it."""
    y = sa.define("y", (i,), 2 - sp.tanh(x[i]) ** 2 + sigmoid(x[i]) ** 2)
    assert "jax.nn.sigmoid(-" not in compile(sa.System(y), output="y").source
    assert "jax.nn.sigmoid(2" not in compile(sa.System(y), output="y").source


@pytest.mark.parametrize("function", [silu, gelu_tanh])
def test_near_0_tanh_stays_tanh(function):
    """A product of what vanishes at the limits has the digits of tanh x at small x."""
    y = sa.define("y", (i,), sp.tanh(x[i]) * (1 - sp.tanh(x[i]) ** 2))
    small = np.array([1e-6, 3e-5, -2e-4], "float32")
    got = compile(sa.System(y), output="y")(x=small)
    v = small.astype("float64")
    assert relative(got, np.tanh(v) / np.cosh(v) ** 2) < 4e-6
    z = sa.define("z", (i,), function(x[i]))
    value = compile(sa.System(z), output="z")(x=small)
    assert relative(value, v * 0.5) < 1e-2
