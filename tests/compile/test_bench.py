"""The rows of the tables; what they compare computes the same."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from symattn.bench import fell_short
from symattn.compile import bench, cases, compile, measure, peers
from symattn.derive import backward


def test_row():
    arrays = measure.normal(x=(64, 64))
    others = [("twice", lambda x: x @ x @ x, None), ("itself", lambda x: x @ x, 1e6)]
    rows = measure.row("product", lambda x: x @ x, others, arrays, rounds=3)
    assert [row["against"] for row in rows] == ["twice", "itself"]
    for row in rows:
        assert row["case"] == "product"
        assert row["ratio"] == pytest.approx(row["ms"] / row["against ms"])
        assert row["MiB"] >= 0
        assert not fell_short(row)
    assert "bound" not in rows[0]
    assert fell_short(rows[1] | {"bound": 0.0})


def test_rows_of_one_length():
    first, second = bench._attention(16, 1)
    assert first["against"] == "jax.vjp"
    assert first["bound"] == 1.0
    assert second["bound"] == 1.05


def test_what_is_compared_is_equal():
    with jax.enable_x64(True):
        arrays = measure.normal(Q=(9, 4), K=(9, 4), V=(9, 4), O_bar=(9, 4))
        system, O = cases.attention()
        g = backward(system, output="O", wrt=("Q", "K", "V"))
        got = compile({"O": O, "g": g}, given=system)(**arrays)
        ours = [got["O"], *(got["g"][name] for name in "QKV")]
        for other in (peers.attention_vjp, peers.attention_by_hand):
            for x, y in zip(ours, jax.tree.leaves(other(**arrays)), strict=True):
                np.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-12)
        arrays.pop("O_bar")
        blocks = peers.attention_blocks_by_hand(**arrays)
        dense = peers.attention_jacobian(**arrays)
        for row in range(9):
            np.testing.assert_allclose(blocks[row], dense[row, :, row], rtol=1e-10, atol=1e-12)
