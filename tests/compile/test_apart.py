"""Sums of what pairs have as products of matrices, and by the largest term of every pair where such
a sum is rounded to 0."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.compile.function import load
from symattn.derive import backward, hvp

n, m, k = sa.sizes("n m k")
(i, j), (p, q), (c, e) = sa.indices("i j", n), sa.indices("p q", m), sa.indices("c e", k)
A, B, Y = sa.tensor("A", n, k), sa.tensor("B", k, m), sa.tensor("Y", n, m)


def softmaxes():
    F = sa.define("F", (i, c), sp.exp(A[i, c]) / sa.total(sp.exp(A[i, e]), e))
    G = sa.define("G", (c, p), sp.exp(B[c, p]) / sa.total(sp.exp(B[c, q]), q))
    log = sp.log(sa.total(F[i, c] * G[c, p], c))
    return sa.System(F, G, sa.define("L", (), sa.total(Y[i, p] * log, i, p)))


def by_scores():
    """Weights of classes and transitions: no normaliser."""
    log = sp.log(sa.total(sp.exp(A[i, c] + B[c, p]), c))
    return sa.System(sa.define("L", (), sa.total(Y[i, p] * log, i, p)))


def divided():
    """A part of all, Σ_c e^{a+b} v_c / Σ_c e^{a+b}."""
    v = sa.tensor("v", k)
    weight = sp.exp(A[i, c] + B[c, p])
    R = sa.define("R", (i, p), sa.total(weight * v[c], c) / sa.total(sp.exp(A[i, e] + B[e, p]), e))
    return sa.System(R, sa.define("L", (), sa.total(Y[i, p] * R[i, p], i, p)))


def log_softmaxes(A, B):
    a, b = jax.nn.log_softmax(A, 1), jax.nn.log_softmax(B, 1)
    return jax.nn.logsumexp(a[:, :, None] + b, 1)


CASES = {
    "softmaxes": (softmaxes, lambda A, B, Y: (Y * log_softmaxes(A, B)).sum()),
    "scores": (by_scores, lambda A, B, Y: (Y * jax.nn.logsumexp(A[:, :, None] + B, 1)).sum()),
    "quotient": (
        divided,
        lambda A, B, Y, v: (Y * (jax.nn.softmax(A[:, :, None] + B, 1) * v[:, None]).sum(1)).sum(),
    ),
}


def drawn(scale, names):
    rng = np.random.default_rng(3)
    shapes = {"A": (5, 3), "B": (3, 4), "Y": (5, 4), "v": (3,), "A_dot": (5, 3)}
    given = {x: np.round(8 * rng.normal(size=shapes[x])) / 8 for x in names}
    return given | {x: given[x] * scale for x in "AB"}


def carefully(f):
    """What a function does where a sum is not far from 0."""
    (name,) = {w for w in f.source.replace("(", " ").split() if w.endswith("_carefully")}
    return load(f.source, name)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("scale", [0, 1, 30, 1e4])
def test_values_and_gradients_in_single_precision(case, scale):
    make, formula = CASES[case]
    system = make()
    bars = backward(system, output="L", wrt=("A", "B"))
    f = compile({"L": system["L"], "bars": bars}, given=system)
    assert "jax.lax.cond(" in f.source
    given = drawn(scale, [x for x in f.inputs if x != "L_bar"])
    low = {x: jnp.asarray(v, jnp.float32) for x, v in given.items()}
    with jax.enable_x64(True):
        order = ["A", "B", "Y", "v"][: len(given)]
        want, slopes = jax.value_and_grad(formula, (0, 1))(*(jnp.asarray(given[x]) for x in order))
    for found in (f(**low), carefully(f)(**low, L_bar=1.0)):
        np.testing.assert_allclose(found["L"], want, rtol=1e-5, atol=1e-5)
        for x, right in zip("AB", slopes, strict=True):
            np.testing.assert_allclose(found["bars"][x], right, rtol=1e-4, atol=2e-5)
    value, own = jax.value_and_grad(lambda A, B: f(**low | {"A": A, "B": B})["L"], (0, 1))(
        low["A"], low["B"]
    )  # what JAX makes of the function, of both ways
    np.testing.assert_allclose(value, want, rtol=1e-5, atol=1e-5)
    for made, right in zip(own, slopes, strict=True):
        np.testing.assert_allclose(made, right, rtol=1e-4, atol=2e-5)


@pytest.mark.parametrize("scale", [1, 1e3])
def test_products_with_hessians(scale):
    system = softmaxes()
    f = compile(hvp(system, of="L", wrt="A"))
    given = drawn(scale, f.inputs)
    low = {x: jnp.asarray(v, jnp.float32) for x, v in given.items()}
    with jax.enable_x64(True):
        slope = jax.grad(lambda A: CASES["softmaxes"][1](A, given["B"], given["Y"]))
        want = jax.jvp(slope, (jnp.asarray(given["A"]),), (jnp.asarray(given["A_dot"]),))[1]
    np.testing.assert_allclose(f(**low), want, rtol=1e-4, atol=1e-4)
