"""Matrices that are symmetric by definition, through other definitions, and near misses."""

import pytest
import sympy as sp

import symattn as sa
from symattn import second_opinion

n, d = sa.sizes("n d")
i, j, k = sa.indices("i j k", n)
a, b = sa.indices("a b", d)
x, y, z = (sa.tensor(name, n) for name in "xyz")
X = sa.tensor("X", n, d)
W = sa.tensor("W", n, n)

EVEN = {
    "kernel": sp.exp(-((x[i] - x[j]) ** 2)),
    "products": X[i, a] * X[j, a],
    "its own transpose": W[i, j] + W[j, i],
}
ODD = {
    "another length": sp.exp(-((x[i] - 2 * x[j]) ** 2)),
    "a difference": x[i] - x[j],
    "a matrix": W[i, j],
}


def claim(body, certificate=False):
    """y M⁻¹ z = z M⁻¹ y for M = K + 2 and K of this body."""
    K = sa.define("K", (i, j), body)
    M = sa.define("M", (i, j), K[i, j] + 2 * sa.delta(i, j))
    inverse = sa.inverse(M)
    left, right = (sa.total(inverse[i, j] * u[i] * v[j], i, j) for u, v in ((y, z), (z, y)))
    return sa.prove(left, right, given=sa.System(K, M), certificate=certificate)


@pytest.mark.parametrize("body", EVEN.values(), ids=EVEN)
def test_sums_of_symmetric_definitions_are_symmetric(body):
    verdict = claim(body, certificate=True)
    assert verdict.status == "proved"
    assert {"definition of K", "definition of M"} <= {*verdict.used}
    assert second_opinion.check(verdict.certificate).ok


@pytest.mark.parametrize("body", ODD.values(), ids=ODD)
def test_others_are_not(body):
    assert claim(body).status == "refuted"


def test_a_certificate_for_another_body_fails():
    log = claim(EVEN["kernel"], certificate=True).certificate
    K = sa.define("K", (i, j), ODD["another length"])
    unlike = sa.prove(K[i, j], ODD["another length"], K, certificate=True).certificate
    tampered = {**log, "definitions": {**log["definitions"], **unlike["definitions"]}}
    assert second_opinion.check(log).ok
    assert second_opinion.check(tampered).problem == "inverse(M) is not known to be symmetric"


theta = sp.Symbol("theta", real=True)


def likelihood():
    K = sa.define("K", (i, j), EVEN["kernel"])
    M = sa.define("M", (i, j), K[i, j] + 2 * sa.delta(i, j))
    alpha = sa.define("alpha", (i,), sa.inverse(M)[i, j] * y[j])
    L = sa.define("L", (), -y[i] * sa.inverse(M)[i, j] * y[j] / 2 - sa.logdet(M) / 2)
    return sa.System(K, M, alpha, L), M, alpha, L


@pytest.mark.parametrize("sign, status", [(-1, "unknown"), (1, "refuted")])
def test_a_parameter_enters_through_what_is_derived_last(sign, status):
    system, M, alpha, L = likelihood()
    right = (alpha[i] * alpha[j] + sign * sa.inverse(M)[i, j]) * sa.partial(M[j, i], theta) / 2
    verdict = sa.prove(sa.partial(L[()], theta), right, given=system)
    assert verdict.status == status
    assert verdict.held == "y does not depend on theta"
    assert not verdict
