"""Theorems on matrices that are understood wholly, Kronecker products, and averages of sums."""

from __future__ import annotations

import pytest

from symattn.checker import check


def verdict(text: str, claim: str) -> str:
    return check(text.replace("@", claim), timeout=None, corrections=False).rows[-1].verdict


SQUARE = "Let $A$, $B$, $C$ and $D$ be square matrices. Then\n$$@$$\n"
KRONECKER = "Let $A$, $B$, $C$ and $D$ be square matrices and $X$ a square matrix. Then\n$$@$$\n"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (r"(A \otimes B)(C \otimes D) = (A C) \otimes (B D).",
         r"(A \otimes B)(C \otimes D) = (A D) \otimes (B C)."),
        (r"\operatorname{vec}(A X B) = (B^\top \otimes A) \operatorname{vec}(X).",
         r"\operatorname{vec}(A X B) = (A \otimes B^\top) \operatorname{vec}(X)."),
        (r"(A \otimes B)^\top = A^\top \otimes B^\top.",
         r"(A \otimes B)^\top = B^\top \otimes A^\top."),
        (r"(A \otimes B)^{-1} = A^{-1} \otimes B^{-1}.",
         r"(A \otimes B)^{-1} = B^{-1} \otimes A^{-1}."),
        (r"\operatorname{tr}(A \otimes B) = \operatorname{tr}(A) \operatorname{tr}(B).",
         r"\operatorname{tr}(A \otimes B) = \operatorname{tr}(A) + \operatorname{tr}(B)."),
        (r"\operatorname{vec}(A)^\top \operatorname{vec}(B) = \operatorname{tr}(A^\top B).",
         r"\operatorname{vec}(A)^\top \operatorname{vec}(B) = \operatorname{tr}(A B)."),
    ],
)  # fmt: skip
def test_kronecker_products(right: str, wrong: str) -> None:
    assert verdict(KRONECKER, right) == "proved"
    assert verdict(KRONECKER, wrong) == "refuted"


def test_rows_are_stacked_where_words_say_so() -> None:
    text = r"Let $\operatorname{vec}$ stack the rows of a matrix. Then" "\n$$@$$\n"
    claim = r"\operatorname{vec}(A X B) = (A \otimes B^\top) \operatorname{vec}(X)"
    assert verdict(text, claim) == "proved"
    other = r"\operatorname{vec}(A X B) = (B^\top \otimes A) \operatorname{vec}(X)"
    assert verdict(text, other) != "proved"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (r"\begin{pmatrix} A & B \\ 0 & D \end{pmatrix}^{-1} = "
         r"\begin{pmatrix} A^{-1} & -A^{-1} B D^{-1} \\ 0 & D^{-1} \end{pmatrix}.",
         r"\begin{pmatrix} A & B \\ 0 & D \end{pmatrix}^{-1} = "
         r"\begin{pmatrix} A^{-1} & A^{-1} B D^{-1} \\ 0 & D^{-1} \end{pmatrix}."),
        (r"\det \begin{pmatrix} A & B \\ C & D \end{pmatrix} = \det(A) \det(D - C A^{-1} B).",
         r"\det \begin{pmatrix} A & B \\ C & D \end{pmatrix} = \det(A) \det(D - B A^{-1} C)."),
        (r"\begin{pmatrix} A & B \\ C & D \end{pmatrix} = "
         r"\begin{pmatrix} I & 0 \\ C A^{-1} & I \end{pmatrix} "
         r"\begin{pmatrix} A & 0 \\ 0 & D - C A^{-1} B \end{pmatrix} "
         r"\begin{pmatrix} I & A^{-1} B \\ 0 & I \end{pmatrix}.",
         r"\begin{pmatrix} A & B \\ C & D \end{pmatrix} = "
         r"\begin{pmatrix} I & 0 \\ A^{-1} C & I \end{pmatrix} "
         r"\begin{pmatrix} A & 0 \\ 0 & D - C A^{-1} B \end{pmatrix} "
         r"\begin{pmatrix} I & A^{-1} B \\ 0 & I \end{pmatrix}."),
        (r"A^{-1} - B^{-1} = A^{-1} (B - A) B^{-1}.", r"A^{-1} - B^{-1} = A^{-1} (A - B) B^{-1}."),
    ],
)  # fmt: skip
def test_blocks_and_inverses(right: str, wrong: str) -> None:
    assert verdict(SQUARE, right) == "proved"
    assert verdict(SQUARE, wrong) == "refuted"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Let $P$ be a projection and let $Q = I - P$. Then\n$$@$$\n", "P Q = 0."),
        ("Let $A$ be an invertible matrix and let $B$ be the inverse of $A$. Then\n$$@$$\n",
         "A B = B A."),
        ("Let $A$ be a matrix and let $B$ denote the transpose of $A$. Then\n$$@$$\n",
         r"B^\top = A."),
        ("Let $A$ and $B$ be matrices. We look for $B$ such that\n$$@$$\n", "A B = B A."),
        ("Let $A \\in \\mathbb{R}^{n\\times n}$ be a matrix. The vectors $x, b \\in \\mathbb{R}^n$ "
         "satisfy\n$$@$$\n", "A x = b."),
        ("Let $A$ be a square matrix and $x, b \\in \\mathbb{R}^n$ vectors. We have\n$$@$$\n",
         "A x = b."),
        ("Let $A$ and $B$ be diagonal matrices of the same size. Then\n$$@$$\n", "A B - B A = 0."),
        ("Let $A$ and $B$ be matrices. Then\n$$@$$\nif they commute.\n", "A B = B A"),
        ("Let $A$ and $B$ be simultaneously diagonalisable matrices. Then\n$$@$$\n", "A B = B A."),
        ("# Notation\n\nAll matrices $A$ and $B$ commute.\n\n# Sums\n\nLet $A$ and $B$ be square "
         "matrices. Then\n$$@$$\n", "A B = B A."),
    ],
)  # fmt: skip
def test_what_words_say_more_of_is_not_refuted(text: str, claim: str) -> None:
    assert verdict(text, claim) not in ("refuted", "malformed")


def test_a_counterexample_is_shown() -> None:
    claim = r"A^{-1} - B^{-1} = A^{-1} (A - B) B^{-1}."
    row = check(SQUARE.replace("@", claim), timeout=None, corrections=False).rows[-1]
    assert row.counterexample is not None
    assert {*row.counterexample["values"]} >= {"A", "B"}
    assert row.counterexample["lhs"] != row.counterexample["rhs"]


SUM = "Let $X$ and $Y$ be random variables and let $Z = X + Y$. Then\n$$@$$\n"
AFFINE = "Let $X$ be random and let $Z = a X + b$ with constants $a$ and $b$. Then\n$$@$$\n"


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (SUM, r"\operatorname{Var}(Z) = \operatorname{Var}(X) + \operatorname{Var}(Y) "
         r"+ 2 \operatorname{Cov}(X, Y)", r"\operatorname{Var}(Z) = \operatorname{Var}(X) + "
         r"\operatorname{Var}(Y) + \operatorname{Cov}(X, Y)"),
        (SUM, r"\mathbb{E}[Z] = \mathbb{E}[X] + \mathbb{E}[Y]",
         r"\mathbb{E}[Z] = \mathbb{E}[X] - \mathbb{E}[Y]"),
        (AFFINE, r"\operatorname{Var}(Z) = a^2 \operatorname{Var}(X)",
         r"\operatorname{Var}(Z) = a \operatorname{Var}(X)"),
    ],
)  # fmt: skip
def test_what_is_averaged_is_written_out(text: str, right: str, wrong: str) -> None:
    assert verdict(text, right) == "proved"
    assert verdict(text, wrong) == "refuted"
