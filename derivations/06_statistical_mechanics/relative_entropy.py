r"""Relative entropy of two rows of attention

$\mathrm{KL}(q\,\|\,p) = \sum q \log (q/p)$ compares two rows.  For two softmaxes it is a Bregman distance
of $\log Z$, its gradient in the scores of $p$ is $p - q$, the same as for cross-entropy, and its
second derivative is the Fisher metric.
"""

import symattn as sa

source = "S. Kullback and R. Leibler, On information and sufficiency, 1951; S. Amari, Information Geometry and Its Applications, 2016, section 2.1"

system = sa.read(r"""
<!-- symattn: sizes x:(n) y:(n) -->
$$ z = \log \sum_j \exp(x_j) $$
$$ w = \log \sum_j \exp(y_j) $$
$$ p_j = \exp(x_j - z) $$
$$ q_j = \exp(y_j - w) $$
$$ D = \sum_j q_j \log(q_j / p_j) $$
""")

results = {"In the scores of p": sa.backward(system, output="D", wrt=("x", "y"))}

claims = [
    ("It is not negative: Gibbs' inequality", r"D \ge 0"),
    ("A Bregman distance of log Z", r"D = z - w - \sum_j q_j (x_j - y_j)"),
    ("In the scores of p", r"\frac{\partial D}{\partial x_j} = p_j - q_j"),
    (
        "In the scores of q",
        r"\frac{\partial D}{\partial y_j} = q_j \left(\log(q_j / p_j) - D\right)",
    ),
    (
        "The second derivative is the Fisher metric",
        r"\frac{\partial^2 D}{\partial x_i \partial x_j} = p_i (\delta_{ij} - p_j)",
    ),
    ("Cross-entropy less entropy", r"D = -\sum_j q_j \log(p_j) + \sum_j q_j \log(q_j)"),
]

refuted = [("It is symmetric", r"D = \sum_j p_j \log(p_j / q_j)")]
