r"""A transformer block, backward

A pre-norm block with one head: RMS norm, attention, a residual, RMS norm, a feed-forward layer, a
residual.  Queries and keys are projected by $W_Q W_K^\top = G$, values and outputs by $W_V W_O = H$: scores
and outputs know no more of the four.  Every residual adds the gradient that comes in to that of its branch, so some of it reaches the
input unchanged, whatever the branches do.
"""

import sympy as sp

import symattn as sa
from symattn.primitives import sigmoid

source = "R. Xiong et al., On layer normalization in the transformer architecture, ICML 2020, figure 1b; H. Touvron et al., LLaMA, 2023, section 2.2"

n, d, h = sa.sizes("n d h")
(i, j, l), (a, b, c) = sa.indices("i j l", n), sa.indices("a b c", d)
(r,) = sa.indices("r", h)
X = sa.tensor("X", n, d)
G, H = sa.tensor("G", d, d), sa.tensor("H", d, d)
W, U = sa.tensor("W", d, h), sa.tensor("U", h, d)
eps = sp.Rational(1, 10**5)


def scale(x):
    """One over the root mean square of every row."""
    return 1 / sp.sqrt(sa.total(x[i, c] ** 2, c) / d + eps)


p = sa.define("p", (i,), scale(X))
N = sa.define("N", (i, a), X[i, a] * p[i])
V = sa.define("V", (j, b), sa.total(N[j, a] * H[a, b], a))
S = sa.define("S", (i, j), sa.total(N[i, a] * G[a, b] * N[j, b], a, b))
A = sa.define("A", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, l]), l))
R = sa.define("R", (i, b), X[i, b] + sa.total(A[i, j] * V[j, b], j))
q = sa.define("q", (i,), scale(R))
M = sa.define("M", (i, a), R[i, a] * q[i])
F = sa.define("F", (i, r), sa.total(M[i, a] * W[a, r], a))
B = sa.define("B", (i, r), F[i, r] * sigmoid(F[i, r]))
Y = sa.define("Y", (i, b), R[i, b] + sa.total(B[i, r] * U[r, b], r))
system = sa.System(p, N, V, S, A, R, q, M, F, B, Y)

results = {
    "Backward pass": sa.backward(system, output="Y", wrt=("B", "F", "M", "R", "S", "V", "N", "X"))
}


L = sa.loss("L")
g = {x: sa.partial(L, system[x][i, b]) for x in "RMYN"}
claims = [
    (
        "The residual behind the feed-forward layer",
        g["R"],
        g["Y"] + q[i] * (g["M"] - M[i, b] * sa.total(M[i, c] * sa.partial(L, M[i, c]), c) / d),
    ),
    (
        "Three paths lead to the normalised input: as a query, as a key, as a value",
        g["N"],
        sa.total(sa.partial(L, S[i, j]) * G[b, a] * N[j, a], j, a)
        + sa.total(sa.partial(L, S[j, i]) * N[j, a] * G[a, b], j, a)
        + sa.total(sa.partial(L, V[i, c]) * H[b, c], c),
        sa.System(p, N, V, S),
    ),
    (
        "Through the gate",
        sa.partial(L, F[i, r]),
        sa.partial(L, B[i, r]) * sigmoid(F[i, r]) * (1 + F[i, r] * (1 - sigmoid(F[i, r]))),
    ),
    ("The second matrix", sa.partial(L, U[r, b]), sa.total(B[i, r] * g["Y"], i)),
]
