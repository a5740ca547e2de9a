"""float32 results against float64: as accurate as the textbook program, or better."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from symattn.compile import cases, compile, peers
from symattn.derive import backward

LAYER = {"X": (2, 24, 16), "W_Q": (16, 3, 8), "W_K": (16, 3, 8), "W_V": (16, 3, 8),
         "W_O": (3, 8, 16), "Y_bar": (2, 24, 16)}  # fmt: skip
WEIGHTS = ("W_Q", "W_K", "W_V", "W_O")


def attention():
    system, O = cases.attention()
    f = compile({"O": O, "g": backward(system, output="O", wrt=("Q", "K", "V"))}, given=system)
    return f, peers.attention_vjp, dict.fromkeys(("Q", "K", "V", "O_bar"), (96, 32))


def layer():
    system, Y = cases.layer()
    f = compile({"Y": Y, "g": backward(system, output="Y", wrt=WEIGHTS)}, given=system)
    return f, peers.layer_vjp, LAYER


def leaves(result, wrt):
    if isinstance(result, dict):
        value, bars = result.values()
        return [value, *(bars[name] for name in wrt)]
    return jax.tree.leaves(result)


@pytest.mark.parametrize("case", [attention, layer])
@pytest.mark.parametrize("scale", [1.0, 6.0])
def test_error_in_float32(case, scale):
    f, reference, shapes = case()
    wrt = ("Q", "K", "V") if case is attention else WEIGHTS
    rng = np.random.default_rng(9)
    exact = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    exact["Q" if case is attention else "W_Q"] *= np.float32(scale)
    single = leaves(f(**exact), wrt)
    textbook = jax.tree.leaves(jax.jit(reference)(**exact))
    with jax.enable_x64(True):
        double = {name: jnp.asarray(x, jnp.float64) for name, x in exact.items()}
        truth = [np.asarray(x) for x in jax.tree.leaves(reference(**double))]
    for got, plain, want in zip(single, textbook, truth, strict=True):
        assert got.dtype == np.float32
        size = np.linalg.norm(want)
        ours = np.linalg.norm(np.asarray(got, float) - want) / size
        theirs = np.linalg.norm(np.asarray(plain, float) - want) / size
        assert ours <= 4 * theirs + 1e-8
