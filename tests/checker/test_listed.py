"""Vectors by their components in brackets, and what else stands in brackets."""

import pytest

import symattn as sa

TORUS = r"Let $x(u, v) = ((R + r\cos u)\cos v, (R + r\cos u)\sin v, r\sin u)$. Then"
TURNED = r"Let $\phi(x) = (1, x, x^2)^\top$. Then"
CIRCLE = r"Let $p = a (\cos t, \sin t)^\top$. Then"


@pytest.mark.parametrize(
    ("text", "formula", "verdict"),
    [
        (TORUS, r"\left\|\frac{\partial x}{\partial v}\right\|^2 = (R + r\cos u)^2", "proved"),
        (TORUS, r"\left\|\frac{\partial x}{\partial v}\right\|^2 = (R + r\sin u)^2", "refuted"),
        (TORUS, r"\frac{\partial x}{\partial u} \cdot \frac{\partial x}{\partial v} = 0", "proved"),
        (TURNED, r"\phi(x)^\top \phi(y) = 1 + x y + x^2 y^2", "proved"),
        (TURNED, r"\phi(x)^\top \phi(y) = 1 + x y - x^2 y^2", "refuted"),
        (CIRCLE, r"p^\top p = a^2", "proved"),
        (CIRCLE, r"p^\top p = a", "refuted"),
    ],
)
def test_components_in_brackets_are_a_column(text: str, formula: str, verdict: str) -> None:
    row = sa.check(f"{text}\n\n$$ {formula} $$\n", corrections=False, timeout=None).rows[-1]
    assert row.verdict == verdict


@pytest.mark.parametrize("right", ["(x, y)", "(b - s, b + s)", "(0, 1)", "(x_1, \\dots, x_n)"])
def test_pairs_and_intervals_are_no_vectors(right: str) -> None:
    rows = sa.check(f"Let $C = {right}$.\n\n$$ C^\\top C = 1 $$\n", corrections=False).rows
    assert "refuted" not in [r.verdict for r in rows]
