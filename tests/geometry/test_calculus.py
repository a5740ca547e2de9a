"""Operators, symmetries and curves over a metric, and the errors of all of them."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.experimental.ode import odeint

from symattn.errors import SymattnError
from symattn.geometry import (
    Metric,
    canonical,
    catalogue,
    compile,
    embedded,
    from_line_element,
)

t, r, theta, phi, x, y, z, u, v, lam = sp.symbols("t r theta phi x y z u v lambda")
M, R, a, b, k = sp.symbols("M R a b k")
sin, cos = sp.sin(theta), sp.cos(theta)
BALL = Metric((r, theta, phi), sp.diag(1, r**2, r**2 * sin**2))
SPHERE = Metric((theta, phi), sp.diag(R**2, R**2 * sin**2))
SKEW = Metric((x, y), [[1 + y**2, x], [x, 2 + x**2]])
f = sp.Function("f")


def test_operators_in_spherical_coordinates():
    g = f(r, theta, phi)
    wanted = (
        sp.diff(r**2 * g.diff(r), r) / r**2
        + sp.diff(sin * g.diff(theta), theta) / (r**2 * sin)
        + g.diff(phi, 2) / (r**2 * sin**2)
    )
    assert canonical(BALL.laplacian(g) - wanted) == 0
    assert BALL.gradient(g)[theta] == g.diff(theta) / r**2
    assert BALL.divergence([r**3, 0, 0]) == 5 * r**2
    assert BALL.divergence([0, 1, 0]) == cos / sin
    assert BALL.volume == r**2 * sin
    assert BALL.determinant == r**4 * sin**2
    assert BALL.riemann.is_zero and BALL.gradient(sp.S(3)).is_zero
    assert SPHERE.laplacian(cos) == -2 * cos / R**2


def test_the_laplacian_is_the_divergence_of_the_gradient():
    g = f(x, y)
    assert canonical(SKEW.laplacian(g) - SKEW.divergence(SKEW.gradient(g))) == 0
    root = sp.sqrt(SKEW.matrix.det())
    upper = SKEW.matrix.inv() * sp.Matrix([g.diff(x), g.diff(y)])
    wanted = sum(sp.diff(root * upper[i], s) for i, s in enumerate((x, y))) / root
    assert canonical(SKEW.laplacian(g) - wanted) == 0
    hessian = SKEW.hessian(g)
    assert canonical(hessian[x, y] - hessian[y, x]) == 0
    gamma = SKEW.christoffel
    wanted = g.diff(x, y) - gamma[x, x, y] * g.diff(x) - gamma[y, x, y] * g.diff(y)
    assert canonical(hessian[x, y] - wanted) == 0


def test_the_covariant_derivative_of_a_tensor_of_mixed_rank():
    """∇_e T^a_b by its definition, component by component."""
    table = [[x * y, sp.sin(x)], [y**2, x + 1]]
    tensor = SKEW.tensor("^_", table)
    slopes, gamma, s = tensor.covariant_derivative(), SKEW.christoffel, (x, y)
    assert slopes.slots == "^__"
    for i in range(2):
        for j in range(2):
            for e in range(2):
                wanted = sp.diff(table[i][j], s[e]) + sum(
                    gamma[i, e, p] * table[p][j] - gamma[p, e, j] * table[i][p] for p in range(2)
                )
                assert canonical(slopes[i, j, e] - wanted) == 0
    assert SKEW.tensor_g.covariant_derivative().is_zero


def test_derivatives_obey_leibniz_and_commute_up_to_curvature():
    w = SKEW.tensor("^", [x * y, x - y**2], "w")
    twice = w.covariant_derivative().covariant_derivative()  # [c, e, d] = ∇_d ∇_e w^c
    riemann = SKEW.riemann
    for c, e, d in np.ndindex(2, 2, 2):
        wanted = sum(riemann[c, b, d, e] * w[b] for b in range(2))
        assert canonical(twice[c, e, d] - twice[c, d, e] - wanted) == 0


def test_raising_lowering_and_contracting():
    tensor = SKEW.tensor("^_", [[x, y], [1, x * y]])
    assert (tensor.to("__").to("^_") - tensor).is_zero
    assert canonical(tensor.contracted(0, 1)[()] - x - x * y) == 0
    squared = SKEW.tensor_g.to("^^").contracted(0, 1)
    assert squared[()] == 2
    assert (2 * tensor - tensor - tensor).is_zero
    assert (tensor + -tensor).is_zero
    assert SKEW.inverse[x, y] == SKEW.inverse[0, 1] == SKEW.tensor_g.to("^^")[x, y]


def test_killing_vectors_and_lie_derivatives():
    rotations = [
        [0, 1],
        [sp.sin(phi), sp.cos(phi) * cos / sin],
        [sp.cos(phi), -sp.sin(phi) * cos / sin],
    ]
    for vector in rotations:
        assert SPHERE.is_killing(vector)
        assert SPHERE.lie_derivative(vector).is_zero
    assert not SPHERE.is_killing([1, 0])
    assert (SPHERE.lie_derivative([1, 0]) - SPHERE.killing([1, 0])).is_zero
    one, other = (SPHERE.tensor("^", w) for w in rotations[:2])
    bracket = SPHERE.lie_derivative(one, other)
    assert (bracket - SPHERE.tensor("^", [sp.cos(phi), -sp.sin(phi) * cos / sin])).is_zero
    kerr = catalogue.metric("kerr")
    assert kerr.is_killing([1, 0, 0, 0]) and kerr.is_killing([0, 0, 0, 1])
    assert not kerr.is_killing([0, 0, 1, 0])
    equations = SPHERE.killing_equations()
    assert len(equations) == 3 and all(e.rhs == 0 for e in equations)


def test_the_lie_derivative_of_a_mixed_tensor_is_by_partial_derivatives():
    table, w = [[x * y, y], [sp.exp(x), x**2]], [y**2, x * y]
    got = SKEW.lie_derivative(w, SKEW.tensor("^_", table))
    s = (x, y)
    for i, j in np.ndindex(2, 2):
        wanted = sum(
            w[c] * sp.diff(table[i][j], s[c])
            - table[c][j] * sp.diff(w[i], s[c])
            + table[i][c] * sp.diff(w[c], s[j])
            for c in range(2)
        )
        assert canonical(got[i, j] - wanted) == 0


def test_curvature_of_planes_and_surfaces():
    hyperbolic = catalogue.metric("hyperbolic")
    assert hyperbolic.gaussian == -1
    assert catalogue.metric("torus").gaussian == sp.cos(v) / (a * (b + a * sp.cos(v)))
    three = Metric((x, y, z), sp.eye(3) / z**2)
    assert three.sectional([1, 2, 0], [0, x, 5]) == -1
    product = Metric((theta, phi, z), sp.diag(1, sin**2, 1))
    assert product.sectional([1, 0, 0], [0, 1, 0]) == 1
    assert product.sectional([1, 0, 0], [0, 0, 1]) == 0


def test_lengths_and_angles():
    assert SPHERE.length([0, 1]) == sp.sqrt(R**2 * sin**2)
    assert SPHERE.inner([1, 2], [3, 4]) == R**2 * (3 + 8 * sin**2)
    flat = Metric((x, y), sp.eye(2))
    assert flat.angle([1, 0], [1, 1]) == sp.pi / 4
    circle = flat.arc_length([sp.cos(lam), sp.sin(lam)], (lam, 0, 2 * sp.pi))
    assert circle.doit() == 2 * sp.pi
    parallel = SPHERE.arc_length({theta: sp.pi / 3, phi: lam}, (lam, 0, 1)).subs(R, 2).doit()
    assert parallel == sp.sqrt(3)


def test_embeddings():
    saddle = embedded((x, y), [x, y, x * y])
    assert saddle.gaussian == -1 / (1 + x**2 + y**2) ** 2
    minkowski = Metric((t, x, y), sp.diag(-1, 1, 1))
    hyperboloid = embedded(
        (u, v), [sp.cosh(u), sp.sinh(u) * sp.cos(v), sp.sinh(u) * sp.sin(v)], ambient=minkowski
    )
    assert hyperboloid.matrix == sp.diag(1, sp.sinh(u) ** 2) and hyperboloid.gaussian == -1
    assert embedded(x, {r: 2, theta: x, phi: 3 * x}, ambient=BALL).matrix == sp.Matrix(
        [[36 * sp.sin(x) ** 2 + 4]]
    )


def test_geodesics_as_equations():
    equations = SPHERE.geodesics().equations
    p, q = sp.Function("theta")(lam), sp.Function("phi")(lam)
    assert equations[0].lhs == p.diff(lam, 2)
    assert canonical(equations[0].rhs - sp.sin(p) * sp.cos(p) * q.diff(lam) ** 2) == 0
    wanted = -2 * sp.cos(p) / sp.sin(p) * p.diff(lam) * q.diff(lam)
    assert canonical(equations[1].rhs - wanted) == 0
    assert r"\ddot{\theta} &= " in SPHERE.geodesics().latex()


def test_geodesics_are_integrated():
    """Around a black hole, energy, angular momentum and g(v, v) stay what they are."""
    metric = catalogue.metric("schwarzschild")
    rhs, g = compile(metric.geodesics()), metric.function()
    start = jnp.array([0.0, 8.0, jnp.pi / 2, 0.0, 1.2, 0.05, 0.0, 0.05])
    with jax.enable_x64(True):
        start = jnp.asarray(np.asarray(start, np.float64))
        times = jnp.linspace(0.0, 40.0, 5)
        path = odeint(lambda s, _: rhs(s, M=1.0), start, times, rtol=1e-10, atol=1e-10)

        def kept(state):
            lower = g(state[:4], M=1.0) @ state[4:]
            return jnp.array([lower[0], lower[3], lower @ state[4:]])

        values = np.asarray(jax.vmap(kept)(path))
        path = np.asarray(path)
    assert abs(path[-1, 3] - path[0, 3]) > 0.5
    np.testing.assert_allclose(values, np.broadcast_to(values[0], values.shape), rtol=1e-7)


def test_parallel_transport_around_a_parallel():
    equations = SPHERE.parallel_transport({theta: k, phi: lam}, lam)
    first, second = (sp.Function(n)(lam) for n in ("v^theta", "v^phi"))
    assert equations[0].lhs == first.diff(lam)
    assert canonical(equations[0].rhs - sp.sin(k) * sp.cos(k) * second) == 0
    assert canonical(equations[1].rhs + sp.cos(k) / sp.sin(k) * first) == 0


vectors = st.lists(st.sampled_from([x, y, x * y, sp.S(1), sp.sin(x), y**2]), min_size=2, max_size=2)


@settings(max_examples=8, deadline=None)
@given(vectors, vectors)
def test_the_connection_has_no_torsion_and_keeps_products(one, other):
    """∇_a g(u, w) = g(∇_a u, w) + g(u, ∇_a w), and ∇_u w − ∇_w u is the bracket."""
    u_, w_ = SKEW.tensor("^", one), SKEW.tensor("^", other)
    du, dw = u_.covariant_derivative(), w_.covariant_derivative()
    for e, s in enumerate((x, y)):
        left = sp.diff(SKEW.inner(one, other), s)
        right = SKEW.inner([du[0, e], du[1, e]], other) + SKEW.inner(one, [dw[0, e], dw[1, e]])
        assert canonical(left - right) == 0
    bracket = SKEW.lie_derivative(u_, w_)
    for i in range(2):
        wanted = sum(one[e] * dw[i, e] - other[e] * du[i, e] for e in range(2))
        assert canonical(bracket[i] - wanted) == 0


def test_a_brane_has_its_curvature_where_it_stands():
    warped = Metric((x, y), sp.diag(1, sp.exp(-2 * k * sp.Abs(x))))  # symbols are real numbers
    wanted = 4 * k * sp.DiracDelta(x) - 2 * k**2 * sp.sign(x) ** 2
    assert canonical(warped.scalar - wanted) == 0


def test_products_and_matrices_are_compiled():
    v, w = SKEW.tensor("^", [x, 0]), SKEW.tensor("_", [0, k])
    product = v * w
    assert product.slots == "^_"
    assert product.nonzero == {(x, y): k * x}
    point = jnp.array([0.5, 2.0])
    assert product.function()(point, k=3.0)[0, 1] == 1.5  # k is no parameter of the metric
    both = compile(SKEW.inverse, SKEW)(point) @ compile(SKEW)(point)
    np.testing.assert_allclose(both, np.eye(2), atol=1e-6)


def test_the_parameter_of_a_curve_is_none_of_the_metric():
    lam = sp.Symbol("lambda")
    geodesics = Metric((lam, x), sp.diag(1, lam**2)).geodesics()
    assert geodesics.parameter == sp.Symbol("sigma")


def test_a_scalar_with_a_part_of_an_angle_is_asked_for_in_advance():
    plain = Metric((x, y), sp.diag(1, 2 + sp.sin(x)))
    wanted = plain.laplacian(f(x)).subs(f(x), sp.sin(x / 2)).doit()
    assert canonical(plain.laplacian(sp.sin(x / 2)) - wanted) == 0  # the field is made again
    with pytest.raises(SymattnError, match=r"is a part of what(.|\n)*also="):
        plain.tensor("^", [sp.sin(x / 2), 0])
    ready = Metric((x, y), sp.diag(1, 2 + sp.sin(x)), also=[sp.sin(x / 2)])
    wanted = sp.cos(x / 2) / 2  # √g depends on x only through g_yy
    wanted += sp.sin(x / 2) * sp.cos(x) / (2 * (2 + sp.sin(x)))
    assert canonical(ready.divergence([sp.sin(x / 2), 0]) - wanted) == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: Metric((t, r), sp.diag(-1, k * r), parameters=[M]),
            ["k is neither a coordinate nor a parameter", "g[r, r] = k*r", "declare k"],
        ),
        (
            lambda: Metric((x, y), sp.diag(1, 0)),
            ["singular", "g[y, y] = 0 and nothing else in its row"],
        ),
        (
            lambda: Metric((x, y, z), [[1, 0, 0], [0, 1, x], [0, x, x**2]]),
            ["singular", "dependent rows of y, z"],
        ),
        (lambda: Metric((x, y), [[1, x], [y, 1]]), ["g[x, y] = g[y, x]", "x and y"]),
        (
            lambda: Metric((t, x), sp.diag(1, 2), signature="-+"),
            ["the signature is ++", "g[t, t] = 1", "expected: -+", "t +, x +", "change the sign"],
        ),
        (lambda: Metric((t, x), sp.diag(-1, 2), signature="-++"), ["no signature of 2"]),
        (lambda: Metric((x, y), sp.diag(1, x / (x - x + 0.5))), ["g[y, y]", "exact scalar"]),
        (lambda: SKEW.tensor("^x", [1, 2]), ["'^x' does not say", "one ^ or _"]),
        (lambda: SKEW.tensor("^", [1, 2, 3]), ["T does not fit", "(2,)", "(3,)"]),
        (lambda: SKEW.tensor("^", [1, 2]) + SKEW.tensor("_", [1, 2]), ["not of one kind"]),
        (lambda: SKEW.tensor("^", [1, 2]).to("^^"), ["has no form '^^'"]),
        (lambda: SKEW.tensor("^_", sp.eye(2)).contracted(0, 2), ["no slots 0 and 2"]),
        (lambda: BALL.gaussian, ["of a surface", "3: r, theta, phi"]),
        (lambda: SKEW.sectional([1, 2], [2, 4]), ["span no plane"]),
        (lambda: SKEW.arc_length({x: lam}, (lam, 0, 1)), ["one expression for every coordinate"]),
        (lambda: SKEW.inverse[x, z], ["is not an entry", "x, y"]),
        (lambda: embedded((x, y), {r: 1}, ambient=BALL), ["does not name the coordinates"]),
        (lambda: embedded((x, y), [x, y], ambient=BALL), ["2 functions", "r, theta, phi"]),
        (lambda: compile(3), ["nothing to compile", "int"]),
        (lambda: compile(sp.sin(x)), ["a scalar or a matrix with its metric"]),
        (lambda: from_line_element("x = 3"), ["no line element"]),
    ],
)
def test_errors_name_the_component_and_how_to_mend_it(call, words):
    with pytest.raises(SymattnError) as caught:
        call()
    for word in words:
        assert word in str(caught.value), str(caught.value)
