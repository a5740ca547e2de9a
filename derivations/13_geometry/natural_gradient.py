r"""The natural gradient

A step $v = F^{-1} \nabla L$ of the natural gradient is a vector: in other coordinates $y(\theta)$,
with $J^i{}_a = \partial y^i/\partial\theta^a$, it is the step that the metric and the gradient there
give, so that $\theta - \eta v$ ends at the same distribution to first order in $\eta$.  For a map
$y = C\theta + \tfrac12 H\theta\theta$ the rest is $\tfrac12 \eta^2 H v v$ exactly, and for any other
that is its term of order $\eta^2$.  For softmax, whose metric $F$ is singular along the shift of all
logits, the pseudo-inverse $G$ gives a step that changes $p$ as the gradient in $p$ asks, centred:
the equation of replicators.
"""

import sympy as sp

import symattn as sa

source = "S. Amari, Natural gradient works efficiently in learning, Neural Computation 10, 1998"

n, m = sa.sizes("n m")
a, b, c = sa.indices("a b c", n)
i, j, k, l = sa.indices("i j k l", n)
J, f = sa.tensor("J", n, n), sa.tensor("f", n, n, symmetric=True)
g = sa.tensor("g", n)  # ∂L/∂y
eta = sp.Symbol("eta")

F = sa.define("F", (a, b), sa.total(J[i, a] * J[j, b] * f[i, j], i, j))
F_inv = sa.define(
    "E", (a, b), sa.total(sa.inverse(J)[a, i] * sa.inverse(J)[b, j] * sa.inverse(f)[i, j], i, j)
)
slope = sa.define("h", (a,), sa.total(J[i, a] * g[i], i))
step = sa.define("v", (a,), sa.total(F_inv[a, b] * slope[b], b))
system = sa.System(F, F_inv, slope, step)

C, H = sa.tensor("C", n, n), sa.tensor("H", n, n, n)
theta, w = sa.tensor("theta", n), sa.tensor("w", n)


def y(at):
    """The i-th coordinate at a point."""
    bent = sa.total(H[i, a, b] * at(a) * at(b), a, b) / 2
    return sa.total(C[i, a] * at(a), a) + bent


start = sa.define("y", (i,), y(lambda e: theta[e]))
end = sa.define("Y", (i,), y(lambda e: theta[e] - eta * w[e]))
bend = sa.define("R", (i,), eta**2 * sa.total(H[i, a, b] * w[a] * w[b], a, b) / 2)
moved = sa.System(start, end, bend)

x, r = sa.tensor("x", n), sa.tensor("r", n)  # logits, ∂L/∂p
p = sa.define("p", (i,), sp.exp(x[i]) / sa.total(sp.exp(x[l]), l))
P = sa.define("P", (i, j), sa.delta(i, j) * p[i] - p[i] * p[j])
centre = sa.define("K", (i, j), sa.delta(i, j) - 1 / n)
G = sa.define("G", (i, j), sa.total(centre[i, k] * centre[k, j] / p[k], k))
softmax = sa.System(p, P, centre, G)

claims = [
    ("The inverse of the metric", sa.total(F_inv[a, b] * F[b, c], b), sa.delta(a, c)),
    (
        "The step is a vector",
        sa.total(J[i, a] * step[a], a),
        sa.total(sa.inverse(f)[i, j] * g[j], j),
    ),
    (
        "The rest is of second order in η",
        end[i] - start[i] + eta * sa.total(sa.partial(start[i], theta[a]) * w[a], a),
        bend[i],
        moved,
    ),
    (
        "A step in logits moves probabilities by the centred gradient",
        sa.total(P[i, j] * G[j, k] * P[k, l] * r[l], j, k, l),
        p[i] * (r[i] - sa.total(p[j] * r[j], j)),
        softmax,
    ),
    (
        "The step has no part along the shift of all logits",
        sa.total(G[i, j] * P[j, k] * r[k], i, j, k),
        0,
        softmax,
    ),
]
refuted = [
    (
        "The plain gradient is no vector",
        sa.total(J[i, a] * slope[a], a),
        g[i],
    )
]
