"""Slips that something else in the text used to hide: a word, a layout, a shape, a notation."""

from __future__ import annotations

import pytest

import symattn as sa


def verdicts(text: str, corrections: bool = False) -> list[str]:
    return [r.verdict for r in sa.check(text, corrections=corrections).rows]


def test_a_word_of_square_matrices_is_not_about_another_one() -> None:
    text = r"""Let $X\in\mathbb{R}^{n\times p}$, $y\in\mathbb{R}^n$, $b\in\mathbb{R}^p$ and
$S = (y - X b)^\top (y - X b)$.
The hat matrix $H = X (X^\top X)^{-1} X^\top$ is symmetric and idempotent; it leaves $X$ alone.

$$ \nabla_b S = -3 X^\top (y - X b) $$
"""
    assert verdicts(text)[-1] == "refuted"


TWICE = r"""With $z = W x$ and $y = \sigma(z)$ for $W\in\mathbb{R}^{n\times n}$

$$ \frac{\partial z}{\partial x} = FIRST $$

$$ \frac{\partial y}{\partial x} = SECOND $$
"""
ROWS, COLUMNS = r"\mathrm{diag}(\sigma'(z)) W", r"W^\top \mathrm{diag}(\sigma'(z))"


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        ("W", ROWS, "proved"),
        (r"W^\top", COLUMNS, "proved"),
        ("W", COLUMNS, "conditional"),
        (r"W^\top", ROWS, "conditional"),
    ],
)
def test_two_layouts_in_one_text(first: str, second: str, verdict: str) -> None:
    text = TWICE.replace("FIRST", first).replace("SECOND", second)
    row = sa.check(text, corrections=False).rows[-1]
    assert row.verdict == verdict
    assert ("layout, and line 3 has the other one" in row.reason) == (verdict == "conditional")


def test_a_correction_stands_in_the_layout_of_the_text() -> None:
    text = TWICE.replace("FIRST", "W").replace("SECOND", r"W \mathrm{diag}(\sigma'(z))")
    assert "".join(sa.check(text).rows[-1].correction.split()) == "".join(ROWS.split())


LAYERS = r"""Layer $l$ has $z^{(l)} = W^{(l)} a^{(l-1)} + b^{(l)}$ and $a^{(l)} = \sigma(z^{(l)})$.
The error is

$$ \delta^{(l)} = \frac{\partial L}{\partial z^{(l)}} . $$

It goes backwards by

$$ \delta^{(l)} = (WEIGHT \delta^{(l+1)}) \odot \sigma'(z^{(l)}) $$
"""


@pytest.mark.parametrize(
    ("weight", "verdict"),
    [
        (r"(W^{(l+1)})^\top", "proved"),
        (r"W^{(l+1)\top}", "proved"),
        (r"W^{(l+1)T}", "proved"),
        ("W^{(l+1)}", "refuted"),
    ],
)
def test_the_transpose_of_a_layer(weight: str, verdict: str) -> None:
    row = sa.check(LAYERS.replace("WEIGHT", weight)).rows[-1]
    assert row.verdict == verdict
    assert (r"(W^{(l+1)})^\top" in row.correction) == (verdict == "refuted")


def test_the_second_matrix_of_a_network_is_one() -> None:
    text = r"""$$ z = W x, \quad h = \sigma(z), \quad o = V h, \quad L = \frac12 \| o - y \|^2 $$

$$ \frac{\partial L}{\partial z} = (V (o - y)) \odot \sigma'(z) $$
"""
    assert verdicts(text)[-1] == "refuted"  # not proved of a number V
    assert verdicts(text.replace("(V (o", r"(V^\top (o"))[-1] == "proved"


def test_components_of_a_matrix_with_a_number() -> None:
    text = r"""# Forward

With $W_1\in\mathbb{R}^{m\times d}$ and $W_2\in\mathbb{R}^{k\times m}$ let $z = W_1 x$,
$h = \tanh(z)$, $o = W_2 h$ and
$L = \frac12 \sum_i o_i^2$.

# Backward

$$ \frac{\partial L}{\partial z_j} = (1 - h_j^2) \sum_i W_{2,INDEX} o_i $$
"""
    assert verdicts(text.replace("INDEX", "ij"))[-1] == "proved"
    assert (
        verdicts(text.replace("(1 - h_j^2)", "(1 + h_j^2)").replace("INDEX", "ij"))[-1] == "refuted"
    )


def test_a_hat_that_is_defined_is_no_gradient() -> None:
    text = r"""With $\mu = \frac1N \sum_{i=1}^N x_i$, $v = \frac1N \sum_{i=1}^N (x_i - \mu)^2$ and
$s = \sqrt{v + \epsilon}$ let

$$ \hat x_i = \frac{x_i - \mu}{s} $$

$$ \frac{\partial s}{\partial x_i} = FACTOR \hat x_i $$
"""
    assert verdicts(text.replace("FACTOR", r"\frac1N"))[-2:] == ["definition", "proved"]
    assert verdicts(text.replace("FACTOR", ""))[-2:] == ["definition", "refuted"]


def test_a_delta_is_no_gradient_where_d_marks_them() -> None:
    text = r"""Let $S\in\mathbb{R}^{n\times m}$ and $V\in\mathbb{R}^{m\times e}$,
$P = \mathrm{softmax}(S)$ of rows, $O = P V$. We
backpropagate a loss $L$ and write $dX = \partial L/\partial X$ for its gradients: $dV = P^\top dO$.

$$ \frac{\partial P_{ij}}{\partial S_{ik}} = P_{ij} (\delta_{jk} + P_{ik}) $$
"""
    row = sa.check(text).rows[-1]
    assert (row.verdict, row.correction) == ("refuted", r"P_{ij} (\delta_{jk} - P_{ik})")


MOTION = r"""A mass obeys

$$ m \ddot x = -c \dot x - k x . $$

Its energy

$$ E = \frac12 m \dot x^2 + \frac12 k x^2 $$

is lost at the rate

$$ \dot E = FIRST $$

WORDS

$$ \dot E = SECOND $$
"""


@pytest.mark.parametrize(
    ("first", "words", "second", "found"),
    [
        (r"-c \dot x^2", "and so", r"-2 c \dot x^2", ["conditional", "refuted"]),
        (r"-2 c \dot x^2", "and so", r"-c \dot x^2", ["refuted", "conditional"]),
        (r"-c \dot x^2", "Without friction", "0", ["conditional", "definition"]),
        (r"-c \dot x^2", "that is", r"m \dot x \ddot x + k x \dot x", ["conditional"] * 2),
    ],
)
def test_a_rate_is_not_given_anew(first: str, words: str, second: str, found: list[str]) -> None:
    text = MOTION.replace("FIRST", first).replace("WORDS", words).replace("SECOND", second)
    assert verdicts(text)[-2:] == found


def test_a_transposition_is_missing_where_names_have_shapes() -> None:
    text = r"""Let $K\in\mathbb{R}^{n\times n}$ be symmetric positive definite, $y\in\mathbb{R}^n$
and $\alpha = K^{-1} y$.

$$ \ell = -\frac12 y^\top K^{-1} y - \log\det K $$

It can be written as

$$ \ell = -\frac12 y LETTER - \log\det K $$
"""
    row = sa.check(text.replace("LETTER", r"\alpha")).rows[-1]
    assert (row.verdict, row.correction) == ("malformed", r"-\frac12 y^\top \alpha - \log\det K")


def test_a_claim_of_its_own_definitions_ties_nothing() -> None:
    text = r"""Let $Z = \sum_{i,j} a_i A_{ij} b_j$ and $\xi_{ij} = a_i A_{ij} b_j / Z$.

$$ \frac{\partial Z}{\partial A_{ij}} = RIGHT $$

$$ \sum_{i,j} \xi_{ij} = 1 $$
"""
    assert verdicts(text.replace("RIGHT", "a_i b_j"))[-2:] == ["proved", "proved"]
    assert verdicts(text.replace("RIGHT", "b_j"))[-2:] == ["refuted", "proved"]
