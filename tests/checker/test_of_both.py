"""What is said of two equations at once, of labels, of residuals; matrices without an inverse."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import symattn as sa
from symattn.checker.edits import candidates
from symattn.checker.qualities import named
from symattn.checker.report import Row
from symattn.checker.slips import slips
from symattn.evaluate import _singular

WRONG = {  # and the right side as it should be
    r"""With two walls facing each other the exchange is $q = \kappa (x^4 - y^4)$, or factored

    $$ q = \kappa (x^2 - y^2) (x + y)^2. $$""": r"\kappa \left(x^{4} - y^{4}\right)",
    r"""From $m_0$ to $m_1$ thrust is $F = \dot m v$ and power $W = \frac12 \dot m v^2$, hence

    $$ W = F v. $$""": r"\frac{1}{2} F v",
    r"""The variance is $v = \frac1n \sum_{i=1}^n p_i^2 - \mu^2$ with $\mu = \frac1n \sum_i p_i$,
    so

    $$ v = \frac1n \sum_i (p_i - \mu)^2 + \mu^2. $$""": "",
    r"""The gain is $G(\omega) = \frac{1}{1 + \omega^2 \tau^2}$. At the corner frequency
    $\omega_c = 1/\tau$ it is

    $$ G(\omega_c) = \frac13. $$""": r"\frac12",
    r"""Let $d_x = l_x - l_{x+1}$ and $q_x = d_x / l_x$. Then $p_x = 1 - q_x$ and

    $$ p_x = \frac{l_{x+2}}{l_x}. $$""": r"\frac{l_{x+1}}{l_x}",
    r"""Let $X \in \mathbb{R}^{n \times k}$, $Z \in \mathbb{R}^{n \times l}$ and
    $P = Z (Z^\top Z)^{-1} Z^\top$. The fit is $\hat X = P X$. Its residuals $X - \hat X$ are
    orthogonal to the instruments. With $e = y - X b$

    $$ y - \hat X b = e - (X - \hat X) b. $$""": r"e + (X - \hat X) b",
}
MEANT = [
    r"""With two walls the exchange is $q = \kappa (x^4 - y^4)$, and with three walls also
    $q = \kappa (x^4 - y^4)/2$.""",
    r"""With two springs the energy is $E = \frac12 k x^2 + \frac12 k y^2$, but with one also
    $E = \frac12 k x^2$.""",
    r"""The mass $m$ flows with $F = \dot m v$ and $W = \frac12 \dot m v^2$, hence

    $$ W = F v. $$""",
    r"""The force is $F = k x$. With $k$ replaced by $2 k$ in parallel it is

    $$ F = 2 k x. $$""",
]


@cache
def last(text: str, corrections: bool = False) -> Row:
    text = text.replace("\n    ", "\n")
    return sa.check(f"# A\n\n{text}\n", timeout=None, corrections=corrections, jobs=1).rows[-1]


@pytest.mark.parametrize(("text", "right"), WRONG.items())
def test_what_follows_from_both_is_wrong(text: str, right: str) -> None:
    row = last(text, corrections=bool(right))
    assert row.verdict == "refuted" and row.correction == right


@pytest.mark.parametrize("text", MEANT)
def test_what_is_said_of_one_alone_is_no_error(text: str) -> None:
    assert last(text).verdict == "definition"


def test_a_chain_with_inverses_is_proved_where_some_sizes_make_them_singular() -> None:
    row = last(
        r"Let $X \in \mathbb{R}^{n \times k}$, $Z \in \mathbb{R}^{n \times l}$ and"
        r" $P = Z (Z^\top Z)^{-1} Z^\top$."
        "\n\n"
        r"$$ F = P X, \qquad b = (F^\top F)^{-1} F^\top y = (X^\top P X)^{-1} X^\top P y. $$"
    )
    assert row.verdict == "proved"


def test_rounding_alone_makes_no_inverse() -> None:
    rows_sum_to_one = np.array([[0.3, 0.7], [0.6, 0.4]])
    below = np.eye(2) - rows_sum_to_one
    assert _singular(below, np.linalg.pinv(below) * 1e16)
    assert not _singular(1e-9 * np.eye(2), 1e9 * np.eye(2))


def test_the_variable_of_an_integral_is_no_base_of_exponentials() -> None:
    row = last(r"A tail is $s = e^{-t}$, and $$ \int_{-a}^{a} e^2 \, de = \frac{2 a^3}{3}. $$")
    assert row.verdict == "proved"


def test_an_equation_between_components_that_nothing_defines_is_no_claim() -> None:
    row = last(
        r"Let $\beta_i$ be weights. The model is"
        "\n\n"
        r"$$ \log \frac{p(C=1 | x)}{p(K | x)} = \beta_{10} + \beta_{11} x_1. $$"
    )
    assert row.verdict == "skipped" and "condition" in row.reason


def test_the_power_of_a_number_is_no_index() -> None:
    assert (
        last(r"With $b$ bits the step is $d = V 2^b$, so $$ d = 4 V 2^{b - 2}. $$").verdict
        == "proved"
    )


def test_residuals_are_no_name() -> None:
    assert named(r"$X - \hat X$ and $\hat{x}_i - x_i$, orthogonal to $Z$") == [("Z", "")]
    assert named(r"$x - \bar y$") == [("x", "")]


def test_no_correction_has_a_power_of_one() -> None:
    assert not any("^1" in x or "^{1}" in x for x in candidates("a x^2 + b y^{2}"))


@pytest.mark.parametrize("side", [r"a_i (\theta_p - b_i)", r"\mathrm{R} (1 - \mu)"])
def test_what_leaves_one_name_in_brackets_is_an_application(side: str) -> None:
    assert "dropped term" not in {kind for kind, _ in slips(side)}
    assert "dropped term" in {kind for kind, _ in slips(side + " + x")}
