"""Bars are no brackets: |x| behind max, 𝔼 and the like is the absolute value of x."""

from __future__ import annotations

import pytest

from symattn.checker import check

HEAD = r"Let $w \in \mathbb{R}^n$, $A \in \mathbb{R}^{n \times n}$ and let $u$ be a number."


def verdict(claim: str, head: str = HEAD) -> str:
    return check(f"{head}\n\n$${claim}$$\n", corrections=False, timeout=None).rows[-1].verdict


@pytest.mark.parametrize(
    "claim",
    [
        r"\max_i |w_i| = \max_i w_i",
        r"\min_i |w_i| = \min_i w_i",
        r"\sum_i \max_j |A_{ij}| = \sum_i \max_j A_{ij}",
        r"\max(|u|, 1) = \max(u, 1)",
        r"\tanh |u| = \tanh u",
    ],
)
def test_what_is_false_without_them_is_refuted(claim: str) -> None:
    assert verdict(claim) == "refuted"


@pytest.mark.parametrize(
    "claim",
    [
        r"\max_i |c w_i| = |c| \max_i |w_i|",
        r"\max_i |w_i| = -\min_i (-|w_i|)",
        r"\max_i [w_i] = \max_i \{w_i\}",
        r"\max_i |w_i|^2 = \max_i w_i^2",
    ],
)
def test_what_is_true_with_them_is_proved(claim: str) -> None:
    assert verdict(claim) == "proved"


@pytest.mark.parametrize(
    "claim",
    [
        r"\mathbb{E}|X| = \mathbb{E}[X]",
        r"\mathbb{E}|X - Y| = \mathbb{E}[X] - \mathbb{E}[Y]",
        r"\operatorname{Var}|X| = \operatorname{Var}(X)",
    ],
)
def test_an_average_of_an_absolute_value_is_none_of_the_value(claim: str) -> None:
    assert verdict(claim, "Let $X$ and $Y$ be random variables.") == "unproved"


def test_the_largest_norm_is_a_number() -> None:
    text = r"""
We have $N$ patterns $x_i \in \mathbb{R}^d$ and a state $\xi \in \mathbb{R}^d$.
Let $M = \max_i \|x_i\|$.

$$E = \frac{1}{2}\xi^T\xi + \frac{1}{2}M^2.$$

$$E - \frac12 \|\xi\|^2 = \frac12 \max_i \|x_i\|^2$$
"""
    found = [r.verdict for r in check(text, timeout=None, corrections=False)]
    assert found == ["definition", "definition", "proved"]


def test_another_function_of_an_absolute_value_is_no_sigmoid() -> None:
    text = r"""
Let $\sigma(x) = \frac{1}{1 + e^{-|x|}}$. Then

$$\sigma(x) = \sigma(-x)$$

$$\sigma(x) + \sigma(-x) = 1$$
"""
    assert [r.verdict for r in check(text, corrections=False, timeout=None)][1:] == [
        "proved",
        "unproved",
    ]
