"""Factors that normalise weights in turn, where whole rows or columns of these are rounded to 0."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward, hvp

n, m = sa.sizes("n m")
(i, k), (j, l) = sa.indices("i k", n), sa.indices("j l", m)
X, Y = sa.tensor("X", n, m), sa.tensor("Y", n, m)
b = sa.tensor("b", m)
K = sa.define("K", (i, j), sp.exp(X[i, j]))
A = sa.define("A", (i, j), sp.exp(X[i, j]) / sa.total(sp.exp(X[i, l]), l))
J = sa.define("J", (i, j), sp.exp(X[i, j]) / sa.total(sp.exp(X[k, l]), k, l))


def loss(*made):
    """Σ Y P of the last definition P."""
    P = made[-1]
    return sa.System(*made, sa.define("L", (), sa.total(Y[i, j] * P[i, j], i, j)))


def kernel(rounds):
    """u K v, each of u and v in turn from the one before."""
    made, v = [K], None
    for t in range(rounds):
        row = K[i, l] if v is None else K[i, l] * v[l]
        u = sa.define(f"u{t}", (i,), 1 / sa.total(row, l))
        v = sa.define(f"v{t}", (j,), b[j] / sa.total(K[k, j] * u[k], k))
        made += [u, v]
    return loss(*made, sa.define("P", (i, j), u[i] * K[i, j] * v[j]))


def divided(power=1):
    """The weights over a power of their sums along the rows, by a name."""
    s = sa.define("s", (j,), sa.total(A[k, j], k))
    return loss(A, s, sa.define("P", (i, j), A[i, j] / s[j] ** power))


def bipartite():
    """K / (r c), where c is made of r."""
    r = sa.define("r", (i,), sa.total(K[i, l], l))
    c = sa.define("c", (j,), sa.total(K[k, j] / r[k], k))
    return loss(K, r, c, sa.define("P", (i, j), K[i, j] / (r[i] * c[j])))


def lifted():
    """P² / (r c) of the weights of all pairs and their sums."""
    r = sa.define("r", (i,), sa.total(J[i, l], l))
    c = sa.define("c", (j,), sa.total(J[k, j], k))
    return loss(J, r, c, sa.define("P", (i, j), J[i, j] ** 2 / (r[i] * c[j])))


def conditional():
    """Weights of all pairs over their sums along the rows."""
    c = sa.define("c", (j,), sa.total(J[k, j], k))
    return loss(J, c, sa.define("P", (i, j), J[i, j] / c[j]))


def along(x, axis):
    return np.logaddexp.reduce(x, axis, keepdims=True)


def rounds(x, b, times):
    for _ in range(times):
        x = x - along(x, 1)
        x = x - along(x, 0) + np.log(b)
    return x


CASES = {  # a system, and the logarithm of its weights
    "kernel": (kernel(1), lambda x, b: rounds(x, b, 1)),
    "kernel, two rounds": (kernel(2), lambda x, b: rounds(x, b, 2)),
    "sums": (divided(), lambda x, b: rounds(x, 1, 1)),
    "roots of sums": (
        divided(sp.Rational(1, 2)),
        lambda x, b: x - along(x, 1) - along(x - along(x, 1), 0) / 2,
    ),
    "rows, then columns": (bipartite(), lambda x, b: rounds(x, 1, 1)),
    "all pairs": (lifted(), lambda x, b: 2 * x - along(x, 0) - along(x, 1)),
    "one given the other": (conditional(), lambda x, b: x - along(x, 0)),
}


def arrays(scale):
    rng = np.random.default_rng(4)
    x, y, move = rng.normal(size=(3, 3, 4)) * np.array([scale, 1, 1])[:, None, None]
    return {"X": x, "Y": y, "b": rng.uniform(0.5, 2, 4), "L_bar": 1.0, "X_dot": move}


@pytest.mark.parametrize("scale", [1, 4000])
@pytest.mark.parametrize("case", CASES)
def test_weights_and_derivatives(case, scale):
    system, log = CASES[case]
    given = arrays(scale)

    def right(x):
        return (given["Y"] * np.exp(log(x, given["b"]))).sum()

    f = compile(
        {"L": system["L"], "g": backward(system, output="L", wrt=("X",)),
         "h": hvp(system, of="L", wrt="X")}, given=system, target="numpy",
    )  # fmt: skip
    with np.errstate(under="ignore"):
        got = f(**{name: given[name] for name in f.inputs})
    step, x, move = 1e-4, given["X"], given["X_dot"]
    np.testing.assert_allclose(got["L"], right(x), rtol=1e-8, atol=1e-10)
    ends = right(x + step * move), right(x), right(x - step * move)
    slope, bend = (ends[0] - ends[2]) / (2 * step), (ends[0] - 2 * ends[1] + ends[2]) / step**2
    np.testing.assert_allclose((got["g"]["X"] * move).sum(), slope, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose((got["h"] * move).sum(), bend, rtol=1e-5, atol=1e-5)


def test_marginals_may_be_negative():
    """The factors have a sign, which no logarithm has: columns have the sums that b says."""
    K_, u, v, P, _ = kernel(1)
    f = compile(P, given=sa.System(K_, u, v), target="numpy")
    x, marginal = arrays(4000)["X"], np.array([1.5, -2.0, 0.5, -0.25])
    with np.errstate(under="ignore"):
        np.testing.assert_allclose(f(X=x, b=marginal).sum(0), marginal, rtol=1e-12)


def test_sums_of_all_weights_are_plain():
    """Σ_l A_il is nowhere near 0, and nothing is written out for it."""
    s = sa.define("s", (i,), sa.total(A[i, l], l))
    f = compile(loss(A, s, sa.define("P", (i, j), A[i, j] / s[i])), output="L", target="numpy")
    assert f.source.count("np.exp(") == 1


def test_rounds_take_their_time_each():
    """Every round is opened once: what is computed grows in proportion to them."""
    counts = [compile(kernel(t), output="L", target="numpy").source.count(" = ") for t in (3, 6)]
    assert counts[1] <= 2 * counts[0]
