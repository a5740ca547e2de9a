r"""Derivatives by squares, logarithms and reciprocals: ∂f/∂σ^2 = (∂f/∂σ) / (2σ)."""

from __future__ import annotations

import pytest

import symattn as sa

LIKELIHOOD = r"\ell = -\frac{n}{2} \log \sigma^2 - \frac{s}{2 \sigma^2}"
OCCUPANCY = r"\theta = \frac{c}{c + K}"
RATE = r"k = A e^{-E/(R T)}"
SUM = r"L = \sum_i \left( \log \sigma_i^2 + \frac{r_i^2}{\sigma_i^2} \right)"


@pytest.mark.parametrize(
    ("given", "claim", "verdict"),
    [
        (LIKELIHOOD, r"\frac{\partial \ell}{\partial \sigma^2} = L1", "proved"),
        (LIKELIHOOD, r"\frac{\partial \ell}{\partial \sigma^2} = 2 (L1)", "refuted"),
        (LIKELIHOOD, r"\frac{\partial}{\partial \sigma^2} \ell = L1", "proved"),
        (LIKELIHOOD, r"\frac{\partial \ell}{\partial \sigma} = 2 \sigma (L1)", "proved"),
        (LIKELIHOOD, r"\frac{\partial^2 \ell}{\partial (\sigma^2)^2} = L2", "proved"),
        (LIKELIHOOD, r"\frac{\partial^2 \ell}{\partial \sigma^2} = L2", "refuted"),  # by σ twice
        (OCCUPANCY, r"\frac{\partial \theta}{\partial \ln c} = \theta (1 - \theta)", "proved"),
        (OCCUPANCY, r"\frac{\partial \theta}{\partial c} = \theta (1 - \theta)", "refuted"),
        (RATE, r"\frac{d \ln k}{d (1/T)} = -\frac{E}{R}", "proved"),
        (RATE, r"\frac{d \ln k}{d T} = -\frac{E}{R}", "refuted"),
        (SUM, r"\frac{\partial L}{\partial \sigma_k^2} = S1", "proved"),
        (SUM, r"\frac{\partial L}{\partial \sigma_k} = S1", "refuted"),
    ],
)
def test_the_chain_rule_is_put_in(given, claim, verdict):
    claim = claim.replace("L1", r"\frac{s}{2 \sigma^4} - \frac{n}{2\sigma^2}")
    claim = claim.replace("L2", r"\frac{n}{2\sigma^4} - \frac{s}{\sigma^6}")
    claim = claim.replace("S1", r"\frac{1}{\sigma_k^2} - \frac{r_k^2}{\sigma_k^4}")
    assert (
        sa.check(f"$$ {given} $$\n\n$$ {claim} $$", corrections=False).rows[-1].verdict == verdict
    )


def test_a_square_of_a_vector_or_of_a_sum_is_none():
    given = r"$$ f = \mathbf{x}^\top \mathbf{x} + a b $$"
    for by in (r"\mathbf{x}^2", "(a + b)^2"):
        row = sa.check(
            rf"{given} $$ \frac{{\partial f}}{{\partial {by}}} = 1 $$", corrections=False
        ).rows[-1]
        assert row.verdict in ("skipped", "unproved")


def test_a_sentence_makes_no_vector_of_a_number_in_a_display():
    text = "$$ m = 1 - p q $$\n\n# Drift\n\nThe heterozygosity $H_t = 2 p_t q_t$ decays.\n"
    doc = sa.read(text, strict=False)
    assert doc["m"].indices == () and "p*q" in str(doc["m"])
    assert not any(r.latex.startswith("m") for r in doc.refused)


GAS = r"""The pressure is $p = \frac{R T}{V - b} - \frac{a}{V^2}$,
the energy $U = c T - \frac{a}{V}$.

$$ \left(\frac{\partial U}{\partial V}\right)_T
   = T \left(\frac{\partial p}{\partial T}\right)_V - p $$
"""


def test_what_is_held_fixed_is_an_input():
    from symattn.checker import check

    def last(text: str) -> str:
        return [r.verdict for r in check(text, corrections=False).rows if r.kind == "claim"][-1]

    assert last(GAS) == "proved"
    assert last(GAS.replace("_V - p", "_V + p")) == "refuted"
    assert last(GAS.replace(r"\right)_T", r"\right)_p")) == "unproved"  # p hangs on V
    assert last(GAS + "\nAlong an adiabat $T = V^{-g}$.\n") != "refuted"
