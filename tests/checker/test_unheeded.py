"""Words of names that a proof has not heeded: rows, degrees, what changes."""

from __future__ import annotations

import pytest

from symattn.checker import check


def last(text: str) -> tuple[str, str]:
    row = check(text, timeout=None, corrections=False).rows[-1]
    return row.verdict, row.reason


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Let $x$ and $y$ be row vectors. Then $x^\\top y = y^\\top x$.",
         "x is a column, and the text calls it a row"),
        ("For the row vectors $x$ and $y$ we have $x^\\top y = y^\\top x$.",
         "x is a column, and the text calls it a row"),
        ("Consider $p = m v$ with a velocity-dependent mass $m$. Then $\\frac{dp}{dv} = m$.",
         "m does not change with what it is derived by"),
        ("Denote by $m$ the mass. The mass depends on the speed. "
         "With $p = m v$, $\\frac{dp}{dv} = m$.",
         "m does not change with what it is derived by"),
        ("Let $\\theta$ be the angle in degrees. "
         "Then $\\frac{d}{d\\theta} \\sin\\theta = \\cos\\theta$.",
         "theta is in radians"),
    ],
)  # fmt: skip
def test_a_proof_that_does_not_heed_them_is_conditional(text: str, why: str) -> None:
    assert last(text) == ("conditional", f"true where {why}")


@pytest.mark.parametrize(
    "text",
    [
        "Let $x$ and $y$ be column vectors. Then $x^\\top y = y^\\top x$.",
        "Let $u$ be a row vector and $x$, $y$ columns. Then $x^\\top y = y^\\top x$.",
        "Denote by $m$ the mass. The drag depends on the speed. "
        "With $p = m v$, $\\frac{dp}{dv} = m$.",
        "Let $c$ be time-dependent. With $p = m v$, $\\frac{dp}{dv} = m$.",
        "Let $\\theta$ be the angle. Then $\\frac{d}{d\\theta} \\sin\\theta = \\cos\\theta$.",
        "Let $\\theta$ be the angle and $T$ the temperature in degrees. "
        "Then $\\frac{d}{d\\theta} \\sin\\theta = \\cos\\theta$.",
    ],
)
def test_words_of_other_names_change_nothing(text: str) -> None:
    assert last(text)[0] == "proved"
