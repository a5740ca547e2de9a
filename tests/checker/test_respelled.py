"""Formulas of laws with one slip: refuted, and with the right side as LaTeX."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.checker.links import bracketed
from symattn.checker.report import WRONG, Row

AVERAGES = r"""# Averages

We draw $x$ from a density $q$ and want averages under $p$. With weights

$$ w(x) = \frac{p(x)}{q(x)} $$

and a constant $c$ one has

"""
JOINT = r"""# A model

The joint law of $x$ and $h$ is $p(x, h)$. WORDS

"""


def last(text: str, latex: str) -> Row:
    return next(r for r in sa.check(f"{text}$$ {latex} $$\n").rows if r.latex == latex)


@pytest.mark.parametrize(
    ("left", "wrong", "right"),
    [
        (r"\mathbb{E}_{x \sim q}[w(x)]", "-1", "1"),
        (r"\mathbb{E}_{x \sim q}[w(x)]", "2", "1"),
        (
            r"\mathbb{E}_{x \sim q}[w(x) f(x)]",
            r"-\mathbb{E}_{x \sim p}[f(x)]",
            r"\mathbb{E}_{x \sim p}[f(x)]",
        ),
        (
            r"\mathrm{Var}_{x \sim p}[f(x) + c\, g(x)]",
            r"\mathrm{Var}_{x \sim p}[f(x)] + 3 c\, \mathrm{Cov}_{x \sim p}(f(x), g(x))"
            r" + c^2 \mathrm{Var}_{x \sim p}[g(x)]",
            r"\mathrm{Var}_{x \sim p}[f(x)] + 2 c\, \mathrm{Cov}_{x \sim p}(f(x), g(x))"
            r" + c^2 \mathrm{Var}_{x \sim p}[g(x)]",
        ),
        (
            r"\mathrm{Var}_{x \sim p}[f(x) + c\, g(x)]",
            r"\mathrm{Var}_{x \sim p}[f(x)] + 2 c\, \mathrm{Cov}_{x \sim p}(f(x), g(x))"
            r" + c^3 \mathrm{Var}_{x \sim p}[g(x)]",
            r"\mathrm{Var}_{x \sim p}[f(x)] + 2 c\, \mathrm{Cov}_{x \sim p}(f(x), g(x))"
            r" + c^2 \mathrm{Var}_{x \sim p}[g(x)]",
        ),
    ],
)
def test_one_slip_is_mended_in_the_notation_of_the_author(
    left: str, wrong: str, right: str
) -> None:
    row = last(AVERAGES, f"{left} = {wrong}")
    assert (row.verdict, "".join(row.correction.split())) == ("refuted", "".join(right.split()))
    assert last(AVERAGES, f"{left} = {right}").verdict == "proved"


def test_macros_of_the_document_are_known_to_corrections() -> None:
    text = "\\newcommand{\\E}{\\mathbb{E}}\n" + AVERAGES
    row = last(text, r"\E_{x \sim q}[w(x) f(x)] = 2 \E_{x \sim p}[f(x)]")
    assert (row.verdict, row.correction) == ("refuted", r"\E_{x \sim p}[f(x)]")


@pytest.mark.parametrize("words", ["So", "We assume that it is uniform."])
@pytest.mark.parametrize("factor", ["-", "2", r"\frac{1}{2}"])
def test_no_condition_makes_a_law_a_multiple_of_itself(words: str, factor: str) -> None:
    text = JOINT.replace("WORDS", words)
    row = last(text, rf"p(h \mid x) = {factor} \frac{{p(x, h)}}{{p(x)}}")
    assert (row.verdict, row.correction) == ("refuted", r"\frac{p(x, h)}{p(x)}")


@pytest.mark.parametrize(
    "latex",
    [
        r"p(h \mid x) = \frac{p(x, h)}{p(h)}",  # as it may be where it is uniform
        r"p(h \mid x) = \frac{q(x, h)}{p(x)}",
        r"D_{\mathrm{KL}}(p(x) \,\|\, p(h)) = 0",  # what may be asked for
        r"H(X, Y) = H(X)",  # where one tells the other
        r"\mathbb{E}_{p(x)}[f(x)] = 2 \mathbb{E}_{p(x)}[g(x)]",
    ],
)
def test_what_a_condition_may_make_true_is_not_refuted(latex: str) -> None:
    row = last(JOINT.replace("WORDS", "We assume that it is uniform."), latex)
    assert row.verdict not in WRONG


def test_a_limit_ties_no_values() -> None:
    text = r"""# Weights

$$ A_i = \frac{e^{S_i / T}}{\sum_j e^{S_j / T}} $$

$$ \frac{\partial A_i}{\partial S_j} = FACTOR \frac{1}{T} A_i (\delta_{ij} - A_j) $$

$$ \lim_{T \to \infty} A_i = \frac{1}{n} $$
"""
    for factor, verdict in (("", "proved"), ("2", "refuted"), ("-", "refuted")):
        rows = sa.check(text.replace("FACTOR", factor), corrections=False).rows
        assert next(r.verdict for r in rows if r.line == 5) == verdict


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        (r"\sum_i z_i + x_{i}", r"\sum_i (z_i + x_{i})"),
        (r"2 \sum_{i=1}^n z_i - x_i + c", r"2 \sum_{i=1}^n (z_i - x_i) + c"),
        (r"\frac{\sum_j a_j + b_j}{n}", r"\frac{\sum_j (a_j + b_j)}{n}"),
        (r"\sum_i z_i + \sum_i x_i", r"\sum_i z_i + \sum_i x_i"),
        (r"\sum_i (z_i + x_i) + c", r"\sum_i (z_i + x_i) + c"),
        (r"\sum_i e^{-z_i} + c", r"\sum_i e^{-z_i} + c"),
        (r"a + b", "a + b"),
    ],
)
def test_a_sum_that_goes_on_is_put_in_brackets(latex: str, shown: str) -> None:
    assert bracketed(latex) == shown
