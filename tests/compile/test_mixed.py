"""Losses of many different terms: what decides about one array looks at its own terms."""

import importlib

import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.compile.arrays import Arrays
from symattn.compile.means import unmoved
from symattn.model import evaluated
from symattn.normalize import normalize

choice = importlib.import_module("symattn.compile.choice")
function = importlib.import_module("symattn.compile.function")
n, m, d = sa.sizes("n m d")
i, j = sa.indices("i j", n)
p, q = sa.indices("p q", m)
a, b = sa.indices("a b", d)
X, Y = sa.tensor("X", n, d), sa.tensor("Y", m, d)
u, v = sa.tensor("u", n), sa.tensor("v", m)


def term(k):
    """A term of its own kind with arrays of its own."""
    T, U = sa.tensor(f"T_{k}", n, d), sa.tensor(f"U_{k}", n)
    z = sa.total(X[i, a] * T[i, a], a)
    score, other = sa.total(T[i, a] * Y[p, a], a), sa.total(T[i, b] * Y[q, b], b)
    return [
        lambda: sa.total((X[i, a] - T[i, a]) ** 2, i, a),
        lambda: sa.total(sp.log(1 + z**2), i),
        lambda: sa.total(sp.exp(-z / 3) * U[i], i),
        lambda: sa.total(sp.exp(score) / sa.total(sp.exp(other), q) * v[p], i, p),
        lambda: sa.total(z, i) * sa.total(u[j] * U[j], j),
    ][k % 5]()


def test_gradients_of_a_mixed_loss():
    """Every term is as if it stood alone."""
    count, rng = 10, np.random.default_rng(3)
    terms = [sa.System(sa.define("L", (), term(k))) for k in range(count)]
    whole = sa.System(sa.define("L", (), sum(term(k) for k in range(count))))
    lengths = {n: 5, m: 4, d: 3}
    shapes = {t.name: t.shape for t in evaluated(whole).inputs.values()}
    arrays = {x: rng.normal(size=[lengths[s] for s in shape]) for x, shape in shapes.items()}
    up = rng.normal()

    def gradients(system):
        own = evaluated(system).inputs
        f = sa.compile(sa.backward(system, output="L", wrt=tuple(own)), target="numpy")
        return f(**{x: arrays[x] for x in f.inputs if x in arrays}, L_bar=up)

    want = {x: np.zeros_like(arrays[x]) for x in arrays}
    for system in terms:
        for x, found in gradients(system).items():
            want[x] += found
    got = gradients(whole)
    assert got.keys() == want.keys()
    for x in want:
        np.testing.assert_allclose(got[x], want[x], rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(
    ("body", "stays"),
    [
        (sa.total((X[i, a] - Y[p, a]) ** 2, i, p, a), True),
        (sa.total((X[i, a] - Y[p, a]) ** 2 * u[i], i, p, a) + sa.total(u[i] ** 2, i), True),
        (sa.total((X[i, a] - Y[p, a]) ** 2, i, p, a) + sa.total(X[i, a] * u[i], i, a), False),
        (sa.total(X[i, a] - Y[p, a], i, p, a) + m * sa.total(u[i] * X[i, a], i, a), False),
    ],
)
def test_what_an_offset_leaves(body, stays):
    (normal,) = [
        normalize(x.raw) for x in evaluated(sa.System(sa.define("F", (), body))).bodies.values()
    ]
    tensors = {t.name: t for t in evaluated(sa.System(sa.define("F", (), body))).inputs.values()}
    assert unmoved(normal, {tensors["X"]: (1,), tensors["Y"]: (1,)}, [d]) == stays


def residual(layers):
    """Definitions that add e^{−x²} times one before to another one: nothing in them cancels."""
    before, X0 = [X, X], X
    for k in range(layers):
        one, other = before[-1], before[-2]
        body = sp.exp(-(one[i, a] ** 2)) * other[i, a] + one[i, a] + X0[i, a] / (k + 2)
        before.append(sa.define(f"D_{k}", (i, a), body))
    return sa.System(*before[2:], sa.define("L", (), sa.total(before[-1][i, a] ** 2, i, a)))


def test_exponentials_in_a_chain_are_not_multiplied_out():
    """Opened into one another, forty of them have more terms than there are bytes."""
    system, rng = residual(40), np.random.default_rng(5)
    f = sa.compile(sa.backward(system, output="L", wrt=("X",)), target="numpy")
    x, step = rng.normal(size=(4, 3)), rng.normal(size=(4, 3))
    value = sa.compile(system, output="L", target="numpy")
    assert len(f.source) < 200_000
    slope = (value(X=x + 1e-6 * step) - value(X=x - 1e-6 * step)) / 2e-6
    np.testing.assert_allclose((f(X=x, L_bar=1.0)["X"] * step).sum(), slope, rtol=1e-6)


def test_a_chain_that_saturates_has_more_paths_than_nodes(monkeypatch):
    """Twice as many definitions are not gone through a hundred times as often."""
    own, seen = Arrays._bounded, list[int]()

    def counted(self, *args):
        seen[-1] += 1
        return own(self, *args)

    monkeypatch.setattr(Arrays, "_bounded", counted)
    for count in (11, 22):
        seen.append(0)
        sa.compile(sa.backward(residual(count), output="L", wrt=("X",)), target="numpy")
    assert 0 < seen[1] < 6 * seen[0]


def energy(singular):
    """A function of the distances of pairs: bounded, or with a power that grows where they meet."""
    far = sa.total((X[i, a] - Y[p, a]) ** 2, a)
    D = sa.define("D", (i, p), far + sp.Rational(1, 100) if singular else far)
    K = 1 / sp.sqrt(D[i, p]) if singular else sp.exp(-D[i, p] / 2)
    r = sa.define("r", (i,), sa.total(K * v[p], p) - u[i])
    return sa.System(D, r, sa.define("L", (), sa.total(r[i] ** 3, i)))


@pytest.mark.parametrize("singular", [False, True])
def test_gradients_through_differences_of_pairs(singular, monkeypatch):
    """Products of matrices around a mean; where weights divide by the distance it stays."""
    monkeypatch.setattr(choice, "PREFER", float("inf"))
    monkeypatch.setattr(choice, "CENTRED", float("inf"))
    monkeypatch.setattr(function, "_cache", {})
    system = energy(singular)
    f = sa.compile(sa.backward(system, output="L", wrt=("X", "Y")))
    value = sa.compile(system, output="L", target="numpy")
    rng = np.random.default_rng(2)
    x = {"X": rng.normal(size=(5, 3)), "Y": rng.normal(size=(4, 3))}
    x |= {"u": rng.normal(size=5), "v": rng.normal(size=4)}
    got = f(**{k: w.astype("float32") for k, w in x.items() if k in f.inputs}, L_bar=1.0)
    for name in ("X", "Y"):
        for place in np.ndindex(*x[name].shape):
            step = np.zeros_like(x[name])
            step[place] = 1e-6
            ends = [value(**{**x, name: x[name] + s * step}) for s in (1, -1)]
            slope = (ends[0] - ends[1]) / 2e-6
            np.testing.assert_allclose(got[name][place], slope, rtol=2e-3, atol=2e-3)


def test_a_weight_of_a_pair_may_lack_its_letters():
    """Σ_j w_i (s_j − s_i) has n w_i s_i in it: the weight is summed as often as there are j."""
    B = sa.tensor("B", n, n)
    k = sa.indices("k", n)[0]
    columns = sa.define("D", (i,), sa.total((sa.total(B[k, j], k) - sa.total(B[k, i], k)) ** 2, j))
    f = sa.compile(sa.backward(sa.System(columns), output="D", wrt=("B",)), target="numpy")
    rng = np.random.default_rng(7)
    x, up = rng.normal(size=(4, 4)), rng.normal(size=4)
    s = x.sum(0)
    pairs = 2 * up[:, None] * (s[None, :] - s[:, None])  # of i and j
    wanted = np.broadcast_to(pairs.sum(0) - pairs.sum(1), (4, 4))
    np.testing.assert_allclose(f(B=x, D_bar=up)["B"], wanted, rtol=1e-12, atol=1e-12)
