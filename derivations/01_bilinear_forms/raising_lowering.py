r"""Raising and lowering an index

A metric turns a vector $v^a$ into a covector $v_a = g_{ab} v^b$, its inverse turns it back.  Lengths
and inner products may be read in either.  Here lower components are called $l$ and the inverse is
written $g^{-1}$, so that positions of indices carry no meaning.
"""

import symattn as sa

source = "R. M. Wald, General Relativity, 1984, section 2.3"

(n,) = sa.sizes("n")
a, b, c, d = sa.indices("a b c d", n)
g = sa.tensor("g", n, n, positive_definite=True)
u, v = sa.tensor("u", n), sa.tensor("v", n)
inv = sa.inverse(g)

l = sa.define("l", (a,), sa.total(g[a, b] * v[b], b))
r = sa.define("r", (a,), sa.total(inv[a, b] * l[b], b))
product = sa.define("p", (), sa.total(u[a] * g[a, b] * v[b], a, b))
dual = sa.define("q", (), sa.total(l[a] * inv[a, b] * l[b], a, b))
i = sa.define("i", (a, b), inv[a, b])
system = sa.System(l, r, product, dual, i)

results = {"In the metric": sa.jacobian(sa.System(l, dual), of="q", wrt="g")}

claims = [
    ("The inverse metric", sa.total(inv[a, c] * g[c, b], c), sa.delta(a, b)),
    ("Lowered and raised again", r[a], v[a]),
    ("An inner product pairs a vector and a covector", product, sa.total(u[a] * l[a], a)),
    ("Lengths of covectors are those of vectors", dual, sa.total(v[a] * g[a, b] * v[b], a, b)),
    (
        "The inverse metric, differentiated",
        sa.partial(i[a, b], g[c, d]),
        -(inv[a, c] * inv[d, b] + inv[a, d] * inv[c, b]) / 2,
    ),
]
