r"""Curvature, and a catalogue of metrics

In index form, for every connection without torsion and every size: the symmetry of the Riemann
tensor and the two identities of Bianchi, of which the second is about its covariant derivative $D$;
and the connection of a conformal metric.  $h$, $k$ and $s$ are any arrays, so that $\Gamma$ is any
connection without torsion.

Then components, computed exactly: the metrics of the catalogue with their scalar curvature $R$ and
the scalar of Kretschmann $K = R_{abcd} R^{abcd}$, in coordinates and signs of C. W. Misner,
K. S. Thorne and J. A. Wheeler (signature $-+++$, spheres have positive curvature, $G = c = 1$).
[How long each takes](../geometry.md#how-long-it-takes), beside other packages.
"""

import sympy as sp

import symattn as sa
from symattn.geometry import catalogue, placed

source = "C. W. Misner, K. S. Thorne, J. A. Wheeler, Gravitation, 1973, chapters 8, 11, 13, 14"

(n,) = sa.sizes("n")
a, b, c, d, e, f = sa.indices("a b c d e f", n)

# halves of any arrays with their own transposes are symmetric as a connection is
h, k, s = sa.tensor("h", n, n, n), sa.tensor("k", n, n, n, n), sa.tensor("s", n, n, n, n, n)
Gamma = sa.define("Gamma", (c, a, b), (h[c, a, b] + h[c, b, a]) / 2)
dGamma = sa.define("dGamma", (d, c, a, b), (k[d, c, a, b] + k[d, c, b, a]) / 2)
Riemann = sa.define(
    "R",
    (a, b, c, d),
    dGamma[c, a, d, b]
    - dGamma[d, a, c, b]
    + sa.total(Gamma[a, c, e] * Gamma[e, d, b] - Gamma[a, d, e] * Gamma[e, c, b], e),
)
system = sa.System(Gamma, dGamma, Riemann)
placed(
    system,
    {"h": "^__", "k": "_^__", "s": "__^__", "R": "^___", "dR": "_^___", "D": "_^___", "L": "^__"},
    {"ddGamma": "dGamma", "dR": "R", "dphi": "phi"},
)

ddGamma = sa.define(
    "ddGamma",
    (e, d, c, a, b),
    (s[e, d, c, a, b] + s[d, e, c, a, b] + s[e, d, c, b, a] + s[d, e, c, b, a]) / 4,
)
dRiemann = sa.define(
    "dR",
    (e, a, b, c, d),
    ddGamma[e, c, a, d, b]
    - ddGamma[e, d, a, c, b]
    + sa.total(
        dGamma[e, a, c, f] * Gamma[f, d, b]
        + Gamma[a, c, f] * dGamma[e, f, d, b]
        - dGamma[e, a, d, f] * Gamma[f, c, b]
        - Gamma[a, d, f] * dGamma[e, f, c, b],
        f,
    ),
)
DRiemann = sa.define(
    "D",
    (e, a, b, c, d),
    dRiemann[e, a, b, c, d]
    + sa.total(
        Gamma[a, e, f] * Riemann[f, b, c, d]
        - Gamma[f, e, b] * Riemann[a, f, c, d]
        - Gamma[f, e, c] * Riemann[a, b, f, d]
        - Gamma[f, e, d] * Riemann[a, b, c, f],
        f,
    ),
)
jets = sa.System(*system, ddGamma, dRiemann, DRiemann)

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
        "The cyclic identity, the first of Bianchi",
        Riemann[a, b, c, d] + Riemann[a, c, d, b] + Riemann[a, d, b, c],
        0,
    ),
    (
        "The identity of Bianchi",
        DRiemann[e, a, b, c, d] + DRiemann[c, a, b, d, e] + DRiemann[d, a, b, e, c],
        0,
        jets,
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
