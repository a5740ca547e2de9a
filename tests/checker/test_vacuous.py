"""What is 0 = 0 by its definitions is proved where it holds without them, and not otherwise."""

import pytest

import symattn as sa

FIT = r"""Let $b = (X^\top X)^{-1} X^\top y$.

$$
X^\top (y - X b) = SIDE
$$
"""
OTHERS = r"""With $a_j = \frac{e^{z_j}}{\sum_k e^{z_k}}$,

$$
-y_i (1 - a_i) - \sum_{k \neq i} y_k \frac{1}{a_k} (-a_k a_i) = SIDE
$$
"""


def last(text, side):
    row = sa.check(text.replace("SIDE", side), corrections=False).rows[-1]
    return row.verdict, row.reason


@pytest.mark.parametrize(
    ("side", "verdict"),
    [(r"X^\top y - X^\top X b", "proved"), (r"3 X^\top y - 3 X^\top X b", "unproved")],
)
def test_normal_equations(side, verdict):
    found = last(FIT, side)
    assert found[0] == verdict
    assert ("vacuous" in found[1]) == (verdict == "unproved")


@pytest.mark.parametrize(
    ("side", "verdict"),
    [
        (r"-y_i (1 - a_i) + \sum_{k \neq i} y_k a_i", "proved"),
        (r"-y_i + a_i \sum_k y_k", "proved"),
        (r"-y_i (1 - a_i) - \sum_{k \neq i} y_k a_i", "refuted"),
        (r"-y_i + a_i", "refuted"),
    ],
)
def test_the_letter_that_a_sum_leaves_out_is_free(side, verdict):
    assert last(OTHERS, side)[0] == verdict


FILTER = r"""The error is $$ e = x - K w $$ with random $x$ and $w$, with covariance
$$ P = \mathbb{E}[e e^\top] $$ and $$ r = u^\top K \mathbb{E}[w] $$
$$ {} $$
"""


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"0 = \frac{\partial \mathrm{tr}(P)}{\partial K}", "skipped"),
        (r"\frac{\partial r}{\partial u} = K \mathbb{E}[w]", "proved"),
    ],
)
def test_an_average_hangs_on_what_is_averaged(claim: str, verdict: str) -> None:
    assert sa.check(FILTER.replace("{}", claim), corrections=False).rows[-1].verdict == verdict


POLICY = r"""The policy over $K$ actions with preferences $h \in \mathbb{R}^K$ is
$$ p_a = \frac{e^{h_a}}{\sum_{b=1}^K e^{h_b}} $$
and then
$$ {} $$
"""
SLOPES = r"\sum_a \frac{\partial p_a}{\partial h_b}"
OF_SUM = r"\frac{\partial}{\partial h_b} \sum_a p_a"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (rf"{SLOPES} = {OF_SUM}", "proved"),  # for any p
        (rf"{OF_SUM} = \frac{{\partial}}{{\partial h_b}} 1", "proved"),  # as Σ p = 1
        (rf"c {SLOPES} = \sum_a c \frac{{\partial p_a}}{{\partial h_b}}", "proved"),
        (rf"{SLOPES} = 2 {OF_SUM}", "unproved"),
        (rf"{SLOPES} = c {OF_SUM}", "unproved"),
        (rf"{OF_SUM} = \frac{{\partial}}{{\partial h_b}} 5", "unproved"),
        (rf"{SLOPES} = \frac{{\partial}}{{\partial h_b}} \sum_a p_a^2", "refuted"),
    ],
)
def test_a_sum_of_slopes_is_the_slope_of_the_sum(claim: str, verdict: str) -> None:
    assert sa.check(POLICY.replace("{}", claim), corrections=False).rows[-1].verdict == verdict


OTHER = r"""The loss of the queries is $L = q^\top k$ with $q, k \in \mathbb{R}^d$.
With $\hat z = z / \|z\|$
$$ \frac{\partial L}{\partial z} = {}
 (I - \hat z \hat z^\top) \frac{\partial L}{\partial \hat z} $$
"""


@pytest.mark.parametrize(
    ("factor", "verdict"), [(r"\frac{1}{\|z\|}", "proved"), (r"\frac{2}{\|z\|}", "unproved")]
)
def test_another_loss_than_the_one_before(factor: str, verdict: str) -> None:
    assert sa.check(OTHER.replace("{}", factor, 1), corrections=False).rows[-1].verdict == verdict
