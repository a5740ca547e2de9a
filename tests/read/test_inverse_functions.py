r"""f⁻¹ before its argument: the inverse of a function that a text gives, and no reciprocal."""

from __future__ import annotations

import pytest

import symattn as sa


def last(text: str) -> str:
    return sa.check(text, corrections=False).rows[-1].verdict


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (r"Let $f(x) = 2 x + 3$. Then $f^{-1}(y) = SIDE$.", r"\frac{y - 3}{2}", r"\frac{y + 3}{2}"),
        (r"From $$F(x) = 1 - e^{-\lambda x}$$ the quantiles are $$F^{-1}(u) = SIDE$$",
         r"-\frac{\ln(1 - u)}{\lambda}", r"-\frac{\ln u}{\lambda}"),
        (r"Let $g(x) = e^x - 1$. Its inverse is $g^{-1}(x) = SIDE$.", r"\ln(1 + x)", r"\ln(1 - x)"),
        (r"With $\sigma(x) = \frac{1}{1 + e^{-x}}$ we have $\sigma^{-1}(p) = SIDE$.",
         r"\ln\frac{p}{1 - p}", r"\ln\frac{1 - p}{p}"),
        (r"With $f(x) = \ln x$ we have $f^{-1}(x) = SIDE$.", "e^x", "e^{-x}"),
        (r"Let $f(x) = x^3$. Then $f^{-1}(8) = SIDE$.", "2", "3"),
    ],
)  # fmt: skip
def test_an_inverse_is_put_into_its_function(text: str, right: str, wrong: str) -> None:
    assert last(text.replace("SIDE", right)) == "proved"
    assert last(text.replace("SIDE", wrong)) == "refuted"


def test_what_is_one_over_a_function_is_so() -> None:
    text = (
        r"The partition function is $Z(\beta) = \sum_i e^{-\beta E_i}$ and the weights are "
        r"$p_i = Z^{-1}(\beta) e^{-\beta E_i}$, so $$\sum_i p_i = SIDE$$"
    )
    assert last(text.replace("SIDE", "1")) == "proved"
    assert last(text.replace("SIDE", "2")) == "refuted"


def test_an_inverse_of_something_else_is_what_it_was() -> None:
    text = (
        r"Let $\Sigma$ be symmetric and $q = (x - \mu)^\top \Sigma^{-1} (x - \mu)$ for vectors "
        r"$x$ and $\mu$. Then $$\nabla_x q = SIDE \Sigma^{-1} (x - \mu)$$"
    )
    assert last(text.replace("SIDE", "2")) == "proved"
    assert last(text.replace("SIDE", "3")) == "refuted"
    inside = r"Let $f(x) = 2 x + 3$ and $y = 4$. The inverse gives $2 f^{-1}(y) = 1$."
    assert last(inside) not in ("proved", "refuted")


QUADRATIC = r"""
The loss is

$$L = -\frac12 (A x - \mu)^\top \Sigma^{-1} (A x - \mu)$$

Then

$$\nabla_x L = SIDE$$
"""


def test_an_inverse_matrix_before_a_difference_is_a_factor() -> None:
    right = r"-A^\top \Sigma^{-1} (A x - \mu)"
    assert last(QUADRATIC.replace("SIDE", right)) == "proved"
    for wrong in (right[1:], right.replace(r"^\top", ""), right.replace("{-1}", r"\top")):
        assert last(QUADRATIC.replace("SIDE", wrong)) not in ("proved", "skipped", "unproved")
    quantile = r"The critical value is $z = F^{-1}(1 - \alpha)$. It is $$z = F^{-1}(1) - \alpha$$"
    assert last(quantile) != "proved"


def test_a_deviation_has_no_inverse_function() -> None:
    words = r"With $z = (x - \mu)/\sigma$, the inverse is $x = \mu + \sigma z$."
    text = rf"{words} So $\sigma^{{-1}} (x - \mu) = SIDE$."
    assert last(text.replace("SIDE", "z")) == "proved"
    assert last(text.replace("SIDE", "2 z")) != "proved"


@pytest.mark.parametrize(
    ("body", "inverse", "verdict"),
    [
        (r"\sqrt{x}", "y^2", "proved"),  # for a y that f has: true where y > 0
        (r"\sqrt{x}", "2 y^2", "refuted"),
        (r"\sqrt{1 + x}", "y^2 - 1", "proved"),
        ("x^3", "y^{1/3}", "proved"),
        ("x^3", "y^{1/2}", "refuted"),
        (r"\log{\left(x \right)}^{3}", r"e^{y^{1/3}}", "proved"),  # as SymPy prints (log x)³
    ],
)
def test_an_inverse_is_of_what_a_function_has(body: str, inverse: str, verdict: str) -> None:
    text = f"Let $f(x) = {body}$. Its inverse is $f^{{-1}}(y) = {inverse}$."
    assert last(text) == verdict


def test_a_power_is_put_into_a_power() -> None:
    text = "Let $f(x) = x^4$. Then $f(y^3) = y^{%d}$."
    assert (last(text % 12), last(text % 7)) == ("proved", "refuted")


def test_the_root_of_a_square_that_is_put_in() -> None:
    text = r"Let $f(x) = \sqrt{x} \sin x$. Then $f(x^2) = %s \sin x^2$."
    assert [last(text % side) for side in ("x", "|x|", "-x", "2 x")] == [
        *("conditional", "proved", "refuted", "refuted"),
    ]
    bent = r"Let $f(x) = |x| \sin x$. Then $f(x) = x \sin x$."
    assert last(bent) == "refuted"


def test_bars_of_another_formula_are_none_of_a_root() -> None:
    text = r"Let $r, c \in \mathbb{R}$ and $H = |\log r|$. Let $K = c^2 + \frac{\sqrt{r^2}}{2}$. "
    assert last(text + r"Then $K = c^2 + \frac{r}{2}$.") == "conditional"
    assert last(text + r"Then $K = c^2 + \frac{|r|}{2}$.") == "proved"
