"""Chains of definitions and layers of any length, and the bound that is named."""

from __future__ import annotations

import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.compile import centre, depth
from symattn.compile.plan import Planner
from symattn.errors import LimitError
from symattn.ir import extent

N, M = sa.sizes("n m")
(I, J), (A, B) = sa.indices("i j", N), sa.indices("a b", M)
X, Y, w = sa.tensor("X", N, M), sa.tensor("Y", N, M), sa.tensor("w")


def perceptron(layers: int) -> sa.System:
    rows, found = X, []
    for k in range(layers):
        W = sa.tensor(f"W{k}", M, M)
        found.append(sa.define(f"H{k}", (I, A), sp.tanh(sa.total(rows[I, B] * W[B, A], B))))
        rows = found[-1]
    return sa.System(*found, sa.define("L", (), sa.total((rows[I, A] - Y[I, A]) ** 2, I, A)))


def chain(length: int) -> sa.System:
    found = [sa.define("D0", (), sp.sin(w))]
    for k in range(length):
        found.append(sa.define(f"D{k + 1}", (), sp.sin(found[-1].tensor) + sp.cos(w)))
    return sa.System(*found, sa.define("L", (), found[-1].tensor ** 2))


def test_48_layers():
    layers = 48
    f = sa.compile(sa.backward(perceptron(layers), output="L", wrt=("X",)), target="numpy")
    rng = np.random.default_rng(0)
    weights = [rng.normal(size=(4, 4)) / 2 for _ in range(layers)]
    own = {"X": rng.normal(size=(3, 4)), "Y": rng.normal(size=(3, 4)), "L_bar": 1.0}
    own |= {f"W{k}": x for k, x in enumerate(weights)}
    values = [own["X"]]
    for x in weights:
        values.append(np.tanh(values[-1] @ x))
    slope = 2 * (values[-1] - own["Y"])
    for x, value in zip(weights[::-1], values[:0:-1], strict=True):
        slope = (slope * (1 - value**2)) @ x.T
    np.testing.assert_allclose(f(**own)["X"], slope, rtol=1e-10)


@pytest.mark.parametrize("length", [60, 250])
def test_chains_of_definitions(length):
    f = sa.compile(chain(length), output="L", target="numpy")
    value = np.sin(0.3)
    for _ in range(length):
        value = np.sin(value) + np.cos(0.3)
    np.testing.assert_allclose(f(w=0.3), value**2)


def test_a_chain_as_an_argument_of_lambdify():
    system = chain(80)
    f = sa.lambdify((w,), system["L"], given=system, modules="numpy")
    assert np.isfinite(f(0.3))


def test_a_loss_of_200_terms():
    body = sum(sa.total(sp.tanh(X[I, A] * sa.tensor(f"c{k}")) * Y[I, A], I, A) for k in range(200))
    f = sa.compile(sa.define("L", (), body), target="numpy")
    rng = np.random.default_rng(0)
    own = {"X": rng.normal(size=(3, 4)), "Y": rng.normal(size=(3, 4))}
    scales = rng.normal(size=200)
    wanted = sum((np.tanh(own["X"] * c) * own["Y"]).sum() for c in scales)
    got = f(**own, **{f"c{k}": c for k, c in enumerate(scales)})
    np.testing.assert_allclose(got, wanted, rtol=1e-9)


def test_differences_to_forty_arrays(monkeypatch):
    """Σ_k |x − y_k|²: not every pair and triple of arrays is tried for what may be moved."""
    tried = []
    stays = centre._stays
    monkeypatch.setattr(centre, "_stays", lambda *at: tried.append(at) or stays(*at))
    others, v = [sa.tensor(f"y{k}", N) for k in range(40)], sa.tensor("v", M)
    body = sum(sa.total((X[I, A] - y[I]) ** 2 * v[A], I, A) for y in others)
    system = sa.System(sa.define("L", (), body))
    f = sa.compile(sa.backward(system, output="L", wrt=("v",)), target="numpy")
    rng = np.random.default_rng(0)
    own = {y.name: rng.normal(size=3) for y in others} | {"X": rng.normal(size=(3, 4))}
    wanted = sum(((own["X"] - own[y.name][:, None]) ** 2).sum(0) for y in others)
    np.testing.assert_allclose(f(**own, L_bar=1.0)["v"], wanted, rtol=1e-9)
    assert len(tried) <= 8 * len(others)


def test_the_bound_has_a_name(monkeypatch):
    monkeypatch.setattr(depth, "CALLS", 10)
    before = sys.getrecursionlimit()
    with pytest.raises(LimitError, match="calls inside each other"):
        sa.compile(perceptron(64), output="L")
    assert sys.getrecursionlimit() == before


def test_errors_come_through_the_thread():
    def work(first=[True]):  # noqa: B006
        if first.pop() if first else False:
            raise RecursionError
        raise ValueError("as it is")

    with pytest.raises(ValueError, match="as it is"):
        depth.deeply("work", work)


def test_a_formula_of_thousands_of_factors_is_no_plan(monkeypatch):
    """The gradient of an angle between bonds, written in one line: it is accumulated, and no law
    goes through its formula."""
    lower = Planner.lower

    def lowered(self, poly, env):
        assert extent(poly) < 1000
        return lower(self, poly, env)

    monkeypatch.setattr(Planner, "lower", lowered)
    n, d = sa.sizes("n d")
    (i,), (a, b, c) = sa.indices("i", n), sa.indices("a b c", d)
    X = sa.tensor("X", n, d)
    one, other = X[i, a] - X[i + 1, a], X[i + 2, a] - X[i + 1, a]
    square = sa.total((X[i, b] - X[i + 1, b]) ** 2, b)
    square *= sa.total((X[i + 2, c] - X[i + 1, c]) ** 2, c)
    apart = sa.total(one * other, a) / sp.sqrt(square) - sp.Rational(1, 2)
    L = sa.define("L", (), sa.total(sa.iverson(i <= n - 3) * apart**2, i))
    f = sa.compile(sa.backward(sa.System(L), output="L", wrt=("X",)))
    x = np.random.default_rng(0).normal(size=(6, 3))

    def plain(x):
        u, v = x[:-2] - x[1:-1], x[2:] - x[1:-1]
        lengths = jnp.linalg.norm(u, axis=1) * jnp.linalg.norm(v, axis=1)
        return (((u * v).sum(1) / lengths - 0.5) ** 2).sum()

    with jax.enable_x64(True):
        np.testing.assert_allclose(f(X=x)["X"], jax.grad(plain)(x), rtol=1e-10, atol=1e-12)
