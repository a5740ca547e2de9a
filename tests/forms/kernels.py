"""Kernels, graphs and optimal transport."""

# ruff: noqa: E501 (one line an equation)

from .form import Form, Line

RBF = r"K_{ij} = e^{-\frac{\gamma}{2} \sum_a (x_{ia} - y_{ja})^2}"
NADARAYA = r"""k_i = e^{-\frac{1}{2 h^2} (x - c_i)^2}
w_i = \frac{k_i}{\sum_j k_j}
m = \sum_i w_i y_i"""
NADARAYA_EXP = r"""w_i = \frac{e^{-\frac{1}{2 h^2} (x - c_i)^2}}{\sum_j e^{-\frac{1}{2 h^2} (x - c_j)^2}}
m = \sum_i w_i y_i"""
SINKHORN = r"""f_i = -\epsilon \log(\sum_j b_j e^{(g_j - C_{ij}) / \epsilon})
P_{ij} = \frac{b_j e^{(g_j - C_{ij}) / \epsilon}}{\sum_l b_l e^{(g_l - C_{il}) / \epsilon}}"""
SINKHORN_FOLDED = r"""f_i = -\epsilon \log(\sum_j b_j e^{(g_j - C_{ij}) / \epsilon})
P_{ij} = b_j e^{(f_i + g_j - C_{ij}) / \epsilon}"""
SCALING = r"""s_i = \sum_j K_{ij} v_j
u_i = \frac{a_i}{s_i}"""
GAT = r"""s_{ij} = u_i + v_j
r_{ij} = \begin{cases} s_{ij} & s_{ij} > 0 \\ \alpha s_{ij} & s_{ij} \le 0 \end{cases}
a_{ij} = \frac{N_{ij} e^{r_{ij}}}{\sum_l N_{il} e^{r_{il}}}
h_{ib} = \sum_j a_{ij} V_{jb}"""
GAT_MAX = r"""s_{ij} = u_i + v_j
r_{ij} = \max(0, s_{ij}) + \alpha \min(0, s_{ij})
a_{ij} = \frac{N_{ij} e^{r_{ij}}}{\sum_l N_{il} e^{r_{il}}}
h_{ib} = \sum_j a_{ij} V_{jb}"""
GCN = r"""M_{ia} = \sum_j A_{ij} H_{ja}
Z_{ib} = \sum_a M_{ia} W_{ab}
Y_{ib} = \max(0, Z_{ib})"""
GCN_MATRIX = r"""<!-- symattn: sizes A:(n,n) H:(n,d) W:(d,m) -->
M = A H
Z = M W
Y_{ib} = \mathrm{ReLU}(Z_{ib})"""
STUDENT = r"""D_{ij} = \sum_a (y_{ia} - y_{ja})^2
k_{ij} = \frac{1}{1 + D_{ij}}"""

FORMS = [
    Form(
        "Gaussian kernel",
        (RBF, r"K_{ij} = \exp(-\gamma \frac{1}{2} \sum_a (x_{ia} - y_{ja})^2)"),
        "K",
        {
            "x": Line(r"\gamma \sum_j \bar{K}_{ij} K_{ij} (y_{ja} - x_{ia})"),
            "y": Line(r"\gamma \sum_i \bar{K}_{ij} K_{ij} (x_{ia} - y_{ja})"),
            r"\gamma": Line(
                r"-\frac{1}{2} \sum_i \sum_j \bar{K}_{ij} K_{ij} \sum_a (x_{ia} - y_{ja})^2"
            ),
        },
    ),
    Form(
        "squared distances",
        (
            r"D_{ij} = \sum_a (x_{ia} - y_{ja})^2",
            r"D_{ij} = \sum_a (x_{ia}^2 - 2 x_{ia} y_{ja} + y_{ja}^2)",
        ),
        "D",
        {
            "x": Line(r"2 \sum_j \bar{D}_{ij} (x_{ia} - y_{ja})"),
            "y": Line(r"2 \sum_i \bar{D}_{ij} (y_{ja} - x_{ia})"),
        },
    ),
    Form(
        "Student kernel",
        (STUDENT, STUDENT.replace(r"\frac{1}{1 + D_{ij}}", r"(1 + D_{ij})^{-1}")),
        "k",
        {"D": Line(r"-\bar{k}_{ij} k_{ij}^2", r"-\bar{k} \circ k \circ k")},
    ),
    Form(
        "Nadaraya-Watson",
        (NADARAYA, NADARAYA_EXP),
        "m",
        {
            "y": Line(r"w_i", r"w"),
            "x": Line(r"\frac{1}{h^2} \sum_i w_i (y_i - m) c_i"),
            "c": Line(r"\frac{1}{h^2} w_i (x - c_i) (y_i - m)"),
        },
    ),
    Form(
        "Sinkhorn step",
        (SINKHORN, SINKHORN_FOLDED),
        "f",
        {
            "g": Line(r"-\sum_i P_{ij} \bar{f}_i", r"-P^\top \bar{f}"),
            "C": Line(r"\bar{f}_i P_{ij}", r"\mathrm{diag}(\bar{f}) P"),
        },
    ),
    Form(
        "Sinkhorn scaling",
        (SCALING, SCALING.replace(r"\frac{a_i}{s_i}", "a_i / s_i")),
        "u",
        {
            "a": Line(r"\frac{\bar{u}_i}{s_i}"),
            "s": Line(r"-\frac{\bar{u}_i u_i}{s_i}"),
            "K": Line(r"\bar{s}_i v_j", r"\bar{s} v^\top"),
            "v": Line(r"\sum_i K_{ij} \bar{s}_i", r"K^\top \bar{s}"),
        },
    ),
    Form(
        "graph attention",
        (GAT, GAT_MAX),
        "h",
        {
            "a": Line(r"\sum_b \bar{h}_{ib} V_{jb}", r"\bar{h} V^\top"),
            "r": Line(
                r"a_{ij} (\bar{a}_{ij} - \sum_l a_{il} \bar{a}_{il})",
                r"a \circ (\bar{a} - \mathrm{rowsum}(a \circ \bar{a}))",
            ),
            "s": Line(
                r"\bar{r}_{ij} \begin{cases} 1 & s_{ij} > 0 \\ \alpha & s_{ij} \le 0 \end{cases}"
            ),
            "u": Line(r"\sum_j \bar{s}_{ij}", r"\mathrm{rowsum}(\bar{s})"),
            "v": Line(r"\sum_i \bar{s}_{ij}", r"\mathrm{colsum}(\bar{s})"),
            "V": Line(r"\sum_i a_{ij} \bar{h}_{ib}", r"a^\top \bar{h}"),
        },
    ),
    Form(
        "graph convolution",
        (GCN, GCN_MATRIX),
        "Y",
        {
            "Z": Line(r"\bar{Y}_{ib} \mathbf{1}[Z_{ib} > 0]", r"\bar{Y} \circ \mathbf{1}[Z > 0]"),
            "W": Line(r"\sum_i M_{ia} \bar{Z}_{ib}", r"M^\top \bar{Z}"),
            "M": Line(r"\sum_b \bar{Z}_{ib} W_{ab}", r"\bar{Z} W^\top"),
            "H": Line(r"\sum_i A_{ij} \bar{M}_{ia}", r"A^\top \bar{M}"),
        },
    ),
    Form(
        "graph Laplacian smoothing",
        (
            "<!-- symattn: symmetric A -->\n"
            r"E = \frac{1}{4} \sum_i \sum_j A_{ij} (x_i - x_j)^2",
            "<!-- symattn: symmetric A -->\n"
            r"E = \frac{1}{2} \sum_i \sum_j A_{ij} x_i^2 - \frac{1}{2} \sum_i \sum_j x_i A_{ij} x_j",
        ),
        "E",
        {"x": Line(r"\sum_j A_{ij} (x_i - x_j)")},
    ),
    Form(
        "Dirichlet energy",
        (
            r"<!-- symattn: symmetric L -->"
            "\n"
            r"E = \frac{1}{2} \sum_i \sum_j \sum_a X_{ia} L_{ij} X_{ja}",
            "<!-- symattn: symmetric L; sizes L:(n,n) X:(n,d) -->\n"
            "E = \\frac{1}{2} \\mathrm{tr}(X^\\top L X)",
        ),
        "E",
        {"X": Line(r"\sum_j L_{ij} X_{ja}", r"L X")},
    ),
]
