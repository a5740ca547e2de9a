r"""Linear attention: sums over keys come first

A kernel that is an inner product of features, $\kappa(q, k) = \phi(q) \cdot \phi(k)$, lets the sum over
keys be done once, $M = \sum_j \phi(k_j) v_j^\top$ and $z = \sum_j \phi(k_j)$: $O(n\, r\, d)$ in place of
$O(n^2 d)$.  Nothing is approximated by that: only the order of sums changes.
"""

import symattn as sa

source = "A. Katharopoulos et al., Transformers are RNNs, ICML 2020, equations 4 to 6"

system = sa.read(r"""
<!-- symattn: sizes P:(n_q,r) R:(n_k,r) V:(n_k,d); positive P R -->
$$ M_{ab} = R_{ja} V_{jb} $$
$$ z_a = \sum_j R_{ja} $$
$$ O_{ib} = \frac{P_{ia} M_{ab}}{P_{ia} z_a} $$
""")
quadratic = sa.read(r"""
<!-- symattn: sizes P:(n_q,r) R:(n_k,r) V:(n_k,d); positive P R -->
$$ M_{ab} = R_{ja} V_{jb} $$
$$ z_a = \sum_j R_{ja} $$
$$ O_{ib} = \frac{P_{ia} M_{ab}}{P_{ia} z_a} $$
$$ B_{ij} = P_{ia} R_{ja} $$
$$ A_{ij} = \frac{B_{ij}}{\sum_l B_{il}} $$
$$ w_i = P_{ia} z_a $$
""")

results = {"Backward pass": sa.backward(system, output="O", wrt=("M", "z", "P", "R", "V"))}

claims = [
    ("The order of sums does not matter", r"O_{ib} = \sum_j A_{ij} V_{jb}", quadratic),
    ("Weights sum to one", r"\sum_j A_{ij} = 1", quadratic),
    ("In the values", r"\frac{\partial O_{ib}}{\partial V_{jc}} = A_{ij} \delta_{bc}", quadratic),
    (
        "In the features of a query",
        r"\frac{\partial O_{ib}}{\partial P_{ma}} = \delta_{im} \frac{1}{w_i} (M_{ab} - z_a O_{ib})",
        quadratic,
    ),
    (
        "In the features of a key",
        r"\frac{\partial O_{ib}}{\partial R_{ja}} = \frac{1}{w_i} P_{ia} (V_{jb} - O_{ib})",
        quadratic,
    ),
]

refuted = [("Without the normaliser", r"O_{ib} = P_{ia} M_{ab}")]
