"""An equation is under the condition of its clause: for i = j, if a < b, and no other one."""

from __future__ import annotations

import pytest

import symattn as sa

SOFT = r"Let $p = \mathrm{softmax}(s)$. "
SLOPE = r"\frac{\partial p_i}{\partial s_j}"
DIAGONAL = r"Let $A_{ij} = \delta_{ij} x_i$. "
MASKED = r"Let $A_{ij} = \begin{cases} x_j & j \le i \\ 0 & j > i \end{cases}$. "


def verdicts(text):
    return [(r.latex, r.verdict) for r in sa.check(text, corrections=False, timeout=None).rows]


def said(text):
    return [v for _, v in verdicts(text) if v != "definition"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (rf"For $i \ne j$ we have ${SLOPE} = -p_i p_j$, and for $i = j$ we have "
         rf"${SLOPE} = p_i (1 - p_i)$.", ["proved", "proved"]),
        (rf"For $i \ne j$ we have ${SLOPE} = p_i (1 - p_i)$, and for $i = j$ we have "
         rf"${SLOPE} = -p_i p_j$.", ["refuted", "refuted"]),
        (rf"Then ${SLOPE} = -p_i p_j$ if $i \ne j$, while ${SLOPE} = p_i - p_i^2$ if $i = j$.",
         ["proved", "proved"]),
        (rf"Then ${SLOPE} = p_i - p_i^2$ if $i \ne j$, while ${SLOPE} = -p_i p_j$ if $i = j$.",
         ["refuted", "refuted"]),
        (rf"If $i < j$, then ${SLOPE} = -p_i p_j$; if $i = j$, then ${SLOPE} = -p_i p_j$.",
         ["proved", "refuted"]),
        (rf"Now consider $i = j$. We find ${SLOPE} = p_j (1 - p_i)$.", ["proved"]),
        (rf"Now consider $i \ne j$. We find ${SLOPE} = p_j (1 - p_i)$.", ["refuted"]),
        (rf"For $i \ne j$ we have ${SLOPE} = -p_i p_j$. In general ${SLOPE} = -p_i p_j$.",
         ["proved", "refuted"]),
        # what is said without "in general" may go on in the case, and of two cases at once
        (rf"For $i \ne j$ we have ${SLOPE} = -p_i p_j$. Also ${SLOPE} = -p_j p_i$.",
         ["proved", "unproved"]),
        (rf"We have ${SLOPE} = -p_i p_j$ only if $i \ne j$.", ["unproved"]),
        (rf"For $i = j$ we have ${SLOPE} = p_i - p_i^2$, otherwise ${SLOPE} = -p_i p_j$.",
         ["proved", "unproved"]),
        (rf"If $i < j$, then ${SLOPE} = -p_i p_j$ but if $i = j$, then ${SLOPE} = -p_i p_j$.",
         ["proved", "refuted"]),
        (rf"For $i \ne j$ we have ${SLOPE} = -p_i p_j$ and on the diagonal ${SLOPE} = -p_i p_j$.",
         ["proved", "unproved"]),
    ],
)  # fmt: skip
def test_slopes(text, expected):
    assert said(SOFT + text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"For $i \ne j$ we have $\delta_{ij} = 0$.", ["proved"]),
        (r"For $i = j$ we have $\delta_{ij} = 0$.", ["refuted"]),
        (r"We have $\delta_{ij} = 0$ if $i \neq j$ and $\delta_{ij} = 1$ if $i = j$.",
         ["proved", "proved"]),
        (r"We have $\delta_{ij} = 1$ if $i \neq j$ and $\delta_{ij} = 0$ if $i = j$.",
         ["refuted", "refuted"]),
        (DIAGONAL + r"For $i \ne j$ we have $A_{ij} = 0$.", ["proved"]),
        (DIAGONAL + r"For $i = j$ we have $A_{ij} = 0$.", ["skipped"]),  # where x is 0
        (DIAGONAL + r"For $i \ne j$ we have $A_{ij} = 1$.", ["refuted"]),
        (r"Let $M_{ij} = [j \le i]$. For $j > i$ we have $M_{ij} = 0$.", ["proved"]),
        (r"Let $M_{ij} = [j \le i]$. For $j \le i$ we have $M_{ij} = 0$.", ["refuted"]),
        (MASKED + r"We have $A_{ij} = 0$ for $i < j$ and $A_{ij} = x_j$ for $i > j$.",
         ["proved", "proved"]),
        (MASKED + r"We have $A_{ij} = x_j$ for $i < j$ and $A_{ij} = x_i$ for $i > j$.",
         ["refuted", "refuted"]),
        # two conditions are one that is not in the formula
        (r"Let $A_{ijk} = x_i + \delta_{ij} y_k + \delta_{ik} y_j$. "
         r"For $i \ne j$ and $i \ne k$ we have $A_{ijk} = x_i$.", ["unproved"]),
        # a mask that nothing defines is given so, and no number is claimed
        (r"The mask is $M_{ij} = 0$ for $j \le i$. Let $$ S_{ij} = q_i k_j + M_{ij}. $$", []),
    ],
)  # fmt: skip
def test_components(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"For $a \ge b$ we have $|a - b| = a - b$.", ["proved"]),
        (r"For $a \ge b$ we have $|a - b| = b - a$.", ["refuted"]),
        (r"For $a < b$ we have $|a - b| = b - a$, and for $a > b$ we have $|a - b| = a - b$.",
         ["proved", "proved"]),
        (r"For $a < b$ we have $|a - b| = a - b$, and for $a > b$ we have $|a - b| = b - a$.",
         ["refuted", "refuted"]),
        (r"Then $\sqrt{(a - b)^2} = a - b$ if $a \ge b$ and $\sqrt{(a - b)^2} = b - a$ if $a < b$.",
         ["proved", "proved"]),
        (r"Then $\sqrt{(a - b)^2} = b - a$ if $a \ge b$, while $\sqrt{(a - b)^2} = a - b$ if "
         r"$a < b$.", ["refuted", "refuted"]),
        (r"Let $a < b < c$. Then $\max(a, c) = c$. Then $|a - c| = |a - b| + |b - c|$.",
         ["proved", "proved"]),
        (r"Let $b < a < c$. Then $\max(a, b) + \max(b, c) = a + c$.", ["proved"]),
        (r"Let $b < a < c$. Then $|a - b| + |c - a| = 2 a - b - c$.", ["refuted"]),
        (r"If $0 < a < b$, then $\max(a, b) = b$.", ["proved"]),
        (r"If $b < a < 0$, then $\min(a, b) + c = b + c$.", ["proved"]),
        # one's own order counts, and no other sentence's
        (r"For $a < b$ we have $\max(a, b) = b$. For $a > b$ we have $\max(a, b) = a$.",
         ["proved", "proved"]),
        (r"For $a < b$ we have $\max(a, b) = b$. In general $|a - b| = b - a$.",
         ["proved", "refuted"]),
        (r"For $a < c$ we have $|a - b| = b - a$.", ["refuted"]),  # whatever b is
        (r"For $a < b$, $|a - b| = b - a$, and for $a > b$, $|a - b| = a - b$.",
         ["proved", "proved"]),
        (r"When $a < b$, $|a - b| = b - a$, and when $a > b$, $|a - b| = b - a$.",
         ["proved", "refuted"]),
        (r"When $a \ge b$, $\frac{|a - b|}{a - b} = 1$; when $0 < a < b$, $|a - b| = b - a$.",
         ["proved", "proved"]),
        # a sentence that is whole says nothing of the next one, and what is dropped ends
        (r"If $a > b$ then swap them. Then $|a - b| = b - a$.", ["unproved"]),
        (r"Assume $a < b$. Then $|a - b| = b - a$. Now drop this assumption. "
         r"Then $|a - b| = b - a$.",
         ["proved", "refuted"]),
        # what a name is made of lies where the text says
        (r"Let $b = 2 c$. For $a > b$ we have $|a - 2 c| = a - 2 c$ and $|a - b| = b - a$.",
         ["unproved", "refuted"]),
        (r"We do not have $\max(a, b) = b$ for $a > b$.", []),
        (r"Unless $a \ge b$, $\max(a, b) = b$.", ["skipped"]),
        # letters that are compared are no imaginary units
        (r"For $i \ge j$ we have $|i - j| = i - j$.", ["proved"]),
        (r"For $i \ge j$ we have $|i - j| = j - i$.", ["refuted"]),
    ],
)  # fmt: skip
def test_orders(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (r"For $r = 1$, $\sum_{k=0}^{n-1} r^k = n + 2$.", "skipped"),  # a claim, not given
        (r"For all real $a$, $(a + 1)^2 = a^2 + 2 a$.", "refuted"),
        (r"With fixed $a$, $b = 2 a$, we have $b + a = 4 a$.", "refuted"),  # b = 2 a is given
    ],
)
def test_a_main_clause_is_claimed(words, verdict):
    assert said(words)[-1] == verdict


def test_a_claim_behind_a_wrong_equation_for_its_name():
    """A wrong second equation for A is not held against what the first one makes true."""
    rows = sa.check(
        r"Let $A_{ij} = (1 - \delta_{ij}) x_i y_j$." + "\n\n" + r"In general $A_{ij} = 3 x_j^2$."
        "\n\n" + r"Now consider $i = j$. We find $A_{ij} = x_i - x_j$.",
        corrections=False,
        timeout=None,
    ).rows
    assert [r.verdict for r in rows] == ["definition", "malformed", "conditional"]
    assert rows[-1].reason == (
        r"true with A_{ij} = (1 - \delta_{ij}) x_i y_j (line 1), which line 3 speaks against"
    )


def test_nothing_is_proved_with_an_equation_that_is_open():
    text = (
        r"Let $A_{ij} = \delta_{ij} x_i$." + "\n\n" + r"In general $A_{ij} = 1 + x_i y_i$."
        "\n\n" + r"For all $i \neq j$, $A_{ij} = 1 + x_i y_i$."
    )
    rows = sa.check(text, corrections=False, timeout=None).rows
    assert [r.verdict for r in rows] == ["definition", "unproved", "conditional"]
    assert rows[-1].reason == "true where line 3, which is unproved, holds"


@pytest.mark.parametrize("words", ["if", "provided that", "as long as", "if and only if"])
def test_a_condition_of_several_words_in_a_display(words):
    text = r"Let $$ U = \sum_i z_i (h + y_i). $$ Then $$ U = h + \sum_i z_i y_i \quad "
    text += rf"\text{{{words} "
    rows = sa.check(text + r"$\sum_i z_i = 1$} $$", corrections=False, timeout=None).rows
    assert rows[1].verdict == "unproved"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"We have $\lceil \frac{n}{2} \rceil = \frac{2}{n}$. Then "
         r"$\lceil \frac{n}{2} \rceil = \frac{2}{n}$.", ["refuted", "refuted"]),
        (r"We have $\sqrt{x^2} = x$. Now take $0 < x < 1$. Then $\sqrt{x^2} = x$.",
         ["conditional", "proved"]),
    ],
)  # fmt: skip
def test_what_no_text_defines_and_what_is_let_later(text, expected):
    assert said(text) == expected
