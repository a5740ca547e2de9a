r"""Derivatives through a recursion: adjoints through time, parameters of every step, far apart."""

from __future__ import annotations

import pytest

from symattn import check

NETWORK = r"""
Let $h_t \in \mathbb{R}^{d}$, $x_t \in \mathbb{R}^{m}$, $W \in \mathbb{R}^{d \times d}$.

$$ a_t = W h_{t-1} + U x_t + b, \qquad h_t = \tanh(a_t), \qquad o_t = V h_t $$

and the loss $L = \sum_{t=1}^{T} \ell(o_t, y_t)$.
Write $\delta_t = \frac{\partial L}{\partial h_t}$.

$$ \frac{\partial h_t}{\partial h_{t-1}} = \mathrm{diag}(1 - h_t^2) W $$

$$ %s $$
"""
LINEAR = r"""
The state follows $h_t = a h_{t-1} + b x_t$ with $h_0 = 0$, and the loss is

$$ L = \sum_{t=1}^T \frac12 (h_t - y_t)^2 $$

With $\lambda_t = \partial L/\partial h_t$ and $\frac{\partial h_t}{\partial h_{t-1}} = a$,

$$ %s $$

while $h_t = \sum_{k=1}^t a^{t-k} b x_k$.
"""
CONTROL = r"""
The state is driven by $x_{t+1} = A x_t + B u_t$ and the cost is

$$ J = \sum_{t=0}^{N-1} \left( \tfrac12 x_t^\top Q x_t + \tfrac12 u_t^\top R u_t \right)
   + \tfrac12 x_N^\top S x_N $$

where $Q$, $R$ and $S$ are symmetric. Let $\lambda_t = \frac{\partial J}{\partial x_t}$.

$$ %s $$
"""
CELL = r"""
$$ f_t = \sigma(w x_t + u h_{t-1}) $$

$$ c_t = f_t c_{t-1} + (1 - f_t) x_t $$

$$ h_t = \tanh(c_t) $$

The loss is $\mathcal{L} = \sum_{t} \mathcal{L}_t$.

$$ %s $$
"""
ATTENTION = r"""
$$ S_t = S_{t-1} + v_t k_t^\top $$

$$ o_t = S_t q_t $$

$$ L = \sum_{t=1}^{T} \ell(o_t) $$

$$ %s $$
"""
DESCENT = r"""
$$ w_{k+1} = w_k - \eta (a w_k - b) $$

The final error is $E = \frac12 (w_K - c)^2$.

$$ %s $$
"""

TRUE = [
    (NETWORK, r"\delta_t = V^\top \frac{\partial \ell_t}{\partial o_t}"
              r" + W^\top \mathrm{diag}(1 - h_{t+1}^2) \delta_{t+1}"),
    (NETWORK, r"\frac{\partial L}{\partial W} = \sum_{t=1}^T"
              r" \mathrm{diag}(1 - h_t^2) \delta_t h_{t-1}^\top"),
    (NETWORK, r"\frac{\partial h_t}{\partial h_k} = \prod_{j=k+1}^{t} \mathrm{diag}(1 - h_j^2) W"),
    (LINEAR, r"\lambda_t = (h_t - y_t) + a \lambda_{t+1}"),
    (LINEAR, r"\frac{\partial L}{\partial b} = \sum_{t=1}^T \lambda_t x_t"),
    (LINEAR, r"\frac{\partial h_t}{\partial a} = h_{t-1} + a \frac{\partial h_{t-1}}{\partial a}"),
    (LINEAR, r"\frac{\partial h_t}{\partial h_k} = a^{t-k}"),
    (CONTROL, r"\lambda_t = Q x_t + A^\top \lambda_{t+1}"),
    (CONTROL, r"\frac{\partial J}{\partial u_t} = R u_t + B^\top \lambda_{t+1}"),
    (CELL, r"\frac{\partial \mathcal{L}}{\partial c_t} = \frac{\partial \mathcal{L}}{\partial h_t}"
           r" (1 - h_t^2) + \frac{\partial \mathcal{L}}{\partial c_{t+1}} f_{t+1}"),
    (CELL, r"\frac{\partial \mathcal{L}}{\partial u} ="
           r" \sum_t \frac{\partial \mathcal{L}}{\partial f_t} f_t (1 - f_t) h_{t-1}"),
    (ATTENTION, r"\frac{\partial L}{\partial S_t} = \frac{\partial L}{\partial o_t} q_t^\top"
                r" + \frac{\partial L}{\partial S_{t+1}}"),
    (ATTENTION, r"\frac{\partial L}{\partial v_t} = \frac{\partial L}{\partial S_t} k_t"),
    (DESCENT, r"\frac{\partial E}{\partial \eta} ="
              r" -\sum_{k=0}^{K-1} (a w_k - b) \frac{\partial E}{\partial w_{k+1}}"),
]  # fmt: skip
FALSE = [
    (NETWORK, r"\delta_t = V^\top \frac{\partial \ell_t}{\partial o_t}"
              r" + W^\top \mathrm{diag}(1 - h_t^2) \delta_{t+1}"),
    (NETWORK, r"\frac{\partial L}{\partial W} = \sum_{t=1}^T"
              r" \mathrm{diag}(1 - h_t^2) \delta_t h_t^\top"),
    (NETWORK, r"\frac{\partial L}{\partial U} = \sum_{t=1}^T \delta_t x_t^\top"),
    (LINEAR, r"\frac{\partial L}{\partial b} = \sum_{t=1}^T \lambda_{t} h_t"),
    (LINEAR, r"\frac{\partial h_t}{\partial h_k} = a^{t-k+1}"),
    (LINEAR, r"\frac{\partial h_t}{\partial a} = h_{t} + a \frac{\partial h_{t-1}}{\partial a}"),
    (CONTROL, r"\frac{\partial J}{\partial u_t} = R u_t + B^\top \lambda_t"),
    (CONTROL, r"\frac{\partial J}{\partial u_t} = R u_t - B^\top \lambda_{t+1}"),
    (CELL, r"\frac{\partial \mathcal{L}}{\partial w} ="
           r" \sum_t \frac{\partial \mathcal{L}}{\partial f_t} f_t (1 + f_t) x_t"),
    (ATTENTION, r"\frac{\partial L}{\partial v_t} = \frac{\partial L}{\partial S_t} q_t"),
    (DESCENT, r"\frac{\partial E}{\partial w_k} ="
              r" (1 + \eta a) \frac{\partial E}{\partial w_{k+1}}"),
]  # fmt: skip
REGULAR = r"""
$$ h_t = \tanh(w h_{t-1} + u x_t) $$

$$ L = \sum_{t=1}^{T} \frac12 (h_t - y_t)^2 + \frac{\mu}{2} w^2 $$

$$ %s $$
"""
STARTS = REGULAR + "\nThe first state is given by $h_0 = w c$.\n"
FAR = r"""
$$ z_t = w z_{t-1} + u q_{t-2} $$

$$ E = \sum_{t=1}^{T} \frac12 (z_t - y_t)^2 $$

$$ %s $$
"""
OF_ALL = r"""
$$ z_t = w z_{t-1} + \sum_{s=1}^{t} a_s x_s $$

$$ E = \sum_{t=1}^{T} \frac12 (z_t - y_t)^2 $$

$$ %s $$
"""
SQUARE = r"""
$$ h_t = a h_{t-1}^2 + b x_t $$

$$ L = \sum_{t=1}^T \frac12 (h_t - y_t)^2 $$

With $\lambda_t = \frac{\partial L}{\partial h_t}$ we claim

$$ %s $$
"""
LONG = SQUARE.replace("y_t", "h_{t-3}")  # of which h_t is a part three steps later, too
UNREAD = SQUARE.replace("a h_{t-1}^2", "h_{t-1} - a (h_{t-1} - x_t)")  # a(…) may be a function
SUM = (
    r"\frac{\partial L}{\partial w} ="
    r" \sum_{t=1}^T \frac{\partial L}{\partial h_t} (1 - h_t^2) h_{t-1}"
)
TRUE += [
    (REGULAR, SUM + r" + \mu w"),
    (SQUARE, r"\lambda_t = h_t - y_t + 2 a h_t \lambda_{t+1}"),
]
FALSE += [
    (REGULAR, SUM),
    (SQUARE, r"\frac{\partial L}{\partial a} = \sum_{t=1}^T 2 h_{t-1}^2 \lambda_t"),
    (SQUARE, r"\lambda_t = h_t - y_t + 2 a h_t \lambda_{t+1} + a"),
]
CONDITIONAL = [
    (STARTS, SUM + r" + \mu w"),
    (LINEAR, r"\frac{\partial L}{\partial b} = \sum_{t=2}^T \lambda_t x_t"),
    (CELL, r"\frac{\partial c_t}{\partial c_{t-1}} = f_t"),
]
OPEN = [  # true of later steps too, of one loss, by other words, or not said at all
    (LINEAR, r"\lambda_t = (h_t - y_t) + a (h_{t+1} - y_{t+1}) + a^2 \lambda_{t+2}"),
    (LINEAR, r"\lambda_t = \sum_{s=t}^T a^{s-t} (h_s - y_s)"),
    (NETWORK, r"\frac{\partial L}{\partial V} = \sum_{t=1}^T (o_t - y_t) h_t^\top"),
    (NETWORK, r"\frac{\partial h_t}{\partial h_k} = \prod_{j=k}^{t} \mathrm{diag}(1 - h_j^2) W"),
    (LINEAR, r"\frac{\partial L}{\partial a} = \sum_{t=1}^T \lambda_{t+1} h_t"),
    (FAR, r"\frac{\partial E}{\partial q_t} = 0"),
    (UNREAD, r"\lambda_t = h_t - y_t"),
    (LONG, r"\lambda_t = h_t - h_{t-3} + 2 a h_t \lambda_{t+1}"),
    (SQUARE, r"\lambda_t = (h_t - y_t)"),
    (FAR, r"\frac{\partial E}{\partial q_t} = u \frac{\partial E}{\partial z_{t+2}}"),
    (OF_ALL, r"\frac{\partial E}{\partial x_t} = a_t \frac{\partial E}{\partial z_t}"),
]


def verdict(text: str, formula: str) -> str:
    """What is said of the formula."""
    rows = [
        r
        for r in check(text % formula, corrections=False, timeout=60).rows
        if r.latex.strip() == formula.strip()
    ]
    assert rows, check(text % formula, corrections=False)
    return rows[0].verdict


@pytest.mark.parametrize(("text", "formula"), TRUE)
def test_true(text: str, formula: str) -> None:
    assert verdict(text, formula) == "proved"


@pytest.mark.parametrize(("text", "formula"), FALSE)
def test_false(text: str, formula: str) -> None:
    assert verdict(text, formula) == "refuted"


@pytest.mark.parametrize(("text", "formula"), CONDITIONAL)
def test_conditional(text: str, formula: str) -> None:
    assert verdict(text, formula) == "conditional"


@pytest.mark.parametrize(("text", "formula"), OPEN)
def test_open(text: str, formula: str) -> None:
    assert verdict(text, formula) not in ("proved", "refuted", "malformed")


LAYERS = r"""In layer $l$ of a network

$$ z^{(l)} = W^{(l)} a^{(l-1)} + b^{(l)}, \qquad a^{(l)} = \sigma(z^{(l)}), $$

the cost is $C = \frac12 \|a^{(L)} - y\|^2$. The error is
$\delta^{(l)} = \partial C / \partial z^{(l)}$, and

$$ {} $$

and in components

$$ \frac{\partial C}{\partial W^{(l)}_{jk}} = a^{(l-1)}_k \delta^{(l)}_j. $$
"""


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        (r"\delta^{(l)} = (W^{(l+1)})^\top \delta^{(l+1)} \odot \sigma'(z^{(l)})", {"proved"}),
        (
            r"\delta^{(l)} = W^{(l+1)} \delta^{(l+1)} \odot \sigma'(z^{(l)})",
            {"refuted", "malformed", "unproved", "skipped"},
        ),
        (r"\delta^{(L)} = (a^{(L)} - y) \odot \sigma'(z^{(L)})", {"proved", "unproved"}),
    ],
)
def test_layers_with_components_beside_them(claim: str, found: set[str]) -> None:
    rows = check(LAYERS.replace("{}", claim, 1), corrections=False).rows
    (row,) = [r for r in rows if r.latex.strip() == claim]
    assert row.verdict in found
    assert rows[-1].verdict == "proved"


CHARACTERS = r"""The state is $h_t = \tanh(W h_{t-1} + U x_t + b)$, the output $o_t = V h_t + c$
with $\hat y_t = \mathrm{softmax}(o_t)$, and the loss $L = \sum_t L_t$ with
$L_t = -\sum_i y_{t,i} \log \hat y_{t,i}$. Then

$$ \frac{\partial L}{\partial h_t} = V^\top (\hat y_t - y_t)
 + W^\top \mathrm{diag}(1 - h_{t+1}^2) \frac{\partial L}{\partial h_{t+1}} $$

$$ {} $$
"""


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        (
            r"\frac{\partial L}{\partial W} = \sum_t \mathrm{diag}(1 - h_t^2)"
            r" \frac{\partial L}{\partial h_t} h_{t-1}^\top",
            "proved",
        ),
        (
            r"\frac{\partial L}{\partial W} = \sum_t \mathrm{diag}(1 - h_t^2)"
            r" \frac{\partial L}{\partial h_t} h_t^\top",
            "refuted",
        ),
    ],
)
def test_a_loss_of_components_at_every_step(claim: str, found: str) -> None:
    rows = check(CHARACTERS.replace("{}", claim, 1), corrections=False).rows
    assert rows[-1].verdict == found
    assert rows[-2].verdict in ("proved", "conditional")
