"""∂r/∂x of x = r cos θ: y = r sin θ stays where these are coordinates, and is unclear elsewhere."""

from __future__ import annotations

import re

import pytest

import symattn as sa

POLAR = r"COORDINATES let $x = r \cos\theta$ and $y = r \sin\theta$ with $f = r^2 \theta$.  Then"
SPHERE = r"COORDINATES let $x = r \sin u \cos v$, $y = r \sin u \sin v$ and $z = r \cos u$.  Then"
SPRING = r"COORDINATES let $E = \frac12 k x^2$ and $F = k x$.  Then"
ROUND, UNSAID = "In other coordinates", "Here"


def verdict(text: str, formula: str, words: str) -> tuple[str, str]:
    document = f"{text.replace('COORDINATES', words)}\n\n$$ {formula} $$\n"
    row = sa.check(document, corrections=False, timeout=None).rows[-1]
    return row.verdict, row.reason


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        (POLAR, r"\frac{\partial r}{\partial x} = \cos\theta"),
        (POLAR, r"\frac{\partial \theta}{\partial y} = \frac{\cos\theta}{r}"),
        (POLAR, r"\frac{\partial f}{\partial x} = 2 r \theta \cos\theta - r \sin\theta"),
        (SPHERE, r"\frac{\partial r}{\partial z} = \cos u"),
        (SPHERE, r"\frac{\partial v}{\partial x} = -\frac{\sin v}{r \sin u}"),
    ],
)
def test_the_other_coordinates_stay(text: str, formula: str) -> None:
    assert verdict(text, formula, ROUND)[0] == "proved"
    left, right = formula.split(" = ")
    assert verdict(text, f"{left} = 2 {right}".replace("2 -", "-2"), ROUND)[0] in (
        "refuted",
        "unproved",
    )
    found, why = verdict(text, formula, UNSAID)
    assert found == "conditional" and re.search(r"true where .* not change", why)


@pytest.mark.parametrize(
    ("text", "formula", "words", "expected"),
    [
        (POLAR, r"\frac{\partial r}{\partial x} = \frac{1}{\cos\theta}", ROUND, "refuted"),
        (POLAR, r"\frac{\partial r}{\partial x} = \frac{1}{\cos\theta}", UNSAID, "conditional"),
        (POLAR, r"\frac{\partial r}{\partial x} = \sin\theta", UNSAID, "unproved"),
        (SPRING, r"\frac{\partial x}{\partial F} = \frac{1}{k}", UNSAID, "conditional"),
        (SPRING, r"\frac{\partial x}{\partial F} = \frac{2}{k}", UNSAID, "unproved"),
    ],
)
def test_what_stays_is_said_or_is_a_condition(text, formula, words, expected) -> None:
    assert verdict(text, formula, words)[0] == expected
