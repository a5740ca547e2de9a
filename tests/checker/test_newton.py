r"""Inverses of derivatives, gains that are no gradients, an I and an N of one unsaid size."""

from __future__ import annotations

import pytest

from symattn import check

QUADRATIC = r"""Let $P \in \mathbb{R}^{m \times m}$ be symmetric and positive definite and
$X \in \mathbb{R}^{n \times m}$.

$$ f(u) = \frac12 u^\top P u - c^\top u $$

$$ g(w) = \frac12 \|X w - y\|^2 $$

$$ H = \nabla^2 f(u) $$

$$ %s $$
"""
GAINS = r"""Let $y_i = a_i \sin(x_i)$ and for a loss $L$ let $g_i = \frac{\partial L}{\partial
y_i}$.

$$ \frac{\partial L}{\partial x_i} = g_i a_i \cos(x_i) $$

With gains $g_i$ the output is

$$ z_i = g_i x_i^3 $$

$$ %s $$
"""
PROCESS = r"""Let $\mathbf{K}$ be a covariance matrix and let
$\mathbf{B} = \mathbf{I} + \sigma^{-2} \mathbf{K}$.

$$ \log |\mathbf{K} + \sigma^2 \mathbf{I}| = %s $$
"""


@pytest.mark.parametrize(
    ("claim", "slip"),
    [
        (r"H^{-1} \nabla f(u) = u - P^{-1} c", ("- P", "+ P")),
        (r"u - (\nabla^2 f(u))^{-1} \nabla f(u) = P^{-1} c", ("P^{-1} c", "P c")),
        (r"w - (\nabla^2 g(w))^{-1} \nabla g(w) = (X^\top X)^{-1} X^\top y", (" = ", " = 2 ")),
    ],
)
def test_a_step_of_newton(claim: str, slip: tuple[str, str]) -> None:
    assert check(QUADRATIC % claim, corrections=False).rows[-1].verdict == "proved"
    wrong = claim.replace(*slip)
    assert wrong != claim
    assert check(QUADRATIC % wrong, corrections=False).rows[-1].verdict not in (
        "proved",
        "conditional",
    )


def test_a_name_for_a_gradient_and_for_gains() -> None:
    true = r"\frac{\partial z_i}{\partial x_j} = 3 g_i x_i^2 \delta_{ij}"
    row = check(GAINS % true, corrections=False).rows[-1]
    assert row.verdict == "conditional"
    assert row.reason == "true only if g does not change with what it is derived by"
    row = check(GAINS % true.replace("3", "2"), corrections=False).rows[-1]
    assert row.verdict != "conditional"
    assert row.verdict != "proved"


def test_an_identity_and_a_number_of_one_size() -> None:
    one = check(
        PROCESS % r"\log |\sigma^2 \mathbf{I}| + \log |\mathbf{B}|", corrections=False
    ).rows[-1]
    assert (one.verdict, one.reason[:16]) == ("conditional", "true where the I")
    row = check(PROCESS % r"N \log \sigma^2 + \log |\mathbf{B}|", corrections=False).rows[-1]
    assert (row.verdict, row.reason[:11]) == ("conditional", "true if N =")
    both = r"2 N \log \sigma^2 - \log |\sigma^2 \mathbf{I}| + \log |\mathbf{B}|"
    assert check(PROCESS % both, corrections=False).rows[-1].verdict == "conditional"
    wrong = check(PROCESS % both.replace("2 N", "3 N"), corrections=False).rows[-1]
    assert wrong.verdict not in ("proved", "conditional")
