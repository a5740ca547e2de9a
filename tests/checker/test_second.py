"""The second way to a value: where it has none."""

import math

import pytest
import sympy as sp

from symattn.checker.second import Second, Unable
from symattn.syntax import System

X = sp.Symbol("x", real=True)


def value(expr, x):
    second = Second(System(), {"x": x}, {})
    second.know(expr)
    return second.value(expr, {})


@pytest.mark.parametrize("function", ["sin", "cos", "tan"])
def test_a_wave_has_no_value_where_its_phase_is_rounded_away(function):
    wave = getattr(sp, function)(X)
    assert float(value(wave, 1e3)) == pytest.approx(getattr(math, function)(1e3), rel=1e-9)
    with pytest.raises(Unable, match="the phase of a wave is rounded away"):
        value(wave, 1e40)


def test_what_is_no_wave_has_one():
    assert float(value(sp.tanh(X), 1e40)) == 1.0
