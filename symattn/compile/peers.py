"""What the tables compare with: idiomatic JAX, differentiated automatically or by hand."""

from __future__ import annotations

from typing import Any


def textbook(Q: Any, K: Any, V: Any) -> Any:
    """softmax(Q Kᵀ / √d) V as everybody writes it."""
    import jax

    return jax.nn.softmax(Q @ K.T / Q.shape[1] ** 0.5, axis=-1) @ V


def attention_vjp(Q: Any, K: Any, V: Any, O_bar: Any) -> Any:
    """The value and the three gradients by jax.vjp."""
    import jax

    value, pullback = jax.vjp(textbook, Q, K, V)
    return value, pullback(O_bar)


def attention_by_hand(Q: Any, K: Any, V: Any, O_bar: Any) -> Any:
    """The value and the three gradients, with the short row sum and the scale on Q."""
    import jax

    d = Q.shape[1]
    scaled = Q / d**0.5
    A = jax.nn.softmax(scaled @ K.T, axis=-1)
    O = A @ V
    S_bar = A * (O_bar @ V.T - (O_bar * O).sum(-1, keepdims=True))
    return O, (S_bar @ K / d**0.5, S_bar.T @ scaled, A.T @ O_bar)


def attention_by_rows(Q: Any, K: Any, V: Any, rows: int = 128) -> Any:
    """The value in blocks of rows, each of which is computed again for its derivatives."""
    import jax

    block = jax.checkpoint(lambda q: textbook(q, K, V))
    return jax.lax.map(block, Q.reshape(-1, rows, Q.shape[1])).reshape(len(Q), -1)


def attention_jacobian(Q: Any, K: Any, V: Any) -> Any:
    """∂O/∂Q."""
    import jax

    return jax.jacrev(textbook)(Q, K, V)


def layer_vjp(X: Any, W_Q: Any, W_K: Any, W_V: Any, W_O: Any, Y_bar: Any) -> Any:
    """A layer of several heads and the gradients of its weights by jax.vjp."""
    import jax
    import jax.numpy as jnp

    def layer(W_Q: Any, W_K: Any, W_V: Any, W_O: Any) -> Any:
        Q, K, V = (jnp.einsum("bnm,mhd->bhnd", X, W) for W in (W_Q, W_K, W_V))
        S = jnp.einsum("bhid,bhjd->bhij", Q, K) / Q.shape[-1] ** 0.5
        O = jnp.einsum("bhij,bhjd->bhid", jax.nn.softmax(S, axis=-1), V)
        return jnp.einsum("bhid,hdm->bim", O, W_O)

    value, pullback = jax.vjp(layer, W_Q, W_K, W_V, W_O)
    return value, pullback(Y_bar)


def logistic_hessian(X: Any, w: Any, y: Any) -> Any:
    """The Hessian of the loss of logistic regression."""
    import jax

    def loss(w: Any) -> Any:
        z = X @ w
        return (jax.nn.softplus(z) - y * z).sum()

    return jax.hessian(loss)(w)


def logistic_by_hand(X: Any, w: Any) -> Any:
    """Xᵀ diag(σ(1 − σ)) X."""
    import jax

    p = jax.nn.sigmoid(X @ w)
    return (X.T * (p * (1 - p))) @ X


def logistic_by_hand_copied(X: Any, w: Any) -> Any:
    """Xᵀ diag(σ(1 − σ)) X with the first factor in the layout that a CPU wants."""
    import jax

    copied: Any = jax.lax.optimization_barrier  # else XLA undoes the transposition
    p = jax.nn.sigmoid(X @ w)
    return copied(X.T * (p * (1 - p))) @ X


def factorisation_hessian(V: Any, U: Any, X: Any) -> Any:
    """The Hessian in U of the squared error of U Vᵀ."""
    import jax

    return jax.hessian(lambda u: ((u @ V.T - X) ** 2).sum())(U)


def factorisation_by_hand(V: Any, U: Any) -> Any:
    """2 δ Vᵀ V."""
    import jax.numpy as jnp

    return jnp.einsum("ij,kl->ikjl", jnp.eye(len(U)), 2 * V.T @ V)


def factorisation_blocks_by_hand(V: Any) -> Any:
    """2 Vᵀ V."""
    return 2 * V.T @ V


def call_alone(V: Any) -> Any:
    """Next to nothing: what any jitted function of one array takes."""
    return V[: V.shape[1]]


def attention_blocks_by_hand(Q: Any, K: Any, V: Any) -> Any:
    """The blocks of ∂O/∂Q."""
    import jax
    import jax.numpy as jnp

    d = Q.shape[1]
    A = jax.nn.softmax(Q @ K.T / d**0.5, axis=-1)
    second = jnp.einsum("ij,jba->iba", A, V[:, :, None] * K[:, None, :])
    return (second - (A @ V)[:, :, None] * (A @ K)[:, None, :]) / d**0.5


def cross_entropy_hvp(z: Any, y: Any, z_dot: Any) -> Any:
    """The Hessian of the cross-entropy times a vector, forward over reverse."""
    import jax

    def loss(z: Any) -> Any:
        return -(y * jax.nn.log_softmax(z)).sum()

    return jax.jvp(jax.grad(loss), (z,), (z_dot,))[1]


def network_hessians(X: Any, W_1: Any, W_2: Any, W_3: Any, T: Any) -> Any:
    """The Hessians of a network's cross-entropy in each of its weight matrices."""
    import jax
    import jax.numpy as jnp

    def loss(W_1: Any, W_2: Any, W_3: Any) -> Any:
        Z = jnp.tanh(jnp.tanh(X @ W_1) @ W_2) @ W_3
        return -(T * jax.nn.log_softmax(Z, axis=-1)).sum()

    return [jax.hessian(loss, argnums=k)(W_1, W_2, W_3) for k in range(3)]
