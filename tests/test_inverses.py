"""Inverses of definitions: what the matrix is made of cancels, and the near-misses do not."""

import pytest
import sympy as sp

import symattn as sa

n, d = sa.sizes("n d")
i, j, k = sa.indices("i j k", n)
a, b, c, e = sa.indices("a b c e", d)
X, B, P = sa.tensor("X", n, d), sa.tensor("B", d, d), sa.tensor("P", d, d)
lam = sp.Symbol("lambda", positive=True)
T, D, I = sa.total, sa.delta, sa.inverse

G = sa.define("G", (a, b), X[i, a] * X[i, b])
M = sa.define("M", (a, b), X[i, a] * X[i, b] + lam * D(a, b))
S = sa.define("S", (i, j), X[i, a] * P[a, b] * X[j, b])
N = sa.define("N", (a, b), B[a, c] * B[c, b])
H = sa.define("H", (i, j), X[i, a] * I(G)[a, b] * X[j, b])
system = sa.System(G, M, S, N, H)


@pytest.mark.parametrize(
    "left, right",
    [
        (T(H[i, k] * H[k, j], k), H[i, j]),
        (H[i, j], H[j, i]),
        (T(H[i, i], i), d),
        (T(H[i, k] * X[k, a], k), X[i, a]),
        (I(M)[a, b], I(M)[b, a]),
        (T(I(M)[a, c] * X[i, c] * X[i, b], c, i), D(a, b) - lam * I(M)[a, b]),
        (T(I(N)[a, c] * B[c, e] * B[e, b], c, e), D(a, b)),
    ],
)
def test_proved(left, right):
    verdict = sa.prove(left, right, given=system)
    assert verdict.status == "proved" and any("invertible" in x for x in verdict.conditions)


@pytest.mark.parametrize(
    "left, right",
    [
        (T(H[i, k] * H[k, j], k), -H[i, j]),
        (T(H[i, i], i), n),
        (I(S)[i, j], I(S)[j, i]),
        (I(N)[a, b], I(N)[b, a]),
        (T(I(M)[a, c] * X[i, c] * X[i, b], c, i), D(a, b)),
        (T(I(N)[a, c] * B[c, e] * B[b, e], c, e), D(a, b)),
    ],
)
def test_near_misses_are_not(left, right):
    assert sa.prove(left, right, given=system).status in ("refuted", "unknown")
