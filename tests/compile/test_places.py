"""Definitions at shifted places: what is written out there is what the definition has there."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward
from symattn.primitives import sigmoid, softplus

pytestmark = pytest.mark.usefixtures("double_precision")
n, m = sa.sizes("n m")
(i, j, k, p, q), (l, o) = sa.indices("i j k p q", n), sa.indices("l o", m)
x, z, c = sa.tensor("x", n), sa.tensor("z", n, positive=True), sa.tensor("c", positive=True)
X = sa.tensor("X", n, m)
up_to = sa.iverson(k <= i)


def so_far(v):
    return np.cumsum(v)


def before(v):
    return np.roll(v, 1)  # v_{i−1}, which counts modulo the axis


E = sa.define("E", (i,), sp.exp(sa.total(up_to * x[k], k)))
S = sa.define("S", (i,), sa.total(up_to * sp.exp(x[k]), k))
L = sa.define("L", (i,), sp.log(sa.total(up_to * sp.exp(x[k]), k)))
P = sa.define("P", (i,), sigmoid(i * x[i]))
M = sa.define("M", (i,), sa.total(up_to * z[k], k) ** 2)
W = sa.define("W", (i, j), sa.iverson(j <= i) * sp.exp(x[i] - x[j]))


def logistic(v):
    return 1 / (1 + np.exp(-np.arange(len(v)) * v))


def exponential(v):
    return np.exp(so_far(v))


def weights(v):
    return np.roll(np.tri(len(v)) * np.exp(v[:, None] - v), 1, 0)


CASES = {
    "exponentials": (
        [E, sa.define("y", (i,), E[i - 1] / sa.total(E[k - 1] * z[k], k))],
        lambda v, u: before(exponential(v)) / (before(exponential(v)) * u).sum(),
    ),
    "exponentials along another axis": (
        [E, sa.define("y", (l,), E[l + 1] / sa.total(E[o + 1], o))],
        lambda v, u: exponential(v)[(np.arange(2) + 1) % len(v)]
        / exponential(v)[(np.arange(2) + 1) % len(v)].sum(),
    ),
    "a logarithm": (
        [S, sa.define("y", (i,), sp.log(S[i - 1]) * z[i])],
        lambda v, u: before(np.log(so_far(np.exp(v)))) * u,
    ),
    "a mixture under a logarithm": (
        [S, sa.define("y", (i,), sp.log(S[i - 1] * z[i] + S[i]))],
        lambda v, u: np.log(before(so_far(np.exp(v))) * u + so_far(np.exp(v))),
    ),
    "normalised": (
        [L, sa.define("y", (i, j), sp.exp(x[j] - L[i - 1]) * z[i])],
        lambda v, u: np.exp(v - before(np.log(so_far(np.exp(v))))[:, None]) * u[:, None],
    ),
    "a logistic weight": (
        [P, sa.define("y", (i,), sp.log(P[i - 1]) * z[i])],
        lambda v, u: np.log(before(logistic(v))) * u,
    ),
    "what it leaves": (
        [P, sa.define("y", (i,), sp.log(1 - P[i - 1]) * z[i])],
        lambda v, u: np.log(1 - before(logistic(v))) * u,
    ),
    "its root": (
        [P, sa.define("y", (i,), sp.sqrt(P[i - 1]) / z[i])],
        lambda v, u: np.sqrt(before(logistic(v))) / u,
    ),
    "its share": (
        [P, sa.define("y", (i,), P[i - 1] / (P[i - 1] + P[i]))],
        lambda v, u: before(logistic(v)) / (before(logistic(v)) + logistic(v)),
    ),
    "a root of a square": (
        [M, sa.define("y", (i,), sp.sqrt(M[i - 1]) * x[i])],
        lambda v, u: before(so_far(u)) * v,
    ),
    "under a condition": (
        [M, sa.define("y", (i,), sa.iverson(x[i] > 0) / sp.sqrt(M[i - 1]))],
        lambda v, u: np.where(v > 0, 1 / before(so_far(u)), 0),
    ),
    "a decay": (
        [W, sa.define("y", (i,), sa.total(W[i - 1, j] * z[j], j))],
        lambda v, u: weights(v) @ u,
    ),
    "a decay in a sum of its own": (
        [W, sa.define("y", (), sa.total(W[i - 1, j] * z[j] * x[i], i, j))],
        lambda v, u: v @ weights(v) @ u,
    ),
}  # fmt: skip


def slopes(f, at, up):
    """Σ up · ∂f/∂at by differences."""
    found = np.zeros_like(at)
    for e in np.ndindex(at.shape):
        step = np.zeros_like(at)
        step[e] = 1e-5
        found[e] = (up * (f(at + step) - f(at - step))).sum() / 2e-5
    return found


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("length", [1, 2, 5])
def test_definitions_at_shifted_places(case, length):
    definitions, right = CASES[case]
    system = sa.System(*definitions)
    made = {"y": system["y"], "bars": backward(system, output="y", wrt="x")}
    f = compile(made, given=system, target="numpy")
    rng = np.random.default_rng(length)
    v, u = rng.normal(size=length), rng.uniform(0.5, 2, length)
    want = np.asarray(right(v, u))
    up = rng.normal(size=want.shape)
    arrays = {"x": v, "z": u, "y_bar": up, "m": 2}
    got = f(**{name: a for name, a in arrays.items() if name in f.inputs})
    np.testing.assert_allclose(got["y"], want, rtol=1e-12)
    bar = slopes(lambda a: np.asarray(right(a, u)), v, up)
    np.testing.assert_allclose(got["bars"]["x"], bar, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("target", ["numpy", "jax"])
def test_a_decay_of_whole_numbers(target):
    """Σ_j [j ≤ i] c^{i−j}: what is summed is 1."""
    D = sa.define("D", (i,), sa.total(up_to * c ** (i - k), k))
    got = compile(D, target=target)(c=0.75, n=4)
    np.testing.assert_allclose(got, np.cumsum(0.75 ** np.arange(4)), rtol=1e-12)


@pytest.mark.parametrize("target", ["numpy", "jax"])
def test_a_decay_that_is_none(target):
    """The rate is the same at every place, and stays outside."""
    D = sa.define("D", (i, j), sa.maximum(z[p], p) + 0 * (i + j))
    F = sa.define("F", (i,), sa.total(sa.iverson(k < i) * sp.exp(D[i, i] + x[k]), k))
    v, u = np.array([0.5, -1.0, 2.0]), np.array([0.25, 0.5, 1.0])
    got = compile(sa.System(D, F), output="F", target=target)(x=v, z=u)
    want = np.exp(1) * np.array([0, np.exp(0.5), np.exp(0.5) + np.exp(-1)])
    np.testing.assert_allclose(got, want, rtol=1e-12)


def test_a_letter_that_a_sum_does_not_have():
    """Σ_p X_{(j+p)l} is the same for every j."""
    D = sa.define("D", (j, l), sa.total(X[j + p, l], p) ** 2)
    F = sa.define("F", (), sa.maximum(D[o + 1, o], o))
    f = compile(backward(sa.System(D, F), output="F", wrt="X"), target="numpy")
    v = np.array([[1.0, -2.0], [3.0, 0.5], [0.25, 4.0]])
    got = f(X=v, F_bar=2.0)["X"]
    best = int(np.argmax(v.sum(0) ** 2))
    want = np.zeros((3, 2))
    want[:, best] = 4 * v.sum(0)[best]
    np.testing.assert_allclose(got, want, rtol=1e-12)


def test_sums_whose_orders_are_normal_forms_of_each_other():
    T = sa.tensor("T", 2 * n - 1, m)
    score = sa.total(sp.log(T[i + j, 0] ** 2 + sp.Rational(1, 2)) * sa.iverson(i <= q), i)
    D = sa.define("D", (q, j), sp.exp(score) * sp.cos(x[q - j]))
    f = compile(backward(sa.System(D), output="D", wrt=("x", "T")), target="numpy")
    rng = np.random.default_rng(0)
    v, table, up = rng.normal(size=3), rng.normal(size=(5, 1)), rng.normal(size=(3, 3))
    want = np.zeros(3)
    for a in range(3):
        for b in range(3):
            grown = np.prod([table[e + b, 0] ** 2 + 0.5 for e in range(a + 1)])
            want[(a - b) % 3] -= up[a, b] * grown * np.sin(v[(a - b) % 3])
    np.testing.assert_allclose(f(x=v, T=table, D_bar=up)["x"], want, rtol=1e-12)


Y = sa.tensor("Y", m, n)
SHIFTED = {  # y_l = e^{q_l} / (e^{q_l} + 1) of a softmax that is read at these places
    "a shifted diagonal": (lambda l: Y[l, l + 1], lambda v: v[np.arange(3), [1, 2, 3]]),
    "two shifted axes": (lambda l: Y[l + 1, 2 * l], lambda v: v[[1, 2, 0], [0, 2, 0]]),
    "a diagonal and its mirror": (
        lambda l: Y[l, l + 1] + Y[l, n - 1 - l],
        lambda v: v[np.arange(3), [1, 2, 3]] + v[np.arange(3), [3, 2, 1]],
    ),
    "past the end": (lambda l: Y[2, l + n - 2], lambda v: v[2, [2, 3, 0]]),
}


@pytest.mark.parametrize("case", SHIFTED)
@pytest.mark.parametrize("always", [False, True])
def test_gradients_of_what_is_read_along_diagonals_stay_in_range(case, always, monkeypatch):
    """They go through the definitions as written, where no exponential overflows."""
    if always:
        program = importlib.import_module("symattn.compile.program")
        monkeypatch.setattr(program, "_cheaper", lambda one, other: True)
    read, at = SHIFTED[case]
    weight = sp.exp(read(l)) / sa.total(sp.exp(read(o)), o)
    D = sa.define("D", (l,), sp.exp(2 * weight) / (sp.exp(2 * weight) + sp.exp(c)))
    F = sa.define("F", (l,), sp.log(sp.exp(D[l]) + 1))
    f = compile(backward(sa.System(D, F), output="F", wrt="Y"), target="numpy")
    rng = np.random.default_rng(1)
    v, up = rng.normal(size=(3, 4)), rng.normal(size=3)

    def right(v):
        e = np.exp(at(v) - at(v).max())
        return np.log(1 + np.exp(1 / (1 + np.exp(2 - 2 * e / e.sum()))))

    bar = slopes(right, v, up)
    for far in (0, 1000):
        np.testing.assert_allclose(f(Y=v + far, c=2.0, F_bar=up)["Y"], bar, atol=1e-8)


def test_gradients_of_results_that_are_the_same_along_an_axis_stay_in_range():
    D = sa.define("D", (i, l), sp.log(1 + sa.total(up_to * sp.exp(x[k]), k)))
    f = compile(backward(sa.System(L, sa.define("y", (i, l), softplus(L[i]))), output="y", wrt="x"))
    v, up = np.array([800.0, 801.0, 802.5]), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, -1.0]])
    parts = np.exp(v - 800) * np.tri(3)
    want = up.sum(1) @ (parts / parts.sum(1, keepdims=True))
    np.testing.assert_allclose(f(x=v, y_bar=up)["x"], want, rtol=1e-9)
    g = compile(backward(sa.System(D), output="D", wrt="x"))
    np.testing.assert_allclose(g(x=v, D_bar=up)["x"], want, rtol=1e-9)


def test_running_sums_of_weights_that_are_all_the_same():
    D = sa.define("D", (k,), sp.log(sa.total(sp.exp(X[p, 0]), p)))
    F = sa.define("F", (i,), sa.total(up_to * sp.exp(D[k]) / sa.total(sp.exp(D[j]), j), k))
    f = compile(sa.System(D, F), output="F", target="numpy")
    np.testing.assert_allclose(f(X=np.full((4, 2), 300.0)), np.arange(1, 5) / 4, rtol=1e-12)


def test_a_share_within_a_softmax_is_planned():
    grown = sa.total(sp.exp(x[k]), k) ** 2

    def share(l):
        return sp.exp(grown / (sp.exp(X[n - 1, l]) + grown))

    D = sa.define("D", (l,), share(l) / sa.total(share(o), o))
    v, u = np.array([0.5, -1.0]), np.array([[0.0, 0.0, 0.0], [1.0, 2.0, -1.0]])
    square = np.exp(v).sum() ** 2
    e = np.exp(square / (np.exp(u[1]) + square))
    np.testing.assert_allclose(compile(D, target="numpy")(x=v, X=u), e / e.sum(), rtol=1e-12)


def test_sums_whose_orders_have_the_same_content():
    U = sa.tensor("U", n, n)
    D = sa.define("D", (k, q), sp.exp(x[q]) * sa.iverson(q - k < 2) * U[2 * k, k - q]
                  / (sa.total(sp.exp(x[i]) * sa.iverson(i - k < 2), i) + 1))  # fmt: skip
    f = compile(backward(sa.System(D), output="D", wrt=("x", "U")), target="numpy")
    rng = np.random.default_rng(0)
    v, table, up = rng.normal(size=3), rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
    want = np.zeros((3, 3))
    for a in range(3):
        e = np.exp(v) * (np.arange(3) - a < 2)
        for b in range(3):
            want[2 * a % 3, (a - b) % 3] += up[a, b] * e[b] / (e.sum() + 1)
    np.testing.assert_allclose(f(x=v, U=table, D_bar=up)["U"], want, rtol=1e-12)


@pytest.mark.parametrize("at", [0, n - 1])
@pytest.mark.parametrize("length", [1, 2, 4])
def test_gradients_of_a_component_by_its_number(at, length):
    """Σ_k δ_{k0} f_k is f_0."""
    D = sa.define("D", (i,), sp.cos(x[0]) * X[i - 1, 0] / (z[-i] ** 2 + 2))
    F = sa.define("F", (), sp.exp(2 * D[at]) / (sp.exp(D[0]) + sp.exp(2 * D[at])))
    f = compile(backward(sa.System(D, F), output="F", wrt=("x", "X", "z")), target="numpy")
    rng = np.random.default_rng(length)
    v, u = rng.normal(size=length), rng.uniform(0.5, 2, length)
    w = rng.normal(size=(length, 1))

    def right(v, u):
        d = np.cos(v[0]) * before(w[:, 0]) / (u[-np.arange(length) % length] ** 2 + 2)
        return np.asarray(1 / (1 + np.exp(d[0] - 2 * d[at if at == 0 else -1])))

    got = f(x=v, X=w, z=u, F_bar=1.0)
    by_x, by_z = slopes(lambda a: right(a, u), v, 1), slopes(lambda a: right(v, a), u, 1)
    np.testing.assert_allclose(got["x"], by_x, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(got["z"], by_z, rtol=1e-6, atol=1e-9)


def test_what_is_read_at_the_next_row_is_read_before_it_is_summed():
    """Σ_a x_ia y_{(i+1)a} has no pairs; a table Σ_a x_ia y_ra of distances i − j has them."""
    n, d = sa.sizes("n d")
    (i, j), (a,) = sa.indices("i j", n), sa.indices("a", d)
    X, Y, R = sa.tensor("X", n, d), sa.tensor("Y", n, d), sa.tensor("R", 2 * n - 1, d)
    f = compile(sa.define("s", (i,), sa.total(X[i, a] * Y[i + 1, a], a)))
    assert f.cost.largest.subs({n: 100, d: 3}) <= 300
    g = compile(sa.define("S", (i, j), sa.total(X[i, a] * R[i - j + n - 1, a], a)))
    assert g.cost.largest.subs({n: 100, d: 3}) < 3 * 100**2
    rng = np.random.default_rng(0)
    x, y, r = (rng.normal(size=(k, 3)) for k in (5, 5, 9))
    at = np.arange(5)
    np.testing.assert_allclose(f(X=x, Y=y), (x * np.roll(y, -1, 0)).sum(1), rtol=1e-6)
    pairs = r[at[:, None] - at + 4]
    np.testing.assert_allclose(g(X=x, R=r), (x[:, None] * pairs).sum(-1), rtol=1e-5, atol=1e-6)
