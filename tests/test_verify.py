"""verify: right formulas pass against independent references, wrong ones are caught."""

import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.comparison import Report, Row
from symattn.errors import DefinitionError, UnsupportedError
from symattn.verify import verify

n_q, n_k, d_k, d_v = sa.sizes("n_q n_k d_k d_v")
(I,), (J, L) = sa.indices("i", n_q), sa.indices("j l", n_k)
(A_,), (B_,) = sa.indices("a", d_k), sa.indices("b", d_v)
Q, K, V = sa.tensor("Q", n_q, d_k), sa.tensor("K", n_k, d_k), sa.tensor("V", n_k, d_v)
S = sa.define("S", (I, J), Q[I, A_] * K[J, A_] / sp.sqrt(d_k))
A = sa.define("A", (I, J), sp.exp(S[I, J]) / sa.total(sp.exp(S[I, L]), L))
O = sa.define("O", (I, B_), A[I, J] * V[J, B_])
ATTENTION = sa.System(S, A, O)
O_BAR, A_BAR = sa.tensor("O_bar", n_q, d_v), sa.tensor("A_bar", n_q, n_k)
S_BAR = sa.tensor("S_bar", n_q, n_k)
ROW = sa.total(A[I, L] * A_BAR[I, L], L)


def gradients(*wrt):
    return sa.backward(ATTENTION, output="O", wrt=wrt)


def test_derived_gradients_pass():
    report = verify(gradients("Q", "K", "V"), sizes={"n_q": 6, "d_v": 9})
    assert report.ok and report
    assert report.sizes["n_q"] == 6 and report.sizes["d_v"] == 9
    seen = {(r.name, r.reference, r.dtype) for r in report.rows}
    for name in ("Q_bar", "K_bar", "V_bar"):
        assert {
            (name, "jax autodiff", "float64"),
            (name, "jax autodiff", "float32"),
            (name, "flash", "float64"),
            (name, "differences", "float64"),
        } <= seen
    assert all(
        r.max_rel <= 1e-12
        for r in report.rows
        if r.dtype == "float64" and r.reference in ("jax autodiff", "flash")
    )
    assert len(set(report.sizes.values())) == 4
    text = report.table()
    assert "Q_bar" in text and "max rel" in text and "seed 0" in text and "WRONG" not in text
    assert "15 of 15 comparisons" in str(report) and len(str(report).splitlines()) == 2


def test_forward_and_jacobian_pass():
    assert verify(ATTENTION, output="O").ok
    report = verify(sa.jacobian(ATTENTION, of="A", wrt="S"))
    assert report.ok and {r.reference for r in report.rows} == {"jax autodiff", "differences"}


def claim(name, letters, expr):
    return sa.define(name, letters, expr)


RIGHT = {
    "V": claim("dV", (J, B_), A[I, J] * O_BAR[I, B_]),
    "S": claim("dS", (I, J), A[I, J] * (A_BAR[I, J] - ROW)),
    "S by O": claim("dS", (I, J), A[I, J] * (A_BAR[I, J] - sa.total(O[I, B_] * O_BAR[I, B_], B_))),
    "Q": claim("dQ", (I, A_), S_BAR[I, J] * K[J, A_] / sp.sqrt(d_k)),
    "K": claim("dK", (J, A_), S_BAR[I, J] * Q[I, A_] / sp.sqrt(d_k)),
}
WRONG = {
    "V flipped sign": claim("dV", (J, B_), -A[I, J] * O_BAR[I, B_]),
    "V transposed": claim("dV", (B_, J), A[I, J] * O_BAR[I, B_]),
    "V scores for weights": claim("dV", (J, B_), S[I, J] * O_BAR[I, B_]),
    "S flipped sign": claim("dS", (I, J), A[I, J] * (A_BAR[I, J] + ROW)),
    "S missing row sum": claim("dS", (I, J), A[I, J] * A_BAR[I, J]),
    "S row sum over the other axis": claim(
        "dS", (I, J), A[I, J] * (A_BAR[I, J] - sa.total(A[I, J] * A_BAR[I, J], I))
    ),
    "Q missing scale": claim("dQ", (I, A_), S_BAR[I, J] * K[J, A_]),
    "Q flipped sign": claim("dQ", (I, A_), -S_BAR[I, J] * K[J, A_] / sp.sqrt(d_k)),
    "K transposed": claim("dK", (A_, J), S_BAR[I, J] * Q[I, A_] / sp.sqrt(d_k)),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_claim_passes(name):
    tensor = name.split()[0]
    report = verify(gradients(tensor), claims={tensor: RIGHT[name]})
    assert report.ok, str(report)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_claim_is_caught(name):
    tensor = name.split()[0]
    report = verify(gradients(tensor), claims={tensor: WRONG[name]})
    assert not report.ok and ("WRONG" in str(report) or "shape (" in str(report))
    assert report.rows and not any(row.ok for row in report.rows)


def test_a_wrong_claim_spreads_to_what_rests_on_it():
    report = verify(gradients("Q", "V", "S"), claims={"S": WRONG["S missing row sum"]})
    assert {row.name for row in report.rows if not row.ok} == {"S_bar", "Q_bar"}


def test_a_small_error_is_caught():
    slightly = claim("dV", (J, B_), A[I, J] * O_BAR[I, B_] * (1 + sp.Rational(1, 10**9)))
    assert not verify(gradients("V"), claims={"V": slightly}).ok


def test_a_claim_for_an_unknown_name():
    with pytest.raises(DefinitionError, match="no gradient with respect to 'W'"):
        verify(gradients("V"), claims={"W": RIGHT["V"]})


def test_what_cannot_be_verified():
    with pytest.raises(UnsupportedError, match="int cannot be verified") as error:
        verify(3)
    assert "jacobian() or backward()" in str(error.value)


def row(error):
    return Row("x", "jax autodiff", "float64", error, error, 1e-12)


def test_nothing_compared_is_not_well_and_nan_is_not_well():
    assert not Report((), {}, 0).ok
    assert Report((row(0.0),), {}, 0).ok
    assert not Report((row(0.0), row(float("nan"))), {}, 0).ok
    assert not Report((row(np.inf),), {}, 0).ok


N = sa.sizes("n")[0]
P, R = sa.indices("p r", N)
X, G = sa.tensor("x", N), sa.tensor("G", N, N, symmetric=True)
T = sa.tensor("T", positive=True)
SYSTEMS = {
    "temperature": (
        sa.System(
            sa.define("Z", (), sa.total(sp.exp(X[P] / T), P)),
            sa.define("Y", (), -T * sp.log(sp.Symbol("Z"))),
        ),
        ("T", "x"),
    ),
    "symmetric": (sa.System(sa.define("Y", (P,), G[P, R] * X[R] ** 2)), ("G", "x")),
    "mask": (sa.System(sa.define("Y", (P,), sa.iverson(R <= P) * sp.tanh(X[R]) * X[P])), ("x",)),
    "affine": (
        sa.System(sa.define("Y", (P,), sa.tensor("R", 2 * N - 1)[P - R + N - 1] * X[R])),
        ("R", "x"),
    ),
    "loss called L": (sa.System(sa.define("L", (), X[P] ** 3 * X[P])), ("x",)),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_other_systems(name):
    system, wrt = SYSTEMS[name]
    g = sa.backward(system, output=list(system.definitions)[-1], wrt=wrt)
    assert all(d.check_steps().ok for d in g.values())
    report = verify(g)
    assert report.ok, str(report)


def test_the_seed_changes_the_draw_and_is_shown():
    g = sa.backward(SYSTEMS["loss called L"][0], output="L", wrt="x")
    first, again, other = (verify(g, seed=s) for s in (1, 1, 2))
    assert [r.max_abs for r in first.rows] == [r.max_abs for r in again.rows]
    assert [r.max_abs for r in first.rows] != [r.max_abs for r in other.rows]
    assert "seed 2" in str(other)


def test_differences_near_a_singular_matrix():
    """A right Kalman gain passes at draws that come close to a singular S."""
    n, m = sa.sizes("n m")
    i, j = sa.indices("i j", n)
    a, b = sa.indices("a b", m)
    H, P, R = sa.tensor("H", m, n), sa.tensor("P", n, n), sa.tensor("R", m, m)
    S = sa.define("S", (a, b), sa.total(H[a, i] * P[i, j] * H[b, j], i, j) + R[a, b])
    gain = sa.total(P[i, j] * H[b, j] * sa.inverse(S)[b, a], j, b)
    K = sa.define("K", (i, a), gain)
    g = sa.backward(sa.System(S, K), output="K", wrt=("H",))
    assert all(sa.verify(g, seed=seed) for seed in (1, 5))
