"""Losses and layers of machine learning beyond the first course."""

from .form import Form, Line

SIGMOID_ATTENTION = r"""S_{ij} = \frac{1}{\sqrt{d}} \sum_{a=1}^d Q_{ia} K_{ja}
A_{ij} = \sigma(S_{ij})
O_{ib} = \sum_j A_{ij} V_{jb}"""
SIGMOID_ATTENTION_EXP = r"""S_{ij} = \frac{1}{\sqrt{d}} \sum_{a=1}^d Q_{ia} K_{ja}
A_{ij} = \frac{1}{1 + e^{-S_{ij}}}
O_{ib} = \sum_j A_{ij} V_{jb}"""
NEGATIVE = r"""s = \sum_a u_a v_a
t_k = \sum_a N_{ka} v_a
L = -\log(\sigma(s)) - \sum_k \log(\sigma(-t_k))"""
NEGATIVE_EXP = r"""s = \sum_a u_a v_a
t_k = \sum_a N_{ka} v_a
L = \log(1 + e^{-s}) + \sum_k \log(1 + e^{t_k})"""
MACHINE = r"""q_a = \sum_i V_{ia} x_i
y = \sum_i w_i x_i + \frac{1}{2} \sum_a (q_a^2 - \sum_i V_{ia}^2 x_i^2)"""
MACHINE_SUMS = r"""q_a = \sum_i V_{ia} x_i
y = \sum_i w_i x_i + \frac{1}{2} \sum_a q_a^2 - \frac{1}{2} \sum_i \sum_a V_{ia}^2 x_i^2"""
PAIR = r"L = y D^2 + (1 - y) \max(0, m - D)^2"
PAIR_NAME = r"L = y D^2 + (1 - y) \mathrm{ReLU}(m - D)^2"
TEACHER = r"""<!-- symattn: assume \sum_i q_i = 1 -->
p_i = \frac{e^{z_i / T}}{\sum_j e^{z_j / T}}
L = -T^2 \sum_i q_i \log(p_i)"""
TEACHER_MAX = r"""<!-- symattn: assume \sum_i q_i = 1 -->
m = \max_j z_j
p_i = \frac{e^{(z_i - m) / T}}{\sum_j e^{(z_j - m) / T}}
L = -T^2 \sum_i q_i \log(p_i)"""
PAIRWISE = r"""Z_{ij} = t \sum_a U_{ia} V_{ja} + \beta
L = -\sum_i \sum_j \log(\sigma(Y_{ij} Z_{ij}))"""
PAIRWISE_EXP = r"""Z_{ij} = t \sum_a U_{ia} V_{ja} + \beta
L = \sum_i \sum_j \log(1 + e^{-Y_{ij} Z_{ij}})"""
SQUEEZE = r"""z_c = \frac{1}{n} \sum_{i=1}^n X_{ic}
s_c = \sigma(z_c)
Y_{ic} = X_{ic} s_c"""
SQUEEZE_EXP = r"""z_c = \frac{1}{n} \sum_{i=1}^n X_{ic}
s_c = \frac{1}{1 + e^{-z_c}}
Y_{ic} = s_c X_{ic}"""
DICE = r"""N = \sum_i p_i y_i
U = \sum_i (p_i + y_i)
D = 1 - \frac{2 N}{U}"""
DICE_SUMS = r"""N = \sum_i y_i p_i
U = \sum_i p_i + \sum_i y_i
D = \frac{U - 2 N}{U}"""

FORMS = [
    Form(
        "focal loss",
        (
            "p = \\sigma(z)\nL = -(1 - p)^\\gamma \\log(p)",
            "p = \\frac{1}{1 + e^{-z}}\nL = -(1 - p)^\\gamma \\log(p)",
        ),
        "L",
        {
            "p": Line(r"\gamma (1 - p)^{\gamma - 1} \log(p) - \frac{(1 - p)^\gamma}{p}"),
            "z": Line(r"(1 - p)^\gamma (\gamma p \log(p) + p - 1)"),
        },
    ),
    Form(
        "sigmoid attention",
        (SIGMOID_ATTENTION, SIGMOID_ATTENTION_EXP),
        "O",
        {
            "A": Line(r"\sum_b \bar{O}_{ib} V_{jb}", r"\bar{O} V^\top"),
            "S": Line(r"\bar{A}_{ij} A_{ij} (1 - A_{ij})", r"\bar{A} \circ A \circ (1 - A)"),
            "V": Line(r"\sum_i A_{ij} \bar{O}_{ib}", r"A^\top \bar{O}"),
            "Q": Line(
                r"\frac{1}{\sqrt{d}} \sum_j \bar{S}_{ij} K_{ja}", r"\frac{1}{\sqrt{d}} \bar{S} K"
            ),
        },
    ),
    Form(
        "negative sampling",
        (NEGATIVE, NEGATIVE_EXP),
        "L",
        {
            "s": Line(r"-\sigma(-s)"),
            "u": Line(r"-\sigma(-s) v_a", r"-\sigma(-s) v"),
            "N": Line(r"\sigma(t_k) v_a", r"\sigma(t) v^\top"),
            "v": Line(
                r"\sum_k \sigma(t_k) N_{ka} - \sigma(-s) u_a", r"N^\top \sigma(t) - \sigma(-s) u"
            ),
        },
    ),
    Form(
        "factorisation machine",
        (MACHINE, MACHINE_SUMS),
        "y",
        {
            "w": Line(r"x_i", r"x"),
            "V": Line(r"x_i (q_a - V_{ia} x_i)", "", "ia"),
        },
    ),
    Form(
        "contrastive loss",
        (PAIR, PAIR_NAME),
        "L",
        {"D": Line(r"2 y D - 2 (1 - y) \max(0, m - D)")},
    ),
    Form(
        "distillation",
        (TEACHER, TEACHER_MAX),
        "L",
        {"z": Line(r"T (p_i - q_i)", r"T (p - q)")},
    ),
    Form(
        "pairwise sigmoid loss",
        (PAIRWISE, PAIRWISE_EXP),
        "L",
        {
            "Z": Line(r"-Y_{ij} \sigma(-Y_{ij} Z_{ij})", r"-Y \circ \sigma(-Y \circ Z)"),
            "U": Line(
                r"-t \sum_j Y_{ij} \sigma(-Y_{ij} Z_{ij}) V_{ja}",
                r"-t (Y \circ \sigma(-Y \circ Z)) V",
            ),
            r"\beta": Line(r"-\sum_i \sum_j Y_{ij} \sigma(-Y_{ij} Z_{ij})"),
        },
    ),
    Form(
        "squeeze and excitation",
        (SQUEEZE, SQUEEZE_EXP),
        "Y",
        {
            "s": Line(r"\sum_i \bar{Y}_{ic} X_{ic}", r"\mathrm{colsum}(\bar{Y} \circ X)"),
            "z": Line(r"\bar{s}_c s_c (1 - s_c)", r"\bar{s} \circ s \circ (1 - s)"),
            "X": Line(r"\bar{Y}_{ic} s_c + \frac{1}{n} \bar{z}_c"),
        },
    ),
    Form(
        "Dice loss",
        (DICE, DICE_SUMS),
        "D",
        {"p": Line(r"\frac{2}{U} (\frac{N}{U} - y_i)")},
    ),
    Form(
        "pinball loss",
        (
            r"L = \begin{cases} \tau r & r > 0 \\ (\tau - 1) r & r \le 0 \end{cases}",
            r"L = \tau \max(0, r) + (\tau - 1) \min(0, r)",
        ),
        "L",
        {"r": Line(r"\tau - \mathbf{1}[r \le 0]")},
    ),
]
