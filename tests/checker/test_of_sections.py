r"""What sections say of a name: functions given anew, and what a loss is of."""

import pytest
import sympy as sp

import symattn as sa

FAMILIES = r"""# Families

With $\eta_n = w^\top x_n$ the log-likelihood is

$$\ell(w) = \sum_{n=1}^N \left( y_n \eta_n - A(\eta_n) \right)$$

## Bernoulli

For Bernoulli, $A(\eta) = \log(1 + e^\eta)$. Then

$$A(\eta) = \eta + A(-\eta)$$

## Poisson

For Poisson data, $A(\eta) = e^{\eta}$.
"""
LAYERS = r"""# Norm

With $y_i = \gamma_i x_i / r$ and $r = \sqrt{\sum_j x_j^2}$ and $g_i = \partial L/\partial y_i$ for
a loss $L$,

$$\frac{\partial L}{\partial \gamma_i} = \frac{g_i x_i}{r}, \qquad EQUATION$$

# Blocks

The next block is $h_i = W_{ij} x_j$ with

$$\frac{\partial L}{\partial W_{ij}} = \frac{\partial L}{\partial h_i} x_j$$
"""


def test_a_function_that_another_section_gives_anew_is_no_error():
    rows = sa.check(FAMILIES, corrections=False).rows
    assert not [r.latex for r in rows if r.verdict in ("refuted", "malformed")]
    assert [r.verdict for r in rows if r.latex.startswith("A(\\eta) = e")] == ["definition"]


@pytest.mark.parametrize(
    ("equation", "verdict"),
    [
        (r"\sum_j x_j \frac{\partial L}{\partial x_j} = 0", "proved"),
        (r"\sum_j x_j \frac{\partial L}{\partial x_j} = \sum_j g_j y_j", "refuted"),
    ],
)
def test_a_loss_is_of_what_its_section_derives_it_by(equation, verdict):
    rows = sa.check(LAYERS.replace("EQUATION", equation), corrections=False).rows
    assert next(r.verdict for r in rows if r.latex.startswith(r"\sum_j x_j")) == verdict


def test_components_with_numbers_are_lowered_by_a_fact():
    n, m = sa.tensor("n", sp.Integer(3)), sa.tensor("m", sp.Integer(3))
    fact = sp.Eq(n[0] ** 2 + n[1] ** 2 + n[2] ** 2, 1)
    assert sa.prove(-(n[1] ** 2) - n[2] ** 2, n[0] ** 2 - 1, facts=[fact]).status == "proved"
    assert sa.prove(-(n[1] ** 2) - n[2] ** 2, n[0] ** 2 + 1, facts=[fact]).status == "refuted"
    assert sa.prove(-(m[1] ** 2) - m[2] ** 2, m[0] ** 2 - 1, facts=[fact]).status == "refuted"
    (size,) = sp.symbols("size", positive=True, integer=True, seq=True)
    k = sa.tensor("k", size)  # k_0 and k_2 may be one component where the axis is short
    loose = sp.Eq(k[0] ** 2 + k[2] ** 2, 1)
    assert sa.prove(k[2] ** 2, 1 - k[0] ** 2, facts=[loose]).status != "refuted"


SIZED = r"""# One

Let $z \in \mathbb{R}^d$ and $y \in \mathbb{R}^n$.

$$s = \sum_{j=1}^d z_j^2$$

# Softmax regression

For one example let $p = \mathrm{softmax}(z)$ with $z = W x + b$, and let
$\ell = -\sum_k y_k \log p_k$ with $\sum_k y_k = 1$.

$$%s$$
"""


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\frac{\partial \ell}{\partial z} = p - y", "proved"),
        (r"\frac{\partial \ell}{\partial W} = (p - y) x^\top", "proved"),
        (r"\frac{\partial \ell}{\partial z} = y - p", "refuted"),
    ],
)
def test_a_name_of_another_size_in_another_section(formula, verdict):
    """z ∈ ℝ^d of one section is not the z = W x + b of another, where sizes do not fit."""
    assert sa.check(SIZED % formula, timeout=None, corrections=False).rows[-1].verdict == verdict


def test_a_name_that_another_section_makes_a_vector_is_no_slip_here():
    text = r"""
## One

Here $a, b, c \in \mathbb{R}$.

$$ u = a + b . $$

$$ v = u^2 . $$

Let $w = v + a u$.  Note that

$$ \frac{dw}{da} = 3 u + a $$
"""
    other = r"""
## Two

$$ \sum_{k=0}^{n-1} (a b^k) = a \sum_{k=1}^{n} b^{k-1} $$
"""
    for whole, verdict in ((text, "proved"), (text + other, "unproved")):
        rows = [r for r in sa.check(whole, corrections=False).rows if "dw" in r.latex]
        assert [r.verdict for r in rows] == [verdict]
