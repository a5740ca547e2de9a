"""What is rounded to 0 or to 1 under logarithms and roots, and exponentials of exponentials."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward, hvp
from symattn.primitives import sigmoid

pytestmark = pytest.mark.usefixtures("usual_emitters")  # it is about digits

(n,) = sa.sizes("n")
i, k = sa.indices("i k", n)
x, w = sa.tensor("x", n), sa.tensor("w", n)
FAR = np.array([-1e4, -60.0, 0.7, 50.0, 1e4], np.float32)
WEIGHT = np.array([0.5, -1.0, 2.0, 1.5, 3.0], np.float32)


def with_slope(function, named, over):
    """Σ w over(f(x)) and its gradient by x, f a definition or an expression as it stands."""
    D = sa.define("D", (i,), function)
    if named:
        system = sa.System(D, sa.define("L", (), sa.total(w[i] * over(D[i]), i)))
    else:
        system = sa.System(sa.define("L", (), sa.total(w[i] * over(function), i)))
    what = {"L": system["L"], "g": backward(system, output="L", wrt=("x",))}
    f = compile(what, given=system, target="numpy")
    with np.errstate(over="ignore", under="ignore"):
        made = f(x=FAR, w=WEIGHT, L_bar=np.float32(1))
    return made["L"], made["g"]["x"]


def logistic(x):
    return np.exp(-np.logaddexp(0, -np.float64(x)))


LOGISTIC = {  # c, s in c σ(s x)
    "1 - sigmoid": (1 - sigmoid(x[i]), 1, -1),
    "(1 + tanh)/2": ((1 + sp.tanh(x[i])) / 2, 1, 2),
    "1 - tanh": (1 - sp.tanh(x[i]), 2, -2),
}


@pytest.mark.parametrize("name", LOGISTIC)
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("over", [sp.log, sp.sqrt, lambda y: sp.log(sp.sqrt(y))])
def test_a_complement(name, named, over):
    function, c, s = LOGISTIC[name]
    value, slope = with_slope(function, named, over=over)
    log, change = np.log(c) - np.logaddexp(0, -s * np.float64(FAR)), s * logistic(-s * FAR)
    if over is sp.sqrt:
        want, steep = np.exp(log / 2), np.exp(log / 2) * change / 2
    else:
        half = 1 if over is sp.log else 0.5
        want, steep = half * log, half * change
    np.testing.assert_allclose(value, WEIGHT @ want, rtol=1e-5)
    np.testing.assert_allclose(slope, WEIGHT * steep, rtol=2e-5, atol=1e-9)


def test_a_product_of_complements():
    """1 − tanh² is 4 σ(2x) σ(−2x)."""
    value, slope = with_slope(1 - sp.tanh(x[i]) ** 2, True, over=sp.log)
    far = np.float64(FAR)
    log = np.log(4) - np.logaddexp(0, 2 * far) - np.logaddexp(0, -2 * far)
    np.testing.assert_allclose(value, WEIGHT @ log, rtol=1e-5)
    np.testing.assert_allclose(slope, -2 * WEIGHT * np.tanh(far), rtol=1e-5)


@pytest.mark.parametrize("name", ["both", "inner", ""])
def test_an_exponential_of_an_exponential(name):
    """e^x e^{−e^x} is 0 where e^x overflows, and so is a Gumbel density with its slope."""
    E = sa.define("E", (i,), sp.exp(x[i]))
    inside = E[i] if name else sp.exp(x[i])
    D = sa.define("D", (i,), sp.exp(x[i] - inside))
    body = D[i] if name == "both" else D.expr
    L = sa.define("L", (), sa.total(w[i] * body, i))
    system = sa.System(*[E] * bool(name), *[D] * (name == "both"), L)
    f = compile(backward(system, output="L", wrt=("x",)), target="numpy")
    with np.errstate(over="ignore", under="ignore"):
        slope = f(x=FAR, w=WEIGHT, L_bar=np.float32(1))["x"]
    near = np.where(FAR < 40, FAR, 0)
    right = WEIGHT * (1 - np.exp(near)) * np.exp(near - np.exp(near))
    np.testing.assert_allclose(slope, np.where(FAR < 40, right, 0), rtol=1e-5, atol=1e-30)


(m,) = sa.sizes("m")
j, l = sa.indices("j l", m)
Z, T, C = (sa.tensor(name, n, m) for name in "ZTC")


def softmax(x):
    return sp.exp(x[i, j]) / sa.total(sp.exp(x[i, l]), l)


@pytest.mark.parametrize("named", ["p + r", "p, r", "p", "r", ""])
def test_parts_of_mixtures(named):
    """p / (p + r) is right where p and r are rounded to 0, and so are its derivatives; with nothing
    named, no sum of one letter becomes one of two."""
    P, R = sa.define("P", (i, j), softmax(Z)), sa.define("R", (i, j), softmax(T))
    M = sa.define("M", (i, j), (P[i, j] + R[i, j]) / 2)
    p = P[i, j] if "p" in named else P.expr
    r = R[i, j] if "r" in named else R.expr
    part = p / (2 * M[i, j]) if named == "p + r" else p / (p + r)
    L = sa.define("L", (), sa.total(C[i, j] * part, i, j))
    system = sa.System(*[P] * ("p" in named), *[R] * ("r" in named), *[M] * (named == "p + r"), L)
    what = {"L": L, "g": backward(system, output="L", wrt=("Z", "T"))}
    f = compile(what, given=system, target="numpy")
    assert sp.degree(f.cost.flops.subs(n, 1), m) == 1
    rng = np.random.default_rng(1)
    z, t, c = rng.normal(size=(3, 2, 4))
    z, t = 400 * z, 400 * z + t
    with np.errstate(under="ignore"):
        got = f(Z=z, T=t, C=c, L_bar=1.0)
    log = [x - np.logaddexp.reduce(x, 1, keepdims=True) for x in (z, t)]
    share = logistic(log[0] - log[1])
    bar = c * share * (1 - share)
    np.testing.assert_allclose(got["L"], (c * share).sum(), rtol=1e-9)
    for name, sign, own in (("Z", 1, log[0]), ("T", -1, log[1])):
        right = sign * (bar - np.exp(own) * bar.sum(1, keepdims=True))
        np.testing.assert_allclose(got["g"][name], right, atol=1e-9)


def test_a_square_that_steady_sums_take_apart_again():
    """The product with the Hessian of q/(q + r) is planned, whatever its squares are put into."""
    D = sa.define("D", (i, j), sp.exp(Z[i, j]) / (1 + sa.total(sp.exp(Z[i, l]), l)))
    F = sa.define("F", (i,), sp.log(sa.total(sp.exp(Z[i, l]), l)))
    q = D[i, j] / 2 + sigmoid(T[i, j]) / 2
    part = q / (q + sp.exp(Z[i, j] - F[i]))
    L = sa.define("L", (), sa.total(C[i, j] * part, i, j))
    f = compile(hvp(sa.System(D, F, L), of="L", wrt="T"), target="numpy")
    z, t, c, dot = np.random.default_rng(2).normal(size=(4, 2, 3))
    E = np.exp(z)
    d, r = E / (1 + E.sum(1, keepdims=True)) / 2, E / E.sum(1, keepdims=True)

    def slope(t):
        s = logistic(t)
        return c * r / (d + s / 2 + r) ** 2 * s * (1 - s) / 2

    right = (slope(t + 1e-5 * dot) - slope(t - 1e-5 * dot)) / 2e-5
    np.testing.assert_allclose(f(Z=z, T=t, C=c, T_dot=dot), right, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_a_logarithm_of_a_weight_keeps_its_digits_beside_others(offset):
    """(1 − p)² log p: z − max z − log Σ e^{z − max z} is one array in the gradient, too."""
    P = sa.define("P", (i, j), softmax(Z))
    L = sa.define("L", (), -sa.total(C[i, j] * (1 - P[i, j]) ** 2 * sp.log(P[i, j]), i, j))
    f = compile(backward(sa.System(P, L), output="L", wrt=("Z",)), target="numpy")
    rng = np.random.default_rng(3)
    z = np.float32(3 * rng.normal(size=(6, 5)) + offset)
    c = np.float32(rng.uniform(size=z.shape))
    log = np.float64(z) - np.logaddexp.reduce(np.float64(z), 1, keepdims=True)
    p = np.exp(log)
    bar = c * (2 * (1 - p) * p * log - (1 - p) ** 2)  # by log p
    np.testing.assert_allclose(
        f(Z=z, C=c, L_bar=np.float32(1))["Z"], bar - p * bar.sum(1, keepdims=True), atol=2e-6
    )


def in_turn(steps):
    """Weights that are normalised along one axis after the other, the last of which are A."""
    A = sa.define("A0", (i, j), softmax(Z))
    made = [A]
    for step in range(1, steps + 1):
        total = sa.total(A[k, j], k) if step % 2 else sa.total(A[i, l], l)
        A = sa.define(f"A{step}", (i, j), A[i, j] / total)
        made.append(A)
    return made, A


def log_in_turn(z, steps):
    for step in range(steps + 1):
        z = z - np.logaddexp.reduce(z, int(step % 2 == 0), keepdims=True)
    return z


@pytest.mark.parametrize("steps", [1, 2, 5])
@pytest.mark.parametrize("named", [True, False])
def test_weights_normalised_in_turn(steps, named):
    """All weights of a column may be rounded to 0, and so is their sum, which divides."""
    if named:
        made, A = in_turn(steps)
        weight = A[i, j]
    else:
        steps, made = 1, []
        weight = softmax(Z) / sa.total(softmax(Z).subs(i, k), k)
    L = sa.define("L", (), sa.total(C[i, j] * weight * T[i, j], i, j))
    M = sa.define("M", (), sa.total(C[i, j] * sp.log(weight), i, j))
    rng = np.random.default_rng(2)
    z, t, c = rng.normal(size=(3, 3, 4)) * np.array([400, 1, 1])[:, None, None]
    x, step = rng.normal(size=z.shape), 1e-5
    for loss, right in ((L, lambda z: (c * t * np.exp(log_in_turn(z, steps))).sum()),
                        (M, lambda z: (c * log_in_turn(z, steps)).sum())):  # fmt: skip
        system = sa.System(*made, loss)
        g = backward(system, output=loss.name, wrt=("Z",))
        f = compile({"value": loss, "bar": g}, given=system, target="numpy")
        with np.errstate(under="ignore"):
            given = {"Z": z, "T": t, "C": c, f"{loss.name}_bar": 1.0}
            got = f(**{name: given[name] for name in f.inputs})
        np.testing.assert_allclose(got["value"], right(z), rtol=1e-9)
        slope = (right(z + step * x) - right(z - step * x)) / (2 * step)
        np.testing.assert_allclose((got["bar"]["Z"] * x).sum(), slope, rtol=1e-6, atol=1e-8)


def test_weights_normalised_often():
    """The plan grows in proportion to how often they are, and so does its text."""
    lengths = []
    for steps in (6, 12):
        made, A = in_turn(steps)
        system = sa.System(*made, sa.define("L", (), sa.total(C[i, j] * sp.log(A[i, j]), i, j)))
        g = backward(system, output="L", wrt=("Z",))
        lengths.append(len(compile(g, target="numpy").source))
    assert lengths[1] < 2.3 * lengths[0]


@pytest.mark.parametrize("scale", [1, 60, 400])
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("beside", [0, 2])
def test_what_a_weight_beside_an_outside_option_leaves(scale, named, beside):
    """1 − e^{z_j} / (2 + Σ e^z) is right where it is rounded to 0, and so is its gradient."""
    inside = sp.exp(Z[i, j]) / (beside + sa.total(sp.exp(Z[i, l]), l))
    P = sa.define("P", (i, j), inside)
    weight = P[i, j] if named else inside
    L = sa.define("L", (), sa.total(C[i, j] * sp.log(1 - weight), i, j))
    system = sa.System(*[P] * named, L)
    f = compile(
        {"L": L, "g": backward(system, output="L", wrt=("Z",))}, given=system, target="numpy"
    )
    rng = np.random.default_rng(3)
    z, c = rng.normal(size=(2, 3, 4)) * np.array([scale, 1])[:, None, None]
    z[0, :2] = z[0].max() + 1  # two that are the largest
    own = np.full((3, 1), np.log(beside) if beside else -np.inf)
    every = np.logaddexp.reduce(np.hstack([z, own]), 1, keepdims=True)
    others = np.stack(
        [np.logaddexp.reduce(np.hstack([np.delete(z, j, 1), own]), 1) for j in range(4)], 1
    )
    with np.errstate(under="ignore"):
        got = f(Z=z, C=c, L_bar=1.0)
        rise = np.exp(np.where(np.eye(4), -np.inf, z[:, None, :] - others[:, :, None]))
        slope = np.einsum("ij,ijk->ik", c, rise) - c.sum(1, keepdims=True) * np.exp(z - every)
    np.testing.assert_allclose(got["L"], (c * (others - every)).sum(), rtol=1e-12)
    np.testing.assert_allclose(got["g"]["Z"], slope, rtol=1e-9, atol=1e-12)


def test_a_weight_with_a_score_in_parts_beside_an_outside_option():
    """e^{x_i + y_j} / (1 + Σ e^{x_i + y_l}): no plan is taken in which e^y has to be a number."""
    y = sa.tensor("y", m)
    score = lambda j: sp.exp(x[i] + y[j])  # noqa: E731
    P = sa.define("P", (i, j), score(j) / (1 + sa.total(score(l), l)))
    L = sa.define("L", (), sa.total(C[i, j] * P[i, j] ** 2 * sp.log(P[i, j]), i, j))
    system = sa.System(P, L)
    f = compile(backward(system, output="L", wrt=("x", "y")), target="numpy")
    rng = np.random.default_rng(4)
    a, b, c = 300 * rng.normal(size=3), 300 * rng.normal(size=4), rng.normal(size=(3, 4))
    a[0] = -b.max()  # where the score is as large as nothing
    with np.errstate(under="ignore"):
        got = f(x=a, y=b, C=c, L_bar=1.0)
        z = a[:, None] + b
        log = z - np.logaddexp(0, np.logaddexp.reduce(z, 1, keepdims=True))
        bar = c * (2 * log + 1) * np.exp(2 * log)
        slope = bar - np.exp(log) * bar.sum(1, keepdims=True)
    np.testing.assert_allclose(got["x"], slope.sum(1), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(got["y"], slope.sum(0), rtol=1e-9, atol=1e-12)


def test_the_logarithm_of_a_named_sum_with_an_exponential():
    """log(1 + e^x) is x where e^x overflows, also where 1 + e^x has a name."""
    value, slope = with_slope(1 + sp.exp(x[i]), True, over=sp.log)
    far = np.float64(FAR)
    np.testing.assert_allclose(value, WEIGHT @ np.logaddexp(0, far), rtol=1e-6)
    np.testing.assert_allclose(slope, WEIGHT * logistic(far), rtol=1e-5, atol=1e-30)


def between(x, y):
    """log(σ(y) − σ(x)), its slopes by x and y, where y is the larger one."""
    gap = np.log(-np.expm1(x - y))
    value = gap - np.logaddexp(0, -y) - np.logaddexp(0, x)
    return value, -np.exp(x - y - gap) - logistic(x), np.exp(x - y - gap) + logistic(-y)


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("far", [1, 2.5])
def test_what_is_between_two_bounds(named, far):
    """Ordered choices: log(σ(x + far) − σ(x)) where both are rounded to 0, or to 1."""
    value, slope = with_slope(sigmoid(x[i] + sp.Rational(far)) - sigmoid(x[i]), named, sp.log)
    want, down, up = between(np.float64(FAR), np.float64(FAR) + far)
    np.testing.assert_allclose(value, WEIGHT @ want, rtol=1e-5)
    np.testing.assert_allclose(slope, WEIGHT * (down + up), rtol=1e-5, atol=1e-6)


def test_a_difference_of_two_may_have_any_sign():
    """1/(σ(y) − σ(x)) where x is far above y, and where it is far below."""
    y = sa.tensor("y", n)
    f = compile(sa.define("D", (i,), 1 / (sigmoid(y[i]) - sigmoid(x[i]))), target="numpy")
    up = np.array([1e4, -1e4, 2, -3, 50], np.float32)
    down = np.array([-1e4, 1e4, 1, -1, -60], np.float32)
    want = 1 / (logistic(up) - logistic(down))
    with np.errstate(over="ignore", under="ignore"):
        np.testing.assert_allclose(f(x=down, y=up), want, rtol=1e-5)


@pytest.mark.parametrize("scale", [1, 3000])
@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("beside", [0, 1])
def test_a_square_of_a_logarithm_that_falls_apart(scale, power, beside):
    """(log e^{z_j} / Σ e^z)² where a weight is near 1, also by a root of a sum, or by a bracket."""
    below = sa.total(sp.exp(power * Z[i, l]), l) ** sp.Rational(1, power)
    log = beside + sp.log(sp.exp(Z[i, j]) / below)
    system = sa.System(sa.define("L", (), sa.total(T[i, j] * log**2, i, j)))
    g = backward(system, output="L", wrt=("Z",))
    f = compile({"L": system["L"], "g": g}, given=system, target="numpy")
    rng = np.random.default_rng(5)
    z, t = (rng.normal(size=(3, 4)) * s for s in (scale, 1))
    z, t = np.float32(z), np.float32(t)
    with np.errstate(under="ignore"):
        got = f(Z=z, T=t, L_bar=np.float32(1))
    q = power * np.float64(z)
    each = q - np.logaddexp.reduce(q, 1, keepdims=True)
    whole = beside + each / power
    change = 2 * t * whole - np.exp(each) * (2 * t * whole).sum(1, keepdims=True)
    close = {"rtol": 1e-4, "atol": 1e-5 * scale}
    np.testing.assert_allclose(got["L"], (t * whole**2).sum(), rtol=1e-5)
    np.testing.assert_allclose(got["g"]["Z"], change, **close)
