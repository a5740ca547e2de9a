"""Attention in blocks of rows, and on a ring of devices: time, memory, what is sent."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any

import numpy as np
import sympy as sp

from .compile import cases, compile, peers
from .compile.measure import normal, row, temporary
from .derive import backward, hvp
from .devices import host_devices
from .syntax import System, define, indices, iverson, sizes, tensor, total

Row = dict[str, Any]
LENGTH, WIDTH = 4096, 64
LENGTHS = tuple(2048 * 2**k for k in range(5))
DEVICES, SHARED = 8, 16384


def bench_flash(n: int = LENGTH, rounds: int = 5) -> list[Row]:
    """path="flash", value and three gradients, against jax.vjp of the dense function, of
    jax.nn.dot_product_attention and of blocks of rows by hand; masks against no mask; a product
    with the Hessian; how time and memory grow with n."""
    from jax.nn import dot_product_attention

    def fused(Q: Any, K: Any, V: Any) -> Any:
        return dot_product_attention(Q[:, None], K[:, None], V[:, None])[:, 0]

    arrays = normal(Q=(n, WIDTH), K=(n, WIDTH), V=(n, WIDTH), O_bar=(n, WIDTH))
    system, O = cases.attention()
    ours = _with_gradients(system, O)
    rows = row(
        f"attention and three gradients, n = {n}",
        ours,
        [
            ("jax.vjp", peers.attention_vjp, 0.55),
            ("dot_product_attention", partial(_vjp, fused), 0.5),
            ("a scan by hand", partial(_vjp, peers.attention_by_rows), 1.05),
        ],
        arrays,
        rounds=rounds,
        unfused=False,
    )
    for name, mask, bound in (
        ("a causal mask", lambda i, j: iverson(j <= i), 0.6),
        ("a window of 128 keys", lambda i, j: iverson(j <= i) * iverson(i <= j + 127), 0.2),
    ):
        masked = _with_gradients(*_masked(mask))
        against = [("no mask", ours, bound)]
        rows += row(name, masked, against, arrays, rounds=rounds, unfused=False)
    rows += _curved(n, rounds)
    rows += _growth("attention and three gradients", ours, 2.15)
    return [*rows, *_growth("a window of 128 keys", masked, 1.15)]


def _vjp(function: Callable[..., Any], Q: Any, K: Any, V: Any, O_bar: Any) -> Any:
    """The value and the three gradients."""
    import jax

    value, pullback = jax.vjp(function, Q, K, V)
    return value, pullback(O_bar)


def _with_gradients(system: System, O: Any) -> Any:
    g = backward(system, output="O", wrt=("Q", "K", "V"))
    return compile({"O": O, "g": g}, given=system, path="flash")


def _masked(mask: Callable[[Any, Any], Any]) -> tuple[System, Any]:
    """Self-attention with a mask of places."""
    n, d, d_v = sizes("n d d_v")
    (i, j, l), (a,), (b,) = indices("i j l", n), indices("a", d), indices("b", d_v)
    Q, K, V = tensor("Q", n, d), tensor("K", n, d), tensor("V", n, d_v)
    S = define("S", (i, j), Q[i, a] * K[j, a] / sp.sqrt(d))
    over = total(mask(i, l) * sp.exp(S[i, l]), l)
    A = define("A", (i, j), mask(i, j) * sp.exp(S[i, j]) / over)
    O = define("O", (i, b), A[i, j] * V[j, b])
    return System(S, A, O), O


def _curved(n: int, rounds: int) -> list[Row]:
    """H q̇ of Σ sin O, in blocks and dense."""
    import jax
    import jax.numpy as jnp

    system, O = cases.attention()
    i, b = O.indices
    L = define("L", (), total(sp.sin(O[i, b]), i, b))
    ours = compile(hvp(System(*system, L), of="L", wrt="Q"), path="flash")

    def dense(Q: Any, K: Any, V: Any, Q_dot: Any) -> Any:
        gradient = jax.grad(lambda q: jnp.sin(peers.textbook(q, K, V)).sum())
        return jax.jvp(gradient, (Q,), (Q_dot,))[1]

    arrays = normal(Q=(n, WIDTH), K=(n, WIDTH), V=(n, WIDTH), Q_dot=(n, WIDTH))
    against = [("jvp of grad", dense, 0.85)]
    name = f"product with the Hessian, n = {n}"
    return row(name, ours, against, arrays, rounds=rounds, unfused=False)


def _growth(name: str, function: Any, longest: float) -> list[Row]:
    """The powers of n in which time and temporary memory grow, by a fit over `LENGTHS`; `longest`
    is the bound of that of time."""
    found = [_measured(function, n) for n in LENGTHS]
    rows: list[Row] = []
    for kind, values, bound in zip(("time", "memory"), zip(*found, strict=True), (longest, 1.05),
                                   strict=True):  # fmt: skip
        power = float(np.polyfit(np.log(LENGTHS), np.log(values), 1)[0])
        case = f"{name}, n = {LENGTHS[0]} … {LENGTHS[-1]}: {kind}"
        rows.append({"case": case, "against": "power of n", "ratio": power, "bound": bound})
    return rows


def _measured(function: Any, n: int) -> tuple[float, float]:
    """The seconds of the processors, the least of what runs take in a second, and the temporary
    memory in MiB at a length."""
    import jax

    wait: Callable[[Any], Any] = jax.block_until_ready
    arrays = normal(**dict.fromkeys(function.inputs, (n, WIDTH)))
    program = jax.jit(lambda **x: function(**x)).lower(**arrays).compile()
    wait(program(**arrays))
    spent: list[float] = []
    while sum(spent) < 1 and len(spent) < 5:
        start = process_time()
        wait(program(**arrays))
        spent.append(process_time() - start)
    return min(spent), temporary(program)


def bench_ring(n: int = SHARED, devices: int = DEVICES) -> list[Row]:
    """path="ring", value and three gradients on devices of this host: the temporary memory of one
    of them by XLA's analysis, against the dense function on one device, and how often keys go
    around."""
    (found,) = host_devices(__name__, [str(n), str(devices)], devices)
    rows: list[Row] = json.loads(found)
    return rows


def _on_devices(n: int, devices: int) -> list[Row]:
    """The rows of `bench_ring`, in a process that has the devices."""
    import jax

    system, O = cases.attention()
    g = backward(system, output="O", wrt=("Q", "K", "V"))
    mesh = jax.make_mesh((devices,), ("ring",))
    made: Any = jax.ShapeDtypeStruct
    spec: Any = jax.sharding.PartitionSpec
    shared = jax.sharding.NamedSharding(mesh, spec("ring"))
    f = compile({"O": O, "g": g}, given=system, path="ring", mesh=mesh)
    own = dict.fromkeys(f.inputs, made((n, WIDTH), "float32", sharding=shared))
    program = jax.jit(lambda **x: f(**x)).lower(**own).compile()
    arrays = dict.fromkeys(f.inputs, made((n, WIDTH), "float32"))
    dense = jax.jit(peers.attention_vjp).lower(**arrays).compile()
    ring, whole = temporary(program), temporary(dense)
    case = f"attention and three gradients, n = {n}, {devices} devices"
    return [
        {"case": case, "against": "jax.vjp on one device", "MiB": ring, "against MiB": whole,
         "ratio": ring / whole, "bound": 1 / 6},
        {"case": "times that keys go around", "against": "levels of sums",
         "ratio": int(f.passes.split("keys go around ")[1].split(" ")[0]), "bound": 3},
    ]  # fmt: skip


if __name__ == "__main__":
    print(json.dumps(_on_devices(*map(int, sys.argv[1:]))))
