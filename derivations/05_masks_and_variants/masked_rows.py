r"""Rows that see nothing

A row whose mask is all zero has no softmax: $0/0$.  Adding $[Z = 0]$ to the normaliser is one way to
define it, and a small $\epsilon$ is the smooth one: $A = M e^S/(Z + \epsilon)$ is zero for such a
row, and everything, derivatives included, is defined.  For a row that sees something the weights are
those of softmax times $Z/(Z + \epsilon)$.
"""

import symattn as sa

source = "T. Dao et al., FlashAttention, NeurIPS 2022, appendix B, where such rows are zero"

system = sa.read(r"""
<!-- symattn: sizes S:(n_q,n_k) M:(n_q,n_k) V:(n_k,d); positive \epsilon -->
$$ Z_i = \sum_l M_{il}^2 \exp(S_{il}) $$
$$ A_{ij} = \frac{M_{ij}^2 \exp(S_{ij})}{Z_i + \epsilon} $$
$$ O_{ib} = A_{ij} V_{jb} $$
""")

results = {"Backward pass": sa.backward(system, output="O", wrt=("V", "A", "S"))}

claims = [
    ("A row's weights sum to less than one by ε", r"\sum_j A_{ij} = \frac{Z_i}{Z_i + \epsilon}"),
    (
        "The Jacobian is that of softmax",
        r"\frac{\partial A_{ij}}{\partial S_{mn}} = \delta_{im} A_{ij} (\delta_{jn} - A_{in})",
    ),
    (
        "It is softmax, scaled down",
        r"A_{ij} = \frac{Z_i}{Z_i + \epsilon} \frac{M_{ij}^2 \exp(S_{ij})}{\sum_l M_{il}^2 \exp(S_{il})}",
    ),
]
