"""Attention with the scores that people use."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ..syntax import System, define, indices, iverson, sizes, tensor, total
from .record import grow, user

n, n_q, n_k, d, d_v, w, h, g = sizes("n n_q n_k d d_v w h g")
(i,), (j, l) = indices("i", n_q), indices("j l", n_k)
p, q, r = indices("p q r", n)  # positions where queries and keys are the same ones
(a, c), (b,), (e,), (f,) = indices("a c", d), indices("b", d_v), indices("e", h), indices("f", g)
Q, K, V = tensor("Q", n_q, d), tensor("K", n_k, d), tensor("V", n_k, d_v)
ACROSS = grow("n_q n_k d d_v", (64, 64, 16, 16), (512, 512, 64, 64), (2048, 2048, 64, 64))
ALONG = grow("n d d_v", (64, 16, 16), (512, 64, 64), (2048, 64, 64))


def across(score: Any, *before: Any) -> System:
    """Softmax attention of n_q queries with n_k keys for a score S_ij."""
    S = define("S", (i, j), score)
    A = define("A", (i, j), sp.exp(S[i, j]) / total(sp.exp(S[i, l]), l))
    return System(*before, S, A, define("O", (i, b), A[i, j] * V[j, b]))


def along(score: Any, mask: Any = lambda j: 1, *before: Any) -> System:
    """Softmax attention among n positions, where a mask is 1."""
    V = tensor("V", n, d_v)
    S = define("S", (p, q), score)
    Z = define("Z", (p,), total(mask(r) * sp.exp(S[p, r]), r))
    A = define("A", (p, q), mask(q) * sp.exp(S[p, q]) / Z[p])
    return System(*before, S, Z, A, define("O", (p, b), A[p, q] * V[q, b]))


def softmax(S: Any) -> Any:
    import jax

    return jax.nn.softmax(S, axis=-1)


def _scores() -> Any:
    x, y = tensor("Q", n, d), tensor("K", n, d)
    return x[p, a] * y[q, a] / sp.sqrt(d)


@user("attention", "vjp", "O", "Q K V", sizes=ACROSS)
def _plain() -> Any:
    def textbook(Q: Any, K: Any, V: Any) -> Any:
        return softmax(Q @ K.T / Q.shape[1] ** 0.5) @ V

    return across(Q[i, a] * K[j, a] / sp.sqrt(d)), textbook


@user("attention, jvp", "jvp", "O", "Q K V", sizes=ACROSS)
def _jvp() -> Any:
    return _plain()


@user("attention, hvp", "hvp", "L", "Q", sizes=ACROSS)
def _hvp() -> Any:
    system, textbook = _plain()
    T = tensor("T", n_q, d_v)
    loss = define("L", (), total((system["O"][i, b] - T[i, b]) ** 2, i, b))

    def squared(Q: Any, K: Any, V: Any, T: Any) -> Any:
        return ((textbook(Q, K, V) - T) ** 2).sum()

    return system.extended(loss), squared


@user("causal attention", "vjp", "O", "Q K V", sizes=ALONG)
def _causal() -> Any:
    def textbook(Q: Any, K: Any, V: Any) -> Any:
        import jax.numpy as jnp

        S = Q @ K.T / Q.shape[1] ** 0.5
        return softmax(jnp.where(jnp.tri(len(Q), dtype=bool), S, -jnp.inf)) @ V

    return along(_scores(), lambda q: iverson(q <= p)), textbook


@user("attention in a window", "vjp", "O", "Q K V", sizes=ALONG)
def _window() -> Any:
    def textbook(Q: Any, K: Any, V: Any) -> Any:
        import jax.numpy as jnp

        S, n = Q @ K.T / Q.shape[1] ** 0.5, len(Q)
        near = jnp.tri(n, dtype=bool) & ~jnp.tri(n, k=-32, dtype=bool)
        return softmax(jnp.where(near, S, -jnp.inf)) @ V

    return along(_scores(), lambda q: iverson(q <= p) * iverson(p <= q + 31)), textbook


@user("attention with slopes", "vjp", "O", "Q K V s", sizes=ALONG)
def _slopes() -> Any:
    s = sp.Symbol("s", real=True)

    x, y, t = tensor("Q", n, d), tensor("K", n, d), tensor("t", n)
    score = x[p, a] * y[q, a] / sp.sqrt(d) + s * (t[q] - t[p])

    def textbook(Q: Any, K: Any, V: Any, s: Any, t: Any) -> Any:
        import jax.numpy as jnp

        S = Q @ K.T / Q.shape[1] ** 0.5 + s * (t[None, :] - t[:, None])
        return softmax(jnp.where(jnp.tri(len(Q), dtype=bool), S, -jnp.inf)) @ V

    return along(score, lambda q: iverson(q <= p)), textbook


@user("attention with a bias", "vjp", "O", "Q K V B", sizes=ACROSS)
def _bias() -> Any:
    B = tensor("B", n_q, n_k)

    def textbook(Q: Any, K: Any, V: Any, B: Any) -> Any:
        return softmax(Q @ K.T / Q.shape[1] ** 0.5 + B) @ V

    return across(Q[i, a] * K[j, a] / sp.sqrt(d) + B[i, j]), textbook


@user("attention with a table of distances", "vjp", "O", "Q K V R", sizes=ALONG)
def _table() -> Any:
    x, y, R = tensor("Q", n, d), tensor("K", n, d), tensor("R", 2 * n - 1)

    def textbook(Q: Any, K: Any, V: Any, R: Any) -> Any:
        import jax.numpy as jnp

        k = jnp.arange(len(Q))
        return softmax(Q @ K.T / Q.shape[1] ** 0.5 + R[k[:, None] - k + len(Q) - 1]) @ V

    return along(x[p, a] * y[q, a] / sp.sqrt(d) + R[p - q + n - 1]), textbook


@user("attention with a soft cap", "vjp", "O", "Q K V", sizes=ACROSS)
def _cap() -> Any:
    S_0 = define("S_0", (i, j), Q[i, a] * K[j, a] / sp.sqrt(d))

    def textbook(Q: Any, K: Any, V: Any) -> Any:
        import jax.numpy as jnp

        return softmax(30 * jnp.tanh(Q @ K.T / Q.shape[1] ** 0.5 / 30)) @ V

    return across(30 * sp.tanh(S_0[i, j] / 30), S_0), textbook


@user("attention with a metric", "vjp", "O", "Q K V M", sizes=ACROSS)
def _metric() -> Any:
    M = tensor("M", d, d)

    def textbook(Q: Any, K: Any, V: Any, M: Any) -> Any:
        return softmax(Q @ M @ K.T / Q.shape[1]) @ V

    return across(Q[i, a] * M[a, c] * K[j, c] / d), textbook


@user("attention by distance", "vjp", "O", "Q K V", sizes=ACROSS)
def _distance() -> Any:
    def textbook(Q: Any, K: Any, V: Any) -> Any:
        D = (Q**2).sum(1)[:, None] + (K**2).sum(1) - 2 * Q @ K.T
        return softmax(-D / Q.shape[1] ** 0.5) @ V

    return across(-total((Q[i, a] - K[j, a]) ** 2, a) / sp.sqrt(d)), textbook


@user("attention by cosine", "vjp", "O", "Q K V", sizes=ACROSS)
def _cosine() -> Any:
    X = define("X", (i, a), Q[i, a] / sp.sqrt(total(Q[i, c] ** 2, c)))
    Y = define("Y", (j, a), K[j, a] / sp.sqrt(total(K[j, c] ** 2, c)))

    def textbook(Q: Any, K: Any, V: Any) -> Any:
        import jax.numpy as jnp

        X, Y = (x / jnp.linalg.norm(x, axis=1, keepdims=True) for x in (Q, K))
        return softmax(10 * X @ Y.T) @ V

    return across(10 * X[i, a] * Y[j, a], X, Y), textbook


HEADS = grow("n h d", (32, 4, 16), (256, 8, 32), (1024, 8, 64))


@user("attention of several heads", "vjp", "Y", "W_Q W_K W_V W_O", sizes=HEADS, W_Q="narrow",
      W_K="narrow", W_V="narrow", W_O="narrow")  # fmt: skip
def _heads() -> Any:
    m = h * d
    u, v = indices("u v", m)
    X, W_O = tensor("X", n, m), tensor("W_O", h, d, m)
    W_Q, W_K, W_V = (tensor(name, m, h, d) for name in ("W_Q", "W_K", "W_V"))
    Q = define("Q", (e, p, a), X[p, u] * W_Q[u, e, a])
    K = define("K", (e, q, a), X[q, u] * W_K[u, e, a])
    V = define("V", (e, q, a), X[q, u] * W_V[u, e, a])
    S = define("S", (e, p, q), Q[e, p, a] * K[e, q, a] / sp.sqrt(d))
    A = define("A", (e, p, q), sp.exp(S[e, p, q]) / total(sp.exp(S[e, p, r]), r))
    O = define("O", (e, p, a), A[e, p, q] * V[e, q, a])
    Y = define("Y", (p, v), O[e, p, a] * W_O[e, a, v])

    def textbook(X: Any, W_Q: Any, W_K: Any, W_V: Any, W_O: Any) -> Any:
        import jax.numpy as jnp

        Q, K, V = (jnp.einsum("nm,mhd->hnd", X, W) for W in (W_Q, W_K, W_V))
        A = softmax(jnp.einsum("hid,hjd->hij", Q, K) / Q.shape[-1] ** 0.5)
        return jnp.einsum("hid,hdm->im", jnp.einsum("hij,hjd->hid", A, V), W_O)

    return System(Q, K, V, S, A, O, Y), textbook


GROUPS = grow("n g h d", (32, 2, 2, 16), (256, 2, 4, 32), (1024, 2, 4, 64))


@user("grouped queries", "vjp", "O", "Q K V", sizes=GROUPS)
def _groups() -> Any:
    Q, K, V = tensor("Q", g, h, n, d), tensor("K", g, n, d), tensor("V", g, n, d)
    S = define("S", (f, e, p, q), Q[f, e, p, a] * K[f, q, a] / sp.sqrt(d))
    A = define("A", (f, e, p, q), sp.exp(S[f, e, p, q]) / total(sp.exp(S[f, e, p, r]), r))
    O = define("O", (f, e, p, a), A[f, e, p, q] * V[f, q, a])

    def textbook(Q: Any, K: Any, V: Any) -> Any:
        import jax.numpy as jnp

        A = softmax(jnp.einsum("ghid,gjd->ghij", Q, K) / Q.shape[-1] ** 0.5)
        return jnp.einsum("ghij,gjd->ghid", A, V)

    return System(S, A, O), textbook


@user("linear attention", "vjp", "O", "Q K V", sizes=ACROSS, Q="positive", K="positive")
def _linear() -> Any:
    N = define("N", (i, b), Q[i, a] * K[j, a] * V[j, b])
    Z = define("Z", (i,), total(Q[i, a] * K[j, a], a, j))
    O = define("O", (i, b), N[i, b] / Z[i])

    def textbook(Q: Any, K: Any, V: Any) -> Any:
        return Q @ (K.T @ V) / (Q @ K.sum(0))[:, None]

    return System(N, Z, O), textbook


@user("causal linear attention", "vjp", "O", "Q K V", sizes=ALONG, Q="positive", K="positive")
def _causal_linear() -> Any:
    Q, K, V = tensor("Q", n, d), tensor("K", n, d), tensor("V", n, d_v)
    O = define("O", (p, b), total(iverson(q <= p) * Q[p, a] * K[q, a] * V[q, b], q, a))

    def textbook(Q: Any, K: Any, V: Any) -> Any:
        import jax.numpy as jnp

        return (jnp.tril(Q @ K.T)) @ V

    return System(O), textbook
