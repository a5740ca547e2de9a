r"""How well a pattern is separated

A pattern $k_m$ is found where its score with itself is well above the others': with gaps
$g_{mj} = k_m \cdot k_m - k_m \cdot k_j$ the weight that goes elsewhere is
$\sum_{j \ne m} e^{-\beta g_{mj}} p_m$.  So one step of retrieval from the pattern misses it by weights times
differences of patterns, and all weights elsewhere are small when all gaps are large.
"""

import symattn as sa

source = (
    "H. Ramsauer et al., Hopfield networks is all you need, ICLR 2021, definition 1 and theorem A8"
)

TEXT = r"""
<!-- symattn: sizes K:(M,d); positive beta -->
$$ g_{mj} = \sum_a K_{ma} K_{ma} - \sum_a K_{ma} K_{ja} $$
$$ S_{mj} = \beta \sum_a K_{ma} K_{ja} $$
$$ p_{mj} = \frac{\exp(S_{mj})}{\sum_l \exp(S_{ml})} $$
$$ y_{ma} = p_{mj} K_{ja} $$
"""
system = sa.read(TEXT)
own = sa.read(TEXT + r"$$ q_m = p_{mj} \delta_{jm} $$")

results = {"Weights": sa.backward(system, output="y", wrt=("p", "S", "K"))}

claims = [
    (
        "Weights know the gaps alone",
        r"p_{mj} = \frac{\exp(-\beta g_{mj})}{\sum_l \exp(-\beta g_{ml})}",
    ),
    (
        "What a step misses: weights times differences",
        r"y_{ma} - K_{ma} = \sum_j p_{mj} (K_{ja} - K_{ma})",
    ),
    (
        "The gap of a pattern to itself vanishes: its own weight",
        r"q_m = \frac{1}{\sum_l \exp(-\beta g_{ml})}",
        own,
    ),
    ("Weights elsewhere, by the gaps", r"p_{mj} = q_m \exp(-\beta g_{mj})", own),
]

refuted = [("Gaps are symmetric", r"g_{mj} = g_{jm}")]
