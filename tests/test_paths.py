"""Compiled functions along a path beside the dense ones, as `symattn verify --path` has them."""

import json

import sympy as sp

import symattn as sa
from symattn.cli import SHORT, UNUSABLE, WELL, paths
from symattn.model import evaluated
from symattn.paths import _Beside, along, lengths, too_large

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
    assert lengths("flash", {n * d, k}) == {"d": 260, "k": 258}  # one symbol of a product
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

    def here(module, arguments, count, brief):
        assert (module, arguments[:2], count, brief) == (
            "symattn.cli.paths",
            ["flash", "3"],
            1,
            True,
        )
        return [json.dumps(paths.record(name, "flash", 3)) for name in arguments[2:]]

    monkeypatch.setattr("symattn.cli.paths.along", nowhere)
    monkeypatch.setattr("symattn.cli.paths.host_devices", here)
    code, out, err = symattn("verify", "--path", "flash", "small", "--seed", "3")
    assert code == SHORT and "could not be checked" in out and "small: too large" in err


def test_what_is_too_large_where_rows_are_several_blocks_is_not_drawn():
    (b, c, e) = sa.indices("b c e", k)
    T = sa.tensor("T", k, k, k, k)
    far = sa.define("W", (j, l, b, c), T[j, l, b, e] * T[c, e, j, l])
    near = sa.define("w", (j, l), sa.total(sp.exp(T[j, l, b, c]), b, c))
    rows, reasons = along(sa.System(far), "flash")
    assert rows == [] and reasons[1][0] == "gradients of W"
    assert reasons[1][1].startswith("an array (k, k, k, k) is too large at k = 260")
    m = evaluated(sa.System(near))
    assert too_large(m, {"k": 76}) == ""
    assert too_large(m, {"k": 77}).startswith("an array (k, k, k, k) is too large at k = 77")


def test_a_path_that_there_is_not(symattn):
    code, out, err = symattn("verify", "--path", "tree")
    assert (code, out) == (UNUSABLE, "") and "choose from 'flash', 'ring'" in err
