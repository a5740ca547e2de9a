r"""Christoffel symbols of a metric

The Levi-Civita connection of a metric $g$ is the one that is free of torsion and keeps $g$
constant: $\partial_a g_{bd} = G_{dab} + G_{bad}$ below says that $\nabla_a g_{bd} = 0$, and $h$ is
any array, so that $\Gamma$ is any connection without torsion.  These two determine it.  In other
coordinates it is no tensor: $\Gamma$ belongs to the metric $g$ in coordinates $y(x)$ and $L$ to the
same metric in the coordinates $x$, $u_{ab} = g_{ij} J^i{}_a J^j{}_b$ with the inverse $v$, where
$J^i{}_a = \partial y^i / \partial x^a$ and $H^i{}_{ab} = \partial_a \partial_b y^i$.  Then the formula
is read for metrics of symbolic size, and for the components of some metrics that textbooks have.
"""

import sympy as sp

import symattn as sa
from symattn.comparison import Row
from symattn.geometry import (
    Metric,
    by_autodiff,
    christoffel,
    levi_civita,
    levi_civita_derivation,
    placed,
    transformation_law,
)

source = "R. M. Wald, General Relativity, 1984, theorem 3.1.1 and equation 3.1.30"

n, d_k = sa.sizes("n d_k")
a, b, c, d, e = sa.indices("a b c d e", n)
p, q = sa.indices("p q", d_k)
x, y = sa.tensor("x", n), sa.tensor("y", d_k)

unique = levi_civita_derivation(n)
system = unique.system

# what the formula gives: any array h gives a dg that is symmetric in its last two slots
g, h = sa.tensor("g", n, n, symmetric=True), sa.tensor("h", n, n, n)
g_inv = sa.tensor("g_inv", n, n, symmetric=True)
dg = sa.define("dg", (a, b, d), (h[a, b, d] + h[a, d, b]) / 2)
Gamma = levi_civita(n)
formula = sa.System(dg, Gamma, facts=[sp.Eq(sa.total(g_inv[a, d] * g[d, b], d), sa.delta(a, b))])

conformal = sa.define("u", (a, b), (1 + x[c] * x[c]) * sa.delta(a, b))
conformal_inv = sa.define("u_inv", (a, b), sa.delta(a, b) / (1 + sa.total(x[c] * x[c], c)))
attention = sa.define("w", (p, q), sa.delta(p, q) / sp.sqrt(d_k))
attention_inv = sa.define("w_inv", (p, q), sa.delta(p, q) * sp.sqrt(d_k))
curved = christoffel(conformal, x, inverse=conformal_inv)
flat = christoffel(attention, y, inverse=attention_inv)
placed(curved.system, {"u_inv": "^^", "x": "^"})
placed(flat.system, {"w_inv": "^^", "y": "^"})

results = {
    "From a constant metric and no torsion": unique,
    "In other coordinates": transformation_law(n),
    "A conformally flat metric": curved,
    "The constant metric of attention scores": flat,
}

theta, phi, R = sp.symbols("theta phi R")
sphere = Metric((theta, phi), sp.diag(R**2, R**2 * sp.sin(theta) ** 2))
u, v = sp.symbols("u v")
half_plane = Metric((u, v), sp.diag(1 / v**2, 1 / v**2))
t, r, r_s = sp.symbols("t r r_s")
schwarzschild = Metric(
    (t, r, theta, phi),
    sp.diag(-(1 - r_s / r), 1 / (1 - r_s / r), r**2, r**2 * sp.sin(theta) ** 2),
)
TABLES = {"2-sphere": sphere, "Half-plane": half_plane, "Schwarzschild": schwarzschild}

claims = [
    ("The formula has no torsion", Gamma[c, a, b], Gamma[c, b, a], formula),
    (
        "The metric is constant under its covariant derivative",
        dg[a, b, d] - Gamma[e, a, b] * g[e, d] - Gamma[e, a, d] * g[b, e],
        0,
        formula,
    ),
    (
        "A conformally flat metric, in the form of the textbooks",
        curved.expr,
        (sa.delta(c, a) * x[b] + sa.delta(c, b) * x[a] - sa.delta(a, b) * x[c])
        / (1 + sa.total(x[d] * x[d], d)),
    ),
]
refuted = [("The upper index is not like the others", Gamma[c, a, b], Gamma[a, c, b], formula)]


def exhibits():
    """The tables of components."""
    return [(name, metric.christoffel.latex()) for name, metric in TABLES.items()]


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
