"""`lambdify` with positional arguments."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import lambdify
from symattn.errors import DefinitionError, ShapeError, UnsupportedError

pytestmark = pytest.mark.usefixtures("double_precision")


@pytest.mark.parametrize("modules", ["jax", "numpy"])
def test_definition(attention, arrays, modules):
    t = attention
    f = lambdify((t.V, t.Q, t.K), t.O, given=t.system, modules=modules)
    scores = arrays["Q"] @ arrays["K"].T / np.sqrt(3)
    want = jax.nn.softmax(scores, axis=-1) @ arrays["V"]
    np.testing.assert_allclose(f(arrays["V"], arrays["Q"], arrays["K"]), want, rtol=1e-12)


def test_definitions_as_arguments_are_not_computed(attention, arrays):
    t = attention
    f = lambdify([t.A, t.V], t.O, given=t.system)
    A = np.random.default_rng(0).normal(size=(5, 7))
    np.testing.assert_allclose(f(A, arrays["V"]), A @ arrays["V"], rtol=1e-12)
    assert "exp" not in f.source.split('"""')[-1]


def test_expression_without_free_indices(attention, arrays):
    t = attention
    f = jax.jit(lambdify(t.Q, sa.total(t.Q[t.i, t.a] ** 2, t.i, t.a) + 1))
    np.testing.assert_allclose(f(arrays["Q"]), (arrays["Q"] ** 2).sum() + 1, rtol=1e-12)


def test_unused_arguments_are_accepted(attention, arrays):
    t = attention
    f = lambdify((t.Q, t.V), sa.total(t.Q[t.i, t.a], t.i, t.a))
    np.testing.assert_allclose(f(arrays["Q"], arrays["V"]), arrays["Q"].sum(), rtol=1e-12)


def test_components():
    th, ph = sp.symbols("theta phi", real=True)
    metric = sp.Matrix([[1, 0], [0, sp.sin(th) ** 2 + sp.exp(ph)]])
    f = lambdify((th, ph), metric)
    want = [[1, 0], [0, np.sin(0.3) ** 2 + np.exp(0.2)]]
    np.testing.assert_allclose(jax.jit(f)(0.3, 0.2), want, rtol=1e-12)
    slope = jax.jit(jax.jacfwd(f))(jnp.asarray(0.3), jnp.asarray(0.2))
    np.testing.assert_allclose(slope[1][1], np.sin(0.6), rtol=1e-12)
    np.testing.assert_allclose(lambdify((th, ph), [th * ph, th], modules="numpy")(2.0, 3.0), [6, 2])
    np.testing.assert_allclose(lambdify((th,), sp.sin(th))(0.5), np.sin(0.5), rtol=1e-12)


def test_errors(attention, arrays):
    t = attention
    with pytest.raises(DefinitionError, match="depends on K, which is no argument"):
        lambdify((t.Q, t.V), t.O, given=t.system)
    with pytest.raises(UnsupportedError, match="is not a tensor, a definition or a scalar symbol"):
        lambdify((t.Q[t.i, t.a],), t.S, given=t.system)
    with pytest.raises(UnsupportedError, match="no modules 'math'"):
        lambdify((t.Q,), t.S, given=t.system, modules="math")
    f = lambdify((t.Q, t.K, t.V), t.O, given=t.system)
    with pytest.raises(ShapeError, match="takes 3 arrays by position"):
        f(arrays["Q"], arrays["K"])
    with pytest.raises(ShapeError, match="axis 0 of V has 4 entries and n_k is 7"):
        f(arrays["Q"], arrays["K"], arrays["V"].T)
