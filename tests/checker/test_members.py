r"""How many a set has over which a text sums, and sums over those with a property."""

from __future__ import annotations

import pytest

from symattn import check

GROUPS = r"""Points $p_1, \dots, p_n \in \mathbb{R}^d$ are sorted into groups $G_1, \dots, G_M$.

$$ c_m = \frac{1}{|G_m|} \sum_{j \in G_m} p_j $$

$$ %s $$
"""
LABELS = r"""Points $p_1, \dots, p_n$ have labels $\ell_j$.

$$ k_c = \sum_{j : \ell_j = c} 1 $$

$$ u_c = \frac{1}{k_c} \sum_{j : \ell_j = c} p_j $$

$$ %s $$
"""
SPREAD = (
    r"\sum_{j \in G_m} \|p_j - a\|^2 = \sum_{j \in G_m} \|p_j - c_m\|^2"
    r" + |G_m| \, \|c_m - a\|^2"
)


@pytest.mark.parametrize(
    ("text", "claim", "slip"),
    [
        (GROUPS, r"\sum_{j \in G_m} (p_j - c_m) = 0", ("- c", "+ c")),
        (GROUPS, SPREAD, ("+ |", "- |")),
        (GROUPS, SPREAD, ("|G_m| \\,", "")),
        (GROUPS, r"\sum_{j \in G_m} p_j = |G_m| c_m", ("|G_m| c", "|G_m|^2 c")),
    ],
)
def test_members_of_a_set(text: str, claim: str, slip: tuple[str, str]) -> None:
    assert check(text % claim, corrections=False).rows[-1].verdict == "proved"
    assert slip[0] in claim
    wrong = text % claim.replace(*slip)
    assert check(wrong, corrections=False).rows[-1].verdict == "refuted"


def test_bars_of_what_is_no_set() -> None:
    """No sum runs over G_m there: |G_m| is an absolute value."""
    text = r"Let $G_m$ be numbers. $$ t = \sum_m |G_m| $$" + "\n\n" + r"$$ t = \sum_m 1 $$" + "\n"
    assert check(text, corrections=False).rows[-1].verdict != "proved"


def test_those_with_a_property() -> None:
    zero = r"\sum_{j : \ell_j = c} (p_j - u_c) = 0"
    assert check(LABELS % zero, corrections=False).rows[-1].verdict == "proved"
    for wrong in (zero.replace("- u", "+ u"), zero.replace("- u_c", "- 2 u_c")):
        assert check(LABELS % wrong, corrections=False).rows[-1].verdict != "proved"


def test_what_has_no_value_of_the_property_is_not_decided() -> None:
    """Nothing says that the c of Σ_c are all values of the labels."""
    assert check(LABELS % r"\sum_c k_c = n", corrections=False).rows[-1].verdict not in (
        "proved",
        "refuted",
    )
