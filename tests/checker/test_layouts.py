"""∂L/∂A may have the shape of A⊤, where nothing in a text says that it has that of A."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.checker.layouts import SAID, WHY

OBLONG = r"""Let $A \in \mathbb{R}^{m\times n}$, $b \in \mathbb{R}^m$, $x \in \mathbb{R}^n$.
$$ f = b^\top A x $$
"""
SQUARE = "Let $A$ be an invertible matrix.\n"
INVERSE = r"$$ \frac{\partial}{\partial A} \mathrm{tr}(A^{-1} B) = -A^{-1} B A^{-1} $$"
OUTER = r"$$ \frac{\partial f}{\partial A} = x b^\top $$"


@pytest.mark.parametrize("text", [SQUARE + INVERSE, OBLONG + OUTER])
def test_a_transposed_gradient_is_right_in_numerator_layout(text: str) -> None:
    row = check(text, corrections=False).rows[-1]
    assert (row.verdict, row.reason) == ("conditional", WHY)
    row = check("Derivatives are in numerator layout.\n\n" + text, corrections=False).rows[-1]
    assert (row.verdict, row.reason) == ("conditional", SAID)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Derivatives are in denominator layout.\n\n" + SQUARE + INVERSE, "refuted"),
        ("Derivatives are in denominator layout.\n\n" + OBLONG + OUTER, "malformed"),
        (SQUARE + r"$$ \frac{\partial}{\partial A} \mathrm{tr}(A B C) = (B C)^\top $$" + INVERSE,
         "refuted"),
        (OBLONG + r"$$ g = c^\top A^\top b $$ $$ \frac{\partial g}{\partial A} = b c^\top $$"
         + OUTER, "malformed"),
        (SQUARE + INVERSE.replace("= -", "= "), "refuted"),  # wrong in either layout
        (OBLONG + OUTER.replace("= x", "= 2 x"), "skipped"),
        (OBLONG + r"$$ \nabla_A f = x b^\top $$", "malformed"),
        (SQUARE + r"$$ \frac{\partial}{\partial A_{ij}} \mathrm{tr}(A B) = B_{ij} $$",
         "conditional"),  # B symmetric
    ],
)  # fmt: skip
def test_where_the_text_has_a_layout_it_is_an_error(text: str, verdict: str) -> None:
    row = check(text, corrections=False).rows[-1]
    assert row.verdict == verdict
    assert "layout" not in row.reason
