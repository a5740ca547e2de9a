"""An abstract loss that stands in formulas itself: J = L(z) + λ/2 Σ W²."""

import pytest

import symattn as sa
from symattn.second_opinion import check

n, m = sa.sizes("n m")
(i,), (j,) = sa.indices("i", n), sa.indices("j", m)
x, W, weight = sa.tensor("x", n), sa.tensor("W", m, n), sa.tensor("w")
z = sa.define("z", (j,), sa.total(W[j, i] * x[i], i))
L = sa.loss("L", of=z)
J = sa.define("J", (), L + weight * sa.total(W[j, i] ** 2, i, j) / 2)
SYSTEM = sa.System(z, J)
CHAIN = sa.total(W[j, i] * sa.partial(L, z[j]), j)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (sa.partial(J, x[i]), CHAIN),
        (sa.partial(J, W[j, i]), sa.partial(L, z[j]) * x[i] + weight * W[j, i]),
        (J.lhs - L, weight * sa.total(W[j, i] ** 2, i, j) / 2),
    ],
)
def test_gradients_through_the_value_of_a_loss(left, right):
    proof = sa.prove(left, right, given=SYSTEM, certificate=True)
    assert proof.status == "proved"
    assert all(step.rederived and not step.problem for step in check(proof.certificate).steps)
    assert sa.prove(left, 2 * right, given=SYSTEM).status == "refuted"


def test_the_value_of_a_loss_is_free():
    assert sa.prove(J.lhs, L, given=SYSTEM).status == "refuted"
    half = weight * sa.total(W[j, i] ** 2, i, j) / 2
    assert sa.prove(J.lhs, half, given=SYSTEM).status == "refuted"  # x stands inside of L alone
    assert sa.prove(L, sa.total(z[j] ** 2, j), given=SYSTEM).status != "proved"


def test_a_loss_that_is_of_names_has_no_value():
    with pytest.raises(sa.SymattnError, match="the loss L is of z, which nothing defines"):
        sa.define("J", (), sa.loss("L", of="z") + 1)
    with pytest.raises(sa.SymattnError, match="the value of the abstract loss L is not known"):
        sa.define("J", (), sa.loss("L") + 1)


def test_a_loss_has_no_array():
    with pytest.raises(sa.SymattnError, match="L"):
        sa.compile(SYSTEM)(x=[1.0], W=[[1.0]], w=1.0)
