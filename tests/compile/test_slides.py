"""Sums over windows as convolutions: values, gradients, batches; and what is no window."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward

pytestmark = pytest.mark.usefixtures("double_precision")
h, v, c, o, p, q, z = sa.sizes("h v c o p q z")
(i,), (j,), (k,), (m,), (b,) = (
    sa.indices("i", h - p + 1),
    sa.indices("j", v - q + 1),
    sa.indices("k", c),
    sa.indices("m", o),
    sa.indices("b", z),
)
(s,), (t,) = sa.indices("s", p), sa.indices("t", q)
X, W = sa.tensor("X", z, c, h, v), sa.tensor("W", o, c, p, q)


def windows(x, w):
    """Every window of the last two axes, by NumPy."""
    view = np.lib.stride_tricks.sliding_window_view(x, w.shape[-2:], (-2, -1))
    return np.einsum("bkijst,mkst->bmij", view, w)


@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_images_with_channels_in_a_batch(target):
    Y = sa.define("Y", (b, m, i, j), sa.total(X[b, k, i + s, j + t] * W[m, k, s, t], k, s, t))
    system = sa.System(Y)
    f = compile(system, output="Y", target=target)
    g = compile(backward(system, output="Y", wrt=("X", "W")), target=target)
    assert f.source.count("= slide(") == 1 and g.source.count("= slide(") == 2
    rng = np.random.default_rng(2)
    x, w = rng.normal(size=(4, 2, 7, 6)), rng.normal(size=(3, 2, 3, 2))
    np.testing.assert_allclose(f(X=x, W=w), windows(x, w), rtol=1e-12)
    bar = rng.normal(size=(4, 3, 5, 5))
    got = g(X=x, W=w, Y_bar=bar)

    def textbook(x, w):
        return jax.lax.conv(x, w, (1, 1), "VALID")

    pull = jax.jit(lambda x, w: jax.vjp(textbook, x, w)[1](bar))
    for name, want in zip(("X", "W"), pull(x, w), strict=True):
        np.testing.assert_allclose(got[name], want, rtol=1e-11, atol=1e-12)


def test_steps_of_two_are_no_window():
    n, w = sa.sizes("n w")
    (r,), (u,) = sa.indices("r", n), sa.indices("u", w)
    x, y = sa.tensor("x", 2 * n + w - 2), sa.tensor("y", w)
    f = compile(sa.System(sa.define("Y", (r,), sa.total(x[2 * r + u] * y[u], u))), output="Y")
    assert "slide(" not in f.source
    rng = np.random.default_rng(2)
    a, kernel = rng.normal(size=11), rng.normal(size=3)
    want = np.convolve(a, kernel[::-1], "valid")[::2]
    np.testing.assert_allclose(f(x=a, y=kernel), want, rtol=1e-12)


def test_a_longer_axis_and_a_layer_of_tanh():
    """x may be longer than its windows reach; gradients go through what is around the sum."""
    n, w = sa.sizes("n w")
    (r,), (u,) = sa.indices("r", n - w), sa.indices("u", w)
    x, y = sa.tensor("x", n), sa.tensor("y", w)
    H = sa.define("H", (r,), sp.tanh(sa.total(x[r + u] * y[u], u)))
    g = compile(backward(sa.System(H), output="H", wrt=("x", "y")))
    rng = np.random.default_rng(2)
    a, kernel, bar = rng.normal(size=9), rng.normal(size=3), rng.normal(size=6)

    def textbook(a, kernel):
        return jax.numpy.tanh(jax.numpy.convolve(a, kernel[::-1], "valid")[:-1])

    pull = jax.jit(lambda a, kernel: jax.vjp(textbook, a, kernel)[1](bar))
    got = g(x=a, y=kernel, H_bar=bar)
    for name, want in zip("xy", pull(a, kernel), strict=True):
        np.testing.assert_allclose(got[name], want, rtol=1e-11, atol=1e-12)


N, S, D, E = sa.sizes("N S D E")
(f,), (u,), (a,), (e,) = (
    sa.indices("f", N), sa.indices("u", S), sa.indices("a", D), sa.indices("e", E)
)  # fmt: skip
x, w, wide, narrow = (
    sa.tensor("x", N, D),
    sa.tensor("w", S, D),
    sa.tensor("w", S, D, E),
    sa.tensor("w", S),
)
PAST = sa.iverson(f + u <= N - 1)
ENDS = {  # a sum over windows, and where it is one of ours: which way it goes, and its letters
    "before, along": (
        lambda: ((f, a), sa.iverson(u <= f) * x[f - u, a] * w[u, a]), -1, "fa,ua->fa"
    ),
    "before, channels": (
        lambda: ((f, e), sa.iverson(u <= f) * x[f - u, a] * wide[u, a, e]), -1, "fa,uae->fe"
    ),
    "before, alone": (
        lambda: ((f, a), sa.iverson(u <= f) * x[f - u, a] * narrow[u]), -1, "fa,u->fa"
    ),
    "behind, along": (lambda: ((f, a), PAST * x[f + u, a] * w[u, a]), 1, "fa,ua->fa"),
    "behind, channels": (lambda: ((f, e), PAST * x[f + u, a] * wide[u, a, e]), 1, "fa,uae->fe"),
    "strictly before": (
        lambda: ((f, a), sa.iverson(u <= f - 1) * x[f - u, a] * w[u, a]), None, ""
    ),
    "around": (lambda: ((f, a), x[f - u, a] * w[u, a]), None, ""),
    "two masks": (
        lambda: ((f, a), sa.iverson(u <= f) * sa.iverson(u >= 1) * x[f - u, a] * w[u, a]), None, ""
    ),
}  # fmt: skip


def over_ends(name, x, w):
    """The same with loops."""
    formula, letters = ENDS[name][2] or "fa,ua->fa", name.split(",")[0]
    step = 1 if letters == "behind" else -1
    inputs, out = formula.split("->")
    first, second = inputs.split(",")
    rows = []
    for n in range(len(x)):
        row = 0
        for k in range(len(w)):
            at = n + step * k
            inside = 0 <= at < len(x)
            if letters == "strictly before":
                inside = k <= n - 1
            if letters == "around":
                inside, at = True, at % len(x)
            if letters == "two masks":
                inside = 1 <= k <= n
            one = jax.numpy.einsum(f"{first[1:]},{second[1:]}->{out[1:]}", x[at % len(x)], w[k])
            row = row + inside * one
        rows.append(row)
    return jax.numpy.stack(rows)


@pytest.mark.parametrize("name", ENDS)
@pytest.mark.parametrize(("long", "short"), [(7, 3), (4, 6)])
def test_windows_over_an_end(name, long, short):
    """Windows that reach over an end, with the gradients, and near misses that are none."""
    make, reach, _ = ENDS[name]
    indices, value = make()
    bound = [y for y in (u, a) if y not in indices]
    system = sa.System(sa.define("Y", indices, sa.total(value, *bound)))
    both = {"Y": system["Y"], "bars": backward(system, output="Y", wrt=("x", "w"))}
    g = compile(both, given=system)
    text = g.source.split("def compute")[1]
    windows = text.count("= slide(") + text.count("= windowed(")
    assert windows == 3 if reach else windows < 2
    rng = np.random.default_rng(2)
    shapes = {"w": tuple({"S": short, "D": 2, "E": 5}[str(n)] for n in g.inputs["w"])}
    own = {"x": rng.normal(size=(long, 2)), "w": rng.normal(size=shapes["w"])}
    want, pull = jax.vjp(lambda x, w: over_ends(name, x, w), own["x"], own["w"])
    bar = rng.normal(size=want.shape)
    got = g(**own, Y_bar=bar)
    np.testing.assert_allclose(got["Y"], want, rtol=1e-11, atol=1e-12)
    for key, expected in zip(("x", "w"), pull(bar), strict=True):
        np.testing.assert_allclose(got["bars"][key], expected, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("target", ["jax", "numpy"])
@pytest.mark.parametrize(("long", "short"), [(5, 3), (80, 70), (70, 100)])
def test_windows_along_with_the_result(target, long, short):
    """Of several axes and in a batch; many steps are a loop in the program."""
    x, w = sa.tensor("x", N + S - 1, D), sa.tensor("w", S, D)
    Y = sa.define("Y", (f, a), sa.total(x[f + u, a] * w[u, a], u))
    g = compile(backward(sa.System(Y), output="Y", wrt=("x", "w")), target=target)
    rng = np.random.default_rng(2)
    own = {"x": rng.normal(size=(long + short - 1, 2)), "w": rng.normal(size=(short, 2))}
    bar = rng.normal(size=(long, 2))
    got = g(**own, Y_bar=bar)
    view = np.lib.stride_tricks.sliding_window_view(own["x"], short, 0)
    np.testing.assert_allclose(got["w"], np.einsum("iat,ia->ta", view, bar), rtol=1e-10, atol=1e-11)
    want = [np.convolve(bar[:, k], own["w"][:, k]) for k in range(2)]
    np.testing.assert_allclose(got["x"], np.stack(want, 1), rtol=1e-10, atol=1e-11)


def test_images_window_by_window():
    """Depthwise, two axes of windows, a leading axis; and axes of length 0."""
    Z, V = sa.tensor("X", c, h, v), sa.tensor("W", c, p, q)
    Y = sa.define("Y", (k, i, j), sa.total(Z[k, i + s, j + t] * V[k, s, t], s, t))
    g = compile(sa.System(Y), output="Y", batch=("z",))
    rng = np.random.default_rng(2)
    x, w = rng.normal(size=(2, 3, 7, 6)), rng.normal(size=(2, 3, 3, 2))
    view = np.lib.stride_tricks.sliding_window_view(x, w.shape[-2:], (-2, -1))
    want = np.einsum("bkijst,bkst->bkij", view, w)
    np.testing.assert_allclose(g(X=x, W=w), want, rtol=1e-12)
    make, *_ = ENDS["before, along"]
    indices, value = make()
    system = sa.System(sa.define("Y", indices, sa.total(value, u)))
    both = {"Y": system["Y"], "bars": backward(system, output="Y", wrt=("x", "w"))}
    for shape in ((0, 3, 2), (4, 0, 2), (4, 3, 0)):
        n, width, d = shape
        x, w = np.ones((n, d)), np.ones((width, d))
        got = compile(both, given=system)(x=x, w=w, Y_bar=x)
        assert got["bars"]["x"].shape == x.shape and got["bars"]["w"].shape == w.shape
        assert not np.any(got["Y"]) or shape[1]


@pytest.mark.parametrize("sign", [-1, 1])
def test_weights_of_places_are_no_window(sign):
    """Σ_t x_{i±t} w_it: the weights go along with the places."""
    x, w = sa.tensor("x", N), sa.tensor("w", N, S)
    mask = PAST if sign > 0 else sa.iverson(u <= f)
    Y = sa.define("Y", (f,), sa.total(mask * x[f + sign * u] * w[f, u], u))
    T = sa.define("T", (u,), sa.total(mask * x[f + sign * u] * w[f, u], f))
    both = sa.System(Y, T)
    rng = np.random.default_rng(2)
    own = {"x": rng.normal(size=7), "w": rng.normal(size=(7, 3))}
    places = np.arange(7)[:, None] + sign * np.arange(3)
    every = np.where((places >= 0) & (places < 7), own["x"][places % 7], 0) * own["w"]
    got = compile({"Y": Y, "T": T}, given=both)(**own)
    np.testing.assert_allclose(got["Y"], every.sum(1), rtol=1e-11)
    np.testing.assert_allclose(got["T"], every.sum(0), rtol=1e-11)


# ---------------------------------------------------- one channel: few windows, and eight places


@pytest.mark.parametrize(
    ("places", "width"), [(1, 5), (7, 70), (63, 33), (64, 33), (65, 32), (70, 1), (200, 70)]
)
@pytest.mark.parametrize("features", [None, 3])
def test_one_channel(places, width, features):
    """Slices for few windows, eight places at a time for many, and whatever XLA has between."""
    r, u, f = (sa.indices(x, size)[0] for x, size in zip("ruf", sa.sizes("n w f"), strict=True))
    n, w, e = (x.upper + 1 for x in (r, u, f))
    x = sa.tensor("x", n + w - 1)
    y = sa.tensor("y", w) if features is None else sa.tensor("y", w, e)
    out, read = ((r,), y[u]) if features is None else ((r, f), y[u, f])
    system = sa.System(sa.define("Y", out, sa.total(x[r + u] * read, u)))
    both = compile(
        {"Y": system["Y"], "bars": backward(system, output="Y", wrt=("x", "y"))}, given=system
    )
    rng = np.random.default_rng(places + width)
    a = rng.normal(size=places + width - 1)
    b = rng.normal(size=(width,) if features is None else (width, features))
    bar = rng.normal(size=(places,) if features is None else (places, features))
    got = both(x=a, y=b, Y_bar=bar)
    seen = np.lib.stride_tricks.sliding_window_view(a, width)
    np.testing.assert_allclose(got["Y"], seen @ b, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(got["bars"]["y"], seen.T @ bar, rtol=1e-10, atol=1e-11)
    want = np.zeros_like(a)
    for k in range(places):
        want[k : k + width] += (b * bar[k]) if features is None else b @ bar[k]
    np.testing.assert_allclose(got["bars"]["x"], want, rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("shape", [(9, 70, 3, 5), (9, 130, 7, 9), (66, 8, 2, 3), (3, 64, 1, 1)])
def test_images_of_one_channel_in_single_and_half_precision(shape):
    height, length, p_, q_ = shape
    x, y = sa.tensor("x", h, v), sa.tensor("y", p, q)
    f = compile(sa.define("Y", (i, j), sa.total(x[i + s, j + t] * y[s, t], s, t)))
    rng = np.random.default_rng(5)
    a = rng.normal(size=(height + p_ - 1, length + q_ - 1))
    b = rng.normal(size=(p_, q_))
    want = np.einsum("ijst,st->ij", np.lib.stride_tricks.sliding_window_view(a, (p_, q_)), b)
    for dtype, bound in (("float64", 1e-12), ("float32", 2e-6), ("float16", 4e-3)):
        got = f(x=a.astype(dtype), y=b.astype(dtype))
        assert got.dtype == dtype
        scale = np.abs(want).max()
        np.testing.assert_allclose(got, want, rtol=bound, atol=bound * scale)


@pytest.mark.parametrize("places", [1, 3, 6])
def test_windows_that_are_longer_than_what_they_are_spread_over(places):
    """Σ_i x_ib w_t at i + t, of features beside: the shorter one of i and t is the window."""
    n, w, e = sa.sizes("n w e")
    (r,), (u,), (f,), (g,) = (
        sa.indices(x, size) for x, size in zip("rufg", (n, w, e, n + w - 1), strict=True)
    )
    x, y = sa.tensor("x", n, e), sa.tensor("y", w)
    spread = sa.define("Y", (g, f), sa.total(x[r, f] * y[u] * sa.delta(g, r + u), r, u))
    both = compile(spread)
    a, b = np.arange(2.0 * places).reshape(places, 2) + 1, np.array([3.0, -1, 2, 5])
    assert "slide(" in both.source
    want = np.stack([np.convolve(a[:, k], b) for k in (0, 1)], 1)
    np.testing.assert_allclose(both(x=a, y=b), want, rtol=1e-12)
