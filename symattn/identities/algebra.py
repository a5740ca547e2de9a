"""Linear algebra: traces, inverses, determinants, metrics."""

from __future__ import annotations

import sympy as sp

from ..convert import Partial
from ..syntax import System, define, delta, det, iverson, logdet, tensor, total
from ..syntax import inverse as matrix_inverse
from .ensembles import X
from .identity import Identities
from .letters import beta, d, e, f, m, n, s, t, u, v, x, y
from .powers import k1, k2

IDENTITIES = Identities()
add = IDENTITIES.add

M1, M2, M3 = tensor("M1", n, m), tensor("M2", m, d), tensor("M3", d, n)
B, C, I_ = tensor("B", n, n), tensor("C", n, n), tensor("D", n, n)
add(
    "tr(ABC) = tr(BCA)",
    total(M1[s, x] * M2[x, e] * M3[e, s], s, x, e),
    total(M2[x, e] * M3[e, t] * M1[t, x], x, e, t),
    -total(M1[s, x] * M2[x, e] * M3[e, s], s, x, e),
)
add(
    "tr(BCD) ≠ tr(CBD)",
    total(B[s, t] * C[t, u] * I_[u, s], s, t, u),
    total(C[s, t] * I_[t, u] * B[u, s], s, t, u),
    total(C[s, t] * B[t, u] * I_[u, s], s, t, u),
)
N1 = tensor("N1", n, m)
X1 = tensor("X1", m, n)
tr = define("tr", (), total(N1[s, x] * X1[x, s], s, x))
add(
    "∂ tr(AX)/∂X = Aᵀ",
    Partial(tr.tensor, X1[x, s]),
    N1[s, x],
    -N1[s, x],
    2 * N1[s, x],
    given=System(tr),
)
form = define("form", (), total(X[s] * B[s, t] * X[t], s, t))
add(
    "∂ xᵀBx/∂x = (B + Bᵀ)x",
    Partial(form.tensor, X[s]),
    B[s, t] * X[t] + B[t, s] * X[t],
    2 * B[s, t] * X[t],
    B[s, t] * X[t],
    given=System(form),
)
Y_ = tensor("Y", n, n, symmetric=True)
sform = define("sform", (), total(X[s] * Y_[s, t] * X[t], s, t))
add(
    "∂ xᵀYx/∂x = 2Yx for symmetric Y",
    Partial(sform.tensor, X[s]),
    2 * Y_[s, t] * X[t],
    Y_[s, t] * X[t],
    given=System(sform),
)
skew = tensor("F", n, n, antisymmetric=True)
add("xᵀFx = 0 for antisymmetric F", total(skew[s, t] * X[s] * X[t], s, t), 0, 1)
add("F against a symmetric tensor", total(skew[s, t] * Y_[s, t], s, t), 0, n)
add(
    "xᵀBx sees the symmetric part",
    total(X[s] * B[s, t] * X[t], s, t),
    total(X[s] * (B[s, t] + B[t, s]) * X[t], s, t) / 2,
    total(X[s] * (B[s, t] - B[t, s]) * X[t], s, t) / 2,
)
add(
    "‖x − y‖² multiplied out",
    total((k1[s] - k2[s]) ** 2, s),
    total(k1[s] ** 2, s) - 2 * total(k1[s] * k2[s], s) + total(k2[s] ** 2, s),
    total(k1[s] ** 2, s) + total(k2[s] ** 2, s),
    total(k1[s] ** 2, s) - total(k2[s] ** 2, s),
)
add(
    "variance = mean square − squared mean",
    total((k1[s] - total(k1[t], t) / n) ** 2, s) / n,
    total(k1[s] ** 2, s) / n - (total(k1[s], s) / n) ** 2,
    total(k1[s] ** 2, s) / n,
)
add("centred values sum to 0", total(k1[s] - total(k1[t], t) / n, s), 0, total(k1[s], s))
add(
    "a product of sums is a double sum",
    total(k1[s], s) * total(k2[t], t),
    total(k1[s] * k2[t], s, t),
    total(k1[s] * k2[s], s),
)
add("trace of the identity", total(delta(s, t) * delta(t, s), s, t), n, n**2, 1)
add(
    "a square is twice its strict half and the diagonal",
    total(X[s], s) ** 2,
    2 * total(X[s] * X[t] * iverson(s < t), s, t) + total(X[s] ** 2, s),
    2 * total(X[s] * X[t] * iverson(s <= t), s, t),
    total(X[s] * X[t] * iverson(s < t), s, t) * 2,
)
add(
    "both halves of a matrix",
    total(B[s, t], s, t),
    total(B[s, t] * iverson(s < t), s, t) + total(B[t, s] * iverson(s <= t), s, t),
    total(B[s, t] * iverson(s < t), s, t) + total(B[s, t] * iverson(s <= t), s, t),
)
add("δ contracts", delta(s, t) * B[t, u], B[s, u], B[u, s], total(B[t, u], t))
add(
    "δ identifies its letters",
    delta(s, t) * B[s, u],
    delta(s, t) * B[t, u],
    delta(s, t) * B[u, s],
)
add(
    "(AB)ᵀ = BᵀAᵀ",
    total(M1[s, x] * M2[x, e], x),
    total(M2[y, e] * M1[s, y], y),
    total(M2[y, e], y) * total(M1[s, y], y),
)
Wm, Um = tensor("W", n, n), tensor("U", n, n)
inverse = System(facts=[sp.Eq(total(Wm[s, t] * Um[t, u], t), delta(s, u))])
add("W W⁻¹ x = x", total(Wm[s, t] * Um[t, u] * X[u], t, u), X[s], -X[s], 2 * X[s], given=inverse)
Bi = matrix_inverse(B)
add("B⁻¹B = 1", Bi[s, t] * B[t, u], delta(s, u), B[s, u], Bi[t, s] * B[t, u], -delta(s, u))
add(
    "tr(B⁻¹ C B) = tr C",
    total(Bi[s, t] * C[t, u] * B[u, s], s, t, u),
    total(C[s, s], s),
    total(Bi[s, t] * C[t, u] * B[s, u], s, t, u),
    -total(C[s, s], s),
)
logdet_B = define("logdetB", (), logdet(B))
add(
    "∂ log det B/∂B = B⁻ᵀ",
    Partial(logdet_B.tensor, B[s, t]),
    Bi[t, s],
    Bi[s, t],
    -Bi[t, s],
    given=System(logdet_B),
)
det_B = define("detB", (), det(B))
add(
    "∂ det B/∂B = det B B⁻ᵀ",
    Partial(det_B.tensor, B[s, t]),
    det(B) * Bi[t, s],
    Bi[t, s],
    det(B) * Bi[s, t],
    given=System(det_B),
)
solved = define("solved", (s,), Bi[s, t] * X[t])
add(
    "∂(B⁻¹x)/∂B",
    Partial(solved[s], B[t, u]),
    -Bi[s, t] * solved[u],
    Bi[s, t] * solved[u],
    -Bi[t, s] * solved[u],
    given=System(solved),
)
gain = define("G", (s, t), C[s, u] * C[t, u] + beta * delta(s, t))
Gi = matrix_inverse(gain)
ridge = define("ridge", (s,), Gi[s, t] * X[t])
add(
    "∂(CCᵀ + β)⁻¹x/∂β",
    Partial(ridge[s], beta),
    -Gi[s, t] * ridge[t],
    Gi[s, t] * ridge[t],
    -Gi[s, t] * X[t],
    given=System(gain, ridge),
)
Ua, Va = tensor("Ua", n, d), tensor("Va", d, n)
outer = define("outer", (s, t), delta(s, t) + Ua[s, e] * Va[e, t])
inner = define("inner", (e, f), delta(e, f) + Va[e, s] * Ua[s, f])
Po, Pn = matrix_inverse(outer), matrix_inverse(inner)
add(
    "push-through: (1 + UV)⁻¹U = U(1 + VU)⁻¹",
    Po[s, t] * Ua[t, e],
    Ua[s, f] * Pn[f, e],
    Ua[s, f] * Pn[e, f],
    Po[t, s] * Ua[t, e],
    given=System(outer, inner),
)
core = tensor("core", d, d)
whole = define("whole", (s, t), C[s, t] + Ua[s, e] * core[e, f] * Va[f, t])
Ci = matrix_inverse(C)
small = define("small", (e, f), matrix_inverse(core)[e, f] + Va[e, s] * Ci[s, t] * Ua[t, f])
change = total(Ci[s, u] * Ua[u, e] * matrix_inverse(small)[e, f] * Va[f, v] * Ci[v, t], u, e, f, v)
add(
    "Woodbury: (C + UDV)⁻¹",
    matrix_inverse(whole)[s, t],
    Ci[s, t] - change,
    Ci[s, t] + change,
    Ci[s, t],
    given=System(whole, small),
)
metric = tensor("gl", n, n, symmetric=True)
upper = tensor("gu", n, n, symmetric=True)
raised = System(facts=[sp.Eq(total(upper[s, t] * metric[t, u], t), delta(s, u))])
add(
    "raising and lowering cancel",
    total(upper[s, t] * metric[t, u] * X[u], t, u),
    X[s],
    n * X[s],
    given=raised,
)
add("g^{ab} g_{ab} = n", total(upper[s, t] * metric[s, t], s, t), n, n**2, 1, given=raised)
prob = tensor("pi", n, positive=True)
normalised = System(facts=[sp.Eq(total(prob[s], s), 1)])
add(
    "shifted mean under Σp = 1",
    total(prob[s] * (X[s] + beta), s),
    total(prob[s] * X[s], s) + beta,
    total(prob[s] * X[s], s),
    total(prob[s] * X[s], s) + n * beta,
    given=normalised,
)
add(
    "variance under Σp = 1",
    total(prob[s] * (X[s] - total(prob[t] * X[t], t)) ** 2, s),
    total(prob[s] * X[s] ** 2, s) - total(prob[s] * X[s], s) ** 2,
    total(prob[s] * X[s] ** 2, s),
    given=normalised,
)
