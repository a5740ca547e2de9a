r"""What is below ∂ and ∇: a letter of the alphabet of indices may be a name, and J one of several."""

import pytest

from symattn.checker import check

RIDGE = r"""Let $F\in\mathbb{R}^{n\times d}$, $y\in\mathbb{R}^n$, $w\in\mathbb{R}^d$ and
$$ J(w) = \frac12\|F w - y\|^2. $$
With $w = F^\top a$ and $G = F F^\top$ it is
$$ J(a) = \frac12 a^\top G G a - a^\top G y + \frac12 y^\top y $$
and
$$ {} $$
"""
DECAY = r"""With a rate $\beta$ and times $t_k$ let $Z = \sum_k e^{-\beta t_k}$. Then
$$ {} $$
"""


def last(text: str, claim: str) -> str:
    return check(text.replace("{}", claim), corrections=False).rows[-1].verdict


@pytest.mark.parametrize(
    ("text", "claim", "found"),
    [
        (RIDGE, r"\nabla_a J = G (G a - y)", "proved"),
        (RIDGE, r"\nabla_a J(a) = G (G a - y)", "proved"),
        (RIDGE, r"\frac{\partial J}{\partial a} = G (G a - y)", "proved"),
        (RIDGE, r"\nabla_a J = G (G a + y)", "refuted"),
        (RIDGE, r"\nabla_w J(w) = F^\top (F w - y)", "proved"),
        (DECAY, r"\partial_\beta Z = -\sum_k t_k e^{-\beta t_k}", "proved"),
        (DECAY, r"\partial_\beta^2 Z = \sum_k t_k^2 e^{-\beta t_k}", "proved"),
        (DECAY, r"\partial_\beta Z = \sum_k t_k e^{-\beta t_k}", "refuted"),
        (DECAY, r"\partial_\beta^2 Z = -\sum_k t_k^2 e^{-\beta t_k}", "refuted"),
    ],
)
def test_by_what(text: str, claim: str, found: str) -> None:
    assert last(text, claim) == found


def test_an_index_stays_one() -> None:
    text = r"""With a metric $g$ and $\beta$ as an index,
$$ \partial_\beta (u_\alpha v_\alpha) = v_\alpha \partial_\beta u_\alpha
 + u_\alpha \partial_\beta v_\alpha $$
"""
    assert check(text, corrections=False).rows[-1].verdict == "proved"
