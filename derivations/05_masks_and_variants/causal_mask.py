r"""The causal mask

A position may look at itself and at what came before.  The mask is a bracket, $[j \le i]$, one where
the comparison holds and zero elsewhere, so rows sum to one over what is allowed and no infinity is
needed.  Adding $\log [j \le i]$, which is 0 or $-\infty$, to the scores means the same.
"""

import symattn as sa

source = "A. Vaswani et al., Attention is all you need, NeurIPS 2017, section 3.2.3"

system = sa.read(r"""
<!-- symattn: sizes Q:(n,d) K:(n,d) V:(n,d_v) -->
$$ S_{ij} = \frac{1}{\sqrt{d}} Q_{ia} K_{ja} $$
$$ A_{ij} = \frac{[j \le i] \exp(S_{ij})}{\sum_l [l \le i] \exp(S_{il})} $$
$$ O_{ib} = A_{ij} V_{jb} $$
""")
full = sa.read(r"""
<!-- symattn: sizes S:(n,n) -->
$$ A_{ij} = \frac{[j \le i] \exp(S_{ij})}{\sum_l [l \le i] \exp(S_{il})} $$
$$ B_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})} $$
""")

results = {"Backward pass": sa.backward(system, output="O", wrt=("V", "A", "S", "Q", "K"))}

claims = [
    ("Rows sum to one", r"\sum_j A_{ij} = 1"),
    ("Nothing is seen of what comes after", r"A_{ij} = [j \le i] A_{ij}"),
    (
        "It is softmax, cut off and normalised again",
        r"A_{ij} = \frac{[j \le i] B_{ij}}{\sum_l [l \le i] B_{il}}",
        full,
    ),
    (
        "The Jacobian is that of softmax, since masked weights are zero",
        r"\frac{\partial A_{ij}}{\partial S_{mn}} = \delta_{im} A_{ij} (\delta_{jn} - A_{in})",
    ),
    (
        "A later value moves no earlier output",
        r"\frac{\partial O_{ib}}{\partial V_{jc}} = [j \le i] A_{ij} \delta_{bc}",
    ),
]

refuted = [
    ("It is softmax, cut off", r"A_{ij} = [j \le i] B_{ij}", full),
    ("Columns sum to one", r"\sum_i A_{ij} = 1"),
]
