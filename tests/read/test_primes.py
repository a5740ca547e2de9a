"""X' is the transpose of X where a text has X'X, and u'(c) a derivative."""

from __future__ import annotations

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
