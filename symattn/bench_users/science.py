"""Kernels, likelihoods, factorisations, transport and dynamics."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ..syntax import (
    Definition,
    System,
    define,
    delta,
    indices,
    iverson,
    logdet,
    sizes,
    tensor,
    total,
)
from ..syntax import inverse as inv
from .learning import lse
from .record import grow, user

n, m, d, k = sizes("n m d k")
(i, j), (p, q), (a, b), (c, e) = (
    indices("i j", n), indices("p q", m), indices("a b", d), indices("c e", k)
)  # fmt: skip
X, Y = tensor("X", n, d), tensor("Y", m, d)
CLOUDS = grow("n m d", (32, 24, 3), (512, 384, 8), (2048, 1536, 16))
LOW = grow("n m k", (32, 24, 4), (512, 384, 8), (2048, 1536, 32))


def _apart(x: Any, y: Any) -> Any:
    """The squared distances."""
    return ((x[:, None, :] - y[None, :, :]) ** 2).sum(-1)


@user("squared distances", "vjp", "D", "X Y", sizes=CLOUDS)
def _distances() -> Any:
    D = define("D", (i, p), total((X[i, a] - Y[p, a]) ** 2, a))

    def textbook(X: Any, Y: Any) -> Any:
        return (X**2).sum(1)[:, None] + (Y**2).sum(1) - 2 * X @ Y.T

    return System(D), textbook


@user("kernel regression", "vjp", "L", "X Y w", sizes=CLOUDS)
def _kernel() -> Any:
    w, t = tensor("w", m), tensor("t", n)
    G = define("G", (i, p), sp.exp(-total((X[i, a] - Y[p, a]) ** 2, a) / 2))
    L = define("L", (), total((total(G[i, p] * w[p], p) - t[i]) ** 2, i))

    def textbook(X: Any, Y: Any, w: Any, t: Any) -> Any:
        import jax.numpy as jnp

        D = (X**2).sum(1)[:, None] + (Y**2).sum(1) - 2 * X @ Y.T
        return ((jnp.exp(-D / 2) @ w - t) ** 2).sum()

    return System(G, L), textbook


@user("mixture of Gaussians", "vjp", "L", "Y v", sizes=CLOUDS)
def _mixture() -> Any:
    v = tensor("v", m)
    D = define("D", (i, p), total((X[i, a] - Y[p, a]) ** 2, a))
    L = define("L", (), total(sp.log(total(sp.exp(v[p] - D[i, p] / 2), p)), i))

    def textbook(X: Any, Y: Any, v: Any) -> Any:
        D = (X**2).sum(1)[:, None] + (Y**2).sum(1) - 2 * X @ Y.T
        return lse(v - D / 2).sum()

    return System(D, L), textbook


@user("cosine similarity", "vjp", "C", "X Y", sizes=CLOUDS)
def _cosine() -> Any:
    U = define("U", (i, a), X[i, a] / sp.sqrt(total(X[i, b] ** 2, b)))
    V = define("V", (p, a), Y[p, a] / sp.sqrt(total(Y[p, b] ** 2, b)))
    C = define("C", (i, p), U[i, a] * V[p, a])

    def textbook(X: Any, Y: Any) -> Any:
        import jax.numpy as jnp

        U, V = (x / jnp.linalg.norm(x, axis=1, keepdims=True) for x in (X, Y))
        return U @ V.T

    return System(U, V, C), textbook


@user("covariance", "vjp", "C", "X", sizes=grow("n d", (64, 8), (1024, 64), (16384, 256)))
def _covariance() -> Any:
    mu = define("mu", (a,), total(X[i, a], i) / n)
    C = define("C", (a, b), total((X[i, a] - mu[a]) * (X[i, b] - mu[b]), i) / (n - 1))

    def textbook(X: Any) -> Any:
        U = X - X.mean(0)
        return U.T @ U / (len(X) - 1)

    return System(mu, C), textbook


@user("least squares", "vjp", "L", "w b_0", sizes=grow("n d", (64, 8), (1024, 128), (16384, 512)))
def _squares() -> Any:
    w, y, b_0 = tensor("w", d), tensor("y", n), sp.Symbol("b_0", real=True)
    L = define("L", (), total((total(X[i, a] * w[a], a) + b_0 - y[i]) ** 2, i) / n)

    def textbook(X: Any, w: Any, y: Any, b_0: Any) -> Any:
        return ((X @ w + b_0 - y) ** 2).sum() / len(X)

    return System(L), textbook


@user("Poisson regression, hvp", "hvp", "L", "w",
      sizes=grow("n d", (64, 8), (1024, 128), (16384, 512)), w="narrow", X="narrow")  # fmt: skip
def _poisson() -> Any:
    w, y = tensor("w", d), tensor("y", n)
    z = define("z", (i,), X[i, a] * w[a])
    L = define("L", (), total(sp.exp(z[i]) - y[i] * z[i], i))

    def textbook(X: Any, w: Any, y: Any) -> Any:
        import jax.numpy as jnp

        z = X @ w
        return (jnp.exp(z) - y * z).sum()

    return System(z, L), textbook


def _factors() -> Any:
    U, V, T = tensor("U", n, k), tensor("V", m, k), tensor("T", n, m)
    L = define("L", (), total((total(U[i, c] * V[p, c], c) - T[i, p]) ** 2, i, p))

    def textbook(U: Any, V: Any, T: Any) -> Any:
        return ((U @ V.T - T) ** 2).sum()

    return System(L), textbook


@user("factorisation", "vjp", "L", "U V", sizes=LOW)
def _factorisation() -> Any:
    return _factors()


@user("factorisation, hvp", "hvp", "L", "U", sizes=LOW)
def _factorisation_hvp() -> Any:
    return _factors()


@user("factorisation, Hessian", "hessian", "L", "U",
      sizes=grow("n m k", (8, 12, 3), (48, 64, 4), (128, 96, 5)))  # fmt: skip
def _factorisation_hessian() -> Any:
    return _factors()


@user("tensor of low rank", "vjp", "L", "U V W",
      sizes=grow("n m d k", (12, 10, 8, 3), (64, 48, 40, 8), (192, 160, 128, 16)))  # fmt: skip
def _canonical() -> Any:
    U, V, W, T = (
        tensor("U", n, k), tensor("V", m, k), tensor("W", d, k), tensor("T", n, m, d)
    )  # fmt: skip
    E = define("E", (i, p, a), U[i, c] * V[p, c] * W[a, c] - T[i, p, a])
    L = define("L", (), total(E[i, p, a] ** 2, i, p, a))

    def textbook(U: Any, V: Any, W: Any, T: Any) -> Any:
        import jax.numpy as jnp

        return ((jnp.einsum("ik,pk,ak->ipa", U, V, W) - T) ** 2).sum()

    return System(E, L), textbook


@user("Gaussian process", "vjp", "L", "y s",
      sizes=grow("n d", (16, 2), (128, 3), (512, 4)), s="positive")  # fmt: skip
def _process() -> Any:
    y, s = tensor("y", n), sp.Symbol("s", positive=True)
    G = define("G", (i, j), sp.exp(-total((X[i, a] - X[j, a]) ** 2, a) / 2) + s * delta(i, j))
    L = define("L", (), total(y[i] * inv(G)[i, j] * y[j], i, j) / 2 + logdet(G) / 2)

    def textbook(X: Any, y: Any, s: Any) -> Any:
        import jax.numpy as jnp
        from jax.scipy.linalg import cho_solve

        G = jnp.exp(-_apart(X, X) / 2) + s * jnp.eye(len(X))
        factor = jnp.linalg.cholesky(G)
        return y @ cho_solve((factor, True), y) / 2 + jnp.log(jnp.diagonal(factor)).sum()

    return System(G, L), textbook


@user("bodies", "vjp", "E", "X", sizes=grow("n d", (16, 3), (256, 3), (1024, 3)))
def _bodies() -> Any:
    w = tensor("w", n)
    D = define("D", (i, j), total((X[i, a] - X[j, a]) ** 2, a) + sp.Rational(1, 100))
    E = define("E", (), -total(w[i] * w[j] / sp.sqrt(D[i, j]), i, j) / 2)

    def textbook(X: Any, w: Any) -> Any:
        import jax.numpy as jnp

        return -(w[:, None] * w / jnp.sqrt(_apart(X, X) + 0.01)).sum() / 2

    return System(D, E), textbook


@user("transport", "vjp", "L", "C", sizes=grow("n m", (16, 12), (128, 96), (512, 384)))
def _transport() -> Any:
    """Three rounds of Sinkhorn's iteration in the logarithms."""
    C, parts = tensor("C", n, m), list[Definition]()
    for t in range(3):
        before = parts[-1][p] if parts else 0
        f = define(f"f_{t}", (i,), -sp.log(total(sp.exp(before - C[i, p]), p)))
        g = define(f"g_{t}", (p,), -sp.log(total(sp.exp(f[i] - C[i, p]), i)))
        parts += [f, g]
    f, g = parts[-2:]
    P = define("P", (i, p), sp.exp(f[i] + g[p] - C[i, p]))
    L = define("L", (), total(P[i, p] * C[i, p], i, p))

    def textbook(C: Any) -> Any:
        import jax.numpy as jnp

        g = jnp.zeros(C.shape[1], C.dtype)
        for _ in range(3):
            f = -lse(g - C)
            g = -lse(f - C.T)
        return (jnp.exp(f[:, None] + g - C) * C).sum()

    return System(*parts, P, L), textbook


@user("transport, plain", "vjp", "L", "C", sizes=grow("n m", (16, 12), (128, 96), (512, 384)))
def _plain_transport() -> Any:
    """Two rounds of Sinkhorn's iteration as divisions."""
    C, parts = tensor("C", n, m), list[Definition]()
    G = define("G", (i, p), sp.exp(-C[i, p]))
    for t in range(2):
        before = parts[-1][p] if parts else 1
        u = define(f"u_{t}", (i,), 1 / total(G[i, p] * before, p))
        v = define(f"v_{t}", (p,), 1 / total(G[i, p] * u[i], i))
        parts += [u, v]
    u, v = parts[-2:]
    L = define("L", (), total(u[i] * G[i, p] * v[p] * C[i, p], i, p))

    def textbook(C: Any) -> Any:
        import jax.numpy as jnp

        G = jnp.exp(-C)
        v = jnp.ones(C.shape[1], C.dtype)
        for _ in range(2):
            u = 1 / (G @ v)
            v = 1 / (G.T @ u)
        return (u[:, None] * G * v * C).sum()

    return System(G, *parts, L), textbook


@user("associative memory", "vjp", "E", "X Y", sizes=CLOUDS)
def _memory() -> Any:
    E = define("E", (), total(X[i, a] ** 2, i, a) / 2
               - total(sp.log(total(sp.exp(total(X[i, a] * Y[p, a], a)), p)), i))  # fmt: skip

    def textbook(X: Any, Y: Any) -> Any:
        return (X**2).sum() / 2 - lse(X @ Y.T).sum()

    return System(E), textbook


CHAIN = grow("n", (64,), (1000,), (50000,))
SHORT = grow("n", (32,), (200,), (800,))


def _springs() -> Any:
    x = tensor("x", n)
    r = define("r", (i,), iverson(i <= n - 2) * (x[i + 1] - x[i]))
    E = define("E", (), total(r[i] ** 2 / 2 + r[i] ** 4 / 4, i))

    def textbook(x: Any) -> Any:
        r = x[1:] - x[:-1]
        return (r**2 / 2 + r**4 / 4).sum()

    return System(r, E), textbook


@user("springs", "vjp", "E", "x", sizes=CHAIN)
def _spring_gradient() -> Any:
    return _springs()


@user("springs, hvp", "hvp", "E", "x", sizes=CHAIN)
def _spring_hvp() -> Any:
    return _springs()


@user("springs, Hessian", "hessian", "E", "x", sizes=SHORT)
def _spring_hessian() -> Any:
    return _springs()


@user("Rosenbrock's valley, Hessian", "hessian", "E", "x", sizes=SHORT)
def _rosenbrock() -> Any:
    x = tensor("x", n)
    one = 100 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2
    E = define("E", (), total(iverson(i <= n - 2) * one, i))

    def textbook(x: Any) -> Any:
        return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()

    return System(E), textbook


@user("smoothness of an image", "vjp", "E", "U",
      sizes=grow("n m", (16, 12), (256, 192), (1024, 768)))  # fmt: skip
def _smooth() -> Any:
    U = tensor("U", n, m)
    across = define("R", (i, p), sp.sqrt((U[i + 1, p] - U[i, p]) ** 2 + sp.Rational(1, 1000)))
    along = define("T", (i, p), sp.sqrt((U[i, p + 1] - U[i, p]) ** 2 + sp.Rational(1, 1000)))
    E = define("E", (), total(iverson(i <= n - 2) * across[i, p], i, p)
               + total(iverson(p <= m - 2) * along[i, p], i, p))  # fmt: skip

    def textbook(U: Any) -> Any:
        import jax.numpy as jnp

        across, along = U[1:] - U[:-1], U[:, 1:] - U[:, :-1]
        return jnp.sqrt(across**2 + 0.001).sum() + jnp.sqrt(along**2 + 0.001).sum()

    return System(across, along, E), textbook
