r"""∂ℓ/∂Λ where Λ = Σ⁻¹ and ℓ is made of Σ: Σ is Λ⁻¹ then."""

import pytest

import symattn as sa

PRECISION = r"""
The energy is $E = a \log s + \frac{b}{s^2}$ where $s > 0$.  With $u = 1/s^2$ we get

$$\frac{\partial E}{\partial u} = SIDE$$
"""
BOTH = r"""
The energy is $E = a \log s + b u$ where $s > 0$ and $u = 1/s^2$.  Then

$$\frac{\partial E}{\partial u} = SIDE$$
"""
TEXT = r"""Let $\Sigma \in \mathbb{R}^{d\times d}$ and $S \in \mathbb{R}^{d\times d}$ be symmetric
and

$$\ell = -\frac N2 \log\det\Sigma - \frac12 \mathrm{tr}(\Sigma^{-1} S)$$

With $\Lambda = \Sigma^{-1}$ it follows that

$$\frac{\partial\ell}{\partial\Lambda} = SIDE$$
"""


@pytest.mark.parametrize(
    ("side", "verdicts"),
    [
        (r"\frac N2 \Lambda^{-1} - \frac12 S", ("proved", "conditional")),
        (r"\frac N2 \Lambda^{-1} - S", ("refuted",)),
        (r"\frac N2 \Lambda - \frac12 S", ("refuted",)),
        (r"-\frac N2 \Lambda^{-1} + \frac12 S", ("refuted",)),
    ],
)
def test_a_derivative_by_an_inverse(side, verdicts):
    assert sa.check(TEXT.replace("SIDE", side), corrections=False).rows[-1].verdict in verdicts


@pytest.mark.parametrize(
    ("text", "side", "verdict"),
    [
        (PRECISION, r"b - \frac{a}{2 u}", "proved"),
        (PRECISION, r"b", "unproved"),  # s is a function of u, too
        (PRECISION, r"b + \frac{a}{2 u}", "refuted"),
        (BOTH, r"b - \frac{a}{2 u}", "conditional"),
        (BOTH, r"b", "proved"),  # as E is written
        (BOTH, r"2 b", "refuted"),
    ],
)
def test_a_derivative_by_a_function_of_what_is_left(text, side, verdict):
    found = sa.check(text.replace("SIDE", side), corrections=False).rows[-1]
    assert found.verdict == verdict
    assert found.reason.startswith("true where s changes with u") == (verdict == "conditional")


def test_a_part_is_put_in_only_where_nothing_else_of_it_is_left():
    text = r"""
    Let $q \in \mathbb{R}^n$ and $L = \sum_i (y_i - e^{q_i})^2 + \sum_i q_i^2$.
    With $r_i = e^{q_i}$ we have $$\frac{\partial L}{\partial r_i} = SIDE$$
    """
    wrong = r"-2 (y_i - r_i)"
    right = wrong + r" + \frac{2 q_i}{r_i}"
    found = [sa.check(text.replace("SIDE", s), corrections=False).rows[-1] for s in (wrong, right)]
    assert [r.verdict for r in found] == ["conditional", "proved"]
