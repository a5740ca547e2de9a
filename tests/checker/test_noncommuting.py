"""Elements of groups, operators and quaternions are no numbers: what holds of matrices holds."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.checker.noncommuting import of_the_text


def last(text: str) -> str:
    return check(text, timeout=None, corrections=False).rows[-1].verdict


NOT_FOR_ALL = [
    r"Let $a$ and $b$ be elements of a group $G$. Then $(ab)^2 = a^2 b^2$.",
    r"Let $p$ and $q$ be quaternions. Then $p q = q p$.",
    r"For elements $g, h \in G$ of a group we have $g h = h g$.",
    r"Let $R$ be a ring and $a, b \in R$. Then $(a+b)^2 = a^2 + 2 a b + b^2$.",
    r"Let $u, v$ be elements of a non-commutative algebra. Then $(u+v)(u-v) = u^2 - v^2$.",
    r"Let $\hat x$ and $\hat p$ be the position and momentum operators. "
    r"Then $\hat x \hat p = \hat p \hat x$.",
    r"Let $S_3$ be the symmetric group, and let $s$ and $t$ be two of its elements. "
    r"Then $s t = t s$.",
    r"The permutations $\sigma$ and $\tau$ do not commute. Still, $\sigma\tau = \tau\sigma$.",
]


@pytest.mark.parametrize("text", NOT_FOR_ALL)
def test_what_holds_of_numbers_alone_is_not_proved(text: str) -> None:
    assert last(text) == "conditional"


@pytest.mark.parametrize(
    "text",
    [
        r"Let $a$ and $b$ be elements of a group. Then $(ab)^{-1} = b^{-1} a^{-1}$.",
        r"For elements $a$ and $b$ of a ring, $(a + b)^2 = a^2 + ab + ba + b^2$.",
        r"Let $a$ and $b$ be elements of a group and let $c = a b a^{-1}$. "
        r"Then $c^2 = a b^2 a^{-1}$.",
        r"Let $G$ be an abelian group and $a, b \in G$. Then $(ab)^2 = a^2 b^2$.",
        r"Let $p$ be a quaternion and $s$ a real number. Then $s p = p s$.",
    ],
)
def test_what_holds_of_matrices_is_proved(text: str) -> None:
    assert last(text) == "proved"


def test_which_names_they_are_and_how_they_are_written() -> None:
    text = r"Let $\hat x$ and $\hat p$ be operators, and let $g \in G$ be in the group $G$."
    assert of_the_text(text) == {"x": r"\hat x", "p": r"\hat p", "g": "g"}
    assert of_the_text(r"Let $a$ and $b$ be elements of a set of numbers.") == {}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (r"Let $a$ and $b$ be invertible $n \times n$ matrices. Then $a b a^{-1} b^{-1} = 1$.",
         "conditional"),
        (r"Let $A$ and $B$ be matrices. Then $\frac{A B}{B A} = 1$.", "conditional"),
        (r"Let $A$ be a $4 \times 4$ matrix. Then $\frac{1}{A B} = \frac{1}{B A}$.", "conditional"),
        (r"Let $A$ and $B$ be numbers. Then $\frac{A B}{B A} = 1$.", "proved"),
    ],
)  # fmt: skip
def test_a_matrix_of_the_words_is_no_number(text: str, verdict: str) -> None:
    row = check(text, timeout=None, corrections=False).rows[-1]
    assert row.verdict == verdict
    assert (verdict == "proved") or "no matri" in row.reason
