"""Statements, derivatives and calls that are easy to get wrong, a line each, with what is right."""

import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.explain import definition_latex
from symattn.primitives import sigmoid

T, iv, dl, am, D, Eq = sa.total, sa.iverson, sa.delta, sa.argmax, sa.define, sp.Eq
n, m = sa.sizes("n m")
(i, j, k, l), (a, b) = sa.indices("i j k l", n), sa.indices("a b", m)
(few,) = sa.indices("few", n - 2)
A, B, C = (sa.tensor(s, n, n) for s in "ABC")
x, y, z = (sa.tensor(s, n) for s in "xyz")
p, q = (sa.tensor(s, n, positive=True) for s in "pq")
v, w, Q, K = sa.tensor("v", m), sa.tensor("w"), sa.tensor("Q", n, m), sa.tensor("K", n, m)
R, RR = sa.tensor("R", 2 * n - 1), sa.tensor("RR", n + m)


def facts(*sides):
    return sa.System(facts=[Eq(*pair) for pair in sides])


def both(left, right, letters=(i,)):
    """Two sides as definitions of their own, so that the letters are free."""
    one, two = D("L_", letters, left), D("R_", letters, right)
    return one[letters], two[letters], sa.System(one, two)


PREFIX = D("B", (i,), T(iv(j <= i) * x[j], j))
OFFSET = D("C", (i,), RR[i + m])
ZERO_ROW = T(iv(k < i), k)
PRODUCT = D("L", (), T(z[i], i))
TRACE = D("tr", (), T(B[i, j] * C[j, i], i, j))
SHIFT = D("D", (i,), x[i - 1])
SLOPE = sa.jacobian(sa.System(SHIFT), of="D", wrt="x")
INVERSE = (T(A[i, j] * B[j, k], j), dl(i, k))

VERDICTS = {
    "Σ_j A_ij = 1 says nothing of a trace": (
        T(A[j, j], j), 1, facts((T(A[i, j], j), 1)), "refuted",
    ),
    "A x = 0 says nothing of a diagonal": (
        T(A[j, j] * x[j], j), 0, facts((T(A[i, j] * x[j], j), 0)), "refuted",
    ),
    "A B = 1 says nothing of a diagonal": (
        T(C[i, k] * T(A[j, j] * B[j, k], j), i, k), T(C[i, i], i), facts(INVERSE), "refuted",
    ),
    "B_{i-1} of prefix sums is the total at i = 0": (
        PREFIX[i - 1], T(iv(j <= i - 1) * x[j], j), sa.System(PREFIX), "refuted",
    ),
    "C_{i-1} where C_i = R_{i+m} goes round the other way": (
        OFFSET[i - 1], RR[i - 1 + m], sa.System(OFFSET), "refuted",
    ),
    "a fact about prefix sums at i − 1": (
        x[i - 1], T(iv(j <= i - 1) * y[j], j), facts((x[i], T(iv(j <= i) * y[j], j))), "refuted",
    ),
    "Σ_a<m ([a ≤ i] − [a < i]) is 1 for i < m alone": (T(iv(a <= i) - iv(a < i), a), 1, None,
                                                      "refuted"),
    "[a = i] of two ranges": (T(iv(Eq(a, i)) * v[a], a, i), T(v[a], a), None, "refuted"),
    "an argmax times relu(w), which may be 0": (
        am(j, sp.Max(0, w) * x[k], k), am(j, x[k], k), None, "refuted",
    ),
    "an argmax times a sum that is 0 in a row": (
        *both(T(am(j, ZERO_ROW * x[l], l) * y[j], j), T(am(j, x[l], l) * y[j], j)), "refuted",
    ),
    "z = x y as a fact: ∂Σz/∂x is not 0": (
        sa.partial(PRODUCT, x[j]), 0,
        sa.System(PRODUCT, facts=[Eq(z[i], x[i] * y[i])]), "refuted",
    ),
    "Σ over n − 2 letters of 1": (T(1, few), n - 2, None, "proved"),
    "A B = 1: ∂ tr(BC)/∂A = −(BCB)⊤": (
        sa.partial(TRACE, A[k, l]), -T(B[i, k] * B[l, j] * C[j, i], i, j),
        sa.System(TRACE, facts=[Eq(*INVERSE)]), "proved",
    ),
    "a Jacobian is what it is": (SLOPE.lhs, SLOPE.expr, sa.System(SHIFT), "proved"),
    "√(x_i y_i) of real ones is √Σ": (
        sp.sqrt(x[i] * y[i]), sp.sqrt(T(x[i] * y[i], i)), None, "proved",
    ),
    "softmax rows without a left side": (
        T(sp.exp(A[i, j]) / T(sp.exp(A[i, k]), k), j), 1, None, "refuted",
    ),
    "a fact Σ Q K = 0 and a false claim": (
        T(Q[i, a] * K[i, a], a), 1, facts((T(Q[i, a] * K[i, a], a), 0)), "refuted",
    ),
    "a mask of sizes": (iv(n <= m) * x[i], x[i], None, "refuted"),
    "an argmax of logarithms": (
        T(am(j, sp.log(p[k]), k) * y[j], j), T(am(j, sp.log(x[k]), k) * y[j], j), None, "refuted",
    ),
    "a number with 400 digits": (w * sp.Integer(10) ** 400, w, None, "refuted"),
}  # fmt: skip


@pytest.mark.parametrize("name", VERDICTS)
def test_verdicts(name):
    left, right, given, wanted = VERDICTS[name]
    verdict = sa.prove(left, right, given=given)
    assert verdict.status == wanted
    if name.startswith("Σ over"):
        assert "n - 2 ≥ 0" in verdict.conditions
    if name.startswith("softmax"):
        assert verdict.summed == (("i",), ())


ERRORS = {
    "S declared in two ways": (
        lambda: sa.prove(
            sa.tensor("S", n, n)[i, j],
            sa.tensor("S", n, n)[j, i],
            given=sa.System(D("D", (i,), T(sa.tensor("S", n, n, symmetric=True)[i, j] * x[j], j))),
        ),
        "S is declared in two ways",
    ),
    "a scalar named like a size": (
        lambda: sa.prove(sa.tensor("n"), T(1, j)),
        "n is the size of an index and a tensor",
    ),
    "√(p_i q_i), which SymPy has taken apart": (
        lambda: sa.jacobian(sa.System(D("D", (), sp.sqrt(p[i] * q[i]))), of="D", wrt="p"),
        "the index i is repeated in a product under a power",
    ),
    "(x_i y_i)²": (
        lambda: sa.prove(D("D", (), (x[i] * y[i]) ** 2), T(x[i] ** 2 * y[i] ** 2, i)),
        "the index i is repeated in a product under a power",
    ),
    "(x^i y^i)² in LaTeX": (
        lambda: sa.read(r"D = (x^i y^i)^2"),
        "the index i is repeated in a bracket under a power",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_say_what_is_wrong(name):
    call, problem = ERRORS[name]
    with pytest.raises(sa.SymattnError, match=problem):
        call()


def test_a_row_before_the_first_is_the_last_one():
    """C_i = B_{i−1} y_i of prefix sums: ∂C_0/∂x = y_0 everywhere."""
    after = D("C", (i,), PREFIX[i - 1] * y[i])
    slope = sa.jacobian(sa.System(PREFIX, after), of="C", wrt="x")
    assert slope.check_steps().ok
    values = sa.compile(slope)(y=np.array([5.0, 1.0, 2.0]))
    np.testing.assert_allclose(values, [[5, 5, 5], [1, 0, 0], [2, 2, 0]])


def test_gradients_of_an_array_at_offsets():
    up = np.array([0, 0, 1.0, 1.0, 1.0])
    summed = D("S", (i, a), R[i + n - 1] + Q[i, a])
    loss = D("L", (), T(summed[i, a] * v[a], i, a))
    g = sa.backward(sa.System(summed, loss), output="L", wrt=("R",))
    np.testing.assert_allclose(sa.compile(g)(v=np.ones(3), L_bar=1.0, n=3)["R"], 3 * up)
    assert sa.verify(g).ok
    alone = D("S", (i,), R[i + n - 1] + x[i])
    g = sa.backward(sa.System(alone, D("L", (), T(alone[i], i))), output="L", wrt=("R",))
    np.testing.assert_allclose(sa.compile(g)(L_bar=1.0, n=3)["R"], up)


def test_a_sum_of_squares_is_read_back():
    square = D("M", (), T(A[i, i] ** 2, i))
    text = definition_latex(square)
    assert text == r"M = \sum_{i} \left(A^{ii}\right)^{2}"
    back = sa.read(f"<!-- symattn: sizes A:(n,n) -->\n\n$$ {text} $$")["M"]
    assert str(back.expr) == "Sum(A[i, i]**2, (i, 0, n - 1))"
    slope = sa.jacobian(sa.System(D("L", (), w * square.expr)), of="L", wrt="w")
    assert slope.equation().endswith(r"= \sum_{i} \left(A^{ii}\right)^{2}")


def test_a_row_sum_is_no_trace():
    rows, loss = D("Z", (i,), T(A[i, j], j)), D("L", (), T(A[j, j], j) ** 2 / 2)
    folded = sa.jacobian(sa.System(rows, loss), of="L", wrt="A").fold("Z")
    assert "Z" not in str(folded.expr)


def test_roots_of_exponentials():
    for body in (sp.exp(sigmoid(x[i])), sp.exp(x[i] / T(x[j], j))):
        once = D("D", (i,), sp.sqrt(body))
        assert sa.prove(once[i] ** 2, body, given=sa.System(once), over=(i,))


def test_an_argmax_of_row_maxima():
    first = D("D", (j,), am(j, sa.maximum(A[k, l], l), k))
    values = sa.compile(sa.System(first), output="D")(A=np.array([[1.0, 2.0], [0.0, 3.0]]))
    np.testing.assert_allclose(values, [0, 1])


def layer_norm():
    mu = D("mu", (), T(x[i], i) / n)
    var = D("va", (), T((x[i] - mu.tensor) ** 2, i) / n)
    normal = D("N", (i,), (x[i] - mu.tensor) / sp.sqrt(var.tensor))
    return sa.System(mu, var, normal, D("L", (), T(normal[i] * y[i], i)))


def test_right_derivations_have_right_steps():
    sine = D("D0", (i,), sp.sin(x[i]))
    power = sa.System(sine, D("D", (i,), (1 + sine[i] ** 2) ** sp.Rational(3, 2)))
    g = sa.backward(power, output="D", wrt=("x",))
    assert all(d.check_steps().ok for d in g.adjoints.values())
    hessian = sa.hessian(layer_norm(), of="L", wrt="x")
    assert hessian.check_steps().ok
    assert sa.verify(hessian).ok
    largest = sa.System(D("D", (i,), T(sp.Max(x[i], x[j]), j)))
    g = sa.backward(largest, output="D", wrt=("x",))
    assert g["x"].check_steps().ok
    assert sa.verify(g).ok
    twice = sa.System(D("L", (), T(x[i], i, a)))
    assert sa.jacobian(twice, of="L", wrt="x").check_steps().ok


def test_an_input_that_is_called_like_a_tangent():
    dotted = sa.tensor("x_dot", n)
    t = sa.jvp(sa.System(D("y", (), T(x[i] * dotted[i], i))), output="y", wrt=("x",))
    assert str(t["y"].expr) == "Sum(x_dot2[i]*x_dot[i], (i, 0, n - 1))"


def test_an_input_that_is_called_like_a_helper():
    table = sa.tensor("scattered", 2 * n - 1)
    body = D("y", (i, j), table[i - j + n - 1] * A[i, j])
    system = sa.System(body, D("L", (), T(body[i, j] ** 2, i, j)))
    g = sa.backward(system, output="L", wrt=("scattered",))
    found = sa.compile(g)(scattered=np.ones(5), A=np.ones((3, 3)), L_bar=1.0)
    np.testing.assert_allclose(found["scattered"], [2, 4, 6, 4, 2])


ATTENTION = (
    r"$$S^{ij}=Q^{ia}K^{ja}$$ $$A^{ij}=\frac{\exp(S^{ij})}{\sum_l \exp(S^{il})}$$"
    r" $$O^{ib}=A^{ij}V^{jb}$$ "
)
LOSS_S, LOSS_Q = r"\frac{\partial L}{\partial S^{ij}}", r"\frac{\partial L}{\partial Q^{ia}}"
DOCUMENTS = {
    "a wrong factor": (ATTENTION + rf"$${LOSS_Q} = 7{LOSS_S}K^{{ja}}$$", "refuted"),
    "a gradient": (ATTENTION + rf"$${LOSS_Q} = {LOSS_S}K^{{ja}}$$", "proved"),
    "no gradient": (ATTENTION + r"$$\frac{\partial L}{\partial V^{jb}} = 0$$", "refuted"),
    "a logistic": (
        r"$$ s_i=\frac{1}{1+\exp(-x_i)} $$ $$ \frac{\partial s_i}{\partial x_i} = s_i (1 - s_i) $$",
        "proved",
    ),
    "a square": (
        r"$$ L=\sum_i x_i^2 $$ $$ \frac{\partial L}{\partial x_k}=2x_k $$", "proved",
    ),
    "A B and B A": (r"$$ C = A B $$ $$ C = B A $$", "refuted"),
    "A B x and B A x": (
        r"$$ Y = \mathbf{A}\mathbf{B}\mathbf{x} $$ $$ Y = \mathbf{B}\mathbf{A}\mathbf{x} $$",
        "refuted",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents(name):
    text, wanted = DOCUMENTS[name]
    doc = sa.read(text)
    assert [sa.prove(c.lhs, c.rhs, given=doc).status for c in doc.claims] == [wanted]


def test_a_result_beside_a_formula_is_never_summed():
    (score,) = (D("S", (i, j), Q[i, a] * K[j, a]),)
    weight = D("A", (i, j), sp.exp(score[i, j]) / T(sp.exp(score[i, l]), l))
    V = sa.tensor("V", n, m)
    out = D("O", (i, b), weight[i, j] * V[j, b])
    system, bar = sa.System(score, weight, out), sa.tensor("O_bar", n, m)
    g = sa.backward(system, output="O", wrt=("S",))
    formula = weight[i, j] * T(bar[i, b] * (V[j, b] - out[i, b]), b)
    assert sa.prove(g["S"], formula, given=system)
    assert sa.prove(g["S"], 7 * formula, given=system).status == "refuted"
    with pytest.raises(sa.SymattnError, match="is free in this result and repeated in a product"):
        sa.prove(g["S"].expr, 7 * formula, given=system)


def test_a_cross_entropy_far_out():
    Z, Y = sa.tensor("Z", n, m), sa.tensor("Y", n, m)
    P = D("P", (i, a), sp.exp(Z[i, a]) / T(sp.exp(Z[i, b]), b))
    loss = D("L", (), -T(Y[i, a] * sp.log(P[i, a]), i, a))
    g = sa.compile(sa.backward(sa.System(P, loss), output="L", wrt=("Z",)))
    far, picked = (np.array(rows, np.float32) for rows in ([[0, 120.0]], [[0, 1.0]]))
    np.testing.assert_allclose(g(Z=far, Y=picked, L_bar=np.float32(1))["Z"], [[0, 0]])


def test_a_mask_with_a_letter_that_the_score_lacks():
    c = sa.compile(D("c", (k,), sp.log(T(iv(l <= k) * sp.exp(x[l]), l))))
    np.testing.assert_allclose(c(x=np.ones(3)), 1 + np.log([1, 2, 3]), rtol=1e-6)
