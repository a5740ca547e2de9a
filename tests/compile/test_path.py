"""path="flash" and path="auto"."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward
from symattn.errors import ShapeError, UnsupportedError

pytestmark = pytest.mark.usefixtures("double_precision")
m, n, p, r = sa.sizes("m n p r")
(x,), (y, z), (u,), (w,) = (
    sa.indices("x", m),
    sa.indices("y z", n),
    sa.indices("u", p),
    sa.indices("w", r),
)
keys, values, asked = sa.tensor("keys", p, n), sa.tensor("values", n, r), sa.tensor("class", m, p)
beta = sa.tensor("beta", positive=True)
ARRAYS = {"class": (4, 3), "keys": (3, 600), "values": (600, 5)}


def retrieval():
    """Transposed keys, other names, an inverse temperature, and a transposed result."""
    weight = sa.define("weight", (x, y), sp.exp(beta * asked[x, u] * keys[u, y]))
    out = sa.define(
        "out", (w, x), sa.total(weight[x, y] * values[y, w], y) / sa.total(weight[x, z], z)
    )
    return sa.System(weight, out)


def plain(asked, keys, values, beta):
    return (jax.nn.softmax(beta * asked @ keys, axis=-1) @ values).T


def test_flash_is_recognised_by_normal_form():
    rng = np.random.default_rng(0)
    arrays = {name: rng.normal(size=s) for name, s in ARRAYS.items()}
    f = compile(retrieval(), output="out", path="flash")
    want = plain(*arrays.values(), 0.7)
    np.testing.assert_allclose(f(**arrays, beta=0.7), want, rtol=1e-12)
    assert "symattn" not in f.source
    assert "lax.scan" in f.source
    with pytest.raises(ShapeError, match="the array 'beta' is missing"):
        f(**arrays)
    g = backward(retrieval(), output="out", wrt=("keys", "beta", "class"))
    upstream = rng.normal(size=(5, 4))
    got = compile(g, path="flash")(**arrays, beta=0.7, out_bar=upstream)
    _, pull = jax.vjp(plain, *arrays.values(), 0.7)
    bars = dict(zip(("class", "keys", "values", "beta"), pull(upstream), strict=True))
    for name in ("keys", "beta", "class"):
        np.testing.assert_allclose(got[name], bars[name], rtol=1e-9, atol=1e-11)


def test_flash_and_dense_agree(attention, arrays, upstream):
    g = backward(attention.system, output="O", wrt=("Q", "K", "V"))
    dense = compile(g)(**arrays, O_bar=upstream)
    flash = compile(g, path="flash")(**arrays, O_bar=upstream)
    for name in "QKV":
        np.testing.assert_allclose(flash[name], dense[name], rtol=1e-11, atol=1e-12)


def test_the_text_runs_alone(attention, arrays):
    f = compile(attention.system, output="O", path="flash")
    space: dict = {}
    exec(f.source, space)
    np.testing.assert_allclose(space["compute_O"](**arrays), f(**arrays), rtol=1e-12)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (lambda t: t.A[t.i, t.j] ** 2 * t.V[t.j, t.b], "other weights"),
        (lambda t: t.A[t.i, t.j] * t.V[t.j, t.b] * 2, "other weights"),
        (lambda t: sa.total(t.S[t.i, t.j] * t.V[t.j, t.b], t.j), "nothing exponential"),
        (
            lambda t: (
                sa.total(sp.exp(t.S[t.i, t.j]) * t.V[t.j, t.b], t.j)
                / sa.total(sp.exp(2 * t.S[t.i, t.l]), t.l)
            ),
            "other weights",
        ),
        (
            lambda t: sa.total(sa.iverson(t.j <= t.i) * t.A[t.i, t.j] * t.V[t.j, t.b], t.j),
            "a mask",
        ),
        (
            lambda t: (
                sa.total(sp.exp(t.S[t.i, t.j] + t.S[t.i, t.j] ** 2) * t.V[t.j, t.b], t.j)
                / sa.total(sp.exp(t.S[t.i, t.l] + t.S[t.i, t.l] ** 2), t.l)
            ),
            "a score of several terms",
        ),
    ],
)
def test_what_is_no_attention(attention, body, why):
    t = attention
    system = sa.System(t.S, t.A, sa.define("X", (t.i, t.b), body(t)))
    with pytest.raises(UnsupportedError) as caught:
        compile(system, output="X", path="flash")
    assert why in caught.value.got
    assert "softmax" in caught.value.expected
    assert "dense" in caught.value.mend
    assert compile(system, output="X", path="auto") is compile(system, output="X")


def test_auto_takes_flash_for_many_keys(attention):
    f = compile(attention.system, output="O", path="auto")
    rng = np.random.default_rng(0)

    def steps(keys):
        shapes = {"Q": (2, 3), "K": (keys, 3), "V": (keys, 4)}
        arrays = {k: jnp.asarray(rng.normal(size=s)) for k, s in shapes.items()}
        want = jax.nn.softmax(arrays["Q"] @ arrays["K"].T / np.sqrt(3), axis=-1) @ arrays["V"]
        np.testing.assert_allclose(f(**arrays), want, rtol=1e-11)
        return str(jax.make_jaxpr(lambda kw: f(**kw))(arrays))

    assert "scan" in steps(1024)
    assert "scan" not in steps(1023)


def layer(score=lambda s: s):
    """Attention of a sequence to itself, with projections that are definitions."""
    n, m, d, c = sa.sizes("n m d c")
    (i, j, l), (p, q) = sa.indices("i j l", n), sa.indices("p q", m)
    (a,), (b,) = sa.indices("a", d), sa.indices("b", c)
    X, W_V = sa.tensor("X", n, m), sa.tensor("W_V", m, c)
    W_Q, W_K = sa.tensor("W_Q", m, d), sa.tensor("W_K", d, m)
    Q = sa.define("Q", (i, a), sp.tanh(sa.total(X[i, p] * W_Q[p, a], p)))
    K = sa.define("K", (a, j), W_K[a, q] * X[j, q])
    V = sa.define("V", (j, b), X[j, p] * W_V[p, b])
    S = sa.define("S", (i, j), Q[i, a] * K[a, j] / sp.sqrt(d))
    T = sa.define("T", (i, j), score(S[i, j]))
    A = sa.define("A", (i, j), sp.exp(T[i, j]) / sa.total(sp.exp(T[i, l]), l))
    return sa.System(Q, K, V, S, T, A, sa.define("O", (i, b), A[i, j] * V[j, b]))


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_projections_are_computed_first(dtype):
    sizes = {"n": 301, "m": 5, "d": 3, "c": 4}
    f = compile(layer(lambda s: 2 * s), output="O", path="flash")
    assert set(f.inputs) == {"X", "W_Q", "W_K", "W_V"}
    rng = np.random.default_rng(0)
    arrays = {
        name: jnp.asarray(rng.normal(size=[sizes[str(s)] for s in shape]) / 2, dtype)
        for name, shape in f.inputs.items()
    }
    X, W_Q, W_K, W_V = (np.asarray(arrays[x], float) for x in ("X", "W_Q", "W_K", "W_V"))
    weights = jax.nn.softmax(2 / np.sqrt(3) * np.tanh(X @ W_Q) @ W_K @ X.T, axis=-1)
    got = f(**arrays)
    assert got.dtype == dtype
    error = {"float64": 1e-12, "float32": 1e-5, "float16": 3e-3, "bfloat16": 3e-2}[dtype]
    np.testing.assert_allclose(np.asarray(got, float), weights @ X @ W_V, rtol=error, atol=error)
    if dtype == "float64":
        g = backward(layer(lambda s: 2 * s), output="O", wrt=("X", "W_Q", "W_K", "W_V"))
        upstream = rng.normal(size=(301, 4))
        flash = compile(g, path="flash")(**arrays, O_bar=upstream)
        dense = compile(g)(**arrays, O_bar=upstream)
        for name in g:
            np.testing.assert_allclose(flash[name], dense[name], rtol=1e-10, atol=1e-11)
        space: dict = {}
        exec(f.source, space)
        np.testing.assert_allclose(space["compute_O"](**arrays), got, rtol=1e-12)


def test_projections_are_in_the_cost():
    f = compile(layer(), output="O", path="flash")
    n, m, d, c = sa.sizes("n m d c")
    flops = f.cost.flops.expand()
    assert flops.coeff(m) == sp.expand(2 * n * (2 * d + c))
    assert flops.coeff(n**2).coeff(d) == flops.coeff(n**2).coeff(c) == 2
    sizes = {n: 4096, m: 64, d: 32, c: 16}
    assert f.cost.largest.subs(sizes) < 4096**2 / 8


@pytest.mark.parametrize(
    ("what", "options", "why"),
    [
        (layer(sp.tanh), {"output": "O"}, "another score"),
        (layer(), {"output": "A"}, "other weights"),
        (layer(), {"output": "O", "batch": ("b",)}, "batch axes"),
        (layer(), {"output": "O", "target": "numpy"}, "target='numpy'"),
        (backward(layer(), output="O", wrt=("Q",)), {}, "a gradient in Q, which is a definition"),
        (layer()["S"], {"given": layer()}, "Definition, no System with an output"),
    ],
)
def test_why_it_is_not_recognised(what, options, why):
    with pytest.raises(UnsupportedError) as caught:
        compile(what, path="flash", **options)
    assert why in caught.value.got
