"""Losses and layers of more fields, written down before any plan of theirs was looked at."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ..primitives import sigmoid
from ..syntax import System, define, indices, sizes, tensor, total
from .record import grow, user

n, m, d, k = sizes("n m d k")
(i, j, l), (p, q), (a, b), (c, e) = (
    indices("i j l", n), indices("p q", m), indices("a b", d), indices("c e", k)
)  # fmt: skip
X, w, y = tensor("X", n, d), tensor("w", d), tensor("y", n)
ROWS = grow("n d", (64, 16), (1024, 256), (8192, 1024))
TABLE = grow("n k", (64, 8), (1024, 64), (8192, 256))
CLOUDS = grow("n m d", (32, 24, 4), (512, 384, 16), (2048, 1536, 64))


def _signs(x: Any) -> Any:
    return 1.0 - 2 * (x > 0)


@user("probit regression", "vjp", "L", "w", sizes=ROWS, y=_signs, w="narrow")
def _probit() -> Any:
    z = define("z", (i,), y[i] * total(X[i, a] * w[a], a))
    L = define("L", (), -total(sp.log((1 + sp.erf(z[i] / sp.sqrt(2))) / 2), i))

    def textbook(X: Any, w: Any, y: Any) -> Any:
        import jax

        return -jax.scipy.stats.norm.logcdf(y * (X @ w)).sum()

    return System(z, L), textbook


@user("regression with outliers", "vjp", "L", "w", sizes=ROWS, w="narrow")
def _outliers() -> Any:
    r = define("r", (i,), X[i, a] * w[a] - y[i])
    L = define("L", (), total(sp.log(1 + r[i] ** 2 / 4) * sp.Rational(5, 2), i))

    def textbook(X: Any, w: Any, y: Any) -> Any:
        import jax.numpy as jnp

        return 2.5 * jnp.log1p((X @ w - y) ** 2 / 4).sum()

    return System(r, L), textbook


@user("evidence of classes", "vjp", "L", "Z", sizes=TABLE, Y=abs)
def _evidence() -> Any:
    """The expected squared error under a Dirichlet distribution of the probabilities."""
    Z, Y = tensor("Z", n, k), tensor("Y", n, k)
    A = define("A", (i, c), 1 + sp.log(1 + sp.exp(Z[i, c])))
    S = define("S", (i,), total(A[i, c], c))
    error = (Y[i, c] - A[i, c] / S[i]) ** 2
    L = define("L", (), total(error + A[i, c] * (S[i] - A[i, c]) / (S[i] ** 2 * (S[i] + 1)), i, c))

    def textbook(Z: Any, Y: Any) -> Any:
        import jax

        A = 1 + jax.nn.softplus(Z)
        S = A.sum(1, keepdims=True)
        return ((Y - A / S) ** 2 + A * (S - A) / (S**2 * (S + 1))).sum()

    return System(A, S, L), textbook


@user("mixture of experts", "vjp", "Y", "X G W", W="narrow", G="narrow",
      sizes=grow("n d k m", (16, 8, 4, 8), (256, 64, 8, 64), (1024, 256, 8, 256)))  # fmt: skip
def _experts() -> Any:
    G, W = tensor("G", d, k), tensor("W", k, d, m)
    Z = define("Z", (i, c), X[i, a] * G[a, c])
    P = define("P", (i, c), sp.exp(Z[i, c]) / total(sp.exp(Z[i, e]), e))
    H = define("H", (i, c, p), sp.Max(0, total(X[i, a] * W[c, a, p], a)))
    Y = define("Y", (i, p), total(P[i, c] * H[i, c, p], c))

    def textbook(X: Any, G: Any, W: Any) -> Any:
        import jax
        import jax.numpy as jnp

        H = jax.nn.relu(jnp.einsum("ia,cap->icp", X, W))
        return jnp.einsum("ic,icp->ip", jax.nn.softmax(X @ G), H)

    return System(Z, P, H, Y), textbook


@user("cell with a memory", "vjp", "H", "X W_x W_h", W_x="narrow", W_h="narrow",
      sizes=grow("n d m", (16, 8, 8), (256, 64, 64), (1024, 256, 256)))  # fmt: skip
def _memory() -> Any:
    """A step of an LSTM."""
    (g,) = indices("g", 4)
    W_x, W_h = tensor("W_x", d, 4, m), tensor("W_h", m, 4, m)
    H_0, C_0 = tensor("H_0", n, m), tensor("C_0", n, m)
    before = total(H_0[i, q] * W_h[q, g, p], q)
    G = define("G", (i, g, p), total(X[i, a] * W_x[a, g, p], a) + before)
    C = define("C", (i, p), sigmoid(G[i, 0, p]) * C_0[i, p]
               + sigmoid(G[i, 1, p]) * sp.tanh(G[i, 2, p]))  # fmt: skip
    H = define("H", (i, p), sigmoid(G[i, 3, p]) * sp.tanh(C[i, p]))

    def textbook(X: Any, W_x: Any, W_h: Any, H_0: Any, C_0: Any) -> Any:
        import jax
        import jax.numpy as jnp

        g = jnp.einsum("ia,agp->igp", X, W_x) + jnp.einsum("iq,qgp->igp", H_0, W_h)
        s = jax.nn.sigmoid
        return s(g[:, 3]) * jnp.tanh(s(g[:, 0]) * C_0 + s(g[:, 1]) * jnp.tanh(g[:, 2]))

    return System(G, C, H), textbook


@user("clustering by distance", "vjp", "L", "X Y", sizes=CLOUDS, T=abs)
def _clustering() -> Any:
    """Weights 1/(1 + |x − y|²), normalised, against a target."""
    Y, T = tensor("Y", m, d), tensor("T", n, m)
    Q = define("Q", (i, p), 1 / (1 + total((X[i, a] - Y[p, a]) ** 2, a)))
    R = define("R", (i, p), Q[i, p] / total(Q[i, q], q))
    L = define("L", (), -total(T[i, p] * sp.log(R[i, p]), i, p))

    def textbook(X: Any, Y: Any, T: Any) -> Any:
        import jax.numpy as jnp

        Q = 1 / (1 + (X**2).sum(1)[:, None] + (Y**2).sum(1) - 2 * X @ Y.T)
        return -(T * jnp.log(Q / Q.sum(1, keepdims=True))).sum()

    return System(Q, R, L), textbook


@user("vectors of words by counts", "vjp", "L", "U V x z", F=abs, U="narrow", V="narrow",
      sizes=grow("n m d", (32, 24, 4), (512, 384, 32), (2048, 1536, 64)))  # fmt: skip
def _words() -> Any:
    U, V, x, z = tensor("U", n, d), tensor("V", m, d), tensor("x", n), tensor("z", m)
    F, C = tensor("F", n, m), tensor("C", n, m)
    error = total(U[i, a] * V[p, a], a) + x[i] + z[p] - C[i, p]
    L = define("L", (), total(F[i, p] * error**2, i, p))

    def textbook(U: Any, V: Any, x: Any, z: Any, F: Any, C: Any) -> Any:
        return (F * (U @ V.T + x[:, None] + z - C) ** 2).sum()

    return System(L), textbook


@user("relations of entities", "vjp", "L", "E R",
      sizes=grow("n d k", (32, 4, 3), (256, 16, 8), (768, 32, 16)))  # fmt: skip
def _relations() -> Any:
    """Triples scored by a product of three vectors, against all of them."""
    E, R, Y = tensor("E", n, d), tensor("R", k, d), tensor("Y", k, n, n)
    S = define("S", (c, i, j), total(E[i, a] * R[c, a] * E[j, a], a))
    L = define("L", (), total(sp.log(1 + sp.exp(S[c, i, j])) - Y[c, i, j] * S[c, i, j], c, i, j))

    def textbook(E: Any, R: Any, Y: Any) -> Any:
        import jax
        import jax.numpy as jnp

        S = jnp.einsum("ia,ca,ja->cij", E, R, E)
        return (jax.nn.softplus(S) - Y * S).sum()

    return System(S, L), textbook


@user("additive attention", "vjp", "O", "Q K v",
      sizes=grow("n m d", (16, 12, 8), (128, 96, 32), (384, 256, 64)))  # fmt: skip
def _additive() -> Any:
    Q, K, v = tensor("Q", n, d), tensor("K", m, d), tensor("v", d)
    S = define("S", (i, p), total(v[a] * sp.tanh(Q[i, a] + K[p, a]), a))
    P = define("P", (i, p), sp.exp(S[i, p]) / total(sp.exp(S[i, q]), q))
    O = define("O", (i, a), total(P[i, p] * K[p, a], p))

    def textbook(Q: Any, K: Any, v: Any) -> Any:
        import jax
        import jax.numpy as jnp

        return jax.nn.softmax(jnp.tanh(Q[:, None] + K) @ v) @ K

    return System(S, P, O), textbook


@user("heads of quantiles", "vjp", "L", "T",
      sizes=grow("n m k", (16, 8, 8), (256, 16, 16), (2048, 32, 32)))  # fmt: skip
def _quantiles() -> Any:
    T, Y, tau = tensor("T", n, m), tensor("Y", n, k), tensor("tau", m)
    D = define("D", (i, p, c), Y[i, c] - T[i, p])
    L = define("L", (), total(sp.Max(tau[p] * D[i, p, c], (tau[p] - 1) * D[i, p, c]), i, p, c) / n)

    def textbook(T: Any, Y: Any, tau: Any) -> Any:
        import jax.numpy as jnp

        D, t = Y[:, None] - T[:, :, None], tau[:, None]
        return jnp.maximum(t * D, (t - 1) * D).sum() / len(T)

    return System(D, L), textbook


@user("factorisation of links, hvp", "hvp", "L", "U",
      sizes=grow("n m d", (32, 24, 4), (384, 256, 16), (1536, 1024, 32)))  # fmt: skip
def _links() -> Any:
    U, V, Y = tensor("U", n, d), tensor("V", m, d), tensor("Y", n, m)
    S = define("S", (i, p), total(U[i, a] * V[p, a], a))
    L = define("L", (), total(sp.log(1 + sp.exp(S[i, p])) - Y[i, p] * S[i, p], i, p))

    def textbook(U: Any, V: Any, Y: Any) -> Any:
        import jax

        S = U @ V.T
        return (jax.nn.softplus(S) - Y * S).sum()

    return System(S, L), textbook
