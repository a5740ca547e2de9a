r"""Random Fourier features

For a Gaussian kernel, $e^{-|x-y|^2/2} = \langle \cos \omega \cdot (x - y) \rangle$ over normal $\omega$.  What is
proved here is what any sample gives: products of the features $\cos \omega \cdot x$ and
$\sin \omega \cdot x$ add up to a cosine of differences, so an estimate depends on $x - y$ alone, has the
right value 1 for $x = y$ whatever was drawn, and the mean over a distribution of $\omega$ is its
characteristic function.  Of the normal distribution one thing is used, as a fact: this function is the
Gaussian.  Then the estimate is unbiased; outcomes $t$ with probabilities $p$ stand for the continuum.
"""

import sympy as sp

import symattn as sa

source = "A. Rahimi and B. Recht, Random features for large-scale kernel machines, NIPS 2007, theorem 1"

n, m, d, s = sa.sizes("n m d s")
(i,), (j,), (a,), (r,) = sa.indices("i", n), sa.indices("j", m), sa.indices("a", d), sa.indices("r", s)
X, Y, w = sa.tensor("X", n, d), sa.tensor("Y", m, d), sa.tensor("omega", s, d)

c = sa.define("c", (i, r), sp.cos(sa.total(w[r, a] * X[i, a], a)) / sp.sqrt(s))
g = sa.define("g", (i, r), sp.sin(sa.total(w[r, a] * X[i, a], a)) / sp.sqrt(s))
e = sa.define("e", (j, r), sp.cos(sa.total(w[r, a] * Y[j, a], a)) / sp.sqrt(s))
h = sa.define("h", (j, r), sp.sin(sa.total(w[r, a] * Y[j, a], a)) / sp.sqrt(s))
K = sa.define("K", (i, j), sa.total(c[i, r] * e[j, r] + g[i, r] * h[j, r], r))
system = sa.System(c, g, e, h, K)
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

# one pair of points, so that the fact is one equation
T = sa.sizes("T")[0]
(t,) = sa.indices("t", T)
x, y, o = sa.tensor("x", d), sa.tensor("y", d), sa.tensor("o", T, d)
q = sa.tensor("p", T, positive=True)
along = {v: sa.total(o[t, a] * v[a], a) for v in (x, y)}
pairs = sp.cos(along[x]) * sp.cos(along[y]) + sp.sin(along[x]) * sp.sin(along[y])
one = sa.define("E", (), sa.total(q[t] * pairs, t))
gap = sa.total((x[a] - y[a]) ** 2, a)
normal = sa.System(
    one, facts=[sp.Eq(sa.total(q[t] * sp.cos(along[x] - along[y]), t), sp.exp(-gap / 2))]
)
claims.append(("Unbiased", one, sp.exp(-gap / 2), normal))

refuted = [
    (
        "Cosines alone are enough",
        sa.total(c[i, r] * e[j, r], r),
        sa.total(sp.cos(sa.total(w[r, a] * (X[i, a] - Y[j, a]), a)), r) / s,
    ),
]
