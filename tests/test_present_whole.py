"""Forms of the whole: outputs that all of a derivative is, traces, M − I, names of functions."""

import pytest

import symattn as sa

SCALARS = "<!-- symattn: scalars a b k m r s x y F K T J; positive x T a -->\n"
MATRICES = (
    "<!-- symattn: symmetric L C; scalars k m; sizes u:(n,c) L:(n,n) W:(d,e) C:(d,d) V:(d,e) -->\n"
)
LAW = "\\Phi(x) = \\frac{1}{2} (1 + \\operatorname{erf}(\\frac{x}{\\sqrt{2}}))\n"
BELL = "\\phi(x) = \\frac{1}{\\sqrt{2 \\pi}} e^{-\\frac{x^2}{2}}\n"


def derived(text, wrt, of="E"):
    d = sa.jacobian(sa.read(text), of=of, wrt=wrt)
    assert d.check_steps().ok
    return d


def printed(text, wrt, of="E"):
    return derived(SCALARS + text, wrt, of).equation().partition(" = ")[2]


@pytest.mark.parametrize(
    ("text", "wrt", "line"),
    [
        # an output of several terms, functions in all, that all of its derivative is
        (r"E = F e^{-r T} - K e^{-r T}", "r", "-T E"),
        (r"E = a e^{x y} + b y e^{x y}", "x", "y E"),
        (r"E = a e^{x y} + b y e^{x y}", "y", r"e^{x y} \left(a x + b + b x y\right)"),
        (r"E = a x^2 + b x^2", "x", r"2 x \cdot \left(a + b\right)"),
        # what two terms share, one of them nothing else, where the other has a function
        (r"E = -a (k + y e^{-k})", "k", r"a \left(y e^{-k} - 1\right)"),
        # λ and J of λ/2 J² stand as they do there
        (r"E = - m J + \frac{k}{2} J^2", "J", "k J - m"),
    ],
)
def test_a_line(text, wrt, line):
    assert printed(text, wrt) == line


@pytest.mark.parametrize(
    ("text", "wrt", "line"),
    [
        (r"E = m \sum_{ijc} u_{ic} L_{ij} u_{jc}", "m", r"\mathrm{tr}(u^\top L u)"),
        (r"E = m \sum_{abk} W_{ak} C_{ab} V_{bk}", "m", r"\mathrm{tr}(C V W^\top)"),
        # the author's M − I is one thing, and a δ that is not his is not
        (r"E = \|W^\top W - I\|_F^2", "W", r"4 W \left(W^\top W - I\right)"),
        (r"E = \|I - W^\top W\|_F^2", "W", r"-4 W \left(I - W^\top W\right)"),
        (r"E = \mathrm{tr}(W^\top W W^\top W) - 2 \mathrm{tr}(W^\top W)", "W", None),
    ],
)
def test_a_line_of_matrices(text, wrt, line):
    found = derived(MATRICES + text, wrt).matrix_form().partition(" = ")[2]
    assert found == line if line else "- I" not in found


def test_a_phi_that_a_formula_defines_is_printed():
    text = LAW + r"d = \frac{k - y}{s}" + "\n" + r"E = (k - y) \Phi(d) + K"
    assert r"\Phi(d)" in printed(text, "k")
    assert r"\phi(d)" in printed(text, "k")
    assert printed(text.replace("\\sqrt{2}", "2"), "k").count("Phi") == 0  # another law


def test_the_letter_of_a_function_is_in_no_result():
    """φ e^{x²/2} for 1/√(2π), of φ(x) = e^{−x²/2}/√(2π)."""
    text = (
        BELL.replace("(x)", "(t)").replace("x^2", "t^2")
        + r"E = \frac{K}{\sqrt{2 \pi}} e^{-y^2/2} + \phi(r)"
    )
    assert "phi" not in printed(text, "y").replace(r"\phi(", "")
