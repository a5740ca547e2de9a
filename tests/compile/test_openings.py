"""Weights of pairs that fall apart under an order are no arrays of pairs where they are summed."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn as sa

B, N, D = sa.sizes("B n d")
(b,), (i, j, k), (c,) = sa.indices("b", B), sa.indices("i j k", N), sa.indices("c", D)
S, R, V = sa.tensor("S", B, N), sa.tensor("R", B, N), sa.tensor("V", B, N, D)
T = sa.tensor("T", B, N, N)


def weights(seen=lambda j: j <= i, score=lambda j: S[b, j]):
    total = sa.total(sa.iverson(seen(k)) * sp.exp(score(k)), k)
    return sa.define("A", (b, i, j), sa.iverson(seen(j)) * sp.exp(score(j)) / total)


def attention(A, values=True):
    if values:
        return sa.System(A, sa.define("O", (b, i, c), sa.total(A[b, i, j] * V[b, j, c], j)))
    return sa.System(A, sa.define("O", (b, i), sa.total(A[b, i, j] * R[b, j], j)))


def of_pairs(f):
    """Some array has an entry for every pair."""
    return f.cost.largest.subs({N: 1000, B: 2, D: 3}) >= 1000**2


def textbook(S, V, seen):
    A = jax.nn.softmax(jnp.where(seen, S[:, None, :], -jnp.inf), -1)
    return jnp.einsum("bij,bjc->bic", A, V)


def drawn(*shapes, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) for shape in shapes]


MASKS = {"up to": (lambda x: x <= i, np.tril), "from": (lambda x: x >= i, np.triu)}


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("n", [1, 7, 700])
def test_attention_without_keys(mask, n):
    seen, part = MASKS[mask]
    system = attention(weights(seen))
    g = sa.backward(system, output="O", wrt=("S", "V"))
    f = sa.compile({"O": system["O"], "bars": g}, given=system)
    dot = sa.compile(sa.jvp(system, output="O", wrt=("S", "V"))["O"])
    assert not of_pairs(f) and not of_pairs(dot)
    assert "open      weights of pairs are opened where they are summed" in f.passes
    x, v, up, dx, dv = drawn((2, n), (2, n, 3), (2, n, 3), (2, n), (2, n, 3))
    with jax.enable_x64(True):
        plain = lambda S, V: textbook(S, V, part(np.ones((n, n), bool)))  # noqa: E731
        value, back = jax.vjp(plain, x, v)
        bars = back(jnp.asarray(up))
        found = f(S=x, V=v, O_bar=up)
        moved = dot(S=x, V=v, S_dot=dx, V_dot=dv)
        np.testing.assert_allclose(moved, jax.jvp(plain, (x, v), (dx, dv))[1], atol=1e-12)
    np.testing.assert_allclose(found["O"], value, atol=1e-13)
    np.testing.assert_allclose(found["bars"]["S"], bars[0], atol=1e-12)
    np.testing.assert_allclose(found["bars"]["V"], bars[1], atol=1e-13)


def test_in_steps_and_products_with_the_hessian():
    """E is opened in Z and A, A in O, and the gradients of all in those of S."""
    E = sa.define("E", (b, i, j), sa.iverson(j <= i) * sp.exp(S[b, j]))
    Z = sa.define("Z", (b, i), sa.total(E[b, i, k], k))
    A = sa.define("A", (b, i, j), E[b, i, j] / Z[b, i])
    O = sa.define("O", (b, i), sa.total(A[b, i, j] * R[b, j], j))
    F = sa.define("F", (), sa.total(O[b, i] ** 2, b, i))
    system = sa.System(E, Z, A, O, F)
    h = sa.compile(sa.hvp(system, of="F", wrt="S"))
    assert not of_pairs(h)
    x, r, dx = drawn((2, 9), (2, 9), (2, 9))

    def plain(x):
        return (textbook(x, r[..., None], np.tri(9, dtype=bool)) ** 2).sum()

    with jax.enable_x64(True):
        wanted = jax.jvp(jax.grad(plain), (x,), (dx,))[1]
        np.testing.assert_allclose(h(S=x, R=r, S_dot=dx), wanted, atol=1e-12)


@pytest.mark.parametrize("scale", [1e2, 1e4])
def test_scores_of_any_size(scale):
    x, v = drawn((2, 700), (2, 700, 3))
    x = np.float32(scale * x)
    found = sa.compile(attention(weights()), output="O")(S=x, V=np.float32(v))
    with jax.enable_x64(True):
        wanted = textbook(np.float64(x), v, np.tri(700, dtype=bool))
    np.testing.assert_allclose(found, wanted, atol=2e-6)


def test_what_does_not_fall_apart_stays():
    """Scores of pairs, arrays beside the weights and weights that are asked for."""
    scores = attention(weights(score=lambda j: S[b, j] * R[b, i]))
    assert of_pairs(sa.compile(scores, output="O"))
    A = weights()
    beside = sa.define("O", (b, i), sa.total(A[b, i, j] * T[b, i, j], j))
    assert of_pairs(sa.compile(sa.System(A, beside), output="O"))
    x, t = drawn((2, 6), (2, 6, 6))
    with jax.enable_x64(True):
        found = sa.compile(sa.System(A, beside), output="O")(S=x, T=t)
        P = jax.nn.softmax(jnp.where(np.tri(6, dtype=bool), x[:, None, :], -jnp.inf), -1)
        np.testing.assert_allclose(found, (P * t).sum(-1), atol=1e-13)
    whole = sa.compile({"A": A, "O": attention(A)["O"]}, given=attention(A))
    v = drawn((2, 6, 3))[0]
    with jax.enable_x64(True):
        found = whole(S=x, V=v)
    np.testing.assert_allclose(found["A"], P, atol=1e-13)
    np.testing.assert_allclose(found["O"], np.einsum("bij,bjc->bic", P, v), atol=1e-13)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("axes", ["last", "first"])
def test_nan_stays_behind_its_place(bad, axes):
    """Sums in blocks are products of matrices, in which 0 · ∞ would be no number."""
    last = sa.define("P", (b, i), sa.total(sa.iverson(j <= i) * R[b, j], j))
    first = sa.define("P", (b, i, c), sa.total(sa.iverson(j <= i) * V[b, j, c], j))
    f = sa.compile(last if axes == "last" else first)
    x = drawn((2, 100) if axes == "last" else (2, 100, 3))[0]
    x[0, 50] = bad
    found = f(**{name: x for name in f.inputs})
    before, other = np.cumsum(x[0, :50], 0), np.cumsum(x[1], 0)
    np.testing.assert_allclose(found[0, :50], before, atol=1e-4)
    np.testing.assert_allclose(found[1], other, atol=1e-4)
    assert not np.isfinite(found[0, 50:]).any()


@pytest.mark.parametrize("n", [63, 64, 65, 96, 1000])
def test_lengths_that_are_no_multiple_of_a_block(n):
    forward = sa.compile(sa.define("P", (b, i), sa.total(sa.iverson(j <= i) * R[b, j], j)))
    backward = sa.compile(sa.define("P", (b, i), sa.total(sa.iverson(j > i) * R[b, j], j)))
    (r,) = drawn((2, n))
    with jax.enable_x64(True):
        np.testing.assert_allclose(forward(R=r), np.cumsum(r, 1), atol=1e-12)
        np.testing.assert_allclose(backward(R=r), r.sum(1)[:, None] - np.cumsum(r, 1), atol=1e-12)


@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_the_last_column_of_an_order_is_no_column_before_the_first(target):
    """[k ≤ i] at k = −1, the last k, is [n − 1 ≤ i]: 1 in the last row alone."""
    m, n = sa.sizes("m n")
    (b,), (i, k) = sa.indices("b", m), sa.indices("i k", n)
    u = sa.tensor("u", m)
    weight = sa.define("W", (i, k), sa.iverson(k <= i) * sa.total(u[b], b))
    system = sa.System(weight, sa.define("r", (i,), weight[i, -1]))
    function = sa.compile(system, output="r", target=target)
    np.testing.assert_allclose(function(u=np.array([1.5, -0.25]), n=3), [0, 0, 1.25], rtol=1e-6)
