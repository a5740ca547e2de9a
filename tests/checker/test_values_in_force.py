"""A value that a sentence gives counts for what is derived behind it."""

from __future__ import annotations

import pytest

from symattn.checker import check


def last(text: str) -> tuple[str, str]:
    row = check(text, timeout=None, corrections=False).rows[-1]
    return row.verdict, row.reason


@pytest.mark.parametrize(
    "words",
    [
        r"A fit gave $a = 2$ in the law $V(x) = a x^2$. The slope is $V'(x) = 4 x$.",
        r"The law is $V = a x^2$, and a fit gave $a = 2$. So $\frac{dV}{dx} = 4 x$.",
        r"Let $V = a x^2$. If $a = 2$ the slope is easy. Then $\frac{dV}{dx} = 4 x$.",
        r"Let $V = a x^2$. Suppose that $a = 2$. Then $\frac{dV}{dx} = 4 x$.",
    ],
)
def test_what_is_true_with_a_value_that_is_given_is_not_refuted(words: str) -> None:
    assert last(words) == ("conditional", "true with a = 2 (line 1)")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (r"Let $a = 2$ and $V = a x^2$. Then $\frac{dV}{dx} = 4 x$.", "a = 2 (line 1)"),
        (r"Let $V = a x^2$. We take $a = 2$. Then $\frac{dV}{dx} = 4 x$.", "a = 2 (line 1)"),
        (
            r"Let $L(w) = (y - w x)^2$ and take $x = 1$ and $y = 2$. Then $L'(w) = 2 (w - 2)$.",
            "x = 1 (line 1) and y = 2 (line 1)",
        ),
        (
            r"Let $y = m x + c$ with $m = 3$ and $c = 1$. Then $y = 3 x + 1$.",
            "m = 3 (line 1) and c = 1 (line 1)",
        ),
    ],
)
def test_what_follows_with_a_value_that_words_choose_is_proved(words: str, said: str) -> None:
    row = check(words, timeout=None, corrections=False).rows[-1]
    assert (row.verdict, row.assumed) == ("proved", (f"with {said}",))


@pytest.mark.parametrize(
    "words",
    [
        r"Let $y = m x + c$ with $m = 3$ and $c = 1$. Then $y = 3 x + 2$.",
        r"The demand is $y = c - m x$. We take $c = 9$ and $m = 2$. So it is $y = 9 + 2 x$.",
        r"Let $L(w) = (y - w x)^2$ and take $x = 1$ and $y = 2$. Then $L'(w) = 2 (w - 1)$.",
        r"Let $V = a x^2$. We take $a = 2$. Then $\frac{dV}{dx} = 6 x$.",
    ],
)
def test_what_speaks_against_a_value_that_words_choose_is_refuted(words: str) -> None:
    assert last(words)[0] == "refuted"


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (r"Let $y = m x + c$ with $m = 3$ and $c = 1$. The second line is $y = 2 x + 1$.",
         "definition"),
        (r"The way is $y = m x + c$ with $m = 3$ and $c = 1$. It becomes longer, so $y = 4 x + 1$.",
         "definition"),
        (r"The cost is $y = c + m x$. Let $c = 9$ and $m = 3$. Suppose that the variable cost "
         r"rises by one. Then $y = 9 + 4 x$.", "definition"),
        (r"The cost is $y = c + m x$ with $c = 9$ and $m = 3$. With a subsidy it becomes "
         r"$y = 9 + 2 x$.", "definition"),
        (r"Let $y = m x + c$ with $m = 3$. When $c = 0$, $y = 3 x$.", "definition"),
        (r"Let $V = a x^2$. Let $a = 2$ at sea. On land $\frac{dV}{dx} = 4 x$.", "conditional"),
        (r"Let $V = a x^2$. Let $a = 2$ first; later let $a = 3$. Then $\frac{dV}{dx} = 4 x$.",
         "unproved"),
        (r"Let $V = a x^2$. Let $a = 2$. We set $a = 3$. So $\frac{dV}{dx} = 6 x$.", "conditional"),
        (r"The cost is $C = a q^2 + b q$ (in the outlet with $b = 0$). The slope is "
         r"$\frac{dC}{dq} = 2 a q$.", "conditional"),
        (r"In expectation the stall sees $N = 4$ visitors a day, with a large spread. On a day "
         r"with $N$ visitors its takings are $R = 3 N$. Last Friday, of which we know nothing, "
         r"the stall took exactly $R = 12$.", "conditional"),
        (r"Let $V = a x^2$. Put $x = 3$. Then $\frac{dV}{dx} = 6 a$.", "unproved"),
    ],
)  # fmt: skip
def test_a_value_of_another_case_decides_nothing(words: str, verdict: str) -> None:
    assert last(words)[0] == verdict


def test_what_is_right_behind_a_wrong_line_is_right_with_the_value() -> None:
    text = (
        r"Let $y = m x + c$ with $m = 3$ and $c = 1$. Then $y = 2 x + 1$ and $\frac{dy}{dx} = 3$."
    )
    assert last(text)[0] == "conditional"


@pytest.mark.parametrize(
    "words",
    [
        r"Let $a = 2$ and $V = a x^2$. Then $\frac{dV}{dx} = 6 x$.",
        r"Let $a = 2$ and $V = b x^2$. Then $\frac{dV}{dx} = 4 x$.",
        r"Let $V = a x^2$. Then $\frac{dV}{dx} = 4 x$. Later we take $a = 2$.",
        "# One\n\nLet $a = 2$.\n\n# Two\n\nLet $V = a x^2$. Then $\\frac{dV}{dx} = 4 x$.",
    ],
)
def test_another_value_refutes(words: str) -> None:
    rows = check(words, timeout=None, corrections=False).rows
    found = {r.verdict for r in rows if r.latex.startswith(r"\frac{dV}")}
    assert found <= {"refuted", "unproved"} and found


@pytest.mark.parametrize(
    ("words", "right", "wrong"),
    [
        (
            r"At the time $t$ the height is $h(t) = v t - \frac{1}{2} g t^2$ with $v = 20$ and "
            "$g = 10$.\n\nInserting the numbers, ",
            "h(t) = 20 t - 5 t^2",
            "h(t) = 20 t - 10 t^2",
        ),
        (
            r"A ball flies with speed $v = 20$. Its height after the time $t$ is "
            r"$h(t) = v t - \frac{1}{2} g t^2$ with $g = 10$. The velocity is ",
            "h'(t) = 20 - 10 t",
            "h'(t) = 20 - 5 t",
        ),
        (
            r"Let $p_i = \frac{e^{z_i/\tau}}{\sum_j e^{z_j/\tau}}$. We set $\tau = 2$. Then ",
            r"\frac{\partial p_i}{\partial z_j} = \frac{1}{2} p_i (\delta_{ij} - p_j)",
            r"\frac{\partial p_i}{\partial z_j} = 2 p_i (\delta_{ij} - p_j)",
        ),
        (
            r"Atoms: $N(t) = N_0 e^{-\lambda t}$ where $N_0 = 1000$ and $\lambda = 0.1$. Then ",
            "N'(t) = -100 e^{-0.1 t}",
            "N'(t) = -1000 e^{-0.1 t}",
        ),
        (
            r"Let $k = 50$ be the stiffness of a spring and $m = 2$ the mass. The energy is "
            r"$E = \frac{1}{2} m v^2 + \frac{1}{2} k x^2$, thus ",
            "E = v^2 + 25 x^2",
            "E = 2 v^2 + 25 x^2",
        ),
        (
            "The demand is $Q = 120 - 3 P$ and the revenue $R = P Q$. For $P = 20$, ",
            "R = 1200",
            "R = 1400",
        ),
        (
            "The demand is $Q = 120 - 3 P$ and the revenue $R = P Q$. It is zero at $P = 20$, "
            "where ",
            "R = 1200",
            "R = 1400",
        ),
        (
            r"A lens has $\frac{1}{f} = \frac{1}{a} + \frac{1}{b}$. With $f = 10$ and $a = 15$ "
            "we find ",
            "b = 30",
            "b = 25",
        ),
        ("The demand is $q = 100 - 2 p$. For $q = 40$ we get ", "p = 30", "p = 20"),
        (
            "Always $m_1 v_1 = m_2 v_2$. With $m_1 = 2$, $v_1 = 6$ and $m_2 = 3$ we find ",
            "v_2 = 4",
            "v_2 = 9",
        ),
        (
            r"At the temperature $T$ let $p = \frac{n R T}{V}$ with $n = 2$ and $R = 8$. "
            "The slope is ",
            r"\frac{dp}{dT} = \frac{16}{V}",
            r"\frac{dp}{dT} = \frac{8}{V}",
        ),
    ],
)
def test_a_worked_example_is_decided(words: str, right: str, wrong: str) -> None:
    assert last(f"{words}${right}$.")[0] == "proved"
    assert last(f"{words}${wrong}$.")[0] == "refuted"


@pytest.mark.parametrize(
    "words",
    [
        r"Let $p = \frac{k}{n}$. With $n = 4$, $k = 2$, $p = 0.6$ nothing is claimed.",
        r"Let $p = \frac{k}{m}$. We have $k = 2$ and $m = 8$, and for $n = 3$, $p = 0.5$ we get "
        r"$n p = 1.5$.",
        r"Let $p = \frac{k}{m}$. For $n = 3$, $p = 0.5$ the variance is $n p (1 - p) = 0.75$.",
    ],
)
def test_values_of_a_list_are_no_claims(words: str) -> None:
    rows = check(words, timeout=None, corrections=False).rows
    assert not [r for r in rows if r.latex.startswith("p = 0")]


@pytest.mark.parametrize(
    "words",
    [
        r"The energy is $E = \frac{1}{2} m v^2$. For $E = 9$ and $m = 2$ we find $v = 3$.",
        "Let $F = m a$. A car has the mass $m = 10$, and $F = 30$ is the force. It has $a = 5$.",
        "Let $s = v t$ and $s = u^2 t$. With $s = 100$ and $v = 5$ we get $t = 30$.",
        "The law is $U = R j$. With $U = 12$ and $R = 4$ beside another one we get $j = 6$.",
        "Let $s = v t$. With $s = 100$ and $v = 5$, counting the break, we get $t = 30$.",
    ],
)
def test_a_law_with_two_roots_or_of_another_case_says_nothing(words: str) -> None:
    assert last(words)[0] not in ("proved", "refuted")


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (r"The cost is $C = \alpha q^2 + \beta q$ (some pay $\beta = 0$). For "
         r"the others, $\frac{dC}{dq} = 2 \alpha q$.", "conditional"),
        (r"Chemists write $\Delta U = Q + W$. This book counts work done as positive. "
         r"In an adiabatic expansion, where $Q = 0$, by our convention $\Delta U = W$.",
         "definition"),
    ],
)  # fmt: skip
def test_a_value_in_passing_proves_nothing(words: str, verdict: str) -> None:
    assert last(words)[0] == verdict


def test_a_value_of_a_later_sentence_decides_nothing_before_it() -> None:
    text = "Let $F = m a$. Balls with $m = 2$ feel $F = 6$. Then balls with $a = 5$ are considered."
    assert last(text)[0] != "refuted"


def test_what_is_defined_since_the_values_is_met() -> None:
    text = (
        r"The demand is $Q = a - b P$ with $a = 120$ and $b = 3$. The revenue is $R = P Q$. Hence "
        r"$R = 120 P - 3 P^2$ and $\frac{dR}{dP} = 120 - 6 P$."
    )
    rows = check(text, timeout=None, corrections=False).rows
    assert [r.verdict for r in rows[-2:]] == ["proved", "proved"]
