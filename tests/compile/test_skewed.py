"""Tables read at distances: without indices, and of a block of rows the part that it needs."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.compile.function import load
from symattn.derive import backward

pytestmark = pytest.mark.usefixtures("double_precision")
n, m, d, c, h = sa.sizes("n m d c h")
(i, k), (j, l), (a,), (b,), (e,) = (
    sa.indices("i k", n), sa.indices("j l", m), sa.indices("a", d), sa.indices("b", c),
    sa.indices("e", h),
)  # fmt: skip
Q, K, V = sa.tensor("Q", n, d), sa.tensor("K", m, d), sa.tensor("V", m, c)
SIZES = {"n": 11, "m": 14, "d": 2, "c": 3, "h": 2}
# the place in a table at which it is read, how long it is, and whether blocks need a band of it
PLACES = {
    "from the last key": (i - j + m - 1, n + m - 1, True),
    "to the keys": (i + j + 1, n + m + 1, True),
    "from the rows": (j - i + n - 1, n + m - 1, False),
    "backwards": (n + m - 2 - i - j, n + m - 1, False),
    "in a longer table": (i - j + m, 2 * n + 2 * m, True),
    "around the end": (i - j + m - 1, n, False),
}


def system(place, length):
    """Softmax over keys of what a query gives for every place, and all gradients."""
    R = sa.tensor("R", length, d)
    S = sa.define("S", (i, j), Q[i, a] * K[j, a] + sa.total(Q[i, a] * R[place, a], a))
    A = sa.define("A", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, l]), l))
    O = sa.define("O", (i, b), A[i, j] * V[j, b])
    return sa.System(S, A, O)


def drawn(f):
    rng = np.random.default_rng(3)
    sizes = {x: SIZES[str(x)] for x in (n, m, d, c, h)}
    return {x: rng.normal(size=[int(s.subs(sizes)) for s in f.inputs[x]]) for x in f.inputs}


def in_rows(f, rows):
    """The function in blocks of so many rows."""
    assert "by_rows" in f.source
    text = f.source.replace("block = min(128, max(1, count // 2))", f"block = {rows}")
    assert text != f.source
    return load(text, f.name)


@pytest.mark.parametrize("rows", (3, 4))
@pytest.mark.parametrize("name", PLACES)
def test_tables_at_distances(name, rows):
    place, length, banded = PLACES[name]
    own = system(place, length)
    what = {"O": own["O"], "g": backward(own, output="O", wrt=("Q", "K", "V", "R"))}
    f, right = (compile(what, given=own, path=p, target=t) for p, t in (
        ("flash", "jax"), ("dense", "numpy")))  # fmt: skip
    assert ("near=(R, " in f.source) is banded
    assert ("= skewed(" in f.source) is (name != "around the end")
    arrays = drawn(right)
    jax.tree.map(
        lambda x, y: np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-12),
        in_rows(f, rows)(**arrays), right(**arrays),
    )  # fmt: skip
    dense = compile(what, given=own)(**arrays)
    jax.tree.map(
        lambda x, y: np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-12),
        dense, right(**arrays),
    )  # fmt: skip


def test_what_jax_makes_of_them():
    own = system(*PLACES["from the last key"][:2])
    f, right = compile(own, output="O", path="flash"), compile(own, output="O", target="numpy")
    x, dots = drawn(right), drawn(right)
    short = in_rows(f, 3)
    whole = compile(own, output="O")

    def hvp(g):
        return jax.jvp(jax.grad(lambda x: (g(**x) ** 3).sum()), (x,), (dots,))[1]

    jax.tree.map(
        lambda x, y: np.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-10),
        hvp(short), hvp(whole),
    )  # fmt: skip


def test_heads_beside_distances():
    """Axes before those of the rows stay where they are."""
    q, r = sa.tensor("q", h, n, d), sa.tensor("r", h, n + m - 1, d)
    S = sa.define("S", (e, i, j), sa.total(q[e, i, a] * r[e, i - j + m - 1, a], a))
    T = sa.define("T", (e, i, j), sp.tanh(S[e, i, j]) * Q[i, a] * K[j, a])
    own = sa.System(S, T, sa.define("O", (e, i, b), T[e, i, j] * V[j, b]))
    what = backward(own, output="O", wrt=("q", "r"))
    f, right = compile(what), compile(what, target="numpy")
    assert "skewed(" in f.source
    arrays = drawn(right)
    for x, want in right(**arrays).items():
        np.testing.assert_allclose(f(**arrays)[x], want, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("sizes", ({"m": 0}, {"n": 1, "m": 1}, {"n": 1}, {"m": 1}, {"d": 0}))
def test_short_axes(sizes, monkeypatch):
    for x, size in sizes.items():
        monkeypatch.setitem(SIZES, x, size)
    own = system(i - j + m, n + m + 1)
    f, right = compile(own, output="O", path="flash"), compile(own, output="O", target="numpy")
    arrays = drawn(right)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(f(**arrays), right(**arrays), rtol=1e-11, atol=1e-12)
