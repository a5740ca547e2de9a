"""Sums under a mask of order are prefix sums."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.compile.choice import vanishing
from symattn.compile.nodes import FIXED, Nodes

N, M, A = sa.sizes("n m d")
(i, j, k), (b,), (a, c) = sa.indices("i j k", N), sa.indices("b", M), sa.indices("a c", A)
s, w, S = sa.tensor("s", N), sa.tensor("w", N), sa.tensor("S", M, N)
Q, K = sa.tensor("Q", N, A), sa.tensor("K", N, A)


def log_sums(mask, score, place=j):
    return sp.log(sa.total(sa.iverson(mask) * sp.exp(score), place))


def small(f):
    """No array has a place for every pair."""
    return f.cost.largest.subs({N: 100, M: 2, A: 3}) <= 300


def drawn(*shapes, seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    return [scale * rng.normal(size=shape) for shape in shapes]


def lse(x, backwards=False, strict=False):
    """log Σ of the terms up to every place, with a matrix of all pairs."""
    n = x.shape[-1]
    seen = jnp.tril(jnp.ones((n, n), bool), -strict)
    seen = seen.T if backwards else seen
    return jax.nn.logsumexp(jnp.where(seen, x[..., None, :], -jnp.inf), -1)


PLAIN = {
    "up to": (sa.total(sa.iverson(j <= i) * w[j], j), lambda w, s, K: jnp.cumsum(w)),
    "before": (sa.total(sa.iverson(j < i) * w[j], j), lambda w, s, K: jnp.cumsum(w) - w),
    "from": (
        sa.total(sa.iverson(j >= i) * w[j] * s[j], j),
        lambda w, s, K: jnp.cumsum((w * s)[::-1])[::-1],
    ),
    "behind": (
        sa.total(sa.iverson(j > i) * w[j] ** 2, j),
        lambda w, s, K: jnp.cumsum(w[::-1] ** 2)[::-1] - w**2,
    ),
    "means": (
        sa.total(sa.iverson(j <= i) * w[j], j) / sa.total(sa.iverson(j <= i), j),
        lambda w, s, K: jnp.cumsum(w) / jnp.arange(1, len(w) + 1),
    ),
    "counted": (
        w[i] * sa.total(sa.iverson(j >= i), j) + s[i] * sa.total(sa.iverson(j > i), j),
        lambda w, s, K: w * jnp.arange(len(w), 0, -1) + s * jnp.arange(len(w) - 1, -1, -1),
    ),
    "exponentials": (
        sa.total(sa.iverson(j <= i) * sp.exp(s[j]), j),
        lambda w, s, K: jnp.cumsum(jnp.exp(s)),
    ),
    "with a factor outside": (
        s[i] * sa.total(sa.iverson(j <= i) * w[j], j),
        lambda w, s, K: s * jnp.cumsum(w),
    ),
    "of sums": (
        sa.total(sa.iverson(j <= i) * K[j, a] * w[j], j, a),
        lambda w, s, K: jnp.cumsum(K.sum(1) * w),
    ),
    "in a chain": (
        sa.total(sa.iverson(j <= i) * w[j] * sa.total(sa.iverson(k < j) * s[k], k), j),
        lambda w, s, K: jnp.cumsum(w * (jnp.cumsum(s) - s)),
    ),
    "contracted": (
        sa.total(sa.iverson(j <= i) * K[j, a] * w[j] * K[i, a], j, a),
        lambda w, s, K: (jnp.cumsum(K * w[:, None], 0) * K).sum(1),
    ),
}


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_prefix_sums(name, target):
    formula, reference = PLAIN[name]
    f = sa.compile(sa.define("P", (i,), formula), target=target)
    assert ("cumsum(" in f.source or name == "counted") and small(f)
    for n in (1, 6):
        x = dict(zip(("w", "s", "K"), drawn(n, n, (n, 4)), strict=True))
        given = {name: x[name] for name in f.inputs}
        with jax.enable_x64(True):
            np.testing.assert_allclose(f(**given), reference(**x), rtol=1e-12, atol=1e-12)


LOGS = {
    "up to": (j <= i, {}),
    "from": (j >= i, {"backwards": True}),
    "behind": (j > i, {"backwards": True, "strict": True}),
}


@pytest.mark.parametrize("name", LOGS)
def test_all_derivatives_of_log_sums(name):
    mask, how = LOGS[name]
    one = 1 if how.get("strict") else 0  # beside sums of which one is empty
    total = sa.total(sa.iverson(mask) * sp.exp(S[b, j]), j)
    L = sa.define("L", (b, i), sp.log(one + total))
    system = sa.System(L, sa.define("F", (), sa.total(S[b, i] * w[i] * L[b, i] ** 2, b, i)))
    backward = sa.backward(system, output="F", wrt=("S", "w"))
    second = sa.hvp(system, of="F", wrt="S")
    compiled = [sa.compile(system, output="F"), sa.compile(backward), sa.compile(second)]
    for f in compiled:
        assert "cumsum(" in f.source or "faded(" in f.source
        assert small(f)
    with jax.enable_x64(True):
        # from 4096 entries on sums are relative to one place, where they can be
        for n in (1, 7, 1400) if name == "from" else (1, 7):
            beside_autodiff(compiled, *drawn((3, n), n, (3, n)), how, one)


def beside_autodiff(compiled, X, u, dX, how, one):
    n, (value, gradients, products) = len(u), compiled

    def reference(X, u):
        values = lse(X, **how)
        if one:
            values = jnp.log(1 + jnp.exp(X) @ jnp.tril(jnp.ones((n, n)), -1))
        return (X * u * values**2).sum()

    np.testing.assert_allclose(value(S=X, w=u), reference(X, u), rtol=1e-12)
    expected = jax.grad(reference, (0, 1))(X, u)
    for found in (
        gradients(S=X, w=u, F_bar=np.ones(())),
        dict(zip("Sw", jax.grad(lambda X, u: value(S=X, w=u), (0, 1))(X, u), strict=True)),
    ):
        np.testing.assert_allclose(found["S"], expected[0], rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(found["w"], expected[1], rtol=1e-11, atol=1e-12)
    _, expected = jax.jvp(lambda X: jax.grad(reference)(X, u), (X,), (dX,))
    found = products(S=X, w=u, S_dot=dX)
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)


def rankings():
    system = sa.System(sa.define("L", (), sa.total(log_sums(j >= i, s[j]) - s[i], i)))
    return sa.compile(system, output="L"), sa.compile(sa.backward(system, output="L", wrt=("s",)))


@pytest.mark.parametrize("scale", [1.0, 1e2, 1e4])
def test_scores_of_any_size(scale):
    value, gradient = rankings()
    (x,) = drawn(50, scale=scale)
    x = x.astype(np.float32) + np.float32(scale)
    at = x.astype(np.float64)
    with jax.enable_x64(True):
        wanted = jax.grad(lambda x: (lse(x, True) - x).sum())(at)
        total = (lse(at, True) - at).sum()
    np.testing.assert_allclose(value(s=x), total, rtol=1e-5)
    found = gradient(s=x, L_bar=np.float32(1))["s"]
    np.testing.assert_allclose(found, wanted, atol=1e-4)
    assert value(s=x[:0]) == 0 and gradient(s=x[:0], L_bar=np.float32(1))["s"].shape == (0,)


def test_rising_and_falling_scores():
    """Nothing overflows, and the terms near a place are not rounded away beside far larger ones."""
    _, gradient = rankings()
    for x in (np.linspace(-1e4, 1e4, 41), np.linspace(1e4, -1e4, 41)):
        with jax.enable_x64(True):
            wanted = jax.grad(lambda x: (lse(x, True) - x).sum())(x)
        found = gradient(s=x.astype(np.float32), L_bar=np.float32(1))["s"]
        np.testing.assert_allclose(found, wanted, atol=1e-4)


def test_nothing_seen_and_scores_of_minus_infinity():
    L = sa.define("L", (i,), log_sums(j <= i, s[j]))
    f = sa.compile(L)
    g = sa.compile(sa.backward(sa.System(L), output="L", wrt=("s",)))
    x = np.array([-np.inf, -np.inf, 0.5, -np.inf, 2.0])
    with jax.enable_x64(True):
        np.testing.assert_allclose(f(s=x)[2:], np.logaddexp.accumulate(x)[2:], rtol=1e-12)
        up = np.array([0, 0, 1.0, 2.0, 3.0])
        bars = g(s=x, L_bar=up)["s"]
    share = np.exp(0.5 - np.logaddexp(0.5, 2.0))
    np.testing.assert_allclose(bars, [0, 0, 3 + 3 * share, 0, 3 * (1 - share)], rtol=1e-12)
    strict = sa.define("L", (i,), sa.total(sa.iverson(j < i) * sp.exp(s[j]), j) ** -1)
    with jax.enable_x64(True):
        found = sa.compile(strict)(s=np.array([1.0, 2.0]))
    np.testing.assert_allclose(found[1], np.exp(-1.0), rtol=1e-12)


@pytest.mark.parametrize(
    "formula",
    [
        sa.total(sa.iverson(j <= i) * sa.iverson(j >= i - 2) * w[j], j),  # would be a difference
        sa.total(sa.iverson(j <= i) * Q[i, a] * K[j, a] * K[j, c] * s[k] * K[k, c], j, a, c, k),
        sa.total(sa.iverson(j <= i) * sp.exp(s[i] * w[j]), j),
        sa.total(sa.iverson(j <= i + 1) * w[j], j),
        sa.total(sa.iverson(2 * j <= i) * w[j], j),
    ],
)
def test_other_sums_stay_as_they_are(formula):
    f = sa.compile(sa.define("P", (i,), formula))
    x = dict(zip(("w", "s", "Q", "K"), drawn(5, 5, (5, 3), (5, 3)), strict=True))
    given = {name: x[name] for name in f.inputs}
    with jax.enable_x64(True):
        found = f(**given)
    wanted = sa.compile(sa.define("P", (i,), formula), target="numpy")(**given)
    at = np.arange(5)
    first = {
        0: (at[:, None] >= at) & (at >= at[:, None] - 2),
        3: at <= at[:, None] + 1,
        4: 2 * at <= at[:, None],
    }
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    for mask in first.values():
        if np.allclose(found, mask @ x["w"]):
            break
    else:
        assert "Q" in given or "s" in given


def test_half_precision_is_summed_in_float32():
    f = sa.compile(sa.define("P", (i,), sa.total(sa.iverson(j <= i) * w[j], j)))
    found = f(w=jnp.ones(1000, jnp.bfloat16))
    assert found.dtype == jnp.bfloat16 and float(found[-1]) == 1000


def test_the_logarithm_of_a_sum_that_may_be_rounded_to_0_counts_against_a_plan():
    (n,) = sa.sizes("n")
    nodes = Nodes()

    def vector(op, args, data):
        return nodes.make(op, args, data, (n,), 1)

    def log_of_sum(exponent):
        raised = vector("call", (exponent,), (((0,),), "exp"))
        summed = vector("cumsum", (raised,), (((0,),), (0, False, "")))
        return vector("call", (summed,), (((0,),), "log"))

    x = vector("input", (), sp.Symbol("x"))
    largest = vector("cummax", (x,), (((0,),), (0, False, "")))
    low = nodes.make("literal", (), sp.Integer(-10), (), 0)
    bounded = vector("maximum", (largest, low), (((0,), ()), FIXED))
    below = vector("add", (x, bounded), (((0,), (0,)), (sp.S.One, -sp.S.One)))
    assert [vanishing([log_of_sum(e)]) for e in (x, below)] == [1, 0]


def test_a_softplus_is_summed_as_it_is():
    """Σ_j [j ≤ i] log σ(s_j), whose two parts a derivation has apart, makes no array of pairs; so a
    score with such gates goes in blocks."""
    gate = sa.total(sa.iverson(j <= i) * sp.log(1 + sp.exp(-s[j])), j)
    f = sa.compile(sa.define("C", (i,), gate))
    assert small(f) and "cumsum(" in f.source
    (at,) = drawn((9,), scale=50.0)
    with jax.enable_x64(True):
        np.testing.assert_allclose(f(s=at), np.cumsum(np.logaddexp(0, -at)), rtol=1e-12)
    C = sa.define("C", (i,), -gate)
    E = sa.define("S", (i, j), Q[i, a] * K[j, a] + C[i] - C[j])
    weight = sa.iverson(j <= i) * sp.exp(E[i, j])
    A = sa.define("A", (i, j), weight / sa.total(sa.iverson(k <= i) * sp.exp(E[i, k]), k))
    O = sa.define("O", (i, c), A[i, j] * K[j, c])
    gradients = sa.backward(sa.System(C, E, A, O), output="O", wrt=("Q", "K", "s"))
    assert "def rows(" in sa.compile(gradients, path="flash").source


def test_sums_between_two_places_are_cumulative():
    """Σ_k [j < k] [k < i] f_ik, of weights that break a stick: no array has three places."""
    T = sa.tensor("T", N, N)
    between = sa.iverson(j < k) * sa.iverson(k < i) * sp.tanh(T[i, k])
    W = sa.define("W", (i, j), sa.iverson(j < i) * sp.exp(-sa.total(between, k)))
    f = sa.compile(sa.backward(sa.System(W), output="W", wrt=("T",)))
    assert f.cost.largest.subs({N: 100}) <= 100**2
    t, up = drawn((6, 6), (6, 6))

    def plain(t):
        at = jnp.arange(6)
        seen = (at[:, None] < at) & (at < at[:, None, None])  # i, j, k
        below = at[:, None] > at
        return jnp.where(below, jnp.exp(-(seen * jnp.tanh(t)[:, None]).sum(-1)), 0)

    with jax.enable_x64(True):
        (wanted,) = jax.vjp(plain, jnp.asarray(t))[1](jnp.asarray(up))
        np.testing.assert_allclose(f(T=t, W_bar=up)["T"], wanted, rtol=1e-11, atol=1e-13)
