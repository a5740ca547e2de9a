r"""Rotary positions: a score knows the distance alone

Pairs of components of queries and keys, $(x, y)$ and $(u, v)$, are turned by an angle $\theta\, p$
that grows with the position $p$.  A product of two turned pairs depends on the difference of angles,
so the score depends on $p_i - p_j$ and on no position itself; lengths are not changed.  Positions are
given as numbers here, so they may be any.
"""

import sympy as sp

import symattn as sa

source = "J. Su et al., RoFormer: enhanced transformer with rotary position embedding, 2021, equations 13 to 16"

n_q, n_k, d = sa.sizes("n_q n_k d")
(i,), (j, l), (a,) = sa.indices("i", n_q), sa.indices("j l", n_k), sa.indices("a", d)
x, y = sa.tensor("x", n_q, d), sa.tensor("y", n_q, d)
u, v = sa.tensor("u", n_k, d), sa.tensor("v", n_k, d)
p, q, w = sa.tensor("p", n_q), sa.tensor("q", n_k), sa.tensor("theta", d)
c = sa.tensor("c")

cos, sin = sp.cos, sp.sin
X = sa.define("X", (i, a), cos(w[a] * p[i]) * x[i, a] - sin(w[a] * p[i]) * y[i, a])
Y = sa.define("Y", (i, a), sin(w[a] * p[i]) * x[i, a] + cos(w[a] * p[i]) * y[i, a])
U = sa.define("U", (j, a), cos(w[a] * q[j]) * u[j, a] - sin(w[a] * q[j]) * v[j, a])
V = sa.define("V", (j, a), sin(w[a] * q[j]) * u[j, a] + cos(w[a] * q[j]) * v[j, a])
S = sa.define("S", (i, j), sa.total(X[i, a] * U[j, a] + Y[i, a] * V[j, a], a))
system = sa.System(X, Y, U, V, S)

gap = w[a] * (p[i] - q[j])
moved = sa.System(
    *system,
    sa.define("X_c", (i, a), cos(w[a] * (p[i] + c)) * x[i, a] - sin(w[a] * (p[i] + c)) * y[i, a]),
    sa.define("Y_c", (i, a), sin(w[a] * (p[i] + c)) * x[i, a] + cos(w[a] * (p[i] + c)) * y[i, a]),
    sa.define("U_c", (j, a), cos(w[a] * (q[j] + c)) * u[j, a] - sin(w[a] * (q[j] + c)) * v[j, a]),
    sa.define("V_c", (j, a), sin(w[a] * (q[j] + c)) * u[j, a] + cos(w[a] * (q[j] + c)) * v[j, a]),
)

results = {"In queries": sa.jacobian(system, of="S", wrt="x")}

claims = [
    (
        "The score knows the difference of positions alone",
        S[i, j],
        sa.total(
            cos(gap) * (x[i, a] * u[j, a] + y[i, a] * v[j, a])
            + sin(gap) * (x[i, a] * v[j, a] - y[i, a] * u[j, a]),
            a,
        ),
    ),
    (
        "All positions may be moved together",
        S[i, j],
        sa.total(
            moved["X_c"][i, a] * moved["U_c"][j, a] + moved["Y_c"][i, a] * moved["V_c"][j, a], a
        ),
        moved,
    ),
    ("Lengths do not change", X[i, a] ** 2 + Y[i, a] ** 2, x[i, a] ** 2 + y[i, a] ** 2),
]
refuted = [
    (
        "Turned the other way for keys",
        S[i, j],
        sa.total(
            cos(gap) * (x[i, a] * u[j, a] + y[i, a] * v[j, a])
            - sin(gap) * (x[i, a] * v[j, a] - y[i, a] * u[j, a]),
            a,
        ),
    ),
]
