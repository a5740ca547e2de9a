"""Scores, layers, likelihoods and prices of practice, written down before any plan of theirs was
looked at."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ..primitives import sigmoid
from ..syntax import System, define, indices, iverson, sizes, tensor, total
from ..syntax import inverse as inv
from .record import grow, user

n, m, d, k = sizes("n m d k")
(i, j, l), (p, q), (a, b), (c, e) = (
    indices("i j l", n), indices("p q", m), indices("a b", d), indices("c e", k)
)  # fmt: skip
X, w, y = tensor("X", n, d), tensor("w", d), tensor("y", n)
PAIRS = grow("n d", (24, 3), (384, 4), (1536, 8))
WIDE = grow("n d k", (64, 16, 5), (1024, 128, 32), (8192, 512, 128))


def _bits(x: Any) -> Any:
    return (x > 0) * 1.0


def _hot(x: Any) -> Any:
    return (x == x.max(1, keepdims=True)) * 1.0


def _definite(x: Any) -> Any:
    import numpy as np

    return x @ x.T / len(x) + np.eye(len(x))


def _from_1(x: Any) -> Any:
    return 1 + abs(x)


@user("relations by negatives", "vjp", "L", "E R",
      sizes=grow("n m d", (32, 24, 4), (512, 256, 32), (4096, 512, 64)))  # fmt: skip
def _negatives() -> Any:
    """Triples against others with the same head and relation, of which the first one is right."""
    E, R, U = tensor("E", n, d), tensor("R", n, d), tensor("U", n, m, d)
    S = define("S", (i, p), total(E[i, a] * R[i, a] * U[i, p, a], a))
    L = define("L", (), total(sp.log(total(sp.exp(S[i, p]), p)) - S[i, 0], i))

    def textbook(E: Any, R: Any, U: Any) -> Any:
        import jax
        import jax.numpy as jnp

        S = jnp.einsum("ia,ipa->ip", E * R, U)
        return (jax.nn.logsumexp(S, 1) - S[:, 0]).sum()

    return System(S, L), textbook


@user("radial basis network", "vjp", "Y", "C W z",
      sizes=grow("n d k m", (32, 4, 6, 5), (512, 16, 128, 24), (4096, 32, 512, 64)))  # fmt: skip
def _radial() -> Any:
    C, W, z = tensor("C", k, d), tensor("W", k, m), tensor("z", k)
    far = total((X[i, a] - C[c, a]) ** 2, a)
    P = define("P", (i, c), sp.exp(-far * sp.exp(z[c]) / 2))
    Y = define("Y", (i, p), P[i, c] * W[c, p])

    def textbook(X: Any, C: Any, W: Any, z: Any) -> Any:
        import jax.numpy as jnp

        D = (X**2).sum(1)[:, None] + (C**2).sum(1) - 2 * X @ C.T
        return jnp.exp(-D * jnp.exp(z) / 2) @ W

    return System(P, Y), textbook


@user("multidimensional scaling", "vjp", "L", "X", sizes=PAIRS, W=abs, D=_from_1)
def _scaling() -> Any:
    W, D = tensor("W", n, n), tensor("D", n, n)
    near = sp.Rational(1, 100)
    R = define("R", (i, j), sp.sqrt(total((X[i, a] - X[j, a]) ** 2, a) + near))
    L = define("L", (), total(W[i, j] * (R[i, j] - D[i, j]) ** 2, i, j))

    def textbook(X: Any, W: Any, D: Any) -> Any:
        import jax.numpy as jnp

        R = jnp.sqrt(((X[:, None] - X) ** 2).sum(-1) + 0.01)
        return (W * (R - D) ** 2).sum()

    return System(R, L), textbook


@user("item responses", "vjp", "L", "u v z", Y=_bits,
      sizes=grow("n m", (32, 24), (512, 384), (4096, 1024)))  # fmt: skip
def _items() -> Any:
    u, v, z, Y = tensor("u", n), tensor("v", m), tensor("z", m), tensor("Y", n, m)
    S = define("S", (i, p), v[p] * (u[i] - z[p]))
    L = define("L", (), total(sp.log(1 + sp.exp(S[i, p])) - Y[i, p] * S[i, p], i, p))

    def textbook(u: Any, v: Any, z: Any, Y: Any) -> Any:
        import jax

        S = v * (u[:, None] - z)
        return (jax.nn.softplus(S) - Y * S).sum()

    return System(S, L), textbook


@user("several hinges", "vjp", "L", "W", sizes=WIDE, W="narrow", Y=_hot)
def _hinges() -> Any:
    W, Y = tensor("W", d, k), tensor("Y", n, k)
    Z = define("Z", (i, c), X[i, a] * W[a, c])
    margin = 1 + Z[i, c] - total(Y[i, e] * Z[i, e], e)
    L = define("L", (), total((1 - Y[i, c]) * sp.Max(0, margin), i, c) / n)

    def textbook(X: Any, W: Any, Y: Any) -> Any:
        import jax

        Z = X @ W
        return ((1 - Y) * jax.nn.relu(1 + Z - (Y * Z).sum(1, keepdims=True))).sum() / len(X)

    return System(Z, L), textbook


@user("metric learning", "vjp", "L", "M", M="narrow",
      sizes=grow("n d k", (24, 6, 3), (384, 32, 8), (1536, 64, 16)))  # fmt: skip
def _metric() -> Any:
    M, W = tensor("M", d, k), tensor("W", n, n)
    U = define("U", (i, c), X[i, a] * M[a, c])
    D = define("D", (i, j), total((U[i, c] - U[j, c]) ** 2, c))
    L = define("L", (), total(sp.log(1 + sp.exp(W[i, j] * (D[i, j] - 1))), i, j) / n**2)

    def textbook(X: Any, M: Any, W: Any) -> Any:
        import jax

        U = X @ M
        s = (U**2).sum(1)
        return jax.nn.softplus(W * (s[:, None] + s - 2 * U @ U.T - 1)).mean()

    return System(U, D, L), textbook


@user("prices of options", "vjp", "C", "s v", s=_from_1, v=_from_1, K=_from_1, t=_from_1,
      sizes=grow("n", (64,), (4096,), (1048576,)))  # fmt: skip
def _prices() -> Any:
    s, v, K, t = (tensor(x, n, positive=True) for x in "svKt")
    r = tensor("r")
    D = define(
        "D", (i,), (sp.log(s[i] / K[i]) + (r + v[i] ** 2 / 2) * t[i]) / (v[i] * sp.sqrt(t[i]))
    )

    def normal(z: Any) -> Any:
        return (1 + sp.erf(z / sp.sqrt(2))) / 2

    later = K[i] * sp.exp(-r * t[i]) * normal(D[i] - v[i] * sp.sqrt(t[i]))
    C = define("C", (i,), s[i] * normal(D[i]) - later)

    def textbook(s: Any, v: Any, K: Any, t: Any, r: Any) -> Any:
        import jax
        import jax.numpy as jnp

        normal, root = jax.scipy.stats.norm.cdf, v * jnp.sqrt(t)
        D = (jnp.log(s / K) + (r + v**2 / 2) * t) / root
        return s * normal(D) - K * jnp.exp(-r * t) * normal(D - root)

    return System(D, C), textbook


@user("pooled members of sets", "vjp", "Y", "X W v", W="narrow",
      sizes=grow("n m d k", (8, 6, 5, 4), (64, 32, 64, 48), (128, 64, 256, 192)))  # fmt: skip
def _pooled() -> Any:
    X, W, v = tensor("X", n, m, d), tensor("W", d, k), tensor("v", k)
    H = define("H", (i, p, c), sp.tanh(total(X[i, p, a] * W[a, c], a)))
    S = define("S", (i, p), H[i, p, c] * v[c])
    P = define("P", (i, p), sp.exp(S[i, p]) / total(sp.exp(S[i, q]), q))
    Y = define("Y", (i, a), P[i, p] * X[i, p, a])

    def textbook(X: Any, W: Any, v: Any) -> Any:
        import jax
        import jax.numpy as jnp

        return jnp.einsum("ip,ipa->ia", jax.nn.softmax(jnp.tanh(X @ W) @ v), X)

    return System(H, S, P, Y), textbook


@user("planar flow", "vjp", "L", "X u w", u="narrow", w="narrow",
      sizes=grow("n d", (64, 8), (2048, 32), (32768, 64)))  # fmt: skip
def _planar() -> Any:
    u, z = tensor("u", d), tensor("z")
    t = define("t", (i,), sp.tanh(total(X[i, a] * w[a], a) + z))
    Y = define("Y", (i, a), X[i, a] + u[a] * t[i])
    wider = sp.log(sp.Abs(1 + (1 - t[i] ** 2) * total(u[a] * w[a], a)))
    L = define("L", (), total(Y[i, a] ** 2, i, a) / 2 - total(wider, i))

    def textbook(X: Any, u: Any, w: Any, z: Any) -> Any:
        import jax.numpy as jnp

        t = jnp.tanh(X @ w + z)
        wider = jnp.log(jnp.abs(1 + (1 - t**2) * (u @ w)))
        return ((X + t[:, None] * u) ** 2).sum() / 2 - wider.sum()

    return System(t, Y, L), textbook


@user("density of a policy", "vjp", "L", "M S",
      sizes=grow("n d", (64, 4), (2048, 32), (32768, 32)))  # fmt: skip
def _policy() -> Any:
    """Of what goes through tanh."""
    M, S, N = tensor("M", n, d), tensor("S", n, d), tensor("N", n, d)
    U = define("U", (i, a), M[i, a] + sp.exp(S[i, a]) * N[i, a])
    log = -(N[i, a] ** 2) / 2 - S[i, a] - sp.log(1 - sp.tanh(U[i, a]) ** 2)
    L = define("L", (), total(log, i, a) / n)

    def textbook(M: Any, S: Any, N: Any) -> Any:
        import jax
        import jax.numpy as jnp

        U = M + jnp.exp(S) * N
        less = 2 * (jnp.log(2.0) - U - jax.nn.softplus(-2 * U))
        return (-(N**2) / 2 - S - less).sum() / len(M)

    return System(U, L), textbook


@user("mixture of densities", "vjp", "L", "A B C", A="narrow", B="narrow", C="narrow",
      sizes=grow("n d k", (64, 8, 4), (1024, 64, 16), (8192, 256, 32)))  # fmt: skip
def _densities() -> Any:
    """A network's last layer that gives weights, means and scales."""
    A, B, C = tensor("A", d, k), tensor("B", d, k), tensor("C", d, k)
    u, mu, z = (
        define(x, (i, c), total(X[i, a] * W[a, c], a))
        for x, W in (("u", A), ("mu", B), ("z", C))
    )  # fmt: skip
    each = u[i, c] - z[i, c] - (y[i] - mu[i, c]) ** 2 * sp.exp(-2 * z[i, c]) / 2
    log = sp.log(total(sp.exp(each), c)) - sp.log(total(sp.exp(u[i, c]), c))
    L = define("L", (), -total(log, i) / n)

    def textbook(X: Any, A: Any, B: Any, C: Any, y: Any) -> Any:
        import jax
        import jax.numpy as jnp

        u, mu, z = X @ A, X @ B, X @ C
        each = u - z - (y[:, None] - mu) ** 2 * jnp.exp(-2 * z) / 2
        return (jax.nn.logsumexp(u, 1) - jax.nn.logsumexp(each, 1)).mean()

    return System(u, mu, z, L), textbook


@user("errors in rows and columns", "vjp", "L", "M", M="narrow", A=_definite, B=_definite,
      sizes=grow("n m", (12, 10), (96, 80), (384, 320)))  # fmt: skip
def _rows_and_columns() -> Any:
    A, B = tensor("A", n, n, positive_definite=True), tensor("B", m, m, positive_definite=True)
    M, Y = tensor("M", n, m), tensor("Y", n, m)
    R = define("R", (i, p), Y[i, p] - M[i, p])
    form = inv(A)[i, j] * R[j, p] * inv(B)[p, q] * R[i, q]
    L = define("L", (), total(form, i, j, p, q) / 2)

    def textbook(A: Any, B: Any, M: Any, Y: Any) -> Any:
        from jax.scipy.linalg import cho_factor, cho_solve

        R = Y - M
        one, other = cho_factor(A, lower=True), cho_factor(B, lower=True)
        return (cho_solve(one, R) * cho_solve(other, R.T).T).sum() / 2

    return System(R, L), textbook


@user("block of a transformer", "vjp", "Y", "X A B C D W V",
      sizes=grow("n d k", (16, 8, 12), (256, 64, 128), (1024, 128, 512)),
      A="narrow", B="narrow", C="narrow", D="narrow", W="narrow", V="narrow")  # fmt: skip
def _block() -> Any:
    A, B, C, D = (tensor(x, d, d) for x in "ABCD")
    W, V = tensor("W", d, k), tensor("V", k, d)

    def scaled(name: str, Z: Any) -> Any:
        s = define(f"{name}_0", (i,), total(Z[i, a] ** 2, a) / d)
        return s, define(name, (i, a), Z[i, a] / sp.sqrt(s[i] + sp.Rational(1, 10**6)))

    s, N = scaled("N", X)
    Q, K, U = (
        define(x, (i, b), N[i, a] * M[a, b]) for x, M in (("Q", A), ("K", B), ("U", C))
    )  # fmt: skip
    S = define("S", (i, j), total(Q[i, a] * K[j, a], a) / sp.sqrt(d))
    seen = iverson(j <= i) * sp.exp(S[i, j])
    P = define("P", (i, j), seen / total(seen, j))
    O = define("O", (i, b), P[i, j] * U[j, b])
    H = define("H", (i, b), X[i, b] + total(O[i, a] * D[a, b], a))
    t, R = scaled("R", H)
    Z = define("Z", (i, c), R[i, a] * W[a, c])
    Y = define("Y", (i, b), H[i, b] + total(Z[i, c] * sigmoid(Z[i, c]) * V[c, b], c))

    def textbook(X: Any, A: Any, B: Any, C: Any, D: Any, W: Any, V: Any) -> Any:
        import jax
        import jax.numpy as jnp

        def scaled(Z: Any) -> Any:
            return Z * jax.lax.rsqrt((Z**2).mean(1, keepdims=True) + 1e-6)

        N = scaled(X)
        S = (N @ A) @ (N @ B).T / X.shape[1] ** 0.5
        S = jnp.where(jnp.tril(jnp.ones(S.shape, bool)), S, -jnp.inf)
        H = X + jax.nn.softmax(S) @ (N @ C) @ D
        return H + jax.nn.silu(scaled(H) @ W) @ V

    return System(s, N, Q, K, U, S, P, O, H, t, R, Z, Y), textbook
