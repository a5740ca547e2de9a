"""Quotients that cancel but for one product, and log(1 + u), keep their digits in float32."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn import backward, compile, hvp
from symattn.compile.quotients import quotients_joined
from symattn.convert import lower
from symattn.normalize import normalize

(n,) = sa.sizes("n")
i, j = sa.indices("i j", n)
x, w = sa.tensor("x", n), sa.tensor("w", n)
z, u = x[i], sp.exp(x[i])
HALF = sp.Rational(1, 2)
FAR = np.array([-9e3, -300, -2, -0.1, 0, 0.3, 7, 40, 2e3], "float32")

pytestmark = pytest.mark.usefixtures("usual_emitters")


@pytest.mark.parametrize(
    ("written", "joined"),
    [
        ((1 + z**2) ** -HALF - z**2 * (1 + z**2) ** (-3 * HALF), (1 + z**2) ** (-3 * HALF)),
        (2 / (3 + z) - 2 * z / (3 + z) ** 2 + w[i], 6 / (3 + z) ** 2 + w[i]),
        (w[i] / (1 + u) - w[i] * u / (1 + u) ** 2, w[i] / (1 + u) ** 2),
        (u + u**2 / (1 - u), u / (1 - u)),
    ],
)
def test_two_quotients_are_one(written, joined):
    first, second = (normalize(lower(e, (i,))) for e in (written, joined))
    assert len(first) > len(second) and quotients_joined(first) is second


@pytest.mark.parametrize(
    "written",
    [
        (1 + z**2) ** -HALF + z**2 * (1 + z**2) ** (-3 * HALF),  # nothing cancels
        (1 + z**2) ** -HALF - w[i] ** 2 * (1 + z**2) ** (-3 * HALF),
        1 / (1 + z**2) - 2 * z**2 / (1 + z**2) ** 2,
        1 / (1 + z + w[i]) - z / (1 + z + w[i]) ** 2,  # two products would be left
    ],
)
def test_others_stay(written):
    poly = normalize(lower(written, (i,)))
    assert quotients_joined(poly) is poly


def test_curvature_far_out():
    """√(1 + x²) is curved by (1 + x²)^{−3/2}, at x = 9000 by 1e-12."""
    loss = sa.define("L", (), sa.total(sp.sqrt(1 + x[i] ** 2), i))
    f = compile(hvp(sa.System(loss), of="L", wrt="x"))
    got = np.asarray(f(x=FAR, x_dot=np.ones_like(FAR)), "float64")
    np.testing.assert_allclose(got, (1 + FAR.astype("float64") ** 2) ** -1.5, rtol=2e-6)


def test_logarithms_near_1():
    """log(1 + x²/3) at small x, as a Student t has it; the name of the sum changes nothing."""
    small = np.array([1e-5, -2e-4, 3e-3, 0.2, 5], "float32")
    v = small.astype("float64") ** 2 / 3
    named = sa.define("D", (i,), 1 + x[i] ** 2 / 3)
    for parts in ([], [named]):
        inside = named[i] if parts else 1 + x[i] ** 2 / 3
        y = sa.define("y", (i,), sp.log(inside))
        system = sa.System(*parts, y)
        got = np.asarray(compile(system, output="y")(x=small), "float64")
        np.testing.assert_allclose(got, np.log1p(v), rtol=1e-6)
        slope = compile(backward(system, output="y", wrt="x"))
        made = np.asarray(slope(x=small, y_bar=np.ones_like(small))["x"], "float64")
        np.testing.assert_allclose(made, 2 * small / 3 / (1 + v), rtol=1e-6)


def test_what_is_subtracted_from_1_stays():
    y = sa.define("y", (i,), sp.log(1 - x[i] ** 2 / 3))
    assert "log1p" not in compile(sa.System(y), output="y").source
    y = sa.define("y", (i,), sp.log(2 + x[i] ** 2))
    assert "log1p" not in compile(sa.System(y), output="y").source
