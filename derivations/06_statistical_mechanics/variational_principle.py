r"""Softmax as the minimum of a free energy

Among all distributions $q$ the free energy $F[q] = \sum q_j E_j + T \sum q_j \log q_j$ is least at the
Gibbs distribution.  Three things are proved: it is stationary there on the simplex (the derivative is
the same number for all states, the multiplier of the constraint); its second derivative is
$T \delta_{jl}/q_j$, positive, so it is convex; and $F[q] - F$ is $T$ times the relative entropy.
"""

import symattn as sa

source = "D. MacKay, Information Theory, Inference, and Learning Algorithms, 2003, section 33.1"

system = sa.read(r"""
<!-- symattn: sizes E:(n) q:(n); positive T q -->
$$ F = \sum_j q_j E_j + T \sum_j q_j \log(q_j) $$
""")
gibbs = sa.read(r"""
<!-- symattn: sizes E:(n) x:(n); positive T -->
$$ Z = \sum_j \exp(-E_j / T) $$
$$ A_j = \frac{\exp(-E_j / T)}{Z} $$
$$ G = \sum_j A_j E_j + T \sum_j A_j \log(A_j) $$
$$ q_j = \frac{\exp(x_j)}{\sum_l \exp(x_l)} $$
$$ F = \sum_j q_j E_j + T \sum_j q_j \log(q_j) $$
$$ D = \sum_j q_j \log(q_j / A_j) $$
""")

results = {
    "Gradient": sa.jacobian(system, of="F", wrt="q"),
    "Second derivative": sa.hessian(system, of="F", wrt="q"),
}

claims = [
    ("The gradient", r"\frac{\partial F}{\partial q_j} = E_j + T \log(q_j) + T"),
    (
        "The second derivative is diagonal and positive",
        r"\frac{\partial^2 F}{\partial q_j \partial q_l} = \frac{T}{q_j} \delta_{jl}",
    ),
    (
        "At the Gibbs distribution all states have one derivative",
        r"E_j + T \log(A_j) + T = T - T \log(Z)",
        gibbs,
    ),
    ("The least value is −T log Z", r"G = -T \log(Z)", gibbs),
    ("No distribution has less", r"F \ge -T \log(Z)", gibbs),
    ("What is above it is T times a relative entropy", r"F + T \log(Z) = T D", gibbs),
]

refuted = [
    ("The multiplier vanishes", r"E_j + T \log(A_j) + T = 0", gibbs),
]
