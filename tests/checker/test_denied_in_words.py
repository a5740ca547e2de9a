"""What words call wrong, one of several answers, or true elsewhere alone, is not refuted."""

from __future__ import annotations

import pytest

from symattn.checker import check

WRONG = "$\\sin(a + b) = \\sin a + \\sin b$"


@pytest.mark.parametrize(
    "text",
    [
        f"We now disprove the identity {WRONG}.",
        f"It is a myth that {WRONG}.",
        f"Nobody would claim {WRONG}.",
        f"Contrary to {WRONG} there are two more terms.",
        f"❌ {WRONG}",
        f"The formula {WRONG} is valid only for small angles.",
        f"The formula {WRONG} holds only for multiples of a turn.",
        f"Quiz: which of the following holds? (A) {WRONG} (B) $\\sin(-a) = -\\sin a$",
        "For commuting matrices $(A + B)^2 = A^2 + 2 A B + B^2$.",
        "In Boolean algebra, $a + a = a$.",
        "Define a new product by $a * b = a + b + a b$.",
    ],
)
def test_it_is_no_alarm(text: str) -> None:
    assert check(text, timeout=None, corrections=False).ok


@pytest.mark.parametrize(
    "text",
    [
        f"We now prove the identity {WRONG}.",
        f"The formula {WRONG} is valid for all angles.",
        f"It is clear that (A) {WRONG}.",
        "For square matrices $A$ and $B$ we have $(A B)^\\top = A^\\top B^\\top$.",
        "In matrix calculus, $\\frac{d}{dx} x^3 = 2 x^2$.",
    ],
)
def test_other_words_leave_it_wrong(text: str) -> None:
    assert not check(text, timeout=None, corrections=False).ok
