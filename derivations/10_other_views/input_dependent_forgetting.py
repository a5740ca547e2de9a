r"""Forgetting that depends on the input

A gate $\lambda_k = \sigma(\theta_\lambda \cdot x_k)$ decides at each step how much of the memory stays:
$m_t = \lambda_t m_{t-1} + y_t$.  Unrolled, what was seen at $i$ is multiplied by all gates since,
$\prod_{i < k \le t} \lambda_k$, here $e^{u_t - u_i}$ with the running sum $u$ of their logarithms.  One step of the recurrence is proved
for every $t$.  Compiled, the sums are such recurrences: no array of pairs $t, i$ is there that could go in blocks,
so nothing is compared with flash.
"""

import sympy as sp

import symattn as sa
from symattn.primitives import sigmoid

source = "S. Morad, CISC 7026, lecture on attention; A. Gu and T. Dao, Mamba, 2023, section 3.2, for gates of this kind"

T, h, d = sa.sizes("T h d")
i, k, t = sa.indices("i k t", T)
(c,), (a,) = sa.indices("c", h), sa.indices("a", d)
x, w, y = sa.tensor("x", T, d), sa.tensor("w", d), sa.tensor("y", T, h)

l = sa.define("lambda", (k,), sigmoid(sa.total(w[a] * x[k, a], a)))
# the logarithm of all gates before t, and up to t
v = sa.define("v", (t,), sa.total(sa.iverson(k < t) * sp.log(l[k]), k))
u = sa.define("u", (t,), v[t] + sp.log(l[t]))
m = sa.define("m", (t, c), sa.total(sa.iverson(i <= t) * sp.exp(u[t] - u[i]) * y[i, c], i))
b = sa.define("b", (t, c), sa.total(sa.iverson(i < t) * sp.exp(v[t] - u[i]) * y[i, c], i))
system = sa.System(l, v, u, m)
steps = sa.System(l, v, u, m, b)

results = {"Backward pass": sa.backward(system, output="m", wrt=("y", "lambda"))}

L = sa.loss("L")

claims = [
    ("One step of the recurrence", m[t, c], l[t] * b[t, c] + y[t, c], steps),
    (
        "An input is remembered by the gates since",
        sa.partial(L, y[i, c]),
        sa.total(sa.iverson(i <= t) * sp.exp(u[t] - u[i]) * sa.partial(L, m[t, c]), t),
    ),
]
refuted = [("The gate of the last step may be left out", m[t, c], b[t, c] + y[t, c], steps)]
