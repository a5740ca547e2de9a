r"""The backward pass of scaled dot-product attention

Queries $Q$ and keys $K$ give scores $S$, their softmax $A$ weighs the values $V$.  From the
gradient $\bar O$ that comes in, the gradients of everything follow in the order in which a
backward pass computes them, for all sizes.
"""

import sympy as sp

import symattn as sa

source = (
    "A. Vaswani et al., Attention is all you need, NeurIPS 2017, equation 1; "
    "for the row sum, T. Dao et al., FlashAttention, NeurIPS 2022, equation 4"
)

n_q, n_k, d_k, d_v = sa.sizes("n_q n_k d_k d_v")
(i,), (j, l) = sa.indices("i", n_q), sa.indices("j l", n_k)
(a,), (b,) = sa.indices("a", d_k), sa.indices("b", d_v)
Q, K, V = sa.tensor("Q", n_q, d_k), sa.tensor("K", n_k, d_k), sa.tensor("V", n_k, d_v)

S = sa.define("S", (i, j), Q[i, a] * K[j, a] / sp.sqrt(d_k))
A = sa.define("A", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, l]), l))
O = sa.define("O", (i, b), A[i, j] * V[j, b])
system = sa.System(S, A, O)

results = {
    "Backward pass": sa.backward(system, output="O", wrt=("V", "A", "S", "Q", "K")),
}

O_bar = sa.tensor("O_bar", n_q, d_v)
A_bar = sa.define("A_bar", (i, j), O_bar[i, b] * V[j, b])
D = sa.define("D", (i,), O_bar[i, b] * O[i, b])
claims = [
    (
        "The row sum in the gradient of S needs no array of the size of A",
        sa.total(A[i, j] * A_bar[i, j], j),
        D[i],
        system.extended(A_bar, D),
    ),
]
