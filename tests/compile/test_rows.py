"""Long axes in blocks of rows: the same values, derivatives and dtypes, and little memory."""

from __future__ import annotations

import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import cases, compile
from symattn.compile.cost import ROWS
from symattn.compile.function import load
from symattn.derive import backward, hvp

pytestmark = pytest.mark.usefixtures("double_precision")
rng = np.random.default_rng(5)

(n, m, d, w), (x,) = sa.sizes("n m d w"), sa.sizes("x")
(i, k, l_), (j, l) = sa.indices("i k l", n), sa.indices("j l", m)
(a,), (b,) = sa.indices("a", d), sa.indices("b", w)


def in_blocks(f, rows=3):
    """The compiled function with blocks of so few rows, from four blocks on."""
    text = f.source
    assert text.count("128") == 2
    function = load(text.replace("128", str(rows)).replace("2**21", "1"), f.name)
    parameters = f._program.module.parameters
    return lambda **arrays: function(**{parameters[name]: v for name, v in arrays.items()})


def close(got, want, tolerance=1e-11):
    assert jax.tree.structure(got) == jax.tree.structure(want)
    for u, v in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
        assert u.shape == v.shape
        np.testing.assert_allclose(u, v, rtol=tolerance, atol=tolerance)


def attention(mask=None, self=False, bias=False):
    """Attention of m keys, or of a sequence to itself, with its backward pass."""
    J, L = sa.indices("j l", n) if self else (j, l)
    Q, K, V = sa.tensor("Q", n, d), sa.tensor("K", m, d), sa.tensor("V", m, w)
    X, R = sa.tensor("X", n, d), sa.tensor("R", 2 * n - 1, d)
    score = X[i, a] * X[J, a] if self else Q[i, a] * K[J, a]
    if bias:
        score += X[i, a] * R[i - J + n - 1, a]
    keep = (lambda j: sa.iverson(mask(i, j))) if mask else (lambda j: 1)
    S = sa.define("S", (i, J), score / sp.sqrt(d))
    A = sa.define("A", (i, J), keep(J) * sp.exp(S[i, J]) / sa.total(keep(L) * sp.exp(S[i, L]), L))
    O = (
        sa.define("O", (i, a), A[i, J] * X[J, a])
        if self
        else sa.define("O", (i, b), A[i, J] * V[J, b])
    )
    system = sa.System(S, A, O)
    return {"O": O, "g": backward(system, output="O", wrt="X" if self else ("Q", "K", "V"))}, system


def draw(f, **sizes):
    point = {s: sizes[str(s)] for shape in f.inputs.values() for e in shape for s in e.free_symbols}
    return {
        name: rng.normal(size=[int(e.subs(point)) for e in shape])
        for name, shape in f.inputs.items()
    }


CASES = {
    "attention": attention(),
    "causal": attention(mask=lambda i, j: j <= i),
    "to itself, causal": attention(mask=lambda i, j: j <= i, self=True),
    "relative positions": attention(mask=lambda i, j: j <= i + 2, self=True, bias=True),
}


@pytest.mark.parametrize("length", [1, 3, 4, 12, 13, 23])
@pytest.mark.parametrize("case", CASES)
def test_blocks_of_rows(case, length):
    what, system = CASES[case]
    f = compile(what, given=system)
    arrays = draw(f, n=length, m=7, d=2, w=5)
    want = compile(what, given=system, target="numpy")(**arrays)
    close(in_blocks(f)(**arrays), want)


def test_leading_axes():
    what, system = CASES["causal"]
    f = compile(what, given=system, batch=("z", "h"))
    arrays = draw(f, n=14, m=7, d=2, w=5, z=2, h=3)
    want = compile(what, given=system, batch=("z", "h"), target="numpy")(**arrays)
    close(in_blocks(f)(**arrays), want)
    assert "(2,0,2),(2,2)," in "".join(f.source.split())


def test_layer():
    system, Y = cases.layer()
    what = {"Y": Y, "g": backward(system, output="Y", wrt=("W_Q", "W_K", "W_V", "W_O"))}
    f = compile(what, given=system)
    arrays = draw(f, b=2, n=13, h=3, m=5, d=4)
    want = compile(what, given=system, target="numpy")(**arrays)
    close(in_blocks(f)(**arrays), want)
    assert "by_rows(\n        rows, (Q, O_bar, X, Y_bar)" in f.source


def test_attention_and_a_hidden_layer_are_cut_where_the_scores_are():
    """The hidden layer alone could be cut along its units, which would leave the scores whole."""
    (h,) = sa.sizes("h")
    (p,) = sa.indices("p", h)
    X, W, U = sa.tensor("X", n, d), sa.tensor("W", d, h), sa.tensor("U", h, d)
    S = sa.define("S", (i, k), X[i, a] * X[k, a])
    E = sp.exp(S[i, k]) / sa.total(sp.exp(S[i, l_]), l_)
    Z = sa.define("Z", (i, a), X[i, a] + sa.total(E * X[k, a], k))
    H = sa.define("H", (i, p), sp.tanh(Z[i, a] * W[a, p]))
    Y = sa.define("Y", (i, a), Z[i, a] + H[i, p] * U[p, a])
    system = sa.System(S, Z, H, Y)
    what = {"Y": Y, "g": backward(system, output="Y", wrt=("X", "W", "U"))}
    f = compile(what, given=system)
    assert f.cost.blocks.subs({n: 10**6, d: 1, h: 1, ROWS: 1}) < 10**7
    arrays = draw(f, n=14, d=3, h=5)
    want = compile(what, given=system, target="numpy")(**arrays)
    close(in_blocks(f)(**arrays), want)


def test_rows_that_are_needed_whole_afterwards():
    u, v, y = sa.tensor("u", n), sa.tensor("v", m), sa.tensor("y", n, n)
    p = sa.define("p", (i,), sa.total(1 / (1 + (u[i] - v[j]) ** 2), j))
    q = sa.define("q", (i,), sa.total(y[i, k] * p[k], k) / sa.total(p[k], k))
    f = compile({"p": p, "q": q}, given=sa.System(p, q))
    arrays = draw(f, n=14, m=5)
    want = (1 / (1 + (arrays["u"][:, None] - arrays["v"]) ** 2)).sum(1)
    close(in_blocks(f)(**arrays), {"p": want, "q": arrays["y"] @ want / want.sum()})


def test_rows_that_are_read_at_other_rows():
    u, v = sa.tensor("u", n), sa.tensor("v", m)
    p = sa.define("p", (i,), sa.total(1 / (1 + (u[i] - v[j]) ** 2), j))
    f = compile(sa.define("q", (i,), p[i] * p[i + 1]), given=sa.System(p))
    arrays = draw(f, n=14, m=5)
    want = (1 / (1 + (arrays["u"][:, None] - arrays["v"]) ** 2)).sum(1)
    close(in_blocks(f)(**arrays), want * np.roll(want, -1))


def test_rows_of_which_the_largest_is_needed():
    u, v = sa.tensor("u", n), sa.tensor("v", m)
    A = sa.define("A", (i, j), sp.exp(u[i] * v[j]) / sa.total(sp.exp(u[i] * v[l]), l))
    p = sa.define("p", (i,), 1000 * A[i, j] * v[j])
    what = sa.define("F", (), sp.log(sa.total(sp.exp(p[i]), i)))
    f = compile(what, given=sa.System(A, p))
    arrays = draw(f, n=14, m=5)
    e = np.exp(arrays["u"][:, None] * arrays["v"])
    want = np.logaddexp.reduce(1000 * (e @ arrays["v"]) / e.sum(1))
    np.testing.assert_allclose(in_blocks(f)(**arrays), want, rtol=1e-12)


def test_batch_axes_stay_whole():
    u, v = sa.tensor("u", n), sa.tensor("v", m)
    f = compile(sa.define("p", (i,), sa.total(sp.tanh(u[i] - v[j]), j)), batch=("b",))
    assert "by_rows(rows, (u,), (1,), (1,)," in f.source


@pytest.mark.parametrize("length", [3, 13, 14])
@pytest.mark.parametrize("columns", [False, True])
def test_diagonals_go_along_with_rows(columns, length):
    """Of a block S_ij the entries S_ii are at the indices of its rows, or of its columns."""
    X, Y = sa.tensor("X", n, d), sa.tensor("Y", n, d)
    S = sa.define("S", (i, k), sp.tanh(sa.total(X[i, a] * Y[k, a], a)))
    other = sa.total(S[k, i] if columns else S[i, k], k)
    f = compile(sa.define("y", (i,), S[i, i] + other**2), given=sa.System(S))
    assert "by_rows" in f.source
    arrays = draw(f, n=length, d=2)
    S = np.tanh(arrays["X"] @ arrays["Y"].T)
    close(in_blocks(f)(**arrays), np.diag(S) + S.sum(0 if columns else 1) ** 2)


@pytest.mark.parametrize("length", [3, 13])
def test_contrastive_loss(length):
    X = sa.tensor("X", n, d)
    S = sa.define("S", (i, k), X[i, a] * X[k, a])
    pulled = sp.log(sa.total(sp.exp(S[i, k]), k)) - S[i, i]
    L = sa.define("L", (), sa.total(pulled, i) / n)
    what = {"L": L, "g": backward(sa.System(S, L), output="L", wrt="X")}
    f = compile(what, given=sa.System(S, L))
    assert n**2 not in f.cost.blocks.args
    arrays = draw(f, n=length, d=2)
    close(in_blocks(f)(**arrays), compile(what, given=sa.System(S, L), target="numpy")(**arrays))


def test_gradients_of_what_is_looked_up():
    """R̄_k = Σ_ij [k = i − j + n − 1] P̄_ij goes along with the rows of P̄."""
    X, R = sa.tensor("X", n, d), sa.tensor("R", 2 * n - 1)
    P = sa.define("P", (i, k), sp.tanh(X[i, a] * X[k, a] + R[i - k + n - 1]))
    system = sa.System(P, sa.define("L", (i,), sa.total(P[i, k] ** 2, k)))
    what = backward(system, output="L", wrt="R")
    f = compile(what)
    arrays = draw(f, n=14, d=2)
    close(in_blocks(f)(**arrays), compile(what, target="numpy")(**arrays))


def test_a_size_that_grows_with_the_rows_is_no_way_out():
    """Y_rb = Σ_i y_i(i−r) V_ib could be cut at r, which would leave y whole."""
    X, V = sa.tensor("X", n, d), sa.tensor("V", n, d)
    y = sa.define("y", (i, k), sp.exp(X[i, a] * X[k, a]) / sa.total(sp.exp(X[l_, a] * X[k, a]), l_))
    z = sa.define("z", (i, k), y[i, k] / sa.total(y[i, l_], l_))
    r = sa.indices("r", 2 * n - 1)[0]
    T = sa.define("T", (r, a), sa.total(z[i, k] * sa.delta(r, i - k + n - 1) * V[i, a], i, k))
    f = compile(T, given=sa.System(y, z))
    assert "by_rows" not in f.source


def test_rows_that_meet_other_rows():
    """Σ_j A_ij Σ_k A_jk u_k needs every row of A for every row of the result."""
    u = sa.tensor("u", n)
    A = sa.define("A", (i, k), 1 / (1 + (u[i] - u[k]) ** 2))
    y = sa.define("y", (i,), A[i, k] * u[k])
    f = compile(sa.define("z", (i,), A[i, k] * y[k]), given=sa.System(A, y))
    assert "by_rows" not in f.source
    arrays = draw(f, n=14)
    A = 1 / (1 + (arrays["u"][:, None] - arrays["u"]) ** 2)
    close(f(**arrays), A @ A @ arrays["u"])


@pytest.mark.parametrize("length", [11, 14])
def test_a_sum_of_all_rows(length):
    u, v, c = sa.tensor("u", n, d), sa.tensor("v", m, d), sa.tensor("c", m)
    f = compile(sa.define("L", (), sa.total(c[j] * sp.tanh(sa.total(u[i, a] * v[j, a], a)), i, j)))
    assert f.cost.blocks in (ROWS * m, ROWS * n)
    arrays = draw(f, n=length, m=5, d=2)
    want = (arrays["c"] * np.tanh(arrays["u"] @ arrays["v"].T)).sum()
    np.testing.assert_allclose(in_blocks(f)(**arrays), want, rtol=1e-12)


def test_transformations():
    what, system = CASES["causal"]
    whole = compile(what["O"], given=system)
    blocks = in_blocks(whole)
    arrays = draw(whole, n=14, m=4, d=2, w=3)
    Q = jnp.asarray(arrays.pop("Q"))
    up = rng.normal(size=(14, 3))
    dQ = jnp.asarray(rng.normal(size=Q.shape))

    def loss(f):
        return lambda Q, arrays=arrays: jnp.sum(jnp.sin(f(Q=Q, **arrays)) * up)

    old, new = loss(whole), loss(blocks)
    assert "scan" in str(jax.make_jaxpr(new)(Q))
    assert "scan" not in str(jax.make_jaxpr(old)(Q))
    for transform in (
        jax.jit,
        jax.grad,
        lambda f: jax.jit(jax.grad(f, argnums=1)),
        lambda f: jax.jit(jax.hessian(f)),
        lambda f: lambda Q, arrays: jax.jvp(f, (Q,), (dQ,)),
        lambda f: lambda Q, arrays: jax.vjp(f, Q)[1](1.0),
        lambda f: jax.grad(jax.checkpoint(f)),
        lambda f: lambda Q, arrays: jax.vmap(jax.grad(f))(jnp.stack([Q, dQ, Q - dQ])),
    ):
        close(jax.jit(transform(new))(Q, arrays), jax.jit(transform(old))(Q, arrays))


def test_products_with_the_hessian():
    system = attention()[1]
    Y = sa.tensor("Y", n, w)
    L = sa.define("L", (), sa.total((system["O"][i, b] - Y[i, b]) ** 2, i, b))
    what = hvp(system.extended(L), of="L", wrt="Q")
    f = compile(what)
    arrays = draw(f, n=14, m=7, d=2, w=5)
    close(in_blocks(f)(**arrays), compile(what, target="numpy")(**arrays))


@pytest.mark.parametrize("dtype, tolerance", [(jnp.bfloat16, 4e-2), (jnp.float16, 8e-3)])
def test_low_precision(dtype, tolerance):
    what, system = CASES["attention"]
    f = compile(what, given=system)
    arrays = {name: jnp.asarray(v, dtype) for name, v in draw(f, n=14, m=7, d=2, w=5).items()}
    got = in_blocks(f)(**arrays)
    exact = {name: np.asarray(v, float) for name, v in arrays.items()}
    want = compile(what, given=system, target="numpy")(**exact)
    for u, v in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
        assert u.dtype == dtype
        np.testing.assert_allclose(np.asarray(u, float), v, atol=tolerance)


def test_sums_in_low_precision_are_added_in_float32():
    u, v = sa.tensor("u", n), sa.tensor("v", m)
    f = in_blocks(compile(sa.define("L", (), sa.total(sp.cos(u[i] * v[j]), i, j))), rows=1)
    got = f(u=jnp.zeros(700, jnp.bfloat16), v=jnp.zeros(700, jnp.bfloat16))
    np.testing.assert_array_equal(np.asarray(got, float), jnp.asarray(490_000, jnp.bfloat16))


WHOLE = {
    "an input pairs the sizes": lambda x, y: sa.define(
        "D", (i,), sa.total(sp.exp(x[i, j]) * x[i, l], j, l)
    ),
    "the result pairs the sizes": lambda x, y: sa.define(
        "D", (i, j), sp.exp(y[i] * sa.total(y[k], k)) * sp.tanh(x[i, j])
    ),
}


@pytest.mark.parametrize("case", WHOLE)
def test_nothing_is_gained(case):
    f = compile(WHOLE[case](sa.tensor("x", n, m), sa.tensor("y", n)))
    assert "by_rows" not in f.source
    assert f.cost.blocks is None


def test_rows_that_need_a_sum_of_all_rows():
    """B is normalised by rows and by columns: neither axis can be cut."""
    u, v = sa.tensor("u", n), sa.tensor("v", m)
    E = sa.define("E", (i, j), 1 / (1 + (u[i] - v[j]) ** 2))
    A = sa.define("A", (i, j), E[i, j] / sa.total(E[k, j], k))
    B = sa.define("B", (i, j), A[i, j] / sa.total(A[i, l], l))
    c = sa.define("c", (j,), sa.total(B[i, j], i))
    f = compile(c, given=sa.System(E, A, B))
    assert "by_rows" not in f.source
    arrays = draw(f, n=14, m=5)
    E = 1 / (1 + (arrays["u"][:, None] - arrays["v"]) ** 2)
    A = E / E.sum(0)
    close(f(**arrays), (A / A.sum(1, keepdims=True)).sum(0))
    columns = compile(sa.define("s", (i,), A_of(u, v)), given=None)
    assert "by_rows" in columns.source


def A_of(u, v):
    """A sum over columns that are normalised by themselves."""
    e = 1 / (1 + (u[i] - v[j]) ** 2)
    z = sa.total(1 / (1 + (u[k] - v[j]) ** 2), k)
    return sa.total(e / z, j)


def test_cost_keeps_the_plan_and_says_what_blocks_hold():
    what, system = CASES["attention"]
    cost = compile(what, given=system).cost
    assert cost.largest == sp.Max(n * m, n * d, m * d)
    assert cost.blocks == sp.Max(ROWS * m, ROWS * d, m * d)
    assert "blocks" in str(cost)
    assert compile(what, given=system, target="numpy").cost.blocks is None


MEMORY = """
import jax, jax.numpy as jnp
from symattn.compile import cases, compile, peers
from symattn.derive import backward
system, O = cases.attention()
f = compile({"O": O, "g": backward(system, output="O", wrt=("Q", "K", "V"))}, given=system)
x = {name: jax.ShapeDtypeStruct((2048, 64), jnp.float32) for name in f.inputs}
for program in (lambda **x: f(**x), peers.attention_vjp):
    made = jax.jit(program).lower(**x).compile()
    print(made.memory_analysis().temp_size_in_bytes)
"""


def test_memory():
    done = subprocess.run(
        [sys.executable, "-c", MEMORY],
        capture_output=True,
        text=True,
        check=True,
        env={
            "PYTHONPATH": ".",
            "JAX_PLATFORMS": "cpu",
            "XLA_FLAGS": "--xla_cpu_experimental_ynn_fusion_type=",
        },
    )
    ours, autodiff = map(int, done.stdout.split())
    assert 3 * ours < autodiff
    assert ours < 2048 * 2048 * 4


# ------------------------------------------------- arrays of sizes that come in together

small, wide = sa.sizes("n m")
(first, second), (third,) = sa.indices("i j", small), sa.indices("p", wide)
signal, edge = sa.tensor("x", small), sa.tensor("W", small, small)
smoothness = sa.define(
    "L", (), sa.total(edge[first, second] * (signal[first] - signal[second]) ** 2, first, second)
)


@pytest.mark.parametrize("length", [1, 5, 2100])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_what_a_block_alone_has_goes_through_in_blocks(length, dtype):
    bars = backward(sa.System(smoothness), output="L", wrt=("x",))
    f = compile({"L": smoothness, "bars": bars})
    assert "by_rows(rows, (" in f.source
    rng = np.random.default_rng(length)
    x, w = rng.normal(size=length) + 3, abs(rng.normal(size=(length, length)))
    got = f(x=x.astype(dtype), W=w.astype(dtype), L_bar=np.ones((), dtype))
    apart = x[:, None] - x
    tolerance = 1e-11 if dtype == "float64" else 2e-6
    np.testing.assert_allclose(got["L"], (w * apart**2).sum(), rtol=tolerance)
    want = 2 * ((w + w.T) * apart).sum(1)
    np.testing.assert_allclose(
        got["bars"]["x"], want, rtol=tolerance, atol=tolerance * np.abs(want).max()
    )


def test_results_as_large_as_all_else_are_not_put_together_from_blocks():
    """One array in a block for a result would be written twice."""
    scaled = sa.define("Y", (first, second), sp.exp(edge[first, second]) * signal[first])
    assert "by_rows(" not in compile(scaled).source
    (a,) = sa.indices("a", sa.sizes("d")[0])
    x, y = sa.tensor("x", small, a.upper + 1), sa.tensor("y", wide, a.upper + 1)
    far = sa.define("D", (first, third), sa.total((x[first, a] - y[third, a]) ** 2, a))
    both = compile({"D": far, "g": backward(sa.System(far), output="D", wrt=("x",))})
    assert "by_rows(" not in both.source
    many = sp.exp(edge[first, second]) * sp.sin(signal[first] - signal[second]) ** 3
    entries = sa.define("Y", (first, second), many + sp.cos(edge[first, second] ** 2))
    assert "by_rows(" not in compile(entries).source
    assert "by_rows(" in compile(both_of(edge)).source


def both_of(weights):
    """The smoothness with the gradient by weights: one result that large beside several arrays."""
    bars = backward(sa.System(smoothness), output="L", wrt=("x", "W"))
    return {"L": smoothness, "bars": bars}


@pytest.mark.parametrize(
    "count, lengths", [(1000, {0, 125}), (1024, {0, 128}), (254, {0, 127}), (1009, {113, 128})]
)
def test_blocks_leave_nothing_over_where_a_length_allows_it(count, lengths):
    """1009 is a prime: what is left over takes a second body there."""
    source = compile(attention()[1], output="O", path="flash").source
    seen = set()

    def body(x):
        seen.add(x.shape[0])
        return (2 * x,), (x.sum(),)

    x = np.arange(count, dtype=float)
    (double,), (total,) = load(source, "by_rows")(body, (x,), (0,), (0,), 1)
    assert seen == lengths
    np.testing.assert_array_equal(double, 2 * x)
    np.testing.assert_allclose(total, x.sum(), rtol=1e-6)


def test_shifts_along_an_axis_that_stays_whole_are_slices():
    """A block of rows needs no other rows, whether the array comes in or is computed."""
    U, Y = sa.tensor("U", n, m), sa.tensor("Y", n, m)
    F = sa.define("F", (i, j), sp.tanh(U[i, j]) * U[i, j + 1])
    V = sa.define("V", (i, j), U[i, j] - F[i, j] * F[i, j - 1] * sp.sin(F[i, j]))
    L = sa.define("L", (), sa.total((V[i, j] - Y[i, j]) ** 2, i, j))
    system = sa.System(F, V, L)
    f = compile({"L": L, "g": backward(system, output="L", wrt="U")}, given=system)
    inside = f.source.split("def rows(")[1]
    assert inside.count("rolled(") == 4 and "jnp.arange(" not in inside
    arrays = draw(f, n=14, m=5)
    close(in_blocks(f)(**arrays), f(**arrays))

    def plain(U, Y, **_):
        F = jnp.tanh(U) * jnp.roll(U, -1, 1)
        return ((U - F * jnp.roll(F, 1, 1) * jnp.sin(F) - Y) ** 2).sum()

    np.testing.assert_allclose(f(**arrays)["L"], plain(**arrays), rtol=1e-12)


def test_shifts_along_the_rows_need_other_rows():
    U = sa.tensor("U", n, m)
    F = sa.define("F", (i, j), sp.tanh(U[i, j]) * U[i + 1, j])
    L = sa.define("L", (), sa.total(sp.sin(F[i, j] * F[i, j]) * F[i, j], i, j))
    f = compile({"L": L, "g": backward(sa.System(F, L), output="L", wrt="U")})
    arrays = draw(f, n=14, m=5)

    def plain(U, **_):
        F = jnp.tanh(U) * jnp.roll(U, -1, 0)
        return (jnp.sin(F * F) * F).sum()

    np.testing.assert_allclose(f(**arrays)["L"], plain(**arrays), rtol=1e-12)
    want = jax.grad(plain)(arrays["U"]) * arrays["L_bar"]
    np.testing.assert_allclose(f(**arrays)["g"]["U"], want, rtol=1e-9, atol=1e-12)
