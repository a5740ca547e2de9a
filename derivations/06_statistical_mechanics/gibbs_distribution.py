r"""Attention weights as a Gibbs distribution

A state of energy $E_j$ has the weight $e^{-\beta E_j}/Z$ at inverse temperature $\beta$.  With scores
as negative energies that is softmax at temperature $T = 1/\beta$.  $\log Z$ generates all moments of
the energy: its first derivative is $-\langle E\rangle$, its second the variance.
"""

import symattn as sa

source = "L. D. Landau and E. M. Lifshitz, Statistical Physics, part 1, sections 28 and 112"

system = sa.read(r"""
<!-- symattn: sizes E:(n); positive beta -->
$$ Z = \sum_j \exp(-\beta E_j) $$
$$ A_j = \frac{\exp(-\beta E_j)}{Z} $$
$$ U = A_j E_j $$
$$ M = \sum_j A_j E_j^2 $$
""")

results = {
    "The mean energy": sa.jacobian(system, of="U", wrt="beta"),
    "Weights": sa.jacobian(system, of="A", wrt="E"),
}

claims = [
    ("Mean energy from log Z", r"U = -\frac{1}{Z} \frac{\partial Z}{\partial \beta}"),
    ("Fluctuation and response", r"\frac{\partial U}{\partial \beta} = -(M - U^2)"),
    ("The variance is a mean square", r"M - U^2 = \sum_j A_j (E_j - U)^2"),
    (
        "Weights answer to energies",
        r"\frac{\partial A_j}{\partial E_l} = -\beta A_j (\delta_{jl} - A_l)",
    ),
    (
        "A shift of all energies changes no weight",
        r"A_j = \frac{\exp(-\beta (E_j + c))}{\sum_l \exp(-\beta (E_l + c))}",
    ),
    ("Weights as temperature changes", r"\frac{\partial A_j}{\partial \beta} = A_j (U - E_j)"),
]

refuted = [
    (
        "Fluctuation and response with the wrong sign",
        r"\frac{\partial U}{\partial \beta} = M - U^2",
    ),
]
