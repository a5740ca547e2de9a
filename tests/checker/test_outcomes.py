"""Averages, integrals and sums over outcomes: what holds for all laws, slips, and near-misses."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.checker.report import Row

HEAD = r"""Let $p(x)$ and $q(x)$ be densities, $p_\theta(\tau)$ the distribution of trajectories and
$\pi_\theta(a \mid s)$ a policy. The entropy is in nats, and $b$ is a constant.

"""


def rows(*formulas: str, head: str = HEAD) -> list[Row]:
    shown = "".join(f"$$ {latex} $$\n\n" for latex in formulas)
    found = check(head + shown, corrections=False, timeout=None)
    first = head.count("\n") + 1
    return [r for r in found if r.line >= first]


TRUE = (
    r"\mathbb{E}_{x \sim p}[f(x)] = \int f(x) p(x) \, dx",
    r"\mathbb{E}_{x \sim p}[f(x)] = \mathbb{E}_{x \sim q}\left[\frac{p(x)}{q(x)} f(x)\right]",
    r"\mathbb{E}_{p(x, y)}[f(x) + g(y)] = \mathbb{E}_{p(x)}[f(x)] + \mathbb{E}_{p(y)}[g(y)]",
    r"\mathbb{E}_{p(x) q(y)}[f(x) g(y)] = \mathbb{E}_{p(x)}[f(x)] \, \mathbb{E}_{q(y)}[g(y)]",
    r"\mathbb{E}_{p(y)}[\mathbb{E}_{p(x \mid y)}[g(x)]] = \mathbb{E}_{p(x)}[g(x)]",
    r"p(z \mid x) = \frac{p(x \mid z) p(z)}{\int p(x \mid z') p(z') \, dz'}",
    r"\int p(x, y \mid z) \, dy = p(x \mid z)",
    r"\sum_{s'} P(s' \mid s, a) = 1",
    r"\log p(x) = \mathbb{E}_{q(z \mid x)}\left[\log \frac{p(x, z)}{q(z \mid x)}\right]"
    r" + \mathrm{KL}(q(z \mid x) \,\|\, p(z \mid x))",
    r"H(X, Y) = H(X) + H(Y \mid X)",
    r"I(X; Y \mid Z) = H(X \mid Z) - H(X \mid Y, Z)",
    r"\nabla_\theta \mathbb{E}_{\tau \sim p_\theta(\tau)}[R(\tau)]"
    r" = \mathbb{E}_{\tau \sim p_\theta(\tau)}[(R(\tau) - b) \nabla_\theta \log p_\theta(\tau)]",
    r"\mathbb{E}_{a \sim \pi_\theta(\cdot \mid s)}"
    r"[c(s) \nabla_\theta \log \pi_\theta(a \mid s)] = 0",
    r"\mathbb{E}_{\tau \sim p_\theta(\tau)}[\nabla_\theta^2 \log p_\theta(\tau)] = "
    r"-\mathbb{E}_{\tau \sim p_\theta(\tau)}"
    r"[\nabla_\theta \log p_\theta(\tau) \nabla_\theta \log p_\theta(\tau)^\top]",
    r"\nabla_x \log p(x \mid y) = \nabla_x \log p(x) + \nabla_x \log p(y \mid x)",
    r"\sum_{i=1}^n \log q(x_i) = \log \prod_{i=1}^n q(x_i)",
)


def test_what_holds_for_all_laws_is_proved() -> None:
    found = rows(*TRUE)
    assert len(found) == len(TRUE)
    assert not [r.latex for r in found if r.verdict != "proved"]


SLIPS = (
    (r"\mathbb{E}_{x \sim p}[f(x)] = \mathbb{E}_{x \sim q}[\frac{q(x)}{p(x)} f(x)]", "way up"),
    (r"\mathrm{Var}_{x \sim p}[f(x)] = "
     r"\mathbb{E}_{x \sim p}[f(x)^2] + \mathbb{E}_{x \sim p}[f(x)]^2", "sign"),
    (r"\mathbb{E}_{q(x)}[\log q(x) - \log p(x)] = \mathrm{KL}(p(x) \,\|\, q(x))", "exchanged"),
    (r"H(X \mid Y) = H(X, Y) - H(X)", "given exchanged"),
    (r"\nabla_\theta \mathbb{E}_{\tau \sim p_\theta(\tau)}[R(\tau)] = "
     r"\mathbb{E}_{\tau \sim p_\theta(\tau)}[R(\tau) \nabla_\theta p_\theta(\tau)]", "logarithm"),
    (r"\nabla_\theta \mathbb{E}_{\tau \sim p_\theta(\tau)}[R(\tau)] = "
     r"-\mathbb{E}_{\tau \sim p_\theta(\tau)}[R(\tau) \nabla_\theta \log p_\theta(\tau)]", "sign"),
    (r"\nabla_x \log p(x \mid y) = \nabla_x \log p(x) - \nabla_x \log p(y \mid x)", "sign"),
)  # fmt: skip


@pytest.mark.parametrize(("latex", "words"), SLIPS)
def test_a_slip_is_refuted_with_what_would_be_true(latex: str, words: str) -> None:
    (found,) = rows(latex)
    assert found.verdict == "refuted" and words in found.reason


NEITHER = (
    r"\mathbb{E}_{p(x, y)}[f(x) g(y)] = \mathbb{E}_{p(x)}[f(x)] \, \mathbb{E}_{p(y)}[g(y)]",
    r"p(x, y \mid z) = p(x \mid z) \, p(y \mid z)",
    r"q(x' \mid x) = q(x \mid x')",  # a symmetric proposal
    r"\sum_s \rho(s) P(s' \mid s) = \rho(s')",  # a stationary law
    r"\int p(x \mid y) p(y \mid z) \, dy = p(x \mid z)",  # of a Markov chain
    r"\int q(x) f(x) \, dx = \int p(x) f(x) \, dx",
    r"\mathbb{E}_{x \sim p}[f(x)] = 0",
    r"\mathrm{KL}(q(x) \,\|\, p(x)) = 0",
    r"\mathbb{E}_{z \sim q_\phi(z \mid x)}[f(z)] = \mathbb{E}_{u \sim p(u)}[f(g_\phi(u, x))]",
    r"\mathbb{E}_{\tau \sim p_\theta(\tau)}[R] = R",
    r"\frac{1}{n} \sum_{i=1}^n f(x_i) = \mathbb{E}_{p(x)}[f(x)]",
    r"\sum_{t=1}^m \mathbb{E}_{p(y_t)}[f(y_t)] = m \, \mathbb{E}_{p(y)}[f(y)]",
)


@pytest.mark.parametrize("latex", NEITHER)
def test_what_may_hold_for_some_laws_is_neither_proved_nor_refuted(latex: str) -> None:
    verdicts = {r.verdict for r in rows(latex)}
    assert not verdicts & {"proved", "refuted", "malformed"}


def test_what_does_not_hold_is_not_proved_beside_anything() -> None:
    wrong = (
        r"\nabla_\theta \mathbb{E}_{z \sim q_\theta(z)}[f(z)]"
        r" = \mathbb{E}_{z \sim q_\theta(z)}[\nabla_\theta f(z)]",
        r"\nabla_\theta \sum_a \pi(a \mid s) Q(s, a) = \sum_a \pi(a \mid s) \nabla_\theta Q(s, a)",
        r"\nabla_\theta \sum_a \pi_\theta(a \mid s) Q^\pi(s, a)"
        r" = \sum_a Q^\pi(s, a) \nabla_\theta \pi_\theta(a \mid s)",
        r"\mathbb{E}_{a \sim \pi_\theta(a \mid s)}"
        r"[c(s, a) \nabla_\theta \log \pi_\theta(a \mid s)] = 0",
        r"\mathbb{E}_{p(x_t)}[f(x_t)] = m",
        r"\mathbb{E}_{p(x)}[f(x) g(x)] = \mathbb{E}_{p(x)}[f(x)] \, \mathbb{E}_{p(x)}[g(x)]",
        r"\mathbb{E}_{p(x)}[f(x)]^2 = \mathbb{E}_{p(x)}[f(x)^2]",
        r"\log \mathbb{E}_{p(x)}[f(x)] = \mathbb{E}_{p(x)}[\log f(x)]",
        r"\int p(x, z) \, dx = p(x)",
        r"\int p(x \mid z) \, dz = 1",
        r"p(x \mid z) p(z \mid x) = p(x, z)",
        r"\mathbb{E}_{p(x \mid z)}[f(x)] = \mathbb{E}_{p(x)}[f(x)]",
    )
    assert not [r.latex for r in rows(*wrong) if r.verdict == "proved"]


def test_what_hangs_on_an_outcome_in_the_words_alone_is_no_constant() -> None:
    found = rows(
        r"y = g(x)",
        r"v \sim p(v \mid x)",
        r"\mathbb{E}_{x \sim p(x)}[y f(x)] = y \, \mathbb{E}_{x \sim p(x)}[f(x)]",
        r"\mathbb{E}_{x \sim p(x)}[v f(x)] = v \, \mathbb{E}_{x \sim p(x)}[f(x)]",
        r"\mathbb{E}_{x \sim p(x)}[h(v)] = h(v)",
    )
    assert not [r.latex for r in found if r.verdict == "proved"]


def test_definitions_of_the_text_are_put_in_and_named() -> None:
    found = rows(
        r"w(x) = \frac{p(x)}{q(x)}",
        r"\mathbb{E}_{x \sim q}[w(x)^2] = \mathbb{E}_{x \sim p}[w(x)]",
        r"\mathrm{Var}_{x \sim q}[w(x)] = \mathbb{E}_{x \sim q}[w(x)^2] - 1",
    )
    assert [r.verdict for r in found] == ["definition", "proved", "proved"]
    assert found[1].used == (f"line {found[0].line}",)


def test_a_law_with_a_formula_of_its_own_is_that_formula() -> None:
    found = rows(
        r"Z_\theta = \int \exp(-E_\theta(x)) \, dx",
        r"p_\theta(x) = \frac{\exp(-E_\theta(x))}{Z_\theta}",
        r"\nabla_\theta \log Z_\theta = -\mathbb{E}_{x \sim p_\theta}[\nabla_\theta E_\theta(x)]",
        r"\nabla_\theta \log Z_\theta = \mathbb{E}_{x \sim p_\theta}[\nabla_\theta E_\theta(x)]",
        head="The density of a Gibbs distribution:\n\n",
    )
    assert [r.verdict for r in found[:3]] == ["definition", "definition", "proved"]
    assert found[3].verdict != "proved"


def test_rows_of_a_display_that_are_not_read_alone_are_decided() -> None:
    text = (
        HEAD
        + r"""
$$
\begin{aligned}
\nabla_\theta \mathbb{E}_{\tau \sim p_\theta(\tau)}[R(\tau)]
&= \int \nabla_\theta p_\theta(\tau) R(\tau) \, d\tau \\
&= \int p_\theta(\tau) \nabla_\theta \log p_\theta(\tau) R(\tau) \, d\tau \\
&= \mathbb{E}_{\tau \sim p_\theta(\tau)}[\nabla_\theta \log p_\theta(\tau) R(\tau)]
\end{aligned}
$$
"""
    )
    verdicts = [r.verdict for r in check(text, corrections=False, timeout=None) if "=" in r.latex]
    assert {*verdicts} == {"proved"}
    assert "proved" not in [
        r.verdict for r in check(text.replace("&= \\mathbb", "&= 2\\mathbb"), corrections=False)
    ]


def test_a_pressure_is_no_law() -> None:
    (found,) = rows(
        r"\int p(x) \, dx = 1", head="The pressure $p(x)$ under a distribution of loads.\n\n"
    )
    assert found.verdict != "proved"


def test_a_probability_times_a_sum_is_a_product() -> None:
    """The p of p (b + 1) is applied to no outcome."""
    head = "With probability $p$ it pays $b$, and $q = 1 - p$.\n\n"
    found = rows("b p - q = p (b + 1) - 1", "b p - q = p (b + 1) + 1", head=head)
    assert [r.verdict for r in found] == ["proved", "refuted"]


def test_nothing_is_true_with_what_a_wrong_equation_says() -> None:
    fisher = r"\mathbb{E}_{x \sim p_\theta}[\nabla_\theta^2 \log p_\theta(x)]"
    text = (
        r"Let $p_\theta(x)$ be a family of densities."
        f"\n\n$$ F(\\theta) = -{fisher} $$\n\n$$ F(\\theta) = {fisher} $$\n\n"
        r"$$ F(\theta) = SIGN \int \frac{1}{p_\theta(x)} \nabla_\theta p_\theta(x)"
        r" \nabla_\theta p_\theta(x)^\top dx $$"
    )
    right, wrong = (check(text.replace("SIGN", sign), corrections=False) for sign in ("", "-"))
    assert [r.verdict for r in right.rows[-2:]] == ["refuted", "proved"]
    assert [r.verdict for r in wrong.rows[-2:]] == ["refuted", "refuted"]
