"""Indices that do not fit are the author's slip only where what is right is known."""

from __future__ import annotations

import pytest

from symattn.checker import check

GIVEN = r"""# Attention

$$ S_{ij} = \frac{1}{\sqrt{d}} \sum_a Q_{ia} K_{ja} $$

$$ A_{ij} = \frac{e^{S_{ij}}}{\sum_l e^{S_{il}}} $$

$$ O_{ib} = \sum_j A_{ij} V_{jb} $$

"""


@pytest.mark.parametrize(
    ("claim", "right"),
    [
        (r"O_{ib} = V_{jb}", r"\sum_j A_{ij} V_{jb}"),
        (r"\frac{\partial O_{ib}}{\partial V_{lc}} = A_{ix} \delta_{bc}", r"A_{il} \delta_{bc}"),
        (
            r"\frac{\partial S_{ij}}{\partial Q_{mc}} = \frac{1}{\sqrt{d}} \delta_{im} K_{xc}",
            r"\frac{1}{\sqrt{d}} \delta_{im} K_{jc}",
        ),
        (r"\frac{\partial S_{ij}}{\partial Q_{mc}} = \frac{1}{\sqrt{d}} K_{jc}", ""),
    ],
)
def test_a_letter_that_dangles_beside_a_known_left_side(claim: str, right: str) -> None:
    row = check(GIVEN + f"$$ {claim} $$", timeout=None).rows[-1]
    assert row.verdict == "malformed"
    if right:
        assert row.correction == right


@pytest.mark.parametrize(
    "claim",
    [
        r"y_i = W_{ia} u_t",  # a time that the text leaves out
        r"\frac{\partial E}{\partial w} = g_t",
        r"\sum_j B_{ij} = C_{it}",
        r"P_{ij} = \frac{M_{ij}}{M_k}",
    ],
)
def test_where_nothing_is_known_nothing_is_malformed(claim: str) -> None:
    assert not check(GIVEN + f"$$ {claim} $$", corrections=False).of("malformed", "refuted")


def test_a_condition_before_it_speaks_for_the_author() -> None:
    claim = r"$$ O_{ib} = V_{tb} $$"
    assert check(GIVEN + claim, corrections=False).of("malformed")
    assert not check(GIVEN + "If the weights are one-hot,\n" + claim, corrections=False).of(
        "malformed"
    )


def test_a_product_in_the_wrong_order_has_two_sizes() -> None:
    text = r"""Let $\Phi \in \mathbb{R}^{n\times d}$, $w \in \mathbb{R}^d$ and $y \in \mathbb{R}^n$.
$$ U(w) = \frac{1}{2} \| y - \Phi w \|^2 $$
$$ \nabla^2 U(w) = \Phi \Phi^\top $$
$$ \nabla U(w) = -\Phi (y - \Phi w) $$"""
    rows = check(text).rows[-2:]
    assert [(r.verdict, "".join(r.correction.split())) for r in rows] == [
        ("malformed", r"\Phi^\top\Phi"),
        ("malformed", r"-\Phi^\top(y-\Phiw)"),
    ]


LOSS = r"""Let $X \in \mathbb{R}^{n \times d}$, $Y \in \mathbb{R}^{n \times c}$, $W \in \mathbb{R}^{d \times c}$.
$$ L = \frac{1}{2} \| X W - Y \|^2 $$
"""


def test_a_gradient_whose_factors_do_not_fit_is_derived() -> None:
    row = check(LOSS + r"$$ \frac{\partial L}{\partial W} = (X W - Y) X^\top $$").rows[-1]
    assert row.verdict == "malformed"
    assert "".join(row.correction.split()) == r"X^\top\left(XW-Y\right)"


def test_factors_that_are_derivatives_may_have_the_other_layout() -> None:
    for text in (
        r"$$ Z = X W $$ $$ \frac{\partial L}{\partial X} = W \frac{\partial L}{\partial Z} $$",
        r"$$ Z = X W $$ With $G = \frac{\partial L}{\partial Z}$, "
        r"$$ \frac{\partial L}{\partial X} = W G $$",
    ):
        assert not check(LOSS + text, corrections=False).of("malformed", "refuted", "proved")


SIZED = r"Let $A \in \mathbb{R}^{n \times k}$ and $B \in \mathbb{R}^{k \times m}$."


@pytest.mark.parametrize(
    ("latex", "right"),
    [
        (r"(A B)^\top = A^\top B^\top", r"B^\top A^\top"),
        (r"\| A B \|^2 = \mathrm{tr}(A B A^\top B^\top)", r"\mathrm{tr}(A B B^\top A^\top)"),
    ],
)
def test_an_identity_of_whatever_names_is_mended_by_one_edit(latex: str, right: str) -> None:
    found = check(f"{SIZED}\n\n$$ {latex} $$\n").rows[-1]
    assert (found.verdict, found.correction) == ("malformed", right)


@pytest.mark.parametrize("latex", [r"A B = B A", r"A^\top A = B^\top A", r"(A B)^\top = A + B"])
def test_what_no_edit_makes_an_identity_is_left_open(latex: str) -> None:
    assert check(f"{SIZED}\n\n$$ {latex} $$\n", corrections=False).rows[-1].verdict == "skipped"


def test_an_inverse_on_the_left_is_known_by_what_it_inverts() -> None:
    text = r"""With $A \in \mathbb{R}^{n \times n}$ and $b, c \in \mathbb{R}^n$ let
$M = A + b c^\top$. Then

$$ (A + b c^\top)^{-1} = A^{-1} - \frac{A^{-1} b c A^{-1}}{1 + c^\top A^{-1} b} $$
"""
    row = check(text).rows[-1]
    assert row.verdict == "malformed"
    assert row.correction == r"A^{-1} - \frac{A^{-1} b c^\top A^{-1}}{1 + c^\top A^{-1} b}"
