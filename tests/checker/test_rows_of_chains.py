"""Chains over several rows and displays: each link at its own place."""

from __future__ import annotations

from symattn.checker import check

CHAIN = r"""
$$ \label{eq:spread}
\begin{split}
(a - b)^2 + b^2 &= a^2 - 2 a b + 2 b^2 \\
&= a^2 - 2 a b + b^2 \\
&= (b - a)^2 + b^2
\end{split}
$$
"""


def test_a_link_is_shown_at_its_own_row() -> None:
    found = [(r.verdict, r.line, r.column) for r in check(CHAIN, timeout=None, corrections=False)]
    assert found == [("proved", 4, 1), ("refuted", 5, 2), ("conditional", 6, 2)]
    reason = check(CHAIN, timeout=None, corrections=False).rows[-1].reason
    assert reason == "true where line 5, which is refuted, is left out of the chain"


def test_a_display_that_ends_with_a_sign_goes_on() -> None:
    text = r"""
$$ (a + b)^2 = $$

$$ = a^2 + 2 a b + b^2 = $$

$$ a (a + 2 b) - b^2 $$
"""
    found = [(r.verdict, r.line) for r in check(text, corrections=False, timeout=None)]
    assert found[1:] == [("proved", 4), ("refuted", 6)]


def test_a_function_is_what_has_its_arguments() -> None:
    text = r"""
$$S(a, b) = \sum_{i=1}^n r_i^2 = \sum_{i=1}^n (y_i - a - b x_i)^2$$

$$\frac{\partial S}{\partial b} = -2 \sum_{i=1}^n x_i (y_i - a - b x_i)$$

$$\frac{\partial S}{\partial a} = 2 \sum_{i=1}^n (y_i - a - b x_i)$$
"""
    found = [r.verdict for r in check(text, corrections=False, timeout=None)]
    assert found[-2:] == ["proved", "refuted"]


def test_signs_with_words_over_them_say_how_a_thing_is_drawn() -> None:
    text = r"""
$$ x_i \overset{\text{i.i.d.}}{=} \mathcal{N}(m, s) $$

$$ x \overset{d}{=} y $$

$$ w \overset{\text{def}}{=} 2 v $$

$$ w + v \overset{(3)}{=} 3 v $$

$$ 2 w + v \overset{(d)}{=} 4 v $$

$$ 2 w + v \overset{\text{distributive law}}{=} 5 v $$
"""
    found = [r.verdict for r in check(text, corrections=False, timeout=None)]
    assert found == ["skipped", "skipped", "definition", "proved", "refuted", "proved"]


def test_a_set_behind_an_equation_is_left_out() -> None:
    text = r"""
With labels $y_i \in \{0, 1\}$ let

$$ t_i = 2 y_i - 1 \in \{-1, +1\} $$

$$ y_i = \frac{t_i + 1}{2} $$

$$ p = \frac{1}{1 + e^{-s}} \in (0, 1) $$

$$ \frac{d p}{d s} = p (1 - p) \in [0, 1/4] $$

$$ \frac{d p}{d s} = p (1 + p) \in [0, 1/4] $$
"""
    found = [r.verdict for r in check(text, corrections=False, timeout=None)]
    assert found == ["definition", "proved", "definition", "proved", "refuted"]
