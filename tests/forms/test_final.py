"""What is done last to a form keeps its value: each rule beside what it must leave."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn import normalize as nf
from symattn.display import raise_
from symattn.explain.complements import complemented
from symattn.explain.denominators import (
    bars_as_written,
    halves_out,
    no_bar_below_a_bar,
    own_bars,
    roots_as_written,
)
from symattn.explain.exponentials import exponentials_apart, less_than_one
from symattn.explain.facing import as_written
from symattn.explain.final import (
    as_part,
    less_one,
    no_bar_above_a_bar,
    one_over_sine,
    rest_of_share,
)
from symattn.explain.fractions import in_his_bracket
from symattn.explain.joined import joined, shared
from symattn.explain.nested import nested
from symattn.explain.quotients import whole_powers, whole_under_sums
from symattn.ir import Term
from symattn.model import model


def shown(text, of, wrt):
    return sa.jacobian(sa.read(text), of=of, wrt=wrt).equation().partition(" = ")[2]


SCALARS = (
    "<!-- symattn: scalars a b c k m p t u v w x y z; positive a c t; "
    "sizes g:(n) h:(n) q:(n) r:(l) s:(l) W:(n,l) -->\n"
)

LINES = [
    # 1 − a/(a + u) is u/(a + u)
    (r"v = p \log(a + e^x)", "v", "x", r"\frac{p e^{x}}{a + e^{x}}"),
    (r"v = x - \log(a + e^x) + a^2", "v", "x", r"\frac{a}{e^{x} + a}"),
    # 1 + 1/tan² is 1/sin²
    (r"v = \frac{k}{\tan x}", "v", "x", r"-\frac{k}{\sin^2(x)}"),
    # θ (d + 1/θ) is 1 + θ d
    (r"v = (m + \frac{1}{a}) \log(1 + a x)", "v", "x", r"\frac{1 + m a}{1 + a x}"),
    # the author's number stays in front of his bracket
    (
        r"v = \frac{k t}{p} (\frac{1}{4 (1 - x)^2} - \frac{1}{4} + x)",
        "v",
        "x",
        r"\frac{k t}{p} \left(1 + \frac{1}{2 \left(1 - x\right)^{3}}\right)",
    ),
    # one Σ of two terms stays one; two Σ stay two
    (
        r"v = \sum_i (q_i w - \exp(q_i w))",
        "v",
        "w",
        r"\sum_{i} q_i \left(1 - \exp(w q_i)\right)",
    ),
    (
        r"v = \sum_i (g_i w + \frac{1}{2} h_i w^2) + \frac{1}{2} c w^2",
        "v",
        "w",
        r"\sum_{i} \left(g_i + w h_i\right) + c w",
    ),
    (
        r"v = \sum_i g_i w + \frac{1}{2} \sum_i h_i w^2",
        "v",
        "w",
        r"\sum_{i} g_i + w \sum_{i} h_i",
    ),
    # a number below what a function is of, or a power to, is below all of it
    (r"v = \cos(\frac{x - y}{2})", "v", "x", r"-\frac{1}{2} \sin\left(\frac{x - y}{2}\right)"),
    (r"v = \cos(\frac{x}{2} - y)", "v", "y", r"\sin\left(\frac{x}{2} - y\right)"),
    (
        r"v = k + (1 + x^2)^{(m - 1)/2}",
        "v",
        "x",
        r"x \cdot \left(1 + x^{2}\right)^{\frac{m - 3}{2}} \left(m - 1\right)",
    ),
    (r"v = (1 + x^2)^{(m - 1)/2}", "v", "x", r"\frac{x v \cdot \left(m - 1\right)}{1 + x^{2}}"),
    # three names stay under one power, where all of them are
    (
        r"v = \sqrt{1 + (a x/y)^2}",
        "v",
        "y",
        r"-\frac{1}{y v} \left(\frac{a x}{y}\right)^{2}",
    ),
    (r"v = k (1 + (a x/y)^2)", "v", "k", r"1 + \left(\frac{a x}{y}\right)^{2}"),
    (r"v = k (1 + a x^2/y^2)", "v", "k", r"1 + \frac{a x^{2}}{y^{2}}"),
    # −log(a/c) is log(c/a)
    (r"v = \frac{1}{1 + (a/c)^k}", "v", "k", r"v \log\left(\frac{c}{a}\right) \left(1 - v\right)"),
    # a sum of two components of one name has its number in front
    (
        r"v = -k \sum_i g_i g_{i+1} - \sum_i h_i g_i",
        "v",
        "g",
        r"-h_i - k \cdot \left(g_{i-1} + g_{i+1}\right)",
    ),
    (r"v = -k \sum_i g_i h_i - m \sum_i g_i", "v", "g", r"-k h_i - m"),
    # a whole bracket of a definition is its name, with either sign, and no part of another one
    ("z = 1 + x^2\n" + r"v = a \arctan x", "v", "x", r"\frac{a}{z}"),
    ("z = (u - x)^2 + y^2\n" + r"v = \arctan(\frac{y}{x - u})", "v", "x", r"-\frac{y}{z}"),
    ("z = 2 + x^2\n" + r"v = a \arctan x", "v", "x", r"\frac{a}{1 + x^{2}}"),
    # a bracket of two terms takes in what is beside it below a bar, where all of that is there
    (
        r"v = \sum_i \log(1 + g_i^2/c^2)",
        "v",
        "c",
        r"-\frac{2}{c} \sum_{i} \frac{g_i^2}{g_i^2 + c^{2}}",
    ),
    (
        r"v = \sum_i \log(1 + g_i/c^2)",
        "v",
        "g",
        r"\frac{1}{g_i + c^{2}}",
    ),
    # (1 + k) Σ 1/(1 + u) − k n is n − (1 + k) Σ u/(1 + u), and n stays where it costs more
    (
        r"v = n \log c + \sum_{i=1}^n \log(1 + g_i^2/c^2)",
        "v",
        "c",
        r"\frac{1}{c} \left(n - 2 \sum_{i} \frac{g_i^2}{g_i^2 + c^{2}}\right)",
    ),
    # one power of one name at two places
    (
        "q_t = g_{t+1} - g_t\n" + r"v = \sum_t (\frac{k}{2} q_t^2 + \frac{a}{4} q_t^4)",
        "v",
        "g",
        r"k \cdot \left(q_{t-1} - q_t\right) + a \cdot \left(q_{t-1}^3 - q_t^3\right)",
    ),
    # g/h − 1 is over one bar where the author has g − h
    (r"v = \sum_i \frac{(g_i - h_i)^2}{h_i}", "v", "g", r"\frac{2}{h_i} \left(g_i - h_i\right)"),
    (r"v = \sum_i (g_i \log h_i - h_i)", "v", "h", r"\frac{g_i}{h_i} - 1"),
    # no indicator beside what has no value without it, one beside what has
    (r"v = a \log \max(0, x)", "v", "x", r"\frac{a}{\max\left(0, x\right)}"),
    (r"v = k + a \max(0, x)^m", "v", "x", r"a m \max\left(0, x\right)^{m - 1}"),
    (r"v = a \max(0, x)^3", "v", "x", r"3 a x^{2} \mathbf{1}[x > 0]"),
    # a floor is written as one
    (r"v = x \lfloor y \rfloor^2", "v", "x", r"\left\lfloor y \right\rfloor^{2}"),
    # nothing comes below a bar twice with the name of a root
    (r"v = \frac{a}{\sqrt{1 + c^2 t^2}}", "v", "c", r"-\frac{c t^{2} v}{1 + c^{2} t^{2}}"),
    (r"v = \frac{k}{\sqrt{1 + x^2}}", "v", "x", r"-\frac{x v}{1 + x^{2}}"),
]


@pytest.mark.parametrize(("text", "of", "wrt", "line"), LINES, ids=[t for t, *_ in LINES])
def test_lines(text, of, wrt, line):
    assert shown(SCALARS + text, of, wrt) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (r"y_i = \frac{a_i}{1 + e^{-z_i}}", r"y_i \bar y_i \left(1 - \sigma(z_i)\right)"),
        (r"y_i = a_i \log \frac{1}{1 + e^{-z_i}}", r"a_i \bar y_i \sigma(-z_i)"),
        (r"y_i = a_i \log(1 + e^{-z_i})", r"-a_i \bar y_i \sigma(-z_i)"),
    ],
)
def test_beside_a_gate_stands_its_complement(text, line):
    """σ(−u) is 1 − σ(u) where σ(u) is a factor of a definition, and nowhere else."""
    d = sa.backward(sa.read(text), output="y", wrt=("z",))["z"]
    assert d.equation() == r"\bar z_i = " + line


PENALTY = (
    "C_{ab} = \\sum_i u_{ia} v_{ib}\n"
    "L = \\sum_a (1 - C_{aa})^2 + m \\sum_{ab} (1 - \\delta_{ab}) C_{ab}^2\n"
)


def test_the_text_is_a_form_by_definitions_too_and_through_a_diagonal():
    """2 m (1 − δ_ab) C_ab − 2 δ_ab (1 − C_aa); a bracket 1/c − 1/z of the text stays."""
    line = shown("<!-- symattn: scalars m -->\n" + PENALTY, "L", "C")
    assert r"\left(1 - \delta_{ab}\right)" in line and r"\left(1 - C_{aa}\right)" in line
    text = "z = x + y\n" + r"v = \frac{k}{2} (\frac{1}{z} - \frac{1}{c})^2"
    assert r"\frac{1}{c} - \frac{1}{z}" in shown(SCALARS + text, "v", "z")


def test_a_bracket_is_multiplied_out_for_a_matrix_form_only_where_there_is_no_other():
    features = sa.read(
        "P_{ti} = e^{\\sum_a w_{ta} Q_{ia} - \\frac{1}{2} \\sum_a Q_{ia}^2}\n"
        "B_{ij} = \\sum_t P_{ti} R_{tj}\n"
    )
    d = sa.backward(features, output="B", wrt=("P", "Q"))["Q"]
    right = d.matrix_form().partition(" = ")[2]
    assert "colsum" in right and "w_{ta} - Q_{ia}" in d.equation()
    density = "L = \\sum_{iab} (x_{ia} - m_a) S_{ab} (x_{ib} - m_b)"
    assert "\\left(x - " in sa.jacobian(sa.read(density), of="L", wrt="S").matrix_form()


def no(bracket):
    return False


def yes(bracket):
    """He has every bracket."""
    return True


def written(text):
    """The right side of v as it stands."""
    return model(sa.read(SCALARS + "v = " + text)).bodies["v"].raw


def bars(text):
    return own_bars(model(sa.read(SCALARS + "v = " + text)).bodies.values())


BARS = bars(r"\frac{m}{b + c + x^2 / a} + \frac{m}{1 - y / z}")
APART = [nf.normalize(written(u)) for u in ("-x / a", "-y / b")]
WHOLE = whole_powers(model(sa.read(SCALARS + r"v = \sum_i (r_i / c)^k")).bodies.values())
SIZES = frozenset(sa.sizes("n"))
# what a rule changes, and what is so near to it that its value would change
RULES = {
    "share": (
        lambda p: rest_of_share(p, no, {}),
        [
            r"1 - \frac{a}{a + x}",
            r"1 - \frac{a b}{a b + x}",
            r"1 - \frac{2 a}{a + x}",
            r"\frac{2 a}{a + x + y} - 1",
        ],
        [
            r"1 - \frac{3 a}{a + x}",
            r"1 - \frac{2 a}{a - x}",
            r"1 - \frac{2 a}{2 a + x}",
            r"2 - \frac{2 a}{a + x}",
            r"1 + \frac{2 a}{a + x}",
            r"1 - \frac{a}{2 a + x}",
            r"1 - \frac{a}{b + x}",
            r"1 - \frac{a}{(a + x)^2}",
            r"2 - \frac{a}{a + x}",
            r"1 + \frac{a}{a + x}",
            r"1 - \frac{a}{a + x + y}",
        ],
    ),
    "sine": (
        one_over_sine,
        [
            r"1 + \frac{1}{\tan^2 x}",
            r"1 - \frac{1}{\tanh^2 x}",
            r"1 + y - \frac{\cosh^2 x}{\sinh^2 x}",
            r"-\frac{\cos^2 x}{\sin^2 x} - 1",
        ],
        [
            r"1 + \frac{\cosh^2 x}{\sinh^2 x}",
            r"1 - \frac{\cos^2 x}{\sin^2 x}",
            r"1 - \frac{\cosh^2 x}{\sinh^2 y}",
            r"1 - \frac{\sinh^2 x}{\cosh^2 x}",
            r"1 - \frac{1}{\tan^2 x}",
            r"1 + \frac{2}{\tan^2 x}",
            r"1 + \frac{1}{\tan x}",
            r"1 + \tan^2 x",
        ],
    ),
    "sign": (
        lambda p: less_one(p, no),
        [r"-x (1 - y z)", r"x (\frac{y^2}{z^2} - 1)", r"x (\tanh^2 y - 1)", "x (-y - z)"],
        [
            r"x (y^2 - 1)",
            r"x (\frac{y}{z} - 1)",
            r"x (\tanh y - 1)",
            r"x (\tanh^2 y - 2)",
            r"x (1 - y z)",
            r"-x (1 - y)",
            r"-x (1 - y^2)",
            r"-x (2 - y z)",
            r"-x (1 - y z)^2",
        ],
    ),
    "exponential": (
        lambda p: less_than_one(p, no),
        [r"\frac{e^{-x}}{1 - e^{-x}}", r"\frac{y e^{-x z}}{1 - e^{-x z}}", r"-\frac{y}{1 - e^x}"],
        [
            r"\frac{e^{-x}}{1 + e^{-x}}",
            r"\frac{e^{-x}}{1 - e^{-y}}",
            r"\frac{e^{-x}}{(1 - e^{-x})^2}",
            r"\frac{e^{-2 x}}{1 - e^{-x}}",
            r"\frac{y}{1 - e^{-x}}",
            r"\frac{y}{1 - e^x}",
            r"-\frac{y}{2 - e^x}",
        ],
    ),
    "exponential that he has": (
        lambda p: less_than_one(p, yes),
        [r"\frac{e^{-x}}{1 - e^{-x}}"],
        [r"-\frac{y}{1 - e^x}"],
    ),
    "his bracket": (
        lambda p: in_his_bracket(p, [(nf.normalize(written(r"1 - \frac{x}{y}")), ())]),
        [r"z - 2 z \frac{x}{y} - w", r"w - z \frac{x}{y} + z"],
        [
            r"z - 2 z \frac{x}{y}",
            r"z + 2 z \frac{x}{y} - w",
            r"z - 2 z \frac{y}{x} - w",
            r"1 - 2 \frac{x}{y} - w",
        ],
    ),
    "own divisor": (
        lambda p: bars_as_written(p, BARS),
        [r"\frac{a}{(a (b + c) + x^2)^2}", r"\frac{m}{y - z}", r"\frac{m}{(y - z)^2}"],
        [
            r"\frac{a}{(a (b + c) + x)^2}",
            r"\frac{a}{(a (b + c) - x^2)^2}",
            r"\frac{a}{(a (b + 2 c) + x^2)^2}",
            r"\frac{m}{z - y}",
            r"\frac{m}{z + y}",
            r"\frac{m}{\sqrt{a (b + c) + x^2}}",
        ],
    ),
    "part": (
        lambda p: as_part(p, lambda b: nf.normalize(b).terms.get(Term({})) == -1),
        [r"-x (1 + y - z)"],
        [r"x (1 + y - z)", r"-x (y - z - 1)", r"-x (1 + y)", r"-x (1 + y - z)^2"],
    ),
    "shared": (
        shared,
        [r"x y - x z", r"2 x + 2 y", r"\frac{x}{z} + \frac{x y}{z^2}"],
        [r"x y - z", r"\frac{x}{z} - \frac{y}{z^2}", r"x + 2 y"],
    ),
    "apart": (
        lambda p: exponentials_apart(p, APART),
        [r"m e^{-x / a - y / b}"],
        [r"m e^{-x / a + y / b}", r"m e^{-x / a - y / b - z}", r"m e^{-x / a}"],
    ),
    "whole power": (
        lambda p: whole_under_sums(p, WHOLE),
        [r"(1 / c)^k \sum_i r_i^k s_i", r"c^{-k} \sum_i r_i^k", r"c^{-k} y \sum_i r_i^k"],
        [r"c^k \sum_i r_i^k", r"c^{-k} \sum_i r_i^m", r"a^{-k} \sum_i r_i^k"],
    ),
    "summed at once": (
        lambda p: joined(p, SIZES),
        [r"\sum_i g_i - c \sum_i h_i"],
        [r"\sum_i g_i - c \sum_j r_j s_j", r"\sum_j r_j - c \sum_j s_j"],  # of other axes
    ),
    "nested": (
        nested,
        [r"\sum_{ij} g_i h_i q_i r_j W_{ij}"],
        [r"\sum_{ij} g_i h_i r_j W_{ij}", r"\sum_{ij} g_i h_i q_i W_{ij}"],
    ),
    "root of a mean": (
        lambda p: roots_as_written(p, frozenset("n")),
        [
            r"\frac{\sqrt{n}}{\sqrt{\sum_i g_i^2}}",
            r"\frac{x \sqrt{\sum_i g_i^2}}{\sqrt{n}}",
            r"\sqrt{n} \sum_j \frac{r_j}{\sqrt{\sum_i W_{ij}^2}}",
        ],
        [
            r"\sqrt{n} \sum_i g_i^2",
            r"\frac{n}{\sqrt{\sum_i g_i^2}}",
            r"\frac{\sqrt{l}}{\sqrt{\sum_i g_i^2}}",
            r"\sqrt{n} \sum_j r_j",
        ],
    ),
    "means": (
        halves_out,
        [r"\sqrt{n} x - \frac{y}{\sqrt{n}}", r"\sqrt{n} x + \frac{y}{\sqrt{n}} - \sqrt{n} z"],
        [
            r"\sqrt{n} x - \sqrt{n} y",
            r"\sqrt{n} x - \frac{y}{n}",
            r"\sqrt{n} x - \frac{y}{\sqrt{n}} + z",
            r"\sqrt{a} x - \frac{y}{\sqrt{a}}",
        ],
    ),
    "complement": (
        complemented,
        [r"y \sigma(x) \sigma(-x)", r"\sigma(a x - b) \sigma(b - a x)", r"1 - \sigma(x)"],
        [
            r"y \sigma(x) \sigma(-z)",
            r"y \sigma(x) \sigma(x)",
            r"y \sigma(x)^2 \sigma(-x)",
            r"2 - \sigma(x)",
        ],
    ),
    "bar above a bar": (
        no_bar_above_a_bar,
        [r"\frac{x (1 - \frac{y}{z})}{1 - z}"],
        [
            r"\frac{x (1 - \frac{y}{z})}{1 - y}",
            r"\frac{x (1 - \frac{y}{z})}{1 + z}",
            r"\frac{x (1 - \frac{y}{z})}{z}",
        ],
    ),
    "bar below a bar": (
        no_bar_below_a_bar,
        [
            r"\frac{x}{a (\frac{1}{a} + \frac{1}{b})}",
            r"\frac{x}{a^2 (\frac{1}{a} + \frac{1}{b})^2}",
        ],
        [
            r"\frac{x}{a (1 + \frac{1}{b})}",
            r"x (\frac{1}{a} + \frac{1}{b})",
            r"\frac{x}{\frac{1}{a} + \frac{1}{b}}",
            r"\frac{x}{a (\frac{y^2}{a} + \frac{z^2}{b})}",
        ],
    ),
    "divisor": (
        lambda p: as_written(p, no),
        [r"a (b + \frac{1}{a})", r"a^2 (b + \frac{c}{a})"],
        [r"a (b + \frac{1}{a^2})", r"a (b + \frac{1}{c})", r"a (b + 1)"],
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_rules_keep_values_and_leave_what_is_near(name):
    rule, changed, left = RULES[name]
    for text in (*changed, *left):
        raw = written(text)
        after = rule(raw)
        assert sa.prove(raise_(after), raise_(raw)).status == "proved", text
        assert (after is raw) == (text in left), text


def test_a_kink_over_brackets_is_strict():
    assert r"< 1]" in shown(SCALARS + r"v = \max(0, 1 - a (x - b))", "v", "x")
    assert r"< 1]" in shown(SCALARS + r"v = \sum_i \max(0, 1 - g_i (h_i - b))", "v", "b")


WALK = "<!-- symattn: scalars l -->\nL = \\sum_t "


def test_a_square_of_steps_is_not_taken_apart():
    """Σ_t x_t (x_t − x_{t+1}) is half of Σ_t (x_{t+1} − x_t)² on a circle alone."""
    text = WALK + r"(\frac{1}{2} (x_t - y_t)^2 + \frac{l}{2} (x_{t+1} - x_t)^2)"
    assert shown(text, "L", "l") == r"\frac{1}{2} \sum_{t} \left(x_{t+1} - x_t\right)^{2}"
    text = WALK + r"(\frac{1}{2} (x_t - y_t)^2 + l x_t x_{t+1})"
    assert shown(text, "L", "l") == r"\sum_{t} x_t x_{t+1}"


SCORES = r"""s_{ij} = \sum_{ab} x_{ia} W_{ab} y_{jb}
p_{ij} = \frac{e^{s_{ij}}}{\sum_k e^{s_{ik}}}
L = -\sum_i \log p_{ii}"""


def test_a_matrix_less_the_identity():
    for wrt, line in (
        ("W", r"x^\top \left(p - I\right) y"),
        ("x", r"\left(p - I\right) y W^\top"),
        ("y", r"\left(p^\top - I\right) x W"),
    ):
        found = sa.jacobian(sa.read(SCORES), of="L", wrt=wrt).matrix_form()
        assert found == rf"\frac{{\partial L}}{{\partial {wrt}}} = {line}"
    given = sa.read(r"L = \sum_{ia} V_{ia} (x_{ia} - \sum_j W_{ij} x_{ja})^2")  # X − W X is his
    assert "I" not in sa.jacobian(given, of="L", wrt="W").matrix_form()


def test_generated_lengths_stand_in_no_matrix_form():
    text = "<!-- symattn: scalars b c n -->\nL = n \\log b - b \\sum_i (m_i - c)"
    assert sa.jacobian(sa.read(text), of="L", wrt="b").matrix_form() is None
    text = "<!-- symattn: scalars b c -->\nL = b \\sum_{i=1}^n (m_i - c)"
    assert "n" in sa.jacobian(sa.read(text), of="L", wrt="b").matrix_form()
