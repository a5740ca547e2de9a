"""Sizes: read off the arrays or asked for, in sums only, as numbers, 0 and 1."""

from __future__ import annotations

import math

import jax
import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.errors import ShapeError
from symattn.orders import orders
from symattn.primitives import sigmoid

N, M = sa.sizes("n m")
(I, J, K, L), (A, B) = sa.indices("i j k l", N), sa.indices("a b", M)
x, v, w = sa.tensor("x", N), sa.tensor("v", M), sa.tensor("w")
G, Q = sa.tensor("G", N, N), sa.tensor("Q", N, M)
R, H = sa.tensor("R", 2 * N - 1), sa.tensor("H", N + M)
D = sa.define("D", (I,), R[I + N - 1] + x[I])
E = sa.define("E", (I, A), R[I + N - 1] + Q[I, A])
SAME = sa.define("S", (A, K), sa.total(G[K, L], L))

SYSTEMS = {
    "a table beside a broadcast": (E, sa.define("F", (), sa.total(E[I, A] * v[A], I, A))),
    "a table and nothing else": (D, sa.define("F", (), sa.total(D[I], I))),
    "a table of one array": (sa.define("F", (), sa.total(R[I + N - 1], I)),),
    "two tables": (sa.define("F", (), sa.total(R[I + N - 1] * H[A + N], I, A)),),
    "a table of two sizes": (sa.define("F", (), sa.total(H[A + N], I, A)),),
    "an empty sum of a function": (sa.define("F", (), sa.total(sp.exp(w), I)),),
    "a size as an exponent": (sa.define("F", (), sa.total(w**N, A)),),
    "a size as a factor": (sa.define("F", (), w**N * M),),
    "a letter that nothing has": (sa.define("F", (I,), sa.total(x[I] ** 2, A)),),
    "a size added": (sa.define("F", (A,), sa.total(sp.exp(v[A]), I) + N),),
    "σ of a number": (sa.define("F", (), sigmoid(sp.Integer(1)) * w),),
    "σ of a size": (sa.define("F", (), sigmoid(N) * w * sp.log(N + M)),),
    "e^2 in a quotient": (sa.define("F", (), 1 / (1 + sp.exp(-sp.Integer(2))) * w),),
    "a number everywhere": (sa.define("F", (I, A), sp.Integer(3) + 0 * x[I] * v[A]),),
    "a mask alone": (sa.define("F", (I,), x[I] / sa.total(sa.iverson(J <= I), J)),),
    "a mask with a letter more": (
        sa.define("F", (K,), sp.log(sa.total(sa.iverson(L <= K) * sp.exp(x[L]), L))),
    ),
    "a running mean": (
        sa.define(
            "F",
            (K, J),
            sa.total(sa.iverson(L <= K) * sp.exp(G[L, J]) * x[L], L)
            / sa.total(sa.iverson(L <= K) * sp.exp(G[L, J]), L),
        ),
    ),
    "a window that is the same along an axis": (
        SAME,
        sa.define("F", (I,), sa.total(SAME[A, K] * R[I + K], A, K)),
    ),
    "a mask of two letters": (
        sa.define(
            "F",
            (K,),
            sp.log(sa.total(sa.iverson(L + A <= K) * sp.exp(x[L] + v[A]), L, A) + 1),
        ),
    ),
}


@pytest.mark.parametrize("sizes", [{}, {"n": 1}, {"m": 1}, {"n": 1, "m": 1}])
@pytest.mark.parametrize("name", SYSTEMS)
def test_values_and_derivatives(name, sizes):
    report = orders(sa.System(*SYSTEMS[name]), sizes=sizes)
    assert report.ok, str(report)


@pytest.mark.parametrize("name", ["a table beside a broadcast", "a table and nothing else"])
def test_numpy(name):
    g = sa.backward(sa.System(*SYSTEMS[name]), output="F", wrt=("R",))
    own = {"v": np.array([1.0, 2.0, 4.0]), "L_bar": 1.0, "F_bar": 1.0, "n": 3, "m": 3}
    f, h = sa.compile(g, target="numpy"), sa.compile(g)
    given = {n: own[n] for n in f.inputs}
    wanted = 7.0 if "v" in f.inputs else 1.0
    np.testing.assert_allclose(f(**given)["R"], [0, 0, wanted, wanted, wanted])
    np.testing.assert_allclose(h(**given)["R"], [0, 0, wanted, wanted, wanted])


@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_an_exponent_of_sizes_alone(target):
    ones = sa.define("y", (K, A), sp.Integer(1))
    z = sa.define("z", (), 1 / sa.total(sp.exp(sa.total(ones[J, A], J)), A))
    f = sa.compile(sa.System(ones, z), output="z", target=target)
    np.testing.assert_allclose(f(n=80, m=4), math.exp(-80) / 4, rtol=1e-6)


def test_a_sum_of_a_mask_that_is_0():
    y = sa.define("y", (A,), sa.iverson(A < 0) * w)
    for target in ("jax", "numpy"):
        f = sa.compile(
            sa.System(y, sa.define("z", (), sa.total(y[A], A))), output="z", target=target
        )
        assert float(f(m=4)) == 0.0


def test_a_sum_that_is_known_already_keeps_what_it_is_the_same_along():
    """Σ_c d_ci = m d, though the plan has the sum that d is made of."""
    S = sa.tensor("S", N, N, symmetric=True)
    C = sa.tensor("C", N, N, positive_definite=True)
    d = sa.define("d", (A, I), sa.logdet(C) + sa.total(S[I, K], K))
    y = sa.define("y", (I,), sa.total(d[A, J] * C[L, I], A, J, L))
    g = sa.backward(sa.System(d, y), output="y", wrt=("C", "S"))
    assert sa.verify(g, sizes={"n": 4, "m": 3}).ok


def test_a_size_is_asked_for_where_no_array_shows_it():
    f = sa.compile(sa.define("F", (), sa.total(H[A + N], I, A)))
    assert set(f.inputs) == {"H", "m"}
    np.testing.assert_allclose(f(H=np.arange(5.0), m=2), 3 * (3 + 4))
    with pytest.raises(ShapeError, match="cannot be"):
        f(H=np.arange(5.0), m=9)
    with pytest.raises(ShapeError, match="positive whole number"):
        f(H=np.arange(5.0), m=0)


def test_sizes_are_read_from_others():
    """n of an array of n + m, where m is read from an array of 2 m + 1."""
    S = sa.tensor("S", 2 * M + 1)
    f = sa.compile(sa.define("F", (), sa.total(H[I + M] * N, I) + sa.total(S[A + 1], A)))
    assert set(f.inputs) == {"H", "S"}
    np.testing.assert_allclose(f(H=np.ones(7), S=np.ones(5)), 5 * 5 + 2)


def attention():
    S = sa.define("S", (I, J), sa.total(Q[I, A] * Q[J, A], A))
    P = sa.define("P", (I, J), sp.exp(S[I, J]) / sa.total(sp.exp(S[I, L]), L))
    O = sa.define("O", (I, A), sa.total(P[I, J] * Q[J, A], J))
    return sa.System(S, P, O)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (1, 3), (3, 1)])
def test_axes_without_entries(shape):
    system = attention()
    g = sa.backward(system, output="O", wrt=("Q",))
    f = sa.compile({"O": system["O"], "g": g}, given=system)
    own = np.arange(float(np.prod(shape))).reshape(shape)
    got = f(Q=own, O_bar=np.ones(shape))
    for value in jax.tree.leaves(got):
        assert value.shape == shape and np.isfinite(value).all()


def test_a_position_along_a_size_that_nothing_needs():
    """y_{m−1} of a sum that is the same for all of them."""
    D = sa.define("D", (A,), sa.total(x[-I - 1] ** 2, I))
    F = sa.define("F", (), D[-1])
    f = sa.compile(sa.hessian(sa.System(D, F), of="F", wrt="x"))
    assert set(f.inputs) == {"n"}
    np.testing.assert_array_equal(f(n=3), 2 * np.eye(3))


@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_a_number_of_sizes_beside_a_contraction(target):
    D = sa.define("D", (K, A), sp.Integer(1))
    one = sa.define("E", (), sa.total(v[A] * D[I, A] * v[A], A, I))
    system = sa.System(D, one, sa.define("F", (K,), w * one))
    f = sa.compile(sa.backward(system, output="F", wrt=("w",)), target=target)
    got = f(v=np.array([1.0, 2.0, 3.0]), F_bar=np.array([1.0, 0.5]))["w"]
    np.testing.assert_allclose(got, 2 * 14 * 1.5, rtol=1e-6)


def test_products_of_sizes_may_be_larger_than_whole_numbers_of_jax():
    """A mean over 50 000 · 60 000 pairs, and one over fifteen hundred million halves."""
    L = sa.define("L", (), sa.total(sp.tanh(x[I]) * v[A], I, A) / (N * M))
    F = sa.define("F", (), 3 * sa.total(x[I], I) / (100_000 * N))
    f = sa.compile({"L": L, "F": F, "g": sa.backward(sa.System(L), output="L", wrt="v")})
    ones = {"x": np.ones(50_000, np.float32), "v": np.ones(60_000, np.float32)}
    got = f(**ones)
    np.testing.assert_allclose(got["L"], np.tanh(1), rtol=1e-5)
    np.testing.assert_allclose(got["F"], 3e-5, rtol=1e-5)
    np.testing.assert_allclose(got["g"]["v"][0] * 60_000, np.tanh(1), rtol=1e-5)
    short = sa.compile(sa.define("L", (), sa.total(x[I], I) / (3 * N)))
    assert "(3 * n)" in short.source  # what cannot be so large stays as it is
