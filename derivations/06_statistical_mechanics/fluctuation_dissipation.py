r"""Fluctuation and dissipation

How the mean of one quantity answers to a field that couples to another is their covariance under the
weights, times $\beta$: a response is known from fluctuations at rest.  The matrix of responses is
symmetric (Onsager), and it is the second derivative of $\log Z$.
"""

import symattn as sa

source = "R. Kubo, The fluctuation-dissipation theorem, Reports on Progress in Physics 29, 1966, section 2"

system = sa.read(r"""
<!-- symattn: sizes E:(n) x:(n,m) f:(m); positive beta -->
$$ u_j = E_j - f_a x_{ja} $$
$$ Z = \sum_j \exp(-\beta u_j) $$
$$ A_j = \frac{\exp(-\beta u_j)}{Z} $$
$$ y_a = A_j x_{ja} $$
$$ C_{ab} = \sum_j A_j (x_{ja} - y_a) (x_{jb} - y_b) $$
""")

results = {"Response": sa.jacobian(system, of="y", wrt="f")}


claims = [
    ("The response is a covariance", r"\frac{\partial y_a}{\partial f_b} = \beta C_{ab}"),
    ("It is symmetric", r"\frac{\partial y_a}{\partial f_b} = \frac{\partial y_b}{\partial f_a}"),
    (
        "The mean is a derivative of log Z",
        r"y_a = \frac{1}{\beta Z} \frac{\partial Z}{\partial f_a}",
    ),
    ("Means of products, less products of means", r"C_{ab} = \sum_j A_j x_{ja} x_{jb} - y_a y_b"),
]

refuted = [("The response without β", r"\frac{\partial y_a}{\partial f_b} = C_{ab}")]
