r"""Hebb's rule

Couplings $W = \tfrac1N \sum_\mu \xi_\mu \xi_\mu^\top$ store patterns: a state that overlaps with one is
pulled to it.  The field of a stored pattern is the pattern itself plus crosstalk, the overlaps of the
others; patterns that are orthogonal have none, and are at rest.  Energy is minus half the sum of
squared overlaps.
"""

import sympy as sp

import symattn as sa

source = "J. Hertz, A. Krogh, R. Palmer, Introduction to the Theory of Neural Computation, 1991, section 2.2"

N, M = sa.sizes("N M")
i, j = sa.indices("i j", N)
m, n = sa.indices("m n", M)
xi, x = sa.tensor("xi", M, N), sa.tensor("x", N)

W = sa.define("W", (i, j), sa.total(xi[m, i] * xi[m, j], m) / N)
o = sa.define("o", (m,), sa.total(xi[m, i] * x[i], i) / N)
h = sa.define("h", (i,), sa.total(W[i, j] * x[j], j))
E = sa.define("E", (), -sa.total(x[i] * h[i], i) / 2)
system = sa.System(W, o, h, E)

f = sa.define("f", (n, i), sa.total(W[i, j] * xi[n, j], j))
overlap = sa.define("q", (m, n), sa.total(xi[m, j] * xi[n, j], j) / N)
stored = sa.System(W, f, overlap)
orthogonal = sa.System(
    W, f, overlap, facts=[sp.Eq(sa.total(xi[m, j] * xi[n, j], j), N * sa.delta(m, n))]
)

results = {"Energy": sa.jacobian(system, of="E", wrt="x")}

claims = [
    ("Couplings are symmetric", W[i, j], W[j, i]),
    ("The field pulls to patterns by their overlap", h[i], sa.total(o[m] * xi[m, i], m)),
    ("Energy is minus half the squared overlaps, times N", E, -N * sa.total(o[m] ** 2, m) / 2),
    (
        "The field of a pattern: itself and crosstalk",
        f[n, i],
        sa.total(overlap[m, n] * xi[m, i], m),
        stored,
    ),
    ("Orthogonal patterns are at rest", f[n, i], xi[n, i], orthogonal),
]
refuted = [("Any pattern is at rest", f[n, i], xi[n, i], stored)]
