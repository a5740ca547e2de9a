r"""Volume, and the gradient of a determinant

A metric measures volumes by $\sqrt{\det g}$.  Its logarithm has the inverse metric as its
gradient (Jacobi's formula), and for a learned metric $g = W^\top W$ with a square $W$ the
volume is $|\det W|$.
"""

import sympy as sp

import symattn as sa

source = "J. Magnus and H. Neudecker, Matrix Differential Calculus, 3rd edition, section 8.3"

(n,) = sa.sizes("n")
a, b, c, r = sa.indices("a b c r", n)
g = sa.tensor("g", n, n, positive_definite=True)
W = sa.tensor("W", n, n)

volume = sa.define("v", (), sp.exp(sa.logdet(g) / 2))
h = sa.define("h", (a, b), sa.total(W[r, a] * W[r, b], r))
log_det = sa.define("d", (), sa.logdet(W))
log_h = sa.define("l", (), sa.logdet(h))
system = sa.System(volume, h, log_det, log_h)

results = {"Volume": sa.jacobian(system, of="v", wrt="g")}

claims = [
    (
        "The gradient of the volume",
        sa.partial(volume, g[a, b]),
        volume * sa.inverse(g)[a, b] / 2,
    ),
    ("Jacobi's formula", sa.partial(log_det, W[a, b]), sa.inverse(W)[b, a]),
    (
        "The logarithm of a learned metric's determinant",
        sa.partial(log_h, W[r, a]),
        sa.total(W[r, b] * (sa.inverse(h)[b, a] + sa.inverse(h)[a, b]), b),
    ),
]
