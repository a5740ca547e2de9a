"""x_n beside an N × D matrix X: where the two may be one, nothing is refuted."""

import symattn as sa

TEXT = r"""The inputs are $X \in \mathbb{R}^{N \times D}$, and

$$
\mu = \frac{1}{N} \sum_{n=1}^N x_n
$$

$$
X - \mu = X - SIDE X
$$
"""


def test_rows_that_no_word_names():
    row = sa.check(TEXT.replace("SIDE", r"\frac1N \mathbf{1}\mathbf{1}^\top")).rows[-1]
    assert (row.verdict, row.reason) != ("refuted", "")
    assert row.verdict in ("unproved", "conditional", "skipped")


def test_a_vector_along_the_other_axis_is_no_row():
    text = r"""Let $X \in \mathbb{R}^{N \times D}$, $x \in \mathbb{R}^D$ and $y = X x$.

$$
y_n = \sum_d X_{nd} x_d
$$

$$
y_n = 2 \sum_d X_{nd} x_d
$$
"""
    assert [r.verdict for r in sa.check(text).rows if r.kind != "shape"][-2:] == [
        "proved",
        "refuted",
    ]


def test_another_form_of_what_is_defined_may_be_derived_through():
    text = r"""Let $h_j = (x_j - m) r$ and

$$
y = (x - m) r * g + b
$$

so that

$$
y_j = h_j g_j + b_j
$$

Then

$$
\frac{\partial L}{\partial h_j} = SIDE
$$
"""
    gradient = r"\frac{\partial L}{\partial y_j} g_j"
    right, wrong = (sa.check(text.replace("SIDE", x)).rows[-1] for x in (gradient, "-" + gradient))
    assert right.verdict != "refuted"
    assert wrong.verdict not in ("proved", "conditional")
