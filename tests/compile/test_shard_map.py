"""Compiled functions inside `jax.shard_map`, which knows what differs from device to device."""

from __future__ import annotations

from functools import partial

import jax
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile

pytestmark = pytest.mark.usefixtures("double_precision")
n, m, d = sa.sizes("n m d")
(i,), (j, l), (a,) = sa.indices("i", n), sa.indices("j l", m), sa.indices("a", d)
Q, K, w, M = sa.tensor("Q", n, d), sa.tensor("K", m, d), sa.tensor("w", m), sa.tensor("M", n, m)
T = sa.tensor("T", n + m - 1, d)
DOT = Q[i, a] * K[j, a]
# a score, and what it is weighed with
SCORES = {
    "weights of keys": (DOT, w[j]),
    "an array as a mask": (DOT, sa.iverson(M[i, j] > 0)),
    "causal": (DOT, sa.iverson(j <= i)),
    "at distances": (DOT + sa.total(Q[i, a] * T[i - j + m - 1, a], a), 1),
    "of differences": (-sa.total((Q[i, a] - K[j, a]) ** 2, a), 1),
}


@pytest.mark.parametrize("path", ("dense", "flash"))
@pytest.mark.parametrize("name", SCORES)
def test_gradients_inside_shard_map(name, path):
    """Blocks of rows begin with one that may be empty, and has to be of a type with the others."""
    score, weight = SCORES[name]
    S = sa.define("S", (i, j), score)
    E = sa.define("E", (i, j), weight * sp.exp(S[i, j]))
    O = sa.define("O", (i, a), sa.total(E[i, j] * K[j, a], j) / sa.total(E[i, l], l))
    f = compile(sa.System(S, E, O), output="O", path=path)
    rng = np.random.default_rng(0)
    sizes = {n: 6, m: 7, d: 2}
    x = {k: rng.normal(size=[int(s.subs(sizes)) for s in shape]) for k, shape in f.inputs.items()}
    if "w" in x:
        x["w"] = np.abs(x["w"]) * (np.arange(7) != 3)
    if "M" in x:
        x["M"][:, 2] = 1
    mesh = jax.make_mesh((1,), ("z",), axis_types=(jax.sharding.AxisType.Auto,))
    shared = partial(jax.shard_map, mesh=mesh, in_specs=(jax.P("z"),), out_specs=jax.P("z"))
    inside = shared(lambda x: f(**jax.tree.map(lambda y: y[0], x))[None])
    own = jax.tree.map(lambda y: y[None], x)

    def gradient(g, x):
        return jax.grad(lambda x: (g(x) ** 2).sum())(x)

    got = jax.tree.map(lambda y: y[0], jax.jit(partial(gradient, inside))(own))
    jax.tree.map(
        lambda y, z: np.testing.assert_allclose(y, z, rtol=1e-11, atol=1e-12),
        got, gradient(lambda x: f(**x), x),
    )  # fmt: skip
