"""Averages over states, and what is held fixed in a derivative, as thermodynamics has them."""

import pytest

import symattn as sa

ENSEMBLE = r"""Every state $k$ has an energy $E_k$. With $\beta = 1/(k_B T)$ the sum over states is

$$ Z = \sum_k e^{-\beta E_k} $$

with probabilities $w_k = e^{-\beta E_k} / Z$ and the mean

$$ \langle E \rangle = \sum_k w_k E_k $$

The free energy is $F = -k_B T \ln Z$ and $S = -k_B \sum_k w_k \ln w_k$. It follows that

$$ {} $$
"""


def verdict(text: str, claim: str) -> str:
    return sa.check(text.replace("{}", claim), corrections=False).rows[-1].verdict


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        (r"\langle E \rangle = -\frac{\partial \ln Z}{\partial \beta}", "proved"),
        (r"\langle E \rangle = \frac{\partial \ln Z}{\partial \beta}", "refuted"),
        (r"\langle E^2 \rangle = \frac{1}{Z}\frac{\partial^2 Z}{\partial \beta^2}", "proved"),
        (
            r"\langle E^2 \rangle - \langle E \rangle^2 = -\partial_\beta \langle E \rangle",
            "proved",
        ),
        (
            r"\langle E^2 \rangle - \langle E \rangle^2 = \partial_\beta \langle E \rangle",
            "refuted",
        ),
        (r"F = \langle E \rangle - T S", "proved"),
        (r"F = \langle E \rangle + T S", "refuted"),
        (r"S = -\left(\frac{\partial F}{\partial T}\right)_V", "proved"),  # no F(V) is written
        (r"S = -\left(\frac{\partial F}{\partial T}\right)_{V,N}", "proved"),
        (r"S = \left(\frac{\partial F}{\partial T}\right)_V", "refuted"),
        (r"\langle E \rangle = \frac{\epsilon}{1 + e^{\beta\epsilon}}", "definition"),  # two levels
    ],
)
def test_ensemble(claim: str, found: str) -> None:
    assert verdict(ENSEMBLE, claim) == found


def test_another_system_is_no_counterexample() -> None:
    text = ENSEMBLE + "\n# Two levels\n\nHere $Z = 1 + e^{-\\beta\\epsilon}$, and\n\n$$ [] $$\n"
    text = text.replace("{}", r"F = \langle E \rangle - T S")
    claim = r"\langle E \rangle = \frac{\epsilon}{e^{\beta\epsilon}+1}"
    oscillator = "\n# Oscillator\n\n$$ E_n = \\hbar \\omega (n + \\tfrac12) $$\n"
    rows = sa.check(text.replace("[]", claim) + oscillator, corrections=False).rows
    (row,) = [r for r in rows if r.latex.strip() == claim]
    assert row.verdict in ("unproved", "skipped", "definition")


GAS = r"""With $Z = V^N T^{3N/2}$ the free energy is $F = -k_B T \ln Z$, so that

$$ P V = N k_B T $$

and

$$ {} $$
"""


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        (r"-\left(\frac{\partial F}{\partial V}\right)_T = \frac{N k_B T}{V}", "proved"),
        (r"-\left(\frac{\partial F}{\partial V}\right)_T = \frac{N k_B T}{V^2}", "refuted"),
        (r"-\left(\frac{\partial F}{\partial T}\right)_V = k_B \ln Z + \tfrac32 N k_B", "proved"),
        (r"-\left(\frac{\partial F}{\partial T}\right)_V = k_B \ln Z - \tfrac32 N k_B", "refuted"),
    ],
)
def test_a_volume_to_a_power_is_no_label(claim: str, found: str) -> None:
    assert verdict(GAS, claim) == found


@pytest.mark.parametrize("held", ["P", "V"])
def test_quantities_of_state_hang_on_one_another(held: str) -> None:
    text = "The free energy is $F = U - T S$, and\n\n$$ {} $$\n"
    claim = rf"\left(\frac{{\partial F}}{{\partial T}}\right)_{held} = -S"
    assert verdict(text, claim) == "unproved"
