"""Statistical mechanics: partition functions, moments, entropies, log-sum-exp."""

from __future__ import annotations

from ..convert import Partial
from ..syntax import System, define, delta, tensor, total
from .attention import A, S, att
from .identity import Identities
from .letters import T, beta, exp, i, j, l, log, n, n_q, s, t

IDENTITIES = Identities()
add = IDENTITIES.add

E, W = tensor("E", n), tensor("E", n)
w = tensor("w", n)
Z = define("Z", (), total(exp(beta * E[s]), s))
P = define("P", (s,), exp(beta * E[s]) / Z)
logZ = define("logZ", (), log(Z))
mean = total(P[s] * E[s], s)
gibbs = System(Z, P, logZ)
add("∂_β log Z = ⟨E⟩", Partial(logZ.tensor, beta), mean, -mean, beta * mean, given=gibbs)
slope = define("slope", (), mean)
variance = total(P[s] * E[s] ** 2, s) - mean**2
add(
    "∂²_β log Z = Var(E)",
    Partial(slope.tensor, beta),
    variance,
    total(P[s] * E[s] ** 2, s),
    -variance,
    beta * variance,
    given=gibbs.extended(slope),
)
add("∇ log Z = β P", Partial(logZ.tensor, E[s]), beta * P[s], P[s], given=gibbs)
lse = define("lse", (), log(total(exp(w[s]), s)))
soft = define("soft", (s,), exp(w[s]) / total(exp(w[t]), t))
entropy = define("entropy", (), -total(soft[s] * log(soft[s]), s))
one = System(lse, soft, entropy)
add("∇ logsumexp = softmax", Partial(lse.tensor, w[s]), soft[s], -soft[s], exp(w[s]), given=one)
add("log softmax = w − lse", log(soft[s]), w[s] - lse, w[s] + lse, lse - w[s], given=one)
add(
    "lse = ⟨w⟩ + H",
    lse,
    total(soft[s] * w[s], s) + entropy,
    total(soft[s] * w[s], s) - entropy,
    total(w[s], s) + entropy,
    given=one,
)
add(
    "softmax is shift invariant",
    exp(w[s] + beta) / total(exp(w[t] + beta), t),
    soft[s],
    beta * soft[s],
    exp(beta) * soft[s],
    given=one,
)
c_ = tensor("c", n_q)
add(
    "softmax(S + c_i) = softmax(S)",
    exp(S[i, j] + c_[i]) / total(exp(S[i, l] + c_[i]), l),
    A[i, j],
    exp(c_[i]) * A[i, j],
    A[i, j] + c_[i],
    given=att,
)
add(
    "lse(w + β) = lse(w) + β",
    log(total(exp(w[s] + beta), s)),
    lse + beta,
    lse,
    lse - beta,
    given=one,
)
add(
    "Hessian of lse",
    Partial(soft[s], w[t]),
    soft[s] * delta(s, t) - soft[s] * soft[t],
    soft[s] * soft[t] - soft[s] * delta(s, t),
    soft[s] * delta(s, t),
    given=one,
)
add(
    "Σ p log p = Σ p w − lse",
    total(soft[s] * log(soft[s]), s),
    total(soft[s] * w[s], s) - lse,
    total(soft[s] * w[s], s) + lse,
    given=one,
)
X = tensor("X", n)
Zt = define("Zt", (), total(exp(-X[s] / T), s))
Pt = define("Pt", (s,), exp(-X[s] / T) / Zt)
Ht = define("Ht", (), -total(Pt[s] * log(Pt[s]), s))
F = define("F", (), -T * log(Zt))
free = System(Zt, Pt, Ht, F)
add(
    "F = ⟨E⟩ − T H",
    F,
    total(Pt[s] * X[s], s) - T * Ht,
    total(Pt[s] * X[s], s) + T * Ht,
    total(Pt[s] * X[s], s) - Ht,
    given=free,
)
add("∂F/∂E = p", Partial(F.tensor, X[s]), Pt[s], -Pt[s], T * Pt[s], given=free)
add("∂F/∂T = −H", Partial(F.tensor, T), -Ht, Ht, -T * Ht, given=free)
add(
    "KL to the uniform",
    total(soft[s] * log(n * soft[s]), s),
    log(n) - entropy,
    log(n) + entropy,
    -entropy,
    given=one,
)
q = tensor("q", n, positive=True)
add(
    "cross-entropy gradient",
    Partial(define("ce", (), -total(q[s] * log(soft[s]), s)).tensor, w[s]),
    soft[s] * total(q[t], t) - q[s],
    soft[s] - q[s],
    q[s] - soft[s] * total(q[t], t),
    given=one.extended(define("ce", (), -total(q[s] * log(soft[s]), s))),
)
