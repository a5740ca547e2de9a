"""Matrices that words or equations make diagonal: entries, powers, degrees of a graph."""

import pytest

import symattn as sa

GRAPH = r"""Let $A$ be the symmetric adjacency matrix of a graph and WORDS

$$ L = D - A $$

$$ CLAIM $$
"""


@pytest.mark.parametrize(
    "words",
    [
        r"$D$ the degree matrix, $D_{ii} = \sum_j A_{ij}$.",
        r"let $D$ be diagonal with $D_{ii} = \sum_j A_{ij}$. The matrix $D$ is diagonal.",
        r"$D = \mathrm{diag}(d)$ with $d_i = \sum_j A_{ij}$.",
    ],
)
@pytest.mark.parametrize(
    "claim, verdict",
    [
        (r"x^\top L x = \frac12 \sum_{i,j} A_{ij} (x_i - x_j)^2", "proved"),
        (r"x^\top L x = \sum_{i,j} A_{ij} (x_i - x_j)^2", "refuted"),
        (r"I - D^{-1/2} A D^{-1/2} = D^{-1/2} L D^{-1/2}", "proved"),
        (r"I - D^{-1/2} A D^{-1/2} = D^{1/2} L D^{-1/2}", "refuted"),
        (r"I + D^{-1/2} A D^{-1/2} = D^{-1/2} L D^{-1/2}", "refuted"),
    ],
)
def test_degrees_and_powers_of_what_is_diagonal(words, claim, verdict):
    text = GRAPH.replace("WORDS", words).replace("CLAIM", claim)
    assert sa.check(text, corrections=False, timeout=None).rows[-1].verdict == verdict


@pytest.mark.parametrize(
    "claim, verdict",
    [("D^{1/2} D^{1/2} = D", "proved"), ("D^{1/2} D^{1/2} = 2 D", "refuted")],
)
def test_a_root_of_a_matrix_that_words_call_diagonal(claim, verdict):
    text = f"Let $D$ be a diagonal matrix with positive entries.\n\n$$ {claim} $$\n"
    assert sa.check(text, corrections=False, timeout=None).rows[-1].verdict == verdict


@pytest.mark.parametrize(
    ("words", "diagonal"),
    [
        ("with diagonal $D$ and symmetric $M$.", True),
        ("with symmetric $M$ and $D$ diagonal.", True),
        ("with a matrix $M$ and $D$ (diagonal).", True),
        ("where $D$ and $E$ are real diagonal matrices.", True),
        (r"where $D = \operatorname{diag}(d)$.", True),
        (r"where $D = \operatorname{diag}(d^2)$.", True),
        ("with block diagonal $D$.", False),
        ("with the diagonal $d$ of $D$.", False),
        ("where $D$ is diagonally dominant.", False),
        ("where $D$ is not diagonal.", False),
    ],
)
def test_words_that_make_a_matrix_diagonal(words: str, diagonal: bool) -> None:
    claim = r"Let $W = M D$ WORDS Then $\operatorname{tr}(D^2) = \sum_i D_{ii}^2$.".replace(
        "WORDS", words
    )
    found = sa.check(claim, corrections=False).rows[-1].verdict
    assert (found == "proved") == diagonal


@pytest.mark.parametrize("words", ["The diagonal $d$ is given.", "Along the main diagonal $d$."])
def test_a_diagonal_is_no_matrix(words: str) -> None:
    text = rf"Let $W = M D$. {words} Then $d^\top d = \sum_i d_i^2$."
    assert sa.check(text, corrections=False).rows[-1].verdict == "proved"
