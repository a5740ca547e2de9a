"""Where a rule that holds inside fails at the border: axes of size 1 and 0, huge numbers."""

import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.second_opinion import check

N, M = sa.sizes("n m")
I, J, K = sa.indices("i j k", N)
(A_,) = sa.indices("a", M)
(P_,) = sa.indices("p", N - 1)
(Q_,) = sa.indices("q", N)
(H_,) = sa.indices("h", 3)
X, Y, Z, U = sa.tensor("x", N), sa.tensor("y", N), sa.tensor("z", 3), sa.tensor("u", N - 1)
T, D = sa.total, sa.define


def around(letter, by, size):
    return sp.KroneckerDelta(letter, sp.Mod(letter - by, size))


@pytest.mark.parametrize("by, ones", [(1, {1}), (2, {1, 2}), (6, {1, 2, 3, 6})])
def test_a_place_is_its_neighbour_on_an_axis_of_size_1(by, ones):
    """[n divides by], as all sizes have it."""
    system = sa.System(D("C", (), T(around(I, by, N) * X[I], I)))
    value = sa.compile(system, output="C")
    for n in range(1, 8):
        x = np.arange(1.0, n + 1)
        assert float(value(x=x)) == (x.sum() if n in ones else 0)


def test_the_diagonal_beside_the_diagonal():
    E = D("E", (J, K), sp.exp(sa.delta(K, J) * Y[J]))
    L = D("L", (), T(E[K, K - 1], K))
    system = sa.System(E, L)
    assert sa.prove(L.tensor, N, given=system).status == "refuted"  # e^y where n = 1
    slope = sa.compile(sa.jacobian(system, of="L", wrt="y"))
    assert np.allclose(slope(y=np.array([2.0])), np.exp(2.0))
    assert np.allclose(slope(y=np.array([2.0, 1.0])), 0)
    assert sa.prove(T(around(H_, 1, 3) * Z[H_], H_), 0).status == "proved"


def cases():
    return sp.Piecewise((X[I] * Y[J], X[I] > Y[J]), (1, True))


@pytest.mark.parametrize(
    "outer, fold",
    [
        (lambda e: T(Y[J] * e, J), lambda y, e: sum(y * e)),
        (lambda e: sa.maximum(2 * e, J), lambda y, e: 2 * max(e)),
        (lambda e: T(sa.maximum(e, J), K), lambda y, e: len(y) * max(e)),
        (lambda e: T(T(e, J), K), lambda y, e: len(y) * sum(e)),
    ],
    ids=["sum", "maximum", "maximum in a sum", "sums"],
)
def test_cases_stay_within_the_sums_that_bind_their_letters(outer, fold):
    """SymPy takes a Piecewise out of Σ_i when Σ_j is put around it, and i is bound no more."""
    value = sa.compile(sa.System(D("D", (), outer(T(cases(), I)))), output="D")
    x, y = np.array([0.5, -1.0, 2.0]), np.array([1.0, -0.5, 0.25])
    inner = [sum(p * q if p > q else 1.0 for p in x) for q in y]
    assert np.allclose(value(x=x, y=y), fold(y, inner))


def test_a_maximum_of_numbers_is_compared():
    assert sa.prove(sp.Max(0, sa.maximum(sp.Integer(1), H_)), 1).status == "proved"


def test_masks_are_not_divided_by():
    weights = D(
        "W",
        (K, J),
        sa.iverson(J <= K)
        * sp.exp(sa.tensor("t"))
        / T(sa.iverson(Q_ <= K) * sp.exp(sa.tensor("t")), Q_),
    )
    total = D("s", (), T(weights[I, K], I, K) * T(X[I], I))
    slope = sa.jacobian(sa.System(weights, total), of="s", wrt="x")
    assert sa.prove(slope, N).status == "proved"
    both = sa.iverson(J <= K) / (sa.iverson(J <= K) + sa.iverson(K < J))
    assert sa.prove(0, T(1 / T(both, J), K)).status == "refuted"


def test_what_50_digits_lose_is_no_counterexample():
    """e^S (1 + e^{−S}) − e^S is 1, and 0 in floats and to 50 digits where S is 150."""
    S = D("S", (), 50 * T(X[I] ** 2, I))
    E, F = D("E", (), sp.exp(sp.sympify(S))), D("F", (), 1 + sp.exp(-sp.sympify(S)))
    system = sa.System(S, E, F)
    left = sp.sympify(E) * sp.sympify(F) - sp.sympify(E)
    assert sa.prove(left, 1, given=system).status == "proved"
    assert sa.prove(left, 2, given=system).status == "refuted"


def test_large_values_are_moved_by_a_share_of_them():
    E = D("E", (), -T(X[I], I) * N)
    F = D("F", (J, K), sp.exp(9 * sp.sympify(E)))
    G = D("G", (I,), T(F[J, I], J))
    pullback = sa.backward(sa.System(E, F, G), output="G", wrt=("x",))
    assert all(d.check_steps(seed).ok for d in pullback.adjoints.values() for seed in range(6))


@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_entries_of_an_axis_that_may_be_empty(target):
    moved = D("O", (I,), X[I] * T(sa.delta(I, P_ + 1) * U[P_], P_))
    value = sa.compile(sa.System(moved), output="O", target=target)
    for n in (1, 2, 4):
        x, u = np.arange(1.0, n + 1), np.arange(2.0, n + 1)
        assert np.allclose(value(x=x, u=u), x * np.concatenate([[0.0], u]))


@pytest.mark.parametrize(
    "left, right, status",
    [
        (sa.iverson(I <= J + 1) * sa.iverson(I < J), sa.iverson(I < J), "proved"),
        (sa.iverson(I <= A_) * sa.iverson(I < A_), sa.iverson(I < A_), "proved"),
        (sa.iverson(I <= A_) * sa.iverson(I < A_), sa.iverson(I <= A_), "refuted"),
        (sa.iverson(I <= J + 1), sa.iverson(I <= J) + sa.iverson(sp.Eq(I, J + 1)), "proved"),
        (sa.iverson(I <= J + 1), sa.iverson(I <= J) + sa.iverson(sp.Eq(I, J - 1)), "refuted"),
        (sa.iverson(I <= 0), sa.iverson(sp.Eq(I, 0)), "proved"),
        (sa.iverson(N - 1 <= I), sa.iverson(sp.Eq(I, N - 1)), "proved"),
        (sa.iverson(N - 1 <= I), sa.iverson(sp.Eq(I, 0)), "refuted"),
        (sa.iverson(N - 2 <= I), sa.iverson(sp.Eq(I, N - 2)), "refuted"),
    ],
)
def test_masks_that_imply_one_another(left, right, status):
    w = sa.tensor("w")
    free = [letter for letter in (I, J, A_) if left.has(letter)]
    assert sa.prove(left * w, right * w, over=free).status == status


def test_a_sum_that_turns_may_vanish():
    E = sa.tensor("E", N, N, antisymmetric=True)
    assert sa.prove(T(E[I, N - 1 - J], I, J) + X[0], X[0]).status == "proved"
    assert sa.prove(T(E[I, N - 1 - J] * X[I], I, J) + X[0], X[0]).status == "refuted"


def test_a_result_without_letters_is_no_result_again() -> None:
    (n,) = sa.sizes("n")
    i, j = sa.indices("i j", n)
    x = sa.tensor("x", n)
    y = sa.define("y", (i,), n * x[i])
    slope = sa.jacobian(sa.System(sa.define("s", (), sa.total(y[i], i)), y), of="s", wrt="x")
    assert slope.expr == n
    assert sa.prove(sa.delta(i, j) * sa.delta(j, i), n).status == "proved"


def test_shifted_components_are_one_where_the_axis_is_short():
    """∂x_{i+1}/∂x_{i-1} is 1 where n is 1 or 2, and 0 elsewhere; x_1 is never x_0."""
    v = D("v", (I,), X[I + 1] * Y[I] + X[I - 1] ** 2)
    system, slope = sa.System(v), sa.partial(v[I], X[I - 1])
    assert sa.prove(slope, 2 * X[I - 1], given=system, over=(I,)).status != "proved"
    both = sum(sa.iverson(k >= N) * sa.iverson(k <= N) for k in (1, 2))
    right = 2 * X[I - 1] + both * Y[I]
    assert sa.prove(slope, right, given=system, over=(I,)).status == "proved"
    assert sa.prove(sa.partial(X[-1], X[0]), 0).status == "refuted"
    assert sa.prove(sa.partial(X[1], X[0]), 0).status == "proved"


def test_slots_that_meet_are_compared_modulo_their_axis():
    """δ_{ij} at i−1, j+1 is δ_{i,j+2}, also where n is 1 or 2, and y_{i+2} at 0 is y_0 there."""
    d = D("d", (I, J), sa.delta(I, J) * X[J])
    v = D("v", (I,), Y[I + 2] ** 2)
    system = sa.System(d, v)
    d, v = (x.tensor for x in (d, v))
    assert sa.prove(d[I - 1, J + 1], 0, given=system, over=(I, J)).status == "refuted"
    right = sa.delta(I, sp.Mod(J + 2, N)) * X[J + 1]
    assert sa.prove(d[I - 1, J + 1], right, given=system, over=(I, J)).status == "proved"
    assert sa.prove(d[2 * I, 2 * J], sa.delta(I, J) * X[2 * I], given=system).status == "refuted"
    assert sa.prove(sa.partial(v[0], Y[0]), 0, given=system).status == "refuted"
    slope = sa.partial(v[I], Y[J - 1])
    right = 2 * Y[I + 2] * sa.delta(I, sp.Mod(J - 3, N))
    proof = sa.prove(slope, right, given=system, over=(I, J), certificate=True)
    assert proof.status == "proved"
    assert check(proof.certificate).ok
    forged = {**proof.certificate, "claim": {**proof.certificate["claim"], "rhs": "0"}}
    assert not check(forged).ok


def test_a_delta_of_a_shorter_letter_counts_modulo_the_axis():
    """Σ_k δ_{k,m+1} δ_{k,i−1} x_k for m below n − 1: i = 0 meets m = n − 2."""
    (m,) = sa.indices("m", N - 1)
    left = sa.total(sa.delta(K, m + 1) * sa.delta(K, sp.Mod(I - 1, N)) * X[K], K)
    right = sa.delta(I, sp.Mod(m + 2, N)) * X[m + 1]
    assert sa.prove(left, right, over=(m, I)).status == "proved"
    assert sa.prove(left, sa.delta(I, m + 2) * X[m + 1], over=(m, I)).status != "proved"


def test_a_bracket_that_is_printed_at_an_index_outside_of_its_range():
    """[k − 1 ≠ i] at 3 i counts modulo the axis: it is no comparison of k − 1 with 3 i."""
    c = sp.Symbol("c")
    below = D("B", (I,), T(sa.iverson(sp.Ne(K - 1, I)) * c, K))
    slope = sa.jacobian(sa.System(below, D("E", (I,), below[3 * I])), of="E", wrt="c")
    inside = slope.expr.atoms(sa.iverson(I <= J).func)
    assert inside and not any(i.has(I) for i in inside)


def test_a_definition_at_a_shorter_letter_beside_an_index_that_leaves_its_range():
    from symattn.ir import Index, affine
    from symattn.model import Model

    e = D("e", (I, J), sa.iverson(J <= I) * X[I])
    shorter, letter = Index("p", N - 1), Index("i", N)
    value = Model(sa.System(e)).bodies["e"].at([shorter, affine({letter: 2}, sp.S.Zero)])
    assert value.free == {shorter, letter}


def test_a_place_beside_an_index_of_a_shorter_range():
    m, n = sa.sizes("m n")
    b, c, i, j = (sa.indices(x, s)[0] for x, s in zip("bcij", (m, m, n, n), strict=True))
    z = sa.tensor("z", m + n - 1)
    first = sa.define("y", (j, i), sa.total(z[j + b] ** 2, b))
    second = sa.define("w", (c,), sa.total(first.tensor[0, i], i))
    derivative = sa.jacobian(sa.System(first, second), of="w", wrt="z")
    assert all(derivative.check_steps(seed).ok for seed in range(3))
    by_z = sa.compile(derivative, target="numpy")(z=np.arange(6.0), m=3)
    np.testing.assert_allclose(by_z, [[0, 8, 16, 0, 0, 0]] * 3)  # 2 n z_k for k < m


def test_steps_are_checked_where_values_are_finite():
    (n,) = sa.sizes("n")
    i, k = sa.indices("i k", n)
    v, a = sa.tensor("v", 3), sa.tensor("a", n)
    (f,) = sa.indices("f", 3)
    wide = sa.define("e", (i,), sp.exp(-4 * sa.total(v[f], f)))
    share = sa.define("y", (), 1 / (sp.exp(sa.total(wide.tensor[i], i)) + sa.total(a[k], k)))
    result = sa.backward(sa.System(wide, share), output="y", wrt=("e", "v"))
    assert all(d.check_steps(seed).ok for d in result.adjoints.values() for seed in range(8))
