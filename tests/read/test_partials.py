r"""f_x and f_{xy} are derivatives of the f(x, y) of a text, and components where x counts."""

import pytest

import symattn as sa

TEXT = r"""Let

$$f(x, y) = x^2 y + \sin(x y)$$

Then

$$EQUATION$$
"""


def last(equation, text=TEXT):
    return sa.check(text.replace("EQUATION", equation), corrections=False).rows[-1]


@pytest.mark.parametrize(
    "equation",
    [
        r"f_x = 2 x y + y \cos(x y)",
        r"f_{xy} = 2 x + \cos(x y) - x y \sin(x y)",
        r"f_{yy} = -x^2 \sin(x y)",
        r"f_x(x, y) = 2 x y + y \cos(x y)",
        r"x f_x - y f_y = x^2 y",
    ],
)
def test_derivatives_are_proved(equation):
    row = last(equation)
    assert (row.verdict, row.kind) == ("proved", "claim")


@pytest.mark.parametrize(
    "equation",
    [r"f_x = x^2 + x \cos(x y)", r"f_{xy} = 2 x + \cos(x y)", r"f_{xx} = 2 y", r"f_y = f_x"],
)
def test_wrong_ones_are_refuted(equation):
    assert last(equation).verdict == "refuted"


def test_tangents_of_a_surface():
    text = r"""With $R > r$ let

$$X(u, v) = \begin{pmatrix} (R + r\cos v)\cos u \\ (R + r\cos v)\sin u \\ r\sin v \end{pmatrix}$$

so that

$$EQUATION$$
"""
    assert last(r"X_u \cdot X_u = (R + r \cos v)^2", text).verdict == "proved"
    assert last(r"X_u \cdot X_v = 0", text).verdict == "proved"
    assert last(r"X_v \cdot X_v = r", text).verdict == "refuted"


def test_letters_that_count_are_indices():
    text = r"""Let $f(x, y) = x + y$ and

$$a_x = f_x b_x$$

$$EQUATION$$
"""
    assert last(r"a_x = b_x", text).verdict != "proved"
