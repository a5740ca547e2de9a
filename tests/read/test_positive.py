"""What sentences say is positive decides logarithms, roots and powers."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.read import read

CLAIM = "\n\n$$ \\log(a b) = \\log a + \\log b $$\n"


def positive(text: str) -> set[str]:
    doc = read(text + "\n\n$$ y = a + b + p + x $$\n", strict=False)
    return {s.name for s in doc.definitions["y"].expr.free_symbols if s.is_positive}


@pytest.mark.parametrize(
    "words, said",
    [
        ("Let $a, b > 0$.", {"a", "b"}),
        ("with $a > 0$ and $b>1$", {"a", "b"}),
        ("for $0 < p < 1$", {"p"}),
        ("where $1 \\le b$", {"b"}),
        ("where $b \\ge 0$", set()),
        ("with $x < 3$", set()),
        ("if $x > 0$", set()),
        ("which need not be $x > 0$", set()),
        ("for $x > 0$; the other branch is for $x < 0$", set()),
        ("for $x > 0$ and also for $x \\le 0$", set()),
        ("with $x > -1$", set()),
    ],
)
def test_names_that_are_said_to_be_positive(words, said):
    assert positive(words) == said


def test_claims_that_need_it():
    text = r"""Let $a, b > 0$ and $z = \left(\frac{a}{b}\right)^{s}$.

$$ \log z = s \log a - s \log b $$
"""
    rows = [r.verdict for r in check(text, corrections=False).rows]
    assert rows[-1] == "proved"
    assert [r.verdict for r in check(text.replace("- s", "+ s"), corrections=False).rows][
        -1
    ] == "refuted"


def test_a_matrix_above_zero_is_no_matrix_of_positive_numbers():
    text = r"Let $R \in \mathbb{R}^{n \times n}$, $R > 0$." + "\n\n$$ y = R x $$\n"
    assert not getattr(read(text, strict=False).inputs["R"], "positive", False)


@pytest.mark.parametrize("sign, definite", [(r"\succ", True), (r"\succeq", False)])
def test_definite_matrices_are_symmetric(sign, definite):
    text = rf"Let $R {sign} 0$ and $q = x^\top R x$." + "\n\n$$ \\nabla_x q = 2 R x $$\n"
    assert [r.verdict for r in check(text, corrections=False).rows][-1] == "proved"
    plain = text.replace(f"{sign} 0", r"\in \mathbb{R}^{n \times n}")
    assert [r.verdict for r in check(plain, corrections=False).rows][-1] == "conditional"
    assert read(text, strict=False).inputs["R"].definite is definite


@pytest.mark.parametrize(
    "words, verdict",
    [
        ("Here $x > 0$ need not hold.", "unproved"),
        ("Nothing requires $x > 0$.", "unproved"),
        ("Without $x > 0$ we get", "unproved"),
        ("As before, $x \\ge 0$ no longer holds.", "unproved"),
        ("Let $x > 0$.", "proved"),
        ("Let $x > 0$, which does not change.", "proved"),
        ("Let $x < 0$.", "refuted"),
        ("Here $x < -1$.", "refuted"),
        ("The debt $x$ is negative.", "refuted"),
        ("Take a nonpositive number $x$.", "refuted"),
        ("Let $x \\in \\mathbb{R}_{<0}$.", "refuted"),
        ("Let $x \\in (-\\infty, 0)$.", "refuted"),
        ("Here $x$ is no positive number.", "unproved"),
        ("By a nonpositive number $z$ stands $x$, a number.", "refuted"),
        ("The negative gradient $x$ is known.", "refuted"),
        ("Let $x$ be not negative.", "unproved"),
        ("Let $x \\in \\mathbb{R}$.", "refuted"),
    ],
)
def test_a_sign_that_is_denied_is_none(words, verdict):
    found = check(f"Let $y \\in \\mathbb{{R}}$. {words} $$ |x| y = x y $$", corrections=False).rows[
        -1
    ]
    assert found.verdict == verdict
