"""Averages of derivatives of log densities: scores and Fisher information."""

from __future__ import annotations

import pytest

from symattn.checker import check

NORMAL = r"""
Let $x \sim \mathcal{N}(\mu, \sigma^2)$ with the log density

$$ \ell = -\frac{(x - \mu)^2}{2\sigma^2} - \log \sigma - \frac{1}{2} \log 2\pi $$

"""
POISSON = r"""
Let $y \sim \mathrm{Poisson}(\lambda)$ and

$$ \ell = y \log \lambda - \lambda $$

"""
COIN = r"""
Let $z \sim \mathrm{Bernoulli}(p)$ and

$$ \ell = z \log p + (1 - z) \log(1 - p) $$

"""
REGRESSION = r"""
Let $y_i = w u_i + \epsilon_i$ with independent $\epsilon_i \sim \mathcal{N}(0, s^2)$ and

$$ \ell = -\frac{1}{2 s^2} \sum_i (y_i - w u_i)^2 $$

"""
FIRST, SECOND = r"\frac{\partial \ell}{\partial %s}", r"\frac{\partial^2 \ell}{\partial %s^2}"
CLAIMS = [
    (NORMAL, r"\mathbb{E}\left[ %s \right] = 0", FIRST % r"\mu", "proved"),
    (NORMAL, r"-\mathbb{E}\left[ %s \right] = \frac{1}{\sigma^2}", SECOND % r"\mu", "proved"),
    (NORMAL, r"\mathbb{E}\left[ %s \right] = \frac{1}{\sigma^2}", SECOND % r"\mu", "refuted"),
    (NORMAL, r"-\mathbb{E}\left[ %s \right] = \frac{2}{\sigma^2}", SECOND % r"\sigma", "proved"),
    (NORMAL, r"-\mathbb{E}\left[ %s \right] = \frac{1}{\sigma^2}", SECOND % r"\sigma", "refuted"),
    (NORMAL, r"\mathbb{E}\left[ (%s)^2 \right] = \frac{2}{\sigma^2}", FIRST % r"\sigma", "proved"),
    (NORMAL, r"\mathbb{E}\left[ (%s)^2 \right] = \frac{4}{\sigma^2}", FIRST % r"\sigma", "refuted"),
    (POISSON, r"-\mathbb{E}\left[ %s \right] = \frac{1}{\lambda}", SECOND % r"\lambda", "proved"),
    (POISSON, r"-\mathbb{E}\left[ %s \right] = \frac{2}{\lambda}", SECOND % r"\lambda", "refuted"),
    (POISSON, r"\mathbb{E}\left[ (%s)^2 \right] = \frac{1}{\lambda}", FIRST % r"\lambda", "proved"),
    (COIN, r"-\mathbb{E}\left[ %s \right] = \frac{1}{p (1 - p)}", SECOND % "p", "proved"),
    (COIN, r"-\mathbb{E}\left[ %s \right] = \frac{1}{p}", SECOND % "p", "refuted"),
    # whether y is held or moves with w is not said
    (REGRESSION, r"-\mathbb{E}\left[ %s \right] = \sum_i \frac{u_i^2}{s^2}", SECOND % "w", "open"),
    (REGRESSION, r"-\mathbb{E}\left[ %s \right] = 0", SECOND % "w", "open"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "latex", "inside", "verdict"), CLAIMS)
def test_averages_of_derivatives(head: str, latex: str, inside: str, verdict: str) -> None:
    row = check(f"{head}$$ {latex % inside} $$", timeout=None, corrections=False).rows[-1]
    if verdict == "open":
        assert row.verdict not in ("proved", "refuted"), row.reason
    else:
        assert row.verdict == verdict, row.reason


@pytest.mark.parametrize(
    ("law", "latex", "verdict"),
    [
        (r"k \sim \mathrm{Bin}(m, q)", r"\mathbb{E}[k] = m q", "proved"),
        (r"k \sim \mathrm{Bin}(m, q)", r"\mathrm{Var}(k) = m q (1 - q)", "proved"),
        (r"k \sim \mathrm{Bin}(m, q)", r"\mathrm{Var}(k) = m q (1 + q)", "refuted"),
        (r"k \sim \text{Poisson}(\lambda)", r"\mathbb{E}[k^2] = \lambda^2 + \lambda", "proved"),
        (r"k \sim \text{Poisson}(\lambda)", r"\mathbb{E}[k^2] = \lambda^2", "refuted"),
        (r"k \sim \text{Poisson}(\lambda)", r"\mathbb{E}[k^3] = \lambda^3", "open"),
    ],
)
def test_what_is_counted(law: str, latex: str, verdict: str) -> None:
    row = check(f"Let ${law}$. Then\n\n$$ {latex} $$", timeout=None, corrections=False).rows[-1]
    if verdict == "open":
        assert row.verdict not in ("proved", "refuted"), row.reason
    else:
        assert row.verdict == verdict, row.reason
