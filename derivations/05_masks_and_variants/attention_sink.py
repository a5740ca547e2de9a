r"""A sink: weights that need not sum to one

With a constant $e^s$ in the normaliser a row may give its weight away: weights sum to
$1 - \sigma$ for a share $\sigma$ that the sink takes.  It is softmax over one more key, of score $s$,
whose value is zero.  With $s = 0$ it is the softmax “plus one”.
"""

import symattn as sa

source = "G. Xiao et al., Efficient streaming language models with attention sinks, ICLR 2024, section 3.3"

system = sa.read(r"""
<!-- symattn: sizes S:(n_q,n_k) V:(n_k,d); scalars s -->
$$ Z_i = \sum_l \exp(S_{il}) $$
$$ r_i = \frac{\exp(s)}{\exp(s) + Z_i} $$
$$ A_{ij} = \frac{\exp(S_{ij})}{\exp(s) + Z_i} $$
$$ O_{ib} = A_{ij} V_{jb} $$
""")

results = {
    "Backward pass": sa.backward(
        sa.System(system["Z"], system["A"], system["O"]), output="O", wrt=("V", "A", "S", "s")
    )
}

claims = [
    ("What the sink takes is missing", r"\sum_j A_{ij} = 1 - r_i"),
    ("It is softmax, scaled down", r"A_{ij} = (1 - r_i) \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})}"),
    ("The share as a logistic function", r"r_i = \frac{1}{1 + \exp(\log(Z_i) - s)}"),
    (
        "The Jacobian is that of softmax",
        r"\frac{\partial A_{ij}}{\partial S_{mn}} = \delta_{im} A_{ij} (\delta_{jn} - A_{in})",
    ),
    ("A stronger sink takes from all alike", r"\frac{\partial A_{ij}}{\partial s} = -r_i A_{ij}"),
    ("The output shrinks towards zero", r"\frac{\partial O_{ib}}{\partial s} = -r_i O_{ib}"),
]

refuted = [("Weights sum to one", r"\sum_j A_{ij} = 1")]
