"""Words that say which variant of a quantity is meant, what is held, and which values names have.

Each beside its near misses; all found by pages that were written by hand, and by the hunter.
"""

from __future__ import annotations

import pytest

import symattn as sa


def last(*paragraphs: str) -> sa.Row:
    return sa.check("\n\n".join(paragraphs), jobs=1).rows[-1]


def shown(latex: str) -> str:
    return f"$$ {latex} $$"


RATE = r"Write $\rho = \lambda/\mu$.", shown(r"W = \frac{1}{\mu - \lambda}")
SLOPE = r"\frac{\partial W}{\partial\lambda} = "
OTHER_INPUT, ALONG = r"\frac{1}{(\mu-\lambda)^2}", r"-\frac{\rho}{\lambda^2 (1-\rho)}"


@pytest.mark.parametrize(
    ("words", "right", "verdict"),
    [
        (r"Holding $\mu$ fixed,", OTHER_INPUT, "proved"),
        (r"Holding $\mu$ fixed,", ALONG, "refuted"),
        (r"Holding $\rho$ fixed instead,", ALONG, "proved"),
        (r"At fixed $\rho$ we have", OTHER_INPUT, "refuted"),
        (r"With $\rho$ held constant,", ALONG[1:], "refuted"),
        ("Then", OTHER_INPUT, "proved"),
    ],
)
def test_what_words_hold_is_held(words: str, right: str, verdict: str) -> None:
    assert last(*RATE, words, shown(SLOPE + right)).verdict == verdict


def test_words_behind_another_formula_hold_nothing_here() -> None:
    before = shown(SLOPE + ALONG)
    text = (*RATE, r"Holding $\rho$ fixed,", before, "In general", shown(SLOPE + OTHER_INPUT))
    assert last(*text).verdict == "proved"


PAY = shown("u = a p q + b p (1-q)")


@pytest.mark.parametrize(
    ("words", "right", "verdicts"),
    [
        ("For the second game $a = b = 2$:", "2 p", ("proved", "conditional")),
        ("For the second game $a = b = 2$:", "p", ("refuted", "unproved", "definition")),
        ("For the second game $b = 2$:", "p", ("conditional", "unproved", "definition")),
        ("In general", "a p q + b p - b p q", ("proved",)),
    ],
)
def test_values_in_words_take_the_place_of_others(
    words: str, right: str, verdicts: tuple[str, ...]
) -> None:
    text = PAY, "For the first game $a = b = 1$:", shown("u = p"), words
    assert last(*text, shown(f"u = {right}")).verdict in verdicts


def test_a_value_of_one_case_refutes_nothing_in_another() -> None:
    young = shown(r"G = \frac{E}{2 (1 + \nu)}")
    solid = r"For an incompressible solid $\nu = 1/2$, and"
    cork = young, solid, shown("E = 3 G"), r"For cork, $\nu = 0$:"
    assert last(*cork, shown("E = 2 G")).verdict not in ("refuted", "malformed")
    assert last(*cork, shown("E = 3 G")).verdict != "proved"
    assert last(young, "Then", shown("E = 2 (1 - \\nu) G")).verdict == "refuted"


def test_a_chain_with_a_sign_gives_values() -> None:
    rows = sa.check(f"{PAY}\n\nTake $a = -b = 1$. Then\n\n$$ u = p (2 q - 1) $$", jobs=1).rows
    assert [r.verdict for r in rows][1:3] == ["definition", "definition"]
    assert rows[-1].verdict in ("proved", "conditional")


HILL = shown(r"v = \frac{a S}{b + S}")
HILL_SLOPE = shown(r"\frac{\partial v}{\partial S} = \frac{a b}{(b + S)^2}")


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("If $v = a S^2$, then", "conditional"),
        ("Suppose that $v = a S^2$. Then", "conditional"),
        ("If $a = b$, we are done. In general", "proved"),
        ("Then", "proved"),
    ],
)
def test_a_formula_put_in_place_of_another_proves_nothing_by_that(words: str, verdict: str) -> None:
    assert last(HILL, words, HILL_SLOPE).verdict == verdict


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("The zero-point energy is left out. Including it,", "definition"),
        ("At oblique incidence, with losses,", "definition"),
        ("Two equal stages give", "definition"),
        ("This can be written as", "refuted"),
    ],
)
def test_words_that_name_another_thing(words: str, verdict: str) -> None:
    thing = "The value is", shown(r"y = \frac{a x}{1 + x}")
    assert last(*thing, words, shown(r"y = \frac{2 a x}{1 + x}")).verdict == verdict


def test_a_cost_with_another_input_is_no_slip() -> None:
    text = r"The cost is lowest at $Q^* = \sqrt{2 K D/h}$.", "With backorders at cost $b$ it is at"
    row = last(*text, shown(r"Q^* = \sqrt{\frac{2 K D}{h} \frac{h + b}{b}}"))
    assert row.verdict == "definition" and not row.correction


SPHERE = "Let $A$ and $B$ be $n \\times n$ matrices."
TRACE = shown(r"\mathrm{tr}(A B A^\top) = \mathrm{tr}(B)")


def test_what_is_supposed_further_on_proves_nothing_before() -> None:
    rows = sa.check("\n\n".join((SPHERE, TRACE, "Suppose that $A$ is orthogonal.", TRACE))).rows
    assert [r.verdict for r in rows] == ["conditional", "proved"]
    assert last(SPHERE, f"Then\n{TRACE}\nwhere $A$ is orthogonal.").verdict == "proved"


def test_both_gram_matrices_have_inverses_for_a_square_matrix_alone() -> None:
    left = r"Let $A \in \mathbb R^{m \times n}$ and $A^+ = (A^\top A)^{-1} A^\top$."
    other = r"For full row rank one uses $A^+ = A^\top (A A^\top)^{-1}$ instead. Then"
    assert last(left, shown("A^+ A = I")).verdict == "proved"
    assert last(left, other, shown("A A^+ = I")).verdict == "proved"
    assert last(left, other, shown("A^+ A = I")).verdict == "conditional"
    ridge = r"(A^\top A + c I)^{-1} A^\top = A^\top (A A^\top + c I)^{-1}"
    assert (
        last(r"Let $A \in \mathbb R^{m \times n}$ and $c > 0$.", shown(ridge)).verdict == "proved"
    )


RATES = (
    shown(r"\dot S = -\beta S I, \qquad \dot I = \beta S I - \gamma I"),
    shown(r"V = I + S - \frac{\gamma}{\beta}\ln S"),
)


@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_a_rate_of_other_rates_is_not_that_before(between: str) -> None:
    still = shown(r"\dot V = 0")
    wane = "With waning immunity", shown(r"\dot S = -\beta S I + \omega R"), "but"
    rows = sa.check(between.join((*RATES, "is conserved,", still, *wane, still)), jobs=1).rows
    assert [r.verdict for r in rows[3:5]] == ["conditional", "definition"]
    assert rows[-1].verdict != "proved"


def test_no_correction_by_a_variant_that_stands_below() -> None:
    text = ("Let", shown("G = 2 a x ."), "so that", shown(r"\frac{\partial G}{\partial x} = 3 a ."))
    more = "Without the correction it is", shown("G = a x + b .")
    rows = sa.check("\n\n".join((*text, *more)), jobs=1).rows
    assert rows[1].verdict == "refuted" and rows[1].correction.strip() in ("", "2 a")


def test_two_names_are_said_anew_together() -> None:
    one = "At normal incidence", shown(r"r = \frac{a - b}{a + b}"), shown(r"t = \frac{2 a}{a + b}")
    two = ("For p polarisation", shown(r"r = \frac{b c - a d}{b c + a d}"),
           shown(r"t = \frac{2 a c}{b c + a d}"))  # fmt: skip
    rows = sa.check("\n\n".join((*one, *two, "and", shown("b t = a (1 + r)"))), jobs=1).rows
    assert all(r.verdict not in ("refuted", "malformed") for r in rows)
    assert last(*one, "and", shown("b t = a (1 + r)")).verdict == "refuted"
