"""A letter once above a bar and once below it is no sum: the name on the left is one for each."""

import pytest

import symattn as sa

TEXT = r"""The schedule is

$$
\gamma_t = \alpha_{t-1} (1 - \alpha_t)
$$

and the ratio is

$$
EQUATION
$$
"""


def last(equation):
    return sa.check(TEXT.replace("EQUATION", equation), corrections=False).rows[-1]


@pytest.mark.parametrize(
    "equation",
    [
        r"R = \frac{\alpha_t}{1 - \alpha_t}",
        r"A_1 = \frac{\alpha_t^2}{(1 - \alpha_t)^2}",
        r"R = \alpha_t / (1 - \alpha_t)",
        r"R = 3 + \frac{\gamma_t \alpha_t}{\alpha_t + 1}",
    ],
)
def test_such_a_name_is_refused_with_both_readings(equation):
    row = last(equation)
    name = equation.split(" =")[0]
    assert row.verdict == "skipped"
    assert row.reason == f"{name} is another number for every t, or a sum over t?"


@pytest.mark.parametrize(
    "equation",
    [
        r"R_t = \frac{\alpha_t}{1 - \alpha_t}",
        r"R = \sum_t \frac{\alpha_t}{1 - \alpha_t}",
        r"R = \frac{v^b}{c^b}",
        r"R = \frac{\beta_s \eta_s}{\eta_s \eta_s}",
    ],
)
def test_others_are_definitions(equation):
    assert last(equation).verdict == "definition"


def test_a_letter_that_counts_steps_is_summed_under_a_sign_alone():
    row = last(r"R = \alpha_t (1 - \alpha_t)")
    assert (row.verdict, row.reason) == (
        "skipped",
        "R is another number for every t, or a sum over t?",
    )
    assert last(r"R = \sum_t \alpha_t (1 - \alpha_t)").verdict == "definition"
    assert last(r"R = \beta_s \beta_s").verdict == "definition"


def test_letters_that_are_summed_in_both_parts_of_a_fraction():
    doc = sa.read(r"p_i = \frac{\exp(q_b k_{ib})}{\sum_j \exp(q_b k_{jb})}")
    assert len(doc["p"].shape) == 1
    d = sa.jacobian(doc, of="p", wrt="q")
    assert len(d.indices) == 2
