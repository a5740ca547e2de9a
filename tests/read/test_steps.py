"""Letters that count steps: P_k and P_{k+1} are names, and equations hold at every step."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import sympy as sp

import symattn as sa
from symattn import define
from symattn.checker import check
from symattn.read import read
from symattn.read.unrolled import Unrolled


def verdicts(text: str) -> list[str]:
    """The verdicts of all but definitions."""
    return [r.verdict for r in check(text, corrections=False).rows if r.verdict != "definition"]


def names(text: str) -> set[str]:
    return {m.name for m in read(text, strict=False).meanings}


OBSERVER = r"""The plant is $x_{k+1} = A x_k + B u_k$, $y_k = C x_k$ with
$A \in \mathbb{R}^{n\times n}$, $C \in \mathbb{R}^{p \times n}$, $B \in \mathbb{R}^{n \times m}$.

$$ \hat x_{k+1} = A \hat x_k + B u_k + L (y_k - C \hat x_k). $$

The error $e_k = x_k - \hat x_k$ satisfies

$$ e_{k+1} = (A - L C) e_k. $$
"""
RICCATI = r"""With $A\in\mathbb{R}^{n\times n}$, $B\in\mathbb{R}^{n\times m}$ the gain is

$$ K_k = (R + B^T P_{k+1} B)^{-1} B^T P_{k+1} A $$

and the recursion

$$ P_k = Q + A^T P_{k+1} A - A^T P_{k+1} B (R + B^T P_{k+1} B)^{-1} B^T P_{k+1} A. $$

With $F_k = A - B K_k$ it is

$$ P_k = Q + A^T P_{k+1} F_k. $$
"""


def test_a_matrix_of_a_step_is_inverted():
    assert {"P_k", "P_k_next", "K_k"} <= names(RICCATI)
    assert verdicts(RICCATI) == ["proved"]
    assert "proved" not in verdicts(RICCATI.replace("Q + A^T P_{k+1} F_k", "Q + A^T P_{k+1} K_k"))
    assert "proved" not in verdicts(RICCATI.replace("Q + A^T P_{k+1} F_k", "Q - A^T P_{k+1} F_k"))


def test_equations_hold_at_other_steps_too():
    assert verdicts(OBSERVER) == ["proved"]
    assert verdicts(OBSERVER.replace("(A - L C) e_k", "(A + L C) e_k")) == ["conditional"]


@pytest.mark.parametrize(
    ("given", "claim", "wrong"),
    [
        (r"F_{n+1} = F_n + F_{n-1}", "F_{n+1}^2 - F_n^2 = F_{n-1} F_{n+2}",
         "F_{n+1}^2 - F_n^2 = F_n F_{n+2}"),
        (r"v_{t+1} = m v_t - h g_t$, $w_{t+1} = w_t + v_{t+1}",
         "w_{t+1} - w_t = m (w_t - w_{t-1}) - h g_t", "w_{t+1} - w_t = m (w_t - w_{t-1}) + h g_t"),
        (r"x_{n+1} = \frac12 (x_n + \frac{a}{x_n})$, $e_n = x_n - \sqrt a",
         r"e_{n+1} = \frac{e_n^2}{2 x_n}", r"e_{n+1} = \frac{e_n^2}{x_n}"),
    ],
)  # fmt: skip
def test_recursions_of_numbers(given, claim, wrong):
    text = f"The sequence obeys ${given}$.\n\n$$ %s $$\n"
    assert verdicts(text % claim) == ["proved"]
    assert "proved" not in verdicts(text % wrong)


def test_what_was_before_is_not_known():
    """Rows of P that sum to one keep the sum of p, which is one from the start."""
    text = r"""The distribution $p_t \in \mathbb{R}^n$ evolves as $p_{t+1} = P^\top p_t$, where
the rows of $P \in \mathbb{R}^{n \times n}$ sum to one.

$$ \mathbf{1}^\top p_{t+1} = \mathbf{1}^\top p_t, \qquad \mathbf{1}^\top p_t = 1 $$
"""
    assert verdicts(text) == ["proved", "unproved"]


def test_of_two_recursions_none_refutes():
    text = r"""Plain descent is

$$ w_{t+1} = w_t - h g_t $$

Alternatively

$$ w_{t+1} = w_t - h m_t, \qquad w_{t+1} - w_t = -h m_t $$
"""
    assert not {"refuted", "malformed"} & {*verdicts(text)}


def test_a_formula_without_its_step_says_nothing_of_others():
    text = r"""Let us write $P$ for $P_{k+1}$ in

$$ P_k = Q + A^T P A, \qquad P_{k+1} = Q + A^T P_{k+2} A $$

$$ S_k^{-1} = P_{k+1} P_k $$
"""
    document = read(text, strict=False)
    assert not [f for f in document.facts if "P_k_next" in str(f.lhs)]


@pytest.mark.parametrize(
    "text",
    [
        r"$$ x_{n+1} = x_n + h u_n, \qquad v_n = x_n u_n, \qquad s = \sum_n v_n $$",  # summed
        r"$$ u_{i+1} = u_i + h_i, \qquad J_{ij} = u_i u_j $$",  # another index beside it
        r"$$ u_{n+1} = u_n + n h $$",  # it counts
        r"$$ y_i = x_i^{-1} $$",  # numbers are inverted
        r"$$ B_{ij} = A_{ij} + A_{ij}^{-1} $$",
    ],
)
def test_indices_stay_indices(text):
    assert not any("_next" in n or "_before" in n for n in names(text))
    assert not names(text) & {"x_i", "y_i", "x_n", "u_i", "A_i"}


def test_powers_of_a_state_behind_tanh_are_those_of_its_components():
    text = r"""$$ h_t = \tanh(W h_{t-1} + U x_t + b) $$
With $a_t = W h_{t-1} + U x_t + b$,
$$ \frac{\partial h_t}{\partial a_t} = \mathrm{diag}(1 - h_t^2) $$
"""
    assert sa.check(text, corrections=False).rows[-1].verdict == "proved"
    words = "The state of such a network is as follows.\n\n"  # a text, and no formula alone
    assert sa.check(words + text, corrections=False).rows[-1].verdict == "proved"
    wrong = text.replace("1 - h", "1 + h")
    assert sa.check(wrong, corrections=False).rows[-1].verdict == "refuted"


def test_a_loss_that_does_not_hang_on_this_step_says_nothing_of_it() -> None:
    z, a = sp.symbols("z_l_next a_l", real=True)
    whole = {"a_l_next": define("a_l_next", (), z), "z_l_next": define("z_l_next", (), 2 * a)}
    one = Unrolled(
        *("l", (), {}, frozenset(), frozenset(), frozenset(), {}, {}, {}, {}, "Z"),
        here=frozenset(["a_l"]),
        later=frozenset(["a_l_next"]),
        earlier=frozenset(),
    )
    broken = {"a_l_next": whole["a_l_next"]}
    readings = tuple(SimpleNamespace(definitions=d, equations=()) for d in (whole, broken))
    assert one.through(lambda at: (at, 0), readings).whole == (True, False)
