"""Sums under a decay, Σ_j [j ≤ i] e^{u_j + v_i} x_j, are recurrences."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn as sa

from .conftest import seen

B, N = sa.sizes("B n")
(b,), (i, j) = sa.indices("b", B), sa.indices("i j", N)
x, t, u = sa.tensor("x", B, N), sa.tensor("t", N), sa.tensor("u", B, N)
c, X = sa.tensor("c"), sa.tensor("X", N, N)
ORDERS = {"≤": j <= i, "<": j < i, "≥": j >= i, ">": j > i}


def drawn(*shapes, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) for shape in shapes]


def of_pairs(f):
    return f.cost.largest.subs({N: 1000, B: 2}) >= 1000**2


EXPONENTS = {
    "differences of times": (t[j] - t[i], lambda t, u, c: (t - t[:, None])[None]),
    "other parts": (u[b, j] + t[i] - c, lambda t, u, c: u[:, None] + t[:, None] - c),
    "places": (c * (j - i), lambda t, u, c: (c * differences(len(t)))[None]),
}


def differences(n):
    return np.arange(n) - np.arange(n)[:, None]


@pytest.mark.parametrize(
    ("order", "name", "scale"),
    [
        ("≤", "differences of times", 1.0),
        ("≤", "differences of times", 30.0),
        (">", "differences of times", 30.0),
        ("<", "other parts", 1.0),
        ("≥", "other parts", 30.0),
        ("<", "places", 30.0),
    ],
)
def test_a_decay_and_its_derivatives(order, name, scale):
    """A spread above 40 takes the recurrence itself, a small one sums relative to one place."""
    exponent, textbook = EXPONENTS[name]
    Y = sa.define("Y", (b, i), sa.total(sa.iverson(ORDERS[order]) * sp.exp(exponent) * x[b, j], j))
    wrt = tuple(n for n in "xtuc" if n in sa.compile(Y).inputs)
    gradients = sa.backward(sa.System(Y), output="Y", wrt=wrt)
    f = sa.compile({"Y": Y, "bars": gradients}, given=sa.System(Y))
    dot = sa.compile(sa.jvp(sa.System(Y), output="Y", wrt=wrt)["Y"])
    assert "faded(" in f.source and not of_pairs(f) and not of_pairs(dot)
    n, falls = 70, (order in "≤<") == (name != "other parts")
    m = 2 if order == ">" else 60  # from 4096 entries on it is looked at how far rates spread
    y, times, u, c, up, dy, dt, du, dc = drawn((m, n), n, (m, n), (), (m, n), (m, n), n, (m, n), ())
    times = scale * np.sort(times)[:: 1 if falls else -1]
    given = {"x": y, "t": times, "u": u, "c": scale * abs(c)}
    dots = {"x": dy, "t": dt, "u": du, "c": dc}
    own, dots = ({w: part[w] for w in wrt} for part in (given, dots))

    def plain(**own):
        every, mask = given | own, seen(n, order)
        q = textbook(*(every[w] for w in "tuc"))
        pairs = jnp.where(mask, jnp.exp(jnp.where(mask, q, 0)), 0) * every["x"][:, None]
        return pairs.sum(-1)

    def near(found, wanted):
        wanted = np.asarray(wanted)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-10 * abs(wanted).max())

    with jax.enable_x64(True):
        wanted, back = jax.vjp(lambda own: plain(**own), own)
        (bars,) = back(jnp.asarray(up))
        found = f(**own, Y_bar=up)
        near(found["Y"], wanted)
        (again,) = jax.vjp(lambda own: f(**own, Y_bar=up)["Y"], own)[1](jnp.asarray(up))
        for w in wrt:
            near(found["bars"][w], bars[w])
            near(again[w], bars[w])
        moved = dot(**own, **{f"{w}_dot": d for w, d in dots.items()})
        near(moved, jax.jvp(lambda own: plain(**own), (own,), (dots,))[1])


def test_weights_that_grow():
    """e^{t_j − t_i} with a falling t is as large as it is, and no more."""
    weight = sa.iverson(j <= i) * sp.exp(t[j] - t[i])
    f = sa.compile(sa.define("Y", (i,), sa.total(weight * u[b, j] / B, j, b)))
    w = abs(drawn((1, 4200))[0])
    for falling in (np.linspace(20, 0, 4200), np.linspace(60, 0, 4200)):
        with jax.enable_x64(True):
            pairs = np.tril(np.exp(falling - falling[:, None]))
            np.testing.assert_allclose(f(t=falling, u=w), pairs @ w[0], rtol=1e-11)


def test_no_decay_at_all_has_a_derivative():
    """Where all rates are 0 the sum is a plain one; its derivative by the rates is not 0."""
    Y = sa.define("Y", (b, i), sa.total(sa.iverson(j <= i) * sp.exp(c * (j - i)) * x[b, j], j))
    f = sa.compile(Y)
    (y,) = drawn((800, 6))
    with jax.enable_x64(True):
        slope = jax.jacobian(lambda c: f(x=y, c=c))(0.0)
        at = np.arange(6)
        wanted = np.einsum("ij,bj->bi", np.tril(at - at[:, None]), y)
        np.testing.assert_allclose(slope, wanted, atol=1e-12)


def test_products_with_the_hessian_of_a_point_process():
    """log-likelihood of events that excite later ones."""
    rate = 1 + sa.total(sa.iverson(j < i) * sp.exp(t[j] - t[i]), j)
    system = sa.System(sa.define("L", (), sa.total(sp.log(rate), i)))
    h = sa.compile(sa.hvp(system, of="L", wrt="t"))
    at, dot = drawn(12, 12)
    at = np.cumsum(abs(at))

    def plain(t):
        pairs = jnp.exp(jnp.where(seen(12, "<"), t - t[:, None], -jnp.inf))
        return jnp.log(1 + pairs.sum(1)).sum()

    with jax.enable_x64(True):
        wanted = jax.jvp(jax.grad(plain), (at,), (dot,))[1]
        np.testing.assert_allclose(h(t=at, t_dot=dot), wanted, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("order", ["≤", ">"])
def test_numpy(order):
    weight = sa.iverson(ORDERS[order]) * sp.exp(t[j] - t[i])
    f = sa.compile(sa.define("Y", (b, i), sa.total(weight * x[b, j], j)), target="numpy")
    assert "faded(" in f.source
    y, times = drawn((2, 9), 9)
    pairs = np.where(seen(9, order), np.exp(times - times[:, None]), 0)
    np.testing.assert_allclose(f(x=y, t=times), np.einsum("ij,bj->bi", pairs, y), rtol=1e-12)


@pytest.mark.parametrize("exponent", [-((t[i] - t[j]) ** 2), X[i, j], t[i] * t[j]])
def test_exponents_that_do_not_fall_apart(exponent):
    weight = sa.iverson(j <= i) * sp.exp(exponent)
    f = sa.compile(sa.define("Y", (b, i), sa.total(weight * x[b, j], j)))
    assert "faded(" not in f.source


@pytest.mark.parametrize("order", ["<", ">", "≤"])
@pytest.mark.parametrize("target", ["numpy", "jax"])
def test_the_square_of_a_sum_of_which_nothing_is_left_at_one_end(target, order):
    """Σ_i (Σ_j [j < i] e^{(i−j) c})²: the largest exponent is none where nothing is summed."""
    inner = sa.total(sa.iverson(ORDERS[order]) * sp.exp((i - j) * c), j)
    f = sa.compile(sa.define("D", (), sa.total(inner**2, i)), target=target)
    for value in (0.7, -0.4):
        weights = np.exp(-value * differences(5)) * seen(5, order)
        got = f(c=np.float32(value), n=5)
        np.testing.assert_allclose(got, (weights.sum(1) ** 2).sum(), rtol=1e-5)
