"""How large an I is that stands alone, which blocks are transposes, and what bars enclose."""

from __future__ import annotations

import pytest

from symattn.checker import check

CHANNEL = r"""Let $H \in \mathbb{R}^{m \times p}$ be a channel and let
$P \in \mathbb{R}^{p \times p}$ be invertible.
$$ C = H P H^\top $$
"""
BLOCKS = r"""Let $A_{12} \in \mathbb{R}^{m \times n}$ and $A_{21} \in \mathbb{R}^{n \times m}$,
and let $D \in \mathbb{R}^{n \times n}$ be invertible and symmetric.
$$ S = A_{12} D^{-1} A_{21} $$
"""
SQUARE = r"Let $A \in \mathbb{R}^{n \times n}$ and $B \in \mathbb{R}^{n \times n}$. "
GRAM = r"""Let $X \in \mathbb{R}^{n \times d}$. We define $X^\top X + \lambda I \triangleq S$.
$$ P = S^{-1} X^\top $$
"""


def last(text: str) -> tuple[str, str]:
    row = check(text, corrections=False).rows[-1]
    return row.verdict, row.reason


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (CHANNEL + r"$$ |C + \sigma^2 I| = |P^{-1} + H^\top H \sigma^{-2}||P||\sigma^2 I| $$",
         "conditional"),
        (CHANNEL + r"$$ |C + \sigma^2 I| = |I + \sigma^{-2} P H^\top H| \, |\sigma^2 I| $$",
         "conditional"),
        (CHANNEL + r"$$ |C + \sigma^2 I| = |P^{-1} + H^\top H \sigma^{-2}| \, |\sigma^2 I| $$",
         "unproved"),
        (CHANNEL + r"$$ |C + \sigma^2 I| = |I + \sigma^{2} P H^\top H| \, |\sigma^2 I| $$",
         "unproved"),
    ],
)  # fmt: skip
def test_the_size_of_an_identity_is_sought(text: str, verdict: str) -> None:
    found, reason = last(text)
    assert found == verdict
    assert ("m × m, as C is" in reason) == (verdict == "conditional")


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"S^\top = A_{12} D^{-1} A_{12}^\top", "conditional"),
        (r"S + S = 2 A_{12} D^{-1} A_{12}^\top", "conditional"),
        (r"S + S = 3 A_{12} D^{-1} A_{12}^\top", "refuted"),
        (r"S + S = A_{12} D^{-1} A_{12}^\top", "refuted"),
        (r"S + S = 2 A_{12} D A_{12}^\top", "refuted"),
    ],
)
def test_a_block_may_be_the_transpose_of_its_mirror(claim: str, verdict: str) -> None:
    found, reason = last(f"{BLOCKS}$$ {claim} $$")
    assert found == verdict
    assert ("A_21 is the transpose of A_12" in reason) == (verdict == "conditional")


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"\det(A B) = |A||B|", "proved"),
        (r"|A B||A| = |A||B||A|", "proved"),
        (r"|A B||A| = |A||B||B|", "refuted"),
        (r"A \mathbf (A + B) = A A + A B", "proved"),
        (r"A \mathbf (A + B) = A A + B A", "refuted"),
    ],
)
def test_bars_and_fonts(claim: str, verdict: str) -> None:
    assert last(f"{SQUARE}\n$$ {claim} $$")[0] == verdict


def test_norms_inside_of_bars_stay_norms() -> None:
    text = r"Let $x, y \in \mathbb{R}^n$." + "\n" + r"$$ f = | ||x|| - ||y|| | $$ $$ f^2 = {} $$"
    right = r"\|x\|^2 - 2 \|x\| \|y\| + \|y\|^2"
    assert last(text.replace("{}", right))[0] == "proved"
    assert last(text.replace("{}", right.replace("- 2", "+ 2")))[0] == "refuted"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [(r"S P = X^\top", "proved"), (r"S P = 2 X^\top", "refuted")],
)
def test_a_name_may_stand_on_the_right_of_its_definition(claim: str, verdict: str) -> None:
    assert last(f"{GRAM}\n$$ {claim} $$")[0] == verdict


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"M^2 - (a + d) M + (a d - b c) I = 0", "proved"),
        (r"0 = M^2 - (a + d) M + (a d - b c) I", "proved"),
        (r"M^2 - (a + d) M - (a d - b c) I = 0", "refuted"),
        (r"M^2 - (a - d) M + (a d - b c) I = 0", "refuted"),
        (r"M - M = 0", "proved"),
    ],
)
def test_a_polynomial_of_a_matrix_vanishes_entry_by_entry(claim: str, verdict: str) -> None:
    text = rf"""Let $M = \begin{{pmatrix}} a & b \\ c & d \end{{pmatrix}}$.

$$ {claim} $$
"""
    assert check(text, corrections=False, timeout=None).rows[-1].verdict == verdict


SOFTMAX = r"Let $p_i = \frac{e^{z_i / T}}{\sum_j e^{z_j / T}}$ and $Z = \sum_j e^{z_j / T}$. "


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"-\sum_i p_i \log p_i = \log Z - \frac1T \sum_i p_i z_i", "proved"),
        (r"-\sum_i p_i \log p_i = \log Z - T \sum_i p_i z_i", "refuted"),
        (r"\frac{\partial \log Z}{\partial T} = -\frac{1}{T^2} \sum_i p_i z_i", "proved"),
        (r"\frac1T \sum_i p_i = 1", "refuted"),
    ],
)
def test_a_temperature_before_a_sum_is_no_number_of_values(claim: str, verdict: str) -> None:
    rows = check(
        SOFTMAX + rf"The mean is $m = \frac1T \sum_i p_i z_i$. Then $$ {claim} $$",
        corrections=False,
    ).rows
    assert rows[-1].verdict == verdict


def test_a_derivative_by_a_number_of_values_is_no_fault() -> None:
    text = r"Let $m = \frac1n \sum_{i=1}^n x_i$. Then $\frac{\partial m}{\partial n} = -\frac m n$."
    assert "fault" not in check(text, corrections=False).rows[-1].reason
