"""What is asked for, by its name or by the object that bears it; and what is no name."""

import pytest
import sympy as sp

import symattn as sa
from symattn.errors import DefinitionError, FormulaError

(N, D) = sa.sizes("n d")
(I,), (A,) = sa.indices("i", N), sa.indices("a", D)
X, W = sa.tensor("x", N, D), sa.tensor("w", D)
C = sp.Symbol("c", real=True)
S = sa.define("s", (I,), C * X[I, A] * W[A])
L = sa.define("L", (), sa.total(S[I] ** 2, I))
SYSTEM = sa.System(S, L)
OBJECTS = {"w": (W, W[A]), "x": (X, X[I, A]), "c": (C,), "s": (S, S[I])}


@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_stands_for_its_name(name):
    by_name = sa.jacobian(SYSTEM, of="L", wrt=name).equation()
    gradient = sa.backward(SYSTEM, output="L", wrt=(name,))[name].equation()
    second = sa.hessian(SYSTEM, of="L", wrt=name).equation()
    for what in OBJECTS[name]:
        assert sa.jacobian(SYSTEM, of=L, wrt=what).equation() == by_name
        assert sa.hessian(SYSTEM, of=L, wrt=what).equation() == second
        for wrt in (what, (what,), [what]):
            assert sa.backward(SYSTEM, output=L, wrt=wrt)[name].equation() == gradient
    assert [*sa.hessian(SYSTEM, of=L, wrt=(W, C))] == ["w", "c"]
    tangents = sa.jvp(SYSTEM, output=L, wrt=(W, "c"))
    assert str(tangents) == str(sa.jvp(SYSTEM, output="L", wrt=("w", "c")))


def test_an_object_that_is_not_there_is_named():
    with pytest.raises(DefinitionError, match="there is no tensor 'q' in the system"):
        sa.jacobian(SYSTEM, of=L, wrt=sa.tensor("q", D)[A])


@pytest.mark.parametrize(
    "make, problem",
    [
        (lambda: sa.define("z", (I,), "y[i]"), "the right side of z is text"),
        (lambda: sa.define(W, (I,), X[I, A] * W[A]), "w is not a name"),
        (lambda: sa.sizes(3), "3 is not a name"),
        (lambda: sa.tensor("q", "n"), "q with an axis of size 'n', which is text"),
    ],
)
def test_what_is_no_name_and_no_expression_is_said(make, problem):
    with pytest.raises(FormulaError, match=problem):
        make()


def test_a_report_is_one_line(tmp_path):
    path = tmp_path / "doc.md"
    path.write_text("$$ s_i = z_i^2 $$\n\n$$ \\frac{\\partial s_i}{\\partial z_j} = 2 z_i $$\n")
    report = sa.check(path)
    assert repr(report) == f"Report({report.summary()})"
    assert "\n" not in repr(report)


@pytest.mark.parametrize(
    "ask, problem, mend",
    [
        (
            lambda s: sa.jacobian(s, of="L", wrt=("w", "X")),
            "one name is asked for here, not 2",
            "each",
        ),
        (lambda s: sa.backward(s, output="z", wrt=()), "no name is given", 'wrt=("w",)'),
        (lambda s: sa.jacobian(s, of="L", wrt="W"), "there is no tensor 'W'", "did you mean w?"),
        (lambda s: sa.jacobian(s, of="L", wrt="Q"), "there is no tensor 'Q'", "add its definition"),
    ],
)
def test_names_that_are_none(ask, problem, mend):
    system = sa.read(r"z_i = \sum_a X_{ia} w_a" + "\n" + r"L = \sum_i z_i^2")
    with pytest.raises(DefinitionError) as caught:
        ask(system)
    assert problem in caught.value.problem and mend in caught.value.mend
