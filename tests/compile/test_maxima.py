"""Compiled maxima: values and gradients against JAX's own, in both targets."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn as sa

N, M, D = sa.sizes("n m d")
(I,), (J, K, L), (A,) = sa.indices("i", N), sa.indices("j k l", M), sa.indices("a", D)
S, X, Q = sa.tensor("S", N, M), sa.tensor("x", M), sa.tensor("q", N)
W = sa.tensor("W", D, N)
rng = np.random.default_rng(11)
ARRAYS = {
    "S": rng.normal(size=(3, 4)),
    "x": rng.normal(size=4),
    "q": rng.normal(size=3),
    "W": rng.normal(size=(5, 3)),
}

CASES = {
    "rectified": (
        (A,),
        sp.Max(0, W[A, I] * Q[I]),
        lambda S, x, q, W: jax.nn.relu(W @ q),
    ),
    "of three": (
        (I, J),
        sp.Max(S[I, J], X[J], Q[I]) ** 2,
        lambda S, x, q, W: jnp.maximum(jnp.maximum(S, x), q[:, None]) ** 2,
    ),
    "smallest": (
        (I,),
        sp.Min(Q[I], S[I, J] * X[J]),
        lambda S, x, q, W: jnp.minimum(q, S @ x),
    ),
    "rows": ((I,), sa.maximum(S[I, J] * X[J] ** 2, J), lambda S, x, q, W: (S * x**2).max(1)),
    "all": ((), sa.maximum(S[I, J] - X[J], I, J), lambda S, x, q, W: (S - x).max()),
    "columns and a bound": (
        (J,),
        sp.Max(sa.maximum(S[I, J], I), X[J]),
        lambda S, x, q, W: jnp.maximum(S.max(0), x),
    ),
    "softmax below its maximum": (
        (I, J),
        sp.exp(S[I, J] - sa.maximum(S[I, K], K))
        / sa.total(sp.exp(S[I, L] - sa.maximum(S[I, K], K)), L),
        lambda S, x, q, W: jax.nn.softmax(S, axis=1),
    ),
    "hard attention": (
        (I,),
        sa.total(sa.argmax(J, S[I, K], K) * X[J], J),
        lambda S, x, q, W: x[S.argmax(1)],
    ),
}


def chosen(system):
    return {name: ARRAYS[name] for name in system.inputs}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_values(case, target):
    letters, expr, reference = CASES[case]
    system = sa.System(sa.define("E", letters, expr))
    with jax.enable_x64(True):
        got = sa.compile(system, output="E", target=target)(**chosen(system))
        np.testing.assert_allclose(got, reference(**ARRAYS), rtol=1e-13)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("target", ["jax", "numpy"])
def test_gradients(case, target):
    letters, expr, reference = CASES[case]
    system = sa.System(sa.define("E", letters, expr))
    wrt = tuple(system.inputs)
    g = sa.backward(system, output="E", wrt=wrt)
    with jax.enable_x64(True):

        @partial(jax.jit, static_argnums=0)
        def pulled(f, given, up):
            return jax.vjp(lambda given: f(**given), given)[1](up)[0]

        up = np.asarray(rng.normal(size=jax.eval_shape(lambda x: reference(**x), ARRAYS).shape))
        wanted = pulled(reference, ARRAYS, up)
        compiled = sa.compile(g, target=target)
        arrays = {**chosen(system), "E_bar": up}
        got = compiled(**{name: arrays[name] for name in compiled.inputs})
        for name in wrt:
            np.testing.assert_allclose(got[name], wanted[name], rtol=1e-12, atol=1e-14)
        if target == "jax":  # and by JAX from the compiled value
            own = pulled(sa.compile(system, output="E"), chosen(system), up)
            for name, bar in own.items():
                np.testing.assert_allclose(bar, wanted[name], rtol=1e-12, atol=1e-14)


def test_batches_and_half_precision():
    system = sa.System(sa.define("E", *CASES["columns and a bound"][:2]))
    f = sa.compile(system, output="E", batch=("b",))
    s, x = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 4))
    got = f(S=jnp.asarray(s, jnp.bfloat16), x=jnp.asarray(x, jnp.bfloat16))
    assert got.dtype == jnp.bfloat16
    np.testing.assert_allclose(np.asarray(got, float), np.maximum(s.max(1), x), rtol=1e-2)


def test_scores_that_overflow():
    letters, expr, _ = CASES["softmax below its maximum"]
    system = sa.System(sa.define("E", letters, expr))
    got = sa.compile(system, output="E")(S=jnp.asarray([[1e4, 1e4, -1e4, 0.0]], jnp.float32))
    np.testing.assert_allclose(got, [[0.5, 0.5, 0.0, 0.0]])


def test_the_source_is_readable():
    letters, expr, _ = CASES["rectified"]
    system = sa.System(sa.define("h", letters, expr))
    source = sa.compile(system, output="h").source
    assert "jnp.maximum(" in source and "stop_gradient" not in source
    assert r"h^{a} = \max\left(0, \sum_{i} W^{ai} q^{i}\right)" in source
