"""Potentials, statistics of particles, kinematics."""

from .form import Form, Line

GRAVITY = r"""r = \sqrt{\sum_a (x_a - y_a)^2}
V = -\frac{G m M}{r}"""
GRAVITY_NORM = r"""<!-- symattn: sizes x:(d) y:(d) -->
r = \|x - y\|
V = -G m M r^{-1}"""
LENNARD_JONES = r"""<!-- symattn: scalars epsilon -->
V = 4 \epsilon ((\frac{s}{r})^{12} - (\frac{s}{r})^6)"""
LENNARD_JONES_QUOTIENTS = r"""<!-- symattn: scalars epsilon -->
V = 4 \epsilon (\frac{s^{12}}{r^{12}} - \frac{s^6}{r^6})"""
SPRING = r"""r = \sqrt{\sum_a (x_a - y_a)^2}
E = \frac{1}{2} K (r - R)^2"""
SPRING_NORM = r"""<!-- symattn: sizes x:(d) y:(d) -->
r = \|x - y\|
E = \frac{K}{2} (r - R)^2"""

FORMS = [
    Form(
        "harmonic oscillator",
        (
            r"H = \frac{p^2}{2 m} + \frac{1}{2} m \omega^2 q^2",
            r"H = \frac{1}{2 m} p^2 + \frac{m \omega^2 q^2}{2}",
        ),
        "H",
        {
            "p": Line(r"\frac{p}{m}"),
            "q": Line(r"m \omega^2 q"),
            r"\omega": Line(r"m \omega q^2"),
        },
    ),
    Form(
        "gravity",
        (GRAVITY, GRAVITY_NORM),
        "V",
        {
            "x": Line(r"\frac{G M m}{r^3} (x_a - y_a)", r"\frac{G M m}{r^3} (x - y)"),
            "y": Line(r"\frac{G M m}{r^3} (y_a - x_a)", r"\frac{G M m}{r^3} (y - x)"),
        },
    ),
    Form(
        "Lennard-Jones potential",
        (
            LENNARD_JONES,
            LENNARD_JONES_QUOTIENTS,
        ),
        "V",
        {
            "r": Line(r"\frac{24 \epsilon}{r} ((\frac{s}{r})^6 - 2 (\frac{s}{r})^{12})"),
            r"\epsilon": Line(r"4 ((\frac{s}{r})^{12} - (\frac{s}{r})^6)"),
        },
        again={
            "r": Line(r"\frac{24 \epsilon}{r} (\frac{s^6}{r^6} - \frac{2 s^{12}}{r^{12}})"),
            r"\epsilon": Line(r"4 (\frac{s^{12}}{r^{12}} - \frac{s^6}{r^6})"),
        },
    ),
    Form(
        "Yukawa potential",
        (r"V = -q^2 \frac{e^{-m r}}{r}", r"V = -\frac{q^2}{r} \exp(-m r)"),
        "V",
        {"r": Line(r"-V (m + \frac{1}{r})"), "m": Line(r"-r V")},
    ),
    Form(
        "Morse potential",
        (
            "<!-- symattn: scalars alpha D -->\nu = e^{-\\alpha (r - R)}\nV = D (1 - u)^2",
            "<!-- symattn: scalars alpha D -->\nu = \\exp(-\\alpha (r - R))\nV = D (u - 1)^2",
        ),
        "V",
        {"r": Line(r"2 \alpha D u (1 - u)"), r"\alpha": Line(r"2 D u (1 - u) (r - R)")},
    ),
    Form(
        "paramagnet",
        (
            r"F = -\frac{1}{\beta} \log(2 \cosh(\beta B))",
            r"F = -\frac{1}{\beta} \log(e^{\beta B} + e^{-\beta B})",
        ),
        "F",
        {"B": Line(r"-\tanh(\beta B)")},
    ),
    Form(
        "Fermi-Dirac distribution",
        (
            r"f = \frac{1}{e^{\beta (E - \mu)} + 1}",
            r"f = \frac{1}{1 + \exp(\beta E - \beta \mu)}",
        ),
        "f",
        {
            "E": Line(r"-\beta f (1 - f)"),
            r"\mu": Line(r"\beta f (1 - f)"),
            r"\beta": Line(r"-(E - \mu) f (1 - f)"),
        },
    ),
    Form(
        "Bose-Einstein distribution",
        (r"n = \frac{1}{e^{\beta E} - 1}", r"n = \frac{e^{-\beta E}}{1 - e^{-\beta E}}"),
        "n",
        {"E": Line(r"-\beta n (1 + n)"), r"\beta": Line(r"-E n (1 + n)")},
    ),
    Form(
        "Lorentz factor",
        (
            r"\gamma = \frac{1}{\sqrt{1 - \frac{v^2}{c^2}}}",
            r"\gamma = (1 - v^2 / c^2)^{-1/2}",
        ),
        r"\gamma",
        {"v": Line(r"\frac{\gamma^3 v}{c^2}")},
        near={"c": 9.0},
    ),
    Form(
        "spring between two points",
        (SPRING, SPRING_NORM),
        "E",
        {
            "x": Line(
                r"\frac{K}{r} (r - R) (x_a - y_a)",
                r"\frac{K}{r} (r - R) (x - y)",
            ),
            "r": Line(r"K (r - R)"),
            "R": Line(r"K (R - r)"),
        },
    ),
]
