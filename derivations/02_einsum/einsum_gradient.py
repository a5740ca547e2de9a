r"""The gradient of an einsum is an einsum

Of a product with every letter summed or kept, the gradient in one factor is the product of the
upstream gradient with the other factors: the letters of the result and of the factor change places.
So `ij,jk->ik` has the gradients `ik,jk->ij` and `ij,ik->jk`, and the rule needs no more than that.
Where a letter of the factor stands nowhere else, the gradient is the same for each of its values.
"""

import symattn as sa
from symattn.einsum import contraction

source = "S. Laue, M. Mitterreiter, J. Giesen, Computing higher order derivatives of matrix and tensor expressions, NeurIPS 2018, section 3"

n_i, n_j, n_k, n_a, n_b = sa.sizes("n_i n_j n_k n_a n_b")
(i,), (j,), (k,) = sa.indices("i", n_i), sa.indices("j", n_j), sa.indices("k", n_k)
(a,), (b,) = sa.indices("a", n_a), sa.indices("b", n_b)
A, B = sa.tensor("A", n_i, n_j), sa.tensor("B", n_j, n_k)
Q, g, K = sa.tensor("Q", n_i, n_a), sa.tensor("g", n_a, n_b), sa.tensor("K", n_j, n_b)

product = sa.System(contraction("C", "ij,jk->ik", A, B))
form = sa.System(contraction("S", "ia,ab,jb->ij", Q, g, K))
sums = sa.System(contraction("r", "ij->i", A))
system = sa.System(*product, *form, *sums)

results = {
    "Of a matrix product": sa.backward(product, output="C", wrt=("A", "B")),
    "Of a bilinear form": sa.backward(form, output="S", wrt=("Q", "g", "K")),
}

one = sa.define("one", (j,), 1)
L = sa.loss("L")
dC, dS, dr = (sa.partial(L, x) for x in (product["C"][i, k], form["S"][i, j], sums["r"][i]))
claims = [
    ("`ik,jk->ij`", sa.partial(L, A[i, j]), sa.total(dC * B[j, k], k), product),
    ("`ij,ik->jk`", sa.partial(L, B[j, k]), sa.total(A[i, j] * dC, i), product),
    ("`ij,ab,jb->ia`", sa.partial(L, Q[i, a]), sa.total(dS * g[a, b] * K[j, b], j, b), form),
    ("`ia,ij,jb->ab`", sa.partial(L, g[a, b]), sa.total(Q[i, a] * dS * K[j, b], i, j), form),
    ("`ia,ab,ij->jb`", sa.partial(L, K[j, b]), sa.total(Q[i, a] * g[a, b] * dS, i, a), form),
    (
        "A letter that was summed alone: `i->ij`",
        sa.partial(L, A[i, j]),
        dr * one[j],
        sums.extended(one),
    ),
]
