"""path="flash" and path="auto"."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward
from symattn.errors import ShapeError, UnsupportedError

pytestmark = pytest.mark.usefixtures("double_precision")
m, n, p, r = sa.sizes("m n p r")
(x,), (y, z), (u,), (w,) = (
    sa.indices("x", m),
    sa.indices("y z", n),
    sa.indices("u", p),
    sa.indices("w", r),
)
keys, values, asked = sa.tensor("keys", p, n), sa.tensor("values", n, r), sa.tensor("class", m, p)
beta = sa.tensor("beta", positive=True)
ARRAYS = {"class": (4, 3), "keys": (3, 600), "values": (600, 5)}


def retrieval():
    """Transposed keys, other names, an inverse temperature, and a transposed result."""
    weight = sa.define("weight", (x, y), sp.exp(beta * asked[x, u] * keys[u, y]))
    out = sa.define(
        "out", (w, x), sa.total(weight[x, y] * values[y, w], y) / sa.total(weight[x, z], z)
    )
    return sa.System(weight, out)


def plain(asked, keys, values, beta):
    return (jax.nn.softmax(beta * asked @ keys, axis=-1) @ values).T


def test_flash_is_recognised_by_normal_form():
    rng = np.random.default_rng(0)
    arrays = {name: rng.normal(size=s) for name, s in ARRAYS.items()}
    f = compile(retrieval(), output="out", path="flash")
    want = plain(*arrays.values(), 0.7)
    np.testing.assert_allclose(f(**arrays, beta=0.7), want, rtol=1e-12)
    assert "symattn" not in f.source
    assert "lax.scan" in f.source
    with pytest.raises(ShapeError, match="the array 'beta' is missing"):
        f(**arrays)
    g = backward(retrieval(), output="out", wrt=("keys", "beta", "class"))
    upstream = rng.normal(size=(5, 4))
    got = compile(g, path="flash")(**arrays, beta=0.7, out_bar=upstream)
    _, pull = jax.vjp(plain, *arrays.values(), 0.7)
    bars = dict(zip(("class", "keys", "values", "beta"), pull(upstream), strict=True))
    for name in ("keys", "beta", "class"):
        np.testing.assert_allclose(got[name], bars[name], rtol=1e-9, atol=1e-11)


def test_flash_and_dense_agree(attention, arrays, upstream):
    g = backward(attention.system, output="O", wrt=("Q", "K", "V"))
    dense = compile(g)(**arrays, O_bar=upstream)
    flash = compile(g, path="flash")(**arrays, O_bar=upstream)
    for name in "QKV":
        np.testing.assert_allclose(flash[name], dense[name], rtol=1e-11, atol=1e-12)


def test_the_text_runs_alone(attention, arrays):
    f = compile(attention.system, output="O", path="flash")
    space: dict = {}
    exec(f.source, space)
    np.testing.assert_allclose(space["compute_O"](**arrays), f(**arrays), rtol=1e-12)


@pytest.mark.parametrize(
    "body",
    [
        lambda t: t.A[t.i, t.j] ** 2 * t.V[t.j, t.b],
        lambda t: t.A[t.i, t.j] * t.V[t.j, t.b] * 2,
        lambda t: sa.total(t.S[t.i, t.j] * t.V[t.j, t.b], t.j),
        lambda t: (
            sa.total(sp.exp(t.S[t.i, t.j]) * t.V[t.j, t.b], t.j)
            / sa.total(sp.exp(2 * t.S[t.i, t.l]), t.l)
        ),
        lambda t: sa.total(sa.iverson(t.j <= t.i) * t.A[t.i, t.j] * t.V[t.j, t.b], t.j),
    ],
)
def test_what_is_no_attention(attention, body):
    t = attention
    system = sa.System(t.S, t.A, sa.define("X", (t.i, t.b), body(t)))
    with pytest.raises(UnsupportedError) as caught:
        compile(system, output="X", path="flash")
    assert "softmax" in caught.value.expected
    assert "dense" in caught.value.mend
    assert compile(system, output="X", path="auto") is compile(system, output="X")


def test_auto_takes_flash_for_many_keys(attention):
    f = compile(attention.system, output="O", path="auto")
    rng = np.random.default_rng(0)

    def steps(keys):
        shapes = {"Q": (2, 3), "K": (keys, 3), "V": (keys, 4)}
        arrays = {k: jnp.asarray(rng.normal(size=s)) for k, s in shapes.items()}
        want = jax.nn.softmax(arrays["Q"] @ arrays["K"].T / np.sqrt(3), axis=-1) @ arrays["V"]
        np.testing.assert_allclose(f(**arrays), want, rtol=1e-11)
        return str(jax.make_jaxpr(lambda kw: f(**kw))(arrays))

    assert "scan" in steps(1024)
    assert "scan" not in steps(1023)
