"""Facts of several terms: what they prove, and what they must not."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

import symattn as sa
from symattn.second_opinion import check
from symattn.syntax import for_all

(N,) = sa.sizes("n")
I, J, K = sa.indices("i j k", N)
P, Q, X = (sa.tensor(name, N) for name in "pqx")
A, B, C = (sa.tensor(name) for name in "abc")
M, W = sa.tensor("M", N, N), sa.tensor("W", N, N)

SHARES = for_all(P[I] + Q[I], 1, (I,))
CIRCLE = for_all(P[I] ** 2 + Q[I] ** 2, 1, (I,))
PARTS = for_all(M[I, J] + W[I, J], sp.KroneckerDelta(I, J), (I, J))

TRUE_AND_FALSE: dict[str, tuple[Any, Any, Any, Any]] = {  # a fact, left, what it is, what it is not
    "linear": (sp.Eq(A + B, 1), A**2 + 2 * A * B + B**2, 1, 1 + A * B),
    "in an exponent": (sp.Eq(A + B, 1), sp.exp(A) * sp.exp(B), sp.E, sp.exp(2)),
    "below a bar": (sp.Eq(A + B, 1), 1 / (1 - A), 1 / B, 1 / (1 + B)),
    "product": (sp.Eq(A * B, 1), A / B, A**2, A),
    "two of them": (sp.Eq(A + B, C), (A - B) ** 2, C**2 - 4 * A * B, C**2 - 2 * A * B),
    "squares": (sp.Eq(A**2 + B**2, 1), A**4 - B**4, A**2 - B**2, A**2 + B**2),
    "under a logarithm": (sp.Eq(A**2 + B**2, 1), sp.log(1 - A**2), sp.log(B**2), sp.log(B)),
    "a number": (sp.Eq(A**6, 5), A**7, 5 * A, 5),
    "lower powers too": (sp.Eq(A**2 + A, 1), A**3, 2 * A - 1, 2 * A + 1),
    "of every component": (SHARES, sa.total(P[I] + Q[I], I), N, 1),
    "under a sum": (
        CIRCLE,
        sa.total(Q[I] ** 4, I),
        sa.total(1 - 2 * P[I] ** 2 + P[I] ** 4, I),
        sa.total(1 - P[I] ** 4, I),
    ),
    "matrices": (PARTS, M[I, J] * X[J] + W[I, J] * X[J], X[I], M[I, J] * X[J]),
}


@pytest.mark.parametrize("name", TRUE_AND_FALSE)
def test_relations(name: str) -> None:
    fact, left, right, wrong = TRUE_AND_FALSE[name]
    found = sa.prove(left, right, facts=[fact])
    assert found.status == "proved" and any("fact" in used for used in found.used)
    assert sa.prove(left, right).status == "refuted"
    assert sa.prove(left, wrong, facts=[fact]).status == "refuted"


def test_a_relation_is_of_one_component() -> None:
    """w_ji is not what m_ij + w_ij = δ_ij says of w_ij, and q_k not what p_j + q_j = 1 says."""
    wrong = M[I, J] * X[J] + W[J, I] * X[J]
    assert sa.prove(wrong, X[I], facts=[PARTS]).status == "refuted"
    mixed = sa.total(P[J] * X[K] + Q[K] * X[K], J, K)
    assert sa.prove(mixed, N * sa.total(X[K], K), facts=[SHARES]).status == "refuted"


@pytest.mark.parametrize("fact", [sp.Eq(A * B, 0), sp.Eq(A * B + A, B + A * B**2)])
def test_what_may_be_zero_is_not_divided_by(fact: sp.Eq) -> None:
    assert sa.prove(A, 0, facts=[fact]).status != "proved"
    assert sa.prove(A, B, facts=[fact]).status == "refuted"


@pytest.mark.parametrize(
    "fact",
    [
        for_all(P[I] + Q[J], 1, (I, J)),  # p_i is a number then, and has no j
        for_all(M[I, I] + M[I, I] ** 2, 1, (I,)),  # says nothing of other components
        for_all(P[I - 1] + P[I - 1] ** 2, 1, (I,)),  # counts from the end at i = 0
    ],
    ids=["another letter", "a diagonal", "a shift"],
)
def test_a_relation_is_of_a_component_at_letters(fact: sp.Eq) -> None:
    (left,) = {*fact.lhs.atoms(sp.Indexed)} - {Q[J]}
    v = sa.prove(sa.total(left, I), sa.total(fact.rhs, I), facts=[fact])
    assert v.status != "proved"


def test_relations_that_contradict_prove_nothing() -> None:
    facts = [sp.Eq(A + B, 1), sp.Eq(A + B, 2)]
    assert sa.prove(A, 2 * A, facts=facts).status == "unknown"


def test_relations_have_certificates() -> None:
    v = sa.prove(A**2, 1 - B**2, facts=[sp.Eq(A**2 + B**2, 1)], certificate=True)
    assert v.certificate is not None and check(v.certificate).ok
