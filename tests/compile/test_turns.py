"""Arrays of pairs lie in the order in which they are read."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.compile.nodes import Nodes
from symattn.compile.turns import straightened, upright
from symattn.derive import backward

pytestmark = pytest.mark.usefixtures("double_precision")
n, m = sa.sizes("n m")
(i, j), (p,) = sa.indices("i j", n), sa.indices("p", m)
f, g, W, B = sa.tensor("f", n), sa.tensor("g", m), sa.tensor("W", n, m), sa.tensor("B", n, n)
N, M = sp.symbols("n m", integer=True, positive=True)


class Plan:
    """A plan written by hand."""

    def __init__(self):
        self.nodes = Nodes()
        self.x = self.nodes.make("input", (), "x", (N,), 1)
        self.y = self.nodes.make("input", (), "y", (M,), 1)
        self.W = self.nodes.make("input", (), "W", (N, M), 2)
        self.B = self.nodes.make("input", (), "B", (N, N), 2)

    def add(self, args, places, coefficients, sizes=(N, N)):
        numbers = tuple(map(sp.Integer, coefficients))
        return self.nodes.make("add", args, (places, numbers), sizes, 2)

    def call(self, name, x, place=(0, 1)):
        return self.nodes.make("call", (x,), ((place,), name), x.shape, 2)

    def sum(self, args, places, sizes):
        return self.nodes.make("einsum", args, (places, None), sizes, 1)


def test_what_is_made_of_vectors_is_made_as_it_is_read():
    plan = Plan()
    apart = plan.add((plan.y, plan.x), ((0,), (1,)), (1, -1), (M, N))
    root = plan.sum((plan.W, apart), ((1, 0), (0, 1)), (M, N))  # Σ_i W_ip (y_p − x_i)
    now = straightened([root], plan.nodes)[root]
    assert now.data[0] == ((1, 0), (1, 0)) and now.args[1].shape == (N, M)
    assert now.args[1].data == (((1,), (0,)), (1, -1))


def test_what_others_read_as_it_is_stays():
    plan = Plan()
    apart = plan.add((plan.y, plan.x), ((0,), (1,)), (1, -1), (M, N))
    root = plan.sum((plan.W, apart), ((1, 0), (0, 1)), (M, N))
    assert straightened([root, apart], plan.nodes) == {}


@pytest.mark.parametrize(
    ("name", "straight"), [("cos", True), ("abs", True), ("exp", False), ("sin", False)]
)
def test_symmetric_arrays_are_never_read_transposed(name, straight):
    """f(x_i − x_j) of an even f; e^{x_i − x_j} and sin are other arrays transposed."""
    plan = Plan()
    array = plan.call(name, plan.add((plan.x, plan.x), ((0,), (1,)), (1, -1)))
    as_it_is = plan.sum((plan.B, array), ((0, 1), (0, 1)), (N, N))
    turned = plan.sum((plan.B, array), ((1, 0), (0, 1)), (N, N))  # Σ_j B_ji f_ij
    now = straightened([as_it_is, turned], plan.nodes)
    assert bool(now) is straight
    if straight:
        assert now[turned].data[0] == ((1, 0), (1, 0)) and now[turned].args[1] is array


def test_an_array_that_is_there_transposed_is_read_as_it_is():
    plan = Plan()
    one = plan.call("exp", plan.add((plan.x, plan.x), ((0,), (1,)), (2, -1)))
    other = plan.call("exp", plan.add((plan.x, plan.x), ((0,), (1,)), (-1, 2)))
    roots = [plan.sum((plan.B, x), (place, (0, 1)), (N, N))
             for x, place in ((one, (0, 1)), (one, (1, 0)), (other, (0, 1)))]  # fmt: skip
    now = straightened(roots, plan.nodes)
    assert now[roots[1]].args[1] is other
    near = plan.call("exp", plan.add((plan.x, plan.x), ((0,), (1,)), (-1, 3)))
    roots[2] = plan.sum((plan.B, near), ((0, 1), (0, 1)), (N, N))
    assert straightened(roots, plan.nodes) == {}


@pytest.mark.parametrize("odd", [1, 2, 3])
def test_signs_of_powers(odd):
    """(x_i − x_j)^e is symmetric for even e alone."""
    plan = Plan()
    apart = plan.add((plan.x, plan.x), ((0,), (1,)), (1, -1))
    data = (((0, 1),), (sp.S.One, (sp.Integer(odd),)))
    array = plan.nodes.make("product", (apart,), data, (N, N), 2)
    roots = [plan.sum((plan.B, array), (x, (0, 1)), (N, N)) for x in ((0, 1), (1, 0))]
    assert bool(straightened(roots, plan.nodes)) is (odd == 2)


PAIRS = {
    "smoothness": (
        sa.total(W[i, p] * (f[i] - g[p]) ** 2, i, p),
        lambda f, g, W, B: (W * (f[:, None] - g) ** 2).sum(),
    ),
    "phases": (
        sa.total(B[i, j] * sp.cos(f[i] - f[j]) * sp.sin(f[j] - f[i]), i, j),
        lambda f, g, W, B: (B * jnp.cos(f[:, None] - f) * jnp.sin(f - f[:, None])).sum(),
    ),
    "ranks": (
        sa.total(B[i, j] * sp.log(1 + sp.exp(f[j] - 2 * f[i])), i, j),
        lambda f, g, W, B: (B * jnp.logaddexp(0, f - 2 * f[:, None])).sum(),
    ),
    "distances": (
        sa.total(B[j, i] * sp.sqrt((f[i] - f[j]) ** 2 + 1), i, j),
        lambda f, g, W, B: (B.T * jnp.sqrt((f[:, None] - f) ** 2 + 1)).sum(),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("target", ["jax", "numpy"])
@pytest.mark.parametrize("length", [1, 6])
def test_sums_over_pairs(name, target, length):
    expr, textbook = PAIRS[name]
    L = sa.define("L", (), expr)
    wrt = [str(t) for t in ("f", "g") if t in sa.System(L).inputs]
    bars = backward(sa.System(L), output="L", wrt=wrt)
    both = compile({"L": L, "bars": bars}, target=target)
    rng = np.random.default_rng(length)
    shapes = {"f": (length,), "g": (4,), "W": (length, 4), "B": (length, length)}
    x = {k: rng.normal(size=shape) for k, shape in shapes.items()}
    got = both(**{k: v for k, v in x.items() if k in both.inputs}, L_bar=1.5)
    np.testing.assert_allclose(got["L"], textbook(**x), rtol=1e-11)
    want = jax.grad(lambda own: textbook(**(x | own)))({k: x[k] for k in wrt})
    for k in wrt:
        np.testing.assert_allclose(got["bars"][k], 1.5 * want[k], rtol=1e-10, atol=1e-13)
    assert '"ip,pi' not in both.source and ".T)" not in both.source.split("def compute")[1]


@pytest.mark.parametrize("path", ["dense", "flash"])
def test_an_answer_that_is_read_both_ways_is_asked_for_twice(path):
    """Positions that see one another, [f_j ≥ f_i] [f_i ≥ f_j]: what a block of rows has of it."""
    (l,) = sa.indices("l", n)
    near = [sa.iverson(f[k] - f[i] >= 0) * sa.iverson(f[i] - f[k] >= 0) for k in (j, l)]
    weight = sa.define("w", (i, j), near[0] * sp.exp(B[i, j]))
    share = near[1] * sp.exp(B[i, l])
    y = sa.define("y", (i,), sa.total(weight[i, j] * f[j], j) / sa.total(share, l))
    made = compile(sa.System(weight, y), output="y", path=path)
    assert ".T" not in made.source.split("return")[0]
    rng = np.random.default_rng(1)
    x, scores = np.floor(rng.normal(size=300)), rng.normal(size=(300, 300))
    seen = x == x[:, None]
    part = np.where(seen, np.exp(scores), 0)
    np.testing.assert_allclose(made(f=x, B=scores), part @ x / part.sum(1), rtol=1e-12, atol=1e-13)


def test_what_is_made_of_turned_matrices_alone_lies_as_they_do():
    plan = Plan()
    below = plan.add((plan.W, plan.y), ((1, 0), (0,)), (1, -1), (M, N))  # W_ip − y_p for p, i
    made = plan.call("exp", below)
    root = plan.nodes.make("max", (made,), (((0, 1),), "fixed"), (M, N), 1)
    now = upright([root], plan.nodes)[root]
    assert now.data[0] == ((1, 0),) and now.args[0].args[0].data[0] == ((0, 1), (1,))
    assert upright([root, below], plan.nodes) == {}  # a result lies as it is asked for
    both = plan.add((plan.B, plan.B), ((1, 0), (0, 1)), (1, 1))
    root = plan.sum((both,), ((0, 1),), (N, N))
    assert upright([root], plan.nodes) == {}
