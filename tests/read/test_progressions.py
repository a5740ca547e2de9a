"""Dots between powers, as sums."""

from __future__ import annotations

import pytest

from symattn.checker import check

RULE = r"Let $\delta_t = r_t + \gamma V_{t+1} - V_t$ and $S_n = \sum_{k=0}^{n} q^k$."


def verdict(claim: str, head: str = RULE) -> str:
    return check(f"{head}\n\n$${claim}$$\n", corrections=False, timeout=None).rows[-1].verdict


LEFT = r"\sum_{l=0}^{k-1} \gamma^l \delta_{t+l} = "


@pytest.mark.parametrize(
    ("right", "found"),
    [
        (
            r"-V_t + r_t + \gamma r_{t+1} + \dots + \gamma^{k-1} r_{t+k-1} + \gamma^k V_{t+k}",
            "proved",
        ),
        (r"-V_t + \sum_{m=0}^{k-1} \gamma^m r_{t+m} + \gamma^k V_{t+k}", "proved"),
        # γ^{k-1} is no term of γ^j r_{t+j} with r_{t+k}
        (
            r"-V_t + r_t + \gamma r_{t+1} + \dots + \gamma^{k-1} r_{t+k} + \gamma^k V_{t+k}",
            "skipped",
        ),
    ],
)
def test_terms_up_to_a_last_one(right: str, found: str) -> None:
    assert verdict(LEFT + right) == found


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        (r"1 + q + q^2 + \dots + q^n = \frac{1 - q^{n+1}}{1 - q}", "proved"),
        (r"1 + q + q^2 + \dots + q^n = \frac{1 - q^n}{1 - q}", "refuted"),
        (r"a + a q + \dots + a q^{n-1} = a \frac{1 - q^n}{1 - q}", "proved"),
        (r"1 + q + q^2 + q^3 + \dots = \frac{1}{1 - q}", "proved"),
        (r"1 + q + q^2 + q^3 + \dots = \frac{q}{1 - q}", "refuted"),
        (r"q + q^2 + q^3 + \dots = \frac{q}{1 - q}", "skipped"),  # it begins at 1
    ],
)
def test_powers(claim: str, found: str) -> None:
    assert verdict(claim, "A number $q$ with $0 < q < 1$.") == found


def test_a_value_of_a_state_is_a_sequence() -> None:
    head = r"Let $\delta_t = r_t + \gamma V(s_{t+1}) - V(s_t)$."
    right = r"\sum_{l=0}^{k-1} \gamma^l r_{t+l} - V(s_t) + \gamma^{%s} V(s_{t+k})"
    assert verdict(LEFT + right % "k", head) == "proved"
    assert verdict(LEFT + right % "{k-1}", head) != "proved"


def test_an_endless_sum_that_telescopes_has_a_condition() -> None:
    head = RULE.replace(r"$S_n", r"$G_t = \sum_{k=0}^\infty \gamma^k r_{t+k}$, $S_n")
    row = check(
        head + "\n\n" + r"$$\sum_{k=0}^\infty \gamma^k \delta_{t+k} = G_t - V_t$$",
        timeout=None,
        corrections=False,
    ).rows[-1]
    assert row.verdict == "conditional"
    assert row.reason.startswith("true where each part of the endless sum converges by itself")
    assert verdict(r"\sum_{k=0}^\infty \gamma^k (r_{t+k} - r_{t+k+1}) = G_t - G_{t+1}", head) == (
        "proved"
    )


def test_what_stands_above_in_an_endless_sum_is_a_power() -> None:
    text = "$$ \\sum_{k=0}^\\infty k q^k = \\frac{q}{(1-q)^2} $$\n\n"
    text += "$$ f = \\left(1 + \\frac{q}{m}\\right)^m $$"
    rows = check(text, corrections=False).rows
    assert [r.verdict for r in rows] == ["proved", "definition"]
