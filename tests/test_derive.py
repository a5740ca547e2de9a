"""Jacobians and backward passes for all sizes, with steps that are re-checked one by one."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn import normalize as nf
from symattn.evaluate import Evaluator
from symattn.ir import number

N, M = sa.sizes("n m")
I, J, K = sa.indices("i j k", N)
(A_,) = sa.indices("a", M)
X, Y = sa.tensor("x", N), sa.tensor("y", N)
W = sa.tensor("W", N, N)
G = sa.tensor("G", N, N, symmetric=True)
F = sa.tensor("F", N, N, antisymmetric=True)
T = sa.tensor("T", positive=True)


def make_attention():
    n_q, n_k, d_k, d_v = sa.sizes("n_q n_k d_k d_v")
    (i,), (j, l) = sa.indices("i", n_q), sa.indices("j l", n_k)
    (a,), (b,) = sa.indices("a", d_k), sa.indices("b", d_v)
    q, k, v = sa.tensor("Q", n_q, d_k), sa.tensor("K", n_k, d_k), sa.tensor("V", n_k, d_v)
    s = sa.define("S", (i, j), q[i, a] * k[j, a] / sp.sqrt(d_k))
    w = sa.define("A", (i, j), sp.exp(s[i, j]) / sa.total(sp.exp(s[i, l]), l))
    return sa.System(s, w, sa.define("O", (i, b), w[i, j] * v[j, b]))


@pytest.fixture(scope="module")
def attention():
    return make_attention()


@pytest.fixture(scope="module")
def gradients(attention):
    return sa.backward(attention, output="O", wrt=("Q", "K", "V", "A", "S"))


def test_softmax_jacobian(attention):
    d = sa.jacobian(attention, of="A", wrt="S")
    assert str(d.lhs) == "dA[i, j]/dS[m, n]"
    assert str(d.expr) == "(KroneckerDelta(j, n) - A[i, n])*KroneckerDelta(i, m)*A[i, j]"
    assert d.equation() == (
        r"\frac{\partial A^{ij}}{\partial S^{mn}} = "
        r"\delta^i_m A^{ij} \left(\delta^j_n - A^{in}\right)"
    )
    assert d.steps[0].rule == "differentiate the definition of `A`"
    assert len(d.steps) >= 3 and d.check_steps().ok


LINES = {
    "V": r"\bar V^{jb} = A^{ij} \bar O^{ib}",
    "A": r"\bar A^{ij} = \bar O^{ib} V^{jb}",
    "S": r"\bar S^{ij} = A^{ij} \left(\bar A^{ij} - \sum_{l} A^{il} \bar A^{il}\right)",
    "Q": r"\bar Q^{ia} = \frac{1}{\sqrt{d_k}} \bar S^{ij} K^{ja}",
    "K": r"\bar K^{ja} = \frac{1}{\sqrt{d_k}} \bar S^{ij} Q^{ia}",
}
MATRICES = {
    "V": r"\bar V = A^\top \bar O",
    "A": r"\bar A = \bar O V^\top",
    "S": r"\bar S = A \circ \left(\bar A - \mathrm{rowsum}(A \circ \bar A)\right)",
    "Q": r"\bar Q = \tfrac{1}{\sqrt{d_k}} \bar S K",
    "K": r"\bar K = \tfrac{1}{\sqrt{d_k}} \bar S^\top Q",
}


@pytest.mark.parametrize("name", LINES)
def test_backward_of_attention(gradients, name):
    d = gradients[name]
    assert d.equation() == LINES[name]
    assert d.matrix_form() == MATRICES[name]
    assert len(d.steps) >= 2
    report = d.check_steps()
    assert report.ok and len(report) == len(d.steps)
    assert all(c.symbolic and c.numeric < 1e-6 for c in report)


def test_the_record_joins_end_to_end(gradients):
    for d in gradients.values():
        for first, second in zip(d.steps, d.steps[1:], strict=False):
            assert first.raw_after is second.raw_before
        assert d.steps[-1].raw_after is d.shown
        assert nf.normalize(d.raw) is d.normal


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("factor", [-1, 2])
def test_a_step_that_was_tampered_with_is_found(gradients, name, factor):
    d = gradients[name]
    for k, step in enumerate(d.steps):
        wrong = replace(step, raw_after=nf.multiply(number(factor), nf.normalize(step.raw_after)))
        steps = (*d.steps[:k], wrong, *d.steps[k + 1 :])
        report = replace(d, recorded=steps, settled=True).check_steps()
        assert not report.ok and not report
        assert [c.ok for c in report] == [j != k for j in range(len(d.steps))]
        assert not report[k].symbolic and report[k].numeric > 1e-3


def test_a_step_with_another_index_is_found(gradients):
    d, other = gradients["Q"], gradients["S"]
    swapped = replace(d.steps[-1], raw_after=other.steps[-1].raw_after)
    with pytest.raises(sa.SymattnError):  # another set of free indices
        replace(d, recorded=(swapped,), settled=True).check_steps()


def differences(function, at, step=1e-6):
    columns = []
    for position in np.ndindex(at.shape):
        shift = np.zeros_like(at)
        shift[position] = step
        columns.append((function(at + shift) - function(at - shift)) / (2 * step))
    return np.stack(columns, axis=-1).reshape((*columns[0].shape, *at.shape))


def against_differences(system, of, wrt):
    from symattn.model import model
    from symattn.sample import draw, symmetrized

    m, sizes = model(system), {"n": 3, "m": 2}
    rng = np.random.default_rng(5)
    given = {n: draw(t, sizes, rng) for n, t in m.inputs.items()}
    d = sa.jacobian(system, of=of, wrt=wrt)
    assert d.check_steps().ok
    at = np.asarray(Evaluator(given, sizes, model=m).definition(wrt), float)
    tensor = m.tensor(wrt)
    got = Evaluator(given, sizes, model=m)(d.normal, d.indices)
    wanted = differences(
        lambda v: np.asarray(
            Evaluator({**given, wrt: symmetrized(tensor, v)}, sizes, model=m).definition(of)
        ),
        at,
    )
    np.testing.assert_allclose(got, wanted, rtol=1e-7, atol=1e-7)
    return d


Z = sa.define("Z", (), sa.total(sp.exp(-X[I] / T), I))
P = sa.define("P", (I,), sp.exp(-X[I] / T) / Z.tensor)
FREE = sa.define("E", (), -T * sp.log(Z))
SQUARE = sa.define("D", (I,), X[I] ** 2)
CASES = {
    "square, of either sign": ([SQUARE], "D", "x"),
    "reciprocal": ([sa.define("D", (I,), 1 / X[I])], "D", "x"),
    "cube": ([sa.define("D", (I,), X[I] ** 3)], "D", "x"),
    "quadratic form": ([sa.define("D", (), W[I, J] * X[I] * X[J])], "D", "x"),
    "temperature": ([Z, FREE], "E", "T"),
    "energy": ([Z, P, FREE], "E", "x"),
    "Gibbs weights by temperature": ([Z, P], "P", "T"),
    "mask": ([sa.define("D", (I,), sa.iverson(J <= I) * X[J] ** 2)], "D", "x"),
    "delta": ([sa.define("D", (I, J), sa.delta(I, J) * X[I] ** 2 + X[I] * X[J])], "D", "x"),
    "mask in a function": ([sa.define("D", (I, J), sp.exp(sa.iverson(J <= I) * X[J]))], "D", "x"),
    "affine": ([sa.define("D", (I,), sa.tensor("R", 2 * N - 1)[I - J + N - 1] * X[J])], "D", "R"),
    "trace": ([sa.define("D", (), W[I, J] * W[J, I])], "D", "W"),
    "symmetric": ([sa.define("D", (), G[I, J] * X[I] * Y[J])], "D", "G"),
    "symmetric squared": ([sa.define("D", (I, K), G[I, J] * G[J, K])], "D", "G"),
    "antisymmetric": ([sa.define("D", (), F[I, J] * W[I, J])], "D", "F"),
    "a factor that may be zero": ([sa.define("D", (I, J), Y[I] * sp.exp(W[I, J]))], "D", "y"),
    "root": ([sa.define("D", (), sp.sqrt(sa.total(X[I] ** 2, I)))], "D", "x"),
    "symbolic power": ([sa.define("D", (I,), sp.exp(X[I]) ** T)], "D", "T"),
    "definition of a definition": ([SQUARE, sa.define("H", (), SQUARE[I] * Y[I])], "H", "x"),
    "of itself": ([SQUARE], "D", "D"),
    "two on the way": ([Z, SQUARE, sa.define("H", (I,), SQUARE[I] * Z)], "H", "x"),
}


@pytest.mark.parametrize("name", CASES)
def test_jacobian_against_differences(name):
    definitions, of, wrt = CASES[name]
    if name == "of itself":
        d = sa.jacobian(sa.System(*definitions), of=of, wrt=wrt)
        assert str(d.expr) == "KroneckerDelta(i, m)" and d.check_steps().ok
    else:
        against_differences(sa.System(*definitions), of, wrt)


def test_a_square_is_not_read_backwards_as_a_root():
    d = sa.jacobian(sa.System(SQUARE), of="D", wrt="x")
    assert str(d.expr) == "2*KroneckerDelta(i, m)*x[i]"


def test_recognising_does_not_divide_by_what_may_be_zero():
    d = sa.define("D", (I, J), Y[I] * sp.exp(W[I, J]))
    assert str(sa.jacobian(sa.System(d), of="D", wrt="y").expr) == (
        "exp(W[i, j])*KroneckerDelta(i, m)"
    )


def test_derivative_by_a_symmetric_tensor_is_symmetrised():
    system = sa.System(sa.define("D", (), G[I, J] * X[I] * Y[J]))
    assert str(sa.jacobian(system, of="D", wrt="G").expr) == "x[i]*y[j]/2 + x[j]*y[i]/2"
    g = sa.backward(system, output="D", wrt="G")["G"]
    assert g.check_steps().ok and str(g.expr) == "D_bar*(x[i]*y[j] + x[j]*y[i])/2"


def test_second_derivatives_of_a_former_result():
    """The Jacobian of softmax as a definition, differentiated again."""
    p = sa.define("P", (I,), sp.exp(X[I]) / sa.total(sp.exp(X[J]), J))
    first = sa.jacobian(sa.System(p), of="P", wrt="x")
    assert str(first.expr) == "(KroneckerDelta(i, m) - P[m])*P[i]"
    h = sa.define("H", (I, K), sa.delta(I, K) * p[I] - p[I] * p[K])
    against_differences(sa.System(p, h), "H", "x")


@pytest.mark.parametrize("name", ["L", "i", "m", "O"])
def test_names_that_derivations_use_themselves(name):
    inner = sa.define("D", (I,), W[I, J] * X[J])
    system = sa.System(inner, sa.define(name, (), inner[I] ** 2))
    g = sa.backward(system, output=name, wrt=("x", "W", "D"))
    assert all(d.check_steps().ok for d in g.values())


@pytest.mark.parametrize("name", ["D_bar", "x_bar"])
def test_a_definition_with_the_name_of_a_gradient(name):
    system = sa.System(SQUARE, sa.define(name, (), SQUARE[I] * X[I]))
    g = sa.backward(system, output=name, wrt=("x", "D"))
    assert {d.name for d in g.adjoints.values()}.isdisjoint(system.definitions)
    assert all(d.check_steps().ok for d in g.values())
    assert sa.verify(g).ok


@pytest.mark.parametrize("name", ["x_dot", "x_bar", "y_bar", "y_dot", "x_bar_dot", "x_dot2"])
def test_an_input_with_the_name_of_a_tangent_is_no_tangent(name):
    other = sa.tensor(name, N)
    y = sa.define("y", (), sa.total(X[I] ** 2 * other[I], I))
    system = sa.System(y)
    t = sa.jvp(system, output="y", wrt=("x",))["y"]
    (tangent,) = {b for b in t.expr.atoms(sp.IndexedBase) if str(b.label) not in ("x", name)}
    assert sa.prove(t.expr, sa.total(2 * X[I] * other[I] * tangent[I], I))
    assert t.check_steps().ok and sa.verify(t).ok
    g = sa.backward(system, output="y", wrt=("x", name))
    h = sa.hvp(system, of="y", wrt="x")
    for d in (*g.values(), h):
        assert d.check_steps().ok and d.name != name
    assert sa.verify(g).ok and sa.verify(h).ok


def test_a_scalar_among_the_gradients():
    g = sa.backward(sa.System(Z, FREE), output="E", wrt=("T", "x"))
    assert g["T"].check_steps().ok and g["x"].check_steps().ok
    assert str(g["x"].expr) == "E_bar*exp(-x[i]/T)/Z"
    assert g.upstream == "E_bar" and list(g) == ["T", "x"]
    assert list(g.adjoints) == ["E", "Z", "T", "x"]


def test_without_a_word_on_it_gradients_are_by_all_inputs_of_the_output(attention, gradients):
    every = sa.backward(attention, output="O")
    assert set(every) == {"Q", "K", "V"}  # and by no size, of which d_k stands under a root
    assert str(every["Q"]) == str(gradients["Q"])
    unused = sa.System(sa.define("z", (I,), X[I] ** 2), sa.define("u", (I,), X[I] * Y[I]))
    assert set(sa.backward(unused, output="z")) == {"x"}


def test_what_the_output_does_not_depend_on():
    system = sa.System(Z, SQUARE)
    with pytest.raises(sa.DefinitionError, match="D does not depend on T") as error:
        sa.backward(system, output="D", wrt=("x", "T"))
    assert "leave T out" in str(error.value)
    with pytest.raises(sa.DefinitionError, match="the output x is an input"):
        sa.backward(system, output="x", wrt=("x",))
    with pytest.raises(sa.DefinitionError, match="no gradient with respect to 'T'"):
        sa.backward(system, output="D", wrt=("x",))["T"]


SCRIPT = """
import sympy as sp, symattn as sa
n_q, n_k, d_k, d_v = sa.sizes("n_q n_k d_k d_v")
(i,), (j, l) = sa.indices("i", n_q), sa.indices("j l", n_k)
(a,), (b,) = sa.indices("a", d_k), sa.indices("b", d_v)
Q, K, V = sa.tensor("Q", n_q, d_k), sa.tensor("K", n_k, d_k), sa.tensor("V", n_k, d_v)
S = sa.define("S", (i, j), Q[i, a] * K[j, a] / sp.sqrt(d_k))
A = sa.define("A", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, l]), l))
O = sa.define("O", (i, b), A[i, j] * V[j, b])
att = sa.System(S, A, O)
g = sa.backward(att, output="O", wrt=("Q", "K", "V"))
for d in (sa.jacobian(att, of="O", wrt="Q"), *g.values()):
    print(d.latex(), d.matrix_form(), d.expr, d.lhs)
"""


def test_output_does_not_depend_on_the_hash_seed():
    texts = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(texts) == 1 and len(texts.pop()) > 1000


def test_a_gaussian_kernel_is_recognised_in_its_gradient():
    """The exponent has three terms, and the one with all letters says which component it is."""
    (i,), (j,), (a,) = sa.indices("i", N), sa.indices("j", M), sa.indices("a", sa.sizes("d")[0])
    x, y = sa.tensor("X", N, a.upper + 1), sa.tensor("Y", M, a.upper + 1)
    kernel = sa.define("K", (i, j), sp.exp(-sa.total((x[i, a] - y[j, a]) ** 2, a) / 2))
    d = sa.jacobian(sa.System(kernel), of="K", wrt="X")
    assert d.latex().endswith(
        r"\delta^i_p K^{ij} \left(Y^{jq} - X^{iq}\right) && \text{take out common factors}"
        "\n\\end{aligned}"
    )
    assert d.check_steps().ok


def test_an_exponent_whose_terms_have_different_letters_is_recognised():
    (i,), (j,) = sa.indices("i", N), sa.indices("j", M)
    x, y = sa.tensor("x", N), sa.tensor("y", M)
    outer = sa.define("K", (i, j), sp.exp(x[i] - 2 * y[j]))
    d = sa.jacobian(sa.System(outer), of="K", wrt="y")
    assert d.latex().splitlines()[-2].startswith(r"&= -2 \delta^j_p K^{ij}")
    twice = sa.define("L", (i, j), sp.exp(x[i] - 2 * y[j]) * sp.exp(x[i]))  # is not K
    assert "K" not in sa.jacobian(sa.System(outer, twice), of="L", wrt="y").latex()


def test_letters_do_not_hang_on_what_was_derived_before():
    texts = [
        r"P_{ij} = \sigma(s_i - s_j)",
        r"P_{ij} = \frac{e^{s_i}}{e^{s_i} + e^{s_j}}",
        r"P_{ij} = \frac{e^{s_i}}{e^{s_j} + e^{s_i}}",
    ]
    loss = r"$$ L = -\sum_{ij} W_{ij} \log P_{ij} $$"
    systems = [sa.read(f"$$ {t} $$\n{loss}") for t in texts]
    printed = [sa.jacobian(s, of="L", wrt="s").equation() for s in systems]
    assert all(p.startswith(r"\frac{\partial L}{\partial s_i} = \sum_{j}") for p in printed)


def test_letters_are_no_sizes_and_a_delta_with_a_number_says_which_component_it_is():
    """T_ia = [i = n − 1] Σ_f X_if; the last row alone has a gradient."""
    (i,), (a,), (f,) = sa.indices("i", N), sa.indices("a", M), sa.indices("f", 3)
    x = sa.tensor("X", N, 3)
    last = sa.define("T", (i, a), sa.delta(i, N - 1) * sa.total(x[i, f], f))
    g = sa.backward(sa.System(last), output="T", wrt=("X",))["X"]
    assert g.check_steps().ok
    assert r"\bar T^{m" not in g.latex() and "m}" not in g.latex() and r"^{n}" not in g.latex()
    other = sa.total(x[N - 1, f], f) * sa.delta(i, N - 1)
    assert sa.prove(sa.delta(i, N - 1) * sa.total(x[i, f], f), other).status == "proved"
    near = sa.total(x[N - 2, f], f) * sa.delta(i, N - 1)
    assert sa.prove(sa.delta(i, N - 1) * sa.total(x[i, f], f), near).status == "refuted"
    beyond = sa.delta(i, N)  # i = n modulo n is 0
    assert sa.prove(beyond * x[i, f], beyond * x[0, f]).status == "proved"


def test_two_sums_of_one_kind_are_two_factors():
    """e^{Σ_c x_c} e^{Σ_a x_a} + e is e^{2 Σ x} + e, in whatever bracket it is printed."""
    (a, b, c), (j, l) = sa.indices("a b c", M), sa.indices("j l", N)
    x, t = sa.tensor("K", N, M), sa.tensor("T", N, N, M)
    both = sp.exp(sa.total(x[j, c], c)) * sp.exp(sa.total(x[j, a], a))
    front = sa.total(x[l, c], l, c) * sp.exp(sa.total(t[N - 1 - j, j, b], b))
    d = sa.define("D", (j,), front * (both + sp.E))
    g = sa.backward(sa.System(d), output="D", wrt=("K",))["K"]
    assert g.check_steps().ok
    assert "exp(2*Sum(K" in str(g.expr) and "exp(Sum(K" not in str(g.expr)


def test_steps_hold_where_a_formula_has_values():
    n, m = sa.sizes("n m")
    (i,), (a,) = sa.indices("i", n), sa.indices("a", m)
    B, x, s = sa.tensor("B", n, m), sa.tensor("x", n), sa.tensor("s")
    for formula in (
        sp.sqrt(-s) * x[i],
        sp.log(x[i]) * B[i, a],
        sp.log(-s + B[i, a] * x[i]),
        sp.sqrt(sp.log(B[i, a])) * x[i],
    ):
        d = sa.define("D", (i, a), formula)
        assert sa.jacobian(sa.System(d), of="D", wrt="x").check_steps()


def test_a_step_that_is_wrong_where_the_formula_has_values_is_seen():
    n = sa.sizes("n")[0]
    (i,) = sa.indices("i", n)
    x = sa.tensor("x", n)
    found = sa.jacobian(sa.System(sa.define("D", (i,), sp.log(x[i]))), of="D", wrt="x")
    first, *rest = found.steps
    wrong = replace(first, raw_after=nf.scale(first.raw_after, 2))
    assert not replace(found, recorded=(wrong, *rest)).check_steps()


@pytest.mark.parametrize("formula", ["total", "number", "mask"])
def test_no_letter_is_called_as_a_size(formula):
    n, m = sa.sizes("n m")
    (i,), (a,) = sa.indices("i", n), sa.indices("a", m)
    x = sa.tensor("x", n)
    more = {"total": sa.total(x[i], a), "number": x[i] * m, "mask": x[i] * sa.iverson(n <= m)}
    found = sa.jacobian(sa.System(sa.define("D", (i,), x[i] * more[formula])), of="D", wrt="x")
    assert [index.name for index in found.indices] == ["i", "p"]
