r"""Rates of what is made of things that move: dV/dt along x' = F x."""

import pytest

import symattn as sa

LYAPUNOV = r"""For $\dot y = F y$ take $V = y^\top P y$ with symmetric $P$. Then

$$EQUATION$$
"""
RICCATI = r"""Let $R$ be symmetric. For $\dot x = A x + B u$ with $u = -R^{-1} B^\top S x$, if
the symmetric $S$ solves

$$A^\top S + S A - S B R^{-1} B^\top S + Q = 0$$

then

$$EQUATION$$
"""
ENERGY = r"""The energy of $m \ddot x + c \dot x + k x = 0$ is

$$E = \tfrac12 m \dot x^2 + \tfrac12 k x^2$$

and

$$EQUATION$$
"""


def last(equation, text):
    return sa.check(text.replace("EQUATION", equation), corrections=False).rows[-1]


@pytest.mark.parametrize(
    ("equation", "text"),
    [
        (r"\dot V = y^\top (F^\top P + P F) y", LYAPUNOV),
        (r"\frac{dV}{dt} = 2 y^\top P F y", LYAPUNOV),
        (r"\frac{d}{dt} (x^\top S x) = -x^\top (Q + S B R^{-1} B^\top S) x", RICCATI),
        (r"\frac{dE}{dt} = -c \dot x^2", ENERGY),
    ],
)
def test_rates_hold_where_the_rest_does_not_change(equation, text):
    row = last(equation, text)
    assert row.verdict == "conditional"
    assert "not change" in row.reason


@pytest.mark.parametrize(
    ("equation", "text"),
    [
        (r"\dot V = y^\top (F P + P F) y", LYAPUNOV),
        (r"\frac{dV}{dt} = y^\top P F y", LYAPUNOV),
        (r"\frac{d}{dt} (x^\top S x) = -x^\top (Q - S B R^{-1} B^\top S) x", RICCATI),
        (r"\frac{dE}{dt} = c \dot x^2", ENERGY),
        (r"\frac{dE}{dt} = -c \dot x", ENERGY),
    ],
)
def test_wrong_rates_do_not(equation, text):
    assert last(equation, text).verdict in ("refuted", "unproved", "skipped", "definition")


def test_a_rate_of_something_else_stays_a_definition():
    row = last(r"\dot w = 3 w", LYAPUNOV)
    assert (row.verdict, row.kind) == ("definition", "definition")


IN_TIME = r"""The position is $$ x = A \cos(\omega t) + B \sin(\omega t) $$ so that
$$ {} $$
"""


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"\dot x = -A \omega \sin(\omega t) + B \omega \cos(\omega t)", "proved"),
        (r"\dot x = A \omega \sin(\omega t) + B \omega \cos(\omega t)", "refuted"),
        (r"\dot x = -A \sin(\omega t) + B \cos(\omega t)", "refuted"),
        (r"\ddot x = -\omega^2 x", "proved"),
        (r"\ddot x = -\omega x", "refuted"),
        (r"\ddot x + \omega^2 x = 0", "proved"),
    ],
)
def test_a_dot_is_the_derivative_of_a_formula_of_the_time(claim: str, verdict: str) -> None:
    assert sa.check(IN_TIME.replace("{}", claim), corrections=False).rows[-1].verdict == verdict


@pytest.mark.parametrize(
    "text",
    [
        IN_TIME.replace("{}", r"\dot \omega = \alpha $$ $$ \dot x = -A \omega \sin(\omega t)"),
        IN_TIME.replace("{}", r"y = x $$\n\n# Another\n\n$$ \dot x = v"),
        r"The position is $$ x = a b $$ so that $$ \dot x = a $$",
    ],
)
def test_a_dot_says_nothing_where_other_names_move(text: str) -> None:
    assert not sa.check(text.replace(r"\n", "\n"), corrections=False).of("refuted")


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\dot x^2 + \dot y^2 = \dot r^2 + r^2 \dot\theta^2", "proved"),
        (r"\dot x^2 + \dot y^2 = \dot r^2 + r \dot\theta^2", "refuted"),
        (r"x \dot y - y \dot x = r \dot\theta", "refuted"),
        (r"\dot x \cos\theta + \dot y \sin\theta = 0", "skipped"),  # a condition on r
        (r"\dot x + \dot y = v", "skipped"),
        (r"\dot x^2 + \dot y^2 = v^2", "skipped"),
    ],
)
def test_rates_in_an_expression(latex, expected):
    text = r"In polar coordinates $x = r\cos\theta$, $y = r\sin\theta$; both vary."
    *_, row = sa.check(f"{text}\n\n$$ {latex} . $$\n", corrections=False, jobs=1).rows
    assert row.verdict == expected
