r"""A gated feed-forward layer with SiLU

$\mathrm{silu}(x) = x\, \sigma(x)$ of one projection gates another.  Its slope is
$\sigma(x)(1 + x(1 - \sigma(x)))$, which is above one for large $x$; the gradient of each projection carries
the other as a factor.
"""

import sympy as sp

import symattn as sa
from symattn.primitives import sigmoid

source = "N. Shazeer, GLU variants improve transformer, 2020, equation 6; P. Ramachandran, B. Zoph, Q. Le, Searching for activation functions, 2017"

n, d, h = sa.sizes("n d h")
(i,), (a, e), (c,) = sa.indices("i", n), sa.indices("a e", d), sa.indices("c", h)
X, W, V, U = sa.tensor("X", n, d), sa.tensor("W", d, h), sa.tensor("V", d, h), sa.tensor("U", h, d)

u = sa.define("u", (i, c), sa.total(X[i, a] * W[a, c], a))
v = sa.define("v", (i, c), sa.total(X[i, a] * V[a, c], a))
g = sa.define("g", (i, c), u[i, c] * sigmoid(u[i, c]) * v[i, c])
Y = sa.define("Y", (i, e), sa.total(g[i, c] * U[c, e], c))
system = sa.System(u, v, g, Y)

results = {"Backward pass": sa.backward(system, output="Y", wrt=("g", "u", "v", "W", "X"))}

L = sa.loss("L")
dg, du, dv = (sa.partial(L, x[i, c]) for x in (g, u, v))
s = sigmoid(u[i, c])
claims = [
    ("Through the gate", du, dg * v[i, c] * s * (1 + u[i, c] * (1 - s))),
    ("Through what is gated", dv, dg * u[i, c] * s),
    (
        "Two paths lead to the input",
        sa.partial(L, X[i, a]),
        sa.total(du * W[a, c] + dv * V[a, c], c),
    ),
    ("σ by exponentials", s, 1 / (1 + sp.exp(-u[i, c]))),
]
refuted = [
    ("The slope of the logistic function, times x", du, dg * v[i, c] * u[i, c] * s * (1 - s))
]
