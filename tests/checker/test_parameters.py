"""Derivatives by a parameter that the text is without: what depends on it is what is derived."""

import pytest

import symattn as sa

LIKELIHOOD = r"""The log-likelihood is

$$
\ell = -\frac12 y^\top C^{-1} y - \frac12\log\det C
$$

with a symmetric matrix $C \in \mathbb{R}^{n\times n}$ and $\alpha = C^{-1}y$.  Then

$$
\frac{\partial \ell}{\partial \theta} = SIDE
$$
"""
RATES = r"""The energy is $E = \frac12 m v^2 + m g h$.

REST

$$
\frac{dE}{dt} = SIDE
$$
"""


def last(text):
    row = sa.check(text).rows[-1]
    return row.verdict, row.reason, row.correction


def likelihood(side):
    return last(LIKELIHOOD.replace("SIDE", side))


def rate(side, rest=""):
    return last(RATES.replace("SIDE", side).replace("REST", rest))


def test_a_gradient_through_a_matrix_holds_where_the_data_stay():
    side = r"\frac12\mathrm{tr}((\alpha\alpha^\top - C^{-1})\frac{\partial C}{\partial\theta})"
    assert likelihood(side)[:2] == ("conditional", "true where y does not depend on theta")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("+ C^{-1}", "- C^{-1}"), ("- C^{-1}", "- C^{-1}")],
)
def test_a_slip_in_it_is_refuted(wrong, right):
    side = (
        r"FACTOR\mathrm{tr}\left((\alpha\alpha^\top SIGN)\frac{\partial C}{\partial\theta}\right)"
    )
    factor = r"\frac12" if wrong != right else "-"
    verdict, _, correction = likelihood(side.replace("SIGN", wrong).replace("FACTOR", factor))
    if wrong != right:
        assert verdict == "refuted"
        assert correction == side.replace("SIGN", right).replace("FACTOR", r"\frac12")
    else:  # two slips: -1 for 1/2
        assert verdict in ("refuted", "unproved")


@pytest.mark.parametrize(
    ("side", "verdict", "said"),
    [
        (r"m v \frac{dv}{dt} + m g \frac{dh}{dt}", "conditional", "true where g, m do not change"),
        (r"m v \frac{dv}{dt} - m g \frac{dh}{dt}", "refuted", "one slip away from an identity"),
        (r"2 m v \frac{dv}{dt} + m g \frac{dh}{dt}", "refuted", "one slip away from an identity"),
        ("0", "unproved", ""),  # a law
        ("- b v^2", "unproved", ""),
    ],
)
def test_rates(side, verdict, said):
    found = rate(side)
    assert found[0] == verdict
    assert said in found[1]


def test_what_the_text_derives_elsewhere_is_not_held():
    lost = r"""Mass is lost,

$$
\frac{dm}{dt} = -r .
$$
"""
    assert rate(r"m v \frac{dv}{dt} + m g \frac{dh}{dt}", lost)[0] == "unproved"
    all_of_it = (
        r"m v \frac{dv}{dt} + m g \frac{dh}{dt} + \left(\frac{v^2}{2} + g h\right) \frac{dm}{dt}"
    )
    assert rate(all_of_it, lost)[:2] == ("conditional", "true where g does not change")


def test_a_level_of_what_is_defined_ties_what_it_is_made_of():
    text = r"""Let $E = qz$ and $f = z^2 + q$.

On the curve

$$
LEVEL
$$

we have

$$
\frac{df}{dq} = 1 - 2 z^2/q
$$
"""
    assert last(text.replace("LEVEL", "E = c"))[0] == "proved"
    wrong = text.replace(r"1 - 2 z^2/q", "1")  # with z held, as no curve does
    assert last(wrong.replace("LEVEL", "E = c"))[0] == "refuted"
    assert last(text.replace("LEVEL", "g = c"))[0] == "refuted"


def test_another_formula_for_what_is_defined_ties_nothing():
    text = r"""The scores are $S = Q K^\top$ and $O = S V$, with $Q\in\mathbb{R}^{n\times d}$,
$K\in\mathbb{R}^{m\times d}$ and $V\in\mathbb{R}^{m\times e}$.

# With a metric

$$
O_{ib} = \sum_{j} Q_{ia} g_{ac} K_{jc} V_{jb}
$$

# Gradients

For a loss $L$,

$$
\frac{\partial L}{\partial Q} = SIDE \frac{\partial L}{\partial S} K
$$
"""
    assert last(text.replace("SIDE", ""))[0] == "proved"
    assert last(text.replace("SIDE", "3"))[0] == "refuted"


MATRIX = r"""Let $K$ be symmetric positive definite and depend on $\theta$, and

$$L = -\frac12 y^\top K^{-1} y - \frac12 \log\det K, \qquad \alpha = K^{-1} y$$

Then

$$EQUATION$$
"""


@pytest.mark.parametrize(
    ("equation", "verdict"),
    [
        (
            r"\frac{\partial L}{\partial\theta} = \frac12 \alpha^\top \frac{\partial K}"
            r"{\partial\theta} \alpha - \frac12 \mathrm{tr}(K^{-1}\frac{\partial K}"
            r"{\partial\theta})",
            "conditional",
        ),
        (
            r"\frac{\partial L}{\partial\theta} = \frac12 \alpha^\top \frac{\partial K}"
            r"{\partial\theta} \alpha - \mathrm{tr}(K^{-1} \frac{\partial K}{\partial\theta})",
            "refuted",
        ),
        (
            r"\frac{\partial L}{\partial\theta} = \frac12 \alpha^\top \frac{\partial K}"
            r"{\partial\theta} y - \frac12 \mathrm{tr}(K^{-1} \frac{\partial K}{\partial\theta})",
            "refuted",
        ),
        (  # y may depend on θ, and θ itself stands in it
            r"\frac{\partial L}{\partial\theta} = \frac{\theta}{2} \alpha^\top \frac{\partial K}"
            r"{\partial\theta} \alpha",
            "unproved",
        ),
    ],
)
def test_what_differs_for_any_derivative_of_the_matrix_is_refuted(equation, verdict):
    row = sa.check(MATRIX.replace("EQUATION", equation), corrections=False).rows[-1]
    assert row.verdict == verdict
