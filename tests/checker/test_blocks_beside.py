r"""A matrix K beside its blocks K_j, which words number: tensors of their own."""

from __future__ import annotations

import pytest

from symattn import check

HEAD = r"""Let $X, Y \in \mathbb{R}^{N \times d}$ and $G = X Y^\top$, $F = G Y$.

$$ G = X Y^\top $$

$$ F = G Y $$

"""
SAID = r"For blocks $Y_b \in \mathbb{R}^{B \times d}$ we have" + "\n\n"
SPLIT = (
    r"We cut $Y$ into blocks $Y_1, Y_2, \dots, Y_T$, each in $\mathbb{R}^{B \times d}$:" + "\n\n"
)
PARTS = r"""$$ G_b = X Y_b^\top $$

$$ F_b = G_b Y_b $$

$$ %s $$
"""


def verdict(formula: str, words: str = SAID, parts: str = PARTS) -> str:
    return check(HEAD + words + parts % formula, corrections=False).rows[-1].verdict


@pytest.mark.parametrize("words", [SAID, SPLIT])
def test_a_block_is_a_matrix_beside_the_whole(words: str) -> None:
    assert verdict(r"F_b = X Y_b^\top Y_b", words) == "proved"
    assert verdict(r"F_b = X Y_b^\top Y", words) != "proved"
    assert verdict(r"F_b = 2 X Y_b^\top Y_b", words) == "refuted"
    assert verdict(r"F = X Y^\top Y", words) == "proved"
    assert verdict(r"F = X^\top Y Y", words) != "proved"


def test_rows_are_no_blocks() -> None:
    """Y_b ∈ ℝ^d is a row of Y."""
    rows = r"With $Y_b \in \mathbb{R}^d$ the $b$-th row of $Y$, as a column," + "\n\n"
    assert verdict(r"g_b = X Y_b", rows, "$$ %s $$\n") == "definition"
    assert verdict(r"G = X Y^\top", rows, "$$ %s $$\n") in ("definition", "proved")


def test_entries_are_no_blocks() -> None:
    mixed = SAID + r"$$ t = \sum_{n, k} Y_{nk} $$" + "\n\n"
    assert verdict(r"F = X Y^\top Y", mixed, "$$ %s $$\n") == "proved"
    assert verdict(r"F = X Y^\top Y + Y", mixed, "$$ %s $$\n") == "refuted"
