r"""What a head cannot tell apart

Scores know $W_Q$ and $W_K$ by the product $W_Q W_K^\top$ alone, outputs know $W_V$ and $W_O$ by
$W_V W_O$.  So an invertible matrix may be put between each pair without any effect: parameters of a
head are determined only up to a change of basis, and these directions have no gradient.
"""

import sympy as sp

import symattn as sa

source = "N. Elhage et al., A mathematical framework for transformer circuits, 2021, the QK and OV circuits"

n, d, k, m = sa.sizes("n d d_k m")
(i, j, l), (a, c) = sa.indices("i j l", n), sa.indices("a c", d)
(p, q, r), (e,) = sa.indices("p q r", k), sa.indices("e", m)
X = sa.tensor("X", n, d)
W_Q, W_K, W_V = (sa.tensor(name, d, k) for name in ("W_Q", "W_K", "W_V"))
W_O, M = sa.tensor("W_O", k, m), sa.tensor("M", k, k)

S = sa.define("S", (i, j), sa.total(X[i, a] * W_Q[a, p] * W_K[c, p] * X[j, c], a, c, p))
A = sa.define("A", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, l]), l))
Y = sa.define("Y", (i, e), sa.total(A[i, j] * X[j, a] * W_V[a, p] * W_O[p, e], j, a, p))
system = sa.System(S, A, Y)

turned_Q = sa.define("U_Q", (a, p), sa.total(W_Q[a, q] * M[q, p], q))
turned_K = sa.define("U_K", (a, p), sa.total(W_K[a, q] * sa.inverse(M)[p, q], q))
turned_V = sa.define("U_V", (a, p), sa.total(W_V[a, q] * M[q, p], q))
turned_O = sa.define("U_O", (p, e), sa.total(sa.inverse(M)[p, q] * W_O[q, e], q))
turned = sa.System(*system, turned_Q, turned_K, turned_V, turned_O)

results = {"Gradients": sa.backward(system, output="Y", wrt=("A", "S", "W_Q", "W_K"))}

L = sa.loss("L")

claims = [
    (
        "Scores do not see the basis",
        sa.total(X[i, a] * turned_Q[a, p] * turned_K[c, p] * X[j, c], a, c, p),
        S[i, j],
        turned,
    ),
    (
        "Outputs do not see the basis",
        sa.total(A[i, j] * X[j, a] * turned_V[a, p] * turned_O[p, e], j, a, p),
        Y[i, e],
        turned,
    ),
    (
        "The directions without a gradient",
        sa.total(W_Q[a, p] * sa.partial(L, W_Q[a, q]), a),
        sa.total(W_K[a, q] * sa.partial(L, W_K[a, p]), a),
    ),
]
refuted = [
    (
        "Any matrix may stand in both",
        sa.total(X[i, a] * turned_Q[a, p] * sa.total(W_K[c, q] * M[q, p], q) * X[j, c], a, c, p),
        S[i, j],
        turned,
    ),
]
