"""float32 results against float64: as accurate as the textbook program, or better."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import cases, compile, peers
from symattn.derive import backward

pytestmark = pytest.mark.usefixtures("usual_emitters")  # it is about digits

LAYER = {"X": (2, 24, 16), "W_Q": (16, 3, 8), "W_K": (16, 3, 8), "W_V": (16, 3, 8),
         "W_O": (3, 8, 16), "Y_bar": (2, 24, 16)}  # fmt: skip
WEIGHTS = ("W_Q", "W_K", "W_V", "W_O")


def attention():
    system, O = cases.attention()
    f = compile({"O": O, "g": backward(system, output="O", wrt=("Q", "K", "V"))}, given=system)
    return f, peers.attention_vjp, dict.fromkeys(("Q", "K", "V", "O_bar"), (96, 32))


def layer():
    system, Y = cases.layer()
    f = compile({"Y": Y, "g": backward(system, output="Y", wrt=WEIGHTS)}, given=system)
    return f, peers.layer_vjp, LAYER


def leaves(result, wrt):
    if isinstance(result, dict):
        value, bars = result.values()
        return [value, *(bars[name] for name in wrt)]
    return jax.tree.leaves(result)


@pytest.mark.parametrize("case", [attention, layer])
@pytest.mark.parametrize("scale", [1.0, 6.0])
def test_error_in_float32(case, scale):
    f, reference, shapes = case()
    wrt = ("Q", "K", "V") if case is attention else WEIGHTS
    rng = np.random.default_rng(9)
    exact = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    exact["Q" if case is attention else "W_Q"] *= np.float32(scale)
    single = leaves(f(**exact), wrt)
    textbook = jax.tree.leaves(jax.jit(reference)(**exact))
    with jax.enable_x64(True):
        double = {name: jnp.asarray(x, jnp.float64) for name, x in exact.items()}
        truth = [np.asarray(x) for x in jax.tree.leaves(reference(**double))]
    for got, plain, want in zip(single, textbook, truth, strict=True):
        assert got.dtype == np.float32
        size = np.linalg.norm(want)
        ours = np.linalg.norm(np.asarray(got, float) - want) / size
        theirs = np.linalg.norm(np.asarray(plain, float) - want) / size
        assert ours <= 4 * theirs + 1e-8


n, c = sa.sizes("n c")
(i,), (k, l) = sa.indices("i", n), sa.indices("k l", c)
Z, T = sa.tensor("Z", n, c), sa.tensor("T", n, c)
P = sa.define("P", (i, k), sp.exp(Z[i, k]) / sa.total(sp.exp(Z[i, l]), l))
LSE = sp.log(sa.total(sp.exp(Z[i, l]), l))


@pytest.mark.parametrize(
    "loss",
    [
        sa.System(P, sa.define("L", (), -sa.total(T[i, k] * sp.log(P[i, k]), i, k) / n)),
        sa.System(sa.define("L", (), sa.total(T[i, k] * (LSE - Z[i, k]), i, k) / n)),
    ],
    ids=["log p", "logsumexp - z"],
)
@pytest.mark.parametrize("margin", [0.0, 8.0, 16.0])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_a_small_loss_is_not_the_difference_of_large_sums(loss, margin, smoothing):
    f = compile(loss, output="L")
    rng = np.random.default_rng(11)
    hot = np.eye(7)[rng.integers(7, size=300)]
    z = (rng.normal(size=hot.shape) + 40 + margin * hot).astype(np.float32)
    t = ((1 - smoothing) * hot + smoothing / 7).astype(np.float32)

    def textbook(z, t):
        return -(t * jax.nn.log_softmax(z)).sum() / len(z)

    with jax.enable_x64(True):
        truth = float(textbook(jnp.asarray(z, jnp.float64), jnp.asarray(t, jnp.float64)))
    theirs = abs(float(textbook(jnp.asarray(z), jnp.asarray(t))) - truth)
    ours = abs(float(f(Z=z, T=t)) - truth)
    assert ours <= 4 * theirs + 3e-7 * truth


def test_divergence_of_near_distributions():
    p, q = sa.tensor("p", n, c, positive=True), sa.tensor("q", n, c, positive=True)
    D = sa.define("D", (i,), sa.total(p[i, k] * (sp.log(p[i, k]) - sp.log(q[i, k])), k))
    rng = np.random.default_rng(12)
    x = rng.normal(size=(20, 9))
    near = [np.exp(y) / np.exp(y).sum(1, keepdims=True) for y in (x, x + 1e-2 * rng.normal())]
    near[1] *= 1 + 1e-3 * rng.normal(size=(20, 9))
    one, two = (y.astype(np.float32) for y in near)
    truth = (one.astype(float) * (np.log(one.astype(float)) - np.log(two.astype(float)))).sum(1)
    theirs = np.abs((one * (np.log(one) - np.log(two))).sum(1) - truth).max()
    assert np.abs(compile(D)(p=one, q=two) - truth).max() <= 4 * theirs + 1e-9


def normalised(axis):
    """(x - mean) / sqrt(variance + eps) over the other axis, and the same in JAX."""
    (a,) = sa.indices("a", c)
    X, g = sa.tensor("X", n, c), sa.tensor("g", c)
    letter, other, size = ((i,), a, c) if axis == 1 else ((a,), i, n)
    mean = sa.define("mu", letter, sa.total(X[i, a], other) / size)
    square = sa.define("s", letter, sa.total((X[i, a] - mean[letter]) ** 2, other) / size)
    y = g[a] * (X[i, a] - mean[letter]) / sp.sqrt(square[letter] + sp.Rational(1, 1000))
    system = sa.System(mean, square, sa.define("Y", (i, a), y))
    f = compile(backward(system, output="Y", wrt=("X", "g")))

    def textbook(X, g):
        centred = X - X.mean(axis, keepdims=True)
        return g * centred / jnp.sqrt((centred**2).mean(axis, keepdims=True) + 1e-3)

    return f, textbook


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("offset", [0.0, 100.0])
def test_gradients_of_a_normalisation(axis, offset):
    f, textbook = normalised(axis)
    gradients = jax.jit(lambda x, g, bar: jax.vjp(textbook, x, g)[1](bar))
    rng = np.random.default_rng(13)
    x, g, bar = rng.normal(size=(30, 17)) + offset, rng.normal(size=17), rng.normal(size=(30, 17))
    x, g, bar = (y.astype(np.float32) for y in (x, g, bar))
    with jax.enable_x64(True):
        wide = [jnp.asarray(y, jnp.float64) for y in (x, g, bar)]
        truth = [np.asarray(y) for y in gradients(*wide)]
    plain = gradients(x, g, bar)
    for got, theirs, want in zip(f(X=x, g=g, Y_bar=bar).values(), plain, truth, strict=True):
        size = np.linalg.norm(want)
        ours = np.linalg.norm(np.asarray(got, float) - want) / size
        assert ours <= 4 * np.linalg.norm(np.asarray(theirs, float) - want) / size + 2e-7


def test_a_mean_that_is_known_cancels_exactly():
    f, _ = normalised(1)
    body = f.source.split('"""')[-1]
    assert body.count("total(X, axis=-1)") == 1 and "(0 *" not in body and "- 0 *" not in body


def test_temperature_of_a_saturated_softmax():
    """T̄ is a covariance, Σ p s (x − Σ p x): where p picks out one entry it is 0, and not the
    difference of two large numbers."""
    n, m, d = sa.sizes("n m d")
    (i,), (j, l) = sa.indices("i", n), sa.indices("j l", m)
    (a,) = sa.indices("a", d)
    S, V, T = sa.tensor("S", n, m), sa.tensor("V", m, d), sa.tensor("T", positive=True)
    P = sa.define("P", (i, j), sp.exp(S[i, j] / T) / sa.total(sp.exp(S[i, l] / T), l))
    O = sa.define("O", (i, a), P[i, j] * V[j, a])
    f = compile(backward(sa.System(P, O), output="O", wrt=("T", "V")))
    rng = np.random.default_rng(4)
    scores = np.float32(3000) * rng.normal(size=(7, 5)).astype("float32")
    arrays = {"V": rng.normal(size=(5, 3)), "O_bar": rng.normal(size=(7, 3)), "T": np.array(0.7)}
    got = f(S=scores, **{name: x.astype("float32") for name, x in arrays.items()})
    assert abs(got["T"]) < 1e-20


def test_variance_of_a_saturated_softmax():
    """Σ p s² − (Σ p s)² as Σ p s (s − Σ p s)."""
    n, m = sa.sizes("n m")
    (i,), (j, l) = sa.indices("i", n), sa.indices("j l", m)
    S = sa.tensor("S", n, m)
    P = sa.define("P", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, l]), l))
    mean = sa.total(P[i, j] * S[i, j], j)
    C = sa.define("C", (i,), sa.total(P[i, l] * S[i, l] ** 2, l) - mean**2)
    scores = np.float32(3000) * np.random.default_rng(4).normal(size=(7, 5)).astype("float32")
    np.testing.assert_allclose(compile(C, given=sa.System(P))(S=scores), np.zeros(7), atol=1e-20)
