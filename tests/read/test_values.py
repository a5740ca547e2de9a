"""Conditions on values and functions by their names, as documents write them."""

import pytest
import sympy as sp

import symattn as sa
from symattn.primitives import elu, leaky_relu, relu, step
from symattn.read import read
from symattn.read.source import ReadError

N = sa.sizes("n")[0]
(I,) = sa.indices("i", N)
X = sa.tensor("x", N)
A, C = sa.tensor("a"), sa.tensor("c")
SAID = "<!-- symattn: sizes x:(n); scalars a c -->\n"
x = X[I]
ABOVE, AT_LEAST = 1 - step(-x), step(x)

READ = {
    r"\begin{cases} x_i & x_i > 0 \\ a (e^{x_i} - 1) & x_i \le 0 \end{cases}": elu(x, A),
    r"\begin{cases} x_i & x_i \ge 0 \\ a x_i & \text{otherwise} \end{cases}": leaky_relu(x, A),
    r"\begin{cases} x_i & \text{if } x_i > 0, \\ 0 & \text{otherwise.} \end{cases}": relu(x),
    r"\begin{cases} \frac12 x_i^2 & |x_i| \le c \\ c (|x_i| - \frac12 c) & |x_i| > c \end{cases}":
        sp.Piecewise((x**2 / 2, sp.Abs(x) <= C), (C * (sp.Abs(x) - C / 2), True)),
    r"[x_i > 0] x_i": relu(x),
    r"[0 < x_i \le c]": ABOVE * step(C - x),
    r"\mathbf{1}[x_i > 0]": ABOVE,
    r"\mathbb{1}\{x_i \ge 0\}": AT_LEAST,
    r"\mathbf{1}_{x_i \ge 0}": AT_LEAST,
    r"1_{x_i > 0}": ABOVE,
    r"\mathbb{1}_{\{x_i > 0\}}": ABOVE,
    r"[x_i \ne c]": 1 - step(x - C) * step(C - x),
    r"\max(0, x_i) + a \min(0, x_i)": leaky_relu(x, A),
    r"|x_i - c|": sp.Abs(x - C),
    r"\operatorname{sgn}(x_i) |x_i|": x,
    r"\mathrm{clamp}(x_i, -1, 1)": sp.Max(-1, sp.Min(x, 1)),
    r"\mathrm{LeakyReLU}(x_i)": leaky_relu(x, sp.Rational(1, 100)),
}  # fmt: skip


@pytest.mark.parametrize("formula", READ)
def test_what_is_read_is_what_is_meant(formula):
    got = read(f"{SAID}$$ y_i = {formula} $$")["y"]
    assert sa.prove(got, sa.define("w", (I,), READ[formula])).status == "proved"


@pytest.mark.parametrize(
    "formula, wrong",
    [
        (r"\mathbf{1}[x_i > 0]", AT_LEAST),
        (r"1_{x_i \ge 0}", ABOVE),
        (r"\begin{cases} 1 & x_i \ge 0 \\ -1 & \text{otherwise} \end{cases}", sp.sign(x)),
    ],
)
def test_what_differs_at_0_alone_is_refuted(formula, wrong):
    got = read(f"{SAID}$$ y_i = {formula} $$")["y"]
    assert sa.prove(got, sa.define("w", (I,), wrong)).status == "refuted"


J = sa.indices("j", N)[0]
Y = sa.tensor("y", N)
W = sp.Symbol("w", real=True)
WINDOWS = {
    "[i - j < w]": sa.iverson(I - J < W),
    "[w > i - j]": sa.iverson(I - J < W),
    "[i - w < j]": sa.iverson(I - J < W),
    "[i - j < 2]": sa.iverson(I <= J + 1),
    r"[0 \le i - j \le w]": sa.iverson(J <= I) * sa.iverson(I - J <= W),
    r"[|i - j| \le w]": sa.iverson(I - J <= W) * sa.iverson(J - I <= W),
}


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("said", ["", "; scalars w"])
def test_a_difference_of_indices_is_compared_with_a_number(window, said):
    text = f"<!-- symattn: sizes x:(n) y:(n){said} -->\n$$ z_{{ij}} = {window} x_i y_j $$"
    got, meant = read(text)["z"], WINDOWS[window] * X[I] * Y[J]
    assert sa.prove(got, sa.define("v", (I, J), meant)).status == "proved"
    wider = meant * sa.iverson(I < J)
    assert sa.prove(got, sa.define("v", (I, J), wider)).status == "refuted"


@pytest.mark.parametrize("window", ["i + 2 k - j < w", "|i - j| > w"])
def test_what_is_no_difference_of_two_indices_is_no_window(window):
    text = (
        f"<!-- symattn: sizes x:(n) y:(n); scalars w -->\n$$ z_{{ijk}} = [{window}] x_i y_j x_k $$"
    )
    with pytest.raises(ReadError):
        read(text)


def test_comparisons_of_indices_stay_masks():
    system = read(r"$$ y_{ij} = [j \le i] x_{ij} $$")
    assert not system["y"].expr.has(step)


def test_a_function_that_the_document_defines_is_its_own():
    text = "$$ \\mathrm{silu}(u) = u^2 $$\n\n$$ y_i = \\mathrm{silu}(x_i) $$"
    assert str(read(text)["y"].expr) == "x[i]**2"


def test_a_number_of_arguments_that_a_function_has_not():
    with pytest.raises(ReadError, match="clip of 2 arguments") as error:
        read(r"$$ y_i = \mathrm{clip}(x_i, 1) $$")
    assert "3 arguments" in str(error.value)
