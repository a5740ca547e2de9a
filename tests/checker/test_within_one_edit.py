"""What no single edit makes an identity of is not tried; what one does is found all the same."""

import pytest
import sympy as sp

from symattn.checker.documents import check_text, reading
from symattn.checker.following import _proportional
from symattn.checker.inside import symbols
from symattn.checker.judge import Judge
from symattn.checker.nearby import FEW
from symattn.checker.outline import Outline
from symattn.checker.reached import out_of_reach
from symattn.syntax import System, indices, tensor, total


def claim(formula, before=""):
    """The last statement of a text, and its judge."""
    text = f"{before}\n\n$$ {formula} $$\n"
    found = reading(text)
    return found.statements[-1], Judge(found, Outline(text))


@pytest.mark.parametrize(
    "formula",
    [
        r"a b c = a d",  # b and c are missing
        r"u = v + w",  # u stands alone on the left, and is not to be brought in
        r"a b = a b + c^2",  # nothing cancels c
        r"a b = a b + c + c",  # nor does anybody write c - c
        r"\sum_i p_i q_i r_i = \sum_i p_i",
    ],
)
def test_out_of_reach(formula):
    s, judge = claim(formula)
    assert out_of_reach(s, judge.versions.system(s), FEW)


@pytest.mark.parametrize(
    "formula",
    [
        r"(a + b)^2 = a^2 + 2 a b",  # b^2 is missing, which needs no new name
        r"(a + b)(a + c) = a^2 + a b + b c",
        r"a b c = a b",  # c is missing, one name
        r"a b = a (b + c) + a c",  # a sign, and c is gone
        r"0 = a (b + c) - a b + a c",  # a difference that is to be 0
        r"0 = w \sum_i (x_i + m)",
        r"\frac{\partial}{\partial x} (x^2 y) = x y z",
    ],
)
def test_within_reach(formula):
    s, judge = claim(formula)
    assert not out_of_reach(s, judge.versions.system(s), FEW)


def test_facts_tie_what_is_missing():
    s, judge = claim("a b c = a")
    b, c, e = sp.symbols("b c e", real=True)
    assert out_of_reach(s, judge.versions.system(s), FEW)
    assert not out_of_reach(s, System(facts=[sp.Eq(b, 2 / c)]), FEW)
    assert out_of_reach(s, System(facts=[sp.Eq(e, 2)]), FEW)


@pytest.mark.parametrize(
    ("right", "mended"),
    [
        (r"a^2 - 2 a b - b^2", r"a^2 - 2 a b + b^2"),
        (r"a^2 - a b + b^2", r"a^2 - 2 a b + b^2"),
        (r"a^2 - 2 a b + b^2 + c + c", ""),  # another place than the only wrong one is left alone
    ],
)
def test_a_slip_of_an_identity_is_found(right, mended):
    (row,) = check_text(f"$$ (a - b)^2 = {right} $$\n")
    if mended:
        assert row.verdict == "refuted" and "".join(row.correction.split()) == mended.replace(
            " ", ""
        )
    else:
        assert row.verdict != "proved"


@pytest.mark.parametrize(
    ("formula", "same"),
    [
        (r"2 a - 2 b = 6 c", True),
        (r"-a x = -b x - 3 c x", False),
        (r"a^2 - a b = 3 c", False),
    ],
)
def test_multiples_by_numbers(formula, same):
    s, judge = claim(formula, "$$ a - b = 3 c $$")
    said = judge.versions.statements[0]
    assert said.kind == "claim"
    system = judge.versions.system(s)
    found = _proportional(judge, s, s.lhs - s.rhs, said.lhs - said.rhs, system)
    assert found == same


def test_free_symbols_are_those_of_sympy():
    n, m, c = (*sp.symbols("n m", integer=True, positive=True), sp.Symbol("c"))
    (i,), (j,) = indices("i", n), indices("j", m)
    x, y = tensor("x", n), tensor("y", m)
    for e in (
        c * total(x[i] * total(y[j] * c + x[i], j), i) + x[i],
        sp.exp(-total(y[j] ** 2, j)) / n,
        sp.Sum(x[i] * j, (i, 0, j), (j, 0, m - 1)),
        sp.Product(c + j, (j, 0, m - 1)),
    ):
        assert symbols(e) == e.free_symbols
