"""The textbook's lines are true: their numbers are those of automatic differentiation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from . import FORMS
from .form import Form, Line
from .values import faults


@pytest.mark.parametrize("form", FORMS[::12], ids=lambda f: f.name)
def test_lines_are_the_derivatives(form):
    """A sample: `python tests/forms values` goes through all of them."""
    assert faults(form, seeds=1) == []


def named(name: str) -> Form:
    return next(f for f in FORMS if f.name == name)


@pytest.mark.parametrize(
    ("name", "wrt", "line", "fault"),
    [
        ("sigmoid", "x", Line(r"s (1 + s)"), "x: index"),
        ("softmax", "x", Line(r"p_i (\delta_{ij} - p_i)", at="ij"), "x: index"),
        ("least squares", "w", Line(matrix=r"X^\top (y - X w)"), "w: matrix"),
        ("attention", "S", Line(matrix=r"A \circ (\bar{A} - A \circ \bar{A})"), "S: matrix"),
        (
            "layer norm",
            "x",
            Line(r"\frac{1}{\sigma} (g_i \bar{y}_i - \frac{1}{d} \sum_j g_j \bar{y}_j)"),
            "x: index",
        ),
        ("linear layer", "b", Line(r"\bar{Y}_{ij}", at="j"), "left over"),
        ("Gaussian log density", r"\mu", Line(matrix=r"\Lambda (\mu - x)"), r"\mu: matrix"),
        ("batch norm", "g", Line(matrix=r"\mathrm{rowsum}(\bar{Y} \circ H)"), "g: matrix"),
    ],
)
def test_lines_that_are_not_are_found(name, wrt, line, fault):
    form = replace(named(name), results={wrt: line})
    if fault == "left over":
        with pytest.raises(AssertionError, match=fault):
            faults(form, seeds=1)
    else:
        assert faults(form, seeds=1) == [fault]


def test_spellings_that_differ_are_found():
    form = named("sigmoid")
    other = replace(form, texts=(form.texts[0], r"s = \frac{e^x}{1 + e^{-x}}"))
    assert faults(other, seeds=1) == ["the spellings differ"]
