"""What is free, what is tied and what is known at a statement; each with what must not follow."""

from __future__ import annotations

import json

import pytest

import symattn as sa
from symattn.checker.report import Row


def last(text: str, corrections: bool = False) -> Row:
    return sa.check(text, corrections=corrections).rows[-1]


def verdict(text: str) -> str:
    return last(text).verdict


SUMS = r"""# Labels

Let $y$ be labels SAID.

# Smoothing

$$ z_k = (1 - \alpha) y_k + \frac{\alpha}{K} $$

$$ \sum_{k=1}^K z_k = TOTAL $$
"""


@pytest.mark.parametrize(
    "said", [r"with $\sum_{k=1}^K y_k = 1$", "with\n\n$$ \\sum_{k=1}^K y_k = 1 $$\n\n"]
)
def test_what_an_earlier_section_says_of_a_name_still_holds(said: str) -> None:
    text = SUMS.replace("SAID", said)
    assert verdict(text.replace("TOTAL", "1")) == "proved"
    assert verdict(text.replace("TOTAL", "2")) == "refuted"
    assert verdict(SUMS.replace("SAID", "").replace("TOTAL", "1")) == "refuted"


def test_a_notebook_of_one_line_has_sections_and_an_order() -> None:
    cells = ["# One\n\n$$ y = 2 x $$", "# Two\n\nRecall that\n\n$$ y = 3 x $$\n\n$$ z = y^2 $$"]
    cells += ["$$ \\frac{\\partial z}{\\partial x} = 4 y $$"]
    book = {"cells": [{"cell_type": "markdown", "source": [c]} for c in cells], "nbformat": 4}
    rows = sa.check(json.dumps(book), corrections=False).rows
    assert [r.verdict for r in rows] == ["definition", "refuted", "definition", "proved"]
    assert [r.line for r in rows] == [3, 9, 11, 13]


GIVEN = r"""Let $X \in \mathbb{R}^{n \times d}$, $b \in \mathbb{R}^d$, $L = \frac12 \|w - b\|^2$ and
$M = X^\top X + c I$.

"""


@pytest.mark.parametrize(
    ("wrong", "right"),
    [  # an inverse, what is alone on the left, a term, a factor that the right side has nowhere
        (r"\log r = \log q - E/T", r"\log q + E/T"),
        (r"M^{-1} X^\top y = (X^\top X - c I)^{-1} X^\top y", r"(X^\top X + c I)^{-1} X^\top y"),
        (r"\frac{\partial L}{\partial w} = w", r"w - b"),
        (r"\frac{\partial H}{\partial u_k} = (u_k + 1)", r"a_{k} (u_k + 1)"),
    ],
)
def test_corrections(wrong: str, right: str) -> None:
    defined = "$$ r = q e^{E/T} $$\n\n$$ H = \\sum_k a_k (u_k + \\frac12 u_k^2) $$\n\n"
    row = last(f"{GIVEN}{defined}$$ {wrong} $$\n", corrections=True)
    assert row.verdict == "refuted"
    assert "".join((row.correction or "").split()) == "".join(right.split())


FREE = {  # what differs and is refuted, and the like that a reader may mean otherwise
    "$L = \\frac12 m \\dot q^2 - V$.\n\n"
    "$$ \\frac{\\partial L}{\\partial \\dot q} = 2 m \\dot q $$": (
        "refuted",
        "",
    ),
    "$L = \\frac12 m \\dot q^2$.\n\n$$ \\frac{\\partial L}{\\partial \\dot q} = m \\dot q $$\n\n"
    "Let $p = m v$.\n\n$$ 2 \\dot p + p = m a $$": ("unproved", "what p_dot is"),
    "Income is $I$ and $y = a I / q$.\n\n$$ y q = 2 a I $$": ("refuted", ""),
    "The normalised $u = x / \\sqrt{s + \\epsilon}$.\n\n"
    "$$ \\frac{\\partial u}{\\partial x} = \\frac{2}{\\sqrt{s + \\epsilon}} $$": ("refuted", ""),
    "The normalised vector $h \\in \\mathbb{R}^d$.\n\n$$ h^\\top h = 1 $$": ("skipped", ""),
    "$y = \\sigma x$.\n\n$$ \\frac{\\partial y}{\\partial x} = 2 \\sigma $$\n\n"
    "$$ \\sigma_n = \\oint \\foo $$": ("refuted", ""),
    "$y = \\sigma x$ and $x = \\tau z$.\n\n$$ y + x = z $$\n\n$$ \\tau = \\oint \\foo $$": (
        "unproved",
        "may say what tau is",
    ),
    "Near the edge $m = \\sum_k p_k f_k$.\n\n$$ r_k = p_k f_k / m $$\n\n$$ \\sum_k r_k = 1 $$": (
        "unproved",
        "may say what m is",
    ),
    "Let $b_t = \\prod_{s=1}^t a_s$ and $x_t = b_t z + e_t$.\n\n$$ x_t - e_t = -b_t z $$": (
        "refuted",
        "",
    ),
    "Let $b_t = \\prod_{s=1}^t a_s$.\n\n$$ 2 b_t = \\sum_{s=1}^t a_s $$": ("refuted", "at t = 3"),
}


@pytest.mark.parametrize("text", FREE)
def test_what_ties_a_name_counts_where_it_can_matter(text: str) -> None:
    wanted, reason = FREE[text]
    rows = sa.check(f"{text}\n", corrections=False).rows
    row = next(r for r in rows[::-1] if r.kind not in ("unread", "definition"))
    assert row.verdict == wanted and reason in row.reason


DATA = r"""We observe $y_i = \sum_a X_{ia} w_a + e_i$. The loss is
$L = \frac12 \sum_i (y_i - \sum_a X_{ia} w_a)^2$.

$$ \frac{\partial L}{\partial w_a} = FACTOR \sum_i (y_i - \sum_c X_{ic} w_c) X_{ia} $$
"""


@pytest.mark.parametrize(
    ("factor", "wanted"), [("-", "conditional"), ("", "refuted"), ("-2", "refuted")]
)
def test_data_may_be_held_while_a_model_of_them_is_derived(factor: str, wanted: str) -> None:
    row = last(DATA.replace("FACTOR", factor))
    assert row.verdict == wanted
    assert wanted != "conditional" or row.reason.startswith("true only if y does not change")


OPTIMUM = r"""Let $g = \frac12 a z^2 - b z$. The optimum is $z = b / a$. Then

$$ \frac{\partial g}{\partial z} = RIGHT $$
"""


@pytest.mark.parametrize(
    ("right", "wanted"), [("a z - b", "proved"), ("0", "conditional"), ("b - a z", "refuted")]
)
def test_what_is_derived_by_may_have_any_value(right: str, wanted: str) -> None:
    assert verdict(OPTIMUM.replace("RIGHT", right)) == wanted


@pytest.mark.parametrize(
    ("right", "wanted"), [("2 S", "proved"), (r"2 Q K^\top", "proved"), (r"3 Q K^\top", "refuted")]
)
def test_what_is_derived_by_may_be_written_out(right: str, wanted: str) -> None:
    text = r"With $S = Q K^\top$ and $L = \sum_{ij} S_{ij}^2$:"
    assert verdict(f"{text}\n\n$$ \\frac{{\\partial L}}{{\\partial S}} = {right} $$\n") == wanted


@pytest.mark.parametrize(("claim", "wanted"), [("^2 = x^4", "proved"), ("^3 = x^4", "refuted")])
def test_a_power_behind_a_function_counts(claim: str, wanted: str) -> None:
    assert verdict(f"$$ f(x) = x^2 $$\n\n$$ f(x){claim} $$\n") == wanted


def test_what_a_loss_goes_through_is_not_free() -> None:
    text = "With $y = W x$ and $\\bar y = \\partial L/\\partial y$:\n\n$$ \\bar x = RIGHT $$\n"
    assert verdict(text.replace("RIGHT", "W^\\top \\bar y")) == "proved"
    assert verdict(text.replace("RIGHT", "2 W^\\top \\bar y")) == "refuted"


ORDERS = r"""For a reaction of first order $c(t) = c_0 e^{-k t}$ the rate is

$$ -\frac{d c}{d t} = k c $$

CASE $\frac{1}{c(t)} = \frac{1}{c_0} + k t$ SAID

$$ h = \frac{1}{k c_0} $$
"""


def test_another_case_in_a_sentence_is_no_error() -> None:
    other = ORDERS.replace("CASE", "For one of second order with").replace(
        "SAID", "the half-life is"
    )
    assert [r.verdict for r in sa.check(other, corrections=False).rows][2] == "definition"
    same = ORDERS.replace("CASE", "Since").replace("SAID", "we have the half-life")
    assert [r.verdict for r in sa.check(same, corrections=False).rows][2] == "refuted"
