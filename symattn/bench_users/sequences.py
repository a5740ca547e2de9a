"""Windows and orders of sequences, masks that arrays make, and scales of a kernel."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ..syntax import System, define, delta, indices, inverse, iverson, logdet, sizes, tensor, total
from .record import grow, user

n, m, d, s = sizes("n m d s")
(i, j), (p, q), (a, b), (t,) = (
    indices("i j", n), indices("p q", m), indices("a b", d), indices("t", s)
)  # fmt: skip
X = tensor("X", n, d)


@user("causal convolution", "vjp", "Y", "X v",
      sizes=grow("n d s", (64, 8, 4), (512, 32, 4), (4096, 128, 4)))  # fmt: skip
def _causal_convolution() -> Any:
    """Every feature for itself, as before a recurrence."""
    v = tensor("v", s, d)
    Y = define("Y", (i, a), total(iverson(t <= i) * v[t, a] * X[i - t, a], t))

    def textbook(X: Any, v: Any) -> Any:
        import jax.numpy as jnp

        width = len(v)
        padded = jnp.pad(X, ((width - 1, 0), (0, 0)))
        return sum(v[k] * padded[width - 1 - k : len(padded) - k] for k in range(width))

    return System(Y), textbook


@user("depthwise convolution", "vjp", "Y", "X_0 W",
      sizes=grow("n s d", (32, 3, 8), (256, 5, 32), (2048, 7, 128)))  # fmt: skip
def _depthwise() -> Any:
    X_0, W = tensor("X_0", n + s - 1, d), tensor("W", s, d)
    Y = define("Y", (i, a), X_0[i + t, a] * W[t, a])

    def textbook(X_0: Any, W: Any) -> Any:
        return sum(W[k] * X_0[k : len(X_0) - len(W) + 1 + k] for k in range(len(W)))

    return System(Y), textbook


def _rounded(x: Any) -> Any:
    import numpy as np

    return np.sort(np.round(2 * x))


@user("attention among documents", "vjp", "O", "Q K V",
      sizes=grow("n m d", (32, 24, 8), (512, 384, 64), (2048, 1536, 64)),
      x=_rounded, y=_rounded)  # fmt: skip
def _documents() -> Any:
    """Queries see the keys of their own document, and some see none."""
    Q, K, V, x, y = (
        tensor("Q", n, d), tensor("K", m, d), tensor("V", m, d), tensor("x", n), tensor("y", m)
    )  # fmt: skip
    S = define("S", (i, p), Q[i, a] * K[p, a] / sp.sqrt(d))

    def weight(key: Any) -> Any:
        return iverson((x[i] - y[key]) ** 2 <= sp.Rational(1, 4)) * sp.exp(S[i, key])

    A = define("A", (i, p), weight(p) / total(weight(q), q))
    O = define("O", (i, b), A[i, p] * V[p, b])

    def textbook(Q: Any, K: Any, V: Any, x: Any, y: Any) -> Any:
        import jax
        import jax.numpy as jnp

        seen = (x[:, None] - y) ** 2 <= 0.25
        S = jnp.where(seen, Q @ K.T / Q.shape[1] ** 0.5, -1e30)
        return jnp.where(seen, jax.nn.softmax(S), 0) @ V

    return System(S, A, O), textbook


@user("scales of a process, hvp", "hvp", "L", "s",
      sizes=grow("n d", (16, 2), (128, 3), (512, 4)), s="positive")  # fmt: skip
def _scales() -> Any:
    y, scale = tensor("y", n), tensor("s", d)
    D = total((X[i, a] - X[j, a]) ** 2 * scale[a], a)
    G = define("G", (i, j), sp.exp(-D / 2) + delta(i, j) / 4)
    L = define("L", (), total(y[i] * inverse(G)[i, j] * y[j], i, j) / 2 + logdet(G) / 2)

    def textbook(X: Any, y: Any, s: Any) -> Any:
        import jax.numpy as jnp
        from jax.scipy.linalg import cho_solve

        D = ((X[:, None] - X) ** 2 * s).sum(-1)
        factor = jnp.linalg.cholesky(jnp.exp(-D / 2) + jnp.eye(len(X)) / 4)
        return y @ cho_solve((factor, True), y) / 2 + jnp.log(jnp.diagonal(factor)).sum()

    return System(G, L), textbook


(B,) = sizes("B")
(k,), (u,) = indices("k", n), indices("u", B)
S = tensor("S", B, n)


@user("likelihood of rankings", "vjp", "L", "S",
      sizes=grow("B n", (16, 16), (4096, 32), (512, 1024)))  # fmt: skip
def _rankings() -> Any:
    """Plackett and Luce: the chosen one against all that come after it."""
    after = sp.log(total(iverson(j >= i) * sp.exp(S[u, j]), j))
    L = define("L", (), total(after - S[u, i], u, i))

    def textbook(S: Any) -> Any:
        import jax

        return (jax.lax.cumlogsumexp(S, axis=1, reverse=True) - S).sum()

    return System(L), textbook


@user("attention without keys", "vjp", "O", "S V",
      sizes=grow("B n d", (4, 16, 8), (4, 512, 32), (8, 2048, 64)))  # fmt: skip
def _without_keys() -> Any:
    """Scores of the keys alone, under a causal mask."""
    V = tensor("V", B, n, d)
    seen = total(iverson(k <= i) * sp.exp(S[u, k]), k)
    A = define("A", (u, i, j), iverson(j <= i) * sp.exp(S[u, j]) / seen)
    O = define("O", (u, i, a), total(A[u, i, j] * V[u, j, a], j))

    def textbook(S: Any, V: Any) -> Any:
        import jax
        import jax.numpy as jnp

        weights = jnp.exp(S - jax.lax.stop_gradient(S.max(1, keepdims=True)))
        sums = jnp.cumsum(weights[..., None] * V, 1)
        return sums / jnp.cumsum(weights, 1)[..., None]

    return System(A, O), textbook


@user("sums under a decay", "vjp", "Y", "X t",
      sizes=grow("n d", (32, 8), (512, 64), (4096, 256)), t=lambda x: abs(x).cumsum())  # fmt: skip
def _decayed() -> Any:
    """A moving average of events at irregular times."""
    times = tensor("t", n)
    Y = define("Y", (i, a), total(iverson(j <= i) * sp.exp(times[j] - times[i]) * X[j, a], j))

    def textbook(X: Any, t: Any) -> Any:
        import jax
        import jax.numpy as jnp

        def join(one: Any, other: Any) -> Any:
            return one[0] * other[0], one[1] * other[0] + other[1]

        left = jnp.exp(-jnp.diff(t, prepend=t[:1]))[:, None]
        return jax.lax.associative_scan(join, (jnp.broadcast_to(left, X.shape), X))[1]

    return System(Y), textbook


@user("linear attention in chunks", "vjp", "O", "Q K V",
      sizes=grow("n d", (32, 8), (512, 32), (4096, 64)), Q="positive", K="positive")  # fmt: skip
def _in_chunks() -> Any:
    """Causal, with positive features and normalised."""
    Q, K, V = tensor("Q", n, d, positive=True), tensor("K", n, d, positive=True), tensor("V", n, d)
    w = define("w", (i, j), iverson(j <= i) * total(Q[i, a] * K[j, a], a))
    O = define("O", (i, b), total(w[i, j] * V[j, b], j) / total(w[i, k], k))

    def textbook(Q: Any, K: Any, V: Any) -> Any:
        import jax
        import jax.numpy as jnp

        count, width = Q.shape
        size = min(64, count)
        values = jnp.concatenate([V, jnp.ones((count, 1), V.dtype)], 1)

        def step(state: Any, part: Any) -> Any:
            Q, K, V = part
            return state + K.T @ V, Q @ state + jnp.tril(Q @ K.T) @ V

        parts = [x.reshape(count // size, size, -1) for x in (Q, K, values)]
        first = jnp.zeros((width, width + 1), V.dtype)
        found = jax.lax.scan(step, first, tuple(parts))[1].reshape(count, -1)
        return found[:, :-1] / found[:, -1:]

    return System(w, O), textbook
