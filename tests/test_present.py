"""How results are printed: equal to what was derived, shorter, and in the author's notation."""

import re
import sys

import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn import normalize as nf
from symattn.convert import with_letters
from symattn.errors import SymattnError
from symattn.evaluate import Evaluator
from symattn.explain import _broken, finished, present, search
from symattn.explain.collect import collected
from symattn.explain.facing import turned
from symattn.explain.search import presenter
from symattn.logistic import apart, fractions_apart, hyperbolic, logistic
from symattn.model import model
from symattn.testing import assert_gradient

N, M, D = sa.sizes("n m d")
(I, J), (K, L), (A,) = sa.indices("i j", N), sa.indices("k l", M), sa.indices("a", D)
X, Y, Z = sa.tensor("X", N, D), sa.tensor("Y", M, D), sa.tensor("Z", N, M)
x, y, z = sa.tensor("x", N), sa.tensor("y", N), sa.tensor("z", N)
SIZES = {"n": 3, "m": 4, "d": 2}


def normal(expr, *letters):
    return model(sa.System(sa.define("W", letters, expr))).bodies["W"].normal


def values(poly, letters=(), seed=5):
    """The value at random arrays of both signs."""
    draw = np.random.default_rng(seed)
    shapes = {"x": "n", "y": "n", "z": "n", "X": "nd", "Y": "md", "Z": "nm"}
    arrays = {t: draw.standard_normal([SIZES[s] for s in shape]) for t, shape in shapes.items()}
    arrays |= {"s": 0.7, "t": -1.3, "c": 0.4}
    return np.asarray(Evaluator(arrays, SIZES)(poly, letters))


@pytest.mark.parametrize(
    ("expr", "letters", "printed"),
    [
        (Z[I, K] * Y[K, A] - Z[I, L] * X[J, A] * Y[L, A] / 2, (I, J, A), None),
        (
            sa.total(Z[I, K] * Z[I, L] * Y[L, A], I, L) - sa.total(Z[I, K] * X[I, A], I),
            (K, A),
            "Sum((-X[i, a] + Sum(Y[j, a]*Z[i, j], (j, 0, m - 1)))*Z[i, k], (i, 0, n - 1))",
        ),
        (x[I] ** 2 - 2 * x[I] * y[I] + y[I] ** 2, (I,), "(x[i] - y[i])**2"),
        (
            sa.total(x[I] ** 2, I) - 2 * sa.total(x[I] * y[I], I) + sa.total(y[I] ** 2, I),
            (),
            "Sum((x[i] - y[i])**2, (i, 0, n - 1))",
        ),
        # nearly a square; a sum that another term needs by itself
        (x[I] ** 2 - 2 * x[I] * y[I] + 2 * y[I] ** 2, (I,), None),
        (sa.total(x[I] * y[I], I) + z[J] * sa.total(x[I], I), (J,), None),
    ],
)
def test_collected(expr, letters, printed):
    poly = normal(expr, *letters)
    found = with_letters(collected(poly), {}, frozenset(i.name for i in letters))
    assert nf.normalize(found) is poly
    if printed:
        from symattn.convert import raise_

        assert str(raise_(found)) == printed
    own = model(sa.System(sa.define("W", letters, expr))).bodies["W"].indices
    np.testing.assert_allclose(values(found, own), values(poly, own), rtol=1e-12)


def test_a_sum_in_the_bracket_of_the_same_sum_is_not_captured():
    """Σ_i x_i y_i + (Σ_i x_i y_i) Σ_i x_i: the common factor takes the first sum's letter along."""
    s = sa.total(x[I] * y[I], I)
    poly = normal(s + s * sa.total(x[J] * z[J], J))
    found = with_letters(collected(poly), {}, frozenset())
    assert nf.normalize(found) is poly
    np.testing.assert_allclose(values(found), values(poly), rtol=1e-12)


@pytest.mark.parametrize("law", [logistic, hyperbolic, apart, fractions_apart])
def test_laws_of_fractions_keep_the_value(law):
    e = sp.exp(x[I] - 2 * y[I])
    s = 1 / (1 + e)
    for expr in (
        s, e * s, e**3 * s**2, s**3 / e**2, x[I] * e * s - s**2, 1 / (2 + 2 * e),
        x[I] ** 2 / (1 + x[I] ** 2), x[I] / (3 - 2 * x[I]) ** 2, sp.exp(2 * x[I]) * s,
        sa.total(y[J] * sp.exp(z[J]) / (1 + sp.exp(z[J])), J), 2 * sp.exp(e) / (1 + sp.exp(e)),
        sa.total(sp.exp(2 * z[J] - y[J]) / (2 * sp.exp(z[J]) + 2 * sp.exp(x[I])) ** 2, J),
    ):  # fmt: skip
        poly = normal(expr, I)
        own = model(sa.System(sa.define("W", (I,), expr))).bodies["W"].indices
        np.testing.assert_allclose(values(law(poly), own), values(poly, own), rtol=1e-9)


@pytest.mark.parametrize("sign, status", [(1, "proved"), (-1, "refuted")])
def test_a_difference_of_exponents_under_a_sum(sign, status):
    """Σ_j σ(x_i − z_j) y_j + Σ_j σ(z_j − x_i) y_j = Σ_j y_j."""
    on, off = (1 / (1 + sp.exp(k * (x[I] - z[J]))) for k in (1, -sign))
    total = sa.total(on * y[J], J) + sa.total(off * y[J], J)
    assert sa.prove(total, sa.total(y[J], J)).status == status


def test_equal_rational_functions_of_an_exponential_become_one():
    e = sp.exp(x[I])
    same = [1 / (1 + e), 1 - e / (1 + e), (1 + 2 * e) / (1 + e) ** 2 - e / (1 + e) ** 2]
    assert len({logistic(normal(p, I)) for p in same}) == 1
    assert logistic(normal(1 / (1 + 2 * e), I)) is normal(1 / (1 + 2 * e), I)  # no σ of x
    assert logistic(normal(e / (1 - e), I)) is normal(e / (1 - e), I)


SIGMOID = sa.define("s", (I,), 1 / (1 + sp.exp(-x[I])))
ROOT = sa.define("r", (), sp.sqrt(sa.total(x[I] ** 2, I)))
NEGATIVE = sa.define("r", (), -sp.sqrt(sa.total(x[I] ** 2, I)))
SHIFTED = sa.define("r", (), sp.sqrt(sa.total(x[I] ** 2, I)) - 1)


def printed(system, of, wrt):
    d = sa.jacobian(system, of=of, wrt=wrt)
    assert d.check_steps().ok
    return str(d.expr)


def test_the_logistic_function_written_out():
    d = sa.backward(sa.System(SIGMOID), output="s", wrt="x")["x"]
    assert str(d.expr) == "(1 - s[i])*s[i]*s_bar[i]" and d.check_steps().ok


@pytest.mark.parametrize(
    ("definition", "result"),
    [
        (ROOT, "x[i]/r"),
        (NEGATIVE, "x[i]/r"),
        (SHIFTED, "x[i]/sqrt(Sum(x[j]**2, (j, 0, n - 1)))"),
    ],
)
def test_a_root_is_recognised_with_its_sign(definition, result):
    assert printed(sa.System(definition), "r", "x") == result


def test_the_root_of_a_square_is_no_first_power():
    y_ = sa.define("f", (I,), x[I] / sp.sqrt(1 + sp.sqrt(x[I] ** 2)))
    d = sa.backward(sa.System(y_), output="f", wrt="x")["x"]
    assert d.check_steps().ok
    bar = {"f_bar": np.array([1.0, 2.0, -0.5])}
    at = np.array([-0.7, 1.1, -2.0])
    value = Evaluator({"x": at, "f": at / np.sqrt(1 + abs(at)), **bar}, {"n": 3})
    got = value(d.shown, d.indices)
    step = 1e-6
    f = lambda v: v / np.sqrt(1 + abs(v))  # noqa: E731
    np.testing.assert_allclose(got, bar["f_bar"] * (f(at + step) - f(at - step)) / 2e-6, rtol=1e-8)


def test_assumptions_are_used_where_there_are_any():
    p = sa.define("p", (I,), sp.exp(x[I]) / sa.total(sp.exp(x[J]), J))
    loss = sa.define("L", (), -sa.total(y[I] * sp.log(p[I]), I))
    assert printed(sa.System(p, loss), "L", "x") == "p[i]*Sum(y[j], (j, 0, n - 1)) - y[i]"
    fact = sp.Eq(sa.total(y[I], I), 1)
    assert printed(sa.System(p, loss, facts=[fact]), "L", "x") == "p[i] - y[i]"


def test_a_masked_softmax_is_recognised_and_one_with_another_mask_is_not():
    weights = sp.exp(z[J]) * sa.iverson(J <= I)
    p = sa.define("p", (I, J), weights / sa.total(weights, J))
    system = sa.System(p)
    d = sa.backward(system, output="p", wrt="z")["z"]
    assert "exp" not in str(d.expr) and d.check_steps().ok
    other = normal(sp.exp(z[J]) * sa.iverson(J < I) / sa.total(weights, J), I, J)
    found = presenter(model(system)).best(other)
    assert found.normal is other


def test_brackets_of_the_author_come_back():
    loss = sa.define("L", (), sa.total((X[I, A] - Y[K, A]) ** 2 * Z[I, K], I, K, A))
    assert printed(sa.System(loss), "L", "X") == (
        "2*Sum((X[i, a] - Y[k, a])*Z[i, k], (k, 0, m - 1))"
    )


def test_layer_normalisation_in_one_line():
    d = sa.sizes("d")[0]
    a, b = sa.indices("a b", d)
    v, g = sa.tensor("v", d), sa.tensor("g", d)
    eps = sp.Symbol("epsilon", positive=True)
    mean = sa.define("mu", (), sa.total(v[a], a) / d)
    deviation = sa.define("sigma", (), sp.sqrt(sa.total((v[b] - mean.tensor) ** 2, b) / d + eps))
    hat = sa.define("h", (a,), (v[a] - mean.tensor) / deviation.tensor)
    out = sa.define("f", (a,), g[a] * hat[a])
    backward = sa.backward(sa.System(mean, deviation, hat, out), output="f", wrt="v")["v"]
    assert backward.check_steps().ok
    assert backward.matrix_form() == (
        r"\bar v = \tfrac{1}{\sigma} \left(\bar f \circ g - \mathrm{mean}(\bar f \circ g)"
        r" - h \mathrm{mean}(\bar f \circ g \circ h)\right)"
    )


def test_a_difference_is_turned_round_only_where_it_stands_alone():
    assert str(turned(collected(normal(-2 * (x[I] - y[I]), I)))) == str(
        collected(normal(2 * (y[I] - x[I]), I))
    )
    both = collected(normal(z[I] - 2 * (x[I] - y[I]), I))
    assert turned(both) is both


LOWER = r"""
s_i = \sum_j W_{ij} x_j

p_i = \frac{e^{s_i}}{\sum_j e^{s_j}}
"""
UPPER = r"""
s^i = W^{ij} x^j

p^i = \frac{\exp(s^i)}{\sum_j \exp(s^j)}
"""


def test_the_notation_of_the_document():
    lower = sa.backward(sa.read(LOWER), output="p", wrt=("W", "s"))
    assert lower["W"].equation() == r"\bar W_{ij} = \bar s_i x_j"
    assert lower["s"].equation() == (
        r"\bar s_i = p_i \left(\bar p_i - \sum_{j} p_j \bar p_j\right)"
    )
    upper = sa.backward(sa.read(UPPER), output="p", wrt=("W", "s", "x"))
    assert upper["x"].equation() == r"\bar x^{j} = W^{ij} \bar s^{i}"
    assert upper["x"].equation(sums="explicit") == r"\bar x^{j} = \sum_{i} W^{ij} \bar s^{i}"
    assert upper["x"].equation(indices="down") == r"\bar x_j = W_{ij} \bar s_i"
    assert upper["W"].equation(adjoint="partial") == (
        r"\frac{\partial \mathcal{L}}{\partial W^{ij}} = "
        r"\frac{\partial \mathcal{L}}{\partial s^{i}} x^{j}"
    )


def test_what_is_written_below_reads_back():
    doc = sa.read(LOWER)
    found = sa.backward(doc, output="p", wrt="W")["W"].equation()
    back = sa.read(LOWER + "\n\n" + found)
    assert str(back.definitions["W_bar"].expr) == "s_bar[i]*x[j]"


def test_an_option_that_is_none():
    d = sa.backward(sa.read(LOWER), output="p", wrt="W")["W"]
    with pytest.raises(SymattnError, match="indices='sideways' is not known") as error:
        d.latex(indices="sideways")
    assert "'as written' or 'up' or 'down'" in str(error.value)


def test_a_form_that_takes_too_long_is_left_as_derived():
    """Ten functions of sums inside each other: 1024 terms."""
    w = sp.Symbol("w", real=True)
    chain = [sa.define("D0", (), sp.sin(w) + sp.cos(w))]
    for k in range(9):
        inner = chain[-1].tensor
        chain.append(sa.define(f"D{k + 1}", (), sp.sin(inner) + sp.cos(inner)))
    d = sa.jacobian(sa.System(*chain), of="D9", wrt="w")
    assert d.shown is d.raw and d.steps[-1].raw_after is d.raw


def test_complements_are_those_of_a_definition_that_has_them():
    """P_ij + P_ji = 1 is used for σ(s_i − s_j), and not for σ(s_i + s_j)."""
    text = r"P_{ij} = \sigma(s_i %s s_j)" + "\n" + r"L = -\sum_{ij} W_{ij} \log P_{ij}"
    shown = {
        sign: sa.jacobian(sa.read(text % sign), of="L", wrt="s").equation() for sign in ("-", "+")
    }
    assert shown["-"].endswith(r"\sum_{j} \left(W_{ji} P_{ij} - W_{ij} P_{ji}\right)")
    assert r"1 - P_{" in shown["+"]


def test_a_definition_of_several_terms_is_recognised_where_all_of_them_stand():
    """(x − a) ∂x + (y − b) ∂y = a y − b x for a point at two angles; nothing is put in twice."""
    text = r"""x = m \cos(t) + k \cos(t + u)
y = m \sin(t) + k \sin(t + u)
E = \frac{1}{2} (x - a)^2 + \frac{1}{2} (y - b)^2"""
    assert printed(sa.read(text), "E", "t") == "a*y - b*x"


def test_a_weight_beside_one_more_is_recognised_twice():
    """s_j s_i of ∂s_j/∂x_i, where s_j = e^{x_j}/(1 + Σ_i e^{x_i})."""
    s = sa.define("s", (J,), sp.exp(x[J]) / (1 + sa.total(sp.exp(x[I]), I)))
    assert printed(sa.System(s), "s", "x") == "(KroneckerDelta(i, j) - s[i])*s[j]"


def test_another_result_stands_for_its_equal_and_in_sums():
    """v̄ for ē of e = v − S k, and b̄ in W̄ = b̄ x^⊤ + h ȳ^⊤; a mean stays one."""
    text = """<!-- symattn: scalars beta -->
e_i = v_i - \\sum_j S_{ij} k_j
R_{ij} = S_{ij} + \\beta e_i k_j"""
    g = sa.backward(sa.read(text), output="R", wrt=("v", "k"))
    shown = r"\beta \sum_{i} \bar R_{ij} e_i - \sum_{i} S_{ij} \bar v_i"
    assert g["k"].equation() == r"\bar k_j = " + shown
    text = r"""u_k = \sum_a W_{ka} x_a + b_k
h_k = \tanh(u_k)
y_a = x_a + \sum_k W_{ka} h_k"""
    g = sa.backward(sa.read(text), output="y", wrt=("b", "W", "h"))
    assert g["W"].equation() == r"\bar W_{ka} = \bar b_k x_a + h_k \bar y_a"
    text = r"""m = \frac{1}{n} \sum_{i=1}^{n} x_i
y_i = x_i - m + b"""
    g = sa.backward(sa.read(text), output="y", wrt=("b", "x"))
    assert "bar b" not in g["x"].equation()


@pytest.mark.parametrize("last", ["deviations", "facing", "written_out"])
def test_a_form_that_becomes_unequal_at_the_end_is_not_printed(monkeypatch, last):
    """Brackets that are written out after the proof are proved once more."""
    loss = sa.define("loss", (), sa.total((x[I] - y[I]) ** 2 * z[I], I))
    room = present if last == "written_out" else finished
    monkeypatch.setattr(room, last, lambda poly, *_: nf.scale(poly, 2))
    (d,) = sa.backward(sa.System(loss), output="loss", wrt=("x",)).values()
    bar = sa.tensor("loss_bar")
    assert sa.prove(d, 2 * (x[I] - y[I]) * z[I] * bar).status == "proved"
    assert nf.normalize(d.shown) is d.form.normal


def test_a_form_that_is_not_equal_is_not_printed(monkeypatch):
    """A rule that is wrong costs the short form, not the result."""
    monkeypatch.setattr(search, "gathered", lambda poly, body: nf.ONE)
    d = sa.jacobian(sa.System(sa.define("D", (I, J), (x[I] + y[J]) ** 3)), of="D", wrt="x")
    assert nf.normalize(d.shown) is d.normal and d.normal is not nf.ONE


def _form(text, of, wrt):
    return sa.jacobian(sa.read(text), of=of, wrt=wrt).equation().partition(" = ")[2]


def test_a_product_is_recognised_twice_in_a_term():
    """x_ia x_jb/|x_i|³ is q_ia q_jb over one norm."""
    text = r"""q_{ia} = \frac{x_{ia}}{\sqrt{\sum_b x_{ib}^2}}
s_{ij} = \sum_a q_{ia} q_{ja}
L = \sum_{ij} c_{ij} s_{ij}"""
    assert _form(text, "L", "x") == (
        r"\frac{\sum_{j} \left(c_{ij} + c_{ji}\right) \left(q_{ja} - s_{ij} q_{ia}\right)}"
        r"{\sqrt{\sum_{b} x_{ib}^2}}"
    )


def test_a_line_is_not_broken_inside_of_a_bracket():
    call = "f(" + "b" * 100 + " - " + "c" * 100 + ")"
    assert _broken(f"a + {call} - d") == ["a", f"+ {call}", "- d"]
    inside = r"f\left(" + "a" * 150 + " + b" + "b" * 70 + r"\right) - d"
    assert _broken(inside) == [inside.removesuffix(" - d"), "- d"]


def test_the_norm_of_a_matrix_in_matrix_form():
    doc = sa.read(r"L = a \sum_{ij} W_{ij}^2 + b \sum_{ij} W_{ij} V_{ij}")
    forms = [sa.jacobian(doc, of="L", wrt=n).matrix_form().partition(" = ")[2] for n in "ab"]
    assert forms == [r"\|W\|_F^2", r"\mathrm{tr}(W^\top V)"]


def _matrix(text, of, wrt):
    return sa.jacobian(sa.read(text), of=of, wrt=wrt).matrix_form().partition(" = ")[2]


EVIDENCE = r"""
C = K + s^2 I
a = C^{-1} y
L = \frac{1}{2} y^\top a + \frac{1}{2} \log \det C"""


@pytest.mark.parametrize(
    "known, wrt, printed",
    [
        ("symmetric K", "K", r"\tfrac{1}{2} \left(C^{-1} - a a^\top\right)"),
        ("symmetric K", "y", "a"),
        ("symmetric K", "s", r"s \left(\mathrm{tr}(C^{-1}) - a^\top a\right)"),
        ("positive y", "y", r"\tfrac{1}{2} \left(C^{-\top} y + a\right)"),  # K as it may be
    ],
)
def test_the_inverse_of_a_symmetric_definition_is_symmetric(known, wrt, printed):
    text = f"<!-- symattn: sizes K:(n,n) y:(n); scalars s; {known} -->" + EVIDENCE
    d = sa.jacobian(sa.read(text), of="L", wrt=wrt)
    assert d.matrix_form().partition(" = ")[2] == printed
    assert d.check_steps()


@pytest.mark.parametrize(
    "text, wrt, printed",
    [
        (r"L = c \sum_{ij} W_{ij}", "c", r"\mathbf{1}^\top W \mathbf{1}"),
        (r"L = c \sum_{ij} W_{ij} u_i", "c", r"u^\top W \mathbf{1}"),
        (r"L = c \sum_{ij} A_{ij} B_{ji}", "c", r"\mathrm{tr}(A B)"),
        (r"L = c \sum_i E_{ii}", "c", r"\mathrm{tr}(E)"),
        (r"L = c \sum_{ia} s_i x_{ia}", "x", r"c s \mathbf{1}^\top"),
        (r"L = c \sum_i u_i^{-1} v_i", "c", r"\left(u^{\circ -1}\right)^\top v"),
        (
            r"L = \frac{c}{2} \sum_{ij} (x_i - y_j)^2 z_{ij}",
            "z",
            r"\tfrac{c}{2} \left(x \mathbf{1}^\top - \mathbf{1} y^\top\right)^{\circ 2}",
        ),
    ],
)
def test_sums_over_all_entries_in_matrix_form(text, wrt, printed):
    assert _matrix(text, "L", wrt) == printed


def test_what_has_no_axis_of_its_own_is_no_matrix():
    d = sa.jacobian(sa.read(r"L = c \sum_{ij} W_{ij}"), of="L", wrt="W")
    assert d.matrix_form() is None  # c, but not for a matrix


def test_a_weighted_sum_of_the_author_is_one_thing():
    text = r"L = \frac{c}{2} \sum_{ij} W_{ij} (u_i - u_j)^2"
    assert _form(text, "L", "c") == (r"\frac{1}{2} \sum_{i, j} W_{ij} \left(u_i - u_j\right)^{2}")


def test_a_difference_of_squares_below_a_bar():
    text = "<!-- symattn: scalars a b -->\nf = a \\log(1 - b) - a \\log(1 + b)"
    assert _form(text, "f", "b") == r"-\frac{2 a}{1 - b^{2}}"


def test_the_logarithm_of_a_quotient_is_two_in_matrix_form():
    doc = sa.read(r"F = \sum_i p_i \log \frac{p_i}{q_i} - \sum_i p_i")
    form = sa.jacobian(doc, of="F", wrt="p").matrix_form()
    assert form.partition(" = ")[2] == r"\log(p) - \log(q)"


def test_scripts_do_not_stand_above_scripts():
    doc = sa.read(
        "<!-- symattn: sizes W:(d,k) X:(n,k) -->\nY = X W^\\top\nL = \\sum_{ni} \\sqrt{1 + Y_{ni}}"
    )
    shown = sa.jacobian(doc, of="L", wrt="W").matrix_form()
    assert shown is not None and r"\top^" not in shown and r"}^\top" not in shown


@pytest.mark.parametrize(
    "claim", [r"B_{ij} = |\det W| (W^{-1})_{ij}", r"B_{ij} = \frac{|\det W|}{\det W} (W^{-1})_{ij}"]
)
def test_the_sign_of_a_determinant_is_not_left_out(claim):
    sizes = "<!-- symattn: sizes W:(d,d) -->"
    given = [r"A_{ij} = \det(W) (W^{-1})_{ij}", r"C_{ij} = (W^{-1})_{ij}", claim]
    doc = sa.read("\n".join([sizes, *given]))
    assert not sa.prove(doc["A"], doc["B"], given=doc)
    assert not sa.prove(doc["C"], doc["B"], given=doc)


def test_another_result_is_recognised_as_a_factor():
    doc = sa.read("c_i = \\tanh(\\sum_j W_{ij} u_j + b_i)")
    g = sa.backward(doc, output="c", wrt=("W", "u", "b"))
    assert g["W"].equation() == r"\bar W_{ij} = \bar b_i u_j"
    assert g["u"].equation() == r"\bar u_j = \sum_{i} W_{ij} \bar b_i"
    assert r"\bar b" not in g["b"].equation().partition(" = ")[2]
    assert g["W"].check_steps().ok
    alone = sa.backward(doc, output="c", wrt="W")
    assert r"\bar b" not in alone["W"].equation()
    arrays = {"W": np.ones((2, 3)), "u": np.ones(3), "b": np.ones(2), "c_bar": np.ones(2)}
    assert np.allclose(sa.compile(g)(**arrays)["W"], sa.compile(alone)(**arrays)["W"])


@pytest.mark.parametrize(
    ("text", "wrt", "printed"),
    [
        ("E = \\frac{t n}{k} \\log \\frac{p + q}{p + m}", "t", r"\frac{E}{t}"),
        ("x = a \\sin(b t + c)", "a", r"\sin(b t + c)"),  # no exponential and nothing beside it
        ("u = \\sqrt{\\frac{a k t}{n q^2}}", "n", r"-\frac{u}{2 n}"),
        ("a = \\frac{f}{\\sqrt{d}}", "f", r"\frac{1}{\sqrt{d}}"),  # no function beside F
        ("y = \\frac{x}{1 + |x|}", "x", r"\frac{1}{\left(1 + \left|x\right|\right)^{2}}"),
        ("y = \\frac{v x}{k + x}", "v", r"\frac{x}{k + x}"),  # a quotient
        ("f = -\\frac{1}{2} (h + y^2 e^{-h})", "h", r"\frac{1}{2} \left(y^{2} e^{-h} - 1\right)"),
    ],
)  # fmt: skip
def test_an_output_in_its_own_derivative(text, wrt, printed):
    assert _form(text, text[0], wrt) == printed


def test_an_output_is_not_divided_by_the_entries_of_an_array():
    """∂y/∂x_i of y = Σ_i x_i e^{a_i} is e^{a_i}, also where one term is left."""
    assert _form("z_i = x_i e^{a_i}\ny = \\sum_i z_i", "y", "x") == "e^{a_i}"


@pytest.mark.parametrize(
    ("text", "wrt", "printed"),
    [
        ("F = \\frac{1}{2} \\rho v^2 C A", "v", r"\rho v C A"),
        ("F = \\frac{1}{2} A C v^2 \\rho", "v", r"A C v \rho"),
        ("x = a \\sin(\\omega t + \\phi)", "a", r"\sin(\omega t + \phi)"),
        ("x = a \\sin(\\phi + t \\omega)", "a", r"\sin(\phi + t \omega)"),
        ("u = \\frac{V S}{K + S}", "V", r"\frac{S}{K + S}"),
        ("u = \\frac{V S}{S + K}", "V", r"\frac{S}{S + K}"),
    ],
)
def test_names_stand_in_the_order_of_the_author(text, wrt, printed):
    scalars = "<!-- symattn: scalars rho v C A K S V -->\n"
    assert _form(scalars + text, text[0], wrt) == printed


def test_residuals_are_no_exponentials():
    """e_i has its name, e^{-x} is the exponential of the same document."""
    text = "e_i = y_i - x_i\nL = \\frac{1}{2} \\sum_i e_i^2 + \\sum_i e^{-x_i}"
    assert _form(text, "L", "x") == r"-e_i - \exp(-x_i)"
    assert _form("e = y - a\nL = \\frac{1}{2} e^2", "L", "y") == "e"
    assert _form("L = \\sum_i a_i e^{-a_i}", "L", "a") == r"e^{-a_i} \left(1 - a_i\right)"


@pytest.mark.parametrize(
    "definition, wrt, printed",
    [
        (r"L = e^2 \mathrm{erf}(u)", "u", r"\frac{2 e^{2} \exp(-u^{2})}{\sqrt{\pi}}"),
        (r"L = e + \mathrm{erf}(u)", "u", r"\frac{2 \exp(-u^{2})}{\sqrt{\pi}}"),  # no e in it
        (r"L = e^2 \exp(-u)", "u", r"-L"),
        (r"L = e^2 u", "x", r"-2 e h u"),
    ],
)
def test_a_number_e_is_no_exponential(definition, wrt, printed):
    doc = sa.read(f"<!-- symattn: scalars x y h u -->\ne = y - h x\n{definition}")
    found = sa.jacobian(doc, of="L", wrt=wrt).equation()
    assert found.partition(" = ")[2] == printed
    assert_gradient(found, of="L", wrt=wrt, given=doc)


def test_a_share_is_recognised_in_its_gradient_without_its_own_sum():
    """A = P R/Σ P R: Ā stands over the sum of P R, and Σ A = 1 nowhere."""
    n, m, d = sa.sizes("n m d")
    (i,), (j, k), (a, b) = sa.indices("i", n), sa.indices("j k", m), sa.indices("a b", d)
    P, R = sa.tensor("P", n, d, positive=True), sa.tensor("R", m, d, positive=True)
    dot = sa.total(P[i, a] * R[j, a], a)
    A = sa.define("A", (i, j), dot / sa.total(P[i, b] * R[k, b], k, b))
    shown = sa.backward(sa.System(A), output="A", wrt=("R",))["R"].latex()
    assert r"\bar A" in shown
    assert not re.search(r"\\sum_\{\w\} A\^\{i\w\}\}", shown)


SCALED = r"""
r = \sqrt{\frac{1}{n} \sum_{i=1}^n x_i^2 + \epsilon}
y_i = \frac{x_i}{r}
"""


def test_what_was_searched_is_not_searched_again(monkeypatch):
    def derived(system):
        found = sa.backward(system, output="y", wrt=("x",))["x"]
        return found.latex(), found.matrix_form()

    system = sa.read(SCALED)
    first = derived(system)

    def fails(self, *asked):
        raise AssertionError("searched again")

    monkeypatch.setattr(sys.modules["symattn.explain.search"].Presenter, "_search", fails)
    assert derived(system) == first
    with pytest.raises(AssertionError, match="searched again"):
        derived(sa.read(SCALED.replace("y_i =", "y_i = 3")))
