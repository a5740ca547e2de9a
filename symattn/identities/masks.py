"""Online softmax, masks, relative positions."""

from __future__ import annotations

from typing import Any

from ..syntax import System, define, delta, indices, iverson, tensor, total
from .attention import K, Q, S, att
from .ensembles import c_
from .identity import Identities
from .letters import a, d, d_k, e, exp, i, j, log, n, n_k, n_q, s, t, u
from .powers import k1

IDENTITIES = Identities()
add = IDENTITIES.add

m1, m2, m3, m12, m23, mm = (tensor(name) for name in ("m1", "m2", "m3", "m12", "m23", "mm"))
l1, l2, l3 = (tensor(name, positive=True) for name in ("l1", "l2", "l3"))


def merge(p: Any, mp: Any, q: Any, mq: Any, to: Any) -> Any:
    return p * exp(mp - to) + q * exp(mq - to)


add(
    "online softmax merge is associative",
    merge(merge(l1, m1, l2, m2, m12), m12, l3, m3, mm),
    merge(l1, m1, merge(l2, m2, l3, m3, m23), m23, mm),
    merge(l1, m1, merge(l2, m2, l3, m3, m23), m2, mm),
    merge(l1, m1, merge(l2, m2, l3, m3, m23), m23, m1),
)
add("online softmax merge has an identity", merge(l1, m1, 0, m2, m1), l1, l1 * exp(m1))
o1, o2 = tensor("o1", d), tensor("o2", d)
add(
    "merged outputs are weighted means",
    (o1[e] * l1 * exp(m1 - mm) + o2[e] * l2 * exp(m2 - mm)) / merge(l1, m1, l2, m2, mm),
    (o1[e] * l1 * exp(m1) + o2[e] * l2 * exp(m2)) / (l1 * exp(m1) + l2 * exp(m2)),
    (o1[e] * l1 + o2[e] * l2) / (l1 + l2),
)
shift = define("shift", (i,), total(exp(S[i, j] - c_[i]), j))
add(
    "the maximum may be subtracted",
    log(shift[i]) + c_[i],
    log(total(exp(S[i, j]), j)),
    log(shift[i]),
    log(shift[i]) - c_[i],
    given=att.extended(shift),
)
G = tensor("G", n, n)
causal = iverson(t <= s)
masked = define("masked", (s, t), causal * exp(G[s, t]) / total(iverson(u <= s) * exp(G[s, u]), u))
full = define("full", (s, t), exp(G[s, t]) / total(exp(G[s, u]), u))
masks = System(masked, full)
add(
    "causal softmax = renormalised softmax",
    masked[s, t],
    causal * full[s, t] / total(iverson(u <= s) * full[s, u], u),
    causal * full[s, t],
    full[s, t] / total(iverson(u <= s) * full[s, u], u),
    given=masks,
)
add("rows of the causal softmax sum to 1", total(masked[s, t], t), 1, n, given=masks)
until = define("until", (s,), total(iverson(u <= s) * k1[u], u))
since = define("since", (s,), total(iverson(t <= s) * exp(until[s] - until[t]) * G[t, t], t))
below = define("below", (s,), total(iverson(u < s) * k1[u], u))
before = define("before", (s,), total(iverson(t < s) * exp(below[s] - until[t]) * G[t, t], t))
add(
    "one step of a memory that forgets",
    since[s],
    exp(k1[s]) * before[s] + G[s, s],
    before[s] + G[s, s],
    exp(k1[s]) * (before[s] + G[s, s]),
    given=System(until, since, below, before),
)
add("a mask squared is the mask", causal**2 * G[s, t], causal * G[s, t], G[s, t])
add("a mask and its complement", iverson(t <= s) + iverson(t > s), 1, 2)
add(
    "below, on and above the diagonal",
    total((iverson(t < s) + delta(s, t) + iverson(t > s)) * G[s, t], t),
    total(G[s, t], t),
    G[s, s],
)
gate = tensor("gate", n)
add(
    "σ before and after, and its complement",
    total((iverson(t <= s) + iverson(s < t)) * k1[t] / (1 + exp(-gate[s])), s, t)
    + total(k1[t] / (1 + exp(gate[s])), s, t),
    n * total(k1[t], t),
    total(k1[t], t),
    n * total(k1[t] / (1 + exp(gate[s])), s, t),
)
(k,) = indices("k", n_q + n_k - 1)
R = tensor("R", n_q + n_k - 1, d_k)
add(
    "relative positions split off",
    Q[i, a] * (K[j, a] + R[i - j + n_k - 1, a]),
    Q[i, a] * K[j, a] + total(Q[i, a] * R[i - j + n_k - 1, a], a),
    Q[i, a] * K[j, a] + total(Q[i, a] * R[j - i + n_q - 1, a], a),
    Q[i, a] * K[j, a],
)
toeplitz = tensor("rho", n_q + n_k - 1)
add(
    "a Toeplitz table is a relative bias",
    exp(S[i, j] + toeplitz[i - j + n_k - 1]),
    exp(S[i, j]) * exp(toeplitz[i - j + n_k - 1]),
    exp(S[i, j]) + exp(toeplitz[i - j + n_k - 1]),
    given=att,
)
