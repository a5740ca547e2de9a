"""path="flash" and path="auto"."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn import bench_scores, bench_users
from symattn.carriers import jax_arrays
from symattn.compile import compile
from symattn.derive import backward
from symattn.errors import ShapeError, UnsupportedError
from symattn.evaluate import Evaluator
from symattn.model import evaluated

pytestmark = pytest.mark.usefixtures("double_precision")
m, n, p, r = sa.sizes("m n p r")
(x,), (y, z), (u,), (w,) = (
    sa.indices("x", m),
    sa.indices("y z", n),
    sa.indices("u", p),
    sa.indices("w", r),
)
scores = sa.tensor("scores", n)
keys, values, asked = sa.tensor("keys", p, n), sa.tensor("values", n, r), sa.tensor("class", m, p)
beta = sa.tensor("beta", positive=True)
ARRAYS = {"class": (300, 3), "keys": (3, 600), "values": (600, 5)}


def retrieval():
    """Transposed keys, other names, an inverse temperature, and a transposed result."""
    weight = sa.define("weight", (x, y), sp.exp(beta * asked[x, u] * keys[u, y]))
    out = sa.define(
        "out", (w, x), sa.total(weight[x, y] * values[y, w], y) / sa.total(weight[x, z], z)
    )
    return sa.System(weight, out)


def plain(asked, keys, values, beta):
    return (jax.nn.softmax(beta * asked @ keys, axis=-1) @ values).T


def test_any_names_and_axes():
    rng = np.random.default_rng(0)
    arrays = {name: rng.normal(size=s) for name, s in ARRAYS.items()}
    f = compile(retrieval(), output="out", path="flash")
    want = plain(*arrays.values(), 0.7)
    np.testing.assert_allclose(f(**arrays, beta=0.7), want, rtol=1e-12, atol=1e-15)
    assert "symattn" not in f.source.split("import")[1]
    assert "by_rows(rows, " in f.source
    with pytest.raises(ShapeError, match="the array 'beta' is missing"):
        f(**arrays)
    g = backward(retrieval(), output="out", wrt=("keys", "beta", "class"))
    upstream = rng.normal(size=(5, 300))
    got = compile(g, path="flash")(**arrays, beta=0.7, out_bar=upstream)
    pull = jax.jit(lambda *x: jax.vjp(plain, *x)[1](upstream))
    bars = dict(zip(("class", "keys", "values", "beta"), pull(*arrays.values(), 0.7), strict=True))
    for name in ("keys", "beta", "class"):
        np.testing.assert_allclose(got[name], bars[name], rtol=1e-9, atol=1e-11)


LENGTHS = {"n": 277, "d": 3, "d_v": 4, "h": 2}  # several blocks of rows


@pytest.mark.parametrize("name", bench_scores.SCORES)
def test_every_score_and_every_order(name):
    """The value, its gradients as formulas, and what JAX makes of the blocks, beside the dense
    definitions: vjp, jvp, the product with a Hessian, the third order."""
    system = bench_scores.SCORES[name]()
    arrays = bench_scores.drawn(system, LENGTHS)
    bar = arrays.pop("O_bar")
    wrt = bench_scores.wrt(system)
    f = compile(system, output="O", path="flash")
    g = compile(backward(system, output="O", wrt=wrt), path="flash")
    assert "by_rows(" in f.source and "by_rows(" in g.source
    model = evaluated(system)

    def dense(**x):
        return Evaluator(x, LENGTHS, jax_arrays(), model).definition("O")

    moved = {n: arrays[n] for n in wrt}
    fixed = {n: x for n, x in arrays.items() if n not in moved}
    dots = {n: np.cos(3 * x) for n, x in moved.items()}

    def every(function):
        orders = bench_scores.orders(function, fixed, bar)
        pull = jax.vjp(lambda x: function(**fixed, **x), moved)
        return {name: of(moved, dots) for name, of in orders.items()}, pull[0], pull[1](bar)[0]

    (ours, value, _), (theirs, want, bars) = (jax.jit(lambda h=h: every(h))() for h in (f, dense))
    jax.tree.map(near, ours, theirs)
    near(value, want)
    got = g(**{n: x for n, x in {**arrays, "O_bar": bar}.items() if n in g.inputs})
    for n in wrt:
        near(got[n], bars[n])


def near(got, want):
    np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-10 * (1e-3 + np.abs(want).max()))


@pytest.mark.parametrize("name", ["causal attention", "attention with a soft cap"])
def test_memory_is_linear(name):
    one = bench_users.USERS[name]
    system, _ = one.make()
    f = compile(system, output=one.of, path="flash")
    g = compile(backward(system, output=one.of, wrt=one.wrt), path="flash")

    def curved(**x):
        first = jax.grad(lambda y: jnp.sin(f(**y)).sum())
        return jax.jvp(first, (x,), (x,))[1]

    def temporary(function, inputs, n):
        sizes = {**one.sizes[0], **{s: n for s in ("n", "n_q", "n_k") if s in one.sizes[0]}}
        shapes = {
            k: jax.ShapeDtypeStruct(
                [int(s.xreplace({x: sizes[str(x)] for x in s.free_symbols})) for s in shape],
                jnp.float32,
            )
            for k, shape in inputs.items()
        }
        compiled = jax.jit(lambda **x: function(**x)).lower(**shapes).compile()
        return compiled.memory_analysis().temp_size_in_bytes

    for function, inputs in ((f, f.inputs), (g, g.inputs), (curved, f.inputs)):
        small, large = (temporary(function, inputs, n) for n in (2048, 4096))
        assert 0 < small < large <= 2.3 * small
        assert large < 4 * 4096**2  # one array of scores


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


def test_what_cannot_be_cut(attention):
    t = attention
    n, d = sa.sizes("n d")
    (i, j, l), (a,) = sa.indices("i j l", n), sa.indices("a", d)
    X = sa.tensor("X", n, d)
    S = sa.define("S", (i, j), X[i, a] * X[j, a])
    P = sa.define("P", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[l, j]), l))
    R = sa.define("R", (i, j), sp.exp(P[i, j]) / sa.total(sp.exp(P[i, l]), l))
    system = sa.System(S, P, R, sa.define("Y", (i, a), R[i, j] * X[j, a]))
    with pytest.raises(UnsupportedError) as caught:
        compile(system, output="Y", path="flash")
    assert caught.value.got == "an array (n, n) that is needed as a whole"
    assert "along which there are only sums" in caught.value.expected
    assert "dense" in caught.value.mend
    with pytest.raises(UnsupportedError, match="is for JAX"):
        compile(t.system, output="O", path="flash", target="numpy")


def test_blocks_of_a_worse_plan_are_not_taken():
    """A covariance under a weight that is 1: around the mean it is 0 to the last digit, and what
    comes in is as large as any array, so that blocks of another plan save nothing."""
    a, b = sa.indices("a b", r)
    weight = sa.define("A", (y,), sp.exp(scores[y]) / sa.total(sp.exp(scores[z]), z))
    mean = sa.define("mean", (a,), weight[y] * values[y, a])
    one, other = (values[y, e] - mean[e] for e in (a, b))
    spread = sa.define("C", (a, b), sa.total(weight[y] * one * other, y))
    g = backward(sa.System(weight, mean, spread), output="C", wrt=("scores", "values"))
    rng = np.random.default_rng(3)
    given = {"values": rng.normal(size=(7, 260)), "C_bar": rng.normal(size=(260, 260))}
    given["scores"] = 1e3 * np.arange(7.0)
    got = compile(g, path="flash")(**given)
    assert not np.any(got["scores"]) and not np.any(got["values"])


def test_auto_is_dense(attention):
    assert compile(attention.system, output="O", path="auto") is compile(
        attention.system, output="O"
    )


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
    assert (
        f.cost.blocks.subs({**sizes, sp.Symbol("rows", positive=True, integer=True): 128})
        < 4096**2 / 8
    )


def test_passes_are_shown():
    """What each pass made of causal attention, and where it is cut."""
    system, _ = bench_users.USERS["causal attention"].make()
    text = compile(system, output="O", path="flash").passes
    assert [line.split()[0] for line in text.splitlines() if line[0] != " "] == [
        "steady", "where", "where", "where", "rows", "bands",
    ]  # fmt: skip
    assert "S_max[#0] = max_0 S[#0, 0], where Iverson(0 <= #0)" in text
    assert text.endswith("bands     all keys before a block and 0 after it")


@pytest.mark.parametrize("length", [256, 257])
def test_blocks_that_leave_nothing_over(length):
    """The first block is then one of no rows, whose sums are 0."""
    system = bench_scores.SCORES["plain"]()
    bars = backward(system, output="O", wrt=("Q", "K", "V"))
    rng = np.random.default_rng(length)
    given = {name: rng.normal(size=(length, 3)) for name in ("Q", "K", "V", "O_bar")}
    f = compile({"O": system["O"], "g": bars}, given=system, path="flash")
    assert "by_rows(" in f.source
    got = jax.jit(lambda x: f(**x))(given)

    def plain(Q, K, V):
        return jax.nn.softmax(Q @ K.T / 3**0.5) @ V

    want, pull = jax.vjp(plain, given["Q"], given["K"], given["V"])
    np.testing.assert_allclose(got["O"], want, rtol=1e-10, atol=1e-12)
    for name, bar in zip("QKV", pull(given["O_bar"]), strict=True):
        np.testing.assert_allclose(got["g"][name], bar, rtol=1e-9, atol=1e-10)
