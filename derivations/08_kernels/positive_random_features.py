r"""Positive random features

$e^{q \cdot k} = \langle e^{\omega \cdot q - |q|^2/2}\, e^{\omega \cdot k - |k|^2/2} \rangle$ over normal $\omega$.
The expectation is a sum here: outcomes $t$ with probabilities $p$, and the one thing that is used of
the normal distribution is its moment generating function, $\langle e^{\omega \cdot u} \rangle = e^{|u|^2/2}$ at
$u = q + k$, which is a fact.  Then the estimate is unbiased, for any number of samples.
"""

import sympy as sp

import symattn as sa

source = "K. Choromanski et al., Rethinking attention with Performers, ICLR 2021, lemma 1"

T, n, m, d = sa.sizes("T n m d")
(t,), (i,), (j,), (a,) = (
    sa.indices("t", T),
    sa.indices("i", n),
    sa.indices("j", m),
    sa.indices("a", d),
)
Q, K, w, p = (
    sa.tensor("Q", n, d),
    sa.tensor("K", m, d),
    sa.tensor("omega", T, d),
    sa.tensor("p", T, positive=True),
)

P = sa.define("P", (t, i), sp.exp(sa.total(w[t, a] * Q[i, a], a) - sa.total(Q[i, a] ** 2, a) / 2))
R = sa.define("R", (t, j), sp.exp(sa.total(w[t, a] * K[j, a], a) - sa.total(K[j, a] ** 2, a) / 2))
B = sa.define("B", (i, j), sa.total(p[t] * P[t, i] * R[t, j], t))
G = sa.define("G", (i, j), sa.total(p[t] * sp.exp(sa.total(w[t, a] * (Q[i, a] + K[j, a]), a)), t))
system = sa.System(P, R, B)
plain = sa.System(P, R, B, G)

results = {"In the queries": sa.backward(system, output="B", wrt=("P", "Q"))}

# one query and one key, so that the fact is one equation
q, k = sa.tensor("q", d), sa.tensor("k", d)
features = (w[t, a] * x[a] - x[a] ** 2 / 2 for x in (q, k))
one = sa.define("B", (), sa.total(p[t] * sp.exp(sa.total(sum(features), a)), t))
sampled = sa.total(p[t] * sp.exp(sa.total(w[t, a] * q[a], a) + sa.total(w[t, a] * k[a], a)), t)
normal = sa.System(one, facts=[sp.Eq(sampled, sp.exp(sa.total((q[a] + k[a]) ** 2, a) / 2))])

length = sa.total((Q[i, a] + K[j, a]) ** 2, a)
claims = [
    (
        "Products of features: one exponential of the sum",
        B[i, j],
        G[i, j] * sp.exp(-sa.total(Q[i, a] ** 2, a) / 2 - sa.total(K[j, a] ** 2, a) / 2),
        plain,
    ),
    (
        "What is left when the moment generating function is that of the normal distribution",
        B[i, j] * sp.exp(length / 2),
        G[i, j] * sp.exp(sa.total(Q[i, a] * K[j, a], a)),
        plain,
    ),
]
claims.append(("Unbiased", one, sp.exp(sa.total(q[a] * k[a], a)), normal))
refuted = [
    (
        "Features without the lengths",
        B[i, j],
        G[i, j],
        plain,
    ),
]
