r"""What is predicted of any one sample is so of sample i; of data a line says nothing; E = 0."""

from __future__ import annotations

import pytest

from symattn import check

NUMBERS = r"""The model predicts $\hat v = p u + q$. On $m$ samples

$$ c = \frac1m \sum_{i=1}^m u_i $$

$$ J = \frac1m \sum_{i=1}^m (v_i - \hat v_i)^2 $$

$$ %s $$
"""
LOGISTIC = r"""A unit computes $a = r^\top u + q$ and $\hat v = \frac{1}{1 + e^{-a}}$ of $u \in
\mathbb{R}^d$. On samples $u_i$ with labels $v_i$

$$ c = \frac1m \sum_{i=1}^m u_i $$

$$ J = -\sum_{i=1}^m \left( v_i \log \hat v_i + (1 - v_i) \log(1 - \hat v_i) \right) $$

$$ %s $$
"""
VECTOR = r"""With $\hat v = \mathrm{softmax}(a)$ and $a = R u + q$ the loss is

$$ J = -\sum_i v_i \log \hat v_i $$

where $\sum_i v_i = 1$.

$$ %s $$
"""
LINE = r"""The line $v = p u + q$ is fitted to data $u_i, v_i$, and residuals are
$e_i = v_i - p u_i - q$.

$$ J = \sum_{i=1}^m e_i^2 $$

$$ %s $$
"""


@pytest.mark.parametrize(
    ("text", "claim", "slip"),
    [
        (NUMBERS, r"\frac{\partial J}{\partial p} = -\frac2m \sum_i u_i (v_i - \hat v_i)", "u_i "),
        (NUMBERS, r"\frac{\partial J}{\partial q} = \frac2m \sum_i (\hat v_i - v_i)", "2"),
        (NUMBERS, r"\frac{\partial \hat v}{\partial p} = u", "u"),
        (LOGISTIC, r"\frac{\partial J}{\partial r} = \sum_i (\hat v_i - v_i) u_i", r"- v_i"),
        (
            LOGISTIC,
            r"\frac{\partial J}{\partial \hat v_i} = "
            r"\frac{\hat v_i - v_i}{\hat v_i (1 - \hat v_i)}",
            "(1 - \\hat v_i)",
        ),
        (VECTOR, r"\frac{\partial J}{\partial a_i} = \hat v_i - v_i", "- v_i"),
        (LINE, r"\frac{\partial J}{\partial p} = -2 \sum_i u_i e_i", "u_i "),
    ],
)
def test_samples_of_what_is_predicted(text: str, claim: str, slip: str) -> None:
    assert check(text % claim, corrections=False).rows[-1].verdict == "proved"
    left, right = claim.split(" = ")
    wrong = f"{left} = {right.replace(slip, '3 ' if slip in ('2', 'u') else '', 1) or '0'}"
    assert wrong != claim
    assert check(text % wrong, corrections=False).rows[-1].verdict in ("refuted", "malformed")


def test_data_lie_on_no_line() -> None:
    """$v = p u + q$ does not say $e_i = 0$, and the residuals of the best line sum to zero."""
    rows = check(LINE % r"J = 0", corrections=False).rows
    assert rows[-1].verdict not in ("proved", "refuted")
    best = check(LINE % r"\sum_{i=1}^m e_i = 0", corrections=False).rows[-1]
    assert (best.verdict, best.reason[:26]) == ("skipped", "it may be a condition on p")
    centred = (
        r"The mean is $\bar u = \frac1m \sum_{i=1}^m u_i$."
        "\n\n"
        r"$$ \sum_{i=1}^m (u_i %s \bar u) = 0 $$"
    )
    assert check(centred % "-", corrections=False).rows[-1].verdict == "proved"
    wrong = check(centred % "+", corrections=False).rows[-1]
    assert (wrong.verdict, wrong.reason) == ("refuted", "one slip away from an identity")


def test_what_is_said_of_samples_is_not_what_is_said_of_another_model() -> None:
    text = r"""
# One
The model is $\hat v = p u + q$ with the loss

$$ J = \sum_i (v_i - \hat v_i)^2 + \sum_i u_i $$

# Many

$$ \hat v_i = r^\top s_i + c $$

$$ \frac{\partial J}{\partial c} = -2 \sum_i (v_i - \hat v_i) $$
"""
    rows = check(text, corrections=False).rows
    assert [r.verdict for r in rows[-2:]] == ["definition", "proved"]
