r"""Random Fourier features

For a Gaussian kernel, $e^{-|x-y|^2/2} = \langle \cos \omega \cdot (x - y) \rangle$ over normal $\omega$.  What is
proved here is what any sample gives: products of the features $\cos \omega \cdot x$ and
$\sin \omega \cdot x$ add up to a cosine of differences, so an estimate depends on $x - y$ alone, has the
right value 1 for $x = y$ whatever was drawn, and the mean over a distribution of $\omega$ is its
characteristic function.  That this function is the Gaussian is an integral over a continuum, which
is taken as known.
"""

import sympy as sp

import symattn as sa

source = (
    "A. Rahimi and B. Recht, Random features for large-scale kernel machines, NIPS 2007, theorem 1"
)

n, m, d, s = sa.sizes("n m d s")
(i,), (j,), (a,), (r,) = (
    sa.indices("i", n),
    sa.indices("j", m),
    sa.indices("a", d),
    sa.indices("r", s),
)
X, Y, w = sa.tensor("X", n, d), sa.tensor("Y", m, d), sa.tensor("omega", s, d)

c = sa.define("c", (i, r), sp.cos(sa.total(w[r, a] * X[i, a], a)) / sp.sqrt(s))
g = sa.define("g", (i, r), sp.sin(sa.total(w[r, a] * X[i, a], a)) / sp.sqrt(s))
u = sa.define("u", (j, r), sp.cos(sa.total(w[r, a] * Y[j, a], a)) / sp.sqrt(s))
h = sa.define("h", (j, r), sp.sin(sa.total(w[r, a] * Y[j, a], a)) / sp.sqrt(s))
K = sa.define("K", (i, j), sa.total(c[i, r] * u[j, r] + g[i, r] * h[j, r], r))
system = sa.System(c, g, u, h, K)
own = sa.define("N", (i,), sa.total(c[i, r] ** 2 + g[i, r] ** 2, r))

results = {"In a point": sa.backward(system, output="K", wrt=("c", "g", "X"))}

claims = [
    (
        "The estimate is a mean of cosines of differences",
        K[i, j],
        sa.total(sp.cos(sa.total(w[r, a] * (X[i, a] - Y[j, a]), a)), r) / s,
    ),
    ("At equal points it is exact", own[i], 1, sa.System(c, g, own)),
]
refuted = [
    (
        "Cosines alone are enough",
        sa.total(c[i, r] * u[j, r], r),
        sa.total(sp.cos(sa.total(w[r, a] * (X[i, a] - Y[j, a]), a)), r) / s,
    ),
]
