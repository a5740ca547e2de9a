r"""Averages that are all given one thing, as in a regression: it is a constant, and left out."""

import pytest

import symattn as sa

MODEL = r"""The responses are $y = X b + u$ with $X \in \mathbb{R}^{n \times k}$, with
$\mathbb{E}[u \mid X] = 0$ and $\mathrm{Var}(u \mid X) = \sigma^2 I$. The estimate is
$$ \hat b = (X^\top X)^{-1} X^\top y $$
and $M = I - X (X^\top X)^{-1} X^\top$. Then
$$ {} $$
"""


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        (r"\mathbb{E}[\hat b \mid X] = b", "proved"),
        (r"\mathbb{E}[\hat b \mid X] = 2 b", "unproved"),
        (r"\mathrm{Var}(\hat b \mid X) = \sigma^2 (X^\top X)^{-1}", "proved"),
        (r"\mathrm{Var}(\hat b \mid X) = \sigma (X^\top X)^{-1}", "unproved"),
        (
            r"\mathrm{Var}(\hat b \mid X) = (X^\top X)^{-1} X^\top\, \mathrm{Var}(u \mid X)\, X"
            r" (X^\top X)^{-1}",
            "proved",
        ),
        (r"\mathbb{E}[u^\top M u \mid X] = \sigma^2 (n - k)", "proved"),
        (r"\mathbb{E}[u^\top M u \mid X] = \sigma^2 n", "refuted"),
    ],
)
def test_regression(claim: str, found: str) -> None:
    assert sa.check(MODEL.replace("{}", claim), corrections=False).rows[-1].verdict == found


@pytest.mark.parametrize(
    "more",
    [r"\mathbb{E}[u] = 0", r"\mathbb{E}[u \mid Z] = 0", r"\mathbb{E}[X \mid X] = X"],
)
def test_another_average_says_that_the_condition_is_random(more: str) -> None:
    text = MODEL.replace("Then", f"and ${more}$. Then")
    claim = r"\mathrm{Var}(\hat b \mid X) = \sigma^2 (X^\top X)^{-1}"
    assert sa.check(text.replace("{}", claim), corrections=False).rows[-1].verdict not in (
        "proved",
        "refuted",
    )
