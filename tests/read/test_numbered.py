r"""R_m with cos mθ in its entries is a matrix for every number m: R_m R_n = R_{m+n}."""

import pytest

import symattn as sa

TEXT = r"""For the position $m$ and the angle $\theta$ let

$$
R_m = \begin{pmatrix} \cos m\theta & -\sin m\theta \\ \sin m\theta & \cos m\theta \end{pmatrix}
$$

Then

$$
EQUATION
$$
"""


def last(equation, text=TEXT):
    return sa.check(text.replace("EQUATION", equation), corrections=False).rows[-1]


@pytest.mark.parametrize(
    "equation",
    [
        r"R_m R_n = R_{m+n}",
        r"R_m^\top R_n = R_{n-m}",
        r"R_m^\top R_m = I",
        r"R_{2m} = R_m R_m",
        r"R_0 = I",
        r"\det R_m = 1",
        r"R_m R_n = R_n R_m",
    ],
)
def test_what_holds_for_every_number_is_proved(equation):
    assert last(equation).verdict == "proved"


@pytest.mark.parametrize(
    "equation",
    [
        r"R_m R_n = R_{m-n}",
        r"R_m^\top R_n = R_{m-n}",
        r"R_m R_m = R_{m+1}",
        r"R_{2m} = 2 R_m",
        r"\det R_m = -1",
    ],
)
def test_what_does_not_is_refuted(equation):
    assert last(equation).verdict == "refuted"


def test_a_derivative_goes_through_the_entries():
    proved = r"\frac{\partial R_m}{\partial \theta} = m R_m R_1, \qquad \theta = \pi/2"
    text = TEXT.replace(
        "Then", r"With $J = \begin{pmatrix} 0 & -1 \\ 1 & 0 \end{pmatrix}$ it follows that"
    )
    assert last(r"\frac{\partial R_m}{\partial \theta} = m R_m J", text).verdict == "proved"
    assert last(r"\frac{\partial R_m}{\partial \theta} = R_m J", text).verdict == "refuted"
    assert sa.check(TEXT.replace("EQUATION", proved), corrections=False).rows[2].verdict != "proved"


def test_an_argument_of_more_letters_is_not_taken_apart():
    text = TEXT.replace(r"\cos m\theta &", r"\cos m\theta\, x &")
    assert last(r"R_m R_n = R_{m+n}", text).verdict in ("skipped", "refuted")
