r"""The backward pass, block by block

The backward pass needs no weights from memory: with the logarithm of each row's normaliser, $\lambda$,
and the row sums $D = \sum \bar O \circ O$, any entry of $A$ and of $\bar S$ is recomputed from one query and
one key.  So every block adds its own part to $\bar Q$, $\bar K$ and $\bar V$, and no array has both
lengths.
"""

import symattn as sa

source = "T. Dao et al., FlashAttention, NeurIPS 2022, appendix B.2 and algorithm 4"

system = sa.read(r"""
<!-- symattn: sizes Q:(n_q,d) K:(n_k,d) V:(n_k,d_v) -->
$$ S_{ij} = \frac{1}{\sqrt{d}} Q_{ia} K_{ja} $$
$$ A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})} $$
$$ O_{ib} = A_{ij} V_{jb} $$
""")
stored = sa.read(r"""
<!-- symattn: sizes Q:(n_q,d) K:(n_k,d) V:(n_k,d_v) G:(n_q,d_v) -->
$$ S_{ij} = \frac{1}{\sqrt{d}} Q_{ia} K_{ja} $$
$$ A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})} $$
$$ O_{ib} = A_{ij} V_{jb} $$
$$ \lambda_i = \log \sum_j \exp(S_{ij}) $$
$$ D_i = G_{ib} O_{ib} $$
$$ P_{ij} = \exp(S_{ij} - \lambda_i) $$
$$ B_{ij} = P_{ij} \left(\sum_b G_{ib} V_{jb} - D_i\right) $$
$$ L = G_{ib} O_{ib} $$
""")

results = {"Backward pass": sa.backward(system, output="O", wrt=("V", "S", "Q", "K"))}

claims = [
    ("Weights from what is stored", r"P_{ij} = A_{ij}", stored),
    (
        "The gradient of a score, from one query and one key",
        r"B_{ij} = \frac{\partial L}{\partial S_{ij}}",
        stored,
    ),
    (
        "Queries",
        r"\frac{\partial L}{\partial Q_{ia}} = \frac{1}{\sqrt{d}} \sum_j B_{ij} K_{ja}",
        stored,
    ),
    (
        "Keys",
        r"\frac{\partial L}{\partial K_{ja}} = \frac{1}{\sqrt{d}} \sum_i B_{ij} Q_{ia}",
        stored,
    ),
    ("Values", r"\frac{\partial L}{\partial V_{jb}} = \sum_i P_{ij} G_{ib}", stored),
    (
        "The row sum without an array of both lengths",
        r"D_i = \sum_{jb} A_{ij} G_{ib} V_{jb}",
        stored,
    ),
]

refuted = [
    (
        "The gradient of a score without the row sum",
        r"\frac{\partial L}{\partial S_{ij}} = P_{ij} \sum_b G_{ib} V_{jb}",
        stored,
    ),
]
