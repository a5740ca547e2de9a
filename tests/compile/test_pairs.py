"""σ and softplus of pairs, exponentials that saturate, and digits at a common offset."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward
from symattn.primitives import sigmoid

pytestmark = pytest.mark.usefixtures("double_precision")
n, m = sa.sizes("n m")
(i, k), (j,) = sa.indices("i k", n), sa.indices("j", m)
x, y, w, W = sa.tensor("x", n), sa.tensor("y", m), sa.tensor("w", n), sa.tensor("W", n, m)
rng = np.random.default_rng(0)
GIVEN = {"x": rng.normal(size=5), "y": rng.normal(size=7), "W": rng.normal(size=(5, 7))}


def with_gradients(body, *names):
    """Σ of an expression, and its gradients, in one function."""
    L = sa.define("L", (), body)
    g = backward(sa.System(L), output="L", wrt=names)
    return compile({"L": L, "g": g}, given=sa.System(L))


def compared(f, plain, given, rtol, dtype=np.float64):
    """Values and gradients beside those of JAX in float64."""
    cast = {name: np.asarray(v, dtype) for name, v in given.items()}
    got = f(**cast, L_bar=np.ones((), dtype))
    exact = {name: np.asarray(v, np.float64) for name, v in cast.items()}
    want, bars = jax.value_and_grad(plain)(exact)
    np.testing.assert_allclose(got["L"], want, rtol=rtol)
    for name, bar in got["g"].items():
        np.testing.assert_allclose(bar, bars[name], rtol=rtol, atol=rtol * abs(bars[name]).max())


def test_a_loss_of_pairs_is_one_softplus():
    f = with_gradients(sa.total(W[i, j] * sp.log(1 + sp.exp(y[j] - x[i])), i, j), "x", "y")
    assert f.source.count("logaddexp(") == 1 == f.source.count("jax.nn.sigmoid(")
    assert "jnp.exp(" not in f.source and "maximum" not in f.source

    def plain(z):
        return (z["W"] * jax.nn.softplus(z["y"] - z["x"][:, None])).sum()

    compared(f, plain, GIVEN, 1e-12)
    compared(f, plain, {name: 1e3 * v for name, v in GIVEN.items()}, 1e-6, np.float32)


@pytest.mark.parametrize(
    ("body", "plain"),
    [
        (sp.exp(2 * x[i]) / (sp.exp(x[i]) + sp.exp(y[j])) ** 2, lambda u: jax.nn.sigmoid(u) ** 2),
        (
            sp.exp(x[i] + y[j]) / (sp.exp(x[i]) + sp.exp(y[j])) ** 2,
            lambda u: jax.nn.sigmoid(u) * jax.nn.sigmoid(-u),
        ),
    ],
)
def test_shares_of_pairs(body, plain):
    f = compile(sa.define("O", (i,), sa.total(W[i, j] * body, j)))
    assert "jnp.exp(" not in f.source and "jax.nn.sigmoid(" in f.source
    for scale, rtol in ((1, 1e-12), (300, 1e-10)):
        given = {name: scale * v for name, v in GIVEN.items()}
        want = (given["W"] * plain(given["x"][:, None] - given["y"])).sum(1)
        np.testing.assert_allclose(f(**given), want, rtol=rtol)


def test_what_a_share_leaves_of_an_exponential_stays_in_one():
    """e^{2x − y} / (e^x + e^y) is no σ beside e^{x − y}, which may overflow where σ is 0."""
    body = sp.exp(2 * x[i] - y[j]) / (sp.exp(x[i]) + sp.exp(y[j]))
    f = compile(sa.define("O", (i,), sa.total(W[i, j] * body, j)))
    assert "sigmoid" not in f.source
    u = GIVEN["x"][:, None] - GIVEN["y"]
    want = (GIVEN["W"] * np.exp(u) * jax.nn.sigmoid(u)).sum(1)
    np.testing.assert_allclose(f(**GIVEN), want, rtol=1e-12)


@pytest.mark.parametrize(
    "body",
    [
        sp.log(sigmoid(w[i]) + (1 - sigmoid(w[i])) * sp.exp(-sp.exp(x[i]))),  # too many zeros
        sp.exp(-sp.exp(x[i]) + w[i]),
        sigmoid(w[i] - sp.exp(x[i])),
        sp.tanh(w[i] - 2 * sp.exp(x[i])),
    ],
)
def test_what_saturates_has_the_derivative_0(body):
    f = compile(sa.define("L", (), sa.total(body, i)))
    given = {"x": np.float32([-1, 0.5, 90, 800]), "w": np.float32([0.3, -1, 0.7, -2])}
    value, bars = jax.value_and_grad(lambda z: f(**z))(given)
    assert np.isfinite(value) and all(np.isfinite(bar).all() for bar in bars.values())
    assert (bars["x"][2:] == 0).all() and (bars["x"][:2] != 0).all()


def test_exponents_of_one_feature_keep_their_digits_at_an_offset():
    """−x²/2 has gone out of the logarithm and stands beside it."""
    c = sa.tensor("c", m)
    inside = sa.total(sp.exp(y[j] - (x[i] - c[j]) ** 2 / 2), j)
    f = with_gradients(sa.total(sp.log(inside), i), "x", "c", "y")

    def plain(z):
        square = (z["x"][:, None] - z["c"]) ** 2
        return jax.nn.logsumexp(z["y"] - square / 2, axis=1).sum()

    given = {"x": GIVEN["x"] + 1e3, "c": rng.normal(size=7) + 1e3, "y": GIVEN["y"]}
    compared(f, plain, given, 1e-5, np.float32)


def test_log_cosh_of_a_difference_keeps_its_digits_at_an_offset():
    f = with_gradients(sa.total(sp.log(sp.cosh(W[i, j] - x[i])), i, j), "x", "W")

    def plain(z):
        u = z["W"] - z["x"][:, None]
        return (jnp.logaddexp(u, -u) - jnp.log(2)).sum()

    compared(f, plain, {"x": GIVEN["x"] + 1e3, "W": GIVEN["W"] + 1e3}, 1e-5, np.float32)
    compared(f, plain, {"x": 1e3 * GIVEN["x"], "W": 1e3 * GIVEN["W"]}, 1e-5, np.float32)
