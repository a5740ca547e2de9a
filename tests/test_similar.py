"""M = Q B Q⊤ for an orthogonal Q: inverses and determinants of M by those of B."""

from __future__ import annotations

import pytest
import sympy as sp

import symattn as sa
from symattn import normalize as nf
from symattn.ir import Tensor
from symattn.model import Model
from symattn.similar import similar

n, m = sa.sizes("n m")
i, j, k, a, b = sa.indices("i j k a b", n)
c, d = sa.indices("c d", m)
Q, X, R = (sa.tensor(name, n, n) for name in "QXR")
W = sa.tensor("W", m, n)
lam, u = sa.tensor("lam", n), sa.tensor("u", n)
mu = sp.Symbol("mu", positive=True)
M, N = sa.tensor("M", n, n), sa.tensor("N", n, n)
ORTHOGONAL = [
    sp.Eq(sa.total(Q[i, k] * Q[j, k], k), sp.KroneckerDelta(i, j)),
    sp.Eq(sa.total(Q[k, i] * Q[k, j], k), sp.KroneckerDelta(i, j)),
]
P = sa.tensor("P", n, n)
OTHER = [sp.Eq(sa.total(P[k, i] * P[k, j], k), sp.KroneckerDelta(i, j))]
ONE = sp.KroneckerDelta(i, j)
ABOUT = sa.total(Q[i, a] * X[a, b] * Q[j, b], a, b)  # Q X Q⊤
TURNED = sa.total(Q[a, i] * X[a, b] * Q[b, j], a, b)  # Q⊤ X Q
SPECTRAL = sa.total(Q[i, a] * lam[a] * Q[j, a], a)


def system(body, inner=None, facts=ORTHOGONAL):
    more = [] if inner is None else [sa.define("N", (i, j), inner)]
    return sa.System(sa.define("M", (i, j), body), *more, facts=facts)


def around(inner, turned=False):
    pair = Q[a, i] * Q[b, j] if turned else Q[i, a] * Q[j, b]
    return sa.total(pair * inner, a, b)


@pytest.mark.parametrize(
    ("body", "inner", "turned"),
    [
        (ABOUT + mu * ONE, X[i, j] + mu * ONE, False),
        (TURNED + mu * ONE, X[i, j] + mu * ONE, True),
        (2 * ABOUT + 3 * ONE, 2 * X[i, j] + 3 * ONE, False),
        (SPECTRAL + mu * ONE, (lam[i] + mu) * ONE, False),
        (SPECTRAL, lam[i] * ONE, False),
    ],
    ids=["+ μ", "turned", "numbers", "diagonal", "plain"],
)
def test_the_inverse_and_the_determinants_are_those_of_what_stands_between(body, inner, turned):
    given = system(body, inner)
    wanted = around(sa.inverse(N)[a, b], turned)
    assert sa.prove(sa.inverse(M)[i, j], wanted, given=given)
    bound = sa.total(R[i, j] * sa.inverse(M)[i, j], i, j)
    assert sa.prove(bound, sa.total(R[i, j] * wanted, i, j), given=given)
    assert sa.prove(sa.det(M), sa.det(N), given=given)
    assert sa.prove(sa.logdet(M), sa.logdet(N), given=given)
    assert sa.prove(sa.inverse(M)[i, j], 2 * wanted, given=given).status == "refuted"
    assert sa.prove(sa.det(M), 2 * sa.det(N), given=given).status == "refuted"


def test_what_is_diagonal_between_needs_no_name():
    given = system(SPECTRAL + mu * ONE)
    wanted = sa.total(Q[i, a] * Q[j, a] / (lam[a] + mu), a)
    assert sa.prove(sa.inverse(M)[i, j], wanted, given=given)
    size = sa.total(sp.log(sp.Abs(lam[a] + mu)), a)
    assert sa.prove(sa.logdet(M), size, given=given)
    assert sa.prove(sa.logdet(M), 2 * size, given=given).status == "refuted"


@pytest.mark.parametrize(
    ("body", "facts"),
    [
        (SPECTRAL + mu * ONE, []),  # any Q
        (SPECTRAL + mu * u[i] * ONE, ORTHOGONAL),  # a diagonal outside
        (SPECTRAL + u[i] * u[j], ORTHOGONAL),
        (sa.total(Q[i, a] * lam[a] * Q[a, j], a) + mu * ONE, ORTHOGONAL),  # Q Λ Q
        (sa.total(Q[i, a] * lam[a] * R[j, a], a) + mu * ONE, ORTHOGONAL),  # Q Λ R⊤
        (SPECTRAL + mu * sa.total(R[i, a] * R[j, a], a), ORTHOGONAL),
        (SPECTRAL + mu * sa.total(Q[i, a] * X[a, b] * Q[i, b], a, b), ORTHOGONAL),  # has no j
        (SPECTRAL + mu * sa.total(P[i, a] * u[a] * P[j, a], a), ORTHOGONAL + OTHER),
        (SPECTRAL + mu * sa.total(Q[a, i] * u[a] * Q[a, j], a), ORTHOGONAL),  # Q⊤ D Q
    ],
    ids=["any", "diagonal", "rank one", "Q Λ Q", "Q Λ R⊤", "R R⊤", "rows", "another", "turned"],
)
def test_what_is_no_such_product_has_no_such_inverse(body, facts):
    taken = (lam[i] + mu * u[i]) * ONE, X[i, j] * mu + lam[i] * ONE, (lam[i] + mu) * ONE
    for inner in taken:
        _has_no_such_inverse(system(body, inner, facts))


def _has_no_such_inverse(given):
    claims = (sa.inverse(M)[i, j], around(sa.inverse(N)[a, b])), (sa.logdet(M), sa.logdet(N))
    for verdict in (sa.prove(*claim, given=given) for claim in claims):
        assert verdict.status != "proved" and "fault" not in verdict.limit  # nor vetoed by samples


def test_what_says_that_it_is_orthogonal_is_used():
    given = system(SPECTRAL + mu * ONE, (lam[i] + mu) * ONE)
    for left, right in (
        (sa.inverse(M)[i, j], around(sa.inverse(N)[a, b])),
        (sa.det(M), sa.det(N)),
    ):
        used = sa.prove(left, right, given=given).used
        assert "definition of M" in used and any(x.startswith("fact Sum(Q[") for x in used)


def test_what_makes_a_body_shorter_is_used():
    """X⊤ X + μ of X = W Λ Q⊤ rests on W⊤ W = 1, too."""
    columns = sp.Eq(sa.total(W[c, i] * W[c, j], c), ONE)
    factor = sa.define("X", (c, i), sa.total(W[c, a] * lam[a] * Q[i, a], a))
    Y = sa.tensor("X", m, n)
    gram = sa.define("M", (i, j), sa.total(Y[c, i] * Y[c, j], c) + mu * ONE)
    given = sa.System(factor, gram, facts=[columns, *ORTHOGONAL])
    wanted = sa.total(Q[i, a] * Q[j, a] / (lam[a] ** 2 + mu), a)
    verdict = sa.prove(sa.inverse(M)[i, j], wanted, given=given)
    assert verdict and sum(x.startswith("fact Sum(W[") for x in verdict.used) == 1
    assert sa.prove(sa.inverse(M)[i, j], 2 * wanted, given=given).status == "refuted"
    bare = sa.System(factor, gram, facts=ORTHOGONAL)
    assert sa.prove(sa.inverse(M)[i, j], wanted, given=bare).status != "proved"


def test_a_matrix_with_orthonormal_columns_alone_is_not_orthogonal():
    tall = sp.Eq(sa.total(W[c, i] * W[c, j], c), ONE)
    body = sa.total(W[c, a] * lam[a] * W[d, a], a) + mu * sp.KroneckerDelta(c, d)
    V = sa.tensor("V", m, m)
    given = sa.System(sa.define("V", (c, d), body), facts=[tall])
    wanted = sa.total(W[c, a] * W[d, a] / (lam[a] + mu), a)
    verdict = sa.prove(sa.inverse(V)[c, d], wanted, given=given)
    assert verdict.status != "proved" and "fault" not in verdict.limit


def test_the_letters_of_the_inner_matrix_are_those_of_its_ends():
    given = system(2 * ABOUT + 3 * ONE)
    body = Model(given).bodies["M"]
    found = similar(body.indices, body.normal, {Tensor("Q", (n, n))})
    assert found is not None and found.inner.free == {*found.ends} and not found.turned
    about = found.around(nf.ref(Tensor("R", (n, n)), found.ends), body.indices)
    assert about is nf.normalize(Model(system(around(R[a, b]))).bodies["M"].raw)
    assert similar(body.indices, body.normal, set()) is None
