r"""ω² = k/m leaves two roots: what holds with both is proved, with one it is conditional."""

import pytest

import symattn as sa

TEXT = r"""With $\omega^2 = k/m$ and $\tau = \omega + 1$ put

$$E = \tfrac12 m \omega^2 a^2$$

Then

$$EQUATION$$
"""


def last(equation):
    return sa.check(TEXT.replace("EQUATION", equation), corrections=False).rows[-1]


@pytest.mark.parametrize("equation", [r"E = \tfrac12 k a^2", r"\tau^2 = k/m + 2\omega + 1"])
def test_with_both_roots_it_is_proved(equation):
    assert last(equation).verdict == "proved"


def test_with_one_root_it_is_conditional():
    row = last(r"\tau = 1 + \sqrt{k/m}")
    assert row.verdict == "conditional"
    assert "omega" in row.reason


@pytest.mark.parametrize("equation", [r"E = k a^2", r"\tau = 2 + \sqrt{k/m}"])
def test_with_neither_it_is_no_proof(equation):
    assert last(equation).verdict in ("refuted", "definition", "unproved")
    assert last(r"E = k a^2").verdict == "refuted"


def test_the_first_equation_says_what_the_square_is():
    rows = sa.check(
        "With $k > 0$ let\n\n$$\\nu^2 = k/m$$\n\n$$b = \\nu + c \\nu^2$$\n", corrections=False
    ).rows
    assert [r.verdict for r in rows][-2:] == ["definition", "definition"]


def test_a_square_of_what_stands_on_the_right_defines_nothing():
    text = r"Let $S \in \mathbb{R}^{n \times n}$. $$ S_{ii}^2 = RIGHT S_{ii} S_{ii} $$"
    found = [sa.check(text.replace("RIGHT", x), corrections=False).rows[-1] for x in ("", "2")]
    assert [r.verdict for r in found] == ["proved", "refuted"]


def test_a_number_by_words_is_a_factor_before_brackets():
    text = r"""Let $x \in \mathbb{R}^n$ and $t, g \in \mathbb{R}$, where $\sum_i x_i = 0$.

$$ g = g + t \left(\sum_k x_k\right) $$

$$ g = g + t \left(\sum_k x_k^2\right) $$

$$ g q(t) = q(t) g $$
"""
    verdicts = [r.verdict for r in sa.check(text, corrections=False).rows[-3:]]
    assert verdicts[0] == "proved" and verdicts[1] in ("refuted", "skipped", "unproved")
    assert verdicts[2] == "proved"
