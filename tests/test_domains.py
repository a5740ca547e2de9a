"""log x says that x > 0 where it stands, and nothing of what stands elsewhere."""

import pytest
import sympy as sp

import symattn as sa

N = sa.sizes("n")[0]
I, J, K = sa.indices("i j k", N)
(R,) = sa.indices("r", N - 1)
W, S = sa.tensor("w"), sa.tensor("sigma")
X, Y, A = sa.tensor("x", N), sa.tensor("y", N), sa.tensor("A", N, N)
LOG, ROOT, MAGNITUDE = sp.log, sp.sqrt, sp.Abs


def status(letters, left, right):
    rows = [sa.define(name, letters, e) for name, e in (("L", left), ("R", right))]
    return sa.prove(*rows, given=rows).status


def magnitudes(of, *letters):
    return sa.total(MAGNITUDE(of), *letters), sa.total(of, *letters)


@pytest.mark.parametrize(
    ("letters", "left", "right"),
    [
        ((), LOG(1 / ROOT(2 * sp.pi * S**2)), -LOG(2 * sp.pi) / 2 - LOG(S)),
        ((), LOG(W**2) / 2, LOG(W)),
        ((), (W**3) ** sp.Rational(1, 3), W),
        ((), ROOT(W), ROOT(MAGNITUDE(W))),
        ((), 1 / ROOT(W) + sp.sign(W), 1 / ROOT(W) + 1),
        ((I,), LOG(X[I]) * MAGNITUDE(X[I]), LOG(X[I]) * X[I]),
        ((I,), LOG(X[I - 1]) + MAGNITUDE(X[I - 1]), LOG(X[I - 1]) + X[I - 1]),
        ((), *(sa.total(LOG(X[K]), K) + e for e in magnitudes(X[J], J))),
    ],
)
def test_a_logarithm_presupposes_a_sign(letters, left, right):
    assert status(letters, left, right) == "proved"


@pytest.mark.parametrize(
    ("letters", "left", "right"),
    [
        ((), LOG(W**2) + MAGNITUDE(W), LOG(W**2) + W),
        ((), LOG(-W) + MAGNITUDE(W), LOG(-W) + W),
        ((), ROOT(W) + sp.sign(W), ROOT(W) + 1),  # at 0
        ((I,), *(LOG(X[I]) * e for e in magnitudes(X[J], J))),  # elsewhere
        ((I,), LOG(X[I - 1]) + MAGNITUDE(X[I]), LOG(X[I - 1]) + X[I]),
        ((), *(sa.total(LOG(X[K]), K) + e for e in magnitudes(Y[J], J))),
        ((), *(sa.total(LOG(A[K, K]), K) + e for e in magnitudes(A[J, K], J, K))),
        ((), *(sa.total(sa.total(LOG(X[K]), K), R) + e for e in magnitudes(X[J], J))),  # n = 1
    ],
)
def test_it_says_nothing_of_what_stands_elsewhere(letters, left, right):
    assert status(letters, left, right) != "proved"
