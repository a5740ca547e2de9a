"""Remarks beside rows of a display: the rows go on without them."""

from __future__ import annotations

from symattn.checker import check

ROWS = r"""
Let $\alpha_t$ be numbers.
\begin{align}
x_t &= \alpha_t y_t + z_t && \text{where } z_t, w_t \text{ are noises and } w_t = 2 z_t\\
&= \alpha_t y_t + \tfrac12 w_t && \text{; by } w_t\\
&= %s + y_t\alpha_t
\end{align}
"""


def verdicts(text: str) -> list[tuple[str, str]]:
    return [(r.verdict, r.latex.strip()) for r in check(text, corrections=False, timeout=None)]


def test_a_row_goes_on_from_the_row_before_and_not_from_its_remark() -> None:
    found = [v for v, _ in verdicts(ROWS % r"\tfrac12 w_t")]
    assert found == ["definition", "definition", "proved", "proved"]
    found = [v for v, _ in verdicts(ROWS % "w_t")]
    assert found == ["definition", "definition", "proved", "refuted"]


def test_the_equation_of_a_remark_is_one_by_itself() -> None:
    latex = [x for _, x in verdicts(ROWS % r"\tfrac12 w_t")]
    assert latex[1] == "w_t = 2 z_t"
    assert latex[2] == r"\alpha_t y_t + z_t = \alpha_t y_t + \tfrac12 w_t"


def test_the_condition_of_a_case_and_the_last_row_stay_as_they_are() -> None:
    text = r"""
\begin{align}
a &= b + c && \text{where } c = 2 d\\
e &= 2 d + b && \text{with } f = 3 d
\end{align}
"""
    found = [x for _, x in verdicts(text)]
    assert found == ["a = b + c", "c = 2 d", "e = 2 d + b", "f = 3 d"]
