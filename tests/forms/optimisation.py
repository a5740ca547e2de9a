"""Objectives, penalties and barriers of optimisation."""

from .form import Form, Line

LASSO = r"L = \frac{1}{2} \sum_i (\sum_j X_{ij} w_j - y_i)^2 + \lambda \sum_j |w_j|"
LASSO_NORM = r"""<!-- symattn: sizes X:(n,d) w:(d) y:(n) -->
L = \frac{1}{2} \|X w - y\|^2 + \lambda \|w\|_1"""
AUGMENTED = r"""r_i = \sum_j A_{ij} x_j - b_i
L = \sum_j c_j x_j + \sum_i y_i r_i + \frac{\rho}{2} \sum_i r_i^2"""
AUGMENTED_MATRIX = r"""<!-- symattn: sizes A:(m,n) x:(n) b:(m) c:(n) y:(m) -->
r = A x - b
L = c^\top x + y^\top r + \frac{\rho}{2} \|r\|^2"""
BARRIER = r"""s_i = b_i - \sum_j A_{ij} x_j
f = t \sum_j c_j x_j - \sum_i \log(s_i)"""
BARRIER_MATRIX = r"""<!-- symattn: sizes A:(m,n) x:(n) b:(m) c:(n) -->
s = b - A x
f = t \sum_j c_j x_j - \sum_i \log(s_i)"""
RAYLEIGH = r"""<!-- symattn: symmetric A -->
N = \sum_i x_i^2
\rho = \frac{\sum_i \sum_j x_i A_{ij} x_j}{N}"""
RAYLEIGH_MATRIX = r"""<!-- symattn: symmetric A; sizes A:(n,n) x:(n) -->
N = x^\top x
\rho = \frac{x^\top A x}{N}"""
DESIGN = r"""<!-- symattn: symmetric R -->
M_{ij} = \sum_k w_k V_{ki} V_{kj} + R_{ij}
f = \log \det M"""
DESIGN_MATRIX = r"""<!-- symattn: symmetric R; sizes V:(n,d) w:(n) R:(d,d) -->
M = V^\top \mathrm{diag}(w) V + R
f = \log \det(M)"""
LINE = r"""<!-- symattn: symmetric A -->
z_i = x_i + t u_i
f = \frac{1}{2} \sum_i \sum_j z_i A_{ij} z_j - \sum_i b_i z_i"""
LINE_MATRIX = r"""<!-- symattn: symmetric A; sizes A:(n,n) x:(n) u:(n) b:(n) -->
z = x + t u
f = \frac{1}{2} z^\top A z - b^\top z"""
SQUARED_HINGE = r"""z_i = \sum_j X_{ij} w_j
m_i = \max(0, 1 - y_i z_i)
L = \frac{1}{2} \sum_j w_j^2 + C \sum_i m_i^2"""
SQUARED_HINGE_NAME = r"""z_i = \sum_j X_{ij} w_j
m_i = \mathrm{ReLU}(1 - y_i z_i)
L = \frac{1}{2} \sum_j w_j w_j + C \sum_i m_i m_i"""

FORMS = [
    Form(
        "lasso",
        (LASSO, LASSO_NORM),
        "L",
        {
            "w": Line(
                r"\sum_i X_{ij} (\sum_k X_{ik} w_k - y_i) + \lambda \mathrm{sign}(w_j)",
                r"X^\top (X w - y) + \lambda \mathrm{sign}(w)",
            )
        },
    ),
    Form(
        "augmented Lagrangian",
        (AUGMENTED, AUGMENTED_MATRIX),
        "L",
        {
            "x": Line(r"c_j + \sum_i A_{ij} (y_i + \rho r_i)", r"c + A^\top (y + \rho r)"),
            "y": Line(r"r_i", r"r", "i"),
            "x x": Line(r"\rho \sum_i A_{ij} A_{ik}", r"\rho A^\top A", "jk"),
        },
    ),
    Form(
        "log barrier",
        (BARRIER, BARRIER_MATRIX),
        "f",
        {
            "x": Line(r"t c_j + \sum_i \frac{A_{ij}}{s_i}"),
            "x x": Line(r"\sum_i \frac{A_{ij} A_{ik}}{s_i^2}", "", "jk"),
        },
        near={"b": 20.0},
    ),
    Form(
        "Rosenbrock function",
        (
            r"f = (\alpha - x)^2 + \beta (y - x^2)^2",
            r"f = (x - \alpha)^2 + \beta (x^2 - y)^2",
        ),
        "f",
        {
            "x": Line(r"2 (x - \alpha) - 4 \beta x (y - x^2)"),
            "y": Line(r"2 \beta (y - x^2)"),
        },
        again={"x": Line(r"2 (x - \alpha) + 4 \beta x (x^2 - y)")},
    ),
    Form(
        "Rayleigh quotient",
        (RAYLEIGH, RAYLEIGH_MATRIX),
        r"\rho",
        {
            "x": Line(r"\frac{2}{N} (\sum_j A_{ij} x_j - \rho x_i)", r"\frac{2}{N} (A x - \rho x)"),
            "A": Line(r"\frac{1}{N} x_i x_j", r"\frac{x x^\top}{N}"),
        },
    ),
    Form(
        "pseudo-Huber loss",
        (
            r"L = c^2 (\sqrt{1 + (\frac{r}{c})^2} - 1)",
            r"L = c^2 \sqrt{1 + \frac{r^2}{c^2}} - c^2",
        ),
        "L",
        {"r": Line(r"\frac{r}{\sqrt{1 + (\frac{r}{c})^2}}")},
        again={"r": Line(r"\frac{r}{\sqrt{1 + \frac{r^2}{c^2}}}")},
    ),
    Form(
        "D-optimal design",
        (DESIGN, DESIGN_MATRIX),
        "f",
        {"w": Line(r"\sum_i \sum_j V_{ki} (M^{-1})_{ij} V_{kj}", "", "k")},
    ),
    Form(
        "line search",
        (LINE, LINE_MATRIX),
        "f",
        {
            "t": Line(r"\sum_i u_i (\sum_j A_{ij} z_j - b_i)", r"u^\top (A z - b)"),
            "z": Line(r"\sum_j A_{ij} z_j - b_i", r"A z - b"),
            "t t": Line(r"\sum_i \sum_j u_i A_{ij} u_j", r"u^\top A u"),
        },
    ),
    Form(
        "squared hinge",
        (SQUARED_HINGE, SQUARED_HINGE_NAME),
        "L",
        {
            "w": Line(
                r"w_j - 2 C \sum_i X_{ij} y_i m_i",
                r"w - 2 C X^\top (y \circ m)",
            )
        },
    ),
    Form(
        "Cobb-Douglas production",
        (
            r"Y = A K^\alpha L^{1 - \alpha}",
            r"Y = A L (\frac{K}{L})^\alpha",
        ),
        "Y",
        {"K": Line(r"\frac{\alpha Y}{K}"), "L": Line(r"\frac{(1 - \alpha) Y}{L}")},
        near={"K": 9.0, "L": 9.0},
    ),
]
