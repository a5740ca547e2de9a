r"""What is below ∂ and ∇: a letter of the alphabet of indices may be a name, J one of several."""

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


HEAT = r"""The equation of heat is solved by functions of the place and of time. One is
$$ w = e^{-D k^2 t} \cos(k x), $$
another is $u(x, t) = x^2 + 2 D t$. Then
$$ {} $$
"""


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        (r"w_t = D w_{xx}", "proved"),
        (r"w_t = -D w_{xx}", "refuted"),
        (r"w_{xt} = D k^3 e^{-D k^2 t} \sin(k x)", "definition"),  # no w_{xx} beside it
        (r"u_t = D u_{xx}", "proved"),
        (r"u_t = 2 D u_{xx}", "refuted"),
        (r"\partial_t w = D \partial_x^2 w", "proved"),
        (r"\partial_t w = D \partial_x w", "refuted"),
        (r"\partial_x^4 w = k^4 w", "proved"),
        (r"\partial_x^3 w = k^3 e^{-D k^2 t} \sin(k x)", "proved"),
        (r"\partial_t^2 w = D^2 \partial_x^2 w", "refuted"),
        (r"\partial^2_{xt} w = D k^3 e^{-D k^2 t} \sin(k x)", "proved"),
        (r"\partial_{xt}^2 w = D k^2 e^{-D k^2 t} \sin(k x)", "refuted"),
    ],
)
def test_letters_below_a_function(claim: str, found: str) -> None:
    assert last(HEAT, claim) == found


@pytest.mark.parametrize("below", ["xy", "t+1", "i"])
def test_other_letters_below_a_name_are_no_derivatives(below: str) -> None:
    claim = rf"w_{{{below}}} = D w_{{xx}}"
    assert last(HEAT, claim) not in ("proved", "refuted")
