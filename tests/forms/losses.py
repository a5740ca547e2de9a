"""Losses of regression, classification and ranking."""

from .form import Form, Line

LOGISTIC = r"""
s_i = \frac{1}{1 + e^{-\sum_j X_{ij} w_j}}
L = -\sum_i (y_i \log(s_i) + (1 - y_i) \log(1 - s_i))
"""
LOGISTIC_SIGMA = r"""
s_i = \sigma(\sum_j X_{ij} w_j)
L = -\sum_i y_i \log(s_i) - \sum_i (1 - y_i) \log(1 - s_i)
"""
ONE = r"<!-- symattn: assume \sum_i y_i = 1 -->"
CROSS = (
    ONE
    + r"""
p_i = \frac{e^{z_i}}{\sum_j e^{z_j}}
L = -\sum_i y_i \log(p_i)
"""
)
CROSS_MAX = (
    ONE
    + r"""
m = \max_j z_j
p_i = \frac{e^{z_i - m}}{\sum_j e^{z_j - m}}
L = -\sum_i y_i \log(p_i)
"""
)
SMOOTH = r"""<!-- symattn: sizes z:(K); assume \sum_i y_i = 1 -->
p_i = \frac{e^{z_i}}{\sum_j e^{z_j}}
q_i = (1 - \epsilon) y_i + \frac{\epsilon}{K}
L = -\sum_i q_i \log(p_i)
"""
SMOOTH_MAX = r"""<!-- symattn: sizes z:(K); assume \sum_i y_i = 1 -->
m = \max_j z_j
p_i = \frac{e^{z_i - m}}{\sum_j e^{z_j - m}}
q_i = (1 - \epsilon) y_i + \epsilon / K
L = -\sum_i q_i \log(p_i)
"""
INFO = r"""
S_{ij} = \frac{1}{\tau} \sum_a U_{ia} V_{ja}
P_{ij} = \frac{e^{S_{ij}}}{\sum_k e^{S_{ik}}}
L = -\frac{1}{n} \sum_{i=1}^n \log(P_{ii})
"""
INFO_LSE = r"""
S_{ij} = \frac{1}{\tau} \sum_a U_{ia} V_{ja}
P_{ij} = \frac{e^{S_{ij}}}{\sum_k e^{S_{ik}}}
L = \frac{1}{n} \sum_{i=1}^n (\log(\sum_k e^{S_{ik}}) - S_{ii})
"""
SOFTMAX = r"""<!-- symattn: assume \sum_k Y_{ik} = 1 -->
P_{ik} = \frac{e^{\sum_j X_{ij} W_{jk}}}{\sum_l e^{\sum_j X_{ij} W_{jl}}}
L = -\sum_i \sum_k Y_{ik} \log(P_{ik})
"""
SOFTMAX_LOGITS = r"""<!-- symattn: assume \sum_k Y_{ik} = 1 -->
Z_{ik} = \sum_j X_{ij} W_{jk}
P_{ik} = \frac{e^{Z_{ik}}}{\sum_l e^{Z_{il}}}
L = -\sum_i \sum_k Y_{ik} \log(P_{ik})
"""
TRIPLET = r"""
D = \sum_a (x_a - p_a)^2
E = \sum_a (x_a - q_a)^2
L = \max(0, D - E + m)
"""
TRIPLET_NORM = r"""<!-- symattn: sizes x:(d) p:(d) q:(d) -->
D = \|x - p\|^2
E = \|x - q\|^2
L = \mathrm{ReLU}(D - E + m)
"""

FORMS = [
    Form(
        "logistic regression",
        (LOGISTIC, LOGISTIC_SIGMA),
        "L",
        {
            "w": Line(r"\sum_i X_{ij} (s_i - y_i)", r"X^\top (s - y)"),
            "w w": Line(
                r"\sum_i s_i (1 - s_i) X_{ij} X_{ik}",
                r"X^\top \mathrm{diag}(s \circ (1 - s)) X",
                "jk",
            ),
        },
    ),
    Form(
        "cross-entropy by logits",
        (CROSS, CROSS_MAX),
        "L",
        {
            "z": Line(r"p_i - y_i", r"p - y"),
            "z z": Line(r"p_i (\delta_{ij} - p_j)", r"\mathrm{diag}(p) - p p^\top", "ij"),
        },
    ),
    Form(
        "cross-entropy with label smoothing",
        (SMOOTH, SMOOTH_MAX),
        "L",
        {"z": Line(r"p_i - q_i", r"p - q")},
    ),
    Form(
        "InfoNCE",
        (INFO, INFO_LSE),
        "L",
        {
            "S": Line(r"\frac{1}{n} (P_{ij} - \delta_{ij})", r"\frac{1}{n} (P - I)"),
            "U": Line(
                r"\frac{1}{n \tau} \sum_j (P_{ij} - \delta_{ij}) V_{ja}",
                r"\frac{1}{n \tau} (P - I) V",
            ),
            "V": Line(
                r"\frac{1}{n \tau} \sum_i (P_{ij} - \delta_{ij}) U_{ia}",
                r"\frac{1}{n \tau} (P - I)^\top U",
            ),
        },
    ),
    Form(
        "softmax regression",
        (SOFTMAX, SOFTMAX_LOGITS),
        "L",
        {"W": Line(r"\sum_i X_{ij} (P_{ik} - Y_{ik})", r"X^\top (P - Y)")},
    ),
    Form(
        "Poisson regression",
        (
            "m_i = \\exp(\\sum_j X_{ij} w_j)\nL = \\sum_i (m_i - y_i \\log(m_i))",
            "m_i = e^{\\sum_j X_{ij} w_j}\nL = \\sum_i (m_i - y_i \\sum_j X_{ij} w_j)",
        ),
        "L",
        {
            "w": Line(r"\sum_i X_{ij} (m_i - y_i)", r"X^\top (m - y)"),
            "w w": Line(r"\sum_i m_i X_{ij} X_{ik}", r"X^\top \mathrm{diag}(m) X", "jk"),
        },
    ),
    Form(
        "softplus loss",
        (
            "z_i = \\sum_j X_{ij} w_j\nL = \\sum_i \\log(1 + e^{-y_i z_i})",
            "z_i = \\sum_j X_{ij} w_j\nL = -\\sum_i \\log(\\sigma(y_i z_i))",
        ),
        "L",
        {
            "z": Line(r"-y_i \sigma(-y_i z_i)", r"-y \circ \sigma(-y \circ z)"),
            "w": Line(
                r"-\sum_i y_i \sigma(-y_i z_i) X_{ij}",
                r"-X^\top (y \circ \sigma(-y \circ z))",
            ),
        },
    ),
    Form(
        "hinge loss",
        (
            "z = \\sum_j w_j x_j\nL = \\max(0, 1 - y z)",
            "z = \\sum_k w_k x_k\nL = \\mathrm{ReLU}(1 - y z)",
        ),
        "L",
        {"w": Line(r"-y x_j \mathbf{1}[y z < 1]")},
    ),
    Form(
        "perceptron",
        (
            "z_i = \\sum_j X_{ij} w_j\nL = \\sum_i \\max(0, -y_i z_i)",
            "z_i = \\sum_k X_{ik} w_k\nL = \\sum_i \\mathrm{ReLU}(-y_i z_i)",
        ),
        "L",
        {"w": Line(r"-\sum_i y_i X_{ij} \mathbf{1}[y_i z_i < 0]")},
    ),
    Form(
        "Huber loss",
        (
            r"L = \begin{cases} \frac{1}{2} r^2 & |r| \le c \\"
            r" c (|r| - \frac{c}{2}) & |r| > c \end{cases}",
            r"L = \begin{cases} r^2 / 2 & |r| \le c \\ c |r| - c^2 / 2 & |r| > c \end{cases}",
        ),
        "L",
        {"r": Line(r"\begin{cases} r & |r| \le c \\ c \mathrm{sign}(r) & |r| > c \end{cases}")},
    ),
    Form(
        "triplet loss",
        (TRIPLET, TRIPLET_NORM),
        "L",
        {
            "x": Line(
                r"2 (q_a - p_a) \mathbf{1}[D - E + m > 0]",
                r"2 \mathbf{1}[D - E + m > 0] (q - p)",
            ),
            "p": Line(
                r"2 (p_a - x_a) \mathbf{1}[D - E + m > 0]",
                r"2 \mathbf{1}[D - E + m > 0] (p - x)",
            ),
            "q": Line(
                r"2 (x_a - q_a) \mathbf{1}[D - E + m > 0]",
                r"2 \mathbf{1}[D - E + m > 0] (x - q)",
            ),
        },
    ),
    Form(
        "least squares",
        (
            r"L = \frac{1}{2} \sum_i (\sum_j X_{ij} w_j - y_i)^2",
            "<!-- symattn: sizes X:(n,d) w:(d) y:(n) -->\nL = \\frac{1}{2} \\|X w - y\\|^2",
        ),
        "L",
        {
            "w": Line(r"\sum_i X_{ij} (\sum_k X_{ik} w_k - y_i)", r"X^\top (X w - y)"),
            "w w": Line(r"\sum_i X_{ij} X_{ik}", r"X^\top X", "jk"),
        },
    ),
    Form(
        "ridge",
        (
            r"L = \frac{1}{2} \sum_i (\sum_j X_{ij} w_j - y_i)^2"
            r" + \frac{\lambda}{2} \sum_j w_j^2",
            "<!-- symattn: sizes X:(n,d) w:(d) y:(n) -->\n"
            "L = \\frac{1}{2} \\|X w - y\\|^2 + \\frac{\\lambda}{2} \\|w\\|^2",
        ),
        "L",
        {
            "w": Line(
                r"\sum_i X_{ij} (\sum_k X_{ik} w_k - y_i) + \lambda w_j",
                r"X^\top (X w - y) + \lambda w",
            ),
            "w w": Line(
                r"\sum_i X_{ij} X_{ik} + \lambda \delta_{jk}", r"X^\top X + \lambda I", "jk"
            ),
        },
    ),
    Form(
        "matrix factorisation",
        (
            r"L = \frac{1}{2} \sum_i \sum_j (X_{ij} - \sum_k U_{ik} V_{jk})^2",
            "<!-- symattn: sizes X:(n,m) U:(n,k) V:(m,k) -->\n"
            "L = \\frac{1}{2} \\|X - U V^\\top\\|_F^2",
        ),
        "L",
        {
            "U": Line(r"-\sum_j (X_{ij} - \sum_l U_{il} V_{jl}) V_{jk}", r"-(X - U V^\top) V"),
            "V": Line(r"-\sum_i (X_{ij} - \sum_l U_{il} V_{jl}) U_{ik}", r"-(X - U V^\top)^\top U"),
        },
    ),
    Form(
        "PCA reconstruction",
        (
            "R_{ia} = X_{ia} - \\sum_k \\sum_b X_{ib} W_{bk} W_{ak}\nL = \\sum_i \\sum_a R_{ia}^2",
            "<!-- symattn: sizes X:(n,d) W:(d,k) -->\n"
            "R = X - X W W^\\top\nL = \\mathrm{tr}(R^\\top R)",
        ),
        "L",
        {
            "R": Line(r"2 R_{ia}", r"2 R"),
            "W": Line("", r"-2 (X^\top R + R^\top X) W", "ak"),
        },
    ),
]
