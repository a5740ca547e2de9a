"""Exponents that fall into parts over fewer letters: products of sums stay apart, and stable."""

from __future__ import annotations

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward

pytestmark = pytest.mark.usefixtures("double_precision")
n, m, d, c = sa.sizes("n m d c")
(i,), (j, l) = sa.indices("i", n), sa.indices("j l", m)
(a, e), (b,) = sa.indices("a e", d), sa.indices("b", c)
Q, K, V = sa.tensor("Q", n, d), sa.tensor("K", m, d), sa.tensor("V", m, c)
SHAPES = {"Q": (5, 3), "K": (7, 3), "V": (7, 4)}


def linear(keep=lambda i, j: 1):
    """Attention with the kernel Σ_a e^{Q_ia} e^{K_ja}, which is linear in the lengths."""
    F = sa.define("F", (i, a), sp.exp(Q[i, a]))
    G = sa.define("G", (j, a), sp.exp(K[j, a]))
    Z = sa.define("Z", (i,), sa.total(keep(i, l) * F[i, e] * G[l, e], l, e))
    O = sa.define("O", (i, b), sa.total(keep(i, j) * F[i, a] * G[j, a] * V[j, b], j, a) / Z[i])
    return sa.System(F, G, Z, O)


def plain(Q, K, V, keep=None):
    """The same as a softmax over keys and features together."""
    scores = Q[:, None, :] + K[None, :, :]
    if keep is not None:
        scores = jnp.where(keep[..., None], scores, -jnp.inf)
    weights = jax.nn.softmax(scores.reshape(len(Q), -1), axis=-1)
    return weights.reshape(scores.shape).sum(-1) @ V


def normal(scale=1.0):
    rng = np.random.default_rng(3)
    arrays = {name: rng.normal(size=shape) for name, shape in SHAPES.items()}
    return {**arrays, "Q": scale * arrays["Q"], "K": scale * arrays["K"]}


def compiled(system):
    gradients = backward(system, output="O", wrt=("Q", "K", "V"))
    return compile({"O": system["O"], "g": gradients}, given=system)


@pytest.mark.parametrize("scale", [1.0, 1e4])
def test_value_and_gradients(scale):
    arrays = normal(scale)
    bar = np.random.default_rng(4).normal(size=(5, 4))
    got = compiled(linear())(**arrays, O_bar=bar)

    @jax.jit
    def textbook(*at):
        value, pull = jax.vjp(plain, *at)
        return value, pull(bar)

    want, bars = textbook(*arrays.values())
    np.testing.assert_allclose(got["O"], want, rtol=1e-10, atol=1e-12)
    for name, ref in zip(arrays, bars, strict=True):
        np.testing.assert_allclose(got["g"][name], ref, rtol=1e-9, atol=1e-10, err_msg=name)


def test_derivatives_of_the_compiled_gradients():
    system, arrays = linear(), normal()
    g = compile(backward(system, output="O", wrt=("Q", "K", "V")))
    rng = np.random.default_rng(5)
    bar = rng.normal(size=(5, 4))
    dot = {name: rng.normal(size=shape) for name, shape in SHAPES.items()}

    def textbook(kw):
        return jax.vjp(lambda k: plain(**k), kw)[1](bar)[0]

    def along(f):
        return jax.jit(lambda at, dot: jax.jvp(f, (at,), (dot,))[1])(arrays, dot)

    got, want = along(lambda kw: g(**kw, O_bar=bar)), along(textbook)
    for name in arrays:
        np.testing.assert_allclose(got[name], want[name], rtol=1e-9, atol=1e-10, err_msg=name)


def test_work_is_linear_in_the_lengths():
    for f in (compile(linear(), output="O"), compiled(linear())):
        cost = sp.Poly(sp.expand(f.cost.flops), n, m)
        assert cost.total_degree() == 1
        largest = f.cost.largest.args if isinstance(f.cost.largest, sp.Max) else (f.cost.largest,)
        assert {sp.Poly(x, n, m).total_degree() for x in largest} <= {0, 1}


def test_rows_are_more_than_columns():
    """With one length and one width, d² n is taken before d n²."""
    (p, q), (r, s) = sa.indices("p q", n), sa.indices("r s", d)
    X, Y, W = (sa.tensor(name, n, d) for name in "XYW")
    P = sa.define("P", (p, r), sa.total(X[p, s] * Y[q, s] * W[q, r], q, s))
    assert sp.expand(compile(P).cost.flops) == 4 * d**2 * n


@pytest.mark.parametrize("scale", [1.0, 1e3])
def test_a_mask_over_both_lengths(scale):
    """What a mask couples has one maximum: rows whose keys are far below the others count."""
    arrays = normal(scale)
    keep = np.arange(7)[None, :] <= np.arange(5)[:, None]
    f = compile(linear(lambda i, j: sa.iverson(j <= i)), output="O")
    np.testing.assert_allclose(f(**arrays), plain(**arrays, keep=keep), rtol=1e-9, atol=1e-12)


def test_three_parts_in_a_chain():
    """Σ_jkl e^{x_ij + y_jk + z_kl} is a chain of products of matrices."""
    (k,), (o,) = sa.indices("k", d), sa.indices("o", c)
    x, y, z = sa.tensor("x", n, m), sa.tensor("y", m, d), sa.tensor("z", d, c)
    total = sa.total(sp.exp(x[i, j] + y[j, k] + z[k, o]), j, k, o)
    f = compile(sa.define("v", (i,), sp.log(total)))
    assert sp.Poly(sp.expand(f.cost.flops), n, m, d, c).total_degree() == 2
    rng = np.random.default_rng(6)
    shapes = {"x": (2, 3), "y": (3, 4), "z": (4, 5)}
    arrays = {name: 1e3 * rng.normal(size=s) for name, s in shapes.items()}
    X, Y, Z = arrays.values()
    scores = X[:, :, None, None] + Y[None, :, :, None] + Z[None, None]
    np.testing.assert_allclose(f(**arrays), jax.nn.logsumexp(scores, axis=(1, 2, 3)), rtol=1e-12)


def test_what_no_other_factor_has_is_summed_first():
    f = compile(sa.define("v", (i,), sa.total(Q[i, a] * K[j, a], j, a)))
    assert sp.Poly(sp.expand(f.cost.flops), n, m).total_degree() == 1


def test_equal_parts_under_other_letters_are_computed_once():
    """Vᵀ e^K is in the output and in the gradient of Q, under letters in another order."""
    source = compiled(linear()).source.split('"""')[-1]
    products = [line for line in source.splitlines() if "matmul(" in line or "einsum(" in line]
    assert sum("V," in line and bool(re.search(r"\bexp_K\b", line)) for line in products) == 1
