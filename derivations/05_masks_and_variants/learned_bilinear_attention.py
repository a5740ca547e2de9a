r"""Attention with a learned metric $W^\top W$

The same projection for queries and keys: scores are $Q\, W^\top W K^\top$, so a query and a key that are
equal score the squared length of their image.  The gradient of $W$ collects what queries and keys
send, which a metric without such a root would keep apart.
"""

import symattn as sa

source = (
    "M.-T. Luong, H. Pham, C. Manning, Effective approaches to attention-based neural machine "
    "translation, EMNLP 2015, section 3.1; for one projection of both, N. Kitaev, L. Kaiser, "
    "A. Levskaya, Reformer, ICLR 2020, section 2"
)

system = sa.read(r"""
<!-- symattn: sizes Q:(n_q,d) K:(n_k,d) V:(n_k,d_v) W:(r,d) -->
$$ P_{ir} = Q_{ia} W_{ra} $$
$$ R_{jr} = K_{ja} W_{ra} $$
$$ S_{ij} = P_{ir} R_{jr} $$
$$ A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})} $$
$$ O_{ib} = A_{ij} V_{jb} $$
""")

results = {"Backward pass": sa.backward(system, output="O", wrt=("S", "P", "R", "W"))}

claims = [
    (
        "Scores with the metric of W",
        r"S_{ij} = \sum_{ab} Q_{ia} \left(\sum_r W_{ra} W_{rb}\right) K_{jb}",
    ),
    (
        "Queries and keys both teach W",
        r"\frac{\partial L}{\partial W_{ra}} = \sum_i \frac{\partial L}{\partial P_{ir}} Q_{ia} + \sum_j \frac{\partial L}{\partial R_{jr}} K_{ja}",
    ),
    (
        "In one line: the symmetric part of a metric's gradient, twice",
        r"\frac{\partial L}{\partial W_{ra}} = \sum_b W_{rb} \sum_{ij} \frac{\partial L}{\partial S_{ij}} (Q_{ia} K_{jb} + K_{ja} Q_{ib})",
    ),
]

refuted = [
    (
        "A metric's gradient times W",
        r"\frac{\partial L}{\partial W_{ra}} = \sum_b W_{rb} \sum_{ij} \frac{\partial L}{\partial S_{ij}} Q_{ia} K_{jb}",
    ),
]
