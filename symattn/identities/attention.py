"""Attention, for all sizes: softmax, its Jacobian, gradients."""

from __future__ import annotations

from ..convert import Partial
from ..syntax import System, define, delta, indices, tensor, total
from .identity import Identities
from .letters import a, b, d_k, d_v, exp, i, i2, j, l, n_k, n_q, r, sqrt

IDENTITIES = Identities()
add = IDENTITIES.add

Q, K, V = tensor("Q", n_q, d_k), tensor("K", n_k, d_k), tensor("V", n_k, d_v)
dO = tensor("dO", n_q, d_v)
S = define("S", (i, j), Q[i, a] * K[j, a] / sqrt(d_k))
A = define("A", (i, j), exp(S[i, j]) / total(exp(S[i, l]), l))
O = define("O", (i, b), A[i, j] * V[j, b])
L = define("L", (), total(dO[i, b] * O[i, b], i, b))
dA = define("dA", (i, j), dO[i, b] * V[j, b])
dS = define("dS", (i, j), A[i, j] * (dA[i, j] - total(A[i, l] * dA[i, l], l)))
att = System(S, A, O, L, dA, dS)
row = total(dO[i, b] * O[i, b], b)
add("rows of A sum to 1", total(A[i, j], j), 1, 2, n_k, given=att)
add(
    "rowsum(dO∘O) = rowsum(A∘dA)",
    row,
    total(A[i, j] * dA[i, j], j),
    -total(A[i, j] * dA[i, j], j),
    total(dA[i, j], j),
    given=att,
)
add(
    "softmax Jacobian",
    Partial(A[i, j], S[i2, r]),
    delta(i, i2) * A[i, j] * (delta(j, r) - A[i, r]),
    delta(i, i2) * A[i, j] * (delta(j, r) + A[i, r]),
    A[i, j] * (delta(j, r) - A[i, r]),
    delta(i, i2) * A[i, j] * (delta(j, r) - A[i, j]),
    given=att,
)
add(
    "softmax gradient dS",
    Partial(L.tensor, S[i, j]),
    dS[i, j],
    A[i, j] * dA[i, j],
    dS[i, j] / sqrt(d_k),
    -dS[i, j],
    given=att,
)
add(
    "dQ",
    Partial(L.tensor, Q[i, a]),
    dS[i, j] * K[j, a] / sqrt(d_k),
    dS[i, j] * K[j, a],
    dS[i, j] * K[j, a] / d_k,
    given=att,
)
add(
    "dK",
    Partial(L.tensor, K[j, a]),
    dS[i, j] * Q[i, a] / sqrt(d_k),
    dS[i, j] * Q[i, a],
    -dS[i, j] * Q[i, a] / sqrt(d_k),
    given=att,
)
add(
    "dV",
    Partial(L.tensor, V[j, b]),
    A[i, j] * dO[i, b],
    S[i, j] * dO[i, b],
    total(A[i, l] * dO[i, b], i, l),
    given=att,
)
add("rows of dS sum to 0", total(dS[i, j], j), 0, 1, given=att)
add(
    "dS with D = rowsum(dO∘O)",
    dS[i, j],
    A[i, j] * (dA[i, j] - row),
    A[i, j] * (dA[i, j] + row),
    A[i, j] * (dA[i, j] - row / d_v),
    given=att,
)
add(
    "∂O/∂V",
    Partial(O[i, b], V[j, indices("q", d_v)[0]]),
    A[i, j] * delta(b, indices("q", d_v)[0]),
    A[i, j],
    given=att,
)
add(
    "∂S/∂K",
    Partial(S[i, j], K[r, a]),
    delta(j, r) * Q[i, a] / sqrt(d_k),
    delta(j, r) * Q[i, a],
    given=att,
)
add("output is a weighted mean", total(A[i, j] * (V[j, b] - O[i, b]), j), 0, O[i, b], given=att)
