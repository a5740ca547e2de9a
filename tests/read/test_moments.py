r"""𝔼 over what is not stated is linear; constants come out, and nothing else does."""

from __future__ import annotations

import pytest

from symattn.checker import check

WORDS = "For random variables $X$ and $Y$, constants $a$ and $b$ and a constant matrix $A$\n\n"

TRUE = [
    r"\mathbb{E}[aX + b] = a\,\mathbb{E}[X] + b",
    r"\mathrm{Var}(X) = \mathbb{E}[X^2] - \mathbb{E}[X]^2",
    r"\mathrm{Var}(aX + bY) = a^2 \mathrm{Var}(X) + b^2 \mathrm{Var}(Y) + 2ab\,\mathrm{Cov}(X, Y)",
    r"\mathbb{E}[(X - \mathbb{E}[X])Y] = \mathbb{E}[XY] - \mathbb{E}[X]\mathbb{E}[Y]",
    r"\mathbb{E}[\mathbb{E}[X]] = \mathbb{E}[X]",
    r"\mathrm{Cov}(Y, aX) = a\,\mathrm{Cov}(X, Y)",
    r"\mathbb{E}_{z \sim q}[\log q(z) - \log p(x)] = \mathbb{E}_{z \sim q}[\log q(z)] - \log p(x)",
    r"\mathbb{E}[(Z - t)^2] = \mathrm{Var}(Z) + (\mathbb{E}[Z] - t)^2",
    r"\mathbb{E}[A \bm{\xi} \bm{\xi}^\top A^\top] = A\,\mathbb{E}[\bm{\xi} \bm{\xi}^\top] A^\top",
]
OPEN = [  # false, or true of some random variables alone
    r"\mathbb{E}[X Y] = \mathbb{E}[X]\,\mathbb{E}[Y]",
    r"\mathbb{E}[c(X) X] = c(X)\,\mathbb{E}[X]",
    r"\mathbb{E}[X^2] = \mathbb{E}[X]^2",
    r"\mathrm{Var}(Y + \epsilon) = \mathrm{Var}(Y)",
    r"\mathrm{Cov}(X + Y, X) = \mathrm{Var}(X)",
    r"\mathbb{E}_{z \sim q(z)}[\log p(z, x)] = \log p(z, x)",
    r"\mathbb{E}_{z \sim q(z)}[\log p(z)] = \mathbb{E}_{z \sim r(z)}[\log p(z)]",
]  # fmt: skip


@pytest.mark.parametrize("latex", TRUE)
def test_linear(latex):
    (row,) = check(f"{WORDS}$$ {latex} $$", corrections=False)
    assert row.verdict == "proved"


@pytest.mark.parametrize("latex", OPEN)
def test_not_linear(latex):
    (row,) = check(f"{WORDS}$$ {latex} $$", corrections=False)
    assert row.verdict in ("unproved", "skipped")


def test_what_a_constant_is_defined_by():
    """μ is an average, and x hangs on z, which is random."""
    text = r"""
$$ \mu = \mathbb{E}[z] $$

$$ x = z^2 $$

$$ \mathbb{E}[(z - \mu)^2] = \mathbb{E}[z^2] - \mu^2 $$

$$ \mathbb{E}[x z] = x \mathbb{E}[z] $$
"""
    assert [r.verdict for r in check(text, corrections=False).rows[2:]] == ["proved", "unproved"]


def test_an_outcome_behind_a_name():
    """x hangs on z by its definition, so p(x) does not come out."""
    text = r"""
$$ x = z^2 + 1 $$

$$ \mathbb{E}_{z \sim q(z)}[\log q(z) - \log p(x)] = \mathbb{E}_{z \sim q(z)}[\log q(z)] - \log p(x) $$
"""  # noqa: E501
    assert check(text, corrections=False).rows[-1].verdict == "unproved"


def test_mean_zero_in_words():
    """A zero mean is a fact; what is said of u is said of no other name."""
    words = "Let $u$ be a zero-mean random vector and $A$ a constant matrix.\n\n"
    text = rf"{words}$$ \mathbb{{E}}[A u] = 0 $$" + "\n\n" + r"$$ \mathbb{E}[A v] = 0 $$"
    assert [r.verdict for r in check(text, corrections=False)] == ["proved", "skipped"]


def test_variance_of_a_vector():
    """Var(A u) is a matrix; the transpose belongs behind."""
    words = "For a random vector $\\mathbf{u}$ and a constant matrix $A$\n\n"
    right = r"$$ \mathrm{Var}(A \mathbf{u}) = A\,\mathrm{Var}(\mathbf{u}) A^\top $$"
    (row,) = check(words + right, corrections=False)
    assert row.verdict == "proved"
    (row,) = check(words + right.replace(r"A^\top", "A"), corrections=False)
    assert row.verdict not in ("proved", "definition")
