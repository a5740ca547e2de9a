r"""RMS norm, backward

Layer norm without the mean: a row is divided by its root mean square.  One direction is taken away from
the gradient, the row's own, so a change of its length alone is not felt, up to $\epsilon$.
"""

import symattn as sa

source = "B. Zhang and R. Sennrich, Root mean square layer normalization, NeurIPS 2019, equation 4"

system = sa.read(r"""
<!-- symattn: sizes x:(n,d) w:(d); positive \epsilon -->
$$ s_i = \frac1d \sum_a x_{ia}^2 $$
$$ z_{ia} = \frac{x_{ia}}{\sqrt{s_i + \epsilon}} $$
$$ y_{ia} = w_a z_{ia} $$
""")
normal = sa.System(system["s"], system["z"])

results = {"Backward pass": sa.backward(system, output="y", wrt=("w", "z", "x"))}

claims = [
    (
        "Orthogonal to the row",
        r"\frac{\partial L}{\partial x_{ia}} = \frac{1}{\sqrt{s_i + \epsilon}} \left(\frac{\partial L}{\partial z_{ia}} - "
        r"\frac1d z_{ia} \sum_c z_{ic} \frac{\partial L}{\partial z_{ic}}\right)",
        normal,
    ),
    (
        "The gain",
        r"\frac{\partial L}{\partial w_a} = \sum_i z_{ia} \frac{\partial L}{\partial y_{ia}}",
    ),
    (
        "The Jacobian",
        r"\frac{\partial z_{ia}}{\partial x_{jb}} = \delta_{ij} \frac{1}{\sqrt{s_i + \epsilon}} \left(\delta_{ab} - \frac1d z_{ia} z_{ib}\right)",
    ),
]

refuted = [
    (
        "Without 1/d",
        r"\frac{\partial z_{ia}}{\partial x_{jb}} = \delta_{ij} \frac{1}{\sqrt{s_i + \epsilon}} \left(\delta_{ab} - z_{ia} z_{ib}\right)",
    ),
]
