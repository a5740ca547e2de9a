"""What follows from equations between matrices, beside what does not."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symattn.checker import check
from symattn.checker.completion import Completion


def last(text: str) -> str:
    return check(text, timeout=None, corrections=False).rows[-1].verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (r"Let $A, B \in \mathbb{R}^{n\times n}$ be invertible. Then $(A + B)^{-1} = A^{-1} - "
         r"A^{-1} (A^{-1} + B^{-1})^{-1} A^{-1}$.", "proved"),
        (r"Let $A, B \in \mathbb{R}^{n\times n}$ be invertible. Then $(A + B)^{-1} = A^{-1} - "
         r"A^{-1} (A^{-1} + B^{-1})^{-1} B^{-1}$.", "refuted"),
        (r"Let $A \in \mathbb{R}^{n\times n}$ with $A^2 = I$. Then $A^{-1} = A$.", "proved"),
        (r"Let $A \in \mathbb{R}^{n\times n}$ with $A^2 = I$. Then $A^{-1} = -A$.", "refuted"),
        (r"Let $A \in \mathbb{R}^{n\times n}$ with $A^3 = I$. Then $A^{-1} = A^2$.", "proved"),
        (r"Let $A \in \mathbb{R}^{n\times n}$ with $A^3 = I$. Then $A^{-1} = A$.", "refuted"),
        (r"Suppose the square matrix $A$ satisfies $A^2 - 3 A + 2 I = 0$. Then "
         r"$A^{-1} = \frac12 (3 I - A)$.", "proved"),
        (r"Suppose the square matrix $A$ satisfies $A^2 - 3 A + 2 I = 0$. Then "
         r"$A^{-1} = \frac12 (3 I + A)$.", "refuted"),
        (r"If $A^2 = A$ for a square matrix $A$, then $(I - 2 A)^{-1} = I - 2 A$.", "proved"),
        (r"If $A^2 = A$ for a square matrix $A$, then $(I - 2 A)^{-1} = I + 2 A$.", "refuted"),
        (r"Let $A$ be an invertible $n\times n$ matrix and let $v \in \mathbb{R}^n$ satisfy "
         r"$A v = \lambda v$. Then $A^{-1} v = \frac{1}{\lambda} v$.", "proved"),
    ],
)  # fmt: skip
def test_what_follows_is_proved(text: str, verdict: str) -> None:
    assert last(text) == verdict


def test_commuting_matrices_commute_with_inverses() -> None:
    text = (
        "Let $A$ and $B$ be square matrices with $A B = B A$, and let $A$ be invertible. Then\n"
        "$$@$$\n"
    )
    assert last(text.replace("@", r"A^{-1} B = B A^{-1}.")) == "proved"
    assert last(text.replace("@", r"A^{-1} B = B A.")) == "refuted"


def test_equations_with_numbers_that_have_names() -> None:
    text = (
        r"Let $X \in \mathbb{R}^{m\times n}$, $y \in \mathbb{R}^m$ and "
        r"$c = (X^\top X)^{-1} X^\top y$. Let $b = (X^\top X + \mu I)^{-1} X^\top y$. We have "
        r"$(X^\top X + \mu I) b = X^\top X c$. Then $b = c - \mu (X^\top X + \mu I)^{-1} c$. "
        r"The slope is $\frac{\partial b}{\partial \mu} = @(X^\top X + \mu I)^{-1} b$."
    )
    assert last(text.replace("@", "-")) == "proved"
    assert last(text.replace("@", "")) == "refuted"


ONE = Fraction(1)


def test_completion_finds_what_overlaps_say() -> None:
    a, b, c = "abc"
    equations = [{(a, b): ONE, (): -ONE}, {(b, c): ONE, (): -ONE}]  # a b = 1 = b c, so a = c
    assert Completion(equations, bool).follows({(a,): ONE, (c,): -ONE})
    some = Completion(equations, bool)
    assert not some.follows({(a,): ONE, (b,): -ONE})
    assert some.whole  # so it is no consequence


def test_what_contradicts_itself_proves_nothing() -> None:
    equations = [{("a",): ONE}, {("a",): ONE, (): -ONE}]  # a = 0 and a = 1
    found = Completion(equations, bool)
    assert not found.follows({("b",): ONE})
    assert found.contradicts


def test_what_may_be_zero_is_not_divided_by() -> None:
    found = Completion([{("a",): 2 * ONE, (): -ONE}], lambda c: c == 1)
    assert not found.follows({("a",): 2 * ONE, (): -ONE})
    assert not found.whole
