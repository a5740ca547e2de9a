"""Jacobians as blocks with δ factors, products with vectors, diagonals."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import jacobian
from symattn.errors import ShapeError

pytestmark = pytest.mark.usefixtures("double_precision")
rng = np.random.default_rng(4)


def assembled(blocks, shape):
    """The dense array of the blocks, entry by entry."""
    dense = np.zeros(shape)
    for at in np.ndindex(*shape):
        for block in blocks:
            if all(at[a] == at[b] for a, b in block.equal):
                dense[at] += block.array[tuple(at[k] for k in block.axes)]
    return dense


def test_softmax_jacobian(attention, arrays):
    f = compile(jacobian(attention.system, of="A", wrt="S"))
    s = f.structured(Q=arrays["Q"], K=arrays["K"])
    A = np.asarray(jax.nn.softmax(arrays["Q"] @ arrays["K"].T / np.sqrt(3), axis=-1))
    assert sorted((b.axes, b.equal) for b in s.blocks) == [
        ((0, 1), ((0, 2), (1, 3))),
        ((0, 1, 3), ((0, 2),)),
    ]
    dense = np.asarray(s.dense())
    want = np.einsum("im,ij,ijn->ijmn", np.eye(5), A, np.eye(7) - A[:, None])
    np.testing.assert_allclose(dense, want, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(assembled(s.blocks, dense.shape), dense, rtol=1e-12, atol=1e-15)
    v = rng.normal(size=(5, 7))
    np.testing.assert_allclose(s.matvec(v), np.einsum("ijmn,mn->ij", dense, v), rtol=1e-10)
    np.testing.assert_allclose(s.diagonal(), A * (1 - A), rtol=1e-12)


def test_matvec_forms_no_block(attention):
    f = compile(jacobian(attention.system, of="A", wrt="S"))
    t = attention
    assert f.matvec_function.cost.largest == t.n_q * t.n_k
    assert f.cost.largest != t.n_q * t.n_k


def test_attention_jacobian_is_block_diagonal(attention, arrays):
    f = compile(jacobian(attention.system, of="O", wrt="Q"))
    s = f.structured(**arrays)
    (block,) = s.blocks
    assert (block.axes, block.equal) == ((0, 1, 3), ((0, 2),))
    dense = np.asarray(s.dense())
    np.testing.assert_allclose(assembled(s.blocks, dense.shape), dense, rtol=1e-12, atol=1e-15)
    v = rng.normal(size=(5, 3))
    np.testing.assert_allclose(s.matvec(v), np.einsum("ibmn,mn->ib", dense, v), rtol=1e-10)
    with pytest.raises(ShapeError, match="no diagonal"):
        s.diagonal()


def test_second_derivative_by_two_jacobians():
    n, m, r = sa.sizes("n m r")
    (i,), (j,), (k,) = sa.indices("i", n), sa.indices("j", m), sa.indices("k", r)
    U, V, X = sa.tensor("U", n, r), sa.tensor("V", m, r), sa.tensor("X", n, m)
    (c,) = sa.indices("c", r)
    G = sa.define(
        "G", (i, c), 2 * sa.total((sa.total(U[i, k] * V[j, k], k) - X[i, j]) * V[j, c], j)
    )
    f = compile(jacobian(sa.System(G), of="G", wrt="U"))
    assert f.block_function.cost.largest.free_symbols <= {r}
    shapes = {"U": (5, 2), "V": (4, 2), "X": (5, 4)}
    arrays = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    used = {name: arrays[name] for name in f.inputs if name in arrays}
    used |= {name: 5 for name in f.inputs if name == "n"}
    s = f.structured(**used)
    (block,) = s.blocks
    np.testing.assert_allclose(block.array, 2 * arrays["V"].T @ arrays["V"], rtol=1e-12)

    def loss(U):
        return ((U @ arrays["V"].T - arrays["X"]) ** 2).sum()

    np.testing.assert_allclose(
        s.dense(), jax.jit(jax.hessian(loss))(arrays["U"]), rtol=1e-12, atol=1e-12
    )
    v = rng.normal(size=(5, 2))
    np.testing.assert_allclose(s.matvec(v), 2 * v @ arrays["V"].T @ arrays["V"], rtol=1e-12)


def test_names_of_vectors_stay_apart():
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    y = sa.define("y", (i,), sp.tanh(sa.tensor("v", n)[i]))
    s = compile(jacobian(sa.System(y), of="y", wrt="v")).structured(v=np.array([0.1, 0.2]))
    np.testing.assert_allclose(
        s.matvec(np.array([1.0, 3.0])), (1 - np.tanh([0.1, 0.2]) ** 2) * [1, 3], rtol=1e-12
    )
