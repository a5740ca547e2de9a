"""Comparisons: pairs, preferences, prototypes, neighbours."""

# ruff: noqa: E501 (one line an equation)

from .form import Form, Line

FORMS = [
    Form(
        "image and text contrast",
        (
            r"""P_{ij} = \frac{e^{S_{ij}}}{\sum_l e^{S_{il}}}
R_{ij} = \frac{e^{S_{ij}}}{\sum_k e^{S_{kj}}}
L = -\frac{1}{2n} \sum_{i=1}^n (\log P_{ii} + \log R_{ii})""",
            r"""P_{ij} = \frac{e^{S_{ij}}}{\sum_l e^{S_{il}}}
R_{ij} = \frac{e^{S_{ij}}}{\sum_k e^{S_{kj}}}
L = \frac{1}{2n} \sum_{i=1}^n (\log \sum_l e^{S_{il}} + \log \sum_l e^{S_{li}} - 2 S_{ii})""",
        ),
        "L",
        {
            "S": Line(
                r"\frac{1}{2n} (P_{ij} + R_{ij} - 2 \delta_{ij})",
                r"\frac{1}{2n} (P + R - 2 I)",
                at="ij",
            )
        },
    ),
    Form(
        "label propagation",
        (
            r"L = \sum_i m_i (f_i - y_i)^2 + \frac{\lambda}{2} \sum_{ij} W_{ij} (f_i - f_j)^2",
            r"L = \sum_i m_i (f_i - y_i)^2 + \lambda \sum_i \sum_j \frac{1}{2} W_{ij} (f_i - f_j)^2",
        ),
        "L",
        {"f": Line(r"2 m_i (f_i - y_i) + \lambda \sum_j (W_{ij} + W_{ji}) (f_i - f_j)", at="i")},
    ),
    Form(
        "prototypical network",
        (
            r"""<!-- symattn: assume \sum_k y_{ik} = 1 -->
D_{ik} = \sum_a (x_{ia} - c_{ka})^2
p_{ik} = \frac{e^{-D_{ik}}}{\sum_l e^{-D_{il}}}
L = -\sum_{ik} y_{ik} \log p_{ik}""",
            r"""<!-- symattn: assume \sum_k y_{ik} = 1 -->
D_{ik} = \sum_a (x_{ia} - c_{ka})^2
p_{ik} = \frac{\exp(-D_{ik})}{\sum_l \exp(-D_{il})}
L = \sum_i \sum_k y_{ik} (D_{ik} + \log \sum_l e^{-D_{il}})""",
        ),
        "L",
        {
            "c": Line(r"2 \sum_i (p_{ik} - y_{ik}) (x_{ia} - c_{ka})", at="ka"),
            "x": Line(r"2 \sum_k (p_{ik} - y_{ik}) c_{ka}", r"2 (p - y) c", at="ia"),
        },
    ),
    Form(
        "Bradley-Terry model",
        (
            r"""P_{ij} = \sigma(s_i - s_j)
L = -\sum_{ij} W_{ij} \log P_{ij}""",
            r"""P_{ij} = \frac{e^{s_i}}{e^{s_i} + e^{s_j}}
L = -\sum_{ij} W_{ij} \log P_{ij}""",
        ),
        "L",
        {"s": Line(r"\sum_j (W_{ji} P_{ij} - W_{ij} P_{ji})", at="i")},
    ),
    Form(
        "direct preference optimisation",
        (
            r"""m_n = \beta (u_n - v_n)
L = -\sum_n \log \sigma(m_n)""",
            r"""m_n = \beta (u_n - v_n)
L = \sum_n \log(1 + e^{-m_n})""",
        ),
        "L",
        {
            "u": Line(r"-\beta \sigma(-m_n)", at="n"),
            "v": Line(r"\beta \sigma(-m_n)", at="n"),
            r"\beta": Line(r"\sum_n \sigma(-m_n) (v_n - u_n)"),
        },
    ),
    Form(
        "decorrelation loss",
        (
            r"""C_{ij} = \frac{1}{n} \sum_{b=1}^n X_{bi} Y_{bj}
L = \sum_{ij} (C_{ij} - \delta_{ij})^2""",
            """<!-- symattn: sizes X:(n,d) Y:(n,d) C:(d,d) -->
C = \\frac{1}{n} X^\\top Y
L = \\|C - I\\|_F^2""",
        ),
        "L",
        {
            "X": Line(
                r"\frac{2}{n} \sum_j Y_{bj} (C_{ij} - \delta_{ij})",
                r"\frac{2}{n} Y (C - I)^\top",
                at="bi",
            ),
            "Y": Line(
                r"\frac{2}{n} \sum_i X_{bi} (C_{ij} - \delta_{ij})",
                r"\frac{2}{n} X (C - I)",
                at="bj",
            ),
        },
    ),
    Form(
        "correlation",
        (
            r"""m = \frac{1}{n} \sum_{j=1}^n x_j
c_i = x_i - m
a = \sqrt{\sum_j c_j^2}
u_i = \frac{c_i}{a}
r = \sum_i u_i v_i""",
            r"""m = \frac{1}{n} \sum_{j=1}^n x_j
a = \sqrt{\sum_j (x_j - m)^2}
u_i = \frac{x_i - m}{a}
r = \sum_i u_i v_i""",
        ),
        "r",
        {
            "x": Line(
                r"\frac{1}{a} (v_i - \frac{1}{n} \sum_j v_j - r u_i)",
                r"\frac{1}{a} (v - \mathrm{mean}(v) - r u)",
                at="i",
            )
        },
    ),
    Form(
        "Jaccard loss",
        (
            r"""I = \sum_i p_i y_i
U = \sum_i p_i + \sum_i y_i - I
J = 1 - \frac{I}{U}""",
            r"""I = \sum_i p_i y_i
U = \sum_i (p_i + y_i) - I
J = 1 - \frac{I}{U}""",
        ),
        "J",
        {"p": Line(r"\frac{1}{U^2} (I - y_i (I + U))", at="i")},
        near={"p": 0.5, "y": 0.5},
    ),
    Form(
        "soft targets",
        (
            r"""<!-- symattn: assume \sum_i q_i = 1 -->
p_i = \frac{e^{z_i / \tau}}{\sum_j e^{z_j / \tau}}
L = -\tau^2 \sum_i q_i \log p_i""",
            r"""<!-- symattn: assume \sum_i q_i = 1 -->
p_i = \frac{\exp(z_i / \tau)}{\sum_j \exp(z_j / \tau)}
L = \tau^2 \log \sum_j \exp(z_j / \tau) - \tau \sum_i q_i z_i""",
        ),
        "L",
        {"z": Line(r"\tau (p_i - q_i)", r"\tau (p - q)", at="i")},
    ),
    Form(
        "supervised contrast",
        (
            r"""<!-- symattn: assume \sum_j P_{ij} = 1 -->
S_{ij} = \frac{1}{\tau} \sum_a Z_{ia} Z_{ja}
A_{ij} = \frac{e^{S_{ij}}}{\sum_l e^{S_{il}}}
L = -\sum_{ij} P_{ij} \log A_{ij}""",
            r"""<!-- symattn: assume \sum_j P_{ij} = 1 -->
S_{ij} = \frac{1}{\tau} \sum_a Z_{ia} Z_{ja}
A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})}
L = \sum_i (\log \sum_l \exp(S_{il}) - \sum_j P_{ij} S_{ij})""",
        ),
        "L",
        {
            "S": Line(r"A_{ij} - P_{ij}", "A - P", at="ij"),
            "Z": Line(
                r"\frac{1}{\tau} \sum_j (A_{ij} + A_{ji} - P_{ij} - P_{ji}) Z_{ja}",
                r"\frac{1}{\tau} (A + A^\top - P - P^\top) Z",
                at="ia",
            ),
        },
    ),
    Form(
        "negative sampling of words",
        (
            r"""s = \sum_a u_a v_a
t_k = \sum_a N_{ka} v_a
L = -\log \sigma(s) - \sum_k \log \sigma(-t_k)""",
            r"""s = \sum_a u_a v_a
t_k = \sum_a N_{ka} v_a
L = \log(1 + e^{-s}) + \sum_k \log(1 + e^{t_k})""",
        ),
        "L",
        {
            "v": Line(r"(\sigma(s) - 1) u_a + \sum_k \sigma(t_k) N_{ka}", at="a"),
            "N": Line(r"\sigma(t_k) v_a", at="ka"),
        },
    ),
    Form(
        "sigmoid contrast",
        (
            r"""m_{ij} = y_{ij} (\tau S_{ij} + b)
L = -\sum_{ij} \log \sigma(m_{ij})""",
            r"""m_{ij} = y_{ij} (\tau S_{ij} + b)
L = \sum_{ij} \log(1 + e^{-m_{ij}})""",
        ),
        "L",
        {
            "S": Line(r"-\tau y_{ij} \sigma(-m_{ij})", at="ij"),
            "b": Line(r"-\sum_{i,j} y_{ij} \sigma(-m_{ij})"),
            r"\tau": Line(r"-\sum_{i,j} y_{ij} S_{ij} \sigma(-m_{ij})"),
        },
    ),
    Form(
        "uniformity on a sphere",
        (
            r"""D_{ij} = \sum_a (x_{ia} - x_{ja})^2
W_{ij} = \frac{e^{-\tau D_{ij}}}{\sum_{kl} e^{-\tau D_{kl}}}
U = \log \sum_{ij} e^{-\tau D_{ij}}""",
            r"""D_{ij} = \sum_a (x_{ia} - x_{ja})^2
Z = \sum_{kl} \exp(-\tau D_{kl})
W_{ij} = \frac{1}{Z} \exp(-\tau D_{ij})
U = \log Z""",
        ),
        "U",
        {
            "x": Line(r"4 \tau \sum_j W_{ij} (x_{ja} - x_{ia})", at="ia"),
            r"\tau": Line(r"-\sum_{i,j} W_{ij} D_{ij}"),
        },
    ),
    Form(
        "smoothness on a graph",
        (
            r"""<!-- symattn: symmetric A -->
E = \frac{1}{2} \sum_{ij} A_{ij} \left(\frac{f_i}{s_i} - \frac{f_j}{s_j}\right)^2""",
            r"""<!-- symattn: symmetric A -->
u_i = \frac{f_i}{s_i}
E = \frac{1}{2} \sum_i \sum_j A_{ij} (u_i - u_j)^2""",
        ),
        "E",
        {
            "f": Line(
                r"\frac{2}{s_i} \sum_j A_{ij} \left(\frac{f_i}{s_i} - \frac{f_j}{s_j}\right)",
                at="i",
            )
        },
        near={"s": 2.0},
        again={"f": Line(r"\frac{2}{s_i} \sum_j A_{ij} (u_i - u_j)", at="i")},
    ),
    Form(
        "pairwise ranking",
        (
            r"""d_i = \sum_k U_{ik} (V_{ik} - W_{ik})
L = -\sum_i \log \sigma(d_i) + \frac{\lambda}{2} \sum_{ik} U_{ik}^2""",
            r"""d_i = \sum_k U_{ik} V_{ik} - \sum_k U_{ik} W_{ik}
L = \sum_i \log(1 + \exp(-d_i)) + \frac{\lambda}{2} \sum_{ik} U_{ik}^2""",
        ),
        "L",
        {
            "U": Line(r"\lambda U_{ik} - \sigma(-d_i) (V_{ik} - W_{ik})", at="ik"),
            "V": Line(r"-\sigma(-d_i) U_{ik}", at="ik"),
        },
    ),
    Form(
        "temperature of a classifier",
        (
            r"""<!-- symattn: assume \sum_i y_i = 1 -->
p_i = \frac{e^{z_i / \tau}}{\sum_j e^{z_j / \tau}}
L = -\sum_i y_i \log p_i""",
            r"""<!-- symattn: assume \sum_i y_i = 1 -->
p_i = \frac{\exp(z_i / \tau)}{\sum_j \exp(z_j / \tau)}
L = \log \sum_j \exp(z_j / \tau) - \frac{1}{\tau} \sum_i y_i z_i""",
        ),
        "L",
        {
            r"\tau": Line(
                r"\frac{1}{\tau^2} \sum_i z_i (y_i - p_i)", r"\frac{1}{\tau^2} z^\top (y - p)"
            ),
            "z": Line(r"\frac{1}{\tau} (p_i - y_i)", r"\frac{1}{\tau} (p - y)", at="i"),
        },
    ),
    Form(
        "stress of a layout",
        (
            r"""<!-- symattn: symmetric K l -->
d_{ij} = \sqrt{\sum_a (x_{ia} - x_{ja})^2 + \epsilon}
E = \frac{1}{2} \sum_{ij} K_{ij} (d_{ij} - l_{ij})^2""",
            r"""<!-- symattn: symmetric K l -->
d_{ij} = (\epsilon + \sum_a (x_{ia} - x_{ja})^2)^{1/2}
E = \frac{1}{2} \sum_i \sum_j K_{ij} (d_{ij} - l_{ij})^2""",
        ),
        "E",
        {
            "x": Line(
                r"2 \sum_j \frac{K_{ij} (d_{ij} - l_{ij})}{d_{ij}} (x_{ia} - x_{ja})",
                at="ia",
            )
        },
    ),
]
