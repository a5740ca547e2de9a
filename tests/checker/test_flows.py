r"""What flows: with dx/dt and dy/dt given, dy/dx along an orbit and rates of what x and y make."""

import pytest

import symattn as sa

DOTTED = r"In the model $\dot S = -\beta S H$ and $\dot H = \beta S H - \gamma H$ we have"
WRITTEN = r"With $\frac{dx}{dt} = -y$ and $\frac{dy}{dt} = x$ let $r = x^2 + y^2$, $p = x y$. Then"
THREE = (
    r"Let $\frac{dS}{dt} = -\beta S I$, $\frac{dI}{dt} = \beta S I - \gamma I$,"
    r" $\frac{dR}{dt} = \gamma I$. Then"
)
ENERGY = r"Let $\frac{dx}{dt} = v$, $\frac{dv}{dt} = -w x$ and $E = v^2 + w x^2$. Then"


@pytest.mark.parametrize(
    ("text", "formula", "verdict"),
    [
        (DOTTED, r"\frac{dH}{dS} = \frac{\gamma}{\beta S} - 1", "proved"),
        (DOTTED, r"\frac{dH}{dS} = \frac{\gamma}{\beta S} + 1", "refuted"),
        (DOTTED, r"\frac{dH}{dS} = 0", "unproved"),
        (WRITTEN, r"\frac{dy}{dx} = -\frac{x}{y}", "proved"),
        (WRITTEN, r"\frac{dy}{dx} = \frac{x}{y}", "refuted"),
        (WRITTEN, r"\frac{dr}{dt} = 0", "proved"),
        (WRITTEN, r"\frac{dp}{dt} = x^2 - y^2", "proved"),
        (WRITTEN, r"\frac{dp}{dt} = x^2 + y^2", "refuted"),
        (WRITTEN, r"\frac{d}{dt}(x + y) = x - y", "proved"),
        (WRITTEN, r"\frac{d}{dt}(x + y) = x + y", "refuted"),
        (THREE, r"\frac{d}{dt}(S + I + R) = 0", "proved"),
        (ENERGY, r"\frac{dE}{dt} = 0", "conditional"),  # where w does not change
    ],
)
def test_what_is_said_of_a_flow(text: str, formula: str, verdict: str) -> None:
    rows = sa.check(f"{text}\n\n$$ {formula} $$\n", corrections=False, timeout=None).rows
    assert rows[-1].verdict == verdict


def test_an_input_is_no_constant_of_another_one() -> None:
    text = "Let $f = x y + z$. Then\n\n$$ \\frac{dx}{dy} = SIDE $$\n"
    for side in ("z", "x", "\\frac{x}{y}"):
        row = sa.check(text.replace("SIDE", side), corrections=False).rows[-1]
        assert row.verdict in ("unproved", "skipped")


@pytest.mark.parametrize(
    ("side", "verdict"),
    [
        (r"x^\top (A^\top P + P A) x", "conditional"),  # where P does not change
        (r"2 x^\top P A x", "conditional"),
        (r"x^\top P A x", "refuted"),
    ],
)
def test_a_dot_over_a_function_of_what_moves_is_its_rate(side: str, verdict: str) -> None:
    text = r"Let $V(x) = x^\top P x$ with $P$ symmetric and $\dot x = A x$. Then"
    row = sa.check(f"{text}\n\n$$ \\dot V = {side} $$\n", corrections=False).rows[-1]
    assert row.verdict == verdict
