r"""Cross-attention from projections of two sequences

Queries come from one sequence $X$, keys and values from another, $Y$.  The two paths to $Y$ add up in
its gradient, and since scores know $W_Q$ and $W_K$ by their product alone, so do both gradients.
"""

import symattn as sa

source = "A. Vaswani et al., Attention is all you need, NeurIPS 2017, section 3.2.3"

system = sa.read(r"""
<!-- symattn: sizes X:(n_q,d_x) Y:(n_k,d_y) W_Q:(d_x,d_k) W_K:(d_y,d_k) W_V:(d_y,d_v) -->
$$ Q_{ia} = X_{ic} W_{Q,ca} $$
$$ K_{ja} = Y_{je} W_{K,ea} $$
$$ V_{jb} = Y_{je} W_{V,eb} $$
$$ S_{ij} = \frac{1}{\sqrt{d_k}} Q_{ia} K_{ja} $$
$$ A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})} $$
$$ O_{ib} = A_{ij} V_{jb} $$
""")

results = {
    "Backward pass": sa.backward(
        system, output="O", wrt=("V", "A", "S", "Q", "K", "X", "Y", "W_Q", "W_K", "W_V")
    )
}


claims = [
    (
        "Two paths lead to the second sequence",
        r"\frac{\partial L}{\partial Y_{je}} = \sum_a W_{K,ea} \frac{\partial L}{\partial K_{ja}} "
        r"+ \sum_b W_{V,eb} \frac{\partial L}{\partial V_{jb}}",
    ),
    (
        "Projection of queries",
        r"\frac{\partial L}{\partial W_{Q,ca}} = \sum_i X_{ic} \frac{\partial L}{\partial Q_{ia}}",
    ),
    (
        "Projection of values",
        r"\frac{\partial L}{\partial W_{V,eb}} = \sum_j Y_{je} \frac{\partial L}{\partial V_{jb}}",
    ),
    (
        "Scores are a bilinear form in both sequences",
        r"S_{ij} = \frac{1}{\sqrt{d_k}} \sum_{ce} X_{ic} \left(\sum_a W_{Q,ca} W_{K,ea}\right) Y_{je}",
    ),
    (
        "What scales scores up scales them in both projections",
        r"\sum_{ca} W_{Q,ca} \frac{\partial L}{\partial W_{Q,ca}} = \sum_{ea} W_{K,ea} \frac{\partial L}{\partial W_{K,ea}}",
    ),
]
