"""Attention, its Jacobians and its backward pass against plain JAX."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward, jacobian

pytestmark = pytest.mark.usefixtures("double_precision")
SIZES = {"n_q": 5, "n_k": 7, "d_k": 3, "d_v": 4}


def textbook(Q, K, V):
    return jax.nn.softmax(Q @ K.T / jnp.sqrt(Q.shape[1]), axis=-1) @ V


def close(got, want, tolerance=1e-12):
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


def test_value(attention, arrays):
    close(compile(attention.system, output="O")(**arrays), textbook(**arrays))


def test_intermediate_output(attention, arrays):
    scores = compile(attention.system, output="S")
    assert set(scores.inputs) == {"Q", "K"}
    close(scores(Q=arrays["Q"], K=arrays["K"]), arrays["Q"] @ arrays["K"].T / np.sqrt(3))


def test_definition_on_a_system(attention, arrays):
    s = attention
    D = sa.define("D", (s.i,), s.A[s.i, s.j] * s.S[s.i, s.j])
    scores = arrays["Q"] @ arrays["K"].T / np.sqrt(3)
    got = compile(D, given=s.system)(Q=arrays["Q"], K=arrays["K"])
    close(got, (jax.nn.softmax(scores, axis=-1) * scores).sum(1))


def test_gradients(attention, arrays, upstream):
    g = backward(attention.system, output="O", wrt=("Q", "K", "V", "S"))
    got = compile(g)(**arrays, O_bar=upstream)
    pullback = jax.jit(lambda *own: jax.vjp(textbook, *own[:3])[1](own[3]))
    assert set(got) == {"Q", "K", "V", "S"}
    for name, want in zip("QKV", pullback(*arrays.values(), upstream), strict=True):
        close(got[name], want)
    scores = arrays["Q"] @ arrays["K"].T / np.sqrt(3)
    weighted = jax.jit(lambda S: jax.vjp(lambda S: jax.nn.softmax(S) @ arrays["V"], S)[1](upstream))
    close(got["S"], weighted(scores)[0])


def test_one_gradient_is_a_derivation(attention, arrays, upstream):
    g = backward(attention.system, output="O", wrt="Q")
    got = compile(g["Q"])(**arrays, O_bar=upstream)
    _, pullback = jax.vjp(lambda Q: textbook(Q, arrays["K"], arrays["V"]), arrays["Q"])
    close(got, pullback(upstream)[0])


@pytest.mark.parametrize("of, wrt", [("A", "S"), ("O", "Q"), ("O", "K"), ("S", "K"), ("O", "V")])
def test_jacobians(attention, arrays, of, wrt):
    scores = arrays["Q"] @ arrays["K"].T / np.sqrt(3)
    plain = {
        "A": lambda S: jax.nn.softmax(S, axis=-1),
        "O": lambda **kw: textbook(**{**arrays, **kw}),
        "S": lambda K: arrays["Q"] @ K.T / np.sqrt(3),
    }[of]
    want = (
        jax.jit(jax.jacobian(plain))(scores)
        if wrt == "S"
        else jax.jit(jax.jacobian(lambda x: plain(**{wrt: x})))(arrays[wrt])
    )
    f = compile(jacobian(attention.system, of=of, wrt=wrt))
    close(f(**{n: (arrays | SIZES)[n] for n in f.inputs}), want)


def test_tree_of_results(attention, arrays, upstream):
    g = backward(attention.system, output="O", wrt=("K", "V"))
    f = compile(
        {"value": attention.O, "rest": [attention.S, g["V"]], "bars": g}, given=attention.system
    )
    got = f(**arrays, O_bar=upstream)
    close(got["value"], textbook(**arrays))
    close(got["rest"]["S"], arrays["Q"] @ arrays["K"].T / np.sqrt(3))
    close(got["rest"]["V_bar"], got["bars"]["V"])


def test_backward_shares_the_forward_and_takes_the_short_row_sum(attention):
    g = backward(attention.system, output="O", wrt=("Q", "K", "V"))
    body = compile({"O": attention.O, "g": g}, given=attention.system).source.split('"""')[-1]
    assert body.count("einsum(") + body.count("matmul(") == 6
    assert body.count("jnp.exp(") == 1
    assert "total(O_bar * O, axis=-1)" in body


def test_backward_alone_needs_no_forward_product(attention):
    g = backward(attention.system, output="O", wrt=("Q", "K", "V"))
    body = compile(g).source.split('"""')[-1]
    assert body.count("einsum(") + body.count("matmul(") == 5
    assert "total(A * A_bar, axis=-1)" in body


def test_transformations(attention, arrays, upstream):
    f = compile(attention.system, output="O")
    K, V = arrays["K"], arrays["V"]

    def loss(Q):
        return jnp.sum(upstream * f(Q=Q, K=K, V=V))

    def plain(Q):
        return jnp.sum(upstream * textbook(Q, K, V))

    Q = jnp.asarray(arrays["Q"])
    dQ = jnp.asarray(np.random.default_rng(1).normal(size=Q.shape))
    close(jax.jit(jax.grad(loss))(Q), jax.jit(jax.grad(plain))(Q))
    close(jax.jit(jax.hessian(loss))(Q), jax.jit(jax.hessian(plain))(Q))
    along = (jax.jit(lambda x, dx, f=f: jax.jvp(f, (x,), (dx,))[1]) for f in (loss, plain))
    close(*(f(Q, dQ) for f in along))
    close(jax.jit(jax.grad(jax.checkpoint(loss)))(Q), jax.jit(jax.grad(plain))(Q))
    many = jnp.stack([Q, dQ, Q + dQ])
    close(jax.jit(jax.vmap(loss))(many), jax.jit(jax.vmap(plain))(many))


def test_leading_axes(attention, upstream):
    rng = np.random.default_rng(3)
    shapes = {"Q": (5, 3), "K": (7, 3), "V": (7, 4), "O_bar": (5, 4)}
    x = {n: rng.normal(size=(2, 6, *s)) for n, s in shapes.items()}
    g = backward(attention.system, output="O", wrt=("Q", "K", "V"))
    f = compile({"O": attention.O, "g": g}, given=attention.system, batch=("z", "h"))
    got = f(**x)

    def one(Q, K, V, O_bar):
        value, pullback = jax.vjp(textbook, Q, K, V)
        return value, pullback(O_bar)

    value, bars = jax.jit(jax.vmap(jax.vmap(one)))(*(x[n] for n in ("Q", "K", "V", "O_bar")))
    close(got["O"], value)
    for name, want in zip("QKV", bars, strict=True):
        close(got["g"][name], want)


@pytest.mark.parametrize(
    "dtype, tolerance",
    [(jnp.float64, 1e-12), (jnp.float32, 2e-6), (jnp.bfloat16, 2e-2), (jnp.float16, 3e-3)],
)
def test_dtypes(attention, arrays, upstream, dtype, tolerance):
    g = backward(attention.system, output="O", wrt=("Q", "K", "V"))
    f = compile({"O": attention.O, "g": g}, given=attention.system)
    cast = {n: jnp.asarray(x, dtype) for n, x in (arrays | {"O_bar": upstream}).items()}
    got = f(**cast)
    exact = {n: np.asarray(x, np.float64) for n, x in cast.items()}
    value, pullback = jax.vjp(textbook, exact["Q"], exact["K"], exact["V"])
    assert got["O"].dtype == dtype
    np.testing.assert_allclose(np.asarray(got["O"], float), value, atol=tolerance)
    for name, want in zip("QKV", pullback(exact["O_bar"]), strict=True):
        assert got["g"][name].dtype == dtype
        np.testing.assert_allclose(np.asarray(got["g"][name], float), want, atol=4 * tolerance)


def test_low_precision_accumulates_in_float32(attention):
    f = compile(attention.system, output="O")
    rows = jnp.ones((5, 3), jnp.bfloat16)
    program = str(jax.make_jaxpr(lambda x: f(Q=x, K=x, V=x))(rows))
    assert program.count("preferred_element_type=float32") == program.count("dot_general[") == 2


def test_numpy_target(attention, arrays, upstream):
    g = backward(attention.system, output="O", wrt=("Q", "K", "V"))
    f = compile(g, target="numpy")
    got = f(**arrays, O_bar=upstream)
    assert "jax" not in f.source.replace("from jaxtyping import", "").lower()
    for name, want in zip("QKV", jax.vjp(textbook, *arrays.values())[1](upstream), strict=True):
        assert type(got[name]) is np.ndarray
        close(got[name], want)


def test_same_content_is_compiled_once(attention):
    assert compile(attention.system, output="O") is compile(attention.system, output="O")
    assert compile(attention.system, output="O") is not compile(attention.system, output="A")


def test_cost(attention):
    s = attention
    cost = compile(s.system, output="O").cost
    leading = 2 * s.n_q * s.n_k * (s.d_k + s.d_v)
    rest = (cost.flops - leading).expand()
    assert rest.coeff(s.d_k) == rest.coeff(s.d_v) == 0
    assert cost.largest == s.n_q * s.n_k
    numbers = {s.n_q: 5, s.n_k: 7, s.d_k: 3, s.d_v: 4}
    assert 2 * 5 * 7 * 7 < cost.flops.subs(numbers) < 2 * 5 * 7 * 7 + 10 * 5 * 7
    assert cost.bytes.subs(numbers) > 4 * (5 * 3 + 7 * 3 + 7 * 4 + 5 * 4)
