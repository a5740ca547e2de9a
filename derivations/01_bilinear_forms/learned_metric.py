r"""A learned metric is positive semidefinite

A metric $g = W^\top W$ is symmetric whatever $W$ is, and a length measured with it is the ordinary
length of $W u$, so it is never negative.  It is zero just where $W u = 0$: the metric is positive
definite if and only if the columns of $W$ are independent, which needs at least as many rows as
columns.  With more columns than rows there is always a direction that it does not see.
"""

import symattn as sa

source = "R. Horn and C. Johnson, Matrix Analysis, 2nd edition, theorem 7.2.7 and observation 7.1.8"

system = sa.read(r"""
<!-- symattn: sizes W:(r,d) u:(d) x:(d) -->
$$ g_{ab} = W_{ra} W_{rb} $$
$$ y_r = W_{ra} u_a $$
$$ N = u_a g_{ab} u_b $$
""")

results = {"The metric": sa.backward(system, output="g", wrt=("W",))}

claims = [
    ("It is symmetric", r"g_{ab} = g_{ba}"),
    ("A squared length is a sum of squares", r"N = \sum_r y_r^2"),
    ("so it is never negative", r"u_a g_{ab} u_b \ge 0"),
    ("Inner products are those of images", r"x_a g_{ab} u_b = \sum_{ra} W_{ra} x_a y_r"),
    (
        "What W does not see has no length: g u = Wᵀ(W u)",
        r"g_{ab} u_b = W_{ra} y_r",
    ),
    (
        "The gradient in W, where the upstream gradient counts with its transpose",
        r"\frac{\partial L}{\partial W_{ra}} = \sum_b W_{rb} "
        r"\left(\frac{\partial L}{\partial g_{ab}} + \frac{\partial L}{\partial g_{ba}}\right)",
        sa.System(system["g"]),
    ),
    ("The gradient of a squared length", r"\frac{\partial N}{\partial W_{ra}} = 2 y_r u_a"),
]

refuted = [
    (
        "The gradient in W, with the transpose forgotten",
        r"\frac{\partial L}{\partial W_{ra}} = \sum_b W_{rb} \frac{\partial L}{\partial g_{ab}}",
        sa.System(system["g"]),
    ),
]
