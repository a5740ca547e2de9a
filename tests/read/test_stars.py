"""a * b of two vectors is taken component by component, and so is γ · x beside a vector."""

import pytest

import symattn as sa

TEXT = r"""With $\hat x_j = \frac{x_j - m}{s}$ let

$$
y = PRODUCT
$$

so that

$$
y_j = COMPONENT
$$
"""


def last(product, component):
    return sa.check(
        TEXT.replace("PRODUCT", product).replace("COMPONENT", component), corrections=False
    ).rows[-1]


@pytest.mark.parametrize(
    ("product", "component"),
    [
        (r"\gamma * \hat x", r"\gamma_j \hat x_j"),
        (r"\gamma * \hat x + \beta", r"\gamma_j \hat x_j + \beta_j"),
        (r"\gamma \cdot \hat x + \beta", r"\gamma_j \hat x_j + \beta_j"),
        (r"\beta - \hat x \cdot \gamma", r"\beta_j - \gamma_j \hat x_j"),
        (r"3 * \hat x", r"3 \hat x_j"),
    ],
)
def test_products_of_components(product, component):
    assert last(product, component).verdict == "proved"
    assert last(product, "2 " + component).verdict == "refuted"


def test_an_inner_product_stays_one():
    text = r"""Let $\mathbf{w}, \mathbf{x} \in \mathbb{R}^d$ and
$f = \mathbf{w} \cdot \mathbf{x} + b$.

$$
f = \sum_i w_i x_i + b
$$
"""
    assert sa.check(text, corrections=False).rows[-1].verdict == "proved"
