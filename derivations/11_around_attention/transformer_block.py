r"""A transformer block, backward

A pre-norm block with one head: RMS norm, attention, a residual, RMS norm, a feed-forward layer, a
residual.  Every residual adds the gradient that comes in to that of its branch, so some of it reaches the
input unchanged, whatever the branches do.
"""

import sympy as sp

import symattn as sa
from symattn.primitives import sigmoid

source = "R. Xiong et al., On layer normalization in the transformer architecture, ICML 2020, figure 1b; H. Touvron et al., LLaMA, 2023, section 2.2"

n, d, k, h = sa.sizes("n d k h")
(i, j, l), (a, b, c) = sa.indices("i j l", n), sa.indices("a b c", d)
(p,), (r,) = sa.indices("p", k), sa.indices("r", h)
X = sa.tensor("X", n, d)
W_Q, W_K, W_V = sa.tensor("W_Q", d, k), sa.tensor("W_K", d, k), sa.tensor("W_V", d, d)
W, U = sa.tensor("W", d, h), sa.tensor("U", h, d)
eps = sa.tensor("epsilon", positive=True)


def rms(x, i, a):
    """One entry of a row, over the root mean square of the row."""
    return x[i, a] / sp.sqrt(sa.total(x[i, c] ** 2, c) / d + eps)


N = sa.define("N", (i, a), rms(X, i, a))
Q = sa.define("Q", (i, p), sa.total(N[i, a] * W_Q[a, p], a))
K = sa.define("K", (j, p), sa.total(N[j, a] * W_K[a, p], a))
V = sa.define("V", (j, b), sa.total(N[j, a] * W_V[a, b], a))
S = sa.define("S", (i, j), sa.total(Q[i, p] * K[j, p], p) / sp.sqrt(k))
A = sa.define("A", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, l]), l))
R = sa.define("R", (i, b), X[i, b] + sa.total(A[i, j] * V[j, b], j))
M = sa.define("M", (i, a), rms(R, i, a))
F = sa.define("F", (i, r), sa.total(M[i, a] * W[a, r], a))
G = sa.define("G", (i, r), F[i, r] * sigmoid(F[i, r]))
Y = sa.define("Y", (i, b), R[i, b] + sa.total(G[i, r] * U[r, b], r))
system = sa.System(N, Q, K, V, S, A, R, M, F, G, Y)

results = {
    "Backward pass": sa.backward(
        system, output="Y", wrt=("G", "F", "M", "R", "A", "S", "V", "K", "Q", "N", "X")
    )
}

L = sa.loss("L")
g = {x: sa.partial(L, system[x][i, b]) for x in "RMYN"}
scale = 1 / sp.sqrt(sa.total(R[i, c] ** 2, c) / d + eps)
claims = [
    (
        "The residual behind the feed-forward layer",
        g["R"],
        g["Y"] + scale * (g["M"] - M[i, b] * sa.total(M[i, c] * sa.partial(L, M[i, c]), c) / d),
    ),
    (
        "Queries, keys and values lead to the normalised input",
        g["N"],
        sa.total(sa.partial(L, Q[i, p]) * W_Q[b, p] + sa.partial(L, K[i, p]) * W_K[b, p], p)
        + sa.total(sa.partial(L, V[i, c]) * W_V[b, c], c),
        sa.System(N, Q, K, V),
    ),
    ("Through the gate", sa.partial(L, F[i, r]), sa.partial(L, G[i, r]) * sigmoid(F[i, r]) * (1 + F[i, r] * (1 - sigmoid(F[i, r])))),
    ("The second matrix", sa.partial(L, U[r, b]), sa.total(G[i, r] * g["Y"], i)),
]
