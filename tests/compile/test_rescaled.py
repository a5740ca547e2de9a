"""Exponentials of one array with largest values taken out in turn are one."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.compile.nodes import FIXED, Nodes, reachable
from symattn.compile.rescaled import with_fewer_exponentials
from symattn.derive import backward

n, m = sa.sizes("n m")
(i,), (p,) = sa.indices("i", n), sa.indices("p", m)
C = sa.tensor("C", n, m)
N, M = sp.symbols("n m", integer=True, positive=True)


def transport():
    """Rows, columns, rows and columns of e^{−C} normalised in turn."""
    G, v, parts = sa.define("G", (i, p), sp.exp(-C[i, p])), 1, []
    for t in range(2):
        u = sa.define(f"u_{t}", (i,), 1 / sa.total(G[i, p] * v, p))
        w = sa.define(f"v_{t}", (p,), 1 / sa.total(G[i, p] * u[i], i))
        parts, v = [*parts, u, w], w[p]
    u, w = parts[-2:]
    return sa.System(G, *parts, sa.define("L", (), sa.total(u[i] * G[i, p] * w[p] * C[i, p], i, p)))


def by_logarithms(C):
    g = jnp.zeros(C.shape[1])
    for _ in range(2):
        f = -jax.nn.logsumexp(g - C, axis=1)
        g = -jax.nn.logsumexp(f[:, None] - C, axis=0)
    return (jnp.exp(f[:, None] - C + g) * C).sum()


@pytest.mark.parametrize("scale", [1.0, 50.0, 2000.0])
@pytest.mark.parametrize("shape", [(5, 3), (2, 4), (3, 1)])
def test_weights_that_are_normalised_in_turn(scale, shape):
    system = transport()
    gradient = backward(system, output="L", wrt="C")
    f = compile({"L": system["L"], "bars": gradient}, given=system)
    assert len(exponentials(f._program.roots)) == 2  # of four
    x = scale * np.random.default_rng(0).normal(size=shape)
    with jax.enable_x64(True):
        wanted, bar = jax.value_and_grad(by_logarithms)(jnp.asarray(x))
        got = f(C=x)
        np.testing.assert_allclose(got["L"], wanted, rtol=1e-12)
        np.testing.assert_allclose(got["bars"]["C"], bar, rtol=1e-10, atol=1e-12)
        again = jax.grad(lambda x: f(C=x)["L"])(jnp.asarray(x))
        np.testing.assert_allclose(again, bar, rtol=1e-10, atol=1e-12)
    assert np.isfinite(f(C=np.float32(x))["bars"]["C"]).all()


class Plan:
    """x_ip without its largest values by rows, y of that and by columns, z."""

    def __init__(self):
        self.nodes = Nodes()
        self.x = self.nodes.make("input", (), "x", (N, M), 2)
        self.a = self.nodes.make("input", (), "a", (M,), 1)
        self.y = self.add((self.x, self.a), ((0, 1), (1,)))
        self.b = self.largest(self.y, (0, 1), N)  # max_p (x_ip − a_p)
        self.first = self.exp(self.add((self.y, self.b), ((0, 1), (0,))))
        below = self.add((self.x, self.b), ((0, 1), (0,)))
        self.c = self.largest(below, (1, 0), M)  # max_i (x_ip − b_i)
        self.second = self.exp(self.add((below, self.c), ((0, 1), (1,))))

    def add(self, args, places):
        numbers = (sp.S.One, sp.S.NegativeOne)
        return self.nodes.make("add", args, (places, numbers), (N, M), 2)

    def largest(self, x, place, size):
        sizes = (size, M if size is N else N)
        return self.nodes.make("max", (x,), ((place,), FIXED), sizes, 1)

    def exp(self, x):
        every = (tuple(range(len(x.shape))),)
        return self.nodes.make("call", (x,), (every, "exp"), x.shape, len(x.shape))

    def sum(self, args, places, sizes):
        return self.nodes.make("einsum", args, (places, None), sizes, 1)


def exponentials(roots):
    return [x for x in reachable(roots) if x.op == "call" and len(x.shape) == 2]


def test_a_factor_goes_to_what_has_its_letters():
    plan = Plan()
    sums = [
        plan.sum((plan.first, plan.a), ((0, 1), (1,)), (N, M)),  # Σ_p e_ip a_p
        plan.sum((plan.first,), ((1, 0),), (M, N)),  # Σ_i e_ip
        plan.second,
    ]
    now = with_fewer_exponentials(sums, plan.nodes)
    rows, columns, second = (now[x] for x in sums)
    assert exponentials([rows, columns]) == [second]
    assert rows.op == "einsum" and rows.args[0] is second and rows.args[1].op == "product"
    assert columns.op == "product" and columns.args[0].args == (second,)


def test_what_nothing_bounds_stays():
    """e^{x_ip − a_p} with any a is no such: its factor may overflow."""
    plan = Plan()
    assert with_fewer_exponentials([plan.exp(plan.y), plan.second], plan.nodes) == {}


def test_largest_values_of_both_axes_by_themselves_stay():
    """e^{x_ip − max_p x_ip} and e^{x_ip − max_i x_ip} are no multiples of vectors of each other
    that are at most 1."""
    plan = Plan()
    b, c = plan.largest(plan.x, (0, 1), N), plan.largest(plan.x, (1, 0), M)
    one = plan.exp(plan.add((plan.x, b), ((0, 1), (0,))))
    other = plan.exp(plan.add((plan.x, c), ((0, 1), (1,))))
    assert with_fewer_exponentials([one, other], plan.nodes) == {}


def test_what_the_other_one_is_made_of_stays():
    """The second exponential has a column that is made of the first one."""
    plan = Plan()
    a = plan.sum((plan.first,), ((1, 0),), (M, N))
    y = plan.add((plan.x, a), ((0, 1), (1,)))
    b = plan.largest(y, (0, 1), N)
    last = plan.exp(plan.add((y, b), ((0, 1), (0,))))
    assert with_fewer_exponentials([plan.first, last], plan.nodes) == {}
