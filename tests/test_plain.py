"""Expressions as one line of text."""

import pytest
import sympy as sp

import symattn as sa
from symattn.convert import lower
from symattn.explain.plain import component, plain

n, d = sa.sizes("n d")
(i, j), (a,) = sa.indices("i j", n), sa.indices("a", d)
x, R, t = sa.tensor("x", n), sa.tensor("R", 2 * n - 1, d), sa.tensor("t", positive=True)
u = sa.tensor("u")
SUM = sa.total(x[j], j)


@pytest.mark.parametrize(
    ("expr", "free", "text"),
    [
        (sp.Integer(0), (), "0"),
        (x[i] * x[i] / 3, (), "Σ_i x[i]^2 / 3"),
        (sa.delta(i, j) - sp.Rational(1, 3), (i, j), "δ[i,j] - 1/3"),
        (1 - x[i] / sp.sqrt(d), (i,), "1 - x[i] / sqrt(d)"),
        (sa.iverson(j <= i) * x[j], (i,), "Σ_j [j ≤ i] x[j]"),
        (sa.iverson(j < i) * x[j], (i,), "Σ_j [j < i] x[j]"),
        (R[i - j + n - 1, a] * x[j], (i, a), "Σ_j R[i-j+n-1,a] x[j]"),
        (sp.exp(-x[i] / t) / SUM, (i,), "exp(-x[i] / t) / (Σ_j x[j])"),
        (x[i] / (3 * SUM), (i,), "x[i] / (3 Σ_j x[j])"),
        (SUM**2, (), "(Σ_j x[j])^2"),
        (t ** sp.Rational(3, 2) / (2 * t + 1), (), "t^(3/2) / (1 + 2 t)"),
        (sa.total(x[j] + x[i], j), (i,), "Σ_j (x[i] + x[j])"),
        (sp.pi * x[i], (i,), "pi x[i]"),
        (t**u * x[i], (i,), "t^u x[i]"),
        ((1 + t) ** (-u), (), "(1 + t)^(-u)"),
        (sa.total(x[j] ** (u - 1), j), (), "Σ_j x[j]^(u - 1)"),
        (sp.exp(-u * t), (), "exp(-t u)"),
        (sp.sin(t / 2 - u / 2), (), "sin((t - u) / 2)"),
        (sp.sin(t / 2 - u), (), "sin(t / 2 - u)"),
        ((1 + u**2) ** (t / 2 - sp.Rational(3, 2)), (), "(1 + u^2)^((t - 3) / 2)"),
        (sp.exp(u * t - sp.log(t)), (), "exp(t u) / t"),
    ],
)
def test_an_expression_is_one_line(expr, free, text):
    assert plain(lower(expr, free)) == text


def test_a_derivative_of_any_order_names_what_it_is_of():
    L = sa.define("L", (), SUM**3)
    system = sa.System(L)
    for found, text in (
        (sa.jacobian(system, of="L", wrt="x"), r"∂L/∂x["),
        (sa.hessian(system, of="L", wrt="x"), r"∂²L/∂x["),
    ):
        assert component(found.component.tensor, found.component.slots).startswith(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"L = \sum_i \max(0, m - y_i s_i)", "-y[i] [m > s[i] y[i]]"),
        (r"L = \sum_i y_i [s_i \ge 0] s_i", "y[i] [s[i] ≥ 0]"),
    ],
)
def test_indicators_of_values(text, shown):
    doc = sa.read("<!-- symattn: scalars m -->\n" + text)
    assert str(sa.jacobian(doc, of="L", wrt="s")).partition(" = ")[2] == shown
