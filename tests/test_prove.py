"""Verdicts: what is said, what was used, under which conditions, and where it differs."""

import pytest
import sympy as sp

import symattn as sa
from symattn.prove import prove
from symattn.syntax import for_all

N, M = sa.sizes("n m")
I, J, K, L = sa.indices("i j k l", N)
A_, B_ = sa.indices("a b", M)
X, Y = sa.tensor("x", N), sa.tensor("y", N)
A, B = sa.tensor("A", N, N), sa.tensor("B", N, M)
S, BETA = sa.tensor("s"), sa.tensor("beta", positive=True)
W, U = sa.tensor("W", N, N), sa.tensor("U", N, N)
G, H = (sa.tensor(c, N, N, symmetric=True) for c in "gh")
ROWS = sa.tensor("P", N, M, positive=True)

INVERSE = sa.System(facts=[sp.Eq(W[I, J] * U[J, K], sa.delta(I, K))])
METRIC = sa.System(facts=[sp.Eq(H[I, K] * G[K, J], sa.delta(I, J))])
STOCHASTIC = sa.System(facts=[sp.Eq(sa.total(ROWS[I, A_], A_), 1)])

d = sa.define("D", (I,), 1 / X[I])
e = sa.define("E", (I,), d[I] * X[I])
SYSTEM = sa.System(d, e)


def test_a_proof_says_what_it_used():
    v = prove(e[I], 1, given=SYSTEM)
    assert v and v.status == "proved"
    assert v.used == ("definition of D", "definition of E")
    assert str(v).startswith("proved: E[i] = 1\n  used: definition of D; definition of E")


def test_conditions_come_from_definitions_below_too():
    assert prove(e[I], 1, given=SYSTEM).conditions == ("x[i] ≠ 0",)
    assert "x[i] ≠ 0" in str(prove(e[I], 1, given=SYSTEM))
    assert prove(sp.log(X[I]) * S, S * sp.log(X[I])).conditions == ("x[i] > 0",)
    assert prove(sp.sqrt(S) * 2, 2 * sp.sqrt(S)).conditions == ("s ≥ 0",)
    assert prove(sp.log(BETA), sp.log(BETA)).conditions == ()


def test_a_refutation_shows_sizes_values_and_both_sides():
    v = prove(A[I, J] * X[J], A[J, I] * X[J], seed=3)
    assert not v and v.status == "refuted"
    c = v.counterexample
    n, i = c.sizes["n"], c.entry["i"]
    a, x = c.values["A"], c.values["x"]
    assert c.lhs == sum(a[i][j] * x[j] for j in range(n))
    assert c.rhs == sum(a[j][i] * x[j] for j in range(n)) != c.lhs
    text = str(v)
    assert "at n = " in text and "left " in text and "for i = " in text and "(seed " in text


def test_sides_that_agree_at_some_samples_are_no_multiples_of_each_other():
    v = prove(sp.asin(sp.sin(S)), S)
    assert v.status == "refuted" and not any("right" in hint for hint in v.hints)


def test_a_sum_that_may_be_empty_is_not_taken_for_positive():
    (k,) = sa.indices("k", N - 1)
    weight = sp.exp(sa.tensor("q", N - 1)[k])
    v = prove(sa.total(weight / sa.total(weight, k), k), 1)  # 0 = 1 at n = 1
    assert any("≠ 0" in c for c in v.conditions)
    (k,) = sa.indices("k", 2 * N - 1)
    weight = sp.exp(sa.tensor("q", 2 * N - 1)[k])
    assert prove(sa.total(weight / sa.total(weight, k), k), 1).conditions == ()


def test_the_same_seed_gives_the_same_counterexample():
    assert prove(X[I], Y[I], seed=5).counterexample == prove(X[I], Y[I], seed=5).counterexample


def test_unknown_shows_what_is_left():
    v = prove(sp.log(S**2 * X[I] ** 2), 2 * sp.log(S * X[I]))
    assert v.status == "unknown" and not v and v.counterexample is None
    magnitudes = 2 * sp.log(sp.Abs(S)) + 2 * sp.log(sp.Abs(X[I]))
    assert v.residual == magnitudes - 2 * sp.log(S * X[I])
    assert "left over: " in str(v) and v.conditions == ("s**2*x[i]**2 > 0", "s*x[i] > 0")


row = sa.total(B[I, A_], A_)
HINTS = {
    "left = -1 · right": (A[I, J] * X[J], -A[I, J] * X[J]),
    "left = 3/2 · right": (3 * X[I], 2 * X[I]),
    "left = 1/sqrt(m) · right": (row / sp.sqrt(M), row),
    "left = beta · right": (BETA * X[I], X[I]),
    "left = 1/m · right": (row / M, row),
    "both sides agree with the free indices of the right side exchanged: i → j, j → i": (
        A[I, K] * A[K, J],
        A[J, K] * A[K, I],
    ),
    "both sides agree when beta = 1": (sp.exp(BETA * X[I]), sp.exp(X[I])),
    "both sides agree when m = 1": (sa.total(B[I, A_] ** 2, A_), row**2),
    "both sides agree when x = y": (A[I, J] * X[J] + Y[I], A[I, J] * Y[J] + X[I]),
}


@pytest.mark.parametrize("hint", HINTS)
def test_hints(hint):
    v = prove(*HINTS[hint])
    assert v.status == "refuted" and hint in v.hints and hint in str(v)


FACTS = {
    "W U x = x": (W[I, J] * U[J, K] * X[K], X[I], INVERSE),
    "tr(W U) = n": (W[I, J] * U[J, I], N, INVERSE),
    "W U in a longer chain": (A[I, J] * W[J, K] * U[K, L] * X[L], A[I, J] * X[J], INVERSE),
    "index raised and lowered": (G[I, J] * H[J, K] * X[K], X[I], METRIC),
    "trace of the metric": (G[I, J] * H[I, J], N, METRIC),
    "weighted rows": (sa.total(ROWS[I, A_] * X[I], I, A_), sa.total(X[I], I), STOCHASTIC),
    "rows in an exponent": (
        sp.exp(S * sa.total(ROWS[I, A_], A_)) * X[I] * Y[I],
        sp.exp(S) * X[I] * Y[I],
        STOCHASTIC,
    ),
}
NOT_FROM_FACTS = {
    "transposed inverse": (W[I, J] * U[K, J] * X[K], X[I], INVERSE),
    "a metric squared": (G[I, J] * G[J, K] * X[K], X[I], METRIC),
    "trace is not one": (G[I, J] * H[I, J], 1, METRIC),
    "columns": (sa.total(ROWS[I, A_], I), 1, STOCHASTIC),
    "squares of a row": (sa.total(ROWS[I, A_] ** 2, A_), 1, STOCHASTIC),
    "weights in the row": (
        sa.total(ROWS[I, A_] * B[I, A_], A_),
        sa.total(B[I, A_], A_),
        STOCHASTIC,
    ),
}


@pytest.mark.parametrize("name", FACTS)
def test_facts_prove(name):
    left, right, given = FACTS[name]
    v = prove(left, right, given=given)
    assert v.status == "proved" and any(u.startswith("fact ") for u in v.used), str(v)
    assert prove(left, right).status != "proved"


@pytest.mark.parametrize("name", NOT_FROM_FACTS)
def test_facts_hold_in_a_counterexample(name):
    left, right, given = NOT_FROM_FACTS[name]
    v = prove(left, right, given=given)
    assert v.status == "refuted", str(v)


@pytest.mark.parametrize(
    "fact",
    [
        sp.Eq(S * sa.total(X[I], I), S),  # says nothing where s = 0
        sp.Eq(X[I] * Y[I] + S, S),
        sp.Eq(S * BETA, 0),
        sp.Eq(S**2 * BETA, BETA + S),
    ],
)
def test_a_fact_that_determines_nothing_makes_no_rule(fact):
    """It proves nothing, values satisfy it, and what stays open says that it was not used."""
    v = prove(sa.total(X[I], I), 1, given=sa.System(facts=[fact]))
    assert v.status != "proved"
    open_ = prove(fact.lhs, fact.rhs, given=sa.System(facts=[fact]), over=())
    assert open_.status != "refuted"
    if open_.status == "unknown":
        assert str(fact.lhs) in open_.limit and "total(…, j) = value" in open_.limit


def test_a_factor_that_is_positive_may_be_divided_out_of_a_fact():
    given = sa.System(facts=[sp.Eq(BETA * sa.total(X[I], I), BETA**2)])
    assert prove(sa.total(X[I], I), BETA, given=given).status == "proved"


SINGULAR = {
    "division by what is zero": (S / sa.total(X[I] - X[I] + 0 * Y[I], I), 1),
    "division by a mask": (X[J] / sa.iverson(I <= J), X[J]),
    "division by x_i − x_j at i = j": (sa.delta(I, J) / (X[I] - X[J]), 0),
    "root of a negative number": (sp.sqrt(-BETA) * S, S),
}


@pytest.mark.parametrize("name", SINGULAR)
def test_what_is_undefined_is_never_proved(name):
    left, right = SINGULAR[name]
    try:
        verdict = prove(left, right)
    except sa.SymattnError as error:
        assert error.problem
    else:
        assert verdict.status != "proved"


def test_equal_sizes_are_not_assumed():
    (c,) = sa.indices("c", M)
    v = prove(sa.total(B[I, A_] * B[I, c], I) * sa.delta(A_, c), sa.total(B[I, A_], I) ** 2)
    assert v.status == "refuted"
    assert prove(N, M).status == "refuted" and prove(N / N, M / M).status == "proved"


@pytest.mark.parametrize("kind", [{}, {"antisymmetric": True}, {"symmetric": True}])
def test_a_fully_symmetric_contraction_ends_at_a_limit(kind):
    """Eight like tensors of rank 7, each sharing one index with every other."""
    t = sa.tensor("T", *[N] * 7, **kind)
    letters = sa.indices(" ".join(f"e{k}" for k in range(28)), N)
    pairs = {}
    for k, pair in enumerate((p, q) for q in range(8) for p in range(q)):
        pairs[pair] = pairs[pair[::-1]] = letters[k]
    product = sp.prod(t[tuple(pairs[p, q] for q in range(8) if q != p)] for p in range(8))
    contraction = sa.total(product, *letters)
    v = prove(contraction, 2 * contraction)
    if "antisymmetric" not in kind:  # one entry is T⁸
        assert v.status == "refuted" and v.counterexample.sizes == {str(N): 1}
        return
    assert v.status == "unknown" and "more than" in v.limit and v.limit in str(v)


def test_a_sum_that_is_too_large_to_evaluate_is_said_to_be():
    letters = sa.indices(" ".join(f"e{k}" for k in range(24)), N)
    blocks = [sa.tensor(c, *[N] * 6)[letters[6 * k : 6 * k + 6]] for k, c in enumerate("PQRT")]
    large = sa.total(sp.exp(sp.Mul(*blocks)), *letters)
    v = prove(large, large / N)  # the same for n = 1
    assert v.status == "unknown" and "an array over 24 indices would have" in v.limit


def test_letters_that_are_said_to_be_free_are_not_summed():
    (n,) = sa.sizes("n")
    i, j = sa.indices("i j", n)
    x, y, p = sa.tensor("x", n), sa.tensor("y", n), sa.tensor("P", n, n)
    left, right = (x[i] * y[i] - x[i]) * p[i, j], x[i] * (y[i] - 1) * p[i, j]
    with pytest.raises(sa.FormulaError, match="the index i is summed inside a bracket"):
        sa.prove(left, right)
    verdict = sa.prove(left, right, over=[i, j])
    assert verdict.status == "proved" and verdict.over == ("i", "j")
    assert sa.prove(left, 2 * right, over=[i, j]).status == "refuted"


T_, P_ = sa.tensor("t"), sa.tensor("p", N)
SHORT, (E_,) = sa.tensor("w", N - 1), sa.indices("e", N - 1)
LOG, ROOT, TOTAL = sp.log, sp.sqrt, sa.total
SAID = {
    "a root": (sp.Abs(S) * ROOT(S) + T_, S * ROOT(S) + T_),  # by both sides
    "an odd power": (LOG(S**3), 3 * LOG(S)),
    "a component": (LOG(P_[I] ** 3) * X[J], 3 * LOG(P_[I]) * X[J]),
    "all of an axis": (TOTAL(LOG(P_[I] ** 3), I), 3 * TOTAL(LOG(P_[I]), I)),
    "beside a magnitude": (sp.Abs(S) + LOG(S), S + LOG(S**3) / 3),
    "a root and a logarithm": (ROOT(S) + sp.sign(S) + LOG(S), ROOT(S) + 1 + LOG(S)),
}
SAID_BY_ONE = {
    "the density of a normal": (LOG(1 / ROOT(2 * sp.pi * S**2)), -LOG(2 * sp.pi) / 2 - LOG(S)),
    "a component": (LOG(P_[I] ** 2) * X[J], 2 * LOG(P_[I]) * X[J]),
    "all of an axis": (TOTAL(LOG(P_[I] ** 2), I), 2 * TOTAL(LOG(P_[I]), I)),
    "on the other side": (sp.Abs(S) + X[I], S + X[I] + LOG(S) - LOG(S**3) / 3),
    "below 0": (LOG(S**2), 2 * LOG(-S)),
    "of a root": (ROOT(sp.Abs(S)), ROOT(S)),
    "of a root below": (T_ / ROOT(S) * sp.sign(S), T_ / ROOT(S)),
}
NO_SIGNS = {
    "another component": (sp.Abs(P_[J]) * LOG(P_[I]), P_[J] * LOG(P_[I])),
    "a sum with a mask": (
        TOTAL(sa.iverson(J < I) * LOG(P_[J]), J) + sp.Abs(P_[I]),
        TOTAL(sa.iverson(J < I) * LOG(P_[J]), J) + P_[I],
    ),
    "a root on one side may be 0": (
        (sp.sign(S) - 1) * T_ / ROOT(S) + ROOT(S) * X[I],
        ROOT(S) * X[I],
    ),
    "nothing may be summed": (
        TOTAL(sp.exp(SHORT[E_] * LOG(P_[I])), E_) + sp.sign(P_[I]),
        TOTAL(sp.exp(SHORT[E_] * LOG(P_[I])), E_) + 1,
    ),
    "a root may be 0": (ROOT(S) + sp.sign(S), ROOT(S) + 1),
    "a product": (sp.Abs(S) * LOG(S * T_), S * LOG(S * T_)),
    "an even power": (sp.Abs(S) * LOG(S**2), S * LOG(S**2)),
    "a row": (sp.Abs(A[J, K]) * TOTAL(LOG(A[I, L]), L), A[J, K] * TOTAL(LOG(A[I, L]), L)),
    "the diagonal": (sp.Abs(A[J, K]) * TOTAL(LOG(A[L, L]), L), A[J, K] * TOTAL(LOG(A[L, L]), L)),
    "nowhere": (LOG(S) + LOG(-S) + sp.Abs(S), LOG(S) + LOG(-S) + S),
}


@pytest.mark.parametrize("name", SAID)
def test_what_logarithms_and_roots_say_of_signs(name):
    v = prove(*SAID[name])
    assert v.status == "proved" and "signs that logarithms and roots say" in v.used, v
    assert v.conditions


@pytest.mark.parametrize("name", SAID_BY_ONE)
def test_what_one_side_alone_says_is_a_condition(name):
    v = prove(*SAID_BY_ONE[name])
    assert v.status == "unknown" and v.limit.startswith("true where "), v


@pytest.mark.parametrize("name", NO_SIGNS)
def test_what_they_do_not_say(name):
    assert prove(*NO_SIGNS[name]).status != "proved"


def test_a_row_of_logarithms_says_the_signs_of_that_row():
    row = TOTAL(A[I, L] * LOG(A[I, L]), L)
    v = prove(row * sp.Abs(A[I, K]), row * A[I, K])
    assert v.status == "proved" and "signs that logarithms and roots say" in v.used


def test_signs_are_known_through_definitions():
    s = sa.define("V", (), LOG(S) + T_)
    assert prove(s.tensor + sp.Abs(S), sp.log(S) + T_ + S, given=sa.System(s)).status == "proved"


def test_a_letter_of_a_sum_belongs_to_its_side():
    (l,), (other,) = sa.indices("l", N), sa.indices("l", M)
    left, right = sa.total(X[l], l) * M, sa.total(sa.total(X[I], I), other)
    assert prove(left, right).status == "proved"
    with pytest.raises(sa.FormulaError, match="two sizes"):
        prove(X[l], ROWS[I, other])


def test_a_fact_for_all_letters_sums_none_of_them():
    unit = sa.total(ROWS[I, A_] ** 2, A_)
    every, whole = (
        sa.System(facts=[f]) for f in (for_all(unit, 1, [I]), sp.Eq(unit, 1, evaluate=False))
    )
    assert prove(sa.total(unit, I), N, given=every).status == "proved"
    assert prove(sa.total(unit, I), 1, given=every).status == "refuted"
    assert prove(sa.total(unit, I), 1, given=whole).status == "proved"  # by the rule i is summed
    assert "fact" in str(prove(sa.total(unit, I), N, given=every).used)


def test_the_derivative_of_an_input_by_a_definition_is_open_inside_of_definitions():
    """x is a number of u = x², and no loss: E = u ∂x/∂u is not known."""
    x = sa.tensor("x")
    u = sa.define("u", (), x**2)
    e = sa.define("E", (), u * sa.partial(x, u))
    for left in (e, sa.partial(e, x)):
        verdict = sa.prove(left, 1, given=sa.System(u, e))
        assert verdict.status == "unknown"
        assert "∂x/∂u is not known" in verdict.limit


def test_sides_that_agree_by_chance_at_a_few_samples_give_no_hint():
    wrong = sa.prove(r"\frac{Q}{k r^2}", r"\frac{Q}{k s^2}")  # r is often ±1 where it is drawn
    assert wrong.status == "refuted" and not any("agree" in hint for hint in wrong.hints)
    right = sa.prove(r"k a^2 r", r"k a r")
    assert any("when a = 1" in hint for hint in right.hints)
