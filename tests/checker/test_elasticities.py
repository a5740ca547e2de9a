"""Powers with fractions of names for exponents, and inverses of scaled sums."""

from __future__ import annotations

import pytest

from symattn.checker import check

SOLOW = (
    r"Capital settles at $$ k = \left(\frac{s}{n + \delta}\right)^{\frac{1}{1-\alpha}} . $$ Then"
)
PRICES = r"With $P = \left(a p^{1-\sigma} + b q^{1-\sigma}\right)^{\frac{1}{1-\sigma}}$ we have"
OUTPUT = r"With $Y = \left(a K^{\rho} + b L^{\rho}\right)^{1/\rho}$ we have"
RIDGE = r"Let $\Lambda = \alpha I + \beta X^\top X$ and $m = \beta \Lambda^{-1} X^\top y$. Then"


def verdict(text: str, claim: str) -> str:
    whole = f"{text}\n\n$$ {claim} $$"
    return check(whole, corrections=False, timeout=None, jobs=1).rows[-1].verdict


@pytest.mark.parametrize(
    ("text", "claim", "found"),
    [
        (SOLOW, r"s k^\alpha = (n + \delta) k", "proved"),
        (SOLOW, r"s k^\alpha = (n - \delta) k", "refuted"),
        (SOLOW, r"k^{1-\alpha} = \frac{s}{n + \delta}", "proved"),
        (SOLOW, r"k^{1-\alpha} = \frac{s}{n - \delta}", "refuted"),
        (PRICES, r"\frac{\partial P}{\partial p} = a \left(\frac{P}{p}\right)^{\sigma}", "proved"),
        (PRICES, r"\frac{\partial P}{\partial p} = a \left(\frac{p}{P}\right)^{\sigma}", "refuted"),
        (OUTPUT, r"\frac{\partial Y}{\partial K} = a \left(\frac{Y}{K}\right)^{1-\rho}", "proved"),
        (OUTPUT, r"\frac{\partial Y}{\partial K} = a \left(\frac{Y}{K}\right)^{\rho-1}", "refuted"),
        (RIDGE, r"\alpha m - \beta X^\top (y - X m) = 0", "proved"),
        (RIDGE, r"\beta X^\top X \Lambda^{-1} = I - \alpha \Lambda^{-1}", "proved"),
        (RIDGE, r"X^\top X \Lambda^{-1} = I - \alpha \Lambda^{-1}", "refuted"),
    ],
)
def test_claims(text: str, claim: str, found: str) -> None:
    assert verdict(text, claim) == found


KINETICS = r"""$v_I = \frac{V S}{K(1 + I/K_I) + S}$ and $v = \frac{V S}{K + S}$, so that"""
BOND = "The bond is $$ V = S e^{-r T} . $$ So"


@pytest.mark.parametrize(
    ("text", "claim", "found"),
    [
        (KINETICS, r"\frac{v}{v_I} = 1 + \frac{K I}{K_I (K + S)}", "proved"),
        (KINETICS, r"\frac{v}{v_I} = 1 + \frac{I}{K_I (K + S)}", "refuted"),
        ("The forward is $$ V = S e^{(r - q) T} . $$ So",
         r"\frac{\partial V}{\partial q} = -T V", "proved"),
        ("The forward is $$ V = S e^{(r - q) T} . $$ So",
         r"\frac{\partial V}{\partial q} = T V", "refuted"),
        (BOND, r"\frac{\partial V}{\partial r} = -T V", "proved"),
        (r"Let $$ f(w) = \sum_i (x_i^\top w)^2 . $$ Along $\phi(t) = f(w + t d)$ we have",
         r"\phi(t) = \sum_i (x_i^\top w + t x_i^\top d)^2", "proved"),
        (r"Let $$ f(w) = \sum_i (x_i^\top w)^2 . $$ Along $\phi(t) = f(w + t d)$ we have",
         r"\phi'(0) = \sum_i x_i^\top w \, x_i^\top d", "refuted"),
        (r"Let $O = P V$ and $D = \bar O V^\top$. Then",
         r"\sum_j P_{ij} D_{ij} = \bar O_i^\top O_i", "proved"),
    ],
)  # fmt: skip
def test_what_stands_before_brackets_in_exponents_and_before_rows(
    text: str, claim: str, found: str
) -> None:
    assert verdict(text, claim) == found
