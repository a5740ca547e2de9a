"""Rules of what is done last to a form, each beside the near miss that it leaves alone."""

import pytest

import symattn as sa

PAIR = "<!-- symattn: sizes s:(n) m:(n,n) -->\n"
HEAD = "<!-- symattn: scalars a b c f g p q r s u v w x z k; positive a c r s v -->\n"


def printed(text, of, wrt):
    d = sa.jacobian(sa.read(text), of=of, wrt=wrt)
    assert d.check_steps().ok
    return d.equation().partition(" = ")[2]


@pytest.mark.parametrize(
    ("text", "of", "wrt", "line"),
    [
        # P_ji is 1 − P_ij where P says so, written out too; not where it is a product
        (
            PAIR + "q_{ij} = \\frac{1}{1 + e^{s_j - s_i}}\nC = \\sum_{ij} m_{ij} q_{ij}",
            "C",
            "s",
            r"\sum_{j} q_{ij} \left(m_{ij} - m_{ji}\right) \left(1 - q_{ij}\right)",
        ),
        (
            PAIR + "q_{ij} = \\frac{1}{2 + e^{s_j - s_i}}\nC = \\sum_{ij} m_{ij} q_{ij}",
            "C",
            "s",
            r"\sum_{j} m_{ij} q_{ij} \left(1 - 2 q_{ij}\right) - "
            r"\sum_{j} m_{ji} q_{ji}^2 e^{s_i - s_j}",
        ),
        # a share has its complement: −c (1 − p) of p = g/(g + h); no other name has
        (
            HEAD + "p = \\frac{e^{s c}}{e^{s c} + r}\nL = -\\log p",
            "L",
            "s",
            r"-c \cdot \left(1 - p\right)",
        ),
        (HEAD + "L = c (\\frac{p^2}{2} - p)", "L", "p", r"c p - c"),
        # 1 − D² of D = tanh u, and not of D = e^u
        (
            HEAD + "D = \\tanh(\\frac{x}{s^2})",
            "D",
            "s",
            r"-\frac{2 x \cdot \left(1 - D^{2}\right)}{s^{3}}",
        ),
        # |u|^{b−1} has no bracket, (u)^{b−1} of a product has
        (
            HEAD + "L = |2 x - 1|^b - c",
            "L",
            "x",
            r"2 b \left|2 x - 1\right|^{b - 1} \operatorname{sign}(2 x - 1)",
        ),
        # minima in the author's order
        (HEAD + "L = q \\min(s, a) + p \\min(c, r)", "L", "q", r"\min\left(s, a\right)"),
        (HEAD + "L = q \\min(a, s) + p \\min(c, r)", "L", "q", r"\min\left(a, s\right)"),
        # a root of the author's, and not one that he has nowhere
        (
            HEAD + "w = a \\sqrt{1 + (\\frac{z}{r})^2}",
            "w",
            "r",
            r"-\frac{a \cdot \left(\frac{z}{r}\right)^{2}}"
            r"{r \sqrt{1 + \left(\frac{z}{r}\right)^{2}}}",
        ),
        (
            HEAD + "w = a \\sqrt{r^2 + z^2}",
            "w",
            "r",
            r"\frac{a^{2} r}{w}",
        ),
        # 1/q − q hides z²/r² where q is a root
        (
            HEAD + "q = \\sqrt{1 + \\frac{z^2}{r^2}}\nw = a q",
            "w",
            "r",
            r"-\frac{z^{2} a}{r^{3} q}",
        ),
        # brackets of functions stay where he has them
        (
            HEAD + "L = a (p \\cos w - q \\sin w) r + b r (p \\sin w + q \\cos w) + z",
            "L",
            "r",
            r"a \left(p \cos(w) - q \sin(w)\right) + b \cdot \left(p \sin(w) + "
            r"q \cos(w)\right)",
        ),
        # y = c f(u) has c f'(u): nothing is said of y that f says as shortly
        (
            HEAD + "s = u + x\nh = s \\sigma(g)",
            "h",
            "g",
            r"s \sigma(g) \left(1 - \sigma(g)\right)",
        ),
        (
            HEAD + "F = a \\tanh(b x)",
            "F",
            "x",
            r"a b \cdot \left(1 - \tanh^2(b x)\right)",
        ),
        # numbers to a power have no bracket
        (HEAD + "L = f 10^{-a x} + x", "L", "f", r"10^{-a x}"),
    ],
)
def test_what_is_printed(text, of, wrt, line):
    assert printed(text, of, wrt) == line


def test_one_bar_of_a_fraction_above_another():
    """f (y/Φ − 1)/(1 − Φ) is f (y − Φ)/(Φ (1 − Φ)); (1 − p/q)/(r + x) stays."""
    law = "<!-- symattn: sizes z:(n) y:(n) -->\n"
    text = law + "l = \\sum_i (y_i \\log F(z_i) + (1 - y_i) \\log(1 - F(z_i)))"
    assert printed(text, "l", "z") == (
        r"\frac{F'(z_i) \left(y_i - F(z_i)\right)}{F(z_i) \left(1 - F(z_i)\right)}"
    )
    text = HEAD + "L = \\frac{c}{r + x} (1 - \\frac{p}{q})"
    assert printed(text, "L", "c") == r"\frac{1}{r + x} \left(1 - \frac{p}{q}\right)"


def test_no_power_of_an_output_over_a_power_that_is_new():
    text = HEAD + "D = (v^2 - w^2)^2 + q^2 w^2\ng = \\frac{v^2}{\\sqrt{D}}"
    assert "v^{4}" not in printed(text, "g", "w")
