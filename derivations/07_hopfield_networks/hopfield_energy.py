r"""The classical Hopfield energy

States of $\pm 1$ and symmetric couplings have the energy $E = -\tfrac12 x W x$.  Setting one state to the
sign of its field $h = W x$ changes the energy by $-(x' - x)\,h$ less $\tfrac12 W_{mm} (x' - x)^2$: with no
coupling to itself, and $x'$ along the field, energy never grows, so asynchronous updates come to rest.
"""

import symattn as sa

source = "J. Hopfield, Neural networks and physical systems with emergent collective computational abilities, PNAS 79, 1982"

system = sa.read(r"""
<!-- symattn: sizes x:(N) W:(N,N) u:(N); symmetric W; scalars t -->
$$ E = -\frac12 x_i W_{ij} x_j $$
$$ h_i = W_{ij} x_j $$
""")
moved = sa.read(r"""
<!-- symattn: sizes x:(N) W:(N,N) u:(N); symmetric W; scalars t -->
$$ E = -\frac12 x_i W_{ij} x_j $$
$$ h_i = W_{ij} x_j $$
$$ y_i = x_i + t u_i $$
$$ G = -\frac12 y_i W_{ij} y_j $$
""")

results = {
    "Gradient": sa.jacobian(system, of="E", wrt="x"),
    "Second derivative": sa.hessian(system, of="E", wrt="x"),
}

claims = [
    ("The field is minus the gradient", r"\frac{\partial E}{\partial x_i} = -h_i"),
    ("The second derivative", r"\frac{\partial^2 E}{\partial x_i \partial x_j} = -W_{ij}"),
    (
        "A step t along u: with u a unit vector, t the change of one state",
        r"G - E = -t u_i h_i - \frac12 t^2 u_i W_{ij} u_j",
        moved,
    ),
    ("Energy is half the work against the field", r"E = -\frac12 x_i h_i"),
]

refuted = [("A step without the coupling to itself", r"G - E = -t u_i h_i", moved)]
