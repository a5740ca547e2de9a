"""Tensors that are declared to have a sign: what follows from it, and what does not."""

import pytest
import sympy as sp

import symattn as sa

(N,) = sa.sizes("n")
(I,) = sa.indices("i", N)
X = {  # by what is said of every component
    kind: sa.tensor("x", N, **({kind: True} if kind != "real" else {}))[I]
    for kind in ("positive", "nonnegative", "negative", "nonpositive", "nonzero", "real")
}
Y = sa.tensor("y", N)[I]
HOLD = (  # left, right, of which x it holds; elsewhere a counterexample is found
    (lambda x: abs(x), lambda x: x, {"positive", "nonnegative"}),
    (lambda x: abs(x), lambda x: -x, {"negative", "nonpositive"}),
    (lambda x: sp.sqrt(x**2), lambda x: -x, {"negative", "nonpositive"}),
    (lambda x: sp.sign(x) * Y, lambda x: Y, {"positive"}),
    (lambda x: sp.sign(x) * Y, lambda x: -Y, {"negative"}),
    (lambda x: sp.Max(x, 0), lambda x: x, {"positive", "nonnegative"}),
    (lambda x: sp.Max(x, 0) + Y, lambda x: Y, {"negative", "nonpositive"}),
    (lambda x: abs(x) ** 3, lambda x: -(x**3), {"negative", "nonpositive"}),
)


@pytest.mark.parametrize("kind", X)
@pytest.mark.parametrize("left, right, kinds", HOLD)
def test_what_a_sign_says(left, right, kinds, kind):
    x = X[kind]
    found = sa.prove(sa.define("f", (I,), left(x)), right(x))
    assert found.status == ("proved" if kind in kinds else "refuted")


@pytest.mark.parametrize("kind", X)
def test_a_sign_goes_through_definitions(kind):
    """Where SymPy knows nothing of it: u is x by a definition."""
    system = sa.System(sa.define("u", (I,), X[kind]))
    u = system["u"].tensor[I]
    for right, kinds in ((u, {"positive", "nonnegative"}), (-u, {"negative", "nonpositive"})):
        found = sa.prove(sa.define("f", (I,), abs(u)), right, given=system)
        assert found.status == ("proved" if kind in kinds else "refuted")


@pytest.mark.parametrize("kind", ["positive", "negative", "nonpositive"])
def test_the_proof_by_a_sign_is_certified(kind):
    x = X[kind]
    right = x if kind == "positive" else -x
    found = sa.prove(sa.define("f", (I,), abs(x)), right, certificate=True)
    assert sa.second_opinion.check(found.certificate).ok
    other = {"positive": "negative"}.get(kind, "positive")
    text = str(found.certificate)
    sign = {"positive": "'+'", "negative": "'-'", "nonpositive": "'0-'"}
    assert sign[kind] in text and sign[other] not in text


def test_two_signs_of_one_tensor_are_an_error():
    with pytest.raises(sa.SymattnError, match="x cannot be both positive and negative"):
        sa.tensor("x", N, positive=True, negative=True)


@pytest.mark.parametrize("kind", [k for k in X if k != "real"])
def test_a_formula_in_latex_has_the_signs_of_the_system(kind):
    s = sp.Symbol("s", **{kind: True})
    system = sa.System(sa.define("b", (I,), s * X[kind] ** 2))
    assert sa.prove(r"\frac{\partial b_i}{\partial s} = x_i^2", given=system).status == "proved"
    assert sa.prove(r"\frac{\partial b_i}{\partial s} = -x_i^2", given=system).status == "refuted"
    for sign, kinds in (("", {"positive", "nonnegative"}), ("-", {"negative", "nonpositive"})):
        for name in ("s", "x_i"):
            known = sa.prove(rf"|{name}| = {sign} {name}", given=system).status
            assert known == ("proved" if kind in kinds else "refuted")
