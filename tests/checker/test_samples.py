"""Samples and any one value of them: h(x) beside h(x^{(i)}) and h(x_i)."""

from __future__ import annotations

import pytest

from symattn.checker import check


def verdicts(text: str) -> list[str]:
    found = check(text, corrections=False, timeout=None)
    return [r.verdict for r in found if r.verdict != "definition"]


REGRESSION = r"""
Inputs $x^{(i)} \in \mathbb{R}^d$ and targets $y^{(i)} \in \mathbb{R}$, $i = 1, \dots, n$.

$$h_\theta(x) = \sum_{j=1}^d \theta_j x_j$$

$$J(\theta) = \frac{1}{2} \sum_{i=1}^n (h_\theta(x^{(i)}) - y^{(i)})^2$$
"""
ONE = r"\frac{\partial}{\partial \theta_j} \frac{1}{2} (h_\theta(x) - y)^2 = (h_\theta(x) - y) x_j"
ALL = r"\frac{\partial J}{\partial \theta_j} = \sum_{i=1}^n (h_\theta(x^{(i)}) - y^{(i)}) x_j^{(i)}"


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (ONE, "proved"),
        (ONE.replace("x_j", r"x_j \theta_j"), "refuted"),
        (ALL, "proved"),
        (ALL.replace(r"h_\theta(x^", "h(x^"), "proved"),
        (ALL.replace("- y", "+ y"), "refuted"),
        (ALL.replace(" x_j^{(i)}", r" x_j^{(i)} \theta_j"), "refuted"),
    ],
)
def test_one_example_and_the_sample_are_told_apart(formula: str, verdict: str) -> None:
    assert verdicts(f"{REGRESSION}\n$${formula}$$\n") == [verdict]


def test_a_letter_of_a_sum_is_not_that_of_the_sample() -> None:
    text = r"""
$$f(x) = \sum_{i=1}^d w_i x_i^2$$

$$L = \sum_{i=1}^n f(x^{(i)})$$

$$\frac{\partial L}{\partial w_j} = \sum_{i=1}^n (x_j^{(i)})^2$$

$$\frac{\partial L}{\partial w_j} = \sum_{i=1}^n x_j^{(i)}$$
"""
    assert verdicts(text) == ["proved", "refuted"]


BELOW = r"""
Let $w, x_i \in \mathbb{R}^d$ and $y_i \in \mathbb{R}$ for $i = 1, \dots, n$.

$$f(x) = w^\top x$$

$$J = \frac{1}{2} \sum_{i=1}^n (f(x_i) - y_i)^2$$

$$\nabla_w J = \sum_{i=1}^n (f(x_i) - y_i) x_i$$

$$\nabla_w J = \sum_{i=1}^n (y_i - f(x_i)) x_i$$
"""


def test_labels_may_stand_below() -> None:
    assert verdicts(BELOW) == ["proved", "refuted"]


def test_matrices_of_a_sample() -> None:
    text = r"""
$$h(x) = A x + b$$

$$E = \frac12 \sum_{i=1}^n \| h(x_i) - y_i \|^2$$

$$\frac{\partial E}{\partial A} = \sum_{i=1}^n (h(x_i) - y_i) x_i^\top$$

$$\frac{\partial E}{\partial b} = 2 \sum_{i=1}^n (h(x_i) - y_i)$$

$$\frac{\partial}{\partial A} \frac12 \| h(x) - y \|^2 = (h(x) - y) x^\top$$
"""
    assert verdicts(text) == ["proved", "refuted", "proved"]


def test_components_of_one_vector_are_no_sample() -> None:
    text = r"""
The density is $p(x) = e^{-x^2/2}$, with $x_1, \dots, x_n$ observed.

$$\ell = \sum_{i=1}^n \log p(x_i)$$

$$\ell = -\frac{1}{2} \sum_{i=1}^n x_i^2$$

$$\frac{d}{dx} \log p(x) = -x$$
"""
    assert verdicts(text) == ["proved", "proved"]


def test_the_parameters_beside_a_sample_are_none() -> None:
    """The k of w_k is not the i of x_i, so w is one name throughout."""
    text = (
        BELOW
        + r"""
$$\frac{\partial J}{\partial w_k} = \sum_{i=1}^n (f(x_i) - y_i) x_{ik}$$
"""
    )
    assert verdicts(text) == ["proved", "refuted", "proved"]


def test_a_function_that_is_counted_is_no_short_form_of_one() -> None:
    text = r"""
$$f_k(x) = w_k x$$

$$2 f(u) = 2 w_k u$$
"""
    assert "proved" not in verdicts(text)


def test_a_function_of_a_class_is_no_short_form() -> None:
    """f_k counts with k, so f is another function."""
    text = r"""
$$f_k(x) = w_k x$$

$$f(x) = \sum_{k=1}^n f_k(x)$$

$$f(x) = x \sum_{k=1}^n w_k$$
"""
    assert verdicts(text) == ["proved"]


FAMILY = r"""
$$\phi_k(x) = e^{-(x - c_k)^2}$$

$$f(x) = \sum_{k=1}^K w_k \phi_k(x)$$

$$E = \frac12 \sum_{i=1}^n (f(x_i) - y_i)^2$$

$$\frac{\partial E}{\partial w_j} = \sum_{i=1}^n (f(x_i) - y_i) \phi_j(x_i)$$

$$\frac{\partial E}{\partial c_j} = 2 w_j \sum_{i=1}^n (f(x_i) - y_i) \phi_j(x_i) (x_i - c_j)$$

$$\frac{\partial E}{\partial c_j} = 2 w_j \sum_{i=1}^n (f(x_i) - y_i) \phi_j(x_i) (c_j - x_i)$$
"""


def test_functions_that_are_counted() -> None:
    """φ_j(x_i) of a φ_k(x); the w_k and c_k beside it are no samples."""
    assert verdicts(FAMILY) == ["proved", "proved", "refuted"]


def test_a_number_beside_a_product_with_a_transpose_is_one() -> None:
    text = r"""
Given $x_i \in \mathbb{R}^p$ and $y_i \in \mathbb{R}$, let $f(x) = w^\top x + b$.

$$R(w, b) = \frac1n \sum_{i=1}^n (f(x_i) - y_i)^2 + \lambda \|w\|^2$$

$$\nabla_w R = \frac2n \sum_{i=1}^n (f(x_i) - y_i) x_i + 2 \lambda w$$

$$\frac{\partial R}{\partial b} = \frac2n \sum_{i=1}^n (f(x_i) - y_i)$$

$$\nabla_w R = \frac2n \sum_{i=1}^n (f(x_i) - y_i) x_i + \lambda w$$

$$\nabla_w f(x) = x$$

$$\nabla_x f(x) = x$$
"""
    assert verdicts(text) == ["proved", "proved", "refuted", "proved", "refuted"]
