"""Logarithms and quotients of what is left of erf at its limits and of e^q at 1, in float32."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn import backward, compile, hvp

(n,) = sa.sizes("n")
(i,) = sa.indices("i", n)
x, w = sa.tensor("x", n), sa.tensor("w", n)
lam = sa.tensor("lam", n, positive=True)
AT = np.array([-60, -14.5, -6, -4, -1, 0.2, 3, 9], "float32")
SMALL = np.array([1e-9, 3e-7, 1e-4, 0.2, 3, 80], "float32")
NORMAL = (1 + sp.erf(x[i] / sp.sqrt(2))) / 2

pytestmark = pytest.mark.usefixtures("usual_emitters")


def gradients(loss, wrt, **arrays):
    """The value and the gradient of a loss, as compiled."""
    system = sa.System(*loss)
    bars = backward(system, output="L", wrt=wrt)
    f = compile({"L": system["L"], "bars": bars}, given=system)
    given = {"L_bar": np.float32(1), "w": np.ones_like(AT), **arrays}
    made = f(**{name: given[name] for name in f.inputs})
    return float(made["L"]), np.asarray(made["bars"][wrt], "float64"), f


def wanted(function, at):
    """Values and slopes in 60 digits."""
    with mpmath.workdps(150):
        points = [mpmath.mpf(float(v)) for v in at]
        slopes = [mpmath.diff(function, p, h=mpmath.mpf(10) ** -30) for p in points]
        return float(sum(map(function, points))), np.array([float(v) for v in slopes])


def log_normal(v):
    return mpmath.log(mpmath.erfc(-v / mpmath.sqrt(2)) / 2)


@pytest.mark.parametrize("named", [False, True])
def test_probits_far_out(named):
    D = sa.define("D", (i,), NORMAL)
    inside = D[i] if named else NORMAL
    loss = sa.define("L", (), sa.total(w[i] * sp.log(inside), i))
    value, slope, _ = gradients((D, loss) if named else (loss,), "x", x=AT)
    total, slopes = wanted(log_normal, AT)
    np.testing.assert_allclose(value, total, rtol=2e-6)
    np.testing.assert_allclose(slope, slopes, rtol=2e-4)


def test_the_other_tail_and_a_quotient():
    """log of 1 − erf(x), and e^{−x²} / (1 − erf(x)) by itself."""
    loss = sa.define("L", (), sa.total(w[i] * sp.log(1 - sp.erf(x[i])), i))
    value, _, _ = gradients((loss,), "x", x=-AT)
    with mpmath.workdps(60):
        total = float(sum(mpmath.log(mpmath.erfc(-mpmath.mpf(float(v)))) for v in AT))
    np.testing.assert_allclose(value, total, rtol=2e-6)
    ratio = sa.define("R", (i,), sp.exp(-(x[i] ** 2)) / (1 - sp.erf(x[i])))
    made = np.asarray(compile(sa.System(ratio), output="R")(x=-AT), "float64")
    with mpmath.workdps(60):
        each = [-mpmath.mpf(float(v)) for v in AT]
        right = np.array([float(mpmath.exp(-(v**2)) / mpmath.erfc(v)) for v in each])
    np.testing.assert_allclose(made, right, rtol=3e-4, atol=1e-35)


def test_exponentials_near_1():
    """log(1 − e^{−λ}), the normaliser of counts without zeros, at small and large rates."""
    loss = sa.define("L", (), sa.total(sp.log(1 - sp.exp(-lam[i])), i))
    value, slope, f = gradients((loss,), "lam", lam=SMALL)
    total, slopes = wanted(lambda v: mpmath.log(-mpmath.expm1(-v)), SMALL)
    np.testing.assert_allclose(value, total, rtol=2e-6)
    np.testing.assert_allclose(slope, slopes, rtol=4e-6, atol=1e-30)
    assert "expm1" in f.source


def test_log_log_link():
    """log(1 − e^{−e^x}) and its gradient, down to where e^x is rounded to 0."""
    at = AT.clip(-60, 9)
    loss = sa.define("L", (), sa.total(w[i] * sp.log(1 - sp.exp(-sp.exp(x[i]))), i))
    value, slope, _ = gradients((loss,), "x", x=at)
    total, slopes = wanted(lambda v: mpmath.log(-mpmath.expm1(-mpmath.exp(v))), at)
    np.testing.assert_allclose(value, total, rtol=2e-6)
    np.testing.assert_allclose(slope, slopes, rtol=4e-6, atol=1e-30)


def test_an_exponent_of_any_sign_stays():
    """1 − e^q with q of any sign may be negative, and e^q may overflow in other ways."""
    loss = sa.define("L", (), sa.total(1 / (1 - sp.exp(x[i])), i))
    value, _, f = gradients((loss,), "x", x=np.array([0.5, -2, 3, 1, -1, 2, -3, 4], "float32"))
    assert "expm1" not in f.source and np.isfinite(value)


@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_targets(target):
    d = sa.define("D", (i,), sp.log(NORMAL))
    made = compile(sa.System(d), output="D", target=target)(x=AT.astype("float64"))
    with mpmath.workdps(60):
        right = [float(log_normal(mpmath.mpf(float(v)))) for v in AT]
    np.testing.assert_allclose(np.asarray(made), right, rtol=3e-5)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_half_precision(dtype):
    """Arrays and a scalar alone, which nothing widens."""
    t = sa.tensor("t")
    alone = sa.define("D", (), sp.log((1 + sp.erf(t / sp.sqrt(2))) / 2))
    array = sa.define("E", (i,), sp.log(NORMAL))
    one = compile(sa.System(alone), output="D")(t=jnp.asarray(-7, dtype))
    many = compile(sa.System(array), output="E")(x=jnp.full((1,), -7, dtype))
    assert one.dtype == many.dtype == dtype
    right = float(log_normal(mpmath.mpf(-7)))
    np.testing.assert_allclose([float(one), float(many[0])], right, rtol=5e-3)


FAR = np.array([-7.5, -8.5, -30, -1e3, -1e4, -1e15, 0.5, 6], "float32")


@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_the_slope_of_log_normal_far_out(target):
    """φ/Φ, where −x²/2 and log Φ are alike to the last digit, and what JAX makes of it."""
    slope = sa.define("h", (i,), sp.exp(-(x[i] ** 2) / 2) / NORMAL)
    f = compile(sa.System(slope), output="h", target=target)
    dtype = "float32" if target == "jax" else "float64"
    with mpmath.workdps(40):
        tails = [mpmath.mpf(float(v)) for v in FAR]
        series = [-v * (1 + 1 / v**2 - 2 / v**4) if v < -900 else None for v in tails]
        ratio = [mpmath.npdf(v) / mpmath.ncdf(v) if v > -900 else None for v in tails]
        right = [float(s or r) * (2 * np.pi) ** 0.5 for s, r in zip(series, ratio, strict=True)]
    near = 3e-6 if target == "jax" else 1e-13
    np.testing.assert_allclose(np.asarray(f(x=FAR.astype(dtype))), right, rtol=near)


def test_what_jax_makes_of_that_slope():
    """−h (h + x), near −1 far out, where h and −x are alike to the last digit."""
    slope = sa.define("h", (i,), sp.exp(-(x[i] ** 2) / 2) / NORMAL)
    made = dict[str, Any]()
    exec(compile(sa.System(slope), output="h").source, made)
    bent = jax.grad(lambda v: made["compute_h"](v).sum())(jnp.asarray(FAR[:6]))
    np.testing.assert_allclose(bent / np.sqrt(2 * np.pi), -1, atol=2e-2)


def test_what_grows_beside_a_tail():
    """e^{x²} erfc(x) has no exponential that overflows; e^{−x²} erfc(x) stays as it is."""
    at = np.array([-2, 0, 5, 30, 1e4, 1e12], "float32")
    f = compile(sa.define("f", (i,), sp.exp(x[i] ** 2) * sp.erfc(x[i])))
    with mpmath.workdps(40):
        exact = [mpmath.exp(v**2) * mpmath.erfc(v) for v in map(mpmath.mpf, at[:4].tolist())]
    right = [*map(float, exact), *(1 / (np.sqrt(np.pi) * at[4:].astype(float)))]
    np.testing.assert_allclose(f(x=at), right, rtol=3e-6)
    assert "hazard(" in f.source
    other = compile(sa.define("f", (i,), sp.exp(-(x[i] ** 2)) * sp.erfc(x[i])))
    assert "erfc(x) * jnp.exp(-x**2)" in other.source and "hazard" not in other.source


def test_the_second_derivative_far_out():
    """−h (h + x) of log Φ is near −1."""
    loss = sa.System(sa.define("L", (), sa.total(sp.log(NORMAL), i)))
    f = compile(hvp(loss, of="L", wrt="x"))
    got = np.asarray(f(x=FAR, x_dot=np.ones_like(FAR)), "float64")
    with mpmath.workdps(60):
        slopes = [(v, mpmath.npdf(v) / mpmath.ncdf(v)) for v in map(mpmath.mpf, FAR[6:].tolist())]
        right = [float(-h * (h + v)) for v, h in slopes]
    far = FAR[2:6].astype("float64")
    np.testing.assert_allclose(got[2:6], -1 + 1 / far**2 - 6 / far**4, rtol=1e-6)
    np.testing.assert_allclose(got[6:], right, rtol=2e-6)
