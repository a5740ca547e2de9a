r"""Scores that cannot grow: a soft cap

With $c \tanh(S/c)$ in place of $S$ no score exceeds $c$, and small scores are left as they are.  The
backward pass has one factor more, $1 - (\text{capped}/c)^2$, that closes where a score is capped.
"""

import symattn as sa

source = "Gemma Team, Gemma 2: improving open language models at a practical size, 2024, section 2"

system = sa.read(r"""
<!-- symattn: sizes S:(n_q,n_k) V:(n_k,d); positive c -->
$$ C_{ij} = c \tanh(S_{ij} / c) $$
$$ A_{ij} = \frac{\exp(C_{ij})}{\sum_l \exp(C_{il})} $$
$$ O_{ib} = A_{ij} V_{jb} $$
""")

results = {"Backward pass": sa.backward(system, output="O", wrt=("V", "A", "C", "S"))}

claims = [
    (
        "One factor more",
        r"\frac{\partial L}{\partial S_{ij}} = \frac{\partial L}{\partial C_{ij}} \left(1 - \frac{C_{ij}^2}{c^2}\right)",
    ),
    ("It is odd", r"c \tanh(-S_{ij} / c) = -C_{ij}"),
    (
        "The cap itself, where the gradient of a score is scaled",
        r"\frac{\partial C_{ij}}{\partial c} = \frac{1}{c} \left(C_{ij} - S_{ij} \left(1 - \frac{C_{ij}^2}{c^2}\right)\right)",
    ),
]

refuted = [
    (
        "The factor without the cap",
        r"\frac{\partial L}{\partial S_{ij}} = \frac{\partial L}{\partial C_{ij}} \left(1 - C_{ij}^2\right)",
    ),
]
