"""The systems of the tables."""

from __future__ import annotations

import sympy as sp

from ..syntax import Definition, System, define, indices, sizes, tensor, total


def attention() -> tuple[System, Definition]:
    """softmax(Q Kᵀ / √d) V, and its output."""
    n_q, n_k, d_k, d_v = sizes("n_q n_k d_k d_v")
    (i,), (j, l) = indices("i", n_q), indices("j l", n_k)
    (a,), (b,) = indices("a", d_k), indices("b", d_v)
    Q, K, V = tensor("Q", n_q, d_k), tensor("K", n_k, d_k), tensor("V", n_k, d_v)
    S = define("S", (i, j), Q[i, a] * K[j, a] / sp.sqrt(d_k))
    A = define("A", (i, j), sp.exp(S[i, j]) / total(sp.exp(S[i, l]), l))
    O = define("O", (i, b), A[i, j] * V[j, b])
    return System(S, A, O), O


def layer() -> tuple[System, Definition]:
    """Attention of several heads with projections, for a batch, and its output."""
    b, n, h, m, d = sizes("b n h m d")
    (z,), (i, j, l), (e,) = indices("z", b), indices("i j l", n), indices("e", h)
    (p, q), (a,) = indices("p q", m), indices("a", d)
    X, W_O = tensor("X", b, n, m), tensor("W_O", h, d, m)
    W_Q, W_K, W_V = (tensor(name, m, h, d) for name in ("W_Q", "W_K", "W_V"))
    Q = define("Q", (z, e, i, a), X[z, i, p] * W_Q[p, e, a])
    K = define("K", (z, e, j, a), X[z, j, p] * W_K[p, e, a])
    V = define("V", (z, e, j, a), X[z, j, p] * W_V[p, e, a])
    S = define("S", (z, e, i, j), Q[z, e, i, a] * K[z, e, j, a] / sp.sqrt(d))
    A = define("A", (z, e, i, j), sp.exp(S[z, e, i, j]) / total(sp.exp(S[z, e, i, l]), l))
    O = define("O", (z, e, i, a), A[z, e, i, j] * V[z, e, j, a])
    Y = define("Y", (z, i, q), O[z, e, i, a] * W_O[e, a, q])
    return System(Q, K, V, S, A, O, Y), Y


def logistic() -> System:
    """The loss of logistic regression."""
    d, m = sizes("d m")
    (i,), (a,) = indices("i", m), indices("a", d)
    X, w, y = tensor("X", m, d), tensor("w", d), tensor("y", m)
    z = define("z", (i,), X[i, a] * w[a])
    return System(z, define("L", (), total(sp.log(1 + sp.exp(z[i])) - y[i] * z[i], i)))


def factorisation() -> System:
    """The squared error of U Vᵀ."""
    n, m, r = sizes("n m r")
    (i,), (j,), (k,) = indices("i", n), indices("j", m), indices("k", r)
    U, V, X = tensor("U", n, r), tensor("V", m, r), tensor("X", n, m)
    error = define("E", (i, j), total(U[i, k] * V[j, k], k) - X[i, j])
    return System(error, define("L", (), total(error[i, j] ** 2, i, j)))


def cross_entropy() -> System:
    """The cross-entropy of logits z against weights y."""
    (n,) = sizes("n")
    i, k = indices("i k", n)
    z, y = tensor("z", n), tensor("y", n)
    p = define("p", (i,), sp.exp(z[i]) / total(sp.exp(z[k]), k))
    return System(p, define("L", (), -total(y[i] * sp.log(p[i]), i)))


def network() -> System:
    """The cross-entropy of a network with two hidden layers."""
    n, d, h, g, c = sizes("n d h g c")
    (i,), (a,), (p,), (q,) = indices("i", n), indices("a", d), indices("p", h), indices("q", g)
    k, l = indices("k l", c)
    X, T = tensor("X", n, d), tensor("T", n, c)
    W_1, W_2, W_3 = tensor("W_1", d, h), tensor("W_2", h, g), tensor("W_3", g, c)
    H_1 = define("H_1", (i, p), sp.tanh(total(X[i, a] * W_1[a, p], a)))
    H_2 = define("H_2", (i, q), sp.tanh(total(H_1[i, p] * W_2[p, q], p)))
    Z = define("Z", (i, k), H_2[i, q] * W_3[q, k])
    loss = total(T[i, k] * (sp.log(total(sp.exp(Z[i, l]), l)) - Z[i, k]), i, k)
    return System(H_1, H_2, Z, define("L", (), loss))
