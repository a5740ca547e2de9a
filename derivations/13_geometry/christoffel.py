r"""Christoffel symbols of a metric

The Levi-Civita connection of a metric $g$ is the one that is free of torsion and keeps $g$
constant.  Both are proved here from the index formula, for every metric of every size; then it is
read for metrics of symbolic size, and for the components of some metrics that textbooks have.
The first index of $\Gamma^{cab}$ is the upper one, $\Gamma^c{}_{ab}$, and
$\mathrm{dg}^{abd}$ is $\partial_a g_{bd}$.
"""

import sympy as sp

import symattn as sa
from symattn.geometry import Metric, by_autodiff, christoffel, levi_civita
from symattn.verify import Row

source = "R. M. Wald, General Relativity, 1984, equation 3.1.30"

n, d_k = sa.sizes("n d_k")
a, b, c, d, e = sa.indices("a b c d e", n)
p, q = sa.indices("p q", d_k)
x, y = sa.tensor("x", n), sa.tensor("y", d_k)

# any array h gives a dg that is symmetric in its last two slots, as the slope of a metric is
g, g_inv = sa.tensor("g", n, n, symmetric=True), sa.tensor("g_inv", n, n, symmetric=True)
h = sa.tensor("h", n, n, n)
dg = sa.define("dg", (a, b, d), (h[a, b, d] + h[a, d, b]) / 2)
Gamma = levi_civita(n)

conformal = sa.define("u", (a, b), (1 + x[c] * x[c]) * sa.delta(a, b))
conformal_inv = sa.define("u_inv", (a, b), sa.delta(a, b) / (1 + sa.total(x[c] * x[c], c)))
attention = sa.define("w", (p, q), sa.delta(p, q) / sp.sqrt(d_k))
attention_inv = sa.define("w_inv", (p, q), sa.delta(p, q) * sp.sqrt(d_k))

system = sa.System(
    dg,
    Gamma,
    conformal,
    conformal_inv,
    attention,
    attention_inv,
)
inverse = sa.System(*system, facts=[sp.Eq(sa.total(g_inv[a, d] * g[d, b], d), sa.delta(a, b))])

curved = christoffel(conformal, x, inverse=conformal_inv)
flat = christoffel(attention, y, inverse=attention_inv)

theta, phi, R = sp.symbols("theta phi R")
sphere = Metric((theta, phi), sp.diag(R**2, R**2 * sp.sin(theta) ** 2))
u, v = sp.symbols("u v")
half_plane = Metric((u, v), sp.diag(1 / v**2, 1 / v**2))
t, r, r_s = sp.symbols("t r r_s")
schwarzschild = Metric(
    (t, r, theta, phi),
    sp.diag(-(1 - r_s / r), 1 / (1 - r_s / r), r**2, r**2 * sp.sin(theta) ** 2),
)

sin, cos = sp.sin(theta), sp.cos(theta)
TEXTBOOK = [
    (
        "2-sphere",
        sphere,
        {
            (theta, phi, phi): -sin * cos,
            (phi, theta, phi): cos / sin,
        },
    ),
    (
        "Half-plane",
        half_plane,
        {
            (u, u, v): -1 / v,
            (v, u, u): 1 / v,
            (v, v, v): -1 / v,
        },
    ),
    (
        "Schwarzschild",
        schwarzschild,
        {
            (t, t, r): r_s / (2 * r * (r - r_s)),
            (r, t, t): r_s * (r - r_s) / (2 * r**3),
            (r, r, r): -r_s / (2 * r * (r - r_s)),
            (r, theta, theta): -(r - r_s),
            (r, phi, phi): -(r - r_s) * sin**2,
            (theta, r, theta): 1 / r,
            (theta, phi, phi): -sin * cos,
            (phi, r, phi): 1 / r,
            (phi, theta, phi): cos / sin,
        },
    ),
]

claims = [
    ("There is no torsion", Gamma[c, a, b], Gamma[c, b, a]),
    (
        "The metric is constant under the covariant derivative",
        dg[a, b, d] - Gamma[e, a, b] * g[e, d] - Gamma[e, a, d] * g[b, e],
        0,
        inverse,
    ),
    (
        "A conformally flat metric, for all sizes",
        curved.expr,
        (sa.delta(c, a) * x[b] + sa.delta(c, b) * x[a] - sa.delta(a, b) * x[c])
        / (1 + sa.total(x[d] * x[d], d)),
    ),
    ("The constant metric of attention scores, for all sizes", flat.expr, 0),
    *(
        (f"Conformally flat: {step.rule.replace('`', '')}", step.before, step.after)
        for step in curved.steps
    ),
    *(
        (f"{name}: Γ^{i}_{j},{k}", metric.christoffel[i, j, k], value)
        for name, metric, table in TEXTBOOK
        for (i, j, k), value in table.items()
    ),
]


def exhibits():
    """The index formula, its reading for symbolic sizes, and the tables of components."""
    return [
        ("Definition", sa.System(Gamma)._repr_latex_()),
        ("A conformally flat metric", curved.latex()),
        ("The constant metric of attention scores", flat.latex()),
        *((name, metric.christoffel.latex()) for name, metric, _ in TEXTBOOK),
    ]


def checks():
    """The compiled functions of the point against autodiff of the metric."""
    return [
        sphere.verify({theta: (0.3, 2.8)}),
        half_plane.verify({v: (0.2, 3.0)}),
        schwarzschild.verify({r: (3, 9), theta: (0.3, 2.8)}),
        conformal_row(),
    ]


def conformal_row(size=5, seed=0):
    """The derived formula, compiled, at a random point of five coordinates."""
    import jax
    import jax.numpy as jnp

    with jax.enable_x64(True):
        point = jax.random.normal(jax.random.key(seed), (size,), "float64")
        got = sa.compile(curved)(x=point)
        wanted = jax.jit(lambda s: by_autodiff(lambda z: (1 + z @ z) * jnp.eye(size), s))(point)
        error = float(jnp.max(jnp.abs(got - wanted)))
        relative = error / float(jnp.max(jnp.abs(wanted)))
    return Row("Gamma, conformally flat", "jax autodiff", "float64", error, relative, 1e-12)
