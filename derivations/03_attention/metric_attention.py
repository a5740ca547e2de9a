r"""Attention with a metric, and the gradient of the metric

With scores $S = Q\, g\, K^\top$ the metric is a parameter like any other.  Its gradient is
$Q^\top \bar S K$, a sum over pairs of outer products; those of $Q$ and $K$ see the other side through
the metric.
"""

import symattn as sa

source = (
    "M.-T. Luong, H. Pham, C. Manning, Effective approaches to attention-based neural machine "
    "translation, EMNLP 2015, the score “general” of section 3.1"
)

system = sa.read(r"""
<!-- symattn: sizes Q:(n_q,d) K:(n_k,d) V:(n_k,d_v) g:(d,d) -->
$$ S_{ij} = Q_{ia} g_{ab} K_{jb} $$
$$ A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})} $$
$$ O_{ic} = A_{ij} V_{jc} $$
""")

results = {"Backward pass": sa.backward(system, output="O", wrt=("V", "A", "S", "Q", "K", "g"))}

claims = [
    (
        "In the metric",
        r"\frac{\partial L}{\partial g_{ab}} = \sum_{ij} Q_{ia} \frac{\partial L}{\partial S_{ij}} K_{jb}",
    ),
    (
        "In the queries",
        r"\frac{\partial L}{\partial Q_{ia}} = \sum_{jb} \frac{\partial L}{\partial S_{ij}} g_{ab} K_{jb}",
    ),
    (
        "In the keys",
        r"\frac{\partial L}{\partial K_{jb}} = \sum_{ia} \frac{\partial L}{\partial S_{ij}} Q_{ia} g_{ab}",
    ),
    (
        "Euler's relation: all three move the scores alike",
        r"\sum_{ab} g_{ab} \frac{\partial L}{\partial g_{ab}} = \sum_{ia} Q_{ia} \frac{\partial L}{\partial Q_{ia}}"
        r" = \sum_{jb} K_{jb} \frac{\partial L}{\partial K_{jb}}",
    ),
]

refuted = [
    (
        "In the keys, with the metric transposed",
        r"\frac{\partial L}{\partial K_{jb}} = \sum_{ia} \frac{\partial L}{\partial S_{ij}} Q_{ia} g_{ba}",
    ),
]
