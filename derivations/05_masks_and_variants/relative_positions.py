r"""Relative positions

A key is moved by an embedding of the distance, $K_{ja} + R_{(i-j)a}$.  Distances of $n$ positions are
$-(n-1), \dots, n-1$, so $R$ has $2n - 1$ rows and row $i - j + n - 1$ is meant.  The scores split into a
part of content and one of position; the gradient of a row of $R$ is a sum along a diagonal.
"""

import sympy as sp

import symattn as sa

source = "P. Shaw, J. Uszkoreit, A. Vaswani, Self-attention with relative position representations, NAACL 2018, equation 5"

n, d, d_v = sa.sizes("n d d_v")
i, j, l = sa.indices("i j l", n)
(a,), (b,) = sa.indices("a", d), sa.indices("b", d_v)
(r,) = sa.indices("r", 2 * n - 1)
Q, K, V = sa.tensor("Q", n, d), sa.tensor("K", n, d), sa.tensor("V", n, d_v)
R = sa.tensor("R", 2 * n - 1, d)

S = sa.define("S", (i, j), sa.total(Q[i, a] * (K[j, a] + R[i - j + n - 1, a]), a) / sp.sqrt(d))
A = sa.define("A", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, l]), l))
O = sa.define("O", (i, b), sa.total(A[i, j] * V[j, b], j))
system = sa.System(S, A, O)

results = {"Backward pass": sa.backward(system, output="O", wrt=("V", "A", "S", "Q", "K", "R"))}

L = sa.loss("L")
dS = sa.partial(L, S[i, j])

claims = [
    (
        "Content and position",
        S[i, j],
        (sa.total(Q[i, a] * K[j, a], a) + sa.total(Q[i, a] * R[i - j + n - 1, a], a)) / sp.sqrt(d),
    ),
    (
        "Queries see keys and distances",
        sa.partial(L, Q[i, a]),
        sa.total(dS * (K[j, a] + R[i - j + n - 1, a]), j) / sp.sqrt(d),
    ),
    (
        "A distance has the gradients of a diagonal",
        sa.partial(L, R[r, a]),
        sa.total(dS * sa.delta(r, i - j + n - 1) * Q[i, a], i, j) / sp.sqrt(d),
    ),
]
