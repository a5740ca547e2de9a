"""Orthogonal matrices by a fact: what follows for square ones, and not for others."""

import pytest
import sympy as sp

import symattn as sa
from symattn.second_opinion import check

n, m = sa.sizes("n m")
i, j, k = sa.indices("i j k", n)
a, b = sa.indices("a b", m)
A, y, Q = sa.tensor("A", n, n), sa.tensor("y", n), sa.tensor("Q", n, m)
T, delta = sa.total, sa.delta
COLUMNS = sp.Eq(T(A[k, i] * A[k, j], k), delta(i, j))
ROWS = sp.Eq(T(A[i, k] * A[j, k], k), delta(i, j))
TALL = sp.Eq(T(Q[i, a] * Q[i, b], i), delta(a, b))


@pytest.mark.parametrize("fact", [COLUMNS, ROWS], ids=["columns", "rows"])
def test_a_square_matrix(fact):
    def status(left, right, *over):
        return sa.prove(left, right, facts=[fact], over=over).status

    assert status(T(A[i, k] * A[j, k], k), delta(i, j), i, j) == "proved"
    assert status(T(A[k, i] * A[k, j], k), delta(i, j), i, j) == "proved"
    assert status(T(A[i, k] ** 2, i, k), n) == "proved"
    assert status(T(T(A[i, j] * y[j], j) ** 2, i), T(y[i] ** 2, i)) == "proved"
    assert status(sa.inverse(A)[i, j], A[j, i], i, j) == "proved"
    assert status(sa.det(A) ** 2, 1) == "proved"
    assert status(sa.logdet(A), 0) == "proved"
    assert status(sa.det(A), 1) == "refuted"
    assert status(T(A[i, k] * A[k, j], k), delta(i, j), i, j) == "refuted"
    assert status(sa.inverse(A)[i, j], A[i, j], i, j) == "refuted"
    assert status(T(A[i, i], i), n) == "refuted"


def test_a_matrix_that_is_not_square():
    other = sa.prove(T(Q[i, a] * Q[j, a], a), delta(i, j), facts=[TALL], over=(i, j))
    assert other.status == "refuted"
    assert sa.prove(T(Q[i, a] ** 2, i, a), n, facts=[TALL]).status == "refuted"
    whole = sa.prove(T(Q[i, a] ** 2, i, a), m, facts=[TALL], certificate=True)
    assert whole.status == "proved"
    assert not check(whole.certificate).problem


def test_a_fact_for_equal_letters_is_one_of_the_diagonal_alone():
    """Σ_k A_ki B_kj = C_ij says nothing of Σ_k A_ki² and, at i = j, something of Σ_k A_ki B_ki."""
    B, C = sa.tensor("B", n, n), sa.tensor("C", n, n)
    fact = [sp.Eq(T(A[k, i] * B[k, j], k), C[i, j])]
    assert sa.prove(T(A[k, i] * B[k, i], k, i), T(C[i, i], i), facts=fact).status == "proved"
    assert sa.prove(T(A[k, i] * B[k, i], k, i), T(C[i, j], i, j), facts=fact).status == "refuted"
    assert sa.prove(T(A[k, i] ** 2, k, i), T(C[i, i], i), facts=fact).status == "refuted"


def test_what_follows_has_no_law_of_certificates():
    with pytest.raises(sa.SymattnError, match="what follows from the fact"):
        sa.prove(
            T(A[i, k] * A[j, k], k), delta(i, j), facts=[COLUMNS], over=(i, j), certificate=True
        )
