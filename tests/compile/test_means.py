"""Normalisations far from 0: float32 keeps the digits that the textbook keeps."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.compile import centre, choice, function, passes

N, M = sa.sizes("n m")
(I, J, K), (A, B, C) = sa.indices("i j k", N), sa.indices("a b c", M)
X, Y, x = sa.tensor("X", N, M), sa.tensor("Y", N, M), sa.tensor("x", N)
g, h = sa.tensor("g", M), sa.tensor("h", M)
EPS = sp.Rational(1, 10**6)
SHAPES = {"X": (33, 17), "Y": (33, 17), "x": (33,), "g": (17,), "h": (17,)}


def mean(z, axis=None):
    return z.mean(axis, keepdims=axis is not None)


def layer_norm():
    mu = sa.define("mu", (I,), sa.total(X[I, A], A) / M)
    var = sa.define("v", (I,), sa.total((X[I, A] - mu[I]) ** 2, A) / M)
    F = (X[I, A] - mu[I]) / sp.sqrt(var[I] + EPS) * g[A] + h[A]
    return mu, var, sa.define("F", (I, A), F)


def layer_norm_at_once():
    mu = sa.total(X[I, B], B) / M
    var = sa.total((X[I, C] - mu) ** 2, C) / M
    return (sa.define("F", (I, A), (X[I, A] - mu) / sp.sqrt(var + EPS)),)


def batch_norm():
    mu = sa.define("mu", (A,), sa.total(X[I, A], I) / N)
    d = sa.define("d", (I, A), X[I, A] - mu[A])
    var = sa.define("v", (A,), sa.total(d[I, A] ** 2, I) / N)
    return mu, d, var, sa.define("F", (I, A), d[I, A] / sp.sqrt(var[A] + EPS) * g[A])


def variance():
    mu = sa.define("mu", (), sa.total(x[I], I) / N)
    return mu, sa.define("F", (), sa.total((x[I] - mu.tensor) ** 2, I) / (N - 1))


def variance_at_once():
    return (sa.define("F", (), sa.total(x[I] ** 2, I) / N - (sa.total(x[J], J) / N) ** 2),)


def covariance():
    mu = sa.define("mu", (A,), sa.total(X[I, A], I) / N)
    return mu, sa.define("F", (A, B), sa.total((X[I, A] - mu[A]) * (X[I, B] - mu[B]), I) / N)


def cross_covariance():
    total = sa.define("t", (A,), sa.total(X[I, A], I))
    mu, nu = (
        sa.define("mu", (A,), total[A] / N),
        sa.define("nu", (A,), sa.total(Y[I, A], I) / N),
    )
    F = sa.total((X[I, A] - mu[A]) * (Y[I, B] - nu[B]), I) / N
    return total, mu, nu, sa.define("F", (A, B), F)


def correlation():
    mu = sa.define("mu", (A,), sa.total(X[I, A], I) / N)
    s = sa.define("s", (A,), sp.sqrt(sa.total((X[I, A] - mu[A]) ** 2, I)))
    F = sa.total((X[I, A] - mu[A]) * (X[I, B] - mu[B]), I) / s[A] / s[B]
    return mu, s, sa.define("F", (A, B), F)


def over_deviation():
    """Over √v + 1, where √v is a name: that v is a sum of squares stands in no definition."""
    mu = sa.define("mu", (I,), sa.total(X[I, A], A) / M)
    s = sa.define("s", (I,), sp.sqrt(sa.total((X[I, A] - mu[I]) ** 2, A) / M))
    return mu, s, sa.define("F", (I, A), (X[I, A] - mu[I]) / (s[I] + 1) * g[A])


def skewness():
    mu = sa.define("mu", (I,), sa.total(X[I, A], A) / M)
    var = sa.define("v", (I,), sa.total((X[I, A] - mu[I]) ** 2, A) / M)
    F = sa.total((X[I, A] - mu[I]) ** 3, A) / M / var[I] ** sp.Rational(3, 2)
    return mu, var, sa.define("F", (I,), F)


def rms_norm():
    r = sa.define("r", (I,), sp.sqrt(sa.total(X[I, A] ** 2, A) / M + EPS))
    return r, sa.define("F", (I, A), X[I, A] / r[I] * g[A])


def layer(X, axis, eps=1e-6):
    d = X - mean(X, axis)
    return d / jnp.sqrt(mean(d**2, axis) + eps)


def correlated(X):
    d = X - mean(X, 0)
    s = jnp.sqrt((d**2).sum(0))
    return d.T @ d / s[:, None] / s


CASES = {
    "layer norm": (layer_norm, lambda X, g, h: layer(X, 1) * g + h),
    "layer norm at once": (layer_norm_at_once, lambda X: layer(X, 1)),
    "batch norm": (batch_norm, lambda X, g: layer(X, 0) * g),
    "variance": (variance, lambda x: x.var(ddof=1)),
    "variance at once": (variance_at_once, lambda x: x.var()),
    "covariance": (covariance, lambda X: (X - mean(X, 0)).T @ (X - mean(X, 0)) / len(X)),
    "cross": (cross_covariance, lambda X, Y: (X - mean(X, 0)).T @ (Y - mean(Y, 0)) / len(X)),
    "correlation": (correlation, correlated),
    "over the deviation": (
        over_deviation,
        lambda X, g: (X - mean(X, 1)) / (X.std(1, keepdims=True) + 1) * g,
    ),
    "skewness": (skewness, lambda X: ((X - mean(X, 1)) ** 3).mean(1) / X.var(1) ** 1.5),
    "RMS norm": (rms_norm, lambda X, g: X / jnp.sqrt((X**2).mean(1, keepdims=True) + 1e-6) * g),
}


def arguments(textbook):
    return textbook.__code__.co_varnames[: textbook.__code__.co_argcount]


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_offsets(name, together):
    make, textbook = CASES[name]
    system, wrt = sa.System(*make()), arguments(textbook)
    back = sa.backward(system, output="F", wrt=wrt)
    f = sa.compile({"F": system["F"], "g": back} if together else {"g": back}, given=system)

    @jax.jit
    def results(arrays, up):
        value, pull = jax.vjp(lambda own: textbook(**own), arrays)
        (bars,) = pull(up)
        return [value] * together + [bars[n] for n in wrt]

    for offset in (0.0, 1e2, 1e4):
        rng = np.random.default_rng(1)
        own = {n: rng.normal(size=SHAPES[n]) + offset * (n in "XYx") for n in wrt}
        own = {n: v.astype("float32") for n, v in own.items()}
        up = rng.normal(size=jax.eval_shape(lambda o: textbook(**o), own).shape).astype("float32")
        with jax.enable_x64(True):
            double = {n: jnp.asarray(v, "float64") for n, v in own.items()}
            exact = [np.asarray(v) for v in results(double, jnp.asarray(up, "float64"))]
        made = f(**{n: v for n, v in own.items() if n in f.inputs}, F_bar=up)
        ours = [made["F"] for _ in range(together)] + [made["g"][n] for n in wrt]
        for got, plain, value in zip(ours, results(own, up), exact, strict=True):
            scale = np.linalg.norm(value)
            error, allowed = (
                np.linalg.norm(np.asarray(z, "float64") - value) / scale for z in (got, plain)
            )
            assert error <= 4 * allowed + 3e-7


@pytest.mark.parametrize("name", ["layer norm at once", "variance", "covariance", "correlation"])
def test_verify_sees_digits_that_are_lost(name, monkeypatch):
    make, textbook = CASES[name]
    back = sa.backward(sa.System(*make()), output="F", wrt=arguments(textbook))
    report = sa.verify(back)
    assert report.ok, str(report)
    monkeypatch.setitem(passes.LAWS, "means", lambda *_: None)
    monkeypatch.setattr(centre, "about_means", lambda *_: None)
    monkeypatch.setattr(choice, "PREFER", 0.0)
    monkeypatch.setattr(function, "_cache", {})
    report = sa.verify(back)
    assert not report.ok and "where the textbook is off by" in str(report)


def test_what_an_offset_changes_is_left():
    """Softmax, sums of squares, and a difference from the mean of something else."""
    mu = sa.define("mu", (A,), sa.total(Y[I, A], I) / N)
    for expr in (
        sa.total((X[I, A] - mu[A]) ** 2, I),
        sa.total(X[I, A], I) * sa.total(X[I, A] ** 2, I),
        sa.total(X[I, A] ** 2, I) / N + (sa.total(X[I, A], I) / N) ** 2,
    ):
        f = sa.compile(sa.System(mu, sa.define("F", (A,), expr)), output="F")
        assert "X - jnp.sum(X" not in f.source.split("dtype = ")[1]


def test_a_zero_gradient_is_no_error():
    """Weights add up to 1 whatever the scores are: the gradient is 0, and rounding is not."""
    P = sa.define("P", (I, A), sp.exp(X[I, A]) / sa.total(sp.exp(X[I, B]), B))
    system = sa.System(P, sa.define("F", (I,), sa.total(P[I, A], A) * h[A].subs(A, 0) ** 0))
    report = sa.verify(sa.backward(system, output="F", wrt=("X",)))
    assert report.ok, str(report)


@pytest.mark.parametrize("scale", [0.01, 1, 50])
@pytest.mark.parametrize("name", ["layer norm", "layer norm at once", "batch norm", "RMS norm"])
def test_half_precision_up_to_its_range(name, scale):
    make, textbook = CASES[name]
    system, wrt = sa.System(*make()), arguments(textbook)
    f = sa.compile({"F": system["F"], "g": sa.backward(system, output="F", wrt=wrt)}, given=system)
    rng = np.random.default_rng(1)
    own = {n: rng.normal(size=SHAPES[n]) * (scale if n == "X" else 1) for n in wrt}
    own = {n: v.astype("float16") for n, v in own.items()}
    up = rng.normal(size=SHAPES["X"]).astype("float16")
    got = f(**own, F_bar=up)
    with jax.enable_x64(True):
        double = {n: jnp.asarray(v, "float64") for n, v in own.items()}
        both = jax.jit(lambda o, up: (textbook(**o), jax.vjp(lambda o: textbook(**o), o)[1](up)[0]))
        value, bars = both(double, jnp.asarray(up, "float64"))
        exact = {"F": value, **bars}
        exact = {n: np.asarray(v) for n, v in exact.items()}
    for n, wanted in exact.items():
        ours = np.asarray(got["F"] if n == "F" else got["g"][n], "float64")
        assert np.linalg.norm(ours - wanted) <= 1e-3 * np.linalg.norm(wanted)


def covariances():
    mu = sa.define("mu", (A,), sa.total(X[I, A], I) / N)
    Z = sa.define("Z", (I, A), X[I, A] - mu[A])
    V = sa.define("V", (A, B), sa.total(Z[I, A] * Z[I, B], I) / N)
    L = sa.define("L", (), sa.total(sp.sin(V[A, B]) * V[A, B], A, B))
    system = sa.System(mu, Z, V, L)
    bars = sa.backward(system, output="L", wrt="X")
    return sa.compile({"L": L, "X": bars}, given=system)


def test_the_mean_of_what_has_a_mean_of_0_gets_nothing():
    """A gradient of what differences alone matter to has the sum 0: one mean less is computed."""
    f = covariances()
    body = f.source.split("def compute")[1].split('"""')[2]
    assert body.count("total(") == 4  # the mean, what it leaves, the loss, Z̄ around its mean

    def plain(x):
        Z = x - x.mean(0)
        V = Z.T @ Z / len(x)
        return (jnp.sin(V) * V).sum()

    with jax.enable_x64(True):
        x = np.random.default_rng(3).normal(size=(7, 5)) + 100
        np.testing.assert_allclose(f(X=x)["X"]["X"], jax.grad(plain)(x), rtol=1e-9, atol=1e-11)


def test_gradients_lie_as_what_they_are_gradients_of():
    """Z̄_ia = Σ_b V̄_ab Z_ib is no array [a, i] that is turned afterwards."""
    body = covariances().source.split("def compute")[1].split('"""')[2]
    assert '->ia"' in body and '->ai"' not in body and ".T" not in body
