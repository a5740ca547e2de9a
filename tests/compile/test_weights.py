"""Gradients through weights that are rounded to 0 or 1: finite and right, as a law."""

from __future__ import annotations

from random import Random
from typing import Any

import jax
import mpmath
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.carriers import multiprecision
from symattn.compile import compile
from symattn.derive import backward, hvp, jvp
from symattn.evaluate import Evaluator
from symattn.model import Model
from symattn.primitives import sigmoid

n, m = sa.sizes("n m")
(i, k), (a, b, c) = sa.indices("i k", n), sa.indices("a b c", m)
Z, Y, X = sa.tensor("Z", n, m), sa.tensor("Y", n, m), sa.tensor("X", n, m)
M, V = sa.tensor("M", n, m, positive=True), sa.tensor("V", m, m)
SIZES = {"n": 2, "m": 3}
LOUD = {"Z", "X"}  # what is large


def normalised(name, weight):
    """Weights that add up to 1 along their second axis."""
    return sa.define(name, (i, a), weight(a) / sa.total(weight(b), b))


WEIGHTS = {
    "softmax": lambda: normalised("P", lambda x: sp.exp(Z[i, x])),
    "tempered": lambda: normalised("P", lambda x: sp.exp(Z[i, x] / 3 + X[i, x])),
    "weighted": lambda: normalised("P", lambda x: M[i, x] * sp.exp(Z[i, x])),
    "bracketed": lambda: normalised("P", lambda x: sp.exp(Z[i, x] - X[i, x])),
    "sigmoid": lambda: sa.define("P", (i, a), sigmoid(Z[i, a])),
    "written": lambda: sa.define("P", (i, a), 1 / (1 + sp.exp(-Z[i, a]))),
    "gate": lambda: sa.define("P", (i, a), sigmoid(Z[i, a]) * sigmoid(-X[i, a])),
}


def weights(draw: Random) -> list:
    """A weight, and sometimes a product with it or a normalised power of it."""
    first = WEIGHTS[draw.choice(list(WEIGHTS))]()
    match draw.randrange(4 if first.expr.has(sp.Sum) else 1):
        case 0:
            return [first, sa.define("R", (i, a), 3 * first[i, a] * M[i, a])]
        case 1:
            power = draw.choice([2, sp.Rational(1, 2)])
            over = sa.total(first[i, b] ** power, b)
            return [first, sa.define("R", (i, a), first[i, a] ** power / over)]
    return [first]


def losses(draw: Random, P, logistic: bool):
    """Something whose gradient by P is not a number, and whose gradient by Z is one."""
    p = P[i, a]
    chosen = [
        Y[i, a] * sp.log(p),
        Y[i, a] * p * sp.log(p),
        Y[i, a] * (1 - p) ** 2 * sp.log(p),
        sp.tanh(sp.log(p) / 1000) * Y[i, a],
        sp.sqrt(9 + sp.log(p) ** 2) * Y[i, a],
        Y[i, a] / (1 + p),
        Y[i, a] * sp.log(1 + p),
        Y[i, a] * sp.sqrt(1 + p**2),
        sa.total(p * V[a, b], a) ** 2,
    ]
    if logistic:
        chosen += [Y[i, a] * sp.log(1 - p), Y[i, a] * sp.log(p / (1 - p)), p * Y[i, a] / (2 - p)]
    return draw.choice(chosen)


def drawn(seed: int) -> tuple[sa.System, tuple[str, ...]]:
    draw = Random(seed)
    system = weights(draw)
    body = losses(
        draw, system[-1], system[-1].name == "P" and str(system[-1].expr).count("Sum") == 0
    )
    if draw.random() < 0.3:
        body = sp.log(sp.cosh(X[i, a])) * Y[i, a] - 2 * body
    letters = [x for x in (i, a, b) if x in body.atoms(sp.Idx) and not body.has(sp.Sum)]
    kept = draw.choice([(), (i,)])
    F = sa.define(
        "F",
        kept,
        sa.total(body, *(x for x in letters if x not in kept)) if letters else sa.total(body, i, b),
    )
    system = sa.System(*system, F)
    names = tuple(x for x in Model(system).inputs if x in ("Z", "X", "M", "Y"))
    return system, names


def exactly(system, g, arrays, digits):
    """The gradients by their formulas, with so many digits that nothing is lost."""
    with mpmath.workdps(digits):
        exact = {k: np.vectorize(mpmath.mpf, otypes=[object])(v) for k, v in arrays.items()}
        evaluator = Evaluator(exact, SIZES, multiprecision(), Model(system))
        for name, adjoint in g.adjoints.items():
            if name != g.output:
                evaluator.arrays[adjoint.name] = evaluator(adjoint.raw, adjoint.indices)
        value = evaluator.definition("F")
        found = {name: evaluator.arrays[g[name].name] for name in g}
        return {k: np.asarray(v).astype(float) for k, v in {**found, "F": value}.items()}


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("scale", [30, 300])
def test_gradients_through_weights(seed, scale):
    compare(*drawn(seed), seed, scale)


def compare(system: sa.System, wrt: tuple[str, ...], seed: int, scale: float) -> None:
    """Values and gradients in float32 against exact ones, with loud arrays of that scale."""
    rng = np.random.default_rng(seed)
    g = backward(system, output="F", wrt=wrt)
    f = compile({"F": system["F"], "g": g}, given=system, target="numpy")
    arrays = {}
    for name, t in Model(system).inputs.items():
        shape = [SIZES[str(s)] for s in t.shape]
        x = rng.normal(size=shape) * (scale if name in LOUD else 1)
        arrays[name] = (np.exp(x) if t.positive else x).astype("float32")
    arrays[g.upstream] = np.asarray(
        rng.normal(size=[SIZES[str(s)] for s in system["F"].shape]), "float32"
    )
    wanted = exactly(system, g, arrays, 40 + 12 * scale)
    with np.errstate(all="ignore"):
        got = f(**{name: arrays[name] for name in f.inputs})
    for name, value in {**got["g"], "F": got["F"]}.items():
        largest = np.abs(wanted[name]).max() + (1 if name == "F" else 0.1)
        np.testing.assert_allclose(value, wanted[name], atol=3e-4 * largest, rtol=0, err_msg=name)


def inline() -> dict[str, Any]:
    """Weights that no definition names."""
    p = sp.exp(Z[i, a]) / sa.total(sp.exp(Z[i, b]), b)

    def q(x):
        return 1 / (1 + sp.exp(-x))

    z, x = Z[i, a], X[i, a]
    return {
        "1 / (1 + P)": 1 / (1 + p),
        "log(1 + P)": sp.log(1 + p),
        "√(1 + P²)": sp.sqrt(1 + p**2),
        "log P": sp.log(p) * Y[i, a],
        "log σ": sp.log(sigmoid(z)) * Y[i, a],
        "log(1 − σ)": sp.log(1 - sigmoid(z)) * Y[i, a],
        "log-odds": sp.log(sigmoid(z) / (1 - sigmoid(z))),
        "cross-entropy of σ": Y[i, a] * sp.log(q(z)) + (1 - Y[i, a]) * sp.log(1 - q(z)),
        "log cosh": sp.log(sp.cosh(z)),
        "tanh by cosh": sp.sinh(z) / sp.cosh(z),
        "σ of σ": sp.log(sigmoid(x * sigmoid(z))),
        "softplus by log": sp.log(1 + sp.exp(z)) - z * sigmoid(z),
        "weighted": sa.total(M[i, b] * sp.exp(Z[i, b]) * V[b, a], b)
        / sa.total(M[i, b] * sp.exp(Z[i, b]), b),
    }


@pytest.mark.parametrize("scale", [30, 300])
@pytest.mark.parametrize("name", inline())
def test_weights_without_a_name(name, scale):
    F = sa.define("F", (i, a), inline()[name])
    compare(sa.System(F), tuple(x for x in Model(sa.System(F)).inputs if x in "ZX"), 0, scale)


@pytest.mark.parametrize("function", [sp.cosh, sigmoid, lambda x: sigmoid(x) * sigmoid(-x)])
def test_logarithms_of_definitions(function):
    c = sa.define("c", (i, a), function(Z[i, a]))
    system = sa.System(c, sa.define("F", (), sa.total(Y[i, a] * sp.log(c[i, a]), i, a)))
    compare(system, ("Z", "Y"), 1, 300)


MASKS = {
    "[M > 0]": lambda x: sa.iverson(M_[i, x] > 0),
    "[M >= 1]": lambda x: sa.iverson(M_[i, x] >= 1),
    "1 - [M <= 0]": lambda x: 1 - sa.iverson(M_[i, x] <= 0),
}
M_ = sa.tensor("M_", n, m)


@pytest.mark.parametrize("name", MASKS)
def test_what_a_mask_leaves_out_may_be_anything(name):
    """Scores that an array leaves out are larger by 10⁴; a row of none is 0, with gradient 0."""
    mask = MASKS[name]
    P = sa.define("P", (i, a), mask(a) * sp.exp(Z[i, a]) / sa.total(mask(b) * sp.exp(Z[i, b]), b))
    F = sa.define("F", (i, c), P[i, a] * V[a, c])
    system = sa.System(P, F)
    rng = np.random.default_rng(0)
    kept = np.array([[1, 0, 1, 1], [1, 1, 1, 1], [0, 1, 0, 1], [0] * 4])
    z, bar = rng.normal(size=kept.shape), rng.normal(size=kept.shape)
    values = {"Z": z, "V": rng.normal(size=(4, 4)), "M_": kept}
    values = {k: v.astype(np.float32) for k, v in values.items()}
    g = compile({"F": F, "bars": backward(system, output="F", wrt=("Z",))}, given=system)
    got = g(**values | {"Z": values["Z"] + np.float32(1e4) * (kept == 0)}, F_bar=bar)
    p = kept * np.exp(z)
    p /= np.maximum(p.sum(1, keepdims=True), 1e-30)
    slope = bar @ values["V"].T
    want = p * (slope - (p * slope).sum(1, keepdims=True))
    np.testing.assert_allclose(got["F"], p @ values["V"], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(got["bars"]["Z"], want, rtol=1e-4, atol=1e-6)


def test_one_weight_that_is_all_has_no_spread():
    """The second derivative of log Σ e^{⟨x, y⟩} is 0 where one exponential is all of the sum."""
    x, y = sa.tensor("x", n), sa.tensor("y", m, n)
    E = sa.define("E", (), sp.log(sa.total(sp.exp(sa.total(x[i] * y[a, i], i)), a)))
    f = compile(hvp(sa.System(E), of="E", wrt="x"))
    rng = np.random.default_rng(0)
    at = {"x": rng.normal(size=5), "y": 1e4 * rng.normal(size=(7, 5)), "x_dot": rng.normal(size=5)}
    got = f(**{k: v.astype(np.float32) for k, v in at.items()})
    np.testing.assert_array_equal(got, 0)
    at["y"] /= 1e4
    w = np.exp(at["y"] @ at["x"])
    w /= w.sum()
    around = at["y"] - w @ at["y"]
    np.testing.assert_allclose(f(**at), around.T @ (w * (around @ at["x_dot"])), rtol=1e-5)


def test_a_weight_that_is_zero_has_a_derivative():
    w = sa.tensor("w", m)
    system = sa.System(sa.define("E", (i,), sp.log(sa.total(w[a] * sp.exp(Z[i, a]), a))))
    z, weights = np.random.default_rng(0).normal(size=(2, 3)), np.array([0.0, 1, 2])
    want = (np.exp(z) / (np.exp(z) @ weights)[:, None]).sum(0)
    g = compile(backward(system, output="E", wrt=("w",)))
    np.testing.assert_allclose(g(Z=z, w=weights, E_bar=np.ones(2))["w"], want, rtol=1e-5)
    f = compile(system, output="E")
    np.testing.assert_allclose(jax.grad(lambda w: f(Z=z, w=w).sum())(weights), want, rtol=1e-5)


def normal_weights(scores: Any, weights: Any) -> np.ndarray:
    """w e^s / Σ w e^s in float64, of entries where w is not 0."""
    e = np.where(weights != 0, scores, -np.inf)
    e = weights * np.exp(e - e.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


W = sa.tensor("W", n, m)
BESIDE = {  # weights that leave a score out, and what they are
    "w": (lambda x: W[i, x], lambda w: w),
    "w²": (lambda x: W[i, x] ** 2, lambda w: w**2),
    "1 − w": (lambda x: 1 - W[i, x], lambda w: 1 - w),
    "w, [w ≥ −1]": (lambda x: W[i, x] * sa.iverson(W[i, x] >= -1), lambda w: w),
}
BY_NAME = {
    "at once": lambda w, x: [
        sa.define("P", (i, a), w(a) * sp.exp(x(a)) / sa.total(w(b) * sp.exp(x(b)), b))
    ],
    "a sum by name": lambda w, x: [
        N := sa.define("N", (i,), sa.total(w(b) * sp.exp(x(b)), b)),
        sa.define("P", (i, a), w(a) * sp.exp(x(a)) / N[i]),
    ],
    "exponentials by name": lambda w, x: [
        E := sa.define("E", (i, a), sp.exp(x(a))),
        N := sa.define("N", (i,), sa.total(w(b) * E[i, b], b)),
        sa.define("P", (i, a), w(a) * E[i, a] / N[i]),
    ],
    "by a logarithm": lambda w, x: [
        L := sa.define("L_", (i,), sp.log(sa.total(w(b) * sp.exp(x(b)), b))),
        sa.define("P", (i, a), w(a) * sp.exp(x(a)) * sp.exp(-L[i])),
    ],
}


@pytest.mark.parametrize("named", BY_NAME)
@pytest.mark.parametrize("beside", BESIDE)
def test_what_a_weight_leaves_out_may_be_anything(named, beside):
    """Scores whose weight is 0 are larger by 10⁴: value, gradient by the scores, product with the
    Hessian; and where they are not larger, the gradient by the weight that is 0."""
    target = "jax" if beside == "w" else "numpy"
    written, meant = BESIDE[beside]
    rows = BY_NAME[named](written, lambda x: Z[i, x])
    P = rows[-1]
    F = sa.define("F", (), sa.total(P[i, a] * V[a, c] * X[i, c], i, a, c))
    system = sa.System(*rows, F)
    wrt = ("Z", "W")
    what = {
        "F": F,
        "bars": backward(system, output="F", wrt=wrt),
        "H": hvp(system, of="F", wrt="Z"),
    }
    f = compile(what, given=system, target=target)
    rng = np.random.default_rng(1)
    kept = np.array([[1, 0, 1, 1], [1, 1, 1, 1], [0, 1, 0, 1]])
    w = rng.uniform(0.5, 2, size=kept.shape)
    w = 1 - w * kept if beside == "1 − w" else w * kept
    z, dot = 3 * rng.normal(size=(2, *kept.shape))
    v, x = rng.normal(size=(4, 4)), rng.normal(size=kept.shape)
    arrays = {"Z": z, "W": w, "V": v, "X": x, "Z_dot": dot, "F_bar": np.array(1.0)}
    far = arrays | {"Z": z + 1e4 * (kept == 0)}
    near, far = ({k: y.astype(np.float32) for k, y in at.items()} for at in (arrays, far))
    p, slope = normal_weights(z, meant(w)), x @ v.T
    mean = (p * slope).sum(1, keepdims=True)
    bar = p * (slope - mean)
    along = dot - (p * dot).sum(1, keepdims=True)
    second = p * along * (slope - mean) - p * (bar * dot).sum(1, keepdims=True)
    with np.errstate(all="ignore"):
        got, other = f(**far), f(**near)
    np.testing.assert_allclose(got["F"], (p * slope).sum(), rtol=1e-5)
    for at in (got, other):
        np.testing.assert_allclose(at["bars"]["Z"], bar, atol=1e-5)
        np.testing.assert_allclose(at["H"], second, atol=2e-5)
    step = 1e-6
    for place in [(0, 1), (2, 0)] if beside == "w" else []:
        moved = w.copy()
        moved[place] += step
        change = ((normal_weights(z, moved) - p) * slope).sum() / step
        np.testing.assert_allclose(other["bars"]["W"][place], change, rtol=1e-3)
    if target == "jax":
        value = compile(system, output="F")
        own = {k: near[k] for k in value.inputs}
        at = jax.grad(lambda w: value(**own | {"W": w}))(near["W"])
        np.testing.assert_allclose(at, other["bars"]["W"], rtol=1e-3, atol=1e-4)
        at = jax.grad(lambda z: value(**own | {"Z": z}))(far["Z"])
        np.testing.assert_allclose(at, bar, atol=1e-5)


def test_a_weight_may_be_negative():
    """Weights are no masks: Σ w e^z may be negative, and is no 1 then."""
    G = sa.define("G", (i,), sa.total(W[i, a] * sp.exp(Z[i, a]) * Y[i, a], a)
                  / sa.total(W[i, b] * sp.exp(Z[i, b]), b))  # fmt: skip
    z, y = np.random.default_rng(2).normal(size=(2, 2, 3))
    w = np.array([[-1.0, 0, -2], [1, -4, 0]])
    want = (w * np.exp(z) * y).sum(1) / (w * np.exp(z)).sum(1)
    got = compile(G, target="numpy")(Z=z + 500 * (w == 0), W=w, Y=y)
    np.testing.assert_allclose(got, want, rtol=1e-10)


MIXED = {  # Σ P R, which may be rounded to 0, with one name or with several
    "at once": lambda P, R: [sa.define("F", (i,), sp.log(sa.total(P[i, a] * R[i, a], a)))],
    "by name": lambda P, R: [
        M := sa.define("M_i", (i,), sa.total(P[i, a] * R[i, a], a)),
        sa.define("F", (i,), sp.log(M[i])),
    ],
}
OTHER = {
    "softmax": lambda: normalised("R", lambda x: sp.exp(X[i, x])),
    "density": lambda: sa.define("R", (i, a), sp.exp(-(X[i, a] ** 2) / 2)),
}


@pytest.mark.parametrize("other", OTHER)
@pytest.mark.parametrize("named", MIXED)
def test_likelihoods_of_mixtures(named, other):
    """log Σ P R where every product is rounded to 0, and its gradients."""
    P, R = WEIGHTS["softmax"](), OTHER[other]()
    compare(sa.System(P, R, *MIXED[named](P, R)), ("Z", "X"), 5, 100)


def log_softmax(x):
    return jax.nn.log_softmax(x, axis=1)


SECOND = {  # another weight, and its logarithm
    "softmax": (lambda: normalised("R", lambda x: sp.exp(X[i, x])), log_softmax),
    "sigmoid": (lambda: sa.define("R", (i, a), sigmoid(X[i, a])), jax.nn.log_sigmoid),
}


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("second", SECOND)
def test_logarithms_of_sums_of_weights(second, named):
    """log(P/2 + R/2) where both are rounded to 0, and P log(P / that), with two derivatives."""
    (P, R), log_r = (WEIGHTS["softmax"](), SECOND[second][0]()), SECOND[second][1]
    mixed = P[i, a] / 2 + R[i, a] / 2 if named else P.expr / 2 + R.expr / 2
    body = Y[i, a] * sp.log(mixed) + P[i, a] * (sp.log(P[i, a]) - sp.log(mixed))
    system = sa.System(P, R, sa.define("F", (), sa.total(body, i, a)))
    compare(system, ("Z", "X"), 3, 200)

    def plain(z, x, y):
        p = log_softmax(z)
        mixed = jax.numpy.logaddexp(p, log_r(x)) - np.log(2)
        return (y * mixed + np.exp(1) ** p * (p - mixed)).sum()

    rng = np.random.default_rng(4)
    z, x, y, dot = (s * rng.normal(size=(2, 3)) for s in (200, 200, 1, 1))
    own = {"Z": z, "X": x, "Y": y, "X_dot": dot}
    along = jax.jit(
        lambda *x: jax.jvp(lambda at: jax.grad(plain, 1)(x[0], at, x[2]), x[1:2], x[3:])[1]
    )
    want = along(z, x, y, dot)
    got = compile(hvp(system, of="F", wrt="X"))(**{k: np.float32(v) for k, v in own.items()})
    np.testing.assert_allclose(got, want, atol=1e-3)


@pytest.mark.parametrize("named", [True, False])
def test_roots_of_products_of_weights(named):
    """√(P σ), whose derivative would divide by what is rounded to 0."""
    P, R = WEIGHTS["softmax"](), SECOND["sigmoid"][0]()
    product = P[i, a] * R[i, a] if named else P.expr * R.expr
    F = sa.define("F", (), sa.total(Y[i, a] * sp.sqrt(product), i, a))
    compare(sa.System(P, R, F), ("Z", "X"), 3, 200)


def test_roots_of_weights():
    """√P / Σ √P, whose derivative has a weight that is 0 below a bar."""
    P = WEIGHTS["softmax"]()
    R = sa.define("R", (i, a), sp.sqrt(P[i, a]) / sa.total(sp.sqrt(P[i, b]), b))
    system = sa.System(P, R, sa.define("F", (i, c), sa.total(R[i, a] * V[a, c], a)))
    value, tangent = compile(system, output="F"), compile(jvp(system, output="F", wrt="Z")["F"])
    rng = np.random.default_rng(3)
    z, dot, v = 400 * rng.normal(size=(2, 3)), rng.normal(size=(2, 3)), rng.normal(size=(3, 3))
    e = np.exp((z - z.max(1, keepdims=True)) / 2)
    e /= e.sum(1, keepdims=True)
    want = e * (dot - (e * dot).sum(1, keepdims=True)) / 2 @ v
    got = tangent(Z=z, Z_dot=dot, V=v)
    np.testing.assert_allclose(got, want, atol=1e-6)
    same = jax.jvp(lambda z: value(Z=z, V=v), (np.float32(z),), (np.float32(dot),))[1]
    np.testing.assert_allclose(same, want, atol=1e-6)


def test_a_sum_without_its_own_term():
    """log Σ_{k ≠ i} e^{t⟨x_i, x_k⟩}: what is left out is the largest, in value and gradient."""
    X, t = sa.tensor("X", n, m), 100
    T = sa.define("T", (i, k), t * sa.total(X[i, a] * X[k, a], a))
    L = sa.define("L", (), sa.total(sp.log(sa.total((1 - sa.delta(i, k)) * sp.exp(T[i, k]), k)), i))
    system = sa.System(T, L)
    x = np.random.default_rng(0).normal(size=(5, 8))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    s = np.where(np.eye(5), -np.inf, t * x @ x.T)
    e = np.exp(s - s.max(1, keepdims=True))
    want = (s.max(1) + np.log(e.sum(1))).sum()
    p = e / e.sum(1, keepdims=True)
    f = compile(
        {"L": L, "bars": backward(system, output="L", wrt="X")}, given=system, target="numpy"
    )
    got = f(X=np.float32(x), L_bar=np.ones(()))
    np.testing.assert_allclose(got["L"], want, rtol=1e-6)
    np.testing.assert_allclose(got["bars"]["X"], t * (p + p.T) @ x, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("later", [lambda x, y: x <= y, lambda x, y: y >= x])
def test_masks_by_positions(later):
    """[p_k ≤ p_i]: the letters of a condition are told apart by their coefficients alone."""
    p, S = sa.tensor("p", n), sa.tensor("S", n, n)
    (l,) = sa.indices("l", n)
    E = sa.define("E", (i, k), sa.iverson(later(p[k], p[i])) * sp.exp(S[i, k])
                  / sa.total(sa.iverson(later(p[l], p[i])) * sp.exp(S[i, l]), l))  # fmt: skip
    s = np.random.default_rng(1).normal(size=(4, 4))
    at = np.array([2.0, 0, 3, 1])
    seen = at[None, :] <= at[:, None]
    e = np.where(seen, np.exp(s), 0)
    got = compile(E, target="numpy")(p=at, S=s + 1e4 * ~seen)
    np.testing.assert_allclose(got, e / e.sum(1, keepdims=True), rtol=1e-10)


@pytest.mark.parametrize("scale", [1.0, 200.0])
def test_weights_of_sums_of_exponentials(scale):
    """M (e^S + 1) / Σ M (e^S + 1), where a score that the mask leaves out is the largest."""
    B = sa.tensor("B", n, m)
    P0 = B[i, a] * (sp.exp(Z[i, a]) + 1)
    system = sa.System(
        sa.define("P", (i, a), P0 / sa.total(B[i, b] * (sp.exp(Z[i, b]) + 1), b)),
    )
    F = sa.define("F", (i,), sa.total(system["P"].tensor[i, a] * Y[i, a], a))
    system = sa.System(*system, F)
    f = compile(
        {"F": F, "g": backward(system, output="F", wrt=("Z", "Y"))}, given=system, target="numpy"
    )
    own = np.random.default_rng(8)
    shape = [SIZES[str(s)] for s in Model(system).inputs["Z"].shape]
    z, y = own.normal(size=shape) * scale, own.normal(size=shape)
    mask = np.ones(shape)
    mask[:, 1], z[:, 1] = 0, 3 * scale
    up = own.normal(size=shape[0])
    w = mask * (np.exp(z) + 1)
    p = w / w.sum(1, keepdims=True)
    slope = mask * np.exp(z) / w.sum(1, keepdims=True)
    right = {
        "Z": up[:, None] * slope * (y - (p * y).sum(1, keepdims=True)),
        "Y": up[:, None] * p,
    }
    given = {"Z": z, "Y": y, "B": mask, "F_bar": up}
    got = f(**{k: given[k].astype("float32") for k in f.inputs})
    np.testing.assert_allclose(got["F"], (p * y).sum(1), rtol=1e-4, atol=1e-5)
    for name, value in right.items():
        np.testing.assert_allclose(got["g"][name], value, rtol=1e-4, atol=1e-5)


def test_a_weight_that_another_array_picks():
    """log p, p = Σ_a P_a Y_a: where Y leaves out the largest weight, p is rounded to 0."""
    P = sa.define("P", (i, a), sp.exp(Z[i, a]) / sa.total(sp.exp(Z[i, b]), b))
    picked = sa.define("p", (i,), sa.total(P[i, a] * Y[i, a], a))
    for loss in (-sp.log(picked[i]), -sp.log(picked[i]) + 2 * (1 - picked[i])):
        system = sa.System(P, picked, sa.define("L", (), sa.total(loss, i)))
        f = compile(backward(system, output="L", wrt=("Z",)), target="numpy")
        z, y = np.array([[0, 3e3, 1e3]] * 2), np.eye(3)[:2]
        got = f(Z=z.astype("float32"), Y=y.astype("float32"), L_bar=np.float32(1))
        np.testing.assert_allclose(got["Z"], [[-1, 1, 0], [0, 0, 0]], atol=1e-6)


PICKED = {  # what is made of p = Σ_a P_a Y_a, and of r = Σ_a R_a Y_a
    "log p": lambda p, r: sp.log(p),
    "√p": lambda p, r: sp.sqrt(p),
    "p r": lambda p, r: sp.log(p * r) - sp.log(p) / 2,
    "p / (p + r)": lambda p, r: p / (p + r),
    "log(p + r)": lambda p, r: sp.log(p + r),
}


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("made", PICKED)
def test_sums_of_weights_that_an_array_picks(made, named):
    """Softmax and σ against arrays, under logarithms, roots and in quotients, where both sums are
    rounded to 0."""
    P, R = WEIGHTS["softmax"](), sa.define("R", (i, a), sigmoid(X[i, a]))
    sums = [
        sa.define("p", (i,), sa.total(P[i, a] * Y[i, a], a)),
        sa.define("r", (i,), sa.total(R[i, b] * Y[i, b], b)),
    ]
    p, r = (d[i] if named else d.expr for d in sums)
    F = sa.define("F", (), sa.total(PICKED[made](p, r), i))
    z, x = np.array([[0, 400, 200], [1, 2, 3]]), np.array([[-300, -310, 5], [1, -400, -400]])
    y = np.array([[1, 0, 1], [1, 2, 0.5]])
    system = sa.System(P, R, *(sums if named else []), F)
    wrt = ("Z", "X") if made not in ("log p", "√p") else ("Z",)
    near(system, wrt, {"Z": z, "X": x, "Y": y})


@pytest.mark.parametrize("named", [True, False])
def test_a_mixture_with_a_density_that_is_0(named):
    """log(π + (1 − π) e^{−λ}), λ = e^u, where λ is all of what the normal form takes out."""
    z, u = sa.tensor("z", m), sa.tensor("u", m)
    rows = [sa.define("p", (a,), 1 / (1 + sp.exp(-z[a]))), sa.define("lam", (a,), sp.exp(u[a]))]
    p, lam = (d[a] if named else d.expr for d in rows)
    F = sa.define("F", (), sa.total(sp.log(p + (1 - p) * sp.exp(-lam)), a))
    system = sa.System(*(rows if named else []), F)
    for at in ([-30.0, 3, -2], [7.0, -3, 6]), ([20, -300, 0.5], [5.0, 3, 1]):
        near(system, ("z", "u"), dict(zip("zu", map(np.array, at), strict=True)))


def near(system: sa.System, wrt: tuple[str, ...], arrays: dict[str, Any]) -> None:
    """F and its gradients in float32 are those of numbers with any exponent."""
    g = backward(system, output="F", wrt=wrt)
    f = compile({"F": system["F"], "g": g}, given=system, target="numpy")
    arrays = {k: np.asarray(v, "float32") for k, v in (arrays | {g.upstream: 1}).items()}
    wanted = exactly(system, g, arrays, 1000)
    with np.errstate(all="ignore"):
        got = f(**{k: arrays[k] for k in f.inputs})
    for name, value in {**got["g"], "F": got["F"]}.items():
        largest = np.abs(wanted[name]).max() + 0.1
        np.testing.assert_allclose(value, wanted[name], atol=1e-5 * largest, rtol=0, err_msg=name)


def test_means_over_an_axis_of_length_0():
    mu = sa.define("mu", (a,), sa.total(Z[i, a], i) / n)
    C = sa.define("C", (a, b), sa.total((Z[i, a] - mu[a]) * (Z[i, b] - mu[b]), i) / n)
    system = sa.System(mu, C, sa.define("L", (), sa.total(C[a, b] ** 2, a, b)))
    f = compile(backward(system, output="L", wrt=("Z",)))
    assert f(Z=np.zeros((0, 3)), L_bar=1.0)["Z"].shape == (0, 3)


@pytest.mark.parametrize("scale", [1, 4])
def test_a_condition_may_have_any_positive_factor(scale):
    """[(x_i − y_a)² ≤ 1/4]: a sum has it without fractions, 4 (x_i − y_a)² ≤ 1, and it is one mask;
    the opposite condition is another one."""
    x, y = sa.tensor("x", n), sa.tensor("y", m)

    def weight(letter):
        near = scale * (x[i] - y[letter]) ** 2 <= sp.Rational(scale, 4)
        return sa.iverson(near) * sp.exp(Z[i, letter])

    P = normalised("P", weight)
    far = sa.define(
        "F", (i, a), sa.iverson((x[i] - y[a]) ** 2 >= sp.Rational(1, 4)) * sp.exp(Z[i, a] / 1000)
    )
    f = compile({"P": P, "F": far}, given=sa.System(P, far), target="numpy")
    at, to = np.array([0.0, 3.0]), np.array([0.1, 2.8, 9.0])
    seen = (at[:, None] - to) ** 2 <= 0.25
    z = np.array([[1.0, 800.0, 900.0], [900.0, 2.0, 700.0]])
    got = f(x=at, y=to, Z=z)
    np.testing.assert_allclose(got["P"], seen, rtol=1e-12)  # one key is left of a row
    np.testing.assert_allclose(got["F"], np.where(seen, 0, np.exp(z / 1000)), rtol=1e-12)
    none = f(x=at + 50, y=to, Z=z)["P"]
    np.testing.assert_array_equal(none, np.zeros((2, 3)))
