"""Powers, exponentials and logarithms."""

from __future__ import annotations

import sympy as sp

from ..convert import Partial
from ..primitives import sigmoid, softplus
from ..syntax import System, define, delta, tensor, total
from .identity import Identities
from .letters import exp, log, n, om, s, sqrt, t, tanh

IDENTITIES = Identities()
add = IDENTITIES.add

k1, k2 = tensor("k", n), tensor("o", n)
p1, p2 = tensor("p", n, positive=True), tensor("q", n, positive=True)
add(
    "exp(x + y) = exp x exp y",
    exp(k1[s] + k2[s]),
    exp(k1[s]) * exp(k2[s]),
    exp(k1[s]) + exp(k2[s]),
    exp(k1[s] * k2[s]),
)
add(
    "(x + y)² multiplied out",
    (k1[s] + k2[t]) ** 2,
    k1[s] ** 2 + 2 * k1[s] * k2[t] + k2[t] ** 2,
    k1[s] ** 2 + k2[t] ** 2,
    k1[s] ** 2 + k1[s] * k2[t] + k2[t] ** 2,
)
add(
    "log(pq) = log p + log q",
    log(p1[s] * p2[s]),
    log(p1[s]) + log(p2[s]),
    log(p1[s]) * log(p2[s]),
    log(p1[s]) - log(p2[s]),
)
add("log p³ = 3 log p", log(p1[s] ** 3), 3 * log(p1[s]), log(p1[s]) ** 3)
add("√(p²q) = p√q", sqrt(p1[s] ** 2 * p2[s]), p1[s] * sqrt(p2[s]), p1[s] * p2[s])
add("√(x²) = |x|", sqrt(k1[s] ** 2), sp.Abs(k1[s]), k1[s], -k1[s])
add("exp(2 log p) = p²", exp(2 * log(p1[s]), evaluate=False), p1[s] ** 2, 2 * p1[s])
add(
    "geometric mean",
    exp(total(log(p1[s]), s) / n),
    exp(total(log(p1[t]), t)) ** (1 / n),
    exp(total(log(p1[s]), s)),
)
add(
    "1/(1+e^{-x}) = e^x/(1+e^x)",
    1 / (1 + exp(-k1[s])),
    exp(k1[s]) / (1 + exp(k1[s])),
    1 / (1 + exp(k1[s])),
)
add("σ(−x) = 1 − σ(x)", sigmoid(-k1[s]), 1 - sigmoid(k1[s]), sigmoid(k1[s]), 1 + sigmoid(k1[s]))
add("tanh x = 2σ(2x) − 1", tanh(k1[s]), 2 * sigmoid(2 * k1[s]) - 1, 2 * sigmoid(k1[s]) - 1)
up = exp(k1[s])
add(
    "fractions of 1 + e^x under a sum",
    total(k2[s] * up**2 / (1 + up), s),
    total(k2[s] * up, s) - total(k2[s] * up / (1 + up), s),
    total(k2[s] * up, s) + total(k2[s] * up / (1 + up), s),
    total(k2[s] * up, s) - total(k2[s] / (1 + up), s),
)
add(
    "softplus(x) − softplus(−x) = x",
    softplus(k1[s]) - softplus(-k1[s]),
    k1[s],
    -k1[s],
    2 * k1[s],
)
add("sin² + cos² = 1", sp.sin(om) ** 2 + sp.cos(om) ** 2, 1, -1, 2)
add(
    "the addition theorem",
    sp.cos(om * (p1[s] - p2[s])),
    sp.cos(om * p1[s]) * sp.cos(om * p2[s]) + sp.sin(om * p1[s]) * sp.sin(om * p2[s]),
    sp.cos(om * p1[s]) * sp.cos(om * p2[s]) - sp.sin(om * p1[s]) * sp.sin(om * p2[s]),
)
add(
    "three times an angle",
    sp.sin(3 * om),
    3 * sp.sin(om) - 4 * sp.sin(om) ** 3,
    4 * sp.sin(om) - 3 * sp.sin(om) ** 3,
    3 * sp.sin(om),
)
add(
    "half an angle",
    sp.tan(om / 2),
    sp.sin(om) / (1 + sp.cos(om)),
    sp.sin(om) / (1 - sp.cos(om)),
    sp.cos(om) / (1 + sp.sin(om)),
)
add("cosh² − sinh² = 1", sp.cosh(om) ** 2 - sp.sinh(om) ** 2, 1, -1)
two = define("two", (s,), tanh(k1[s]))
add(
    "tanh' = 1 − tanh²",
    Partial(two[s], k1[t]),
    delta(s, t) * (1 - two[s] ** 2),
    delta(s, t) * (1 - two[s]),
    delta(s, t) * (1 + two[s] ** 2),
    given=System(two),
)
sig = define("sig", (s,), sigmoid(k1[s]))
add(
    "σ' = σ(1 − σ)",
    Partial(sig[s], k1[t]),
    delta(s, t) * sig[s] * (1 - sig[s]),
    delta(s, t) * sig[s] * (1 + sig[s]),
    sig[s] * (1 - sig[s]),
    given=System(sig),
)
add(
    "softplus' = σ",
    Partial(define("sp", (s,), softplus(k1[s]))[s], k1[t]),
    delta(s, t) * sigmoid(k1[s]),
    sigmoid(k1[s]),
    given=System(define("sp", (s,), softplus(k1[s]))),
)
add(
    "softmax of two is a sigmoid",
    exp(k1[s]) / (exp(k1[s]) + exp(k2[s])),
    sigmoid(k1[s] - k2[s]),
    sigmoid(k2[s] - k1[s]),
    sigmoid(k1[s] + k2[s]),
)
minus = define("minus", (s,), -k1[s])
add("sin is odd", sp.sin(minus[s]), -sp.sin(k1[s]), sp.sin(k1[s]), given=System(minus))
add(
    "shares of two sum to 1 each",
    total(p1[s] / (p1[s] + p2[s]) + p2[s] / (p1[s] + p2[s]), s),
    n,
    1,
    2 * n,
)
add(
    "1/x + 1/y over a common denominator",
    1 / p1[s] + 1 / p2[s],
    (p1[s] + p2[s]) / (p1[s] * p2[s]),
    2 / (p1[s] + p2[s]),
)
add(
    "difference of squares cancels",
    (k1[s] ** 2 - p1[t] ** 2) / (k1[s] - p1[t]),
    k1[s] + p1[t],
    k1[s] - p1[t],
)
add(
    "Gaussian kernel",
    exp(-((k1[s] - k2[t]) ** 2) / 2),
    exp(-(k1[s] ** 2) / 2) * exp(k1[s] * k2[t]) * exp(-(k2[t] ** 2) / 2),
    exp(-(k1[s] ** 2) / 2) * exp(-k1[s] * k2[t]) * exp(-(k2[t] ** 2) / 2),
)
