"""Sums over windows as convolutions: values, gradients, batches; and what is no window."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward

pytestmark = pytest.mark.usefixtures("double_precision")
h, v, c, o, p, q, z = sa.sizes("h v c o p q z")
(i,), (j,), (k,), (m,), (b,) = (
    sa.indices("i", h - p + 1),
    sa.indices("j", v - q + 1),
    sa.indices("k", c),
    sa.indices("m", o),
    sa.indices("b", z),
)
(s,), (t,) = sa.indices("s", p), sa.indices("t", q)
X, W = sa.tensor("X", z, c, h, v), sa.tensor("W", o, c, p, q)


def windows(x, w):
    """Every window of the last two axes, by NumPy."""
    view = np.lib.stride_tricks.sliding_window_view(x, w.shape[-2:], (-2, -1))
    return np.einsum("bkijst,mkst->bmij", view, w)


@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_images_with_channels_in_a_batch(target):
    Y = sa.define("Y", (b, m, i, j), sa.total(X[b, k, i + s, j + t] * W[m, k, s, t], k, s, t))
    system = sa.System(Y)
    f = compile(system, output="Y", target=target)
    g = compile(backward(system, output="Y", wrt=("X", "W")), target=target)
    assert f.source.count("= slide(") == 1 and g.source.count("= slide(") == 2
    rng = np.random.default_rng(2)
    x, w = rng.normal(size=(4, 2, 7, 6)), rng.normal(size=(3, 2, 3, 2))
    np.testing.assert_allclose(f(X=x, W=w), windows(x, w), rtol=1e-12)
    bar = rng.normal(size=(4, 3, 5, 5))
    got = g(X=x, W=w, Y_bar=bar)

    def textbook(x, w):
        return jax.lax.conv(x, w, (1, 1), "VALID")

    pull = jax.jit(lambda x, w: jax.vjp(textbook, x, w)[1](bar))
    for name, want in zip(("X", "W"), pull(x, w), strict=True):
        np.testing.assert_allclose(got[name], want, rtol=1e-11, atol=1e-12)


def test_steps_of_two_are_no_window():
    n, w = sa.sizes("n w")
    (r,), (u,) = sa.indices("r", n), sa.indices("u", w)
    x, y = sa.tensor("x", 2 * n + w - 2), sa.tensor("y", w)
    f = compile(sa.System(sa.define("Y", (r,), sa.total(x[2 * r + u] * y[u], u))), output="Y")
    assert "slide(" not in f.source
    rng = np.random.default_rng(2)
    a, kernel = rng.normal(size=11), rng.normal(size=3)
    want = np.convolve(a, kernel[::-1], "valid")[::2]
    np.testing.assert_allclose(f(x=a, y=kernel), want, rtol=1e-12)


def test_a_longer_axis_and_a_layer_of_tanh():
    """x may be longer than its windows reach; gradients go through what is around the sum."""
    n, w = sa.sizes("n w")
    (r,), (u,) = sa.indices("r", n - w), sa.indices("u", w)
    x, y = sa.tensor("x", n), sa.tensor("y", w)
    H = sa.define("H", (r,), sp.tanh(sa.total(x[r + u] * y[u], u)))
    g = compile(backward(sa.System(H), output="H", wrt=("x", "y")))
    rng = np.random.default_rng(2)
    a, kernel, bar = rng.normal(size=9), rng.normal(size=3), rng.normal(size=6)

    def textbook(a, kernel):
        return jax.numpy.tanh(jax.numpy.convolve(a, kernel[::-1], "valid")[:-1])

    pull = jax.jit(lambda a, kernel: jax.vjp(textbook, a, kernel)[1](bar))
    got = g(x=a, y=kernel, H_bar=bar)
    for name, want in zip("xy", pull(a, kernel), strict=True):
        np.testing.assert_allclose(got[name], want, rtol=1e-11, atol=1e-12)
