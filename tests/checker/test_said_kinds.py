"""Words say of which kind matrices and vectors are, from there on or in one sentence."""

from __future__ import annotations

import pytest

import symattn as sa

NAMES = r"Let $A, B \in \mathbb{R}^{n \times n}$ and $x, y \in \mathbb{R}^n$. "
COMMUTE = "$(A + B)^2 = A^2 + {} A B + B^2$."
ANGLE = r"$\|x + y\|^2 = \|x\|^2 + {} \|y\|^2$."


def last(text):
    rows = sa.check(NAMES + text, corrections=False, timeout=None).rows
    return rows[-1].verdict if rows else "nothing"


@pytest.mark.parametrize(
    ("words", "claim"),
    [
        ("Suppose that $A$ and $B$ commute. Then ", COMMUTE),
        ("If $A$ commutes with $B$, then ", COMMUTE),
        ("Let $x$ and $y$ be orthogonal. Then ", ANGLE),
        (r"Let $x$ and $y$ be orthogonal vectors in $\mathbb{R}^n$. Then ", ANGLE),
        ("If $x$ is perpendicular to $y$, then ", ANGLE),
    ],
)
def test_what_two_names_are_to_each_other(words, claim):
    one, other = ("2", "3") if claim is COMMUTE else ("", "2")
    assert [last(words + claim.replace("{}", k)) for k in (one, other)] == ["proved", "refuted"]


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        ("is idempotent", "A^3 = A", "A^3 = 2 A"),
        ("is an involution", "A^3 = A", "A^3 = A^2"),
        ("is skew-symmetric", r"x^\top A x = 0", r"x^\top A y = y^\top A x"),
        ("is an orthogonal matrix", r"\|A x\|^2 = \|x\|^2", r"\|A x\|^2 = 2 \|x\|^2"),
        ("is symmetric and $x$ is a unit vector", r"3 x^\top x = 3", r"3 x^\top x = 2"),
    ],
)
def test_kinds(kind, right, wrong):
    for words in (f"If $A$ {kind}, then ", f"Assume that $A$ {kind}. Then "):
        assert [last(f"{words}${c}$.") for c in (right, wrong)] == ["proved", "refuted"]


@pytest.mark.parametrize(
    "words",
    [
        "Suppose that $A$ and $B$ almost commute. Then ",
        "If $A$ and $B$ do not commute, then ",
        "If $A$ and $B$ commute or are symmetric, then ",
        "If $A$ and $B$ are simultaneously diagonalisable, then ",
    ],
)
def test_what_is_said_otherwise_is_left_open(words):
    found = {last(words + COMMUTE.replace("{}", k)) for k in "23"}
    assert "proved" not in found


def test_it_holds_till_a_name_is_brought_anew():
    first = "Suppose that $A$ and $B$ commute. "
    anew = r"Now let $B \in \mathbb{R}^{n \times n}$ be any matrix. Then "
    assert last(first + anew + COMMUTE.replace("{}", "2")) != "proved"
    rows = sa.check(NAMES + "We have $A B = B A$. " + first, corrections=False).rows
    assert "proved" not in [r.verdict for r in rows]


def test_a_projection_may_be_meant_to_be_orthogonal():
    assert last(r"If $A$ is a projection, then $A^\top = A$.") not in ("proved", "refuted")
