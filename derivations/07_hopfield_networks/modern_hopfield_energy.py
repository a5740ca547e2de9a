r"""The modern Hopfield energy

$E(x) = -\tfrac1\beta \log \sum_j e^{\beta k_j \cdot x} + \tfrac12 |x|^2$.  Its gradient is $x$ less a mean of
the patterns under softmax, so a state is stationary just when it is its own retrieval.  Without the
$1/\beta$, as the formula is often printed, stationary states would be another thing: the mean would
come out $\beta$ times too long.
"""

import symattn as sa

source = (
    "H. Ramsauer et al., Hopfield networks is all you need, ICLR 2021, equation 1 and theorem A3"
)

system = sa.read(r"""
<!-- symattn: sizes K:(M,d) x:(d); positive beta -->
$$ s_j = K_{ja} x_a $$
$$ p_j = \frac{\exp(\beta s_j)}{\sum_l \exp(\beta s_l)} $$
$$ y_a = p_j K_{ja} $$
$$ E = -\frac1\beta \log \sum_j \exp(\beta s_j) + \frac12 x_a x_a $$
$$ G = -\log \sum_j \exp(\beta s_j) + \frac12 x_a x_a $$
""")

results = {
    "Gradient": sa.jacobian(system, of="E", wrt="x"),
    "Second derivative": sa.hessian(system, of="E", wrt="x"),
}


claims = [
    (
        "The gradient is the state less its retrieval",
        r"\frac{\partial E}{\partial x_a} = x_a - y_a",
    ),
    (
        "The second derivative: the unit matrix less β times a covariance",
        r"\frac{\partial^2 E}{\partial x_a \partial x_b} = \delta_{ab} - \beta \left(\sum_j p_j K_{ja} K_{jb} - y_a y_b\right)",
    ),
    ("In a pattern", r"\frac{\partial E}{\partial K_{ja}} = -p_j x_a"),
    (
        "Without 1/β the mean is β times too long",
        r"\frac{\partial G}{\partial x_a} = x_a - \beta y_a",
    ),
]

refuted = [
    ("Without 1/β stationary states are retrievals", r"\frac{\partial G}{\partial x_a} = x_a - y_a")
]


def draw_landscape(axes):
    """The energy of one component, for the patterns −1 and 1."""
    import numpy as np

    x = np.linspace(-1.8, 1.8, 300)
    for beta in (0.5, 1.0, 2.0, 8.0):
        energy = -np.logaddexp(beta * x, -beta * x) / beta + x**2 / 2
        axes.plot(x, energy - energy.min(), label=f"β = {beta:g}")
    axes.set(xlabel="state x", ylabel="energy above its least value", ylim=(0, 0.6))
    axes.legend(frameon=False)


plots = {"Two patterns become two minima": draw_landscape}
