"""Maxima: values, laws with near misses, derivatives away from ties, and how they are written."""

import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.carriers import exact
from symattn.convert import lower
from symattn.errors import FormulaError
from symattn.evaluate import Evaluator
from symattn.normalize import normalize
from symattn.primitives import step
from symattn.prove import prove

N, M = sa.sizes("n m")
I, H = sa.indices("i h", N)
J, K, L = sa.indices("j k l", M)
X, Y = sa.tensor("x", M), sa.tensor("y", M)
Q = sa.tensor("q", N)
S = sa.tensor("S", N, M)
A, B, C = (sa.tensor(c) for c in "abc")
T = sa.tensor("t", positive=True)
SIZES = {"n": 3, "m": 4}
Max, Min = sp.Max, sp.Min
top, hot = sa.maximum, sa.argmax


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Max(A + C, B + C), Max(A, B) + C),
        (Max(-A, 0), Max(A, 0) - A),
        (Max(T * A, T * B), T * Max(A, B)),
        (Max(A, Max(B, C)), Max(Max(A, B), C)),
        (Max(A, A - 1), A),
        (top(X[J + 1], J), top(X[J], J)),
        (top(X[-J] * Y[-J] + C, J), C + top(X[J] * Y[J], J)),
        (top(sa.total(S[I, J - 2] * Q[I], I), J), top(sa.total(S[I, J] * Q[I], I), J)),
        (sa.total(top(X[J + K], J), K), M * top(X[J], J)),
        (top(S[I + 1, J] * X[J], I, J), top(S[I, J] * X[J], I, J)),
        (Max(A**2, 0), A**2),
        (Max(0, sp.exp(A)), sp.exp(A)),
        (Max(0, 2 * A + Max(0, B)), Max(0, 2 * A, 2 * A + B)),
        (Max(A, B, 2 * A), A + Max(0, A, B - A)),
        (top(X[J] * C, J), top(C * X[K], K)),
        (top(X[J] + Y[K], J, K), top(X[J], J) + top(Y[J], J)),
        (top(Max(X[J], Y[J]), J), Max(top(X[J], J), top(Y[J], J))),
        (top(top(S[I, J], J), I), top(S[I, J], I, J)),
        (top(T, J), T),
        (Y[J] * top(sa.delta(J, K), K), Y[J]),
        (hot(J, top(X[K], K), K), hot(J, A, K)),
        (hot(J, top(S[I, K], I), K), hot(J, top(S[H, L], H), L)),
        (top(3 * sa.delta(K, L) + A, K, L), A + 3),
        (top(top(X[J], J), J), top(X[J], J)),
        (Max(top(X[J], J), A, top(X[K], K)), Max(A, top(X[L], L))),
        (sa.total(hot(J, X[K], K) ** 2, J), 1),
        (sa.total(hot(J, X[K], K) * Y[L], J, L), sa.total(Y[J], J)),
        (hot(J, 3 * A + T * X[K], K), hot(J, X[L], L)),
    ],
)
def test_holds(left, right):
    assert prove(left, right).status == "proved"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Max(C * A, C * B), C * Max(A, B)),
        (Max(-2 * A, -2 * B), -2 * Max(A, B)),
        (Max(A, A * A), A * A),
        (top(X[J + 1] + Y[J], J), top(X[J] + Y[J], J)),
        (top(X[2 * J], J), top(X[J], J)),
        (top(X[J + 1] * J, J), top(X[J] * J, J)),
        (top(sa.iverson(J < K) * X[J + 1], J), top(sa.iverson(J < K) * X[J], J)),
        (top(S[I, J] - X[J + 1], J), top(S[I, J] - X[J], J)),
        (Max(A, B) ** 2, Max(A**2, B**2)),
        (Max(A, Min(B, C)), Min(Max(A, B), C)),
        (Max(0, A + B), Max(0, A) + Max(0, B)),
        (top(X[J] + Y[J], J), top(X[J], J) + top(Y[J], J)),
        (top(Min(X[J], Y[J]), J), Min(top(X[J], J), top(Y[J], J))),
        (top(Q[I] * X[J], J), Q[I] * top(X[J], J)),
        (top(sa.total(S[I, J], I), J), sa.total(top(S[I, J], J), I)),
        (hot(J, C * X[K], K), hot(J, X[K], K)),
        (sa.total(hot(J, X[K], K) * Y[J], J), top(Y[J], J)),
        (sa.total(hot(J, X[K], K), J), M),
        (hot(J, top(X[K], K), K), hot(J, X[K], K)),
        (Y[J] * top(-sa.delta(J, K), K), -Y[J]),
        (Y[J] * top(sa.delta(J, K) * X[K], K), Y[J] * X[J]),
        (Y[J] * top(sa.iverson(J < K), K), Y[J]),
    ],
)
def test_near_misses_are_refuted(left, right):
    assert prove(left, right).status == "refuted"


def evaluated(expr, letters, arrays):
    return Evaluator(arrays, SIZES)(lower(expr, letters), [i for i in map(index, letters)])


def index(letter):
    from symattn.ir import Index

    return Index(letter.name, letter.upper + 1)


def test_values():
    rng = np.random.default_rng(0)
    s, q = rng.normal(size=(3, 4)), rng.normal(size=3)
    arrays = {"S": s, "q": q}
    np.testing.assert_array_equal(evaluated(top(S[I, J], J), [I], arrays), s.max(1))
    np.testing.assert_array_equal(evaluated(top(S[I, J], I, J), [], arrays), s.max())
    np.testing.assert_array_equal(
        evaluated(Max(S[I, J], Q[I], 0), [I, J], arrays), np.maximum(np.maximum(s, q[:, None]), 0)
    )
    np.testing.assert_array_equal(
        evaluated(Min(S[I, J], Q[I]), [I, J], arrays), np.minimum(s, q[:, None])
    )
    wanted = np.arange(4) == s.argmax(1)[:, None]
    np.testing.assert_array_equal(evaluated(hot(J, S[I, K], K), [I, J], arrays), wanted)
    np.testing.assert_array_equal(
        evaluated(hot(I, S[H, J], H), [I, J], arrays), np.eye(3)[s.argmax(0)].T
    )


def test_the_first_of_equal_values_counts():
    arrays = {"x": np.array([1.0, 3.0, 3.0, 2.0])}
    np.testing.assert_array_equal(evaluated(hot(J, X[K], K), [J], arrays), [0, 1, 0, 0])
    poly = lower(hot(J, X[K], K), [J])
    lifted = {"x": np.array([sp.Integer(v) for v in (1, 3, 3, 2)], dtype=object)}
    assert Evaluator(lifted, SIZES, exact())(poly, [index(J)]).tolist() == [0, 1, 0, 0]


def test_what_is_repeated_in_an_argument_is_summed_there():
    expr = Max(S[I, J] * X[J], Q[I])
    assert normalize(lower(expr, [I])) is normalize(
        lower(Max(sa.total(S[I, J] * X[J], J), Q[I]), [I])
    )
    with pytest.raises(FormulaError, match="the index j occurs once"):
        lower(Max(X[J], A), [])
    with pytest.raises(FormulaError, match="compares two ranges"):
        sa.define("E", (I,), hot(I, X[K], K))
    with pytest.raises(FormulaError, match=r"maximum\(\) needs the indices that it runs over"):
        sa.maximum(X[J])
    with pytest.raises(FormulaError, match="n is not an index with a range"):
        sa.maximum(X[J], N)


def slopes(system, of, wrt, given):
    """Central differences of an output in an input."""
    from symattn.model import model

    m = model(system)
    sizes = SIZES

    def value(arrays):
        return np.asarray(Evaluator(arrays, sizes, model=m).definition(of))

    base = value(given)
    found = np.zeros(base.shape + given[wrt].shape)
    for place in np.ndindex(given[wrt].shape):
        up, down = ({**given, wrt: given[wrt].copy()} for _ in range(2))
        up[wrt][place] += 1e-6
        down[wrt][place] -= 1e-6
        found[(..., *place)] = (value(up) - value(down)) / 2e-6
    return found


@pytest.mark.parametrize(
    ("expr", "letters"),
    [
        (Max(S[I, J] * X[J], Q[I], 0), (I,)),
        (Max(S[I, J], X[J]) * Min(S[I, J] ** 2, 1), (I, J)),
        (top(S[I, J] * X[J] ** 2, J), (I,)),
        (top(S[I, J] - X[J], I, J), ()),
        (sp.log(2 + top(sp.exp(S[I, J]), J)) * Max(A, Q[I]), (I,)),
        (sa.total(hot(J, S[I, K], K) * S[I, J] * X[J], J), (I,)),
        (Max(0, top(S[I, J], J) - Max(0, Q[I])) ** 2, (I,)),
    ],
)
def test_derivatives_against_differences(expr, letters):
    rng = np.random.default_rng(5)
    given = {
        "S": rng.normal(size=(3, 4)),
        "x": rng.normal(size=4),
        "q": rng.normal(size=3),
        "a": 0.3,
    }
    system = sa.System(sa.define("E", letters, expr))
    for wrt in {str(s.base.label) for s in expr.atoms(sp.Indexed)}:
        j = sa.jacobian(system, of="E", wrt=wrt)
        got = Evaluator(given, SIZES)(j.raw, j.indices)
        np.testing.assert_allclose(got, slopes(system, "E", wrt, given), atol=1e-8)
        assert all(check.symbolic and check.numeric < 1e-9 for check in j.check_steps())


def test_steps_of_a_rectified_layer():
    W, c = sa.tensor("W", M, N), sa.tensor("c", N)
    h = sa.define("h", (J,), Max(0, W[J, I] * c[I]))
    y = sa.define("y", (), sa.total(h[J] * X[J], J))
    g = sa.backward(sa.System(h, y), output="y", wrt=("W",))["W"]
    assert g.matrix_form() == (r"\bar W = \bar y \left(x \circ \mathbf{1}[W c > 0]\right) c^\top")
    assert all(check.symbolic and check.numeric < 1e-9 for check in g.check_steps())


def test_latex():
    top_row = sa.jacobian(sa.System(sa.define("M", (I,), top(S[I, K], K))), of="M", wrt="S")
    assert (
        top_row.latex()
        .splitlines()[-2]
        .startswith(r"&= \delta^i_p \left[q = \arg\max_{k}\left(S^{ik}\right)\right]")
    )
    both = sa.define("E", (J,), Max(0, X[J], Y[J] / 2))
    assert both._repr_latex_() == (
        r"$\displaystyle E^{j} = \max\left(0, x^{j}, \frac{1}{2} y^{j}\right)$"
    )


def test_other_conventions_at_ties_are_not_refuted():
    """Where two are equal the derivative is a matter of convention, and no sample may sit there."""
    d = sa.define("d", (), Max(A, B))
    from symattn.convert import Partial

    for claim in (step(A - B), 1 - step(B - A), step(A - B) * 2 - step(A - B)):
        assert prove(Partial(d.tensor, A), claim, given=sa.System(d)).status != "refuted"
    assert prove(Partial(d.tensor, A), step(B - A), given=sa.System(d)).status == "refuted"


@pytest.mark.parametrize(
    ("expr", "letters", "wanted"),
    [
        (Max(0, S[I, J] * X[J]), (I,), r"\max(0, S x)"),
        (sa.total(Max(0, S[I, J]) * X[J], J), (I,), r"\max(0, S) x"),
        (top(S[I, K] * X[K], K), (I,), r"\mathrm{rowmax}(S \, \mathrm{diag}(x))"),
        (top(S[I, K], I), (K,), r"\mathrm{rowmax}(S^\top)"),
        (top(X[K], K), (), r"\max(x)"),
        (sp.log(top(X[K], K)) * S[I, J], (I, J), r"\log(\max(x)) \, S"),
        (hot(J, S[I, K], K), (I, J), None),
    ],
)
def test_matrix_form(expr, letters, wanted):
    from symattn.explain.matrix import matrix_form

    assert matrix_form(normalize(lower(expr, letters)), tuple(map(index, letters))) == wanted
