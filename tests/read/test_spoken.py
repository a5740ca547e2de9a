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
        r"If $w = \frac{x}{y + 1}$, then $\frac{\partial w}{\partial x} = \frac{1}{y + 1}$.",
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
    text = (
        r"Since $\sum_i p_i = 1$, the sum of squares is $\sum_i (p_i - c)^2 = EXPR - 2 c + n c^2$."
    )
    text = r"Let $p \in \mathbb{R}^n$. " + text
    assert last(text.replace("EXPR", r"\sum_i p_i^2")) == "proved"
    assert last(text.replace("EXPR", r"2 \sum_i p_i^2")) == "refuted"


def test_shapes_that_a_sentence_behind_says():
    text = r"""Let $Q\in\mathbb R^{n\times d}$, $K\in\mathbb R^{m\times d}$ and
$V\in\mathbb R^{m\times e}$. The scores are $S = Q K^\top$, the weights
$A = \operatorname{softmax}(S)$ row by row and the output is $O = AV$. Given
$G = \frac{\partial L}{\partial O}$,
$\frac{\partial L}{\partial S} = A\odot(G V^\top - D 1^\top)$ with
$D_i = \sum_j A_{ij} (G V^\top)_{ij}$."""
    assert (
        dict(rows(text))[r"\frac{\partial L}{\partial S} = A\odot(G V^\top - D 1^\top)"] == "proved"
    )
    wrong = rows(text.replace("- D 1", "+ D 1"))
    assert [v for _, v in wrong if v != "definition"] == ["refuted"]


def test_a_value_at_the_beginning_is_a_factor():
    text = r"A rod has the length $\ell = \ell_0(1 + a T)$, so $\frac{d\ell}{dT} = EXPR$."
    assert last(text.replace("EXPR", r"a \ell_0")) == "proved"
    assert last(text.replace("EXPR", r"a \ell")) == "refuted"
    function = r"Let $f_0(x) = x^2$. Then $f = f_0(1 + x)$ and $f = 1 + 2x + x^2$."
    assert last(function) == "proved"


@pytest.mark.parametrize(
    "claim",
    [
        r"Then $\frac{\partial p_{ij}}{\partial s_i} = EXPR$ for $i \neq j$.",
        r"Then $\frac{\partial p_{ij}}{\partial s_i} = EXPR$ ($i \neq j$).",
        r"If $i \neq j$, the derivative is $\frac{\partial p_{ij}}{\partial s_i} = EXPR$.",
        r"For $i \neq j$ we get $p_{ij} + p_{ji} = 1$ and "
        r"$\frac{\partial p_{ij}}{\partial s_i} = EXPR$.",
    ],
)
def test_letters_that_words_compare(claim):
    text = r"Items have strengths $s_i$, and $p_{ij} = \frac{e^{s_i}}{e^{s_i} + e^{s_j}}$. "
    assert last(text + claim.replace("EXPR", "p_{ij} p_{ji}")) == "proved"
    assert last(text + claim.replace("EXPR", "2 p_{ij} p_{ji}")) == "refuted"


def test_facts_of_one_sentence():
    text = r"""Let $X$ be an $n \times d$ matrix. The error of the projection $P = W W^T$ with
$W^T W = I$ is $\|X - X P\|_F^2 = \mathrm{tr}(X^T X) - \mathrm{tr}(W^T X^T X W)$ and
$P^2 = P$ and $P W = W$."""
    verdicts = [v for f, v in rows(text) if f not in ("P = W W^T", "W^T W = I")]
    assert verdicts == ["proved"] * 3
    assert last(text.replace("P W = W", "P W = 2 W")) == "refuted"


def test_what_is_said_behind_tells_what_stands_before():
    text = r"Let $B = A^\top A$. Then $\operatorname{tr} B = \sum_{ij} A_{ij}^2$."
    assert last(text) == "proved"
    assert last(text.replace("A_{ij}^2", "A_{ij}")) == "refuted"
    assert (
        last("If $A$ is orthogonal, then $A^\\top A = I$. For general $A$ l" + text[1:]) == "proved"
    )


def test_a_value_at_a_place_is_no_definition_for_all():
    text = r"""The temperature is $T = T_1 + (T_2 - T_1)\frac{x}{L}$. At $x = 0$, the temperature is
$T = T_1$. The flux is $q = -k\frac{dT}{dx} = EXPR$."""
    assert last(text.replace("EXPR", r"-k\frac{T_2 - T_1}{L}")) == "proved"
    assert last(text.replace("EXPR", r"k\frac{T_2 - T_1}{L}")) == "refuted"
    text = r"""At $t = 0$, we have $x = a$. The solution is $x = a \cos t + b \sin t$ and
$\dot x = EXPR$."""
    assert last(text.replace("EXPR", r"b \cos t - a \sin t")) == "proved"
    assert last(text.replace("EXPR", "0")) != "proved"


def test_a_derivative_that_is_set_to_zero_is_claimed():
    text = r"The cost is $C = a x^2 + \frac{b}{x}$. "
    text += r"Setting $\frac{dC}{dx} = EXPR$ to zero gives $x$."
    assert last(text.replace("EXPR", r"2 a x - \frac{b}{x^2}")) == "proved"
    assert last(text.replace("EXPR", r"2 a x + \frac{b}{x^2}")) == "refuted"
    assert len(rows(text.replace("EXPR$ to zero", "0$"))) == 1
