"""The derivative of the text as it stands: each rule by itself, without the search beside it."""

from __future__ import annotations

import pytest
import sympy as sp

import symattn as sa
from symattn import normalize as nf
from symattn.display import with_letters
from symattn.explain import latex
from symattn.explain.backwards import backwards, hidden_by_a_bracket
from symattn.explain.naming import naming
from symattn.explain.notation import as_written, notation
from symattn.explain.text import as_in_the_text
from symattn.ir import Poly, refs
from symattn.logistic import of_two
from symattn.model import model

LAYER = """<!-- symattn: sizes W:(m,n) x:(n) b:(m) c:(m) -->
u_i = \\sum_j W_{ij} x_j + b_i
h_i = \\tanh u_i
y_i = c_i h_i"""


def texts(d, written=()):
    """The forms, each equal to the result as it was derived where nothing else is written out."""
    m, shown = model(d.system), []
    for text in as_in_the_text(d, m, written):
        if not written:
            assert d.holds(d.normal, nf.normalize(text))
        raw = with_letters(text, m.letters, frozenset(i.name for i in d.indices))
        with notation(as_written(d.system)), naming([d.component, raw], d.indices):
            shown.append(latex(raw, d.indices, implicit=True))
    return shown


def adjoint(of, wrt):
    return sa.backward(sa.read(LAYER), output=of, wrt=(wrt,))[wrt]


@pytest.mark.parametrize(
    ("wrt", "line"),
    [
        ("c", r"h_i \bar y_i"),
        ("W", r"\bar u_i x_j"),
        ("x", r"\sum_{i} W_{ij} \bar u_i"),
        ("b", r"\bar u_i"),
        ("h", r"c_i \bar y_i"),
        ("u", r"\bar h_i \left(1 - h_i^2\right)"),
    ],
)
def test_a_gradient_goes_through_the_definitions_that_a_name_stands_in(wrt, line):
    assert texts(adjoint("y", wrt)) == [line]


def test_a_gradient_on_the_way_is_written_out_where_that_is_asked_for():
    d = adjoint("y", "W")
    (u,) = d.given
    (h,) = u.given
    written = [u.component.tensor, h.component.tensor]
    (line,) = texts(d, written)
    assert line == r"c_i \bar y_i x_j \left(1 - h_i^2\right)"
    (text,) = as_in_the_text(d, model(d.system), written)
    assert not {r.tensor for r in refs(text)} & {*written}


SCALARS = "<!-- symattn: scalars a b c v x; positive c v x -->\n"


@pytest.mark.parametrize(
    ("text", "of", "wrt", "lines"),
    [
        (
            SCALARS + r"y = c \tanh(a x)",
            "y",
            "x",
            [
                r"c a \cdot \left(1 - \tanh^2(a x)\right)",
                r"c a \cdot \left(1 - \frac{y^{2}}{c^{2}}\right)",
            ],
        ),
        (
            SCALARS + r"y = x + (\frac{v}{c})^b",
            "y",
            "v",
            [r"\frac{b}{c} \left(\frac{v}{c}\right)^{b - 1}"],
        ),
        (SCALARS + r"y = x^2 (a + x)", "y", "x", [r"x^{2} + 2 x \cdot \left(a + x\right)"]),
        (
            "<!-- symattn: symmetric S -->\nq = \\frac{1}{2} \\sum_{ij} z_i S_{ij} z_j",
            "q",
            "z",
            [r"\sum_{j} S_{ij} z_j"],
        ),
        (
            "p_i = \\frac{e^{z_i}}{\\sum_j e^{z_j}}\nL = \\log \\sum_i e^{z_i}",
            "L",
            "z",
            ["p_i"],
        ),
    ],
)  # fmt: skip
def test_a_derivative_keeps_what_the_author_has(text, of, wrt, lines):
    assert texts(sa.jacobian(sa.read(text), of=of, wrt=wrt)) == lines


def body(system, name):
    return model(system).bodies[name]


@pytest.mark.parametrize(
    ("r", "hidden"),
    [
        ("y - r", True),
        (r"\frac{2 y}{r^2} - \frac{1}{r}", True),
        ("2 + 2 a + r", False),
        (r"r - \frac{y}{2}", False),
        ("y + r", False),
        ("a - r", False),
        (r"\frac{a}{r^2} - \frac{1}{r}", False),
        (r"\frac{y}{r^2} - \frac{1}{r^3}", False),
    ],
)
def test_a_name_that_hides_what_stands_there_without_it(r, hidden):
    s = sa.read("<!-- symattn: scalars a m y r -->\nr = y - m\nf = " + r)
    bodies = {b.tensor: b for b in model(s).bodies.values() if b.tensor.name == "r"}
    assert backwards(body(s, "f").raw, bodies) is hidden


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        (r"b - \frac{b - 1}{1 - v}", True),
        (r"b - \frac{a}{1 - v}", False),
        (r"b (1 - v) - b + 1", False),
    ],
)
def test_a_bracket_that_hides_what_stands_there_without_it(text, hidden):
    s = sa.read("<!-- symattn: scalars a b v f -->\nf = " + text)
    assert hidden_by_a_bracket(body(s, "f").raw) is hidden


def test_a_share_of_two_exponentials_is_one_term():
    s = sa.read(
        r"<!-- symattn: sizes a:(n) b:(m) -->"
        "\n"
        r"g_i = \sum_j \frac{e^{a_i}}{e^{a_i} + e^{b_j}}"
    )
    share: Poly = of_two(body(s, "g").normal)
    assert len(share) == 1
    assert "exp" not in str(share)
    wanted = sa.read(r"<!-- symattn: sizes a:(n) b:(m) -->" "\n" r"g_i = \sum_j \sigma(a_i - b_j)")
    assert share is body(wanted, "g").normal


def test_letters_that_a_factor_brings() -> None:
    """tanh(x_i) beside u_{a-1}, which has a letter of its own: its value is the whole over that."""
    n, m = sp.symbols("n m", integer=True, positive=True)
    (i, k), (a,) = sa.indices("i k", n), sa.indices("a", m)
    x, u = sa.tensor("x", n), sa.tensor("u", m)
    body = sp.tanh(x[i]) * sa.total(u[a - 1] ** 2, k)
    found = sa.jacobian(sa.System(sa.define("D", (i, a), body)), of="D", wrt="x")
    assert found.check_steps().ok
    assert "tanh" in found.latex()
