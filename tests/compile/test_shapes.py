"""Arrays that do not fit: the texts of the errors."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import symattn.syntax as sa
from symattn.compile import compile
from symattn.compile.shapes import unify
from symattn.derive import backward
from symattn.errors import DefinitionError, FormulaError, ShapeError, UnsupportedError

pytestmark = pytest.mark.usefixtures("double_precision")


@pytest.fixture
def f(attention):
    return compile(attention.system, output="O")


CASES = [
    (
        {"V": None},
        "the array 'V' is missing",
        "Q (n_q, d_k), K (n_k, d_k), V (n_k, d_v)",
        "add V=… with shape (n_k, d_v)",
    ),
    (
        {"W": np.ones(2)},
        "'W' is not an input",
        "Q (n_q, d_k), K (n_k, d_k), V (n_k, d_v)",
        "leave it out",
    ),
    (
        {"Q": None, "q": np.ones((5, 3))},
        "'q' is not an input",
        "Q (n_q, d_k), K (n_k, d_k), V (n_k, d_v)",
        "did you mean Q?",
    ),
    ({"Q": np.ones(3)}, "Q has 1 axis and needs 2", "Q (n_q, d_k)", "every axis"),
    ({"Q": np.ones((2, 5, 3))}, "Q has 3 axes and needs 2", "Q (n_q, d_k)", "batch="),
    (
        {"V": np.ones((4, 7))},
        "axis 0 of V has 4 entries and n_k is 7",
        "V (n_k, d_v) with n_k = 7, because of axis 0 of K (7, 3)",
        "transposed",
    ),
    (
        {"K": np.ones((7, 3), int)},
        "K holds int64 where floats are needed",
        "K (n_k, d_k)",
        "K.astype(float)",
    ),
    (
        {"K": np.ones((7, 3), complex)},
        "K holds complex128 where floats are needed",
        "K (n_k, d_k)",
        "K.astype(float)",
    ),
    ({"K": "text"}, "K is not an array", "K (n_k, d_k)", "give a JAX or NumPy array"),
    ({"K": [[1.0], [2.0, 3.0]]}, "K is not an array", "K (n_k, d_k)", "give a JAX or NumPy array"),
]


@pytest.mark.parametrize("change, problem, expected, mend", CASES)
def test_text(f, arrays, change, problem, expected, mend):
    given = {n: x for n, x in (arrays | change).items() if x is not None}
    with pytest.raises(ShapeError) as caught:
        f(**given)
    assert caught.value.problem == problem
    assert expected in caught.value.expected
    assert mend in caught.value.mend


def test_got_names_the_shape(f, arrays):
    with pytest.raises(ShapeError) as caught:
        f(**arrays | {"V": np.ones((4, 7))})
    assert caught.value.got == "V (4, 7)"
    assert "got:      V (4, 7)" in str(caught.value)


def test_by_position(f, arrays):
    with pytest.raises(ShapeError, match="takes its arrays by name"):
        f(*arrays.values())


def test_tracers_are_checked_before_jax(f, arrays):
    with pytest.raises(ShapeError, match="axis 1 of K has 7 entries and d_k is 3"):
        jax.jit(lambda K: f(**arrays | {"K": K.T}))(arrays["K"])
    jax.jit(lambda K: f(**arrays | {"K": K}))(arrays["K"])


def test_scalars_may_be_python_numbers():
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    x, T = sa.tensor("x", n), sa.tensor("T", positive=True)
    f = compile(sa.define("y", (i,), x[i] / T))
    for T in (2, 2.0, np.float32(2), jnp.asarray(2.0)):
        np.testing.assert_array_equal(f(x=np.array([1.0, 3.0]), T=T), [0.5, 1.5])
    with pytest.raises(ShapeError, match="T has 1 axis and needs 0"):
        f(x=np.ones(2), T=np.ones(2))


def test_sizes_that_are_expressions():
    (n,) = sa.sizes("n")
    (r,) = sa.indices("r", 2 * n - 1)
    (i,) = sa.indices("i", n)
    R = sa.tensor("R", 2 * n - 1)
    f = compile(sa.define("y", (i,), sa.total(R[r], r) * sa.delta(i, i) / n))
    np.testing.assert_allclose(f(R=np.arange(5.0)), np.full(3, 10 / 3))
    with pytest.raises(ShapeError) as caught:
        f(R=np.ones(4))
    assert caught.value.problem == "axis 0 of R has a length that 2*n - 1 cannot be"


def test_sizes_that_no_array_shows():
    n, m = sa.sizes("n m")
    (i,), (j,) = sa.indices("i", n), sa.indices("j", m)
    f = compile(sa.define("y", (i, j), sa.tensor("x", n)[i]))
    np.testing.assert_array_equal(f(x=np.array([1.0, 2.0]), m=3), [[1, 1, 1], [2, 2, 2]])
    with pytest.raises(ShapeError, match="m is a size"):
        f(x=np.ones(2), m=1.5)


def test_unify_solves_later_what_it_cannot_solve_first():
    n, m = sa.sizes("n m")
    arrays = {"a": np.ones((5, 2)), "b": np.ones(3)}
    assert unify(arrays, {"a": (n + m, m), "b": (n,)}) == {n: 3, m: 2}


def test_what_cannot_be_compiled(attention):
    with pytest.raises(UnsupportedError, match="goes with a mesh of devices"):
        compile(attention.system, output="O", path="ring")
    with pytest.raises(UnsupportedError, match="compile\\(\\) takes no int"):
        compile(3)
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    x = sa.tensor("x", n)
    both = sa.System(sa.define("y", (i,), 2 * x[i]), sa.define("z", (i,), 3 * x[i]))
    with pytest.raises(DefinitionError, match="which one is the output"):
        compile(both)
    with pytest.raises(DefinitionError, match="there is no definition of 'P'"):
        compile(attention.system, output="P")
    with pytest.raises(UnsupportedError, match="no target 'torch'"):
        compile(attention.system, output="O", target="torch")


def test_the_output_is_what_nothing_else_uses(attention):
    arrays = {name: np.ones((3, 3)) for name in ("Q", "K", "V")}
    chosen, named = compile(attention.system), compile(attention.system, output="O")
    assert np.array_equal(chosen(**arrays), named(**arrays))


@pytest.mark.parametrize("size", [-1, 1.5, "1/2"])
def test_sizes_are_whole_numbers(size):
    with pytest.raises(FormulaError, match="x with an axis of size"):
        sa.tensor("x", 3, size)


def test_none_is_no_array(f, arrays):
    with pytest.raises(ShapeError) as error:
        f(**{**arrays, "Q": None})
    assert "Q is not an array" in str(error.value) and "None" in str(error.value)


def test_the_upstream_gradient_of_a_number_is_1_where_it_is_left_out():
    import symattn

    text = "r_i = \\sum_a X_{ia} w_a - y_i\nL = \\frac{1}{2} \\sum_i r_i^2"
    system = symattn.read(text)
    given = {"X": np.arange(6.0).reshape(3, 2), "w": np.array([1.0, 2.0]), "y": np.ones(3)}
    wanted = given["X"].T @ (given["X"] @ given["w"] - given["y"])
    f = compile(symattn.backward(system, output="L", wrt=("w",)))
    np.testing.assert_allclose(f(**given)["w"], wanted)
    np.testing.assert_allclose(f(**given, L_bar=2.0)["w"], 2 * wanted)
    np.testing.assert_allclose(jax.jit(lambda x: f(**x)["w"])(given), wanted)
    assert repr(f).endswith("w[n_a], L_bar=1)") and "L_bar  ()  1 where it is left out" in f.__doc__
    of_rows = compile(symattn.backward(system, output="r", wrt=("w",)))
    with pytest.raises(ShapeError, match="'r_bar' is missing") as caught:
        of_rows(X=given["X"])
    assert "the gradient of a loss with respect to r" in str(caught.value)


def test_words_of_python_take_an_underscore():
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    x, strength = sa.tensor("x", n), sa.tensor("lambda")
    f = compile(sa.define("y", (i,), strength * x[i]))
    np.testing.assert_array_equal(f(x=np.ones(3), lambda_=2.0), f(x=np.ones(3), **{"lambda": 2.0}))
    assert repr(f) == "CompiledFunction(compute_y: x[n], lambda_)"
    with pytest.raises(ShapeError) as caught:
        f(x=np.ones(3))
    assert caught.value.mend == "add lambda_=… with shape ()"
    with pytest.raises(ShapeError, match="'lambda_' is not an input"):
        f(x=np.ones(3), lambda_=2.0, **{"lambda": 2.0})
    with pytest.raises(ShapeError, match="'x_' is not an input"):
        f(x_=np.ones(3), lambda_=2.0)


def test_formulas_are_those_of_the_output():
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    x = sa.tensor("x", n)
    z = sa.define("z", (i,), x[i] ** 2)
    system = sa.System(z, sa.define("L", (), sa.total(z[i], i)))
    text = compile(backward(system, output="z")).__doc__
    assert "z^{i} = " in text and "L = " not in text
