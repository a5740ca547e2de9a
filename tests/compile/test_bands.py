"""Keys that a mask hides from a block of rows are not gone through."""

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
n, m, d, c, w = sa.sizes("n m d c w")
(i,), (j, l) = sa.indices("i", n), sa.indices("j l", m)
(a,), (b,) = sa.indices("a", d), sa.indices("b", c)
Q, K, V = sa.tensor("Q", n, d), sa.tensor("K", m, d), sa.tensor("V", m, c)


def attention(mask, everywhere=False):
    """Attention under a mask, or with weights that are masked after they are normalised."""
    keep = (lambda l: 1) if everywhere else mask
    S = sa.define("S", (i, j), Q[i, a] * K[j, a])
    A = sa.define("A", (i, j), mask(j) * sp.exp(S[i, j]) / sa.total(keep(l) * sp.exp(S[i, l]), l))
    O = sa.define("O", (i, b), A[i, j] * V[j, b])
    system = sa.System(S, A, O)
    return {"O": O, "g": backward(system, output="O", wrt=("Q", "K", "V"))}, system


MASKS = {
    "causal": (lambda j: sa.iverson(j <= i), "below=None above=0"),
    "strictly causal": (lambda j: sa.iverson(j < i), "below=None above=-1"),
    "what follows": (lambda j: sa.iverson(j >= i), "below=0 above=None"),
    "a window": (lambda j: sa.iverson(j <= i) * sa.iverson(i - j < w), "below=w - 1 above=0"),
    "both sides": (lambda j: sa.iverson(j <= i + 2) * sa.iverson(i <= j + 1), "below=1 above=2"),
    "aligned at the end": (lambda j: sa.iverson(j <= i + m - n), "below=None above=m - n"),
}


@pytest.mark.parametrize("name", MASKS)
def test_bands(name):
    mask, ends = MASKS[name]
    what, system = attention(mask)
    f = compile(what, given=system, path="flash")
    lines = [line.strip().rstrip(",") for line in f.source.splitlines()]
    found = [line for line in lines if line.startswith(("below=", "above="))]
    assert " ".join(found) == ends
    f = _short(f)
    sizes = {"n": 11, "m": 14, "d": 2, "c": 3}
    rng = np.random.default_rng(1)
    arrays = {
        x: rng.normal(size=[sizes[s] for s in shape])
        for x, shape in {"Q": "nd", "K": "md", "V": "mc", "O_bar": "nc"}.items()
    }
    size = {"w": 3} if name == "a window" else {}
    want = compile(what, given=system, target="numpy")(**arrays, **size)
    jax.tree.map(
        lambda x, y: np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-12),
        f(**arrays, **size),
        want,
    )


def _short(f):
    """The function with blocks of two rows."""
    text = f.source.replace("min(128,", "min(2,")
    assert text != f.source
    sizes = [name for name, shape in f.inputs.items() if not shape]
    return jax.jit(load(text, f.name), static_argnames=sizes)


def test_weights_that_are_normalised_without_the_mask_need_all_keys():
    what, system = attention(MASKS["causal"][0], everywhere=True)
    f = compile(what["O"], given=system, path="flash")
    assert "near=" not in f.source
    rng = np.random.default_rng(1)
    q, k, v = (rng.normal(size=s) for s in ((11, 2), (14, 2), (14, 3)))
    A = jax.nn.softmax(q @ k.T, axis=1) * np.tri(11, 14)
    np.testing.assert_allclose(_short(f)(Q=q, K=k, V=v), A @ v, rtol=1e-12)


def test_an_array_of_rows_and_keys_is_taken_with_all_keys():
    """A second mask that is given as an array, beside the causal one."""
    M = sa.tensor("M", n, m, positive=True)
    what, system = attention(lambda j: M[i, j] * MASKS["causal"][0](j))
    f = _short(compile(what["O"], given=system, path="flash"))
    rng = np.random.default_rng(2)
    q, k, v = (rng.normal(size=s) for s in ((11, 2), (14, 2), (14, 3)))
    weights = rng.uniform(0.1, 1, (11, 14)) * np.tri(11, 14)
    A = weights * np.exp(q @ k.T)
    want = A / A.sum(1, keepdims=True) @ v
    got = f(Q=q, K=k, V=v, M=np.where(weights > 0, weights, 0.5))
    np.testing.assert_allclose(got, want, rtol=1e-12)


def test_keys_that_are_read_elsewhere_are_no_band():
    """A block of rows has no key beyond its band, which a lookup along the keys would read."""
    S = sa.define("S", (i, j), Q[i, a] * K[j, a])
    E = sa.define("E", (i, j), sa.iverson(j <= i) * sp.exp(S[i, j]))
    A = sa.define("A", (i, j), E[i, j] / sa.total(E[i, l], l))
    B = sa.define("B", (i, l), sp.sin(A[i, l + 1]) + A[i, l + 1] ** 2)
    system = sa.System(S, E, A, B, sa.define("O", (i, b), B[i, l] * V[l, b]))
    f, right = (
        compile(system, output="O", path="flash"),
        compile(system, output="O", target="numpy"),
    )
    assert "by_rows" in f.source
    rng = np.random.default_rng(2)
    arrays = {x: rng.normal(size=s) for x, s in {"Q": (11, 2), "K": (14, 2), "V": (14, 3)}.items()}
    np.testing.assert_allclose(_short(f)(**arrays), right(**arrays), rtol=1e-11, atol=1e-12)
