r"""The covariant derivative

For every connection without torsion and every size: $\nabla$ of a vector, of $\delta$, of a product
and of a contraction; that two derivatives commute up to the curvature tensor; that the derivative
of Lie, which is made of partial derivatives alone, is made of covariant ones too, so that a vector
along which the metric stays as it is obeys the equation of Killing; and the divergence of a vector.
$h$ and $k$ are any arrays, so that $\Gamma$ is any symmetric connection and $\partial_a\partial_b
v^c$ any that is symmetric in $a$ and $b$.
"""

import symattn as sa
from symattn.geometry import placed

source = "R. M. Wald, General Relativity, 1984, sections 3.1 and 3.2, appendix C"

(n,) = sa.sizes("n")
a, b, c, d, e = sa.indices("a b c d e", n)
h, k = sa.tensor("h", n, n, n), sa.tensor("k", n, n, n, n)
v, w, q = sa.tensor("v", n), sa.tensor("w", n), sa.tensor("q", n, n, n)
dv, dw = sa.tensor("dv", n, n), sa.tensor("dw", n, n)
T, dT = sa.tensor("T", n, n), sa.tensor("dT", n, n, n)
g = sa.tensor("g", n, n, symmetric=True)

Gamma = sa.define("Gamma", (c, a, b), (h[c, a, b] + h[c, b, a]) / 2)
D = sa.define("D", (a, c), dv[a, c] + sa.total(Gamma[c, a, b] * v[b], b))
E = sa.define("E", (a, b), dw[a, b] - sa.total(Gamma[c, a, b] * w[c], c))
system = sa.System(Gamma, D, E)

dGamma = sa.define("dGamma", (d, c, a, b), (k[d, c, a, b] + k[d, c, b, a]) / 2)
Riemann = sa.define(
    "R",
    (a, b, c, d),
    dGamma[c, a, d, b]
    - dGamma[d, a, c, b]
    + sa.total(Gamma[a, c, e] * Gamma[e, d, b] - Gamma[a, d, e] * Gamma[e, c, b], e),
)
ddv = sa.define("ddv", (a, b, c), (q[a, b, c] + q[b, a, c]) / 2)
twice_v = sa.define(
    "DD",
    (a, b, c),
    ddv[a, b, c]
    + sa.total(dGamma[a, c, b, e] * v[e] + Gamma[c, b, e] * dv[a, e], e)
    + sa.total(Gamma[c, a, e] * D[b, e] - Gamma[e, a, b] * D[e, c], e),
)
curved = sa.System(Gamma, D, dGamma, Riemann, ddv, twice_v)

dg = sa.define("dg", (a, b, d), sa.total(Gamma[e, a, b] * g[e, d] + Gamma[e, a, d] * g[b, e], e))
metric = sa.System(Gamma, D, dg)
up = sa.inverse(g)

placed(
    system,
    {"h": "^__", "v": "^", "T": "^_", "D": "_^", "R": "^___", "DD": "__^", "q": "__^"},
    {"dv": "v", "dw": "w", "dT": "T"},
)

claims = [
    (
        "The derivative of δ vanishes",
        sa.total(Gamma[a, c, e] * sa.delta(e, b) - Gamma[e, c, b] * sa.delta(a, e), e),
        0,
    ),
    (
        "A product has the derivative of both factors",
        sa.total(dv[a, c] * w[c] + v[c] * dw[a, c], c),
        sa.total(D[a, c] * w[c] + v[c] * E[a, c], c),
    ),
    (
        "A contraction may stand before or behind the derivative",
        sa.total(dT[a, b, b] + sa.total(Gamma[b, a, e] * T[e, b] - Gamma[e, a, b] * T[b, e], e), b),
        sa.total(dT[a, b, b], b),
    ),
    (
        "Two derivatives of a vector commute up to the curvature tensor",
        twice_v[a, b, c] - twice_v[b, a, c],
        sa.total(Riemann[c, d, a, b] * v[d], d),
        curved,
    ),
    (
        "The derivative of Lie of the metric, and the equation of Killing",
        sa.total(v[c] * dg[c, a, b] + g[c, b] * dv[a, c] + g[a, c] * dv[b, c], c),
        sa.total(g[b, c] * D[a, c] + g[a, c] * D[b, c], c),
        metric,
    ),
    (
        "The connection in a divergence is the slope of log √det g",
        sa.total(Gamma[b, b, a], b),
        sa.total(up[b, c] * dg[a, b, c], b, c) / 2,
        metric,
    ),
]
refuted = [
    (
        "With the other sign of the curvature tensor",
        twice_v[a, b, c] - twice_v[b, a, c],
        -sa.total(Riemann[c, d, a, b] * v[d], d),
        curved,
    )
]
