"""Derivatives through inverses, solutions and determinants by accumulation, beside JAX's."""

from __future__ import annotations

import importlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn as sa

from .test_inverse import CASES, SURE, I, J, X, arrays

pytestmark = pytest.mark.usefixtures("double_precision")
inv = jnp.linalg.inv


@pytest.fixture
def accumulated(monkeypatch):
    """Every derivative goes through the definitions as they are written."""
    programs = importlib.import_module("symattn.compile.program")
    monkeypatch.setattr(programs, "_cheaper", lambda one, other: True)


def matrix(X, v):
    """What is asked for stands for G: no symmetric one."""
    return X @ X.T + 4 * jnp.eye(len(v)) + v[:, None] * v**2


def defined(name):
    """A case of inverses with a definition of X and v in place of its matrix."""
    v = sa.tensor("v", X.shape[0])
    (a,) = sa.indices("a", X.shape[1])
    G = sa.define(
        "H", (I, J), sa.total(X[I, a] * X[J, a], a) + 4 * sa.delta(I, J) + v[I] * v[J] ** 2
    )
    indices, value = CASES[name][0](G)
    return sa.System(G, sa.define("F", indices, value))


SCALARS = ("form", "trace")


@pytest.mark.parametrize(
    ("name", "kind"),
    [(n, k) for n in CASES for k in ("vjp", "jvp")] + [(n, "hvp") for n in SCALARS],
)
def test_through_a_definition(name, kind, accumulated):
    system, case = defined(name), CASES[name][1]
    own = arrays(3)
    rng = np.random.default_rng(4)
    names = case.__code__.co_varnames[1 : case.__code__.co_argcount]

    def textbook(X, v):
        given = {"X": X, "v": v, "Y": own["Y"]}
        return case(matrix(X, v), *(given[n] for n in names))

    at, dots = (own["X"], own["v"]), (rng.normal(size=(5, 3)), rng.normal(size=5))
    bar = rng.normal(size=textbook(*at).shape)
    if kind == "vjp":
        f = sa.compile(sa.backward(system, output="F", wrt=("X", "v")))
        got = f(**_fits(f, own | {"F_bar": bar}))
        want = dict(zip("Xv", jax.vjp(textbook, *at)[1](bar), strict=True))
    elif kind == "jvp":
        f = sa.compile(sa.jvp(system, output="F", wrt=("X", "v"))["F"])
        got = {"F": f(**_fits(f, own | {"X_dot": dots[0], "v_dot": dots[1]}))}
        want = {"F": jax.jvp(textbook, at, dots)[1]}
    else:
        f = sa.compile(sa.hvp(system, of="F", wrt="X"))
        got = {"X": f(**_fits(f, own | {"X_dot": dots[0]}))}
        slope = jax.grad(lambda X: textbook(X, own["v"]))
        want = {"X": jax.jvp(slope, at[:1], dots[:1])[1]}
    assert "accumulate" in f.passes
    for x in want:
        scale = abs(want[x]).max()
        np.testing.assert_allclose(got[x], want[x], rtol=1e-9, atol=1e-11 * scale, err_msg=f"{x}")


def _fits(f, arrays):
    return {n: x for n, x in arrays.items() if n in f.inputs}


def test_beside_a_definite_matrix(accumulated):
    """Its factor is computed once and not differentiated."""
    system = sa.System(sa.define("F", *CASES["form"][0](SURE)))
    f = sa.compile(sa.backward(system, output="F", wrt=("v",)))
    own = arrays(6)
    got = f(v=own["v"], G=own["G"], F_bar=np.array(2.0))["v"]
    assert f.source.count("= cholesky(G)") == 1
    np.testing.assert_allclose(got, 4 * np.linalg.solve(own["G"], own["v"]), rtol=1e-10)


def test_in_a_batch(accumulated):
    (a,) = sa.indices("a", X.shape[1])
    v = sa.tensor("v", X.shape[0])
    G = sa.define("H", (I, J), sa.total(X[I, a] * X[J, a], a) + 9 * sa.delta(I, J))
    L = sa.define("L", (), sa.total(v[I] * sa.inverse(G)[I, J] * v[J], I, J) + sa.logdet(G))
    f = sa.compile(sa.backward(sa.System(G, L), output="L", wrt=("X", "v")), batch=("z",))

    def textbook(X, v):
        H = X @ X.T + 9 * jnp.eye(5)
        return v @ inv(H) @ v + jnp.linalg.slogdet(H)[1]

    own = arrays(5, batch=(2,))
    got = f(X=own["X"], v=own["v"], L_bar=np.array(1.5))
    for z in range(2):
        want = jax.grad(textbook, (0, 1))(own["X"][z], own["v"][z])
        for name, w in zip("Xv", want, strict=True):
            np.testing.assert_allclose(got[name][z], 1.5 * w, rtol=1e-9, atol=1e-12)


def test_second_derivatives_of_a_process_keep_differences():
    """Kernels of large scales: formulas multiply (x − y)² out, and what is left are no digits."""
    n, d = sa.sizes("n d")
    (i, j), (a,) = sa.indices("i j", n), sa.indices("a", d)
    Z, y, s = sa.tensor("Z", n, d), sa.tensor("y", n), sa.tensor("s", d, positive=True)
    squares = sa.total((Z[i, a] - Z[j, a]) ** 2 * s[a], a)
    G = sa.define("G", (i, j), sp.exp(-squares / 2) + sa.delta(i, j))
    form = sa.total(y[i] * sa.inverse(G)[i, j] * y[j], i, j)
    system = sa.System(G, sa.define("L", (), form + sa.logdet(G)))
    f = sa.compile(sa.hvp(system, of="L", wrt="s"))
    rng = np.random.default_rng(0)
    own = {"Z": rng.normal(size=(6, 2)), "y": rng.normal(size=6), "s": np.array([30.0, 50.0])}

    def textbook(s):
        D = ((own["Z"][:, None] - own["Z"]) ** 2 * s).sum(-1)
        H = jnp.exp(-D / 2) + jnp.eye(6)
        return own["y"] @ inv(H) @ own["y"] + jnp.linalg.slogdet(H)[1]

    dot = np.array([1.0, -2.0])
    want = jax.jvp(jax.grad(textbook), (own["s"],), (dot,))[1]
    np.testing.assert_allclose(f(**own, s_dot=dot), want, rtol=1e-9)
    assert f.source.count("\n") < 700
