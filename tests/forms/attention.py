"""Attention and its kin."""

# ruff: noqa: E501 (one line an equation)

from .form import Form, Line

QK = r"S_{ij} = \frac{1}{\sqrt{d}} \sum_{a=1}^d Q_{ia} K_{ja}"
SOFT = r"A_{ij} = \frac{e^{S_{ij}}}{\sum_l e^{S_{il}}}"
SOFT_MAX = r"""M_i = \max_l S_{il}
A_{ij} = \frac{e^{S_{ij} - M_i}}{\sum_l e^{S_{il} - M_i}}"""
OUT = r"O_{ib} = \sum_j A_{ij} V_{jb}"

A_LINE = Line(r"\sum_b \bar{O}_{ib} V_{jb}", r"\bar{O} V^\top")
S_LINE = Line(
    r"A_{ij} (\bar{A}_{ij} - \sum_l A_{il} \bar{A}_{il})",
    r"A \circ (\bar{A} - \mathrm{rowsum}(A \circ \bar{A}))",
)
V_LINE = Line(r"\sum_i A_{ij} \bar{O}_{ib}", r"A^\top \bar{O}")
Q_LINE = Line(r"\frac{1}{\sqrt{d}} \sum_j \bar{S}_{ij} K_{ja}", r"\frac{1}{\sqrt{d}} \bar{S} K")
K_LINE = Line(
    r"\frac{1}{\sqrt{d}} \sum_i \bar{S}_{ij} Q_{ia}", r"\frac{1}{\sqrt{d}} \bar{S}^\top Q"
)


def lines(*parts: str) -> str:
    return "\n".join(parts)


UPPER = lines(
    r"<!-- symattn: sizes Q:(n,d) K:(m,d) -->",
    r"S^{ij} = \frac{1}{\sqrt{d}} Q^{ia} K^{ja}",
    r"A^{ij} = \frac{\exp(S^{ij})}{\sum_l \exp(S^{il})}",
    r"O^{ib} = A^{ij} V^{jb}",
)
UPPER_MAX = lines(
    r"<!-- symattn: sizes Q:(n,d) K:(m,d) -->",
    r"S^{ij} = \frac{1}{\sqrt{d}} Q^{ia} K^{ja}",
    r"M^i = \max_l S^{il}",
    r"A^{ij} = \frac{\exp(S^{ij} - M^i)}{\sum_l \exp(S^{il} - M^i)}",
    r"O^{ib} = A^{ij} V^{jb}",
)
CAUSAL = r"A_{ij} = \frac{\mathbf{1}[j \le i] e^{S_{ij}}}{\sum_{l \le i} e^{S_{il}}}"
CAUSAL_MASK = (
    r"A_{ij} = \frac{\mathbf{1}[j \le i] e^{S_{ij}}}{\sum_l \mathbf{1}[l \le i] e^{S_{il}}}"
)
ALIBI = r"""<!-- symattn: scalars m -->
S_{ij} = \frac{1}{\sqrt{d}} \sum_{a=1}^d Q_{ia} K_{ja} - m (i - j)"""
ALIBI_PLUS = r"""<!-- symattn: scalars m -->
S_{ij} = m (j - i) + \frac{1}{\sqrt{d}} \sum_{a=1}^d Q_{ia} K_{ja}"""
METRIC = r"S_{ij} = \sum_a \sum_b Q_{ia} G_{ab} K_{jb}"
HEADS = r"""S_{hij} = \frac{1}{\sqrt{d}} \sum_{a=1}^d Q_{hia} K_{hja}
A_{hij} = \frac{e^{S_{hij}}}{\sum_l e^{S_{hil}}}
O_{hib} = \sum_j A_{hij} V_{hjb}
Y_{ic} = \sum_h \sum_b O_{hib} W_{hbc}"""
HEADS_MAX = r"""S_{hij} = \frac{1}{\sqrt{d}} \sum_{a=1}^d Q_{hia} K_{hja}
M_{hi} = \max_l S_{hil}
A_{hij} = \frac{e^{S_{hij} - M_{hi}}}{\sum_l e^{S_{hil} - M_{hi}}}
O_{hib} = \sum_j A_{hij} V_{hjb}
Y_{ic} = \sum_h \sum_b O_{hib} W_{hbc}"""
GROUPED = r"""S_{ghij} = \frac{1}{\sqrt{d}} \sum_{a=1}^d Q_{ghia} K_{gja}
A_{ghij} = \frac{e^{S_{ghij}}}{\sum_l e^{S_{ghil}}}
O_{ghib} = \sum_j A_{ghij} V_{gjb}"""
GROUPED_MAX = r"""S_{ghij} = \frac{1}{\sqrt{d}} \sum_{a=1}^d Q_{ghia} K_{gja}
M_{ghi} = \max_l S_{ghil}
A_{ghij} = \frac{e^{S_{ghij} - M_{ghi}}}{\sum_l e^{S_{ghil} - M_{ghi}}}
O_{ghib} = \sum_j A_{ghij} V_{gjb}"""
CROSS = r"""Q_{ia} = \sum_c X_{ic} W_{ca}
K_{ja} = \sum_c Y_{jc} U_{ca}
V_{jb} = \sum_c Y_{jc} T_{cb}"""
ROTARY = r"""<!-- symattn: indices from 0 -->
R_{ia} = \cos(i \theta_a) q_{ia} - \sin(i \theta_a) k_{ia}
T_{ia} = \sin(i \theta_a) q_{ia} + \cos(i \theta_a) k_{ia}
L = \sum_i \sum_a (u_{ia} R_{ia} + v_{ia} T_{ia})"""
ROTARY_NAMED = r"""<!-- symattn: indices from 0 -->
c_{ia} = \cos(i \theta_a)
s_{ia} = \sin(i \theta_a)
R_{ia} = c_{ia} q_{ia} - s_{ia} k_{ia}
T_{ia} = s_{ia} q_{ia} + c_{ia} k_{ia}
L = \sum_i \sum_a (u_{ia} R_{ia} + v_{ia} T_{ia})"""
LINEAR = r"""H_{ab} = \sum_j K_{ja} V_{jb}
z_a = \sum_j K_{ja}
D_i = \sum_a Q_{ia} z_a
O_{ib} = \frac{\sum_a Q_{ia} H_{ab}}{D_i}"""
LINEAR_PRODUCT = r"""H_{ab} = \sum_j K_{ja} V_{jb}
z_a = \sum_j K_{ja}
D_i = \sum_a Q_{ia} z_a
O_{ib} = \frac{1}{D_i} \sum_a Q_{ia} H_{ab}"""
COSINE = r"""q_i = \sqrt{\sum_a Q_{ia}^2}
k_j = \sqrt{\sum_a K_{ja}^2}
S_{ij} = \frac{\sum_a Q_{ia} K_{ja}}{q_i k_j}"""
COSINE_POWER = r"""q_i = (\sum_a Q_{ia} Q_{ia})^{1/2}
k_j = (\sum_a K_{ja} K_{ja})^{1/2}
S_{ij} = \frac{1}{q_i k_j} \sum_a Q_{ia} K_{ja}"""
SOFTCAP = r"""Z_{ij} = \sum_a Q_{ia} K_{ja}
T_{ij} = \tanh(Z_{ij} / c)
S_{ij} = c T_{ij}"""
SOFTCAP_FRACTION = r"""Z_{ij} = \sum_a Q_{ia} K_{ja}
T_{ij} = \tanh(\frac{1}{c} Z_{ij})
S_{ij} = c T_{ij}"""
SINGLE = r"""s_j = \sum_a q_a K_{ja}
p_j = \frac{e^{s_j}}{\sum_l e^{s_l}}
o_b = \sum_j p_j V_{jb}"""
SINGLE_UPPER = r"""s^j = q^a K^{ja}
p^j = \frac{\exp(s^j)}{\sum_l \exp(s^l)}
o^b = p^j V^{jb}"""
HOPFIELD = r"""p_i = \frac{e^{\beta \sum_a X_{ia} x_a}}{\sum_j e^{\beta \sum_a X_{ja} x_a}}
E = -\frac{1}{\beta} \log(\sum_i e^{\beta \sum_a X_{ia} x_a}) + \frac{1}{2} \sum_a x_a^2"""
HOPFIELD_NAMED = r"""s_i = \beta \sum_a X_{ia} x_a
p_i = \frac{e^{s_i}}{\sum_j e^{s_j}}
E = \frac{1}{2} \sum_a x_a x_a - \frac{1}{\beta} \log(\sum_i e^{s_i})"""
ADDITIVE = r"""T_{ijc} = \tanh(P_{ic} + R_{jc})
S_{ij} = \sum_c v_c T_{ijc}"""
ADDITIVE_SUM = r"""T_{ijc} = \tanh(R_{jc} + P_{ic})
S_{ij} = \sum_c T_{ijc} v_c"""

FORMS = [
    Form(
        "attention",
        (lines(QK, SOFT, OUT), lines(QK, SOFT_MAX, OUT)),
        "O",
        {"A": A_LINE, "S": S_LINE, "V": V_LINE, "Q": Q_LINE, "K": K_LINE},
    ),
    Form(
        "attention with upper indices",
        (UPPER, UPPER_MAX),
        "O",
        {
            "A": Line(r"\bar{O}^{ib} V^{jb}", r"\bar{O} V^\top"),
            "S": Line(
                r"A^{ij} (\bar{A}^{ij} - \sum_l A^{il} \bar{A}^{il})",
                r"A \circ (\bar{A} - \mathrm{rowsum}(A \circ \bar{A}))",
            ),
            "V": Line(r"A^{ij} \bar{O}^{ib}", r"A^\top \bar{O}"),
            "Q": Line(r"\frac{1}{\sqrt{d}} \bar{S}^{ij} K^{ja}", r"\frac{1}{\sqrt{d}} \bar{S} K"),
            "K": Line(
                r"\frac{1}{\sqrt{d}} \bar{S}^{ij} Q^{ia}", r"\frac{1}{\sqrt{d}} \bar{S}^\top Q"
            ),
        },
    ),
    Form(
        "causal attention",
        (lines(QK, CAUSAL, OUT), lines(QK, CAUSAL_MASK, OUT)),
        "O",
        {"A": A_LINE, "S": S_LINE, "V": V_LINE, "Q": Q_LINE, "K": K_LINE},
    ),
    Form(
        "ALiBi",
        (lines(ALIBI, CAUSAL, OUT), lines(ALIBI_PLUS, CAUSAL, OUT)),
        "O",
        {
            "A": A_LINE,
            "S": S_LINE,
            "Q": Q_LINE,
            "K": K_LINE,
            "m": Line(r"\sum_i \sum_j (j - i) \bar{S}_{ij}"),
        },
    ),
    Form(
        "attention with a metric",
        (lines(METRIC, SOFT, OUT), lines(METRIC, SOFT_MAX, OUT)),
        "O",
        {
            "A": A_LINE,
            "S": S_LINE,
            "Q": Line(r"\sum_j \sum_b \bar{S}_{ij} G_{ab} K_{jb}", r"\bar{S} K G^\top"),
            "K": Line(r"\sum_i \sum_a \bar{S}_{ij} Q_{ia} G_{ab}", r"\bar{S}^\top Q G"),
            "G": Line(r"\sum_i \sum_j \bar{S}_{ij} Q_{ia} K_{jb}", r"Q^\top \bar{S} K"),
        },
    ),
    Form(
        "multi-head attention",
        (HEADS, HEADS_MAX),
        "Y",
        {
            "W": Line(r"\sum_i O_{hib} \bar{Y}_{ic}"),
            "O": Line(r"\sum_c \bar{Y}_{ic} W_{hbc}"),
            "V": Line(r"\sum_i A_{hij} \bar{O}_{hib}"),
            "A": Line(r"\sum_b \bar{O}_{hib} V_{hjb}"),
            "S": Line(r"A_{hij} (\bar{A}_{hij} - \sum_l A_{hil} \bar{A}_{hil})"),
            "Q": Line(r"\frac{1}{\sqrt{d}} \sum_j \bar{S}_{hij} K_{hja}"),
            "K": Line(r"\frac{1}{\sqrt{d}} \sum_i \bar{S}_{hij} Q_{hia}"),
        },
    ),
    Form(
        "grouped-query attention",
        (GROUPED, GROUPED_MAX),
        "O",
        {
            "A": Line(r"\sum_b \bar{O}_{ghib} V_{gjb}"),
            "S": Line(r"A_{ghij} (\bar{A}_{ghij} - \sum_l A_{ghil} \bar{A}_{ghil})"),
            "Q": Line(r"\frac{1}{\sqrt{d}} \sum_j \bar{S}_{ghij} K_{gja}"),
            "K": Line(r"\frac{1}{\sqrt{d}} \sum_h \sum_i \bar{S}_{ghij} Q_{ghia}"),
            "V": Line(r"\sum_h \sum_i A_{ghij} \bar{O}_{ghib}"),
        },
    ),
    Form(
        "cross attention",
        (lines(CROSS, QK, SOFT, OUT), lines(CROSS, QK, SOFT_MAX, OUT)),
        "O",
        {
            "V": V_LINE,
            "A": A_LINE,
            "S": S_LINE,
            "Q": Q_LINE,
            "K": K_LINE,
            "W": Line(r"\sum_i X_{ic} \bar{Q}_{ia}", r"X^\top \bar{Q}"),
            "U": Line(r"\sum_j Y_{jc} \bar{K}_{ja}", r"Y^\top \bar{K}"),
            "T": Line(r"\sum_j Y_{jc} \bar{V}_{jb}", r"Y^\top \bar{V}"),
            "X": Line(r"\sum_a \bar{Q}_{ia} W_{ca}", r"\bar{Q} W^\top"),
            "Y": Line(
                r"\sum_a \bar{K}_{ja} U_{ca} + \sum_b \bar{V}_{jb} T_{cb}",
                r"\bar{K} U^\top + \bar{V} T^\top",
            ),
        },
    ),
    Form(
        "rotary embedding",
        (ROTARY, ROTARY_NAMED),
        "L",
        {
            "q": Line(r"\cos(i \theta_a) u_{ia} + \sin(i \theta_a) v_{ia}"),
            "k": Line(r"\cos(i \theta_a) v_{ia} - \sin(i \theta_a) u_{ia}"),
        },
        again={
            "q": Line(r"c_{ia} u_{ia} + s_{ia} v_{ia}"),
            "k": Line(r"c_{ia} v_{ia} - s_{ia} u_{ia}"),
        },
    ),
    Form(
        "linear attention",
        (LINEAR, LINEAR_PRODUCT),
        "O",
        {
            "H": Line(r"\sum_i \frac{1}{D_i} Q_{ia} \bar{O}_{ib}"),
            "D": Line(r"-\frac{1}{D_i} \sum_b \bar{O}_{ib} O_{ib}"),
            "z": Line(r"\sum_i \bar{D}_i Q_{ia}", r"Q^\top \bar{D}"),
            "Q": Line(r"\frac{1}{D_i} \sum_b \bar{O}_{ib} H_{ab} + \bar{D}_i z_a"),
            "K": Line(
                r"\sum_b \bar{H}_{ab} V_{jb} + \bar{z}_a",
                r"V \bar{H}^\top + \mathbf{1} \bar{z}^\top",
            ),
            "V": Line(r"\sum_a K_{ja} \bar{H}_{ab}", r"K \bar{H}"),
        },
    ),
    Form(
        "cosine attention",
        (lines(COSINE, SOFT, OUT), lines(COSINE_POWER, SOFT, OUT)),
        "O",
        {
            "A": A_LINE,
            "S": S_LINE,
            "Q": Line(
                r"\frac{1}{q_i} \sum_j \bar{S}_{ij} (\frac{K_{ja}}{k_j} - S_{ij} \frac{Q_{ia}}{q_i})"
            ),
            "K": Line(
                r"\frac{1}{k_j} \sum_i \bar{S}_{ij} (\frac{Q_{ia}}{q_i} - S_{ij} \frac{K_{ja}}{k_j})"
            ),
        },
    ),
    Form(
        "soft-capped attention",
        (lines(SOFTCAP, SOFT, OUT), lines(SOFTCAP_FRACTION, SOFT, OUT)),
        "O",
        {
            "A": A_LINE,
            "S": S_LINE,
            "Z": Line(r"\bar{S}_{ij} (1 - T_{ij}^2)", r"\bar{S} \circ (1 - T \circ T)"),
            "Q": Line(r"\sum_j \bar{Z}_{ij} K_{ja}", r"\bar{Z} K"),
        },
    ),
    Form(
        "attention of one query",
        (SINGLE, SINGLE_UPPER),
        "o",
        {
            "p": Line(r"\sum_b \bar{o}_b V_{jb}", r"V \bar{o}", "j"),
            "s": Line(
                r"p_j (\bar{p}_j - \sum_l p_l \bar{p}_l)", r"p \circ (\bar{p} - p^\top \bar{p})"
            ),
            "q": Line(r"\sum_j \bar{s}_j K_{ja}", r"K^\top \bar{s}"),
            "K": Line(r"\bar{s}_j q_a", r"\bar{s} q^\top"),
            "V": Line(r"p_j \bar{o}_b", r"p \bar{o}^\top"),
        },
    ),
    Form(
        "additive attention",
        (ADDITIVE, ADDITIVE_SUM),
        "S",
        {
            "v": Line(r"\sum_i \sum_j \bar{S}_{ij} T_{ijc}"),
            "P": Line(r"\sum_j \bar{S}_{ij} v_c (1 - T_{ijc}^2)"),
            "R": Line(r"\sum_i \bar{S}_{ij} v_c (1 - T_{ijc}^2)"),
        },
    ),
    Form(
        "Hopfield energy",
        (HOPFIELD, HOPFIELD_NAMED),
        "E",
        {"x": Line(r"x_a - \sum_i p_i X_{ia}", r"x - X^\top p")},
    ),
]
