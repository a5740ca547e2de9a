r"""What a text says of how things are distributed, and the moments that follow from it."""

from __future__ import annotations

from pathlib import Path

import pytest

import symattn as sa

NORMAL = r"""Let $x \sim \mathcal{N}(\mu, \sigma^2)$ and $z = a x + b$ with constants $a$ and $b$.

"""
VECTOR = r"""Let $X$ be a random vector in $\mathbb{R}^d$ with mean $\mu$ and covariance $\Sigma$,
$A \in \mathbb{R}^{m \times d}$.

"""
NEURON = r"""Consider $y = \sum_{i=1}^n w_i x_i$, where the $w_i$ are i.i.d. with zero mean
and variance $\sigma_w^2$, the $x_i$ are i.i.d. with zero mean and variance $\sigma_x^2$, and $w_i$
and $x_i$ are independent.

"""
MEASURED = r"""The state is $x \sim \mathcal{N}(m, P)$, the measurement $z = H x + v$ with
$v \sim \mathcal{N}(0, R)$ independent of $x$.

"""
NOISE = r"""Linear regression $y = X\beta + \varepsilon$ with $X \in \mathbb{R}^{n\times p}$ fixed
and $\varepsilon \sim \mathcal{N}(0, \sigma^2 I)$ has the estimator
$\hat\beta = (X^\top X)^{-1} X^\top y$.

"""
PARTNERS = r"""Let $X \sim \mathcal{N}(\mu, \sigma^2)$, and let $Y$ be another variable.

"""
RETURNS = r"""The return is $R = \sum_i w_i r_i$ where the returns $r$ have mean $\mu$ and
covariance $\Sigma$.

"""


SAID = r"""The weights $w_i$ and the inputs $x_i$ are independent, with
$\mathbb{E}[w_i] = 0$, $\operatorname{Var}(w_i) = \sigma_w^2$ and
$\mathbb{E}[x_i] = 0$, $\operatorname{Var}(x_i) = \sigma_x^2$.
The output is $y = \sum_{i=1}^n w_i x_i$.

"""
EACH = r"""Let $\mathbb{E}[x_i] = \mu_i$ and $\operatorname{Var}(x_i) = \sigma_i^2$ with
independent $x_i$, and $y = \sum_i a_i x_i$.

"""
SCALE = r"""The components of $q$ and $k$ are independent with
$\mathbb{E}[q_i] = \mathbb{E}[k_i] = 0$ and
$\operatorname{Var}(q_i) = \operatorname{Var}(k_i) = 1$, and $s = \sum_{i=1}^d q_i k_i$.

"""
ERRORS = r"""In the model $y = X\beta + \epsilon$ with $\mathbb{E}[\epsilon] = 0$ and
$\operatorname{Cov}(\epsilon) = \sigma^2 I$ the estimator is $\hat\beta = (X^\top X)^{-1} X^\top y$.

"""
SECOND = r"""Let $\mathbb{E}[x] = 0$, $\mathbb{E}[x x^\top] = C$ and let $n$ be noise
independent of $x$ with $\mathbb{E}[n] = 0$,
$\mathbb{E}[n n^\top] = \sigma^2 I$. Let $y = x + n$.

"""
SHIFTED = SECOND.replace(r"\mathbb{E}[x] = 0", r"\mathbb{E}[x] = \mu")
SAMPLES = r"""The samples $x_1, \dots, x_n$ are independent with $\mathbb{E}[x_i] = \mu$ and
$\operatorname{Var}(x_i) = \sigma^2$. Their mean is $\bar x = \frac1n \sum_{i=1}^n x_i$.

"""
TIED = SAMPLES.replace("are independent", "are correlated")
CASE = r"""If $\mathbb{E}[x] = 0$, the second moment is the variance.

"""


def verdict(tmp_path: Path, text: str, formula: str) -> str:
    path = tmp_path / "page.md"
    path.write_text(f"{text}$${formula}$$\n")
    return next(r.verdict for r in sa.check(path, corrections=False) if r.latex.strip() == formula)


@pytest.mark.parametrize(
    ("text", "formula", "expected"),
    [
        (SAID, r"\operatorname{Var}(y) = n \sigma_w^2 \sigma_x^2", "proved"),
        (SAID, r"\operatorname{Var}(y) = n^2 \sigma_w^2 \sigma_x^2", "refuted"),
        (EACH, r"\operatorname{Var}(y) = \sum_i a_i^2 \sigma_i^2", "proved"),
        (EACH, r"\mathbb{E}[y] = \sum_i a_i \mu_i", "proved"),
        (EACH, r"\mathbb{E}[y] = \sum_i a_i^2 \mu_i", "refuted"),
        (
            EACH.replace("independent", "dependent"),
            r"\operatorname{Var}(y) = \sum_i a_i^2 \sigma_i^2",
            None,
        ),
        (SCALE, r"\operatorname{Var}(s/\sqrt{d}) = 1", "proved"),
        (ERRORS, r"\operatorname{Cov}(\hat\beta) = \sigma^2 (X^\top X)^{-1}", "proved"),
        (SECOND, r"\mathbb{E}[y y^\top] = C + \sigma^2 I", "proved"),
        (SHIFTED, r"\operatorname{Cov}(y) = C + \sigma^2 I", None),
        (SAMPLES, r"\operatorname{Var}(\bar x) = \frac{\sigma^2}{n}", "proved"),
        (SAMPLES, r"\operatorname{Var}(\bar x) = \frac{\sigma^2}{\sqrt n}", "refuted"),
        (TIED, r"\operatorname{Var}(\bar x) = \frac{\sigma^2}{n}", None),
        (CASE, r"\operatorname{Var}(x) = \mathbb{E}[x^2]", None),
        (NORMAL, r"\mathbb{E}[x^2] = \mu^2 + \sigma^2", "proved"),
        (NORMAL, r"\mathbb{E}[(x-\mu)^4] = 3\sigma^4", "proved"),
        (NORMAL, r"\mathbb{E}[(x-\mu)^4] = 2\sigma^4", "refuted"),
        (NORMAL, r"\operatorname{Var}(z) = a^2\sigma^2", "proved"),
        (NORMAL, r"\operatorname{Var}(z) = a\sigma^2", "refuted"),
        (VECTOR, r"\operatorname{Cov}(AX) = A \Sigma A^\top", "proved"),
        (VECTOR, r"\mathbb{E}[X X^\top] = \Sigma + \mu\mu^\top", "proved"),
        (VECTOR, r"\mathbb{E}[X X^\top] = \Sigma - \mu\mu^\top", "refuted"),
        (NEURON, r"\operatorname{Var}(y) = n \sigma_w^2 \sigma_x^2", "proved"),
        (NEURON, r"\operatorname{Var}(y) = \sigma_w^2 \sigma_x^2", "refuted"),
        (MEASURED, r"\operatorname{Cov}(z) = H P H^\top + R", "proved"),
        (MEASURED, r"\operatorname{Cov}(x, z) = P H^\top", "proved"),
        (MEASURED, r"\operatorname{Cov}(z) = H P H^\top - R", "refuted"),
        (NOISE, r"\mathbb{E}[\hat\beta] = \beta", "proved"),
        (NOISE, r"\operatorname{Cov}(\hat\beta) = \sigma^2 (X^\top X)^{-1}", "proved"),
        (RETURNS, r"\operatorname{Var}(R) = w^\top \Sigma w", "proved"),
    ],
)
def test_moments_follow_from_laws(
    tmp_path: Path, text: str, formula: str, expected: str | None
) -> None:
    found = verdict(tmp_path, text, formula)
    assert found == expected if expected else found not in ("proved", "refuted")


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        (PARTNERS, r"\operatorname{Cov}(X, Y) = \rho \sigma \sigma_Y"),  # Y has no law
        (  # η may be noise
            "Let $x \\sim \\mathcal{N}(\\mu, 1)$ and $y = w x + \\eta$.\n\n",
            r"\mathbb{E}[y] = w \mu",
        ),
        (  # f is a function of what is random
            "Let $\\epsilon \\sim \\mathcal{N}(0, 1)$.\n\n",
            r"\mathbb{E}_z[f(x, z)] = f(x, z) + \mathbb{E}[\epsilon]",
        ),
        (  # nobody calls them independent
            "Let $x \\sim \\mathcal{N}(0, 1)$ and $y \\sim \\mathcal{N}(0, 1)$.\n\n",
            r"\operatorname{Var}(x + y) = 2",
        ),
        (NORMAL.replace(r"\sim", r"\not\sim"), r"\mathbb{E}[x^2] = 2\sigma^2"),
        (
            NEURON.replace("are independent", "are not independent"),
            r"\operatorname{Var}(y) = \sigma_w^2 \sigma_x^2",
        ),
        (  # the mean is that of r, not of R before it
            RETURNS.replace("r$ have", "r$, which do not have"),
            r"\operatorname{Var}(R) = 2 w^\top \Sigma w",
        ),
        (  # a third moment needs more than a mean and a variance
            "Let $x$ be a number with mean $\\mu$ and variance $\\sigma^2$.\n\n",
            r"\mathbb{E}[(x - \mu)^3] = \sigma^3",
        ),
    ],
)
def test_nothing_is_claimed_without_a_law(tmp_path: Path, text: str, formula: str) -> None:
    assert verdict(tmp_path, text, formula) not in ("proved", "refuted")


def test_a_difference_of_sums_at_the_border(tmp_path: Path) -> None:
    text = "Let $S_n = \\sum_{k=1}^n x_k$.\n\n"
    assert verdict(tmp_path, text, "S_n - S_{n-1} = x_n") == "proved"
    assert verdict(tmp_path, text, "S_n - S_{n-1} = x_{n-1}") == "refuted"


def test_a_sentence_without_a_formula_says_nothing_of_a_name():
    text = "Here $$e \\sim \\mathcal{N}(0, 1)$$. "
    text += "Two ways of drawing the random variable $$z$$ are one."
    assert not [r for r in sa.check(text, corrections=False).rows if "fault" in r.reason]
