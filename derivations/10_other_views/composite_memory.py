r"""A memory that adds up

The simplest memory of a sequence is a sum, $\sum_i \theta^\top \bar x_i$, where $\bar x$ is $x$ with a 1 for
the bias.  It does not know the order, its Jacobian in each input is the same $\theta$, and it never
forgets: what came first counts as much as what comes last.
"""

import symattn as sa

source = "S. Morad, CISC 7026, University of Macau, lecture on recurrent models, as its lecture on attention recalls it"

system = sa.read(r"""
<!-- symattn: sizes x:(T,d) W:(d,h) b:(h) m:(T,h) -->
$$ y_{tc} = b_c + \sum_a x_{ta} W_{ac} $$
$$ m_{tc} = \sum_i [i \le t] y_{ic} $$
$$ f_c = \sum_i y_{ic} $$
""")
steps = sa.read(r"""
<!-- symattn: sizes x:(T,d) W:(d,h) b:(h) m:(T,h) p:(T,h) -->
$$ y_{tc} = b_c + \sum_a x_{ta} W_{ac} $$
$$ m_{tc} = \sum_i [i \le t] y_{ic} $$
$$ p_{tc} = \sum_i [i < t] y_{ic} $$
$$ f_c = \sum_i y_{ic} $$
""")

results = {
    "Backward pass": sa.backward(
        sa.System(system["y"], system["f"]), output="f", wrt=("y", "x", "W", "b")
    )
}

claims = [
    ("One step of the recurrence", r"m_{tc} = p_{tc} + b_c + \sum_a x_{ta} W_{ac}", steps),
    (
        "Every input counts the same",
        r"\frac{\partial f_c}{\partial x_{ta}} = W_{ac} \sum_i \delta_{it}",
    ),
    (
        "The bias counts how long the sequence is",
        r"\frac{\partial f_c}{\partial b_e} = T \delta_{ce}",
    ),
    ("The sum of inputs is all that is remembered", r"f_c = T b_c + \sum_a W_{ac} \sum_t x_{ta}"),
]

refuted = [("The bias counts once", r"f_c = b_c + \sum_a W_{ac} \sum_t x_{ta}")]
