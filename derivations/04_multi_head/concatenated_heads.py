r"""Concatenating heads is adding them up

The usual text lays the outputs of all heads side by side, $C$, and multiplies by one long matrix $W$.
Whatever the layout is, it is an array $E^{shc}$ of zeros and ones that says to which place $s$ of the
long row component $c$ of head $h$ goes.  The block of $W$ that a head meets is then
$U^{hce} = E^{shc} W^{se}$, and the long product is a sum over heads.  That different components go to
different places, $E^{shc} E^{sgf} = \delta^{hg} \delta^{cf}$, is needed only for the way back.
"""

import sympy as sp

import symattn as sa

source = "A. Vaswani et al., Attention is all you need, NeurIPS 2017, section 3.2.2"

n, H, d_v, d = sa.sizes("n H d_v d")
i, (h, g), (c, f) = sa.indices("i", n)[0], sa.indices("h g", H), sa.indices("c f", d_v)
(s,), (e,) = sa.indices("s", H * d_v), sa.indices("e", d)
O, E, W = sa.tensor("O", n, H, d_v), sa.tensor("E", H * d_v, H, d_v), sa.tensor("W", H * d_v, d)

C = sa.define("C", (i, s), sa.total(E[s, h, c] * O[i, h, c], h, c))
Y = sa.define("Y", (i, e), sa.total(C[i, s] * W[s, e], s))
U = sa.define("U", (h, c, e), sa.total(E[s, h, c] * W[s, e], s))
Z = sa.define("Z", (i, e), sa.total(O[i, h, c] * U[h, c, e], h, c))
system = sa.System(C, Y, U, Z)
apart = sa.System(
    *system,
    facts=[sp.Eq(sa.total(E[s, h, c] * E[s, g, f], s), sa.delta(h, g) * sa.delta(c, f))],
)

results = {"The long product": sa.backward(sa.System(C, Y), output="Y", wrt=("C", "W", "O"))}

L = sa.loss("L")
claims = [
    ("Side by side, or added up", Y[i, e], Z[i, e]),
    ("A head is read back from the long row", sa.total(E[s, h, c] * C[i, s], s), O[i, h, c], apart),
    (
        "The gradient of a head sees its own block alone",
        sa.partial(L, O[i, h, c]),
        sa.total(sa.partial(L, Y[i, e]) * U[h, c, e], e),
        sa.System(C, Y, U),
    ),
]
