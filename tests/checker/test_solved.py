"""What an equation defines whose left side is a function of a name, and what it only ties."""

import pytest

from symattn import check


def verdicts(text):
    return [r.verdict for r in check(text, corrections=False)]


NORM = r"""The forward pass computes

$$\begin{{aligned}}
\mu_j &= \frac{{1}}{{N}} \sum_{{i=1}}^N x_{{i,j}} \\
{left} &= \frac{{1}}{{N}} \sum_{{i=1}}^N (x_{{i,j}} - \mu_j)^2 \\
y_{{i,j}} &= (x_{{i,j}} - \mu_j) {root}
\end{{aligned}}$$

$$\frac{{\partial L}}{{\partial x_{{i,j}}}} = {root} \Bigl(\frac{{\partial L}}{{\partial y_{{i,j}}}}
- \frac{{1}}{{N}} \sum_k \frac{{\partial L}}{{\partial y_{{k,j}}}}
- \frac{{y_{{i,j}}}}{{{of}}} \sum_k \frac{{\partial L}}{{\partial y_{{k,j}}}} y_{{k,j}}\Bigr)$$
"""


@pytest.mark.parametrize(
    "left, root",
    [
        (r"\sigma^2_j", r"\frac{1}{\sigma_j}"),
        (r"\sigma_j^2", r"\frac{1}{\sigma_j}"),
        (r"\frac{1}{\tau_j}", r"\sqrt{\tau_j}"),
        (r"1/c_j", r"\sqrt{c_j}"),
    ],
)
def test_a_function_of_a_name_defines_it_and_gradients_go_through_it(left, root):
    assert verdicts(NORM.format(left=left, root=root, of="N"))[-1] == "proved"
    assert verdicts(NORM.format(left=left, root=root, of="2 N"))[-1] == "refuted"


def test_a_logarithm_defines_what_it_is_of():
    text = r"""We have $\log r_i = \sum_a W_{ia} x_a$ and $y_i = r_i + b_i$. So

    $$\frac{\partial L}{\partial x_a} = \sum_i \frac{\partial L}{\partial y_i} r_i W_{ia}$$
    $$\frac{\partial L}{\partial x_a} = \sum_i \frac{\partial L}{\partial y_i} W_{ia}$$
    """
    assert verdicts(text)[-2:] == ["proved", "refuted"]


@pytest.mark.parametrize("tie", [r"q_i + \tanh(q_i)", r"e^{q_i}", "2 q_i + 3 b_i"])
def test_an_equation_that_is_to_be_solved_ties_what_gradients_go_through(tie):
    text = rf"""The forward pass computes $z_i = \sum_a W_{{ia}} x_a$ and

    $${tie} = z_i + 1$$
    $$y_i = q_i v_i$$
    $$\frac{{\partial L}}{{\partial x_a}} = \sum_i \frac{{\partial L}}{{\partial y_i}} v_i
    W_{{ia}}$$
    $$\frac{{\partial L}}{{\partial v_i}} = \frac{{\partial L}}{{\partial y_i}} z_i$$
    """
    assert verdicts(text)[-2:] == ["unproved", "refuted"]


def test_a_name_with_a_label_is_another_one():
    text = r"""Resistors obey $\frac{1}{R} = \frac{1}{R_1} + \frac{1}{R_2}$. Then

    $$\frac{\partial R}{\partial R_1} = \frac{R^2}{R_1^2}$$
    $$\frac{\partial R}{\partial R_2} = \frac{R^2}{R_1^2}$$
    """
    assert verdicts(text) == ["definition", "proved", "refuted"]


SCORES = r"""With $q \in \mathbb{R}^d$ and $k_i \in \mathbb{R}^d$, the score is

$$a(q, k_i) = q^\top k_i / \sqrt{d}$$
$$\alpha(q, k_i) = \frac{\exp(a(q, k_i))}{\sum_j \exp(a(q, k_j))}$$
"""


@pytest.mark.parametrize(
    "claim, verdict",
    [
        (r"\sum_i \alpha(q, k_i) = 1", "proved"),
        (r"\sum_i \alpha(q, k_i) = 2", "refuted"),
        (r"\frac{\partial a(q, k_i)}{\partial q} = \frac{k_i}{\sqrt d}", "proved"),
        (r"\frac{\partial a(q, k_i)}{\partial q} = \frac{k_i}{d}", "refuted"),
    ],
)
def test_a_function_of_a_row_is_another_value_for_every_row(claim, verdict):
    assert verdicts(f"{SCORES}\n$${claim}$$")[-1] == verdict


SUMS = r"Let $a_i = x_i^2$, $b_i = \log y_i$ and $J = \sum_i (a_i + b_i)$. Then"


@pytest.mark.parametrize(
    "claim, verdict",
    [
        (r"J = \sum_i x_i^2 + \log y_i", "proved"),
        (r"-J = -\sum_{i=1}^n x_i^2 + \log y_i", "proved"),
        (r"-J = -\sum_i x_i^2 - \log y_i", "skipped"),  # one reading says one thing, one another
        (r"J = \sum_i x_i^3 + \log y_i", "refuted"),
        (r"a_i + J = \sum_j x_j^2 + \sum_j \log y_j + x_i^2", "proved"),
    ],
)
def test_a_sum_reaches_over_the_terms_that_have_its_letter(claim, verdict):
    assert verdicts(f"{SUMS}\n\n$${claim}$$")[-1] == verdict


def test_rows_are_of_the_matrix_and_columns_of_ones_are_vectors():
    text = r"""Let $\theta \in \mathbb{R}^{d \times 1}$ and $X \in \mathbb{R}^{n \times d}$ with
    rows $x_i$, and $p_i = \sigma(\theta^\top x_i)$. With $J = \sum_i p_i$

    $$\frac{\partial J}{\partial \theta} = X^\top (p \odot (1 - p))$$
    $$\frac{\partial J}{\partial \theta} = X^\top p$$
    """
    assert verdicts(text)[-2:] == ["proved", "refuted"]


def test_numbers_of_an_example_hold_until_others_replace_them():
    text = r"""# Eigenvalues

$$A = \begin{bmatrix} 2 & 0 \\ 0 & -1 \end{bmatrix}$$

## An example

For example, take the matrix

$$A = \begin{bmatrix} 2 & 1 \\ 2 & 3 \end{bmatrix}$$

## Decompositions

With $W = \begin{bmatrix} 1 & 1 \\ -1 & 2 \end{bmatrix}$ and
$D = \begin{bmatrix} 1 & 0 \\ 0 & 4 \end{bmatrix}$

$$A W = W D$$
    """
    assert verdicts(text)[-1] == "proved"
    assert verdicts(text.replace("0 & 4", "0 & 5"))[-1] == "refuted"


TWO = r"Charge neutrality says $N x = M y$ and the width is $w = x + y$, hence $$ y = SIDE . $$"
MARKET = (
    r"Demand is $q = a - b p$ and supply is $q = c + d p$. Setting these equal gives "
    r"$p = \frac{a SIGN c}{b + d}$."
)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [  # two laws are solved at once
        (TWO.replace("SIDE", r"\frac{N w}{N + M}"), "conditional"),
        (TWO.replace("SIDE", r"\frac{M w}{N + M}"), "refuted"),
        (TWO.replace("hence", "for small $M$").replace("SIDE", r"\frac{M w}{N + M}"), "unproved"),
        (TWO.replace("SIDE", r"\frac{M u}{N + M}"), "definition"),
        (MARKET.replace("SIGN", "-"), "conditional"),
        (MARKET.replace("SIGN", "+"), "refuted"),
        (MARKET.replace("Setting these equal", "This").replace("SIGN", "+"), "definition"),
    ],
)
def test_two_laws_are_solved_at_once(text: str, verdict: str) -> None:
    assert check(text, corrections=False, jobs=1).rows[-1].verdict == verdict


ORDER = (
    r"The cost is $C(Q) = \frac{K D}{Q} + \frac{h Q}{2}$. The best size is $Q^* = \sqrt{WRONG}$. "
    r"The time is $T = Q^*/D$, thus $T = \sqrt{SIDE}$."
)


@pytest.mark.parametrize(
    ("wrong", "side", "verdicts"),
    [
        (r"\frac{2 K D}{h}", r"\frac{2 K}{h D}", ["definition", "conditional"]),
        (r"\frac{K D}{2 h}", r"\frac{2 K}{h D}", ["refuted", "conditional"]),  # with what it is
        (r"\frac{K D}{2 h}", r"\frac{3 K}{h D}", ["refuted", "refuted"]),
    ],
)
def test_what_rests_on_a_wrong_solution_is_held_against_the_right_one(wrong, side, verdicts):
    text = ORDER.replace("WRONG", wrong).replace("SIDE", side)
    found = [r.verdict for r in check(text, corrections=False, jobs=1).rows]
    assert [found[1], found[-1]] == verdicts
