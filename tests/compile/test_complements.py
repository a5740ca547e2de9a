"""What weights leave, 1 − P, where P is rounded to 1: values and gradients, as a law."""

from __future__ import annotations

from random import Random

import jax
import numpy as np
import pytest
import sympy as sp
from scipy.special import logsumexp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward, hvp
from symattn.model import Model
from symattn.primitives import sigmoid

from .test_weights import WEIGHTS, M, X, Y, Z, a, b, compare, i, m, n

NORMALISED = ("softmax", "tempered", "weighted", "bracketed")


def of_softmax(draw: Random):
    """Definitions, and something that divides by 1 − P or has a root or a logarithm of it."""
    rows = [WEIGHTS[draw.choice(NORMALISED)]()]
    p = rows[0][i, a]
    d = 1 - p
    if draw.random() < 0.5:
        rows.append(sa.define("D", (i, a), d))
        d = rows[-1][i, a]
    chosen = [
        sp.log(d),
        Y[i, a] * sp.log(p) + (1 - Y[i, a]) ** 2 * sp.log(d),
        sp.log(p / d),
        sp.sqrt(d),
        sp.sqrt(p * d),
        d * sp.log(d),
        sp.sqrt(1 - p**2),
        sp.log(d * M[i, a]),
        sp.log(d / (1 + p)),
        sp.log(d) / (2 - p),
    ]
    return rows, draw.choice(chosen)


def of_signed(draw: Random):
    """The same of σ and tanh, and of polynomials in them."""
    z, x, rows = Z[i, a], X[i, a], []
    t = draw.choice([sp.tanh(z), 1 / (1 + sp.exp(-z)), sigmoid(z + x), sp.tanh(z - x)])
    if draw.random() < 0.5:
        rows.append(sa.define("T", (i, a), t))
        t = rows[-1][i, a]
    d = draw.choice([1 - t**2, 1 - t, 1 - t**3])
    if draw.random() < 0.5:
        rows.append(sa.define("D", (i, a), d))
        d = rows[-1][i, a]
    chosen = [sp.sqrt(d), sp.log(d), t * sp.sqrt(d), d * sp.log(d), sp.sqrt(d) * sp.log(d),
              sp.log(d / (2 - t)), sp.log(d + d**2)]  # fmt: skip
    return rows, draw.choice(chosen)


@pytest.mark.parametrize("scale", [30, 300])
@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("kind", [of_softmax, of_signed])
def test_gradients_through_what_is_left(kind, seed, scale):
    draw = Random(seed)
    rows, body = kind(draw)
    kept = draw.choice([(), (i,), (i, a)])
    gone = [x for x in (i, a) if x not in kept]
    body *= Y[i, a]
    system = sa.System(*rows, sa.define("F", kept, sa.total(body, *gone) if gone else body))
    wrt = tuple(x for x in Model(system).inputs if x in ("Z", "X", "M", "Y"))
    compare(system, wrt, seed, scale)


def unlikelihood():
    """Σ Y log(1 − softmax Z), and what it is by exact sums of the other exponentials."""
    P = WEIGHTS["softmax"]()
    F = sa.define("F", (), sa.total(Y[i, a] * sp.log(1 - P[i, a]), i, a))
    return sa.System(P, F)


def by_others(z, y):
    """The value and the gradient of that, in float64."""
    slope = -np.exp(z - logsumexp(z, axis=1, keepdims=True)) * y.sum(1, keepdims=True)
    value = -(y.sum(1) * logsumexp(z, axis=1)).sum()
    for k in range(z.shape[1]):
        others = np.delete(np.arange(z.shape[1]), k)
        left = logsumexp(z[:, others], axis=1, keepdims=True)
        value += (y[:, [k]] * left).sum()
        slope[:, others] += y[:, [k]] * np.exp(z[:, others] - left)
    return value, slope


def test_the_largest_score_and_the_others():
    """Scores of any size, offsets, ties; the derivative that JAX makes; no array of pairs."""
    system, rng = unlikelihood(), np.random.default_rng(0)
    value = compile(system, output="F")
    g = compile(backward(system, output="F", wrt=("Z",)))
    plain = rng.normal(size=(4, 7))
    for z in (plain, 1e4 * plain, 1e4 + plain, 0 * plain, np.round(plain)):
        z, y = z.astype(np.float32), rng.normal(size=z.shape).astype(np.float32)
        want, slope = by_others(z.astype(float), y.astype(float))
        np.testing.assert_allclose(value(Z=z, Y=y), want, rtol=1e-5)
        np.testing.assert_allclose(g(Z=z, Y=y, F_bar=1.0)["Z"], slope, atol=1e-5)
        np.testing.assert_allclose(jax.grad(lambda z: value(Z=z, Y=y))(z), slope, atol=1e-5)  # noqa: B023
    assert g.cost.largest == n * m


def test_the_second_derivative():
    system, rng = unlikelihood(), np.random.default_rng(1)
    z, y, dot = rng.normal(size=(3, 4, 7)).astype(np.float32)
    h = compile(hvp(system, of="F", wrt="Z"))
    up, down = (by_others(z + s * dot.astype(float), y)[1] for s in (1e-5, -1e-5))
    np.testing.assert_allclose(h(Z=z, Y=y, Z_dot=dot), (up - down) / 2e-5, atol=1e-4)
    assert np.isfinite(h(Z=300 * z, Y=y, Z_dot=dot)).all()


def test_a_sum_that_is_another_one():
    """1 − e^z / Σ e^x is no complement: nothing is left out of Σ e^x."""
    over = sa.total(sp.exp(X[i, b]), b)
    F = sa.define("F", (i, a), sp.log(1 - sp.exp(Z[i, a]) / (10 * over)))
    f = compile(F, target="numpy")
    z, x = np.random.default_rng(2).normal(size=(2, 3, 5))
    want = np.log(1 - np.exp(z) / (10 * np.exp(x).sum(1, keepdims=True)))
    np.testing.assert_allclose(f(Z=z, X=x), want, rtol=1e-12)
    assert "log1p" not in f.source
