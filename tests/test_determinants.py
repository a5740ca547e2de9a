"""Determinants of defined matrices by those of others: products, transposes, small updates."""

from __future__ import annotations

import pytest
import sympy as sp

import symattn as sa

n, k = sa.sizes("n k")
a, b, c, p, q = sa.indices("a b c p q", n)
r, s, q_ = sa.indices("r s q_", k)
A, B, S = sa.tensor("A", n, n), sa.tensor("B", n, n), sa.tensor("S", n, n, symmetric=True)
U, V = sa.tensor("U", n, k), sa.tensor("V", k, n)
u, v, t = sa.tensor("u", n), sa.tensor("v", n), sa.tensor("t", positive=True)
C, L, w = sa.tensor("C", k, k), sa.tensor("L", k, k), sp.Symbol("w", real=True)


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
gram = sa.define("gram", (r, s), L[r, q_] * L[s, q_])
beside = sa.define("beside", (a, b), w**2 * same(a, b) + U[a, r] * sa.inverse(gram)[r, s] * V[s, b])
within = sa.define("within", (r, s), gram[r, s] + V[r, a] * U[a, s] / w**2)
unit = sa.define("unit", (a, b), w**2 * same(a, b))
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
        (det(beside), det(within) * det(unit) / det(gram)),
        (det(beside), det(within) * det(unit) / det(L) ** 2),
    ],
    ids=str,
)
def test_laws(left, right):
    given = sa.System(AB, AT, tA, ABA, rank1, plain1, wide, slim, shifted, inner)
    given = sa.System(*given, gram, beside, within, unit)
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
        (det(beside), det(within) * det(unit) / det(L)),
        (det(beside), det(within) * det(unit)),
        (det(gram), det(L)),
    ],
    ids=str,
)
def test_near_misses(left, right):
    given = sa.System(AB, tA, rank1, plain1, wide, both, gram, beside, within, unit)
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


def test_certificates_have_no_law_for_them():
    with pytest.raises(sa.SymattnError, match=r"det\(AB\) by the determinants of other matrices"):
        sa.prove(det(AB), det(A) * det(B), given=sa.System(AB), certificate=True)


w = sa.tensor("w")
REAL = {"-A": -A[a, b], "-3 A": -3 * A[a, b], "w A": w * A[a, b], "w² A": w**2 * A[a, b]}
REAL |= {"rows": u[a] * A[a, b], "both sides": u[a] * A[a, b] * v[b]}
REAL |= {"similar": u[a] * A[a, b] / u[b], "diagonal": u[a] * same(a, b)}
REAL |= {"diagonal of sums": (1 + u[a] ** 2) * same(a, b), "sums": (u[a] + v[a]) * A[a, b]}


def logs(x):
    return sa.total(sp.log(sp.Abs(x)), a)


SIZE = {
    "-A": 0,
    "-3 A": n * sp.log(3),
    "w A": n * sp.log(sp.Abs(w)),
    "w² A": 2 * n * sp.log(sp.Abs(w)),
    "rows": logs(u[a]),
    "both sides": logs(u[a]) + logs(v[a]),
    "similar": 0,
    "diagonal": logs(u[a]) - sa.logdet(A),
    "diagonal of sums": sa.total(sp.log(1 + u[a] ** 2), a) - sa.logdet(A),
    "sums": logs(u[a] + v[a]),
}


@pytest.mark.parametrize("name", REAL)
def test_magnitudes_whatever_the_signs(name):
    D = sa.define("D", (a, b), REAL[name])
    given, size = sa.System(D), sa.logdet(A) + SIZE[name]
    assert sa.prove(sa.logdet(D), size, given=given).status == "proved"
    assert sa.prove(sa.logdet(D), sp.log(sp.Abs(det(D))), given=given).status == "proved"
    assert sa.prove(det(D) ** 2, sp.exp(2 * sa.logdet(D)), given=given).status == "proved"
    assert sa.prove(sa.logdet(D), 1 + size, given=given).status == "refuted"
    if name != "diagonal of sums":
        assert sa.prove(det(D) ** 3, sp.exp(3 * sa.logdet(D)), given=given).status == "refuted"


@pytest.mark.parametrize("name", ["-A", "w A", "rows", "both sides"])
def test_what_a_sign_is_lost_with(name):
    D = sa.define("D", (a, b), REAL[name])
    assert sa.prove(det(D), det(A), given=sa.System(D)).status == "refuted"


@pytest.mark.parametrize("name", ["both sides", "similar", "diagonal", "diagonal of sums", "sums"])
def test_inverses_of_rows_and_columns(name):
    D = sa.define("D", (a, b), REAL[name])
    turned = {
        "both sides": sa.inverse(A)[a, b] / u[b] / v[a],
        "similar": sa.inverse(A)[a, b] * u[a] / u[b],
        "diagonal": same(a, b) / u[a],
        "diagonal of sums": same(a, b) / (1 + u[a] ** 2),
        "sums": sa.inverse(A)[a, b] / (u[b] + v[b]),
    }[name]
    mean = sa.total(sa.inverse(D)[a, b] * u[b], a, b) / n, sa.total(turned * u[b], a, b) / n
    assert sa.prove(*mean, given=sa.System(D)).status == "proved"
    other = sa.total(turned * v[b], a, b) / n
    assert sa.prove(mean[0], other, given=sa.System(D)).status == "refuted"


def test_a_shifted_diagonal_is_not_the_identity():
    """The matrix that turns a circle has the determinant (−1)^{n−1} and no diagonal inverse."""
    turn = sa.define("D", (a, b), sa.delta(sp.Mod(b - 1, n), a))
    for left, right in ((det(turn), 1), (sa.inverse(turn)[a, b], same(a, b))):
        verdict = sa.prove(left, right, given=sa.System(turn))
        assert verdict.status == "refuted"
    double = sa.define("D", (a, b), sa.delta(sp.Mod(2 * b, n), a))  # none at n = 2
    assert sa.prove(sa.logdet(double), 0, given=sa.System(double)).status != "proved"


LIKE = {
    "log |det|": (sa.logdet(A), sp.log(sp.Abs(det(A)))),
    "half the logarithm of a square": (sa.logdet(A), sp.log(det(A) ** 2) / 2),
    "magnitude": (sp.exp(sa.logdet(A)), sp.Abs(det(A))),
    "of a product": (sp.log(sp.Abs(det(A) * det(B))), sa.logdet(A) + sa.logdet(B)),
}


@pytest.mark.parametrize("name", LIKE)
def test_determinants_and_their_logarithms(name):
    left, right = LIKE[name]
    assert sa.prove(left, right).status == "proved"
    assert sa.prove(left, 2 * right).status == "refuted"
    assert sa.prove(sp.exp(sa.logdet(A)), det(A)).status == "refuted"
