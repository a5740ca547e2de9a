r"""Attention in one equation

Scores, softmax and the weighted mean, put into one another.  The three steps are named everywhere
else; here they are inlined, and two things are read off that the steps hide: the output does not
change when a multiple of one vector is added to all keys, nor when all scores of a query are raised
together.
"""

import symattn as sa

source = "A. Vaswani et al., Attention is all you need, NeurIPS 2017, equation 1"

system = sa.read(r"""
<!-- symattn: sizes Q:(n_q,d_k) K:(n_k,d_k) V:(n_k,d_v) -->
$$ S_{ij} = \frac{1}{\sqrt{d_k}} Q_{ia} K_{ja} $$
$$ A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})} $$
$$ O_{ib} = A_{ij} V_{jb} $$
""")

results = {"Output": sa.jacobian(system, of="O", wrt="S")}

claims = [
    (
        "All three steps at once",
        r"O_{ib} = \frac{\sum_j \exp\left(\frac{1}{\sqrt{d_k}} Q_{ia} K_{ja}\right) V_{jb}}"
        r"{\sum_j \exp\left(\frac{1}{\sqrt{d_k}} Q_{ia} K_{ja}\right)}",
    ),
    (
        "A vector c may be added to every key",
        r"A_{ij} = \frac{\exp\left(\sum_a \frac{1}{\sqrt{d_k}} Q_{ia} (K_{ja} + c_a)\right)}"
        r"{\sum_l \exp\left(\sum_a \frac{1}{\sqrt{d_k}} Q_{ia} (K_{la} + c_a)\right)}",
    ),
    (
        "The output moves with the mean of values",
        r"\sum_j A_{ij} (V_{jb} + w_b) = O_{ib} + w_b",
    ),
    (
        "The Jacobian in the scores",
        r"\frac{\partial O_{ib}}{\partial S_{mn}} = \delta_{im} A_{in} (V_{nb} - O_{ib})",
    ),
]

refuted = [
    (
        "A vector c may be added to every query",
        r"A_{ij} = \frac{\exp\left(\sum_a \frac{1}{\sqrt{d_k}} (Q_{ia} + c_a) K_{ja}\right)}"
        r"{\sum_l \exp\left(\sum_a \frac{1}{\sqrt{d_k}} (Q_{ia} + c_a) K_{la}\right)}",
    ),
]
