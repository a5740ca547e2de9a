"""Names of whose signs only the words say something, and sizes that stand as numbers."""

from __future__ import annotations

import pytest

from symattn.checker import check

HEAD = r"Here $x$ is a number, and $x$ may be negative: nobody says that $x > 0$."


@pytest.mark.parametrize("latex", [r"(x + 1)^2 = x^2 + 2 x + 3", r"x (1 - x) = x - x^4 + 5"])
def test_what_is_false_for_every_sign_is_refuted(latex: str) -> None:
    assert check(f"{HEAD}\n\n$$ {latex} $$\n").rows[-1].verdict == "refuted"


@pytest.mark.parametrize(
    "latex", [r"\sqrt{x^2} = x", r"\sqrt{x^2} = - x", r"\sqrt{(1 - x)^2} = 1 - x"]
)
def test_what_is_true_for_one_sign_or_near_zero_is_not_refuted(latex: str) -> None:
    assert check(f"{HEAD}\n\n$$ {latex} $$\n").rows[-1].verdict not in ("refuted", "proved")


def test_a_size_stands_as_a_number_in_a_correction() -> None:
    found = check(
        r"Let $x \in \mathbb{R}^n$, $X \in \mathbb{R}^{n \times d}$, $y \in \mathbb{R}^n$ and "
        r"$w \in \mathbb{R}^d$." + "\n\n"
        r"$$ L(w) = \frac{1}{2 n} \| y - X w \|^2 $$" + "\n\n"
        r"$$ \nabla_w L = -\frac{1}{n} X^T (y + X w) $$" + "\n"
    ).rows[-1]
    assert (found.verdict, found.correction) == ("refuted", r"-\frac{1}{n} X^T (y - X w)")


@pytest.mark.parametrize(
    "latex, found",
    [
        (r"\sqrt{a^2 b^2} = a b", False),  # true where both are below zero
        (r"\sqrt{a^2 b^2} = -a b", True),  # where one of them is, and both are
        (r"\sqrt{a^2 b^2} = |a b|", False),
        (r"\sqrt{(a + b)^2} = -a - b", False),
        (r"(a + b)^2 = a^2 + b^2 + 2 a b + 1", True),
        (r"\sqrt{a^2 b^2} + 1 + a^2 = a b", True),
    ],
)
def test_the_signs_of_several_names_are_tried_together(latex: str, found: bool) -> None:
    text = r"Let $a \le 0$ and $b < 0$; nobody says that $a > 0$ or $b > 0$."
    row = check(f"{text}\n\n$$ {latex} $$\n", corrections=False).rows[-1]
    assert (row.verdict == "refuted") is found, row


@pytest.mark.parametrize("said", [r"R > r", r"r < R", r"R \ge r"])
@pytest.mark.parametrize(
    "latex, found",
    [
        (r"\sqrt{(R - r)^2} = R - r", False),  # true
        (r"\sqrt{(r - R)^2} = R - r", False),
        (r"\sqrt{(R - r)^2} = r - R", True),
        (r"(R - r)^2 = R^2 - r^2", True),
        (r"(R + r)^2 = R^2 + 2 R r", True),
    ],
)
def test_an_order_of_two_numbers_leaves_them_free(said: str, latex: str, found: bool) -> None:
    row = check(
        f"Let $R$ and $r$ be numbers with ${said}$.\n\n$$ {latex} $$\n", corrections=False
    ).rows[-1]
    assert (row.verdict == "refuted") is found, row
