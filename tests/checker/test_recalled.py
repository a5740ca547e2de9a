"""Slips that a doubt hid: each beside a true equation of the same form, which is no alarm."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.checker.report import WRONG

Case = tuple[str, str, str, str]  # a text with {}, what is true, what is wrong, what mends it

NOISE = (
    r"The codeword $c = G^\top u$ has $G \in \mathbb{{R}}^{{k \times n}}$ and "
    r"$u \in \mathbb{{R}}^k$. Noise makes it $r = c + e$. A parity matrix "
    r"$H \in \mathbb{{R}}^{{m \times n}}$ has $H G^\top = 0$. The syndrome $s = H r$ is"
    "\n\n$$ s = H e $$\n\n$$ s = {} $$"
)
SOFTMAX = (
    r"Let $s = \operatorname{{softmax}}(z)$ with $z \in \mathbb{{R}}^n$. Its Jacobian is "
    r"$$ \frac{{\partial s}}{{\partial z}} = {} $$"
)
ROTATION = (
    r"Let $R = \begin{{pmatrix}} \cos t & -\sin t \\ \sin t & \cos t \end{{pmatrix}}$. Then "
    r"$$ R^\top R = {} $$"
)
LOW_RANK = (
    r"Let $A, C \in \mathbb{{R}}^{{n \times n}}$ be invertible and $b, c \in \mathbb{{R}}^n$, with "
    r"$C = A + b c^\top$. Then $$ C A^{{-1}} = {} $$"
)
RATE = r"A reaction of first order has $x(t) = x_0 e^{{-k t}}$ with $$ x'(t) = {} $$"
FREE = r"Without the constraint the slope of $J = (w x - y)^2$ is $$ \frac{{dJ}}{{dw}} = {} $$"
LOST = r"Three votes are wrong with probability $P = 3 p^2 (1 - p) + p^3$, which is $$ P = {} $$"
ALONE = (
    r"The energy is $E = (a + b)^2 - (a - b)^2$, a difference of squares of $a$ and $b$, "
    "\n\n$$ F = E / 2, $$\n\n"
    r"which hangs on the product alone: $$ F = {} $$"
)
TABLE = (
    r"With $a$ exposed cases, $b$ exposed controls, $c$ other cases and $d$ other controls"
    "\n\n"
    r"$$ Q = \frac{{a / (a + b)}}{{c / (c + d)}} $$"
    "\n\n$$ Q = {} $$"
)
SHARES = (
    r"The spread of the strata is $$ V = \sum_h W_h^2 \frac{{S_h^2}}{{n_h}} $$"
    "\n\n"
    r"Under proportional shares $n_h = n W_h$ $$ V = {} $$"
)
EQUAL = (
    r"With shares $p_i$ of $S$ kinds we have $$ \lambda = \sum_{{i=1}}^S p_i^2, \qquad "
    r"H = -\sum_{{i=1}}^S p_i \ln p_i $$"
    "\n\n"
    r"For equal shares $p_i = 1/S$ $$ \lambda = \frac{{1}}{{S}}, \qquad H = {} $$"
)
POSTERIOR = (
    r"A prior of variance $s$ around $m$ and a datum $y$ of variance $n$ have the mean "
    r"$$ \hat x = \frac{{m / s + y / n}}{{1 / s + 1 / n}} = {} $$"
)
GUESS = (
    r"Let $u = r / (1 - g)$. The residue is $\delta = r + g v - v$ for any guess $v$, and "
    r"$$ u - v = {} $$"
)
LEVELS = (
    r"With $\beta = 1/(k T)$ and $Z = e^{{\beta E}} + e^{{-\beta E}}$ the populations "
    r"$p = e^{{-\beta E}}/Z$ and $q = e^{{\beta E}}/Z$ satisfy $$ q - p = {} $$"
)
CASES: list[Case] = [
    (NOISE, "H e", r"H^\top e", "H e"),
    (SOFTMAX, r"\operatorname{diag}(s) - s s^\top", r"\operatorname{diag}(s) - s s", r"s s^\top"),
    (SOFTMAX, r"\operatorname{diag}(s) - s s^\top", r"\operatorname{diag}(s) - s^\top", "s"),
    (ROTATION, "I", "-I", "I"),
    (LOW_RANK, r"I + b c^\top A^{-1}", r"I + c^\top A^{-1}", "b"),
    (RATE, "-k x(t)", "k x(t)", "-k"),
    (FREE, "2 x (w x - y)", "2 x (w x + y)", "-"),
    (LOST, "3 p^2 - 2 p^3", "3 p^2 + 2 p^3", "-"),
    (ALONE, "2 a b", "-2 a b", ""),
    (TABLE, r"\frac{a (c + d)}{c (a + b)}", r"-\frac{a (c + d)}{c (a + b)}", "a"),
    (SHARES, r"\frac1n \sum_h W_h S_h^2", r"-\frac1n \sum_h W_h S_h^2", "W_h"),
    (EQUAL, r"\ln S", r"-\ln S", r"\ln S"),
    (POSTERIOR, r"\frac{n m + s y}{s + n}", r"\frac{n m - s y}{s + n}", "+"),
    (GUESS, r"\frac{\delta}{1 - g}", r"\frac{\delta}{1 + g}", "-"),
    (LEVELS, r"\tanh \beta E", r"\tanh E", r"\beta"),
]


@pytest.mark.parametrize(("text", "true", "wrong", "mends"), CASES)
def test_a_slip_is_found_and_what_is_true_is_none(
    text: str, true: str, wrong: str, mends: str
) -> None:
    assert not check(text.format(true), timeout=None).of(*WRONG)
    row = check(text.format(wrong), timeout=None).rows[-1]
    assert row.verdict in WRONG or (row.verdict == "conditional" and row.correction), row
    assert "".join(mends.split()) in "".join(row.correction.split())


@pytest.mark.parametrize(
    "text",
    [
        r"Demand is $D = a - b q$ and supply $S = c + k q$. They satisfy $$ D - S = 0 $$",
        r"The rates $r = a x$ and $s = b y$ satisfy $$ r + s = 1 $$",
        r"The gain is $g = a / (1 + a b)$. For two equal stages $$ 2 g = g^2 $$",
        r"With $y = 1 + \epsilon + \epsilon^2$ we have, of first order in $\epsilon$, "
        r"$$ y = 1 + \epsilon $$",
        r"The slope of $J = w^2$ under the constraint is $$ \frac{dJ}{dw} = 0 $$",
        "The kernel is $k = e^{-r^2}$, $$ K = k^2, $$ which is rescaled: $$ k = 2 e^{-r^2} $$",
        "With $a$ cases and $b$ controls two measures are\n\n$$ E = a / b $$\n\n$$ E = 2 a / b $$",
        r"The energy is $E = k q^2 / 2$. With another force $F = 2 k q$ it is $$ E = F q $$",
        r"Let $u \in \mathbb{R}^n$ and $v = u e$ with Euler's number $e$. Then $$ v / e = u $$",
        r"A current $I$ flows in and $J = -I$ flows out, so $$ J + I = 0 $$",
        r"It is wrong that $P = p^3$. Three are lost with $P = 2 p^3$, so $$ P = p^3 + p^3 $$",
        r"Our guess is $a = b$. With $a = 2 b$ we have $$ a = b + b $$",
    ],
)
def test_what_words_ask_for_or_give_anew_is_no_slip(text: str) -> None:
    assert not check(text, timeout=None).of(*WRONG)


@pytest.mark.parametrize(
    ("slope", "verdict"), [(r"\frac{c}{2 H}", "proved"), (r"\frac{c}{H}", "refuted")]
)
def test_waves_run_at_what_their_speed_is(slope: str, verdict: str) -> None:
    text = r"Waves on a depth $H$ run at $c = \sqrt{g H}$. So $$ \frac{\partial c}{\partial H} = "
    assert check(f"{text}{slope} $$", timeout=None).rows[-1].verdict == verdict


@pytest.mark.parametrize("slope", [r"\frac{c}{2 H}", r"\frac{c}{H}"])
def test_a_slope_of_what_nothing_defines_is_not_zero(slope: str) -> None:
    text = (
        r"The energy is $E = g a^2$ and its flux $F = E c$. Below $H$ it is "
        "\n\n"
        r"$$ F = g^{3/2} H^{1/2} a^2 $$"
        "\n\n"
        r"$$ \frac{\partial c}{\partial H} = "
    )
    report = check(f"{text}{slope} $$", timeout=None)
    assert not report.of(*WRONG) and not report.of("proved")
