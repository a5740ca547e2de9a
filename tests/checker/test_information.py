"""Entropies that a text makes of entries p_ij are judged by these."""

import pytest

import symattn as sa

TEXT = r"""# Entropy and mutual information

Let $p_{ij}$ be a joint distribution with $\sum_{ij} p_{ij} = 1$ and

$$ r_i = \sum_j p_{ij}, \qquad q_j = \sum_i p_{ij}. $$

$$ H(X) = -\sum_i r_i \log r_i, \quad H(Y) = -\sum_j q_j \log q_j, \quad
H(X,Y) = -\sum_{i,j} p_{ij} \log p_{ij}. $$

The divergence of $p$ and $w$ is

$$ D_{KL}(p\|w) = \sum_i r_i \log\frac{r_i}{w_i} = -\sum_i r_i \log w_i - H(X). $$

$$ CLAIM $$
"""


@pytest.mark.parametrize(
    "claim, verdict",
    [
        (r"H(Y|X) = -\sum_{i,j} p_{ij} \log\frac{p_{ij}}{r_i} = H(X,Y) - H(X)", "proved"),
        (r"H(Y|X) = -\sum_{i,j} p_{ij} \log\frac{p_{ij}}{r_i} = H(X,Y) + H(X)", "refuted"),
        (r"-\sum_{i,j} p_{ij} \log\frac{p_{ij}}{r_i} = H(X,Y) - H(X)", "proved"),
        (r"-\sum_{i,j} p_{ij} \log\frac{p_{ij}}{r_i} = H(X,Y) - H(Y)", "refuted"),
        (r"\sum_{i,j} p_{ij} \log\frac{p_{ij}}{r_i q_j} = H(X) + H(Y) - H(X,Y)", "proved"),
        (r"\sum_{i,j} p_{ij} \log\frac{p_{ij}}{r_i q_j} = H(X) + H(Y) + H(X,Y)", "refuted"),
    ],
)
@pytest.mark.parametrize("marginal", ["r_i", "p_i"])
def test_information_by_entries(claim, verdict, marginal):
    text = TEXT.replace("CLAIM", claim).replace("r_i", marginal)
    rows = sa.check(text, corrections=False, timeout=None).rows
    assert rows[-1].verdict == verdict
    said = [r.verdict for r in rows if r.latex.lstrip().startswith("H(")]
    assert said == ["definition"] * (3 + claim.startswith("H("))
