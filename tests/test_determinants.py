"""Determinants of defined matrices by those of others: products, transposes, small updates."""

from __future__ import annotations

import pytest

import symattn as sa

n, k = sa.sizes("n k")
a, b, c, p, q = sa.indices("a b c p q", n)
r, s = sa.indices("r s", k)
A, B, S = sa.tensor("A", n, n), sa.tensor("B", n, n), sa.tensor("S", n, n, symmetric=True)
U, V = sa.tensor("U", n, k), sa.tensor("V", k, n)
u, v, t = sa.tensor("u", n), sa.tensor("v", n), sa.tensor("t", positive=True)
C = sa.tensor("C", k, k)


def same(x, y):
    return sa.delta(x, y)


AB = sa.define("AB", (a, c), A[a, b] * B[b, c])
AT = sa.define("AT", (a, b), A[b, a])
tA = sa.define("tA", (a, b), t * A[a, b])
ABA = sa.define("ABA", (a, c), sa.inverse(A)[a, p] * B[p, q] * A[q, c])
rank1 = sa.define("rank1", (a, b), A[a, b] + u[a] * v[b])
plain1 = sa.define("plain1", (a, b), same(a, b) + u[a] * v[b])
wide = sa.define("wide", (a, b), same(a, b) + U[a, r] * V[r, b])
slim = sa.define("slim", (r, s), same(r, s) + V[r, a] * U[a, s])
shifted = sa.define("shifted", (a, b), A[a, b] + U[a, r] * V[r, b])
inner = sa.define("inner", (r, s), same(r, s) + V[r, a] * sa.inverse(A)[a, b] * U[b, s])
both = sa.define("both", (a, b), A[a, b] + B[a, b])
det = sa.det
DOT = sa.total(v[a] * u[a], a)
UPDATE = sa.total(v[a] * sa.inverse(A)[a, b] * u[b], a, b)
FLIPPED = sa.total(u[a] * sa.inverse(A)[a, b] * v[b], a, b)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (det(AB), det(A) * det(B)),
        (sa.logdet(AB), sa.logdet(A) + sa.logdet(B)),
        (det(AT), det(A)),
        (det(ABA), det(B)),
        (det(tA), t**n * det(A)),
        (det(plain1), 1 + DOT),
        (det(rank1), det(A) * (1 + UPDATE)),
        (det(wide), det(slim)),
        (det(shifted), det(A) * det(inner)),
    ],
    ids=str,
)
def test_laws(left, right):
    given = sa.System(AB, AT, tA, ABA, rank1, plain1, wide, slim, shifted, inner)
    assert sa.prove(left, right, given=given).status == "proved"
    for wrong in (2 * right, -right):
        assert sa.prove(left, wrong, given=given).status == "refuted"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (det(tA), t * det(A)),
        (det(both), det(A) + det(B)),
        (det(rank1), det(A) * (1 + FLIPPED)),
        (det(plain1), 1 - DOT),
        (det(wide), 1 + sa.total(V[r, a] * U[a, r], a, r)),
        (det(AB), det(A) * det(A)),
    ],
    ids=str,
)
def test_near_misses(left, right):
    given = sa.System(AB, tA, rank1, plain1, wide, both)
    assert sa.prove(left, right, given=given).status == "refuted"


def test_an_update_of_what_may_have_no_inverse_stays_as_it_is():
    """det(A + u v⊤) of a singular A is no multiple of det A."""
    given = sa.System(rank1)
    verdict = sa.prove(det(rank1), det(A) + det(rank1) - det(A), given=given)
    assert verdict.status == "proved" and not any("inverse" in x for x in verdict.conditions)


def test_a_derivative_by_the_rule_of_products():
    """∂ det(AB)/∂A = det(AB) A⁻ᵀ."""
    d = sa.define("d", (), det(AB))
    given = sa.System(AB, d)
    right = det(AB) * sa.inverse(A)[q, p]
    assert sa.prove(sa.partial(d, A[p, q]), right, given=given).status == "proved"
    turned = det(AB) * sa.inverse(A)[p, q]
    assert sa.prove(sa.partial(d, A[p, q]), turned, given=given).status == "refuted"
