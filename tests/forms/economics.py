"""Portfolios, prices, demand, transport of goods."""

# ruff: noqa: E501 (one line an equation)

from .form import Form, Line

FORMS = [
    Form(
        "entropic transport dual",
        (
            r"""P_{ij} = a_i b_j e^{(f_i + g_j - C_{ij}) / \epsilon}
D = \sum_i f_i a_i + \sum_j g_j b_j - \epsilon \sum_{ij} P_{ij}""",
            r"""P_{ij} = a_i b_j \exp\left(\frac{f_i + g_j - C_{ij}}{\epsilon}\right)
D = \sum_i a_i f_i + \sum_j b_j g_j - \epsilon \sum_i \sum_j P_{ij}""",
        ),
        "D",
        {
            "f": Line(r"a_i - \sum_j P_{ij}", r"a - \mathrm{rowsum}(P)", at="i"),
            "g": Line(r"b_j - \sum_i P_{ij}", r"b - \mathrm{colsum}(P)", at="j"),
            "C": Line("P_{ij}", "P", at="ij"),
        },
    ),
    Form(
        "soft minimum",
        (
            r"s = -\gamma \log(e^{-a / \gamma} + e^{-b / \gamma} + e^{-c / \gamma})",
            r"s = -\gamma \log\left(\exp\left(-\frac{a}{\gamma}\right) + \exp\left(-\frac{b}{\gamma}\right) + \exp\left(-\frac{c}{\gamma}\right)\right)",
        ),
        "s",
        {"a": Line(r"e^{(s - a) / \gamma}"), "c": Line(r"e^{(s - c) / \gamma}")},
        again={
            "a": Line(r"\exp\left(\frac{s - a}{\gamma}\right)"),
            "c": Line(r"\exp\left(\frac{s - c}{\gamma}\right)"),
        },
    ),
    Form(
        "mean-variance portfolio",
        (
            r"""<!-- symattn: symmetric C -->
U = \sum_i \mu_i w_i - \frac{\gamma}{2} \sum_{ij} w_i C_{ij} w_j""",
            "<!-- symattn: sizes C:(n,n) w:(n) \\mu:(n); symmetric C -->\n"
            "U = \\mu^\\top w - \\frac{\\gamma}{2} w^\\top C w",
        ),
        "U",
        {
            "w": Line(r"\mu_i - \gamma \sum_j C_{ij} w_j", r"\mu - \gamma C w", at="i"),
            r"\gamma": Line(r"-\frac{1}{2} \sum_{i,j} w_i C_{ij} w_j", r"-\frac{1}{2} w^\top C w"),
        },
    ),
    Form(
        "logit demand",
        (
            r"s_j = \frac{e^{u_j}}{1 + \sum_k e^{u_k}}",
            r"""D = 1 + \sum_k e^{u_k}
s_j = \frac{e^{u_j}}{D}""",
        ),
        "s",
        {"u": Line(r"s_j (\delta_{jk} - s_k)", at="jk")},
        jacobian=True,
    ),
    Form(
        "logit pricing",
        (
            r"""u_j = a_j - \alpha p_j
s_j = \frac{e^{u_j}}{1 + \sum_k e^{u_k}}
R = \sum_j (p_j - c_j) s_j""",
            r"""s_j = \frac{e^{a_j - \alpha p_j}}{1 + \sum_k e^{a_k - \alpha p_k}}
R = \sum_j p_j s_j - \sum_j c_j s_j""",
        ),
        "R",
        {
            "p": Line(r"s_j (1 - \alpha (p_j - c_j - R))", at="j"),
            "c": Line("-s_j", "-s", at="j"),
        },
        again={"p": Line(r"s_j (1 + \alpha (R + c_j - p_j))", at="j")},
    ),
    Form(
        "Sharpe ratio",
        (
            r"""<!-- symattn: symmetric C -->
s = \sqrt{\sum_{ij} w_i C_{ij} w_j}
S = \frac{\sum_i \mu_i w_i}{s}""",
            """<!-- symattn: sizes C:(n,n) w:(n) \\mu:(n); symmetric C -->
s = \\sqrt{w^\\top C w}
S = \\frac{\\mu^\\top w}{s}""",
        ),
        "S",
        {
            "w": Line(
                r"\frac{1}{s} (\mu_i - \frac{S}{s} \sum_j C_{ij} w_j)",
                r"\frac{1}{s} (\mu - \frac{S}{s} C w)",
                at="i",
            ),
            r"\mu": Line(r"\frac{w_i}{s}", r"\frac{w}{s}", at="i"),
        },
    ),
    Form(
        "bond price",
        (
            r"P = \sum_k c_k e^{-y t_k}",
            r"""v_k = \exp(-y t_k)
P = \sum_k c_k v_k""",
        ),
        "P",
        {
            "y": Line(r"-\sum_k t_k c_k e^{-y t_k}"),
            "y y": Line(r"\sum_k t_k^2 c_k e^{-y t_k}"),
            "c": Line(r"e^{-y t_k}", at="k"),
        },
        again={
            "y": Line(r"-\sum_k t_k c_k v_k"),
            "y y": Line(r"\sum_k t_k^2 c_k v_k"),
            "c": Line(r"v_k", at="k"),
        },
    ),
    Form(
        "growth of wealth",
        (
            r"""W_j = 1 + \sum_i w_i R_{ji}
G = \sum_j p_j \log W_j""",
            """<!-- symattn: sizes R:(m,n) w:(n) p:(m) W:(m) -->
W = 1 + R w
G = \\sum_j p_j \\log W_j""",
        ),
        "G",
        {
            "w": Line(r"\sum_j \frac{p_j R_{ji}}{W_j}", at="i"),
            "w w": Line(r"-\sum_j \frac{p_j R_{ji} R_{jk}}{W_j^2}", at="ik"),
        },
        near={"R": 1.0, "w": 1.0},
    ),
    Form(
        "competing species",
        (
            r"F_i = x_i (r_i + \sum_j A_{ij} x_j)",
            r"""g_i = r_i + \sum_j A_{ij} x_j
F_i = x_i g_i""",
        ),
        "F",
        {
            "x": Line(r"\delta_{ij} (r_i + \sum_k A_{ik} x_k) + x_i A_{ij}", at="ij"),
        },
        jacobian=True,
        again={
            "x": Line(r"\delta_{ij} g_i + x_i A_{ij}", at="ij"),
        },
    ),
]
