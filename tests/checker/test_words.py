"""Matrix identities by words: push-through, Woodbury, factors, blocks; and near misses of each."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.checker.report import Row

HEAD = (
    r"Let $U \in \mathbb{R}^{n \times k}$, $V \in \mathbb{R}^{k \times n}$, "
    r"$W \in \mathbb{R}^{k \times k}$, $A \in \mathbb{R}^{n \times n}$, $y \in \mathbb{R}^n$, "
    r"$z \in \mathbb{R}^k$ and $\lambda > 0$." + "\n\n"
)
BLOCKS = (
    r"Let $A \in \mathbb{R}^{n \times n}$, $B \in \mathbb{R}^{n \times m}$, "
    r"$C \in \mathbb{R}^{m \times n}$, $D \in \mathbb{R}^{m \times m}$, $x, u \in \mathbb{R}^n$, "
    r"$y \in \mathbb{R}^m$." + "\n\n"
)
WHOLE = r"\begin{pmatrix} A & B \\ C & D \end{pmatrix}"
SCHUR = r"(A - B D^{-1} C)^{-1}"
WOODBURY = r"(A + U W V)^{-1} = A^{-1} - A^{-1} U (W^{-1} + V A^{-1} U)^{-1} V A^{-1}"


def row(latex: str, head: str = HEAD) -> Row:
    return check(f"{head}$$ {latex} $$\n", corrections=False).rows[-1]


@pytest.mark.parametrize(
    "latex",
    [
        WOODBURY,
        r"(\lambda I + U V)^{-1} U = U (\lambda I + V U)^{-1}",
        r"y^\top (\lambda I + U V)^{-1} U z = y^\top U (\lambda I + V U)^{-1} z",
        r"(A + U V)^{-1} U W = A^{-1} U (I + V A^{-1} U)^{-1} W",
        r"W (W^\top W)^{-1} = (W^\top)^{-1}",
        r"A A^{-2} U = A^{-1} U",
        r"(A + U V)^{-3} (A + U V) = (A + U V)^{-2}",
    ],
)
def test_inverses_are_cleared(latex: str) -> None:
    assert row(latex).verdict == "proved"


@pytest.mark.parametrize(
    "latex",
    [
        WOODBURY.replace("- A^{-1} U", "+ A^{-1} U"),
        WOODBURY.replace("W^{-1}", "W"),
        WOODBURY.replace("V A^{-1} U)", "V A U)"),
        r"(\lambda I + U V)^{-1} U = U (\lambda I - V U)^{-1}",
        r"y^\top (\lambda I + U V)^{-1} U z = y^\top U (I + V U)^{-1} z",
        r"(A + U V)^{-1} U W = A^{-1} U W (I + V A^{-1} U)^{-1}",
        r"W (W^\top W)^{-1} = W^{-1}",
        r"A A^{-2} U = A^{-3} U",
        r"(A + U V)^{-3} (A + U V) = (A + U V)^{-1}",
    ],
)
def test_a_slip_in_it_is_not_proved(latex: str) -> None:
    assert row(latex).verdict != "proved"


FACTORS = (
    r"Let $X \in \mathbb{R}^{n \times m}$ and $L \in \mathbb{R}^{n \times n}$ be matrices.  "
    "Define\n\n"
    r"$$ K = L L^\top $$" + "\n\n" + r"$$ M = K + X X^\top $$" + "\n\n"
)


def test_what_is_a_product_of_inverted_matrices_is_inverted_factor_by_factor() -> None:
    inner = r"(I + L^{-1} X X^\top L^{-\top})^{-1}"
    assert row(rf"M^{{-1}} = L^{{-\top}} {inner} L^{{-1}}", FACTORS).verdict == "proved"
    assert row(rf"M^{{-1}} = L^{{-1}} {inner} L^{{-\top}}", FACTORS).verdict != "proved"


@pytest.mark.parametrize(
    "latex",
    [
        rf"{WHOLE}^{{-1}} = \begin{{pmatrix}} {SCHUR} & -{SCHUR} B D^{{-1}} \\ "
        rf"-D^{{-1}} C {SCHUR} & D^{{-1}} + D^{{-1}} C {SCHUR} B D^{{-1}} \end{{pmatrix}}",
        r"\det \begin{pmatrix} A & B \\ C & D \end{pmatrix} = \det(D) \det(A - B D^{-1} C)",
        r"\det \begin{pmatrix} A & B \\ C & D \end{pmatrix} = \det(A) \det(D - C A^{-1} B)",
        r"A x + u = \begin{pmatrix} A & u \end{pmatrix} \begin{pmatrix} x \\ 1 \end{pmatrix}",
        r"\begin{pmatrix} A & 0 \\ 0 & D \end{pmatrix}^{-1} = "
        r"\begin{pmatrix} A^{-1} & 0 \\ 0 & D^{-1} \end{pmatrix}",
        rf"{WHOLE} \begin{{pmatrix}} x \\ y \end{{pmatrix}} = "
        r"\begin{pmatrix} A x + B y \\ C x + D y \end{pmatrix}",
    ],
)
def test_matrices_of_blocks_are_multiplied_out(latex: str) -> None:
    assert row(latex, BLOCKS).verdict == "proved"


@pytest.mark.parametrize(
    "latex",
    [
        rf"{WHOLE}^{{-1}} = \begin{{pmatrix}} {SCHUR} & {SCHUR} B D^{{-1}} \\ "
        rf"-D^{{-1}} C {SCHUR} & D^{{-1}} + D^{{-1}} C {SCHUR} B D^{{-1}} \end{{pmatrix}}",
        r"\det \begin{pmatrix} A & B \\ C & D \end{pmatrix} = \det(D) \det(A + B D^{-1} C)",
        r"\det \begin{pmatrix} A & B \\ C & D \end{pmatrix} = \det(A) \det(A - B D^{-1} C)",
        r"\log \det \begin{pmatrix} A & B \\ C & D \end{pmatrix} = "
        r"\log \det(D) \log \det(A - B D^{-1} C)",
        r"A x + u = \begin{pmatrix} A & u \end{pmatrix} \begin{pmatrix} u \\ 1 \end{pmatrix}",
        r"\begin{pmatrix} A & 0 \\ 0 & D \end{pmatrix}^{-1} = "
        r"\begin{pmatrix} A^{-1} & 0 \\ 0 & D \end{pmatrix}",
        rf"{WHOLE}^\top = {WHOLE}",
        rf"{WHOLE} \begin{{pmatrix}} x \\ y \end{{pmatrix}} = "
        r"\begin{pmatrix} A x - B y \\ C x + D y \end{pmatrix}",
    ],
)
def test_a_slip_in_a_block_is_not_proved(latex: str) -> None:
    assert row(latex, BLOCKS).verdict != "proved"


def test_what_is_the_same_as_a_display_is_the_display():
    r"""`$x \in \mathbb{R}^d$, is \[ … \] which is the same as` says nothing of the values of x."""
    head = r"Let $W \in \mathbb{R}^{d \times q}$ and $M = W^\top W + I$. "
    first = r"The mean, with data $x \in \mathbb{R}^d$, is $$ m = M^{-1} W^\top x , $$ which"
    claim = "\n\n$$ \\|x - W m\\|^2 = \\|x\\|^2 + x^\\top W m $$\n"
    same = f"{head}{first} is the same as $$ M m = W^\\top x . $$"
    assert check(same + claim, corrections=False).rows[-1].verdict == "refuted"
    free = f"{head}{first} is small. The entries of $x$, which are constant, do not matter."
    assert check(free + claim, corrections=False).rows[-1].verdict == "unproved"


def test_a_gradient_of_which_nothing_else_is_said_has_any_entries():
    head = r"A gradient $G \in \mathbb{R}^{m \times n}$ gives $R = G^\top G + c I$." + "\n\n"
    assert check(f"{head}$$ \\mathrm{{tr}}(R) = \\|G\\|_F^2 + c m $$").rows[-1].verdict == "refuted"
    tied = r"For $x \in \mathbb{R}^n$ the gradient $g \in \mathbb{R}^n$ has $q = \|g\|^2$." + "\n\n"
    assert check(f"{tied}$$ q + x^\\top x = 2 q - x^\\top g $$").rows[-1].verdict == "unproved"
