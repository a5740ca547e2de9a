"""Increasing functions of maxima: out of max and argmax, and what is one slip away."""

import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn import primitives
from symattn.prove import prove
from symattn.second_opinion import check

(N,) = sa.sizes("n")
I, J, K = sa.indices("i j k", N)
X, Y = sa.tensor("x", N), sa.tensor("y", N)
P = sa.tensor("p", N, positive=True)
W, T = sa.tensor("w"), sa.tensor("t", positive=True)
top, hot, Max, Min, exp = sa.maximum, sa.argmax, sp.Max, sp.Min, sp.exp

RIGHT = {
    "odd power": (top(X[J] ** 3, J), top(X[J], J) ** 3),
    "even power of positive ones": (top(P[J] ** 2, J), top(P[J], J) ** 2),
    "power of a reciprocal": (top(P[J] ** -2, J), top(1 / P[J], J) ** 2),
    "product of powers": (top(X[J] ** 3 * P[J] ** 6, J), top(X[J] * P[J] ** 2, J) ** 3),
    "root": (top(sp.sqrt(X[J]), J), sp.sqrt(top(X[J], J))),
    "exponential": (top(exp(X[J]), J), exp(top(X[J], J))),
    "exponential of a power": (top(exp(X[J] ** 3), J), exp(top(X[J], J) ** 3)),
    "smallest exponential": (-top(-exp(X[J]), J), exp(-top(-X[J], J))),
    "beside 1": (Max(exp(X[I]), 1), exp(Max(X[I], 0))),
    "two at a time": (Max(X[I] ** 3, Y[I] ** 3), Max(X[I], Y[I]) ** 3),
    "the smaller of two": (Min(exp(X[I]), exp(Y[I])), exp(Min(X[I], Y[I]))),
    "tanh": (top(sp.tanh(X[J]), J), sp.tanh(top(X[J], J))),
    "a square as a factor": (top(W**2 * X[J], J), W**2 * top(X[J], J)),
    "argmax of exponentials": (hot(I, exp(X[J]), J), hot(I, X[J], J)),
    "argmax of a softmax": (hot(I, exp(X[J]) / sa.total(exp(X[K]), K), J), hot(I, X[J], J)),
    "argmax of odd powers": (hot(I, X[J] ** 3, J), hot(I, X[J], J)),
}
WRONG = {
    "even power": (top(X[J] ** 2, J), top(X[J], J) ** 2),
    "falling exponential": (top(exp(-X[J]), J), exp(-top(X[J], J))),
    "sine": (top(sp.sin(X[J]), J), sp.sin(top(X[J], J))),
    "reciprocal": (top(1 / P[J], J), 1 / top(P[J], J)),
    "cosh": (top(sp.cosh(X[J]), J), sp.cosh(top(X[J], J))),
    "factor of no sign": (top(W**3 * X[J], J), W**3 * top(X[J], J)),
    "beside 2": (Max(exp(X[I]), 2), exp(Max(X[I], 2))),
    "even powers of two": (Max(X[I] ** 2, Y[I] ** 2), Max(X[I], Y[I]) ** 2),
    "one of them even": (top(X[J] ** 3 * Y[J] ** 2, J), top(X[J] * Y[J], J) ** 3),
    "different functions": (Max(exp(X[I]), sp.tanh(Y[I])), exp(Max(X[I], Y[I]))),
    "different signs": (Max(exp(X[I]), -exp(Y[I])), exp(Max(X[I], -Y[I]))),
    "argmax of squares": (hot(I, X[J] ** 2, J), hot(I, X[J], J)),
    "argmax of what falls": (hot(I, exp(-X[J]), J), hot(I, X[J], J)),
    "argmax beside a factor": (hot(I, exp(X[J]) * P[J], J), hot(I, X[J], J)),
    "argmax times a square, which may be 0": (hot(I, W**2 * X[J], J), hot(I, X[J], J)),
}


def both(left, right):
    return (sa.define(name, (I,), side) for name, side in zip("LR", (left, right), strict=True))


@pytest.mark.parametrize("name", RIGHT)
def test_increasing_functions_come_out(name):
    v = prove(*both(*RIGHT[name]), certificate=True)
    assert v.status == "proved"
    assert not check(v.certificate).problem


@pytest.mark.parametrize("name", WRONG)
def test_others_stay_inside(name):
    assert prove(*both(*WRONG[name])).status == "refuted"


RISING = [name for name in primitives.names() if primitives.by_name(name).increasing]


@pytest.mark.parametrize("name", RISING)
def test_they_do_increase(name):
    record = primitives.by_name(name)
    low, high = record.domain
    points = np.linspace(low, high, 50)
    values = [float(record.function(sp.Float(x))) for x in points]
    assert np.all(np.diff(values) > 0)


FEW, (F,) = sa.tensor("W", N, 3), sa.indices("f", 3)
ALONE, (O,) = sa.tensor("z", 1), sa.indices("o", 1)


@pytest.mark.parametrize(
    ("left", "right", "wrong"),
    [
        (top(FEW[I, F], F), Max(FEW[I, 0], FEW[I, 1], FEW[I, 2]), Max(FEW[I, 0], FEW[I, 2])),
        (
            top(FEW[J, F], J, F),
            Max(*(top(FEW[J, k], J) for k in range(3))),
            Max(*(top(FEW[J, k], J) for k in range(2))),
        ),
        (top(ALONE[O], O), sa.total(ALONE[O], O), 2 * ALONE[0]),
    ],
    ids=["in a row", "of all", "of one"],
)
def test_the_largest_of_few(left, right, wrong):
    assert prove(*both(left, right)).status == "proved"
    whole = (sa.total(side * X[I], I) for side in (left, right))
    assert prove(*whole).status == "proved"
    assert prove(*both(left, wrong)).status == "refuted"
