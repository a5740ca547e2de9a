"""Filters: states before, to which every step adds something free, and those that hold by steps."""

from __future__ import annotations

import pytest

from symattn.checker import check

FILTER = r"""
$$ x_k = A x_{k-1} + w_k, \qquad z_k = H x_k + v_k $$

with $x_k \in \mathbb{R}^n$, and the covariances are

$$ B_k = A P_{k-1} A^\top + Q_k $$

$$ S_k = H B_k H^\top + R_k $$

$$ K_k = B_k H^\top S_k^{-1} $$

$$ P_k = (I - K_k H) B_k $$

"""


@pytest.mark.parametrize(
    ("latex", "verdict"),
    [
        (r"(I - K_k H) B_k H^\top = K_k R_k", "proved"),
        (r"(I - K_k H) B_k H^\top = -K_k R_k", "refuted"),
        (r"(I - K_k H) B_k H^\top = K_k S_k", "refuted"),
        (r"(H B_k)^\top = B_k H^\top", "open"),  # where B_k is symmetric
        (r"P_k = B_k - K_k S_k K_k^\top", "open"),
        (r"P_{k-1} = A P_{k-1} A^\top", "open"),  # of a state that nothing is added to
    ],
)
def test_what_a_step_adds_freely_leaves_it_any_value(latex: str, verdict: str) -> None:
    row = check(f"{FILTER}$$ {latex} $$", timeout=None, corrections=False).rows[-1]
    if verdict == "open":
        assert row.verdict not in ("proved", "refuted"), row.reason
    else:
        assert row.verdict == verdict, row.reason


@pytest.mark.parametrize(
    ("recursion", "latex"),
    [
        (r"p_t = a p_{t-1} + b r_{t-1}, \qquad r_t = a r_{t-1} + b p_{t-1}", "p_t + r_t = 1"),
        (r"p_t = a p_{t-1} + u_t", "p_t p_t = u_t p_t"),
    ],
)
def test_what_holds_by_the_steps_before_is_not_refuted(recursion: str, latex: str) -> None:
    row = check(f"$$ {recursion} $$\n\n$$ {latex} $$", timeout=None, corrections=False).rows[-1]
    assert row.verdict != "refuted", row.reason
