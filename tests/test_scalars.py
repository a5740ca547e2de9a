"""One notion of zero: what geometry decides about scalars is proved, beside sums too."""

import pytest
import sympy as sp

import symattn as sa
from symattn.convert import lower
from symattn.geometry.scalars import is_zero
from symattn.scalars import _Brackets

N = sa.sizes("n")[0]
I, J = sa.indices("i j", N)
U, W, P, Q = sa.tensor("u"), sa.tensor("w"), *(sa.tensor(s, positive=True) for s in "pq")
X, Y, Z = (sa.tensor(s, N) for s in "xyz")
PX, QX = (sa.tensor(f"{s}x", N, positive=True) for s in "pq")
ROOT = sp.sqrt(2) + sp.sqrt(3)
PAIRS = [
    (1 / sp.tan(W) ** 2 + 1, 1 / sp.sin(W) ** 2),
    (sp.tan(W / 2), sp.sin(W) / (1 + sp.cos(W))),
    (sp.sin(W + sp.pi / 3), sp.sin(W) / 2 + sp.sqrt(3) * sp.cos(W) / 2),
    (sp.tanh(W + U), (sp.tanh(W) + sp.tanh(U)) / (1 + sp.tanh(W) * sp.tanh(U))),
    (sp.tanh(W / 2), sp.sinh(W) / (1 + sp.cosh(W))),
    (sp.coth(W) ** 2 - 1, 1 / sp.sinh(W) ** 2),
    (sp.sqrt(5 + 2 * sp.sqrt(6)), ROOT),
    (1 / (1 + sp.sqrt(2) + sp.sqrt(3)), (2 + sp.sqrt(2) - sp.sqrt(6)) / 4),
    (sp.sin(W) ** 2 / (1 - sp.cos(W)), 1 + sp.cos(W)),
    (1 / (1 + sp.sin(W)) + 1 / (1 - sp.sin(W)), 2 / sp.cos(W) ** 2),
    (sp.cot(W) - sp.tan(W), 2 * sp.cot(2 * W)),
    (sp.sin(W) + sp.sin(U), 2 * sp.sin((W + U) / 2) * sp.cos((W - U) / 2)),
    (1 / (sp.sqrt(W**2 + 1) - W), sp.sqrt(W**2 + 1) + W),
    ((P - Q) / (sp.sqrt(P) - sp.sqrt(Q)), sp.sqrt(P) + sp.sqrt(Q)),
]


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_what_geometry_decides_is_proved(left, right):
    """As it stands, under a sum, in an argument; one slip away it is refuted."""
    assert is_zero(left - right)
    put = {W: X[I], U: Y[I], P: PX[I], Q: QX[I]}
    inside, equal = (e.subs(put, simultaneous=True) * Z[I] for e in (left, right))
    slip = sp.Rational(1, 100)
    assert sa.prove(left, right)
    assert sa.prove(left, right + slip).status == "refuted"
    assert sa.prove(sa.total(inside, I), sa.total(equal, I))
    assert sa.prove(sa.total(inside, I), sa.total(equal + slip * Z[I], I)).status == "refuted"
    assert sa.prove(sp.atan(left * U), sp.atan(right * U))
    assert sa.prove(1 / sa.total(inside, I), 1 / sa.total(equal, I))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (sp.sinh(U), sp.sqrt(sp.cosh(U) ** 2 - 1)),
        (sp.tan(W / 2), sp.sqrt((1 - sp.cos(W)) / (1 + sp.cos(W)))),
        (sp.cos(W), sp.sqrt(1 - sp.sin(W) ** 2)),
        (sp.sqrt(5 - 2 * sp.sqrt(6)), sp.sqrt(2) - sp.sqrt(3)),
        (sp.sqrt(sp.exp(U) - 2 + sp.exp(-U)), 2 * sp.sinh(U / 2)),
        (sa.total(sp.tan(X[I]) * Z[I], I), sa.total(sp.sin(X[I]) * Z[I], I)),
    ],
)
def test_the_sign_of_a_root_is_not_forgotten(left, right):
    assert sa.prove(left, right).status == "refuted"


def test_a_root_of_a_square_of_exponentials():
    assert sa.prove(sp.sqrt(1 + sp.sinh(U) ** 2), sp.cosh(U))


ADDED = sp.sinh(40 * U + W) - sp.sinh(40 * U) * sp.cosh(W) - sp.cosh(40 * U) * sp.sinh(W)


@pytest.mark.parametrize("off", [0, sp.Rational(1, 10**9) / (1 + U)])
def test_rounding_of_large_numbers_is_no_value(off):
    """What is left of sinh(40 u + w), some 10^{11}, is none; a thousand millionth more is one."""
    poly = lower(ADDED + off, ())
    assert _Brackets()._has_a_value(poly) is (off != 0)
    assert _Brackets()._is_zero(poly) is (off == 0)
