"""Blockwise attention against the textbook formula: values, derivatives, dtypes and memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.compile.flash import flash_attention


def dense(Q: Any, K: Any, V: Any, scale: Any) -> Any:
    """The textbook formula with every score in memory."""
    s = scale * jnp.einsum("ia,ja->ij", Q, K)
    e = jnp.exp(s - s.max(axis=1, keepdims=True))
    return jnp.einsum("ij,jb->ib", e / e.sum(axis=1, keepdims=True), V)


@cache
def flash(block: int) -> Callable[..., Any]:
    return lambda Q, K, V, scale: flash_attention(Q, K, V, scale, block=block)


def arrays(seed: int, *shapes: tuple[int, ...], dtype: Any = np.float64) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [jnp.asarray(rng.standard_normal(shape), dtype) for shape in shapes]


def problem(seed: int, n_q: int = 5, n_k: int = 11, d_k: int = 3, d_v: int = 4) -> list[Any]:
    """Q, K, V and a scale."""
    return [*arrays(seed, (n_q, d_k), (n_k, d_k), (n_k, d_v)), jnp.asarray(0.7)]


@partial(jax.jit, static_argnums=0)
def pull(f: Callable[..., Any], args: Any, upstream: Any) -> Any:
    """The value of f and its vjp in every argument."""
    out, pullback = jax.vjp(f, *args)
    return out, pullback(upstream)


def close(got: Any, want: Any) -> None:
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10), got, want)


@pytest.fixture
def x64() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


# 11 keys: one per block, a block that divides nothing, exactly one block, a block too large.
BLOCKS = pytest.mark.parametrize("block", [1, 4, 11, 64])


@BLOCKS
def test_value_and_vjp_in_every_argument(x64: None, block: int) -> None:
    args, (upstream,) = problem(0), arrays(1, (5, 4))
    got = pull(flash(block), args, upstream)
    assert got[0].shape == (5, 4) and got[0].dtype == jnp.float64
    close(got, pull(dense, args, upstream))


def test_without_jit(x64: None) -> None:
    args = [*problem(2)[:3], 0.7]
    close(flash(4)(*args), dense(*args))


def test_default_block(x64: None) -> None:
    args, (upstream,) = problem(3, n_k=300), arrays(4, (5, 4))
    close(pull(flash_attention, args, upstream), pull(dense, args, upstream))


@pytest.mark.parametrize("block", [4, 11])
def test_jvp_in_every_argument(x64: None, block: int) -> None:
    args, tangents = problem(5), [*problem(6)[:3], jnp.asarray(-1.3)]
    got, want = (jax.jit(partial(jax.jvp, f))(args, tangents) for f in (flash(block), dense))
    close(got, want)


def test_hvp_forward_over_reverse(x64: None) -> None:
    args, (upstream,) = problem(8), arrays(10, (5, 4))
    tangents = [*problem(9)[:3], jnp.asarray(0.4)]

    def hvp(f: Callable[..., Any]) -> Any:
        gradient = jax.grad(lambda *a: jnp.vdot(upstream, jnp.sin(f(*a))), argnums=(0, 1, 2, 3))
        return jax.jit(lambda a, t: jax.jvp(gradient, a, t))(tuple(args), tuple(tangents))

    close(hvp(flash(4)), hvp(dense))


def test_hvp_reverse_over_reverse(x64: None) -> None:
    args, (upstream,) = problem(11), arrays(13, (5, 4))
    tangents = problem(12)[:3]

    def hvp(f: Callable[..., Any]) -> Any:
        def slope(*a: Any) -> Any:
            gradient = jax.grad(lambda *b: jnp.vdot(upstream, f(*b)), argnums=(0, 1, 2))(*a)
            return sum(jnp.vdot(g, t) for g, t in zip(gradient, tangents, strict=True))

        return jax.jit(jax.grad(slope, argnums=(0, 1, 2, 3)))(*args)

    close(hvp(flash(4)), hvp(dense))


def test_gradient_in_scale_alone(x64: None) -> None:
    Q, K, V, _ = problem(14)
    (upstream,) = arrays(15, (5, 4))
    got, want = (
        jax.jit(jax.grad(lambda c, f=f: jnp.vdot(upstream, f(Q, K, V, c))))(0.3)
        for f in (flash(4), dense)
    )
    assert got.shape == () and abs(want) > 1e-3
    close(got, want)


def test_vmap(x64: None) -> None:
    Q, K, V, U = arrays(16, (2, 5, 3), (2, 11, 3), (2, 11, 4), (2, 5, 4))
    scale = jnp.asarray([0.7, -0.2])

    def batched(f: Callable[..., Any], axes: Any, *args: Any) -> Any:
        return jax.jit(jax.vmap(f, in_axes=axes))(*args)

    def pulled(f: Callable[..., Any]) -> Any:
        return batched(partial(pull, f), ((0, None, 0, 0), 0), (Q, K[0], V, scale), U)

    close(batched(flash(4), 0, Q, K, V, scale), batched(dense, 0, Q, K, V, scale))
    close(pulled(flash(4)), pulled(dense))


@settings(max_examples=6, deadline=None, derandomize=True, database=None)
@given(
    n_q=st.integers(0, 4),
    n_k=st.integers(1, 9),
    d_k=st.integers(1, 3),
    d_v=st.integers(1, 3),
    block=st.integers(1, 12),
)
def test_every_size(n_q: int, n_k: int, d_k: int, d_v: int, block: int) -> None:
    with jax.enable_x64(True):
        args, (upstream,) = problem(n_q + 7 * n_k, n_q, n_k, d_k, d_v), arrays(17, (n_q, d_v))
        got = pull(flash(block), args, upstream)
        assert got[0].shape == (n_q, d_v)
        close(got, pull(dense, args, upstream))


@pytest.mark.parametrize("block", [1, 64])
def test_one_key_returns_its_value(x64: None, block: int) -> None:
    Q, K, V, scale = problem(18, n_k=1)
    close(jax.jit(flash(block))(Q, K, V, scale), np.broadcast_to(V, (5, 4)))


def test_order_of_the_keys_is_immaterial(x64: None) -> None:
    Q, K, V, scale = problem(19)
    order = np.random.default_rng(20).permutation(11)
    run = jax.jit(flash(4))
    close(run(Q, K[order], V[order], scale), run(Q, K, V, scale))


def test_scores_of_1e4_in_float32() -> None:
    """All scores of one sign, so that a padded key, of score 0, lies 1e4 away from every other."""
    rng = np.random.default_rng(21)
    Q, K, V, U = (
        rng.uniform(0.5, 1.0, shape).astype(np.float32)
        for shape in ((5, 3), (10, 3), (10, 2), (5, 2))
    )
    assert np.abs(Q @ K.T).min() > 0.75

    def derivatives(f: Callable[..., Any]) -> Callable[..., Any]:
        gradient = jax.grad(lambda *a: jnp.vdot(U, f(*a)), argnums=(0, 1, 2, 3))

        def run(*a: Any) -> Any:
            first, pullback = jax.vjp(gradient, *a)
            return f(*a), first, jax.jvp(gradient, a, a)[1], pullback(a)

        return jax.jit(run)

    run, reference = derivatives(flash(4)), derivatives(dense)
    for scale in (np.float32(1e4), np.float32(-1e4)):
        got, want = run(Q, K, V, scale), reference(Q, K, V, scale)
        assert all(x.dtype == np.float32 for x in jax.tree.leaves(got))
        assert all(np.isfinite(x).all() for x in jax.tree.leaves(got))
        np.testing.assert_allclose(got[0], want[0], rtol=1e-2)
        np.testing.assert_allclose(got[1][2], want[1][2], rtol=1e-2, atol=1e-6)


def test_scores_far_apart_in_float32() -> None:
    """Scores 1e4, -1e4, 0 in separate blocks: the first key takes all the weight."""
    Q, K = jnp.ones((2, 1), jnp.float32), jnp.asarray([[-1e4], [0.0], [1e4]], jnp.float32)
    V = jnp.asarray([[1.0], [2.0], [3.0]], jnp.float32)
    for order in map(np.array, ([0, 1, 2], [2, 1, 0], [1, 2, 0])):
        args = Q, K[order], V[order], 1.0
        out, (dQ, dK, dV, dscale) = pull(flash(1), args, jnp.ones((2, 1), jnp.float32))
        np.testing.assert_array_equal(out, 3.0)
        np.testing.assert_array_equal(dV, 2.0 * (K[order] > 0))
        assert not dQ.any() and not dK.any() and dscale == 0


@pytest.mark.parametrize("dtype", [jnp.float16, jnp.bfloat16])
def test_half_precision_rounds_once(dtype: Any) -> None:
    *args, upstream = arrays(22, (5, 3), (11, 3), (11, 4), (5, 4), dtype=dtype)
    wide = [x.astype(jnp.float32) for x in args]
    out, got = pull(flash(4), (*args, 0.7), upstream)
    exact, want = pull(dense, (*wide, 0.7), upstream.astype(jnp.float32))
    step = float(jnp.finfo(dtype).eps)
    for a, b in zip((out, *got[:3]), (exact, *want[:3]), strict=True):
        assert a.dtype == dtype
        np.testing.assert_allclose(a.astype(jnp.float32), b, rtol=step, atol=step / 16)


def test_half_precision_accumulates_in_float32() -> None:
    """The mean of 4096 values 0, 1, 0, 1, ...: a running sum in float16 stops at 2048."""
    Q, K = jnp.zeros((1, 2), jnp.float16), jnp.zeros((4096, 2), jnp.float16)
    V = (jnp.arange(4096) % 2).astype(jnp.float16)[:, None]
    assert jax.jit(flash(1))(Q, K, V, 1.0) == 0.5


def test_integer_arrays_give_a_floating_result() -> None:
    Q, K, V = (np.array(x, np.int32) for x in ([[1]], [[0], [0]], [[1], [2]]))
    out = jax.jit(flash(1))(Q, K, V, 1)
    assert out.dtype == jnp.result_type(float) and out == 1.5


def forward(f: Callable[..., Any]) -> Callable[..., Any]:
    return f


def reverse(f: Callable[..., Any]) -> Callable[..., Any]:
    def run(*args: Any) -> Any:
        out, pullback = jax.vjp(f, *args)
        return out, pullback(out)

    return run


def forward_over_reverse(f: Callable[..., Any]) -> Callable[..., Any]:
    gradient = jax.grad(lambda *a: jnp.square(f(*a)).sum(), argnums=(0, 1, 2, 3))
    return lambda *args: jax.jvp(gradient, args, args)


@pytest.mark.parametrize("mode", [forward, reverse, forward_over_reverse])
def test_memory_is_linear(mode: Callable[[Any], Callable[..., Any]]) -> None:
    def temporary(n: int) -> int:
        row = jax.ShapeDtypeStruct((n, 16), jnp.float32)
        scale = jax.ShapeDtypeStruct((), jnp.float32)
        run = jax.jit(mode(flash(64)))
        stats: Any = run.lower(row, row, row, scale).compile().memory_analysis()
        return int(stats.temp_size_in_bytes)

    small, large = temporary(1024), temporary(2048)
    assert 0 < small < large <= 2.3 * small
    # One float32 score matrix is the least that the dense derivative keeps.
    assert large < 0.4 * 4 * 2048**2


@pytest.mark.parametrize(
    ("shapes", "block", "text"),
    [
        (((5, 3), (0, 3), (0, 4), ()), 8, "needs n_k >= 1: no softmax over no keys; got Q (5, 3)"),
        (((5, 3), (7, 2), (7, 4), ()), 8, "got Q (5, 3), K (7, 2), V (7, 4), scale ()"),
        (((5, 3), (7, 3), (6, 4), ()), 8, "got Q (5, 3), K (7, 3), V (6, 4), scale ()"),
        (((5, 3), (7, 3), (7,), ()), 8, "V (n_k, d_v), scale (); got Q (5, 3), K (7, 3), V (7,)"),
        (((5, 3), (7, 3), (7, 4), (1,)), 8, "scale (1,)"),
        (((5, 3), (7, 3), (7, 4), ()), 0, "needs block >= 1; got block=0"),
    ],
)
def test_errors(shapes: tuple[tuple[int, ...], ...], block: int, text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        flash(block)(*(np.ones(shape) for shape in shapes))
