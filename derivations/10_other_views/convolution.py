r"""Convolution, and how long its output is

A filter of $k$ steps fits into a sequence of $T$ at $T - k + 1$ places (a slide of the lecture has
$T - k - 1$: the sequence $T = k$ has one place, not none).  The output at $i$ sees inputs $i, \dots, i + k - 1$;
in the gradient of an input the filter runs backwards.
"""

import symattn as sa

source = "S. Morad, CISC 7026, lecture on attention; I. Goodfellow, Y. Bengio, A. Courville, Deep Learning, 2016, section 9.5"

T, k, d, h = sa.sizes("T k d h")
(i,), (j,), (t,) = sa.indices("i", T - k + 1), sa.indices("j", k), sa.indices("t", T)
(a,), (c,) = sa.indices("a", d), sa.indices("c", h)
X, W = sa.tensor("X", T, d), sa.tensor("W", k, d, h)

Y = sa.define("Y", (i, c), sa.total(X[i + j, a] * W[j, a, c], j, a))
system = sa.System(Y)
one = sa.define("one", (i,), 1)

results = {"Backward pass": sa.backward(system, output="Y", wrt=("X", "W"))}

L = sa.loss("L")
claims = [
    ("The number of places", sa.total(one[i], i), T - k + 1, sa.System(one)),
    (
        "The filter sees its inputs at every place",
        sa.partial(L, W[j, a, c]),
        sa.total(sa.partial(L, Y[i, c]) * X[i + j, a], i),
    ),
    (
        "An input is seen from the places that reach it",
        sa.partial(L, X[t, a]),
        sa.total(sa.delta(t, i + j) * sa.partial(L, Y[i, c]) * W[j, a, c], i, j, c),
    ),
]
refuted = [
    ("The number of places, as on the slide", sa.total(one[i], i), T - k - 1, sa.System(one))
]
