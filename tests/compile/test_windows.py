"""Sums under r = i + t: attention in windows, sums over windows, and what comes back."""

from __future__ import annotations

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward, hvp, jvp

pytestmark = pytest.mark.usefixtures("double_precision")
n, s, d, e = sa.sizes("n s d e")
(i,), (t, u), (a,), (b,) = (
    sa.indices("i", n),
    sa.indices("t u", s),
    sa.indices("a", d),
    sa.indices("b", e),
)
Q, K, V = sa.tensor("Q", n, d), sa.tensor("K", n + s - 1, d), sa.tensor("V", n + s - 1, e)
S = sa.define("S", (i, t), sa.total(Q[i, a] * K[i + t, a], a))
A = sa.define("A", (i, t), sp.exp(S[i, t]) / sa.total(sp.exp(S[i, u]), u))
O = sa.define("O", (i, b), sa.total(A[i, t] * V[i + t, b], t))
attention = sa.System(S, A, O)
x = sa.tensor("x", n + s - 1)
means = sa.System(sa.define("y", (i,), sa.total(x[i + t], t) / s))
# (places, windows): one place, one window, more windows than places, more than are unrolled
SIZES = [(5, 3), (1, 4), (7, 1), (1, 1), (3, 40), (50, 41), (2, 7)]


def plain(Q, K, V):
    """Attention of every place to a window, looked up."""
    at = jnp.arange(len(Q))[:, None] + jnp.arange(len(K) - len(Q) + 1)
    A = jax.nn.softmax(jnp.einsum("ia,ita->it", Q, K[at]))
    return jnp.einsum("it,itb->ib", A, V[at])


def drawn(places, width, seed=0):
    rng = np.random.default_rng(seed)
    shapes = {"Q": (places, 2), "K": (places + width - 1, 2), "V": (places + width - 1, 3)}
    return {name: rng.normal(size=shape) / 2 for name, shape in shapes.items()}


@pytest.fixture(scope="module")
def whole():
    return compile({"O": O, "bars": backward(attention, output="O", wrt=("Q", "K", "V"))})


@pytest.mark.parametrize(("places", "width"), SIZES)
@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_attention_in_windows(whole, target, places, width):
    arrays = drawn(places, width)
    if target == "numpy":
        whole = compile(
            {"O": O, "bars": backward(attention, output="O", wrt=("Q", "K", "V"))}, target="numpy"
        )
    bar = np.random.default_rng(1).normal(size=(places, 3))
    got = whole(**arrays, O_bar=bar)
    want, pull = jax.vjp(plain, *arrays.values())
    np.testing.assert_allclose(got["O"], want, rtol=1e-11)
    for name, theirs in zip(arrays, pull(jnp.asarray(bar)), strict=True):
        np.testing.assert_allclose(got["bars"][name], theirs, rtol=1e-9, atol=1e-12)


def test_no_array_has_places_windows_and_features(whole):
    assert whole.source.count("= in_windows(") == 6
    assert "arange(" not in whole.source.split("def compute")[1]
    assert not whole.cost.largest.has(n * s * d)


@pytest.mark.parametrize(("places", "width"), SIZES)
def test_tangents_and_what_jax_makes_of_them(whole, places, width):
    arrays, along = drawn(places, width), drawn(places, width, seed=3)
    f = compile(jvp(attention, output="O", wrt=("Q", "K", "V"))["O"])
    _, want = jax.jvp(plain, tuple(arrays.values()), tuple(along.values()))
    got = f(**arrays, **{f"{name}_dot": v for name, v in along.items()})
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)
    value = compile(attention, output="O")
    _, ours = jax.jvp(lambda *v: value(**dict(zip(arrays, v, strict=True))),
                      tuple(arrays.values()), tuple(along.values()))  # fmt: skip
    np.testing.assert_allclose(ours, want, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("places", "width"), [(4, 3), (3, 5)])
def test_second_derivatives(places, width):
    L = sa.define("L", (), sa.total(O[i, b] ** 2, i, b) / 2)
    f = compile(hvp(attention.extended(L), of="L", wrt="K"))
    arrays = drawn(places, width)
    along = drawn(places, width, seed=4)["K"]

    def loss(K):
        return (plain(arrays["Q"], K, arrays["V"]) ** 2).sum() / 2

    _, want = jax.jvp(jax.grad(loss), (arrays["K"],), (along,))
    np.testing.assert_allclose(f(**arrays, K_dot=along), want, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("target", ["jax", "numpy"])
@pytest.mark.parametrize(("places", "width"), [*SIZES, (1, 64), (9, 63), (4, 128)])
def test_moving_averages_take_few_sums(target, places, width):
    f = compile(
        {"y": means["y"], "bars": backward(means, output="y", wrt="x")}, given=means, target=target
    )
    rng = np.random.default_rng(2)
    v, bar = rng.normal(size=places + width - 1), rng.normal(size=places)
    got = f(x=v, y_bar=bar)
    np.testing.assert_allclose(
        got["y"], [v[p : p + width].mean() for p in range(places)], rtol=1e-11, atol=1e-14
    )
    want = np.zeros_like(v)
    for p in range(places):
        want[p : p + width] += bar[p] / width
    np.testing.assert_allclose(got["bars"]["x"], want, rtol=1e-11, atol=1e-14)


def test_moving_averages_in_half_precision_are_those_of_single():
    f = compile(means, output="y")
    v = np.random.default_rng(3).normal(size=300).astype(np.float16) + np.float16(8)
    got = f(x=v, n=200)
    want = [v[p : p + 101].astype(float).mean() for p in range(200)]
    assert got.dtype == jnp.float16
    np.testing.assert_allclose(got, np.asarray(want, np.float16), rtol=1e-3)


def test_no_places_and_no_features(whole):
    empty = {"Q": np.ones((0, 2)), "K": np.ones((2, 2)), "V": np.ones((2, 3))}
    got = whole(**empty, O_bar=np.ones((0, 3)))
    assert got["O"].shape == (0, 3)
    np.testing.assert_array_equal(got["bars"]["K"], np.zeros((2, 2)))
    none = drawn(4, 3) | {"Q": np.ones((4, 0)), "K": np.ones((6, 0))}
    got = whole(**none, O_bar=np.ones((4, 3)))
    np.testing.assert_allclose(got["O"][0], none["V"][:3].mean(0))


@pytest.mark.parametrize("names", ["batch", "some"])
def test_leading_axes(names):
    leading = ("z",) if names == "batch" else {"z": ("Q", "V")}
    f = compile(attention, output="O", batch=leading)
    one = drawn(5, 3)
    many = {k: np.stack([v, 2 * v]) if names == "batch" or k != "K" else v for k, v in one.items()}
    got = f(**many)
    for k in (0, 1):
        own = {x: v[k] if v.ndim == 3 else v for x, v in many.items()}
        np.testing.assert_allclose(got[k], plain(**own), rtol=1e-11)


def test_lengths_without_a_value(whole):
    """What jax.export makes of it, for every length."""
    places, width = jax.export.symbolic_shape("p, w", constraints=["p >= 1", "w >= 1"])
    own = {"Q": (places, 2), "K": (places + width - 1, 2), "V": (places + width - 1, 3)}
    specs = {k: jax.ShapeDtypeStruct(shape, jnp.float64) for k, shape in own.items()}
    specs["O_bar"] = jax.ShapeDtypeStruct((places, 3), jnp.float64)
    exported = jax.export.export(jax.jit(lambda **x: whole(**x)))(**specs)
    arrays = drawn(6, 4) | {"O_bar": np.ones((6, 3))}
    want = whole(**arrays)
    got = exported.call(**arrays)
    for ours, theirs in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12)


def test_derivatives_go_through_the_definitions(whole):
    y = sa.define("y", (i,), sp.sin(sa.total(Q[i, a] * K[i + t, a], a, t)))
    L = sa.define("L", (), sa.total(y[i] ** 4, i))
    system = sa.System(y, L)
    f = compile(backward(system, output="L", wrt=("Q", "K")))
    one = {k: v for k, v in drawn(6, 3).items() if k != "V"}

    def loss(Q, K):
        total = sum(jnp.sin(sum(Q[p] @ K[p + w] for w in range(3))) ** 4 for p in range(6))
        return total

    want = jax.grad(loss, (0, 1))(*one.values())
    got = f(**one, L_bar=1.0)
    for name, theirs in zip("QK", want, strict=True):
        np.testing.assert_allclose(got[name], theirs, rtol=1e-9, atol=1e-12)


def test_lookups_that_go_around_are_no_windows():
    """x_{i+t} along an axis that is shorter than n + s - 1 counts modulo its length."""
    short = sa.tensor("x", n + s - 2)
    f = compile(sa.define("y", (i,), sa.total(short[i + t], t)))
    assert "in_windows" not in f.source
    v = np.arange(6.0)
    want = [sum(v[(p + w) % 6] for w in range(3)) for p in range(5)]
    np.testing.assert_allclose(f(x=v, n=5), want)
    square = sa.tensor("x", 2 * n - 1)
    (j,) = sa.indices("j", n)
    hankel = compile(sa.define("Y", (i, a), sa.total(square[i + j] * Q[i, a] * Q[j, a], j)))
    assert "in_windows" not in hankel.source


def test_how_often_a_place_is_read():
    """What comes back where nothing of i and t stands beside x_{i+t}: as many as there are."""
    z = sa.define("z", (), sa.total(x[i + t], i, t))
    f = compile(backward(sa.System(z), output="z", wrt="x"))
    np.testing.assert_allclose(f(n=3, s=2, z_bar=2.0)["x"], [2, 4, 4, 2])
    w = sa.define("w", (), sp.sin(z[()]) * sa.total(Q[i, a], i, a))
    g = compile(backward(sa.System(z, w), output="w", wrt="x"))
    given, q = np.array([0.1, 0.2, -0.3, 0.4]), np.ones((3, 2))
    total = given @ [1, 2, 2, 1]
    want = 6 * np.cos(total) * np.array([1, 2, 2, 1])
    np.testing.assert_allclose(g(x=given, Q=q, w_bar=1.0)["x"], want, rtol=1e-12)


@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_a_letter_that_nothing_has_is_counted_once(target):
    """Σ_f Σ_jc Z_{j+c} is three times Σ_jc Z_{j+c}, where f has three values."""
    m, n = sa.sizes("m n")
    (c,), (f,), (j,) = sa.indices("c", m), sa.indices("f", 3), sa.indices("j", n)
    Z = sa.tensor("Z", m + n - 1)
    system = sa.System(sa.define("s", (), sa.total(sa.total(Z[j + c], j, c), f)))
    function = compile(system, output="s", target=target)
    z = np.array([0.3, -1.2, 2.5, 0.7, 1.1])
    want = 3 * sum(z[p + q] for p in range(4) for q in range(2))
    np.testing.assert_allclose(function(Z=z, m=2), want, rtol=1e-6)


@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_a_letter_of_a_constant_is_counted(target):
    """Σ_jb W_kj Z_{k+b} with W_kj = 1 is n Σ_b Z_{k+b}."""
    m, n = sa.sizes("m n")
    (b,), (j, k) = sa.indices("b", m), sa.indices("j k", n)
    Z = sa.tensor("Z", m + n - 1)
    ones = sa.define("W", (k, j), sp.Integer(1))
    system = sa.System(ones, sa.define("y", (k,), sa.total(ones[k, j] * Z[k + b], j, b)))
    z = np.array([0.3, -1.2, 2.5, 0.7, 1.1])
    want = [4 * (z[p] + z[p + 1]) for p in range(4)]
    function = compile(system, output="y", target=target)
    np.testing.assert_allclose(function(Z=z, m=2), want, rtol=1e-6)


def test_an_upstream_number_need_not_be_an_array():
    l, j, p = sa.indices("l j p", n)
    k = sa.indices("k", s)[0]
    z = sa.tensor("z", n + s - 1)
    D = sa.define("D", (k, j), sa.total(sa.iverson(l < j) * sa.total(z[l + t], t), l))
    L = sa.define("L", (), sa.total(D[k, p] * z[p + k], k, p))
    f = compile(backward(sa.System(D, L), output="L", wrt=("z",)), target="numpy")
    values = np.random.default_rng(3).normal(size=6)
    given = {"z": values, **{name: 3 for name in f.inputs if name in ("n", "s")}}
    from_number = f(**given, L_bar=2.0)["z"]
    from_array = f(**given, L_bar=np.array(2.0))["z"]
    np.testing.assert_allclose(from_number, from_array, rtol=1e-12)
