"""What stands beside the identity matrix is a matrix, where a text speaks of matrices."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.read import addends
from symattn.read.side import Sides


def verdicts(text: str) -> list[str]:
    return [r.verdict for r in sa.check(text, corrections=False).rows]


@pytest.mark.parametrize(
    ("words", "claim", "slip"),
    [
        ("Let $P$ satisfy $P^2 = P$.", "(I - P)^2 = I - P", "(I - P)^2 = I + P"),
        ("Let $P$ satisfy $P^2 = P$.", "(I - 2 P)^2 = I", "(I - 2 P)^3 = I"),
        ("Let $P$ satisfy $P^2 = P$.", r"(I - \frac{P}{2})^2 = I - \frac34 P", "(I - P)^2 = 2 I"),
        ("Let $P$ be a projector with $P^2 = P$.", "(I - P) P = 0", "(I - P) P = P"),
        ("Let $P$ satisfy $P^2 = 0$.", "(I + P) (I - P) = I", "(I + P) (I - P) = I + P"),
        ("Let $P$ satisfy $P^3 = 0$.", "(I - P) (I + P + P^2) = I", "(I - P) (I + P + P^2) = P"),
    ],
)
def test_an_idempotent_matrix(words: str, claim: str, slip: str) -> None:
    assert verdicts(f"{words} Then $${claim}$$")[-1] == "proved"
    assert verdicts(f"{words} Then $${slip}$$")[-1] not in ("proved", "conditional", "skipped")


@pytest.mark.parametrize(
    ("words", "verdict"),
    [("nilpotent", "unproved"), ("a projector", "unproved"), ("small", "conditional")],
)
def test_words_of_a_matrix(words: str, verdict: str) -> None:
    text = f"Let $N$ be {words} and $M$ too. Then $$(I - 2 N)(I - 2 M) = (I - 2 M)(I - 2 N)$$"
    assert verdicts(text)[-1] == verdict


@pytest.mark.parametrize(
    ("side", "inside"), [("2 K", "K"), (r"\frac12 K", "K"), ("K/2", "K"), ("2/K", ""), ("J K", "")]
)
def test_what_a_number_stands_before(side: str, inside: str) -> None:
    tree = Sides("").tree(side)
    assert tree is not None
    assert getattr(addends._without_number(tree), "text", "") == inside


def test_a_reflection_of_a_projector() -> None:
    text = (
        r"Let $R = I - 2 P$ with a projector $P$, so $P^2 = P$. Then $$R^2 = I$$ and $$R^2 = 2 I.$$"
    )
    assert verdicts(text) == ["definition", "proved", "proved", "refuted"]


def test_investments_are_no_identity_matrix() -> None:
    text = "In a closed economy income is $Y = C + I + G$. "
    text += "Then $$Y - C = I + G$$ and $$Y - C = I - G.$$"
    assert verdicts(text) == ["definition", "proved", "refuted"]
