r"""Softmax from maximum entropy

Of all distributions with a given mean score, which is the widest?  The one where
$\sum_j q_j(\log q_j - \lambda S_j - \mu)$ is stationary: $\log q_j + 1 = \lambda S_j + \mu$.  Its solution is
softmax with $\lambda = 1/T$, and $\mu$ is fixed by normalisation.
"""

import symattn as sa

source = "E. T. Jaynes, Information theory and statistical mechanics, Physical Review 106, 1957, section 2"

system = sa.read(r"""
<!-- symattn: sizes S:(n) q:(n); positive q; scalars lambda mu -->
$$ G = -\sum_j q_j \log(q_j) + \lambda \sum_j q_j S_j + \mu \sum_j q_j $$
""")
solved = sa.read(r"""
<!-- symattn: sizes S:(n) q:(n); positive q; scalars lambda -->
$$ A_j = \frac{\exp(\lambda S_j)}{\sum_l \exp(\lambda S_l)} $$
$$ \mu = 1 - \log \sum_j \exp(\lambda S_j) $$
$$ G = -\sum_j q_j \log(q_j) + \lambda \sum_j q_j S_j + \mu \sum_j q_j $$
$$ W = -\sum_j A_j \log(A_j) + \lambda \sum_j A_j S_j $$
""")

results = {
    "Gradient": sa.jacobian(system, of="G", wrt="q"),
    "Second derivative": sa.hessian(system, of="G", wrt="q"),
}

claims = [
    (
        "Where it is stationary",
        r"\frac{\partial G}{\partial q_j} = \lambda S_j + \mu - 1 - \log(q_j)",
    ),
    (
        "The second derivative is negative, so this is the maximum",
        r"\frac{\partial^2 G}{\partial q_j \partial q_l} = -\frac{1}{q_j} \delta_{jl}",
    ),
    ("Softmax solves it, with μ of normalisation", r"\log(A_j) + 1 = \lambda S_j + \mu", solved),
    ("The constraint", r"\sum_j A_j = 1", solved),
    ("The value at the maximum is log Z", r"W = \log \sum_j \exp(\lambda S_j)", solved),
]

refuted = [("Softmax solves it without a multiplier", r"\log(A_j) + 1 = \lambda S_j", solved)]
