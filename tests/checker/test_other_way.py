r"""∂ℓ/∂Λ where Λ = Σ⁻¹ and ℓ is made of Σ: Σ is Λ⁻¹ then."""

import pytest

import symattn as sa

PRECISION = r"""
The energy is $E = a \log s + \frac{b}{s^2}$ where $s > 0$.  With $u = 1/s^2$ we get

$$\frac{\partial E}{\partial u} = SIDE$$
"""
BOTH = r"""
The energy is $E = a \log s + b u$ where $s > 0$ and $u = 1/s^2$.  Then

$$\frac{\partial E}{\partial u} = SIDE$$
"""
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


@pytest.mark.parametrize(
    ("text", "side", "verdict"),
    [
        (PRECISION, r"b - \frac{a}{2 u}", "proved"),
        (PRECISION, r"b", "unproved"),  # s is a function of u, too
        (PRECISION, r"b + \frac{a}{2 u}", "refuted"),
        (BOTH, r"b - \frac{a}{2 u}", "conditional"),
        (BOTH, r"b", "proved"),  # as E is written
        (BOTH, r"2 b", "refuted"),
    ],
)
def test_a_derivative_by_a_function_of_what_is_left(text, side, verdict):
    found = sa.check(text.replace("SIDE", side), corrections=False).rows[-1]
    assert found.verdict == verdict
    assert found.reason.startswith("true where s changes with u") == (verdict == "conditional")


def test_a_part_is_put_in_only_where_nothing_else_of_it_is_left():
    text = r"""
    Let $q \in \mathbb{R}^n$ and $L = \sum_i (y_i - e^{q_i})^2 + \sum_i q_i^2$.
    With $r_i = e^{q_i}$ we have $$\frac{\partial L}{\partial r_i} = SIDE$$
    """
    wrong = r"-2 (y_i - r_i)"
    right = wrong + r" + \frac{2 q_i}{r_i}"
    found = [sa.check(text.replace("SIDE", s), corrections=False).rows[-1] for s in (wrong, right)]
    assert [r.verdict for r in found] == ["conditional", "proved"]


POLAR = r"""Let $x = r \cos\theta$ and $y = r \sin\theta$.

$$ SIDE $$
"""
LOAD = r"""Let $\rho = \lambda/\mu$, $L = \frac{\rho}{1 - \rho}$ and $W = L/\lambda$.

$$ \frac{\partial W}{\partial \rho} = SIDE $$
"""
GAS = r"""Let $p = \frac{n R T}{V}$.

$$ SIDE $$
"""
MOVING = r"""Let $q = \frac{1}{\sqrt{1 - v^2/c^2}}$, $p = q m v$ and $E = q m c^2$.

$$ SIDE $$
"""
CYCLE = r"\frac{\partial p}{\partial V} \frac{\partial V}{\partial T} \frac{\partial T}{\partial p}"


@pytest.mark.parametrize(
    ("text", "side", "verdict"),
    [
        (POLAR, r"\frac{\partial r}{\partial x} = \frac{1}{\cos\theta}", "conditional"),  # y or θ
        (POLAR, r"\frac{\partial r}{\partial x} = \cos\theta", "conditional"),
        (POLAR, r"\frac{\partial x}{\partial r} = \cos\theta", "proved"),
        (POLAR, r"\frac{\partial x}{\partial \theta} = y", "refuted"),
        (LOAD, r"\frac{W}{\rho (1 - \rho)}", "proved"),  # as W is written
        (LOAD, r"\frac{W}{1 - \rho}", "conditional"),  # with mu held
        (LOAD, r"\frac{W}{\rho}", "refuted"),
        (GAS, r"\frac{\partial V}{\partial T} = \frac{n R}{p}", "unproved"),  # with p held
        (GAS, rf"{CYCLE} = -1", "unproved"),
        (MOVING, r"\frac{dE}{dp} = v", "conditional"),  # where v changes with p
        (MOVING, r"\frac{dE}{dp} = 2 v", "unproved"),
        (GAS, r"\frac{\partial V}{\partial p} = -\frac{V}{p}", "proved"),
        (GAS, r"\frac{\partial V}{\partial p} = \frac{V}{p}", "refuted"),
        (GAS, r"\frac{\partial p}{\partial V} = \frac{p}{V}", "refuted"),
    ],
)
def test_what_is_held_where_several_things_move(text, side, verdict):
    found = sa.check(text.replace("SIDE", side), corrections=False).rows[-1]
    assert found.verdict == verdict


def test_an_equation_that_is_solved_is_not_that_of_another_section():
    text = r"""
# One

In equilibrium $x = a \cos x + b$, so that

$$ \frac{\partial x}{\partial b} = SIDE $$

# Two

Let

$$ x = \frac{b}{1 - a} . $$

$$ \frac{\partial x}{\partial b} = \frac{1}{1 - a} $$
"""
    for side in (r"\frac{1}{1 + a \sin x}", r"\frac{1}{1 - a}", "1"):
        rows = sa.check(text.replace("SIDE", side), corrections=False).rows
        assert [r.verdict for r in rows if "partial" in r.latex] == ["unproved", "proved"]
