r"""A mask as a score: $S + \log M$

Where $M$ is 1, $\log M$ adds nothing; where $M$ tends to 0 it tends to $-\infty$ and the weight to 0.
Written with the mask as a factor, no infinity is needed and all is defined as long as the row sees
something, $\sum_l M_{il} e^{S_{il}} \ne 0$: a row that sees nothing has no weights, and the rule is to
put its output to zero, with $A = M e^S/(Z + [Z = 0])$.  A large negative number in place of
$-\infty$ is another thing: a row that sees nothing then has the mean of all values.
"""

import symattn as sa

source = "A. Vaswani et al., Attention is all you need, NeurIPS 2017, section 3.2.3"

system = sa.read(r"""
<!-- symattn: sizes S:(n_q,n_k) M:(n_q,n_k); positive M -->
$$ A_{ij} = \frac{\exp(S_{ij} + \log(M_{ij}))}{\sum_l \exp(S_{il} + \log(M_{il}))} $$
""")
results = {"Jacobian in the mask": sa.jacobian(system, of="A", wrt="M")}

claims = [
    (
        "The mask comes out as a factor",
        r"A_{ij} = \frac{M_{ij} \exp(S_{ij})}{\sum_l M_{il} \exp(S_{il})}",
    ),
    (
        "So S + log M is defined where M is 0, if only the row sees something",
        r"A_{ij} \sum_l M_{il} \exp(S_{il}) = M_{ij} \exp(S_{ij})",
    ),
    (
        "In the mask",
        r"\frac{\partial A_{ij}}{\partial M_{mn}} = \delta_{im} \frac{1}{M_{in}} A_{ij} (\delta_{jn} - A_{in})",
    ),
    (
        "A row of one large negative number has equal weights: the mean of all values",
        r"\frac{\exp(c)}{\sum_{l} \exp(c) M_{il}} = \frac{1}{\sum_l M_{il}}",
    ),
]
