"""An axis as two parts of it, one after the other."""

import pytest

import symattn as sa
from symattn.second_opinion import check

n, m = sa.sizes("n m")
(i,), (a,) = sa.indices("i", n), sa.indices("a", m)
(z,), (u,) = sa.indices("z", n + m), sa.indices("u", 2 * n)
Z, R = sa.tensor("Z", n + m), sa.tensor("R", 2 * n)
T = sa.total
WHOLE = T(Z[z], z)


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [
        (T(Z[n - 1 - i], i) + T(Z[n + a], a), WHOLE, "proved"),
        (T(Z[m - 1 - a], a) + T(Z[m + i], i), WHOLE, "proved"),
        (T(Z[n - 1 - i] ** 2, i) + T(Z[n + a] ** 2, a), T(Z[z] ** 2, z), "proved"),
        (T(R[n - 1 - i] + R[n + i], i), T(R[u], u), "proved"),
        (T(Z[n - 1 - i], i) + T(Z[m + a - 1], a), WHOLE, "refuted"),
        (T(Z[n - 1 - i], i) + T(Z[m + i], i), WHOLE, "refuted"),
        (T(Z[n + i], i) + T(Z[n + a], a), WHOLE, "refuted"),
    ],
    ids=str,
)
def test_two_parts(left, right, wanted):
    verdict = sa.prove(left, right, certificate=True)
    assert verdict.status == wanted
    assert wanted == "refuted" or not check(verdict.certificate).problem
