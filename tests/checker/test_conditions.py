"""What a text says of roots, logarithms and largest values, and fields that it differentiates."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.checker import check
from symattn.objects import Partial

N = sa.sizes("n")[0]
NORM = r"""Let $w\in\mathbb{R}^d$ with $\|w\| = 1$ and $H = I - 2 w w^\top$. Then

$$ H^\top H = I, \qquad H w = -w $$

$$ H w = w $$
"""
APART = r"""For $x, y\in\mathbb{R}^d$ with $\|x - y\| = 1$ we have

$$ \|x\|^2 = 1 + 2 x^\top y - \|y\|^2 $$

$$ \|x\|^2 = 1 + x^\top y - \|y\|^2 $$
"""
LOG = r"""Let $a, b$ be numbers with $\log(a b) = 1$ and $\sqrt{a + b} = 2$. Then

$$ a + b = 4 $$
"""
ANGLE = r"""With $\cos\theta = x^\top y$ for $\|x\| = \|y\| = 1$ we have

$$ \|x - y\|^2 = 2 - 2\cos\theta $$
"""
STRAIN = r"""The strain is $e_{ij} = \tfrac12(\partial_i u_j + \partial_j u_i)$ and the spin
$r_{ij} = \tfrac12(\partial_i u_j - \partial_j u_i)$, with
$s_{ij} = \lambda e_{kk}\delta_{ij} + 2\mu e_{ij}$ for $i, j, k = 1, 2, 3$.

$$ s_{kk} = (3\lambda + 2\mu) e_{kk} $$

$$ \partial_i u_j = e_{ij} + r_{ij} $$

$$ s_{ij} e_{ij} = \lambda e_{kk}^2 + 2\mu e_{ij} e_{ij} $$

$$ e_{ij} r_{ij} = e_{kk} $$
"""


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (NORM, ["definition", "definition", "proved", "proved", "refuted"]),
        (APART, ["definition", "proved", "refuted"]),
        (LOG, ["definition", "definition", "proved"]),
        (ANGLE, ["definition", "definition", "definition", "proved"]),
        (STRAIN, ["definition"] * 3 + ["proved"] * 3 + ["unproved"]),
    ],
    ids=["norm", "distance", "logarithm", "angle", "strain"],
)
def test_what_a_text_says_and_what_it_does_not(text: str, verdicts: list[str]) -> None:
    assert [r.verdict for r in check(text, corrections=False)] == verdicts


def test_a_field_may_depend_on_what_a_system_differentiates_by_alone() -> None:
    u, x, e = sa.tensor("u", N), sa.tensor("x", N), sa.tensor("e", N, N)
    i, j, k = sa.indices("i j k", N)
    strain = sa.define("e", (i, j), (Partial(u[j], x[i]) + Partial(u[i], x[j])) / 2)
    trace, divergence = sa.total(e[k, k], k), sa.total(Partial(u[k], x[k]), k)
    assert sa.prove(trace, divergence, given=sa.System(strain)).status == "proved"
    assert sa.prove(trace, 2 * divergence, given=sa.System(strain)).status == "unknown"
    mixed = sa.define("e", (i, j), u[j] * x[i])  # x is an input here as well
    zero = sa.prove(Partial(u[j], x[i]), 0, given=sa.System(mixed))
    assert zero.status == "proved"


UNIT = r"""The posterior covariance is $\Sigma = K - K C^{-1} K$ with $C = K + \sigma^2 I$, so

$$ \Sigma = \sigma^2 C^{-1} K $$

$$ \Sigma = \sigma^2 I - \sigma^4 C^{-1} $$

$$ K \Sigma = K C $$
"""
CURRENT = r"""The terminal voltage is $U = E - r I$ and the conductance $G = I U^{-1}$.

$$ U I = E I - r I^2 $$
"""
SHAPES = r"""Let $P\in\mathbb R^{n\times n}$ be symmetric, $H\in\mathbb R^{m\times n}$,
$R\in\mathbb R^{m\times m}$ symmetric, $S = H P H^\top + R$ and

$$ P^+ = P - P H^\top S^{-1} H P $$

$$ P^+ = P - P H S^{-1} H P $$
"""
OUTER = r"""With $\mu_i = \sigma(w^\top x_i)$ and $x_i\in\mathbb{R}^d$ let

$$ \ell = -\sum_i \left[y_i\log\mu_i + (1-y_i)\log(1-\mu_i)\right] $$

$$ \frac{\partial^2\ell}{\partial w\,\partial w^\top} = \sum_i\mu_i(1-\mu_i)x_i x_i $$
"""
NORMAL = r"""Let $P_{ij} = \delta_{ij} - n_i n_j$ with $n_k n_k = 1$ and $\delta_{ii} = d$.

$$ P_{ij}P_{jk} = P_{ik}, \qquad P_{ii} = d - 1 $$

$$ P_{ij} n_j = n_i $$
"""
PRESSURE = r"""A fluid at rest has

$$ \sigma_{ij} = -p\delta_{ij} $$

in three dimensions, so that

$$ \sigma_{kk} = -3p $$
"""
INSTEAD = r"""The hidden layer is $h = \tanh(z)$ with the error
$\epsilon = (V^\top\delta)\odot(1 - h\odot h)$.
With a sigmoid instead, $h = \sigma(z)$, we have

$$ \epsilon = (V^\top\delta)\odot h\odot(1 - h) $$
"""
FARADAY = r"""The field is $F_{ij} = \partial_i A_j - \partial_j A_i$, and
$L = -\frac14 F_{ij}F_{ij}$. Then

$$ \partial_k F_{ij} + \partial_i F_{jk} + \partial_j F_{ki} = 0 $$

$$ F_{ij}\,\partial_i A_j = F_{ij}F_{ij} $$
"""


@pytest.mark.parametrize(
    ("text", "verdicts", "correction"),
    [
        (UNIT, ["definition", "definition", "proved", "proved", "refuted"], None),
        (CURRENT, ["definition", "definition", "proved"], None),
        (SHAPES, ["definition", "definition", "malformed"], r"P - P H^\top S^{-1} H P"),
        (OUTER, ["definition"] * 2 + ["malformed"], r"\sum_i\mu_i(1-\mu_i)x_i x_i^\top"),
        (NORMAL, ["definition"] * 3 + ["proved", "proved", "refuted"], None),
        (PRESSURE, ["definition", "conditional"], None),
        (INSTEAD, ["definition"] * 3, None),
        (FARADAY, ["definition", "definition", "proved", "refuted"], r"\frac{1}{2} F_{ij}F_{ij}"),
    ],
    ids=["unit", "current", "shapes", "outer", "normal", "pressure", "instead", "faraday"],
)
def test_right_and_wrong(text: str, verdicts: list[str], correction: str | None) -> None:
    rows = check(text, corrections=correction is not None).rows
    assert [r.verdict for r in rows] == verdicts
    assert correction is None or " ".join(rows[-1].correction.split()) == correction


SQUARES = "Let $x, y \\in \\mathbb{R}^n$. $$ L = \\sum_i (y_i - \\beta x_i)^2 $$ We have\n\n"
SLOPE = r"\frac{\partial L}{\partial \beta}"


@pytest.mark.parametrize("zero", [f"{SLOPE} = 0", f"0 = {SLOPE}"])
def test_a_slope_of_zero_is_a_condition(zero):
    row = sa.check(f"{SQUARES}$$ {zero} $$", corrections=False).rows[-1]
    assert (row.verdict, row.reason) == ("skipped", "it may be a condition on beta")


def test_only_a_slope_of_zero_is_a_condition():
    chain = rf"$$ 0 = {SLOPE} = -2 \sum_i x_i (y_i - \beta x_i) $$"
    assert [r.verdict for r in sa.check(SQUARES + chain, corrections=False).rows[1:]] == [
        "skipped",
        "proved",
    ]
    chain = rf"$$ 0 = {SLOPE} = 2 \sum_i x_i (y_i - \beta x_i) $$"
    assert [r.verdict for r in sa.check(SQUARES + chain, corrections=False).rows[1:]] == [
        "skipped",
        "refuted",
    ]
    assert sa.check(f"{SQUARES}$$ {SLOPE} = 3 $$", corrections=False).rows[-1].verdict == "refuted"
    vector = "$$ u_i = x_i y_i $$ $$ \\frac{\\partial u_i}{\\partial x_j} = 0 $$"
    assert sa.check(SQUARES + vector, corrections=False).rows[-1].verdict == "refuted"


RUNNING = r"Let $c_k = \sum_{i=1}^{k} x_i$."


@pytest.mark.parametrize(
    "form", ["[{}]", r"\begin{{cases}} 1 & {} \\ 0 & \text{{else}} \end{{cases}}"]
)
def test_a_letter_that_stands_once_below_a_component_is_compared_as_an_index(form: str) -> None:
    for condition, verdict in (
        (r"j \le k", "proved"),
        ("j < k", "refuted"),
        (r"k \le j", "refuted"),
    ):
        right = form.format(condition)
        text = rf"{RUNNING} $$ \frac{{\partial c_k}}{{\partial x_j}} = {right} $$"
        found = sa.check(text, corrections=False)
        assert found.rows[-1].verdict == verdict
