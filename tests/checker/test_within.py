"""Names of what other definitions hold: ∂L/∂s_j where p_j = e^{-βE_j}/Z is written and s = -βE."""

from __future__ import annotations

import pytest

from symattn.checker import check

TEXT = r"""
Let $p_j = %s$, $o = \sum_j p_j v_j$ with $v_j \in \mathbb{R}^m$, and $s_j = -\beta E_j$.
For a loss $L(o)$ with $g = \partial L/\partial o$,

$$ \frac{\partial L}{\partial s_j} = %s $$

Let $\psi = \log\sum_k e^{s_k}$.
"""
WEIGHTS = r"\frac{e^{-\beta E_j}}{\sum_l e^{-\beta E_l}}"


@pytest.mark.parametrize(
    ("right", "verdict"),
    [
        (r"p_j\, g^\top (v_j - o)", "proved"),
        (r"p_j\, g^\top v_j", "refuted"),
        (r"p_j\, g^\top (v_j + o)", "refuted"),
    ],
)
def test_a_part_is_put_in_wherever_it_stands(right: str, verdict: str) -> None:
    rows = check(TEXT % (WEIGHTS, right), corrections=False, timeout=None).rows
    assert [r.verdict for r in rows if r.kind == "claim"] == [verdict]


TITLES = r"""
The weights are $A_{ij} = \frac{e^{S_{ij}}}{\sum_l e^{S_{il}}}$ and $O_{ia} = \sum_j A_{ij} V_{ja}$.

%s

$$ A_{ij} = \frac{e^{S_{ij}}}{e^b + \sum_l e^{S_{il}}}, \qquad
\sum_j A_{ij} = 1 - \frac{e^b}{e^b + \sum_l e^{S_{il}}}. $$

**Entropy.** The entropy of a row is $H_i = -\sum_j A_{ij} \log A_{ij}$ with

$$ \frac{\partial H_i}{\partial S_{ij}} = -A_{ij} (\log A_{ij} + H_i) $$
"""


@pytest.mark.parametrize("words", ["**Sinks.** With an extra logit $b$,", "**Sinks.** Let $b$ be."])
def test_a_paragraph_with_a_name_of_its_own_may_have_other_weights(words: str) -> None:
    rows = check(TITLES % words, corrections=False, timeout=None).rows
    assert "refuted" not in [r.verdict for r in rows]


DIFFERENTIALS = r"""
Let $X \in \mathbb{R}^{n \times d}$, $B \in \mathbb{R}^{d \times m}$ and $Y = X B$. Then

$$ \mathrm{d} L = \operatorname{tr}(G^\top \mathrm{d} Y)
= \operatorname{tr}(G^\top X \, \mathrm{d} B)
+ \operatorname{tr}(G^\top \mathrm{d} X \, B) $$

For $x \in \mathbb{R}^d$ let $\mu = \frac1d\sum_{i=1}^d x_i$ and

$$ \sigma^2 = \frac1d\sum_{i=1}^d (x_i - \mu)^2. $$

Then

$$ \frac{\partial \sigma}{\partial x_i} = \frac{x_i - \mu}{d\,\sigma} $$
"""


def test_an_upright_d_leaves_an_italic_one_to_a_size() -> None:
    rows = check(DIFFERENTIALS, corrections=False, timeout=None).rows
    assert [r.verdict for r in rows][-1] == "proved"
    wrong = DIFFERENTIALS.replace(r"{d\,\sigma}", r"{2 d\,\sigma}")
    assert check(wrong, corrections=False, timeout=None).rows[-1].verdict == "refuted"
