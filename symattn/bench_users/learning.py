"""Losses and layers of networks."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ..primitives import sigmoid
from ..syntax import System, define, indices, sizes, tensor, total
from .record import grow, user

n, d, m, k, s = sizes("n d m k s")
(i, j), (a, b), (p, u), (c, e) = (
    indices("i j", n), indices("a b", d), indices("p u", m), indices("c e", k)
)  # fmt: skip
X = tensor("X", n, d)
TABLE = grow("n d k", (64, 16, 8), (1024, 64, 32), (8192, 256, 128))
ROWS = grow("n d", (64, 16), (1024, 256), (8192, 1024))
NET = grow("n d m k", (32, 8, 16, 8), (512, 64, 128, 32), (4096, 256, 512, 128))


def lse(x: Any) -> Any:
    import jax

    return jax.nn.logsumexp(x, axis=-1)


def _probabilities(x: Any) -> Any:
    import numpy as np

    return np.exp(x) / np.exp(x).sum(-1, keepdims=True)


@user("softmax regression", "vjp", "L", "W b_0", sizes=TABLE, Y=_probabilities)
def _softmax_regression() -> Any:
    W, b_0, Y = tensor("W", d, k), tensor("b_0", k), tensor("Y", n, k)
    Z = define("Z", (i, c), X[i, a] * W[a, c] + b_0[c])
    P = define("P", (i, c), sp.exp(Z[i, c]) / total(sp.exp(Z[i, e]), e))
    L = define("L", (), -total(Y[i, c] * sp.log(P[i, c]), i, c) / n)

    def textbook(X: Any, W: Any, b_0: Any, Y: Any) -> Any:
        import jax

        return -(Y * jax.nn.log_softmax(X @ W + b_0)).sum() / len(X)

    return System(Z, P, L), textbook


@user("cross-entropy in the logits", "vjp", "L", "Z", sizes=TABLE, Y=_probabilities)
def _cross_entropy() -> Any:
    Z, Y = tensor("Z", n, k), tensor("Y", n, k)
    L = define("L", (), total(Y[i, c] * (sp.log(total(sp.exp(Z[i, e]), e)) - Z[i, c]), i, c))

    def textbook(Z: Any, Y: Any) -> Any:
        import jax

        return -(Y * jax.nn.log_softmax(Z)).sum()

    return System(L), textbook


@user("logistic regression", "vjp", "L", "w", sizes=ROWS)
def _logistic() -> Any:
    w, y = tensor("w", d), tensor("y", n)
    z = define("z", (i,), X[i, a] * w[a])
    L = define("L", (), total(sp.log(1 + sp.exp(z[i])) - y[i] * z[i], i))

    def textbook(X: Any, w: Any, y: Any) -> Any:
        import jax

        z = X @ w
        return (jax.nn.softplus(z) - y * z).sum()

    return System(z, L), textbook


@user("logistic regression, Hessian", "hessian", "L", "w",
      sizes=grow("n d", (64, 16), (512, 128), (4096, 256)))  # fmt: skip
def _logistic_hessian() -> Any:
    return _logistic()


@user("divergence of two softmaxes", "vjp", "L", "Z Y", sizes=TABLE)
def _divergence() -> Any:
    Z, Y = tensor("Z", n, k), tensor("Y", n, k)
    P = define("P", (i, c), sp.exp(Y[i, c]) / total(sp.exp(Y[i, e]), e))
    R = define("R", (i, c), sp.exp(Z[i, c]) / total(sp.exp(Z[i, e]), e))
    L = define("L", (), total(P[i, c] * (sp.log(P[i, c]) - sp.log(R[i, c])), i, c))

    def textbook(Z: Any, Y: Any) -> Any:
        import jax

        return (jax.nn.softmax(Y) * (jax.nn.log_softmax(Y) - jax.nn.log_softmax(Z))).sum()

    return System(P, R, L), textbook


@user("contrastive loss", "vjp", "L", "X Y",
      sizes=grow("n d", (64, 16), (512, 64), (2048, 128)))  # fmt: skip
def _contrastive() -> Any:
    Y = tensor("Y", n, d)
    S = define("S", (i, j), 10 * X[i, a] * Y[j, a] / d)
    one = total(sp.log(total(sp.exp(S[i, j]), j)) - S[i, i], i)
    other = total(sp.log(total(sp.exp(S[j, i]), j)) - S[i, i], i)
    L = define("L", (), (one + other) / (2 * n))

    def textbook(X: Any, Y: Any) -> Any:
        import jax.numpy as jnp

        S = 10 * X @ Y.T / X.shape[1]
        return (lse(S) + lse(S.T) - 2 * jnp.diagonal(S)).sum() / (2 * len(X))

    return System(S, L), textbook


def _layers() -> Any:
    W_1, W_2, Y = tensor("W_1", d, m), tensor("W_2", m, k), tensor("Y", n, k)
    H = define("H", (i, p), sp.tanh(total(X[i, a] * W_1[a, p], a)))
    Z = define("Z", (i, c), H[i, p] * W_2[p, c])
    L = define("L", (), total((Z[i, c] - Y[i, c]) ** 2, i, c) / n)

    def textbook(X: Any, W_1: Any, W_2: Any, Y: Any) -> Any:
        import jax.numpy as jnp

        return ((jnp.tanh(X @ W_1) @ W_2 - Y) ** 2).sum() / len(X)

    return System(H, Z, L), textbook


@user("network", "vjp", "L", "W_1 W_2", sizes=NET, W_1="narrow", W_2="narrow")
def _network() -> Any:
    return _layers()


@user("network, hvp", "hvp", "L", "W_1", sizes=NET, W_1="narrow", W_2="narrow")
def _network_hvp() -> Any:
    return _layers()


@user("network with GELU", "vjp", "Z", "X W_1 W_2", sizes=NET, W_1="narrow", W_2="narrow")
def _gelu() -> Any:
    W_1, W_2 = tensor("W_1", d, m), tensor("W_2", m, k)
    G = define("G", (i, p), X[i, a] * W_1[a, p])
    H = define("H", (i, p), G[i, p] * (1 + sp.erf(G[i, p] / sp.sqrt(2))) / 2)
    Z = define("Z", (i, c), H[i, p] * W_2[p, c])

    def textbook(X: Any, W_1: Any, W_2: Any) -> Any:
        import jax

        return jax.nn.gelu(X @ W_1, approximate=False) @ W_2

    return System(G, H, Z), textbook


@user("gated network", "vjp", "Z", "X W_1 W_2 W_3", sizes=NET, W_1="narrow", W_2="narrow",
      W_3="narrow")  # fmt: skip
def _gated() -> Any:
    W_1, W_2, W_3 = tensor("W_1", d, m), tensor("W_2", d, m), tensor("W_3", m, k)
    G = define("G", (i, p), X[i, a] * W_1[a, p])
    U = define("U", (i, p), X[i, a] * W_2[a, p])
    H = define("H", (i, p), G[i, p] * sigmoid(G[i, p]) * U[i, p])
    Z = define("Z", (i, c), H[i, p] * W_3[p, c])

    def textbook(X: Any, W_1: Any, W_2: Any, W_3: Any) -> Any:
        import jax

        return (jax.nn.silu(X @ W_1) * (X @ W_2)) @ W_3

    return System(G, U, H, Z), textbook


@user("layer norm", "vjp", "Y", "X g b_0", sizes=ROWS)
def _layer_norm() -> Any:
    g, b_0 = tensor("g", d), tensor("b_0", d)
    mu = define("mu", (i,), total(X[i, a], a) / d)
    v = define("v", (i,), total((X[i, a] - mu[i]) ** 2, a) / d)
    Y = define("Y", (i, a), (X[i, a] - mu[i]) / sp.sqrt(v[i] + sp.Rational(1, 10**5)) * g[a]
               + b_0[a])  # fmt: skip

    def textbook(X: Any, g: Any, b_0: Any) -> Any:
        import jax.numpy as jnp

        mu, v = X.mean(1, keepdims=True), X.var(1, keepdims=True)
        return (X - mu) / jnp.sqrt(v + 1e-5) * g + b_0

    return System(mu, v, Y), textbook


@user("RMS norm", "vjp", "Y", "X g", sizes=ROWS)
def _rms_norm() -> Any:
    g = tensor("g", d)
    v = define("v", (i,), total(X[i, a] ** 2, a) / d)
    Y = define("Y", (i, a), X[i, a] / sp.sqrt(v[i] + sp.Rational(1, 10**6)) * g[a])

    def textbook(X: Any, g: Any) -> Any:
        import jax.numpy as jnp

        return X / jnp.sqrt((X**2).mean(1, keepdims=True) + 1e-6) * g

    return System(v, Y), textbook


@user("graph convolution", "vjp", "Z", "W_1 W_2",
      sizes=grow("n d m k", (64, 8, 16, 8), (512, 64, 64, 16), (2048, 128, 128, 32)),
      W_1="narrow", W_2="narrow")  # fmt: skip
def _graph() -> Any:
    G, W_1, W_2 = tensor("G", n, n), tensor("W_1", d, m), tensor("W_2", m, k)
    H = define("H", (i, p), sp.tanh(total(G[i, j] * X[j, a] * W_1[a, p], j, a)))
    Z = define("Z", (i, c), G[i, j] * H[j, p] * W_2[p, c])

    def textbook(X: Any, G: Any, W_1: Any, W_2: Any) -> Any:
        import jax.numpy as jnp

        return G @ (jnp.tanh(G @ (X @ W_1)) @ W_2)

    return System(H, Z), textbook


@user("chain of low rank", "vjp", "Y", "U V S T",
      sizes=grow("n d k", (64, 64, 4), (512, 512, 16), (2048, 1024, 32)))  # fmt: skip
def _low_rank() -> Any:
    U, V, S, T = tensor("U", d, k), tensor("V", k, d), tensor("S", d, k), tensor("T", k, d)
    (f,) = indices("f", k)
    (g,) = indices("g", d)
    Y = define("Y", (i, b), X[i, a] * U[a, c] * V[c, g] * S[g, f] * T[f, b])

    def textbook(X: Any, U: Any, V: Any, S: Any, T: Any) -> Any:
        return X @ U @ V @ S @ T

    return System(Y), textbook


@user("convolution", "vjp", "y", "x v", sizes=grow("n s", (64, 5), (2048, 15), (32768, 31)))
def _convolution() -> Any:
    x, v = tensor("x", n + s - 1), tensor("v", s)
    (t,) = indices("t", s)
    y = define("y", (i,), v[t] * x[i + t])

    def textbook(x: Any, v: Any) -> Any:
        import jax.numpy as jnp

        return jnp.convolve(x, v[::-1], mode="valid")

    return System(y), textbook


@user("convolution with channels", "vjp", "Y", "X_0 W",
      sizes=grow("n s d k", (32, 3, 4, 8), (256, 5, 16, 32), (2048, 9, 32, 64)))  # fmt: skip
def _channels() -> Any:
    X_0, W = tensor("X_0", n + s - 1, d), tensor("W", s, d, k)
    (t,) = indices("t", s)
    Y = define("Y", (i, c), X_0[i + t, a] * W[t, a, c])

    def textbook(X_0: Any, W: Any) -> Any:
        import jax

        order = ("NWC", "WIO", "NWC")
        return jax.lax.conv_general_dilated(X_0[None], W, (1,), "VALID", dimension_numbers=order)[0]

    return System(Y), textbook


@user("image convolution", "vjp", "Y", "X_0 W",
      sizes=grow("n m s", (16, 12, 3), (96, 64, 5), (512, 384, 5)))  # fmt: skip
def _image() -> Any:
    X_0, W = tensor("X_0", n + s - 1, m + s - 1), tensor("W", s, s)
    (t, v) = indices("t v", s)
    Y = define("Y", (i, p), X_0[i + t, p + v] * W[t, v])

    def textbook(X_0: Any, W: Any) -> Any:
        import jax

        return jax.lax.conv(X_0[None, None], W[None, None], (1, 1), "VALID")[0, 0]

    return System(Y), textbook
