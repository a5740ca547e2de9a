"""Exponents that nothing can make large, so that the plan which has them is taken."""

from __future__ import annotations

import numpy as np
import sympy as sp

import symattn.syntax as sa
from symattn import backward, compile
from symattn.compile.ceilings import has_ceiling
from symattn.compile.nodes import Nodes
from symattn.primitives import sigmoid

(n,) = sa.sizes("n")
i, l = sa.indices("i l", n)
z, u, w = sa.tensor("z", n), sa.tensor("u", n), sa.tensor("w", n)


def test_half_of_what_is_subtracted():
    """t/2 + log P − log(1 + e^{t + log P})/2; not 3t/2, and not without the logarithm."""
    nodes, (every,) = Nodes(), ((0,),)

    def call(name, x):
        return nodes.make("call", (x,), ((every,), name), (n,), 1, "i")

    def add(*terms):
        args, factors = zip(*terms, strict=True)
        places = tuple(every if x.shape else () for x in args)
        return nodes.make("add", args, (places, tuple(map(sp.sympify, factors))), (n,), 1, "i")

    x = nodes.make("input", (), "x", (n,), 1)
    t = call("softplus", nodes.make("input", (), "y", (n,), 1))
    largest = nodes.make("max", (x,), (((0,),), "fixed"), (n,), 0, "i")
    below = add((x, 1), (largest, -1))
    total = nodes.make("einsum", (call("exp", below),), ((every,), None), (n,), 0, "i")
    log = nodes.make("call", (total,), (((),), "log"), (), 0, "")
    weight = add((below, 1), (log, -1))
    both = call("softplus", add((t, 1), (weight, 1)))
    half = sp.Rational(1, 2)
    assert has_ceiling(add((t, half), (weight, 1), (both, -half)))
    assert not has_ceiling(add((t, 3 * half), (weight, 1), (both, -half)))
    assert not has_ceiling(add((t, half), (weight, 1)))
    assert not has_ceiling(add((t, half), (x, 1), (both, -half)))


def test_the_root_of_two_weights_that_are_rounded_to_0():
    """Of a softmax and a σ with names: the derivative of what is e^{−250} or e^{−300}."""
    P = sa.define("P", (i,), sp.exp(z[i]) / sa.total(sp.exp(z[l]), l))
    H = sa.define("H", (i,), sigmoid(u[i]))
    L = sa.define("L", (), sa.total(w[i] * sp.sqrt(H[i] + P[i]), i))
    f = compile(backward(sa.System(P, H, L), output="L", wrt=("z", "u")))
    at = {"z": [0, -3, 250], "u": [-300, -100, 2], "w": [1, 2, 3]}
    got = f(**{name: np.array(x, "float32") for name, x in at.items()}, L_bar=np.float32(1))
    right = [0, np.exp(-50), 3 * np.exp(-2) / (1 + np.exp(-2)) ** 2 / 2]
    right[2] /= np.sqrt(1 + 1 / (1 + np.exp(-2)))
    np.testing.assert_allclose(got["u"], right, rtol=1e-5, atol=1e-35)
    assert np.isfinite(got["z"]).all() and np.abs(got["z"]).max() < 1e-6
