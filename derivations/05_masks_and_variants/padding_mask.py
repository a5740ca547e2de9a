r"""The padding mask

Sequences of a batch are made equally long, and the mask $M^{bj}$ says which keys are real.  Any array
of zeros and ones will do; what is padded gets no weight, and no gradient goes to it, neither to its
key nor to its value.
"""

import symattn as sa

source = "A. Vaswani et al., Attention is all you need, NeurIPS 2017, section 3.2.3, for masks of any shape"

system = sa.read(r"""
<!-- symattn: sizes Q:(B,n_q,d) K:(B,n_k,d) V:(B,n_k,d_v) M:(B,n_k); positive M -->
$$ S_{bij} = \frac{1}{\sqrt{d}} Q_{bia} K_{bja} $$
$$ A_{bij} = \frac{M_{bj} \exp(S_{bij})}{\sum_l M_{bl} \exp(S_{bil})} $$
$$ O_{bic} = A_{bij} V_{bjc} $$
""")

results = {"Backward pass": sa.backward(system, output="O", wrt=("V", "A", "S", "K"))}

claims = [
    ("Rows sum to one", r"\sum_j A_{bij} = 1"),
    (
        "It is softmax of scores to which log M is added",
        r"A_{bij} = \frac{\exp(S_{bij} + \log(M_{bj}))}{\sum_l \exp(S_{bil} + \log(M_{bl}))}",
    ),
    (
        "A mask is a score in disguise",
        r"\frac{\partial L}{\partial M_{bj}} = \frac{1}{M_{bj}} \sum_i \frac{\partial L}{\partial S_{bij}}",
    ),
    (
        "The gradient of a key has the weight as a factor, so none where M is 0",
        r"\frac{\partial L}{\partial S_{bij}} = A_{bij} \sum_c \frac{\partial L}{\partial O_{bic}} (V_{bjc} - O_{bic})",
    ),
]
