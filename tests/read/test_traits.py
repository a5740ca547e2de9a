r"""Facts in words: weights that sum to one, an orthogonal matrix, the identity I_n."""

from __future__ import annotations

import re

import pytest

import symattn as sa
from symattn.checker import check
from symattn.read import read

ROWS = "Sum(P[i, j], (j, 0, n - 1))"
COLUMNS = "Sum(P[i, j], (i, 0, n - 1))"
WEIGHTS = "Sum(w[i], (i, 0, n - 1))"
SQUARE = (
    "Sum(P[i, j]*P[i, k], (i, 0, n - 1))",
    "Sum(P[i, j]*P[k, j], (j, 0, n - 1))",
)


def facts(words):
    doc = read(words + "\n\n$$ Z_{ij} = P_{ij} U_{ij} w_i x_i $$\n", strict=False)
    return [re.sub(r"\bn\w*", "n", str(f.lhs)) for f in doc.facts]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("The weights $w_i$ sum to 1.", [WEIGHTS]),
        (r"where $w_i \ge 0$ sum to one", [WEIGHTS]),
        ("Let $w$ be a vector of weights that add up to one.", [WEIGHTS]),
        ("Each row of $P$ sums to one.", [ROWS]),
        ("$P$, whose columns sum to one,", [COLUMNS]),
        ("a doubly stochastic matrix $P$", [COLUMNS, ROWS]),
        ("a unit vector $w$", ["Sum(w[i]**2, (i, 0, n - 1))"]),
        ("an orthogonal matrix $P$", [*SQUARE]),
        ("with orthogonal $P$ and diagonal $D$", [*SQUARE]),
        ("with an orthogonal $P$ and $U$ diagonal", [*SQUARE]),
        ("with $P$ orthogonal and $D$ diagonal", [*SQUARE]),
        (r"with $P$ an orthogonal $n \times n$ matrix", [*SQUARE]),
        ("$P$ (orthogonal)", [*SQUARE]),
        ("where $P$ and $R$ are orthogonal,", [*SQUARE]),
        ("$P$ has orthonormal columns.", [SQUARE[0]]),
        ("The columns of $P$ are orthonormal vectors.", [SQUARE[0]]),
        ("with nearly orthogonal $P$", []),
        ("with orthogonal $D$ and $P$ symmetric", []),
        ("with $D$ orthogonal and diagonal matrix $P$", []),
        ("with orthogonal $D$ and $P$ diagonal", []),
        ("with an orthogonal matrix $D$ and $P$", []),
        ("The columns of $P$ are orthogonal.", []),
        ("The orthogonal projection $P$ of $D$ is", []),
        (r"Let $P \in \mathbb{R}^{n \times k}$ be orthogonal.", []),
        ("Let $Z$ be orthogonal.", []),
        ("The rows of $Z$ sum to one.", []),
        ("The weights $w_i$ do not sum to one.", []),
        ("The weights $w_i$ nearly sum to one.", []),
        ("If the $w_i$ sum to one,", []),
        ("The rows of $P$ sum to zero.", []),
        ("$w$ is orthogonal to $x$.", []),
        ("$P_{ij}$ sums to one.", []),
        ("Let $w$ be one-hot.", [WEIGHTS]),
        ("With $x$ one-hot and dense $w$ we have", ["Sum(x[i], (i, 0, n - 1))"]),
        ("Let $x$ be one-hot and $w$ a vector.", ["Sum(x[i], (i, 0, n - 1))"]),
        ("Let $x$ be a one-hot vector and let $w$ be any vector.", ["Sum(x[i], (i, 0, n - 1))"]),
    ],
)
def test_words_give_facts(words, expected):
    assert facts(words) == expected


def test_sums_without_an_axis_refute_nothing():
    doc = read("$P_{ij}$ sums to one.\n\n$$ z = \\sum_{ij} P_{ij} x_i $$", strict=False)
    assert "P" in doc.unresolved


def verdicts(text):
    return [r.verdict for r in check(text, corrections=False) if r.kind not in ("shape", "fact")]


def test_facts_decide():
    text = r"""
Let $y_{ij}$ be targets whose rows sum to one, and $z_{ij}$ scores. Let $U\in\mathbb{R}^{n\times n}$ be orthogonal.

$$ p_{ij} = \frac{e^{z_{ij}}}{\sum_k e^{z_{ik}}}, \qquad L = -\sum_{ij} y_{ij} \log p_{ij} $$
$$ \frac{\partial L}{\partial z_{ij}} = p_{ij} - y_{ij} $$
$$ \|U x\|^2 = \|x\|^2 $$
"""  # noqa: E501
    assert verdicts(text) == ["definition", "definition", "proved", "proved"]
    assert verdicts(text.replace("rows", "columns"))[2] == "refuted"
    assert verdicts(text.replace("orthogonal", "symmetric"))[3] != "proved"


def test_identities_have_a_size():
    text = r"""
Let $X\in\mathbb{R}^{n\times k}$.

$$ M = I_n - X (X^\top X)^{-1} X^\top, \qquad \mathrm{tr}(M) = n - k $$
$$ X^\top (X X^\top + \lambda I_n) = (X^\top X + \lambda I_k) X^\top $$
$$ (X X^\top + I_k) X = X (X^\top X + I_k) $$
$$ J = \sum_{i=1}^m I_i $$
"""
    rows = check(text, corrections=False)
    found = ["definition", "proved", "proved", "skipped", "definition"]
    assert [r.verdict for r in rows if r.kind != "shape"] == found
    assert "two sizes" in next(r.reason for r in rows if r.verdict == "skipped")


def test_symmetry_of_the_first_alone():
    text = r"""
Let $\Sigma\in\mathbb{R}^{d\times d}$ be symmetric and $W\in\mathbb{R}^{d\times d}$.

$$ x^\top W y = y^\top W x $$
$$ x^\top \Sigma y = y^\top \Sigma x $$
"""
    first, second = verdicts(text)
    assert (first, second) == ("conditional", "proved")


def test_functions_without_their_arguments():
    """∂f/∂x is of the f before it in its display; in another display it may be any f."""
    text = r"""
$$ f(x, y) = x y \quad\Rightarrow\quad \frac{\partial f}{\partial x} = y $$
$$ f(x, y) = x + 2 y \quad\Rightarrow\quad \frac{\partial f}{\partial y} = 1 $$
$$ f(x) = 1/x, \qquad f_c(x) = c + x \qquad \frac{df}{dx} = 1 $$
$$ \frac{df}{dx} = 17 $$
"""
    first, second = ["definition", "proved"], ["definition", "refuted"]
    third = ["definition", "definition", "proved", "unproved"]
    assert verdicts(text) == [*first, *second, *third]


def test_capitals_that_are_numbers():
    text = r"""
$$ r_t = A e^{-k \tau_t} - y_t, \qquad L = \frac12 \sum_t r_t^2 $$
$$ \frac{\partial L}{\partial A} = \sum_t r_t e^{-k \tau_t} $$
$$ F_a = -\frac{G m M}{s^3} (x_a - z_a), \qquad h_i = W v_i $$
"""
    doc = read(text, strict=False)
    ranks = {n: len(x.shape) for n, x in doc.inputs.items() if hasattr(x, "shape")}
    assert {n for n in "AGMm" if ranks.get(n)} == set()
    assert verdicts(text)[2] == "proved"


def test_letters_of_functions_are_numbers():
    text = (
        r"$$ g(m) = \tanh(m), \quad g'(m) = 1 - g(m)^2, \quad C = (\sum_i a_i x_i^\rho)^{1/\rho} $$"
    )
    doc = read(text, strict=False)
    assert not doc.refused
    assert verdicts(text)[1] == "proved"


MASKED = r"""
$$ f = \frac{1}{2} \| M \odot (R - U V^\top) \|_F^2 $$

$$ \nabla_U f = -\left( M \odot (R - U V^\top) \right) V $$
"""


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (r"A mask $M$ with entries in $\{0, 1\}$.", "proved"),
        (r"$M$ is a binary mask.", "proved"),
        (r"$M_{ij} = 1$ if the entry is observed and 0 otherwise.", "proved"),
        (r"$M_{ij} = 0$ if it is missing, and $M_{ij} = 1$ otherwise.", "proved"),
        (r"Here $M$ is the mask of what is known.", "unproved"),
        (r"The matrix $M$ is not a binary mask.", "unproved"),
        (r"A matrix $M$ with entries in $\{0, 2\}$.", "refuted"),
        (r"$M_{ij} = 1$ if the entry is observed and 2 otherwise.", "refuted"),
    ],
)
def test_masks_are_their_squares(words: str, verdict: str) -> None:
    assert sa.check(words + MASKED, corrections=False).rows[-1].verdict == verdict
    wrong = MASKED.replace("= -", "= ")
    assert sa.check(words + wrong, corrections=False).rows[-1].verdict == "refuted"


@pytest.mark.parametrize(
    "words",
    [
        "The binary cross-entropy loss $L$ is small.",
        "Let $L$ be a binary tree.",
        "A binary classifier has the loss $L$.",
        "For binary classification $L$ is used.",
    ],
)
def test_what_is_called_binary_is_not_of_bits(words: str) -> None:
    row = sa.check(words + "\n\n$$ L^2 = L $$\n", corrections=False).rows[-1]
    assert row.verdict not in ("proved", "refuted")


def test_binary_labels_are_their_squares() -> None:
    text = "For binary labels $y$,\n\n$$ \\sum_i y_i^2 = RIGHT \\sum_i y_i $$\n"
    found = [sa.check(text.replace("RIGHT", c), corrections=False).rows[-1] for c in ("", "2")]
    assert [r.verdict for r in found] == ["proved", "refuted"]


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("The kernel matrix $K$ (symmetric positive definite) is given.", "proved"),
        ("The matrix $K$ (which is symmetric) is given.", "proved"),
        ("The matrix $K$ (not symmetric) is given.", "conditional"),
        ("The matrix $K$ (of a model) is given.", "conditional"),
    ],
)
def test_a_quality_in_brackets(words: str, verdict: str) -> None:
    text = words + "\n\n$$ f = x^\\top K y $$\n\n$$ f = y^\\top K x $$\n"
    assert sa.check(text, corrections=False).rows[-1].verdict == verdict
