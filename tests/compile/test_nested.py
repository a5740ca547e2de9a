"""What is done to a sum that nothing else reads is done to what it is made of."""

import numpy as np
import sympy as sp

import symattn as sa
from symattn.compile.nested import flattened
from symattn.compile.nodes import Nodes

n, m, d, k = sa.sizes("n m d k")
(i, j), (p,), (a,), (c,) = (
    sa.indices("i j", n), sa.indices("p", m), sa.indices("a", d), sa.indices("c", k)
)  # fmt: skip


def einsum(nodes, args, places, sizes, rank):
    return nodes.make("einsum", args, (places, None), sizes, rank, "abcd"[: len(sizes)])


def test_a_sum_over_a_contraction_is_one():
    nodes = Nodes()
    x = nodes.make("input", (), "x", (n, m, d), 3)
    y = nodes.make("input", (), "y", (n, m, k), 3)
    pairs = einsum(nodes, (x, y), ((0, 3, 1), (0, 3, 2)), (n, d, k, m), 3)
    whole = einsum(nodes, (pairs,), ((2, 0, 1),), (d, k, n), 2)
    once = flattened([whole], nodes)[whole]
    assert once.op == "einsum" and once.args == (x, y) and once.shape == (d, k)
    assert once.data[0] == ((2, 3, 0), (2, 3, 1)) and once.sizes == (d, k, n, m)
    assert flattened([whole, pairs], nodes) == {}  # which is there anyway


def test_terms_that_lie_in_two_orders_are_summed_each():
    nodes = Nodes()
    w = nodes.make("input", (), "w", (n, n), 2)
    v = nodes.make("input", (), "v", (n, n), 2)
    both = nodes.make("add", (w, v), (((0, 1), (1, 0)), (1, -1)), (n, n), 2, "ij")
    rows = einsum(nodes, (both,), ((0, 1),), (n, n), 1)
    made = flattened([rows], nodes)[rows]
    assert made.op == "add" and made.data == (((0,), (0,)), (1, -1))
    assert [x.data[0] for x in made.args] == [((0, 1),), ((1, 0),)]
    same = nodes.make("add", (w, v), (((0, 1), (0, 1)), (1, -1)), (n, n), 2, "ij")
    assert flattened([einsum(nodes, (same,), ((0, 1),), (n, n), 1)], nodes) == {}


def test_members_that_are_pooled_need_no_array_for_each():
    """The gradient of W is one product of matrices, as an array of a and c."""
    X, W, v = sa.tensor("X", n, m, d), sa.tensor("W", d, k), sa.tensor("v", n, k)
    H = sa.define("H", (i, p, c), sa.total(X[i, p, a] * W[a, c], a) ** 2)
    Y = sa.define("Y", (i,), sa.total(H[i, p, c] * v[i, c], p, c))
    f = sa.compile(sa.backward(sa.System(H, Y), output="Y", wrt=("W",)))
    rng = np.random.default_rng(0)
    shapes = {"X": (5, 4, 3), "W": (3, 2), "v": (5, 2)}
    x = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    up = rng.normal(size=5)
    slope = np.einsum("ipa,ipc,ic,i->ac", x["X"], 2 * (x["X"] @ x["W"]), x["v"], up)
    np.testing.assert_allclose(f(**x, Y_bar=up)["W"], slope, rtol=1e-5)
    assert 'matmul("ipa,ipc->ac"' in f.source


def test_what_comes_in_larger_is_not_copied_block_by_block():
    """U_ipa is larger than the scores that it is made into; scores of matrices go in blocks."""
    E, U, R = sa.tensor("E", n, d), sa.tensor("U", n, m, d), sa.tensor("R", d, m)
    for scores, blocks in ((E[i, a] * U[i, p, a], False), (E[i, a] * R[a, p], True)):
        S = sa.define("S", (i, p), sa.total(scores, a))
        T = sa.define("T", (i,), sp.log(sa.total(sp.exp(S[i, p]), p)))
        L = sa.define("L", (), sa.total(T[i], i))
        g = sa.backward(sa.System(S, T, L), output="L", wrt=("R",) if blocks else ("E",))
        f = sa.compile({"L": L, "g": g}, given=sa.System(S, T, L))
        assert (f.cost.blocks is not None) == blocks
