"""Differences that were multiplied out are taken around a mean, and nothing else is."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import symattn as sa

pytestmark = pytest.mark.usefixtures("usual_emitters")  # it is about digits

N, M, D = sa.sizes("n m d")
(I, K), (J, L), (A, B) = sa.indices("i k", N), sa.indices("j l", M), sa.indices("a b", D)
X, Y, W = sa.tensor("X", N, D), sa.tensor("Y", M, D), sa.tensor("W", M, D)
LOGIT = sa.tensor("w", M)
SHAPES = {"X": (33, 17), "Y": (21, 17), "W": (21, 17), "w": (21,)}
FAR = 100.0  # standard deviations from 0


def squared(x, y):
    return sa.total((x - y) ** 2, A)


def distances(x, y):
    return ((x[:, None] - y[None]) ** 2).sum(-1)


def normalised(q):
    return q / q.sum(-1, keepdims=True)


def mixture():
    exponent = LOGIT[J] - squared(X[I, A], Y[J, A]) / 2
    F = sa.define("F", (I,), sp.log(sa.total(sp.exp(exponent), J)))
    return (F,), lambda X, Y, w: jax.nn.logsumexp(w - distances(X, Y) / 2, axis=-1)


def similarity():
    q = sa.define("q", (I, J), 1 / (1 + squared(X[I, A], Y[J, A])))
    F = sa.define("F", (I, J), q[I, J] / sa.total(q[I, L], L))
    return (q, F), lambda X, Y: normalised(1 / (1 + distances(X, Y)))


def kernel_mean():
    """The values are not centred: the result moves with them."""
    E = sa.define("E", (I, J), sp.exp(-squared(X[I, A], Y[J, A]) / 2))
    F = sa.define("F", (I, B), sa.total(E[I, J] * W[J, B], J) / sa.total(E[I, L], L))
    return (E, F), lambda X, Y, W: jax.nn.softmax(-distances(X, Y) / 2, axis=-1) @ W


CASES = {
    "distances": lambda: (
        (sa.define("F", (I, J), squared(X[I, A], Y[J, A])),),
        lambda X, Y: distances(X, Y),
    ),
    "kernel": lambda: (
        (sa.define("F", (I, J), sp.exp(-squared(X[I, A], Y[J, A]) / 2)),),
        lambda X, Y: jnp.exp(-distances(X, Y) / 2),
    ),
    "one array": lambda: (
        (sa.define("F", (I, K), squared(X[I, A], X[K, A])),),
        lambda X: distances(X, X),
    ),
    "mixture": mixture,
    "similarity": similarity,
    "kernel mean": kernel_mean,
}


@pytest.mark.parametrize("name", CASES)
def test_digits_that_arrays_have_in_common_are_not_lost(name):
    definitions, textbook = CASES[name]()
    system = sa.System(*definitions)
    wrt = tuple(n for n in textbook.__code__.co_varnames if n in SHAPES)
    g = sa.backward(system, output="F", wrt=wrt)
    f = sa.compile({"F": system["F"], "g": g}, given=system)
    rng = np.random.default_rng(1)
    given = {n: rng.normal(size=SHAPES[n]) + FAR * (n in "XY") for n in wrt}
    given = {n: x.astype("float32") for n, x in given.items()}

    @jax.jit
    def results(arrays, up):
        value, back = jax.vjp(lambda own: textbook(**own), arrays)
        return [value, *(back(up)[0][n] for n in wrt)]

    up = rng.normal(size=jax.eval_shape(lambda own: textbook(**own), given).shape)
    up = up.astype("float32")
    with jax.enable_x64(True):
        double = {n: jnp.asarray(x, "float64") for n, x in given.items()}
        exact = [np.asarray(x) for x in results(double, jnp.asarray(up, "float64"))]
    got = f(**given, F_bar=up)
    ours = [got["F"], *(got["g"][n] for n in wrt)]
    for own, theirs, value in zip(ours, results(given, up), exact, strict=True):
        scale = np.linalg.norm(value)
        error = np.linalg.norm(np.asarray(own, "float64") - value) / scale
        allowed = np.linalg.norm(np.asarray(theirs, "float64") - value) / scale
        assert error <= 4 * allowed + 1e-7


NOT_DIFFERENCES = {
    "a sum": squared(X[I, A], -Y[J, A]),
    "twice": squared(X[I, A], 2 * Y[J, A]),
    "scores": sa.total(X[I, A] * Y[J, A], A) ** 2,
    "rows": sa.total(X[I, A] ** 2, A) - sa.total(Y[J, A] ** 2, A),
}


@pytest.mark.parametrize("name", NOT_DIFFERENCES)
def test_what_is_no_difference_is_left(name):
    system = sa.System(sa.define("F", (I, J), NOT_DIFFERENCES[name]))
    assert "mean" not in sa.compile(sa.backward(system, output="F", wrt=("X", "Y"))).source


def test_softmax_of_scores_is_left():
    """Keys may be moved together, and nothing is gained by it."""
    S = sa.total(X[I, A] * Y[J, A], A)
    P = sp.exp(S) / sa.total(sp.exp(S.subs(J, L)), L)
    system = sa.System(sa.define("F", (I, B), sa.total(P * W[J, B], J)))
    for made in (system, sa.backward(system, output="F", wrt=("X", "Y", "W"))):
        f = sa.compile(made, output="F") if made is system else sa.compile(made)
        assert "mean" not in f.source


def test_an_array_without_other_axes_is_the_centre():
    v = sa.tensor("v", D)
    system = sa.System(sa.define("F", (I,), squared(X[I, A], v[A])))
    f = sa.compile(sa.backward(system, output="F", wrt=("v",)))
    assert "mean" not in f.source
    assert "X - v" in f.source or "v - X" in f.source


def test_a_difference_needs_no_centre():
    """Where arrays are subtracted entry by entry, their means cancel."""
    U, w = sa.tensor("U", N, D), sa.tensor("w", D)
    s = sa.define("s", (I,), sa.total(w[A] * (X[I, A] - U[I, A]), A))
    f = sa.compile(sa.backward(sa.System(s), output="s", wrt=("w",)))
    assert "mean =" not in f.source and "U - X" in f.source


def test_what_is_known_stays_known():
    """q is an array already; moving what it is made of would compute it again."""
    definitions, _ = similarity()
    system = sa.System(*definitions)
    g = sa.backward(system, output="F", wrt=("X", "Y"))
    f = sa.compile({"F": system["F"], "g": g}, given=system)
    body = f.source[f.source.index("def compute") :]
    assert body.count("einsum(") + body.count("matmul(") == 2


@settings(deadline=None, max_examples=25)
@given(st.integers(-2, 2), st.integers(-2, 2).filter(bool), st.integers(-2, 2))
def test_quadratic_forms(p, q, r):
    """p x² + q x y + r y² has the derivative 2 p x + q y: a difference where q = −2 p."""
    form = p * X[I, A] ** 2 + q * X[I, A] * Y[J, A] + r * Y[J, A] ** 2
    system = sa.System(sa.define("F", (I, J), sa.total(form, A)))
    f = sa.compile(sa.backward(system, output="F", wrt=("X",)))
    assert ("Y_mean" in f.source) == (q == -2 * p)
    rng = np.random.default_rng(0)
    x, y, up = (rng.normal(size=s).astype("float32") for s in ((3, 4), (5, 4), (3, 5)))
    given = {"X": x, "Y": y, "F_bar": up}
    got = f(**{n: given[n] for n in f.inputs})["X"]
    wanted = 2 * p * x * up.sum(1, keepdims=True) + q * up @ y
    np.testing.assert_allclose(got, wanted, atol=1e-4)
