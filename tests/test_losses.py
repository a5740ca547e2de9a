"""An abstract loss that stands in formulas itself: J = L(z) + λ/2 Σ W²."""

import pytest
import sympy as sp

import symattn as sa
from symattn import cuts
from symattn.claims import Claim
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


LAYERS = 9
d = sa.sizes("d")[0]
a, b = sa.indices("a b", d)
start = sa.tensor("h", d)


def cut(system, *sides):
    """What the loss of an equation is taken for a function of, beside what it is said to be."""
    claim = Claim(*sides, system)
    ((loss, by),) = claim._derived().items()
    return cuts.cut(claim.model, loss, by, {t.name for t in by})


def layers(skip=False):
    """Residual layers h + tanh(W h) of one width; with `skip` the last one has h as well."""
    found = []
    for k in range(1, LAYERS + 1):
        before = found[-1] if found else start
        weights = sa.tensor(f"W{k}", d, d)
        inside = sp.tanh(sa.total(weights[a, b] * before[b], b))
        also = start[a] if skip and k == LAYERS else 0
        found.append(sa.define(f"X{k}", (a,), before[a] + inside + also))
    return sa.System(*found), found[0]


def by_the_first(slope):
    """∂L/∂h_a = ∂L/∂X1_a + Σ_b ∂L/∂X1_b s(X1_b − h_b) W1_ba."""
    system, first = layers()
    weights, loss = sa.tensor("W1", d, d), sa.loss("L", of=f"X{LAYERS}")
    up = sa.partial(loss, first[b]) * slope(first[b] - start[b]) * weights[b, a]
    return system, sa.partial(loss, start[a]), sa.partial(loss, first[a]) + sa.total(up, b)


def test_a_gradient_by_one_layer_needs_nothing_of_those_above():
    system, left, right = by_the_first(lambda x: 1 - x**2)
    assert [t.name for t in cut(system, left, right)] == ["X1"]
    verdict = sa.prove(left, right, given=system)
    assert verdict.status == "proved"
    assert verdict.used == ("derivatives evaluated", "definition of X1")


@pytest.mark.parametrize("slope", [lambda x: 1 - x, lambda x: 1 + x**2, lambda x: 2 - 2 * x**2])
def test_a_wrong_gradient_by_one_layer_is_not_proved(slope):
    system, left, right = by_the_first(slope)
    assert sa.prove(left, right, given=system).status == "refuted"


def test_a_loss_that_depends_on_the_start_past_the_first_layer():
    _, left, right = by_the_first(lambda x: 1 - x**2)
    system, _ = layers(skip=True)
    last = sa.partial(sa.loss("L", of=f"X{LAYERS}"), system.definitions[f"X{LAYERS}"][a])
    assert not cut(system, left, right)
    assert not cut(system, left, right + last)


def test_what_one_loss_is_of_is_not_lost():
    """Both outputs of a loss without words are counted, where only one goes through X."""
    x_, y_ = sa.define("X", (a,), sp.exp(start[a])), sa.define("Y", (a,), start[a] ** 2)
    out = sa.define("O", (a,), x_[a] + 1)
    system, loss = sa.System(x_, y_, out), sa.loss("L")
    through = sa.partial(loss, x_[a]) * x_[a]
    more = 2 * sa.partial(loss, y_[a]) * start[a]
    assert sa.prove(sa.partial(loss, start[a]), through, given=system).status == "refuted"
    assert sa.prove(sa.partial(loss, start[a]), through + more, given=system).status == "proved"
