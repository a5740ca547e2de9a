"""Sums over neighbours and pairs: graphs, ranks, windows and moving averages."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ..primitives import sigmoid
from ..syntax import System, define, indices, iverson, sizes, tensor, total
from .record import grow, user

n, m, d, s, T = *sizes("n m d s"), sp.Symbol("T", positive=True)
(i, j), (p,), (a, b), (t, u) = (
    indices("i j", n), indices("p", m), indices("a b", d), indices("t u", s)
)  # fmt: skip
x, y, W = tensor("x", n), tensor("y", n), tensor("W", n, n)
PAIRS = grow("n", (32,), (512,), (2048,))
WINDOWS = grow("n s", (64, 5), (2048, 33), (16384, 129))


@user("smoothness of a graph", "vjp", "L", "x", sizes=PAIRS, W=abs)
def _smoothness() -> Any:
    L = define("L", (), total(W[i, j] * (x[i] - x[j]) ** 2, i, j))
    return System(L), lambda x, W: (W * (x[:, None] - x) ** 2).sum()


@user("smoothness between two sets", "vjp", "L", "f g",
      sizes=grow("n m", (32, 24), (512, 384), (2048, 1536)), M=abs)  # fmt: skip
def _two_sets() -> Any:
    f, g, M = tensor("f", n), tensor("g", m), tensor("M", n, m)
    L = define("L", (), total(M[i, p] * (f[i] - g[p]) ** 2, i, p))
    return System(L), lambda f, g, M: (M * (f[:, None] - g) ** 2).sum()


@user("smoothness of features", "vjp", "L", "X",
      sizes=grow("n d", (32, 4), (512, 16), (1536, 64)), W=abs)  # fmt: skip
def _features() -> Any:
    X = tensor("X", n, d)
    L = define("L", (), total(W[i, j] * (X[i, a] - X[j, a]) ** 2, i, j, a))

    def textbook(X: Any, W: Any) -> Any:
        squares = (X**2).sum(1)
        return (W * (squares[:, None] + squares - 2 * X @ X.T)).sum()

    return System(L), textbook


@user("ranking of pairs", "vjp", "L", "x", sizes=PAIRS, W=lambda x: 1.0 * (x > 0))
def _pairs() -> Any:
    L = define("L", (), total(W[i, j] * sp.log(1 + sp.exp(x[j] - x[i])), i, j))

    def textbook(x: Any, W: Any) -> Any:
        import jax

        return (W * jax.nn.softplus(x - x[:, None])).sum()

    return System(L), textbook


@user("soft ranks", "vjp", "R", "x", sizes=PAIRS)
def _ranks() -> Any:
    R = define("R", (i,), total(sigmoid((x[j] - x[i]) / T), j))

    def textbook(x: Any, T: Any) -> Any:
        import jax

        return jax.nn.sigmoid((x - x[:, None]) / T).sum(1)

    return System(R), textbook


@user("coupled phases", "vjp", "F", "x", sizes=grow("n", (32,), (256,), (1024,)))
def _phases() -> Any:
    F = define("F", (i,), total(W[i, j] * sp.sin(x[j] - x[i]), j))

    def textbook(x: Any, W: Any) -> Any:
        import jax.numpy as jnp

        return (W * jnp.sin(x - x[:, None])).sum(1)

    return System(F), textbook


@user("cross-correlation", "vjp", "L", "z w", sizes=WINDOWS)
def _correlation() -> Any:
    z, w = tensor("z", n + s - 1), tensor("w", s)
    C = define("C", (i,), total(z[i + t] * w[t], t))
    L = define("L", (), total((C[i] - y[i]) ** 2, i) / 2)

    def textbook(z: Any, w: Any, y: Any) -> Any:
        import jax.numpy as jnp

        return ((jnp.correlate(z, w, mode="valid") - y) ** 2).sum() / 2

    return System(C, L), textbook


@user("causal filter", "vjp", "Y", "x w", sizes=WINDOWS)
def _filter() -> Any:
    w = tensor("w", s)
    Y = define("Y", (i,), total(iverson(t <= i) * x[i - t] * w[t], t))

    def textbook(x: Any, w: Any) -> Any:
        import jax.numpy as jnp

        return jnp.convolve(x, w)[: len(x)]

    return System(Y), textbook


@user("moving average", "vjp", "L", "z", sizes=WINDOWS)
def _average() -> Any:
    z = tensor("z", n + s - 1)
    A = define("A", (i,), total(z[i + t], t) / s)
    L = define("L", (), total((A[i] - y[i]) ** 2, i) / 2)

    def textbook(z: Any, y: Any) -> Any:
        import jax.numpy as jnp

        width = len(z) - len(y) + 1
        means = jnp.convolve(z, jnp.ones(width) / width, mode="valid")
        return ((means - y) ** 2).sum() / 2

    return System(A, L), textbook


@user("attention to neighbours", "vjp", "O", "Q K V",
      sizes=grow("n s d", (32, 4, 8), (512, 9, 16), (4096, 17, 32)))  # fmt: skip
def _neighbours() -> Any:
    Q, K, V = tensor("Q", n, d), tensor("K", n + s - 1, d), tensor("V", n + s - 1, d)
    S = define("S", (i, t), total(Q[i, a] * K[i + t, a], a) / sp.sqrt(d))
    A = define("A", (i, t), sp.exp(S[i, t]) / total(sp.exp(S[i, u]), u))
    O = define("O", (i, b), total(A[i, t] * V[i + t, b], t))

    def textbook(Q: Any, K: Any, V: Any) -> Any:
        import jax
        import jax.numpy as jnp

        at = jnp.arange(len(Q))[:, None] + jnp.arange(len(K) - len(Q) + 1)
        S = jnp.einsum("ia,ita->it", Q, K[at]) / Q.shape[1] ** 0.5
        return jnp.einsum("it,ita->ia", jax.nn.softmax(S), V[at])

    return System(S, A, O), textbook
