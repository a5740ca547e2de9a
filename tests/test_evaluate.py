"""The evaluator against NumPy written by hand, in every kind of number."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.carriers import exact, floats, fractions, jax_arrays, multiprecision
from symattn.convert import lower
from symattn.errors import FormulaError, LimitError, ShapeError
from symattn.evaluate import Evaluator
from symattn.ir import Index, Tensor
from symattn.model import model
from symattn.sample import draw, mirrored, pick_sizes, symmetrized

N, M, D = sa.sizes("n m d")
I, J = sa.indices("i j", N)
(A_,) = sa.indices("a", M)
(C,) = sa.indices("c", D)
X, B, Q = sa.tensor("x", N), sa.tensor("B", N, M), sa.tensor("Q", M, D)
R = sa.tensor("R", 2 * N - 1, D)
SIZES = {"n": 4, "m": 3, "d": 5}
RNG = np.random.default_rng(11)
ARRAYS = {
    "x": RNG.standard_normal(4),
    "B": RNG.standard_normal((4, 3)),
    "Q": RNG.standard_normal((3, 5)),
    "R": RNG.standard_normal((7, 5)),
}
x, b, q, r = ARRAYS.values()
SCORES = sa.total(B[I, A_] * Q[A_, C], A_)
WEIGHTS = np.exp(b @ q)
CASES = {
    "chain": (B[I, A_] * Q[A_, C], (I, C), b @ q),
    "chain transposed": (B[I, A_] * Q[A_, C], (C, I), (b @ q).T),
    "softmax": (
        sp.exp(SCORES) / sa.total(sp.exp(SCORES), C),
        (I, C),
        WEIGHTS / WEIGHTS.sum(1, keepdims=True),
    ),
    "constant in one axis": (X[I] / 2, (I, J), np.repeat(x[:, None], 4, axis=1) / 2),
    "affine": (
        R[I - J + N - 1, C] * X[J],
        (I, C),
        np.einsum("ijc,j->ic", r[np.arange(4)[:, None] - np.arange(4) + 3], x),
    ),
    "mask": (sa.iverson(J <= I) * X[J], (I,), np.cumsum(x)),
    "sizes": (X[I] / sp.sqrt(M) * N, (I,), 4 * x / np.sqrt(3)),
    "π and e": (sp.pi * sp.E * X[I], (I,), np.pi * np.e * x),
}


def evaluate(formula, left, carrier=None, arrays=ARRAYS):
    axes = [Index(i.name, i.upper + 1) for i in left]
    return Evaluator(arrays, SIZES, carrier)(lower(formula, left), axes)


@pytest.mark.parametrize("name", CASES)
def test_floats(name):
    formula, left, wanted = CASES[name]
    np.testing.assert_allclose(evaluate(formula, left), wanted, rtol=1e-13)


@pytest.mark.parametrize("name", CASES)
def test_jax(name):
    import jax
    import jax.numpy as jnp

    formula, left, wanted = CASES[name]
    with jax.enable_x64(True):
        given = {n: jnp.asarray(v) for n, v in ARRAYS.items()}
        got = jax.jit(lambda g: evaluate(formula, left, jax_arrays(), g))(given)
        assert got.dtype == np.float64
        np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-13)


@pytest.mark.parametrize("name", CASES)
def test_many_digits(name):
    formula, left, wanted = CASES[name]
    with mpmath.workdps(40):
        given = {
            n: np.vectorize(lambda v: mpmath.mpf(float(v)), otypes=[object])(v)
            for n, v in ARRAYS.items()
        }
        got = evaluate(formula, left, multiprecision(), given)
        np.testing.assert_allclose(np.asarray(got).astype(float), wanted, rtol=1e-13)


def test_exact_numbers_stay_exact():
    given = {"x": np.array([sp.Integer(k) for k in (1, 2, 3, 5)], dtype=object)}
    assert list(evaluate(sp.exp(X[I]) / sp.sqrt(M), (I,), exact(), given)) == [
        sp.exp(k) / sp.sqrt(3) for k in (1, 2, 3, 5)
    ]


def test_fractions_stay_fractions():
    given = {"x": np.array([Fraction(k, 7) for k in (1, 2, 3, 5)], dtype=object)}
    assert evaluate(X[I] ** 2 / N, (), fractions(), given) == Fraction(39, 49 * 4)
    with pytest.raises(FormulaError, match="exp of a rational number is not rational"):
        evaluate(sp.exp(X[I]), (I,), fractions(), given)


K = sa.indices("k", N)[0]
H, G, Y, BETA = sa.tensor("H", N, N), sp.Function("g"), sa.tensor("y", N), sa.tensor("beta")
A = sa.define("A", (I, J), H[I, J] * Y[J] + sa.delta(I, J))
IN_CASES = {  # formula, its left side, the names that have many cases
    "a product": (H[I, J] * X[J], (I,), "x"),
    "both factors": (H[I, J] * X[J], (I,), "x H"),
    "none": (H[I, J] * X[J], (I,), ""),
    "a scalar": (sp.exp(BETA * X[I]), (I,), "beta"),
    "a power": (X[I] ** 2 / (1 + Y[J] ** 2), (J, I), "y"),
    "an inverse": (sa.inverse(H[I, J]) * X[J], (I,), "H"),
    "an inverse of a definition": (sa.inverse(A[I, J]) * X[J], (I,), "y"),
    "a determinant": (sa.det(H[I, J]), (), "H"),
    "a maximum": (sa.maximum(H[I, J] + X[J], J), (I,), "x"),
    "a maximum of what does not change": (sa.maximum(H[I, J], J) * X[I], (I,), "x"),
    "the first of the largest": (sa.argmax(K, H[I, J] * X[J], J), (I, K), "x"),
    "a mask": (sa.iverson(J <= I) * X[J], (I,), "x"),
    "a diagonal": (H[I, I], (I,), "H"),
    "affine indices": (R[I - J + N - 1, C] * X[J], (I, C), "R"),
    "a function that nothing defines": (G(X[I], Y[J]), (I, J), "x"),
    "a function of several arguments": (sp.Max(X[I], Y[J]), (I, J), "x"),
}


@pytest.mark.parametrize("kind", ["floats", "exact"])
@pytest.mark.parametrize("name", IN_CASES)
def test_many_cases_at_once_are_one_case_after_the_other(name, kind):
    formula, left, several = IN_CASES[name]
    several, rng = several.split(), np.random.default_rng(5)  # the same in whatever order tests run
    shapes = {"x": (4,), "y": (4,), "H": (4, 4), "R": (7, 5), "beta": ()}
    arrays = {
        n: rng.integers(-9, 9, ((3, *s) if n in several else s)) / 7 for n, s in shapes.items()
    }
    carrier = floats()
    if kind == "exact":
        carrier = multiprecision()
        real = np.vectorize(lambda v: mpmath.mpf(float(v)), otypes=[object])
        arrays = {n: real(v) for n, v in arrays.items()}
    axes, poly = [Index(i.name, i.upper + 1) for i in left], lower(formula, left)
    known = model(sa.System(A))
    got = Evaluator(arrays, SIZES, carrier, known, stacked=several)(poly, axes)
    one_by_one = [
        Evaluator(
            {n: v[k] if n in several else v for n, v in arrays.items()}, SIZES, carrier, known
        )(poly, axes)
        for k in range(3)
    ]
    assert len({str(v) for v in one_by_one}) == (3 if several else 1)
    np.testing.assert_allclose(
        np.asarray(got).astype(float),
        np.array(one_by_one if several else one_by_one[0]).astype(float),
        rtol=1e-12,
    )


def test_definitions_are_computed_when_needed():
    s = sa.define("S", (I, C), B[I, A_] * Q[A_, C])
    z = sa.define("Z", (I,), sa.total(s[I, C] ** 2, C))
    m = model(sa.System(z, s))
    evaluator = Evaluator(ARRAYS, SIZES, model=m)
    np.testing.assert_allclose(evaluator.definition("Z"), ((b @ q) ** 2).sum(1), rtol=1e-13)
    given = Evaluator({**ARRAYS, "S": np.ones((4, 5))}, SIZES, model=m)
    np.testing.assert_array_equal(given.definition("Z"), np.full(4, 5.0))


def test_what_is_missing_is_named():
    with pytest.raises(ShapeError, match="no array was given for x"):
        evaluate(X[I], (I,), arrays={})
    with pytest.raises(ShapeError, match="no value was given for the scalar beta"):
        evaluate(sa.tensor("beta") * X[I], (I,))
    with pytest.raises(ShapeError, match="the size n is not known"):
        Evaluator(ARRAYS, {})(lower(sa.iverson(I <= 2) * 1, (I,)), [Index("i", N)])
    with pytest.raises(FormulaError, match="the free indices i are not among the axes"):
        Evaluator(ARRAYS, SIZES)(lower(X[I], (I,)))


def test_an_affine_index_counts_modulo_the_axis():
    got = evaluate(R[2 * I + J + N, C], (I, J, C))
    n, m = SIZES["n"], SIZES["m"]
    for i, j in np.ndindex(n, m):
        np.testing.assert_array_equal(got[i, j], ARRAYS["R"][(2 * i + j + n) % 7])


def test_a_number_out_of_range_is_said_to_be():
    with pytest.raises(FormulaError, match="an index of R leaves its range 0 … 6"):
        evaluate(R[N + 9, C], (C,))


def test_an_array_that_is_too_large_is_not_made():
    letters = sa.indices(" ".join(f"e{k}" for k in range(14)), N)
    with pytest.raises(LimitError, match="an array over 14 indices would have 268435456 entries"):
        evaluate(sa.total(sp.exp(sp.Add(*(X[e] for e in letters))), *letters), ())


def test_sizes_are_pairwise_different():
    for seed in (None, 0, 1, 2):
        sizes = pick_sizes("abcdefg", {"z": 3}, seed=seed)
        assert len(set(sizes.values())) == 8 and sizes["z"] == 3 and min(sizes.values()) >= 2


@pytest.mark.parametrize("symmetry, sign", [("symmetric", 1), ("antisymmetric", -1)])
def test_drawn_arrays_have_the_declared_symmetry(symmetry, sign):
    tensor = Tensor("T", (N, N, N), symmetry=symmetry)
    drawn = draw(tensor, SIZES, np.random.default_rng(0))
    for array in (drawn, mirrored(tensor, RNG.standard_normal((4, 4, 4)))):
        np.testing.assert_allclose(array, sign * array.transpose(1, 0, 2), atol=1e-15)
        np.testing.assert_allclose(array, sign * array.transpose(0, 2, 1), atol=1e-15)
        assert np.abs(array).max() > 0.1
    np.testing.assert_allclose(symmetrized(tensor, drawn), drawn, atol=1e-15)
    positive = draw(Tensor("P", (N, M), sign="+"), SIZES, np.random.default_rng(0))
    assert positive.shape == (4, 3) and positive.min() > 0
