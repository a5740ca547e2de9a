r"""Attention with a temperature, and its gradient

Dividing scores by $T$ makes weights sharper or flatter.  As a parameter, $T$ has the gradient
$-\tfrac{1}{T} \sum S \circ \bar S$: it is raised where large scores hurt.  For the weights alone it
says that a weight grows with $T$ just when its score is below the mean.
"""

import symattn as sa

source = (
    "G. Hinton, O. Vinyals, J. Dean, Distilling the knowledge in a neural network, 2015, equation 1"
)

system = sa.read(r"""
<!-- symattn: sizes Q:(n_q,d_k) K:(n_k,d_k) V:(n_k,d_v); positive T -->
$$ S_{ij} = \frac{1}{\sqrt{d_k}} Q_{ia} K_{ja} $$
$$ A_{ij} = \frac{\exp(S_{ij}/T)}{\sum_l \exp(S_{il}/T)} $$
$$ O_{ib} = A_{ij} V_{jb} $$
$$ m_i = A_{ij} S_{ij} $$
""")
attention = sa.System(system["S"], system["A"], system["O"])

results = {"Backward pass": sa.backward(attention, output="O", wrt=("V", "A", "S", "T", "Q", "K"))}


claims = [
    (
        "In the temperature",
        r"\frac{\partial L}{\partial T} = -\frac1T \sum_{ij} S_{ij} \frac{\partial L}{\partial S_{ij}}",
        attention,
    ),
    (
        "In the scores",
        r"\frac{\partial L}{\partial S_{ij}} = \frac1T A_{ij} \left(\frac{\partial L}{\partial A_{ij}} - "
        r"\sum_l A_{il} \frac{\partial L}{\partial A_{il}}\right)",
        attention,
    ),
    (
        "A weight grows where its score is below the mean",
        r"\frac{\partial A_{ij}}{\partial T} = \frac{1}{T^2} A_{ij} (m_i - S_{ij})",
    ),
    (
        "The mean score falls by the variance",
        r"\frac{\partial m_i}{\partial T} = -\frac{1}{T^2} \left(\sum_j A_{ij} S_{ij}^2 - m_i^2\right)",
    ),
]

refuted = [
    (
        "The gradient without its factor",
        r"\frac{\partial L}{\partial T} = -\sum_{ij} S_{ij} \frac{\partial L}{\partial S_{ij}}",
        attention,
    ),
]
