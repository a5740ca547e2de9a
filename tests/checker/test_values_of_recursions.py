"""What a recursion makes of its first value, at numbers; and what is no first value."""

from __future__ import annotations

import pytest

import symattn as sa

LINEAR = ("x_{t+1} = a x_t + b", "x_0 = c")


def rows(rule: str, first: str, *claims: str) -> list[str]:
    parts = ["The state follows", f"$$ {rule} $$", f"with ${first}$.", "Then"]
    text = "\n\n".join([*parts, *(f"$$ {c} $$" for c in claims)])
    found = sa.check(text, corrections=False, timeout=None, jobs=1).rows
    return [r.verdict for r in found[-len(claims) :]]


@pytest.mark.parametrize(
    ("said", "claim", "verdict"),
    [
        (LINEAR, "x_1 = a c + b", "proved"),
        (LINEAR, "x_2 = a^2 c + a b + b", "proved"),
        (LINEAR, "x_2 = a^2 c + b", "refuted"),
        (LINEAR, "x_1 = a c - b", "refuted"),
        (("x_t = a x_{t-1}", "x_1 = c"), "x_3 = a^2 c", "proved"),
        (("x_t = a x_{t-1}", "x_1 = c"), "x_3 = a^3 c", "refuted"),
        (("x_{t+1} = x_t^2 + a", "x_0 = c"), "x_2 = (c^2 + a)^2 + a", "proved"),
        ((r"P_{k+1} = A P_k A^\top + Q", "P_0 = S"), r"P_1 = A S A^\top + Q", "proved"),
        ((r"P_{k+1} = A P_k A^\top + Q", "P_0 = S"), r"P_1 = A^\top S A + Q", "conditional"),
    ],
)
def test_values(said: tuple[str, str], claim: str, verdict: str) -> None:
    assert rows(*said, claim) == [verdict]


def test_values_are_made_of_values_before_them() -> None:
    assert rows(*LINEAR, "x_2 = a^2 c + a b + b", "x_3 = a x_2 + b") == ["proved", "proved"]
    assert rows(*LINEAR, "x_2 = a c", "x_3 = a x_2 + b") == ["refuted", "proved"]


def test_what_is_open_defines_nothing() -> None:
    open_ = ("x_{t+1} = |x_t| + a", "x_0 = c")
    assert "refuted" not in rows(*open_, "x_1 = c + a", "x_1 = |c| + a")
    wrong, right = "x_t = a^t c + b", "x_{t+1} - x_t = (a - 1) x_t + b"
    assert rows(*LINEAR, wrong, right)[1] != "refuted"


def test_a_claim_behind_a_closed_form_is_no_first_value() -> None:
    text = "$$ x_{t+1} = x_t + b $$\n\n$$ x_t = 2 b + b t $$\n\nso that\n\n$$ x_1 = 3 b $$"
    found = sa.check(text, corrections=False, timeout=None, jobs=1).rows
    assert found[1].verdict == "conditional" and found[2].verdict != "proved"
    said = text.replace("so that\n\n$$ x_1 = 3 b $$", "with $x_0 = 2 b$.")
    found = sa.check(said, corrections=False, timeout=None, jobs=1).rows
    assert found[1].verdict == "proved"


ADAM = r"""$$ m_t = \beta m_{t-1} + (1-\beta) g_t, \quad v_t = \gamma v_{t-1} + (1-\gamma) g_t^2 $$

with $m_0 = v_0 = 0$. The corrected moment is

$$ \hat m_t = \frac{m_t}{1-\beta^t} . $$

Then
"""


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"m_t = (1-\beta)\sum_{i=1}^{t} \beta^{t-i} g_i", "proved"),
        (r"m_t = (1-\beta)\sum_{i=1}^{t} \beta^{t-i+1} g_i", "refuted"),
        (r"\hat m_1 = g_1", "proved"),
        (r"\hat m_1 = (1-\beta) g_1", "refuted"),
        (r"\hat m_2 = \frac{\beta g_1 + g_2}{1 + \beta}", "proved"),
        (r"\hat m_2 = \frac{\beta g_1 + g_2}{1 - \beta}", "refuted"),
        (r"v_1 = (1-\gamma) g_1^2", "proved"),
    ],
)
def test_two_begin_with_one_value_and_a_third_is_made_of_them(claim: str, verdict: str) -> None:
    text = ADAM + f"\n$$ {claim} $$"
    assert sa.check(text, corrections=False, timeout=None, jobs=1).rows[-1].verdict == verdict


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("x_1 = a p + b q", "proved"),
        ("x_2 = a^2 p + a b q + b c p", "proved"),
        ("x_2 = a^2 p + a b q + b c q", "refuted"),
        ("y_2 = c (a p + b q)", "proved"),
    ],
)
def test_recursions_that_are_made_of_one_another(claim: str, verdict: str) -> None:
    text = "$$ x_{t+1} = a x_t + b y_t, \\qquad y_{t+1} = c x_t . $$\n\nWith $x_0 = p$, $y_0 = q$"
    rows_ = sa.check(f"{text}\n\n$$ {claim} $$", corrections=False, timeout=None, jobs=1).rows
    assert rows_[-1].verdict == verdict


def test_a_first_value_may_stay_a_name() -> None:
    text = "$$ u_{n+1} = u_n + h f_n $$\n\nso\n\n$$ {} $$"
    for claim, verdict in (
        ("u_2 = u_0 + h (f_0 + f_1)", "proved"),
        ("u_2 = u_0 + h f_1", "refuted"),
    ):
        found = sa.check(text.replace("{}", claim, 1), corrections=False, timeout=None, jobs=1)
        assert found.rows[-1].verdict == verdict
