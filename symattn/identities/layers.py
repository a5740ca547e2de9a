"""Heads, layers, projections, losses."""

from __future__ import annotations

import sympy as sp

from ..convert import Partial
from ..primitives import sigmoid, softplus
from ..syntax import System, define, delta, indices, tensor, total
from .algebra import M1
from .identity import Identities
from .letters import H, beta, d, e, exp, f, g, h, log, m, n, s, sqrt, t, x

IDENTITIES = Identities()
add = IDENTITIES.add

Oh, Wo = tensor("Oh", H, n, d), tensor("Wo", H, d, m)
Pi = tensor("Pi", H, H)
(g2,) = indices("w", H)
heads = System(facts=[sp.Eq(total(Pi[h, g] * Pi[h, g2], h), delta(g, g2))])
add(
    "permuting heads leaves Y unchanged",
    total(Pi[h, g] * Oh[g, s, e] * Pi[h, g2] * Wo[g2, e, x], h, g, g2, e),
    Oh[h, s, e] * Wo[h, e, x],
    H * Oh[h, s, e] * Wo[h, e, x],
    given=heads,
)
Xin, Wq, Wk = tensor("Xin", n, d), tensor("Wq", d, m), tensor("Wk", d, m)
add(
    "projected scores are a bilinear form",
    total(Xin[s, e] * Wq[e, x] * Xin[t, f] * Wk[f, x], e, f, x),
    total(Xin[s, e] * total(Wq[e, x] * Wk[f, x], x) * Xin[t, f], e, f),
    total(Xin[t, e] * total(Wq[e, x] * Wk[f, x], x) * Xin[s, f], e, f),
)
phi, psi, val = tensor("phi", n, m), tensor("psi", n, m), tensor("val", n, d)
add(
    "linear attention: keys first",
    total(total(phi[s, x] * psi[t, x], x) * val[t, e], t),
    total(phi[s, x] * total(psi[t, x] * val[t, e], t), x),
    total(phi[s, x] * total(psi[t, x], t), x) * total(val[t, e], t),
)
xi = tensor("xi", d)
pat = tensor("pat", n, d)
energy = define(
    "energy",
    (),
    -log(total(exp(beta * pat[s, e] * xi[e]), s)) / beta + total(xi[e] ** 2, e) / 2,
)
retrieve = define(
    "retrieve",
    (e,),
    total(exp(beta * total(pat[s, f] * xi[f], f)) * pat[s, e], s)
    / total(exp(beta * pat[t, f] * xi[f]), t),
)
hopfield = System(energy, retrieve)
add(
    "Hopfield: ∂E/∂ξ = ξ − retrieval",
    Partial(energy.tensor, xi[e]),
    xi[e] - retrieve[e],
    xi[e] + retrieve[e],
    xi[e] - beta * retrieve[e],
    given=hopfield,
)
rms = define("rms", (e,), xi[e] / sqrt(total(xi[f] ** 2, f) / d))
add("RMS norm has mean square 1", total(rms[e] ** 2, e) / d, 1, d, given=System(rms))
yhat, target = tensor("yhat", n), tensor("target", n)
square = define("square", (), total((yhat[s] - target[s]) ** 2, s) / 2)
add(
    "least squares gradient",
    Partial(square.tensor, yhat[s]),
    yhat[s] - target[s],
    target[s] - yhat[s],
    2 * (yhat[s] - target[s]),
    given=System(square),
)
logit = define("logit", (s,), total(M1[s, x] * tensor("theta", m)[x], x))
nll = define("nll", (), total(softplus(logit[s]) - target[s] * logit[s], s))
add(
    "logistic regression gradient",
    Partial(nll.tensor, tensor("theta", m)[x]),
    total(M1[s, x] * (sigmoid(logit[s]) - target[s]), s),
    total(M1[s, x] * (target[s] - sigmoid(logit[s])), s),
    total(M1[s, x] * sigmoid(logit[s]), s),
    given=System(logit, nll),
)
