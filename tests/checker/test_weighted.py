"""The gradient of a cross-entropy is p − y where the targets sum to one, and said to be so."""

import pytest

import symattn as sa

TEXT = r"""Let

$$
P_{nc} = \frac{e^{Z_{nc}}}{\sum_k e^{Z_{nk}}}, \qquad L = -\sum_n \sum_c Y_{nc} FUNCTION
$$

WORDS Then

$$
\frac{\partial L}{\partial Z_{nc}} = SIDE
$$
"""


def last(side, words="", function=r"\log P_{nc}"):
    text = TEXT.replace("SIDE", side).replace("WORDS", words).replace("FUNCTION", function)
    row = sa.check(text, corrections=False).rows[-1]
    return row.verdict, row.reason


def test_nothing_is_said_of_the_targets():
    assert last("P_{nc} - Y_{nc}") == ("conditional", "true where the rows of Y sum to one")


def test_the_targets_are_said_to_be_one_hot():
    assert last("P_{nc} - Y_{nc}", r"The targets satisfy $\sum_c Y_{nc} = 1$.")[0] == "proved"


@pytest.mark.parametrize(
    "side", ["P_{nc} + Y_{nc}", "Y_{nc} - P_{nc}", "P_{nc}", "2 P_{nc} - Y_{nc}"]
)
def test_a_slip_is_refuted(side):
    assert last(side)[0] == "refuted"


def test_what_no_logarithm_is_weighed_by_need_not_sum_to_one():
    right = r"\sum_k Y_{nk} P_{nk} P_{nc} - Y_{nc} P_{nc}"
    assert last(right, "", "P_{nc}")[0] == "proved"
    wrong = right.replace(r"\sum_k Y_{nk} P_{nk} P_{nc}", "P_{nc}")
    assert last(wrong, "", "P_{nc}")[0] == "refuted"


def test_a_link_that_speaks_of_the_weights_alone():
    text = r"""Let $p_j = \frac{e^{z_j}}{\sum_k e^{z_k}}$ and $L = -\sum_k y_k \log p_k$.

$$
\frac{\partial L}{\partial z_i} = p_i \sum_k y_k - y_i = p_i - y_i
$$
"""
    found = [(r.verdict, r.reason) for r in sa.check(text, corrections=False).rows[-2:]]
    assert found == [("proved", ""), ("conditional", "true where y sums to one")]
