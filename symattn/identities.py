"""The identities that the prover is held to, each with wrong siblings that it must refute.

One line a statement: `add(name, left, right, wrong, …)`.  Sizes are symbolic throughout; `given`
names the system of definitions and facts that the statement is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy as sp

from .convert import Partial
from .primitives import sigmoid, softplus, step
from .syntax import (
    System,
    argmax,
    define,
    delta,
    det,
    indices,
    iverson,
    logdet,
    maximum,
    sizes,
    tensor,
    total,
)
from .syntax import inverse as matrix_inverse


@dataclass(frozen=True)
class Identity:
    """left = right holds for all sizes; none of `wrong` may stand in place of `right`."""

    name: str
    left: Any
    right: Any
    wrong: tuple[Any, ...]
    given: System | None


@cache
def identities() -> tuple[Identity, ...]:
    """All identities, in the order of the table that `symattn bench prove` prints."""
    found: list[Identity] = []

    def add(name: str, left: Any, right: Any, *wrong: Any, given: System | None = None) -> None:
        found.append(Identity(name, left, right, wrong, given))

    n_q, n_k, d_k, d_v, n, m, d, H = sizes("n_q n_k d_k d_v n m d H")
    (i, i2), (j, l, r) = indices("i p", n_q), indices("j l r", n_k)
    (a, c), (b,) = indices("a c", d_k), indices("b", d_v)
    s, t, u, v = indices("s t u v", n)
    x, y, z = indices("x y z", m)
    (e, f), (h, g) = indices("e f", d), indices("h g", H)
    exp, log, tanh, sqrt = sp.exp, sp.log, sp.tanh, sp.sqrt
    om = tensor("omega")
    T, beta = tensor("T", positive=True), tensor("beta", positive=True)

    # ------------------------------------------------------------------- attention, all sizes
    Q, K, V = tensor("Q", n_q, d_k), tensor("K", n_k, d_k), tensor("V", n_k, d_v)
    dO = tensor("dO", n_q, d_v)
    S = define("S", (i, j), Q[i, a] * K[j, a] / sqrt(d_k))
    A = define("A", (i, j), exp(S[i, j]) / total(exp(S[i, l]), l))
    O = define("O", (i, b), A[i, j] * V[j, b])
    L = define("L", (), total(dO[i, b] * O[i, b], i, b))
    dA = define("dA", (i, j), dO[i, b] * V[j, b])
    dS = define("dS", (i, j), A[i, j] * (dA[i, j] - total(A[i, l] * dA[i, l], l)))
    att = System(S, A, O, L, dA, dS)
    row = total(dO[i, b] * O[i, b], b)
    add("rows of A sum to 1", total(A[i, j], j), 1, 2, n_k, given=att)
    add(
        "rowsum(dO∘O) = rowsum(A∘dA)",
        row,
        total(A[i, j] * dA[i, j], j),
        -total(A[i, j] * dA[i, j], j),
        total(dA[i, j], j),
        given=att,
    )
    add(
        "softmax Jacobian",
        Partial(A[i, j], S[i2, r]),
        delta(i, i2) * A[i, j] * (delta(j, r) - A[i, r]),
        delta(i, i2) * A[i, j] * (delta(j, r) + A[i, r]),
        A[i, j] * (delta(j, r) - A[i, r]),
        delta(i, i2) * A[i, j] * (delta(j, r) - A[i, j]),
        given=att,
    )
    add(
        "softmax gradient dS",
        Partial(L.tensor, S[i, j]),
        dS[i, j],
        A[i, j] * dA[i, j],
        dS[i, j] / sqrt(d_k),
        -dS[i, j],
        given=att,
    )
    add(
        "dQ",
        Partial(L.tensor, Q[i, a]),
        dS[i, j] * K[j, a] / sqrt(d_k),
        dS[i, j] * K[j, a],
        dS[i, j] * K[j, a] / d_k,
        given=att,
    )
    add(
        "dK",
        Partial(L.tensor, K[j, a]),
        dS[i, j] * Q[i, a] / sqrt(d_k),
        dS[i, j] * Q[i, a],
        -dS[i, j] * Q[i, a] / sqrt(d_k),
        given=att,
    )
    add(
        "dV",
        Partial(L.tensor, V[j, b]),
        A[i, j] * dO[i, b],
        S[i, j] * dO[i, b],
        total(A[i, l] * dO[i, b], i, l),
        given=att,
    )
    add("rows of dS sum to 0", total(dS[i, j], j), 0, 1, given=att)
    add(
        "dS with D = rowsum(dO∘O)",
        dS[i, j],
        A[i, j] * (dA[i, j] - row),
        A[i, j] * (dA[i, j] + row),
        A[i, j] * (dA[i, j] - row / d_v),
        given=att,
    )
    add(
        "∂O/∂V",
        Partial(O[i, b], V[j, indices("q", d_v)[0]]),
        A[i, j] * delta(b, indices("q", d_v)[0]),
        A[i, j],
        given=att,
    )
    add(
        "∂S/∂K",
        Partial(S[i, j], K[r, a]),
        delta(j, r) * Q[i, a] / sqrt(d_k),
        delta(j, r) * Q[i, a],
        given=att,
    )
    add("output is a weighted mean", total(A[i, j] * (V[j, b] - O[i, b]), j), 0, O[i, b], given=att)

    # ------------------------------------------------------- statistical mechanics, logsumexp
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

    # --------------------------------------------------------- powers, exponentials, logarithms
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

    # ------------------------------------------------- online softmax, masks, relative positions
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
    masked = define(
        "masked", (s, t), causal * exp(G[s, t]) / total(iverson(u <= s) * exp(G[s, u]), u)
    )
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

    # ------------------------------------------------------------------------- linear algebra
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
    add(
        "W W⁻¹ x = x", total(Wm[s, t] * Um[t, u] * X[u], t, u), X[s], -X[s], 2 * X[s], given=inverse
    )
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
    change = total(
        Ci[s, u] * Ua[u, e] * matrix_inverse(small)[e, f] * Va[f, v] * Ci[v, t], u, e, f, v
    )
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

    # -------------------------------------------------------------- heads, layers, projections
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

    # --------------------------------------------------------------------- maxima
    Max, Min = sp.Max, sp.Min
    X2, al, be = tensor("X2", n, m), tensor("alpha"), tensor("beta_2")
    w1, w2 = tensor("w1", n), tensor("w2", n)
    add("min + max", Min(al, be) + Max(al, be), al + be, al - be, 2 * Max(al, be))
    add("relu(x) - relu(-x) = x", Max(0, al) - Max(0, -al), al, -al, 2 * Max(0, al))
    add(
        "maximum of a shift",
        maximum(X2[s, x] + w1[s], x),
        w1[s] + maximum(X2[s, y], y),
        maximum(X2[s, y], y),
        w1[s] - maximum(-X2[s, y], y),
    )
    add(
        "maximum of a positive multiple",
        maximum(T * X2[s, x], x),
        T * maximum(X2[s, x], x),
        maximum(X2[s, x], x),
        -T * maximum(-X2[s, x], x),
    )
    add(
        "the largest entry is the largest row maximum",
        maximum(X2[s, x], s, x),
        maximum(maximum(X2[s, x], x), s),
        total(maximum(X2[s, x], x), s),
    )
    add(
        "a maximum inside a maximum",
        maximum(w1[s] + maximum(X2[s, x], x), s),
        maximum(w1[s] + X2[s, x], s, x),
        maximum(w1[s], s) + maximum(X2[s, x], s, x),
        maximum(w1[s] * X2[s, x], s, x),
    )
    add(
        "the largest of independent parts",
        maximum(w1[s] + w2[t], s, t),
        maximum(w1[s], s) + maximum(w2[t], t),
        maximum(w1[s] + w2[s], s),
        Max(maximum(w1[s], s), maximum(w2[s], s)),
    )
    add("one argmax in every row", total(argmax(y, X2[s, x], x), y), 1, m)
    add(
        "the value at the argmax",
        total(argmax(y, X2[s, x], x) * X2[s, y], y),
        maximum(X2[s, x], x),
        -maximum(-X2[s, x], x),
        total(X2[s, x], x),
    )
    add(
        "argmax is blind to shift and scale",
        argmax(y, T * X2[s, x] - w1[s], x),
        argmax(y, X2[s, x], x),
        argmax(y, -X2[s, x], x),
        argmax(y, X2[s, x] * w1[s], x),
    )
    top = define("top", (s,), maximum(X2[s, x], x))
    add(
        "softmax below its maximum",
        exp(X2[s, x] - top[s]) / total(exp(X2[s, y] - top[s]), y),
        exp(X2[s, x]) / total(exp(X2[s, y]), y),
        exp(X2[s, x]) / total(exp(X2[s, y] - top[s]), y),
        exp(X2[s, x] + top[s]) / total(exp(X2[s, y]), y),
        given=System(top),
    )
    add(
        "logsumexp below the maximum",
        log(total(exp(X2[s, x]), x)),
        top[s] + log(total(exp(X2[s, x] - top[s]), x)),
        log(total(exp(X2[s, x] - top[s]), x)),
        top[s],
        given=System(top),
    )
    m1, m2 = define("m1", (), maximum(w1[s], s)), define("m2", (), maximum(w2[s], s))
    both = define("both", (), Max(m1.tensor, m2.tensor))
    add(
        "online softmax with its running maximum",
        exp(m1 - both) * total(exp(w1[s] - m1), s) + exp(m2 - both) * total(exp(w2[s] - m2), s),
        total(exp(w1[s] - both), s) + total(exp(w2[s] - both), s),
        total(exp(w1[s] - m1), s) + total(exp(w2[s] - both), s),
        total(exp(w1[s] - m1), s) + total(exp(w2[s] - m2), s),
        given=System(m1, m2, both),
    )
    add(
        "gradient of a maximum",
        Partial(top[s], X2[t, y]),
        delta(s, t) * argmax(y, X2[s, x], x),
        argmax(y, X2[s, x], x),
        -delta(s, t) * argmax(y, X2[s, x], x),
        delta(s, t) * argmax(y, -X2[s, x], x),
        given=System(top),
    )
    rect = define("rect", (s,), Max(0, M1[s, x] * tensor("theta", m)[x]))
    add(
        "gradient of a rectified layer",
        Partial(rect[s], tensor("theta", m)[y]),
        M1[s, y] * (1 - step(-total(M1[s, x] * tensor("theta", m)[x], x))),
        M1[s, y],
        -M1[s, y] * step(total(M1[s, x] * tensor("theta", m)[x], x)),
        M1[s, y] * step(-total(M1[s, x] * tensor("theta", m)[x], x)),
        given=System(rect),
    )
    del W, k, z, v, c, g
    return tuple(found)
