"""Compiled functions along a path beside the dense ones, as `symattn verify --path` has them."""

import json

import sympy as sp

import symattn as sa
from symattn.cli import SHORT, UNUSABLE, WELL
from symattn.paths import _Beside, along, lengths

n, k, d = sa.sizes("n k d")
(i,), (j, l), (a,) = sa.indices("i", n), sa.indices("j l", k), sa.indices("a", d)
Q, K, x = sa.tensor("Q", n, d), sa.tensor("K", k, d), sa.tensor("x", n)
WEIGHT = sa.define("P", (i, j), sp.exp(Q[i, a] * K[j, a]))
MEAN = sa.define("y", (i, a), sa.total(WEIGHT[i, j] * K[j, a], j) / sa.total(WEIGHT[i, l], l))
LENGTH = sa.define("r", (), sp.sqrt(sa.total(x[i] ** 2, i)))


def test_values_and_derivatives_of_what_has_the_path():
    rows, reasons = along(sa.System(WEIGHT, MEAN, LENGTH), "flash")
    assert all(row.ok and row.reference == "dense" for row in rows)
    assert {row.name for row in rows} == {
        *("y: value", "y: jvp"),
        *(f"y: {order}, {name}" for order in ("vjp", "hvp") for name in "QK"),
    }
    assert reasons == [
        ("r", "no array of several axes"),
        ("gradients of r", "no array of several axes"),
    ]


def test_what_differs_from_the_dense_function_is_wrong():
    system = sa.System(WEIGHT, MEAN)
    wrong = sa.System(WEIGHT, sa.define("y", (i, a), MEAN.expr + K[0, a] * sp.Rational(1, 10**9)))
    functions = [sa.compile(s, output="y", path="flash") for s in (wrong, system)]
    rows = _Beside(system, "y", 0, {"n": 200, "k": 190}).compared(*functions, ("Q", "K"))
    assert [row.ok for row in rows] == [False, False]


def test_lengths_make_several_blocks_and_equal_shares():
    assert lengths("flash", {n * d, k}) == {"d": 300, "k": 290}  # one symbol of a product
    assert lengths("ring", {n + d, k}) == {"d": 8, "n": 12, "k": 16}


def test_the_command_says_what_does_not_qualify_and_why(symattn, small):
    code, out, err = symattn("verify", "--path", "flash")
    assert (code, err) == (WELL, "")
    assert "y, gradients of y: no array of several axes" in out
    code, out, _ = symattn("verify", "--path", "flash", "small", "--format", "json")
    (found,) = json.loads(out)
    assert found["ok"] and found["numbers"] == [] and found["path"] == "flash"
    assert [r["name"] for r in found["refused"]] == ["y", "gradients of y"]


def test_what_falls_short_ends_with_one(symattn, small, monkeypatch):
    def nowhere(*_, **__):
        raise sa.errors.LimitError("too large")

    monkeypatch.setattr("symattn.cli.paths.along", nowhere)
    code, out, err = symattn("verify", "--path", "flash", "small")
    assert code == SHORT and "could not be checked" in out and "small: too large" in err


def test_a_path_that_there_is_not(symattn):
    code, out, err = symattn("verify", "--path", "tree")
    assert (code, out) == (UNUSABLE, "") and "choose from 'flash', 'ring'" in err
