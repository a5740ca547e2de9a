r"""The feature map ELU + 1

$\phi(x) = \mathrm{elu}(x) + 1$ is $x + 1$ for $x > 0$ and $e^x$ below: positive, continuous, and its slope
is $e^{\min(x, 0)}$.  As one formula it is $e^{\min(x, 0)} + \max(x, 0)$.
"""

import sympy as sp

import symattn as sa
from symattn.primitives import step

source = "A. Katharopoulos et al., Transformers are RNNs, ICML 2020, equation 7"

n, m, d, r = sa.sizes("n m d_v r")
(i,), (j, l) = sa.indices("i", n), sa.indices("j l", m)
(a,), (b,) = sa.indices("a", r), sa.indices("b", d)
Q, K, V = sa.tensor("Q", n, r), sa.tensor("K", m, r), sa.tensor("V", m, d)


def phi(x):
    """elu(x) + 1."""
    return sp.exp(sp.Min(x, 0)) + sp.Max(x, 0)


P = sa.define("P", (i, a), phi(Q[i, a]))
R = sa.define("R", (j, a), phi(K[j, a]))
A = sa.define("A", (i, j), sa.total(P[i, a] * R[j, a], a) / sa.total(P[i, a] * R[l, a], l, a))
O = sa.define("O", (i, b), sa.total(A[i, j] * V[j, b], j))
system = sa.System(P, R, A, O)

results = {"Backward pass": sa.backward(system, output="O", wrt=("P", "R", "Q"))}

L = sa.loss("L")

claims = [
    (
        "The slope of the feature map",
        sa.partial(L, Q[i, a]),
        sa.partial(L, P[i, a]) * ((1 - step(Q[i, a])) * sp.exp(sp.Min(Q[i, a], 0)) + step(Q[i, a])),
        system,
    ),
    ("Weights sum to one", sa.total(A[i, j], j), 1),
]
