"""Vectors, matrices, norms, traces and determinants; layers and updates that are linear in them."""

# ruff: noqa: E501 (one line an equation)

from .form import Form, Line

FORMS = [
    Form(
        "quadratic form",
        (
            r"q = \sum_i \sum_j x_i A_{ij} x_j",
            "<!-- symattn: sizes A:(n,n) x:(n) -->\nq = x^\\top A x",
        ),
        "q",
        {
            "x": Line(r"\sum_j (A_{ij} + A_{ji}) x_j", r"(A + A^\top) x"),
            "A": Line(r"x_i x_j", r"x x^\top"),
            "x x": Line(r"A_{ij} + A_{ji}", r"A + A^\top", "ij"),
        },
    ),
    Form(
        "symmetric quadratic form",
        (
            "<!-- symattn: symmetric A -->\n"
            r"q = \frac{1}{2} \sum_i \sum_j x_i A_{ij} x_j - \sum_i b_i x_i",
            "<!-- symattn: symmetric A; sizes A:(n,n) x:(n) b:(n) -->\n"
            "q = \\frac{1}{2} x^\\top A x - b^\\top x",
        ),
        "q",
        {"x": Line(r"\sum_j A_{ij} x_j - b_i", r"A x - b"), "x x": Line(r"A_{ij}", r"A", "ij")},
    ),
    Form(
        "bilinear form",
        (
            r"q = \sum_i \sum_j x_i M_{ij} y_j",
            "<!-- symattn: sizes M:(n,m) x:(n) y:(m) -->\nq = x^\\top M y",
        ),
        "q",
        {
            "x": Line(r"\sum_j M_{ij} y_j", r"M y"),
            "y": Line(r"\sum_i M_{ij} x_i", r"M^\top x"),
            "M": Line(r"x_i y_j", r"x y^\top"),
        },
    ),
    Form(
        "squared distance",
        (r"L = \sum_i (x_i - y_i)^2", "<!-- symattn: sizes x:(n) y:(n) -->\nL = \\|x - y\\|^2"),
        "L",
        {"x": Line(r"2 (x_i - y_i)", r"2 (x - y)"), "y": Line(r"2 (y_i - x_i)", r"2 (y - x)")},
    ),
    Form(
        "norm",
        (r"r = \sqrt{\sum_i x_i^2}", "<!-- symattn: sizes x:(n) -->\nr = \\|x\\|"),
        "r",
        {
            "x": Line(r"\frac{x_i}{r}", r"\frac{x}{r}"),
            "x x": Line(
                r"\frac{1}{r} (\delta_{ij} - \frac{x_i x_j}{r^2})",
                r"\frac{1}{r} (I - \frac{x x^\top}{r^2})",
                "ij",
            ),
        },
    ),
    Form(
        "distance",
        (
            r"r = \sqrt{\sum_i (x_i - y_i)^2}",
            "<!-- symattn: sizes x:(n) y:(n) -->\nr = \\|x - y\\|",
        ),
        "r",
        {
            "x": Line(r"\frac{x_i - y_i}{r}", r"\frac{x - y}{r}"),
            "y": Line(r"\frac{y_i - x_i}{r}", r"\frac{y - x}{r}"),
        },
    ),
    Form(
        "cosine similarity",
        (
            "r = \\sqrt{\\sum_i x_i^2}\ns = \\sqrt{\\sum_i y_i^2}\nc = \\frac{\\sum_i x_i y_i}{r s}",
            "<!-- symattn: sizes x:(n) y:(n) -->\nr = \\|x\\|\ns = \\|y\\|\n"
            "c = \\frac{x^\\top y}{r s}",
        ),
        "c",
        {
            "x": Line(
                r"\frac{1}{r} (\frac{y_i}{s} - c \frac{x_i}{r})",
                r"\frac{1}{r} (\frac{y}{s} - c \frac{x}{r})",
            ),
            "y": Line(
                r"\frac{1}{s} (\frac{x_i}{r} - c \frac{y_i}{s})",
                r"\frac{1}{s} (\frac{x}{r} - c \frac{y}{s})",
            ),
        },
    ),
    Form(
        "Frobenius norm",
        (
            r"r = \sqrt{\sum_i \sum_j X_{ij}^2}",
            "<!-- symattn: sizes X:(n,m) -->\nr = \\sqrt{\\mathrm{tr}(X^\\top X)}",
        ),
        "r",
        {"X": Line(r"\frac{X_{ij}}{r}", r"\frac{X}{r}")},
    ),
    Form(
        "squared Frobenius norm",
        (
            r"L = \frac{1}{2} \sum_i \sum_j (X_{ij} - Y_{ij})^2",
            "<!-- symattn: sizes X:(n,m) Y:(n,m) -->\nL = \\frac{1}{2} \\|X - Y\\|_F^2",
        ),
        "L",
        {"X": Line(r"X_{ij} - Y_{ij}", r"X - Y")},
    ),
    Form(
        "trace of a product",
        (
            r"t = \sum_i \sum_j \sum_k A_{ij} X_{jk} B_{ki}",
            "<!-- symattn: sizes A:(n,m) X:(m,k) B:(k,n) -->\nt = \\mathrm{tr}(A X B)",
        ),
        "t",
        {
            "X": Line(r"\sum_i A_{ij} B_{ki}", r"A^\top B^\top"),
            "A": Line(r"\sum_k X_{jk} B_{ki}", r"B^\top X^\top"),
        },
    ),
    Form(
        "trace of a quadratic form",
        (
            r"t = \sum_i \sum_j \sum_k X_{ik} A_{ij} X_{jk}",
            "<!-- symattn: sizes A:(n,n) X:(n,k) -->\nt = \\mathrm{tr}(X^\\top A X)",
        ),
        "t",
        {"X": Line(r"\sum_j (A_{ij} + A_{ji}) X_{jk}", r"(A + A^\top) X")},
    ),
    Form(
        "log determinant",
        (
            "<!-- symattn: sizes X:(n,n) -->\nL = \\log \\det X",
            "<!-- symattn: sizes X:(n,n) -->\nL = \\log \\det(X)",
        ),
        "L",
        {"X": Line(r"(X^{-1})_{ji}", r"X^{-\top}", "ij")},
    ),
    Form(
        "inverse",
        (
            "<!-- symattn: sizes X:(n,n) -->\nY_{ij} = (X^{-1})_{ij}",
            "<!-- symattn: sizes X:(n,n) -->\nY = X^{-1}",
        ),
        "Y",
        {"X": Line(r"-\sum_k \sum_l Y_{ki} \bar{Y}_{kl} Y_{jl}", r"-Y^\top \bar{Y} Y^\top", "ij")},
    ),
    Form(
        "solution of a linear system",
        (
            "<!-- symattn: sizes A:(n,n) b:(n) -->\nx_i = \\sum_j (A^{-1})_{ij} b_j",
            "<!-- symattn: sizes A:(n,n) b:(n) -->\nx = A^{-1} b",
        ),
        "x",
        {
            "b": Line(r"\sum_i (A^{-1})_{ij} \bar{x}_i", r"A^{-\top} \bar{x}"),
            "A": Line(r"-\bar{b}_i x_j", r"-\bar{b} x^\top", "ij"),
        },
    ),
    Form(
        "linear layer",
        (
            r"Y_{ij} = \sum_k X_{ik} W_{kj} + b_j",
            r"Y_{ij} = X_{ik} W_{kj} + b_j",
        ),
        "Y",
        {
            "X": Line(r"\sum_j \bar{Y}_{ij} W_{kj}", r"\bar{Y} W^\top"),
            "W": Line(r"\sum_i X_{ik} \bar{Y}_{ij}", r"X^\top \bar{Y}"),
            "b": Line(r"\sum_i \bar{Y}_{ij}", r"\mathrm{colsum}(\bar{Y})"),
        },
    ),
    Form(
        "LoRA",
        (
            "H_{ir} = \\sum_k X_{ik} A_{kr}\n"
            "Y_{ij} = \\sum_k X_{ik} W_{kj} + s \\sum_r H_{ir} B_{rj}",
            "<!-- symattn: sizes X:(n,k) A:(k,r) W:(k,m) B:(r,m) -->\nH = X A\nY = X W + s H B",
        ),
        "Y",
        {
            "B": Line(r"s \sum_i H_{ir} \bar{Y}_{ij}", r"s H^\top \bar{Y}"),
            "H": Line(r"s \sum_j \bar{Y}_{ij} B_{rj}", r"s \bar{Y} B^\top"),
            "A": Line(r"\sum_i X_{ik} \bar{H}_{ir}", r"X^\top \bar{H}"),
            "X": Line(
                r"\sum_j \bar{Y}_{ij} W_{kj} + \sum_r \bar{H}_{ir} A_{kr}",
                r"\bar{Y} W^\top + \bar{H} A^\top",
            ),
        },
    ),
    Form(
        "momentum step",
        (
            "v_i = \\beta m_i + g_i\ny_i = x_i - \\eta v_i",
            "v_i = g_i + \\beta m_i\ny_i = -\\eta v_i + x_i",
        ),
        "y",
        {
            "v": Line(r"-\eta \bar{y}_i", r"-\eta \bar{y}"),
            "m": Line(r"\beta \bar{v}_i", r"\beta \bar{v}"),
            "g": Line(r"\bar{v}_i", r"\bar{v}"),
            r"\beta": Line(r"\sum_i m_i \bar{v}_i", r"m^\top \bar{v}"),
            r"\eta": Line(r"-\sum_i v_i \bar{y}_i", r"-v^\top \bar{y}"),
        },
    ),
    Form(
        "moving average",
        (
            r"y_i = \beta m_i + (1 - \beta) g_i",
            "<!-- symattn: scalars beta -->\ny_i = g_i + \\beta (m_i - g_i)",
        ),
        "y",
        {
            "g": Line(r"(1 - \beta) \bar{y}_i", r"(1 - \beta) \bar{y}"),
            r"\beta": Line(r"\sum_i (m_i - g_i) \bar{y}_i", r"(m - g)^\top \bar{y}"),
        },
    ),
    Form(
        "dropout mask",
        (
            r"y_i = \frac{1}{1 - p} m_i x_i",
            r"y_i = \frac{m_i x_i}{1 - p}",
        ),
        "y",
        {"x": Line(r"\frac{1}{1 - p} m_i \bar{y}_i", r"\frac{1}{1 - p} m \circ \bar{y}")},
    ),
    Form(
        "convolution",
        (
            "<!-- symattn: indices from 0 -->\ny_i = \\sum_k w_k x_{i+k}",
            "<!-- symattn: indices from 0 -->\ny_i = \\sum_k x_{i+k} w_k",
        ),
        "y",
        {"w": Line(r"\sum_i x_{i+k} \bar{y}_i"), "x": Line(r"\sum_k w_k \bar{y}_{j-k}", "", "j")},
    ),
]
