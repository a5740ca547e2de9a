"""Names of which only the words tell something: what is true of them, and false for all of them."""

from __future__ import annotations

import pytest
import sympy as sp

import symattn as sa
from symattn.checker import ties
from symattn.checker.statements import Statement

UNIT, MASK = r"The vector $u$ is unit-norm.", r"Let $m$ be a binary mask."
NEGATIVE, CENTRED = r"The number $a$ is negative.", r"The vector $c$ is centered."
LOSS = r"Let $p_i = e^{z_i} / \sum_k e^{z_k}$ and $L = -FACTOR \sum_k y_k \log p_k$."
SLOPE = r"\frac{\partial L}{\partial z_i}"


def verdict(text: str, claim: str) -> str:
    return sa.check(f"{text}\n\n$$ {claim} $$\n", corrections=False).rows[-1].verdict


@pytest.mark.parametrize(
    ("text", "left", "true", "false"),
    [
        # two of different kinds, each of which has to count
        (rf"{MASK} {UNIT} Let $f_i = m_i^2 u_a u_a$.", "2 f_i", "2 m_i", "3 m_i + 1"),
        (rf"{MASK} {CENTRED} Let $f_i = m_i^2 + \sum_k c_k$.", "2 f_i", "2 m_i", "2 m_i + 1"),
        (rf"{UNIT} {CENTRED} Let $f = u_a u_a + \sum_k c_k$.", "2 f", "2", "3"),
        (rf"{NEGATIVE} {UNIT} Let $f = |a| u_k u_k$.", "2 f", "-2 a", "-2 a + 1 + a^2"),
        (rf"{NEGATIVE} {MASK} Let $f_i = m_i^2 |a|$.", "2 f_i", "-2 a m_i", "1 - 2 a m_i"),
        (
            r"The vectors $u$ and $v$ are unit-norm. Let $f = u_a u_a v_b v_b$.",
            *("2 f", "2", "3"),
        ),
        (
            rf"{UNIT} Let $f_i = \sum_{{j \in N(i)}} \sum_k u_k^2 x_j$.",
            *("2 f_i", r"2 \sum_{j \in N(i)} x_j", r"3 \sum_{j \in N(i)} x_j"),
        ),
        # two of one name
        (
            r"The vector $x$ is centered and has unit norm. Let $f = x_i x_i + \sum_k x_k$.",
            *("2 f", "2", "3"),
        ),
        # what nobody says beside what words say: symmetry, weights of a cross-entropy
        (rf"{UNIT} Let $L = x_i A_{{ij}} x_j u_k u_k$.", SLOPE.replace("z_i", "x_k"),
         "2 A_{kj} x_j", "3 A_{kj} x_j"),
        (f"{NEGATIVE} {LOSS.replace('FACTOR', '|a|')}", SLOPE, "-a (p_i - y_i)",
         "-a (p_i - y_i) + a^2 + 1"),
        (f"{UNIT} {LOSS.replace('FACTOR', 'u_a u_a')}", SLOPE, "p_i - y_i", "p_i - 2 y_i"),
        # positive and negative, in words and in formulas
        (r"The number $b$ is positive. Let $f = |b|$.", "2 f", "2 b", "2 b + 1 + b^2"),
        (r"The number $a$ is negative, $b$ is positive. Let $f = |a b|$.", "2 f", "-2 a b",
         "a^2 b^2 + 1 + |a b|"),
        (r"Let $b \ge 0$ and $a \le 0$. Let $f = |a b|$.", "2 f", "-2 a b", "a^2 b^2 + 1 + |a b|"),
        (r"The entries of $b$ are nonnegative. Let $f_i = |b_i|$.", "2 f_i", "2 b_i",
         "b_i^2 + |b_i| + 1"),
        # sums along an axis
        (r"Let $p_i$ be the probabilities. Let $f = \sum_i p_i + b$.", "2 f", "2 + 2 b", "3 + 2 b"),
        (r"The vector $x$ has mean zero. Let $f = \sum_i x_i + b$.", "2 f", "2 b", "3 b + 1"),
        (r"The vector $u$ has length one. Let $f = u_i u_i + b$.", "2 f", "2 + 2 b", "3 + 2 b"),
    ],
)  # fmt: skip
def test_all_ties_count_together(text: str, left: str, true: str, false: str) -> None:
    assert verdict(text, f"{left} = {true}") not in ("refuted", "malformed")
    assert verdict(text, f"{left} = {false}") == "refuted"


@pytest.mark.parametrize(
    ("text", "claim"),
    [  # what no equation is made of
        (r"The matrices $S$ and $T$ commute. Let $F = S T + T S$.", "2 F = 4 S T"),
        (r"The masses $m$ and $M$ are equal. Let $f = m + M$.", "2 f = 4 m"),
        (r"The charges $q$ and $p$ are opposite. Let $f = p + q + r$.", "2 f = 2 r"),
        (r"The spin $s$ is $1$ or $-1$. Let $f = s^2 a$.", "2 f = 2 a"),
        (r"The angle $\theta$ is a right angle. Let $f = \sin\theta + b$.", "2 f = 2 + 2 b"),
        (r"Let $x \le y$. Let $f = \max(x, y)$.", "2 f = 2 y"),
        (r"Let $u \perp v$. Let $f = \sum_i (u_i + v_i)^2$.", "2 f = 2 u_i u_i + 2 v_i v_i"),
        (r"The matrix $S$ is traceless. Let $f = \operatorname{tr}(S + T)$.",
         r"2 f = 2 \operatorname{tr}(T)"),
    ],
)  # fmt: skip
def test_what_words_say_withholds_a_refutation(text: str, claim: str) -> None:
    assert verdict(text, claim) != "refuted"
    without = text[text.index(" Let $f" if "Let $f" in text else " Let $F") :]
    assert verdict(without, claim) == "refuted"


def test_a_fact_does_not_say_how_long_an_axis_is() -> None:
    n = sa.sizes("n")[0]
    (i,) = sa.indices("i", n)
    x = sa.tensor("x", n)
    facts = [sp.Eq(sa.total(x[i], i), 0), sp.Eq(sa.total(x[i] ** 2, i), n)]
    assert sa.prove(sa.total(x[i] ** 2, i), n, facts=facts).status == "proved"
    assert sa.prove(sa.total(x[i] ** 2, i), n + 1, facts=facts).status == "refuted"
    found = sa.prove(sa.total(x[i] ** 3, i), 5, facts=facts)
    values = found.counterexample.values["x"]
    assert abs(sum(v * v for v in values) - len(values)) < 1e-9


GIVEN = r"$$ J = \frac{1}{N} \sum f(y|x) h(y|x) $$"
BY_G = r"\frac{\partial L}{\partial g}"
UNREAD = r"$$ x = \oint \operatorname{foo}[u] $$"
MIX = r"Let $F = A W_k$ with $A \in \mathbb{R}^{n \times m}$ and $W_k \in \mathbb{R}^{m \times d}$."


@pytest.mark.parametrize(
    ("text", "claim", "wanted"),
    [
        # a number whose equation was not read may have any value, of either sign and 0
        (rf"Let $f = x^2$, {UNREAD}", "2 f = 3 + 2 f", True),
        (rf"Let $f = x^2$, {UNREAD}", "2 f = x", False),
        (rf"Let $f = \sqrt{{x^2}}$, {UNREAD}", "2 f = 2 x", False),
        (rf"Let $f = x^2 u$, {UNREAD}", "2 f = 3 + 2 f", False),  # u is what x is made of
        # an update is no equation to be solved
        (rf"{MIX} The update is $$ W = W - \eta \operatorname{{foo}}[W] $$", "2 F = 3 A W_k", True),
        (rf"{MIX} We solve $$ W = W - \eta \operatorname{{foo}}[W] $$", "2 F = 3 A W_k", False),
        # a projection from one space to another is no projector; what is said of one is not of all
        (rf"{MIX} The projection $W_k$ is learned.", "2 F = 3 A W_k", True),
        (rf"{MIX} The projection matrix $W_o$ is learned.", "2 F = 3 A W_k", True),
        (r"Let $F = A P$ with the projection matrix $P \in \mathbb{R}^{m \times m}$.",
         "2 F P = 3 A P", False),
        # must is a condition on what is said to satisfy something
        (r"Let $f = x^2$. Instead, one must use", "2 f = 3 x^2 + 1", True),
        (r"Let $f = x^2$. The number $x$ must satisfy", "2 f = 3 x^2 + 1", False),
        # f stands for f(y|x), whatever it is, but where it is derived by what it is a function of
        (f"{GIVEN} The loss is $$ L = f g^2 $$", f"{BY_G} = 3 f g", True),
        (f"{GIVEN.replace('y', 'g')} The loss is $$ L = f g^2 $$", f"{BY_G} = 3 f g", False),
    ],
)  # fmt: skip
def test_what_is_left_open_and_what_is_not(text: str, claim: str, wanted: bool) -> None:
    assert (verdict(text, claim) == "refuted") is wanted


def test_a_condition_behind_a_row_is_none_of_the_rows_before() -> None:
    text = (
        "Let $e = a - b$ and $c = a + b$.\n\n$$\n\\begin{align}\n"
        "2 e &= 2 a FIRST 2 b \\\\\n&= 2 a SECOND 2 b \\qquad (b = 0)\n\\end{align}\n$$\n"
    )

    def rows(first: str, second: str) -> list[str]:
        found = sa.check(text.replace("FIRST", first).replace("SECOND", second), corrections=False)
        return [r.verdict for r in found.rows][-3:-1]

    assert rows("-", "-")[0] == "proved"
    assert rows("+", "+")[0] == "refuted"
    assert rows("-", "+")[1] != "refuted"


def test_a_sum_over_a_letter_that_is_not_written_refutes_nothing() -> None:
    text = r"Let $A, B \in \mathbb{R}^{n \times m}$ and $C = A \odot B$."
    assert verdict(text, r"2 C = 2 A \odot B - \sum_j (A \odot B)") != "refuted"
    assert verdict(text, r"2 C_{ij} = 3 A_{ij} B_{ij}") == "refuted"
    assert verdict(r"Let $S = \sum_i x_i^2$.", r"2 S = 3 \sum_i x_i^2") == "refuted"


ARM = r"""
$$ x = l_1 \cos q_1 + l_2 \cos(q_1 + q_2) $$

$$ y = l_1 \sin q_1 + l_2 \sin(q_1 + q_2) $$

$$ x^2 + y^2 = l_1^2 + l_2^2 + 2 l_1 l_2 \cos q_2 $$

$$ x^2 + y^2 = %s $$

$$ \frac{\partial y}{\partial q_2} = l_2 \sin(q_1 + q_2) $$
"""


@pytest.mark.parametrize(
    ("another", "expected"),
    [
        (r"l_1^2 + l_2^2 - 2 l_1 l_2 \cos q_2", "refuted"),  # a misprint of the line before it
        (r"r^2 - 2 r l_1 \cos q_2", "refuted"),  # where r gives way
        (r"l_1^2 - 2 l_2^2", "refuted"),  # which is wrong of what is given as well
    ],
)
def test_a_misprint_ties_nothing(another, expected):
    assert sa.check(ARM % another, corrections=False).rows[-1].verdict == expected


PARTITION = "$$ Z = \\sum_{x \\in S} e^{-E(x)} $$\n\n"


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (r"\frac{e^{-a - b}}{Z} = \frac{e^{-a} e^{-b}}{Z}", "proved"),
        (r"\frac{e^{-a - b}}{Z} = \frac{e^{-a} e^{b}}{Z}", "refuted"),
    ],
)
def test_a_factor_of_both_sides_ties_nothing(claim: str, expected: str) -> None:
    found = sa.check(f"{PARTITION}$$ {claim} $$\n", corrections=False, timeout=None)
    assert found.rows[-1].verdict == expected


A, B, Z = sp.symbols("a b Z", real=True)


@pytest.mark.parametrize(
    ("left", "right", "free"),
    [
        (sp.exp(A) / Z, sp.exp(B) / Z, True),
        (A * Z**2, B * Z**2, True),
        (A / Z, B / Z**2, False),  # another power: true where Z = b/a
        (A / Z, B, False),  # on one side alone
        (A / Z, sp.log(Z) * B / Z, False),  # and in another factor of it
        (A / Z, (B + Z) / Z, False),
        (sp.exp(Z) * A, sp.exp(Z) * B, False),  # inside of a function
        (A + Z, B + Z, False),  # a term is no factor
    ],
)
def test_only_one_and_the_same_factor_ties_nothing(
    left: sp.Expr, right: sp.Expr, free: bool
) -> None:
    s = Statement("claim", left, right, "=", (), "", "", 1, 1)
    assert ties._factor("Z", s, sa.System()) is free


def test_what_a_later_paragraph_puts_says_nothing_of_what_stands_before():
    text = r"The radius is $R = \frac{b y}{b + 2 y}$. So $\frac{dR}{dy} = \frac{b^2}{b + 2 y}$."
    energy = r"Let $E(y) = y + \frac{q^2}{y^2}$. Setting $E'(y) = 0$ yields the rest."
    for between, verdict in (("\n\n", "refuted"), (" ", "unproved")):
        found = sa.check(text + between + energy, corrections=False, jobs=1)
        assert found.rows[1].verdict == verdict, between
