r"""Differentials: dY = dX W + X dW, d(A^{-1}) = -A^{-1} dA A^{-1}, and what only looks like one."""

from __future__ import annotations

from pathlib import Path

import pytest

import symattn as sa
from symattn.objects import Partial

INVERSE = r"""Let $A \in \mathbb{R}^{n\times n}$ be invertible.

$$d(A^{-1}) = -A^{-1}\, dA\, A^{-1}$$

$$dA^{-1} = -A^{-1}\, A^{-1}\, dA$$
"""
PRODUCT = r"""With $Y = XW$, $X \in \mathbb{R}^{n\times n}$, the differential is

$$dY = dX\, W + X\, dW$$

$$dY = dX\, W$$

$$d(XW) = (dW) X + W\, dX$$
"""
LOSS = r"""With $Y = XW$, $G = \partial L / \partial Y$,

$$dL = \operatorname{tr}(G^\top dY)
= \operatorname{tr}(G^\top dX\, W) = \operatorname{tr}(W G^\top dX)$$

$$dL = \operatorname{tr}(G^\top W dX)$$
"""
DETERMINANT = r"""Let $X \in \mathbb{R}^{n\times n}$.

$$d \log\det X = \operatorname{tr}(X^{-1} dX)$$

$$d \det X = \operatorname{tr}(X^{-1} dX)$$
"""
POLAR = r"""With $x = r\cos\theta$ and $y = r\sin\theta$,

$$dx = \cos\theta\, dr - r \sin\theta\, d\theta$$

$$dy = \sin\theta\, dr - r\cos\theta\, d\theta$$
"""
HEAT = r"""The first law is $dU = T dS - p dV$.  With $H = U + pV$ and $F = U - TS$,

$$dH = T dS + V dp$$

$$dF = -S dT - p dV$$

$$dF = S dT - p dV$$
"""
WEIGHTS = r"""Let $P = \operatorname{softmax}(S)$ row by row. Then

$$dP_{ij} = P_{ij}\left(dS_{ij} - \sum_k P_{ik} dS_{ik}\right)$$

$$dP_{ij} = P_{ij}\left(dS_{ij} - \sum_k P_{jk} dS_{jk}\right)$$
"""


def verdicts(tmp_path: Path, text: str) -> list[str]:
    """The verdicts on the displays."""
    path = tmp_path / "page.md"
    path.write_text(text)
    lines = text.splitlines()
    return [r.verdict for r in sa.check(path, corrections=False) if "$$" in lines[r.line - 1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (INVERSE, ["proved", "refuted"]),
        (PRODUCT, ["proved", "conditional", "refuted"]),
        (LOSS, ["proved", "proved", "proved", "refuted"]),
        (DETERMINANT, ["proved", "refuted"]),
        (POLAR, ["proved", "refuted"]),
        (HEAT, ["proved", "proved", "refuted"]),
        (WEIGHTS, ["proved", "refuted"]),
    ],
)
def test_equations_between_differentials(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert verdicts(tmp_path, text) == expected


def test_what_is_held_constant_is_said(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(PRODUCT)
    (held,) = [r for r in sa.check(path, corrections=False) if r.verdict == "conditional"]
    assert held.reason == "true where W does not vary"


@pytest.mark.parametrize(
    "text",
    [
        r"By Itô's lemma, with $Y = \ln X$ and $dX = \mu X dt + \sigma X dW$, "
        r"$$dY = (\mu - \tfrac12\sigma^2) dt + \sigma dW$$",  # another rule of the chain
        r"The line element is $$ds^2 = dr^2 + r^2 d\theta^2$$ in polar coordinates.",
        r"The variance in $d$ dimensions: $x \in \mathbb{R}^d$, $$d\sigma^2 = \sum_i x_i^2$$",
    ],
)
def test_other_differentials_claim_nothing(tmp_path: Path, text: str) -> None:
    assert not {"proved", "refuted"} & {*verdicts(tmp_path, text)}


def test_capitals_that_nothing_calls_matrices(tmp_path: Path) -> None:
    text = r"""With $F = U - TS$ and $dU = T dS - M dB$,

$$dF = -S dT - M dB$$

$$dF = S dT - M dB$$
"""
    assert verdicts(tmp_path, text) == ["conditional", "refuted"]


def test_names_of_gradients_beside_a_size_d(tmp_path: Path) -> None:
    text = r"""For heads $h = 1, \dots, H$ let $Q^{(h)} = X W_Q^{(h)}$ with
$X \in \mathbb{R}^{n\times d}$ and $W_Q^{(h)} \in \mathbb{R}^{d\times d_h}$.

$$Y = \sum_{h=1}^H Q^{(h)} W_O^{(h)}$$

With $dY = \partial L/\partial Y$,

$$dQ^{(h)} = dY\, W_O^{(h)\top}$$
"""
    path = tmp_path / "page.md"
    path.write_text(text)
    found = [(r.verdict, r.latex) for r in sa.check(path, corrections=False)]
    assert found[-1][0] == "proved"
    assert "refuted" not in {v for v, _ in found}


def test_the_derivative_of_an_inverse_is_known() -> None:
    (n,) = sa.sizes("n")
    i, j, k, m = sa.indices("i j k m", n)
    a = sa.tensor("A", n, n)
    inverse = sa.inverse(a)
    slope = Partial(inverse[i, j], a[k, m])
    assert sa.prove(slope, -inverse[i, k] * inverse[m, j]).status == "proved"
    assert sa.prove(slope, -inverse[i, m] * inverse[k, j]).status == "refuted"
