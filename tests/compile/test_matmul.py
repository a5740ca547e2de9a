"""Products of matrices in the layout that a CPU wants."""

from __future__ import annotations

import re
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.compile import cases
from symattn.compile.function import compile, load
from symattn.derive import backward, hessian

pytestmark = pytest.mark.usefixtures("double_precision")

SIZES = {"i": 50, "j": 31, "k": 40, "l": 6, "z": 2, "e": 7}
SUBSCRIPTS = (
    "ij,ik->jk",  # the first factor turned
    "ij,ki->jk",
    "ij,ik->kj",
    "ji,ik->jk",
    "ijl,ik->jlk",  # larger than the second and the result: the product is computed transposed
    "zij,zik->zjk",
    "izj,kiz->zjk",
    "zeij,zik->zejk",
    "ilj,lik->jk",  # two summed axes in another order
    "ilj,ilk->jk",
    "zilj,eilk->zjek",
)


@pytest.fixture(scope="module")
def matmul():
    function = compile(hessian(cases.logistic(), of="L", wrt="w"))
    assert "matmul(" in function.source.split("def compute")[1]
    return load(function.source, "matmul")


def factors(subscripts, dtype="float64"):
    rng = np.random.default_rng(0)
    inputs = subscripts.split("->")[0].split(",")
    return [jnp.asarray(rng.normal(size=[SIZES[c] for c in letters]), dtype) for letters in inputs]


@pytest.mark.parametrize("backend", ["cpu", "gpu"])
@pytest.mark.parametrize("subscripts", SUBSCRIPTS)
def test_value(matmul, subscripts, backend, monkeypatch):
    monkeypatch.setattr(jax, "default_backend", lambda: backend)
    x, y = factors(subscripts)
    got = matmul(subscripts, x, y)
    np.testing.assert_allclose(got, np.einsum(subscripts, x, y), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("subscripts", SUBSCRIPTS)
def test_layout(matmul, subscripts):
    """The product that JAX is given has the summed axes of its first factor at the end."""
    x, y = factors(subscripts)
    program = str(jax.make_jaxpr(lambda x, y: matmul(subscripts, x, y))(x, y))
    (numbers,) = re.findall(r"dimension_numbers=\(\(\[(.*?)\], \[.*?\]\), \(\[(.*?)\]", program)
    summed, shared = ([int(k) for k in part.split(",") if k.strip()] for part in numbers)
    left, right = subscripts.split("->")[0].split(",")
    own = {len(set(left) - set(right)), len(set(right) - set(left))}
    assert len(summed) == len(set(left) & set(right) - set(subscripts.split("->")[1]))
    assert min(summed) - len(shared) in own
    assert shared == list(range(len(shared)))


@pytest.mark.parametrize(
    ("subscripts", "first", "second", "moved"),
    [
        ("ij,ik->jk", (50, 400), (50, 2), ["2,50", "400,2"]),
        ("ij,ik->jk", (50, 2), (50, 400), ["2,50"]),
        ("ij,ki->jk", (50, 40), (30, 50), ["40,30"]),
        ("ij,ik->jk", (20, 4), (20, 3), []),
        ("ij,ik->jk", (300, 301), (300, 302), []),  # as much as the product itself
    ],
)
def test_what_moves_less_is_copied(matmul, subscripts, first, second, moved):
    function = partial(matmul, subscripts)
    program = str(jax.make_jaxpr(function)(jnp.ones(first), jnp.ones(second)))
    assert re.findall(r":f64\[([\d,]+)\] = transpose", program) == moved


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32"])
def test_accumulates_in_float32(matmul, dtype):
    x, y = factors("ij,ik->jk", dtype)
    assert matmul("ij,ik->jk", x, y).dtype == jnp.float32


def test_goes_through_transformations(matmul):
    x, y = factors("ij,ik->jk")

    def transformed(product, x):
        second = jax.hessian(lambda x: jnp.sum(jnp.sin(product(x))))(x)
        tangent = jax.jvp(lambda x: product(x) ** 2, (x,), (x,))[1]
        return second, tangent, jax.vmap(product)(jnp.stack([x, 2 * x, x + 1]))

    products = partial(matmul, "ij,ik->jk", y=y), lambda x: x.T @ y
    results = (jax.jit(partial(transformed, product))(x) for product in products)
    for value, wanted in zip(*results, strict=True):
        np.testing.assert_allclose(value, wanted, rtol=1e-12, atol=1e-12)


def test_only_where_the_layout_is_another():
    system, O = cases.attention()
    g = backward(system, output="O", wrt=("Q", "K", "V"))
    body = compile({"O": O, "g": g}, given=system).source.split('"""')[-1]
    products = re.findall(r'matmul\("(\w+),(\w+)->(\w+)"', body)
    assert len(products) == 2  # K_bar and V_bar; scores, O, A_bar and Q_bar are as they should be
    assert all(x[0] == y[0] and x[0] not in out for x, y, out in products)
    assert "matmul" not in compile(system, output="O").source


def test_numpy_has_its_own_way():
    f = compile(hessian(cases.logistic(), of="L", wrt="w"), target="numpy")
    assert "matmul" not in f.source
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(5, 3)), rng.normal(size=3)
    s = 1 / (1 + np.exp(-X @ w))
    np.testing.assert_allclose(f(X=X, w=w), (X.T * (s * (1 - s))) @ X, rtol=1e-12)


@pytest.mark.parametrize(
    ("weighted", "reference"),
    [
        (lambda x, w, i, j: x[i, j] * w[i], lambda x, w: x * w[:, None]),
        (lambda x, w, i, j: sp.exp(x[i, j] + w[i]), lambda x, w: np.exp(x + w[:, None])),
    ],
)
def test_an_elementwise_factor_has_the_layout_of_its_tensors(weighted, reference):
    """XLA would compute x.T * w as (x * w[:, None]).T and contract its first axis."""
    n, m, r = sa.sizes("n m r")
    (i,), (j,), (k,) = sa.indices("i", n), sa.indices("j", m), sa.indices("k", r)
    x, y, w = sa.tensor("x", n, m), sa.tensor("y", n, r), sa.tensor("w", n)
    f = compile(sa.define("G", (j, k), sa.total(weighted(x, w, i, j) * y[i, k], i)))
    assert ".T" not in f.source.split('"""')[-1]
    rng = np.random.default_rng(0)
    X, Y, W = rng.normal(size=(50, 31)), rng.normal(size=(50, 40)), rng.normal(size=50)
    np.testing.assert_allclose(f(x=X, y=Y, w=W), reference(X, W).T @ Y, rtol=1e-11, atol=1e-12)
    program = jax.jit(lambda x, y, w: f(x=x, y=y, w=w)).lower(X, Y, W).compile().as_text()
    assert "lhs_contracting_dims={1}" in program and "lhs_contracting_dims={0}" not in program


def test_what_two_factors_share_between_the_axes_of_a_result():
    """Σ_b R_cab D_icb as [i, c, a]: the factor with the last axis comes first."""
    n, m, k, d = sa.sizes("n m k d")
    (i,), (j,), (c,), (a,) = (sa.indices(x, s) for x, s in zip("ijca", (n, m, k, d), strict=True))
    D, R = sa.tensor("D", n, k, d), sa.tensor("R", k, m, d)
    f = compile(sa.define("V", (i, c, j), sa.total(R[c, j, a] * D[i, c, a], a)))
    assert 'einsum("cja,ica->icj", R, D)' in f.source
    own = np.random.default_rng(0)
    arrays = {"D": own.normal(size=(5, 2, 3)), "R": own.normal(size=(2, 4, 3))}
    np.testing.assert_allclose(f(**arrays), np.einsum("cja,ica->icj", arrays["R"], arrays["D"]))
    first = compile(sa.define("V", (c, i, j), sa.total(R[c, j, a] * D[i, c, a], a)))
    assert 'einsum("ica,cja->cij", D, R)' in first.source  # shared axes first: any order will do
