"""A second equation for a name, and the words that say whether it is the same in another form."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.checker import wording

COVARIANCE = r"""The state covariance $P\in\mathbb{R}^{n\times n}$ and the noise
$R\in\mathbb{R}^{m\times m}$ are symmetric and positive definite, $H\in\mathbb{R}^{m\times n}$,
$S = H P H^\top + R$ and $K = P H^\top S^{-1}$.

$$ C = (I - K H) P $$

WORDS

$$ C = RIGHT $$
"""
ENERGY = r"""The energy is $E = \frac12 m v^2 + \frac12 k x^2$.

WORDS

$$ E = \frac{k x^2}{2} . $$
"""


def last(text: str, words: str, right: str = "") -> str:
    filled = text.replace("WORDS", words).replace("RIGHT", right)
    return sa.check(filled, corrections=False).rows[-1].verdict


@pytest.mark.parametrize("words", ["Multiplying out,", "In full,", "It can be written as"])
def test_another_form_with_a_term_less_is_refuted(words: str) -> None:
    assert last(COVARIANCE, words, r"P - P H^\top S^{-1} H P") == "proved"
    assert last(COVARIANCE, words, "P") == "refuted"
    assert last(ENERGY, words) == "refuted"


@pytest.mark.parametrize(
    "words",
    [
        "For a mass at rest we write it as",
        "In the rest frame it becomes",
        "Without motion it can be written as",
        "Expanding around the minimum,",
        "Inserting this,",
        "The energy of the spring alone is",
    ],
)
def test_what_may_be_another_thing_is_not(words: str) -> None:
    assert last(ENERGY, words) == "definition"


def test_a_series_that_is_cut_off_is_no_slip() -> None:
    text = "$$ V = m g l (1 - \\cos\\theta) $$\n\nExpanding the cosine,\n\n$$ V = RIGHT $$\n"
    assert last(text, "", r"\frac12 m g l \theta^2") == "definition"
    assert last(text, "", r"m g l + m g l \cos\theta") == "refuted"


def test_what_is_said_right_behind_a_formula_is_that_formula() -> None:
    text = "With $T = m u^2$ and $V = k x$ it is $L = T - V$:\n\n$$ L = RIGHT $$\n"
    assert last(text, "", "m u^2 - k x") == "proved"
    assert last(text, "", "m u^2") == "refuted"


def test_a_heading_may_say_it() -> None:
    text = r"""# Variance

$$ \mu = \frac1N \sum_{i=1}^N x_i $$

$$ v = \frac1N \sum_{i=1}^N (x_i - \mu)^2 $$

# The variance in another form

$$ v = \frac1N \sum_{i=1}^N x_i^2 RIGHT $$
"""
    assert last(text, "", r"- \mu^2") == "proved"
    assert last(text, "", "") == "refuted"


def test_what_comes_later_needs_the_first() -> None:
    later = COVARIANCE + "\nTherefore\n\n$$ C = P - K S K^\\top $$\n"
    text = later.replace("WORDS", "Joseph's form:").replace("RIGHT", r"(I - K H) P (I - K H)^\top")
    rows = sa.check(text, corrections=False).rows
    assert [r.verdict for r in rows[-2:]] == ["refuted", "proved"]


@pytest.mark.parametrize("name", ["solved", "reformed", "follows"])
def test_words_of_another_thing_undo_the_others(name: str) -> None:
    say = getattr(wording, name)
    words = {"solved": "Solving for the mean,", "reformed": "Expanding the square,"}
    plain = words.get(name, "In components,")
    assert say(plain)
    assert not say(f"For another model: {plain}") or name == "follows"


SOLVED = r"""A sample is $x = \sqrt{a}\, u + \sqrt{1 - a}\, n$, with $a = \bar\alpha$.

WORDS

$$ u = \frac{x RIGHT \sqrt{1 - a}\, n}{\sqrt{a}} $$
"""


def test_what_is_solved_for_a_name_is_a_claim() -> None:
    assert last(SOLVED, "Solving for the clean one,", "-") == "proved"
    assert last(SOLVED, "Solving for the clean one,", "+") == "refuted"


def test_a_root_that_is_missing_is_put_back() -> None:
    text = SOLVED.replace(r"}{\sqrt{a}}", "}{a}").replace("WORDS", "Solving for it,")
    row = sa.check(text.replace("RIGHT", "-")).rows[-1]
    assert row.verdict == "refuted"
    assert "".join(row.correction.split()) == r"\frac{x-\sqrt{1-a}\,n}{\sqrt{a}}"
