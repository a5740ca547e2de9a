"""What is so in every case, and what fails in one: statements beside their near misses."""

import pytest
import sympy as sp

import symattn as sa
from symattn.primitives import hard_tanh, log_sigmoid, mish, relu, relu6, silu, softplus, step

n, m = sa.sizes("n m")
i, j = sa.indices("i j", n)
(a,) = sa.indices("a", m)
x, y, A = (sa.tensor(s, n) for s in "xyA")
p = sa.tensor("p", n, positive=True)
X, c = sa.tensor("X", n, m), sa.tensor("c", m)
t, v, w = (sa.tensor(s) for s in "tvw")
margin = 1 - y[i] * sa.total(X[i, a] * c[a], a)
r = sa.tensor("r", positive=True)
Max, Min, E = sp.Max, sp.Min, sp.exp
at_w = sa.iverson(sp.Eq(x[i], w))


def summed(inside):
    """Σ_i [x_i = w] exp(y_i Σ_j exp(A_j …)), whose scopes share no letter."""
    return sa.total(at_w * E(y[i] * sa.total(E(A[j] * inside), j)), i)


SO = {
    "a minimum inside": (Min(-3, t, -Min(-t, -w)), Min(-3, t)),
    "median": (t + v + w - Max(t, v, w) - Min(t, v, w), Max(Min(t, v), Min(w, Max(t, v)))),
    "five in another order": (
        Max(t, v, w, x[i], y[i]),
        Max(x[i], Max(y[i], w) + relu(Max(t, v) - Max(y[i], w))),
    ),
    "what is above two others": (Max(t, v) * step(Max(t, v) - Min(t, v)), Max(t, v)),
    "sign of a product": (sp.sign(abs(w)), sp.sign(w**2 * abs(w))),
    "a square that is 0": (sp.Piecewise((x[i] ** 2, x[i] ** 2 > 0), (0, True)), x[i] ** 2),
    "root of a square": (sp.sqrt((x[i] - y[i]) ** 2), Max(x[i], y[i]) - Min(x[i], y[i])),
    "sizes are at least 1": (Max(sp.cos(p[i]), Min(p[i], n * p[i])), Max(sp.cos(p[i]), p[i])),
    "signs of numbers": (Max(log_sigmoid(1), sp.sign(r) - 2), log_sigmoid(1)),
    "under a sum": (
        sa.total(Max(x[i], y[i], 0), i),
        sa.total(relu(x[i]) + relu(y[i] - relu(x[i])), i),
    ),
    "in smooth functions": (
        mish(Max(t, w)) + mish(Min(t, w)) + silu(relu(t)) - hard_tanh(t),
        mish(t) + mish(w) + silu(t) * step(t) - Max(-1, Min(1, t)),
    ),
    "letters of scopes": (summed(w), summed(x[i])),
    "squares of what is below a bar": (
        sa.total(step(x[i] + t / y[i] ** 3), i),
        sa.total(step(x[i] * y[i] ** 4 + t * y[i]), i),
    ),
    "what is left of a margin": (
        sa.total(x[i] * Max(0, margin) * sp.Heaviside(margin), i),
        sa.total(x[i] * Max(0, margin), i),
    ),
    "signs of two factors": (
        sa.total(Max(0, x[i] * y[i]), i),
        sa.total(relu(x[i]) * relu(y[i]) + relu(-x[i]) * relu(-y[i]), i),
    ),
    "half an angle": (sp.cos(w), 1 - 2 * sp.sin(w / 2) ** 2),
}
NOT_SO = {
    "what is below a bar, once": (
        sa.total(step(x[i] + t / y[i] ** 3), i),
        sa.total(step(x[i] * y[i] ** 3 + t), i),
    ),
    "a minimum inside": (Min(-3, t, -Max(-t, -w)), Min(-3, t)),
    "beyond 6": (relu6(x[i]), relu(x[i])),
    "median": (t + v + w - Max(t, v, w) - Min(t, v, w), Max(Min(t, v), Min(w, Min(t, v)))),
    "at the kink": (Max(t, v) * (1 - step(Min(t, v) - Max(t, v))), Max(t, v)),
    "sign of a product": (sp.sign(abs(w)), sp.sign(w * abs(w))),
    "a square that is not 0": (sp.Piecewise((1, x[i] ** 2 > 0), (0, True)), 1),
    "sizes are at least 1": (Max(sp.cos(p[i]), Max(p[i], n * p[i])), Max(sp.cos(p[i]), p[i])),
    "signs of numbers": (Max(log_sigmoid(1), sp.sign(r) - 1), log_sigmoid(1)),
    "under a sum": (
        sa.total(Max(x[i], y[i], 0), i),
        sa.total(relu(x[i]) + relu(y[i] - x[i]), i),
    ),
    "letters of scopes": (summed(w), summed(x[j])),
    "what is left of another margin": (
        sa.total(x[i] * Max(0, margin) * sp.Heaviside(margin - 1), i),
        sa.total(x[i] * Max(0, margin), i),
    ),
    "signs of two factors": (
        sa.total(Max(0, x[i] * y[i]), i),
        sa.total(relu(x[i]) * relu(y[i]) + relu(-x[i]) * relu(y[i]), i),
    ),
    "a third of an angle": (sp.cos(w), 1 - 2 * sp.sin(w / 3) ** 2),
}


def verdict(sides):
    left, right = (sp.sympify(s) for s in sides)
    if not left.free_symbols & {i}:
        return sa.prove(left, right)
    both = (sa.define(name, i, side) for name, side in (("left", left), ("right", right)))
    return sa.prove(*both)


@pytest.mark.parametrize("name", SO)
def test_is_proved(name):
    assert verdict(SO[name]), name


@pytest.mark.parametrize("name", NOT_SO)
def test_is_refuted(name):
    assert verdict(NOT_SO[name]).status == "refuted", name


def test_many_cases_end():
    """A maximum of minima of many things is decided or left open in its budget."""
    parts = [Min(softplus(t) * k, Max(w * k, v + k), r - k * t) for k in range(1, 4)]
    assert sa.prove(Max(*parts), Max(*parts[::-1]) + relu(-r)).status != "refuted"
    assert sa.prove(Max(*parts), Max(*parts) + relu(r)).status != "proved"


def test_facts_are_met_to_rounding_and_jumps_are_not_asked_there():
    """step(Σ x² − 1) is 1 where Σ x² = 1, whatever float64 makes of it."""
    unit = sp.Eq(sa.total(x[j] ** 2, j), 1)
    jump = step(w * sa.total(x[i] ** 2, i) - w)
    assert sa.prove(jump, 1, facts=[unit])
    assert sa.prove(jump, 0, facts=[unit]).status == "refuted"


def test_many_cases_inside_one_another_end():
    """A kink inside of a kink under a sum: the cases are counted before they are written out."""
    (n,) = sa.sizes("n")
    i, k = sa.indices("i k", n)
    w, p, a, b = sa.tensor("w", n), sa.tensor("p", n), sa.tensor("a"), sa.tensor("b")
    larger = sp.Max(a, b) - relu((a**2 - b**2) / (a + b))
    left, right = (
        sa.total(sp.Min(x * sa.iverson(w[i] > p[i]), sa.maximum(p[k], k)), i) for x in (b, larger)
    )
    assert sa.prove(left, right).status != "refuted"


def test_a_step_of_what_has_no_value_has_none():
    a, b = sa.tensor("a"), sa.tensor("b")
    left, right = step(a**b), step(a * a ** ((b**2 - 1) / (b + 1)))
    assert sa.prove(left, right).status != "refuted"


def test_a_value_by_cases_may_be_compared():
    """SymPy writes [(x, t > 0 or y) > 1] with ITE."""
    inner = sp.Piecewise((x[i], t > 0), (y[i], True))
    left = sp.Piecewise((v, inner > 1), (w, True))
    by_x, by_y = (sp.Piecewise((v, z[i] > 1), (w, True)) for z in (x, y))
    for first, second, expected in ((by_x, by_y, "proved"), (by_y, by_x, "refuted")):
        right = sp.Piecewise((first, t > 0), (second, True))
        assert sa.prove(left, right).status == expected


def test_a_kink_at_an_entry_that_is_zero_brings_no_letter():
    """Max(F_ii, w) of an antisymmetric F bends at w = 0, whatever i is."""
    n = sa.sizes("n")[0]
    i, l = sa.indices("i l", n)
    F, w = sa.tensor("F", n, n, antisymmetric=True), sa.tensor("w")
    system = sa.System(sa.define("y", (i, l), sp.Max(F[i, i], w)))
    shown = sa.backward(system, output="y", wrt=("w",))["w"].latex()
    assert "F" not in shown
    assert r"\mathbf{1}[w" in shown
