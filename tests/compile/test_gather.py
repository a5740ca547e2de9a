"""Brackets that derivatives multiply out are put back, and sums over one index joined."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import cases, compile
from symattn.derive import backward, hessian

pytestmark = pytest.mark.usefixtures("double_precision")
rng = np.random.default_rng(6)
n, m, r = sa.sizes("n m r")
(i,), (j,), (k,) = sa.indices("i", n), sa.indices("j", m), sa.indices("k", r)
A, B, C, D = sa.tensor("A", n, m), sa.tensor("B", m, r), sa.tensor("C", m, r), sa.tensor("D", n, m)
w = sa.tensor("w", m)
x, y, z = (sa.tensor(name, n) for name in "xyz")


def body(f):
    return f.source.split('"""')[-1]


def test_one_contraction_for_the_logistic_hessian():
    f = compile(hessian(cases.logistic(), of="L", wrt="w"))
    assert body(f).count("einsum(") == body(f).count("matmul(") == 1  # z and Xᵀ diag(σ(1 − σ)) X
    assert body(f).count("jax.nn.sigmoid(") == 1
    X, w = rng.normal(size=(7, 3)), rng.normal(size=3)
    p = 1 / (1 + np.exp(-X @ w))
    np.testing.assert_allclose(f(X=X, w=w), (X.T * p * (1 - p)) @ X, rtol=1e-12)


def test_a_shared_operand_is_contracted_once():
    f = compile(sa.define("y", (i, k), A[i, j] * B[j, k] - 3 * sa.total(A[i, j] * C[j, k], j)))
    assert body(f).count("einsum(") == 1
    a, b, c = (rng.normal(size=s) for s in ((2, 3), (3, 4), (3, 4)))
    np.testing.assert_allclose(f(A=a, B=b, C=c), a @ (b - 3 * c), rtol=1e-12)


def test_sums_stay_apart_where_the_bracket_is_as_large_as_the_whole():
    first, second = A[i, j] * B[j, k] * w[j], D[i, j] * C[j, k] * w[j]
    f = compile(sa.define("y", (i, k), sa.total(first, j) + sa.total(second, j)))
    assert body(f).count("einsum(") == 2
    assert n * m * r not in f.cost.largest.atoms(sp.Mul)


def test_a_bracket_comes_out_everywhere_at_once():
    e = sp.expand(y[i] * (1 - x[i] ** 2) * (1 - z[i] ** 2))
    f = compile(sa.define("v", (i,), e))
    a, b, c = rng.normal(size=(3, 5))
    np.testing.assert_allclose(f(x=a, y=b, z=c), b * (1 - a**2) * (1 - c**2), rtol=1e-12)
    assert body(f).count("*") == 4 and "v = -(x - 1) * (x + 1) * y * (1 - z) * (1 + z)" in body(f)


NETWORK = {"X": (9, 4), "W_1": (4, 3), "W_2": (3, 5), "W_3": (5, 2), "T": (9, 2)}


def loss(X, W_1, W_2, W_3, T):
    Z = jnp.tanh(jnp.tanh(X @ W_1) @ W_2) @ W_3
    return -(T * jax.nn.log_softmax(Z, axis=-1)).sum()


@pytest.mark.parametrize("wrt, scale", [("W_2", 1.0), ("W_3", 1.0), ("W_3", 1e4)])
def test_network_hessian(wrt, scale):
    arrays = {name: rng.normal(size=shape) for name, shape in NETWORK.items()}
    arrays["W_3"] *= scale
    f = compile(hessian(cases.network(), of="L", wrt=wrt))
    want = jax.jit(jax.hessian(lambda W: loss(**(arrays | {wrt: W}))))(arrays[wrt])
    np.testing.assert_allclose(f(**arrays), want, rtol=1e-9, atol=1e-9)
    single = f(**{name: jnp.asarray(a, jnp.float32) for name, a in arrays.items()})
    assert np.isfinite(single).all()
    assert "einsum(" in body(f)
    assert body(f).count("jnp.exp(") == 1


def _pairs(function):
    """F_i = Σ_p W_ip Σ_a v_a f(Q_ia + K_pa), and its gradient by Q."""
    n, m, d = sa.sizes("n m d")
    (i,), (p,), (a,) = sa.indices("i", n), sa.indices("p", m), sa.indices("a", d)
    Q, K = sa.tensor("Q", n, d), sa.tensor("K", m, d)
    W, v = sa.tensor("W", n, m), sa.tensor("v", d)
    S = sa.define("S", (i, p), sa.total(v[a] * function(Q[i, a] + K[p, a]), a))
    F = sa.define("F", (i,), sa.total(W[i, p] * S[i, p], p))
    return compile(backward(sa.System(S, F), output="F", wrt="Q"))


def test_what_a_computed_array_is_beside_stays_under_its_sum(usual_emitters):
    """Σ_p W_ip (1 − f²_ipa) is one sum of one array, and no difference of two sums."""
    f = _pairs(sp.tanh)
    text = body(f)
    assert "1 - " in text and "einsum(" not in text and text.count("total(") == 1
    rng = np.random.default_rng(0)
    shapes = {"Q": (5, 2), "K": (7, 2), "W": (5, 7), "v": (2,), "F_bar": (5,)}
    arrays = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    arrays["Q"] += 6  # all saturated
    sums = arrays["Q"][:, None] + arrays["K"]
    wanted = np.einsum("i,ip,ipa,a->ia", arrays["F_bar"], arrays["W"], np.cosh(sums) ** -2.0,
                       arrays["v"])  # fmt: skip
    with jax.enable_x64(True):
        np.testing.assert_allclose(f(**arrays)["Q"], wanted, rtol=1e-8)


def test_arrays_that_come_in_are_contracted():
    """Σ_p W_ip T_ipa of an array that is there anyway, and a product of matrices."""
    n, m, d = sa.sizes("n m d")
    (i,), (p,), (a, b) = sa.indices("i", n), sa.indices("p", m), sa.indices("a b", d)
    W, T, U = sa.tensor("W", n, m), sa.tensor("T", n, m, d), sa.tensor("U", n, m, d)
    Y = sa.define("Y", (i, a), sa.total(W[i, p] * T[i, p, a], p))
    assert "einsum(" in body(compile(sa.System(Y), output="Y"))
    Z = sa.define("Z", (i, a), sa.total(W[i, p] * (T[i, p, a] + U[i, p, a]), p))
    assert "einsum(" not in body(compile(sa.System(Z), output="Z"))
    M = sa.tensor("M", d, d)
    X = sa.define("X", (i, p, b), sa.total((T[i, p, a] + U[i, p, a]) * M[a, b], a))
    assert "total(" not in body(compile(sa.System(X), output="X"))
