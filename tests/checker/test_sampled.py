"""Means and other statistics that words define."""

from __future__ import annotations

import pytest

from symattn.checker import check

SPREAD = r"\sum_{i=1}^n (x_i - \bar x)^2 = \sum_{i=1}^n x_i^2 - n \bar x^2"
TWICE = r"\sum_{i=1}^n (x_i - \bar x)^2 = \sum_{i=1}^n x_i^2 - 2 n \bar x^2"
BOTH = r"\sum_{i=1}^n (x_i - \bar x)(y_i - \bar y) = \sum_{i=1}^n x_i y_i - n \bar x \bar y"


def verdicts(words: str, *formulas: str) -> list[str]:
    text = words + "".join(f"\n\n$$ {f} $$" for f in formulas)
    return [r.verdict for r in check(text, corrections=False, timeout=None) if r.line > 1]


@pytest.mark.parametrize(
    "words",
    [
        r"Here $\bar{x}$ is the mean of $x \in \mathbb{R}^n$ and $\bar y$ that of $y$.",
        r"Let $\bar x$ and $\bar y$ be the [sample means](/means) of $x$ and $y$.",
        r"With the sample mean $\bar x$ of $x_1, \dots, x_n$, and the average $\bar y$.",
        r"Data $x, y \in \mathbb{R}^n$; $\bar x$ and $\bar y$ are their means.",
    ],
)
def test_means_are_defined_by_words(words: str) -> None:
    assert verdicts(words, SPREAD, TWICE, BOTH) == ["proved", "refuted", "proved"]


def test_an_equation_goes_before_words() -> None:
    own = r"\bar x = \frac{1}{n - 1} \sum_{i=1}^n x_i"
    found = verdicts(r"Here $\bar{x}$ is called the mean of $x$.", own, SPREAD)
    assert found == ["definition", "refuted"]


def test_the_mean_of_a_law_is_no_mean_of_components() -> None:
    words = (
        r"Let $x \sim \mathcal{N}(\mu, \Sigma)$, where $\mu$ is the mean of $x \in \mathbb{R}^d$."
    )
    wrong = r"(x - \mu)^\top A (x - \mu) = x^\top A x - \mu^\top A \mu"
    assert verdicts(words, wrong) == ["refuted"]


def test_the_mean_of_a_law_that_each_component_has_is_another() -> None:
    words = r"The $x_1, \dots, x_n$ are independent, and $m$ is the mean of $x_i$."
    assert verdicts(words, r"\sum_{i=1}^n (x_i - m) = 0")[0] not in ("proved", "refuted")


@pytest.mark.parametrize(
    "words",
    [
        r"$s$ is the standard deviation of $x \in \mathbb{R}^n$ and $\bar x$ is the mean of $x$.",
        r"$s^2$ is the sample [variance](/v) of $x$, and $\bar x$ the sample mean.",
    ],
)
def test_a_statistic_is_no_free_number(words: str) -> None:
    claim = r"\sum_{i=1}^n (x_i - \bar x)^2 + 1 = n s^2 + 1"
    assert verdicts(words, claim)[0] not in ("refuted", "proved")
