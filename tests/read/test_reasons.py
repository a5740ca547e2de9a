"""Why something is not read or not decided, in words of the text."""

import re

import numpy as np
import pytest

import symattn as sa
from symattn.checker import check
from symattn.convert import read_equation
from symattn.errors import UnsupportedError, fault

INTERNAL = re.compile(r"[A-Z]\w+(?:Error|Symbol|Infinity)\b|SymPy|NaN")


def rows(text):
    return [(r.line, r.verdict, r.reason) for r in check(text, corrections=False).rows]


def test_an_equation_before_the_one_that_gives_axes_is_read_again():
    text = r"""
$$ z_t = \sqrt{\omega_t} z_0 + \sqrt{1 - \omega_t} \eta, \quad \eta \sim \mathcal{N}(0, I) $$

$$ m_t(z_t, z_0) = \frac{\sqrt{\omega_{t-1}} \kappa_t}{1 - \omega_t} z_0
 + \frac{1 - \omega_{t-1}}{1 - \omega_t} z_t $$
"""
    found = rows(text)
    assert found[0][1] == found[-1][1] == "definition"
    assert not any(INTERNAL.search(reason) for *_, reason in found)


def test_a_number_that_is_a_matrix_elsewhere_is_said_in_these_words():
    text = r"""
$$ \boldsymbol{v} = \boldsymbol{F} \cdot \boldsymbol{z} $$

$$ D_{abcd} = \kappa \delta_{ab} \delta_{cd}
 + \eta (\delta_{ac} \delta_{bd} + \delta_{ad} \delta_{bc}) $$

$$ \eta = \frac{F}{3(1 + \tau)} $$
"""
    found = rows(text)
    assert found[1][1:] == ("skipped", "eta has no index here and 2 indices at line 7, column 4")


@pytest.mark.parametrize("side", [r"\log 0", "4 / 0 + q", r"\frac{q}{0 - 0}"])
def test_what_has_no_finite_value(side):
    ((_, verdict, reason),) = rows(f"$$ g = {side} $$")
    assert verdict == "skipped"
    assert reason.startswith("this has no finite value: a division by zero")


def test_a_tensor_without_its_indices():
    n, m = sa.sizes("n m")
    x, (i,) = sa.tensor("x", n, m), sa.indices("i", n)
    y = sa.tensor("y", n)
    with pytest.raises(UnsupportedError, match="x has axes and stands without indices here"):
        read_equation(y[i], x * y[i])


def test_a_zero_that_is_divided_by_while_values_are_drawn_is_no_error():
    text = r"""
$$ h(a, s) - h(b, s) = c \log \left( \frac{f(a|s)}{g(a|s)} \right)
 - c \log \left( \frac{f(b|s)}{g(b|s)} \right) $$

$$ = c \log \left( \frac{f(a|s) / g(a|s)}{f(b|s) / g(b|s)} \right) $$
"""
    assert not any(INTERNAL.search(reason) or "fault" in reason for *_, reason in rows(text))
    assert rows(text)[1][1] in ("proved", "unproved")


def test_two_losses_of_arrays_are_not_compared_as_functions_of_numbers():
    text = r"""
$$ \mathcal{L}(a, c) = a^\top M c $$

$$ \mathcal{L}(a, c) = \frac{1}{2} \|a - c\|^2 $$
"""
    assert not any(INTERNAL.search(reason) or "fault" in reason for *_, reason in rows(text))


def test_what_nobody_foresaw():
    with pytest.raises(ZeroDivisionError) as zero:
        np.float64(1) / 1 + 1 / int("0")
    assert fault(zero.value) == "a number in it grows without bound, or is divided by zero"
    assert fault(RecursionError()) == "it is nested too deeply"
    assert fault(TypeError("Idx")) == "symattn has a fault here"
