"""Every registered scalar function: derivative, values in all kinds of numbers, parity, sign."""

import math

import mpmath
import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn import primitives
from symattn.errors import SymattnError
from symattn.evaluate import Evaluator, exact, jax_arrays, multiprecision
from symattn.ir import Call, Index, Ref, Tensor, raw_atom

N = sa.sizes("n")[0]
(I,) = sa.indices("i", N)
AXIS = (Index("i", N),)
NAMES = primitives.names()
X = sa.tensor("x", N)


def points(name, count=41):
    low, high = primitives.by_name(name).domain
    return np.linspace(low, high, count + 2)[1:-1]


def applied(name, x, carrier=None):
    call = raw_atom(Call(name, (raw_atom(Ref(Tensor("x", (N,)), AXIS)),)))
    return Evaluator({"x": x}, {"n": len(x)}, carrier)(call, AXIS)


def formula(name):
    """f(X) in terms that mpmath knows."""
    value = primitives.by_name(name).function(primitives.X)
    return value if value.func.__module__.startswith("sympy") else value.rewrite(sp.exp)


def at(name, v):
    return sp.lambdify(primitives.X, formula(name), "mpmath")(v)


@pytest.mark.parametrize("name", NAMES)
def test_derivative_against_differences_over_the_domain(name):
    x = sa.tensor("x", N, positive=primitives.by_name(name).domain[0] > 0)
    d = sa.jacobian(
        sa.System(sa.define("D", (I,), primitives.by_name(name).function(x[I]))), of="D", wrt="x"
    )
    assert d.check_steps().ok
    x = points(name)
    known = Evaluator({"x": x, "D": applied(name, x)}, {"n": len(x)})
    slope = np.diagonal(known(d.normal, d.indices))
    with mpmath.workdps(40):
        h = mpmath.mpf("1e-12")
        wanted = [float((at(name, v + h) - at(name, v - h)) / (2 * h)) for v in map(mpmath.mpf, x)]
    np.testing.assert_allclose(slope, wanted, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_numpy_jax_and_mpmath_agree(name):
    import jax
    import jax.numpy as jnp

    x = points(name)
    plain = applied(name, x)
    with jax.enable_x64(True):
        traced = np.asarray(applied(name, jnp.asarray(x), jax_arrays()))
        source = primitives.by_name(name).jax.format(x="x")
        compiled = np.asarray(eval(source, {"jnp": jnp, "jax": jax, "x": jnp.asarray(x)}))
    pattern = primitives.by_name(name).numpy or primitives.by_name(name).jax.replace("jnp", "np")
    by_numpy = eval(pattern.format(x="x"), {"np": np, "math": math, "x": x})
    with mpmath.workdps(30):
        many = applied(
            name, np.array([mpmath.mpf(float(v)) for v in x], dtype=object), multiprecision()
        )
        wanted = np.array([float(at(name, v)) for v in x])
    for got in (plain, traced, compiled, by_numpy, many.astype(float)):
        np.testing.assert_allclose(got, wanted, rtol=2e-14, atol=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_exact_numbers(name):
    x = np.array([sp.Rational(1, 2), sp.Rational(3, 4)], dtype=object)
    got = applied(name, x, exact())
    wanted = [float(at(name, float(v))) for v in x]
    numbers = [float(primitives._number(g, sp.Float(0))) for g in got]
    np.testing.assert_allclose(numbers, wanted, rtol=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_sign_and_parity_are_true(name):
    record, x = primitives.by_name(name), points(name)
    values = applied(name, x)
    assert not record.sign or np.all(values > 0 if record.sign == "+" else values >= 0)
    if record.parity:
        np.testing.assert_allclose(applied(name, -x), record.parity * values, rtol=1e-13)
    elif record.domain[0] < 0:
        assert not np.allclose(np.abs(applied(name, -x)), np.abs(values))


@pytest.mark.parametrize("name", [n for n in NAMES if primitives.by_name(n).definition])
def test_the_definition_by_simpler_functions_is_true(name):
    f = sp.lambdify(primitives.X, primitives.by_name(name).definition(primitives.X), "numpy")
    np.testing.assert_allclose(f(points(name)), applied(name, points(name)), rtol=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_latex_stands_before_the_argument(name):
    d = sa.define("D", (I,), primitives.by_name(name).function(X[I] * sa.tensor("c")))
    assert primitives.by_name(name).latex + "(c x^{i})" in d._repr_latex_()


def test_a_taken_name_is_refused():
    with pytest.raises(SymattnError, match="'tanh' is registered already") as error:
        primitives.register(primitives.Primitive("tanh", sp.tanh, r"\tanh", "jnp.tanh({x})"))
    assert "another name" in str(error.value)


def test_a_function_without_a_derivative_is_refused():
    class rough(sp.Function):
        pass

    with pytest.raises(SymattnError, match="derivative of 'rough'") as error:
        primitives.register(primitives.Primitive("rough", rough, r"\rough", "rough({x})"))
    assert "fdiff" in str(error.value) and "rough" not in primitives.names()
