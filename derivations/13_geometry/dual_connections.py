r"""Dual connections of the categorical family

In logits $z$ the Fisher metric $F$ is the Hessian of $\psi = \log \sum_i e^{z_i}$, and the third
moments $T$ of the scores are its third derivatives.  They are the quadratic and the cubic term of
the divergence, $\mathrm{KL}(p_z | p_{z+d}) = \psi(z + d) - \psi(z) - p \cdot d
= \tfrac12 F_{ij} d_i d_j + \tfrac16 T_{ijk} d_i d_j d_k + \dots$  The connections of Amari are
$\Gamma^{(\alpha)}_{k,ij} = \Gamma_{k,ij} - \tfrac{\alpha}{2} T_{ijk}$: the exponential one
($\alpha = 1$) vanishes in logits, the mixture one ($\alpha = -1$) in probabilities, here $q$ on the
positive orthant with the metric $W_{ij} = \delta_{ij}/q_i$.  With $x_i = \sqrt{q_i}$ this metric is
that of a sphere of radius 2, so that the geodesics $q(s)$ of the simplex are great circles
$x = u \cos(s/2) + v \sin(s/2)$.
"""

import sympy as sp

import symattn as sa

source = "S. Amari, H. Nagaoka, Methods of Information Geometry, 2000, sections 2.2 to 2.5 and 3.2"

(n,) = sa.sizes("n")
i, j, k, l = sa.indices("i j k l", n)
z, q = sa.tensor("z", n), sa.tensor("q", n, positive=True)
s, alpha = sp.symbols("s alpha")

psi = sa.define("psi", (), sp.log(sa.total(sp.exp(z[l]), l)))
p = sa.define("p", (i,), sp.exp(z[i]) / sa.total(sp.exp(z[l]), l))
F = sa.define("F", (i, j), sa.delta(i, j) * p[i] - p[i] * p[j])
scores = (sa.delta(i, l) - p[i]) * (sa.delta(j, l) - p[j]) * (sa.delta(k, l) - p[k])
T = sa.define("T", (i, j, k), sa.total(p[l] * scores, l))
system = sa.System(psi, p, F, T)

W = sa.define("W", (i, j), sa.delta(i, j) / q[i])
x = sa.define("x", (i,), sp.sqrt(q[i]))
cubic = sa.delta(i, l) * sa.delta(j, l) * sa.delta(k, l) / q[l] ** 3  # ∂_i log q_l = δ_il/q_l
U = sa.define("U", (i, j, k), sa.total(q[l] * cubic, l))
orthant = sa.System(W, x, U)

u, v = sa.tensor("u", n), sa.tensor("v", n)
circle = sa.define("x", (i,), u[i] * sp.cos(s / 2) + v[i] * sp.sin(s / 2))
speed = sa.define("w", (i,), (v[i] * sp.cos(s / 2) - u[i] * sp.sin(s / 2)) / 2)
path = sa.define("q", (i,), circle[i] ** 2)
velocity = sa.define("dq", (i,), 2 * circle[i] * speed[i])
acceleration = sa.define("ddq", (i,), 2 * speed[i] ** 2 - circle[i] ** 2 / 2)
unit = [
    sp.Eq(sa.total(u[i] * u[i], i), 1),
    sp.Eq(sa.total(v[i] * v[i], i), 1),
    sp.Eq(sa.total(u[i] * v[i], i), 0),
]
curve = sa.System(circle, speed, path, velocity, acceleration, facts=unit)


def first_kind(g, x, upper=0):
    """Γ_{k,ij} − (α/2) T_{ijk} with the Christoffel symbols of the first kind."""
    slopes = sa.partial(g[j, k], x[i]) + sa.partial(g[i, k], x[j]) - sa.partial(g[i, j], x[k])
    return slopes / 2 - upper


claims = [
    ("Probabilities are the slope of ψ", sa.partial(psi, z[i]), p[i]),
    ("The metric is the slope of the probabilities", sa.partial(p[i], z[j]), F[i, j]),
    (
        "The cubic term: the third moments are the slope of the metric",
        sa.partial(F[i, j], z[k]),
        T[i, j, k],
    ),
    ("The Levi-Civita connection in logits", first_kind(F, z), T[i, j, k] / 2),
    ("The exponential connection vanishes in logits", first_kind(F, z, T[i, j, k] / 2), 0),
    (
        "The α-connections in logits",
        first_kind(F, z, alpha * T[i, j, k] / 2),
        (1 - alpha) / 2 * T[i, j, k],
    ),
    ("The Levi-Civita connection in probabilities", first_kind(W, q), -U[i, j, k] / 2, orthant),
    (
        "The mixture connection vanishes in probabilities",
        first_kind(W, q, -U[i, j, k] / 2),
        0,
        orthant,
    ),
    (
        "Square roots make it the metric of a sphere",
        4 * sa.total(sa.partial(x[l], q[i]) * sa.partial(x[l], q[j]), l),
        W[i, j],
        orthant,
    ),
    ("A great circle stays on the simplex", sa.total(path[i], i), 1, curve),
    ("Its speed is 1", 4 * sa.total(speed[i] * speed[i], i), 1, curve),
    (
        "It is a geodesic: what bends it is normal to the simplex",
        acceleration[i],
        2 * speed[i] ** 2 - 2 * path[i] * sa.total(speed[j] * speed[j], j),
        curve,
    ),
]
refuted = [
    ("The mixture connection in logits", first_kind(F, z, -T[i, j, k] / 2), 0),
]
