r"""What σ(…) is in a text: the logistic function, another one, or any."""

from __future__ import annotations

import pytest

from symattn.checker import check

SLOPE = r"""
$$f(x) = a \sigma(w x)$$

$$\frac{\partial f}{\partial w} = a \sigma'(w x) x$$

$$\frac{\partial f}{\partial w} = a (1 - \sigma(w x)^2) x$$

$$\frac{\partial f}{\partial w} = a \sigma(w x) (1 - \sigma(w x)) x$$
"""
OPEN = ["proved", "unproved", "proved"]


def verdicts(text: str) -> list[str]:
    found = check(text, corrections=False, timeout=None)
    return [r.verdict for r in found if r.verdict != "definition"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (r"Let $\sigma(z) = \tanh z$.", ["proved", "proved", "refuted"]),
        (r"The activation is $\sigma = \tanh$.", ["proved", "proved", "refuted"]),
        (r"Here $\sigma$ is the hyperbolic tangent.", ["proved", "proved", "refuted"]),
        (r"Let $\sigma(z) = 1/(1 + e^{-z})$.", ["proved", "refuted", "proved"]),
        (r"Let $\sigma(u) = \frac{\exp(u)}{\exp(u) + 1}$.", ["proved", "refuted", "proved"]),
        (r"Let $\sigma(z) = (1 + e^{-z})^{-1}$.", ["proved", "refuted", "proved"]),
        (r"Let $\sigma$ be the sigmoid.", ["proved", "refuted", "proved"]),
        (r"Let $\sigma(z) = 1/(1 + e^{z})$.", ["proved", "refuted", "refuted"]),
        ("", OPEN),
    ],
)
def test_it_is_what_the_text_says(said: str, expected: list[str]) -> None:
    assert verdicts(said + "\n" + SLOPE) == expected


def test_an_activation_function_may_be_any() -> None:
    found = verdicts(r"Let $\sigma$ be an activation function." + "\n" + SLOPE)
    assert found[0] == "proved" and "proved" not in found[1:]


def test_what_holds_for_no_usual_function_is_refuted_without_a_word() -> None:
    text = r"""
$$g(x) = \sigma(a x + b)$$

$$\frac{\partial g}{\partial a} = x \frac{\partial g}{\partial b}$$

$$\frac{\partial g}{\partial a} = a \frac{\partial g}{\partial b}$$
"""
    _, proved, refuted = check(text, corrections=False, timeout=None)
    assert (proved.verdict, refuted.verdict) == ("proved", "refuted")
    assert r"\sigma(…): the logistic function by convention" in proved.assumed


def test_a_network_with_an_activation_of_its_own() -> None:
    text = r"""
For an input $x \in \mathbb{R}^d$ the network is $f(x) = \sum_{i=1}^m a_i \sigma(w_i^\top x)$ with
$\sigma(z) = \tanh z$.

$$L = \frac{1}{2} \sum_{i=1}^n (f(x_i) - y_i)^2$$

$$\frac{\partial L}{\partial w_r} = \sum_{i=1}^n (f(x_i) - y_i) a_r \sigma'(w_r^\top x_i) x_i$$

$$\frac{\partial L}{\partial w_r} = \sum_{i=1}^n (f(x_i) - y_i) a_r \sigma(w_r^\top x_i) x_i$$
"""
    assert verdicts(text) == ["proved", "refuted"]


@pytest.mark.parametrize(
    "said",
    [
        r"Let $\sigma$ be the ReLU,",
        r"Let $\sigma(z) = \max(0, z)$ act elementwise,",
    ],
)
def test_the_slope_of_a_relu_is_a_mask(said: str) -> None:
    shapes = r" $W \in \mathbb{R}^{m \times d}$, $x \in \mathbb{R}^d$, $u \in \mathbb{R}^m$."
    text = r"""
$$h = \sigma(W x)$$

$$f = u^\top h$$

$$\nabla_W f = (u \odot \mathbb{1}[W x > 0]) x^\top$$

$$\nabla_x f = W^\top (u \odot \sigma'(W x))$$

$$\nabla_x f = W^\top (u \odot \sigma(W x))$$
"""
    assert verdicts(said + shapes + text) == ["proved", "proved", "refuted"]


def test_a_product_with_a_transpose_is_a_number_beside_one_minus_h() -> None:
    """f = a^⊤ h is no vector, though 1 - h in the text might say that h is a number."""
    text = r"""
Let $W \in \mathbb{R}^{m \times d}$, $x \in \mathbb{R}^d$, $a \in \mathbb{R}^m$.

$$h = \tanh(W x)$$

$$f = a^\top h$$

$$\nabla_W f = (a \odot (1 - h \odot h)) x^\top$$

$$\nabla_W f = (a \odot h \odot (1 - h)) x^\top$$
"""
    assert verdicts(text) == ["proved", "refuted"]
