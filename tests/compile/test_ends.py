"""Slices and zeros in place of shifts, where a mask leaves the ends out."""

from __future__ import annotations

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn as sa

n, m = sa.sizes("n m")
(i,), (j,) = sa.indices("i", n), sa.indices("j", m)
x, U, w = sa.tensor("x", n), sa.tensor("U", n, m), sa.tensor("w", n)
inner = sa.iverson(i >= 1) * sa.iverson(i <= n - 2)


def places(length, low, high):
    """1 from the place `low` on, and up to `high` before the end."""
    return np.array([float(low <= k <= length - 1 - high) for k in range(length)])


def moved(v, by, axis=0):
    return jnp.roll(v, -by, axis)


# what is written, the same in JAX, and the shifts that are left in its value
WRITTEN = {
    "first differences": (
        sa.total(sa.iverson(i <= n - 2) * sp.sin(x[i + 1] - x[i]) * w[i], i),
        lambda x, w: (places(len(x), 0, 1) * jnp.sin(moved(x, 1) - x) * w).sum(),
        0,
    ),
    "second differences": (
        sa.total(inner * (x[i + 1] - 2 * x[i] + x[i - 1]) ** 2 * sp.exp(w[i]), i),
        lambda x, w: (
            places(len(x), 1, 1) * (moved(x, 1) - 2 * x + moved(x, -1)) ** 2 * jnp.exp(w)
        ).sum(),
        0,
    ),
    "products with what is before": (
        sa.total(sa.iverson(i >= 2) * x[i - 2] ** 3 * w[i - 1] * x[i], i),
        lambda x, w: (places(len(x), 2, 0) * moved(x, -2) ** 3 * moved(w, -1) * x).sum(),
        0,
    ),
    "one that goes around": (
        sa.total(sa.iverson(i <= n - 2) * sp.cos(x[i + 2] - x[i + 1]) * w[i], i),
        lambda x, w: (places(len(x), 0, 1) * jnp.cos(moved(x, 2) - moved(x, 1)) * w).sum(),
        1,
    ),
    "a mask at the other end": (
        sa.total(sa.iverson(i >= 1) * sp.cos(x[i + 1] - x[i]) * w[i], i),
        lambda x, w: (places(len(x), 1, 0) * jnp.cos(moved(x, 1) - x) * w).sum(),
        1,
    ),
    "with a part that has no mask": (
        sa.total(sa.iverson(i <= n - 2) * (x[i + 1] - x[i]) ** 2 * w[i] + sp.exp(x[i]) * w[i], i),
        lambda x, w: (
            places(len(x), 0, 1) * (moved(x, 1) - x) ** 2 * w + jnp.exp(x) * w
        ).sum(),
        0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN)
def test_ends_of_zeros(name):
    written, in_jax, shifts = WRITTEN[name]
    L = sa.define("L", (), written)
    system = sa.System(L)
    value = sa.compile(system, output="L")
    assert max(0, value.source.count("rolled(") - 1) == shifts  # but for its definition
    bars = sa.backward(system, output="L", wrt=("x", "w"))
    both = sa.compile({"L": L, "bars": bars}, given=system)
    rng = np.random.default_rng(0)

    @jax.jit
    def reference(at):
        wanted, pull = jax.vjp(lambda at: in_jax(**at), at)
        return wanted, *pull(1.3 * jnp.ones_like(wanted))

    with jax.enable_x64(True):
        for length in (0, 1, 2, 3, 7):
            at = {"x": rng.normal(size=length), "w": rng.normal(size=length)}
            if not length and shifts:
                continue  # the place of a lookup in nothing
            wanted, bars = reference(at)
            got = both(**at, L_bar=1.3)
            np.testing.assert_allclose(value(**at), wanted, rtol=1e-12, atol=1e-14)
            np.testing.assert_allclose(got["L"], wanted, rtol=1e-12, atol=1e-14)
            for key, bar in bars.items():
                np.testing.assert_allclose(got["bars"][key], bar, rtol=1e-12, atol=1e-14)


def test_two_axes_and_second_order():
    down = sa.define("D", (i, j), sa.iverson(i <= n - 2) * (U[i + 1, j] - U[i, j]))
    along = sa.define("T", (j, i), sa.iverson(j >= 1) * (U[i, j] - U[i, j - 1]) ** 2)
    L = sa.define("L", (), sa.total(sp.sqrt(1 + down[i, j] ** 2 + along[j, i]), i, j))
    system = sa.System(down, along, L)
    product = sa.compile(sa.hvp(system, of="L", wrt="U"))
    T = sa.compile(system, output="T")
    rng = np.random.default_rng(0)

    def loss(U):
        down = jnp.pad(U[1:] - U[:-1], ((0, 1), (0, 0)))
        along = jnp.pad(U[:, 1:] - U[:, :-1], ((0, 0), (1, 0))) ** 2
        return jnp.sqrt(1 + down**2 + along).sum()

    curved = jax.jit(lambda at, dot: jax.jvp(jax.grad(loss), (at,), (dot,))[1])
    with jax.enable_x64(True):
        for shape in ((5, 4), (1, 3), (2, 1)):
            at, dot = rng.normal(size=shape), rng.normal(size=shape)
            wanted = curved(at, dot)
            np.testing.assert_allclose(product(U=at, U_dot=dot), wanted, rtol=1e-12, atol=1e-14)
            turned = np.pad(np.diff(at, axis=1), ((0, 0), (1, 0))).T ** 2
            np.testing.assert_allclose(T(U=at), turned, rtol=1e-12)
    half = T(U=np.float16(at))
    assert half.dtype == jnp.float16 and half.shape == (1, 2)


def test_a_definition_that_is_returned_has_all_its_places():
    r = sa.define("r", (i,), sa.iverson(i <= n - 2) * (x[i + 1] - x[i]))
    E = sa.define("E", (), sa.total(sp.cosh(r[i]), i))  # cosh 0 = 1 at the end
    both = sa.compile({"r": r, "E": E}, given=sa.System(r, E))
    at = np.random.default_rng(0).normal(size=6)
    got = both(x=at)
    np.testing.assert_allclose(got["r"], np.append(np.diff(at), 0), rtol=1e-6)
    np.testing.assert_allclose(got["E"], np.cosh(got["r"]).sum(), rtol=1e-6)


KEPT = {  # a mask, the places that it keeps, and the shift behind it
    "the last one": (i <= n - 2, 0, 1, 1),
    "the last two": (i <= n - 3, 0, 2, 2),
    "the last two, by one": (i <= n - 3, 0, 2, 1),
    "the first one": (i >= 1, 1, 0, -1),
    "the first two": (i >= 2, 2, 0, -2),
    "the first one, forwards": (i >= 1, 1, 0, 1),
}


@pytest.mark.parametrize("name", KEPT)
@pytest.mark.parametrize("target", ["numpy", "jax"])
def test_what_comes_back_through_a_shift_is_shifted(name, target):
    """r̄_{i−1} Σ_j δ_{i(j+1)} [j ≤ n − 2] is [i ≥ 1] r̄_{i−1}: no array has two letters."""
    mask, low, high, by = KEPT[name]
    r = sa.define("r", (i,), sa.iverson(mask) * sp.sin(x[i + by] - x[i]))
    f = sa.compile(sa.backward(sa.System(r), output="r", wrt="x"), target=target)
    assert f.cost.largest == n
    for length in (1, 2, 3, 6):
        rng = np.random.default_rng(length)
        v, up = rng.normal(size=length), rng.normal(size=length)
        want = np.zeros(length)
        for k in np.flatnonzero(places(length, low, high)):
            slope = up[k] * np.cos(v[(k + by) % length] - v[k])
            want[(k + by) % length] += slope
            want[k] -= slope
        np.testing.assert_allclose(f(x=v, r_bar=up)["x"], want, rtol=1e-5, atol=1e-6)


def test_running_sums_of_shifted_weights_come_back_shifted():
    (k,) = sa.indices("k", n)
    F = sa.define("F", (i,), sa.total(sa.iverson(k < i) * sp.exp(x[k - 1]), k))
    f = sa.compile(sa.backward(sa.System(F), output="F", wrt="x"))
    assert f.cost.largest == n
    v, up = np.array([0.5, -1.0, 0.25, 2.0]), np.array([1.0, -2.0, 3.0, 0.5])
    after = np.cumsum(up[::-1])[::-1] - up  # Σ_{i > k} of what is upstream
    np.testing.assert_allclose(f(x=v, F_bar=up)["x"], np.roll(after, -1) * np.exp(v), rtol=1e-5)


def test_hessians_of_chains_sum_no_masks():
    L = sa.define("L", (), sa.total(sa.iverson(i <= n - 2) * (x[i + 1] - x[i] ** 2) ** 2, i))
    f = sa.compile(sa.hessian(sa.System(L), of="L", wrt="x"))
    assert "total(" not in f.source.split("def hessian")[-1]
    v = np.array([0.5, -1.0, 0.25, 2.0])
    plain = jax.hessian(lambda x: ((x[1:] - x[:-1] ** 2) ** 2).sum())
    np.testing.assert_allclose(f(x=v), plain(v), rtol=1e-5, atol=1e-5)


def test_the_outermost_places_are_added_first():
    """XLA on a CPU computes what comes back through three shifts in a third of the time then."""
    second = x[i + 1] - 2 * x[i] + x[i - 1]
    E = sa.define("E", (), sa.total(inner * second**4, i))
    f = sa.compile(sa.backward(sa.System(E), output="E", wrt="x"))
    before = [int(k) for k in re.findall(r"padded\(.*?\(-1, (\d), n\)\)", f.source)]
    assert before == [0, 2, 1]


@pytest.mark.parametrize("name", KEPT)
@pytest.mark.parametrize("other", [0, 1, -1, 3])
def test_masks_at_shifted_places(name, other):
    """∂²/∂x_i² Σ_k [k ≤ n − 2] x_{k+1}³ has Σ_k δ_{k(i−1)} [k ≤ n − 2], which is [i ≥ 1]."""
    mask, low, high, by = KEPT[name]
    by += other
    E = sa.define("E", (), sa.total(sa.iverson(mask) * x[i + by] ** 3, i))
    f = sa.compile(sa.hessian(sa.System(E), of="E", wrt="x"), target="numpy")
    for length in (1, 2, 3, 6):
        v = np.random.default_rng(length).normal(size=length)
        want = np.diag(6 * v * np.roll(places(length, low, high), by))
        np.testing.assert_allclose(f(x=v), want, rtol=1e-12)
