"""Where a function that a text gives is smallest or largest."""

from __future__ import annotations

import pytest

from symattn import check

PROFIT = r"The profit is $p(q) = (a - b q) q - c q$. WORDS $q^* = \frac{SIDE}{2 b}$."
RIGHT, WRONG = "a - c", "a + c"


@pytest.mark.parametrize(
    ("words", "side", "verdict"),
    [
        ("The best output is", RIGHT, "definition"),
        ("The best output is", WRONG, "refuted"),
        ("It is maximal at", WRONG, "refuted"),
        ("The profit is largest at", WRONG, "refuted"),
        ("Setting the derivative to zero gives", WRONG, "refuted"),
        ("Setting $p'(q) = 0$ gives", WRONG, "refuted"),
        # of another thing
        ("The price is highest at", WRONG, "definition"),
        ("Its slope is largest at", WRONG, "definition"),
        ("It vanishes at", WRONG, "definition"),
        ("Subject to a cap it is maximal at", WRONG, "definition"),
        ("With a subsidy instead the best output is", WRONG, "definition"),
        ("The cost is $k(q) = c q^2$. The best output is", WRONG, "definition"),
        ("The output is", WRONG, "definition"),
    ],
)
def test_where_a_function_is_extreme(words: str, side: str, verdict: str) -> None:
    text = PROFIT.replace("WORDS", words).replace("SIDE", side)
    assert check(text, corrections=False, jobs=1).rows[-1].verdict == verdict


@pytest.mark.parametrize(
    ("side", "verdict"),
    [
        (r"\frac{\sum_i x_i y_i}{\lambda + \sum_i x_i^2}", "conditional"),
        (r"\frac{\sum_i x_i y_i}{\lambda + \sum_i y_i^2}", "refuted"),
        (r"\frac{\sum_i x_i y_i}{\sum_i x_i^2 - \lambda}", "refuted"),
    ],
)
def test_where_a_sum_of_squares_is_least(side: str, verdict: str) -> None:
    text = (
        r"Let $L(a) = \sum_i (y_i - a x_i)^2 + \lambda a^2$. Setting the derivative to zero gives "
        f"$$ a = {side} . $$"
    )
    assert check(text, corrections=False, jobs=1).rows[-1].verdict == verdict
