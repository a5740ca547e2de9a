r"""The second derivative of softmax

$\log Z$ generates the cumulants of the weights: its gradient is $A$, its second derivative the
covariance $\operatorname{diag} A - A A^\top$, its third the third central moment.  The covariance
has no negative direction: along $v$ it is the variance of $v$ under the weights.
"""

import symattn as sa

source = "M. Wainwright and M. Jordan, Graphical Models, Exponential Families, and Variational Inference, 2008, proposition 3.1"

system = sa.read(r"""
<!-- symattn: sizes S:(n) v:(n) -->
$$ z = \log \sum_j \exp(S_j) $$
$$ A_j = \frac{\exp(S_j)}{\sum_l \exp(S_l)} $$
$$ m = A_j v_j $$
""")

results = {
    "Second derivative": sa.hessian(system, of="z", wrt="S"),
    "The mean": sa.jacobian(system, of="m", wrt="S"),
}

claims = [
    ("The gradient", r"\frac{\partial z}{\partial S_j} = A_j"),
    ("The covariance", r"\frac{\partial^2 z}{\partial S_i \partial S_j} = A_i (\delta_{ij} - A_j)"),
    (
        "The third derivative of log Z, as the second of A",
        r"\frac{\partial^2 A_i}{\partial S_j \partial S_k} = A_i \left(\delta_{ij} - A_j\right) \left(\delta_{ik} - A_k\right) - A_i A_j \left(\delta_{jk} - A_k\right)",
    ),
    (
        "Along v it is the variance of v",
        r"\sum_{ij} v_i \frac{\partial A_i}{\partial S_j} v_j = \sum_j A_j (v_j - m)^2",
    ),
    (
        "which is not negative, so log Z is convex",
        r"\sum_{ij} v_i \frac{\partial A_i}{\partial S_j} v_j \ge 0",
    ),
    (
        "The mean changes by the covariance with the score",
        r"\frac{\partial m}{\partial S_j} = A_j (v_j - m)",
    ),
]

refuted = [
    (
        "A covariance without the product of means",
        r"\frac{\partial A_i}{\partial S_j} = A_i \delta_{ij}",
    ),
]
