r"""What a text leaves to convention, each with a near miss."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.checker import check
from symattn.read import read

GAUSS = r"""
A model of vectors.

$$ \ell(\mu) = -\frac12 \sum_i (x_i - \mu)^\top \Sigma^{-1} (x_i - \mu) $$

$$ \nabla_\mu \ell = \Sigma^{-1} \sum_i (x_i - \mu) $$

$$ \nabla_\mu \ell = \sum_i (x_i - \mu) $$
"""
FIRST = r"""
$$ u_t = \prod_{s=1}^t a_s^2, \quad x_t = u_t x_0 + (1 - u_t) b_t $$

$$ x_0 = \frac{1}{u_t} \left( x_t - (1 - u_t) b_t \right) $$

$$ x_0 = \frac{1}{u_t} \left( x_t + (1 - u_t) b_t \right) $$
"""
RESIDUAL = r"""
The residual is $e = y - X b$ for a matrix $X$ and vectors $y$ and $b$.

$$ e^\top e = y^\top y - 2 b^\top X^\top y + b^\top X^\top X b $$

$$ e^\top e = y^\top y + b^\top X^\top X b $$
"""
STACKED = r"""
$$ X = [x_1, \dots, x_n]^\top \in \mathbb{R}^{n \times d} $$

$$ X^\top X = \sum_{i=1}^n x_i x_i^\top $$

$$ X^\top X = 2 \sum_{i=1}^n x_i x_i^\top $$
"""
RATE = r"""
$$ v(s) = \frac{V s}{K_m + s} $$

$$ v(K_m) = \frac{V}{2} $$

$$ v'(s) = \frac{V K_m}{(K_m + s)^2} $$

$$ v'(s) = \frac{V s}{(K_m + s)^2} $$
"""
ROWS = r"""
Let $A$ be a matrix.

$$ P_{i:} = \frac{A_{i:}}{l_i} $$

$$ P_{ij} = \frac{A_{ij}}{l_i} $$

$$ P_{ij} = \frac{A_{ij}}{l_j} $$
"""
VECTOR = r"""
$$ \lambda(\mathbf{x}, \boldsymbol{\theta}) = \mathbf{u} + \mathbf{x} $$

$$ \lambda(\mathbf{x}, \boldsymbol{\theta})_i = u_i + x_i $$
"""


BLOCK = r"""
A block gives $y = x + f(x)$ with $f(x) = W x$ of a square matrix $W$. In matrix form it acts as
$$y = ({}) x$$
"""


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (GAUSS, ["definition", "proved", "refuted"]),
        (RESIDUAL, ["definition", "proved", "refuted"]),
        (STACKED, ["definition", "proved", "refuted"]),
        (RATE, ["definition", "proved", "proved", "refuted"]),
        (ROWS, ["definition", "proved", "refuted"]),
        (VECTOR, ["definition", "proved"]),
        (BLOCK.format("I + W"), ["definition", "definition", "proved"]),
        (BLOCK.format("I - W"), ["definition", "definition", "refuted"]),
    ],
)
def test_a_text_and_a_near_miss(text: str, verdicts: list[str]) -> None:
    assert [r.verdict for r in check(text, corrections=False)] == verdicts


def test_an_initial_value_is_one_for_all_steps() -> None:
    """x_0 = … x_t … is said of every t; the other sign is not proved."""
    found = [r.verdict for r in check(FIRST, corrections=False)]
    assert found[2] == "proved"
    assert found[3] != "proved"


LAPLACIAN = r"""
Let $W \in \mathbb{R}^{n \times n}$ be a symmetric matrix with entries $w_{ij}$.

$$ d_i = \sum_{j=1}^n w_{ij} $$

Put $D = \mathrm{diag}(d_1, \dots, d_n)$ and

$$ L = D - W . $$

$$ f^\top L f = \frac12 \sum_{i,j=1}^n w_{ij} (f_i - f_j)^2 $$

Moreover $L \mathbf{1} = 0$.
"""


def test_a_sum_over_two_letters_and_dots_in_a_sentence() -> None:
    found = check(LAPLACIAN, corrections=False)
    assert [r.verdict for r in found] == ["definition"] * 3 + ["proved"] * 2
    wrong = check(LAPLACIAN.replace(r"\frac12 \sum", r"\sum"), corrections=False)
    assert wrong.rows[3].verdict == "refuted"


TRACE = r"""
$$ t_\mu = \Gamma^\alpha{}_{\alpha\mu} $$

$$ \Gamma^\alpha{}_{\alpha\mu} = \sum_\nu \Gamma^\nu{}_{\nu\mu} $$

$$ \Gamma^\alpha{}_{\alpha\mu} = 2 \Gamma^\nu{}_{\nu\mu} $$
"""


def test_a_letter_above_and_below_is_summed_on_the_left_too() -> None:
    first, second, third = check(TRACE, corrections=False)
    assert (first.verdict, second.verdict) == ("definition", "proved")
    assert third.verdict != "proved"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"p_i = \sigma(d_i)", {"d": 1}),
        (r"a_i = b n_i", {"n": 1}),
        (r"S_{ij} = \frac{1}{\sqrt{d_k}} Q_{ia} K_{ja}", {"d_k": 0}),  # the size of a key
        (r"s_k = \frac{x_k}{\sqrt{d_k}}", {"d_k": 0}),
    ],
)
def test_sizes_with_the_index_of_the_left(formula: str, expected: dict[str, int]) -> None:
    meanings = {m.name: len(m.shape) for m in read(f"$${formula}$$", strict=False).meanings}
    assert expected.items() <= meanings.items()


def test_diag_of_an_expression_in_one_letter_is_a_matrix():
    text = (
        "Let $p \\in \\mathbb{R}^N$, $X \\in \\mathbb{R}^{N \\times d}$.\n\n$$ H = X^T S X $$\n\n"
        "with $S = \\mathrm{diag}(p_i(1-p_i))$. $$ H_{ab} = \\sum_i p_i (1 - p_i) X_{ia} X_{ib} $$"
    )
    assert [r.verdict for r in sa.check(text, corrections=False).rows] == [
        "definition",
        "definition",
        "proved",
    ]
    assert len(read(text.partition(". $$ H_")[0], strict=False).definitions) == 2
    assert (
        sa.check(text.replace("1 - p_i", "1 + p_i"), corrections=False).rows[-1].verdict
        == "refuted"
    )


def test_zero_does_not_say_that_letters_are_summed():
    text = (
        "$$ N_k = \\sum_n g_{nk} $$ $$ m_k = \\frac{1}{N_k} \\sum_n g_{nk} x_n $$"
        "$$ \\sum_n g_{nk} (x_n - m_k) = 0 $$"
    )
    last = read(text, strict=False).equations[-1]
    assert [i.name for i in last.indices] == ["k"]
    assert sa.check(text, corrections=False).rows[-1].verdict == "proved"
    assert (
        sa.check(text.replace("- m_k", "- 2 m_k"), corrections=False).rows[-1].verdict != "proved"
    )


def test_an_amplitude_before_an_angle_is_no_matrix():
    text = r"""$$ x = A \cos \omega t + B \sin \omega t $$

$$ \frac{dx}{dt} = -A \omega \sin \omega t + B \omega \cos \omega t $$
"""
    assert {m.shape for m in read(text, strict=False).meanings} == {()}


@pytest.mark.parametrize(
    "scale", [r"\frac{\alpha}{r}", r"\alpha", r"\frac{1}{\sqrt{r}}", r"\frac12"]
)
def test_what_is_added_to_a_scaled_product_of_matrices_is_one(scale):
    text = rf"$$ V = W + {scale} B A $$ with $B \in \mathbb{{R}}^{{d \times q}}$, "
    text += r"$A \in \mathbb{R}^{q \times k}$."
    shapes = {m.name: m.shape for m in read(text, strict=False).meanings}
    assert shapes["W"] == shapes["V"] == ("d", "k")


def test_what_is_added_to_a_product_with_a_number_is_open():
    found = read(r"$$ v = N + \frac{\alpha}{r} x_i b $$", strict=False).meanings
    assert {m.name: len(m.shape) for m in found if m.name in ("N", "W")}.get("N", 0) == 0


def test_a_capital_before_a_bracket_is_a_matrix_beside_one():
    text = r"$$ h = \tanh(W x + U (r \odot g)) $$"
    shapes = {m.name: len(m.shape) for m in read(text, strict=False).meanings}
    assert (shapes["W"], shapes["U"], shapes["r"]) == (2, 2, 1)
    alone = r"$$ E = \frac12 m v^2 + U (x - y) $$"  # of a potential
    assert len({m.name: m.shape for m in read(alone, strict=False).meanings}.get("U", ())) == 0


def test_a_capital_beside_diag_is_no_number():
    text = r"""Some words stand here first. Let $p$ be a vector.

$$ y = p \odot p $$
$$ J = W \mathrm{diag}(y) $$
$$ J = \mathrm{diag}(y) W $$
$$ J = c \, \mathrm{diag}(y) $$
"""
    document = read(text, strict=False)
    shapes = {m.name: len(m.shape) for m in document.meanings}
    assert (shapes["W"], shapes.get("c", 0)) == (2, 0)
    assert check(text, corrections=False).rows[-2].verdict not in ("proved",)


def test_a_vector_that_is_squared_is_no_number_for_what_stands_before_it():
    text = r"""A recurrent network has $h_t = \tanh(W h_{t-1} + x_t)$.

$$ \frac{\partial h_t}{\partial x_t} = \mathrm{diag}(1 - h_{t-1}^2) $$
$$ \frac{\partial h_t}{\partial h_{t-1}} = W \mathrm{diag}(1 - h_t^2) $$
$$ \frac{\partial h_t}{\partial h_{t-1}} = \mathrm{diag}(1 - h_t^2) W $$
"""
    rows = check(text, corrections=False).rows
    assert [r.verdict for r in rows] == ["definition", "refuted", "refuted", "proved"]
