"""Sums: contraction order, affine indices, δ's, and how the work grows."""

from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward, hessian

pytestmark = pytest.mark.usefixtures("double_precision")
n, d, e = sa.sizes("n d e")
i, j, l = sa.indices("i j l", n)
a, c = sa.indices("a c", d)
(b,) = sa.indices("b", e)
Q, K, V = sa.tensor("Q", n, d), sa.tensor("K", n, d), sa.tensor("V", n, e)
R, U = sa.tensor("R", 2 * n - 1, d), sa.tensor("U", 2 * n - 1, e)
rng = np.random.default_rng(11)


def drawn(**shapes):
    """Normal arrays of these shapes."""
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def degree(expr, size):
    """The power with which an expression grows in a size."""
    if isinstance(expr, sp.Max):
        return max(degree(arg, size) for arg in expr.args)
    return sp.degree(sp.expand(expr), size)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_chain_is_contracted_from_its_vector(order):
    m, p = sa.sizes("m p")
    (k,), (q,) = sa.indices("k", m), sa.indices("q", p)
    x, y, z = sa.tensor("x", n, m), sa.tensor("y", m, p), sa.tensor("z", p)
    factors = [x[i, k], y[k, q], z[q]]
    f = compile(sa.define("w", (i,), sp.Mul(*(factors[o] for o in order))))
    arrays = {"x": rng.normal(size=(3, 4)), "y": rng.normal(size=(4, 5)), "z": rng.normal(size=5)}
    np.testing.assert_allclose(f(**arrays), arrays["x"] @ arrays["y"] @ arrays["z"], rtol=1e-12)
    assert sp.expand(f.cost.flops - 2 * m * p - 2 * n * m) == 0


def test_linear_attention_is_multiplied_out_where_that_is_cheaper():
    f = compile(sa.define("w", (i, b), sa.total(sa.total(Q[i, a] * K[j, a], a) * V[j, b], j)))
    assert degree(f.cost.flops, n) == 1
    arrays = drawn(Q=(5, 3), K=(5, 3), V=(5, 2))
    np.testing.assert_allclose(f(**arrays), arrays["Q"] @ arrays["K"].T @ arrays["V"], rtol=1e-12)


def test_a_variance_keeps_its_brackets():
    x = sa.tensor("x", n)
    mu = sa.define("mu", (), sa.total(x[j], j) / n)
    var = sa.define("var", (), sa.total((x[i] - mu) ** 2, i) / n)
    f = compile(var, given=sa.System(mu))
    x = 1e8 + np.array([1.0, 2.0, 4.0])
    np.testing.assert_allclose(f(x=x), np.var(x), rtol=1e-12)


def test_diagonals_and_traces():
    M = sa.tensor("M", n, n)
    M_ = rng.normal(size=(4, 4))
    f = compile(sa.define("t", (), sa.total(M[i, i], i)))
    np.testing.assert_allclose(f(M=M_), np.trace(M_))
    np.testing.assert_allclose(compile(sa.define("t", (i,), M[i, i] * 2))(M=M_), 2 * np.diag(M_))
    f = compile(sa.define("t", (i, j), M[j, i] + sa.delta(i, j) * M[i, j]))
    np.testing.assert_allclose(f(M=M_), M_.T + np.diag(np.diag(M_)))
    got = compile(sa.define("t", (i,), M[i, l] * sa.delta(l, j) * M[j, i]))(M=M_)
    np.testing.assert_allclose(got, np.einsum("ij,ji->i", M_, M_))


def test_axes_that_an_expression_does_not_have_are_filled():
    x = sa.tensor("x", n)
    np.testing.assert_array_equal(
        compile(sa.define("y", (j, i), x[i]))(x=np.array([1.0, 2.0])), [[1, 2], [1, 2]]
    )


def shifted(x, by):
    """x[i + by], 0 where that is no row."""
    rows = np.arange(len(x)) + by
    return np.where(((rows >= 0) & (rows < len(x)))[:, None], x[rows % len(x)], 0)


EQUAL = {  # a δ of letters: what it is, and with NumPy
    "next": (sa.delta(i + 1, j) * Q[j, a], lambda x: shifted(x, 1)),
    "last": (sa.delta(j, i - 1) * Q[j, a], lambda x: shifted(x, -1)),
    "far": (sa.delta(i - n, j) * Q[j, a], lambda x: 0 * x),
    "turned": (sa.delta(j, n - 1 - i) * Q[j, a], lambda x: x[::-1]),
    "turned, from 1": (sa.delta(j, n - i) * Q[j, a], lambda x: shifted(x[::-1], -1)),
    "every other": (
        sa.delta(j, 2 * i + 1) * Q[j, a],
        lambda x: np.concatenate([x[1::2], np.zeros((len(x) - len(x[1::2]), x.shape[1]))]),
    ),
    "both": (sa.delta(i + 1, j) * Q[j, a] * Q[i, a] * Q[j, a], lambda x: x * shifted(x, 1) ** 2),
}


@pytest.mark.parametrize("target", ["jax", "numpy"])
@pytest.mark.parametrize("name", EQUAL)
def test_equal_letters_are_looked_up(name, target):
    """Σ_j [j = i + 1] x_j is a lookup, not a product with a matrix of conditions."""
    term, value = EQUAL[name]
    y = sa.define("y", (i, a), sa.total(term, j))
    f = compile(y, target=target)
    arrays = {"Q": rng.normal(size=(5, 3))} | {"n": 5, "d": 3}
    got = f(**{s: arrays[s] for s in f.inputs})
    np.testing.assert_allclose(got, value(arrays["Q"]), rtol=1e-12, atol=1e-12)
    assert f.cost.largest in (1, n * d)
    assert "einsum" not in f.source


@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_letters_that_are_equal_to_one_place_are_equal(target):
    """∂²/∂x_i∂x_j Σ_k x_{k+1}³ c_k is a diagonal: c is moved, no matrix is."""
    x, c = sa.tensor("x", n), sa.tensor("c", n)
    E = sa.define("E", (), sa.total(x[i + 1] ** 3 * c[i], i))
    f = compile(hessian(sa.System(E), of="E", wrt="x"), target=target)
    values = {"x": rng.normal(size=5), "c": rng.normal(size=5)}
    want = np.diag(6 * values["x"] * np.roll(values["c"], 1))
    np.testing.assert_allclose(f(**values), want, rtol=1e-6, atol=1e-12)
    assert f.source.count("eye(") == 1 and f.cost.largest == n


def test_a_delta_in_its_range_is_one_condition():
    """δ_r(i−j+n−1) is met by every pair, so nothing has three axes."""
    r = sa.indices("r", 2 * n - 1)[0]
    T = sa.define(
        "T",
        (r, a),
        sa.total(sa.tensor("A", n, n)[i, j] * sa.delta(r, i - j + n - 1) * Q[i, a], i, j),
    )
    f = compile(T)
    assert f.cost.largest == n * (2 * n - 1)
    arrays = {"A": rng.normal(size=(5, 5)), "Q": rng.normal(size=(5, 3))}
    want = np.zeros((9, 3))
    for row, column in np.ndindex(5, 5):
        want[row - column + 4] += arrays["A"][row, column] * arrays["Q"][row]
    np.testing.assert_allclose(f(**arrays), want, rtol=1e-12)


def test_equal_letters_of_two_ranges():
    """[i = j] for i of 5 and j of 7 is 0 past the shorter range, in both directions."""
    (m,) = sa.sizes("m")
    (p,) = sa.indices("p", m)
    B = sa.tensor("B", m, e)
    same = sa.iverson(sp.Eq(i, p))
    arrays = {"B": rng.normal(size=(7, 4))}
    y = compile(sa.define("y", (i, b), sa.total(same * B[p, b], p)))
    np.testing.assert_allclose(y(**arrays, n=5), arrays["B"][:5])
    padded = np.concatenate([arrays["B"], np.zeros((2, 4))])
    np.testing.assert_allclose(y(**arrays, n=9), padded)


def test_a_product_of_two_tables():
    """Each is looked up for itself; moving the sum to an offset would need three letters."""
    (r,) = sa.indices("r", n)
    t = sa.tensor("t", 2 * n - 1)
    first, second = t[i - j + n - 1], t[j - r + n - 1]
    f = compile(sa.define("y", (i,), sa.total(first * second, j, r)))
    assert f.cost.largest == n**2
    x = rng.normal(size=9)
    table = x[np.arange(5)[:, None] - np.arange(5) + 4]
    np.testing.assert_allclose(f(t=x), (table @ table).sum(1), rtol=1e-12)
    g = compile(backward(sa.System(sa.define("y", (i,), sa.total(first * second, j, r))),
                         output="y", wrt="t"))  # fmt: skip
    up = rng.normal(size=5)
    slope = jax.grad(lambda x: ((x[_places()] @ x[_places()]).sum(1) * up).sum())
    want = jax.jit(slope)(x)
    np.testing.assert_allclose(g(t=x, y_bar=up)["t"], want, rtol=1e-12)


def _places():
    return np.arange(5)[:, None] - np.arange(5) + 4


def test_a_product_of_numpy_arrays_is_read_at_offsets():
    x, z = sa.tensor("x", n), sa.tensor("z", n)
    f = compile(sa.define("y", (i, a), sa.total(x[j] * z[j] * R[i - j + n - 1, a], j)))
    arrays = drawn(x=(5,), z=(5,), R=(9, 3))
    want = np.einsum("j,ija->ia", arrays["x"] * arrays["z"], arrays["R"][_places()])
    np.testing.assert_allclose(f(**arrays), want, rtol=1e-12)


def relative():
    S = sa.define("S", (i, j), (Q[i, a] * K[j, a] + Q[i, a] * R[i - j, a]) / sp.sqrt(d))
    A = sa.define("A", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, l]), l))
    O = sa.define("O", (i, b), A[i, j] * V[j, b] + A[i, j] * U[i - j, b])
    return sa.System(S, A, O)


def plain_relative(Q, K, V, R, U):
    place = jnp.arange(len(Q))[:, None] - jnp.arange(len(Q))
    S = (Q @ K.T + jnp.einsum("ia,ija->ij", Q, R[place])) / np.sqrt(Q.shape[1])
    A = jax.nn.softmax(S, axis=-1)
    return A @ V + jnp.einsum("ij,ijb->ib", A, U[place])


@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_relative_positions(target):
    shapes = {"Q": (5, 3), "K": (5, 3), "V": (5, 4), "R": (9, 3), "U": (9, 4)}
    arrays = {name: rng.normal(size=s) for name, s in shapes.items()}
    upstream = rng.normal(size=(5, 4))
    system = relative()
    g = backward(system, output="O", wrt=tuple(shapes))
    f = compile({"O": system["O"], "g": g}, given=system, target=target)
    got = f(**arrays, O_bar=upstream)

    def reference(arrays):
        want, pull = jax.vjp(lambda kw: plain_relative(**kw), arrays)
        return want, *pull(upstream)

    want, bars = jax.jit(reference)(arrays)
    np.testing.assert_allclose(got["O"], want, rtol=1e-12, atol=1e-12)
    for name, bar in bars.items():
        np.testing.assert_allclose(got["g"][name], bar, rtol=1e-12, atol=1e-12)
    assert degree(f.cost.flops, n) == 2
    assert degree(f.cost.largest, n) == 2
    assert degree(f.cost.largest.subs({d: 3, e: 4}), n) == 2
    assert degree(f.cost.largest, d) == 1  # no n·n·d array


def test_shifted_sequences():
    x = sa.tensor("x", n)
    x_ = rng.normal(size=6)
    f = compile(sa.define("y", (i,), x[i] - x[i - 1]))
    np.testing.assert_allclose(f(x=x_), x_ - np.roll(x_, 1))
    f = compile(sa.define("y", (i,), x[2 * i + 1] + x[0]))
    np.testing.assert_allclose(f(x=x_), x_[(2 * np.arange(6) + 1) % 6] + x_[0])
    # the autocorrelation, whose offsets are met twice when counted modulo n
    f = compile(sa.define("y", (i,), sa.total(x[j] * x[j + i], j)))
    want = [sum(x_[q] * x_[(q + p) % 6] for q in range(6)) for p in range(6)]
    np.testing.assert_allclose(f(x=x_), want, rtol=1e-12)


def test_cumulative_sum_by_a_mask():
    x = sa.tensor("x", n, d)
    x_ = rng.normal(size=(5, 3))
    f = compile(sa.define("y", (i, a), sa.iverson(j <= i) * x[j, a]))
    np.testing.assert_allclose(f(x=x_), np.cumsum(x_, axis=0), rtol=1e-12)
    f = compile(sa.define("y", (), sa.iverson(j < i) * x[j, a] * x[i, a]))
    np.testing.assert_allclose(f(x=x_), np.tril(x_ @ x_.T, -1).sum(), rtol=1e-12)


@pytest.mark.parametrize(
    "letters, formula, want",
    [
        ((i, b), Q[i, a] * K[j, a] * V[j, b], lambda q, k, v: q @ k.T @ v),
        (
            (i,),
            sa.total((Q[i, a] - K[j, a]) ** 2, j, a) * sa.total(V[i, b], b),
            lambda q, k, v: ((q[:, None] - k) ** 2).sum((1, 2)) * v.sum(1),
        ),
        (
            (i, j, b),
            sa.total(sp.tanh(Q[i, a]) * K[j, a], a) ** 2 * V[i, b],
            lambda q, k, v: (np.tanh(q) @ k.T)[..., None] ** 2 * v[:, None],
        ),
        (
            (b, i),
            sa.total(sp.sqrt(1 + Q[i, a] ** 2) * K[i, a], a) * V[i, b],
            lambda q, k, v: ((np.sqrt(1 + q**2) * k).sum(1)[:, None] * v).T,
        ),
    ],
)
def test_mixed_products(letters, formula, want):
    arrays = drawn(Q=(5, 3), K=(5, 3), V=(5, 4))
    f = compile(sa.define("y", letters, formula))
    np.testing.assert_allclose(f(**arrays), want(*arrays.values()), rtol=1e-12, atol=1e-12)


def test_a_contraction_in_which_one_array_is_summed_alone():
    """Σ_c D_ic² B_ic where D turns out not to depend on c."""
    M = sa.tensor("M", n, n)
    D = sa.define("D", (i, a), sa.inverse(M)[i, i])
    F = sa.define("F", (i, a), D[i, a] ** 2 * M[i, i])
    f = compile(backward(sa.System(D, F), output="F", wrt=("M",)))
    draw = np.random.default_rng(0)
    x, up = draw.normal(size=(3, 3)) + 3 * np.eye(3), draw.normal(size=(3, 4))

    def plain(x):
        return (up.sum(1) * jnp.diagonal(jnp.linalg.inv(x)) ** 2 * jnp.diagonal(x)).sum()

    wanted = jax.jit(jax.grad(plain))(x)
    np.testing.assert_allclose(f(M=x, F_bar=up)["M"], wanted, rtol=1e-9)


def test_numbers_in_a_contraction():
    """Σ_c D_jc² Ȳ_jc for D = 1: a number is no operand."""
    n, m = sa.sizes("n m")
    (j,), (c,) = sa.indices("j", n), sa.indices("c", m)
    M = sa.tensor("M", n, n)
    D = sa.define("D", (j, c), 1)
    system = sa.System(D, sa.define("Y", (j, c), D[j, c] ** 2 * M[j, j]))
    g = compile(backward(system, output="Y", wrt=("D", "M")))
    bar, matrix = np.arange(6.0).reshape(3, 2), np.arange(9.0).reshape(3, 3)
    got = g(M=matrix, Y_bar=bar)
    np.testing.assert_allclose(got["M"], np.diag(bar.sum(1)))
    np.testing.assert_allclose(got["D"], 2 * bar * np.diag(matrix)[:, None])


def test_a_sum_of_products_of_matrices_is_one_of_each():
    """Σ_a (r e_i e_j + s e_i f_j) has no array of i, j and a; differences stay under their sum."""
    n, d, k = sa.sizes("n d k")
    (i, j), (a,), (c,) = sa.indices("i j", n), sa.indices("a", d), sa.indices("c", k)
    E, F = sa.tensor("E", n, d), sa.tensor("F", n, d)
    R, S = sa.tensor("R", k, d), sa.tensor("S", k, d)
    both = R[c, a] * E[i, a] * E[j, a] + S[c, a] * E[i, a] * F[j, a]
    f = compile(sa.define("Z", (c, i, j), sa.total(both, a)))
    assert f.cost.largest == n * d * k
    assert "by_slices" not in f.source
    rng = np.random.default_rng(0)
    e, g, r, s = (rng.normal(size=x) for x in ((5, 3), (5, 3), (2, 3), (2, 3)))
    right = np.einsum("ca,ia,ja->cij", r, e, e) + np.einsum("ca,ia,ja->cij", s, e, g)
    np.testing.assert_allclose(f(E=e, F=g, R=r, S=s), right, rtol=1e-5, atol=1e-6)
    apart = sa.total(R[c, a] * (E[i, a] - F[j, a]) ** 2, a)
    kept = compile(sa.define("D", (c, i, j), apart))
    far = 1e3 + e.astype("float32"), 1e3 + g.astype("float32")
    near = np.einsum("ca,ija->cij", r, (far[0][:, None].astype(float) - far[1]) ** 2)
    np.testing.assert_allclose(kept(E=far[0], F=far[1], R=r.astype("float32")), near, rtol=1e-5)
