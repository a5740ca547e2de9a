r"""∂ℓ/∂Λ where Λ = Σ⁻¹ and ℓ is made of Σ: Σ is Λ⁻¹ then."""

import pytest

import symattn as sa

TEXT = r"""Let $\Sigma \in \mathbb{R}^{d\times d}$ and $S \in \mathbb{R}^{d\times d}$ be symmetric
and

$$\ell = -\frac N2 \log\det\Sigma - \frac12 \mathrm{tr}(\Sigma^{-1} S)$$

With $\Lambda = \Sigma^{-1}$ it follows that

$$\frac{\partial\ell}{\partial\Lambda} = SIDE$$
"""


@pytest.mark.parametrize(
    ("side", "verdicts"),
    [
        (r"\frac N2 \Lambda^{-1} - \frac12 S", ("proved", "conditional")),
        (r"\frac N2 \Lambda^{-1} - S", ("refuted",)),
        (r"\frac N2 \Lambda - \frac12 S", ("refuted",)),
        (r"-\frac N2 \Lambda^{-1} + \frac12 S", ("refuted",)),
    ],
)
def test_a_derivative_by_an_inverse(side, verdicts):
    assert sa.check(TEXT.replace("SIDE", side), corrections=False).rows[-1].verdict in verdicts
