"""Christoffel symbols: textbook values, laws of the connection, compiled functions, errors."""

import os
import re
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import symattn as sa
from symattn.errors import SymattnError
from symattn.geometry import (
    Metric,
    by_autodiff,
    canonical,
    christoffel,
    formula,
    levi_civita_derivation,
    transformation_law,
)
from symattn.geometry.abstract import written
from symattn.prove import prove

theta, phi, R = sp.symbols("theta phi R")
x, y, z, t, r, r_s, k = sp.symbols("x y z t r r_s k")
sin, cos = sp.sin(theta), sp.cos(theta)

SPHERE = Metric((theta, phi), sp.diag(R**2, R**2 * sin**2))
HALF_PLANE = Metric((x, y), sp.eye(2) / y**2)
SCHWARZSCHILD = Metric(
    (t, r, theta, phi), sp.diag(-(1 - r_s / r), 1 / (1 - r_s / r), r**2, r**2 * sin**2)
)
MIXED = Metric(
    (x, y, z),
    sp.Matrix(
        [
            [sp.exp(2 * x), sp.sinh(y) * sp.exp(x), 0],
            [sp.sinh(y) * sp.exp(x), sp.cosh(y) ** 2 + sp.sqrt(z), 0],
            [0, 0, 1 + sp.cos(2 * z)],
        ]
    ),
)

TEXTBOOK = [
    (SPHERE, {(theta, phi, phi): -sin * cos, (phi, theta, phi): sp.cot(theta)}),
    (HALF_PLANE, {(x, x, y): -1 / y, (y, x, x): 1 / y, (y, y, y): -1 / y}),
    (
        SCHWARZSCHILD,
        {
            (t, t, r): r_s / (2 * r * (r - r_s)),
            (r, t, t): r_s * (r - r_s) / (2 * r**3),
            (r, r, r): -r_s / (2 * r * (r - r_s)),
            (r, theta, theta): -(r - r_s),
            (r, phi, phi): -(r - r_s) * sin**2,
            (theta, r, theta): 1 / r,
            (theta, phi, phi): -sin * cos,
            (phi, r, phi): 1 / r,
            (phi, theta, phi): sp.cot(theta),
        },
    ),
]


def incompatibility(metric):
    """Every ∂_a g_bd − Γ^e_ab g_ed − Γ^e_ad g_be that is not 0."""
    g, gamma, n = metric.matrix, metric.christoffel, range(len(metric.coordinates))
    left = {
        (a, b, d): canonical(
            sp.diff(g[b, d], metric.coordinates[a])
            - sum(gamma[e, a, b] * g[e, d] + gamma[e, a, d] * g[b, e] for e in n)
        )
        for a in n
        for b in n
        for d in n
    }
    return {where: value for where, value in left.items() if value != 0}


# ------------------------------------------------------------------------------------- components


@pytest.mark.parametrize(("metric", "table"), TEXTBOOK, ids=["sphere", "half-plane", "black hole"])
def test_the_components_are_those_of_the_textbook(metric, table):
    expected = {**table, **{(c, b, a): value for (c, a, b), value in table.items()}}
    assert set(metric.christoffel.nonzero) == set(expected)
    for where, value in expected.items():
        assert canonical(metric.christoffel[where] - value) == 0


@pytest.mark.parametrize("metric", [SPHERE, HALF_PLANE, SCHWARZSCHILD, MIXED])
def test_the_covariant_derivative_of_the_metric_is_zero(metric):
    assert incompatibility(metric) == {}


def test_the_inverse_is_the_inverse():
    assert (MIXED.inverse * MIXED.matrix).applyfunc(canonical) == sp.eye(3)


coefficients = st.integers(-3, 3)
polynomials = st.builds(
    lambda c, p: c + sum(a * m for a, m in zip(p, (x, y, x * z), strict=True)),
    st.integers(1, 3),
    st.tuples(*[coefficients] * 3),
)


@settings(max_examples=8, deadline=None)
@given(st.lists(polynomials, min_size=1, max_size=3), coefficients)
def test_the_connection_is_torsion_free_and_metric(diagonal, corner):
    matrix = sp.diag(*diagonal)
    matrix[0, -1] = matrix[-1, 0] = corner * x if len(diagonal) > 1 else diagonal[0]
    assume(sp.expand(matrix.det()) != 0)
    metric = Metric((x, y, z)[: len(diagonal)], matrix)
    gamma, n = metric.christoffel, range(len(diagonal))
    assert all(gamma[c, a, b] == gamma[c, b, a] for c in n for a in n for b in n)
    assert incompatibility(metric) == {}


@pytest.mark.parametrize("names", ["alpha beta", "beta alpha", "lambda Gamma", "r_1 x'"])
def test_names_of_coordinates_do_not_matter(names):
    a, b = sp.symbols(names)
    gamma = Metric((a, b), sp.diag(1, sp.sin(a) ** 2)).christoffel
    assert gamma.nonzero.keys() == {(a, b, b), (b, a, b), (b, b, a)}
    assert gamma[a, b, b] == gamma[0, 1, 1] == -sp.sin(a) * sp.cos(a)
    np.testing.assert_allclose(
        gamma.function()(jnp.array([1.0, 0.0]))[0, 1, 1], -np.sin(1) * np.cos(1), rtol=1e-6
    )


def test_names_of_parameters_do_not_matter():
    scale, bend = sp.symbols("point x")
    metric = Metric((r, theta), sp.diag(scale, scale * r**2 + bend))
    got = metric.christoffel.function()(jnp.array([2.0, 0.0]), point=3.0, x=1.0)
    assert got[0, 1, 1] == -2.0
    assert metric.verify(points=2).ok


def test_one_coordinate_is_enough():
    gamma = Metric(x, [[x**4]]).christoffel
    assert gamma.nonzero == {(x, x, x): 2 / x}
    assert gamma.function()(jnp.array([4])).tolist() == [[[0.5]]]


def test_zero_is_exactly_zero():
    one = sp.sin(x) ** 2 + sp.cos(x) ** 2
    gamma = Metric((x, y), sp.diag(one, 2 * one)).christoffel
    assert gamma.nonzero == {}
    assert gamma[x, y, y] is sp.S.Zero
    assert str(gamma) == "Gamma = 0"
    assert r"\Gamma^{c}{}_{a b} &= 0" in gamma.latex()
    assert not np.any(gamma.function()(jnp.ones(2)))


def test_undefined_functions_stay():
    a = sp.Function("a")(t)
    gamma = Metric((t, x), sp.diag(-1, a**2)).christoffel
    assert gamma.nonzero == {
        (t, x, x): a * a.diff(t),
        (x, t, x): a.diff(t) / a,
        (x, x, t): a.diff(t) / a,
    }


def test_latex_has_one_line_for_what_is_equal_by_symmetry():
    assert SPHERE.christoffel.latex().splitlines() == [
        r"\begin{aligned}",
        r"\Gamma^{\theta}{}_{\phi \phi} &= "
        r"- \sin{\left(\theta \right)} \cos{\left(\theta \right)} \\",
        r"\Gamma^{\phi}{}_{\theta \phi} = \Gamma^{\phi}{}_{\phi \theta} &= "
        r"\frac{\cos{\left(\theta \right)}}{\sin{\left(\theta \right)}}",
        r"\end{aligned}",
    ]
    assert SPHERE.christoffel._repr_latex_() == f"$\\displaystyle {SPHERE.christoffel.latex()}$"


@pytest.mark.parametrize(
    "zero",
    [
        sp.sin(2 * x) / sp.sin(x) - 2 * cos.subs(theta, x),
        2 * sp.sin(x / 2) ** 2 + sp.cos(x) - 1,
        sp.sin(x + y) - sp.sin(x) * sp.cos(y) - sp.cos(x) * sp.sin(y),
        sp.tan(x) * sp.cot(x) - 1,
        1 / sp.cos(x) ** 2 - sp.tan(x) ** 2 - 1,
        sp.cosh(x) ** 2 - sp.sinh(x) ** 2 - 1,
        sp.exp(x) - sp.sinh(x) - sp.cosh(x),
        x * x ** (k - 1) - x**k,
        1 / (sp.sqrt(2) + sp.sqrt(3)) - sp.sqrt(3) + sp.sqrt(2),
        sp.sqrt(1 - x**2) ** 3 / (1 - x**2) - sp.sqrt(1 - x**2),
        (sp.exp(x / 2) - sp.exp(x) / sp.exp(x / 2)) * y,
    ],
    ids=str,
)
def test_a_zero_is_recognised(zero):
    assert canonical(zero) is sp.S.Zero
    assert canonical(zero + x) == x


@pytest.mark.parametrize(
    ("expr", "shown"),
    [
        (sp.tan(x), sp.sin(x) / sp.cos(x)),
        ((1 - sp.cos(x) ** 2) / sp.sin(x), sp.sin(x)),
        (sp.cos(x) ** 4 / (1 - sp.sin(x) ** 2), sp.cos(x) ** 2),
        (1 / (1 - 1 / x), x / (x - 1)),
        (sp.sqrt(x) ** 5 / x, sp.sqrt(x) ** 3),
    ],
)
def test_the_shown_form_is_short(expr, shown):
    assert canonical(expr) == shown


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1 / (sp.sqrt(2) + sp.sqrt(3)), sp.sqrt(3) - sp.sqrt(2)),
        (sp.sin(x) / (1 + sp.cos(x)), (1 - sp.cos(x)) / sp.sin(x)),
        (1 / (sp.cosh(x) - sp.sinh(x)), sp.cosh(x) + sp.sinh(x)),
        (1 / (sp.sqrt(x) - sp.cos(y)), (sp.sqrt(x) + sp.cos(y)) / (x - sp.cos(y) ** 2)),
    ],
)
def test_equal_scalars_have_one_form(one, other):
    assert canonical(one) == canonical(other)


def test_a_hidden_zero_in_a_denominator_is_found():
    with pytest.raises(SymattnError, match="divides by 0"):
        canonical(1 / (sp.sin(x) ** 2 + sp.cos(x) ** 2 - 1))


@pytest.mark.parametrize("wrong", [0.5 * x, sp.zoo, sp.nan, sa.tensor("v", 3)[0]], ids=str)
def test_what_is_not_an_exact_scalar_is_refused(wrong):
    with pytest.raises(SymattnError, match="is not an exact scalar of plain symbols"):
        canonical(wrong)


# -------------------------------------------------------------------------------------- functions


def test_the_function_goes_through_jit_vmap_and_grad():
    metric = Metric((r, theta), sp.diag(1 / (1 - r_s / r), r**2))
    f = metric.christoffel.function()

    def at(p):
        return f(p, r_s=1.5)

    def wanted(p):
        return by_autodiff(lambda q: metric.function()(q, r_s=1.5), p)

    with jax.enable_x64(True):
        points = np.random.default_rng(0).uniform(2.5, 3.0, (5, 2))
        got = jax.jit(jax.vmap(at))(points)
        assert got.shape == (5, 2, 2, 2) and got.dtype == jnp.float64
        np.testing.assert_allclose(got, jax.jit(jax.vmap(wanted))(points), rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(got[3], at(points[3]), rtol=1e-14)
        slope = jax.grad(lambda p: at(p)[0, 1, 1])(points[0])
        np.testing.assert_allclose(slope, [-1, 0])
    assert f(jnp.array([3, 0]), r_s=1).dtype == jnp.float32


@pytest.mark.parametrize(
    ("metric", "domain"), [(SPHERE, {theta: (0.3, 2.8), "R": (1, 2)}), (MIXED, {"z": (0.2, 1.0)})]
)
def test_components_agree_with_autodiff(metric, domain):
    report = metric.verify(domain)
    assert report.ok, str(report)
    assert [row.dtype for row in report.rows] == ["float64", "float32"]


@pytest.mark.parametrize(
    "broken",
    [
        lambda s: s(0, 1, 2) + s(1, 0, 2) + s(2, 0, 1),
        lambda s: s(0, 1, 2) - s(2, 0, 1),
        lambda s: 2 * (s(0, 1, 2) + s(1, 0, 2) - s(2, 0, 1)),
    ],
)
def test_a_wrong_index_formula_is_caught(monkeypatch, broken):
    def wrong(slope, *lower):
        return broken(lambda *s: slope(*(lower[i] for i in s)))

    monkeypatch.setattr(formula, "bracket", wrong)
    metric = Metric((x, y), sp.diag(1 + y**2, 1 + x))
    assert not metric.verify(points=3).ok
    assert incompatibility(metric) or any(
        metric.christoffel[c, 0, 1] != metric.christoffel[c, 1, 0] for c in (0, 1)
    )


# ------------------------------------------------------------------------------------- index form

n, d_k = sa.sizes("n d_k")
a, b, c, d, e = sa.indices("a b c d e", n)
X = sa.tensor("x", n)
square = sa.total(X[c] * X[c], c)
CONFORMAL = sa.define("g", (a, b), (1 + square) * sa.delta(a, b))
CONFORMAL_INV = sa.define("g_inv", (a, b), sa.delta(a, b) / (1 + square))


def test_a_conformally_flat_metric_of_symbolic_size():
    derivation = christoffel(CONFORMAL, X, inverse=CONFORMAL_INV)
    wanted = (sa.delta(c, a) * X[b] + sa.delta(c, b) * X[a] - sa.delta(a, b) * X[c]) / (
        1 + sa.total(X[d] * X[d], d)
    )
    assert prove(derivation.expr, wanted).status == "proved"
    assert derivation.check_steps().ok
    assert [step.rule for step in derivation.steps] == [
        "insert `∂g/∂x`",
        "sum over `δ`",
        "insert `g_inv`",
        "take out common factors",
    ]
    assert r"\frac{\partial g^{bd}}{\partial x^{a}}" in derivation.latex()


def test_the_derivation_agrees_with_components_and_with_autodiff():
    metric = Metric((x, y, z), (1 + x**2 + y**2 + z**2) * sp.eye(3))
    point = jnp.array([0.3, -1.2, 0.7])
    got = sa.compile(christoffel(CONFORMAL, X, inverse=CONFORMAL_INV))(x=point)
    np.testing.assert_allclose(got, metric.christoffel.function()(point), rtol=1e-6, atol=1e-7)


def test_a_rank_one_metric_comes_over_one_denominator():
    g = sa.define("g", (a, b), sa.delta(a, b) + X[a] * X[b])
    inverse = sa.define("g_inv", (a, b), sa.delta(a, b) - X[a] * X[b] / (1 + square))
    derivation = christoffel(g, X, inverse=inverse)
    assert derivation.expr.is_Mul
    assert prove(derivation.expr, sa.delta(a, b) * X[c] / (1 + square)).status == "proved"
    assert derivation.check_steps().ok


def test_the_constant_metric_has_none_for_all_sizes():
    p, q = sa.indices("p q", d_k)
    g = sa.define("g", (p, q), sa.delta(p, q) / sp.sqrt(d_k))
    inverse = sa.define("g_inv", (p, q), sa.delta(p, q) * sp.sqrt(d_k))
    for known in (inverse, None):
        derivation = christoffel(g, sa.tensor("x", d_k), inverse=known)
        assert derivation.expr == 0
        assert derivation.check_steps().ok


def test_the_connection_from_a_constant_metric_and_no_torsion():
    derivation = levi_civita_derivation(n)
    text = derivation.latex()
    for line in (
        r"\Gamma^{c}_{ab} &= g^{cd} G_{dab}",
        r"g^{cd} \left(\partial_{a} g_{bd} + \partial_{b} g_{ad} - \partial_{d} g_{ab}\right)",
    ):
        assert line in text
    assert text.isascii()  # so that it is typeset wherever it is pasted
    assert derivation.check_steps().ok


def test_the_connection_in_other_coordinates():
    law = transformation_law(n)
    assert law.check_steps().ok
    assert r"\left(H^{k}_{ab} + \sum_{i, j} J^{i}_a J^{j}_b \Gamma^{k}_{ij}\right)" in law.latex()
    signed = law.expr.xreplace({s: -s for s in law.expr.atoms(sp.Indexed) if s.base.name == "H"})
    assert prove(law, law.expr).status == "proved"
    assert prove(law.lhs, signed, given=law.system).status == "refuted"


def test_a_line_that_does_not_follow_is_seen():
    good = levi_civita_derivation(n)
    dg = good.system["dg"]
    up = sa.inverse(sa.tensor("g", n, n, symmetric=True))
    wrong = sa.total(up[c, d] * (dg[a, b, d] + dg[b, a, d] + dg[d, a, b]), d) / 2
    chain = written(good.system, good.system["Gamma"], [(good.lhs, ""), (wrong, "a slip")])
    assert not chain.check_steps().ok


def test_without_an_inverse_it_stays_by_name():
    derivation = christoffel(CONFORMAL, X)
    assert derivation.expr.has(sa.tensor("g_inv", n, n, symmetric=True))
    assert derivation.check_steps().ok


# ----------------------------------------------------------------------------------------- errors

plain = sp.Symbol("x", real=True)
ROUND = sp.diag(1, sin**2)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: Metric((sin, phi), ROUND),
            ["coordinate sin(theta) is not a symbol", "sp.symbols"],
        ),
        (lambda: Metric("theta", ROUND), ["coordinate theta is not a symbol", "str"]),
        (lambda: Metric((phi, phi), ROUND), ["not different symbols", "phi, phi"]),
        (lambda: Metric((), ROUND), ["not different symbols", "none"]),
        (lambda: Metric({theta, phi}, ROUND), ["no order"]),
        (lambda: Metric((x, y), sp.diag(1, k), names={k: k + x}), ["k is said by itself"]),
        (lambda: Metric((x, y), sp.diag(1, x), names={x: y}), ["x is a coordinate"]),
        (
            lambda: Metric((x, y), sp.diag(1, sp.exp(sp.Abs(x)))).riemann.function(),
            ["DiracDelta is no function that JAX has"],
        ),
        (lambda: Metric((theta, phi), 7), ["not a matrix"]),
        (lambda: Metric((theta, phi), [[1, 0], [0]]), ["not a matrix"]),
        (
            lambda: Metric((theta, phi), sp.ones(2, 3)),
            ["(2, 2)", "(2, 3)", "one row and one column"],
        ),
        (lambda: Metric((theta, phi), sp.eye(3)), ["coordinates theta, phi", "(3, 3)"]),
        (
            lambda: Metric((x, y), [[1, x], [y, 1]]),
            ["not symmetric", "entry (0, 1) equal to entry (1, 0)", "x and y", "(M + M.T)/2"],
        ),
        (lambda: Metric((x, y), [[1, x], [x, x**2]]), ["singular", "leave out coordinates"]),
        (
            lambda: Metric(
                (x, y), [[sp.sin(x), sp.cos(x)], [sp.cos(x), 1 / sp.sin(x) - sp.sin(x)]]
            ),
            ["singular"],
        ),
        (
            lambda: Metric((plain, y), sp.diag(x**2, 1)),
            [
                "x in the metric is not the coordinate x",
                "the assumptions real",
                "no assumptions",
                "once",
            ],
        ),
        (
            lambda: Metric((x, y), sp.diag(-1, sp.Function("a")(t) ** 2)),
            ["a(t) does not depend on a coordinate", "declare t as a coordinate"],
        ),
        (
            lambda: Metric((x, y), [[1, 0], [0, X[0]]]),
            ["x[0] in the metric is a component", "christoffel(g, x)"],
        ),
        (lambda: Metric((x, y), sp.diag(1, 0.5)), ["not an exact scalar", "sp.Rational(1, 2)"]),
        (lambda: SPHERE.christoffel[theta, phi], ["Gamma[theta, phi] is not a component", "3 of"]),
        (lambda: SPHERE.christoffel[theta, r, phi], ["Gamma[theta, r, phi] is not a component"]),
        (lambda: SPHERE.christoffel[0, 0, 2], ["not a component", "0 … 1"]),
        (
            lambda: SCHWARZSCHILD.christoffel.function()(jnp.ones(4)),
            ["r_s is missing", "give a value"],
        ),
        (lambda: SPHERE.christoffel.function()(jnp.ones(2), Q=1.0), ["Q is unknown", "R"]),
        (lambda: SPHERE.christoffel.function()(jnp.ones((5, 2))), ["(5, 2)", "(2,)", "jax.vmap"]),
        (lambda: SPHERE.verify({"psi": (0, 1)}), ["psi is unknown", "theta, phi, R"]),
        (
            lambda: Metric((t, x), sp.diag(-1, sp.Function("a")(t))).christoffel.function(),
            ["a(t) has no value", "formula in its place"],
        ),
        (lambda: christoffel(sa.define("g", (a,), X[a]), X), ["two indices of one size"]),
        (
            lambda: christoffel(CONFORMAL, sa.tensor("x", d_k)),
            ["not a vector of the size of g", "(n)"],
        ),
        (
            lambda: christoffel(CONFORMAL, sa.tensor("x", n, positive=True)),
            ["x is not the x in the system", "once"],
        ),
        (lambda: christoffel(sa.define("g", (a, b), X[a] + 2 * X[b]), X), ["g is not symmetric"]),
        (
            lambda: christoffel(CONFORMAL, X, inverse=sa.define("g_inv", (a, b), sa.delta(a, b))),
            ["g_inv is not the inverse of g", "refuted"],
        ),
    ],
)
def test_errors_say_what_was_expected_and_how_to_mend_it(call, words):
    with pytest.raises(SymattnError) as caught:
        call()
    for word in words:
        assert word in str(caught.value)


def run(code, seed="0"):
    env = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run(
        [sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True
    ).stdout


def test_the_guide_runs():
    text = (Path(__file__).parents[1] / "docs" / "geometry.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    names = {}
    exec("\n".join(blocks), names)
    assert names["many"].shape == (10, 2, 2, 2)
    assert names["f"](x=jnp.ones(4)).shape == (4, 4, 4)


def test_importing_the_module_imports_neither_jax_nor_numpy():
    assert (
        run("import sys, symattn.geometry\nprint({'jax', 'numpy'} & set(sys.modules))") == "set()\n"
    )


def test_output_does_not_depend_on_the_hash_seed():
    code = (
        "import sympy as sp\n"
        "from symattn.geometry import Metric\n"
        "r, theta, a, M = sp.symbols('r theta a M')\n"
        "s = r**2 + a**2*sp.cos(theta)**2\n"
        "m = sp.Matrix([[s/(r**2 - 2*M*r + a**2), a*sp.sin(theta)], [a*sp.sin(theta), s]])\n"
        "print(Metric((r, theta), m).christoffel.latex())"
    )
    first = run(code, "1")
    assert first == run(code, "2")
    assert r"\Gamma^{r}{}_{r \theta} = \Gamma^{r}{}_{\theta r}" in first
