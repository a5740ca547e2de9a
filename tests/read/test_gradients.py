r"""Gradients that are transposed, and equations that say something of a function."""

from __future__ import annotations

import pytest

from symattn.checker import check

FORM = r"Let $f(x) = \frac12 x^T A x - b^T x$ with $A$ symmetric."


def last(text: str, latex: str) -> str:
    return check(f"{text}\n\n$$ {latex} $$\n", corrections=False).rows[-1].verdict


@pytest.mark.parametrize(
    "latex, found",
    [
        (r"\nabla f(x)^T h = h^T A x - b^T h", "proved"),
        (r"\nabla f(x)^\top h = h^T A x + b^T h", "refuted"),
        (r"\nabla f(x)^T \nabla f(x) = \| A x - b \|^2", "proved"),
        (r"\nabla f(x)^T A \nabla f(x) = (A x - b)^T (A x - b)", "refuted"),
        (r"f(x + h) = f(x) + \nabla f(x)^T h + \frac12 h^T A h", "proved"),
        (r"f(x + h) = f(x) + h^T \nabla f(x) + \frac12 h^T A h", "proved"),
        (r"f(x + h) = f(x) + \nabla f(x) \cdot h + h^T A h", "refuted"),
        (r"f(x - \nabla f(x)) = f(x) - \|\nabla f(x)\|^2 + \frac12 \nabla f(x)^T A \nabla f(x)",
         "proved"),
    ],
)  # fmt: skip
def test_transposed_gradients(latex: str, found: str) -> None:
    assert last(FORM, latex) == found


@pytest.mark.parametrize(
    "latex, found",
    [
        (r"\nabla_w E(w)^\top v = (X w - t)^\top X v", "proved"),
        (r"\nabla E^\top v = (X w - t)^\top X v", "proved"),
        (r"\nabla_w E(w)^\top v = X^\top (X w - t) v", "skipped"),  # two columns
        (r"\nabla_w w^\top X^\top X w = 2 X^\top X w", "proved"),  # of the whole product
        (r"\nabla_w (X w)^\top t = X^\top t", "proved"),
    ],
)
def test_how_far_a_transpose_reaches(latex: str, found: str) -> None:
    assert last(r"Let $E(w) = \frac12 \| X w - t \|^2$.", latex) == found


@pytest.mark.parametrize("factor, found", [(r"\frac12", "proved"), ("", "refuted")])
def test_what_is_said_of_a_function_does_not_define_it(factor: str, found: str) -> None:
    text = r"Let $g(x) = \frac12 \| A x - b \|^2$, with $\nabla g(x) = A^T (A x - b)$."
    latex = rf"g(y) = g(x) + \nabla g(x)^T (y - x) + {factor} \| A (y - x) \|^2"
    assert last(text, latex) == found
    above = r"$$ g(y) = g(x) + (y - x)^T A^T (A x - b) + \frac12 \| A (y - x) \|^2 $$"
    assert last(f"{text}\n\n{above}", latex) == found
