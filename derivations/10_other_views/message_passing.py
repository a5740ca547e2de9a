r"""Attention is message passing on the complete graph

Every node is a neighbour of every other, and an edge has a weight that both its ends decide:
$e^{s_{ij}}$, shared out among the edges into $i$.  On a graph with adjacency $N$ the same with a mask is
graph attention; on the complete graph, $N = 1$, it is attention.
"""

import symattn as sa

source = "P. Veličković et al., Graph attention networks, ICLR 2018, equations 1 to 4; J. Gilmer et al., Neural message passing for quantum chemistry, ICML 2017"

system = sa.read(r"""
<!-- symattn: sizes N:(T,T) X:(T,d) W:(d,h) U:(d,h) V:(d,m); positive N -->
$$ s_{ij} = \sum_{abc} X_{ia} W_{ac} U_{bc} X_{jb} $$
$$ Z_i = \sum_j N_{ij} \exp(s_{ij}) $$
$$ A_{ij} = \frac{N_{ij} \exp(s_{ij})}{Z_i} $$
$$ M_{ijb} = A_{ij} X_{ja} V_{ab} $$
$$ Y_{ib} = \sum_j M_{ijb} $$
""")
complete = sa.read(r"""
<!-- symattn: sizes X:(T,d) W:(d,h) U:(d,h) V:(d,m) u:(T,T) -->
$$ s_{ij} = \sum_{abc} X_{ia} W_{ac} U_{bc} X_{jb} $$
$$ N_{ij} = 1 + 0 s_{ij} $$
$$ A_{ij} = \frac{N_{ij} \exp(s_{ij})}{\sum_l N_{il} \exp(s_{il})} $$
$$ Q_{ic} = X_{ia} W_{ac} $$
$$ K_{jc} = X_{jb} U_{bc} $$
$$ B_{ij} = \frac{\exp(Q_{ic} K_{jc})}{\sum_l \exp(Q_{ic} K_{lc})} $$
""")
attention = sa.System(*(system[x] for x in ("s", "Z", "A", "M", "Y")))

results = {"Backward pass": sa.backward(attention, output="Y", wrt=("M", "A", "s", "V"))}


claims = [
    ("Messages into a node have weights that sum to one", r"\sum_j A_{ij} = 1"),
    ("On the complete graph it is self-attention", r"A_{ij} = B_{ij}", complete),
    (
        "A weight answers to the edge that it may use",
        r"\frac{\partial A_{ij}}{\partial N_{mn}} = \delta_{im} \frac{\exp(s_{in})}{Z_i} (\delta_{jn} - A_{ij})",
    ),
    (
        "The gradient of an edge's score",
        r"\frac{\partial L}{\partial s_{ij}} = A_{ij} \left(\frac{\partial L}{\partial A_{ij}} - \sum_l A_{il} \frac{\partial L}{\partial A_{il}}\right)",
        attention,
    ),
]
