"""Derivatives whose parts stay definitions: second order through many of them, several at once."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.primitives import sigmoid

n, m, d = sa.sizes("n m d")
(i,), (p, q), (a,) = sa.indices("i", n), sa.indices("p q", m), sa.indices("a", d)
X, W, U, c = sa.tensor("X", 6, d), sa.tensor("W", m, m), sa.tensor("U", m, d), sa.tensor("c", m)


def recurrence(steps: int) -> sa.System:
    """h ← tanh(U x + W h), and every second state once more in what comes after it."""
    states = [sa.define("h_0", (p,), sp.tanh(U[p, a] * X[0, a]))]
    for k in range(1, steps):
        inside = sa.total(U[p, a] * X[k % 6, a], a) + sa.total(W[p, q] * states[-1][q], q)
        if k % 2 and k > 1:
            inside += states[-2][p] ** 2 / 3
        states.append(sa.define(f"h_{k}", (p,), sp.tanh(inside)))
    return sa.System(*states, sa.define("L", (), sa.total(c[p] * states[-1][p] ** 2, p)))


def in_jax(X, W, U, c):
    states = [jnp.tanh(U @ X[0])]
    for k in range(1, 6):
        skip = states[-2] ** 2 / 3 if k % 2 and k > 1 else 0
        states.append(jnp.tanh(U @ X[k] + W @ states[-1] + skip))
    return (c * states[-1] ** 2).sum()


def draw(**shapes):
    rng = np.random.default_rng(0)
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


@pytest.mark.parametrize("wrt", ["W", "X"])
def test_a_recurrence_against_jax(wrt):
    product = sa.hvp(recurrence(6), of="L", wrt=wrt)
    shapes = {"X": (6, 3), "W": (4, 4), "U": (4, 3), "c": (4,)}
    given = draw(**shapes, **{f"{wrt}_dot": shapes[wrt]})
    f = sa.compile(product)
    with jax.enable_x64(True):
        at = {name: jnp.asarray(given[name]) for name in shapes}
        slope = jax.grad(lambda x: in_jax(**at | {wrt: x}))
        along = jax.jit(lambda x, dot: jax.jvp(slope, (x,), (dot,))[1])
        wanted = along(at[wrt], jnp.asarray(given[f"{wrt}_dot"]))
        got = f(**{name: given[name] for name in f.inputs})
    np.testing.assert_allclose(got, wanted, rtol=1e-11, atol=1e-13)


def test_its_stages_are_checked_and_grow_with_the_steps():
    products = [sa.hvp(recurrence(k), of="L", wrt="W") for k in (4, 8)]
    assert products[0].check_steps()
    assert all(part.check_steps() for part in products[0].given)
    short, long = (len(sa.compile(x).source.splitlines()) for x in products)
    assert long < 3 * short


def test_blocks_of_a_hessian_against_jax():
    """Through five definitions, in a weight that all rows share and in rows of their own."""
    widths, named = (3, 4, 2, 5, 4), sa.sizes("d_0 d_1 d_2 d_3 d_4")
    letters = [sa.indices(f"a_{k}", size)[0] for k, size in enumerate(named)]
    rows, found = sa.tensor("X", n, named[0]), []
    for k in range(4):
        weight = sa.tensor(f"W_{k}", named[k], named[k + 1])
        inside = sa.total(rows[i, letters[k]] * weight[letters[k], letters[k + 1]], letters[k])
        found.append(sa.define(f"H_{k}", (i, letters[k + 1]), sp.tanh(inside)))
        rows = found[-1]
    L = sa.define("L", (), sa.total(sp.sin(rows[i, letters[4]]) ** 2, i, letters[4]))
    blocks = sa.hessian(sa.System(*found, L), of="L", wrt=("W_1", "X"))
    assert blocks["X"]["W_1"].check_steps()
    given = draw(X=(6, 3), **{f"W_{k}": (widths[k], widths[k + 1]) for k in range(4)})

    def loss(moving):
        rows = moving["X"]
        for k in range(4):
            rows = jnp.tanh(rows @ (given | moving)[f"W_{k}"])
        return (jnp.sin(rows) ** 2).sum()

    with jax.enable_x64(True):
        wanted = jax.jit(jax.hessian(loss))({name: jnp.asarray(given[name]) for name in blocks})
        for x, row in sa.compile(blocks)(**given).items():
            for y, value in row.items():
                np.testing.assert_allclose(value, wanted[x][y], rtol=1e-10, atol=1e-13)
        (block,) = sa.compile(blocks["X"]["X"]).structured(**given).blocks
    assert block.equal == ((0, 2),)  # rows have nothing to do with each other


def test_a_delta_in_one_term_alone_stays_where_it_is():
    Z = sa.tensor("Z", n, n)
    j, k = sa.indices("j k", n)
    both = sa.define("B", (i, j), sa.delta(i, j) * Z[i, i] + Z[i, j])
    one = sa.define("D", (i, j), sa.delta(i, j) * Z[i, i])
    y = sa.define("y", (i, k), sa.total(both[i, j] * one[j, k], j) + one[i, k + 1])
    at = draw(Z=(5, 5))["Z"]
    d = np.diag(np.diag(at))
    got = sa.compile(sa.System(both, one, y), output="y")(Z=at)
    np.testing.assert_allclose(got, (d + at) @ d + np.roll(d, -1, 1), rtol=1e-6)


def test_a_wrong_stage_is_seen(monkeypatch):
    """The tangent of a gradient without that of what the gradient is made of."""
    from symattn.derive import staged

    whole = staged._change
    monkeypatch.setattr(
        staged, "_change", lambda m, ls, g, dot, moved, *rest: whole(m, ls, g, dot, {}, *rest)
    )
    product = sa.hvp(recurrence(4), of="L", wrt="W")
    assert not product.check_steps()


def test_tangents_along_different_inputs_are_different():
    x, w = sa.tensor("x", n, d), sa.tensor("w", d)
    z = sa.define("z", (i,), x[i, a] * w[a])
    system = sa.System(z, sa.define("y", (i,), sp.tanh(z[i])))
    along = {name: sa.jvp(system, output="y", wrt=name)["y"] for name in ("x", "w")}
    given = draw(x=(3, 2), w=(2,), x_dot=(3, 2), w_dot=(2,))
    both = sa.compile(along)(**given)
    slope = 1 - np.tanh(given["x"] @ given["w"]) ** 2
    np.testing.assert_allclose(both["x"], slope * (given["x_dot"] @ given["w"]), rtol=1e-5)
    np.testing.assert_allclose(both["w"], slope * (given["x"] @ given["w_dot"]), rtol=1e-5)


def test_gradients_of_different_outputs_are_different():
    """ȳ comes in for the one, and is derived on the way to the other."""
    x, w = sa.tensor("x", n, d), sa.tensor("w", d)
    z = sa.define("z", (i,), x[i, a] * w[a])
    y = sa.define("y", (i,), sp.tanh(z[i]))
    system = sa.System(z, y, sa.define("v", (i,), sp.sin(z[i]) * y[i]))
    passes = {name: sa.backward(system, output=name, wrt="w") for name in ("y", "v")}
    given = draw(x=(3, 2), w=(2,), y_bar=(3,), v_bar=(3,))
    both = sa.compile(passes)(**given)
    at = given["x"] @ given["w"]
    slope = 1 - np.tanh(at) ** 2
    change = np.cos(at) * np.tanh(at) + np.sin(at) * slope
    np.testing.assert_allclose(both["y"]["w"], (given["y_bar"] * slope) @ given["x"], rtol=1e-5)
    np.testing.assert_allclose(both["v"]["w"], (given["v_bar"] * change) @ given["x"], rtol=1e-5)


@pytest.mark.parametrize("weight", ["sigmoid", "softmax"])
def test_tangents_through_weights_that_are_rounded_to_0(weight):
    """The tangent of log P where P is 0 in floating point."""
    Z, Y = sa.tensor("Z", n, d), sa.tensor("Y", n, d)
    (b,) = sa.indices("b", d)
    made = {
        "sigmoid": sigmoid(Z[i, a]),
        "softmax": sp.exp(Z[i, a]) / sa.total(sp.exp(Z[i, b]), b),
    }
    P = sa.define("P", (i, a), made[weight])
    L = sa.define("L", (), sa.total(Y[i, a] * (1 - P[i, a]) ** 2 * sp.log(P[i, a]), i, a))
    f = sa.compile(sa.jvp(sa.System(P, L), output="L", wrt="Z")["L"])
    given = draw(Z=(3, 5), Y=(3, 5), Z_dot=(3, 5))
    given["Z"] *= 1000

    def loss(z, y):
        log = jax.nn.log_sigmoid(z) if weight == "sigmoid" else jax.nn.log_softmax(z)
        return (y * (1 - jnp.exp(log)) ** 2 * log).sum()

    with jax.enable_x64(True):
        along = jax.jit(lambda z, dot, y: jax.jvp(lambda x: loss(x, y), (z,), (dot,))[1])
        wanted = along(*(jnp.asarray(given[name]) for name in ("Z", "Z_dot", "Y")))
    np.testing.assert_allclose(f(**given), wanted, rtol=1e-5)


def test_squares_of_differences_under_a_root_keep_their_digits():
    """Total variation of an image at an offset, and its gradient."""
    x = sa.tensor("x", n, m)
    (j,) = sa.indices("j", m)
    down = sa.iverson(i <= n - 2) * (x[i + 1, j] - x[i, j]) ** 2
    bend = (x[i, j + 1] - 2 * x[i, j] + x[i, j - 1]) ** 2
    L = sa.define("L", (), sa.total(sp.sqrt(3 * down + bend + sp.Rational(1, 10**6)), i, j))
    gradient = sa.backward(sa.System(L), output="L", wrt="x")
    f = sa.compile({"value": L, "bar": gradient}, given=sa.System(L))
    at = np.float32(draw(x=(5, 4))["x"] + 64)

    def loss(x):
        down = jnp.pad(x[1:] - x[:-1], ((0, 1), (0, 0)))
        bend = jnp.roll(x, -1, 1) - 2 * x + jnp.roll(x, 1, 1)
        return jnp.sqrt(3 * down**2 + bend**2 + 1e-6).sum()

    with jax.enable_x64(True):
        wanted = jax.jit(jax.value_and_grad(loss))(jnp.asarray(at, jnp.float64))
    got = f(x=at, L_bar=1.0)
    for x, y in zip((got["value"], got["bar"]["x"]), wanted, strict=True):
        np.testing.assert_allclose(x, y, rtol=2e-5, atol=2e-5)


def test_a_definition_recognised_beside_the_way_moves_too():
    """The gradient of log Σ e^{2s} has p = softmax(2s) in it, which the function is not made of."""
    K, x = sa.tensor("K", n, d), sa.tensor("x", d)
    j, k = sa.indices("j k", n)
    s = sa.define("s", (j,), K[j, a] * x[a])
    weight = sa.define("p", (j,), sp.exp(2 * s[j]) / sa.total(sp.exp(2 * s[k]), k))
    E = sa.define("E", (), sp.log(sa.total(sp.exp(2 * s[j]), j)) + sa.total(x[a] ** 2, a))
    product = sa.hvp(sa.System(s, weight, E, sa.define("L", (), 3 * E)), of="L", wrt="x")
    assert product.check_steps()
    assert "p_dot" in {name for part in product.given for name in part.definitions()}
    given = draw(K=(4, 3), x=(3,), x_dot=(3,))

    def loss(x):
        return 3 * (jax.nn.logsumexp(2 * given["K"] @ x) + x @ x)

    with jax.enable_x64(True):
        at, dot = jnp.asarray(given["x"]), jnp.asarray(given["x_dot"])
        wanted = jax.jit(lambda at, dot: jax.jvp(jax.grad(loss), (at,), (dot,))[1])(at, dot)
        got = sa.compile(product)(**given)
    np.testing.assert_allclose(got, wanted, rtol=1e-12)


def test_a_long_formula_gives_way_to_stages():
    """The differences between outputs of causal attention: four definitions, and a block of the
    Hessian that has thousands of factors in one formula."""
    T = sa.tensor("T", n, d)
    (j, k, l), (b, e) = sa.indices("j k l", n), sa.indices("b e", d)
    weight = sa.iverson(k <= j)
    S = sa.define("S", (j, k), T[j, b] * T[k, b])
    A = sa.define(
        "A", (j, k),
        weight * sp.exp(S[j, k]) / sa.total(sa.iverson(l <= j) * sp.exp(S[j, l]), l),
    )  # fmt: skip
    O = sa.define("O", (j, e), A[j, k] * T[k, e])
    apart = sp.sqrt((O[j + 1, e] - O[j, e]) ** 2 + sp.Rational(1, 10))
    system = sa.System(S, A, O, sa.define("L", (), sa.total(sa.iverson(j + 1 < n) * apart, j, e)))
    f = sa.compile(sa.hessian(system, of="L", wrt="T"))
    assert len(f.source) < 100_000  # 400 000 by one formula
    x = np.random.default_rng(1).normal(size=(5, 2))
    with jax.enable_x64(True):
        value = sa.compile(system, output="L")
        wanted = jax.hessian(lambda t: value(T=t))(jnp.asarray(x))
        got = f(T=x)
    np.testing.assert_allclose(got, wanted, rtol=1e-10, atol=1e-11)


def test_a_short_formula_stays_one():
    """Three definitions whose Hessian is read."""
    H = sa.define("H", (p,), sp.tanh(sa.total(W[p, q] * c[q], q)))
    N = sa.define("N", (p,), H[p] ** 2 + c[p])
    system = sa.System(H, N, sa.define("L", (), sa.total(N[p] ** 3, p)))
    assert len(sa.hessian(system, of="L", wrt="W").given) == 1  # the gradient
