"""Models of several fields, written down before any plan of theirs was looked at."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ..primitives import sigmoid
from ..syntax import Definition, System, define, indices, iverson, sizes, tensor, total
from .learning import lse
from .record import grow, user
from .science import _apart

n, m, d, k = sizes("n m d k")
(i, j, l), (p, q), (a, b), (c, e) = (
    indices("i j l", n), indices("p q", m), indices("a b", d), indices("c e", k)
)  # fmt: skip
X, Y = tensor("X", n, d), tensor("Y", m, d)
PAIRS = grow("n m", (32, 24), (512, 384), (2048, 1536))
CLOUDS = grow("n m d", (32, 24, 4), (512, 384, 16), (2048, 1536, 64))
SQUARE = grow("n d", (32, 4), (384, 8), (1536, 16))
LOW = grow("n m k", (32, 24, 4), (512, 384, 8), (2048, 1536, 32))


def _bits(x: Any) -> Any:
    return 1.0 * (x > 0)


def _dual() -> Any:
    f, y, C, u, v = (
        tensor("f", n), tensor("y", m), tensor("C", n, m), tensor("u", n), tensor("v", m)
    )  # fmt: skip
    P = define("P", (i, p), sp.exp((f[i] + y[p] - C[i, p]) * 2))
    L = define("L", (), total(u[i] * f[i], i) + total(v[p] * y[p], p) - total(P[i, p], i, p) / 2)

    def textbook(f: Any, y: Any, C: Any, u: Any, v: Any) -> Any:
        import jax.numpy as jnp

        return u @ f + v @ y - jnp.exp((f[:, None] + y - C) * 2).sum() / 2

    return System(P, L), textbook


@user("dual of transport", "vjp", "L", "f y", sizes=PAIRS)
def _dual_gradient() -> Any:
    return _dual()


@user("dual of transport, hvp", "hvp", "L", "f", sizes=PAIRS)
def _dual_hvp() -> Any:
    return _dual()


@user("tagging of sequences", "vjp", "L", "T S_0 S_1 S_2 S_3",
      sizes=grow("n k", (16, 4), (512, 16), (4096, 48)))  # fmt: skip
def _tagging() -> Any:
    """The forward algorithm of a chain of four tags."""
    T, parts = tensor("T", k, k), list[Definition]()
    S = [tensor(f"S_{t}", n, k) for t in range(4)]
    for t in range(1, 4):
        before = parts[-1][i, e] if parts else S[0][i, e]
        parts.append(define(f"F_{t}", (i, c), S[t][i, c]
                            + sp.log(total(sp.exp(before + T[e, c]), e))))  # fmt: skip
    L = define("L", (), total(sp.log(total(sp.exp(parts[-1][i, c]), c)), i))

    def textbook(T: Any, S_0: Any, S_1: Any, S_2: Any, S_3: Any) -> Any:
        import jax

        before = S_0
        for own in (S_1, S_2, S_3):
            before = own + jax.nn.logsumexp(before[:, :, None] + T, axis=1)
        return lse(before).sum()

    return System(*parts, L), textbook


@user("reaction and diffusion", "vjp", "L", "U",
      sizes=grow("n m", (16, 12), (256, 192), (1024, 768)))  # fmt: skip
def _reaction() -> Any:
    """The residual of an equation on a torus."""
    U = tensor("U", n, m)
    around = U[i + 1, p] + U[i - 1, p] + U[i, p + 1] + U[i, p - 1] - 4 * U[i, p]
    R = define("R", (i, p), around + U[i, p] - U[i, p] ** 3)
    L = define("L", (), total(R[i, p] ** 2, i, p) / 2)

    def textbook(U: Any) -> Any:
        import jax.numpy as jnp

        around = sum(jnp.roll(U, step, axis) for step in (1, -1) for axis in (0, 1)) - 4 * U
        return ((around + U - U**3) ** 2).sum() / 2

    return System(R, L), textbook


@user("ranking against negatives", "vjp", "L", "X Y", sizes=CLOUDS)
def _ranking() -> Any:
    Z = tensor("Z", n, d)
    D = define("D", (i, p), 1 + total(X[i, a] * Y[p, a], a) - total(X[i, a] * Z[i, a], a))
    L = define("L", (), total(sp.Max(0, D[i, p]), i, p) / n)

    def textbook(X: Any, Y: Any, Z: Any) -> Any:
        import jax

        return jax.nn.relu(1 + X @ Y.T - (X * Z).sum(1)[:, None]).sum() / len(X)

    return System(D, L), textbook


@user("kernel ridge regression", "vjp", "L", "X w", sizes=SQUARE)
def _ridge() -> Any:
    w, t = tensor("w", n), tensor("t", n)
    K = define("K", (i, j), sp.exp(-total((X[i, a] - X[j, a]) ** 2, a) / 2))
    r = define("r", (i,), K[i, j] * w[j] - t[i])
    L = define("L", (), total(r[i] ** 2, i) + total(w[i] * K[i, j] * w[j], i, j) / 10)

    def textbook(X: Any, w: Any, t: Any) -> Any:
        import jax.numpy as jnp

        squares = (X**2).sum(1)
        K = jnp.exp(-(squares[:, None] + squares - 2 * X @ X.T) / 2)
        fitted = K @ w
        return ((fitted - t) ** 2).sum() + w @ fitted / 10

    return System(K, r, L), textbook


@user("clusters of a graph", "vjp", "L", "X", sizes=SQUARE, W=abs)
def _clusters() -> Any:
    W = tensor("W", n, n)
    D = define("D", (i,), total(W[i, j], j))
    U = define("U", (i, a), X[i, a] / sp.sqrt(D[i]))
    L = define("L", (), total(W[i, j] * (U[i, a] - U[j, a]) ** 2, i, j, a) / 2)

    def textbook(X: Any, W: Any) -> Any:
        import jax.numpy as jnp

        U = X / jnp.sqrt(W.sum(1))[:, None]
        return (W * _apart(U, U)).sum() / 2

    return System(D, U, L), textbook


@user("mean field of spins", "vjp", "F", "J u",
      sizes=grow("n m", (16, 8), (256, 64), (1024, 256)), J="narrow")  # fmt: skip
def _spins() -> Any:
    """Three rounds for a batch, then the energy."""
    J, u, before = tensor("J", n, n), tensor("u", n), tensor("M", m, n)
    parts = []
    for t in range(3):
        parts.append(define(f"M_{t}", (p, i), sp.tanh(total(J[i, j] * before[p, j], j) + u[i])))
        before = parts[-1]
    F = define("F", (), -total(before[p, i] * J[i, j] * before[p, j], p, i, j) / 2
               - total(u[i] * before[p, i], p, i))  # fmt: skip

    def textbook(J: Any, u: Any, M: Any) -> Any:
        import jax.numpy as jnp

        for _ in range(3):
            M = jnp.tanh(M @ J.T + u)
        return -((M @ J) * M).sum() / 2 - (M @ u).sum()

    return System(*parts, F), textbook


@user("attention with slopes and dropout", "vjp", "O", "Q K V",
      sizes=grow("n d", (32, 8), (512, 64), (2048, 64)), B=lambda x: (x > -1) / 0.84)  # fmt: skip
def _dropout() -> Any:
    Q, K, V, B, t = (
        tensor("Q", n, d), tensor("K", n, d), tensor("V", n, d), tensor("B", n, n),
        sp.Symbol("t", positive=True)
    )  # fmt: skip
    S = define("S", (i, j), total(Q[i, a] * K[j, a], a) / sp.sqrt(d) - t * (i - j))
    W = iverson(j <= i) * sp.exp(S[i, j])
    A = define("A", (i, j), W / total(W, j))
    O = define("O", (i, b), total(A[i, j] * B[i, j] * V[j, b], j))

    def textbook(Q: Any, K: Any, V: Any, B: Any, t: Any) -> Any:
        import jax
        import jax.numpy as jnp

        place = jnp.arange(len(Q))
        far = place[:, None] - place
        S = jnp.where(far >= 0, Q @ K.T / Q.shape[1] ** 0.5 - t * far, -jnp.inf)
        return (jax.nn.softmax(S) * B) @ V

    return System(S, A, O), textbook


@user("tensor train", "vjp", "L", "U V W",
      sizes=grow("n m d k", (12, 10, 8, 3), (64, 48, 40, 8), (192, 160, 128, 16)))  # fmt: skip
def _train() -> Any:
    U, V, W, T = (
        tensor("U", n, k), tensor("V", k, m, k), tensor("W", k, d), tensor("T", n, m, d)
    )  # fmt: skip
    E = define("E", (i, p, a), total(U[i, c] * V[c, p, e] * W[e, a], c, e) - T[i, p, a])
    L = define("L", (), total(E[i, p, a] ** 2, i, p, a) / 2)

    def textbook(U: Any, V: Any, W: Any, T: Any) -> Any:
        import jax.numpy as jnp

        return ((jnp.einsum("ic,cpe,ea->ipa", U, V, W) - T) ** 2).sum() / 2

    return System(E, L), textbook


@user("factorisation of counts", "vjp", "L", "U V", sizes=LOW, U="positive", V="positive", T=abs)
def _counts() -> Any:
    U, V, T = tensor("U", n, k), tensor("V", m, k), tensor("T", n, m)
    R = define("R", (i, p), U[i, c] * V[p, c])
    L = define("L", (), total(R[i, p] - T[i, p] * sp.log(R[i, p]), i, p))

    def textbook(U: Any, V: Any, T: Any) -> Any:
        import jax.numpy as jnp

        R = U @ V.T
        return (R - T * jnp.log(R)).sum()

    return System(R, L), textbook


@user("variational autoencoder", "vjp", "L", "W V D",
      sizes=grow("n d k", (32, 16, 4), (512, 128, 16), (4096, 512, 64)),
      W="narrow", V="narrow", D="narrow", X=_bits)  # fmt: skip
def _autoencoder() -> Any:
    W, V, D, N = tensor("W", d, k), tensor("V", d, k), tensor("D", k, d), tensor("N", n, k)
    mu = define("mu", (i, c), X[i, a] * W[a, c])
    nu = define("nu", (i, c), X[i, a] * V[a, c])
    z = define("z", (i, c), mu[i, c] + sp.exp(nu[i, c] / 2) * N[i, c])
    R = define("R", (i, a), sigmoid(total(z[i, c] * D[c, a], c)))
    fit = total(X[i, a] * sp.log(R[i, a]) + (1 - X[i, a]) * sp.log(1 - R[i, a]), i, a)
    far = total(sp.exp(nu[i, c]) + mu[i, c] ** 2 - 1 - nu[i, c], i, c) / 2
    L = define("L", (), (far - fit) / n)

    def textbook(X: Any, W: Any, V: Any, D: Any, N: Any) -> Any:
        import jax
        import jax.numpy as jnp

        mu, nu = X @ W, X @ V
        r = (mu + jnp.exp(nu / 2) * N) @ D
        fit = (X * jax.nn.log_sigmoid(r) + (1 - X) * jax.nn.log_sigmoid(-r)).sum()
        far = (jnp.exp(nu) + mu**2 - 1 - nu).sum() / 2
        return (far - fit) / len(X)

    return System(mu, nu, z, R, L), textbook


@user("graph attention", "vjp", "O", "X W u v",
      sizes=grow("n d k", (32, 8, 4), (512, 32, 16), (2048, 64, 64)),
      A=_bits)  # fmt: skip
def _graph_attention() -> Any:
    A, W, u, v = tensor("A", n, n), tensor("W", d, k), tensor("u", k), tensor("v", k)
    H = define("H", (i, c), X[i, a] * W[a, c])
    x, y = define("x", (i,), H[i, c] * u[c]), define("y", (i,), H[i, c] * v[c])
    S = define("S", (i, j), sp.Max(x[i] + y[j], (x[i] + y[j]) / 5))
    B = define("B", (i, j), A[i, j] * sp.exp(S[i, j]) / total(A[i, l] * sp.exp(S[i, l]), l))
    O = define("O", (i, c), total(B[i, j] * H[j, c], j))

    def textbook(X: Any, A: Any, W: Any, u: Any, v: Any) -> Any:
        import jax
        import jax.numpy as jnp

        H = X @ W
        S = jax.nn.leaky_relu((H @ u)[:, None] + H @ v, 0.2)
        return jax.nn.softmax(jnp.where(A > 0, S, -jnp.inf)) @ H

    return System(H, x, y, S, B, O), textbook


@user("pinball loss", "vjp", "L", "w", sizes=grow("n d", (64, 8), (1024, 128), (16384, 512)))
def _pinball() -> Any:
    w, y = tensor("w", d), tensor("y", n)
    r = define("r", (i,), y[i] - X[i, a] * w[a])
    L = define("L", (), total(sp.Max(r[i] * 3 / 4, -r[i] / 4), i) / n)

    def textbook(X: Any, w: Any, y: Any) -> Any:
        import jax.numpy as jnp

        r = y - X @ w
        return jnp.maximum(0.75 * r, -0.25 * r).mean()

    return System(r, L), textbook


@user("dynamics of a table", "vjp", "L", "M B",
      sizes=grow("n d k", (32, 8, 4), (1024, 64, 16), (8192, 256, 64)), M="narrow")  # fmt: skip
def _dynamics() -> Any:
    """x_{t+1} = M x_t + B u_t, fitted to what was seen."""
    M, B, U = tensor("M", d, d), tensor("B", d, k), tensor("U", n, k)
    E = define("E", (i, a), X[i + 1, a] - total(M[a, b] * X[i, b], b) - total(B[a, c] * U[i, c], c))
    L = define("L", (), total(iverson(i <= n - 2) * E[i, a] ** 2, i, a) / n)

    def textbook(X: Any, M: Any, B: Any, U: Any) -> Any:
        return ((X[1:] - X[:-1] @ M.T - U[:-1] @ B.T) ** 2).sum() / len(X)

    return System(E, L), textbook
