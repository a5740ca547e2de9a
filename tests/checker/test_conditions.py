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
    assert [r.verdict for r in check(text)] == verdicts


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
