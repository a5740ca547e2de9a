r"""Attention is retrieval, and when it is a gradient step

With queries as states and $\beta = 1/\sqrt{d_k}$, attention with $V = K$ is one step of retrieval for
every query, and a gradient step of length one on the energy.  With other values the output lives
elsewhere: it is retrieval of the keys, read out by the values; if $V = K W$ it is read out linearly.
"""

import symattn as sa

source = "H. Ramsauer et al., Hopfield networks is all you need, ICLR 2021, section 2, equation 10"

system = sa.read(r"""
<!-- symattn: sizes Q:(n_q,d) K:(n_k,d) W:(d,d_v) -->
$$ S_{ij} = \frac{1}{\sqrt{d}} Q_{ia} K_{ja} $$
$$ A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})} $$
$$ R_{ia} = A_{ij} K_{ja} $$
$$ V_{jb} = K_{ja} W_{ab} $$
$$ O_{ib} = A_{ij} V_{jb} $$
""")
energy = sa.read(r"""
<!-- symattn: sizes Q:(n_q,d) K:(n_k,d) -->
$$ S_{ij} = \frac{1}{\sqrt{d}} Q_{ia} K_{ja} $$
$$ A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})} $$
$$ R_{ia} = A_{ij} K_{ja} $$
$$ E = \sum_i \left(\frac12 \sum_a Q_{ia}^2 - \sqrt{d} \log \sum_j \exp(S_{ij})\right) $$
""")

results = {"Backward pass": sa.backward(system, output="O", wrt=("V", "A", "Q", "K", "W"))}


claims = [
    (
        "A gradient step of length one",
        r"R_{ia} = Q_{ia} - \frac{\partial E}{\partial Q_{ia}}",
        energy,
    ),
    ("Values made of keys read retrievals out", r"O_{ib} = R_{ia} W_{ab}"),
    (
        "Keys have one gradient more, through the values",
        r"\frac{\partial L}{\partial K_{ja}} = \frac{1}{\sqrt{d}} \sum_i \frac{\partial L}{\partial S_{ij}} Q_{ia} + \sum_b \frac{\partial L}{\partial V_{jb}} W_{ab}",
        sa.System(*(system[x] for x in "SAVO")),
    ),
]

refuted = [
    (
        "A gradient step of length 1/√d",
        r"R_{ia} = Q_{ia} - \frac{1}{\sqrt{d}} \frac{\partial E}{\partial Q_{ia}}",
        energy,
    )
]
