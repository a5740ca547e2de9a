"""Cross products of vectors in space."""

from __future__ import annotations

import pytest

from symattn.checker import check

SPACE = r"Let $\mathbf{u}$, $\mathbf{v}$ and $\mathbf{w}$ be vectors in three dimensions."


def bold(latex: str) -> str:
    for name in "uvw":
        latex = latex.replace(f" {name} ", rf" \mathbf{{{name}}} ")
    return latex


def last(text: str, latex: str) -> str:
    return check(f"{text}\n\n$$ {latex} $$\n", corrections=False).rows[-1].verdict


@pytest.mark.parametrize(
    "latex, found",
    [
        (r" u \cdot ( u \times v ) = 0", "proved"),
        (r" u \times v = - v \times u ", "proved"),
        (r" u \times v = v \times u ", "refuted"),
        (r" u \times ( v \times w ) = v ( u \cdot w ) - w ( u \cdot v )", "proved"),
        (r" u \times ( v \times w ) = w ( u \cdot v ) - v ( u \cdot w )", "refuted"),
        (r"( u \times v ) \times w = u \times ( v \times w )", "refuted"),
        (r"\| u \times v \|^2 = \| u \|^2 \| v \|^2 - ( u \cdot v )^2", "proved"),
        (r"| u \times v |^2 = | u |^2 | v |^2", "refuted"),
        (r" u \cdot ( v \times w ) = w \cdot ( u \times v )", "proved"),
        (r" u \cdot ( v \times w ) = w \cdot ( v \times u )", "refuted"),
        (r" u \times (a u + b v ) = b \, u \times v ", "proved"),
    ],
)
def test_identities(latex: str, found: str) -> None:
    assert last(SPACE, bold(latex)) == found


@pytest.mark.parametrize("factor, found", [(r"\frac12", "proved"), ("", "refuted")])
def test_of_many_points(factor: str, found: str) -> None:
    text = (
        r"A rigid body turns, with $\mathbf{v}_i = \boldsymbol\omega \times \mathbf{r}_i$ and"
        "\n\n" + r"$$ \mathbf{L} = \sum_i m_i \mathbf{r}_i \times \mathbf{v}_i $$"
    )
    energy = r"\frac12 \sum_i m_i \|\mathbf{v}_i\|^2 = FACTOR \boldsymbol\omega \cdot \mathbf{L}"
    assert last(text, energy.replace("FACTOR", factor)) == found


def test_elsewhere_it_is_a_quantity_of_its_own() -> None:
    text = r"Let $\mathbf{u}, \mathbf{v} \in \mathbb{R}^n$."
    assert last(text, bold(r" u \times v = - v \times u ")) not in ("proved", "refuted")
    four = r"In space-time a force acts on $\mathbf{u}, \mathbf{v} \in \mathbb{R}^4$."
    assert last(four, bold(r" u \cdot ( u \times v ) = 0")) not in ("proved", "refuted")


def test_a_number_before_an_inner_product() -> None:
    text = r"With a force $\vec F$ and the velocity $\vec v$ let $p = m (\vec v \cdot \vec F)$."
    assert last(text, r"p \vec v = m (\vec v \cdot \vec F) \vec v") == "proved"
    assert last(text, r"p \vec v = m (\vec v \cdot \vec v) \vec F") == "refuted"


ANY = "For vectors in $\\mathbb{R}^3$"


@pytest.mark.parametrize(
    ("words", "claim", "verdict"),
    [
        (ANY, r"a\times(b\times c) = b(a\cdot c) - c(a\cdot b)", "proved"),
        (ANY, r"a\times(b\times c) = (a\times b)\times c", "refuted"),
        (
            ANY,
            r"(a\times b)\cdot(c\times d) = (a\cdot c)(b\cdot d) - (a\cdot d)(b\cdot c)",
            "proved",
        ),
        (ANY, r"\|a\times b\|^2 = \|a\|^2\|b\|^2 + (a\cdot b)^2", "refuted"),
        ("We have", r"a\times(b\times c) = b(a\cdot c) - c(a\cdot b)", "proved"),
        ("We have", r"a\times(b\times c) = (a\times b)\times c", "refuted"),
        ("We have", r"a\times b = b\times a", "conditional"),  # numbers, or vectors
        ("The vectors obey", r"u\times v = -v\times u", "proved"),
        ("The vectors obey", r"u\times v = v\times u", "refuted"),
        ("The vectors obey", r"u\cdot(v\times w) = v\cdot(w\times u)", "proved"),
        ("The price is $p = a \\times n + b$. Then", r"p - b = a \times n", "proved"),
    ],
)
def test_light_letters_beside_a_cross_are_vectors(words: str, claim: str, verdict: str) -> None:
    assert last(words, claim) == verdict
