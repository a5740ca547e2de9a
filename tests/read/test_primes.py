"""X' is the transpose of X where a text has X'X, and u'(c) a derivative."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.read import read

TEXT = r"""Let $y = X\beta + u$ with $X \in \mathbb{R}^{n\times k}$.

$$ \hat\beta'X'X\hat\beta = (X\hat\beta)'(X\hat\beta) $$

$$ S(b) = (y - Xb)'(y - Xb), \qquad \frac{\partial S(b)}{\partial b} = -2X'(y - Xb) $$
"""


def verdicts(text: str) -> list[str]:
    return [r.verdict for r in check(text, corrections=False).rows if r.verdict != "definition"]


def test_primes_transpose():
    assert verdicts(TEXT) == ["proved", "proved"]
    assert verdicts(TEXT.replace("= (X", "= 2 (X")) == ["refuted", "proved"]
    assert verdicts(TEXT.replace("-2X'(y", "-X'(y"))[1] == "refuted"


def test_primes_are_names_and_derivatives_elsewhere():
    other = r"$$ x' = g (x - v t), \qquad X' = X + v $$"
    assert {"x'", "X'"} <= {m.name for m in read(other, strict=False).meanings}
    both = r"$$ u(c) = c^2 $$ $$ M = X'X $$ $$ u'(c) = 2 c $$"
    assert verdicts(both) == ["proved"]


def test_a_prime_behind_a_hat_belongs_to_the_name():
    text = r"""
$$ \hat{x}'_k = y_k \gamma_k $$
$$ \sum_k \hat{x}'_k a_k = \sum_k \gamma_k y_k a_k $$
$$ \sum_k \hat{x}'_k a_k = \sum_k \gamma_k y_k $$
"""
    found = [r.verdict for r in check(text, corrections=False).rows]
    assert found[:2] == ["definition", "proved"]
    assert found[2] in ("refuted", "skipped", "unproved")


def test_a_hat_with_a_prime_is_not_the_hat_without():
    text = r"""
$$ \tilde{x}' = A \tilde{x} + b $$
$$ \tilde{x}' - b = A \tilde{x} $$
$$ \tilde{x} - b = A \tilde{x}' $$
"""
    found = [r.verdict for r in check(text, corrections=False).rows]
    assert found[:2] == ["definition", "proved"]
    assert found[2] != "proved"


CABLE = r"""A cable hangs in the shape
$$ y = a\cosh\frac{x}{a} $$
Its slope is
$$ y' = \sinh\frac{x}{a} $$
and
$$ y'' = \frac{1}{a} \cosh\frac{x}{a} $$
"""


def test_primes_of_what_is_defined_are_derivatives():
    assert verdicts(CABLE) == ["proved", "proved"]
    assert verdicts(CABLE.replace(r"y' = \sinh", r"y' = \cosh")) == ["refuted", "proved"]
    assert verdicts(CABLE.replace(r"\frac{1}{a} \cosh", r"a \cosh")) == ["proved", "refuted"]


def test_an_equation_for_what_is_its_solution():
    text = r"""The equation $y'' + 4 y' + 4 y = 0$ is solved by
$$ y = (c_1 + c_2 x) e^{-2x} . $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace("4 y = 0", "3 y = 0")) != ["proved"]
    assert "proved" not in verdicts(text.replace("e^{-2x}", "e^{-x}"))


def test_the_product_rule():
    text = r"""With $u = x^2$ and $v = \log x$ the product $y = u v$ has the derivative
$$ y' = u' v + u v' = 2 x \log x + x . $$
"""
    assert verdicts(text) == ["proved", "proved"]
    assert verdicts(text.replace("u' v +", "u' v -"))[0] == "refuted"


def test_other_primes_are_names():
    text = r"""The data follow $y = a e^{b x}$. We plot $y' = \log y$, a line of slope $b$:
$$ y' = \log a + b x $$
"""
    assert verdicts(text) == ["proved"]
    text = r"""A rotation takes $x$ and $y$ of the slope $m$ to
$$ x' = x\cos\theta - y\sin\theta, \qquad y' = x\sin\theta + y\cos\theta . $$
Then
$$ x'^2 + y'^2 = x^2 + y^2 $$
"""
    assert verdicts(text) == ["proved"]
    text = r"""Two lines $y = a x$ and $y' = b x$ meet:
$$ y' - y = (b - a) x $$
"""
    assert verdicts(text) == ["proved"]


def test_what_is_made_of_itself_is_another_quantity():
    text = r"""The derivative contract pays $s = a x$. The new solution pays $s' = s + 1$, so
$$ s' = a x + 1 $$
"""
    assert verdicts(text) == ["proved"]
    grows = r"""The differential equation $y' = k y$ is solved by $$ y = c e^{k x} $$"""
    assert verdicts(grows) == ["proved"]


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"\sigma'' = \sigma' (1 - 2 \sigma)", "proved"),
        (r"\sigma'' = \sigma' (1 + 2 \sigma)", "refuted"),
        (r"\sigma'(1 - x) = \sigma'(x - 1)", "proved"),
    ],
)
def test_a_slope_before_a_bracket_with_its_function_is_a_factor(claim: str, verdict: str) -> None:
    text = rf"Let $\sigma(x) = \frac{{1}}{{1 + e^{{-x}}}}$. Its derivatives satisfy $${claim}.$$"
    assert check(text, corrections=False).rows[-1].verdict == verdict
