"""Names of which words, or brackets somewhere, say that they change with others."""

from __future__ import annotations

import pytest

import symattn as sa


def verdicts(text: str) -> list[str]:
    """The verdicts on the last two formulas."""
    return [r.verdict for r in sa.check(text, corrections=False).rows[-2:]]


CLAIMS = (
    r" Then $\frac{dE}{dv} = m v + \frac12 v^2 \frac{dm}{dv}$"
    r" and $\frac{dE}{dv} = m v + \frac14 \frac{d}{dv} v^2$."
)


@pytest.mark.parametrize(
    "words",
    [
        r"Let $E = \frac12 m v^2$, where the mass $m$ depends on the speed $v$.",
        r"Let $E = \frac12 m v^2$, $m$ being a function of $v$.",
        r"Let $E = \frac12 m v^2$ with $m = m(v)$.",
        r"Let $E = \frac12 m(v) v^2$.",
        r"Let $m$ vary smoothly with $v$ and $E = \frac12 m v^2$.",
    ],
)
def test_a_slope_goes_through_what_changes(words: str) -> None:
    assert verdicts(words + CLAIMS) == ["proved", "refuted"]
    alone = words + r" Then $\frac{dE}{dv} = m v + \frac12 v^2 m'(v)$ and $\frac{dE}{dv} = m v$."
    assert verdicts(alone) == ["proved", "refuted"]


@pytest.mark.parametrize(
    ("words", "claim"),
    [
        (r"Let $E = \frac12 m v^2$, where $m$ does not depend on $v$.", r"\frac{dE}{dv} = m v"),
        (r"Let $E = \frac12 m v^2$, where $m$ depends on $T$.", r"\frac{dE}{dv} = m v"),
        (r"Let $m = 2 k$, which depends on $k$, and $E = m v^2$.", r"\frac{dE}{dk} = 2 v^2"),
        (r"Let $g(x) = c x^2 + b$, where $b$ depends on $y$.", "g'(x) = 2 c x"),
    ],
)
def test_what_does_not_change_is_held(words: str, claim: str) -> None:
    assert verdicts(f"{words} Then ${claim}$.")[-1] == "proved"


def test_an_exponent_changes_too() -> None:
    text = r"Let $F = v e^m + 2^m$, where $m$ depends on $v$. "
    claims = r"Then $\frac{dF}{dv} = e^m + (v e^m + 2^m \log 2) \frac{dm}{dv}$"
    assert verdicts(text + claims + r" and $\frac{dF}{dv} = e^m$.") == ["proved", "refuted"]


def test_a_name_with_indices_is_no_function() -> None:
    text = r"Let $s = t^2$ and $y = A x$, where $x$ depends on $t$. "
    assert verdicts(text + r"Then $y_i = A_{ij} x_j$ and $\frac{ds}{dt} = 2 t$.") == ["proved"] * 2


def test_what_is_applied_to_several_things_is_a_function_of_none() -> None:
    text = r"Let $E = m(v) + m(u)$ and $F = m v^2$. Then $\frac{dF}{dv} = 2 m v$."
    assert verdicts(text)[-1] != "refuted"


def test_rates_of_both_factors() -> None:
    text = r"The mass $m$ depends on time $t$, and $p = m v$. "
    claims = r"Then $\frac{dp}{dt} = m \frac{dv}{dt} + v \frac{dm}{dt}$"
    assert verdicts(text + claims + r" and $\frac{dp}{dt} = m \frac{dv}{dt}$.") == [
        "proved",
        "refuted",
    ]


def test_a_name_that_depends_on_two() -> None:
    text = r"Let $E = m v^2$, where $m$ depends on $v$ and $T$. "
    claims = r"Then $\frac{\partial E}{\partial T} = v^2 \frac{\partial m}{\partial T}$"
    assert verdicts(text + claims + r" and $\frac{\partial E}{\partial T} = 0$.")[0] == "proved"
    assert verdicts(text + r"Then $\frac{\partial E}{\partial T} = 0$.")[-1] != "proved"


@pytest.mark.parametrize(
    ("written", "slope", "verdict"),
    [
        ("x e^{f(x)}", "e^{f(x)} + x f'(x) e^{f(x)}", "proved"),
        ("x e^{f(x)}", "e^{f(x)}", "refuted"),
        ("x 2^{f(x)}", r"2^{f(x)} + x f'(x) 2^{f(x)} \log 2", "proved"),
        ("x 2^{f(x)}", "2^{f(x)}", "refuted"),
    ],
)
def test_a_function_in_an_exponent(written: str, slope: str, verdict: str) -> None:
    text = rf"Let $F = {written}$. Then $\frac{{dF}}{{dx}} = {slope}$."
    assert verdicts(text)[-1] == verdict


def test_a_loss_that_depends_on_an_output_is_derived_through_it() -> None:
    text = r"Let $A = \operatorname{softmax}(S)$ and $O = A V$. For a loss $L$ that depends on $O$ "
    slope = (
        r"\frac{\partial L}{\partial S_{ij}} = A_{ij} \Big( \frac{\partial L}{\partial A_{ij}} - "
    )
    right, wrong = (
        rf"$${slope} \sum_k A_{{{x}}} \frac{{\partial L}}{{\partial A_{{{x}}}}} \Big)$$"
        for x in ("ik", "kj")
    )
    assert verdicts(text + right)[-1] == "proved"
    assert verdicts(text + wrong)[-1] == "refuted"
