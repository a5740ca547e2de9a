r"""The logarithm of softmax

$\log A = S - \log Z$ is what losses are made of.  Its derivative is simpler than that of softmax, and
the derivative of $\log Z$ is softmax itself: the two facts from which every other derivative follows.
"""

import symattn as sa

source = "S. Boyd and L. Vandenberghe, Convex Optimization, 2004, section 3.1.5"

system = sa.read(r"""
<!-- symattn: sizes S:(n_q,n_k) -->
$$ z_i = \log \sum_j \exp(S_{ij}) $$
$$ p_{ij} = S_{ij} - z_i $$
""")
soft = sa.read(r"""
<!-- symattn: sizes S:(n_q,n_k) -->
$$ z_i = \log \sum_j \exp(S_{ij}) $$
$$ p_{ij} = S_{ij} - z_i $$
$$ A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})} $$
""")

results = {"Backward pass": sa.backward(system, output="p", wrt=("S",))}

claims = [
    ("It is the logarithm of softmax", r"\log(A_{ij}) = p_{ij}", soft),
    (
        "The gradient of logsumexp is softmax",
        r"\frac{\partial z_i}{\partial S_{mj}} = \delta_{im} A_{ij}",
        soft,
    ),
    (
        "The Jacobian",
        r"\frac{\partial p_{ij}}{\partial S_{mn}} = \delta_{im} (\delta_{jn} - A_{in})",
        soft,
    ),
    (
        "A gradient that comes in",
        r"\frac{\partial L}{\partial S_{ij}} = \frac{\partial L}{\partial p_{ij}} - A_{ij} \sum_l \frac{\partial L}{\partial p_{il}}",
        sa.System(system["z"], system["p"], soft["A"]),
    ),
]

refuted = [
    (
        "The backward pass of softmax, taken for that of its logarithm",
        r"\frac{\partial L}{\partial S_{ij}} = A_{ij} \left(\frac{\partial L}{\partial p_{ij}} - \sum_l A_{il} \frac{\partial L}{\partial p_{il}}\right)",
        sa.System(system["z"], system["p"], soft["A"]),
    ),
]
