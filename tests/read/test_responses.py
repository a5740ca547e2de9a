"""Capitals that are vectors, the Y of Y = X β + ε, residuals e, and Σ before a sign."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.read import read


def verdicts(text):
    return [r.verdict for r in sa.check(text, corrections=False).rows]


def document(*rows):
    return "\n\n".join(f"$$ {r} $$" for r in rows)


MODELS = {
    "bold": {
        "Y": r"\mathbf{Y}",
        "X": r"\mathbf{X}",
        "b": r"\boldsymbol{\beta}",
        "e": r"\boldsymbol{\varepsilon}",
    },
    "light": {"Y": "Y", "X": "X", "b": r"\beta", "e": r"\varepsilon"},
}


def model(style, *claims):
    sign = MODELS[style]
    rows = [
        "Y = X b + e",
        r"\hat{b} = (X^\top X)^{-1} X^\top Y",
        r"\hat{Y} = X \hat{b}",
        *claims,
    ]
    return document(*("".join(_signed(r, sign)) for r in rows))


def _signed(row, sign):
    word = False
    for c in row:
        word = c == "\\" or (word and c.isalpha())
        yield sign[c] if c in sign and not word else c


@pytest.mark.parametrize("style", MODELS)
def test_the_response_of_a_linear_model_is_a_vector(style):
    right = r"Y^\top Y - \hat{b}^\top X^\top Y = (Y - \hat{Y})^\top (Y - \hat{Y})"
    wrong = r"Y^\top Y + \hat{b}^\top X^\top Y = (Y - \hat{Y})^\top (Y - \hat{Y})"
    assert verdicts(model(style, right, wrong))[3:] == ["proved", "refuted"]


@pytest.mark.parametrize("style", MODELS)
def test_the_solution_is_no_other_one(style):
    claims = r"X^\top (Y - \hat{Y}) = 0", r"X^\top (Y - \hat{Y}) = X^\top Y"
    found = verdicts(model(style, *claims))
    assert found[3] == "proved"
    assert found[4] != "proved"


def test_a_norm_tells_so_too():
    text = document(
        r"R = \|\mathbf{Y} - \mathbf{X}\mathbf{w}\|^2",
        *(
            rf"\frac{{\partial R}}{{\partial \mathbf{{w}}}} = {factor} \mathbf{{X}}^\top"
            r" (\mathbf{Y} - \mathbf{X}\mathbf{w})"
            for factor in ("-2", "2")
        ),
    )
    assert verdicts(text) == ["definition", "proved", "refuted"]


def test_what_stands_before_a_factor_stays_a_matrix():
    text = document(
        r"\mathbf{Y} = \mathbf{Z}\mathbf{V}",
        r"\mathbf{Z}^\top \mathbf{Y} = \mathbf{Z}^\top \mathbf{Z}\mathbf{V}",
        r"\mathbf{Z} = \mathbf{W}\mathbf{x} + \mathbf{b}",
    )
    assert verdicts(text)[:2] == ["definition", "proved"]
    shapes = {d.name: len(d.shape) for d in read(text, strict=False).definitions.values()}
    assert shapes["Z_2"] == 1  # another one than Z


def test_several_responses_are_a_matrix():
    text = document(
        r"\mathbf{Y} = \mathbf{X}\mathbf{B} + \mathbf{E}",
        r"\hat{\mathbf{B}} = (\mathbf{X}^\top\mathbf{X})^{-1}\mathbf{X}^\top\mathbf{Y}",
        r"\mathrm{tr}(\mathbf{Y}^\top\mathbf{X}\hat{\mathbf{B}})"
        r" = \mathrm{tr}(\hat{\mathbf{B}}^\top\mathbf{X}^\top\mathbf{X}\hat{\mathbf{B}})",
    )
    assert verdicts(text) == ["definition", "definition", "proved"]


def test_residuals_called_e():
    text = document(
        r"Y = X\beta + \varepsilon",
        r"e = Y - X (X^T X)^{-1} X^T Y",
        r"e^T e = Y^T Y - Y^T X (X^T X)^{-1} X^T Y",
        r"e^T e = Y^T Y - 2 Y^T X (X^T X)^{-1} X^T Y",
    )
    assert verdicts(text) == ["definition", "definition", "proved", "refuted"]


def test_an_exponential_stays_one():
    text = document(r"f = a e^T", r"f = a e^{T/2} e^{T/2}", r"f = a e^{2 T}")
    assert verdicts(text) == ["definition", "proved", "refuted"]


def test_primes_before_other_factors():
    text = document("e = y - X b", "e'e = y'y - 2b'X'y + b'X'Xb", "e'e = y'y - b'X'y + b'X'Xb")
    assert verdicts(text) == ["definition", "proved", "refuted"]


def test_a_sum_before_a_sign():
    text = document(
        r"D = \sum_{n=1}^N (x_n - \mu)^2",
        r"\frac{\partial D}{\partial \mu} = \sum_{n=1}^N -2 (x_n - \mu)",
        r"\frac{\partial D}{\partial \mu} = \sum_{n=1}^N -(x_n - \mu)",
        r"\frac{\partial D}{\partial \mu} = \sum_{n=1}^N -2 x_n + 2 \mu",
    )
    assert verdicts(text) == ["definition", "proved", "refuted", "skipped"]
