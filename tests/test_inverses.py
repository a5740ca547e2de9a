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


A, Q, Y = sa.tensor("A", d, d), sa.tensor("Q", d, d, symmetric=True), sa.tensor("Y", d, n)
BY_OTHERS = {  # a matrix, and its inverse
    "a product": (A[a, c] * B[c, b], I(B)[a, c] * I(A)[c, b]),
    "transposed": (A[c, a] * B[b, c], I(B)[c, a] * I(A)[b, c]),
    "symmetric": (Q[a, c] * A[c, e] * Q[e, b], I(Q)[a, c] * I(A)[c, e] * I(Q)[e, b]),
    "a multiple": (lam * A[a, b], I(A)[a, b] / lam),
    "an inverse": (I(A)[a, b], A[a, b]),
    "its trace times": (T(A[c, c], c) * A[a, b], I(A)[a, b] / T(A[c, c], c)),
}
NOT_BY_OTHERS = {
    "in the same order": (A[a, c] * B[c, b], I(A)[a, c] * I(B)[c, b]),
    "not transposed": (A[b, a], I(A)[a, b]),
    "by components": (A[a, b] * B[a, b], I(A)[a, b] * I(B)[a, b]),
    "a diagonal between": (
        T(A[a, c] * B[c, c] * B[c, b], c),
        T(I(B)[a, c] * I(A)[c, b], c),
    ),
    "a sum": (A[a, b] + B[a, b], I(A)[a, b] + I(B)[a, b]),
}


@pytest.mark.parametrize("name", [*BY_OTHERS, *NOT_BY_OTHERS])
def test_inverses_by_those_of_others(name):
    body, value = (BY_OTHERS | NOT_BY_OTHERS)[name]
    made = sa.define("K", (a, b), body)
    status = sa.prove(I(made)[a, b], value, given=sa.System(made), over=[a, b]).status
    assert status == ("proved" if name in BY_OTHERS else "refuted")


def test_an_inverse_of_rectangles_is_none_of_theirs():
    made = sa.define("K", (a, b), Y[a, i] * X[i, b])
    assert sa.prove(I(made)[a, b], I(made)[b, a], given=sa.System(made)).status == "refuted"


def test_definitions_with_one_body_have_one_inverse():
    one = sa.define("K", (a, b), X[i, a] * X[i, b] + lam * D(a, b))
    two = sa.define("J", (c, e), lam * D(c, e) + X[j, c] * X[j, e])
    other = sa.define("L", (a, b), X[i, a] * X[i, b] + D(a, b))
    given = sa.System(one, two, other)
    assert sa.prove(I(one)[a, b], I(two)[a, b], given=given).status == "proved"
    assert sa.prove(I(one)[a, b], I(other)[a, b], given=given).status == "refuted"


U, V, R = sa.tensor("U", n, d), sa.tensor("V", d, n), sa.tensor("R", n, n)
u, v, w = sa.tensor("u", n), sa.tensor("v", n), sa.tensor("w", d)
(l,) = sa.indices("l", n)
K = sa.define("K", (i, j), X[i, a] * X[j, a] + lam * D(i, j))
RANK = sa.define("RANK", (i, j), R[i, j] + u[i] * v[j])
ONE_ = sa.define("ONE", (i, j), D(i, j) + U[i, a] * V[a, j])
cleared = sa.System(M, K, RANK, ONE_)
bend = 1 + T(v[i] * I(R)[i, j] * u[j], i, j)
change = T(I(R)[i, k] * u[k] * v[l] * I(R)[l, j], k, l)
dual = T(X[j, a] * I(K)[j, i], j)
CLEARED = {  # what is so, and what is one slip away
    "ridge": (T(I(M)[a, b] * X[i, b], b), dual, 2 * dual),
    "rank one": (I(RANK)[i, j], I(R)[i, j] - change / bend, I(R)[i, j] - change),
    "one step": (I(ONE_)[i, j], D(i, j) - T(U[i, a] * V[a, k] * I(ONE_)[k, j], a, k), D(i, j)),
}


@pytest.mark.parametrize("left, right, slip", CLEARED.values(), ids=CLEARED)
def test_a_matrix_is_cleared_where_its_inverse_stands(left, right, slip):
    assert sa.prove(left, right, given=cleared).status == "proved"
    assert sa.prove(left, slip, given=cleared).status == "refuted"


def test_a_matrix_of_which_no_inverse_stands_is_not_cleared():
    """P x = P y says nothing of x and y."""
    system = sa.System(sa.define("P", (a, b), w[a] * w[b]), facts=[sp.Eq(T(w[a] ** 2, a), 1)])
    P_ = system.definitions["P"]
    assert sa.prove(T(P_[a, b] * w[b], b), w[a], given=system).status == "proved"
    assert sa.prove(w[a], T(B[a, b] * w[b], b), given=system).status != "proved"


def test_what_a_matrix_is_made_of_beside_its_inverse_in_a_trace():
    """tr((A + 1)⁻¹ (A + 1)) = d, and tr((A + 1)⁻¹ A) = d − tr (A + 1)⁻¹."""
    u = sa.tensor("u", d)
    for rest in (D(a, b), u[a] * u[b], lam * D(a, b)):
        K = sa.define("K", (a, b), P[a, b] + rest)
        other = rest.subs({a: c, b: e}, simultaneous=True)
        trace = T(I(K)[e, c] * (P[c, e] + other), c, e)
        inside = T(I(K)[e, c] * P[c, e], c, e), d - T(I(K)[e, c] * other, c, e)
        assert sa.prove(trace * T(u[a], a), d * T(u[a], a), given=sa.System(K)).status == "proved"
        assert sa.prove(*inside, given=sa.System(K)).status == "proved"
        assert sa.prove(inside[0], d, given=sa.System(K)).status == "refuted"
        flipped = T(I(K)[e, c] * P[e, c], c, e)
        assert sa.prove(flipped, inside[1], given=sa.System(K)).status == "refuted"
