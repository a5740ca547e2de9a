"""Statistical families: Fisher metrics, connections, KL, natural gradients, softmax."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

from symattn.errors import SymattnError
from symattn.geometry import (
    canonical,
    categorical,
    compile,
    finite,
    gaussian,
    softmax,
    softmax_inverse,
)

mu, sigma, p, q, s, t, eta = sp.symbols("mu sigma p q s t eta")
alpha = sp.Symbol("alpha")
GAUSSIAN, SIMPLEX = gaussian((mu, sigma)), categorical((p, q))
BERNOULLI = finite(t, [1 / (1 + sp.exp(-t)), 1 / (1 + sp.exp(t))])


def test_fisher_matrices_of_the_textbooks():
    assert GAUSSIAN.fisher == sp.diag(1 / sigma**2, 2 / sigma**2)
    wanted = sp.diag(1 / p, 1 / q) + sp.ones(2, 2) / (1 - p - q)
    assert (SIMPLEX.fisher - wanted).applyfunc(canonical) == sp.zeros(2, 2)
    assert canonical(BERNOULLI.fisher[0] - sp.exp(t) / (1 + sp.exp(t)) ** 2) == 0
    assert gaussian(s, mean=s**2, deviation=sp.S(3)).fisher[0] == 4 * s**2 / 9


def test_curvature_of_the_families():
    assert GAUSSIAN.metric.scalar == -1
    for n in (2, 3, 4):  # a part of the sphere of radius 2
        metric = categorical(sp.symbols(f"p0:{n}")).metric
        assert metric.scalar == sp.Rational(n * (n - 1), 4)


def test_softmax_is_singular_along_the_shift_of_all_logits():
    zs = sp.symbols("z0:3")
    family = softmax(zs)
    weights = [sp.exp(z) / sum(map(sp.exp, zs)) for z in zs]
    wanted = sp.diag(*weights) - sp.Matrix(weights) * sp.Matrix(weights).T
    assert (family.fisher - wanted).applyfunc(canonical) == sp.zeros(3, 3)
    assert (family.fisher * sp.ones(3, 1)).applyfunc(canonical) == sp.zeros(3, 1)
    with pytest.raises(SymattnError, match="singular"):
        assert family.metric


def test_logits_and_simplex_coordinates_are_related_by_the_jacobian():
    zs, ps = sp.symbols("z0:3"), sp.symbols("p0:2")
    weights = [sp.exp(z) / sum(map(sp.exp, zs)) for z in zs]
    jacobian = sp.Matrix(weights[:2]).jacobian(sp.Matrix(zs))
    at = dict(zip(ps, weights[:2], strict=True))
    pulled = jacobian.T * categorical(ps).fisher.subs(at) * jacobian
    assert (pulled - softmax(zs).fisher).applyfunc(canonical) == sp.zeros(3, 3)


def test_the_pseudo_inverse_satisfies_the_equations_of_penrose():
    weights = [p, q, 1 - p - q]
    fisher = sp.diag(*weights) - sp.Matrix(weights) * sp.Matrix(weights).T
    inverse = softmax_inverse(weights)
    zero = sp.zeros(3, 3)
    for difference in (
        fisher * inverse * fisher - fisher,
        inverse * fisher * inverse - inverse,
        fisher * inverse - (fisher * inverse).T,
        inverse * fisher - (inverse * fisher).T,
    ):
        assert difference.applyfunc(canonical) == zero
    assert (inverse * sp.ones(3, 1)).applyfunc(canonical) == sp.zeros(3, 1)
    numbers = np.array(inverse.subs({p: 0.2, q: 0.5}).tolist(), float)
    matrix = np.array(fisher.subs({p: 0.2, q: 0.5}).tolist(), float)
    np.testing.assert_allclose(numbers, np.linalg.pinv(matrix, rcond=1e-10), rtol=1e-12)


@pytest.mark.parametrize("family", [GAUSSIAN, SIMPLEX], ids=["gaussian", "categorical"])
def test_exponential_families_are_flat_for_both_dual_connections(family):
    assert family.curvature(1).is_zero and family.curvature(-1).is_zero
    assert not family.curvature(0).is_zero
    assert (family.curvature(0) - family.metric.riemann).is_zero
    scaled = family.curvature(alpha) - (1 - alpha**2) * family.metric.riemann
    assert scaled.is_zero
    assert (family.connection(0) - family.metric.christoffel).is_zero


@pytest.mark.parametrize("family", [GAUSSIAN, SIMPLEX], ids=["gaussian", "categorical"])
def test_the_connections_are_dual(family):
    """∂_c g_{ab} = Γ^{(α)}_{ca,b} + Γ^{(−α)}_{cb,a}."""
    metric, n = family.metric, range(2)
    plus, minus = family.connection(alpha), family.connection(-alpha)
    for a in n:
        for b in n:
            for c in n:
                right = sum(
                    plus[e, c, a] * metric.matrix[e, b] + minus[e, c, b] * metric.matrix[e, a]
                    for e in n
                )
                left = sp.diff(metric.matrix[a, b], metric.coordinates[c])
                assert canonical(left - right) == 0


def test_a_curved_family_is_not_flat():
    curved = gaussian((s, t), mean=s, deviation=1 + s**2 * t**2)
    assert not curved.curvature(0).is_zero
    mixture = finite((s, t), [s**2, t**2, 1 - s**2 - t**2])
    assert mixture.curvature(-1).is_zero and mixture.metric.scalar == sp.Rational(1, 2)


def test_the_mixture_connection_vanishes_in_probabilities():
    assert SIMPLEX.connection(-1).is_zero
    assert not SIMPLEX.connection(1).is_zero


def test_the_divergence_of_kullback_and_leibler_to_fourth_order():
    a, b, e = sp.symbols("a b e")
    exact = (
        sp.log((sigma + e * b) / sigma)
        + (sigma**2 + e**2 * a**2) / (2 * (sigma + e * b) ** 2)
        - sp.Rational(1, 2)
    )
    series = sp.series(exact, e, 0, 5).removeO().subs(e, 1)
    assert sp.simplify(series - GAUSSIAN.expanded_divergence([a, b], order=4)) == 0
    weights, shifts = [p, q, 1 - p - q], [a, b, -a - b]
    exact = sum(w * sp.log(w / (w + e * d)) for w, d in zip(weights, shifts, strict=True))
    series = sp.series(exact, e, 0, 4).removeO().subs(e, 1)
    assert sp.simplify(series - SIMPLEX.expanded_divergence([a, b])) == 0


def test_geodesics_of_the_simplex_are_great_circles():
    """p_i = (c_i cos λ + d_i sin λ)² with orthonormal c and d, at a point."""
    lam = sp.Symbol("lambda")
    one, other = sp.Matrix([1, 2, 2]) / 3, sp.Matrix([2, 1, -2]) / 3
    curve = [(one[i] * sp.cos(lam) + other[i] * sp.sin(lam)) ** 2 for i in range(2)]
    functions = [sp.Function(str(c))(lam) for c in (p, q)]
    for equation in SIMPLEX.metric.geodesics().equations:
        side = (equation.lhs - equation.rhs).subs(dict(zip(functions, curve, strict=True))).doit()
        assert canonical(side) == 0


def test_the_natural_gradient_does_not_depend_on_coordinates_to_first_order():
    """Steps in (μ, σ) and in (μ, log σ) differ by η²/2 v² times the map's second derivative."""
    log = sp.Symbol("l")
    loss = mu**3 * sigma + mu
    other = gaussian((mu, log), mean=mu, deviation=sp.exp(log))
    step = GAUSSIAN.natural_gradient(loss)
    step_other = other.natural_gradient(loss.subs(sigma, sp.exp(log)))
    back = {log: sp.log(sigma)}
    assert canonical(step_other[mu].subs(back) - step[mu]) == 0
    assert canonical(sigma * step_other[log].subs(back) - step[sigma]) == 0  # v^σ = σ v^l
    after = sigma * sp.exp(-eta * step_other[log].subs(back))
    difference = sp.series(after - (sigma - eta * step[sigma]), eta, 0, 3).removeO()
    wanted = eta**2 * step[sigma] ** 2 / (2 * sigma)  # (log)'' = −1/σ² pulled back
    assert sp.simplify(difference - wanted) == 0


def test_compiled_families_agree_with_autodiff():
    """The Fisher matrix of softmax is the Hessian of KL at its minimum."""
    with jax.enable_x64(True):
        z = jnp.asarray(np.random.default_rng(0).normal(size=4))

        def kl(w):
            return jnp.sum(jax.nn.softmax(z) * (jax.nn.log_softmax(z) - jax.nn.log_softmax(w)))

        got = compile(softmax(sp.symbols("z0:4")))(z)
        np.testing.assert_allclose(got, jax.jit(jax.hessian(kl))(z), rtol=1e-12, atol=1e-15)
        step = compile(GAUSSIAN.natural_gradient(mu**2 * sigma))(jnp.array([0.5, 2.0]))
        np.testing.assert_allclose(step, [2 * 0.5 * 2.0 * 4.0, 0.25 * 4.0 / 2])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: finite(t, [t, 1 - t, t]), ["do not add up to 1", "t + 1 - t + t"]),
        (lambda: gaussian(t), ["a mean and a deviation", "mean= and deviation="]),
        (lambda: gaussian(t, mean=t, deviation=0), ["the deviation is 0"]),
        (lambda: gaussian(t, mean=sp.S(1), deviation=sp.S(2)).metric, ["singular", "g[t, t] = 0"]),
    ],
)
def test_errors_say_what_is_missing(call, words):
    with pytest.raises(SymattnError) as caught:
        call()
    for word in words:
        assert word in str(caught.value), str(caught.value)
