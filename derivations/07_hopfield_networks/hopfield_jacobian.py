r"""How fast retrieval converges

The Jacobian of one retrieval step is $\beta$ times the covariance of the patterns under softmax,
$\beta\, K^\top(\operatorname{diag} p - p p^\top) K$.  Along a direction $v$ it is $\beta$ times the variance of
$K v$, at most $\beta$ times the largest squared distance to the mean: near a pattern that has almost
all weight it is nearly zero, and one step is enough.
"""

import symattn as sa

source = "H. Ramsauer et al., Hopfield networks is all you need, ICLR 2021, lemma A2 and theorem A8"

system = sa.read(r"""
<!-- symattn: sizes K:(M,d) x:(d) v:(d); positive beta -->
$$ s_j = K_{ja} x_a $$
$$ p_j = \frac{\exp(\beta s_j)}{\sum_l \exp(\beta s_l)} $$
$$ y_a = p_j K_{ja} $$
""")
along = sa.read(r"""
<!-- symattn: sizes K:(M,d) x:(d) v:(d); positive beta -->
$$ s_j = K_{ja} x_a $$
$$ p_j = \frac{\exp(\beta s_j)}{\sum_l \exp(\beta s_l)} $$
$$ y_a = p_j K_{ja} $$
$$ t_j = K_{ja} v_a $$
$$ m = p_j t_j $$
""")

results = {"Jacobian": sa.jacobian(system, of="y", wrt="x")}

claims = [
    (
        "A covariance",
        r"\frac{\partial y_a}{\partial x_b} = \beta \left(\sum_j p_j K_{ja} K_{jb} - y_a y_b\right)",
    ),
    (
        "of differences to the mean",
        r"\frac{\partial y_a}{\partial x_b} = \beta \sum_j p_j (K_{ja} - y_a) (K_{jb} - y_b)",
    ),
    ("It is symmetric", r"\frac{\partial y_a}{\partial x_b} = \frac{\partial y_b}{\partial x_a}"),
    (
        "Along v: a variance",
        r"\sum_{ab} v_a \frac{\partial y_a}{\partial x_b} v_b = \beta \sum_j p_j (t_j - m)^2",
        along,
    ),
    (
        "A variance from pairs of patterns, which bounds it by their distances",
        r"\sum_j p_j (t_j - m)^2 = \frac12 \sum_{jl} p_j p_l (t_j - t_l)^2",
        along,
    ),
]

refuted = [
    (
        "A second moment, not a covariance",
        r"\frac{\partial y_a}{\partial x_b} = \beta \sum_j p_j K_{ja} K_{jb}",
    )
]
