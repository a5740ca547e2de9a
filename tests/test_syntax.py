"""Sizes, tensors, definitions and systems; what goes wrong is told with formula and mend."""

import subprocess
import sys

import pytest
import sympy as sp

import symattn as sa
from symattn.errors import DefinitionError, FormulaError, SymattnError

N, M = sa.sizes("n m")
I, J, K = sa.indices("i j k", N)
A_, B_ = sa.indices("a b", M)
X, Y = sa.tensor("x", N), sa.tensor("y", N)
W = sa.tensor("W", N, M)


def test_sizes_are_positive_integers():
    assert N.is_positive and N.is_integer
    assert sa.sizes("n, m") == (N, M)


def test_indices_are_a_tuple_over_the_whole_range():
    (i,) = sa.indices("i", 2 * N - 1)
    assert (i.lower, i.upper) == (0, 2 * N - 2)


@pytest.mark.parametrize("size", [0, -2, sp.Rational(1, 2), sp.Symbol("q", integer=False)])
def test_a_size_that_is_no_size(size):
    with pytest.raises(FormulaError, match="of the indices i is not a positive integer"):
        sa.indices("i", size)


def test_a_tensor_without_sizes_is_a_scalar():
    assert isinstance(sa.tensor("beta"), sp.Symbol)
    assert sa.tensor("T", positive=True).is_positive
    assert sa.tensor("beta").is_real and sa.tensor("beta").is_positive is None


def test_symmetry_needs_equal_axes():
    with pytest.raises(FormulaError, match=r"G with shape \(n, m\) cannot be symmetric"):
        sa.tensor("G", N, M, symmetric=True)
    with pytest.raises(FormulaError, match="both symmetric and antisymmetric"):
        sa.tensor("G", N, N, symmetric=True, antisymmetric=True)


def message(error):
    return str(error.value)


def test_rank_mismatch_names_the_shape():
    with pytest.raises(FormulaError) as error:
        W[I]
    assert "W takes 2 indices, 1 were given" in message(error)
    assert "W[i]" in message(error) and "shape (n, m)" in message(error)
    assert "one index for every axis" in message(error)


def test_total_needs_letters():
    with pytest.raises(FormulaError, match=r"total\(\) needs the indices that it runs") as error:
        sa.total(X[I])
    assert "total(x[i])" in message(error) and "total(expr, j)" in message(error)
    with pytest.raises(FormulaError, match="n is not an index with a range"):
        sa.total(X[I], N)


@pytest.mark.parametrize("condition", [N + 1, X[I], X[I] * (I - J)])
def test_iverson_needs_a_comparison(condition):
    with pytest.raises(FormulaError, match="is not a comparison") as error:
        sa.iverson(condition)
    assert "iverson(j <= i)" in message(error)


def test_iverson_of_a_decided_comparison_is_a_number():
    assert sa.iverson(I <= I) == 1 and sa.iverson(I < I) == 0


def test_delta_keeps_its_letters_and_equals_sympys():
    assert sa.delta(I, J) == sp.KroneckerDelta(I, J) == sa.delta(J, I)
    assert hash(sa.delta(I, J)) == hash(sp.KroneckerDelta(I, J))
    assert sa.delta(I, J) - sp.KroneckerDelta(I, J) == 0
    assert sa.delta(I, I) != 1 and sa.delta(I, J) * sa.delta(I, J) != sa.delta(I, J)


@pytest.mark.parametrize(
    "left, expr, problem, mend",
    [
        ((I,), W[I, A_] * X[I], "the index a occurs once, is not on the left", "total(…, a)"),
        ((), X[I] + Y[I], "the index i occurs once", "put i on the left"),
        ((I,), W[I, J] * X[J], "the index j does not fit slot 2 of W", "order of the indices"),
        ((A_,), W[I, A_] * W[A_, I], "does not fit slot", "order of the indices"),
        ((I,), X[sa.indices("i", M)[0]], "stands for two sizes", "two different letters"),
        (
            (),
            X[I] * Y[I] / X[J] ** 2,
            "the index j is repeated below a fraction bar",
            "1/total(…, j)",
        ),
        (
            (),
            X[J] * (X[J] * Y[J] + 1),
            "summed inside a bracket and occurs outside it",
            "total(…, j)",
        ),
        ((), I, "the index i occurs once, is not on the left", "total(…, i)"),
        ((I,), 0.5 * X[I], "the number 0.500000000000000 is not exact", "sp.Rational('1/2')"),
        ((I,), sa.delta(I, A_), "compares two ranges", "same size"),
        ((I,), X[I * J], "is not an index", "indices()"),
        ((I, I), X[I], "a letter stands twice on the left", "δ on the right"),
        ((sp.Symbol("i"),), X[I], "is not an index with a range", 'indices("i", n)'),
        ((), sp.IndexedBase("w")[I] * X[I], "the tensor w has no shape", 'tensor("w"'),
        (
            (I,),
            sp.Sum(X[J], (J, 1, N - 1)) * X[I],
            "does not run over the whole range",
            "iverson()",
        ),
    ],
)
def test_bad_formulas_are_quoted_and_mended(left, expr, problem, mend):
    with pytest.raises(FormulaError) as error:
        sa.define("D", left, expr)
    text = message(error)
    assert problem in text and mend in text
    shown = ", ".join(map(str, left))
    assert (f"D[{shown}] = {expr}" if left else f"D = {expr}") in text


def test_an_unregistered_function_lists_the_registered():
    with pytest.raises(SymattnError, match="the function zeta is not registered") as error:
        sa.define("D", (I,), sp.zeta(X[I]))
    assert "tanh" in message(error) and "Primitive" in message(error)


def test_a_name_defined_twice():
    d, again = sa.define("D", (I,), X[I]), sa.define("D", (I,), 2 * X[I])
    with pytest.raises(DefinitionError, match="D is defined twice") as error:
        sa.System(d, again)
    assert "D[i] = 2*x[i]" in message(error) and "D[i] = x[i]" in message(error)
    assert "rename" in message(error)


def test_a_cycle_is_shown():
    p, q = sa.tensor("P", N), sa.tensor("Q", N)
    with pytest.raises(DefinitionError, match="P → Q → P") as error:
        sa.System(sa.define("P", (I,), q[I] + 1), sa.define("Q", (I,), p[I] * X[I]))
    assert "P[i] = Q[i] + 1" in message(error)


def test_two_shapes_of_one_tensor():
    other = sa.tensor("x", M)
    with pytest.raises(DefinitionError, match="x is used with two shapes") as error:
        sa.System(sa.define("D", (I, A_), X[I] * other[A_]))
    assert "(n)" in message(error) and "(m)" in message(error)


def test_an_unknown_name_lists_the_known():
    system = sa.System(sa.define("D", (I,), X[I] ** 2))
    for ask in (
        lambda: system["E"],
        lambda: sa.jacobian(system, of="E", wrt="x"),
        lambda: sa.jacobian(system, of="D", wrt="y"),
        lambda: sa.backward(system, output="E", wrt="x"),
    ):
        with pytest.raises(DefinitionError) as error:
            ask()
        assert "D, x" in message(error) and "look at the spelling" in message(error)


def test_a_size_cannot_be_defined():
    with pytest.raises(DefinitionError, match="n is the size of an axis") as error:
        sa.System(sa.define("n", (), X[I] * Y[I]))
    assert "x[i]*y[i]" in message(error)


def test_a_definition_may_be_named_like_an_index():
    system = sa.System(sa.define("i", (), X[I] * Y[I]), sa.define("D", (J,), sp.Symbol("i") * X[J]))
    assert list(system.definitions) == ["i", "D"]
    d = sa.jacobian(system, of="D", wrt="y")
    assert d.check_steps().ok and str(d.expr) == "x[j]*x[m]"


def test_one_tensor_declared_in_two_ways():
    positive, scalar = sa.tensor("x", N, positive=True), sp.Symbol("x", real=True)
    for other in (positive[I], scalar):
        system = sa.System(sa.define("D", (I,), X[I]), sa.define("E", (I,), other * Y[I]))
        with pytest.raises(DefinitionError, match="x is declared in two ways") as error:
            sa.jacobian(system, of="E", wrt="y")
        assert "y[i]" in message(error)


def test_the_name_of_a_definition_finds_it_whatever_was_assumed():
    weights = sa.define("S", (I,), sp.exp(X[I]))  # positive, the symbol below is not said to be
    system = sa.System(sa.define("D", (), sa.tensor("S", N)[I] * Y[I]), weights)
    assert str(sa.jacobian(system, of="D", wrt="S").expr) == "y[i]"
    assert sa.prove(sa.tensor("S", N)[I], sp.exp(X[I]), given=system)


def test_scalars_shadowing_nothing():
    z = sa.define("Z", (), sa.total(sp.exp(X[I]), I))
    system = sa.System(z, sa.define("P", (I,), sp.exp(X[I]) / sp.Symbol("Z")))
    assert str(sa.jacobian(system, of="P", wrt="x").expr) == "(KroneckerDelta(i, m) - P[m])*P[i]"


def test_facts_are_equations():
    with pytest.raises(DefinitionError, match="is not an equation"):
        sa.System(facts=[X[I] <= Y[I]])


def test_the_order_of_definitions_does_not_matter():
    d = sa.define("D", (I,), X[I] ** 2)
    e = sa.define("E", (), d[J] * Y[J])
    assert list(sa.System(e, d).definitions) == list(sa.System(d, e).definitions) == ["D", "E"]


def test_importing_the_package_does_not_import_jax():
    code = "import symattn, sys; print('jax' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "False", done.stdout


@pytest.mark.parametrize("as_input", [True, False])
def test_pi_is_a_number_or_a_name(as_input: bool) -> None:
    x, pi = sp.symbols("x pi", real=True)
    given = sa.System() if as_input else sa.System(sa.define("pi", (), x / sp.sqrt(sp.pi)))
    with pytest.raises(DefinitionError, match="pi is a number and the name of a tensor"):
        sa.prove(pi * x, sp.pi * x, given=given)


def test_pi_is_no_name_beside_the_number_in_a_derivative() -> None:
    x = sp.Symbol("x", real=True)
    system = sa.System(sa.define("pi", (), x / sp.sqrt(sp.pi)))
    with pytest.raises(DefinitionError, match="pi is a number and the name of a tensor"):
        sa.jacobian(system, of="pi", wrt="x")


def test_a_system_names_its_inputs():
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    t, b = sa.tensor("t", positive=True), sa.tensor("b")
    x = sa.tensor("x", n)
    z = sa.define("z", (), b + t)
    assert repr(sa.System(sa.define("L", (), z * sa.total(x[i], i) / n), z)) == (
        "System(z, L; inputs x, b, t)"
    )
    assert repr(sa.System(sa.define("L", (), sa.total(sa.delta(i, i), i)))) == "System(L)"
