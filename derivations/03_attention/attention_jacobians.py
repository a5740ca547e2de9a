r"""All Jacobians of attention

Not the gradients of a loss but the full derivatives of the output: in the values it is the weights,
in the queries a covariance of keys and values under the weights, in the keys an outer product of the
query with what is left of a value when the mean is taken away.
"""

import symattn as sa

source = "H. Kim, G. Papamakarios, A. Mnih, The Lipschitz constant of self-attention, ICML 2021, section 3.2"

system = sa.read(r"""
<!-- symattn: sizes Q:(n_q,d_k) K:(n_k,d_k) V:(n_k,d_v) -->
$$ S_{ij} = \frac{1}{\sqrt{d_k}} Q_{ia} K_{ja} $$
$$ A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})} $$
$$ O_{ib} = A_{ij} V_{jb} $$
""")

results = {
    "In the values": sa.jacobian(system, of="O", wrt="V"),
    "In the queries": sa.jacobian(system, of="O", wrt="Q"),
    "In the keys": sa.jacobian(system, of="O", wrt="K"),
}

claims = [
    ("In the values", r"\frac{\partial O_{ib}}{\partial V_{mc}} = A_{im} \delta_{bc}"),
    (
        "In the queries: the covariance of keys and values",
        r"\frac{\partial O_{ib}}{\partial Q_{ma}} = \frac{1}{\sqrt{d_k}} \delta_{im} "
        r"\left(\sum_j A_{ij} K_{ja} V_{jb} - O_{ib} \sum_l A_{il} K_{la}\right)",
    ),
    (
        "In the keys",
        r"\frac{\partial O_{ib}}{\partial K_{ma}} = \frac{1}{\sqrt{d_k}} A_{im} Q_{ia} (V_{mb} - O_{ib})",
    ),
    (
        "Scores of the same query alone",
        r"\frac{\partial A_{ij}}{\partial S_{mn}} = \delta_{im} A_{ij} (\delta_{jn} - A_{in})",
    ),
]

refuted = [
    (
        "In the keys, with the mean forgotten",
        r"\frac{\partial O_{ib}}{\partial K_{ma}} = \frac{1}{\sqrt{d_k}} A_{im} Q_{ia} V_{mb}",
    ),
]
