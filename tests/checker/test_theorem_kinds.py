"""Theorems on matrices of kinds that words name, what is not so, and what words leave open."""

from __future__ import annotations

import pytest

from symattn.checker import check


def verdict(text: str) -> str:
    return check(text, timeout=None, corrections=False).rows[-1].verdict


@pytest.mark.parametrize(
    ("words", "right", "wrong"),
    [
        ("Let $A$ be symmetric and $B$ orthogonal.", r"A^\top B = A B", r"B^\top = B"),
        ("Let $A$ and $B$ be symmetric.", r"(A B)^\top = B A", "A B = B A"),
        ("Let $P$ be an idempotent matrix.", "(I - P)^2 = I - P", "(I - P)^2 = I + P"),
        ("Let $P$ be a projector and $A$ a square matrix.", "A P A = A P P A", "A P A = A A P"),
        ("Let $S$ be an involution.", "S^3 = S", "S^3 = I"),
        ("Let $H$ be a Householder reflection.", r"H^\top H = I", r"H^\top + H = I"),
        ("Let $P$ be a permutation matrix.", r"P^{-1} = P^\top", "P^{-1} = P"),
        ("Let $R$ be a rotation matrix and $A$ a square matrix.",
         r"\operatorname{tr}(R A R^\top) = \operatorname{tr}(A)",
         r"\operatorname{tr}(R A R) = \operatorname{tr}(A)"),
        ("Let $S$ be skew-symmetric.", r"S^\top S = -S^2", r"S^\top S = S^2"),
        ("Suppose that $A$ is positive definite and $B$ is a square matrix.",
         r"(B A B^\top)^\top = B A B^\top", r"(B A)^\top = B A"),
        ("Let $D$ and $E$ be diagonal.", "D E = E D", r"D E = D^2"),
        ("Let $N$ be nilpotent of index two.", "(I + N)(I - N) = I", "(I + N)^2 = I + N"),
        ("Let $N$ be a square matrix such that $N^2 = 0$.", "(I + N)(I - N) = I",
         "(I + N)^2 = I + N"),
        ("Let $P$ and $Q$ be commuting projections.", "(P Q)^2 = P Q", "(P + Q)^2 = P + Q"),
        (r"Let $U \in \mathbb{R}^{n \times p}$ be a matrix with orthonormal columns.",
         r"(U U^\top)^2 = U U^\top", r"U U^\top = I"),
        (r"Let $u$ be a unit vector and $H = I - 2 u u^\top$.", "H^2 = I", "H^2 = H"),
        ("Let $A$ be symmetric. If $Q$ is orthogonal, then we look at both.",
         r"A^\top A = A^2", r"A^\top A = -A^2"),
    ],
)  # fmt: skip
def test_kinds(words: str, right: str, wrong: str) -> None:
    assert verdict(f"{words} Then\n\n$${right}$$\n") == "proved"
    assert verdict(f"{words} Then\n\n$${wrong}$$\n") in ("refuted", "conditional")


@pytest.mark.parametrize(
    "text",
    [
        "Let $A$ be an invertible matrix. Then $P A = L U$.",
        "Let $A$ and $B$ be real. Then $A B = B A$.",
        "Let $P$ and $Q$ be orthogonal projections. Then $P Q = 0$.",
        "Let $A$, $B$ and $A B$ be symmetric. Then $A B = B A$.",
        r"Let $A + B$ be symmetric. Then $A^\top + B^\top = A + B$.",
        "Let $A$ be a square matrix. Suppose it is idempotent. Then $A^3 = A$.",
        "Let $A$ be a square matrix. If $A$ is an involution, then it has a root. Then $A^2 = I$.",
        "Let $A$ be a symmetric matrix and $B$ its square. Then $A B = B A$.",
        r"Let $P$ be a projection. Then $P^\top = P$.",
        "Let $A$ be idempotent and $B$ similar to $A$. Then $B^2 = B$.",
        r"Let $A$ be symmetric with respect to the metric. Then $A^\top = A$.",
        "Let $N$ be nilpotent. Then $N^2 = 0$.",
        r"Let $A$ be a $2 \times 2$ rotation matrix. Then $A + A^\top = \operatorname{tr}(A) I$.",
    ],
)
def test_what_words_leave_open(text: str) -> None:
    row = check(text, timeout=None, corrections=False).rows[-1]
    assert row.verdict not in ("proved", "refuted", "malformed")
    assert "fault" not in row.reason


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (r"(A^\top)^\top + B = A + B", "proved"),
        (r"(A^\top)^\top B = A^\top B", "conditional"),
        (r"((A^\top)^\top)^\top B = A^\top B", "proved"),
        (r"A^{\top\top} B = A B", "proved"),
        (r"A x = (A x)^\top", "conditional"),
        (r"(A x + y)^\top = x^\top A^\top + y^\top", "proved"),
    ],
)
def test_what_is_transposed_twice(claim: str, expected: str) -> None:
    words = r"Let $A, B \in \mathbb{R}^{n \times n}$ and $x, y \in \mathbb{R}^n$."
    assert verdict(f"{words} We have ${claim}$.") == expected


@pytest.mark.parametrize(
    "text",
    [
        r"Let $A$ be a square matrix such that $A^2 = 0$. Then $\det(A A) = \det(A)$.",
        r"Let $H$ be a square matrix with $H^2 = 0$. Let $R$ be skew-symmetric. "
        r"Then $(R H H)^\top = H^\top H^\top R$.",
    ],
)
def test_what_facts_make_true_is_not_refuted_without_them(text: str) -> None:
    assert verdict(text) not in ("refuted", "malformed")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We look at some of their products. Then $X Y = Y X$.", "conditional"),
        ("We look at some of their squares. Then $(X + Y)^2 = X^2 + 2 X Y + Y^2$.", "conditional"),
        ("We look at real numbers $X$ and $Y$. Then $X Y = Y X$.", "proved"),
        ("Here $P$ is a reflection, $X$ is very nice too. Then $X P = P X$.", "conditional"),
    ],
)
def test_capitals_commute_where_they_are_numbers(text: str, expected: str) -> None:
    assert verdict(text) == expected


def test_a_matrix_beside_its_own_inverse_is_not_symmetric() -> None:
    claim = r"$$C^\top C^{-1} C = C$$"
    assert verdict(f"Let $C$ be an invertible matrix. Hence\n\n{claim}\n") == "conditional"
    words = r"Let $x \in \mathbb{R}^n$ and $C \in \mathbb{R}^{n \times n}$. Then"
    claim = r"x^\top C^{-1} x + x^\top C^{-\top} y = x^\top C^{-1} x + x^\top C^{-1} y"
    row = check(f"{words} $${claim}.$$", timeout=None, corrections=False).rows[-1]
    assert row.verdict == "proved"
    assert "C: a symmetric matrix, as its inverse stands in a quadratic form" in row.assumed
