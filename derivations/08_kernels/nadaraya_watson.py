r"""Attention is kernel regression

Nadaraya and Watson estimate a function by a weighted mean of its known values, with weights by a kernel
$\kappa(q, k)$.  With $\kappa = e^{q \cdot k}$ that is attention; with a Gaussian kernel it is attention
with a bias for the length of each key.  Among all constants the estimate is the one with the least
weighted square error.
"""

import symattn as sa

source = "E. Nadaraya, On estimating regression, 1964; G. Watson, Smooth regression analysis, 1964"

system = sa.read(r"""
<!-- symattn: sizes Q:(n_q,d) K:(n_k,d) V:(n_k,d_v) -->
$$ D_{ij} = \sum_a (Q_{ia} - K_{ja})^2 $$
$$ B_{ij} = \exp\left(-\frac12 D_{ij}\right) $$
$$ O_{ib} = \frac{\sum_j B_{ij} V_{jb}}{\sum_l B_{il}} $$
""")
least = sa.read(r"""
<!-- symattn: sizes B:(n_q,n_k) V:(n_k,d_v) c:(n_q,d_v); positive B -->
$$ O_{ib} = \frac{\sum_j B_{ij} V_{jb}}{\sum_l B_{il}} $$
$$ E_i = \frac12 \sum_{jb} B_{ij} (V_{jb} - c_{ib})^2 $$
$$ Z_i = \sum_j B_{ij} $$
""")

results = {"Backward pass": sa.backward(system, output="O", wrt=("V", "B", "D", "Q", "K"))}

claims = [
    (
        "A Gaussian kernel is attention with a bias for each key",
        r"O_{ib} = \frac{\sum_j \exp\left(\sum_a Q_{ia} K_{ja} - \frac12 \sum_a K_{ja}^2\right) V_{jb}}"
        r"{\sum_j \exp\left(\sum_a Q_{ia} K_{ja} - \frac12 \sum_a K_{ja}^2\right)}",
    ),
    (
        "The error is least at the estimate",
        r"\frac{\partial E_i}{\partial c_{mb}} = \delta_{im} Z_i (c_{ib} - O_{ib})",
        least,
    ),
    (
        "In a kernel's value",
        r"\frac{\partial O_{ib}}{\partial B_{mj}} = \delta_{im} \frac{1}{Z_i} (V_{jb} - O_{ib})",
        least,
    ),
    (
        "In the queries: a weighted sum of directions to keys",
        r"\frac{\partial L}{\partial Q_{ia}} = 2 \sum_j \frac{\partial L}{\partial D_{ij}} (Q_{ia} - K_{ja})",
    ),
]

refuted = [
    (
        "A Gaussian kernel is attention",
        r"O_{ib} = \frac{\sum_j \exp\left(\sum_a Q_{ia} K_{ja}\right) V_{jb}}{\sum_j \exp\left(\sum_a Q_{ia} K_{ja}\right)}",
    ),
]
