"""Functions of several arguments, by both plans of their derivatives."""

from __future__ import annotations

import importlib

import jax
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import cases, compile
from symattn.derive import backward, hvp
from symattn.errors import ShapeError
from symattn.functions import logaddexp, xlogy

choice = importlib.import_module("symattn.compile.choice")
function = importlib.import_module("symattn.compile.function")
pytestmark = pytest.mark.usefixtures("double_precision")


def system():
    n, m = sa.sizes("n m")
    (i,), (j,) = sa.indices("i", n), sa.indices("j", m)
    x, Y = sa.tensor("x", n), sa.tensor("Y", m, n, positive=True)
    Z = sa.define("Z", (j, i), logaddexp(x[i], 2 * Y[j, i]) + xlogy(x[i] ** 2, Y[j, i]))
    return sa.System(Z, sa.define("L", (), sa.total(Z[j, i] ** 2, i, j)))


def textbook(x, Y):
    from jax.scipy.special import xlogy

    return jax.numpy.logaddexp(x, 2 * Y) + xlogy(x**2, Y)


@pytest.mark.parametrize("accumulated", [False, True])
@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_two_arguments(accumulated, target, monkeypatch):
    monkeypatch.setattr(choice, "PREFER", float("inf") if accumulated else 0.0)
    monkeypatch.setattr(function, "_cache", {})
    rng = np.random.default_rng(0)
    arrays = {"x": rng.normal(size=4), "Y": rng.uniform(0.5, 2, size=(3, 4))}
    bar, dot = rng.normal(size=(3, 4)), rng.normal(size=4)
    got = compile(system(), output="Z", target=target)(**arrays)
    np.testing.assert_allclose(got, textbook(**arrays), rtol=1e-12)
    g = compile(backward(system(), output="Z", wrt=("x", "Y")), target=target)
    (want,) = jax.jit(lambda a: jax.vjp(lambda a: textbook(**a), a)[1](bar))(arrays)
    for name, value in g(**arrays, Z_bar=bar).items():
        np.testing.assert_allclose(value, want[name], rtol=1e-10, atol=1e-12)
    slope = jax.grad(lambda x: (textbook(x, arrays["Y"]) ** 2).sum())
    _, curved = jax.jit(lambda x: jax.jvp(slope, (x,), (dot,)))(arrays["x"])
    h = compile(hvp(system(), of="L", wrt="x"), target=target)
    np.testing.assert_allclose(h(**arrays, x_dot=dot), curved, rtol=1e-9)


def test_what_a_result_does_not_depend_on_may_be_given():
    """Also tangents and upstream gradients, and sizes are read from these where nothing else has
    them."""
    n = sa.sizes("n")[0]
    (i,) = sa.indices("i", n)
    x, w = sa.tensor("x", n), sa.tensor("w", n)
    line = sa.System(sa.define("L", (), sa.total(x[i] * w[i], i)))
    zero = compile(hvp(line, of="L", wrt="x"))
    np.testing.assert_array_equal(zero(x=np.ones(3), w=np.ones(3), x_dot=np.ones(3)), np.zeros(3))
    np.testing.assert_array_equal(zero(n=2), np.zeros(2))
    masked = compile(sa.define("F", (i,), x[i] + sa.iverson(i >= n) * w[i]))
    np.testing.assert_array_equal(masked(x=np.ones(3), w=np.ones(3)), np.ones(3))
    with pytest.raises(ShapeError, match="'v' is not an input"):
        zero(v=np.ones(3), n=3)


def test_functions_that_are_kept_are_few(monkeypatch):
    monkeypatch.setattr(function, "KEPT", 2)
    monkeypatch.setattr(function, "_cache", {})
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    x = sa.tensor("x", n)
    asked = [sa.define("F", (i,), k * x[i]) for k in range(2, 5)]
    made = [compile(one, target="numpy") for one in asked]
    assert len(function._cache) == 2
    assert compile(asked[2], target="numpy") is made[2]
    assert compile(asked[0], target="numpy") is not made[0]


@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_an_array_that_is_too_short_for_a_position_of_the_formula(target):
    (n,) = sa.sizes("n")
    x = sa.tensor("x", n)
    f = compile(sa.System(sa.define("y", (), x[4] + x[-2])), target=target)
    assert f(x=np.arange(5.0)) == 7.0
    with pytest.raises(ShapeError) as error:
        f(x=np.arange(3.0))
    assert "x has 3 positions along axis 0, and the formula has number 4" in str(error.value)
    assert "at least 5" in str(error.value)


def test_exported_for_every_length():
    """What jax.export makes of attention with its gradients, where sizes have roots, whole and in
    blocks."""
    from jax import export

    n, m, d = export.symbolic_shape("n, m, d")
    shapes = {"Q": (n, d), "K": (m, d), "V": (m, d), "O_bar": (n, d)}
    specs = {name: jax.ShapeDtypeStruct(s, "float32") for name, s in shapes.items()}
    rng = np.random.default_rng(0)
    arrays = {
        name: rng.normal(size=s).astype(np.float32)
        for name, s in {"Q": (5, 3), "K": (7, 3), "V": (7, 3), "O_bar": (5, 3)}.items()
    }
    system, _ = cases.attention()
    for path in ("dense", "flash"):
        f = compile(backward(system, output="O", wrt=("Q", "K", "V")), path=path)
        exported = export.export(jax.jit(lambda f=f, **x: f(**x)))(**specs)
        got, want = exported.call(**arrays), f(**arrays)
        for name in ("Q", "K", "V"):
            np.testing.assert_allclose(got[name], want[name], rtol=1e-5, atol=1e-6)


def test_a_scalar_of_the_system_is_known_by_its_symbol():
    """2 A beside the definition of A, by itself and with gradients; an A of nobody is an input."""
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    x = sa.tensor("x", n)
    A = sa.define("A", (), sa.total(x[i] ** 2, i))
    L = sa.define("L", (), 2 * sp.Symbol("A") ** 2)
    whole = sa.System(A, L)
    at = np.array([1.0, -2, 3])
    both = compile({"L": L, "bars": backward(whole, output="L", wrt=("x",))}, given=whole)
    found = both(x=at, L_bar=1.0)
    np.testing.assert_allclose(found["L"], 2 * 14**2)
    np.testing.assert_allclose(found["bars"]["x"], 8 * 14 * at)
    assert [*compile(L, given=sa.System(A)).inputs] == ["x"] and [*compile(L).inputs] == ["A"]


def test_windows_and_what_goes_around_are_exported_for_every_length():
    """A correlation, a difference around an end and a product of three arrays."""
    from jax import export

    n, m, d = sa.sizes("n m d")
    (i,), (j,), (a, b) = sa.indices("i", n), sa.indices("j", m), sa.indices("a b", d)
    x, X, W = sa.tensor("x", n), sa.tensor("X", n, d), sa.tensor("W", d, d)
    C = sa.define("C", (j,), sa.total(sa.iverson(i + j < n) * x[i] * x[i + j], i))
    D = sa.define("D", (i,), sa.total(X[i, a] * W[a, b] * X[i, b], a, b) * (x[i] - x[i - 1]))
    f = compile({"C": C, "D": D})
    size = dict(zip("nmd", export.symbolic_shape("n, m, d"), strict=True))
    rng, specs, arrays = np.random.default_rng(0), {}, {}
    for name, shape in {"x": "n", "X": "nd", "W": "dd"}.items():
        specs[name] = jax.ShapeDtypeStruct([size[s] for s in shape], "float32")
        arrays[name] = rng.normal(size=[{"n": 7, "d": 3}[s] for s in shape]).astype("float32")
    exported = export.export(jax.jit(lambda **own: f(**own, m=4)))(**specs)
    got, want = exported.call(**arrays), f(**arrays, m=4)
    for name in ("C", "D"):
        np.testing.assert_allclose(got[name], want[name], rtol=1e-5, atol=1e-6)


def test_within_another_program_it_is_part_of_that():
    """XLA fuses less with a function that a program calls."""
    n, m = sa.sizes("n m")
    (i,), (j,) = sa.indices("i", n), sa.indices("j", m)
    X = sa.tensor("X", n, m)
    f = compile(sa.define("Y", (j, i), sp.exp(X[i, j])))
    inside = jax.make_jaxpr(lambda x: 2 * f(X=x))(np.ones((2, 3)))
    assert {str(eqn.primitive) for eqn in inside.eqns} == {"exp", "transpose", "mul"}
