r"""What bounds the entropy of a row

$\log n - H$ is the relative entropy of the row to equal weights, and $H$ itself is the mean of
$-\log A_j$, none of which is negative: so $0 \le H \le \log n$.  The upper bound is reached for equal
scores, the lower one in the limit of one score far above the others.
"""

import sympy as sp

import symattn as sa

source = (
    "T. Cover and J. Thomas, Elements of Information Theory, 2nd edition, theorems 2.6.3 and 2.6.4"
)

system = sa.read(r"""
<!-- symattn: sizes S:(n) -->
$$ A_j = \frac{\exp(S_j)}{\sum_l \exp(S_l)} $$
$$ H = -\sum_j A_j \log(A_j) $$
$$ D = \sum_j A_j \log(n A_j) $$
""")

results = {"The gap": sa.backward(sa.System(system["A"], system["D"]), output="D", wrt=("S",))}

g = sp.Symbol("g", positive=True)  # how far one score is above the other two
top, low = 1 / (1 + 2 * sp.exp(-g)), sp.exp(-g) / (1 + 2 * sp.exp(-g))

claims = [
    ("The bounds", r"0 \le H \le \log n"),
    ("The gap to log n is a relative entropy", r"\log(n) - H = D"),
    (
        "a sum of terms that are not negative, since x log x is above its tangent at 1",
        r"D = \sum_j \left(A_j \log(n A_j) - A_j + \frac1n\right)",
    ),
    ("A relative entropy is not negative: Gibbs' inequality", r"D \ge 0"),
    (
        "Lower bound, reached in the limit",
        sp.Limit(-top * sp.log(top) - 2 * low * sp.log(low), g, sp.oo),
        0,
    ),
    (
        "Upper bound, reached for equal scores",
        sp.Limit(-top * sp.log(top) - 2 * low * sp.log(low), g, 0, "+"),
        sp.log(3),
    ),
]

refuted = [
    ("The bound is lower for large n", r"H \le \frac12 \log n"),
    ("The gap is the relative entropy the other way", r"\log(n) - H = -\frac1n \sum_j \log(n A_j)"),
]
