"""Sums of what pairs give, slice by slice along the axis that is no pair's."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward

pytestmark = pytest.mark.usefixtures("double_precision")
n, m, d = sa.sizes("n m d")
(i,), (j,), (a,) = sa.indices("i", n), sa.indices("j", m), sa.indices("a", d)
x, y, w = sa.tensor("x", n, d), sa.tensor("y", m, d), sa.tensor("w", n, m)
far = sa.define("D", (i, j), sa.total((x[i, a] - y[j, a]) ** 2, a))
pull = sa.define("f", (i, a), sa.total(w[i, j] * (x[i, a] - y[j, a]) ** 3, j))


def plain(x, y, w):
    apart = x[:, None] - y
    return (apart**2).sum(-1), (w[..., None] * apart**3).sum(1)


@pytest.fixture(scope="module")
def both():
    return compile(
        {"D": far, "f": pull, "D_bars": backward(sa.System(far), output="D", wrt=("x",))}
    )


@pytest.mark.parametrize("sizes", [(5, 7, 3), (5, 7, 11), (5, 7, 1), (4, 1, 2), (3, 4, 0)])
def test_slices_are_all_that_is_summed(both, sizes):
    n, m, d = sizes
    rng = np.random.default_rng(0)
    given = [rng.normal(size=s) for s in ((n, d), (m, d), (n, m))]
    bar = rng.normal(size=(n, m))
    got = both(**dict(zip("xyw", given, strict=True)), D_bar=bar)
    want, back = jax.vjp(plain, *map(jnp.asarray, given))
    np.testing.assert_allclose(got["D"], want[0], rtol=1e-12)
    np.testing.assert_allclose(got["f"], want[1], rtol=1e-12)
    np.testing.assert_allclose(
        got["D_bars"]["x"], back((bar, jnp.zeros((n, d))))[0], rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("length", [3, 11])
def test_second_derivatives_go_through_slices(both, length):
    rng = np.random.default_rng(1)
    given = [rng.normal(size=s) for s in ((5, length), (7, length), (5, 7))]
    dots = [rng.normal(size=g.shape) for g in given]

    def loss(function):
        def inner(x, y, w):
            first, second = function(x, y, w)
            return (first**2).sum() + (second**2).sum()

        return lambda *g: jax.jvp(jax.grad(inner, argnums=(0, 1, 2)), g, tuple(dots))[1]

    def ours(x, y, w):
        out = both(x=x, y=y, w=w, D_bar=jnp.zeros((5, 7)))
        return out["D"], out["f"]

    for got, want in zip(loss(ours)(*given), loss(plain)(*given), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-10)


def test_which_sums_go_through_in_slices(both):
    assert both.source.count("= by_slices(") == 2
    # an array with all letters is there anyhow; a product of arrays is a contraction
    z = sa.tensor("z", n, m, d)
    whole = sa.define("D", (i, j), sa.total((x[i, a] - z[i, j, a]) ** 2, a))
    product = sa.define("f", (i, a), w[i, j] * x[i, a] * y[j, a])
    assert "by_slices" not in compile(whole).source + compile(product).source
    # the array of differences is needed by itself
    apart = sa.define("z", (i, j, a), x[i, a] - y[j, a])
    squares = sa.define("D", (i, j), sa.total(apart[i, j, a] ** 2, a))
    assert "by_slices" not in compile({"z": apart, "D": squares}).source


def test_a_part_of_an_axis_that_begins_at_a_number():
    """Σ_k x[i + k] at i = 0 sums n of 2n − 1 rows."""
    (n,) = sa.sizes("n")
    i, k = sa.indices("i k", n)
    x = sa.tensor("x", 2 * n - 1)
    window = sa.define("R", (i,), 1 / (sa.total(x[i + k], k) + 7))
    ends = sa.define("E", (), window[0] * window[n - 1])
    f = compile(sa.System(window, ends), output="E", target="numpy")
    rows = np.random.default_rng(3).normal(size=5)
    wanted = 1 / (rows[:3].sum() + 7) / (rows[2:].sum() + 7)
    np.testing.assert_allclose(f(x=rows), wanted, rtol=1e-12)


@pytest.mark.parametrize("length", [1, 2, 8, 9, 20])
def test_a_slice_that_is_read_in_two_orders_is_taken_twice(length):
    """One array for x_i and x_j would be read entry by entry."""
    own = sa.tensor("x", n, d)
    (k,) = sa.indices("k", n)
    f = compile(sa.define("D", (i, k), sa.total((own[i, a] - own[k, a]) ** 2, a)))
    assert "def one(x, x_one):" in f.source and "by_slices(one, (x, x), (1, 1)" in f.source
    v = np.random.default_rng(length).normal(size=(5, length))
    np.testing.assert_allclose(f(x=v), ((v[:, None] - v) ** 2).sum(-1), rtol=1e-12)
