r"""What pages say around their formulas: of people who are counted, at any place, it starts as."""

from __future__ import annotations

import pytest

import symattn as sa

SHARES = r"""Let $s$ and $i$ be the OF with

\begin{align}
\dot s &= -\beta s i \\
\dot i &= \beta s i - \gamma i
\end{align}

and $R = \beta/\gamma$. The growth rate is $g = \beta s - \gamma$. In terms of $R$ it is
"""
HALF = r"The rate is $v(S) = \frac{V S}{K + S}$." + "\n\nThe slope at AT is "
CHAIN = (
    r"The amount is $$ B(t) = \frac{a A}{b - a} \left( e^{-a t} - e^{-b t} \right) . $$" + "\n\n"
)
BEAM = (
    r"The length is $z_R = \frac{\pi w_0^2}{\lambda}$ and the width is "
    r"$$ w(z) = w_0 \sqrt{1 + \frac{z^2}{z_R^2}} . $$ So "
)
MOVE = (
    r"The path is $$ s(t) = p_0 + (p_1 - p_0) \left( \frac{3 t^2}{\tau^2} - \frac{2 t^3}{\tau^3} "
    r"\right) . $$ It satisfies $s(0) = p_0$, $s(\tau) = p_1$ and $s'(\tau) = 0$. Halfway it is at "
    r"$$ s(\tfrac{\tau}{2}) = \frac{p_0 + p_1}{2} $$ with the largest speed "
)
ARM = (
    r"The tip is at $$ x = l_1 \cos q_1 + l_2 \cos(q_1 + q_2), \qquad y = l_1 \sin q_1 + l_2 "
    r"\sin(q_1 + q_2) . $$ The distance is $$ x^2 + y^2 = l_1^2 + l_2^2 + 2 l_1 l_2 \cos q_1 . $$ "
    r"The slopes are $$ \frac{\partial x}{\partial q_1} = -y $$ and "
)


def last(text: str) -> str:
    return sa.check(text, corrections=False, timeout=None, jobs=1).rows[-1].verdict


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        # the people of a share say nothing
        (SHARES.replace("OF", "shares of infected people"), r"g = \gamma (R s - 1)",
         r"g = \beta (R s - 1)"),
        (SHARES.replace("OF", "numbers of open and closed books"), r"g = \gamma (R s - 1)",
         r"g = \gamma (R s + 1)"),
        # any place is no other one
        (HALF.replace("AT", "any concentration"), r"\frac{dv}{dS} = \frac{V K}{(K + S)^2}",
         r"\frac{dv}{dS} = \frac{V S}{(K + S)^2}"),
        (HALF.replace("AT", "every positive dose"), r"\frac{dv}{dS} = \frac{V K}{(K + S)^2}",
         r"\frac{dv}{dS} = \frac{V K}{K + S}"),
        # it starts as what it is at 0
        (CHAIN + "It starts as", "B'(0) = a A", "B'(0) = b A"),
        (CHAIN + "Its first slope is", "B'(0) = a A", "B'(0) = A"),
        # z_R^2 and z_R are one name
        (BEAM, r"w(z_R) = \sqrt2 w_0", "w(z_R) = 2 w_0"),
        (BEAM, r"w(2 z_R) = \sqrt5 w_0", "w(2 z_R) = 2 w_0"),
        # s(0) = p says nothing of p
        (MOVE, r"s'(\tfrac{\tau}{2}) = \frac{3 (p_1 - p_0)}{2 \tau}",
         r"s'(\tfrac{\tau}{2}) = \frac{2 (p_1 - p_0)}{3 \tau}"),
        (ARM, r"\frac{\partial y}{\partial q_2} = l_2 \cos(q_1 + q_2)",
         r"\frac{\partial y}{\partial q_2} = l_1 \cos(q_1 + q_2)"),
    ],
)  # fmt: skip
def test_what_is_said_of_pages(text: str, right: str, wrong: str) -> None:
    assert last(f"{text} $$ {right} . $$") == "proved"
    assert last(f"{text} $$ {wrong} . $$") == "refuted"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        # people who say it, and places of their own
        (SHARES.replace("OF", "shares of which people write"), r"g = \beta (R s - 1)"),
        (HALF.replace("AT", "any stationary point"), r"\frac{dv}{dS} = \frac{V S}{(K + S)^2}"),
        (HALF.replace("AT", "each end"), r"\frac{dv}{dS} = \frac{V S}{(K + S)^2}"),
        # what is asked of a value
        (CHAIN + "At the wall it is", "B'(0) = b A"),
        (CHAIN + "The prescribed slope is", "B'(0) = b A"),
        (CHAIN + "The initial condition is", "B'(0) = b A"),
    ],
)
def test_what_may_be_so(text: str, claim: str) -> None:
    assert last(f"{text} $$ {claim} . $$") not in ("refuted", "proved")
