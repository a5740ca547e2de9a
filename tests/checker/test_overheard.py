"""What is refuted, and true with an equation that a sentence says in passing, stays open."""

from __future__ import annotations

import pytest

from symattn.checker import check


@pytest.mark.parametrize(
    "words",
    [
        r"They need not be diagonal; we use $AB = -BA$ alone. Then $(A+B)^2 = A^2 + B^2$.",
        r"They need not be of unit length; all we use is that $x^\top y = 0$. "
        r"Then $\|x+y\|^2 = \|x\|^2 + \|y\|^2$.",
        r"Suppose $\{A, B\} = A B + B A = 0$. Then $(A+B)^2 = A^2 + B^2$.",
    ],
)
def test_an_equation_in_passing_may_be_a_condition(words: str) -> None:
    row = check(words, timeout=None, corrections=False).rows[-1]
    assert row.verdict in ("unproved", "conditional")
    assert "line 1" in row.reason


@pytest.mark.parametrize(
    "words",
    [
        r"They need not be diagonal; we use $AB = -BA$ alone. Then $(A+B)^2 = A^2 + 2 B^2$.",
        r"We do not use that $x^\top y = 0$. Then $\|x+y\|^2 = \|x\|^2 + \|y\|^2$.",
        r"All we use is that $u^\top v = 0$. Then $\|x+y\|^2 = \|x\|^2 + \|y\|^2$.",
    ],
)
def test_what_it_does_not_make_true_is_refuted(words: str) -> None:
    assert check(words, timeout=None, corrections=False).rows[-1].verdict == "refuted"


def test_a_product_turned_with_a_sign_is_none_of_numbers() -> None:
    rows = check(r"All we use is that they anticommute, $AB = -BA$.", timeout=None).rows
    assert rows[-1].verdict == "unproved"
