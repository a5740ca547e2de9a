"""Layers of networks: multilayer perceptrons, recurrent cells, experts."""

from .form import Form, Line

TANH = r"""Z_{ih} = \sum_j X_{ij} W_{jh}
H_{ih} = \tanh(Z_{ih})
Y_{ik} = \sum_h H_{ih} U_{hk}"""
TANH_EXP = r"""Z_{ih} = X_{ij} W_{jh}
H_{ih} = \frac{e^{Z_{ih}} - e^{-Z_{ih}}}{e^{Z_{ih}} + e^{-Z_{ih}}}
Y_{ik} = H_{ih} U_{hk}"""
RELU = r"""Z_{ih} = \sum_j X_{ij} W_{jh}
H_{ih} = \max(0, Z_{ih})
Y_{ik} = \sum_h H_{ih} U_{hk}"""
RELU_NAME = r"""Z_{ih} = X_{ij} W_{jh}
H_{ih} = \mathrm{ReLU}(Z_{ih})
Y_{ik} = H_{ih} U_{hk}"""
GELU = r"""Z_{ih} = \sum_j X_{ij} W_{jh}
\Phi_{ih} = \frac{1}{2} (1 + \mathrm{erf}(\frac{Z_{ih}}{\sqrt{2}}))
H_{ih} = Z_{ih} \Phi_{ih}
Y_{ik} = \sum_h H_{ih} U_{hk}"""
GELU_SUM = r"""Z_{ih} = X_{ij} W_{jh}
\Phi_{ih} = \frac{1}{2} + \frac{1}{2} \mathrm{erf}(Z_{ih} / \sqrt{2})
H_{ih} = Z_{ih} \Phi_{ih}
Y_{ik} = H_{ih} U_{hk}"""
SWIGLU = r"""G_{ih} = \sum_j X_{ij} W_{jh}
U_{ih} = \sum_j X_{ij} V_{jh}
S_{ih} = \frac{1}{1 + e^{-G_{ih}}}
H_{ih} = G_{ih} S_{ih} U_{ih}
Y_{ik} = \sum_h H_{ih} B_{hk}"""
SWIGLU_SIGMA = r"""G_{ih} = X_{ij} W_{jh}
U_{ih} = X_{ij} V_{jh}
S_{ih} = \sigma(G_{ih})
H_{ih} = G_{ih} S_{ih} U_{ih}
Y_{ik} = H_{ih} B_{hk}"""
RNN = r"""z_i = \sum_j W_{ij} h_j + \sum_k U_{ik} x_k + b_i
y_i = \tanh(z_i)"""
RNN_MATRIX = r"""<!-- symattn: sizes W:(n,n) U:(n,m) h:(n) x:(m) b:(n) -->
z = W h + U x + b
y = \tanh(z)"""
EXPERTS = r"""z_k = \sum_a x_a W_{ak}
p_k = \frac{e^{z_k}}{\sum_l e^{z_l}}
y_b = \sum_k p_k E_{kb}"""
EXPERTS_MAX = r"""z_k = \sum_a x_a W_{ak}
m = \max_l z_l
p_k = \frac{e^{z_k - m}}{\sum_l e^{z_l - m}}
y_b = \sum_k p_k E_{kb}"""
RESIDUAL = r"""Z_{ij} = \sum_k X_{ik} W_{kj}
Y_{ij} = X_{ij} + \max(0, Z_{ij})"""
RESIDUAL_NAME = r"""Z_{ij} = X_{ik} W_{kj}
Y_{ij} = X_{ij} + \mathrm{ReLU}(Z_{ij})"""

OUTPUT = {
    "U": Line(r"\sum_i H_{ih} \bar{Y}_{ik}", r"H^\top \bar{Y}"),
    "H": Line(r"\sum_k \bar{Y}_{ik} U_{hk}", r"\bar{Y} U^\top"),
}
INPUT = {
    "W": Line(r"\sum_i X_{ij} \bar{Z}_{ih}", r"X^\top \bar{Z}"),
    "X": Line(r"\sum_h \bar{Z}_{ih} W_{jh}", r"\bar{Z} W^\top"),
}

FORMS = [
    Form(
        "two-layer perceptron",
        (TANH, TANH_EXP),
        "Y",
        {
            **OUTPUT,
            "Z": Line(r"\bar{H}_{ih} (1 - H_{ih}^2)", r"\bar{H} \circ (1 - H \circ H)"),
            **INPUT,
        },
    ),
    Form(
        "ReLU perceptron",
        (RELU, RELU_NAME),
        "Y",
        {
            **OUTPUT,
            "Z": Line(r"\bar{H}_{ih} \mathbf{1}[Z_{ih} > 0]", r"\bar{H} \circ \mathbf{1}[Z > 0]"),
            **INPUT,
        },
    ),
    Form(
        "GELU perceptron",
        (GELU, GELU_SUM),
        "Y",
        {
            **OUTPUT,
            "Z": Line(r"\bar{H}_{ih} (\Phi_{ih} + \frac{Z_{ih}}{\sqrt{2 \pi}} e^{-Z_{ih}^2 / 2})"),
            **INPUT,
        },
    ),
    Form(
        "SwiGLU",
        (SWIGLU, SWIGLU_SIGMA),
        "Y",
        {
            "B": Line(r"\sum_i H_{ih} \bar{Y}_{ik}", r"H^\top \bar{Y}"),
            "H": Line(r"\sum_k \bar{Y}_{ik} B_{hk}", r"\bar{Y} B^\top"),
            "U": Line(r"\bar{H}_{ih} G_{ih} S_{ih}", r"\bar{H} \circ G \circ S"),
            "G": Line(
                r"\bar{H}_{ih} U_{ih} S_{ih} (1 + G_{ih} (1 - S_{ih}))",
                r"\bar{H} \circ U \circ S \circ (1 + G \circ (1 - S))",
            ),
            "V": Line(r"\sum_i X_{ij} \bar{U}_{ih}", r"X^\top \bar{U}"),
            "W": Line(r"\sum_i X_{ij} \bar{G}_{ih}", r"X^\top \bar{G}"),
            "X": Line(
                r"\sum_h \bar{G}_{ih} W_{jh} + \sum_h \bar{U}_{ih} V_{jh}",
                r"\bar{G} W^\top + \bar{U} V^\top",
            ),
        },
    ),
    Form(
        "residual block",
        (RESIDUAL, RESIDUAL_NAME),
        "Y",
        {
            "Z": Line(r"\bar{Y}_{ij} \mathbf{1}[Z_{ij} > 0]", r"\bar{Y} \circ \mathbf{1}[Z > 0]"),
            "X": Line(r"\bar{Y}_{ik} + \sum_j \bar{Z}_{ij} W_{kj}", r"\bar{Y} + \bar{Z} W^\top"),
        },
    ),
    Form(
        "recurrent cell",
        (RNN, RNN_MATRIX),
        "y",
        {
            "z": Line(r"\bar{y}_i (1 - y_i^2)", r"\bar{y} \circ (1 - y \circ y)"),
            "W": Line(r"\bar{z}_i h_j", r"\bar{z} h^\top"),
            "U": Line(r"\bar{z}_i x_k", r"\bar{z} x^\top"),
            "b": Line(r"\bar{z}_i", r"\bar{z}"),
            "h": Line(r"\sum_i W_{ij} \bar{z}_i", r"W^\top \bar{z}"),
            "x": Line(r"\sum_i U_{ik} \bar{z}_i", r"U^\top \bar{z}"),
        },
    ),
    Form(
        "mixture of experts",
        (EXPERTS, EXPERTS_MAX),
        "y",
        {
            "E": Line(r"p_k \bar{y}_b", r"p \bar{y}^\top"),
            "p": Line(r"\sum_b \bar{y}_b E_{kb}", r"E \bar{y}"),
            "z": Line(
                r"p_k (\bar{p}_k - \sum_l p_l \bar{p}_l)", r"p \circ (\bar{p} - p^\top \bar{p})"
            ),
            "W": Line(r"x_a \bar{z}_k", r"x \bar{z}^\top"),
        },
    ),
]
