"""Slopes at kinks: what is as good a derivative, and what is none."""

from __future__ import annotations

import pytest

from symattn.checker import check

LAYER = r"""
Let $W \in \mathbb{R}^{m \times n}$, $v \in \mathbb{R}^n$ and
$$ u = W v, \qquad h_i = \max(0, u_i) $$
with a loss $L$ of $h$ and
$$ D_{ij} = \delta_{ij} \mathbb{1}[u_i \ge 0] $$

"""
LARGER = r"""
$$ g(a, b) = \max(a, b) $$

"""
CLAIMS = [
    (LARGER, r"\frac{\partial g}{\partial a} = \mathbb{1}[a \ge b]", "proved"),
    (LARGER, r"\frac{\partial g}{\partial b} = \mathbb{1}[b \ge a]", "conditional"),
    (LARGER, r"\frac{\partial g}{\partial b} = \mathbb{1}[b > a]", "proved"),
    (LARGER, r"\frac{\partial g}{\partial b} = \mathbb{1}[a \ge b]", "refuted"),
    (LARGER, r"\frac{\partial g}{\partial b} = 2 \cdot \mathbb{1}[b \ge a]", "refuted"),
    (LARGER, r"g = a + (b - a)\, \mathbb{1}[b > a]", "proved"),
    (
        LAYER,
        r"\frac{\partial L}{\partial v} = W^\top D \frac{\partial L}{\partial h}",
        "conditional",
    ),
    (
        LAYER,
        r"\frac{\partial L}{\partial v} = W^\top (I - D) \frac{\partial L}{\partial h}",
        "wrong",
    ),
    (LAYER, r"\frac{\partial L}{\partial v} = -W^\top D \frac{\partial L}{\partial h}", "wrong"),
]


@pytest.mark.parametrize(("head", "latex", "verdict"), CLAIMS)
def test_kinks(head: str, latex: str, verdict: str) -> None:
    row = check(f"{head}$$ {latex} $$", timeout=None, corrections=False).rows[-1]
    if verdict == "wrong":
        assert row.verdict not in ("proved", "conditional"), row.reason
    else:
        assert row.verdict == verdict, row.reason


def test_the_kink_is_named_as_the_author_writes() -> None:
    latex = r"\frac{\partial g}{\partial b} = \mathbb{1}[b \ge a]"
    row = check(f"{LARGER}$$ {latex} $$", corrections=False).rows[-1]
    assert row.reason == "true beside its kinks, where b - a ≠ 0"


def test_what_is_no_derivative_is_closed_or_open() -> None:
    row = check("$$ \\mathbb{1}[w \\ge 0] = \\mathbb{1}[w > 0] $$", corrections=False).rows[-1]
    assert row.verdict not in ("proved", "conditional")
