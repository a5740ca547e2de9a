"""Inverses, determinants, losses, facts, recursions and undefined functions in documents."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.convert import lower
from symattn.explain import definition_latex
from symattn.normalize import normalize
from symattn.objects import Partial
from symattn.read import ReadError, read


def statuses(text):
    doc = read(text)
    return [sa.prove(c.lhs, c.rhs, given=doc).status for c in doc.claims]


ATTENTION = r"""
$$ S^{ij} = Q^{ia} K^{ja} $$
$$ A^{ij} = \frac{\exp(S^{ij})}{\sum_l \exp(S^{il})} $$
$$ O^{ib} = A^{ij} V^{jb} $$
"""
PROVED = {
    "a matrix times its inverse": r"$$ \sum_j X_{ij} (X^{-1})_{jk} = \delta_{ik} $$",
    "the inverse by components": r"$$ X^{-1}_{ij} X_{jk} = \delta_{ik} $$",
    "an inverse of what is defined": (
        r"$$ S_{ij} = H_{ia} H_{ja} + R_{ij} $$ $$ S_{ij} S^{-1}_{jk} = \delta_{ik} $$"
    ),
    "matrix notation": (
        r"<!-- symattn: sizes A:(n,n) B:(n,n) --> $$ C = A B^{-1} $$ $$ C B = A $$"
    ),
    "a metric": (r"<!-- symattn: metric g; symmetric g --> $$ g^{ac} g_{cb} = \delta^a_b $$"),
    "a loss that nothing defines": (
        ATTENTION
        + r"$$ \frac{\partial L}{\partial Q^{ia}} = \frac{\partial L}{\partial S^{ij}} K^{ja} $$"
    ),
    "an assumption": (
        r"<!-- symattn: assume \sum_c t_{ic} = 1 -->"
        r"$$ L_i = \sum_c t_{ic} z_i $$ $$ L_i = z_i $$"
    ),
    "two assumptions": (
        "<!-- symattn: assume \\sum_c t_c = 1\nassume \\sum_c s_c = 2 -->"
        r"$$ L = \sum_c (t_c + s_c) $$ $$ L = 3 $$"
    ),
    "a function of the same": r"$$ z = f(x) + f(y) - f(y) $$ $$ z = f(x) $$",
}
NOT_PROVED = {
    "a matrix times its own": r"$$ \sum_j X_{ij} (X^{-1})_{kj} = \delta_{ik} $$",
    "the inverse on the other side": (
        r"<!-- symattn: sizes A:(n,n) B:(n,n) --> $$ C = A B^{-1} $$ $$ B C = A $$"
    ),
    "a wrong factor": (
        ATTENTION
        + r"$$ \frac{\partial L}{\partial Q^{ia}} = 7\frac{\partial L}{\partial S^{ij}} K^{ja} $$"
    ),
    "a gradient that is not 0": ATTENTION + r"$$ \frac{\partial L}{\partial V^{jb}} = 0 $$",
    "no assumption": r"$$ L_i = \sum_c t_{ic} z_i $$ $$ L_i = z_i $$",
    "another assumption": (
        r"<!-- symattn: assume \sum_i t_{ic} = 1 -->"
        r"$$ L_i = \sum_c t_{ic} z_i $$ $$ L_i = z_i $$"
    ),
    "a function of something else": r"$$ z = f(x) $$ $$ z = f(y) $$",
    "another function": r"$$ z = f(x) $$ $$ z = f'(x) $$",
}


@pytest.mark.parametrize("what", list(PROVED))
def test_proved(what):
    assert statuses(PROVED[what]) == ["proved"]


@pytest.mark.parametrize("what", list(NOT_PROVED))
def test_not_proved(what):
    assert statuses(NOT_PROVED[what]) != ["proved"]


def test_a_declared_loss_is_a_function_of_what_is_said():
    doc = read(
        "<!-- symattn: loss L of O -->"
        + ATTENTION
        + r"$$\frac{\partial L}{\partial V^{jb}} = A^{ij} \frac{\partial L}{\partial O^{ib}}$$"
    )
    (claim,) = doc.claims
    assert [x.args[0] for x in (claim.lhs, *claim.rhs.atoms(Partial))] == [sa.loss("L", "O")] * 2


def test_an_assumption_is_a_fact_and_no_statement():
    doc = read(PROVED["an assumption"])
    assert [str(f.lhs) for f in doc.facts] == ["Sum(t[i, c], (c, 0, n_c - 1))"]
    assert len(doc.equations) == 2


@pytest.mark.parametrize(
    "text",
    [
        r"$$ L_i = \sum_c t_{ic} z_i $$ $$ L_i = z_i \quad \text{since } \sum_c t_{ic} = 1 $$",
        r"Here $x$, where $\sum_c t_{ic} = 1$. $$ L_i = \sum_c t_{ic} z_i $$ $$ L_i = z_i $$",
        r"Since $\sum_c t_{ic} = 1$, $$ L_i = \sum_c t_{ic} z_i $$ $$ L_i = z_i $$",
    ],
)
def test_a_reason_that_is_given_is_a_fact(text):
    assert statuses(text) == ["proved"]
    assert len(read(text).facts) == 1


def test_what_is_said_in_passing_is_no_fact():
    text = r"Words about $\sum_c t_{ic} = 1$. $$ L_i = \sum_c t_{ic} z_i $$ $$ L_i = z_i $$"
    assert not read(text).facts
    doc = read(r"$$ y = 2 x \quad \text{since } x = z $$")
    assert set(doc.definitions) == {"x", "y"} and not doc.facts


def test_a_bad_assumption_is_an_error_with_its_place():
    with pytest.raises(ReadError) as caught:
        read("<!-- symattn: assume \\sum_c t_{c = 1 -->\n$$ z = t_c u_c $$")
    assert caught.value.line == 1


RECURSIONS = [
    r"$$ x_{t+1} = A x_t $$",
    r"$$ h_t = \tanh(w h_{t-1} + u_t) $$",
    r"$$ m_t = b m_{t-1} + (1 - b) g_t $$",
    r"$$ h^{(l)}_i = W^{(l)}_{ij} h^{(l-1)}_j $$",
]


@pytest.mark.parametrize("text", RECURSIONS)
def test_a_recursion_defines_nothing_and_claims_nothing(text):
    doc = read(rf"<!-- symattn: scalars A w b --> {text}")
    assert [q.kind for q in doc.equations] == ["recursion"]
    assert not doc.claims and not doc.definitions
    assert set(doc.unresolved) <= {"x", "h", "m"} and doc.unresolved


def test_what_is_shifted_on_one_side_alone_is_a_definition():
    doc = read(r"$$ v_t = x_t - x_{t-1} $$")
    assert list(doc.definitions) == ["v"] and not doc.unresolved


def test_about_equal_is_a_numeric_statement():
    doc = read(r"$$ x = 2.718 $$ $$ \log x \approx 1 $$")
    assert [q.kind for q in doc.equations] == ["definition", "numeric"]
    assert not doc.claims


def test_differentials_are_tied():
    assert read(r"$$ y_i = dA_{ij} x_j $$").unresolved == {"dA": "a differential"}
    assert not read(r"$$ dA_{ij} = x_i x_j $$ $$ y_i = dA_{ij} x_j $$").unresolved


@pytest.mark.parametrize(
    "text",
    [
        r"r = \det A",
        r"r = \log\det A",
        r"r = \log|A|",
        r"r = |A|",
        r"r = \mathrm{tr}(A)",
        r"r_{ik} = A^{-1}_{ij} A_{kj}",
        r"r = \sum_{ij} A^{-1}_{ij} x_i x_j",
        r"r = f(\sum_i x_i^2) f'(y)",
    ],
)
def test_what_is_printed_is_read_again(text):
    declared = "<!-- symattn: sizes A:(n,n) x:(n) y:() -->"
    d = read(rf"{declared} $$ {text} $$")["r"]
    again = read(f"{declared} $$ {definition_latex(d)} $$")["r"]
    forms = [normalize(lower(x.expr, x.indices)) for x in (d, again)]
    assert forms[0] is forms[1], definition_latex(d)


def test_what_rests_on_convention_is_listed():
    doc = read(r"$$ y = W x $$")
    assert set(doc.assumed) == {"W", "x"}
    assert "matrix" in doc.assumed["W"] and "vector" in doc.assumed["x"]
