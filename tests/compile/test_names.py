"""Any name that a person can type is the name of an array."""

from __future__ import annotations

import ast
import keyword

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import symattn as sa
from symattn.compile.helpers import header, spoken_for, texts
from symattn.compile.names import Names, globals_of
from symattn.orders import orders

N, M = sa.sizes("n m")
(I, J, K) = sa.indices("i j k", N)
ARRAYS = ("table", "matrix", "other")

PLAIN = (
    "~0",
    "~1",
    "~centre",
    "#0",
    "S_max",
    "self",
    "args",
    "kwargs",
    "fun",
    "x̄",
    "Q\\",
    '"',
    "n",
)
SPOKEN = sorted({*spoken_for("jnp"), *spoken_for("np"), *keyword.kwlist, "len", "tuple", "lax"})


def system(table: str, matrix: str, other: str, result: str = "L") -> sa.System:
    """Lookups that add up at their places, a softmax, differences, contractions."""
    T, A, B = sa.tensor(table, 2 * N - 1), sa.tensor(matrix, N, N), sa.tensor(other, N, N)
    S = sa.define("S", (I, J), T[I - J + N - 1] * A[I, J] + T[I + N - 1] - T[J + N - 1])
    P = sa.define("P", (I, J), sp.exp(S[I, J]) / sa.total(sp.exp(S[I, K]), K))
    L = sa.define(result, (), sa.total(P[I, J] * B[I, J] * A[I, K] * B[K, J], I, J, K))
    return sa.System(S, P, L)


def values(names: tuple[str, ...]) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    shapes = ((5,), (3, 3), (3, 3))
    return {n: rng.normal(size=s).astype("float32") for n, s in zip(names, shapes, strict=True)}


def compiled(names: tuple[str, ...], target: str = "jax") -> list[np.ndarray]:
    """The gradients of the system under these names."""
    g = sa.backward(system(*names), output="L", wrt=names)
    f = sa.compile(g, target=target)
    assert set(f.inputs) == {*names, g.upstream}
    result = f(**values(names), **{g.upstream: np.float32(1)})
    return [np.asarray(result[n]) for n in names]


PLAINLY = compiled(ARRAYS)


@pytest.mark.parametrize("name", [*PLAIN, *SPOKEN])
def test_a_name_is_only_a_name(name):
    for own, plain in zip(compiled((name, *ARRAYS[1:])), PLAINLY, strict=True):
        np.testing.assert_allclose(own, plain, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("names", [("~0", "~1", "~2"), ("jnp", "np", "jax"), ("é", "e", "è")])
@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_names_beside_each_other(names, target):
    for own, plain in zip(compiled(names, target), PLAINLY, strict=True):
        np.testing.assert_allclose(own, plain, rtol=1e-5, atol=1e-6)


@settings(deadline=None, max_examples=15)
@given(
    st.lists(
        st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=6),
        min_size=3,
        max_size=3,
        unique=True,
    ).map(tuple)
)
def test_any_text_is_a_name(names):
    if any("," in n or n in ("L", "S", "P") or n.isdigit() for n in names):
        return  # a comma lists names; a definition has its name
    for own, plain in zip(compiled(names, "numpy"), PLAINLY, strict=True):
        np.testing.assert_allclose(own, plain, rtol=1e-5, atol=1e-6)


def test_second_derivatives_under_the_names_of_the_check():
    x, y = sa.tensor("upstream", N), sa.tensor("weighted", N)
    report = orders(sa.System(sa.define("F", (I,), sp.sin(x[I] * y[I]))))
    assert report.ok, str(report)


def test_jacobians_in_parts_under_the_names_of_the_parts():
    x, v = sa.tensor("block_0", N), sa.tensor("v", N)
    y = sa.define("y", (I,), sp.sin(x[I]) + x[I] * sa.total(v[J] * x[J], J))
    parts = sa.compile(sa.jacobian(sa.System(y), of="y", wrt="block_0"))
    arrays = {"block_0": np.arange(3.0), "v": np.array([1.0, -2.0, 0.5])}
    whole = parts.structured(**arrays)
    np.testing.assert_allclose(whole.matvec(np.ones(3)), whole.dense().sum(1), rtol=1e-5)


def test_an_expression_of_something_called_value():
    value = sa.tensor("value", N)
    f = sa.lambdify((value,), sa.total(value[I] ** 2, I))
    np.testing.assert_allclose(f(np.arange(4.0)), 14.0)


def test_what_helpers_read_is_read_off_their_text():
    """Every name that a helper loads from outside itself is taken, none of its own is."""
    for np_ in ("jnp", "np"):
        whole = header(np_) + "".join(texts(np_).values())
        tops = {n.name for n in ast.parse(whole).body if isinstance(n, ast.FunctionDef)}
        assert tops == set(texts(np_))
        assert tops | {np_, "math"} <= spoken_for(np_)
        assert not {"operands", "block", "shape"} & spoken_for(np_)
    assert globals_of("import a as b\ndef f(x):\n    def g(): return x + h\n    return g") == {
        "b",
        "f",
        "h",
    }
    assert Names({"x"}).fresh("x") == "x_2"
