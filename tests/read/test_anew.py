"""A name with two meanings in two sections: each holds in its own, and neither spoils the other."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.read import read


def verdicts(text: str) -> dict[str, str]:
    """The verdict of every formula, by its text."""
    return {r.latex.rstrip("., "): r.verdict for r in sa.check(text, timeout=20)}


KINDS = r"""
# Notes

## Momenta

Two bodies have the momenta $p_1 = m_1 v_1$ and $p_2 = m_2 v_2$ and the total $P = p_1 + p_2$.

## Choices

Let $p \in \mathbb{R}^n$ be the probabilities $p_k = \frac{e^{z_k}}{\sum_j e^{z_j}}$. Then
$$\frac{\partial p_k}{\partial z_j} = p_k (\delta_{kj} - p_j).$$
$$\frac{\partial p_k}{\partial z_j} = p_k (\delta_{kj} - p_k).$$

## Impact

The first body gains momentum:
$$P = m_1 v_1 + m_2 v_2.$$
"""


def test_vector_beside_numbers_of_one_letter() -> None:
    found = verdicts(KINDS)
    assert found[r"\frac{\partial p_k}{\partial z_j} = p_k (\delta_{kj} - p_j)"] == "proved"
    assert found[r"\frac{\partial p_k}{\partial z_j} = p_k (\delta_{kj} - p_k)"] == "refuted"
    assert found["P = m_1 v_1 + m_2 v_2"] == "proved"


DEFINED = r"""
# Notes

## Gas

For a gas the pressure is $p = \frac{R T}{V}$. Then
$$\frac{\partial p}{\partial V} = -\frac{p}{V}.$$

## Levels

With $Z = 1 + e^{-x}$ the probability of the upper state is $p = \frac{e^{-x}}{Z}$. Then
$$\frac{dp}{dx} = -p (1 - p).$$
$$\frac{dp}{dx} = p (1 - p).$$

## Work

Again in the gas,
$$p V = R T.$$
"""


def test_two_definitions_of_one_letter() -> None:
    found = verdicts(DEFINED)
    assert found[r"\frac{\partial p}{\partial V} = -\frac{p}{V}"] == "proved"
    assert found[r"\frac{dp}{dx} = -p (1 - p)"] == "proved"
    assert found[r"\frac{dp}{dx} = p (1 - p)"] == "refuted"
    assert found["p V = R T"] == "proved"  # the first meaning again, behind the section


LEANING = r"""
# Notes

## Scores

Let $Q, K \in \mathbb{R}^{n \times d}$ and $S = Q K^\top$,
$A_{ij} = \frac{e^{S_{ij}}}{\sum_k e^{S_{ik}}}$.

## Gradients

$$\frac{\partial A_{ij}}{\partial S_{ik}} = A_{ij} (\delta_{jk} - A_{ik}).$$
$$\frac{\partial S_{ij}}{\partial Q_{ia}} = K_{ja}.$$
"""


def test_what_a_section_does_not_give_anew_keeps_its_meaning() -> None:
    found = verdicts(LEANING)
    assert found[r"\frac{\partial S_{ij}}{\partial Q_{ia}} = K_{ja}"] == "proved"
    assert read(LEANING, strict=False).definitions.keys() == {"S", "A"}


def test_wrong_equation_of_another_section_is_no_new_definition() -> None:
    text = r"""
## Energy

A body has the momentum $p = m v$ and the energy $T = \frac{p^2}{2 m}$.

## Results

Hence we have
$$T = m v^2.$$
"""
    doc = read(text, strict=False)
    assert "T_2" not in doc.definitions
    (row,) = [r for r in sa.check(text) if r.latex.startswith("T = m v^2")]
    assert "differs" in row.reason  # the T of the other section, and said to be another


def test_two_statements_of_one_section_are_one_name() -> None:
    text = r"""
## Circuit

The resistance is $R = \frac{R_1 R_2}{R_1 + R_2}$. It follows that
$$R = \frac{R_1 R_2}{R_1 - R_2}.$$
"""
    assert verdicts(text)[r"R = \frac{R_1 R_2}{R_1 - R_2}"] == "refuted"


def test_a_function_and_a_number_of_one_letter() -> None:
    text = r"""
## Units

Let $\sigma(z) = \frac{1}{1 + e^{-z}}$. Then
$$\sigma'(z) = \sigma(z) (1 - \sigma(z)).$$

## Noise

$$f(x) = \frac{1}{\sqrt{2 \pi \sigma^2}} e^{-\frac{(x - \mu)^2}{2 \sigma^2}}.$$
$$\frac{\partial \log f(x)}{\partial \mu} = \frac{x - \mu}{\sigma^2}.$$
"""
    found = verdicts(text)
    assert found[r"\sigma'(z) = \sigma(z) (1 - \sigma(z))"] == "proved"
    name = r"\frac{\partial \log f(x)}{\partial \mu} = \frac{x - \mu}{\sigma^2}"
    assert found[name] == "proved"


def test_a_function_without_its_argument_is_the_function_beside_what_it_is_made_of() -> None:
    text = r"""
## Motion

The place is $x(t) = A e^{-k t}$.

## Energy

With the stiffness $k$ the amplitude $A$ gives $\frac{dx}{dt} = -k x$.
"""
    assert "x_2" not in read(text, strict=False).summary()


def test_sizes_named_d_leave_derivatives_alone() -> None:
    text = r"""
Let $X \in \mathbb{R}^{n \times d}$ and $H = -p \log p - (1 - p) \log(1 - p)$. Then
$$\frac{dH}{dp} = \log\frac{1 - p}{p}.$$
$$\frac{dH}{dp} = \log\frac{p}{1 - p}.$$
"""
    found = verdicts(text)
    assert found[r"\frac{dH}{dp} = \log\frac{1 - p}{p}"] == "proved"
    assert found[r"\frac{dH}{dp} = \log\frac{p}{1 - p}"] == "refuted"


@pytest.mark.parametrize(("left", "verdict"), [("u^\\top J", "proved"), ("J^\\top J", "refuted")])
def test_capital_that_an_equation_makes_a_vector(left: str, verdict: str) -> None:
    text = rf"""
Let $u \in \mathbb{{R}}^n$ and $G \in \mathbb{{R}}^{{n \times n}}$
with $J = G u$ and $P = u^\top G u$. Then
$${left} = P.$$
"""
    assert verdicts(text)[f"{left} = P"] == verdict


def test_current_called_i_is_no_unit_matrix() -> None:
    text = r"""
Let $u \in \mathbb{R}^n$ be voltages.
A resistor has the current $I = \frac{U}{R}$ and the power $P = U I$. Then
$$P = R I^2.$$
"""
    assert verdicts(text)["P = R I^2"] == "proved"
