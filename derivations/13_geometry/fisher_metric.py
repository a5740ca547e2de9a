r"""Fisher metric of softmax, and of attention

The Fisher metric of a distribution $p$ with logits $z$ is the mean of products of scores,
$F_{ij} = \sum_k p_k\, \partial_i \log p_k\, \partial_j \log p_k$.  For softmax it is
$\delta_{ij} p_i - p_i p_j$, which is the Jacobian of softmax too; it is singular along the
direction that shifts all logits, and has a pseudo-inverse that leaves this direction out.  A row of
attention is such a distribution, so that queries carry a metric: the covariance of the keys.
"""

import sympy as sp

import symattn as sa

source = "S. Amari, Natural gradient works efficiently in learning, Neural Computation 10, 1998"

n, n_q, n_k, d_k = sa.sizes("n n_q n_k d_k")
i, j, k, l, m = sa.indices("i j k l m", n)
q, (s, t) = sa.indices("q", n_q)[0], sa.indices("s t", n_k)
a, b = sa.indices("a b", d_k)
z, w = sa.tensor("z", n), sa.tensor("w", n)
Q, K = sa.tensor("Q", n_q, d_k), sa.tensor("K", n_k, d_k)

p = sa.define("p", (i,), sp.exp(z[i]) / sa.total(sp.exp(z[k]), k))
# ∂_i log p_k = δ_ik − p_i
F = sa.define("F", (i, j), sa.total(p[k] * (sa.delta(i, k) - p[i]) * (sa.delta(j, k) - p[j]), k))
# centred weights: C = I − 1 1ᵀ/n, and C diag(1/p) C
C = sa.define("C", (i, j), sa.delta(i, j) - 1 / n)
G = sa.define("G", (i, j), sa.total(C[i, k] * C[k, j] / p[k], k))

S = sa.define("S", (q, s), sa.total(Q[q, a] * K[s, a], a) / sp.sqrt(d_k))
A = sa.define("A", (q, s), sp.exp(S[q, s]) / sa.total(sp.exp(S[q, t]), t))
mean = sa.define("m", (q, a), sa.total(A[q, s] * K[s, a], s))
# pulled back by ∂S_qs/∂Q_qa = K_sa/√d_k
H = sa.define(
    "H",
    (q, a, b),
    sa.total(K[s, a] * K[t, b] * (sa.delta(s, t) * A[q, s] - A[q, s] * A[q, t]), s, t) / d_k,
)

system = sa.System(p, F, C, G, S, A, mean, H)
results = {"Score": sa.jacobian(sa.System(p), of="p", wrt="z")}


claims = [
    ("The Fisher metric of softmax", F[i, j], sa.delta(i, j) * p[i] - p[i] * p[j]),
    ("It is singular along the shift of all logits", sa.total(F[i, j], j), 0),
    ("The pseudo-inverse leaves that direction out", sa.total(G[i, j], j), 0),
    (
        "Twice around gives the metric back",
        sa.total(F[i, k] * G[k, l] * F[l, j], k, l),
        F[i, j],
    ),
    (
        "The product of both is the projection",
        sa.total(F[i, k] * G[k, j], k),
        sa.delta(i, j) - 1 / n,
    ),
    (
        "Pulled back to queries it is the covariance of the keys",
        H[q, a, b],
        (sa.total(A[q, s] * K[s, a] * K[s, b], s) - mean[q, a] * mean[q, b]) / d_k,
    ),
]
