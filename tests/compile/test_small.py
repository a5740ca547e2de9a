"""log(1 + w e^z) with an array w that is never below 0: small w e^z keep their digits, large ones
do not overflow, in values and derivatives."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward, hvp

n, d = sa.sizes("n d")
i, j = sa.indices("i j", n)
(a,) = sa.indices("a", d)
r, X, z = sa.tensor("r", n), sa.tensor("X", n, d), sa.tensor("z", n)
s, t = sa.tensor("s"), sa.tensor("t")
R = np.array([0, 1e-4, -0.03, 0.5, -2, 70, 3e4])


def student():
    """With a scale of its own."""
    L = sa.define("L", (), sa.total(sp.log(1 + r[i] ** 2 * sp.exp(-2 * s) / 4), i))
    return sa.System(L)


def want(r, s):
    """log(1 + u), 2 u/(1 + u)/r and −2 u/(1 + u) in double precision."""
    u = r**2 * np.exp(-2 * s) / 4
    share = u / (1 + u)
    return np.log1p(u).sum(), np.exp(-2 * s) * r / 2 / (1 + u), -2 * share.sum(), share


@pytest.mark.parametrize("target", ["jax", "numpy"])
@pytest.mark.parametrize("at", [-70.0, -62.0, -55.0, -46.0, -20.0, -1.0, 0.0, 3.0, 30.0, 80.0])
def test_a_scale_of_any_size(at, target):
    system = student()
    bars = backward(system, output="L", wrt=("r", "s"))
    f = compile({"L": system["L"], "bars": bars}, given=system, target=target)
    low = R.astype(np.float32)
    found = f(r=low, s=np.float32(at))
    value, by_r, by_s, _ = want(low.astype(float), at)
    np.testing.assert_allclose(found["L"], value, rtol=1e-5, atol=1e-37)
    np.testing.assert_allclose(found["bars"]["r"], by_r, rtol=1e-5, atol=1e-37)
    np.testing.assert_allclose(found["bars"]["s"], by_s, rtol=1e-5, atol=1e-37)
    if target == "jax":  # what JAX makes of the function
        own = jax.grad(lambda r, s: f(r=r, s=s)["L"], (0, 1))(jnp.asarray(low), jnp.float32(at))
        np.testing.assert_allclose(own[0], by_r, rtol=1e-5, atol=1e-37)
        np.testing.assert_allclose(own[1], by_s, rtol=1e-5, atol=1e-37)


@pytest.mark.parametrize("at", [-1.0, 3.0])
def test_second_derivatives(at):
    f = compile(hvp(student(), of="L", wrt="s"))
    low = R.astype(np.float32)
    share = want(low.astype(float), at)[3]
    found = f(r=low, s=np.float32(at), s_dot=np.float32(1))
    np.testing.assert_allclose(found, (4 * share * (1 - share)).sum(), rtol=1e-4)


@pytest.mark.parametrize("at", [(0.0, 0.0), (-2.0, 3.0), (3.0, 25.0), (0.0, 40.0), (2.0, -9.0)])
def test_a_power_of_one_that_is_large(at):
    """(1 + D e^{−2s−t}/2)^{−e^t} is e^{−D e^{−2s}/2} where e^t is large."""
    D = sa.define("D", (i, j), sa.total((X[i, a] - X[j, a]) ** 2, a))
    log = sp.log(1 + D[i, j] * sp.exp(-2 * s - t) / 2)
    K = sa.define("K", (i, j), sp.exp(-sp.exp(t) * log))
    L = sa.define("L", (), sa.total(z[i] * K[i, j] * z[j], i, j))
    system = sa.System(D, K, L)
    bars = backward(system, output="L", wrt=("X", "s", "z"))
    f = compile({"L": system["L"], "bars": bars}, given=system)
    rng = np.random.default_rng(1)
    x = {"X": rng.normal(size=(6, 2)), "z": rng.normal(size=6)}
    low = {name: jnp.asarray(v, jnp.float32) for name, v in x.items()}
    found = f(**low, **{name: jnp.float32(v) for name, v in zip("st", at, strict=True)})

    def formula(X, s, z):
        D = ((X[:, None] - X) ** 2).sum(-1)
        return z @ jnp.exp(-jnp.exp(at[1]) * jnp.log1p(D * jnp.exp(-2 * s - at[1]) / 2)) @ z

    with jax.enable_x64(True):
        wide = [jnp.asarray(low["X"], float), at[0], jnp.asarray(low["z"], float)]
        value, slopes = jax.value_and_grad(formula, (0, 1, 2))(*wide)
    np.testing.assert_allclose(found["L"], value, rtol=1e-4)
    for name, right in zip("Xsz", slopes, strict=True):
        largest = np.abs(right).max()
        np.testing.assert_allclose(found["bars"][name], right, rtol=1e-4, atol=1e-4 * largest)
