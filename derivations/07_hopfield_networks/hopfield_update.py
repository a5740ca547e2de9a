r"""One step of retrieval is attention

The energy is a convex part, $\tfrac12 |x|^2$, less another, $\tfrac1\beta \log Z(x)$.  Replacing the
second by its tangent at $x$ gives an upper bound that touches the energy at $x$, and its minimum is
$K^\top \mathrm{softmax}(\beta K x)$: attention with $x$ as the query and the patterns as keys and values.
The bound falls by $\tfrac12 |x - x'|^2$, so energy falls at least as much: it never grows.
"""

import symattn as sa

source = (
    "A. Yuille and A. Rangarajan, The concave-convex procedure, Neural Computation 15, 2003; "
    "H. Ramsauer et al., ICLR 2021, theorem A3"
)

system = sa.read(r"""
<!-- symattn: sizes K:(M,d) x:(d); positive beta -->
$$ s_j = K_{ja} x_a $$
$$ p_j = \frac{\exp(\beta s_j)}{\sum_l \exp(\beta s_l)} $$
$$ y_a = p_j K_{ja} $$
""")
bound = sa.read(r"""
<!-- symattn: sizes K:(M,d) x:(d) u:(d); positive beta -->
$$ s_j = K_{ja} x_a $$
$$ p_j = \frac{\exp(\beta s_j)}{\sum_l \exp(\beta s_l)} $$
$$ y_a = p_j K_{ja} $$
$$ z = \frac1\beta \log \sum_j \exp(\beta s_j) $$
$$ E = \frac12 x_a x_a - z $$
$$ B = \frac12 u_a u_a - z - \sum_a y_a (u_a - x_a) $$
$$ r_j = K_{ja} u_a $$
$$ F = \frac12 u_a u_a - \frac1\beta \log \sum_j \exp(\beta r_j) $$
$$ q_j = \frac{\exp(\beta r_j)}{\sum_l \exp(\beta r_l)} $$
$$ R = \frac1\beta \sum_j p_j \log(p_j / q_j) $$
""")

step = sa.read(r"""
<!-- symattn: sizes K:(M,d) x:(d); positive beta -->
$$ s_j = K_{ja} x_a $$
$$ p_j = \frac{\exp(\beta s_j)}{\sum_l \exp(\beta s_l)} $$
$$ y_a = p_j K_{ja} $$
$$ r_j = K_{ja} y_a $$
$$ E = \frac12 x_a x_a - \frac1\beta \log \sum_j \exp(\beta s_j) $$
$$ G = \frac12 y_a y_a - \frac1\beta \log \sum_j \exp(\beta r_j) $$
""")

results = {"Retrieval": sa.backward(system, output="y", wrt=("p", "x", "K"))}

claims = [
    ("The bound is least at the retrieval", r"\frac{\partial B}{\partial u_a} = u_a - y_a", bound),
    (
        "What the bound is above its least value",
        r"B = \frac12 \sum_a (u_a - y_a)^2 - \frac12 \sum_a y_a^2 - z + \sum_a x_a y_a",
        bound,
    ),
    (
        "From x to the retrieval the bound falls by half the squared step",
        r"E + \frac12 \sum_a y_a^2 + z - \sum_a x_a y_a = \frac12 \sum_a (x_a - y_a)^2",
        bound,
    ),
    ("The bound is above the energy by a relative entropy", r"B - F = R", bound),
    ("which is not negative", r"R \ge 0", bound),
    (
        "Energy falls by half the squared step at least",
        r"E - G \ge \frac12 \sum_a (x_a - y_a)^2",
        step,
    ),
    ("so that it never grows", r"G \le E", step),
]

refuted = [
    ("The bound is the energy", r"B = F", bound),
    ("Energy falls by the squared step", r"E - G \ge \sum_a (x_a - y_a)^2", step),
]
