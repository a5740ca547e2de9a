r"""Attention for a batch

A batch index is free everywhere: nothing is summed over it, forward or backward, and no output of one
sequence knows another.  With a mask for each sequence, padded keys get no weight.
"""

import symattn as sa

source = "A. Vaswani et al., Attention is all you need, NeurIPS 2017, section 3.2"

system = sa.read(r"""
<!-- symattn: sizes Q:(B,n_q,d_k) K:(B,n_k,d_k) V:(B,n_k,d_v) -->
$$ S_{bij} = \frac{1}{\sqrt{d_k}} Q_{bia} K_{bja} $$
$$ A_{bij} = \frac{\exp(S_{bij})}{\sum_l \exp(S_{bil})} $$
$$ O_{bic} = A_{bij} V_{bjc} $$
""")

results = {"Backward pass": sa.backward(system, output="O", wrt=("V", "A", "S", "Q", "K"))}


claims = [
    (
        "One sequence does not know another",
        r"\frac{\partial O_{bic}}{\partial V_{gje}} = \delta_{bg} \delta_{ce} A_{bij}",
    ),
    (
        "Queries",
        r"\frac{\partial L}{\partial Q_{bia}} = \frac{1}{\sqrt{d_k}} \sum_j \frac{\partial L}{\partial S_{bij}} K_{bja}",
    ),
    (
        "Scores",
        r"\frac{\partial L}{\partial S_{bij}} = A_{bij} \left(\frac{\partial L}{\partial A_{bij}} - \sum_l A_{bil} \frac{\partial L}{\partial A_{bil}}\right)",
    ),
]

refuted = [
    (
        "A gradient of scores with the row sum taken over queries",
        r"\frac{\partial L}{\partial S_{bij}} = A_{bij} \left(\frac{\partial L}{\partial A_{bij}} - \sum_k A_{bkj} \frac{\partial L}{\partial A_{bkj}}\right)",
        sa.System(system["A"]),
    ),
]
