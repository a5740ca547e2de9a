"""Bounds whose gap is a divergence, divergences that are said, and laws that lose their label."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.checker.report import Row

HEAD = "Let $p(x, u)$ be a density of data and codes, and let $q(u \\mid x)$ be any density.\n\n"
OPEN = ("unproved", "skipped")
JOINT = r"\mathbb{E}_{q(u \mid x)}[\log p(x, u) - \log q(u \mid x)]"


def row(latex: str, head: str = HEAD) -> Row:
    return check(f"{head}$$ {latex} $$\n", corrections=False, timeout=None).rows[-1]


@pytest.mark.parametrize(
    "latex",
    [
        rf"\log p(x) \geq {JOINT}",
        rf"{JOINT} \leq \log p(x)",
        r"\log p(x) \geq \mathbb{E}_{q(u \mid x)}[\log p(x \mid u)]"
        r" - \mathrm{KL}(q(u \mid x) \,\|\, p(u))",
        r"\log \mathbb{E}_{q(u \mid x)}\left[\frac{p(x, u)}{q(u \mid x)}\right] \geq " + JOINT,
        r"\mathrm{KL}(q(u \mid x) \,\|\, p(u)) \geq 0",
    ],
)
def test_a_bound_with_a_divergence_between_its_sides(latex: str) -> None:
    assert row(latex).verdict == "proved"
    assert row(latex).kind == "inequality"
    turned = latex.replace(r"\geq", "%").replace(r"\leq", r"\geq").replace("%", r"\leq")
    assert row(turned).verdict == "refuted"
    words = "Here $q$ is optimal.\n\n"
    assert row(turned, HEAD + words).verdict in OPEN


@pytest.mark.parametrize(
    "latex",
    [
        r"\log p(x) \geq \mathbb{E}_{q(u \mid x)}[\log p(x \mid u)]"
        r" + \mathrm{KL}(q(u \mid x) \,\|\, p(u))",
        r"\log p(x) \geq \mathbb{E}_{q(u \mid x)}[\log p(x, u)]",
        r"\mathbb{E}_{q(u \mid x)}[\log p(x \mid u)] \geq " + JOINT,  # p(u) may be a density
    ],
)
def test_a_bound_that_no_divergence_makes_is_open(latex: str) -> None:
    assert row(latex).verdict in OPEN


def test_the_entropy_of_a_law_that_stands_by_its_name() -> None:
    bound = r"F(q) = \mathbb{E}_{q(u)}[\log p(x, u)] + H(q)"
    text = "Let $p(x, u)$ and $q(u)$ be densities.\n\n" + f"$$ {bound} $$\n\n"
    assert row(r"F(q) \leq \log p(x)", text).verdict == "proved"
    assert row(r"F(q) \geq \log p(x)", text).verdict == "refuted"
    other = text.replace("+ H(q)", "+ H(x)")  # of x, which no law is
    assert row(r"F(q) \leq \log p(x)", other).verdict not in ("proved", "refuted")


def test_a_chain_with_a_bound_at_its_end() -> None:
    text = (
        rf"$$ \log p(x) = \log \int p(x, u) \, du \geq {JOINT} $$"
        "\n\n"
        rf"$$ \log p(x) = \log \int p(x, u)^2 \, du \geq {JOINT} $$"
        "\n"
    )
    found = [r.verdict for r in check(HEAD + text, corrections=False, timeout=None)][-4:]
    assert found[:2] == ["proved", "proved"]
    assert "proved" not in found[2:]


@pytest.mark.parametrize("name", [r"D_{KL}", r"\mathrm{KL}", r"\mathrm{D_{KL}}"])
def test_an_equation_for_a_divergence_is_a_claim(name: str) -> None:
    latex = rf"{name}(q(u), p(u)) = \int q(u) \log \frac{{q(u)}}{{p(u)}} \, du"
    assert row(latex, "").verdict == "proved"
    assert row(latex.replace(r"\frac{q(u)}{p(u)}", r"\frac{p(u)}{q(u)}"), "").verdict == "refuted"
    # H(q, p) and D_α may be defined so
    other = latex.replace(name, r"D_{\alpha}")
    assert row(other, "").verdict in ("definition", "skipped", "unproved")


PARAMETER = (
    r"\log p_\theta(x) = \mathbb{E}_{q(u \mid x)}"
    r"[\log p_\theta(x, u) - \log q(u \mid x)] + \mathrm{KL}(q(u \mid x) \,\|\, %s(u \mid x))"
)


def test_a_law_without_its_parameter_is_that_law_under_a_condition() -> None:
    assert row(PARAMETER % r"p_\theta").verdict == "proved"
    found = row(PARAMETER % "p")
    assert (found.verdict, found.reason) == ("conditional", "true where p is p_theta")
    wrong = (PARAMETER % "p").replace("+ ", "- ")
    assert row(wrong).verdict in OPEN  # p may be another law
