"""Functions with kinks and functions of several arguments: what is equal, what is not, slopes."""

import jax
import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn import primitives as f
from symattn.errors import FormulaError, UnsupportedError
from symattn.primitives import step

N, M = sa.sizes("n m")
(I, J), (K,) = sa.indices("i j", N), sa.indices("k", M)
X, Y, A = sa.tensor("x", N), sa.tensor("y", N), sa.tensor("a")
C, T = sa.tensor("c", positive=True), sa.tensor("t", N, M)
x, y = X[I], Y[I]
above, below = 1 - step(-x), 1 - step(x)

EQUAL = {
    "relu by max": (f.relu(x), sp.Max(0, x)),
    "relu by [x ≥ 0]": (f.relu(x), x * step(x)),
    "relu by [x > 0]": (f.relu(x), x * above),
    "x in two halves": (f.relu(x) - f.relu(-x), x),
    "|x| in two halves": (sp.Abs(x), f.relu(x) + f.relu(-x)),
    "|x| by sign": (sp.Abs(x), x * sp.sign(x)),
    "|x - y| by a root": (sp.Abs(x - y), sp.sqrt(x**2 - 2 * x * y + y**2)),
    "larger one by |x - y|": (sp.Max(x, y), (x + y + sp.Abs(x - y)) / 2),
    "x sign² x": (x * sp.sign(x) ** 2, x),
    "leaky relu by cases": (f.leaky_relu(x, A), x * above + A * x * step(-x)),
    "elu by cases": (f.elu(x, A), x * above + A * (sp.exp(x) - 1) * step(-x)),
    "elu by other cases": (f.elu(x, A), x * step(x) + A * (sp.exp(x) - 1) * below),
    "elu by a piecewise": (f.elu(x, 1), sp.Piecewise((x, x > 0), (sp.exp(x) - 1, True))),
    "sign by steps": (sp.sign(x), step(x) - step(-x)),
    "step of a multiple": (step(2 * C * x), step(x)),
    "step of a step": (step(x) ** 2, step(x)),
    "clip is hard tanh": (f.clip(x, -1, 1), f.hard_tanh(x)),
    "hard tanh by relu": (f.hard_tanh(x), f.relu(x + 1) - f.relu(x - 1) - 1),
    "relu6 by relu": (f.relu6(x), f.relu(x) - f.relu(x - 6)),
    "hard swish": (f.hard_swish(x), x * f.relu6(x + 3) / 6),
    "both signs": (f.relu(x) * f.relu(-x), 0 * x),
    "at most one": (step(x) + step(-x), 1 + step(x) * step(-x)),
    "a sum of them": (sa.total(sp.Abs(X[J]), J), sa.total(f.relu(X[J]) + f.relu(-X[J]), J)),
    "inside an exponential": (sp.exp(f.relu(x)), sp.exp(x) * step(x) + below),
    "inside a square root": (sp.sqrt(1 + f.relu(x) ** 2), sp.sqrt(1 + x**2 * step(x))),
    "silu": (f.silu(x), x / (1 + sp.exp(-x))),
    "gelu is half odd": (f.gelu(x) + f.gelu(-x), x * sp.erf(x / sp.sqrt(2))),
    "logit undoes σ": (f.logit(f.sigmoid(x)), x),
    "log σ": (f.log_sigmoid(x), -f.softplus(-x)),
    "logaddexp": (f.logaddexp(x, y), sp.log(sp.exp(x) + sp.exp(y))),
    "logaddexp of 0": (f.logaddexp(x, 0), f.softplus(x)),
    "log1p of expm1": (f.log1p(f.expm1(x)), x),
    "erfc": (sp.erfc(x) + sp.erfc(-x), sp.Integer(2)),
    "xlogy": (f.xlogy(C, C), C * sp.log(C)),
    "a piecewise of three": (
        sp.Piecewise((-1, x < -1), (1, x > 1), (x, True)),
        f.hard_tanh(x),
    ),
    "and, or, not": (
        sa.iverson(sp.Or(x > 1, x < -1)),
        1 - sa.iverson(sp.And(x >= -1, sp.Not(x > 1))),
    ),
}
DIFFERENT = {
    "[x ≥ 0] and [x > 0]": (step(x), above),
    "sign by one step": (sp.sign(x), 2 * step(x) - 1),
    "steps add up to 1": (step(x) + step(-x), sp.Integer(1) + 0 * x),
    "relu with another kink": (f.relu(x), x * step(x - 1)),
    "leaky relu with a kink too few": (f.leaky_relu(x, A), f.relu(x) + A * x),
    "elu without its kink": (f.elu(x, A), f.relu(x) + A * (sp.exp(x) - 1)),
    "hard tanh shifted": (f.hard_tanh(x), f.relu(x + 1) - f.relu(x - 1)),
    "sign of a product": (step(x * y), step(x) * step(y)),
    "step at a shifted place": (step(x - C), step(x)),
    "|x| without bars": (sp.Abs(x), x),
    "|x + y|": (sp.Abs(x + y), sp.Abs(x) + sp.Abs(y)),
    "sign² is not 1": (sp.sign(x) ** 2, sp.Integer(1) + 0 * x),
    "an end of a range": (sa.iverson(x <= 1), sa.iverson(x < 1)),
    "a case of a piecewise": (
        sp.Piecewise((0, x < 0), (1, True)),
        sp.Piecewise((0, x <= 0), (1, True)),
    ),
    "the smaller one": (sp.Max(x, y), (x + y - sp.Abs(x - y)) / 2),
    "silu": (f.silu(x), x / (1 + sp.exp(x))),
    "gelu and its approximation": (f.gelu(x), f.gelu_tanh(x)),
}


@pytest.mark.parametrize("name", EQUAL)
def test_what_is_equal_is_proved_in_both_directions(name):
    left, right = EQUAL[name]
    assert sa.prove(left, right).status == "proved"
    assert sa.prove(right, left).status == "proved"


@pytest.mark.parametrize("name", DIFFERENT)
def test_near_misses_are_refuted(name):
    verdict = sa.prove(*DIFFERENT[name])
    assert verdict.status == "refuted", verdict


@pytest.mark.parametrize("name", ["[x ≥ 0] and [x > 0]", "an end of a range"])
def test_the_counterexample_lies_at_the_kink(name):
    found = sa.prove(*DIFFERENT[name]).counterexample
    assert found.values["x"][found.entry["i"]] == (0 if "0" in name else 1)


def test_where_the_derivative_is_a_convention_nothing_is_refuted():
    system = sa.System(sa.define("r", (I,), f.relu(x)))
    d = sa.jacobian(system, of="r", wrt="x")
    own = sa.delta(*sorted(d.expr.atoms(sp.Idx), key=str))
    assert sa.prove(d, own * above).status == "proved"
    assert sa.prove(d, own * step(x)).status == "unknown"
    assert sa.prove(d, own * below).status == "refuted"


AT_KINKS = [  # JAX's function of that name, and where its kinks are
    (f.relu, jax.nn.relu, (0.0,)),
    (f.relu6, jax.nn.relu6, (0.0, 6.0)),
    (lambda v: f.leaky_relu(v, sp.Rational(1, 5)), lambda v: jax.nn.leaky_relu(v, 0.2), (0.0,)),
    (lambda v: f.elu(v, sp.Rational(1, 4)), lambda v: jax.nn.elu(v, 0.25), (0.0,)),
    (f.selu, jax.nn.selu, (0.0,)),
    (f.hard_sigmoid, jax.nn.hard_sigmoid, (-3.0, 3.0)),
    (f.hard_tanh, jax.nn.hard_tanh, (-1.0, 1.0)),
    (f.hard_swish, jax.nn.hard_silu, (-3.0, 3.0)),
    (f.softsign, jax.nn.soft_sign, (0.0,)),
    (sp.sign, jax.numpy.sign, (0.0,)),
]


@pytest.mark.parametrize("ours, theirs, places", AT_KINKS)
def test_the_derivative_at_a_kink_is_that_of_jax(ours, theirs, places):
    (j,) = sa.indices("j", 7)
    v = sa.tensor("v", 7)
    L = sa.System(sa.define("L", (), sa.total(v[j] ** 2 / 2 + ours(v[j]), j)))
    g = sa.compile(sa.backward(L, output="L", wrt=("v",)))
    at = np.array([-4.5, *places, 0.25, 7.0, -0.5, 2.5, -2.0, 1.5])[:7]
    with jax.enable_x64(True):
        wanted = [p + float(jax.jit(jax.grad(theirs))(p)) for p in at]
        got = np.asarray(g(v=at, L_bar=1.0)["v"])
    np.testing.assert_allclose(got, wanted, rtol=1e-12)


def test_the_hyperbolic_cotangent_is_finite_far_out_and_is_cosh_over_sinh():
    y = sp.Symbol("y", real=True)
    forward = sa.compile(sa.System(sa.define("c", (), sp.coth(y))), output="c")
    assert [float(forward(y=float(at))) for at in (400, -400)] == [1.0, -1.0]
    assert sa.prove(sp.coth(y), sp.cosh(y) / sp.sinh(y)).status == "proved"
    assert sa.prove(sp.coth(y), sp.sinh(y) / sp.cosh(y)).status == "refuted"
    assert "where sinh(y) ≠ 0" in str(sa.prove(sp.coth(y) * sp.tanh(y), 1))
    assert sa.prove(sp.asinh(y), sp.log(y + sp.sqrt(y**2 + 1))).status == "proved"
    assert sa.prove(sp.asinh(y), sp.log(y + sp.sqrt(y**2 - 1))).status != "proved"


U, V = sp.symbols("u v", real=True)
P = sp.Symbol("p", positive=True)


@pytest.mark.parametrize(
    ("left", "right", "status"),
    [
        (sp.acosh(P + 1), sp.log(P + 1 + sp.sqrt(P**2 + 2 * P)), "proved"),
        (sp.cosh(sp.acosh(P + 1)), P + 1, "proved"),
        (f.acosh(sp.cosh(U)), U, "refuted"),  # it is |x|
        (f.cbrt(U) ** 3, U, "proved"),
        (f.cbrt(-U), -f.cbrt(U), "proved"),
        (f.cbrt(U), sp.Abs(f.cbrt(U)), "refuted"),
        (f.hypot(U, V) ** 2, U**2 + V**2, "proved"),
        (f.hypot(U, 0), sp.Abs(U), "proved"),
        (f.hypot(U, 0), U, "refuted"),
        (sp.atan2(V, U), sp.atan(V / U), "refuted"),  # half the plane is elsewhere
        (sp.Heaviside(U) + sp.Heaviside(-U), 1, "proved"),  # at 0 too, where it is 1/2
        (sp.Heaviside(U, 0), f.step(U), "refuted"),
        (sp.asec(U), sp.acos(1 / U), "proved"),
        (sp.acsch(U), sp.asinh(1 / U), "proved"),
        (sp.acsch(U), sp.asinh(U), "refuted"),
    ],
    ids=str,
)
def test_functions_that_others_give(left, right, status):
    assert sa.prove(left, right).status == status


@pytest.mark.parametrize(
    ("value", "line"),
    [
        (r"\operatorname{Si}(x_i)", r"\bar z_i \mathrm{Si}'(x_i)"),
        (r"\psi_1(x_i)", r"\bar z_i \psi_1'(x_i)"),
        (r"g(y_i, x_i)", r"\bar z_i \partial_2 g(y_i, x_i)"),
        (r"f(x_i)", r"\bar z_i f'(x_i)"),
    ],
)
def test_functions_that_nothing_defines_are_printed_as_people_write_them(value, line):
    d = sa.backward(sa.read(rf"z_i = {value}"), output="z", wrt=("x",))["x"]
    assert d.equation() == rf"\bar x_i = {line}"


FAR = [n for n in f.names() if n not in ("exp", "log", "sinh", "cosh", "tan", "asin", "acos")]
FAR = [n for n in FAR if n not in ("expm1", "log1p", "logit", "lgamma", "digamma", "polygamma")]
FAR = [n for n in FAR if n not in ("xlogy", "sinc", "Gamma", "atanh", "acosh", "erfinv", "Ei")]
FAR.remove("log_ndtr")  # 1 + erf(−70) has no digits in 30 either: tests/compile/test_tails.py


@pytest.mark.parametrize("name", FAR)
def test_values_and_slopes_far_out_are_finite_in_float32(name):
    record = f.by_name(name)
    (j,) = sa.indices("j", 8)
    v = sa.tensor("v", 8)
    arguments = [v[j], sp.Rational(1, 3), sp.Rational(1, 2)][: record.arity]
    value = record.function(*arguments)
    at = np.array([-100, -88.5, -17, -0.25, 0.75, 17, 88.5, 100], np.float32)
    forward = sa.compile(sa.System(sa.define("y", (j,), value)), output="y")
    system = sa.System(sa.define("L", (), sa.total(v[j] ** 2 / 2 + value, j)))
    slope = sa.compile(sa.backward(system, output="L", wrt=("v",)))
    exact = f.plain(record.function(f.X, *arguments[1:]))
    derived = f.plain(sp.sympify(f.derivative(name))).xreplace(
        dict(zip(f.VARIABLES[1:], arguments[1:], strict=False))
    )
    for got, formula in (
        (forward(v=at), exact),
        (slope(v=at, L_bar=np.float32(1))["v"], f.X + derived),
    ):
        wanted = [float(formula.xreplace({f.X: sp.Rational(float(p))}).evalf(30)) for p in at]
        np.testing.assert_allclose(np.asarray(got), wanted, rtol=2e-5, atol=1e-6)


def test_an_argument_without_a_derivative_says_so():
    system = sa.System(sa.define("p", (I,), sp.polygamma(y, x)))
    with pytest.raises(UnsupportedError, match="polygamma has no derivative by argument 1"):
        sa.jacobian(system, of="p", wrt="y")


def test_conditions_of_indices_stay_masks_and_those_of_values_are_steps():
    masked = sa.define("s", (I,), sa.total(sa.iverson(J <= I) * X[J], J))
    gated = sa.define("s", (I,), sa.total(sa.iverson(X[J] <= x) * X[J], J))
    values = np.array([0.5, -1.0, 2.0])
    for d, wanted in ((masked, [0.5, -0.5, 1.5]), (gated, [-0.5, -1.0, 1.5])):
        got = sa.compile(sa.System(d), output="s")(x=values)
        np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-6)
    with pytest.raises(FormulaError, match="not a comparison"):
        sa.iverson(x + 1)


PRINTED = [
    (f.relu, r"\bar y^{i} \mathbf{1}[x^{i} > 0]"),
    (lambda v: step(v) * v, r"\bar y^{i} \mathbf{1}[x^{i} \ge 0]"),
    (lambda v: f.relu(v - y), r"\bar y^{i} \mathbf{1}[x^{i} > y^{i}]"),
    (lambda v: f.relu(1 - v), r"-\bar y^{i} \mathbf{1}[x^{i} < 1]"),
    (lambda v: f.hard_tanh(v), r"\bar y^{i} \mathbf{1}[x^{i} \le 1] \mathbf{1}[x^{i} \ge -1]"),
]


@pytest.mark.parametrize("function, wanted", PRINTED)
def test_steps_print_as_indicators_that_are_read_back(function, wanted):
    system = sa.System(sa.define("w", (I,), function(x)))
    d = sa.backward(system, output="w", wrt=("x",))["x"]
    shown = d.latex(steps=False)
    assert shown == r"\bar x^{i} = " + wanted.replace(r"\bar y", r"\bar w")
    right = shown.split("=", 1)[1].replace(r"\bar w", "u")
    text = f"<!-- symattn: sizes x:(n) y:(n) u:(n) -->\n$$ D^i = {right} $$"
    expr = d.expr.xreplace(
        {b: sa.tensor("u", N) for b in d.expr.atoms(sp.IndexedBase) if str(b.label) == "w_bar"}
    )
    assert sa.prove(sa.read(text)["D"].expr, expr).status == "proved"
