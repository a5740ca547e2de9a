r"""N(x | μ, Σ) before a bar or a semicolon is a density; π is 3.14… where it stands in 2π alone."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.checker.report import Row

HEAD = r"""Let $u \in \mathbb{R}^D$ and $m \in \mathbb{R}^D$, let $C \in \mathbb{R}^{D \times D}$ be
positive definite, and let $x$, $a$ and $v$ be numbers.

"""


def row(latex: str, head: str = HEAD) -> Row:
    return check(f"{head}$$ {latex} $$\n", corrections=False, timeout=None).rows[-1]


@pytest.mark.parametrize(
    ("latex", "slip"),
    [
        (
            r"\log \mathcal{N}(x \mid a, v) = -\frac12 \log(2\pi v) - \frac{(x - a)^2}{2 v}",
            (r"2\pi v", r"\pi v"),
        ),
        (
            r"\log \mathcal{N}(u; m, C) = -\frac{D}{2} \log(2\pi) - \frac12 \log|C|"
            r" - \frac12 (u - m)^\top C^{-1} (u - m)",
            (r"- \frac12 (u", r"- (u"),
        ),
        (
            r"\log \mathcal{N}(u \mid 0, \tau^2 I) = -\frac{D}{2} \log(2\pi\tau^2)"
            r" - \frac{\|u\|^2}{2 \tau^2}",
            (r"(2\pi\tau^2)", r"(2\pi\tau)"),
        ),
        (
            r"\log \mathcal{N}(u \mid m, \mathrm{diag}(s^2)) = -\frac12 \sum_k \left("
            r"\log(2\pi s_k^2) + \frac{(u_k - m_k)^2}{s_k^2}\right)",
            (r"{s_k^2}\right", r"{s_k}\right"),
        ),
        (
            r"\nabla_u \log \mathcal{N}(u \mid m, C) = -C^{-1} (u - m)",
            ("= -C", "= C"),
        ),
        (
            r"\frac{\partial}{\partial a} \mathcal{N}(x \mid a, b^2) ="
            r" \frac{x - a}{b^2} \mathcal{N}(x \mid a, b^2)",
            (r"{x - a}{b^2}", r"{x - a}{b}"),
        ),
    ],
)
def test_a_density_is_written_out(latex: str, slip: tuple[str, str]) -> None:
    assert row(latex).verdict == "proved"
    assert slip[0] in latex
    assert row(latex.replace(*slip)).verdict == "refuted"


@pytest.mark.parametrize(
    "latex",
    [  # a variance or a deviation, a covariance or its inverse, a comma for both
        r"\log \mathcal{N}(x \mid a, \sigma) = -\frac12 \log(2\pi\sigma^2)"
        r" - \frac{(x - a)^2}{2 \sigma^2}",
        r"\log \mathcal{N}(u \mid m, \Lambda) = -\frac{D}{2} \log(2\pi) + \frac12 \log|\Lambda|"
        r" - \frac12 (u - m)^\top \Lambda (u - m)",
        r"\log \mathcal{N}(x, a, v) = -\frac12 \log(\pi v) - \frac{(x - a)^2}{2 v}",
        r"\log N(x \mid a, v) = -\frac12 \log(\pi v) - \frac{(x - a)^2}{2 v}",
    ],
)
def test_what_may_be_another_function_is_not_decided(latex: str) -> None:
    assert row(latex).verdict not in ("proved", "refuted", "malformed")


def test_a_text_that_defines_its_density_has_that_one() -> None:
    own = r"$$ \mathcal{N}(x \mid a, v) = e^{-\frac{(x - a)^2}{v}} $$" + "\n\n"
    assert row(r"\log \mathcal{N}(x \mid a, v) = -\frac{(x - a)^2}{v}", HEAD + own).verdict == (
        "proved"
    )


MIXTURE = r"""Weights $\pi_k$ and normal densities:

$$ g_{nk} = \frac{\pi_k \mathcal{N}(x_n \mid \mu_k, v_k)}{\sum_j \pi_j \mathcal{N}(x_n \mid \mu_j,
v_j)} $$

$$ \ell = \sum_n \log \sum_k \pi_k \mathcal{N}(x_n \mid \mu_k, v_k) $$

"""


def test_weights_of_a_mixture_beside_two_pi() -> None:
    true = r"\frac{\partial \ell}{\partial \mu_k} = \sum_n g_{nk} \frac{x_n - \mu_k}{v_k}"
    assert row(true, MIXTURE).verdict == "proved"
    assert row(true.replace(r"- \mu_k}{v", r"+ \mu_k}{v"), MIXTURE).verdict == "refuted"
    weights = r"\frac{\partial \ell}{\partial \pi_k} = \sum_n \frac{g_{nk}}{\pi_k}"
    assert row(weights, MIXTURE).verdict == "proved"
    assert row(r"2 \pi \approx 6.28", MIXTURE).verdict == "proved"
    assert row(r"2 \pi \approx 6.82", MIXTURE).verdict == "refuted"


def test_a_stationary_law_is_no_number() -> None:
    head = r"A chain $P$ has the law $\pi$: $$ \pi^\top P = \pi^\top $$" + "\n\n"
    found = row(r"\pi_j = \sum_i \pi_i P_{ij}", head)
    assert (found.verdict, found.reason) == ("conditional", "true with what line 1 says")
    assert row(r"\pi_j = 2 \sum_i \pi_i P_{ij}", head).verdict not in ("proved", "conditional")


def test_a_precision_is_no_variance() -> None:
    head = "A normal variable has mean $m$ and precision $a$.\n\n"
    body = r" = \frac12 \log a - \frac12 \log 2\pi - \frac{a}{2} (x - m)^2"
    assert row(r"\log \mathcal{N}(x \mid m, a^{-1})" + body, head).verdict == "proved"
    assert row(r"\log \mathcal{N}(x \mid m, a)" + body, head).verdict not in ("proved", "refuted")
