"""Digits that a plan may lose and a definition has: cases, squares, decays, slopes, offsets."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.model import Model
from symattn.primitives import sigmoid

pytestmark = pytest.mark.usefixtures("usual_emitters")  # it is about digits

n, m, d = sa.sizes("n m d")
(i, j, l), (p,), (a, b) = sa.indices("i j l", n), sa.indices("p", m), sa.indices("a b", d)
X, x, h = sa.tensor("X", n, d), sa.tensor("x", n), sa.tensor("h")
Half = sp.Rational(1, 2)


def with_gradients(system, of, *wrt):
    return sa.compile(
        {"value": system[of], "bars": sa.backward(system, output=of, wrt=wrt)}, given=system
    )


def normal(e):
    free = sorted(e.atoms(sp.Idx), key=str)
    return Model(sa.System(sa.define("y", tuple(free), e))).bodies["y"].normal


def compared(f, plain, given, rtol=1e-5, up=1.0):
    """The value and the gradients in float32, against JAX in float64."""
    bars = [n for n in f.inputs if n.endswith("_bar")]
    ones = {k: np.full((7,) * len(f.inputs[k]), up, np.float32) for k in bars}
    got = f(**given, **ones)
    with jax.enable_x64(True):
        wide = {k: jnp.asarray(np.float64(v)) for k, v in given.items()}
        value, back = jax.vjp(lambda own: plain(**own), wide)
        (slopes,) = back(jnp.broadcast_to(np.float64(up), value.shape))
    wanted = {"": value} | {k: slopes[k] for k in got["bars"]}
    for name, found in ({"": got["value"]} | got["bars"]).items():
        want = np.asarray(wanted[name])
        np.testing.assert_allclose(found, want, atol=rtol * np.abs(want).max(), rtol=0)


def drawn(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def test_a_case_that_is_a_difference_has_its_own_digits():
    """sign x + [|x| ≤ 1] (x − sign x), the slope of a Huber loss, at small x."""
    E = sa.define("E", (i,), x[i] - h)
    loss = sp.Piecewise((E[i] ** 2 / 2, sp.Abs(E[i]) <= 1), (sp.Abs(E[i]) - Half, True))
    L = sa.define("L", (), sa.total(loss, i))
    f = with_gradients(sa.System(E, L), "L", "x", "h")

    def plain(x, h):
        u = x - h
        return jnp.where(abs(u) <= 1, u**2 / 2, abs(u) - 0.5).sum()

    for scale in (1e-4, 1.0, 1e4):
        compared(f, plain, {"x": scale * drawn(7), "h": np.float32(scale * 0.3)})


def test_cases_in_which_nothing_cancels_stay_a_sum():
    from symattn.compile.branches import cancelling_branches

    first = sa.iverson(x[i] > 0)
    assert cancelling_branches(normal(first * (x[i] ** 2 - h) + h)) is not None
    assert cancelling_branches(normal(sa.iverson(i >= j) * (x[i] - x[j]) + x[j])) is not None
    for e in (first * x[i] ** 2 + h * x[i], first * (x[i] - h) + x[j], first * x[i] - h):
        assert cancelling_branches(normal(e)) is None


@pytest.mark.parametrize(("scale", "wrt"), [(1.0, "xh"), (60.0, "xh"), (-60.0, "x")])
def test_powers_with_places_are_a_recurrence(scale, wrt):
    """g^{i−j} of g = σ(h), also where it is rounded to 0 or 1: the powers of both places would
    overflow by themselves."""
    g = sa.define("g", (), sigmoid(h))
    Y = sa.define("Y", (i,), sa.total(sa.iverson(j <= i) * g[()] ** (i - j) * x[j], j))
    f = with_gradients(sa.System(g, Y), "Y", *wrt)
    assert f.cost.largest.subs({n: 1000}) <= 1000

    def plain(x, h):
        apart = jnp.maximum(jnp.arange(7)[:, None] - jnp.arange(7), 0)
        return jnp.tril(jnp.exp(apart * jax.nn.log_sigmoid(h))) @ x

    compared(f, plain, {"x": drawn(7), "h": np.float32(scale)}, up=0.7)


def test_a_bond_near_its_length():
    """(r − 1)² of a distance under a mask, which is 1 + r² − 2 r multiplied out."""
    r = sp.sqrt(sa.total((X[i, a] - X[i + 1, a]) ** 2, a))
    L = sa.define("L", (), sa.total(sa.iverson(i <= n - 2) * (r - 1) ** 2, i))
    steps = np.float32([[0.6, 0.8, 0]]) + 1e-3 * drawn(6, 3)
    compared(
        with_gradients(sa.System(L), "L", "X"),
        lambda X: ((jnp.linalg.norm(X[1:] - X[:-1], axis=1) - 1) ** 2).sum(),
        {"X": np.cumsum(steps, 0)},
        2e-4,
    )


def test_what_is_no_square_of_a_root_stays():
    from symattn.compile.squares import squares

    u = sa.tensor("u", n)
    assert len(squares(normal(u[i] - 2 * sp.sqrt(u[i]) + 1))) == 1
    assert len(squares(normal(u[i] + x[i] - 2 * sp.sqrt(u[i]) * sp.sqrt(x[i])))) == 1
    for e in (u[i] - 3 * sp.sqrt(u[i]) + 1, u[i] - 2 * sp.sqrt(u[i]) - 1, u[i] - 2 * x[i] + 1):
        assert squares(normal(e)) is normal(e)


def test_a_matrix_near_the_unit_matrix():
    """Σ (C_ab − δ_ab)² of C = XᵀX: multiplied out the square is a difference of large numbers."""
    C = sa.total(X[i, a] * X[i, b], i)
    L = sa.define("L", (), sa.total((C - sa.delta(a, b)) ** 2, a, b))
    q, _ = np.linalg.qr(drawn(8, 3))
    compared(
        with_gradients(sa.System(L), "L", "X"),
        lambda X: ((X.T @ X - jnp.eye(3)) ** 2).sum(),
        {"X": q + 1e-3 * drawn(8, 3)},
        1e-4,
    )


def test_slopes_with_an_exponential_in_them_are_no_reason_to_open_a_score():
    """Scores with a slope e^t beside a sink: i − j is a whole number, i e^t − j e^t none."""
    S = sa.define("S", (i, j), x[i] * x[j] - sp.exp(h) * (i - j))
    hold, again = sa.iverson(j <= i), sa.iverson(l <= i)
    below = 1 + sa.total(again * sp.exp(S[i, l]), l)
    Y = sa.define("Y", (i,), sa.total(hold * sp.exp(S[i, j]) * x[j], j) / below)

    def plain(x, h):
        at = jnp.arange(7)
        S = x[:, None] * x - jnp.exp(h) * (at[:, None] - at)
        S = jnp.where(at[:, None] >= at, S, -jnp.inf)
        return jax.nn.softmax(jnp.pad(S, ((0, 0), (0, 1))), 1)[:, :-1] @ x

    f = with_gradients(sa.System(S, Y), "Y", "x")
    compared(f, plain, {"x": drawn(7), "h": np.float32(17.3)})


def test_every_array_of_which_differences_matter_is_taken_around_a_mean():
    """Scores and points of a discrepancy after Stein, moved by the same thousand."""
    S = sa.tensor("S", n, d)
    far = sa.total((X[i, a] - X[j, a]) ** 2, a)
    K = sa.define("K", (i, j), sp.exp(-far / 2))
    other = sa.total((S[i, a] - S[j, a]) * (X[i, a] - X[j, a]), a)
    L = sa.define("L", (), sa.total(K[i, j] * (other - far), i, j))

    def plain(X, S):
        u, v = X[:, None] - X, S[:, None] - S
        far = (u**2).sum(-1)
        return (jnp.exp(-far / 2) * ((u * v).sum(-1) - far)).sum()

    f = with_gradients(sa.System(K, L), "L", "X", "S")
    compared(f, plain, {"X": drawn(6, 3) + 1e3, "S": drawn(6, 3, seed=1) + 1e3}, 1e-5)


def test_brackets_of_means_are_not_opened_for_fewer_terms():
    """How two measurements agree, after Lin: n (x̄ − ȳ)² beside two variances, which opened are
    three terms and have no digits at an offset."""
    y = sa.tensor("y", n)
    u = sa.define("u", (), sa.total(x[i], i) / n)
    v = sa.define("v", (), sa.total(y[i], i) / n)
    below = sa.total((x[i] - u[()]) ** 2, i) + sa.total((y[i] - v[()]) ** 2, i)
    below += n * (u[()] - v[()]) ** 2
    C = sa.define("C", (), 2 * sa.total((x[i] - u[()]) * (y[i] - v[()]), i) / below)

    def plain(x, y):
        s, t = x - x.mean(), y - y.mean()
        apart = len(x) * (x.mean() - y.mean()) ** 2
        return 2 * (s * t).sum() / ((s**2).sum() + (t**2).sum() + apart)

    f = with_gradients(sa.System(u, v, C), "C", "x", "y")
    compared(f, plain, {"x": drawn(9) + 1e3, "y": drawn(9, seed=1) + 1e3}, 1e-3)


@pytest.mark.parametrize("scale", [1, 40, 1000])
def test_a_narrow_kernel_has_the_gradient_of_what_is_left(scale):
    """Where every e^{−|x−y|²/2} but that of a point with itself is 0, what comes back through the
    distances is 0, not the rounding of Σ w_ij x_i − Σ w_ij x_j."""
    D = sa.define("D", (i, j), sa.total((X[i, a] - X[j, a]) ** 2, a))
    K = sa.define("K", (i, j), sp.exp(-D[i, j] / 2))
    U = sa.define("U", (i, j), K[i, j] * (sa.total(X[i, a] * X[j, a], a) - 2 * D[i, j]))
    L = sa.define("L", (), sa.total(U[i, j], i, j))
    f = with_gradients(sa.System(D, K, U, L), "L", "X")

    def plain(X):
        D = ((X[:, None] - X) ** 2).sum(-1)
        return (jnp.exp(-D / 2) * (X @ X.T - 2 * D)).sum()

    compared(f, plain, {"X": scale * drawn(5, 3)}, 2e-6)


def test_what_exponentials_do_not_weigh_keeps_its_formula():
    """Σ W (x_i − x_j)²: a weight that comes in leaves nothing out."""
    W = sa.tensor("W", n, n)
    L = sa.define("L", (), sa.total(W[i, j] * (X[i, a] - X[j, a]) ** 2, i, j, a))
    f = with_gradients(sa.System(L), "L", "X")
    assert "!=" not in f.source.split("def compute")[1]


def test_differences_of_pairs_are_no_masks_and_stay_differences():
    """√(Σ_a (x_pa − y_ia)² e^{−2 s_a} + ε): lengths of a kernel, of points that are close."""
    Y, s = sa.tensor("Y", m, d), sa.tensor("s", d)
    near = sp.Rational(1, 10**6)
    R = sa.define(
        "R", (p, i), sp.sqrt(5 * sa.total((Y[p, a] - X[i, a]) ** 2 * sp.exp(-2 * s[a]), a) + near)
    )
    K = sa.define("K", (p, i), (1 + R[p, i] + R[p, i] ** 2 / 3) * sp.exp(-R[p, i]))
    L = sa.define("L", (), sa.total((x[i] * K[p, i]) ** 2, p, i) + sa.total(K[p, i], p, i))
    f = with_gradients(sa.System(R, K, L), "L", "s", "x")
    body = f.source.split("def compute")[1]
    assert "!= 0" not in body and body.count("jnp.sqrt(") == 1
    # K is at most what it is at R = 0: its exponential is computed as it is written, without a peak
    assert body.count("jnp.max(") == 1

    def plain(X, Y, s, x):
        R = jnp.sqrt(5 * ((Y[:, None] - X) ** 2 * jnp.exp(-2 * s)).sum(-1) + 1e-6)
        K = (1 + R + R**2 / 3) * jnp.exp(-R)
        return ((x * K) ** 2).sum() + K.sum()

    given = {"X": drawn(5, 3), "Y": drawn(4, 3, seed=1), "s": drawn(3, seed=2), "x": drawn(5)}
    given["Y"][2] = given["X"][1]  # one point twice
    compared(f, plain, given)
    compared(f, plain, given | {"s": 20 * given["s"]})


def test_a_temperature_costs_no_digits_at_an_offset():
    """log P − log R of softmaxes of T/4 and Z/4, where Z is far from 0."""
    T, Z = sa.tensor("T", n, d), sa.tensor("Z", n, d)
    P, R = (
        sa.define(name, (i, a), sp.exp(z[i, a] / 4) / sa.total(sp.exp(z[i, b] / 4), b))
        for name, z in (("P", T), ("R", Z))
    )
    L = sa.define("L", (), sa.total(P[i, a] * sp.log(P[i, a] / R[i, a]), i, a))
    f = with_gradients(sa.System(P, R, L), "L", "Z")

    def plain(T, Z):
        p, r = (jax.nn.log_softmax(z / 4) for z in (T, Z))
        return (jnp.exp(p) * (p - r)).sum()

    compared(f, plain, {"T": drawn(5, 3), "Z": 10_000 + drawn(5, 3, seed=1)}, 3e-6)


def test_squares_beside_weights_stay_differences():
    """e^{−Σ_a (x_ia − x_ja)² e^{−2 s_a}}: a length for every feature costs no digits, and what
    comes back to x is two products of matrices, each times e^{−2 s_a}."""
    s, z = sa.tensor("s", d), sa.tensor("z", n)
    far = sa.total((X[i, a] - X[j, a]) ** 2 * sp.exp(-2 * s[a]), a)
    K = sa.define("K", (i, j), sp.exp(-far))
    L = sa.define("L", (), sa.total(z[i] * K[i, j] * z[j], i, j))
    f = with_gradients(sa.System(K, L), "L", "X", "s")
    body = f.source.split("def compute")[1]
    assert body.count("by_slices(one") == 2 and body.count('matmul("ij,ia->ja"') == 1

    def plain(X, s, z):
        far = ((X[:, None] - X) ** 2 * jnp.exp(-2 * s)).sum(-1)
        return z @ jnp.exp(-far) @ z

    given = {"X": drawn(40, 4), "s": np.float32([-4, -1, 0, 2]), "z": drawn(40, seed=1)}
    given["X"][:20] = given["X"][20:] + 1e-2 * drawn(20, 4, seed=2)  # pairs that are close
    compared(f, plain, given, 1e-5)
