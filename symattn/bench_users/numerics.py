"""Kernels with lengths of their own, steps of equations, regularisers and mixtures, written down
before any plan of theirs was looked at."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ..functions import relu
from ..syntax import System, define, indices, iverson, sizes, tensor, total
from .record import grow, user

n, m, d, k = sizes("n m d k")
(i, j), (p, q), (a, b), (c, e) = (
    indices("i j", n), indices("p q", m), indices("a b", d), indices("c e", k)
)  # fmt: skip
X, y = tensor("X", n, d), tensor("y", n)
PAIRS = grow("n d", (24, 3), (384, 8), (1536, 16))


def _counts(x: Any) -> Any:
    import numpy as np

    return np.floor(abs(2 * x))


def _hot(x: Any) -> Any:
    return (x == x.max(1, keepdims=True)) * 1.0


@user("Stein discrepancy", "vjp", "L", "X", sizes=PAIRS)
def _stein() -> Any:
    """Of points from a normal distribution, by a kernel of width 1."""
    D = define("D", (i, j), total((X[i, a] - X[j, a]) ** 2, a))
    K = define("K", (i, j), sp.exp(-D[i, j] / 2))
    U = define("U", (i, j), K[i, j] * (total(X[i, a] * X[j, a], a) + d - 2 * D[i, j]))
    L = define("L", (), total(U[i, j], i, j) / n**2)

    def textbook(X: Any) -> Any:
        import jax.numpy as jnp

        D = ((X[:, None] - X) ** 2).sum(-1)
        return (jnp.exp(-D / 2) * (X @ X.T + X.shape[1] - 2 * D)).mean()

    return System(D, K, U, L), textbook


@user("kernel with lengths", "vjp", "L", "X s z", sizes=PAIRS)
def _lengths() -> Any:
    """Ridge regression with a length for every feature."""
    s, z = tensor("s", d), tensor("z", n)
    far = total((X[i, a] - X[j, a]) ** 2 * sp.exp(-2 * s[a]), a)
    K = define("K", (i, j), sp.exp(-far / 2))
    fit = total((y[i] - total(K[i, j] * z[j], j)) ** 2, i)
    L = define("L", (), fit + total(z[i] * K[i, j] * z[j], i, j) / 10)

    def textbook(X: Any, y: Any, s: Any, z: Any) -> Any:
        import jax.numpy as jnp

        U = X * jnp.exp(-s)
        K = jnp.exp(-((U[:, None] - U) ** 2).sum(-1) / 2)
        return ((y - K @ z) ** 2).sum() + z @ K @ z / 10

    return System(K, L), textbook


@user("Matérn kernel with lengths", "vjp", "L", "s z",
      sizes=grow("n m d", (12, 8, 3), (128, 96, 4), (512, 384, 8)))  # fmt: skip
def _matern() -> Any:
    Y, s, z, t = tensor("Y", m, d), tensor("s", d), tensor("z", n), tensor("t", m)
    far = total((Y[p, a] - X[i, a]) ** 2 * sp.exp(-2 * s[a]), a)
    R = define("R", (p, i), sp.sqrt(5 * far + sp.Rational(1, 10**6)))
    K = define("K", (p, i), (1 + R[p, i] + R[p, i] ** 2 / 3) * sp.exp(-R[p, i]))
    L = define("L", (), total((t[p] - total(K[p, i] * z[i], i)) ** 2, p) / m)

    def textbook(X: Any, Y: Any, s: Any, z: Any, t: Any) -> Any:
        import jax.numpy as jnp

        R = jnp.sqrt(5 * ((Y[:, None] - X) ** 2 * jnp.exp(-2 * s)).sum(-1) + 1e-6)
        return ((t - (1 + R + R**2 / 3) * jnp.exp(-R) @ z) ** 2).mean()

    return System(R, K, L), textbook


@user("mixture with precisions", "vjp", "L", "M R z", R="narrow",
      sizes=grow("n d k", (24, 3, 4), (1024, 8, 12), (8192, 16, 16)))  # fmt: skip
def _precisions() -> Any:
    """Of Gaussians with a root of a precision matrix each."""
    M, R, z = tensor("M", k, d), tensor("R", k, d, d), tensor("z", k)
    V = define("V", (i, c, a), total(R[c, a, b] * (X[i, b] - M[c, b]), b))
    wide = total(sp.log(sp.Abs(R[c, a, a])), a)
    S = define("S", (i, c), z[c] + wide - total(V[i, c, a] ** 2, a) / 2)
    log = sp.log(total(sp.exp(S[i, c]), c)) - sp.log(total(sp.exp(z[c]), c))
    L = define("L", (), -total(log, i) / n)

    def textbook(X: Any, M: Any, R: Any, z: Any) -> Any:
        import jax
        import jax.numpy as jnp

        V = jnp.einsum("cab,icb->ica", R, X[:, None] - M)
        wide = jnp.log(jnp.abs(jnp.diagonal(R, axis1=1, axis2=2))).sum(1)
        S = jax.nn.log_softmax(z) + wide - (V**2).sum(-1) / 2
        return -jax.nn.logsumexp(S, 1).mean()

    return System(V, S, L), textbook


@user("upwind step", "vjp", "L", "U", sizes=grow("n m", (12, 16), (128, 256), (1024, 1536)))
def _upwind() -> Any:
    """Of Burgers' equation on circles."""
    U, Y = tensor("U", n, m), tensor("Y", n, m)
    F = define("F", (i, p), (sp.Max(0, U[i, p]) ** 2 + sp.Min(0, U[i, p + 1]) ** 2) / 2)
    V = define("V", (i, p), U[i, p] - (F[i, p] - F[i, p - 1]) / 10)
    L = define("L", (), total((V[i, p] - Y[i, p]) ** 2, i, p) / 2)

    def textbook(U: Any, Y: Any) -> Any:
        import jax.numpy as jnp

        F = (jnp.maximum(0, U) ** 2 + jnp.minimum(0, jnp.roll(U, -1, 1)) ** 2) / 2
        return ((U - (F - jnp.roll(F, 1, 1)) / 10 - Y) ** 2).sum() / 2

    return System(F, V, L), textbook


@user("step of Runge and Kutta", "vjp", "Y", "X W V", W="narrow", V="narrow",
      sizes=grow("n d k", (16, 4, 6), (512, 32, 64), (4096, 64, 128)))  # fmt: skip
def _step() -> Any:
    """Of what a network gives as the rate of change."""
    W, V = tensor("W", d, k), tensor("V", k, d)
    made: list[Any] = []
    at = X[i, a]
    for number, share in enumerate((20, 20, 10, 1)):
        H = define(f"H_{number}", (i, c), sp.tanh(total(at * W[a, c], a)))
        F = define(f"F_{number}", (i, a), total(H[i, c] * V[c, a], c))
        made += [H, F]
        at = X[i, a] + F[i, a] / share
    steps = zip(made[1::2], (1, 2, 2, 1), strict=True)
    Y = define("Y", (i, a), X[i, a] + sum(F[i, a] * w for F, w in steps) / 60)

    def textbook(X: Any, W: Any, V: Any) -> Any:
        import jax.numpy as jnp

        def rate(x: Any) -> Any:
            return jnp.tanh(x @ W) @ V

        one = rate(X)
        two = rate(X + one / 20)
        three = rate(X + two / 20)
        return X + (one + 2 * two + 2 * three + rate(X + three / 10)) / 60

    return System(*made, Y), textbook


@user("distillation", "vjp", "L", "Z", Y=_hot,
      sizes=grow("n m", (32, 24), (512, 256), (2048, 1024)))  # fmt: skip
def _distillation() -> Any:
    """Weights of a teacher at a temperature, and labels."""
    Z, T, Y = tensor("Z", n, m), tensor("T", n, m), tensor("Y", n, m)
    P, R, B = (
        define(name, (i, p), sp.exp(S[i, p] / t) / total(sp.exp(S[i, q] / t), q))
        for name, S, t in (("P", T, 4), ("R", Z, 4), ("B", Z, 1))
    )
    soft = total(P[i, p] * sp.log(P[i, p] / R[i, p]), i, p)
    L = define("L", (), (144 * soft - total(Y[i, p] * sp.log(B[i, p]), i, p)) / (10 * n))

    def textbook(Z: Any, T: Any, Y: Any) -> Any:
        import jax
        import jax.numpy as jnp

        p, r = jax.nn.log_softmax(T / 4), jax.nn.log_softmax(Z / 4)
        hard = (Y * jax.nn.log_softmax(Z)).sum()
        return (144 * (jnp.exp(p) * (p - r)).sum() - hard) / (10 * len(Z))

    return System(P, R, B, L), textbook


@user("variance and covariance", "vjp", "L", "X Y",
      sizes=grow("n d", (64, 16), (1024, 64), (8192, 256)))  # fmt: skip
def _spread() -> Any:
    """Two views that agree, with features that vary and differ."""
    Y = tensor("Y", n, d)
    made: list[Any] = []
    own: list[Any] = []
    for name, Z in (("x", X), ("y", Y)):
        A = define(f"A_{name}", (i, a), Z[i, a] - total(Z[j, a], j) / n)
        C = define(f"C_{name}", (a, b), total(A[i, a] * A[i, b], i) / (n - 1))
        vary = total(relu(1 - sp.sqrt(C[a, a] + sp.Rational(1, 10**4))), a) / d
        differ = total(iverson(sp.Ne(a, b)) * C[a, b] ** 2, a, b) / (25 * d)
        made, own = [*made, A, C], [*own, vary + differ]
    L = define("L", (), total((X[i, a] - Y[i, a]) ** 2, i, a) / (n * d) + sum(own))

    def textbook(X: Any, Y: Any) -> Any:
        import jax
        import jax.numpy as jnp

        def own(Z: Any) -> Any:
            A = Z - Z.mean(0)
            C = A.T @ A / (len(Z) - 1)
            v = jnp.diag(C)
            differ = ((C**2).sum() - (v**2).sum()) / (25 * Z.shape[1])
            return jax.nn.relu(1 - jnp.sqrt(v + 1e-4)).mean() + differ

        return ((X - Y) ** 2).mean() + own(X) + own(Y)

    return System(*made, L), textbook


@user("topics", "vjp", "L", "A B", Y=_counts,
      sizes=grow("n m k", (16, 24, 3), (256, 384, 8), (2048, 4096, 16)))  # fmt: skip
def _topics() -> Any:
    """Words of documents by topics, which have weights of their own."""
    A, B, Y = tensor("A", n, k), tensor("B", k, m), tensor("Y", n, m)
    F = define("F", (i, c), sp.exp(A[i, c]) / total(sp.exp(A[i, e]), e))
    G = define("G", (c, p), sp.exp(B[c, p]) / total(sp.exp(B[c, q]), q))
    L = define("L", (), -total(Y[i, p] * sp.log(total(F[i, c] * G[c, p], c)), i, p) / n)

    def textbook(A: Any, B: Any, Y: Any) -> Any:
        import jax
        import jax.numpy as jnp

        return -(Y * jnp.log(jax.nn.softmax(A) @ jax.nn.softmax(B))).sum() / len(Y)

    return System(F, G, L), textbook
