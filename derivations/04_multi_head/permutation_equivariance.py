r"""Self-attention does not know the order

Without positions, permuting the sequence permutes the output, and nothing else happens.  A
permutation is a matrix $P$ with one 1 in every row and column, so $P^\top P = 1$.  Scores of the
permuted sequence are $P S P^\top$; softmax treats every entry alike, so its weights are $P A P^\top$
(that is what `B` is here); then the output is $P O$.
"""

import sympy as sp

import symattn as sa

source = "J. Lee et al., Set Transformer, ICML 2019, property 1"

n, d, d_v = sa.sizes("n d d_v")
i, j, l, m = sa.indices("i j l m", n)
a, c = sa.indices("a c", d)
(b,) = sa.indices("b", d_v)
P, X = sa.tensor("P", n, n), sa.tensor("X", n, d)
M, W = sa.tensor("M", d, d), sa.tensor("W", d, d_v)

S = sa.define("S", (i, j), sa.total(X[i, a] * M[a, c] * X[j, c], a, c))
A = sa.define("A", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, l]), l))
V = sa.define("V", (j, b), sa.total(X[j, a] * W[a, b], a))
O = sa.define("O", (i, b), sa.total(A[i, j] * V[j, b], j))
system = sa.System(S, A, V, O)

Y = sa.define("Y", (i, a), sa.total(P[i, l] * X[l, a], l))
R = sa.define("R", (i, j), sa.total(Y[i, a] * M[a, c] * Y[j, c], a, c))
B = sa.define("B", (i, j), sa.total(P[i, l] * P[j, m] * A[l, m], l, m))
permuted = sa.System(
    *system,
    Y,
    R,
    B,
    facts=[
        sp.Eq(sa.total(P[l, i] * P[l, j], l), sa.delta(i, j)),
    ],
)

results = {"Backward pass": sa.backward(system, output="O", wrt=("V", "A", "S", "X"))}


claims = [
    ("Scores are permuted", R[i, j], sa.total(P[i, l] * P[j, m] * S[l, m], l, m), permuted),
    (
        "The output is permuted, and no more",
        sa.total(B[i, j] * Y[j, a] * W[a, b], j, a),
        sa.total(P[i, l] * O[l, b], l),
        permuted,
    ),
]
refuted = [
    (
        "The output does not change",
        sa.total(B[i, j] * Y[j, a] * W[a, b], j, a),
        O[i, b],
        permuted,
    ),
]
