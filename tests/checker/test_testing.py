"""Assertions about equations, and the plugin for pytest."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy as sp

import symattn as sa
from symattn.testing import assert_equal, assert_gradient, assert_identity

pytest_plugins = ["pytester"]

(n,) = sa.sizes("n")
i, j = sa.indices("i j", n)
x, y = sa.tensor("x", n), sa.tensor("y", n)
L = sa.define("L", (), sa.total(x[i] ** 2 * y[i], i))
SOFTMAX = r"s_i = \frac{e^{x_i}}{\sum_j e^{x_j}}"


def test_expressions() -> None:
    assert_equal(sa.total(x[i] * y[i], i), sa.total(y[j] * x[j], j))
    with pytest.raises(AssertionError) as failure:
        assert_equal(sa.total(x[i] * y[i], i), 3 * sa.total(x[i] * y[i], i))
    said = str(failure.value)
    assert "left = 1/3 · right" in said
    assert "counterexample" in said
    assert "at n = 1" in said  # the smallest


def test_latex_is_shown_as_it_was_written() -> None:
    assert_equal(r"\sum_i s_i", "1", given=SOFTMAX)
    with pytest.raises(AssertionError) as failure:
        assert_equal(r"\sum_{i} s_i", "2", given=SOFTMAX)
    assert r"  left:    \sum_{i} s_i" in str(failure.value)
    assert "  right:   2" in str(failure.value)


def test_chains_fail_at_the_link_that_is_wrong() -> None:
    assert_identity(r"L = \sum_i y_i x_i x_i = \sum_j x_j^2 y_j", given=L)
    with pytest.raises(AssertionError) as failure:
        assert_identity(r"L = \sum_i y_i x_i x_i = \sum_j x_j y_j", given=sa.System(L))
    assert r"  left:    \sum_i y_i x_i x_i" in str(failure.value)
    assert r"  right:   \sum_j x_j y_j" in str(failure.value)


@pytest.mark.parametrize("left", [r"\frac{\partial L}{\partial x_i}", "G_i"])
def test_gradients(left: str) -> None:
    assert_gradient(f"{left} = 2 x_i y_i", of="L", wrt="x", given=L)
    with pytest.raises(AssertionError, match=r"left = 2 · right"):
        assert_gradient(f"{left} = x_i y_i", of="L", wrt="x", given=L)


def test_a_gradient_of_something_else() -> None:
    with pytest.raises(AssertionError, match="of L by x, and not of L by y"):
        assert_gradient(r"\frac{\partial L}{\partial x_i} = 2 x_i y_i", of="L", wrt="y", given=L)
    with pytest.raises(sa.FormulaError, match="nothing given defines z"):
        assert_gradient("G_i = 2 x_i y_i", of="L", wrt="z", given=L)


def test_what_is_no_equation() -> None:
    with pytest.raises(sa.FormulaError, match="no equation"):
        assert_identity("x_i y_i", given=L)
    with pytest.raises(sa.FormulaError, match="one side is LaTeX"):
        assert_equal("x", sp.Integer(1))


NORM = r"""
$$ r_i = \sqrt{\frac{1}{d} \sum_a x_{ia}^2 + \epsilon} $$

$$ y_{ia} = g_a \frac{x_{ia}}{r_i} $$
"""


@pytest.mark.parametrize("given", [NORM, sa.read(NORM)], ids=["text", "system"])
def test_a_letter_on_the_left_is_free_in_a_square_too(given) -> None:
    """r_i^2 is no Σ_i r_i², where it stands on the left."""
    sa.testing.assert_equal("r_i^2", r"\frac{1}{d} \sum_a x_{ia}^2 + \epsilon", given=given)
    sa.testing.assert_identity(r"r_i^2 = \frac{1}{d} \sum_a x_{ia}^2 + \epsilon", given=given)
    with pytest.raises(AssertionError, match="refuted"):
        sa.testing.assert_equal("r_i^2", r"\frac{1}{d} \sum_a x_{ia}^2", given=given)


def test_a_derivation_beside_latex() -> None:
    """The text is what the derivation states, or the whole equation."""
    g = sa.backward(sa.read(NORM), output="y", wrt=("x", "g"))
    right = r"\sum_i \frac{x_{ia} \bar y_{ia}}{r_i}"
    assert sa.prove(g["g"], right).status == "proved"
    assert sa.prove(rf"\bar g_a = {right}", g["g"]).status == "proved"
    assert sa.prove(g["g"], right.replace("r_i", "r_i^2")).status == "refuted"
    with pytest.raises(AssertionError, match="refuted"):
        sa.testing.assert_equal(g["x"], r"g_a \bar y_{ia} / r_i", given=sa.read(NORM))


DOCUMENT = r"""
$$ g = \sum_i \sum_a X_{ia}^2 $$

$$ \frac{\partial g}{\partial X_{ia}} = 2 X_{ia} $$

$$ \frac{\partial g}{\partial X_{ia}} = 3 X_{ia} $$

$$ x \sim p $$
"""


def test_the_plugin_makes_an_item_of_every_formula(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nsymattn_files = docs/*.md\n")
    folder = pytester.mkdir("docs")
    Path(folder, "paper.md").write_text(DOCUMENT)
    Path(folder, "paper.txt").write_text(DOCUMENT)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-rs")
    result.assert_outcomes(passed=2, failed=1, skipped=1)
    result.stdout.fnmatch_lines(
        ["*paper.md:6:4: refuted: *", "*correct: 2 X_{ia}*", "*1 failed, 2 passed, 1 skipped*"]
    )
    result.stdout.no_fnmatch_line("*Traceback*")


def test_without_the_option_nothing_is_collected(pytester: pytest.Pytester) -> None:
    pytester.makefile(".md", paper=DOCUMENT)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


SIGNED = r"Let $\tau > 0$ be a temperature. $$ y_i = e^{x_i / \tau} $$ $$ r = \sqrt{\tau^2} c $$"


def test_formulas_have_the_signs_of_the_system() -> None:
    system = sa.read(SIGNED, strict=False)
    assert_equal(r"\frac{\partial y_i}{\partial x_j}", r"\frac{1}{\tau} y_i \delta_{ij}", system)
    assert_equal("r", r"\tau c", given=system)  # which rests on τ > 0
    assert sa.prove("r", r"\sqrt{c^2} \tau", given=system).status == "refuted"  # of any sign


def test_an_equation_in_one_piece() -> None:
    assert sa.prove(r"\sum_{i=1}^n s_i = 1", given=SOFTMAX).status == "proved"
    assert sa.prove(r"\sum_i s_i = 2", given=SOFTMAX).status == "refuted"
    total = sa.total(x[i] * y[i], i)
    assert sa.prove(sp.Eq(2 * total, total + sa.total(y[j] * x[j], j))).status == "proved"
    for wrong in (r"\sum_{i=1}^n s_i", r"a = s_i = 1", r"s_i =", total):
        with pytest.raises(sa.FormulaError, match="no equation of two sides"):
            sa.prove(wrong, given=SOFTMAX)
