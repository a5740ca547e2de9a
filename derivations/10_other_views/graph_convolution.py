r"""Graph convolution

A node sums what its neighbours send, $\sigma(\sum_{j \in N(i)} \theta^\top x_j)$.  With the adjacency $N$ as an
array of zeros and ones that is $\sigma(N X \theta)$; the gradient flows back along the edges, turned
around.  Pooling over all nodes does not depend on their order.
"""

import symattn as sa

source = "T. Kipf and M. Welling, Semi-supervised classification with graph convolutional networks, ICLR 2017; S. Morad, CISC 7026, lecture on attention"

system = sa.read(r"""
<!-- symattn: sizes N:(T,T) X:(T,d) W:(d,h) -->
$$ m_{ib} = N_{ij} X_{ja} W_{ab} $$
$$ Y_{ib} = \tanh(m_{ib}) $$
""")
pooled = sa.read(r"""
<!-- symattn: sizes N:(T,T) X:(T,d) W:(d,h) -->
$$ m_{ib} = N_{ij} X_{ja} W_{ab} $$
$$ p_b = \sum_i m_{ib} $$
$$ D_j = \sum_i N_{ij} $$
""")

results = {"Backward pass": sa.backward(system, output="Y", wrt=("m", "X", "W", "N"))}

claims = [
    (
        "Messages may be made before or after the sum",
        r"m_{ib} = \sum_a W_{ab} \sum_j N_{ij} X_{ja}",
    ),
    (
        "Back along the edges",
        r"\frac{\partial L}{\partial X_{ja}} = \sum_{ib} N_{ij} \frac{\partial L}{\partial m_{ib}} W_{ab}",
    ),
    (
        "The weights",
        r"\frac{\partial L}{\partial W_{ab}} = \sum_{ij} N_{ij} X_{ja} \frac{\partial L}{\partial m_{ib}}",
    ),
    (
        "Through the nonlinearity",
        r"\frac{\partial L}{\partial m_{ib}} = \frac{\partial L}{\partial Y_{ib}} (1 - Y_{ib}^2)",
    ),
    ("Pooled messages count how many a node sends", r"p_b = \sum_{ja} D_j X_{ja} W_{ab}", pooled),
]

refuted = [
    (
        "Back along the edges, not turned",
        r"\frac{\partial L}{\partial X_{ja}} = \sum_{ib} N_{ji} \frac{\partial L}{\partial m_{ib}} W_{ab}",
    )
]
