"""What is even in x is one function of it."""

import numpy as np
import sympy as sp

import symattn.syntax as sa
from symattn import compile

(n,) = sa.sizes("n")
(i,) = sa.indices("i", n)
x, y = sa.tensor("x", n), sa.tensor("y", n)


def test_the_logarithm_of_the_slope_of_tanh():
    f = compile(sa.define("f", (i,), sp.log(1 - sp.tanh(x[i]) ** 2) + y[i]))
    at = np.array([0, 0.3, -2, 40, -3000], "float32")
    half = np.abs(at.astype("float64"))
    right = 2 * np.log(2) - 2 * half - 2 * np.log1p(np.exp(-2 * half)) + 1
    np.testing.assert_allclose(f(x=at, y=np.ones_like(at)), right, rtol=1e-6)
    assert f.source.count("logaddexp") == 1


def test_other_pairs_stay():
    other = sp.log(1 + sp.exp(-y[i]))
    f = compile(sa.define("f", (i,), sp.log(1 + sp.exp(x[i])) + other))
    assert f.source.count("logaddexp(") == 2


def test_a_difference_of_squares_has_the_digits_of_the_difference():
    f = compile(sa.define("f", (i,), x[i] ** 2 - y[i] ** 2))
    at = np.array([1e4, 3e3, -2e4], "float32")
    near = at + np.array([1, -0.5, 2], "float32")
    right = at.astype("float64") ** 2 - near.astype("float64") ** 2
    np.testing.assert_allclose(f(x=at, y=near), right, rtol=3e-7)
    g = compile(sa.define("g", (i,), x[i] ** 2 - 2 * y[i] ** 2))
    assert "x**2 - 2 * y**2" in g.source
    one = compile(sa.define("h", (i,), sp.sqrt(1 - x[i] ** 2)))
    close = np.array([1 - 2.0**-22, 0.5, -1 + 2.0**-23], "float32")
    np.testing.assert_allclose(one(x=close), np.sqrt(1 - close.astype("float64") ** 2), rtol=3e-7)
