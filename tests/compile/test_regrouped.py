"""Sums of sums that are there as one."""

from __future__ import annotations

import jax
import numpy as np
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.compile.nodes import Nodes
from symattn.compile.regrouped import regrouped
from symattn.derive import backward

n, k = sa.sizes("n k")
(i,), (c, e) = sa.indices("i", n), sa.indices("c e", k)
N, K = sp.symbols("n k", integer=True, positive=True)
BOTH = (0, 1)


def test_the_gradient_of_a_divergence_has_its_logarithms_once():
    Z, Y = sa.tensor("Z", n, k), sa.tensor("Y", n, k)
    P = sa.define("P", (i, c), sp.exp(Y[i, c]) / sa.total(sp.exp(Y[i, e]), e))
    R = sa.define("R", (i, c), sp.exp(Z[i, c]) / sa.total(sp.exp(Z[i, e]), e))
    L = sa.define("L", (), sa.total(P[i, c] * (sp.log(P[i, c]) - sp.log(R[i, c])), i, c))
    system = sa.System(P, R, L)
    f = compile({"L": L, "bars": backward(system, output="L", wrt=("Y", "Z"))}, given=system)
    assert f.source.count("P_bar = L_bar * (1 + Y_2_2)") == 1

    def divergence(Y, Z):
        return (jax.nn.softmax(Y) * (jax.nn.log_softmax(Y) - jax.nn.log_softmax(Z))).sum()

    y, z = 30 * np.random.default_rng(0).normal(size=(2, 3, 4))
    with jax.enable_x64(True):
        got = f(Y=y, Z=z, L_bar=1.5)
        wanted, pull = jax.vjp(divergence, y, z)
        np.testing.assert_allclose(got["L"], wanted, rtol=1e-12)
        for name, bar in zip("YZ", pull(1.5 * jax.numpy.ones_like(wanted)), strict=True):
            np.testing.assert_allclose(got["bars"][name], bar, rtol=1e-11, atol=1e-12)


class Plan:
    """x − y + b − a, with letters i and j of the first two and i of the others."""

    def __init__(self):
        self.nodes = Nodes()
        self.x, self.y = (self.nodes.make("input", (), name, (N, K), 2) for name in "xy")
        self.a, self.b, self.w = (self.nodes.make("input", (), name, (N,), 1) for name in "abw")
        args, places = (self.x, self.y, self.b, self.a), (BOTH, BOTH, (0,), (0,))
        self.whole = self.add(args, places, (1, -1, 1, -1))
        self.one = self.add((self.x, self.a), (BOTH, (0,)), (1, -1))
        self.other = self.add((self.y, self.b), (BOTH, (0,)), (1, -1))

    def add(self, args, places, numbers):
        data = places, tuple(map(sp.Integer, numbers))
        return self.nodes.make("add", args, data, (N, K), 2)

    def times(self, factor, x, number=1):
        data = ((0,), BOTH), (sp.Integer(number), (sp.S.One,) * 2)
        return self.nodes.make("product", (factor, x), data, (N, K), 2)

    def now(self, root, there=True):
        found = regrouped([self.whole, root] if there else [root], self.nodes)
        return found.get(root, root)


def test_a_common_factor_goes_out_and_its_own_term_stays():
    plan = Plan()
    w, terms = plan.w, (plan.times(plan.w, plan.one, 2), plan.times(plan.w, plan.other))
    root = plan.add((w, *terms, plan.y), ((0,), BOTH, BOTH, BOTH), (3, 1, -2, 5))
    now = plan.now(root)  # 3 w + 2 w (x − a) − 2 w (y − b) + 5 y
    held, rest = now.args
    assert now.data == ((BOTH, BOTH), (1, 5)) and rest is plan.y
    assert held.op == "product" and held.args[0] is w
    inside = held.args[1]
    assert inside.args[1] is plan.whole and inside.data == (((), BOTH), (3, 2))
    assert plan.now(root, there=False) is root


def test_what_is_there_in_another_ratio_stays():
    plan = Plan()
    terms = (plan.times(plan.w, plan.one), plan.times(plan.w, plan.other))
    assert plan.now(root := plan.add(terms, (BOTH, BOTH), (1, -2))) is root
    assert plan.now(root := plan.add(terms, (BOTH, BOTH), (1, 1))) is root
    parts = (plan.times(plan.w, plan.one), plan.times(plan.a, plan.other))
    assert plan.now(root := plan.add(parts, (BOTH, BOTH), (1, -1))) is root
