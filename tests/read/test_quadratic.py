"""A form of two vectors is a number, and ∇ of what one vector makes is by that vector."""

from __future__ import annotations

import pytest

import symattn as sa

RAYLEIGH = r"""For a vector $x \in \mathbb{R}^n$ and a symmetric $A \in \mathbb{R}^{n \times n}$ let
$R = \frac{x^\top A x}{x^\top x}$. Its gradient is SIGN."""


def last(text: str) -> str:
    return sa.check(text, corrections=False).rows[-1].verdict


@pytest.mark.parametrize("sign", [r"\nabla R", r"\nabla_x R", r"\frac{\partial R}{\partial x}"])
def test_a_quotient_of_forms_is_a_number(sign):
    right = r"\frac{2}{x^\top x}(A x - R x)"
    assert last(RAYLEIGH.replace("SIGN", f"${sign} = {right}$")) == "proved"
    assert last(RAYLEIGH.replace("SIGN", f"${sign} = {right.replace('2', '1')}$")) == "refuted"


def test_a_gradient_by_the_only_vector():
    text = r"Let $x \in \mathbb{R}^n$ and $f = \log \sum_i e^{x_i}$. Then $\nabla f = EXPR$."
    assert last(text.replace("EXPR", r"\operatorname{softmax}(x)")) == "proved"
    assert last(text.replace("EXPR", r"2 \operatorname{softmax}(x)")) == "refuted"


@pytest.mark.parametrize(
    "text",
    [
        r"Let $x \in \mathbb{R}^n$ be data and $L = \sum_i (x_i - c)^2$. "
        r"So $\nabla L = -2\sum_i (x_i - c)$.",
        r"Let $x \in \mathbb{R}^n$ and $L = \|W x\|^2$. Then $\nabla L = 2 W x x^\top$.",
    ],
)
def test_by_another_name_it_may_be_as_well(text):
    assert last(text) not in ("refuted", "malformed")
