"""Compiled functions against automatic differentiation: ratios of one run, and XLA's memory."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp

from ..derive import backward, jacobian
from ..syntax import System, define, indices, sizes, tensor, total
from .function import compile

ROUNDS = 7
SAMPLE = 2e-3  # seconds that a sample of a short function takes at least


def bench_compile(
    lengths: tuple[int, ...] = (128, 512, 2048), rounds: int = ROUNDS
) -> list[dict[str, Any]]:
    """Rows of ratios to automatic differentiation: float32 for attention, float64 for structure.

    Every row has the keys table, case, against, ratio, bound, temporary_mib and against_mib.

    `ratio` is the time of the compiled function divided by that of the reference, medians over
    interleaved rounds of one run; below 1 the compiled function is the faster one.  `bound` is
    what the ratio is meant to be at most.
    """
    rows = [_attention_row(n, rounds) for n in lengths]
    rows += [_factorisation_dense(rounds), _factorisation_blocks(rounds), _attention_blocks(rounds)]
    return rows


def _attention() -> tuple[System, Any]:
    n_q, n_k, d_k, d_v = sizes("n_q n_k d_k d_v")
    (i,), (j, l) = indices("i", n_q), indices("j l", n_k)
    (a,), (b,) = indices("a", d_k), indices("b", d_v)
    Q, K, V = tensor("Q", n_q, d_k), tensor("K", n_k, d_k), tensor("V", n_k, d_v)
    S = define("S", (i, j), Q[i, a] * K[j, a] / sp.sqrt(d_k))
    A = define("A", (i, j), sp.exp(S[i, j]) / total(sp.exp(S[i, l]), l))
    O = define("O", (i, b), A[i, j] * V[j, b])
    return System(S, A, O), O


def _softmax_attention(Q: Any, K: Any, V: Any) -> Any:
    import jax

    return jax.nn.softmax(Q @ K.T / Q.shape[1] ** 0.5, axis=-1) @ V


def _attention_row(n: int, rounds: int) -> dict[str, Any]:
    import jax

    system, O = _attention()
    f = compile({"O": O, "g": backward(system, output="O", wrt=("Q", "K", "V"))}, given=system)

    def reference(Q: Any, K: Any, V: Any, O_bar: Any) -> Any:
        value, pullback = jax.vjp(_softmax_attention, Q, K, V)
        return value, pullback(O_bar)

    arrays = _normal(Q=(n, 64), K=(n, 64), V=(n, 64), O_bar=(n, 64))
    return _row("forward and three gradients", f"n = {n}, d = 64", "jax.vjp of the textbook",
                0.75 if n >= 2048 else 1.0, f, reference, arrays, rounds)


def _factorisation() -> Any:
    """∂G/∂U for G the gradient of Σ (U Vᵀ − X)² in U."""
    n, m, r = sizes("n m r")
    (i,), (j,), (k, c) = indices("i", n), indices("j", m), indices("k c", r)
    U, V, X = tensor("U", n, r), tensor("V", m, r), tensor("X", n, m)
    error = define("E", (i, j), total(U[i, k] * V[j, k], k) - X[i, j])
    G = define("G", (i, c), 2 * total(error[i, j] * V[j, c], j))
    return compile(jacobian(System(error, G), of="G", wrt="U"))


def _factorisation_reference(V: Any, U: Any, X: Any) -> Any:
    import jax
    import jax.numpy as jnp

    return jax.hessian(lambda u: jnp.sum((u @ V.T - X) ** 2))(U)


def _factorisation_dense(rounds: int) -> dict[str, Any]:
    f, n = _factorisation(), 128
    arrays = _normal(V=(n, 5), U=(n, 5), X=(n, n))
    return _row("structure", "matrix factorisation Hessian, n = 128, dense", "jax.hessian", 1 / 170,
                lambda V, U, X: f(V=V, n=n), _factorisation_reference, arrays, rounds)


def _factorisation_blocks(rounds: int) -> dict[str, Any]:
    f, n = _factorisation(), 128
    arrays = _normal(V=(n, 5), U=(n, 5), X=(n, n))
    return _row("structure", "matrix factorisation Hessian, n = 128, blocks", "jax.hessian",
                1 / 4000, lambda V, U, X: f.block_function(V=V), _factorisation_reference, arrays,
                rounds)


def _attention_blocks(rounds: int) -> dict[str, Any]:
    import jax

    system, _ = _attention()
    f = compile(jacobian(system, of="O", wrt="Q"))
    arrays = _normal(Q=(128, 32), K=(128, 32), V=(128, 32))
    return _row("structure", "∂O/∂Q, n = 128, d = 32, blocks", "jax.jacrev", 1 / 1000,
                f.block_function, lambda Q, K, V: jax.jacrev(_softmax_attention)(Q, K, V), arrays,
                rounds)


def _normal(**shapes: tuple[int, ...]) -> dict[str, Any]:
    import numpy as np

    rng = np.random.default_rng(0)
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def _row(
    table: str, case: str, against: str, bound: float, ours: Callable[..., Any],
    reference: Callable[..., Any], arrays: Mapping[str, Any], rounds: int,
) -> dict[str, Any]:
    import jax

    with jax.enable_x64(table == "structure"):
        arrays = {name: jax.numpy.asarray(x) for name, x in arrays.items()}
        programs = [jax.jit(f).lower(**arrays).compile() for f in (ours, reference)]
        repeats = [max(1, int(SAMPLE / _seconds(p, arrays, 1))) for p in programs]
        pairs = list(zip(programs, repeats, strict=True))
        samples = [[_seconds(p, arrays, k) for p, k in pairs] for _ in range(rounds)]
    memory = [_temporary(p) for p in programs]
    ratio = statistics.median(x for x, _ in samples) / statistics.median(y for _, y in samples)
    return {"table": table, "case": case, "against": against, "ratio": ratio, "bound": bound,
            "temporary_mib": memory[0], "against_mib": memory[1]}


def _temporary(program: Any) -> float:
    """The temporary memory of a compiled program in MiB."""
    size: int = program.memory_analysis().temp_size_in_bytes
    return size / 2**20


def _seconds(program: Callable[..., Any], arrays: Mapping[str, Any], repeats: int) -> float:
    """The time of one call, the mean of `repeats` after a warm-up."""
    from jax import block_until_ready

    wait: Callable[[Any], Any] = block_until_ready
    wait(program(**arrays))
    start = time.perf_counter()
    for _ in range(repeats):
        result = program(**arrays)
    wait(result)
    return (time.perf_counter() - start) / repeats
