"""A formula that alone makes a matrix square is read last: a slip in it changes no verdict."""

import pytest

import symattn as sa

FIT = r"""The least squares fit is

$$
\hat\beta = (X^\top X)^{-1} X^\top y
$$

with fitted values $\hat y = X \hat\beta$.

SLIP

The fit is perfect:

$$
X\hat\beta = y
$$
"""


def rows(slip):
    return sa.check(FIT.replace("SLIP", slip)).rows


@pytest.mark.parametrize(
    "slip",
    [
        "",
        r"$$X^\top\hat\beta X = X^\top y$$",
        r"$$X \hat\beta = X^\top y$$",
        r"Then $X^\top\hat\beta X = X^\top y$ as well.",
        r"$$r = X^\top \hat\beta - X \hat\beta$$",
    ],
)
def test_a_slip_makes_no_matrix_square(slip):
    assert rows(slip)[-1].verdict == "unproved"


def test_two_formulas_say_that_it_is_square():
    found = rows(r"$$X X = X$$ and $$X^{-1} X = I, \qquad X y = X^\top y$$")
    assert found[-1].verdict != "unproved"


def test_the_slip_is_malformed_where_its_left_side_is_defined():
    (row,) = (
        r for r in rows(r"Then $\hat\beta = (X X^\top)^{-1} X^\top y$.") if r.verdict == "malformed"
    )
    assert "two sizes" in row.reason
    assert row.correction == r"(X^\top X)^{-1} X^\top y"


def test_an_identity_of_square_matrices_stands_by_itself():
    text = r"""Let $y = A x$ and $z = B y$.  Then $z = B A x$, and for square matrices

$$
(B A)^{-1} = RIGHT
$$
"""
    right = sa.check(text.replace("RIGHT", "A^{-1} B^{-1}"), corrections=False).rows[-1]
    wrong = sa.check(text.replace("RIGHT", "B^{-1} A^{-1}"), corrections=False).rows[-1]
    assert (right.verdict, wrong.verdict == "proved") == ("proved", False)
