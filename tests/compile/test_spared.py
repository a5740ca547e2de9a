"""Pairs that have no value at i = j, by name or not: nothing of them is in a derivative."""

from __future__ import annotations

import random
import re
from itertools import combinations, permutations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward, hessian, hvp

pytestmark = pytest.mark.usefixtures("double_precision")

(n, d) = sa.sizes("n d")
i, j, k = sa.indices("i j k", n)
(a,) = sa.indices("a", d)
x, w = sa.tensor("x", n), sa.tensor("w", n)
X = sa.tensor("X", n, d)
COUNT = 5
EVERY = list(permutations(range(COUNT), 2))
BELOW = list(combinations(range(COUNT), 2))

PAIRS = {  # [which pairs], and the pairs
    "ne": (1 - sa.delta(i, j), EVERY),
    "lt": (sa.iverson(i < j), BELOW),
    "gt": (sa.iverson(j < i), [(q, p) for p, q in BELOW]),
}
INNER = {  # what is 0 at i = j
    "difference": (lambda: x[i] - x[j], lambda p, q: p[..., 0] - q[..., 0]),
    "distance": (
        lambda: sp.sqrt(sa.total((X[i, a] - X[j, a]) ** 2, a)),
        lambda p, q: jnp.sqrt(((p - q) ** 2).sum(-1)),
    ),
    "square": (
        lambda: sa.total((X[i, a] - X[j, a]) ** 2, a),
        lambda p, q: ((p - q) ** 2).sum(-1),
    ),
}
OUTER = {  # no value there, or no slope
    "inverse": (lambda u: 1 / u, lambda u: 1 / u),
    "logarithm": (lambda u: sp.log(u**2), lambda u: jnp.log(u**2)),
    "decay": (lambda u: sp.exp(-u / 3), lambda u: jnp.exp(-u / 3)),
    "wall": (lambda u: u**-4 - u**-2, lambda u: u**-4.0 - u**-2.0),
    "angle": (lambda u: sp.tanh(u) / u, lambda u: jnp.tanh(u) / u),
    "plain": (lambda u: u, lambda u: u),
}
SUMS = {
    "all": (lambda f: sa.total(w[i] * f, i, j), lambda w, rows: (w * rows).sum()),
    "rows": (
        lambda f: sa.total(w[i] * sa.total(f, j) ** 2, i),
        lambda w, rows: (w * rows**2).sum(),
    ),
}


def drawn(seed):
    """A system with up to two definitions in between, and the same over the pairs alone."""
    rng = random.Random(seed)
    mask, pairs = PAIRS[rng.choice([*PAIRS])]
    inner, of = INNER[list(INNER)[seed % 3]]
    outer, f = OUTER[rng.choice([*OUTER])]
    total, g = SUMS[rng.choice([*SUMS])]
    u, definitions = inner(), []
    if rng.random() < 0.7:
        definitions.append(sa.define("u", (i, j), u))
        u = definitions[-1][i, j]
    v = outer(u)
    if rng.random() < 0.7:
        definitions.append(sa.define("v", (i, j), v))
        v = definitions[-1][i, j]
    one, other = map(np.array, zip(*pairs, strict=True))

    def plain(points, weights):
        rows = jnp.zeros(COUNT).at[one].add(f(of(points[one], points[other])))
        return g(weights, rows)

    return sa.System(*definitions, sa.define("L", (), total(mask * v))), plain


@pytest.mark.parametrize("seed", [2, 3, 6, 10, 13, 15])
def test_random_pairs(seed):
    """Value, gradients by formula and by JAX, the Hessian or its product with a vector."""
    system, plain = drawn(seed)
    wrt = "X" if "X" in system.inputs else "x"
    rng = np.random.default_rng(seed)
    at, dot = rng.normal(size=(2, COUNT, 3 if wrt == "X" else 1))
    arrays = {"w": rng.normal(size=COUNT), wrt: at.reshape(COUNT, -1)[:, 0] if wrt == "x" else at}
    shape = arrays[wrt].shape
    slope = jax.grad(plain)
    wanted = slope(at, arrays["w"])
    f = compile(system, output="L")
    np.testing.assert_allclose(f(**arrays), plain(at, arrays["w"]), rtol=1e-11)
    bars = compile(backward(system, output="L", wrt=(wrt, "w")))(**arrays)
    by_jax = jax.grad(lambda y: f(**{**arrays, wrt: y}))(arrays[wrt])
    scale = np.abs(wanted).max()
    for found in (bars[wrt], by_jax):
        np.testing.assert_allclose(found, wanted.reshape(shape), rtol=1e-9, atol=1e-11 * scale)
    curved = jax.hessian(lambda y: plain(y.reshape(at.shape), arrays["w"]))(arrays[wrt])
    close = {"rtol": 1e-8, "atol": 1e-10 * np.abs(curved).max()}
    if seed % 2:
        found = compile(hessian(system, of="L", wrt=wrt))(**arrays)
        np.testing.assert_allclose(found, curved, **close)
    else:
        change = {f"{wrt}_dot": dot.reshape(shape)}
        found = compile(hvp(system, of="L", wrt=wrt))(**arrays, **change)
        want = np.tensordot(curved, dot.reshape(shape), len(shape))
        np.testing.assert_allclose(found, want, **close)


r = sa.define("r", (i, j), sp.sqrt(sa.total((X[i, a] - X[j, a]) ** 2, a)))
gap = sa.define("g", (i, j), x[i] - x[j])
uneven = sa.define("g", (i, j), x[i] - 2 * x[j])


def loss(*definitions):
    """The system that ends in the sum of the last one."""
    *others, last = definitions
    return sa.System(*others, sa.define("L", (), last))


def test_where_there_is_no_mask_a_quotient_stays_infinite():
    at = np.random.default_rng(0).normal(size=(4, 3))
    for use in (1 / r[i, j], sa.iverson(i < j) / r[i, j] + 1 / r[i, j]):
        f = compile(loss(r, sa.total(w[i] * use, i, j)), output="L")
        assert f(X=at, w=np.ones(4)) == np.inf


@pytest.mark.parametrize(
    "system",
    [
        loss(gap, sa.total(sa.iverson(i < k) * w[k] / gap[i, j], i, j, k)),
        loss(uneven, sa.total(w[j] / uneven[i, j], i, j)),
    ],
    ids=["mask of other letters", "not 0 at i = j"],
)
def test_other_quotients_stay_as_they_are(system):
    source = compile(system, output="L").source
    assert not re.search(r"where\(.*, 1\)", source)


def test_a_distance_without_a_mask_has_a_slope():
    """|x_i − x_i| is 0 whatever comes in."""
    system = loss(r, sa.total(w[i] * r[i, j], i, j))
    at, weights = np.random.default_rng(0).normal(size=(4, 3)), np.arange(1.0, 5)
    unit = at[:, None] - at
    unit = unit / (np.linalg.norm(unit, axis=-1) + np.eye(4))[..., None]
    want = ((weights[:, None] + weights)[..., None] * unit).sum(1)
    f = compile(system, output="L")
    np.testing.assert_allclose(jax.grad(lambda y: f(X=y, w=weights))(at), want, rtol=1e-12)
    np.testing.assert_allclose(
        compile(backward(system, output="L", wrt=("X",)))(X=at, w=weights)["X"], want, rtol=1e-12
    )


def test_two_orders_leave_the_third_pair_out():
    """i < j and j < k: 1/(x_i − x_k) is never taken at i = k."""
    mask = sa.iverson(i < j) * sa.iverson(j < k)
    system = loss(gap, sa.total(mask / (gap[i, j] * gap[j, k] * gap[i, k]), i, j, k))
    at = np.array([0.3, -1.1, 0.8, 2.0])
    first, second, third = np.array([*combinations(range(4), 3)]).T

    def plain(y):
        p, q, t = y[first], y[second], y[third]
        return (1 / ((p - q) * (q - t) * (p - t))).sum()

    want = jax.grad(plain)(at)
    np.testing.assert_allclose(jax.grad(lambda y: compile(system)(x=y))(at), want, rtol=1e-11)


def test_three_letters_that_are_all_different():
    """i = k and i ≠ j, as in a part of (1 − δ_ij)(1 − δ_jk)(1 − δ_ik), leave k ≠ j."""
    ratio = sa.define("q", (i, j, k), gap[i, j] / gap[k, j])
    mask = (1 - sa.delta(i, j)) * (1 - sa.delta(j, k)) * (1 - sa.delta(i, k))
    system = loss(gap, ratio, sa.total(mask * (ratio[i, j, k] - w[i]) ** 2, i, j, k))
    first, second, third = np.array([*permutations(range(4), 3)]).T

    def plain(y, w):
        return (((y[first] - y[second]) / (y[third] - y[second]) - w[first]) ** 2).sum()

    at, weights = np.array([0.3, -1.1, 0.8, 2.0]), np.array([2.0, 3.0, 5.0, 7.0])
    found = compile(backward(system, output="L", wrt=("x",)))(x=at, w=weights)["x"]
    np.testing.assert_allclose(found, jax.grad(plain)(at, weights), rtol=1e-10)


def test_a_decay_is_no_number_where_its_mask_leaves_it_out():
    """[j ≤ i] e^{t_j − t_i} by name, at times whose differences overflow."""
    decay = sa.define("k", (i, j), sp.exp(x[j] - x[i]))
    f = compile(loss(decay, sa.total(sa.iverson(j <= i) * decay[i, j] * w[j], i, j)), output="L")
    at, weights = np.array([0.0, 1.0, 900.0]), np.array([2.0, 3.0, 5.0])
    found = jax.grad(lambda y: f(x=y, w=weights))(at)
    np.testing.assert_allclose(found, [2 * np.exp(-1), -2 * np.exp(-1), 0], rtol=1e-12, atol=0)


def test_near_pairs_keep_their_digits():
    """|x_i − x_j|² is not |x_i|² + |x_j|² − 2 x_i x_j where a gradient divides by it."""
    wall = sa.define("v", (i, j), r[i, j] ** -12 - r[i, j] ** -6)
    system = loss(r, wall, sa.total(sa.iverson(i < j) * wall[i, j], i, j))
    at = np.float32([[1.0, 2.0, 3.0], [1.0, 2.0, 3.25], [-9.0, 7.5, 1.0]])
    near = at[0].astype(float) - at[1]
    length = np.linalg.norm(near)
    want = (6 * length**-8 - 12 * length**-14) * near
    gradient = compile(backward(system, output="L", wrt=("X",)))
    with jax.enable_x64(False):
        found = gradient(X=at)["X"]
    np.testing.assert_allclose(found[0], want, rtol=3e-6, atol=1e-5)


def test_a_definition_beside_a_system_knows_its_names():
    """compile(L, given=system) is that of the system: Σ_{i ≠ j} q_ij keeps its masks."""
    inverse = sa.define("q", (i, j), 1 / gap[i, j])
    system = loss(gap, inverse, sa.total((1 - sa.delta(i, j)) * w[i] * inverse[i, j], i, j))
    arrays = {"x": np.array([0.3, -1.1, 0.8]), "w": np.array([2.0, 3.0, 5.0])}
    want = compile(system, output="L")(**arrays)
    np.testing.assert_array_equal(compile(system["L"], given=system)(**arrays), want)
    assert np.isfinite(want)
