"""A value that a sentence gives counts for what is derived behind it."""

from __future__ import annotations

import pytest

from symattn.checker import check


def last(text: str) -> tuple[str, str]:
    row = check(text, timeout=None, corrections=False).rows[-1]
    return row.verdict, row.reason


@pytest.mark.parametrize(
    "words",
    [
        r"Let $a = 2$ and $V = a x^2$. Then $\frac{dV}{dx} = 4 x$.",
        r"A fit gave $a = 2$ in the law $V(x) = a x^2$. The slope is $V'(x) = 4 x$.",
        r"The law is $V = a x^2$, and a fit gave $a = 2$. So $\frac{dV}{dx} = 4 x$.",
    ],
)
def test_what_is_true_with_a_value_that_is_given_is_not_refuted(words: str) -> None:
    assert last(words) == ("conditional", "true with a = 2 (line 1)")


@pytest.mark.parametrize(
    "words",
    [
        r"Let $a = 2$ and $V = a x^2$. Then $\frac{dV}{dx} = 6 x$.",
        r"Let $a = 2$ and $V = b x^2$. Then $\frac{dV}{dx} = 4 x$.",
        r"Let $V = a x^2$. Then $\frac{dV}{dx} = 4 x$. Later we take $a = 2$.",
        "# One\n\nLet $a = 2$.\n\n# Two\n\nLet $V = a x^2$. Then $\\frac{dV}{dx} = 4 x$.",
    ],
)
def test_another_value_refutes(words: str) -> None:
    rows = check(words, timeout=None, corrections=False).rows
    found = {r.verdict for r in rows if r.latex.startswith(r"\frac{dV}")}
    assert found <= {"refuted", "unproved"} and found
