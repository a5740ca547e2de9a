r"""A feed-forward layer with GELU

Two matrices with $x\,\Phi(x)$ between them, $\Phi$ the normal distribution function.  The slope is
$\Phi(x) + x \varphi(x)$; backward, the two matrices change places.
"""

import sympy as sp

import symattn as sa

source = "D. Hendrycks and K. Gimpel, Gaussian error linear units, 2016, section 2; A. Vaswani et al., NeurIPS 2017, equation 2"

n, d, h = sa.sizes("n d h")
(i,), (a, e), (c,) = sa.indices("i", n), sa.indices("a e", d), sa.indices("c", h)
X, W, U = sa.tensor("X", n, d), sa.tensor("W", d, h), sa.tensor("U", h, d)
b = sa.tensor("b", h)


def normal(x):
    """The normal distribution function."""
    return (1 + sp.erf(x / sp.sqrt(2))) / 2


u = sa.define("u", (i, c), sa.total(X[i, a] * W[a, c], a) + b[c])
g = sa.define("g", (i, c), u[i, c] * normal(u[i, c]))
Y = sa.define("Y", (i, e), sa.total(g[i, c] * U[c, e], c))
system = sa.System(u, g, Y)

results = {"Backward pass": sa.backward(system, output="Y", wrt=("U", "g", "u", "W", "b", "X"))}

L = sa.loss("L")
dY, du, dg = sa.partial(L, Y[i, e]), sa.partial(L, u[i, c]), sa.partial(L, g[i, c])
slope = normal(u[i, c]) + u[i, c] * sp.exp(-(u[i, c] ** 2) / 2) / sp.sqrt(2 * sp.pi)
claims = [
    ("The slope of GELU", du, dg * slope),
    ("Back through the second matrix", dg, sa.total(dY * U[c, e], e)),
    ("The first matrix", sa.partial(L, W[a, c]), sa.total(X[i, a] * du, i)),
    ("The bias", sa.partial(L, b[c]), sa.total(du, i)),
    ("GELU of x less GELU of −x is x", g[i, c] + u[i, c] * normal(-u[i, c]), u[i, c]),
]
refuted = [("The slope without the density", du, dg * normal(u[i, c]))]
