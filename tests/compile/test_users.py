"""The functions of `symattn bench users` by both plans of their derivatives, against JAX."""

from __future__ import annotations

import importlib

import jax
import numpy as np
import pytest

from symattn import bench_users
from symattn.bench import fell_short

choice = importlib.import_module("symattn.compile.choice")
function = importlib.import_module("symattn.compile.function")
LENGTHS = (7, 5, 3, 4, 6, 9)
pytestmark = pytest.mark.usefixtures("double_precision")


def leaves(one, result):
    if one.kind == "vjp":
        return [result["value"], *(result["bars"][n] for n in one.wrt)]
    return [result]


def check(one):
    f = bench_users.compiled(one)
    symbols = {str(s) for shape in f.inputs.values() for x in shape for s in x.free_symbols}
    sizes = dict(zip(sorted(symbols | set(one.sizes[0])), LENGTHS, strict=False))
    arrays = bench_users.drawn(one, f.inputs, sizes)
    given = {n: arrays.get(n, sizes.get(n)) for n in f.inputs}
    wanted = jax.tree.leaves(jax.jit(bench_users.reference(one))(**arrays))
    for got, want in zip(leaves(one, f(**given)), wanted, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-10 * np.abs(want).max())
    return f


# A sample of each plan; `symattn bench users` runs all of them.
ALL = list(bench_users.USERS)


@pytest.mark.parametrize("name", ALL[::3])
def test_the_cheaper_plan(name):
    check(bench_users.USERS[name])


@pytest.mark.parametrize("name", [n for n in ALL[1::3] if bench_users.USERS[n].kind != "hessian"])
def test_accumulation(name, monkeypatch):
    monkeypatch.setattr(choice, "PREFER", float("inf"))
    monkeypatch.setattr(function, "_cache", {})
    check(bench_users.USERS[name])


def flops(name, **sizes):
    f = bench_users.compiled(bench_users.USERS[name])
    symbols = {str(s): s for s in f.cost.flops.free_symbols}
    return float(f.cost.flops.subs({symbols[n]: value for n, value in sizes.items()}))


def test_what_formulas_multiply_out_is_not_computed():
    """Rounds of Sinkhorn's iteration in the logarithms cost what evaluating them does, and the
    product of attention's Hessian with a vector no more than seven products of matrices."""
    n = 10**4
    assert flops("transport", n=n, m=n) < 200 * n**2
    assert flops("attention, hvp", n_q=n, n_k=n, d=100, d_v=100) < 2.2 * 7 * 100 * n**2


def test_blocks_are_worth_more_than_fewer_operations():
    """The formula of a force needs its pairs both ways and all at once; as written they go through
    in blocks of rows."""
    f = bench_users.compiled(bench_users.USERS["bodies"])
    assert "def rows(" in f.source


def test_orders_are_chosen_when_sizes_are_known():
    f = bench_users.compiled(bench_users.USERS["chain of low rank"])
    shapes = {"n": 2048, "d": 1024, "k": 4}
    arrays = {
        n: jax.ShapeDtypeStruct([shapes[str(s)] for s in shape], "float32")
        for n, shape in f.inputs.items()
    }
    analysis = jax.jit(lambda **x: f(**x)).lower(**arrays).compile().cost_analysis()
    assert analysis["flops"] < 40 * 2048 * 1024 * 4  # a product of two long sides has 2 n d²


def test_a_row_says_how_much_it_takes():
    (row,) = bench_users.bench_users(("springs, hvp",), ("small",), rounds=1, enough=0.0)
    assert row["case"] == "springs, hvp, small" and row["bound"] == 1.25
    assert row["ms"] > 0 and row["against ms"] > 0
    assert fell_short({**row, "ratio": 1.3}) and not fell_short({**row, "ratio": 1.2})


def test_letters_of_a_sum_have_the_order_of_the_arrays_in_it():
    """The logits of a decoder are stored as the data beside them, not transposed."""
    source = bench_users.compiled(bench_users.USERS["variational autoencoder"]).source
    assert '"ic,ca->ia"' in source and '->ai"' not in source
