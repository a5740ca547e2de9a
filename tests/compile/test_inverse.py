"""Inverses and determinants: solved for, against JAX's own in float64."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn as sa

pytestmark = pytest.mark.usefixtures("double_precision")

N, M = sa.sizes("n m")
(I, J, K), (A, B) = sa.indices("i j k", N), sa.indices("a b", M)
X, Y, v = sa.tensor("X", N, M), sa.tensor("Y", N, M), sa.tensor("v", N)
FREE, SURE = sa.tensor("G", N, N), sa.tensor("G", N, N, positive_definite=True)
C = sa.define("C", (I, J), sa.total(X[I, A] * X[J, A], A) + 9 * sa.delta(I, J))
inv, det = jnp.linalg.inv, jnp.linalg.det


def defined(X):
    return X @ X.T + 9 * jnp.eye(X.shape[0])


CASES = {
    "vector": (lambda g: ((I,), sa.total(sa.inverse(g)[I, J] * v[J], J)), lambda g, v: inv(g) @ v),
    "turned": (
        lambda g: ((I,), sa.total(sa.inverse(g)[J, I] * v[J], J)),
        lambda g, v: inv(g).T @ v,
    ),
    "matrix": (
        lambda g: ((A, I), sa.total(Y[J, A] * sa.inverse(g)[I, J], J)),
        lambda g, Y: (inv(g) @ Y).T,
    ),
    "form": (
        lambda g: ((), sa.total(v[I] * sa.inverse(g)[I, J] * v[J], I, J)),
        lambda g, v: v @ inv(g) @ v,
    ),
    "trace": (
        lambda g: ((), sa.total(sa.inverse(g)[I, J] * X[J, A] * Y[I, A], I, J, A)),
        lambda g, X, Y: jnp.trace(inv(g) @ X @ Y.T),
    ),
    "alone": (lambda g: ((I, J), sa.inverse(g)[I, J] + v[I]), lambda g, v: inv(g) + v[:, None]),
    "diagonal": (lambda g: ((I,), sa.inverse(g)[I, I] * v[I]), lambda g, v: jnp.diag(inv(g)) * v),
    "twice": (
        lambda g: ((I, A), sa.total(sa.inverse(g)[I, J] * sa.inverse(g)[J, K] * Y[K, A], J, K)),
        lambda g, Y: inv(g) @ inv(g) @ Y,
    ),
    "det": (lambda g: ((I,), sa.det(g) * v[I]), lambda g, v: det(g) * v),
    "logdet": (lambda g: ((I,), sa.logdet(g) + v[I]), lambda g, v: jnp.log(abs(det(g))) + v),
}
SHAPES = {"X": (5, 3), "Y": (5, 3), "v": (5,), "G": (5, 5)}


def arrays(seed=0, batch=()):
    rng = np.random.default_rng(seed)
    found = {name: rng.normal(size=(*batch, *shape)) for name, shape in SHAPES.items()}
    found["G"] = found["G"] @ np.swapaxes(found["G"], -1, -2) + 3 * np.eye(5)
    return found


def plain(reference, matrix, given):
    g = defined(given["X"]) if matrix == "C" else given["G"]
    names = reference.__code__.co_varnames[1:]
    return reference(g, *(given[n] for n in names))


@pytest.mark.parametrize("target", ["jax", "numpy"])
@pytest.mark.parametrize("matrix", ["free", "sure", "C"])
@pytest.mark.parametrize("name", CASES)
def test_values(name, matrix, target):
    make, reference = CASES[name]
    of = {"free": FREE, "sure": SURE, "C": C}[matrix]
    system = sa.System(*([C] if of is C else []), sa.define("F", *make(of)))
    f = sa.compile(system, output="F", target=target)
    given = arrays()
    if matrix == "free":
        given["G"] = given["G"] + np.triu(np.ones((5, 5)))  # not symmetric
    got = f(**{n: given[n] for n in f.inputs})
    np.testing.assert_allclose(got, plain(reference, matrix, given), rtol=1e-10, atol=1e-12)
    assert ("cholesky(" in f.source.split("def compute")[1]) == (matrix == "sure")


@pytest.mark.parametrize("matrix", ["sure", "C"])
@pytest.mark.parametrize("name", CASES)
def test_leading_axes(name, matrix):
    make, reference = CASES[name]
    of = SURE if matrix == "sure" else C
    system = sa.System(*([C] if of is C else []), sa.define("F", *make(of)))
    f = sa.compile(system, output="F", batch=("z", "h"))
    given = arrays(batch=(2, 3))
    used = {n: jnp.asarray(given[n]) for n in f.inputs}
    every = {n: jnp.asarray(x) for n, x in given.items()}
    wanted = jax.vmap(jax.vmap(lambda own: plain(reference, matrix, own)))(every)
    np.testing.assert_allclose(f(**used), wanted, rtol=1e-10, atol=1e-11)


def test_one_array_has_the_leading_axis():
    system = sa.System(sa.define("F", (I,), sa.total(sa.inverse(SURE)[I, J] * v[J], J)))
    given = arrays()
    for names in (("v",), ("G",), ("v", "G")):
        f = sa.compile(system, output="F", batch={"z": names})
        own = {n: np.stack([given[n], 2 * given[n]]) if n in names else given[n] for n in "Gv"}
        rows = [{n: own[n][k] if n in names else own[n] for n in "Gv"} for k in range(2)]
        wanted = [np.linalg.solve(row["G"], row["v"]) for row in rows]
        np.testing.assert_allclose(f(**own), wanted, rtol=1e-10)


@pytest.mark.parametrize("name", ["vector", "matrix", "form", "twice"])
@pytest.mark.parametrize("matrix", [FREE, SURE, C])
def test_a_product_with_an_inverse_is_solved_for(name, matrix):
    system = sa.System(*([C] if matrix is C else []), sa.define("F", *CASES[name][0](matrix)))
    body = sa.compile(system, output="F").source.split("def compute")[1]
    lines = body.split("dtype = ")[1].split("\n")
    code = [line for line in lines if not line.strip().startswith("#")]
    assert any("solve(" in line for line in code)
    assert not any("inverse(" in line for line in code)


def test_one_factor_for_all():
    body = sa.logdet(SURE) + sa.total(v[I] * sa.inverse(SURE)[I, J] * v[J], I, J)
    F = sa.define("F", (), body)
    T = sa.define("T", (I, A), sa.total(sa.inverse(SURE)[I, J] * Y[J, A], J))
    source = sa.compile([F, T]).source
    assert source.split("def compute")[1].count("cholesky(") == 1


def test_low_precision_is_computed_in_float32():
    f = sa.compile(sa.System(sa.define("F", *CASES["vector"][0](SURE))), output="F")
    given = {n: jnp.asarray(arrays()[n], jnp.bfloat16) for n in "Gv"}
    got = f(**given)
    assert got.dtype == jnp.bfloat16
    exact = np.linalg.solve(*(np.asarray(given[n], float) for n in "Gv"))
    np.testing.assert_allclose(np.asarray(got, float), exact, rtol=0.02, atol=1e-2)


def test_rows_beside_an_inverse():
    """Attention with a bilinear metric: the scores go in rows, the matrix does not."""
    n, m, d = sa.sizes("n m d")
    (i,), (j, l), (a, b) = sa.indices("i", n), sa.indices("j l", m), sa.indices("a b", d)
    Q, K_, G = sa.tensor("Q", n, d), sa.tensor("K", m, d), sa.tensor("G", d, d)
    S = sa.define("S", (i, j), sa.total(Q[i, a] * sa.inverse(G)[a, b] * K_[j, b], a, b))
    P = sa.define("P", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, l]), l))
    O = sa.define("O", (i, b), sa.total(P[i, j] * K_[j, b], j))
    from .test_rows import in_blocks

    f = sa.compile(sa.System(S, P, O), output="O")
    assert "by_rows(" in f.source.split("def compute")[1]
    rng = np.random.default_rng(0)
    own = {
        "Q": rng.normal(size=(11, 3)),
        "K": rng.normal(size=(7, 3)),
        "G": rng.normal(size=(3, 3)),
    }
    wanted = jax.nn.softmax(own["Q"] @ inv(own["G"]) @ own["K"].T, -1) @ own["K"]
    for way in (f, in_blocks(f, rows=2)):
        np.testing.assert_allclose(way(**own), wanted, rtol=1e-9)


def test_a_symmetric_matrix_is_solved_with_once():
    """e^{-|X_i - X_j|^2 / 2} + s δ_ij is its own transpose, with Y_j it is not."""
    s = sp.Symbol("s", positive=True)
    for other, times in ((X, 1), (Y, 2)):
        apart = sa.total((X[I, A] - other[J, A]) ** 2, A) / 2
        G = sa.define("G", (I, J), sp.exp(-apart) + s * sa.delta(I, J))
        u = sa.define("u", (I,), sa.total(sa.inverse(G)[I, J] * v[J], J))
        w = sa.define("w", (I,), sa.total(sa.inverse(G)[J, I] * v[J], J))
        f = sa.compile([u, w], given=sa.System(G))
        assert f.source.split("def compute")[1].count("solve(") == times
        rng = np.random.default_rng(2)
        given = {"X": rng.normal(size=(5, 3)), "v": rng.normal(size=5), "s": 0.7}
        given |= {"Y": rng.normal(size=(5, 3))} if other is Y else {}
        columns = given["X" if other is X else "Y"]
        far = ((given["X"][:, None] - columns) ** 2).sum(-1)
        g = np.exp(-far / 2) + 0.7 * np.eye(5)
        got = f(**given)
        np.testing.assert_allclose(got["u"], np.linalg.solve(g, given["v"]), rtol=1e-9)
        np.testing.assert_allclose(got["w"], np.linalg.solve(g.T, given["v"]), rtol=1e-9)


def test_what_is_solved_for_is_not_multiplied_before():
    """Σ R_ia R_ib P⁻¹_ab, where R is large in the direction in which P is: neither R R⊤ nor
    P⁻¹ + P⁻⊤ has the digits, and P is its transpose by its definition."""
    n, d = sa.sizes("n d")
    (i,), (a, b, c) = sa.indices("i", n), sa.indices("a b c", d)
    A, x, Y = sa.tensor("A", d, d), sa.tensor("x", n, d), sa.tensor("Y", n, d)
    P = sa.define("P", (a, b), sa.total(A[a, c] * A[b, c], c) + sa.delta(a, b))
    R = sa.define("R", (i, a), Y[i, a] - sa.total(A[a, b] * x[i, b], b))
    L = sa.define("L", (), sa.total(R[i, a] * sa.inverse(P)[a, b] * R[i, b], i, a, b))
    system = sa.System(P, R, L)
    f = sa.compile({"L": L, "bars": sa.backward(system, output="L", wrt=("A", "x"))}, given=system)
    rng = np.random.default_rng(0)
    given = {"A": 1000 + 0.01 * rng.normal(size=(3, 3))}
    given |= {"x": 1000 + rng.normal(size=(8, 3)), "Y": rng.normal(size=(8, 3))}
    low = {name: jnp.asarray(v, jnp.float32) for name, v in given.items()}
    found = f(**low)
    with jax.enable_x64(True):

        def formula(A, x):
            R = jnp.asarray(low["Y"], float) - x @ A.T
            return (R * jnp.linalg.solve(A @ A.T + jnp.eye(3), R.T).T).sum()

        at = [jnp.asarray(low[name], float) for name in "Ax"]
        value, slopes = jax.value_and_grad(formula, (0, 1))(*at)
    np.testing.assert_allclose(found["L"], value, rtol=1e-5)
    largest = np.abs(slopes[1]).max()
    np.testing.assert_allclose(found["bars"]["x"], slopes[1], rtol=1e-3, atol=1e-4 * largest)
