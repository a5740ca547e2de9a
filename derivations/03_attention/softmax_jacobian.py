r"""The Jacobian of the row-wise softmax

$A$ turns every row of scores $S$ into weights that are positive and sum to one.  Rows do not
influence one another, so the Jacobian is a $\delta$ of the rows times the familiar
$\operatorname{diag}(a) - a a^\top$ of one row $a$.
"""

import sympy as sp

import symattn as sa

source = "J. S. Bridle, Training stochastic model recognition algorithms as networks, NIPS 1989"

n_q, n_k = sa.sizes("n_q n_k")
(i, m), (j, l, n) = sa.indices("i m", n_q), sa.indices("j l n", n_k)
S = sa.tensor("S", n_q, n_k)

A = sa.define("A", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, l]), l))
system = sa.System(A)

results = {"Jacobian": sa.jacobian(system, of="A", wrt="S")}

c = sa.tensor("c", n_q)
row = sp.exp(S[i, j] + c[i]) / sa.total(sp.exp(S[i, l] + c[i]), l)
claims = [
    ("Every row sums to one", sa.total(A[i, j], j), 1),
    ("Adding a constant to a row changes nothing", A[i, j], row),
]
