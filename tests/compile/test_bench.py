"""The rows of the tables; what they compare computes the same."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from symattn.bench import fell_short
from symattn.compile import bench, cases, compile, measure, peers
from symattn.derive import backward, hessian, hvp


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch):
    """What the medians are worth is of no interest here."""
    monkeypatch.setattr(measure, "ENOUGH", 0.0)


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


def test_structures_that_are_compared_are_equal(double_precision):
    given = measure.normal(X=(7, 3), w=(3,), y=(7,))
    ours = compile(hessian(cases.logistic(), of="L", wrt="w"))(X=given["X"], w=given["w"])
    for other in (peers.logistic_hessian, peers.logistic_by_hand, peers.logistic_by_hand_copied):
        value = other(**{name: given[name] for name in measure.takes(other)})
        np.testing.assert_allclose(value, ours, rtol=1e-10, atol=1e-12)

    given = measure.normal(U=(5, 2), V=(7, 2), X=(5, 7))
    f = compile(hessian(cases.factorisation(), of="L", wrt="U"))
    ours = f(V=given["V"], n=5)
    for other in (peers.factorisation_hessian, peers.factorisation_by_hand):
        value = other(**{name: given[name] for name in measure.takes(other)})
        np.testing.assert_allclose(value, ours, rtol=1e-10, atol=1e-12)
    (block,) = f.block_function(V=given["V"]).values()
    np.testing.assert_allclose(block, peers.factorisation_blocks_by_hand(given["V"]), rtol=1e-12)

    given = measure.normal(z=(5,), y=(5,), z_dot=(5,))
    f = compile(hvp(cases.cross_entropy(), of="L", wrt="z"))
    ours = f(**{name: given[name] for name in measure.takes(f)})
    np.testing.assert_allclose(peers.cross_entropy_hvp(**given), ours, rtol=1e-10, atol=1e-12)

    given = measure.normal(X=(6, 2), W_1=(2, 3), W_2=(3, 4), W_3=(4, 5), T=(6, 5))
    system = cases.network()
    for name, value in zip(("W_1", "W_2", "W_3"), peers.network_hessians(**given), strict=True):
        f = compile(hessian(system, of="L", wrt=name))
        ours = f(**{n: given[n] for n in measure.takes(f)})
        np.testing.assert_allclose(value, ours, rtol=1e-9, atol=1e-11)


def test_each_entry_of_a_first_axis():
    arrays = measure.normal(x=(4, 3), y=(4, 3), z=(4, 3))
    program = measure.each(lambda y, x: x - 2 * y)
    assert list(measure.takes(program)) == ["y", "x"]
    value = program(x=arrays["x"], y=arrays["y"])
    np.testing.assert_allclose(value, arrays["x"] - 2 * arrays["y"], rtol=1e-5, atol=1e-6)
    assert "scan" in str(jax.make_jaxpr(lambda: program(x=arrays["x"], y=arrays["y"]))())


def test_functions_get_the_arrays_that_they_take():
    seen = []

    def ours(x):
        seen.append("x")
        return x + 1

    def other(y, x):
        seen.append("yx")
        return x * y

    rows = measure.row("sum", ours, [("product", other, None)], {"x": 1.0, "y": 2.0}, rounds=1)
    assert len(rows) == 1
    assert set(seen) == {"x", "yx"}
    assert list(measure.takes(compile(cases.attention()[0], output="A"))) == ["Q", "K"]
