"""d p is a coefficient times p beside a - b p, and a differential where every term has one."""

from __future__ import annotations

import pytest

import symattn as sa

MARKET = r"""Demand is $D = a - bp$ and supply is $S = c + dp$. The excess is

$$ D - S = EXPR $$
"""


def verdicts(text: str) -> list[str]:
    return [r.verdict for r in sa.check(text, corrections=False).rows]


def test_a_coefficient_like_those_before_it():
    assert verdicts(MARKET.replace("EXPR", "a - c - (b + d) p"))[-1] == "proved"
    assert verdicts(MARKET.replace("EXPR", "a - c - (b - d) p"))[-1] == "refuted"


def test_a_letter_that_is_a_number_elsewhere():
    text = r"""Prey and predators obey $\dot x = a x - b x y$ and $\dot y = c x y - d y$. The sum is
$H = c x - d\log x + b y - a\log y$, and $\frac{\partial H}{\partial x} = c - \frac{d}{x}$. Now

$$ c\dot x - d\frac{\dot x}{x} + b\dot y - a\frac{\dot y}{y} = 0 $$
"""
    assert verdicts(text)[-2:] == ["proved", "proved"]
    assert verdicts(text.replace("b\\dot y - a", "b\\dot y + a"))[-1] != "proved"


@pytest.mark.parametrize(
    "text",
    [
        "With $a + b + c = 1$ and $a p$ the energy changes by $dU = T dS - p dV$.",
        r"Let $G = a + b + c$ and $P = \operatorname{softmax}(S)$. Then $dS = P(dP - D)$.",
    ],
)
def test_equations_between_differentials_stay(text):
    from symattn.read import read

    names = {m.name for m in read(text, strict=False).meanings}
    assert names & {"dS", "dU", "dP"}


PHASES = r"""The curves of $\dot x = a x - b x y$ and $\dot y = c x y - k y$ have the slope

$$ \frac{dy}{dx} = EXPR $$
"""


def test_slopes_of_what_moves_are_quotients_of_rates():
    assert verdicts(PHASES.replace("EXPR", r"\frac{y (c x - k)}{x (a - b y)}"))[-1] == "proved"
    assert verdicts(PHASES.replace("EXPR", r"\frac{y (c x - k)}{x (a + b y)}"))[-1] == "refuted"
    tied = r"""With $s + i + r = 1$ it follows $\dot s = -b s i$, $\dot i = b s i - g i$ and
$\dot r = g i$. Dividing, $\frac{di}{ds} = EXPR$."""
    assert verdicts(tied.replace("EXPR", r"-1 + \frac{g}{b s}"))[-1] == "proved"
    assert verdicts(tied.replace("EXPR", "-1"))[-1] == "refuted"
    third = r"""They are tied by $x + y + z = 1$ with $\dot x = -k x$ and $\dot z = k x y$. Then
$\frac{dy}{dx} = -1 + y$."""
    assert verdicts(third)[-1] not in ("refuted", "malformed")
