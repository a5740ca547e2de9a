"""A term or a factor that is missing is given back in a correction, and refutes nothing."""

import pytest

from symattn import check

GRAM = r"""For $B \in \mathbb{R}^{m \times n}$, $x, y \in \mathbb{R}^n$ let $z = B x$, $w = B y$
and $G = B^\top B$."""
SQUARES = r"""Let $u = k \cos a \cos b$ and $v = k \cos a \sin b$."""
PLANE = r"""Let $p = h \cos a$ and $q = h \sin a$."""


@pytest.mark.parametrize(
    ("text", "formula", "correction"),
    [
        (GRAM, r"z^\top w = x^\top y", r"x^\top G y"),
        (SQUARES, r"u^2 + v^2 = \cos^2 a", r"k^{2} \cos^2 a"),
        (PLANE, r"(p + q)^2 = h^2", r"h^2 + 2 h^{2} \cos(a) \sin(a)"),
    ],
)
def test_given_back(text: str, formula: str, correction: str) -> None:
    row = check(f"{text}\n\n$$ {formula} $$\n").rows[-1]
    assert row.verdict == "refuted", row.reason
    assert "".join(row.correction.split()) == "".join(correction.split())


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        (r"Let $r = x y + z$.", r"x y = 0"),  # a condition, although r − z would make it true
        (r"Let $E = T + U$ with $T = \frac{p^2}{2 m}$.", r"E = \frac{p^2}{2 m}"),  # a free particle
        (r"Let $G = A^\top A$.", r"\|A x\|^2 = x^\top x"),  # says that A is orthogonal
    ],
)
def test_nothing_is_refuted_by_what_is_missing(text: str, formula: str) -> None:
    row = check(f"{text}\n\n# Elsewhere\n\n$$ {formula} $$\n").rows[-1]
    assert row.verdict != "refuted", row.reason
