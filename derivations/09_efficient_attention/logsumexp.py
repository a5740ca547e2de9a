r"""A logarithm of a sum that cannot overflow

$\log \sum e^{x_j} = m + \log \sum e^{x_j - m}$ for any $m$; with the largest $x_j$ as $m$ every exponent
is at most zero and one is zero, so the sum is between 1 and $n$.  The derivative does not know $m$, even
where it is taken through the maximum.
"""

import symattn as sa

source = "P. Blanchard, D. Higham, N. Higham, Accurately computing the log-sum-exp and softmax functions, 2021, section 2"

system = sa.read(r"""
<!-- symattn: sizes x:(n_q,n) -->
$$ m_i = \max_j x_{ij} $$
$$ y_i = m_i + \log \sum_j \exp(x_{ij} - m_i) $$
$$ p_{ij} = \frac{\exp(x_{ij} - m_i)}{\sum_l \exp(x_{il} - m_i)} $$
""")

results = {"Gradient": sa.backward(sa.System(system["m"], system["y"]), output="y", wrt=("x",))}

claims = [
    ("The largest score may be taken out", r"y_i = \log \sum_j \exp(x_{ij})"),
    (
        "The gradient is softmax, through the maximum too",
        r"\frac{\partial y_i}{\partial x_{kj}} = \delta_{ik} p_{ij}",
    ),
    ("and softmax does not know the maximum", r"p_{ij} = \frac{\exp(x_{ij})}{\sum_l \exp(x_{il})}"),
    ("It is the logarithm of softmax, turned around", r"\log(p_{ij}) = x_{ij} - y_i"),
]

refuted = [
    (
        "The gradient with the maximum held fixed, and counted",
        r"\frac{\partial y_i}{\partial x_{kj}} = 1 + \delta_{ik} p_{ij}",
    )
]
