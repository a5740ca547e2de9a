"""Rates, equilibria and gases."""

from .form import Form, Line

FORMS = [
    Form(
        "Michaelis-Menten rate",
        (r"v = \frac{V S}{K + S}", r"v = V \frac{S}{S + K}"),
        "v",
        {
            "S": Line(r"\frac{V K}{(K + S)^2}"),
            "K": Line(r"-\frac{V S}{(K + S)^2}"),
        },
        jacobian=True,
    ),
    Form(
        "Morse oscillator",
        (
            r"""<!-- symattn: scalars a -->
u = e^{-a (r - b)}
V = D (1 - u)^2""",
            r"""<!-- symattn: scalars a -->
u = \exp(-a (r - b))
V = D (1 - 2 u + u^2)""",
        ),
        "V",
        {
            "r": Line("2 a D u (1 - u)"),
            "D": Line("(1 - u)^2"),
            "a": Line("2 D u (1 - u) (r - b)"),
        },
    ),
    Form(
        "Hill equation",
        (
            "<!-- symattn: scalars nu -->\n" r"v = \frac{V x^\nu}{k^\nu + x^\nu}",
            "<!-- symattn: scalars nu -->\n" r"v = V \frac{(x / k)^\nu}{1 + (x / k)^\nu}",
        ),
        "v",
        {
            "x": Line(r"\frac{\nu V k^\nu x^{\nu - 1}}{(k^\nu + x^\nu)^2}"),
            "V": Line(r"\frac{x^\nu}{k^\nu + x^\nu}"),
        },
        again={
            "x": Line(r"\frac{\nu V (\frac{x}{k})^\nu}{x (1 + (\frac{x}{k})^\nu)^2}"),
            "V": Line(r"\frac{(\frac{x}{k})^\nu}{1 + (\frac{x}{k})^\nu}"),
        },
        near={"x": 2.0, "k": 1.5, r"\nu": 2.0},
    ),
    Form(
        "van der Waals gas",
        (
            "<!-- symattn: scalars R T -->\nP = \\frac{R T}{V - b} - \\frac{a}{V^2}",
            "<!-- symattn: scalars R T V -->\nP = R T (V - b)^{-1} - a V^{-2}",
        ),
        "P",
        {
            "V": Line(r"\frac{2 a}{V^3} - \frac{R T}{(V - b)^2}"),
            "T": Line(r"\frac{R}{V - b}"),
            "b": Line(r"\frac{R T}{(V - b)^2}"),
        },
        near={"V": 3.0},
    ),
    Form(
        "inhibited growth",
        (
            r"v = \frac{V S}{K + S + \frac{S^2}{J}}",
            r"""D = K + S + S^2 / J
v = \frac{V S}{D}""",
        ),
        "v",
        {
            "S": Line(r"\frac{V (K - \frac{S^2}{J})}{(K + S + \frac{S^2}{J})^2}"),
            "V": Line(r"\frac{S}{K + S + \frac{S^2}{J}}"),
        },
        near={"K": 3.0, "J": 3.0, "S": 2.0},
        again={"S": Line(r"\frac{V}{D^2} (K - \frac{S^2}{J})"), "V": Line(r"\frac{S}{D}")},
    ),
    Form(
        "competitive adsorption",
        (
            r"""D = 1 + \sum_j K_j p_j
\theta_i = \frac{K_i p_i}{D}""",
            r"""u_i = K_i p_i
D = 1 + \sum_j u_j
\theta_i = \frac{u_i}{D}""",
        ),
        r"\theta",
        {"p": Line(r"\frac{K_j}{D} (\delta_{ij} - \theta_i)", at="ij")},
        jacobian=True,
        near={"K": 2.0, "p": 2.0},
    ),
    Form(
        "rate of a reaction",
        (
            r"k = A e^{-\frac{E}{R T}}",
            r"k = A \exp\left(-\frac{E}{R T}\right)",
        ),
        "k",
        {
            "T": Line(r"\frac{E k}{R T^2}"),
            "E": Line(r"-\frac{k}{R T}"),
            "A": Line(r"e^{-\frac{E}{R T}}", also=(r"\frac{k}{A}",)),
        },
        near={"T": 2.0, "R": 2.0},
        again={
            "A": Line(r"\exp\left(-\frac{E}{R T}\right)", also=(r"\frac{k}{A}",)),
        },
    ),
]
