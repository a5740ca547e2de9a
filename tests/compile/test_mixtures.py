"""Quotients, logarithms and roots of sums of weights that are all rounded to 0, as a law: whatever
the weights are and whichever of them have a name, values and gradients are those of logarithms."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn import normalize as nf
from symattn.compile import compile
from symattn.compile.logistic import complemented
from symattn.derive import backward
from symattn.ir import ONE, Call, Ref, Tensor, raw_atom
from symattn.primitives import sigmoid, softplus

n, m = sa.sizes("n m")
i, k = sa.indices("i k", n)
a, b = sa.indices("a b", m)
Z, T = sa.tensor("Z", n, m), sa.tensor("T", n, m)
Y = sa.tensor("Y", n, m, positive=True)


def soft(x):
    return lambda u: sp.exp(x(u[i, a])) / sa.total(sp.exp(x(u[i, b])), b)


WEIGHTS = {
    "logistic": (lambda u: sigmoid(u[i, a]), jax.nn.log_sigmoid),
    "tanh": (lambda u: (1 + sp.tanh(u[i, a])) / 2, lambda x: jax.nn.log_sigmoid(2 * x)),
    "softmax": (soft(lambda x: x), jax.nn.log_softmax),
    "of softplus": (soft(softplus), lambda x: jax.nn.log_softmax(jax.nn.softplus(x))),
    "normed": (
        lambda u: sp.exp(u[i, a]) / sp.sqrt(sa.total(sp.exp(2 * u[i, b]), b)),
        lambda x: x - jax.nn.logsumexp(2 * x, axis=1, keepdims=True) / 2,
    ),
}
USES = {  # of p, r and p + r, and the same by logarithms
    "quotient": (lambda p, r, s: p / s, lambda x, y: jax.nn.sigmoid(x - y)),
    "log": (lambda p, r, s: sp.log(s / 2), lambda x, y: jnp.logaddexp(x, y) - jnp.log(2)),
    "entropy": (
        lambda p, r, s: p / s * sp.log(p / s),
        lambda x, y: jax.nn.sigmoid(x - y) * jax.nn.log_sigmoid(x - y),
    ),
    "harmonic": (lambda p, r, s: p * r / s, lambda x, y: jnp.exp(y) * jax.nn.sigmoid(x - y)),
}
PAIRS = [*product(WEIGHTS, USES)]


@pytest.mark.parametrize("k", range(len(PAIRS)), ids=[" ".join(pair) for pair in PAIRS])
@pytest.mark.parametrize("scale", [2, 300])
def test_mixtures(k, scale):
    first, use = PAIRS[k]
    other = [*WEIGHTS][(k // len(USES) + k + 1) % len(WEIGHTS)]
    (left, log_left), (right, log_right) = WEIGHTS[first], WEIGHTS[other]
    rows = []

    def named(name, value):
        if (k + len(name)) % 2 == 0:
            return value
        rows.append(sa.define(name, (i, a), value))
        return rows[-1][i, a]

    p, r = named("P", left(Z)), named("PR", right(T))
    s = named("PRS" if use == "log" else "P_s", p + r)
    rows.append(sa.define("L", (), sa.total(Y[i, a] * USES[use][0](p, r, s), i, a)))
    system = sa.System(*rows)
    what = {"L": system["L"], "bars": backward(system, output="L", wrt=("Z", "T"))}
    f = compile(what, given=system, target="numpy")
    check(f, lambda z, t: USES[use][1](log_left(z), log_right(t)), scale)


LOG = jax.nn.log_sigmoid
POLYNOMIALS = {  # in p = σ(Z) and r = σ(T), and their logarithms
    "one of two": (lambda p, r: 1 - p * r, lambda x, y: jnp.logaddexp(LOG(-x), LOG(x) + LOG(-y))),
    "not alone": (
        lambda p, r: 1 - p * (1 - r),
        lambda x, y: jnp.logaddexp(LOG(-x), LOG(x) + LOG(y)),
    ),
    "either": (
        lambda p, r: p + r - 2 * p * r,
        lambda x, y: jnp.logaddexp(LOG(x) + LOG(-y), LOG(-x) + LOG(y)),
    ),
    "the same": (
        lambda p, r: p * r + (1 - p) * (1 - r),
        lambda x, y: jnp.logaddexp(LOG(x) + LOG(y), LOG(-x) + LOG(-y)),
    ),
}


@pytest.mark.parametrize("name", POLYNOMIALS)
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("divides", [False, True])
def test_polynomials_in_several_logistic_weights(name, named, divides):
    value, log = POLYNOMIALS[name]
    rows = []

    def held(name, value):
        rows.extend([sa.define(name, (i, a), value)] * named)
        return rows[-1][i, a] if named else value

    p, r = held("P", sigmoid(Z[i, a])), held("R", sigmoid(T[i, a]))
    whole = held("W", value(p, r))
    body = p * r / whole if divides else sp.log(whole)
    rows.append(sa.define("L", (), sa.total(Y[i, a] * body, i, a)))
    system = sa.System(*rows)
    what = {"L": system["L"], "bars": backward(system, output="L", wrt=("Z", "T"))}
    f = compile(what, given=system, target="numpy")

    def right(x, y):
        return jnp.exp(LOG(x) + LOG(y) - log(x, y)) if divides else log(x, y)

    check(f, right, 30)


def check(f, formula, scale):
    rng = np.random.default_rng(7)
    z, t = np.round(scale * rng.normal(size=(2, 3, 4)))
    y = 1.0 + np.round(4 * rng.random((3, 4)))
    low = {x: v.astype(np.float32) for x, v in {"Z": z, "T": t, "Y": y}.items()}
    with np.errstate(all="ignore"):
        found = f(**low, L_bar=np.float32(1))
    with jax.enable_x64(True):
        value, slopes = jax.value_and_grad(lambda z, t: (y * formula(z, t)).sum(), (0, 1))(z, t)
        want = {"L": value, "Z": slopes[0], "T": slopes[1]}
    have = {"L": found["L"], **found["bars"]}
    for x, right in want.items():
        right = np.asarray(right)
        near = 1e-4 * np.abs(right).max() + 2e-6  # the rounding of what cancels
        np.testing.assert_allclose(have[x], right, rtol=1e-3, atol=near, err_msg=x)


def test_a_root_of_two_weights_with_names():
    rows = [sa.define(x, (i, a), WEIGHTS["softmax"][0](u)) for x, u in {"P": Z, "R": T}.items()]
    root = sp.sqrt(rows[0][i, a] + rows[1][i, a])
    system = sa.System(*rows, sa.define("L", (), sa.total(Y[i, a] * root, i, a)))
    what = {"L": system["L"], "bars": backward(system, output="L", wrt=("Z", "T"))}
    log = WEIGHTS["softmax"][1]
    f = compile(what, given=system, target="numpy")
    check(f, lambda z, t: jnp.exp(jnp.logaddexp(log(z), log(t)) / 2), 300)


@pytest.mark.parametrize("named", [False, True])
def test_a_root_of_a_weight_keeps_what_it_leaves(named):
    root = sp.sqrt(Y[i, a] * sigmoid(Z[i, a]))
    rows = [sa.define("P", (i, a), root)] if named else []
    p = rows[0][i, a] if named else root
    system = sa.System(*rows, sa.define("L", (), sa.total(p, i, a)))
    f = compile(backward(system, output="L", wrt=("Z",)), given=system, target="numpy")
    z = np.array([[-300, -5, 12, 15, 300]], np.float32)
    y = np.array([[2, 3, 5, 4, 1]], np.float32)
    found = f(Y=y, Z=z, L_bar=np.float32(1))["Z"]
    right = np.sqrt(y / (1 + np.exp(-z.astype(float)))) / (1 + np.exp(z.astype(float))) / 2
    np.testing.assert_allclose(found, right, rtol=1e-5, atol=1e-30)


@pytest.mark.parametrize("c, positive", [(2, False), (1, True), (Fraction(1, 2), False)])
def test_what_several_weights_leave(c, positive):
    """1 − σ(x) σ(y) is made of products of weights; ½ − σ(x) σ(y) is negative at times, and
    2 − σ(x) σ(y) is nowhere small."""
    weights = [raw_atom(Call("sigmoid", (raw_atom(Ref(Tensor(x, ()), ())),))) for x in "xy"]
    whole = nf.subtract(nf.scale(ONE, c), nf.multiply(*weights))
    made = complemented(whole)
    assert all(k > 0 for _, k in made) == positive
    assert (made is whole) != positive


@pytest.mark.parametrize("scale", [1, 500])
def test_what_two_weights_have_in_common(scale):
    """P R / Σ P R of two softmaxes by name: what it divides by is 0 where they are far apart, and
    ∂L/∂P is no number there though ∂L/∂x is."""
    (n, m) = sa.sizes("n m")
    (i,), (j, l) = sa.indices("i", n), sa.indices("j l", m)
    X, Z, Y = (sa.tensor(name, n, m) for name in "XZY")
    P = sa.define("P", (i, j), sp.exp(X[i, j]) / sa.total(sp.exp(X[i, l]), l))
    R = sa.define("R", (i, j), sp.exp(Z[i, j]) / sa.total(sp.exp(Z[i, l]), l))
    both = P[i, j] * R[i, j] / sa.total(P[i, l] * R[i, l], l)
    system = sa.System(P, R, sa.define("L", (), sa.total(Y[i, j] * both, i, j)))
    g = backward(system, output="L", wrt=("X", "Z"))
    f = compile({"L": system["L"], "g": g}, given=system, target="numpy")
    rng = np.random.default_rng(6)
    x, z, y = (rng.normal(size=(3, 4)) * s for s in (scale, scale, 1))
    w = np.exp(x + z - np.logaddexp.reduce(x + z, 1, keepdims=True))
    with np.errstate(under="ignore"):
        got = f(X=x, Z=z, Y=y, L_bar=1.0)
    want = w * (y - (w * y).sum(1, keepdims=True))
    np.testing.assert_allclose(got["L"], (y * w).sum(), rtol=1e-10)
    for name in "XZ":
        np.testing.assert_allclose(got["g"][name], want, rtol=1e-9, atol=1e-12)


def test_an_exponent_with_an_exponential_is_one_array():
    """Its largest value is that of the array that is exponentiated, as far as numbers go."""
    (i,), (j,) = sa.indices("i", n), sa.indices("j", m)
    x, c, s = sa.tensor("x", n), sa.tensor("c", m), sa.tensor("s", m)
    E = sa.define("E", (i, j), -((x[i] - c[j]) ** 2) * sp.exp(-s[j]))
    L = sa.define("L", (), sa.total(sp.log(sa.total(sp.exp(E[i, j]), j)), i))
    f = compile(sa.System(E, L), output="L")
    x, c, s = np.array([0.5, 0.25]), np.array([0.375, 0.75, 1]), np.array([-100, -101, -99])
    assert -np.inf < f(x=np.float32(x), c=np.float32(c), s=np.float32(s)) < -1e33
