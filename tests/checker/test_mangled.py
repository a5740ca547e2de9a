r"""Chains of which one side cannot be read: the others are checked, each at its own line."""

from __future__ import annotations

import pytest

from symattn.checker import check

CHAIN = r"""
Let $x, y \in \mathbb{R}^n$.

$$
\begin{aligned}
(x + y)^\top (x + y) &= x^\top x + 2 x^\top y + y^\top y \\
&= %s \\
&= \|x\|^2 + 2 x^\top y + \|y\|^2 \\
&= \|x\|^2 + 3 x^\top y + \|y\|^2
\end{aligned}
$$
"""


@pytest.mark.parametrize(
    ("side", "why"),
    [
        (r"x^\top x + \unheard{y}", r"the macro \unheard is not known"),
        (r"\unheard[2]{x} + \alsonot y", r"the macro \unheard is not known"),
        (r"x^\top x + + y", "cannot stand here"),
        (r"x^\top x + \|y\|^", "the formula ends too early"),
    ],
)
def test_a_side_that_cannot_be_read_is_left_out(side: str, why: str) -> None:
    rows = check(CHAIN % side, corrections=False, timeout=None).rows
    found = {(r.line, r.verdict) for r in rows}
    assert found == {(6, "proved"), (7, "skipped"), (8, "proved"), (9, "refuted")}
    (skipped,) = (r for r in rows if r.verdict == "skipped")
    assert why in skipped.reason


@pytest.mark.parametrize(
    "formula",
    [
        r"\unheard x = y",
        r"x = \unheard y",
        r"\unheard x = x = y",
        r"x = \unheard y \quad \text{if } y > 0",
        r"x = y \quad \text{if } \unheard y > 0",
        r"x^\top y = \unheard",
        r"x = \begin{unheard} y \end{unheard} = y = x",
    ],
)
def test_what_is_no_chain_is_not_read_without_its_unknown_command(formula: str) -> None:
    text = f"Let $x, y \\in \\mathbb{{R}}^n$.\n\n$${formula}$$\n"
    rows = check(text, corrections=False, timeout=None).rows
    assert [r.verdict for r in rows] == ["skipped"]


def test_a_long_chain_with_two_sides_of_another_shape() -> None:
    sides = [rf"(a + b)^2 + {k} - {k}" for k in range(7)]
    sides[3:3] = [r"v^\top"]
    sides[6:6] = [r"v v^\top"]
    text = "Let $v \\in \\mathbb{R}^n$ and numbers $a, b$.\n\n$$ a^2 + 2 a b + b^2 = "
    rows = check(text + " = ".join(sides) + " $$\n", corrections=False, timeout=None).rows
    assert [r.verdict for r in rows].count("proved") == 7
    assert [r.verdict for r in rows].count("skipped") == 2


LABELS = r"""
Let $M$ be a matrix, and $u_k^{(a)}$ and $u_k^{(t)}$ vectors.

$$ \xi_k^{(a)} = u_k^{(t)} - u_k^{(a)} $$

$$ M u_k^{(t)} - M \xi_k^a = %s M u_k^a $$
"""


@pytest.mark.parametrize(("factor", "verdict"), [("", "proved"), ("2", "refuted")])
def test_a_label_without_its_brackets(factor: str, verdict: str) -> None:
    rows = check(LABELS % factor, corrections=False, timeout=None).rows
    assert rows[-1].verdict == verdict


def test_a_power_beside_a_label_is_one() -> None:
    """p is a number of its own, so x^p is a power."""
    text = r"""
Let $p$ be a number and $x > 0$.

$$ u = x^{(p)} - x^p $$

$$ u = p - p $$
"""
    assert "proved" not in [r.verdict for r in check(text, corrections=False, timeout=None)]


ROWS = r"""
Let $a, b$ be numbers.

$$ \begin{align*} (a + b)^2 &= a^2 + 2 a b + b^2 \\
%s \\
(a - b) (a + b) &= a^2 - b^2 \\
(a - b) (a + b) &= a^2 + b^2 \end{align*}$$
"""


def test_a_row_with_a_bracket_too_many_is_left_out() -> None:
    rows = check(ROWS % "(a - b)^2 &= a^2 - 2 a b) + b^2", corrections=False, timeout=None).rows
    found = {(r.line, r.verdict) for r in rows}
    assert found == {(4, "proved"), (5, "skipped"), (6, "proved"), (7, "refuted")}


def test_what_goes_on_from_a_wrong_row_is_not_taken_for_what_goes_on_from_another() -> None:
    row = "(a - b)^2 &= a^2 - 2 a b) + b^2 \\\\ &= (a + b)^2 - 4 a b"
    rows = check(ROWS % row, corrections=False, timeout=None).rows
    assert [r.verdict for r in rows] == ["skipped"]


def test_a_wrong_row_of_a_chain_is_left_out() -> None:
    row = "&= a^2 + 2 a b) + b^2 \\\\ &= (a - b)^2 + 4 a b"
    rows = check(ROWS % row, corrections=False, timeout=None).rows
    proved = [r for r in rows if r.verdict == "proved"]
    assert len(proved) == 3
    assert not any(")" in r.latex.partition("2 a b")[2].partition("=")[0] for r in proved)


def test_unknown_commands_are_unknown_in_every_reading() -> None:
    """Labels and samples have a text read again."""
    text = r"""
Let $x^{(i)} \in \mathbb{R}^d$ for $i = 1, \dots, n$.

$$ f(x) = w^\top x $$

$$ J = \sum_{i=1}^n f(x^{(i)}) $$

$$ \nabla_w J = \unheard \sum_{i=1}^n x^{(i)} $$
"""
    rows = check(text, corrections=False, timeout=None).rows
    (last,) = (r for r in rows if "unheard" in r.latex)
    assert (last.verdict, last.reason) == ("skipped", r"the macro \unheard is not known")


def test_a_capital_sigma_with_a_first_value_is_a_sum() -> None:
    text = r"""
Let $x \in \mathbb{R}^m$ and let $\Sigma$ be a matrix.

$$ \mu = \frac{1}{m} \Sigma^m_{i=1} x_i $$

$$ \Sigma_{i=1}^m (x_i - \mu) = 0 $$

$$ \log \Pi_{i=1}^m e^{x_i} = 2 m \mu $$

$$ \frac{\partial}{\partial \Sigma} \mathrm{tr}(\Sigma) = I $$
"""
    rows = check(text, corrections=False, timeout=None).rows
    assert [r.verdict for r in rows] == ["definition", "proved", "refuted", "proved"]
