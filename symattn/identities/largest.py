"""Maxima and where they are taken."""

from __future__ import annotations

import sympy as sp

from ..convert import Partial
from ..primitives import step
from ..syntax import System, argmax, define, delta, maximum, tensor, total
from .algebra import M1
from .identity import Identities
from .letters import T, exp, log, m, n, s, t, x, y

IDENTITIES = Identities()
add = IDENTITIES.add

Max, Min = sp.Max, sp.Min
X2, al, be = tensor("X2", n, m), tensor("alpha"), tensor("beta_2")
w1, w2 = tensor("w1", n), tensor("w2", n)
add("min + max", Min(al, be) + Max(al, be), al + be, al - be, 2 * Max(al, be))
add("relu(x) - relu(-x) = x", Max(0, al) - Max(0, -al), al, -al, 2 * Max(0, al))
add(
    "maximum of a shift",
    maximum(X2[s, x] + w1[s], x),
    w1[s] + maximum(X2[s, y], y),
    maximum(X2[s, y], y),
    w1[s] - maximum(-X2[s, y], y),
)
add(
    "maximum of a positive multiple",
    maximum(T * X2[s, x], x),
    T * maximum(X2[s, x], x),
    maximum(X2[s, x], x),
    -T * maximum(-X2[s, x], x),
)
add(
    "the largest entry is the largest row maximum",
    maximum(X2[s, x], s, x),
    maximum(maximum(X2[s, x], x), s),
    total(maximum(X2[s, x], x), s),
)
add(
    "a maximum inside a maximum",
    maximum(w1[s] + maximum(X2[s, x], x), s),
    maximum(w1[s] + X2[s, x], s, x),
    maximum(w1[s], s) + maximum(X2[s, x], s, x),
    maximum(w1[s] * X2[s, x], s, x),
)
add(
    "the largest of independent parts",
    maximum(w1[s] + w2[t], s, t),
    maximum(w1[s], s) + maximum(w2[t], t),
    maximum(w1[s] + w2[s], s),
    Max(maximum(w1[s], s), maximum(w2[s], s)),
)
add("one argmax in every row", total(argmax(y, X2[s, x], x), y), 1, m)
add(
    "the value at the argmax",
    total(argmax(y, X2[s, x], x) * X2[s, y], y),
    maximum(X2[s, x], x),
    -maximum(-X2[s, x], x),
    total(X2[s, x], x),
)
add(
    "argmax is blind to shift and scale",
    argmax(y, T * X2[s, x] - w1[s], x),
    argmax(y, X2[s, x], x),
    argmax(y, -X2[s, x], x),
    argmax(y, X2[s, x] * w1[s], x),
)
top = define("top", (s,), maximum(X2[s, x], x))
add(
    "softmax below its maximum",
    exp(X2[s, x] - top[s]) / total(exp(X2[s, y] - top[s]), y),
    exp(X2[s, x]) / total(exp(X2[s, y]), y),
    exp(X2[s, x]) / total(exp(X2[s, y] - top[s]), y),
    exp(X2[s, x] + top[s]) / total(exp(X2[s, y]), y),
    given=System(top),
)
add(
    "logsumexp below the maximum",
    log(total(exp(X2[s, x]), x)),
    top[s] + log(total(exp(X2[s, x] - top[s]), x)),
    log(total(exp(X2[s, x] - top[s]), x)),
    top[s],
    given=System(top),
)
m1, m2 = define("m1", (), maximum(w1[s], s)), define("m2", (), maximum(w2[s], s))
both = define("both", (), Max(m1.tensor, m2.tensor))
add(
    "online softmax with its running maximum",
    exp(m1 - both) * total(exp(w1[s] - m1), s) + exp(m2 - both) * total(exp(w2[s] - m2), s),
    total(exp(w1[s] - both), s) + total(exp(w2[s] - both), s),
    total(exp(w1[s] - m1), s) + total(exp(w2[s] - both), s),
    total(exp(w1[s] - m1), s) + total(exp(w2[s] - m2), s),
    given=System(m1, m2, both),
)
add(
    "gradient of a maximum",
    Partial(top[s], X2[t, y]),
    delta(s, t) * argmax(y, X2[s, x], x),
    argmax(y, X2[s, x], x),
    -delta(s, t) * argmax(y, X2[s, x], x),
    delta(s, t) * argmax(y, -X2[s, x], x),
    given=System(top),
)
rect = define("rect", (s,), Max(0, M1[s, x] * tensor("theta", m)[x]))
add(
    "gradient of a rectified layer",
    Partial(rect[s], tensor("theta", m)[y]),
    M1[s, y] * (1 - step(-total(M1[s, x] * tensor("theta", m)[x], x))),
    M1[s, y],
    -M1[s, y] * step(total(M1[s, x] * tensor("theta", m)[x], x)),
    M1[s, y] * step(-total(M1[s, x] * tensor("theta", m)[x], x)),
    given=System(rect),
)
