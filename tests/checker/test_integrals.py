"""Integrals of one variable: what is proved, under what condition, and what is not."""

from __future__ import annotations

import pytest
import sympy as sp

import symattn as sa
from symattn.checker.antiderivatives import Unknown
from symattn.checker.definite import definite, quadrature

PROVED = [
    r"\int_0^1 x^2 \, dx = \frac13",
    r"\int_1^0 x^2 \, dx = -\frac13",
    r"\int_0^1 x^2 + 1 \, dx = \frac43",
    r"\int_0^\infty e^{-\lambda t} \, dt = \frac1\lambda",
    r"\int_0^\infty dt \, t e^{-\lambda t} = \frac{1}{\lambda^2}",
    r"\int_{-\infty}^\infty e^{-x^2/2} \, dx = \sqrt{2\pi}",
    r"\int_{\mathbb{R}} e^{-|x|} \, dx = 2",
    r"\int_0^1 \frac{dx}{\sqrt{x}} = 2",
    r"\int_0^1 x \log x \, dx = -\frac14",
    r"\int_1^\infty \frac{dx}{x^2} = 1",
    r"\int_0^a \sin(k x) \, dx = \frac{1 - \cos(k a)}{k}",
    r"\int_0^a \int_0^b x y \, dx \, dy = \frac{a^2 b^2}{4}",
    r"\int_0^{2\pi} \int_0^R r \, dr \, d\theta = \pi R^2",
    r"\int x e^x \, dx = (x - 1) e^x + C",
    r"\int_0^1 x e^x \, dx = \left[ x e^x \right]_0^1 - \int_0^1 e^x \, dx",
    r"\int_a^b x^2 \, dx = \left. \frac{x^3}{3} \right|_{x=a}^{x=b}",
    r"\int_0^1 e^u \, du = e - 1",
    r"\int_0^\infty e^{-(s + a) t} \, dt = \frac{1}{s + a}",
    r"\int_0^\infty \frac{1}{m} e^{r x} e^{-x/m} \, dx = \frac{1}{1 - m r}",
    r"\int x \cos x \, dx = x \sin x - \int \sin x \, dx",
    r"\int_a^b f(x) \, dx = -\int_b^a f(x) \, dx",
    r"\int_a^b f(x) \, dx = \int_a^b f(u) \, du",
    r"\int_a^c f(x) \, dx = \int_a^b f(x) \, dx + \int_b^c f(x) \, dx",
    r"\int_a^b (3 f(x) + k g(x)) \, dx = 3 \int_a^b f(x) \, dx + k \int_a^b g(x) \, dx",
    r"\frac{d}{dx} \int_0^x f(t) \, dt = f(x)",
    r"\frac{d}{dy} \int_y^1 \sin(t^2) \, dt = -\sin(y^2)",
]
REFUTED = [
    r"\int_0^1 x^2 \, dx = \frac12",
    r"\int_1^0 x^2 \, dx = \frac13",
    r"\int_0^\infty t e^{-\lambda t} \, dt = \frac1\lambda",
    r"\int_{-\infty}^\infty e^{-x^2/2} \, dx = \sqrt{\pi}",
    r"\int_0^a \sin(k x) \, dx = \frac{1 - \cos(k a)}{k^2}",
    r"\int \log x \, dx = x \log x + C",
    r"\int_a^b x^2 \, dx = \left. \frac{x^3}{2} \right|_{x=a}^{x=b}",
    r"\int_0^\infty e^{-(s - a) t} \, dt = \frac{1}{s + a}",
    r"\int_0^\infty \frac{x^3}{e^x - 1} \, dx = \frac{\pi^4}{12}",
]
CONDITIONAL = [
    (r"\int_a^b \frac{du}{u} = \log b - \log a", "u > 0 between the limits"),
    (r"\int_{-\infty}^\infty e^{-(x - m)^2/(2 s^2)} \, dx = \sqrt{2\pi} s", "s > 0"),
]
OPEN = [
    r"\int_{-1}^1 \frac{dx}{x} = 0",  # a pole inside
    r"\int_{-1}^1 \frac{dx}{x^2} = -2",  # F(1) − F(−1), across a pole
    r"\int_0^\infty e^t \, dt = -1",  # no finite value
    r"\int_0^\pi \tan x \, dx = 0",
    r"\int_0^\infty \frac{\sin x}{x} \, dx = \frac{\pi}{2}",  # no antiderivative
    r"\int_0^\infty \frac{x^3}{e^x - 1} \, dx = \frac{\pi^4}{15}",
    r"\int_0^L F \, dx = \frac12 k L^2",  # F may hang on x
    r"\int p \, dx = 1",  # limits that nobody writes
    r"\int x^2 \, dx = 1",
    r"\int_a^b f(x) \, dx = \int_a^b g(x) \, dx",
    r"\frac{d}{dx} \int_0^x f(t) \, dt = g(x)",
]


def verdict(latex: str, before: str = "") -> sa.checker.report.Row:
    rows = [
        r
        for r in sa.check(f"{before}\n\n$$ {latex} $$\n", corrections=False)
        if r.latex.strip() == latex
    ]
    assert len(rows) == 1
    return rows[0]


@pytest.mark.parametrize("latex", PROVED)
def test_proved(latex: str) -> None:
    assert verdict(latex).verdict == "proved"


@pytest.mark.parametrize("latex", REFUTED)
def test_refuted(latex: str) -> None:
    assert verdict(latex).verdict == "refuted"


@pytest.mark.parametrize(("latex", "said"), CONDITIONAL)
def test_conditional(latex: str, said: str) -> None:
    found = verdict(latex)
    assert found.verdict == "conditional"
    assert said in found.reason


@pytest.mark.parametrize("latex", OPEN)
def test_open(latex: str) -> None:
    assert verdict(latex).verdict in ("unproved", "skipped", "definition")


def test_a_condition_that_a_sentence_states() -> None:
    (latex, _), *_ = CONDITIONAL
    assert verdict(latex, "Let $a, b > 0$.").verdict == "proved"


def test_indices_and_sums_under_the_integral() -> None:
    text = r"""
The weights $w_i$ for $i = 1, \dots, n$ are known.

$$ \int_0^1 \left( \sum_{i=1}^n w_i \right) x^2 \, dx = \frac13 \sum_{i=1}^n w_i $$

$$ \int_0^1 \left( \sum_{i=1}^n w_i \right) x^2 \, dx = \frac12 \sum_{i=1}^n w_i $$
"""
    first, second = (r.verdict for r in sa.check(text, corrections=False))
    assert first == "proved"
    assert second != "proved"


def test_a_definition_that_is_said_anew() -> None:
    text = r"""
# A spring

The force is

$$ F = k x $$

$$ \int_0^L F \, dx = \frac12 k L^2 $$

# A weight

The force is

$$ F = m g $$

$$ \int_0^L F \, dx = m g L $$

$$ \int_0^L F \, dx = \frac12 k L^2 $$
"""
    found = {r.line: r.verdict for r in sa.check(text, corrections=False)}
    assert (found[8], found[16]) == ("proved", "proved")
    assert found[18] != "proved"


def test_definitions_under_the_integral() -> None:
    text = r"""
The speed is $v = v_0 + a t$.

$$ s = \int_0^T v \, dt = v_0 T + \frac12 a T^2 $$

$$ E = \int_0^T v \, dt = v_0 T + a T^2 $$
"""
    assert [r.verdict for r in sa.check(text, corrections=False) if r.kind == "claim"] == [
        "proved",
        "refuted",
    ]


def test_not_a_product_with_d() -> None:
    text = r"""
$$ S = \frac{Q K^\top}{\sqrt{d}} $$

$$ \int_0^1 x \, dx = \frac{d}{2} $$
"""
    assert [r.verdict for r in sa.check(text, corrections=False)][1:] != ["proved"]


@pytest.mark.parametrize(
    "latex",
    [
        r"p(\mathbf{x}) = \int p(\mathbf{x}, \mathbf{z}) \, d\mathbf{z}",
        r"\int |\psi|^2 \, d^3 r = 1",
        r"\Phi = \oint \mathbf{E} \cdot d\mathbf{A}",
        r"m = \int_\Omega \rho \, dV",
    ],
)
def test_read_and_opaque(latex: str) -> None:
    assert verdict(latex).verdict == "definition"


def test_a_missing_differential_is_not_read() -> None:
    found = verdict(r"I = \int_0^1 x^2")
    assert (found.verdict, found.kind) == ("skipped", "unread")
    assert "does not say what it runs over" in found.reason


x, a, s = sp.symbols("x a s")


@pytest.mark.parametrize(
    ("body", "low", "high"),
    [
        (1 / x, -1, 1),
        (1 / x**2, -1, 1),
        (1 / (1 - x), 0, 2),
        (sp.tan(x), 0, sp.pi),
        (sp.exp(x), 0, sp.oo),
        (sp.exp(x**2), -sp.oo, sp.oo),
        (1 / (2 + sp.cos(x)), 0, 2 * sp.pi),  # whose antiderivative jumps
        (sp.sin(a * x) / x, 0, sp.oo),
    ],
)
def test_unknown(body: sp.Expr, low: sp.Expr, high: sp.Expr) -> None:
    with pytest.raises(Unknown):
        definite(body, ((x, sp.sympify(low), sp.sympify(high)),))


def test_the_sign_of_a_parameter_is_a_condition_where_it_matters() -> None:
    both = (x, -sp.oo, sp.oo)
    assert definite(sp.exp(-(x**2) / s**2), (both,)).conditions == ("s > 0",)
    assert definite(x**2 * sp.exp(-((x - a) ** 2) / s**2), (both,)).conditions == ("s > 0",)
    assert not definite(sp.exp(-s * x**2), (both,)).conditions  # no value where s < 0


def test_two_rates_are_two() -> None:
    b = sp.Symbol("b")
    found = definite(sp.exp(-(s - a) * x) - sp.exp(-(s - b) * x), ((x, sp.S.Zero, sp.oo),))
    assert sp.simplify(found.expr - 1 / (s - a) + 1 / (s - b)) == 0
    assert found.conditions


def test_powers_without_a_sign() -> None:
    assert definite(x**a, ((x, sp.S.Zero, sp.S.One),)).expr == 1 / (a + 1)
    with pytest.raises(Unknown):
        definite(x**a, ((x, sp.S.Zero, sp.oo),))


def test_quadrature_of_what_diverges_says_nothing() -> None:
    assert quadrature(1 / x, x, sp.Integer(0), sp.Integer(1)) is None
    assert abs(quadrature(sp.exp(-x), x, sp.Integer(0), sp.oo) - 1) < 1e-12


def test_the_point_of_a_refutation_is_one_where_the_integral_has_a_value() -> None:
    found = verdict(r"\int_0^\infty e^{-(s - a) t} \, dt = \frac{1}{s + a}")
    assert found.counterexample is not None
    assert found.counterexample["values"]["s"] > found.counterexample["values"]["a"]


def test_derivatives_by_what_is_defined_the_other_way_round() -> None:
    text = r"""
The rapidity is given by

$$ v = c \tanh y $$

$$ \frac{dy}{dv} = \frac{c}{c^2 - v^2} $$

$$ \frac{dy}{dv} = \frac{c}{c^2 + v^2} $$
"""
    assert [r.verdict for r in sa.check(text, corrections=False)] == [
        "definition",
        "proved",
        "refuted",
    ]
