"""SymPy → IR: the summation rule and the traps in which SymPy captures letters."""

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import symattn as sa
from symattn.convert import Partial, lower, lower_equation, raise_
from symattn.evaluate import Evaluator
from symattn.ir import Index
from symattn.normalize import normalize

SIZES = {"n": 4, "m": 3}
N, M = sa.sizes("n m")
I, J, K, L = sa.indices("i j k l", N)
A_, B_ = sa.indices("a b", M)
X, Y = sa.tensor("x", N), sa.tensor("y", N)
A, B = sa.tensor("A", N, N), sa.tensor("B", N, M)
R = sa.tensor("R", 2 * N - 1)
S = sa.tensor("s")
RNG = np.random.default_rng(7)
x, y = RNG.standard_normal((2, 4))
a, b = RNG.standard_normal((4, 4)), RNG.standard_normal((4, 3))
r = RNG.standard_normal(7)
ARRAYS = {"x": x, "y": y, "A": a, "B": b, "R": r, "s": 1.7}
D = np.eye(4)
LOWER = np.tril(np.ones((4, 4)))  # [j ≤ i]


def value(poly, left):
    axes = [Index(i.name, i.upper + 1) for i in left]
    return Evaluator(ARRAYS, SIZES)(poly, axes)


CASES = {  # formula, letters on the left, its value
    "repeated letter": (X[I] * Y[I], (), x @ y),
    "a square is a product": (X[I] ** 2, (), x @ x),
    "free on the left": (X[I] ** 2 * Y[I], (I,), x**2 * y),
    "free and repeated, another summed": (A[I, J] * X[J] * X[I], (I,), (a @ x) * x),
    "sum beside the same letter free": (sa.total(X[I], I) * Y[I], (I,), x.sum() * y),
    "sum over a square": (sa.total(X[I] ** 2, I), (), x @ x),
    "square of a sum": (sa.total(X[I], I) ** 2, (), x.sum() ** 2),
    "one letter in nested sums": (sa.total(X[I] * sa.total(Y[I], I), I), (), x.sum() * y.sum()),
    "one letter twice in one sum": (sa.total(sa.total(X[J], J), J), (), 4 * x.sum()),
    "twice with another between": (sa.total(sa.total(sa.total(A[I, J], J), I), J), (), 4 * a.sum()),
    "inner letter is an outer one": (
        sa.total(sa.total(A[I, J], J) * sa.total(A[J, I], J), I),
        (),
        a.sum(1) @ a.sum(0),
    ),
    "trace alone": (A[I, I], (), np.trace(a)),
    "trace in a sum": (A[I, I] + X[J] * Y[J], (), np.trace(a) + x @ y),
    "trace below": (X[J] / sa.total(A[I, I], I), (J,), x / np.trace(a)),
    "delta with itself": (sa.delta(I, I), (), 4),
    "delta squared": (sa.delta(I, J) * sa.delta(I, J), (), 4),
    "delta picks": (sa.delta(I, J) * X[J], (I,), x),
    "delta on the left only": (sa.delta(I, J) * X[I], (I, J), D * x),
    "three deltas": (sa.delta(I, J) * sa.delta(J, K) * sa.delta(K, I), (), 4),
    "mask": (sa.iverson(J <= I) * X[J], (I,), LOWER @ x),
    "mask squared": (sa.iverson(J <= I) ** 2 * Y[I], (), (LOWER.T @ y).sum()),
    "strict mask": (sa.iverson(J < I) * X[J], (I,), (LOWER - D) @ x),
    "not equal": (sa.iverson(sp.Ne(I, J)) * X[J], (I,), x.sum() - x),
    "affine": (
        R[I - J + N - 1] * X[J],
        (I,),
        [sum(r[i - j + 3] * x[j] for j in range(4)) for i in range(4)],
    ),
    "function sums inside first": (sp.exp(X[I] * Y[I]) * A[J, J], (), np.exp(x @ y) * np.trace(a)),
    "function of a free letter": (sp.exp(X[I] * Y[I]), (I,), np.exp(x * y)),
    "function below a sum": (sa.total(sp.exp(X[I] * Y[I]), I), (), np.exp(x * y).sum()),
    "bracket outside the sum": (
        X[I] * Y[I] * (A[J, K] * X[K] * Y[J] + 1),
        (),
        (x @ y) * (y @ a @ x + 1),
    ),
    "fraction": (X[I] / sa.total(Y[J] ** 2, J), (I,), x / (y @ y)),
    "root of an explicit sum": (sp.sqrt(sa.total(X[I] * X[I], I)), (), np.sqrt(x @ x)),
    "symbolic exponent": (sp.exp(X[I]) ** S, (I,), np.exp(1.7 * x)),
    "two sizes": (B[I, A_] * B[J, A_] * X[J], (I,), b @ b.T @ x),
    "size as a number": (N * X[I] / M, (I,), 4 * x / 3),
}


@pytest.mark.parametrize("name", CASES)
def test_value_by_the_summation_rule(name):
    formula, left, wanted = CASES[name]
    raw = lower(formula, left)
    np.testing.assert_allclose(value(raw, left), wanted, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(value(normalize(raw), left), wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_raised_and_lowered_again(name):
    formula, left, _ = CASES[name]
    normal = normalize(lower(formula, left))
    assert normalize(lower(raise_(normal), left)) is normal


def test_free_letters_of_an_equation_are_those_that_occur_once_on_a_side():
    left, right = lower_equation(Y[I], X[I] / X[I] ** 3)
    assert {i.name for i in left.free} == {i.name for i in right.free} == {"i"}
    left, right = lower_equation(X[I] * Y[I], Y[J] * X[J])
    assert not left.free and not right.free


def test_a_letter_has_one_size_in_an_equation():
    (other,) = sa.indices("i", M)
    with pytest.raises(sa.FormulaError, match="the index i stands for two sizes") as error:
        lower_equation(X[I], B[J, other] * X[J])
    assert "expected" in str(error.value) and "x[i] = " in str(error.value)


def test_partial_of_something_that_is_no_component():
    with pytest.raises(sa.FormulaError, match="is not the derivative of a component"):
        lower(Partial(X[I] + Y[I], X[J]), (I, J))


NAMES = st.sampled_from(["i", "j", "k", "p", "q", "z"])


@settings(max_examples=60, deadline=None)
@given(st.lists(NAMES, min_size=3, max_size=3, unique=True))
def test_names_of_bound_letters_do_not_matter(names):
    i, j, k = (sa.indices(name, N)[0] for name in names)
    made = sa.total(A[i, j] * sp.exp(X[j] * sa.total(A[j, k] * Y[k], k)), i, j)
    plain = sa.total(A[I, J] * sp.exp(X[J] * sa.total(A[J, K] * Y[K], K)), I, J)
    assert normalize(lower(made)) is normalize(lower(plain))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([I, J, K]), min_size=4, max_size=4), st.permutations([I, J, K]))
def test_sums_capture_nothing(slots, order):
    """Nested sums with letters used again and again, against loops over the same scopes."""
    p, q, s, t = slots
    inner = sa.total(A[p, q] * X[q], order[0])
    formula = sa.total(inner * A[s, t], *order)

    def loop(letters, scope, body):
        if not letters:
            return body(scope)
        return sum(loop(letters[1:], {**scope, letters[0].name: v}, body) for v in range(4))

    def body(scope):
        def within(deep):
            return a[deep[p.name], deep[q.name]] * x[deep[q.name]]

        return loop([order[0]], scope, within) * a[scope[s.name], scope[t.name]]

    got = value(normalize(lower(formula)), ())
    np.testing.assert_allclose(got, loop(order, {}, body), rtol=1e-11)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (sp.sec(X[I]) * sp.sin(X[I]), sp.tan(X[I])),
        (sp.cot(X[I]) * sp.sin(X[I]), sp.cos(X[I])),
        (sp.coth(X[I]) * sp.sech(X[I]), sp.csch(X[I])),
    ],
    ids=str,
)
def test_reciprocal_functions_are_read_as_quotients(written, read):
    """The letter stands once in each, so that no sum is read into it."""
    assert sa.prove(written, read).status == "proved"
    assert sa.prove(written, 2 * read).status == "refuted"


@pytest.mark.parametrize("place", [3, 7, -4])
def test_a_position_that_an_axis_does_not_have(place):
    Q = sa.tensor("Q", 3, 4)
    with pytest.raises(sa.FormulaError) as error:
        sa.define("y", (), Q[0, 1] + Q[place, 1])
    assert f"{place} is no position in slot 1 of Q" in str(error.value)
    assert "0 to 2, or -1 to -3 from the end: Q has shape (3, 4)" in str(error.value)


@pytest.mark.parametrize("place", [0, 2, -3])
def test_a_position_that_an_axis_has(place):
    Q = sa.tensor("Q", 3, 4)
    assert sa.define("y", (), Q[place, 1]).expr == Q[place, 1]
