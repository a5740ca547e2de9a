r"""Functions on a finite set are arrays, where the letters under Σ stand nowhere else."""

import pytest

import symattn as sa

MAXIMUM = r"""Given features $f_k(x)$ the distribution is

$$p(x) = \frac{1}{Z} \exp\left(\sum_k \lambda_k f_k(x)\right), \qquad
Z = \sum_x \exp\left(\sum_k \lambda_k f_k(x)\right)$$

and

$$EQUATION$$
"""


def last(equation, text=MAXIMUM):
    return sa.check(text.replace("EQUATION", equation), corrections=False).rows[-1]


@pytest.mark.parametrize(
    "equation",
    [
        r"\frac{\partial \log Z}{\partial \lambda_k} = \sum_x p(x) f_k(x)",
        r"\frac{\partial p(x)}{\partial \lambda_k} = p(x) (f_k(x) - \sum_{x'} p(x') f_k(x'))",
        r"\sum_x p(x) = 1",
        r"\sum_x p(x) \log p(x) = \sum_k \lambda_k \sum_x p(x) f_k(x) - \log Z",
    ],
)
def test_moments_of_features_are_proved(equation):
    assert last(equation).verdict == "proved"


@pytest.mark.parametrize(
    "equation",
    [
        r"\frac{\partial \log Z}{\partial \lambda_k} = -\sum_x p(x) f_k(x)",
        r"\frac{\partial \log Z}{\partial \lambda_k} = \sum_x f_k(x)",
        r"\frac{\partial p(x)}{\partial \lambda_k} = p(x) f_k(x)",
        r"\frac{\partial p(x)}{\partial \lambda_k} = p(x) (\sum_{x'} p(x') f_k(x') - f_k(x))",
    ],
)
def test_wrong_ones_are_refuted(equation):
    assert last(equation).verdict in ("refuted", "conditional")


TWO = r"""The mutual information is

$$I = \sum_{x,y} p(x, y) \log \frac{p(x, y)}{p(x) p(y)}$$

with the entropies

$$H = -\sum_x p(x) \log p(x), \qquad J = -\sum_y p(y) \log p(y)$$

and then

$$EQUATION$$
"""


@pytest.mark.parametrize(
    "equation",
    [
        r"H = J",
        r"\sum_x p(x) \log p(x) = \sum_y p(y) \log p(y)",
        r"I = \sum_{x,y} p(x | y) \log \frac{p(x | y)}{p(x) p(y)}",
    ],
)
def test_distributions_of_other_letters_are_others(equation):
    assert last(equation, TWO).verdict != "proved"


def test_distributions_of_several_letters_are_arrays():
    row = last(r"I = \sum_{x,y} p(x,y) \log p(x,y) - \sum_{x,y} p(x,y) \log (p(x) p(y))", TWO)
    assert row.verdict in ("proved", "conditional")
    sign = last(r"I = \sum_{x,y} p(x,y) \log p(x,y) + \sum_{x,y} p(x,y) \log (p(x) p(y))", TWO)
    assert sign.verdict == "refuted"


def test_a_letter_that_is_a_number_elsewhere_counts_nothing():
    text = r"""With weights $w(x)$ put

$$A = \sum_x w(x), \qquad B = \sum_x x\, w(x)$$

and

$$EQUATION$$
"""
    assert last(r"\frac{\partial B}{\partial w(x)} = 1", text).verdict != "proved"
