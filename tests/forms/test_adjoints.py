"""Which gradients on the way are written out: a line of its own names what it is of."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.canonical import key

ATTENTION = r"""<!-- symattn: sizes Q:(m,d) K:(n,d) V:(n,c) -->
S_{ij} = \frac{1}{\sqrt{d}} \sum_a Q_{ia} K_{ja} + B_{ij}
A_{ij} = \frac{e^{S_{ij}}}{\sum_k e^{S_{ik}}}
O_{ib} = \sum_j A_{ij} V_{jb}"""
RETRIEVAL = r"""<!-- symattn: scalars \beta; sizes K:(n,d) x:(d) -->
s_j = \beta \sum_a K_{ja} x_a
p_j = \frac{e^{s_j}}{\sum_k e^{s_k}}
y_a = \sum_j p_j K_{ja}"""
EXPERTS = r"""<!-- symattn: sizes W:(m,d) x:(d) U:(m,c) b:(m) -->
z_e = \sum_a W_{ea} x_a + b_e
g_e = \frac{e^{z_e}}{\sum_f e^{z_f}}
y_c = \sum_e g_e U_{ec}"""
LAYERS = r"""<!-- symattn: sizes W:(m,d) x:(d) c:(m) U:(n,m) -->
u_i = \sum_a W_{ia} x_a
h_i = c_i \tanh u_i
y_k = \sum_i U_{ki} h_i"""
GATE = r"""<!-- symattn: sizes a:(n) p:(n) B:(n,m) x:(m) -->
r_i = \sigma(a_i)
h_i = r_i p_i + (1 - r_i) \sum_j B_{ij} x_j"""
STREAMS = r"""<!-- symattn: scalars c d -->
z_i = x_i + u_i
m = \frac{1}{d} \sum_{i=1}^d z_i
s = \sqrt{\frac{1}{d} \sum_{i=1}^d (z_i - m)^2 + c}
y_i = \frac{z_i - m}{s}"""
NORMED = r"\frac{1}{d} \sum_{j} \bar y_j - \frac{y_i}{d} \sum_{j} y_j \bar y_j\right)"
MEAN = r"\sum_{k} A_{ik} \bar A_{ik}\right)"
REST = r"p_i - \sum_{j} B_{ij} x_j\right) \left(1 - r_i\right)"


@pytest.mark.parametrize(
    ("text", "output", "asked", "wrt", "line"),
    [
        (ATTENTION, "O", "QKVA", "Q", r"\frac{1}{\sqrt{d}} \sum_{j} \bar S_{ij} K_{ja}"),
        (ATTENTION, "O", "QKVA", "K", r"\frac{1}{\sqrt{d}} \sum_{i} \bar S_{ij} Q_{ia}"),
        (ATTENTION, "O", "BA", "B", r"A_{ij} \left(\bar A_{ij} - " + MEAN),
        (ATTENTION, "O", "SBA", "B", r"\bar S_{ij}"),
        (RETRIEVAL, "y", "xp", "x", r"\beta \sum_{j} K_{ja} \bar s_j"),
        (RETRIEVAL, "y", "sp", "s", r"p_j \left(\bar p_j - \sum_{k} p_k \bar p_k\right)"),
        (EXPERTS, "y", "xWg", "x", r"\sum_{e} W_{ea} \bar z_e"),
        (EXPERTS, "y", "xWg", "W", r"\bar z_e x_a"),
        (EXPERTS, "y", "Wg", "W", r"\bar z_e x_a"),
        (LAYERS, "y", "W", "W", r"\bar u_i x_a"),
        (STREAMS, "y", "xu", "x", r"\frac{1}{s} \left(\bar y_i - " + NORMED),
        (STREAMS, "y", "xz", "x", r"\bar z_i"),
        (GATE, "h", "a", "a", r"r_i \bar h_i \left(" + REST),
    ],
)  # fmt: skip
def test_a_line_of_its_own(text, output, asked, wrt, line):
    pass_ = sa.backward(sa.read(text), output=output, wrt=tuple(asked))
    assert pass_[wrt].equation().partition(" = ")[2] == line


def test_two_lines_that_look_alike_are_one():
    """Σ_ij and Σ_ji, δ_ij/q_i and δ_ij/q_j: what is derived by itself ends in what is printed."""
    entropy = "<!-- symattn: positive q; sizes q:(n) -->\nH = -\\sum_i q_i (\\log q_i - b_i)"
    metric = "<!-- symattn: sizes Q:(m,d) K:(n,c) -->\nS_{ij} = \\sum_{ab} Q_{ia} g_{ab} K_{jb}"
    for d in (
        sa.hessian(sa.read(entropy), of="H", wrt="q"),
        sa.backward(sa.read(metric), output="S", wrt=("g",))["g"],
    ):
        assert all(key(s.raw_before) != key(s.raw_after) for s in d.steps)
        assert d.steps[-1].raw_after is d.shown
        assert d.check_steps().ok
        assert [s.raw_before for s in d.steps[1:]] == [s.raw_after for s in d.steps[:-1]]
