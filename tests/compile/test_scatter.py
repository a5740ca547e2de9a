"""Gradients of tables that are read at affine indices: every entry goes to its place."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward, hvp

from .test_rows import close, draw, in_blocks

pytestmark = pytest.mark.usefixtures("double_precision")

n, m, h, d = sa.sizes("n m h d")
i, k, l = sa.indices("i k l", n)
(j,) = sa.indices("j", m)
(e,), (a,) = sa.indices("e", h), sa.indices("a", d)
X, Y, Z = sa.tensor("X", n, n), sa.tensor("Y", n, m), sa.tensor("Z", h, n, n)


def table(size, *slots):
    """sa.tensor("R", size)[slots]"""
    return sa.tensor("R", *(size if isinstance(size, tuple) else (size,)))[slots]


READS = {
    "relative positions": (X[i, k] * table(2 * n - 1, i - k + n - 1), lambda i, k: i - k),
    "turned": (X[i, k] * table(2 * n - 1, k - i + n - 1), lambda i, k: k - i),
    "a longer table": (X[i, k] * table(3 * n, i - k + n), lambda i, k: i - k),
    "modulo the table": (X[i, k] * table(n, i - k), lambda i, k: i - k),
    "sums": (X[i, k] * table(2 * n - 1, i + k), lambda i, k: i + k),
    "two rows at a time": (Y[i, j] * table(2 * n + m, 2 * i + j), lambda i, j: 2 * i + j),
}
SIZES = {"n": 5, "m": 7, "h": 3, "d": 2}


@pytest.mark.parametrize("name", READS)
def test_gradient_of_a_table(name):
    """R̄_r = Σ_ik [r = place(i, k)] F̄_ik x_ik (1 − F_ik²)."""
    term, at = READS[name]
    letters = (i, j) if name == "two rows at a time" else (i, k)
    F = sa.define("F", letters, sp.tanh(term))
    g = backward(sa.System(F), output="F", wrt="R")
    f = compile(g)
    # modulo its own size r = i - k is i = r + k, but one scatter takes less than three gathers
    assert "scattered(" in f.source
    arrays = draw(f, **SIZES)
    want = compile(g, target="numpy")(**arrays)
    close(f(**arrays), want)
    x = arrays.get("X", arrays.get("Y"))
    size = len(want["R"])
    own = np.zeros(size)
    shift = {"relative positions": 4, "turned": 4, "a longer table": 5}.get(name, 0)
    for row, column in np.ndindex(*x.shape):
        r = (at(row, column) + shift) % size
        s = np.tanh(x[row, column] * arrays["R"][r])
        own[r] += arrays["F_bar"][row, column] * x[row, column] * (1 - s**2)
    np.testing.assert_allclose(want["R"], own, rtol=1e-12, atol=1e-12)


def heads():
    """Scores of several heads with a table of each, and the gradient of a softmax of them."""
    S = sa.define("S", (e, i, k), Z[e, i, k] + table((h, 2 * n - 1), e, i - k + n - 1))
    A = sa.define("A", (e, i, k), sp.exp(S[e, i, k]) / sa.total(sp.exp(S[e, i, l]), l))
    return sa.System(S, A)


def test_other_axes_stay():
    g = backward(heads(), output="A", wrt=("R",))
    f = compile(g)
    assert f.source.count("scattered(") == 2  # its definition and one call
    arrays = draw(f, **SIZES)
    close(f(**arrays), compile(g, target="numpy")(**arrays))

    def loss(R):
        return (jax.nn.softmax(arrays["Z"] + R[:, place()], axis=-1) * arrays["A_bar"]).sum()

    close(f(**arrays)["R"], jax.jit(jax.grad(loss))(jnp.asarray(arrays["R"])))


def place():
    """The place of every entry in a table of 2 n − 1."""
    return np.arange(5)[:, None] - np.arange(5) + 4


def test_axes_without_a_place_are_summed_first():
    """One table for all heads."""
    S = sa.define("S", (e, i, k), sp.tanh(Z[e, i, k] + table(2 * n - 1, i - k + n - 1)))
    g = backward(sa.System(S), output="S", wrt="R")
    f = compile(g)
    arrays = draw(f, **SIZES)
    slope = 1 - np.tanh(arrays["Z"] + arrays["R"][place()]) ** 2
    want = np.zeros(9)
    np.add.at(want, place(), (slope * arrays["S_bar"]).sum(0))
    close(f(**arrays), {"R": want})
    assert "scattered(" in f.source


@pytest.mark.parametrize("length", [1, 3, 12, 13, 23])
def test_blocks_of_rows(length):
    """A bias is no reason to keep the scores: blocks add to the same table."""
    Q, K = sa.tensor("Q", n, d), sa.tensor("K", n, d)
    S = sa.define("S", (i, k), Q[i, a] * K[k, a] + table(2 * n - 1, i - k + n - 1))
    A = sa.define("A", (i, k), sp.exp(S[i, k]) / sa.total(sp.exp(S[i, l]), l))
    O = sa.define("O", (i, a), A[i, k] * K[k, a])
    what = {"O": O, "g": backward(sa.System(S, A, O), output="O", wrt=("Q", "K", "R"))}
    f = compile(what, given=sa.System(S, A, O))
    assert "by_rows" in f.source
    assert n**2 not in f.cost.blocks.args
    arrays = draw(f, n=length, d=2)
    close(in_blocks(f)(**arrays), compile(what, given=sa.System(S, A, O), target="numpy")(**arrays))


def test_leading_axes():
    g = backward(heads(), output="A", wrt=("Z", "R"))
    f = compile(g, batch=("z",))
    arrays = draw(f, z=2, **SIZES)
    close(f(**arrays), compile(g, batch=("z",), target="numpy")(**arrays))


def test_low_precision_is_added_in_float32():
    """2048 ones are 2048, where bfloat16 would stop at 256."""
    F = sa.define("F", (i, k), table(2 * n - 1, i - k + n - 1) * X[i, k])
    f = compile(backward(sa.System(F), output="F", wrt="R"))
    ones = jnp.ones((512, 512), jnp.bfloat16)
    got = f(X=ones, F_bar=ones)["R"]
    assert got.dtype == jnp.bfloat16
    assert got[511] == 512


def test_transformations():
    g = backward(heads(), output="A", wrt=("R",))
    f = compile(g)
    arrays = {name: jnp.asarray(x) for name, x in draw(f, **SIZES).items()}

    def loss(R):
        return jnp.sin(f(**(arrays | {"R": R}))["R"]).sum()

    def textbook(R):
        up = arrays["A_bar"]
        _, back = jax.vjp(lambda R: jax.nn.softmax(arrays["Z"] + R[:, place()], axis=-1), R)
        return jnp.sin(back(up)[0]).sum()

    R = arrays["R"]
    close(jax.jit(jax.grad(loss))(R), jax.jit(jax.grad(textbook))(R))
    close(jax.jit(jax.hessian(loss))(R), jax.jit(jax.hessian(textbook))(R), 1e-9)


def test_products_with_the_hessian():
    L = sa.define("L", (), sa.total(sp.exp(X[i, k] * table(2 * n - 1, i - k + n - 1)), i, k))
    made = hvp(sa.System(L), of="L", wrt="R")
    f = compile(made)
    arrays = draw(f, **SIZES)
    close(f(**arrays), compile(made, target="numpy")(**arrays))
    R, x = jnp.asarray(arrays["R"]), arrays["X"]
    H = jax.jit(jax.hessian(lambda R: jnp.exp(x * R[place()]).sum()))(R)
    close(f(**arrays), H @ arrays["R_dot"])


@pytest.mark.parametrize("target", ["numpy", "jax"])
def test_a_number_is_put_at_its_place(target):
    m, n = sa.sizes("m n")
    system = sa.System(sa.define("y", (), sa.tensor("z", m + n - 1)[-1]))
    f = compile(backward(system, output="y", wrt=("z",)), target=target)
    np.testing.assert_array_equal(f(y_bar=1.5, m=3, n=2)["z"], [0, 0, 0, 1.5])
