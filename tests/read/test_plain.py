"""Plain pages: what sentences say of names, and functions at other arguments."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.read import read


def verdicts(text: str) -> list[str]:
    return [r.verdict for r in sa.check(text, corrections=False).rows]


def kinds(text: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {m.name: (m.kind, m.shape) for m in read(text, strict=False).meanings}


@pytest.mark.parametrize(
    "words, kind",
    [
        (r"Let $A$ be an $m\times n$ matrix.", ("matrix", ("m", "n"))),
        (r"Let $B$ be a $k \times k$ matrix and $A$ an $m\times n$ one-off matrix.", ("matrix",)),
        (r"Here $A$ is an $m \times n$ matrix of queries.", ("matrix", ("m", "n"))),
        (r"For an $m\times n$ matrix $A$ let us see.", ("matrix", ("m", "n"))),
        (r"The rows of $A$ are vectors.", ("number",)),
        (r"Nobody calls $A$ a vector space.", ("number",)),
    ],
)
def test_words_give_a_name_its_axes(words, kind):
    assert kinds(f"{words}\n\n$$ B = A + A $$")["A"][: len(kind)] == kind


@pytest.mark.parametrize(
    "words, verdict",
    [
        (r"for a symmetric positive definite $n\times n$ matrix $S$", "proved"),
        (r"where $S$ is a $n\times n$ covariance matrix", "proved"),
        (r"for a not necessarily symmetric $n\times n$ matrix $S$", "conditional"),
        (r"if the $n\times n$ matrix $S$ is symmetric", "conditional"),
        (r"for a skew symmetric $n\times n$ matrix $S$", "refuted"),
    ],
)
def test_words_that_call_a_matrix_symmetric(words, verdict):
    text = f"Let $x$ and $y$ be vectors of length $n$, {words}.\n\n$$ x^\\top S y = y^\\top S x $$"
    assert verdicts(text) == [verdict]


@pytest.mark.parametrize(
    "words",
    [
        r"for an antisymmetric $n\times n$ matrix $F$",
        r"$S, F \in \mathbb{R}^{n \times n}$, with $F$ skew symmetric and $S$ symmetric",
        r"$F \in \mathbb{R}^{n \times n}$ with $F^\top = -F$",
        r"$F \in \mathbb{R}^{n \times n}$ where $F_{ij} = -F_{ji}$",
    ],
)
def test_words_that_call_a_matrix_antisymmetric(words):
    text = f"Let $x \\in \\mathbb{{R}}^n$, {words}.\n\n$$ y = x^\\top F x + x^\\top x $$\n\nSo "
    found = verdicts(text + "$$ y = x^\\top x $$\n\nSo $$ y = 2 x^\\top x $$")
    assert found[-2:] == ["proved", "refuted"]


@pytest.mark.parametrize(
    "claim, verdict",
    [
        (r"\sum_k A_{ik} (A^{-1})_{kj} = \delta_{ij}", "proved"),
        (r"\sum_k A_{ik} (A^{-1})_{jk} = \delta_{ij}", "conditional"),
        (r"\sum_{kl} A_{ik} (A^{-1})_{kl} (u_l + v_l) = u_i + v_i", "proved"),
    ],
)
def test_a_component_is_no_function_of_the_matrix_behind_it(claim, verdict):
    assert verdicts(rf"Let $A \in \mathbb{{R}}^{{n \times n}}$ be invertible. $$ {claim} $$") == [
        verdict
    ]


@pytest.mark.parametrize(
    "values, verdict",
    [
        (r"p \in \mathbb{R}_{>0}^n", "proved"),
        (r"p \in \mathbb{R}^n_{+}", "proved"),
        (r"p, q \in (0, 1)^n", "proved"),
        (r"p \in \mathbb{R}_{\geq 0}^n", "proved"),
        (r"p \in [0, 1]^n", "proved"),
        (r"p \in (-1, 1)^n", "refuted"),
    ],
)
def test_sets_of_positive_numbers(values, verdict):
    text = f"Let ${values}$, $x \\in \\mathbb{{R}}^n$.\n\n$$ y_i = p_i x_i $$\n\nSo "
    found = verdicts(text + "$$ y_i = |p_i| x_i $$\n\nSo $$ y_i = -p_i x_i $$")
    assert found[-2:] == [verdict, "refuted"]


def test_probability_vectors_sum_to_one():
    entropy = "$$ H = -\\sum_{i=1}^n p_i \\log p_i $$\n\n$$ H \\le \\log n $$"
    assert (
        verdicts(f"Let $p = (p_1,\\dots,p_n)$ be a probability vector.\n\n{entropy}")[-1]
        == "proved"
    )
    assert verdicts(f"Let $p = (p_1,\\dots,p_n)$ be a vector.\n\n{entropy}")[-1] == "refuted"


@pytest.mark.parametrize(
    "claim, verdict",
    [
        (r"f'(x) = 2 a x + b", "proved"),
        (r"f'(x) = 2 a x - b", "refuted"),
        (r"f''(x) = 2 a", "proved"),
        (r"f'(y + 1) = 2 a y + 2 a + b", "proved"),
        (r"f'(y + 1) = 2 a y + b", "refuted"),
        (r"f(2) = 4 a + 2 b + 1", "proved"),
        (r"f(2) = 4 a + b + 1", "refuted"),
        (r"\sigma'(x) = \sigma(x) (1 - \sigma(x))", "proved"),
        (r"\tanh'(x) = 1 - \tanh(x)^2", "proved"),
        (r"\tanh'(x) = 1 + \tanh(x)^2", "refuted"),
        (r"\dot u = A \omega \cos(\omega t)", "proved"),
        (r"\ddot u = \omega^2 u", "refuted"),
    ],
)
def test_functions_of_a_number_at_other_arguments_and_under_primes(claim, verdict):
    text = "Let $g(x) = b x + 1$. $$ f(x) = a x^2 + g(x) $$ $$ u(t) = A \\sin(\\omega t) $$"
    assert verdicts(f"{text}\n\n$$ {claim} $$")[-1] == verdict


def test_a_function_whose_body_hangs_on_its_argument_unsaid_is_refused_elsewhere():
    rows = sa.check("$$ y = x^2 $$\n\n$$ f(x) = y + 1 $$\n\n$$ f(2) = 5 $$", corrections=False).rows
    assert rows[-1].verdict == "skipped" and "hangs on x" in rows[-1].reason


@pytest.mark.parametrize(
    "claim, verdict",
    [
        (r"\nabla f(x) = H x - b", "proved"),
        (r"\nabla f(x) = H x + b", "refuted"),
        (r"\nabla f(y) = H y - b", "proved"),
        (r"\nabla f(y) = H y + y - b", "refuted"),
        (r"\nabla^2 f(x) = H", "proved"),
    ],
)
def test_a_gradient_is_by_the_argument_of_the_function(claim, verdict):
    text = r"Let $f(x) = \frac12 x^T H x - b^T x$ for a symmetric $n\times n$ matrix $H$."
    assert verdicts(f"{text}\n\n$$ {claim} $$")[1] == verdict


@pytest.mark.parametrize(
    "given, claim, verdict",
    [
        (r"F = (1-p)^\gamma", r"\partial F / \partial p = -\gamma (1-p)^{\gamma-1}", "proved"),
        (r"F = (1-p)^\gamma", r"\partial F / \partial p = \gamma (1-p)^{\gamma-1}", "refuted"),
        (r"Y = A K^\alpha L^{1-\alpha}", r"\partial Y / \partial K = \alpha \frac{Y}{K}", "proved"),
        (r"U = \frac12 k (r-R)^2", r"\partial U / \partial r = k (r - R)", "proved"),
        (r"W = e^{-\alpha (r-R)} (1+b)", r"\partial W / \partial b = e^{-\alpha (r-R)}", "proved"),
        (r"a = b + c \hspace{1cm} d = b - c", r"a + d = 2 b", "proved"),
    ],
)  # fmt: skip
def test_powers_and_factors_of_scalars(given, claim, verdict):
    assert verdicts(f"$$ {given} $$ $$ {claim} $$")[-1] == verdict


def test_an_identity_has_the_shape_of_the_other_side():
    text = r"Let $B$ be an $n\times k$ matrix with $B^\top B = I$. $$ B^\top B B^\top = B^\top $$"
    assert verdicts(text)[-1] == "proved"


def test_an_index_that_occurs_once_is_no_label():
    assert verdicts(r"$$ L = \frac1n \sum_i x_j $$ $$ y_i = x_j $$") == ["skipped", "skipped"]


@pytest.mark.parametrize(
    "words, count",
    [
        (r"Set $T = \sqrt{d}$.", 0),  # T stands before it: an example
        (r"Set $W = T^2$.", 1),  # W is new: it is defined
        (r"If $W = T^2$, then all is well.", 0),
    ],
)
def test_what_is_set_is_defined_where_it_is_new(words, count):
    rows = sa.check(f"$$ A = B / T $$\n\n{words}\n\n$$ C = A + W $$", corrections=False).rows
    assert sum(r.latex in (r"T = \sqrt{d}", "W = T^2") for r in rows) == count
