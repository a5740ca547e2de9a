"""Cells and layers: recurrent, gated, attending."""

from .form import Form, Line

FORMS = [
    Form(
        "gated recurrent unit",
        (
            r"""z_i = \sigma(\sum_j U_{ij} h_j)
r_i = \sigma(\sum_j R_{ij} h_j)
c_i = \tanh(\sum_j W_{ij} r_j h_j)
n_i = (1 - z_i) h_i + z_i c_i""",
            r"""z_i = \frac{1}{1 + e^{-\sum_j U_{ij} h_j}}
r_i = \frac{1}{1 + e^{-\sum_j R_{ij} h_j}}
c_i = \tanh(\sum_j W_{ij} r_j h_j)
n_i = h_i + z_i (c_i - h_i)""",
        ),
        "n",
        {
            "U": Line(r"\bar{n}_i (c_i - h_i) z_i (1 - z_i) h_j"),
            "W": Line(r"\bar{n}_i z_i (1 - c_i^2) r_j h_j"),
            "r": Line(r"h_j \sum_i \bar{n}_i z_i (1 - c_i^2) W_{ij}", at="j"),
        },
    ),
    Form(
        "rational quadratic kernel",
        (
            r"""D_{ij} = \sum_a (x_{ia} - y_{ja})^2
b_{ij} = 1 + \frac{D_{ij}}{2 \alpha \ell^2}
k_{ij} = b_{ij}^{-\alpha}""",
            r"""b_{ij} = 1 + \frac{\sum_a (x_{ia} - y_{ja})^2}{2 \alpha \ell^2}
k_{ij} = b_{ij}^{-\alpha}""",
        ),
        "k",
        {
            "x": Line(
                r"\frac{1}{\ell^2} \sum_j \frac{\bar{k}_{ij} k_{ij}}{b_{ij}} (y_{ja} - x_{ia})",
                at="ia",
            )
        },
    ),
    Form(
        "leaky recurrent cell",
        (
            r"""c_i = \tanh(\sum_j W_{ij} u_j + b_i)
h_i = (1 - \alpha) u_i + \alpha c_i""",
            """<!-- symattn: sizes W:(n,n) u:(n) b:(n) -->
c = \\tanh(W u + b)
h = (1 - \\alpha) u + \\alpha c""",
        ),
        "h",
        {
            "b": Line(
                r"\alpha \bar{h}_i (1 - c_i^2)", r"\alpha \bar h \circ (1 - c^{\circ 2})", at="i"
            ),
            "u": Line(
                r"(1 - \alpha) \bar{h}_j + \sum_i W_{ij} \bar{b}_i",
                r"(1 - \alpha) \bar h + W^\top \bar b",
                at="j",
            ),
            "W": Line(r"\bar{b}_i u_j", r"\bar b u^\top", at="ij"),
            r"\alpha": Line(r"\sum_i \bar{h}_i (c_i - u_i)", r"\bar h^\top (c - u)"),
        },
    ),
    Form(
        "squared relu layer",
        (
            r"""Z_{ic} = \sum_a X_{ia} W_{ac}
H_{ic} = \max(0, Z_{ic})^2
Y_{ib} = \sum_c H_{ic} V_{cb}""",
            r"""Z_{ic} = \sum_a X_{ia} W_{ac}
H_{ic} = \mathrm{ReLU}(Z_{ic})^2
Y_{ib} = \sum_c H_{ic} V_{cb}""",
        ),
        "Y",
        {
            "H": Line(r"\sum_b \bar{Y}_{ib} V_{cb}", r"\bar Y V^\top", at="ic"),
            "Z": Line(
                r"2 \bar{H}_{ic} \max(0, Z_{ic})",
                r"2 \bar H \circ \max(0, Z)",
                at="ic",
            ),
            "W": Line(r"\sum_i X_{ia} \bar{Z}_{ic}", r"X^\top \bar Z", at="ac"),
        },
    ),
    Form(
        "differential attention",
        (
            r"O_{ib} = \sum_j (A_{ij} - \lambda B_{ij}) V_{jb}",
            r"O_{ib} = \sum_j A_{ij} V_{jb} - \lambda \sum_j B_{ij} V_{jb}",
        ),
        "O",
        {
            "A": Line(r"\sum_b \bar{O}_{ib} V_{jb}", r"\bar O V^\top", at="ij"),
            "B": Line(r"-\lambda \sum_b \bar{O}_{ib} V_{jb}", r"-\lambda \bar O V^\top", at="ij"),
            "V": Line(
                r"\sum_i (A_{ij} - \lambda B_{ij}) \bar{O}_{ib}",
                r"(A - \lambda B)^\top \bar O",
                at="jb",
            ),
            r"\lambda": Line(
                r"-\sum_{i,j,b} \bar{O}_{ib} B_{ij} V_{jb}",
                also=(r"-\sum_{i,b} \bar{O}_{ib} \sum_j B_{ij} V_{jb}",),
            ),
        },
    ),
    Form(
        "retention",
        (
            r"O_{ib} = \sum_j [j \le i] \gamma^{i - j} S_{ij} V_{jb}",
            r"""D_{ij} = [j \le i] \gamma^{i - j}
O_{ib} = \sum_j D_{ij} S_{ij} V_{jb}""",
        ),
        "O",
        {
            "S": Line(r"[j \le i] \gamma^{i - j} \sum_b \bar{O}_{ib} V_{jb}", at="ij"),
            "V": Line(r"\sum_i [j \le i] \gamma^{i - j} S_{ij} \bar{O}_{ib}", at="jb"),
        },
        again={
            "S": Line(r"D_{ij} \sum_b \bar{O}_{ib} V_{jb}", r"D \circ (\bar O V^\top)", at="ij"),
            "V": Line(r"\sum_i D_{ij} S_{ij} \bar{O}_{ib}", r"(D \circ S)^\top \bar O", at="jb"),
        },
        near={r"\gamma": 0.8},
    ),
    Form(
        "highway layer",
        (
            r"""t_i = \sigma(\sum_j W_{ij} x_j)
h_i = \tanh(\sum_j U_{ij} x_j)
y_i = t_i h_i + (1 - t_i) x_i""",
            r"""t_i = \frac{1}{1 + e^{-\sum_j W_{ij} x_j}}
h_i = \tanh(\sum_j U_{ij} x_j)
y_i = x_i + t_i (h_i - x_i)""",
        ),
        "y",
        {
            "W": Line(r"\bar{y}_i (h_i - x_i) t_i (1 - t_i) x_j", at="ij"),
            "U": Line(r"\bar{y}_i t_i (1 - h_i^2) x_j", at="ij"),
        },
    ),
    Form(
        "attention with a sink",
        (
            r"""A_{ij} = \frac{e^{S_{ij}}}{1 + \sum_l e^{S_{il}}}
O_{ib} = \sum_j A_{ij} V_{jb}""",
            r"""Z_i = 1 + \sum_l \exp(S_{il})
A_{ij} = \frac{\exp(S_{ij})}{Z_i}
O_{ib} = \sum_j A_{ij} V_{jb}""",
        ),
        "O",
        {
            "A": Line(r"\sum_b \bar{O}_{ib} V_{jb}", r"\bar O V^\top", at="ij"),
            "S": Line(r"A_{ij} (\bar{A}_{ij} - \sum_l A_{il} \bar{A}_{il})", at="ij"),
            "V": Line(r"\sum_i A_{ij} \bar{O}_{ib}", r"A^\top \bar O", at="jb"),
        },
    ),
    Form(
        "memory cell",
        (
            r"""c_i = f_i u_i + g_i z_i
h_i = o_i \tanh(c_i)""",
            r"""c_i = f_i u_i + g_i z_i
t_i = \tanh(c_i)
h_i = o_i t_i""",
        ),
        "h",
        {
            "o": Line(r"\bar{h}_i \tanh(c_i)", at="i"),
            "c": Line(r"\bar{h}_i o_i (1 - \tanh(c_i)^2)", at="i"),
            "f": Line(r"\bar{c}_i u_i", r"\bar c \circ u", at="i"),
            "z": Line(r"\bar{c}_i g_i", r"\bar c \circ g", at="i"),
        },
        again={
            "o": Line(r"\bar{h}_i t_i", at="i"),
            "c": Line(r"\bar{h}_i o_i (1 - t_i^2)", at="i"),
        },
    ),
    Form(
        "convolution over a graph",
        (
            r"""Z_{ib} = \sum_{j,a} S_{ij} X_{ja} W_{ab}
H_{ib} = \max(0, Z_{ib})""",
            """<!-- symattn: sizes S:(n,n) X:(n,d) W:(d,c) Z:(n,c) -->
Z = S X W
H = \\mathrm{ReLU}(Z)""",
        ),
        "H",
        {
            "Z": Line(r"\bar{H}_{ib} \mathbf{1}[Z_{ib} > 0]", at="ib"),
            "W": Line("", r"X^\top S^\top \bar Z", at="ab"),
            "X": Line("", r"S^\top \bar Z W^\top", at="ja"),
        },
    ),
    Form(
        "sigmoid attention with a bias",
        (
            r"""A_{ij} = \sigma(S_{ij} + b)
O_{ic} = \sum_j A_{ij} V_{jc}""",
            r"""A_{ij} = \frac{1}{1 + e^{-S_{ij} - b}}
O_{ic} = \sum_j A_{ij} V_{jc}""",
        ),
        "O",
        {
            "A": Line(r"\sum_c \bar{O}_{ic} V_{jc}", r"\bar O V^\top", at="ij"),
            "S": Line(
                r"\bar{A}_{ij} A_{ij} (1 - A_{ij})", r"\bar A \circ A \circ (1 - A)", at="ij"
            ),
            "b": Line(r"\sum_{i,j} \bar{A}_{ij} A_{ij} (1 - A_{ij})"),
        },
    ),
    Form(
        "dynamic tanh",
        (
            r"""t_{ia} = \tanh(\alpha x_{ia})
y_{ia} = g_a t_{ia} + b_a""",
            r"y_{ia} = g_a \tanh(\alpha x_{ia}) + b_a",
        ),
        "y",
        {
            "x": Line(r"\alpha g_a \bar{y}_{ia} (1 - t_{ia}^2)", at="ia"),
            r"\alpha": Line(r"\sum_{i,a} \bar{y}_{ia} g_a x_{ia} (1 - t_{ia}^2)"),
            "g": Line(r"\sum_i \bar{y}_{ia} t_{ia}", at="a"),
        },
        again={
            "x": Line(r"\alpha g_a \bar{y}_{ia} (1 - \tanh(\alpha x_{ia})^2)", at="ia"),
            r"\alpha": Line(r"\sum_{i,a} \bar{y}_{ia} g_a x_{ia} (1 - \tanh(\alpha x_{ia})^2)"),
            "g": Line(r"\sum_i \bar{y}_{ia} \tanh(\alpha x_{ia})", at="a"),
        },
    ),
    Form(
        "capped logits",
        (
            r"""T_{ij} = \kappa \tanh\left(\frac{S_{ij}}{\kappa}\right)
A_{ij} = \frac{e^{T_{ij}}}{\sum_l e^{T_{il}}}""",
            r"""T_{ij} = \kappa \tanh(S_{ij} / \kappa)
A_{ij} = \frac{\exp(T_{ij})}{\sum_l \exp(T_{il})}""",
        ),
        "A",
        {
            "T": Line(r"A_{ij} (\bar{A}_{ij} - \sum_l A_{il} \bar{A}_{il})", at="ij"),
            "S": Line(r"\bar{T}_{ij} \left(1 - \frac{T_{ij}^2}{\kappa^2}\right)", at="ij"),
        },
        near={r"\kappa": 3.0},
    ),
]
