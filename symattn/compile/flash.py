"""Softmax attention over blocks of keys, in memory linear in the number of positions."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
from jax import Array

Arrays = tuple[Array, ...]


def flash_attention(
    Q: Array, K: Array, V: Array, scale: float | Array, *, block: int = 256
) -> Array:
    """O^{ib} = sum_j softmax_j(scale * sum_a Q^{ia} K^{ja}) V^{jb}, one block of keys at a time.

    Memory is linear in n_q + n_k, plus a few (n_q, block) tiles: a derivative recomputes
    the scores of every block from the saved logsumexp and stores none.  This holds for the value,
    jvp, vjp and forward over reverse (hvp), in Q, K, V and scale; reverse over reverse is right
    too, but keeps one (n_q, d_v) array per block, so prefer forward over reverse.

    Shapes: Q (n_q, d_k), K (n_k, d_k), V (n_k, d_v), scale () -> (n_q, d_v).  Any n_q >= 0 and
    n_k >= 1; ``block`` need not divide n_k.  The result has the promoted floating dtype of
    Q, K, V; arithmetic and accumulation are in at least float32.

    Raises:
        ValueError: a shape is not as above, there is no key, or ``block`` < 1.

    Source: Milakov & Gimelshein 2018 (arXiv:1805.02867) for the online softmax; Dao, Fu, Ermon,
    Rudra & Re 2022 (arXiv:2205.14135) for blocks with recomputation.
    """
    _check(jnp.shape(Q), jnp.shape(K), jnp.shape(V), jnp.shape(scale), block)
    dtype = jnp.result_type(Q, K, V, float)
    wide = jnp.promote_types(dtype, jnp.float32)
    q, k, v, c = (jnp.asarray(x).astype(wide) for x in (Q, K, V, scale))
    # With the scale folded into the queries its derivative is that of an ordinary product.
    out, _ = _attend(c * q, k, v, min(block, k.shape[0]))
    return out.astype(dtype)


def _check(
    Q: tuple[int, ...], K: tuple[int, ...], V: tuple[int, ...], scale: tuple[int, ...], block: int
) -> None:
    shapes = f"got Q {Q}, K {K}, V {V}, scale {scale}"
    if not (len(Q) == len(K) == len(V) == 2 and Q[1] == K[1] and K[0] == V[0] and scale == ()):
        raise ValueError(
            f"flash_attention needs Q (n_q, d_k), K (n_k, d_k), V (n_k, d_v), scale (); {shapes}"
        )
    if K[0] == 0:
        raise ValueError(f"flash_attention needs n_k >= 1: no softmax over no keys; {shapes}")
    if block < 1:
        raise ValueError(f"flash_attention needs block >= 1; got block={block}")


def _split(x: Array, block: int) -> Array:
    """x^{j...} as blocks x^{(J,j)...}, zero (or False) past the end: (N, block, ...)."""
    pad = [(0, -x.shape[0] % block)] + [(0, 0)] * (x.ndim - 1)
    return jnp.pad(x, pad).reshape(-1, block, *x.shape[1:])


def _scores(q: Array, k: Array, live: Array) -> Array:
    """s^{ij} = sum_a q^{ia} k^{ja} on live keys and -inf on padding: (n_q, block)."""
    # Masking s, and not exp(s - lse), keeps the exponential of a padded key at 0 instead of a
    # possibly infinite exp(-lse), whose masked derivative would be 0 * inf.
    return jnp.where(live, q @ k.T, -jnp.inf)


@partial(jax.custom_jvp, nondiff_argnums=(3,))
def _attend(q: Array, k: Array, v: Array, block: int) -> Arrays:
    """o^{ib} = sum_j exp(s^{ij} - l^i) v^{jb}, l^i = log sum_j exp(s^{ij}): (n_q, d_v), (n_q,)."""

    def body(carry: Arrays, xs: Arrays) -> tuple[Arrays, None]:
        (peak, total, out), (k_, v_, live) = carry, xs
        s = _scores(q, k_, live)
        # Every block has a live key, so the new peak is finite from the first block on.
        new = jnp.maximum(peak, s.max(axis=1))
        p, shrink = jnp.exp(s - new[:, None]), jnp.exp(peak - new)
        return (new, shrink * total + p.sum(axis=1), shrink[:, None] * out + p @ v_), None

    zero = jnp.zeros(q.shape[0], q.dtype)
    start: Arrays = (zero - jnp.inf, zero, jnp.zeros((q.shape[0], v.shape[1]), q.dtype))
    xs = tuple(_split(x, block) for x in (k, v, jnp.ones(k.shape[0], bool)))
    (peak, total, out), _ = jax.lax.scan(body, start, xs)
    return out / total[:, None], peak + jnp.log(total)


@_attend.defjvp
def _attend_jvp(block: int, primals: Arrays, tangents: Arrays) -> tuple[Arrays, Arrays]:
    """dl^i = sum_j p^{ij} ds^{ij}, do^{ib} = sum_j p^{ij} (ds^{ij} v^{jb} + dv^{jb}) - dl^i o^{ib}.

    Here p^{ij} = exp(s^{ij} - l^i).  Both are linear in the tangents, so the transpose of this
    scan is the backward pass; its carry is linear too, so no step of the carry is a residual, and
    the checkpoint leaves only the inputs of a block as residuals.  o and l come from ``_attend``
    itself, so the rule can be differentiated again.
    """
    (q, k, v), (dq, dk, dv) = primals, tangents
    out, lse = _attend(q, k, v, block)

    @partial(jax.checkpoint, prevent_cse=False)
    def body(carry: Arrays, xs: Arrays) -> tuple[Arrays, None]:
        (dl, do), (k_, v_, dk_, dv_, live) = carry, xs
        p = jnp.exp(_scores(q, k_, live) - lse[:, None])
        pds = p * (dq @ k_.T + q @ dk_.T)
        return (dl + pds.sum(axis=1), do + pds @ v_ + p @ dv_), None

    xs = tuple(_split(x, block) for x in (k, v, dk, dv, jnp.ones(k.shape[0], bool)))
    (dl, do), _ = jax.lax.scan(body, (jnp.zeros_like(lse), jnp.zeros_like(out)), xs)
    return (out, lse), (do - dl[:, None] * out, dl)
