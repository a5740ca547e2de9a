"""Sums over one denominator, and logarithms of squares: what comes together, what does not."""

import pytest
import sympy as sp

import symattn as sa
from symattn.second_opinion import check

(n,) = sa.sizes("n")
i, j = sa.indices("i j", n)
x = sa.tensor("x", n)
p, q = (sa.tensor(name, n, positive=True) for name in "pq")
w, v, t = sa.tensor("w"), sa.tensor("v"), sa.tensor("t", positive=True)
T, log, size = sa.total, sp.log, sp.Abs
BAR = p[i] + q[i]

RIGHT = {
    "two": (T(p[i] / BAR, i) + T(q[i] / BAR, i), n),
    "beside a factor": (w * T(p[i] / BAR, i) + w * T(q[i] / BAR, i), n * w),
    "with a numerator": (T(p[i] * x[i] / BAR, i) + T(q[i] * x[i] / BAR, i), T(x[i], i)),
    "a factor in front": (t * T(1 / (t + p[i]), i) + T(p[i] / (t + p[i]), i), n),
    "one in front of a square": (
        t**2 * T((t + p[i]) ** -2, i) + 2 * t * T(p[i] / (t + p[i]) ** 2, i),
        n - T(p[i] ** 2 / (t + p[i]) ** 2, i),
    ),
    "shifted": (T(p[i] / BAR, i) + T((q[i] / BAR).subs(i, i - 1), i), n),
    "a square": (
        T(p[i] ** 2 / BAR**2, i) + 2 * T(p[i] * q[i] / BAR**2, i) + T(q[i] ** 2 / BAR**2, i),
        n,
    ),
    "two powers": (T(x[i] / BAR, i) - T(x[i] * p[i] / BAR**2, i), T(x[i] * q[i] / BAR**2, i)),
    "two powers behind a root": (
        w * (T(x[i] / BAR, i) - T(x[i] * p[i] / BAR**2, i)) / sp.sqrt(1 + T(p[i] / BAR, i)),
        w * T(x[i] * q[i] / BAR**2, i) / sp.sqrt(1 + T(p[i] / BAR, i)),
    ),
    "logarithm of a square": (log(w**2), 2 * log(size(w))),
    "of an inverse square": (log(w**-2 * t), log(t) - 2 * log(size(w))),
    "of squares": (log(w**2 * v**4), 2 * log(size(w)) + 4 * log(size(v))),
    "of a magnitude": (log(size(w * v)), log(size(w)) + log(size(v))),
    "of a square and a number below 0": (log(-(w**2) * v), 2 * log(size(w)) + log(-v)),
    "under a sum": (T(log(x[i] ** 2), i), 2 * T(log(size(x[i])), i)),
}
WRONG = {
    "a difference": (T(p[i] / BAR, i) - T(q[i] / BAR, i), n),
    "another power": (T(p[i] / BAR, i) + T(q[i] / BAR**2, i), n),
    "two powers with a plus": (
        T(x[i] / BAR, i) + T(x[i] * p[i] / BAR**2, i),
        T(x[i] * q[i] / BAR**2, i),
    ),
    "two powers, one too low": (
        T(x[i] / BAR, i) - T(x[i] * p[i] / BAR**2, i),
        T(x[i] * q[i] / BAR, i),
    ),
    "another pair": (T(p[i] / BAR, i) + T(q[j] / (p[i] + q[j]), i, j), n),
    "another factor": (w * T(p[i] / BAR, i) + v * T(q[i] / BAR, i), n * w),
    "a factor too many": (t**2 * T(1 / (t + p[i]), i) + T(p[i] / (t + p[i]), i), n),
    "half of it": (log(w**2), log(size(w))),
    "another magnitude": (log(w**2 * v**2), 2 * log(size(w + v))),
}


@pytest.mark.parametrize("name", RIGHT)
def test_holds(name):
    verdict = sa.prove(*RIGHT[name], certificate=True)
    assert verdict.status == "proved"
    assert not check(verdict.certificate).problem


@pytest.mark.parametrize("name", WRONG)
def test_near_misses(name):
    assert sa.prove(*WRONG[name]).status == "refuted"


def test_a_sign_is_not_made_up():
    """log w³ = 3 log |w| and log w² = 2 log w hold for w > 0 alone."""
    for left, right in ((log(w**3), 3 * log(size(w))), (log(w**2), 2 * log(w))):
        assert sa.prove(left, right).status == "unknown"
