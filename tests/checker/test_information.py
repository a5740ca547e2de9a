"""Entropies that a text makes of entries p_ij are judged by these."""

import pytest

import symattn as sa

TEXT = r"""Let $p_{ij}$ be a joint distribution with $\sum_{ij} p_{ij} = 1$ and

$$ r_i = \sum_j p_{ij}, \qquad q_j = \sum_i p_{ij}. $$

$$ H(X) = -\sum_i r_i \log r_i, \quad H(Y) = -\sum_j q_j \log q_j, \quad
H(X,Y) = -\sum_{i,j} p_{ij} \log p_{ij}. $$

$$ CLAIM $$
"""


@pytest.mark.parametrize(
    "claim, verdict",
    [
        (r"-\sum_{i,j} p_{ij} \log\frac{p_{ij}}{r_i} = H(X,Y) - H(X)", "proved"),
        (r"-\sum_{i,j} p_{ij} \log\frac{p_{ij}}{r_i} = H(X,Y) - H(Y)", "refuted"),
        (r"\sum_{i,j} p_{ij} \log\frac{p_{ij}}{r_i q_j} = H(X) + H(Y) - H(X,Y)", "proved"),
        (r"\sum_{i,j} p_{ij} \log\frac{p_{ij}}{r_i q_j} = H(X) + H(Y) + H(X,Y)", "refuted"),
    ],
)
def test_information_by_entries(claim, verdict):
    rows = sa.check(TEXT.replace("CLAIM", claim), corrections=False, timeout=None).rows
    assert rows[-1].verdict == verdict
    assert [r.verdict for r in rows if r.latex.startswith("H(")] == ["definition"] * 3
