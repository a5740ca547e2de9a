"""The two tables of compiled functions against automatic differentiation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..derive import backward, hessian, hvp, jacobian
from . import cases, peers
from .function import compile
from .measure import each, normal, row

Row = dict[str, Any]
WEIGHTS = ("W_Q", "W_K", "W_V", "W_O")
LENGTHS = (128, 512, 2048, 4096)
SEVERAL = 16
BY_HAND = 1 / 0.8  # four fifths of what a careful person reaches


def bench_compile(lengths: tuple[int, ...] = LENGTHS, rounds: int = 9) -> list[Row]:
    """Compiled functions against automatic differentiation: ratios of one run, XLA's memory.

    Attention and the layer are in float32, the structure table is in float64.  A ratio is the
    time of the compiled function divided by that of the reference, medians over rounds in which
    both take turns; `bound` is what it is meant to be at most.
    """
    steps: list[Callable[[int], list[Row]]] = [
        *STRUCTURE,
        _layer,
        *(partial(_attention, n) for n in lengths),
    ]
    return [made for step in steps for made in step(rounds)]


def _attention(n: int, rounds: int) -> list[Row]:
    system, O = cases.attention()
    f = compile({"O": O, "g": backward(system, output="O", wrt=("Q", "K", "V"))}, given=system)
    against = [
        ("jax.vjp", peers.attention_vjp, 0.75 if n >= 2048 else 1.0),
        ("dense by hand", peers.attention_by_hand, 1.05),
    ]
    arrays = normal(Q=(n, 64), K=(n, 64), V=(n, 64), O_bar=(n, 64))
    return row(
        f"attention and three gradients, n = {n}, d = 64",
        f,
        against,
        arrays,
        rounds=rounds if n < 4096 else min(rounds, 5),
    )


def _layer(rounds: int) -> list[Row]:
    system, Y = cases.layer()
    f = compile({"Y": Y, "g": backward(system, output="Y", wrt=WEIGHTS)}, given=system)
    heads, m, d = 8, 256, 32
    arrays = normal(
        X=(4, 256, m),
        W_O=(heads, d, m),
        Y_bar=(4, 256, m),
        **{w: (m, heads, d) for w in WEIGHTS[:3]},
    )
    arrays |= {w: arrays[w] / m**0.5 for w in WEIGHTS}
    return row(
        "layer of 8 heads, 4 × 256 × 256, gradients of 4 weights",
        f,
        [("jax.vjp", peers.layer_vjp, 1.0)],
        arrays,
        rounds=rounds,
    )


def _logistic(rounds: int) -> list[Row]:
    f = compile(hessian(cases.logistic(), of="L", wrt="w"))
    arrays = normal(X=(512, 256), w=(256,), y=(512,))
    return row(
        "logistic regression Hessian, d = 256, m = 512",
        f,
        [
            ("jax.hessian", peers.logistic_hessian, 1 / 2.8),
            ("by hand", peers.logistic_by_hand, BY_HAND),
            ("by hand, Xᵀ copied", peers.logistic_by_hand_copied, BY_HAND),
        ],
        arrays,
        rounds=rounds,
        dtype="float64",
    )


def _factorisation(rounds: int) -> list[Row]:
    f, n = compile(hessian(cases.factorisation(), of="L", wrt="U")), 128
    arrays = normal(V=(n, 5), U=(n, 5), X=(n, n))
    reference = peers.factorisation_hessian
    dense = row(
        "matrix factorisation Hessian, n = 128, dense",
        lambda V: f(V=V, n=n),
        [("jax.hessian", reference, 1 / 170), ("by hand", peers.factorisation_by_hand, BY_HAND)],
        arrays,
        rounds=rounds,
        dtype="float64",
    )
    blocks, by_hand = f.block_function, peers.factorisation_blocks_by_hand
    alone = row(
        "matrix factorisation Hessian, n = 128, blocks",
        blocks,
        [
            ("jax.hessian", reference, 1 / 4000),
            ("by hand", by_hand, BY_HAND),
            ("a call that does nothing", peers.call_alone, None),
        ],
        arrays,
        rounds=rounds,
        dtype="float64",
    )
    # a call from Python takes longer than the blocks do, so several in one program show these
    several = row(
        f"matrix factorisation Hessian, n = 128, blocks of {SEVERAL} in one program",
        each(blocks),
        [("jax.hessian", each(reference), 1 / 4000), ("by hand", each(by_hand), BY_HAND)],
        normal(V=(SEVERAL, n, 5), U=(SEVERAL, n, 5), X=(SEVERAL, n, n)),
        rounds=min(rounds, 5),
        dtype="float64",
    )
    return dense + alone + several


def _attention_jacobian(rounds: int) -> list[Row]:
    system, _ = cases.attention()
    f = compile(jacobian(system, of="O", wrt="Q"))
    arrays = normal(Q=(128, 32), K=(128, 32), V=(128, 32))
    return row(
        "∂O/∂Q of attention, n = 128, d = 32, blocks",
        f.block_function,
        [
            ("jax.jacrev", peers.attention_jacobian, 1 / 1000),
            ("by hand", peers.attention_blocks_by_hand, BY_HAND),
        ],
        arrays,
        rounds=min(rounds, 5),
        dtype="float64",
    )


def _cross_entropy(rounds: int) -> list[Row]:
    """The product with the Hessian in the logits at two lengths: its time grows like n."""
    f = compile(hvp(cases.cross_entropy(), of="L", wrt="z"))
    return [
        made
        for n in (4096, 65536)
        for made in row(
            f"cross-entropy Hessian times vector, n = {n}",
            f,
            [("jax.jvp of jax.grad", peers.cross_entropy_hvp, None)],
            normal(z=(n,), y=(n,), z_dot=(n,)),
            rounds=rounds,
            dtype="float64",
        )
    ]


def _network(rounds: int) -> list[Row]:
    """The Hessian in each weight matrix, all in one program."""
    system = cases.network()
    f = compile({w: hessian(system, of="L", wrt=w) for w in ("W_1", "W_2", "W_3")})
    arrays = normal(X=(128, 16), W_1=(16, 16), W_2=(16, 16), W_3=(16, 8), T=(128, 8))
    arrays |= {w: arrays[w] / 4 for w in ("W_1", "W_2", "W_3")} | {"T": abs(arrays["T"])}
    return row(
        "network of 2 hidden layers, Hessian blocks of 3 weights",
        f,
        [("jax.hessian", peers.network_hessians, 1.0)],
        arrays,
        rounds=rounds,
        dtype="float64",
    )


STRUCTURE = (_logistic, _factorisation, _attention_jacobian, _cross_entropy, _network)
