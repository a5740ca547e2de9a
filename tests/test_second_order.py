"""Tangents, Hessians and Hessian-vector products against autodiff of the definitions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.carriers import jax_arrays
from symattn.convert import Partial
from symattn.errors import DefinitionError
from symattn.evaluate import Evaluator
from symattn.model import model

n, m, d = sa.sizes("n m d")
(i, j), (x,), (a, b) = sa.indices("i j", n), sa.indices("x", m), sa.indices("a b", d)
SIZES = {"n": 3, "m": 5, "d": 2}


@pytest.fixture
def cross_entropy():
    w, y = sa.tensor("w", n), sa.tensor("y", n)
    p = sa.define("p", (i,), sp.exp(w[i]) / sa.total(sp.exp(w[j]), j))
    return sa.System(p, sa.define("L", (), -sa.total(y[i] * sp.log(p[i]), i)))


@pytest.fixture
def attention():
    Q, K, V = sa.tensor("Q", n, d), sa.tensor("K", m, d), sa.tensor("V", m, n)
    (l,) = sa.indices("l", m)
    S = sa.define("S", (i, x), Q[i, a] * K[x, a] / sp.sqrt(d))
    A = sa.define("A", (i, x), sp.exp(S[i, x]) / sa.total(sp.exp(S[i, l]), l))
    return sa.System(S, A, sa.define("O", (i, j), A[i, x] * V[x, j]))


def draw(seed, **shapes):
    rng = np.random.default_rng(seed)
    return {name: rng.standard_normal(shape) for name, shape in shapes.items()}


def value(derivation, arrays):
    evaluator = Evaluator(arrays, SIZES, model=model(derivation.system))
    return evaluator(derivation.normal, derivation.indices)


def test_cross_entropy_hessian_in_the_logits(cross_entropy):
    h = sa.hessian(cross_entropy, of="L", wrt="w")
    assert h.check_steps()
    assert r"p^{i} \left(\delta^i_j - p^{j}\right)" in h.latex()
    assert h.latex().startswith(
        "\\begin{aligned}\n\\frac{\\partial^2 L}{\\partial w^{i} \\partial w^{j}} &= "
    )
    arrays = draw(1, w=3, y=3)
    with jax.enable_x64(True):
        loss = lambda w: -jnp.sum(jnp.asarray(arrays["y"]) * jax.nn.log_softmax(w))  # noqa: E731
        wanted = jax.jit(jax.hessian(loss))(jnp.asarray(arrays["w"]))
    np.testing.assert_allclose(value(h, arrays), wanted, rtol=1e-12, atol=1e-13)


def test_hessian_of_logsumexp_in_matrix_form():
    w = sa.tensor("w", n)
    p = sa.define("p", (i,), sp.exp(w[i]) / sa.total(sp.exp(w[j]), j))
    h = sa.hessian(
        sa.System(p, sa.define("F", (), sp.log(sa.total(sp.exp(w[j]), j)))), of="F", wrt="w"
    )
    assert h.matrix_form() == (
        r"\frac{\partial^2 F}{\partial w \partial w} = \mathrm{diag}(p) - p p^\top"
    )


def test_matrix_form_keeps_scalar_factors(cross_entropy):
    h = sa.hessian(cross_entropy, of="L", wrt="w")
    assert h.matrix_form().endswith(
        r"= \mathbf{1}^\top y \, \left(\mathrm{diag}(p) - p p^\top\right)"
    )


def test_hessian_vector_product_is_the_hessian_times_the_vector(cross_entropy):
    product = sa.hvp(cross_entropy, of="L", wrt="w")
    assert product.check_steps()
    arrays = draw(2, w=3, y=3, w_dot=3)
    h = value(sa.hessian(cross_entropy, of="L", wrt="w"), arrays)
    np.testing.assert_allclose(value(product, arrays), h @ arrays["w_dot"], rtol=1e-12, atol=1e-13)


def test_tangents_against_jax_jvp(attention):
    tangents = sa.jvp(attention, output="O", wrt=("Q", "K", "V"))
    assert list(tangents) == ["S", "A", "O"]
    shapes = {"Q": (3, 2), "K": (5, 2), "V": (5, 3)}
    arrays = draw(3, **shapes, **{f"{k}_dot": s for k, s in shapes.items()})
    with jax.enable_x64(True):

        def forward(*inputs):
            given = dict(zip(shapes, inputs, strict=True))
            return Evaluator(given, SIZES, jax_arrays(), model(attention)).definition("O")

        _, wanted = jax.jit(lambda at, dots: jax.jvp(forward, at, dots))(
            tuple(jnp.asarray(arrays[k]) for k in shapes),
            tuple(jnp.asarray(arrays[f"{k}_dot"]) for k in shapes),
        )
    for name, derivation in tangents.items():
        assert derivation.check_steps(), name
        arrays[f"{name}_dot"] = value(derivation, arrays)
    np.testing.assert_allclose(arrays["O_dot"], wanted, rtol=1e-12, atol=1e-13)


def test_the_tangent_of_softmax_reads_as_in_the_textbook(attention):
    tangents = sa.jvp(attention, output="O", wrt="Q")
    assert tangents["A"].matrix_form() == (
        r"\dot A = A \circ \left(\dot S - \mathrm{rowsum}(A \circ \dot S)\right)"
    )
    assert tangents["O"].matrix_form() == r"\dot O = \dot A V"


def test_hessian_of_a_quadratic_form_is_twice_its_symmetric_part():
    v, B = sa.tensor("v", n), sa.tensor("B", n, n)
    system = sa.System(sa.define("q", (), sa.total(v[i] * B[i, j] * v[j], i, j)))
    h = sa.hessian(system, of="q", wrt="v")
    assert sa.prove(h.expr, B[i, j] + B[j, i], given=system).status == "proved"
    assert sa.prove(h.expr, 2 * B[i, j], given=system).status == "refuted"


def test_unknown_and_unused_names():
    v, u = sa.tensor("v", n), sa.tensor("u", n)
    system = sa.System(sa.define("q", (), v[i] * v[i]), sa.define("r", (), u[i] * u[i]))
    with pytest.raises(DefinitionError, match="no tensor 'z'"):
        sa.hessian(system, of="q", wrt="z")
    with pytest.raises(DefinitionError, match="q does not depend on u"):
        sa.hvp(system, of="q", wrt="u")
    with pytest.raises(DefinitionError, match="the output v is an input"):
        sa.jvp(system, output="v", wrt="v")


def test_partial_claims_about_second_derivatives(cross_entropy):
    w, y = sa.tensor("w", n), sa.tensor("y", n)
    p = cross_entropy["p"]
    gradient = sa.define("g", (i,), p[i] * sa.total(y[j], j) - y[i])
    more = cross_entropy.extended(gradient)
    assert (
        sa.prove(Partial(cross_entropy["L"].tensor, w[i]), gradient[i], given=more).status
        == "proved"
    )


def test_definitions_are_written_out_and_recognised_again(attention):
    gradient = sa.backward(attention, output="O", wrt="S")["S"]
    opened = gradient.inline("A")
    assert opened.steps[-1].rule == "write out `A`"
    assert "A" not in {str(t.label) for t in opened.expr.atoms(sp.IndexedBase)}
    back = opened.fold("A")
    assert back.steps[-1].rule == "recognise `A`"
    assert back.normal is gradient.normal
    assert back.check_steps()
    with pytest.raises(DefinitionError, match="no tensor 'Z'"):
        gradient.inline("Z")


def test_blocks_of_a_hessian_in_several_tensors():
    W, X, c = sa.tensor("W", n, m), sa.tensor("X", d, n), sa.tensor("c", m)
    h = sa.define("h", (a, x), sp.tanh(X[a, i] * W[i, x]))
    y = sa.define("y", (a,), sp.exp(h[a, x] * c[x]))
    system = sa.System(h, y, sa.define("L", (), sa.total(y[a] ** 2, a)))
    names = ("W", "c", "X")
    blocks = sa.hessian(system, of="L", wrt=names)
    assert list(blocks) == list(names) and all(list(row) == list(names) for row in blocks.values())
    arrays = draw(3, W=(3, 5), X=(2, 3), c=(5,))
    with jax.enable_x64(True):

        def loss(given):
            return jnp.sum(jnp.exp(jnp.tanh(given["X"] @ given["W"]) @ given["c"]) ** 2)

        wanted = jax.jit(jax.hessian(loss))({k: jnp.asarray(v) for k, v in arrays.items()})
        compiled = sa.compile(blocks)(**arrays)
        for first in names:
            for second in names:
                block = blocks[first][second]
                assert block.check_steps().ok
                np.testing.assert_allclose(value(block, arrays), wanted[first][second], rtol=1e-11)
                np.testing.assert_allclose(
                    compiled[first][second], wanted[first][second], rtol=1e-11, atol=1e-12
                )
    assert (
        sa.hessian(system, of="L", wrt=["c"])["c"]["c"].lhs
        == sa.hessian(system, of="L", wrt="c").lhs
    )
    with pytest.raises(DefinitionError, match="there is no tensor 'Z'"):
        sa.hessian(system, of="L", wrt=("W", "Z"))


def test_a_definition_with_derivatives_in_it_is_differentiated_whole():
    """F = Σ p ∂log p ∂log p is δ p − p p, and moves as that does, backward and forward."""
    (n,) = sa.sizes("n")
    i, j, k = sa.indices("i j k", n)
    theta = sa.tensor("theta", n)
    p = sa.define("p", (i,), sp.exp(theta[i]) / sa.total(sp.exp(theta[k]), k))
    slopes = sa.partial(p[k], theta[i]) * sa.partial(p[k], theta[j]) / p[k]
    fisher = sa.define("F", (i, j), sa.total(slopes, k))
    plain = sa.define("F", (i, j), p[i] * sa.delta(i, j) - p[i] * p[j])
    systems = sa.System(p, fisher), sa.System(p, plain)
    rows = {"theta": np.array([0.3, -0.2, 0.5]), "F_bar": np.diag([1.0, -2.0, 0.5])}
    got, want = (
        sa.compile(sa.backward(s, output="F", wrt=("theta",)))(**rows)["theta"] for s in systems
    )
    np.testing.assert_allclose(got, want, atol=1e-5)
    assert np.max(np.abs(want)) > 0.1
    forward, expected = (sa.jacobian(s, of="F", wrt="theta") for s in systems)
    assert sa.prove(forward, expected.expr)
    assert sa.verify(forward).ok


def test_what_is_not_known_is_no_constant():
    """∂f/∂x of an undefined f changes with x in a way that nobody knows."""
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    f, x = sa.tensor("f"), sa.tensor("x", n)
    system = sa.System(sa.define("L", (), sa.total(sa.partial(f, x[i]) * x[i], i)))
    for derive in (
        lambda: sa.backward(system, output="L", wrt=("x",)),
        lambda: sa.jacobian(system, of="L", wrt="x"),
        lambda: sa.jvp(system, output="L", wrt=("x",)),
        lambda: sa.hvp(system, of="L", wrt="x"),
    ):
        with pytest.raises(sa.SymattnError, match="nor how it changes with x"):
            derive()


def test_a_product_with_the_hessian_is_along_one_name():
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    x, y = sa.tensor("x", n), sa.tensor("y", n)
    system = sa.System(sa.define("L", (), sa.total(x[i] ** 2 * y[i], i)))
    with pytest.raises(sa.SymattnError, match="takes one name"):
        sa.hvp(system, of="L", wrt=("x", "y"))


def test_a_hessian_of_zeros_beside_large_values():
    """What rounding leaves of large values, over two shifts, is no second derivative."""
    n, m = sa.sizes("n m")
    k, a, b, c = *sa.indices("k", n), *sa.indices("a b c", m)
    u, P = sa.tensor("u", m), sa.tensor("P", n, m, positive=True)
    many = 50 * sa.total(P[k, a], k, a) * sa.total(P[k, b], k, b)
    plane = sa.System(sa.define("F", (), sa.total(u[c], c) * many))
    d = sa.hessian(plane, of="F", wrt="u")
    assert all(d.check_steps(seed).ok for seed in range(3))
    bent = sa.define("F", (), (sa.total(u[c], c) + sa.total(u[c] ** 2, c) / 1000) * many)
    from symattn.steps import StepNumbers

    step = d.steps[0]
    numbers = StepNumbers(sa.hessian(sa.System(bent), of="F", wrt="u"))
    assert numbers.error(step) > 1e-3
