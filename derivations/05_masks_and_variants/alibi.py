r"""Linear biases: a score falls with the distance

With a bias $-m\,(i - j)$ for a key $j$ at or before the query $i$, no positions need to be learned, and
longer sequences than were trained are met.  Since only differences along a row matter, the bias
$m j$, which does not know the query, gives the same weights.
"""

import sympy as sp

import symattn as sa

source = "O. Press, N. Smith, M. Lewis, Train short, test long, ICLR 2022, section 3"

n, d, d_v = sa.sizes("n d d_v")
i, j, l, k = sa.indices("i j l k", n)
(a,), (b,) = sa.indices("a", d), sa.indices("b", d_v)
Q, K, V = sa.tensor("Q", n, d), sa.tensor("K", n, d), sa.tensor("V", n, d_v)
m = sa.tensor("m")

# the number of a position: how many come before it
p = sa.define("p", (i,), sa.total(sa.iverson(k < i), k))
S = sa.define("S", (i, j), sa.total(Q[i, a] * K[j, a], a) / sp.sqrt(d) - m * (p[i] - p[j]))
A = sa.define(
    "A",
    (i, j),
    sa.iverson(j <= i) * sp.exp(S[i, j]) / sa.total(sa.iverson(l <= i) * sp.exp(S[i, l]), l),
)
O = sa.define("O", (i, b), sa.total(A[i, j] * V[j, b], j))
system = sa.System(p, S, A, O)

free = sa.total(Q[i, a] * K[j, a], a) / sp.sqrt(d) + m * p[j]
others = sa.total(Q[i, a] * K[l, a], a) / sp.sqrt(d) + m * p[l]
mean = sa.define("u", (i,), sa.total(A[i, j] * p[j], j))

results = {"Backward pass": sa.backward(system, output="O", wrt=("S", "Q"))}

L = sa.loss("L")
claims = [
    (
        "The bias m j gives the same weights",
        A[i, j],
        sa.iverson(j <= i) * sp.exp(free) / sa.total(sa.iverson(l <= i) * sp.exp(others), l),
    ),
    (
        "A steeper slope moves weight to later keys",
        sa.partial(A[i, j], m),
        A[i, j] * (p[j] - mean[i]),
        system.extended(mean),
    ),
    (
        "The gradient of the slope",
        sa.partial(L, m),
        sa.total(sa.partial(L, S[i, j]) * (p[j] - p[i]), i, j),
    ),
]
refuted = [
    (
        "A steeper slope moves weight to earlier keys",
        sa.partial(A[i, j], m),
        A[i, j] * (mean[i] - p[j]),
        system.extended(mean),
    ),
]
