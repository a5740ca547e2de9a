r"""Softmax and cross-entropy

For targets $t$ whose rows sum to one, the gradient of the cross-entropy in the logits is $p - t$: the
backward pass of softmax and the derivative of the logarithm cancel.  The second derivative is the
covariance $\operatorname{diag} p - p p^\top$, so the loss is convex in the logits.
"""

import sympy as sp

import symattn as sa

source = "J. S. Bridle, Training stochastic model recognition algorithms as networks, NIPS 1989; C. Bishop, Pattern Recognition and Machine Learning, 2006, section 4.3.4"

n, m = sa.sizes("n m")
(i, j), (c, e, k) = sa.indices("i j", n), sa.indices("c e k", m)
z, t = sa.tensor("z", n, m), sa.tensor("t", n, m)

p = sa.define("p", (i, c), sp.exp(z[i, c]) / sa.total(sp.exp(z[i, k]), k))
L = sa.define("L", (), -sa.total(t[i, c] * sp.log(p[i, c]), i, c))
system = sa.System(p, L)
w = sa.define("w", (i,), sa.total(t[i, c], c))
weights = sa.System(p, w, L)
one = sa.define("one", (i,), 1)
shares = sa.System(p, L, one, facts=[sp.Eq(sa.total(t[i, c], c), one[i])])

results = {
    "Gradient": sa.jacobian(system, of="L", wrt="z"),
    "Second derivative": sa.hessian(system, of="L", wrt="z"),
}

claims = [
    (
        "The gradient, where rows of targets sum to one",
        sa.partial(L, z[i, c]),
        p[i, c] - t[i, c],
        shares,
    ),
    ("The gradient of any targets", sa.partial(L, z[i, c]), w[i] * p[i, c] - t[i, c], weights),
    (
        "The second derivative",
        sa.partial(sa.partial(L, z[i, c]), z[j, e]),
        sa.delta(i, j) * w[i] * p[i, c] * (sa.delta(c, e) - p[i, e]),
        weights,
    ),
]
refuted = [
    ("The gradient for targets that are no shares", sa.partial(L, z[i, c]), p[i, c] - t[i, c])
]
