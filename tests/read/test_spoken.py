"""Equations in sentences: what stands in the main clause holds, and what an if says does not."""

from __future__ import annotations

import pytest

import symattn as sa


def rows(text: str) -> list[tuple[str, str]]:
    found = sa.check(text, corrections=False).rows
    return [(r.latex, r.verdict) for r in found]


def last(text: str) -> str:
    return rows(text)[-1][1]


@pytest.mark.parametrize(
    "text",
    [
        r"When the firms choose $q_1$ and $q_2$, the price is $p = a - q_1 - q_2$. The profit is "
        r"$\pi_1 = p q_1$, so that $\frac{\partial\pi_1}{\partial q_1} = a - 2q_1 - q_2$.",
        r"A firm sells at the price $p = a - b q$. The profit is $\pi = p q - c q$ and "
        r"$\frac{d\pi}{dq} = a - 2bq - c$.",
        r"In case the demand is $D = a - p$, the revenue is $R = p D$ and "
        r"$\frac{dR}{dp} = a - 2p$.",
        r"When a wave $u = A\sin(kx - \omega t)$ travels along a string, $u_{tt} = -\omega^2 u$ "
        r"and $u_{xx} = -k^2 u$.",
        r"If we set $s = x + y$ and $d = x - y$, then $xy = \frac{s^2 - d^2}{4}$.",
        r"If $f(x) = x^2 e^{-x}$, then $f'(x) = (2x - x^2) e^{-x}$.",
        r"If $z = x^2 y$, then $\frac{\partial z}{\partial x} = 2xy$.",
        r"With payments $a$ at the end of each month and a rate $r$ the debt obeys "
        r"$C_{n+1} = (1+r) C_n - a$. Its solution is $C_n = (1+r)^n C_0 - a\frac{(1+r)^n - 1}{r}$.",
        r"Let $u = x^2 + 3y^2$. Its level set is $u = c$, and on it "
        r"$\frac{dy}{dx} = -\frac{x}{3y}$.",
    ],
)
def test_what_a_sentence_says_is_heard(text):
    assert last(text) == "proved"
    for sign in ("= -", "= "):  # the last equation made wrong
        if sign in text:
            k = text.rindex(sign)
            wrong = (
                f"{text[:k]}= 7 {text[k + 2 :]}" if sign == "= " else f"{text[:k]}= {text[k + 3 :]}"
            )
            assert last(wrong) != "proved"
            break


def test_wrong_ones_are_found():
    text = r"If $f(x) = x^2 e^{-x}$, then $f'(x) = (2x + x^2) e^{-x}$."
    assert last(text) == "refuted"
    text = r"A firm sells at the price $p = a - b q$. Its profit is $\pi = p q - c q$, and so "
    assert last(text + r"$\frac{d\pi}{dq} = a - bq - c$.") == "refuted"


@pytest.mark.parametrize(
    "text",
    [
        r"If $a = b + c$, $d = b c$, the matrix is singular.",  # both are conditions
        r"The triangle is flat if $a = b + c$.",
        r"It is so only if $a = b c$, and then $b = 1$.",
        r"At the optimum $a - 2 b q = c$.",
        r"The map is no symmetry unless $a = b c$.",
        r"We ask whether $a = b c$.",
    ],
)
def test_a_condition_says_nothing_of_its_names(text):
    assert rows(text) == []


def test_a_name_of_a_condition_is_one_where_it_is_new():
    text = r"If $c = a b$, then $D = a b - c$ vanishes."
    assert rows(text)[0] == ("c = a b", "definition")
    before = r"Let $c > 0$. "
    assert "c = a b" not in dict(rows(before + text))
    behind = "\n\n## General\n\nHere $E = a + c$ and $\\frac{dE}{dc} = 1$."
    assert "c = a b" not in dict(rows(text + behind))
    assert last(text + behind) == "proved"


def test_a_level_is_no_value_for_what_follows():
    text = r"""Let $u = x^2 + 3y^2$. Its level set is $u = c$.

$$ \frac{\partial u}{\partial y} = 6 y $$
"""
    assert last(text) in ("proved", "conditional")
    assert last(text.replace("6 y", "3 y")) == "refuted"


def test_what_words_conclude_is_no_assumption():
    text = r"With $q = 1 - p$ the chance of two of three is $P = 3 p^2 q + p^3$. So "
    assert last(text + r"$P = 3 p^2 - 2 p^3$.") == "proved"
    assert last(text + r"$P = 3 p^2 - p^3$.") == "refuted"
    text = r"Let $J = b h^3 / 12$. For a high beam we have $\frac{\partial J}{\partial b} = EXPR$."
    assert last(text.replace("EXPR", r"\frac{J}{b}")) == "proved"
    assert last(text.replace("EXPR", r"\frac{J}{h}")) == "refuted"
    text = r"Since $\sum_i p_i = 1$, the sum of squares is $\sum_i (p_i - c)^2 = EXPR - 2 c + n c^2$."
    text = r"Let $p \in \mathbb{R}^n$. " + text
    assert last(text.replace("EXPR", r"\sum_i p_i^2")) == "proved"
    assert last(text.replace("EXPR", r"2 \sum_i p_i^2")) == "refuted"
