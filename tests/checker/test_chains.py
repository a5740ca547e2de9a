"""Chains a = b = c, in one formula or in several that begin with =, one link of which is wrong."""

from __future__ import annotations

import pytest

from symattn.checker import check

HEAD = r"Let $x, w \in \mathbb{R}^n$ and $s = w^\top x$ in what follows."
LINKS = (
    r"(s - 3)^2 + \sum_i w_i x_i",
    r"s^2 - 6 s + 9 + \sum_i w_i x_i",
    r"s^2 - 6 s + 9 + s",
    r"s^2 - 5 s + 9",
)


def rows(links: tuple[str, ...], apart: bool) -> list[tuple[str, str]]:
    between = " $$\n\n$$ = " if apart else " = "
    text = f"{HEAD}\n\n$$ {between.join(links)} $$\n"
    found = [r for r in check(text).rows if r.line > 1]
    return [(r.verdict, r.correction) for r in found if r.verdict != "definition"]


def changed(k: int, link: str) -> tuple[str, ...]:
    return (*LINKS[:k], link, *LINKS[k + 1 :])


@pytest.mark.parametrize("apart", [False, True])
def test_a_chain_that_is_right_is_proved(apart: bool) -> None:
    assert [v for v, _ in rows(LINKS, apart)][-3:] == ["proved"] * 3


@pytest.mark.parametrize("apart", [False, True])
def test_one_wrong_side_is_one_error_and_is_corrected(apart: bool) -> None:
    found = rows(changed(2, "s^2 + 6 s + 9 + s"), apart)[-3:]
    assert found[0] == ("proved", "")
    assert found[1] == ("refuted", "s^2 - 6 s + 9 + s")
    assert found[2] == ("conditional", "")  # with what the chain begins with


@pytest.mark.parametrize("apart", [False, True])
def test_two_wrong_sides_are_two_errors(apart: bool) -> None:
    links = (*LINKS[:2], "s^2 + 6 s + 9 + s", "s^2 - 4 s + 9")
    assert [v for v, _ in rows(links, apart)][-3:] == ["proved", "refuted", "refuted"]


def test_a_true_link_between_wrong_sides_is_no_second_error() -> None:
    links = (*LINKS[:2], "s^2 + 6 s + 9 + s", "s^2 + 7 s + 9")
    assert [v for v, _ in rows(links, True)][-3:] == ["proved", "refuted", "proved"]


def test_a_size_that_is_a_number_as_well_is_one_in_corrections() -> None:
    text = r"""For $f(\mathbf{x})$ with $\mathbf{x} \in \mathbb{R}^n$
the gradient is in $\mathbb{R}^n$.
$$ L(\mathbf{w}) = \frac{1}{2n} \|\mathbf{y} - X\mathbf{w}\|^2 $$
$$ \nabla_\mathbf{w} L = \frac{1}{n} X^T (\mathbf{y} - X\mathbf{w}) $$
"""
    row = check(text, timeout=None).rows[-1]
    right = r"-\frac{1}{n} X^T (\mathbf{y} - X\mathbf{w})"
    assert (row.verdict, row.correction) == ("refuted", right)


@pytest.mark.parametrize("before", ["$$ f =", "We expand $$"])
def test_a_display_that_goes_on_is_corrected_against_what_it_goes_on_from(before: str) -> None:
    text = rf"""{before} \|\mathbf{{y}} - X \mathbf{{w}}\|^2 $$
which is
$$ = \mathbf{{y}}^\top \mathbf{{y}} - \mathbf{{y}}^\top X \mathbf{{w}}
   + \mathbf{{w}}^\top X^\top X \mathbf{{w}} $$
"""
    row = check(text, timeout=None).rows[-1]
    assert row.verdict == "refuted"
    assert r"- 2 \mathbf{y}^\top X \mathbf{w}" in row.correction
