"""What is computed under a condition: no 0 · ∞ in values and in derivatives of any order."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward, jacobian
from symattn.read import read

(n, d) = sa.sizes("n d")
i, j = sa.indices("i j", n)
(a,) = sa.indices("a", d)
x, w = sa.tensor("x", n), sa.tensor("w", n)
X = sa.tensor("X", n, d)
FAR = np.array([-1e4, -100.0, -1.0, 0.0, 0.5, 2.0, 100.0, 1e4], np.float32)
WEIGHTS = np.linspace(0.5, 2, 8, dtype=np.float32)


CASES = {
    "elu": (
        sp.Piecewise((x[i], x[i] > 0), (sp.exp(x[i]) - 1, True)),
        lambda x, w: jax.nn.elu(x),
    ),
    "logarithm of what is positive": (
        w[i] * sa.iverson(x[i] > 0) * sp.log(x[i]),
        lambda x, w: w * jnp.where(x > 0, jnp.log(jnp.where(x > 0, x, 1)), 0),
    ),
    "root and decay": (
        sp.Piecewise((sp.sqrt(1 - x[i]), x[i] < 1), (sp.exp(-x[i]), True)),
        lambda x, w: jnp.where(
            x < 1, jnp.sqrt(jnp.where(x < 1, 1 - x, 1)), jnp.exp(-jnp.where(x < 1, 1, x))
        ),
    ),
    "three cases": (
        sp.Piecewise((1 / x[i], x[i] > 1), (sp.log(-x[i]), x[i] < 0), (w[i], True)),
        lambda x, w: jnp.where(
            x > 1,
            1 / jnp.where(x > 1, x, 1),
            jnp.where(x < 0, jnp.log(jnp.where(x < 0, -x, 1)), w),
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_cases_far_from_each_other(name):
    """Values, gradients as formulas, and the first and second derivatives that JAX takes."""
    formula, textbook = CASES[name]
    system = sa.System(sa.define("L", (), sa.total(formula, i)))
    f = compile(system, output="L")
    g = compile(backward(system, output="L", wrt=("x",)))
    given = {"x": FAR, "w": WEIGHTS}

    def ours(x):
        return f(**{**given, "x": x}) if "w" in f.inputs else f(x=x)

    def plain(x):
        return textbook(x, WEIGHTS).sum()

    slopes = jax.jit(jax.grad(plain))(FAR)
    assert np.isfinite(slopes).all()
    got = g(**{n: given[n] for n in g.inputs if n in given}, L_bar=np.float32(1))["x"]
    for value, want in (
        (ours(FAR), plain(FAR)),
        (got, slopes),
        (jax.jit(jax.grad(ours))(FAR), slopes),
        (jax.jit(jax.hessian(ours))(FAR), jax.jit(jax.hessian(plain))(FAR)),
    ):
        np.testing.assert_allclose(value, want, rtol=1e-6, atol=1e-7)


def gravity(weight):
    r = sp.sqrt(sa.total((X[i, a] - X[j, a]) ** 2, a) + sp.Rational(1, 10**18))
    return sa.System(sa.define("U", (), sa.total(weight * w[i] * w[j] / r, i, j)))


def test_pairs_without_the_diagonal():
    """1/r is taken where i ≠ j alone: all pairs less the diagonal would leave no digit."""
    system = gravity(1 - sa.delta(i, j))
    rng = np.random.default_rng(0)
    arrays = {"X": rng.normal(size=(5, 3)).astype("f"), "w": WEIGHTS[:5]}

    def textbook(X, w):
        gap = ((X[:, None] - X) ** 2).sum(-1) + jnp.eye(5)
        return (jnp.where(jnp.eye(5, dtype=bool), 0, w[:, None] * w) / jnp.sqrt(gap)).sum()

    want = jax.jit(jax.value_and_grad(textbook, (0, 1)))(*arrays.values())
    f = compile(system, output="U")
    g = compile(backward(system, output="U", wrt=("X", "w")))(**arrays, U_bar=np.float32(1))
    np.testing.assert_allclose(f(**arrays), want[0], rtol=1e-5)
    for name, slope in zip(arrays, want[1], strict=True):
        np.testing.assert_allclose(g[name], slope, rtol=1e-4, atol=1e-5)
        mine = jax.jit(jax.grad(lambda x, name=name: f(**{**arrays, name: x})))(arrays[name])
        np.testing.assert_allclose(mine, slope, rtol=1e-4, atol=1e-5)


def test_another_weight_on_the_diagonal_is_no_condition():
    r = 1 + sa.total((X[i, a] - X[j, a]) ** 2, a)
    system = sa.System(sa.define("U", (), sa.total((1 - 2 * sa.delta(i, j)) / r, i, j)))
    rng = np.random.default_rng(0)
    points = rng.normal(size=(5, 3))
    gap = 1 + ((points[:, None] - points) ** 2).sum(-1)
    want = ((1 - 2 * np.eye(5)) / gap).sum()
    np.testing.assert_allclose(compile(system, output="U")(X=points), want, rtol=1e-5)


def test_the_square_of_a_relu_has_derivatives_at_zero():
    """The derivative of y = max(0, x)² is 2 max(0, x), which is no root of y."""
    y = sa.define("y", (i,), sp.Max(0, x[i]) ** 2)
    g = compile(backward(sa.System(y), output="y", wrt=("x",)))
    assert "jnp.sqrt" not in g.source
    slope = jax.jacobian(lambda x: g(x=x, y_bar=np.ones(8, np.float32))["x"])(FAR)
    np.testing.assert_array_equal(slope, np.diag(np.where(FAR > 0, 2, 0)))


def test_without_a_danger_nothing_is_chosen():
    system = sa.System(sa.define("y", (i,), w[i] * sa.iverson(x[i] > 0) * sp.tanh(x[i])))
    assert compile(system, output="y").source.count("where") == 1


def test_a_root_under_a_condition_has_a_derivative():
    """Σ_{i≠j} 1 / r_ij with r = |x_i − x_j| by name: no root is taken for i = j."""
    n, d = sa.sizes("n d")
    (i, j), (a,) = sa.indices("i j", n), sa.indices("a", d)
    x = sa.tensor("x", n, d)
    r = sa.define("r", (i, j), sp.sqrt(sa.total((x[i, a] - x[j, a]) ** 2, a)))
    energy = sa.define("E", (), sa.total((1 - sa.delta(i, j)) / r[i, j], i, j))
    system = sa.System(r, energy)
    f = compile(system, output="E")

    def plain(x):
        other = jnp.eye(len(x)) == 0
        square = jnp.where(other, ((x[:, None] - x) ** 2).sum(-1), 1)
        return jnp.where(other, 1 / jnp.sqrt(square), 0).sum()

    at = np.random.default_rng(0).normal(size=(4, 3))
    want = jax.jit(jax.grad(plain))(at)
    bars = compile(backward(system, output="E", wrt=("x",)))
    np.testing.assert_allclose(bars(x=at, E_bar=1.0)["x"], want, rtol=1e-4)
    np.testing.assert_allclose(jax.grad(lambda x: f(x=x))(at), want, rtol=1e-4)


@pytest.mark.parametrize("power", [sp.Rational(-1, 2), sp.Rational(1, 2)])
@pytest.mark.parametrize("decay", [0, sp.Rational(1, 3)])
def test_pairs_that_a_mask_leaves_out_have_no_derivative(power, decay):
    """[i < j] |x_i − x_j|^±1 e^{−|x_i − x_j|/3}: at i = j no derivative of the root is taken."""
    square = sa.total((X[i, a] - X[j, a]) ** 2, a)
    apart = square**power * sp.exp(-decay * sp.sqrt(square))
    E = sa.define("E", (), sa.total(sa.iverson(i < j) * w[i] * w[j] * apart, i, j))
    f = compile(sa.System(E))
    rng = np.random.default_rng(0)
    x, q = jnp.asarray(rng.normal(size=(5, 3))), jnp.asarray(rng.normal(size=5))
    first, second = np.triu_indices(5, 1)

    def energy(x):
        square = ((x[first] - x[second]) ** 2).sum(1)
        apart = square ** float(power) * jnp.exp(-float(decay) * jnp.sqrt(square))
        return (q[first] * q[second] * apart).sum()

    got, wanted = (jax.value_and_grad(g)(x) for g in (lambda x: f(X=x, w=q), energy))
    for ours, theirs in zip(got, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize(("pairs", "count"), [(r"i \neq j", 2), ("i < j", 1)])
@pytest.mark.parametrize(
    ("term", "slope"),
    [
        (r"\log |x_i - x_j|", lambda gap: 1 / gap),
        (r"\frac{1}{(x_i - x_j)^2}", lambda gap: -2 / gap**3),
    ],
)
def test_pairs_of_what_has_no_value_for_one_index(term, slope, pairs, count):
    """E = Σ_{i ≠ j} f(x_i − x_j), where f(0) is nothing: its gradient by formula and by JAX."""
    system = read(f"E = \\sum_{{{pairs}}} {term}")
    at = np.array([0.1, 0.5, 1.7, -2.0], np.float32)
    gap = at[:, None] - at
    want = count * np.where(gap == 0, 0, slope(np.where(gap == 0, 1, gap))).sum(1)
    f = compile(system, output="E")
    bars = compile(backward(system, output="E", wrt=("x",)))
    np.testing.assert_allclose(jax.grad(lambda x: f(x=x))(at), want, rtol=1e-5)
    np.testing.assert_allclose(bars(x=at, E_bar=1.0)["x"], want, rtol=1e-5)


def test_what_one_mask_guards_is_not_taken_before_a_bracket_with_another():
    """∂/∂x_i Σ_{i < j} 1 / |x_i − x_j| has sums over j > i and over j < i, both over a square."""
    system = read(r"E = \sum_{i < j} \frac{1}{|x_i - x_j|}")
    at = np.array([0.1, 0.5, 1.7, -2.0], np.float32)
    gap = at[:, None] - at + np.eye(4)
    want = (-np.sign(gap) / gap**2 * (1 - np.eye(4))).sum(1)
    found = compile(jacobian(system, of="E", wrt="x"))(x=at)
    np.testing.assert_allclose(found, want, rtol=1e-5)


def test_different_terms_on_both_sides_are_no_pair():
    """[i < j] / (x_i − x_j) + 2 [j < i] / (x_i − x_j) is not 1 / (x_i − x_j) where i ≠ j."""
    below, above = sa.iverson(i < j), sa.iverson(j < i)
    y = sa.define("y", (i, j), (below + 2 * above) / (x[i] - x[j]))
    at = np.array([0.1, 0.5, 1.7], np.float32)
    gap = at[:, None] - at + np.eye(3)
    want = (np.triu(np.ones((3, 3)), 1) + 2 * np.tril(np.ones((3, 3)), -1)) / gap
    np.testing.assert_allclose(compile(sa.System(y), output="y")(x=at), want, rtol=1e-5)


def test_what_is_read_the_other_way_around_under_a_mask_has_its_own_place():
    """[i < j] (w_i / u_ij² + w_j / u_ji²): the second quotient is not the first one transposed,
    where that is left out."""
    gap = sa.define("u", (i, j), x[i] - 2 * x[j])
    both = w[i] / gap[i, j] ** 2 + w[j] / gap[j, i] ** 2
    system = sa.System(gap, sa.define("y", (i, j), sa.iverson(i < j) * both))
    at, weights = np.array([0.1, 0.5, 1.7]), np.array([2.0, 3.0, 5.0])
    part = weights[:, None] / (at[:, None] - 2 * at) ** 2
    want = np.triu(part + part.T, 1)
    np.testing.assert_allclose(compile(system, output="y")(x=at, w=weights), want, rtol=1e-5)
