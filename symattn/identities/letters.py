"""Letters, sizes and numbers that the identities share."""

from __future__ import annotations

import sympy as sp

from ..syntax import indices, sizes, tensor

n_q, n_k, d_k, d_v, n, m, d, H = sizes("n_q n_k d_k d_v n m d H")
(i, i2), (j, l, r) = indices("i p", n_q), indices("j l r", n_k)
(a, c), (b,) = indices("a c", d_k), indices("b", d_v)
s, t, u, v = indices("s t u v", n)
x, y, z = indices("x y z", m)
(e, f), (h, g) = indices("e f", d), indices("h g", H)
exp, log, tanh, sqrt = sp.exp, sp.log, sp.tanh, sp.sqrt
om = tensor("omega")
T, beta = tensor("T", positive=True), tensor("beta", positive=True)
