r"""Why scores are divided by $\sqrt{d_k}$

If the components of a query and of a key are uncorrelated with mean zero and variance one, and the
query is independent of the key, then $q \cdot k$ has variance $d_k$, and $q \cdot k/\sqrt{d_k}$ has
variance one for every size.  Expectations are sums here: $\omega$ runs over outcomes of the query
with probabilities $p$, $\tau$ over outcomes of the key with probabilities $r$; that both are
independent is the product $p\,r$.  The moments are facts.  If the key is the query, the fourth
moments count; those of a normal distribution, $\langle q_a^2 q_b^2\rangle = 1 + 2\delta_{ab}$, give
$2 d_k$.
"""

import sympy as sp

import symattn as sa

source = (
    "A. Vaswani et al., Attention is all you need, NeurIPS 2017, footnote 4; "
    "for fourth moments, L. Isserlis, Biometrika 12, 1918"
)

N, M, d = sa.sizes("N M d_k")
(w,), (t,) = sa.indices("omega", d + N), sa.indices("tau", d + M)
a, b = sa.indices("a b", d)
p, r = sa.tensor("p", d + N, positive=True), sa.tensor("r", d + M, positive=True)
one = sa.define("one", (a,), 1)
q, k = sa.tensor("q", d + N, d), sa.tensor("k", d + M, d)

s = sa.define("s", (w, t), sa.total(q[w, a] * k[t, a], a))
mean = sa.define("m", (), sa.total(p[w] * r[t] * s[w, t], w, t))
variance = sa.define("v", (), sa.total(p[w] * r[t] * s[w, t] ** 2, w, t) - mean**2)
n = sa.define("n", (w,), sa.total(q[w, a] * q[w, a], a))
own_mean = sa.define("mu", (), sa.total(p[w] * n[w], w))
own = sa.define("z", (), sa.total(p[w] * n[w] ** 2, w) - own_mean**2)
system = sa.System(one, s, mean, variance, n, own_mean, own)

means = [
    sp.Eq(sa.total(p[w] * q[w, a], w), 0),
    sp.Eq(sa.total(r[t] * k[t, a], t), 0),
]
unit = [
    sp.Eq(sa.total(p[w] * q[w, a] * q[w, b], w), sa.delta(a, b)),
    sp.Eq(sa.total(r[t] * k[t, a] * k[t, b], t), sa.delta(a, b)),
    sp.Eq(sa.total(r[t] * k[t, a] ** 2, t), one[a]),
]
normal = [
    sp.Eq(sa.total(p[w] * q[w, a] ** 2, w), one[a]),
    sp.Eq(sa.total(p[w] * q[w, a] ** 2 * q[w, b] ** 2, w), 1 + 2 * sa.delta(a, b)),
]
independent = sa.System(*system, facts=[*means, *unit])
gaussian = sa.System(*system, facts=normal)

claims = [
    ("The variance is the number of features", variance, d, independent),
    ("The variance of a squared length", own, 2 * d, gaussian),
]
