"""Indices as numbers: positions, distances, rotary embedding, ALiBi, even and odd columns."""

import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn import normalize as nf
from symattn.errors import AmbiguousError, FormulaError
from symattn.evaluate import Evaluator
from symattn.ir import Index, affine

N, M = sa.sizes("n m")
(I, J, L), (A,) = sa.indices("i j l", N), sa.indices("a", M)
THETA, SLOPE = sa.tensor("theta", M), sa.tensor("s")
Q, K = sa.tensor("Q", N, 2 * M), sa.tensor("K", N, 2 * M)


def values(expr, letters, **arrays):
    d = sa.define("D", letters, expr)
    return np.asarray(sa.compile(sa.System(d), output="D")(**arrays))


def turned(name, x, letter):
    """Both halves of rotary embedding."""
    even, odd = x[letter, 2 * A], x[letter, 2 * A + 1]
    angle = letter * THETA[A]
    return (
        sa.define(f"{name}e", (letter, A), even * sp.cos(angle) - odd * sp.sin(angle)),
        sa.define(f"{name}o", (letter, A), even * sp.sin(angle) + odd * sp.cos(angle)),
    )


def test_an_index_is_its_number_counted_from_0():
    x = np.array([2.0, -1.0, 0.5, 3.0])
    X = sa.tensor("x", N)
    got = values(X[I] * (I - J) ** 2 + 2 * J, (I, J), x=x)
    i, j = np.indices((4, 4))
    np.testing.assert_allclose(got, x[:, None] * (i - j) ** 2 + 2 * j, rtol=1e-6)


def test_a_sum_over_positions():
    x = np.arange(5.0) ** 2
    X = sa.tensor("x", N)
    got = values(sa.total(J * X[J], J), (), x=x)
    np.testing.assert_allclose(got, (np.arange(5) * x).sum(), rtol=1e-6)


def test_gradients_of_alibi_hold():
    q, k = sa.tensor("q", N, M), sa.tensor("k", N, M)
    S = sa.define("S", (I, J), q[I, A] * k[J, A] - SLOPE * (I - J))
    W = sa.define(
        "W",
        (I, J),
        sp.exp(S[I, J]) * sa.iverson(J <= I) / sa.total(sp.exp(S[I, L]) * sa.iverson(L <= I), L),
    )
    g = sa.backward(sa.System(S, W), output="W", wrt=("q", "k", "s"))
    assert all(d.check_steps().ok for d in g.values())
    report = sa.verify(g, seed=1)
    assert report.ok, str(report)


def test_rotary_embedding_depends_on_distances_alone():
    left, right = turned("q", Q, I), turned("k", K, J)
    score = sa.define(
        "S", (I, J), sa.total(left[0][I, A] * right[0][J, A] + left[1][I, A] * right[1][J, A], A)
    )
    system = sa.System(*left, *right, score)
    angle = (I - J) * THETA[A]
    even = Q[I, 2 * A] * K[J, 2 * A] + Q[I, 2 * A + 1] * K[J, 2 * A + 1]
    odd = Q[I, 2 * A] * K[J, 2 * A + 1] - Q[I, 2 * A + 1] * K[J, 2 * A]
    wanted = even * sp.cos(angle) + odd * sp.sin(angle)
    assert sa.prove(score, sa.total(wanted, A), given=system).status == "proved"
    for wrong in (
        even * sp.cos(angle) - odd * sp.sin(angle),
        even * sp.cos(I * THETA[A]) + odd * sp.sin(angle),
        even * sp.cos(2 * angle) + odd * sp.sin(angle),
    ):
        assert sa.prove(score, sa.total(wrong, A), given=system).status == "refuted"


def test_gradients_of_rotary_embedding_hold():
    parts = turned("r", Q, I)
    loss = sa.define("L", (), sa.total(parts[0][I, A] * parts[1][I, A] ** 2, I, A))
    g = sa.backward(sa.System(*parts, loss), output="L", wrt=("Q", "theta"))
    assert all(d.check_steps().ok for d in g.values())
    report = sa.verify(g, seed=2)
    assert report.ok, str(report)


ANGLES = [
    (sp.cos(2 * THETA[A]), 1 - 2 * sp.sin(THETA[A]) ** 2, 1 - sp.sin(THETA[A]) ** 2),
    (
        sp.sin(3 * THETA[A]),
        3 * sp.sin(THETA[A]) - 4 * sp.sin(THETA[A]) ** 3,
        3 * sp.sin(THETA[A]) - 3 * sp.sin(THETA[A]) ** 3,
    ),
    (
        sp.sin((I - J) * THETA[A]),
        -sp.sin((J - I) * THETA[A]),
        sp.sin((J - I) * THETA[A]),
    ),
    (
        sp.cos((I + 1) * THETA[A]),
        sp.cos(I * THETA[A]) * sp.cos(THETA[A]) - sp.sin(I * THETA[A]) * sp.sin(THETA[A]),
        sp.cos(I * THETA[A]) * sp.cos(THETA[A]) + sp.sin(I * THETA[A]) * sp.sin(THETA[A]),
    ),
]


@pytest.mark.parametrize("left, right, wrong", ANGLES)
def test_sines_of_sums(left, right, wrong):
    assert sa.prove(left, right).status == "proved"
    assert sa.prove(left, wrong).status == "refuted"


def test_a_shift_that_wraps_is_no_sum_of_numbers():
    X = sa.tensor("x", N)
    wrapped = sa.total(sa.delta(J, sp.Mod(I + 1, N)) * J * X[J], J)
    plain = sa.total(sa.delta(J, sp.Mod(I + 1, N)) * X[J], J) * (I + 1)
    assert sa.prove(sa.define("D", (I,), wrapped), plain).status != "proved"
    x = np.array([3.0, 1.0, 4.0])
    np.testing.assert_allclose(values(wrapped, (I,), x=x), [1.0, 8.0, 0.0], rtol=1e-6)


def test_a_repeated_number_has_two_readings():
    X = sa.tensor("x", N)
    with pytest.raises(AmbiguousError, match="i is a number here and repeated"):
        sa.System(sa.define("D", (), I * X[I])) and sa.compile(
            sa.System(sa.define("D", (), I * X[I])), output="D"
        )
    with pytest.raises(FormulaError, match="occurs once"):
        sa.define("D", (), I * SLOPE)


READ = [
    ("indices from 1; sizes x:(n)", r"y_i = i x_i", (I + 1) * sa.tensor("x", N)[I]),
    ("indices from 0; sizes x:(n)", r"y_i = i x_i", I * sa.tensor("x", N)[I]),
    (
        "scalars m; sizes x:(n)",
        r"y_{ij} = m (i - j) x_i x_j",
        sa.tensor("m") * (I - J) * sa.tensor("x", N)[I] * sa.tensor("x", N)[J],
    ),
    (
        "sizes x:(n)",
        r"y_{ij} = |i - j| x_i x_j",
        sp.Abs(I - J) * sa.tensor("x", N)[I] * sa.tensor("x", N)[J],
    ),
    (
        "indices from 1; sizes Q:(n,2m) theta:(m)",
        r"y_{ia} = \cos(i \theta_a) Q_{i,2a-1}",
        sp.cos((I + 1) * THETA[A]) * Q[I, 2 * A],
    ),
    (
        "indices from 0; sizes Q:(n,2m) theta:(m)",
        r"y_{ia} = \cos(i \theta_a) Q_{i,2a+1}",
        sp.cos(I * THETA[A]) * Q[I, 2 * A + 1],
    ),
]


@pytest.mark.parametrize("said, formula, wanted", READ)
def test_documents_count_as_they_say(said, formula, wanted):
    system = sa.read(f"<!-- symattn: {said} -->\n$$ {formula} $$")
    got = system["y"]
    letters = (I, J) if "ij" in formula else (I, A) if "ia" in formula else (I,)
    expected = sa.define("w", letters, wanted)
    rng = np.random.default_rng(0)
    arrays = {
        "x": rng.normal(size=4),
        "m": 0.5,
        "Q": rng.normal(size=(4, 6)),
        "theta": rng.normal(size=3),
    }
    for d in (got, expected):
        assert d.shape == expected.shape or "x_j" not in formula
    results = []
    for d, name in ((got, "y"), (expected, "w")):
        f = sa.compile(sa.System(d), output=name)
        given = {n: arrays[n] for n in f.inputs}
        results.append(np.asarray(f(**given)) if given else None)
    np.testing.assert_allclose(*results, rtol=1e-6)
    shown = system["y"]._repr_latex_()
    assert shown  # read back below, as the document counts
    from symattn.explain import system_latex

    again = sa.read(f"<!-- symattn: {said} -->\n$$ {system_latex(system)} $$")
    assert str(again["y"].expr) == str(got.expr)


@pytest.mark.parametrize("formula", [r"y_{ia} = \cos(i \theta_a)", r"y_i = \sum_j (j + 1) x_{ij}"])
def test_where_counting_begins_must_be_known(formula):
    with pytest.raises(FormulaError, match="is the first one 0 or 1"):
        sa.read(f"$$ {formula} $$ $$ 1 + 1 = 2 $$")


def test_even_and_odd_columns_make_an_axis_twice_as_long():
    system = sa.read(
        "<!-- symattn: indices from 0 -->\n"
        r"$$ y_{ia} = Q_{i,2a} + c_a Q_{i,2a+1} $$"
    )
    (length,) = system["y"].shape[1:]
    assert system.inputs["Q"].shape[1] == 2 * length


X, Y, B = sa.tensor("x", N), sa.tensor("y", N), sa.tensor("B", N, N)
T = sa.total
TURNED = {
    "backwards by one": (T(X[J - 1] * sp.exp(X[J - 1]), J), T(X[J] * sp.exp(X[J]), J), True),
    "from the end": (T(B[-J - 1, L] * X[-J - 1], J, L), T(B[J, L] * X[J], J, L), True),
    "round from i": (Y[I] * T(sp.exp(X[I - J]), J), Y[I] * T(sp.exp(X[J]), J), True),
    "two different ones": (T(X[J - 1] * Y[J], J), T(X[J] * Y[J], J), False),
    "beside a mask": (
        X[I] * T(X[J - 1] * sa.iverson(J <= I), J),
        X[I] * T(X[J] * sa.iverson(J <= I), J),
        False,
    ),
    "beside its number": (T(J * X[J - 1], J), T(J * X[J], J), False),
    "on an axis of another length": (
        T(sa.tensor("R", N - 1)[J - 1], J),
        T(sa.tensor("R", N - 1)[J], J),
        None,
    ),
    "numbers below i": (I * X[I], X[I] * T(sa.iverson(J < I), J), True),
    "numbers from i": ((N - I) * X[I], X[I] * T(sa.iverson(J >= I), J), True),
    "numbers above i": ((N - I) * X[I], X[I] * T(sa.iverson(J > I), J), False),
    "in another range": (I * X[I], X[I] * T(sa.iverson(A < I), A), False),
    "their sum": (T(I, I), N * (N - 1) / 2, True),
    "their squares": (T(I**2, I), N * (N - 1) * (2 * N - 1) / 6, True),
    "their squares from 1": (T(I**2, I), N * (N + 1) * (2 * N + 1) / 6, False),
    "pairs": (T(sa.iverson(I < J), I, J), N * (N - 1) / 2, True),
    "unequal ranges": (T(sa.iverson(sp.Ne(I, A)), A) * X[I], (M - 1) * X[I], False),
}


@pytest.mark.parametrize("name", TURNED)
def test_all_entries_of_an_axis_and_how_many(name):
    left, right, so = TURNED[name]
    if so is None:
        with pytest.raises(FormulaError, match="does not fit"):
            sa.prove(left, right)
        return
    free = () if left.free_symbols & {I} == set() or left.has(sp.Tuple(I, 0, N - 1)) else (I,)
    sides = [sa.define(s, free, e) for s, e in (("left", left), ("right", right))]
    v = sa.prove(*(d[free] if free else d.lhs for d in sides), given=sa.System(*sides))
    assert v.status == ("proved" if so else "refuted"), v


BACK = sa.delta(N - 1 - I, J)
BACKWARDS = {
    "alone": (T(BACK, I), sp.Integer(1), "proved"),
    "twice": (T(BACK, I), sp.Integer(2), "refuted"),
    "beside what is compared": (
        T(BACK * sa.iverson(J <= L) * X[J], I, J),
        T(sa.iverson(J <= L) * X[J], J),
        "proved",
    ),
    "counted forwards": (T(BACK * I, I), 1 * J, "refuted"),
    "past the end": (T(sa.delta(N - 2 - I, J), I), sp.Integer(1), "refuted"),
    "every second": (T(sa.delta(2 * I, J), I), sp.Integer(1), "refuted"),
}


@pytest.mark.parametrize("name", BACKWARDS)
def test_a_delta_with_an_index_backwards(name):
    left, right, status = BACKWARDS[name]
    v = sa.prove(left, right)
    assert v.status == status, v
    if v.status == "proved":
        assert sa.prove(left, right, certificate=True).certificate


NEXT = sa.delta(J, sp.Mod(I + 1, N))
FIXED = {  # by the δ, i is j − 1 modulo n
    "alone and shifted": (X[I] * Y[I - 1], X[J - 1] * Y[J - 2], "proved"),
    "shifted wrongly": (X[I] * Y[I - 1], X[J - 1] * Y[J - 1], "refuted"),
    "as a number": (X[I] * I, X[J - 1] * (J - 1), "refuted"),
    "compared": (X[I] * sa.iverson(L <= I), X[J - 1] * sa.iverson(L <= J - 1), "refuted"),
    "on a longer axis": (sa.tensor("R", N + 2)[I + 2], sa.tensor("R", N + 2)[J + 1], "refuted"),
}


@pytest.mark.parametrize("name", FIXED)
def test_an_index_that_a_delta_fixes(name):
    summed, there, status = FIXED[name]
    free = (J, L) if L in there.free_symbols else (J,)
    sides = [sa.define("left", free, T(NEXT * summed, I)), sa.define("right", free, there)]
    v = sa.prove(*(d[free] for d in sides), given=sa.System(*sides))
    assert v.status == status, v


def test_the_first_row_of_a_sum_of_letters():
    """∂/∂r_l of r_{i+0} is [i = l], the range of l being longer than that of i."""
    r = sa.tensor("r", M + N - 1)
    S = sa.define("S", (A, I), T(r[J + A], J) + r[I + A])
    F = sa.define("F", (I,), X[I] * S[0, I])
    system = sa.System(S, F)
    d = sa.jacobian(system, of="F", wrt="r")
    assert d.check_steps().ok and sa.verify(d).ok
    assert sa.verify(sa.backward(system, output="F", wrt=("r", "x"))).ok


def test_a_letter_that_is_left_of_an_affine_index_keeps_to_its_range():
    """δ of l − i + n − 1 and r at i = n − 1 is [l = r], l and r having ranges of their own."""
    n, m = sa.sizes("n m")
    i, l = Index("i", n), Index("l", n)
    for size, fits in ((2 * n - 1, True), (m, False)):
        r = Index("r", size)
        inside = nf.delta(affine({l: 1, i: -1}, n - 1), r)
        if fits:
            found = nf.substitute(inside, {i: affine({}, n - 1)})
            assert Evaluator({}, {"n": 3})(found, (l, r)).tolist() == np.eye(3, 5).tolist()
        else:
            with pytest.raises(sa.UnsupportedError, match="compared modulo m"):
                nf.substitute(inside, {i: affine({}, n - 1)})


def test_a_shifted_delta_beside_one_of_letters():
    """δ_{i,p−1} δ_{jq} U_{i,i+1} has p − 1 in place of i, whatever other δ's there are."""
    (p, q), (i, j) = sa.indices("p q", N), sa.indices("i j", N)
    U, V = sa.tensor("U", N, N), sa.tensor("V", N, N, M)
    shifted, other = sa.delta(sp.Mod(p - 1, N), i), sa.delta(j, q)
    for right, wanted in ((U[p - 1, p], "proved"), (U[p, p - 1], "refuted")):
        left, right = shifted * other * U[i, i + 1], shifted * other * right
        assert sa.prove(left, right, over=(i, j, p, q)).status == wanted
    D = sa.define("D", (i, j), sa.total(V[i, i + 1, A] * V[i + 1, j, A], A))
    assert sa.jacobian(sa.System(D), of="D", wrt="V").check_steps().ok


def test_a_letter_in_a_longer_axis_counts_modulo_its_own():
    """D_{n−1,k} is R_k for k of n: at k + 1 = n it is R_0, and not R_n."""
    R = sa.tensor("R", 2 * N - 1)
    D = sa.define("D", (I, J), R[N - I + J - 1])
    assert sa.prove(D[N - 1, J + 1], R[J + 1], given=sa.System(D)).status == "refuted"
    assert sa.prove(D[N - 1, J - 1] + D[N - 1, J], D[N - 1, J] + D[N - 1, J - 1]).status == "proved"
    F = sa.define("F", (J,), D[N - 1, J + 1] ** 2)
    f = sa.compile(sa.backward(sa.System(D, F), output="F", wrt="R"))
    r, up = np.array([2.0, -1.0, 0.5, 3.0, 1.5]), np.array([1.0, -2.0, 0.5])
    want = np.zeros(5)
    for j in range(3):
        want[(j + 1) % 3] += 2 * up[j] * r[(j + 1) % 3]
    np.testing.assert_allclose(f(R=r, F_bar=up)["R"], want, rtol=1e-6)
