"""Contractions under an order go chunk by chunk, where no array has an entry for every pair."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import symattn as sa

from .conftest import seen

B, N, D, E = sa.sizes("B n d e")
(b,), (i, j, k), (a, c), (m,) = (
    sa.indices("b", B), sa.indices("i j k", N), sa.indices("a c", D), sa.indices("m", E)
)  # fmt: skip
Q, K, V = sa.tensor("Q", B, N, D), sa.tensor("K", B, N, D), sa.tensor("V", B, N, E)
q, kk = sa.tensor("q", N, D, positive=True), sa.tensor("k", N, D, positive=True)
v = sa.tensor("v", N, E)
ORDERS = {"≤": j <= i, "<": j < i, "≥": j >= i, ">": j > i}


def drawn(*shapes, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) for shape in shapes]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("n", [1, 129, 200])
def test_value_and_gradients_under_an_order(order, n):
    w = sa.iverson(ORDERS[order])
    O = sa.define("O", (b, i, m), sa.total(w * Q[b, i, a] * K[b, j, a] * V[b, j, m], j, a))
    system = sa.System(O)
    f = sa.compile(
        {"O": O, "bars": sa.backward(system, output="O", wrt=tuple("QKV"))}, given=system
    )
    dot = sa.compile(sa.jvp(system, output="O", wrt=tuple("QKV"))["O"])
    assert "ordered(" in f.source and "ordered(" in dot.source
    assert f.cost.largest.subs({N: 1000, B: 2, D: 3, E: 4}) < 10**5
    *x, up = drawn((2, n, 3), (2, n, 3), (2, n, 4), (2, n, 4))
    dots = drawn(*(y.shape for y in x), seed=1)
    with jax.enable_x64(True):

        def plain(Q, K, V):
            pairs = jnp.where(seen(n, order), jnp.einsum("bia,bja->bij", Q, K), 0)
            return jnp.einsum("bij,bjm->bim", pairs, V)

        wanted, back = jax.vjp(plain, *x)
        bars = back(jnp.asarray(up))
        given = dict(zip("QKV", x, strict=True))
        found = f(**given, O_bar=up)
        np.testing.assert_allclose(found["O"], wanted, atol=1e-11)
        for name, bar in zip("QKV", bars, strict=True):
            np.testing.assert_allclose(found["bars"][name], bar, atol=1e-11)
        moved = dot(**given, **{f"{n}_dot": d for n, d in zip("QKV", dots, strict=True)})
        np.testing.assert_allclose(moved, jax.jvp(plain, x, dots)[1], atol=1e-11)
        again = jax.vjp(lambda *x: f(**dict(zip("QKV", x, strict=True)), O_bar=up)["O"], *x)[1]
        for bar, one in zip(bars, again(jnp.asarray(up)), strict=True):
            np.testing.assert_allclose(one, bar, atol=1e-11)


def normalised():
    w = sa.define("w", (i, j), sa.iverson(j <= i) * sa.total(q[i, a] * kk[j, a], a))
    mean = sa.total(w[i, j] * v[j, m], j) / sa.total(w[i, k], k)
    O = sa.define("O", (i, m), mean)
    return sa.System(w, O, sa.define("F", (), sa.total(O[i, m] ** 2, i, m)))


def test_causal_linear_attention_and_a_product_with_its_hessian():
    system = normalised()
    h = sa.compile(sa.hvp(system, of="F", wrt="k"))
    assert "ordered(" in h.source and h.cost.largest.subs({N: 1000, D: 3, E: 4}) < 10**5
    n = 150
    x, y, z, dy = drawn((n, 3), (n, 3), (n, 4), (n, 3))
    x, y = np.abs(x), np.abs(y)

    def plain(y):
        w = jnp.where(seen(n, "≤"), x @ y.T, 0)
        return ((w @ z / w.sum(1)[:, None]) ** 2).sum()

    with jax.enable_x64(True):
        wanted = jax.jvp(jax.grad(plain), (y,), (dy,))[1]
        np.testing.assert_allclose(h(q=x, k=y, v=z, k_dot=dy), wanted, rtol=1e-9, atol=1e-10)


def test_accumulated_through_the_definitions():
    """A power of the result is a derivative that formulas multiply out."""
    O = sa.define("O", (i, m), sa.total(sa.iverson(j < i) * q[i, a] * kk[j, a] * v[j, m], j, a))
    F = sa.define("F", (), sa.total((1 + O[i, m]) ** 5, i, m))
    system = sa.System(O, F)
    f = sa.compile({"F": F, "bars": sa.backward(system, output="F", wrt=("k", "v"))}, given=system)
    n = 140
    x, y, z = drawn((n, 2), (n, 2), (n, 3))
    x, y, z = np.abs(x) / n, np.abs(y), z
    with jax.enable_x64(True):
        plain = lambda y, z: ((1 + jnp.where(seen(n, "<"), x @ y.T, 0) @ z) ** 5).sum()  # noqa: E731
        bars = jax.grad(plain, (0, 1))(y, z)
        found = f(q=x, k=y, v=z, F_bar=np.ones(()))["bars"]
        np.testing.assert_allclose(found["k"], bars[0], rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(found["v"], bars[1], rtol=1e-10, atol=1e-12)


def test_pairs_where_these_are_fewer():
    """More features than places: what is before a chunk would be larger than all pairs."""
    O = sa.define("O", (i, m), sa.total(sa.iverson(j <= i) * q[i, a] * kk[j, a] * v[j, m], j, a))
    f = sa.compile(O)
    x, y, z = drawn((150, 300), (150, 300), (150, 400))
    with jax.enable_x64(True):
        found = f(q=x, k=y, v=z)
    np.testing.assert_allclose(found, np.tril(x @ y.T) @ z, atol=1e-9)
    entries = jax.jit(lambda **x: f(**x)).lower(q=x, k=y, v=z).compile().memory_analysis()
    assert entries.temp_size_in_bytes < 4 * 150 * 400 * 4


def test_flash_and_leading_axes():
    system = normalised()
    dense, flash = sa.compile(system, output="O"), sa.compile(system, output="O", path="flash")
    assert "by_rows(" in flash.source and "ordered(" not in flash.source
    x, y, z = drawn((300, 3), (300, 3), (300, 4))
    given = {"q": np.abs(x), "k": np.abs(y), "v": z}
    np.testing.assert_allclose(dense(**given), flash(**given), rtol=1e-4, atol=1e-5)
    heads = sa.compile(system, output="O", batch=("h",))
    several = {name: jnp.stack([x, 2 * x + 1]) for name, x in given.items()}
    wanted = [dense(**{name: x[h] for name, x in several.items()}) for h in range(2)]
    np.testing.assert_allclose(heads(**several), jnp.stack(wanted), rtol=1e-4, atol=1e-5)


def test_half_precision_is_summed_in_float32():
    O = sa.define("O", (i, m), sa.total(sa.iverson(j <= i) * q[i, a] * kk[j, a] * v[j, m], j, a))
    ones = jnp.ones((1000, 1), jnp.bfloat16)
    found = sa.compile(O)(q=ones, k=ones, v=ones)
    assert found.dtype == jnp.bfloat16 and float(found[-1, 0]) == 1000
