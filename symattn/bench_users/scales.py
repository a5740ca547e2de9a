"""Scales and noise with parameters of their own, written down before any plan of theirs was looked
at."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ..functions import softplus
from ..syntax import System, define, delta, indices, inverse, logdet, sizes, tensor, total
from .record import grow, user

n, d, k = sizes("n d k")
(i, j), (a, b, e), (c, g, h) = indices("i j", n), indices("a b e", d), indices("c g h", k)
X, y = tensor("X", n, d), tensor("y", n)


def _hot(x: Any) -> Any:
    return (x == x.max(1, keepdims=True)) * 1.0


def _signs(x: Any) -> Any:
    import numpy as np

    return np.sign(x)


@user("rational quadratic kernel", "vjp", "L", "X s t z",
      sizes=grow("n d", (24, 3), (320, 8), (1536, 16)))  # fmt: skip
def _quadratic() -> Any:
    """Of a length and a power that are learned by their logarithms."""
    s, t, z = tensor("s"), tensor("t"), tensor("z", n)
    D = define("D", (i, j), total((X[i, a] - X[j, a]) ** 2, a))
    log = sp.log(1 + D[i, j] * sp.exp(-2 * s - t) / 2)
    K = define("K", (i, j), sp.exp(-sp.exp(t) * log))
    L = define("L", (), total(z[i] * K[i, j] * z[j], i, j) / 2 - total(y[i] * z[i], i))

    def textbook(X: Any, y: Any, s: Any, t: Any, z: Any) -> Any:
        import jax.numpy as jnp

        D = ((X[:, None] - X) ** 2).sum(-1)
        K = (1 + D / (2 * jnp.exp(t) * jnp.exp(2 * s))) ** -jnp.exp(t)
        return z @ K @ z / 2 - y @ z

    return System(D, K, L), textbook


@user("mixture of Student's", "vjp", "L", "m s w",
      sizes=grow("n k", (32, 3), (4096, 8), (65536, 16)))  # fmt: skip
def _student() -> Any:
    m, s, w = tensor("m", k), tensor("s", k), tensor("w", k)
    far = sp.log(1 + (y[i] - m[c]) ** 2 * sp.exp(-2 * s[c]) / 3)
    T = define("T", (i, c), w[c] - s[c] - 2 * far)
    log = sp.log(total(sp.exp(T[i, c]), c)) - sp.log(total(sp.exp(w[c]), c))
    L = define("L", (), -total(log, i) / n)

    def textbook(y: Any, m: Any, s: Any, w: Any) -> Any:
        import jax
        import jax.numpy as jnp

        far = jnp.log1p(((y[:, None] - m) * jnp.exp(-s)) ** 2 / 3)
        return -jax.nn.logsumexp(jax.nn.log_softmax(w) - s - 2 * far, 1).mean()

    return System(T, L), textbook


@user("noisy labels", "vjp", "L", "Z T", Y=_hot,
      sizes=grow("n k", (16, 4), (1024, 64), (8192, 128)))  # fmt: skip
def _noisy() -> Any:
    """Classes that a learned table turns into labels."""
    Z, T, Y = tensor("Z", n, k), tensor("T", k, k), tensor("Y", n, k)
    P = define("P", (i, c), sp.exp(Z[i, c]) / total(sp.exp(Z[i, g]), g))
    R = define("R", (c, g), sp.exp(T[c, g]) / total(sp.exp(T[c, h]), h))
    L = define("L", (), -total(Y[i, g] * sp.log(total(P[i, c] * R[c, g], c)), i, g) / n)

    def textbook(Z: Any, T: Any, Y: Any) -> Any:
        import jax
        import jax.numpy as jnp

        return -(Y * jnp.log(jax.nn.softmax(Z) @ jax.nn.softmax(T))).sum() / len(Z)

    return System(P, R, L), textbook


@user("steps of hidden states", "vjp", "L", "T U V W",
      sizes=grow("n k", (16, 4), (512, 24), (4096, 64)))  # fmt: skip
def _hidden() -> Any:
    T, U, V, W = tensor("T", k, k), *(tensor(x, n, k) for x in "UVW")
    A = define("A", (i, c), V[i, c] + sp.log(total(sp.exp(U[i, g] + T[g, c]), g)))
    B = define("B", (i, c), W[i, c] + sp.log(total(sp.exp(A[i, g] + T[g, c]), g)))
    L = define("L", (), -total(sp.log(total(sp.exp(B[i, c]), c)), i) / n)

    def textbook(T: Any, U: Any, V: Any, W: Any) -> Any:
        import jax

        for more in (V, W):
            U = more + jax.nn.logsumexp(U[:, :, None] + T, 1)
        return -jax.nn.logsumexp(U, 1).mean()

    return System(A, B, L), textbook


@user("weights of a logistic model", "vjp", "L", "m v", t=_signs, X="narrow",
      sizes=grow("n d k", (32, 4, 3), (1024, 32, 8), (8192, 64, 16)))  # fmt: skip
def _weights() -> Any:
    """A bound on the evidence, by samples of weights with a mean and a variance each."""
    m, v, E, t = tensor("m", d), tensor("v", d), tensor("E", k, d), tensor("t", n)
    W = define("W", (c, a), m[a] + sp.exp(v[a] / 2) * E[c, a])
    Z = define("Z", (c, i), t[i] * total(X[i, a] * W[c, a], a))
    prior = total(sp.exp(v[a]) + m[a] ** 2 - 1 - v[a], a) / 2
    L = define("L", (), total(softplus(-Z[c, i]), c, i) / k + prior)

    def textbook(X: Any, t: Any, m: Any, v: Any, E: Any) -> Any:
        import jax
        import jax.numpy as jnp

        Z = t * ((m + jnp.exp(v / 2) * E) @ X.T)
        prior = (jnp.exp(v) + m**2 - 1 - v).sum() / 2
        return jax.nn.softplus(-Z).sum() / len(E) + prior

    return System(W, Z, L), textbook


@user("step of a filter", "vjp", "L", "A x", A="narrow",
      sizes=grow("n d", (8, 3), (64, 24), (256, 128)))  # fmt: skip
def _filter() -> Any:
    """Likelihood of what comes after x, with noise of variance 1 before and after A."""
    A, x, Y = tensor("A", d, d), tensor("x", n, d), tensor("Y", n, d)
    P = define("P", (a, b), total(A[a, e] * A[b, e], e) + delta(a, b))
    R = define("R", (i, a), Y[i, a] - total(A[a, b] * x[i, b], b))
    far = total(R[i, a] * inverse(P)[a, b] * R[i, b], i, a, b)
    L = define("L", (), far / 2 + n * logdet(P) / 2)

    def textbook(A: Any, x: Any, Y: Any) -> Any:
        import jax.numpy as jnp

        P = A @ A.T + jnp.eye(len(A), dtype=A.dtype)
        R = Y - x @ A.T
        far = (R * jnp.linalg.solve(P, R.T).T).sum()
        return far / 2 + len(x) * jnp.linalg.slogdet(P)[1] / 2

    return System(P, R, L), textbook
