r"""Numbers below a vector of ℝ³ are its components; those of two points are none."""

import pytest

import symattn as sa

TEXT = r"""For a unit vector $n \in \mathbb{R}^3$ let

$$N = \begin{pmatrix} 0 & -n_3 & n_2 \\ n_3 & 0 & -n_1 \\ -n_2 & n_1 & 0 \end{pmatrix}$$

and

$$R = I + \sin\theta\, N + (1 - \cos\theta) N^2.$$

Then

$$EQUATION$$
"""


def last(equation, text=TEXT):
    return sa.check(text.replace("EQUATION", equation), corrections=False).rows[-1]


@pytest.mark.parametrize(
    "equation",
    [
        r"N^2 = n n^\top - I",
        r"N n = 0",
        r"\operatorname{tr} R = 1 + 2\cos\theta",
        r"R^\top R = I",
        r"\frac{dR}{d\theta} = N R",
    ],
)
def test_what_needs_the_components_is_proved(equation):
    assert last(equation).verdict == "proved"


@pytest.mark.parametrize(
    "equation",
    [
        r"N^2 = n n^\top + I",
        r"R - R^\top = \sin\theta\, N",
        r"\operatorname{tr} R = 2 + \cos\theta",
        r"\frac{dR}{d\theta} = R",
    ],
)
def test_what_is_wrong_is_refuted(equation):
    assert last(equation).verdict == "refuted"


def test_points_with_numbers_are_no_components():
    text = r"""For $x \in \mathbb{R}^2$ and the points $x_1$ and $x_2$ put

$$d = \|x_1 - x_2\|^2$$

Then

$$EQUATION$$
"""
    found = sa.check(text.replace("EQUATION", r"d = \|x\|^2 - 2 x_1 x_2"), corrections=False)
    assert found.rows[-1].verdict not in ("proved", "refuted")
