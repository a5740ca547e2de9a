r"""Scores with a metric

A metric $g$ says how alike a query and a key are: $S^{ij} = Q^{ia} g_{ab} K^{jb}$.  Dot products
are the metric $\delta_{ab}$, scaled dot products $\delta_{ab}/\sqrt{d_k}$, and a diagonal metric
weighs every feature by itself.
"""

import symattn as sa

source = "A. Vaswani et al., Attention is all you need, NeurIPS 2017, section 3.2.1"

system = sa.read(r"""
<!-- symattn: sizes Q:(n_q,d_k) K:(n_k,d_k) g:(d_k,d_k) s:(d_k) -->
$$ S_{ij} = Q_{ia} g_{ab} K_{jb} $$
$$ R_{ij} = \sum_{ab} Q_{ia} \frac{\delta_{ab}}{\sqrt{d_k}} K_{jb} $$
$$ D_{ij} = \sum_{ab} Q_{ia} s_a \delta_{ab} K_{jb} $$
""")

results = {"Scores": sa.backward(system, output="S", wrt=("Q", "K", "g"))}

claims = [
    ("The scaled metric gives scaled dot products", r"R_{ij} = \frac{1}{\sqrt{d_k}} Q_{ia} K_{ja}"),
    ("A diagonal metric weighs every feature", r"D_{ij} = s_a Q_{ia} K_{ja}"),
    (
        "In the metric: an outer product, summed over pairs",
        r"\frac{\partial L}{\partial g_{ab}} = \sum_{ij} Q_{ia} \frac{\partial L}{\partial S_{ij}} K_{jb}",
    ),
    (
        "In the query",
        r"\frac{\partial L}{\partial Q_{ia}} = \sum_{jb} g_{ab} \frac{\partial L}{\partial S_{ij}} K_{jb}",
    ),
    (
        "In the weights of features",
        r"\frac{\partial D_{ij}}{\partial s_a} = Q_{ia} K_{ja}",
    ),
]

refuted = [
    (
        "The metric may be transposed",
        r"S_{ij} = \sum_{ab} Q_{ia} g_{ba} K_{jb}",
    ),
]
