r"""Curvature, and a catalogue of metrics

In index form, for every connection without torsion and every size: the symmetries of the Riemann
tensor, the cyclic identity, that a contraction may stand before or behind $\nabla$, and that a
metric and vanishing torsion determine the connection.  $\mathrm{dGamma}^{dcab}$ is
$\partial_d \Gamma^c{}_{ab}$, $\mathrm{dg}^{abd}$ is $\partial_a g_{bd}$ and $\mathrm{dphi}^a$ is
$\partial_a \varphi$.

Then components, computed exactly: the metrics of the catalogue with their scalar curvature $R$ and
the scalar of Kretschmann $K = R_{abcd} R^{abcd}$, in coordinates and signs of C. W. Misner,
K. S. Thorne and J. A. Wheeler (signature $-+++$, spheres have positive curvature, $G = c = 1$).
"""

import sympy as sp

import symattn as sa
from symattn.geometry import catalogue

source = "C. W. Misner, K. S. Thorne, J. A. Wheeler, Gravitation, 1973, chapters 8, 11, 13, 14"

(n,) = sa.sizes("n")
a, b, c, d, e = sa.indices("a b c d e", n)

# halves of any arrays h and k with their own transposes are symmetric as a connection is
h, k = sa.tensor("h", n, n, n), sa.tensor("k", n, n, n, n)
Gamma = sa.define("Gamma", (c, a, b), (h[c, a, b] + h[c, b, a]) / 2)
dGamma = sa.define("dGamma", (d, c, a, b), (k[d, c, a, b] + k[d, c, b, a]) / 2)
Riemann = sa.define(
    "R",
    (a, b, c, d),
    dGamma[c, a, d, b]
    - dGamma[d, a, c, b]
    + sa.total(Gamma[a, c, e] * Gamma[e, d, b] - Gamma[a, d, e] * Gamma[e, c, b], e),
)
T = sa.tensor("T", n, n)
system = sa.System(Gamma, dGamma, Riemann)

g, g_inv = sa.tensor("g", n, n, symmetric=True), sa.tensor("g_inv", n, n, symmetric=True)
constant = sa.define(
    "dg", (a, b, d), sa.total(Gamma[e, a, b] * g[e, d] + Gamma[e, a, d] * g[b, e], e)
)
koszul = sa.define(
    "L",
    (c, a, b),
    sa.total(g_inv[c, d] * (constant[a, b, d] + constant[b, a, d] - constant[d, a, b]), d) / 2,
)
unique = sa.System(
    Gamma, constant, koszul, facts=[sp.Eq(sa.total(g_inv[a, d] * g[d, b], d), sa.delta(a, b))]
)

phi, dphi = sa.tensor("phi"), sa.tensor("dphi", n)
slope = sa.define("dg", (a, b, d), 2 * dphi[a] * sp.exp(2 * phi) * sa.delta(b, d))
upper = sa.define("g_inv", (a, b), sp.exp(-2 * phi) * sa.delta(a, b))
rescaled = sa.define(
    "L",
    (c, a, b),
    sa.total(upper[c, d] * (slope[a, b, d] + slope[b, a, d] - slope[d, a, b]), d) / 2,
)
conformal = sa.System(slope, upper, rescaled)

claims = [
    (
        "The Riemann tensor is antisymmetric in the last two slots",
        Riemann[a, b, c, d],
        -Riemann[a, b, d, c],
    ),
    (
        "The cyclic identity",
        Riemann[a, b, c, d] + Riemann[a, c, d, b] + Riemann[a, d, b, c],
        0,
    ),
    (
        "The connection drops out of a contraction",
        sa.total(Gamma[b, a, e] * T[e, b] - Gamma[e, a, b] * T[b, e], b, e),
        0,
    ),
    (
        "A constant metric and no torsion determine the connection",
        koszul[c, a, b],
        Gamma[c, a, b],
        unique,
    ),
    (
        "The metric e^{2φ} δ, for every φ",
        rescaled[c, a, b],
        sa.delta(c, a) * dphi[b] + sa.delta(c, b) * dphi[a] - sa.delta(a, b) * dphi[c],
        conformal,
    ),
]

metrics = {name: entry.make() for name, entry in catalogue.CATALOGUE.items()}
TABLES = ("kerr",)  # whose Christoffel symbols and Riemann tensor are printed


def exhibits():
    """Each metric with what is known of its curvature, decided exactly."""
    rows = []
    for name, metric in metrics.items():
        title, lines = catalogue.CATALOGUE[name].title, [metric.latex()]
        lines += [rf"{sp.latex(s)} = {sp.latex(value)}" for s, value in metric.names.items()]
        if metric.ricci.is_zero:
            lines.append("R_{ab} = 0")
        elif len(sp.latex(metric.scalar)) < 400:
            lines.append(f"R = {sp.latex(metric.scalar)}")
        square = metric.scalars.shown(metric.curvature.kretschmann, named=True)
        if len(sp.latex(square)) < 400:
            lines.append(f"K = {sp.latex(square)}")
        if metric.weyl.is_zero and len(metric.coordinates) > 3:
            lines.append("C_{abcd} = 0")
        rows.append((title, "\\begin{gathered}\n" + " \\\\\n".join(lines) + "\n\\end{gathered}"))
    for name in TABLES:
        title = catalogue.CATALOGUE[name].title
        rows.append((f"{title}: Christoffel symbols", metrics[name].christoffel.latex()))
        rows.append((f"{title}: Riemann tensor", metrics[name].riemann_lower.latex()))
    return rows


def checks():
    """Compiled Γ and R at random points against jacfwd of the metric, once and twice."""
    return [
        metrics[name].verify(catalogue.CATALOGUE[name].domain, points=4, curvature=True)
        for name in ("torus", "goedel")
    ]
