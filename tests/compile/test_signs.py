"""Differences that are there with both signs are computed once."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.compile.nodes import reachable
from symattn.derive import backward, hvp

pytestmark = pytest.mark.usefixtures("double_precision")
n, m, d = sa.sizes("n m d")
(i,), (j,), (a,) = sa.indices("i", n), sa.indices("j", m), sa.indices("a", d)
f, g, M = sa.tensor("f", n), sa.tensor("g", m), sa.tensor("M", n, m)
X, Y = sa.tensor("X", n, d), sa.tensor("Y", m, d)
LOSSES = {
    "squares": (M[i, j] * (f[i] - g[j]) ** 2, 1),
    "cubes": (M[i, j] * (f[i] - g[j]) ** 3, 1),
    "inverse": (M[i, j] / (1 + (f[i] - g[j]) ** 2), 2),
    "odd functions": (M[i, j] * sp.sin(f[i] - g[j]), 1),
    "both ways": (sp.tanh(f[i] - g[j]) * sp.exp(g[j] - f[i]) * M[i, j], None),
    "points": (M[i, j] * sa.total((X[i, a] - Y[j, a]) ** 2, a), None),
}


def differences(function):
    """How often a difference of two arrays is computed."""
    plan = reachable(function._program.roots)
    return sum(node.op == "add" and len(node.args) == 2 and node.shape == (n, m) for node in plan)


@pytest.mark.parametrize("target", ("jax", "numpy"))
@pytest.mark.parametrize("name", LOSSES)
def test_gradients_of_differences(name, target):
    body, count = LOSSES[name]
    system = sa.System(sa.define("L", (), sa.total(body, i, j)))
    wrt = ("X", "Y") if name == "points" else ("f", "g")
    bars = backward(system, output="L", wrt=wrt)
    own = compile({"L": system["L"], "g": bars}, given=system, target=target)
    if count is not None:
        assert differences(own) <= count
    rng = np.random.default_rng(4)
    sizes = {n: 4, m: 5, d: 3}
    x = {k: rng.normal(size=[int(s.subs(sizes)) for s in own.inputs[k]]) for k in own.inputs}
    value = compile(system, output="L")
    x["L_bar"] = 1.5
    fixed = {k: x[k] for k in value.inputs if k not in wrt}
    want = jax.grad(lambda y: 1.5 * value(**fixed, **y))({k: x[k] for k in wrt})
    for k in wrt:
        np.testing.assert_allclose(own(**x)["g"][k], want[k], rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(own(**x)["L"], value(**fixed, **{k: x[k] for k in wrt}), rtol=1e-12)
    product = compile(hvp(system, of="L", wrt=wrt[0]), target=target)
    dot = rng.normal(size=np.shape(x[wrt[0]]))
    along = jax.jvp(
        lambda y: jax.grad(lambda z: value(**{**fixed, wrt[1]: x[wrt[1]], wrt[0]: z}))(y),
        (x[wrt[0]],), (dot,),
    )[1]  # fmt: skip
    arrays = {k: x.get(k, dot) for k in product.inputs}
    np.testing.assert_allclose(product(**arrays), along, rtol=1e-11, atol=1e-12)


def test_a_result_stays_what_it_is():
    """Differences that are returned, and those in functions."""
    one, other = sa.define("A", (i, j), f[i] - g[j]), sa.define("B", (i, j), g[j] - f[i])
    C = sa.define("C", (i, j), sp.exp(f[i] - g[j]) + 2 * sp.exp(g[j] - f[i]))
    own = compile({"A": one, "B": other, "C": C}, given=sa.System(one, other, C))
    x, y = np.arange(3.0), np.array([0.5, -2, 1, 4])
    got = own(f=x, g=y)
    np.testing.assert_allclose(got["A"], x[:, None] - y)
    np.testing.assert_allclose(got["B"], y - x[:, None])
    apart = x[:, None] - y
    np.testing.assert_allclose(got["C"], np.exp(apart) + 2 * np.exp(-apart), rtol=1e-12)
