"""Values, first and second derivatives of whole systems: what is compared, and that it can fail."""

import pytest
import sympy as sp

import symattn as sa
from symattn import orders
from symattn.derive import Derivation
from symattn.normalize import scale

n, m = sa.sizes("n m")
(i,), (j,) = sa.indices("i", n), sa.indices("j", m)
W, c, t = sa.tensor("W", n, m), sa.tensor("c", m), sa.tensor("t", positive=True)
h = sa.define("h", (i,), sp.tanh(W[i, j] * c[j] / t))
y = sa.define("y", (i,), h[i] ** 2)
z = sa.define("z", (), sa.total(sp.log(1 + h[i] ** 2), i))
system = sa.System(h, y, z)


def names(report):
    return [row.name for row in report.rows]


def test_every_output_in_every_input():
    report = orders.orders(system)
    assert report.ok
    wanted = [f"{x}_bar{d}" for x in ("W", "c", "t") for d in ("", "_dot")]
    assert sorted(names(report)) == sorted(
        ["y", "z", *(f"{out}: {name}" for out in ("y", "z") for name in wanted)]
    )
    assert {row.dtype for row in report.rows} == {"float64"}


def test_symmetric_tensors_and_outputs_without_inputs():
    g = sa.tensor("g", n, n, symmetric=True)
    k, l = sa.indices("k l", n)
    q = sa.define("q", (k,), sa.total(g[k, l] ** 2 * g[l, l], l))
    unit = sa.define("unit", (k, l), sa.delta(k, l))
    report = orders.orders(sa.System(q, unit))
    assert report.ok and names(report) == ["q", "q: g_bar", "q: g_bar_dot", "unit"]


@pytest.mark.parametrize("order", ["backward", "hvp"])
def test_a_wrong_derivative_shows(order, monkeypatch):
    right = getattr(orders, order)

    def wrong(d):
        return Derivation(
            d.system, d.component, scale(d.normal, 2), scale(d.raw, 2), d.steps, d.given,
            along=d.along, output=d.output,
        )  # fmt: skip

    def broken(*args, **kwargs):
        made = right(*args, **kwargs)
        if isinstance(made, Derivation):
            return wrong(made)
        made.adjoints["W"] = wrong(made.adjoints["W"])
        return made

    monkeypatch.setattr(orders, order, broken)
    report = orders.orders(system)
    failed = {row.name for row in report.rows if not row.ok}
    if order == "backward":
        assert failed == {"y: W_bar", "z: W_bar"}
    else:
        assert failed == {f"{out}: {x}_bar_dot" for out in "yz" for x in ("W", "c", "t")}
