"""Matrices that depend on the time, beside what forgets an order, a sign or a factor."""

from __future__ import annotations

import pytest

from symattn.checker import check


def verdict(text: str, claim: str) -> str:
    return check(text.replace("@", claim), timeout=None, corrections=False).rows[-1].verdict


ONE = "Let $A(t)$ be an invertible $n \\times n$ matrix that depends on $t$. Then\n$$@$$\n"
TWO = "Let $A(t)$ and $B(t)$ be square matrices that depend on $t$. Then\n$$@$$\n"
NAMED = "Let $A = A(t)$ be a square matrix that depends on $t$. Then\n$$@$$\n"
CONSTANT = (
    "Let $x(t) \\in \\mathbb{R}^n$ depend on $t$ and let $A \\in \\mathbb{R}^{n\\times n}$ be a "
    "constant symmetric matrix. Then\n$$@$$\n"
)


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (ONE, r"\frac{d}{dt} A^{-1} = -A^{-1} \frac{dA}{dt} A^{-1}.",
         r"\frac{d}{dt} A^{-1} = -A^{-2} \frac{dA}{dt}."),
        (ONE, r"\frac{d}{dt} A(t)^{-1} = -A(t)^{-1} A'(t) A(t)^{-1}.",
         r"\frac{d}{dt} A(t)^{-1} = A(t)^{-1} A'(t) A(t)^{-1}."),
        (ONE, r"\frac{d}{dt} \det A = \det A \operatorname{tr}\left(A^{-1} \frac{dA}{dt}\right).",
         r"\frac{d}{dt} \det A = \operatorname{tr}\left(A^{-1} \frac{dA}{dt}\right)."),
        (ONE, r"\frac{d}{dt} (A^\top A) = \frac{dA^\top}{dt} A + A^\top \frac{dA}{dt}.",
         r"\frac{d}{dt} (A^\top A) = 2 A^\top \frac{dA}{dt}."),
        (TWO, r"\frac{d}{dt} (A B) = \frac{dA}{dt} B + A \frac{dB}{dt}.",
         r"\frac{d}{dt} (A B) = \frac{dA}{dt} B + \frac{dB}{dt} A."),
        (NAMED, r"\frac{d}{dt} A^2 = \frac{dA}{dt} A + A \frac{dA}{dt}.",
         r"\frac{d}{dt} A^2 = 2 A \frac{dA}{dt}."),
        (CONSTANT, r"\frac{d}{dt} (x^\top A x) = 2 x^\top A \dot x.",
         r"\frac{d}{dt} (x^\top A x) = x^\top A \dot x."),
    ],
)  # fmt: skip
def test_rates(text: str, right: str, wrong: str) -> None:
    assert verdict(text, right) == "proved"
    assert verdict(text, wrong) == "refuted"


def test_what_is_not_said_to_be_constant_is_held_with_a_word() -> None:
    text = CONSTANT.replace("constant ", "")
    claim = r"\frac{d}{dt} (x^\top A x) = 2 x^\top A \dot x."
    assert verdict(text, claim) == "conditional"
    assert verdict(text.replace("be a ", "be a non-constant "), claim) != "proved"


def test_a_law_of_motion_is_no_error() -> None:
    text = "The matrix $A(t)$ solves the equation\n$$@$$\n"
    assert verdict(text, r"\frac{d}{dt} (A^\top A) = -2 A^\top A.") != "refuted"


def test_a_matrix_at_other_times_is_a_function() -> None:
    text = "Let $A(t)$ be a matrix for every $t$, and $A(0) = I$. Then\n$$@$$\n"
    assert verdict(text, r"A(t) A(0) = A(0)^2.") != "proved"
