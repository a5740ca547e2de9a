r"""Matrices that words call diagonal, with entries in an equation or in the words."""

from __future__ import annotations

import pytest

from symattn import check

GRAPH = r"""Let $W$ be a symmetric $n \times n$ matrix, and let $R$ be the diagonal matrix
with entries $R_{ii} = \sum_j W_{ij}$. Let

$$ T = R - W $$

$$ %s $$
"""
NEWTON = r"""Let $X \in \mathbb{R}^{n \times d}$, $z = X w$ and $q_i = \frac{1}{1 + e^{-z_i}}$.

$$ \ell = -\sum_i \left( y_i \log q_i + (1 - y_i) \log(1 - q_i) \right) $$

$$ %s $$

where $S$ is a diagonal matrix with $q_i (1 - q_i)$ on the diagonal.
"""
OTHERS = [
    "Let $R$ be a matrix with entries $R_{ii} = \\sum_j W_{ij}$.",
    "Let $R$ be a block diagonal matrix with $R_{ii} = \\sum_j W_{ij}$.",
    "If $R$ is a diagonal matrix with entries $R_{ii} = \\sum_j W_{ij}$, we are done.",
]


@pytest.mark.parametrize(
    ("text", "claim", "slip"),
    [
        (GRAPH, r"u^\top T u = \frac12 \sum_{i,j} W_{ij} (u_i - u_j)^2", (r"\frac12 ", "")),
        (GRAPH, r"\sum_j T_{ij} = 0", ("T_", "R_")),
        (GRAPH, r"\mathrm{tr}(R) = \sum_{i,j} W_{ij}", (r"{i,j} W_{ij}", "i W_{ii}")),
        (NEWTON, r"\nabla_w^2 \ell = X^\top S X", ("= X", "= -X")),
        (NEWTON, r"\mathrm{tr}(S) = \sum_i q_i (1 - q_i)", ("(1 - q", "(1 + q")),
    ],
)
def test_a_diagonal_matrix(text: str, claim: str, slip: tuple[str, str]) -> None:
    rows = {r.latex: r.verdict for r in check(text % claim, corrections=False)}
    assert rows[claim] == "proved"
    wrong = claim.replace(*slip)
    assert wrong != claim
    rows = {r.latex: r.verdict for r in check(text % wrong, corrections=False)}
    assert rows[wrong] != "proved"
    assert rows[wrong] == "refuted" or wrong.endswith("= 0")


@pytest.mark.parametrize("words", OTHERS)
def test_what_words_do_not_call_diagonal(words: str) -> None:
    text = f"Let $W$ be symmetric. {words}\n\n$$ T = R - W $$\n\n$$ \\sum_j T_{{ij}} = 0 $$\n"
    assert check(text, corrections=False).rows[-1].verdict not in ("proved", "refuted")


def test_an_oblong_matrix_is_not_diagonal_from_end_to_end() -> None:
    text = r"""Let $A = U S V^\top$ where $S \in \mathbb{R}^{n \times p}$ is the diagonal matrix
with entries $s_i$, $U^\top U = I$ and $V^\top V = I$.

$$ A V = U S $$
"""
    rows = check(text, corrections=False).rows
    assert all(r.latex for r in rows)
    assert rows[-1].verdict == "proved"


def test_eigenvalues() -> None:
    text = r"""Let $A = Q T Q^\top$ where $T$ is the diagonal matrix with entries $t_i$ and $Q$ is
orthogonal.

$$ \mathrm{tr}(A^2) = %s $$
"""
    assert check(text % r"\sum_i t_i^2", corrections=False).rows[-1].verdict == "proved"
    assert check(text % r"2 \sum_i t_i^2", corrections=False).rows[-1].verdict != "proved"


SINGULAR = r"""Let $X \in \mathbb{R}^{n \times p}$, and let $X = U S V^\top$ be its
singular value decomposition.

$$ %s $$
"""
EIGEN = r"""The eigendecomposition of the symmetric matrix $A$ is $A = Q \Lambda Q^\top$.

$$ %s $$
"""


@pytest.mark.parametrize(
    ("text", "formula", "verdict"),
    [
        (SINGULAR, r"X^\top X = V S^2 V^\top", "proved"),
        (SINGULAR, r"X X^\top = U S^2 U^\top", "proved"),
        (SINGULAR, r"X X^\top = U S U^\top", "refuted"),
        (SINGULAR, r"X^\top X = U S^2 U^\top", "refuted"),
        (SINGULAR, r"\mathrm{tr}(X^\top X) = \sum_i S_{ii}^2", "proved"),
        (SINGULAR.replace("singular value decomposition", "product"),
         r"X^\top X = V S^2 V^\top", "conditional"),  # of orthogonal factors
        (EIGEN, r"A^2 = Q \Lambda^2 Q^\top", "proved"),
        (EIGEN, r"A^2 = Q \Lambda Q^\top", "refuted"),
        (EIGEN, r"\mathrm{tr}(A) = \sum_i \Lambda_{ii}", "proved"),
    ],
)  # fmt: skip
def test_factorisations_in_words(text, formula, verdict):
    found = check(text % formula, corrections=False, timeout=None).rows[-1].verdict
    assert found == verdict or (verdict == "refuted" and found in ("malformed", "skipped"))


def test_any_diagonal_matrix():
    head = (
        "Let $D$ and $A$ be $n \\times n$ matrices, where $D$ is a diagonal matrix.\n\n$$ %s $$\n"
    )

    def verdict(formula):
        return check(head % formula, corrections=False, timeout=None).rows[-1].verdict

    assert verdict(r"(D A)_{ij} = D_{ii} A_{ij}") == "proved"
    assert verdict(r"(D A)_{ij} = A_{ij} D_{jj}") == "skipped"  # it may be a condition


def test_other_products_of_such_a_text_are_none():
    r"""M = P D R^\top beside an eigendecomposition has no orthonormal P."""
    said = "$A = Q \\Lambda Q^\\top$"
    text = EIGEN.replace(said, said + ", and let $M = P D R^\\top$")
    for formula in (r"M^\top M = R D^2 R^\top", r"P^\top P = I"):
        found = check(text % formula, corrections=False, timeout=None).rows[-1].verdict
        assert found != "proved", formula
