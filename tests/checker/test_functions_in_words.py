r"""Functions that words call by their names, and those of which nothing says what they are."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.checker.generic import any_function


def verdicts(text: str) -> list[str]:
    found = check(text, corrections=False, timeout=None)
    return [r.verdict for r in found if r.verdict != "definition"]


CALL = r"""
%s The price is

$$ C = S N(d_1) - K e^{-r u} N(d_2) $$

with

$$ d_1 = \frac{\ln(S/K) + (r + s^2/2) u}{s \sqrt{u}} $$

$$ d_2 = d_1 - s \sqrt{u} $$

so that

$$ %s $$
"""
CDF = r"Let $N$ be the cumulative distribution function of the standard normal distribution."
GREEKS = [
    r"S N'(d_1) = K e^{-r u} N'(d_2)",
    r"\frac{\partial C}{\partial S} = N(d_1)",
    r"\frac{\partial^2 C}{\partial S^2} = \frac{N'(d_1)}{S s \sqrt{u}}",
    r"\frac{\partial C}{\partial s} = S \sqrt{u} N'(d_1)",
]


@pytest.mark.parametrize("formula", GREEKS)
def test_the_distribution_function_of_the_words(formula: str) -> None:
    assert verdicts(CALL % (CDF, formula)) == ["proved"]
    assert verdicts(CALL % (CDF, formula.replace("= ", "= 2 "))) == ["refuted"]


@pytest.mark.parametrize("formula", GREEKS)
def test_without_a_word_on_it_nothing_is_refuted(formula: str) -> None:
    for said in (formula, formula.replace("= ", "= 2 ")):
        assert verdicts(CALL % ("", said))[-1] in ("unproved", "conditional")


GELU = r"""
%s

$$ y = x \Phi(x) $$

$$ \frac{d y}{d x} = \Phi(x) + x \phi(x) $$

$$ \frac{d \phi(x)}{d x} = - x \phi(x) $$
"""


@pytest.mark.parametrize(
    "words",
    [
        r"Here $\Phi$ is the cdf of the standard normal distribution and $\phi$ its density.",
        r"Here $\phi(\cdot)$ and $\Phi(\cdot)$ are the pdf and the cdf of the standard normal.",
        r"With the Gaussian CDF $\Phi(x)$ and the Gaussian density $\phi(x)$ we have",
        r"Let $\Phi$ be the standard normal cumulative distribution function, $\phi$ its density.",
    ],
)
def test_a_density_and_its_distribution(words: str) -> None:
    assert verdicts(GELU % words) == ["proved", "proved"]


@pytest.mark.parametrize(
    "words",
    [
        r"Let $\phi$ be the density of a normal distribution with mean $m$ and variance $v$.",
        r"Let $\phi$ be the normal density of standard deviation $v$.",
        r"Let $\phi$ be the inverse of the standard normal cdf.",
        r"Let $\phi$ be a feature of the normal, and $n$ its density.",
    ],
)
def test_another_normal_distribution(words: str) -> None:
    assert "proved" not in verdicts(GELU % words)


def test_one_slip_from_an_identity_in_an_unknown_function() -> None:
    text = r"""
With the standard Gaussian CDF $\Phi(x)$

$$ \Phi'(x) = \phi(x) $$

$$ \phi(x) = \frac{1}{\sqrt{2 \pi}} e^{-x^2/2} $$
"""
    assert "refuted" not in verdicts(text)


@pytest.mark.parametrize(
    ("name", "text", "any_"),
    [
        ("f", "", True),
        ("N", "$$ C = S N(d_1) - K N(d_2) $$", False),
        ("N", "$$ y = f(x) $$", True),
        ("Q", r"Let $Q : \mathbb{R} \to \mathbb{R}$ be a smooth function.", True),
        ("Q", r"Let $Q(x)$ be the tail of a normal distribution.", False),
        ("f", r"Here $f$ is the density of $X$.", False),
        ("V", r"a particle in a potential $V(x)$", True),
        ("phi", r"the activation $\phi$. The density $\psi$", True),
        ("phi", r"the activation $\Phi$, $y = \phi(x)$ and $\phi$.", True),
        ("phi", r"the activation $\Phi$ $$ y = \phi(x) $$", False),
    ],
)
def test_which_functions_may_be_any(name: str, text: str, any_: bool) -> None:
    assert any_function(name, text) is any_


def test_a_slip_beside_any_function_is_refuted() -> None:
    text = r"""
Let $f$ be differentiable.

$$ y = f(a x) $$

$$ \frac{d y}{d x} = f'(a x) $$
"""
    assert verdicts(text) == ["refuted"]


@pytest.mark.parametrize(
    ("condition", "formula"),
    [
        (r"$$ f'(x) = -a f(x) $$", r"\frac{d}{d x} f(x)^2 = -2 a f(x)^2"),
        (r"$$ \frac{d f(x)}{d x} = - f(x) $$", r"\frac{d}{d x} f(x)^2 = -2 f(x)^2"),
        (r"$$ f(-x) = f(x) $$", r"f(x)^2 = f(x) f(-x)"),
        (r"$$ f(x + y) = f(x) f(y) $$", r"f(2 x) = f(x)^2"),
        (r"Suppose $f(-x) = -f(x)$.", r"f(x)^2 = f(-x)^2"),
        (r"Let $f$ be odd.", r"f(x)^2 = f(-x)^2"),
        (r"$$ f''(x) = f(x) $$", r"\frac{d}{d x} (f(x) + f'(x)) = f(x) + f'(x)"),
        (r"with $f(0) = 1$", r"x f(0) = x"),
    ],
)
def test_what_a_function_is_asked_to_satisfy_is_no_error(condition: str, formula: str) -> None:
    assert "refuted" not in verdicts(f"{condition}\n\n$$ {formula} $$\n")


@pytest.mark.parametrize(
    "formula",
    [
        r"\frac{d}{d x} \operatorname{Ei}(x) = \frac{e^x}{x}",
        r"\frac{d}{d x} \mathrm{Si}(x) = \frac{\sin x}{x}",
        r"\operatorname{frac}(x + 1) = \operatorname{frac}(x)",
        r"\frac{d}{d x} f(x) = 2 x",
    ],
)
def test_a_function_that_nothing_defines_is_not_any_where_it_has_a_word_for_a_name(
    formula: str,
) -> None:
    assert "refuted" not in verdicts(f"$$ {formula} $$\n")


def test_a_rule_beside_a_condition_on_another_function_is_refuted() -> None:
    text = r"""
The derivative $\frac{d}{d x} g(x) = 2 x$ is known. Let $f$ be a smooth function.

$$ y = f(x)^2 $$

$$ \frac{d y}{d x} = 3 f(x) f'(x) $$
"""
    assert verdicts(text)[-1] == "refuted"


def test_a_wrong_rule_for_any_function_is_refuted() -> None:
    text = r"""
Let $f$ be smooth, where $f'(x) = \lim_{h \to 0} \frac{f(x + h) - f(x)}{h}$.

$$ y = f(x)^2 $$

$$ \frac{d y}{d x} = f(x) f'(x) $$
"""
    assert verdicts(text)[-1] == "refuted"


NAMED = r"""
%s

$$ y = N(a x) $$

$$ \frac{d y}{d x} = \frac{a}{\sqrt{2 \pi}} e^{-a^2 x^2/2} $$
"""


@pytest.mark.parametrize(
    ("words", "proved"),
    [
        (r"Let $n$ and $N$ be the pdf and the cdf of the standard normal.", True),
        (r"Let $N$ be the cdf of the standard normal.", True),
        (r"Let $N$ be the inverse of the standard normal cdf.", False),
        (r"Let $N$ be a number and $\Phi$ the cdf of the standard normal.", False),
        (r"With $N$ samples the standard normal cdf is used.", False),
    ],
)
def test_each_name_has_its_own_law(words: str, proved: bool) -> None:
    assert (verdicts(NAMED % words)[-1] == "proved") is proved
