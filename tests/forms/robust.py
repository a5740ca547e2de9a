"""Losses that bound what a residual weighs, and penalties."""

# ruff: noqa: E501 (one line an equation)

from .form import Form, Line

FORMS = [
    Form(
        "gradient penalty",
        (
            r"""r = \sqrt{\sum_a g_a^2}
L = \lambda (r - 1)^2""",
            r"""r = \|g\|
L = \lambda (r - 1)^2""",
        ),
        "L",
        {"g": Line(r"\frac{2 \lambda (r - 1) g_a}{r}", r"\frac{2 \lambda (r - 1)}{r} g", at="a")},
    ),
    Form(
        "Geman-McClure loss",
        (
            r"L = \sum_i \frac{r_i^2}{c^2 + r_i^2}",
            r"L = \sum_i \frac{(r_i / c)^2}{1 + (r_i / c)^2}",
        ),
        "L",
        {"r": Line(r"\frac{2 c^2 r_i}{(c^2 + r_i^2)^2}", at="i")},
    ),
    Form(
        "orthogonality penalty",
        (
            """<!-- symattn: sizes W:(m,n) G:(n,n) -->
G = W^\\top W - I
L = \\frac{1}{4} \\|G\\|_F^2""",
            r"""G_{jk} = \sum_i W_{ij} W_{ik} - \delta_{jk}
L = \frac{1}{4} \sum_{jk} G_{jk}^2""",
        ),
        "L",
        {"W": Line(r"\sum_k W_{ik} G_{jk}", "W G", at="ij")},
    ),
    Form(
        "heavy-tailed loss",
        (
            r"L = \frac{\nu + 1}{2} \sum_i \log\left(1 + \frac{r_i^2}{\nu}\right)",
            r"L = \frac{1}{2} \sum_i (\nu + 1) \log\left(\frac{\nu + r_i^2}{\nu}\right)",
        ),
        "L",
        {"r": Line(r"\frac{(\nu + 1) r_i}{\nu + r_i^2}", at="i")},
        near={r"\nu": 3.0},
    ),
    Form(
        "elastic net",
        (
            r"L = \frac{1}{2} \sum_i (y_i - \sum_a X_{ia} w_a)^2 + \lambda \sum_a |w_a| + \frac{\mu}{2} \sum_a w_a^2",
            """<!-- symattn: sizes X:(n,d) w:(d) y:(n) -->
L = \\frac{1}{2} \\|y - X w\\|^2 + \\lambda \\|w\\|_1 + \\frac{\\mu}{2} \\|w\\|^2""",
        ),
        "L",
        {
            "w": Line(
                r"\sum_i X_{ia} (\sum_b X_{ib} w_b - y_i) + \lambda \mathrm{sign}(w_a) + \mu w_a",
                r"X^\top (X w - y) + \lambda \mathrm{sign}(w) + \mu w",
                at="a",
            )
        },
    ),
    Form(
        "pseudo-Huber loss of residuals",
        (
            r"L = c^2 \sum_i \left(\sqrt{1 + \left(\frac{r_i}{c}\right)^2} - 1\right)",
            r"""s_i = \sqrt{1 + r_i^2 / c^2}
L = \sum_i c^2 (s_i - 1)""",
        ),
        "L",
        {"r": Line(r"\frac{r_i}{\sqrt{1 + \left(\frac{r_i}{c}\right)^2}}", at="i")},
        again={"r": Line(r"\frac{r_i}{s_i}", at="i")},
    ),
    Form(
        "biweight loss",
        (
            r"L = \frac{c^2}{6} \sum_i \left(1 - \left(1 - \frac{r_i^2}{c^2}\right)^3\right)",
            r"""u_i = \frac{r_i}{c}
L = \frac{c^2}{6} \sum_i (1 - (1 - u_i^2)^3)""",
        ),
        "L",
        {"r": Line(r"r_i \left(1 - \frac{r_i^2}{c^2}\right)^2", at="i")},
        again={"r": Line(r"r_i (1 - u_i^2)^2", at="i")},
    ),
    Form(
        "Welsch loss",
        (
            r"L = \frac{c^2}{2} \sum_i \left(1 - e^{-r_i^2 / c^2}\right)",
            r"""w_i = \exp\left(-\left(\frac{r_i}{c}\right)^2\right)
L = \frac{c^2}{2} \sum_i (1 - w_i)""",
        ),
        "L",
        {"r": Line(r"r_i e^{-r_i^2 / c^2}", at="i")},
        again={"r": Line(r"r_i w_i", at="i")},
    ),
]
