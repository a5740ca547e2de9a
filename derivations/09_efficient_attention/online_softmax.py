r"""Softmax over two blocks, merged

A long row of scores is worked off in blocks.  Of each block only three things are kept: its largest
score $m$, the normaliser $\ell$ below that score, and the weighted mean $o$ of its values.  Two
blocks $x$ and $y$ merge into one by the same three, and the result is the softmax over both.  Where
the largest score is does not matter, so the gradient does not see it either.
"""

import sympy as sp

import symattn as sa
from symattn.convert import Partial

source = (
    "M. Milakov and N. Gimelshein, Online normalizer calculation for softmax, arXiv:1805.02867; "
    "T. Dao et al., FlashAttention, NeurIPS 2022, algorithm 1"
)

n, k = sa.sizes("n k")
(i, j), (r, s) = sa.indices("i j", n), sa.indices("r s", k)
x, v = sa.tensor("x", n), sa.tensor("v", n)
y, w = sa.tensor("y", k), sa.tensor("w", k)

m_x = sa.define("m_x", (), sa.maximum(x[i], i))
l_x = sa.define("ell_x", (), sa.total(sp.exp(x[i] - m_x), i))
o_x = sa.define("o_x", (), sa.total(sp.exp(x[i] - m_x) * v[i], i) / l_x)
m_y = sa.define("m_y", (), sa.maximum(y[r], r))
l_y = sa.define("ell_y", (), sa.total(sp.exp(y[r] - m_y), r))
o_y = sa.define("o_y", (), sa.total(sp.exp(y[r] - m_y) * w[r], r) / l_y)

m = sa.define("m", (), sp.Max(m_x.tensor, m_y.tensor))
l = sa.define("ell", (), sp.exp(m_x - m) * l_x + sp.exp(m_y - m) * l_y)
o = sa.define("o", (), (sp.exp(m_x - m) * l_x * o_x + sp.exp(m_y - m) * l_y * o_y) / l)
system = sa.System(m_x, l_x, o_x, m_y, l_y, o_y, m, l, o)

results = {"The largest score": sa.jacobian(sa.System(m_x), of="m_x", wrt="x")}

z = sa.total(sp.exp(x[i]), i) + sa.total(sp.exp(y[r]), r)
mean = (sa.total(sp.exp(x[i]) * v[i], i) + sa.total(sp.exp(y[r]) * w[r], r)) / z

claims = [
    ("The normaliser is that of both blocks", l * sp.exp(m), z),
    ("The mean is the softmax over both blocks", o.tensor, mean),
    ("The logarithm of the normaliser", m + sp.log(l.tensor), sp.log(z)),
    (
        "Its gradient is the weight of the score",
        Partial(l.tensor, x[j]) + l * Partial(m.tensor, x[j]),
        sp.exp(x[j] - m),
    ),
    ("The gradient of the mean", Partial(o.tensor, x[j]), sp.exp(x[j]) / z * (v[j] - o)),
]
