"""Expressions with a kink: the cases they are printed in, and what must not be taken for one."""

import numpy as np
import pytest

import symattn as sa
from symattn import normalize as nf
from symattn.evaluate import Evaluator
from symattn.explain.brackets import gathered
from symattn.explain.cases import gone_through, signed, split, strict, written
from symattn.explain.collect import collected
from symattn.explain.cost import cases_of, complement
from symattn.explain.search import presenter
from symattn.model import model

LEAKY = r"y = \max(0, x) + \alpha \min(0, x)"
CASES = r"y = \begin{cases} x & x > 0 \\ \alpha x & x \le 0 \end{cases}"
SIDES = r"\begin{cases} 1 & x > 0 \\ \alpha & x \le 0 \end{cases}"
HINGE = "m_i = \\max(0, 1 - z_i)\nL = \\sum_i m_i^2"


def printed(text, of, wrt):
    return sa.jacobian(sa.read(text), of=of, wrt=wrt).equation().partition(" = ")[2]


@pytest.mark.parametrize(
    ("text", "of", "wrt", "line"),
    [
        (LEAKY, "y", "x", SIDES),
        (CASES, "y", "x", SIDES),
        (LEAKY, "y", "alpha", r"\min\left(0, x\right)"),
        (r"y = \max(0, x - t)", "y", "x", r"\mathbf{1}[x > t]"),
        (r"y = \max(0, x - t + s)", "y", "x", r"\mathbf{1}[x + s - t > 0]"),
        (r"y = \max(0, x) + \alpha x", "y", "x", r"\mathbf{1}[x > 0] + \alpha"),
        (HINGE, "L", "z", "-2 m_i"),
        # another kink than that of m: the indicator says more than m
        (
            "m_i = \\max(0, 1 - z_i)\nL = \\sum_i m_i \\max(0, 2 - w_i)",
            "L",
            "w",
            r"-m_i \mathbf{1}[w_i < 2]",
        ),
        (r"y = x |x|", "y", "x", r"2 \left|x\right|"),
        (r"y = x |z|", "y", "z", r"x \operatorname{sign}(z)"),
    ],
)
def test_printed(text, of, wrt, line):
    assert printed(text, of, wrt) == line


def test_every_step_holds():
    for text, wrt in ((LEAKY, "x"), (LEAKY, "alpha"), (r"y = \max(0, x - t + s)^2", "x")):
        assert sa.jacobian(sa.read(text), of="y", wrt=wrt).check_steps().ok


def of(text):
    """The definition y of a text, and how kinks are read beside it."""
    m = model(sa.read(text))
    return m.bodies["y"].normal, presenter(m)


@pytest.mark.parametrize(
    "text",
    [
        r"y = x \max(0, x) - |x| x + \max(0, x - t) + |t - x|",
        r"y = \max(0, x) - \max(0, -x) + t \max(0, t - x)",
        r"y = \begin{cases} x^2 & |x| \le c \\ c |x| & |x| > c \end{cases}",
        r"y = \max(0, x) \max(0, t) - x \max(0, t)",
    ],
)
def test_values_stay(text):
    normal, chooser = of(text)
    draw = np.random.default_rng(3)
    for form in (gone_through(normal, chooser.reading), signed(normal), collected(normal)):
        for _ in range(20):
            values = dict(zip("xtc", draw.normal(size=3), strict=True))
            values["c"] = abs(values["c"])
            told = Evaluator(values, {})
            assert np.isclose(told(chooser.opened(nf.normalize(form)), ()), told(normal, ()))


def test_a_kink_that_is_none_goes():
    normal, chooser = of(r"y = \max(0, x) - \max(0, -x)")
    assert gone_through(normal, chooser.reading) is of("y = x + 0 t")[0]


def test_strict_is_said_of_kinks_of_maxima_only():
    _, chooser = of(r"y = \max(0, x)")
    step = nf.call("step", [of("y = x")[0]])
    assert strict(step, chooser.indicators, chooser.opened) is not step
    other = nf.call("step", [of("y = t")[0]])
    assert strict(other, chooser.indicators, chooser.opened) is other


def test_sign_of_another():
    for text in (r"y = x \mathrm{sign}(t)", r"y = \mathrm{sign}(x) + x"):
        assert signed(of(text)[0]) is of(text)[0]


def test_cases_are_read_back():
    normal = sa.jacobian(sa.read(CASES), of="y", wrt="x").normal
    above, below, step = split(normal)
    raw = written(above, below, step)
    assert nf.normalize(raw) is normal and cases_of(raw) is not None
    assert cases_of(normal) is None and complement(normal) is None


def test_a_bracket_is_gathered_whole():
    m = model(sa.read(r"y = (a^2 - 2 b)^3 t"))
    *_, bracket = presenter(m).brackets  # the cube of it is one, too
    found = gathered(of("y = t x a^2 - 2 t x b + a^2")[0], bracket)
    assert len(found) == 2
    for near in ("y = t x a^2 + 2 t x b", "y = t x a^2 - 2 t b", "y = t a^2 - 3 t b"):
        assert gathered(of(near)[0], bracket) is of(near)[0]


JOINED = [
    (r"y_{ia} = \frac{1}{t} (\sum_j P_{ij} V_{ja} - V_{ia})", True),
    (r"y_{ia} = \frac{1}{t} (\sum_j P_{ij} V_{ja} - 2 V_{ia})", False),
    (r"y_{ia} = \frac{1}{t} (\sum_j P_{ij} V_{ja} - W_{ia})", False),
    (r"y_i = x_i \sum_j A_{ij} - \sum_j A_{ij} x_j", True),
    (r"y_i = x_i \sum_j A_{ij} + \sum_j A_{ij} x_j", False),
    (r"y_i = \sum_j A_{ij} - x_i \sum_j A_{ij} x_j", True),
    (r"y_i = \sum_j A_{ij} - x_i \sum_j B_{ij} x_j", False),
]


@pytest.mark.parametrize(("text", "holds"), JOINED)
def test_sums_are_joined(text, holds):
    from symattn.explain import latex
    from symattn.explain.notation import Notation, notation

    m = model(sa.read("<!-- symattn: sizes P:(n,n) A:(n,n) B:(n,n) -->\n" + text))
    raw = collected(m.bodies["y"].normal)
    assert nf.normalize(raw) is m.bodies["y"].normal
    with notation(Notation(usual="_", explicit=True)):
        said = latex(raw, m.bodies["y"].indices)
    _, *behind = said.split(r"\sum")
    assert (len(behind) == 1 and r"\left(" in behind[0]) == holds, said
