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
