"""What has two readings is read by its evidence, or refused with both: never a third thing."""

from __future__ import annotations

import pytest
import sympy as sp

import symattn as sa
from symattn.read import ReadError, read


def shown(text):
    return [f"{q.lhs} {q.relation} {q.rhs}" for q in read(text).equations]


def statuses(text):
    doc = read(text)
    return [sa.prove(c.lhs, c.rhs, given=doc).status for c in doc.claims]


PROVED = [
    r"$$ L=\sum_i x_i^2 $$ $$ \frac{\partial L}{\partial x_k}=2x_k $$",
    r"$$ L=\sum_i \bar x_i^2 $$ $$ \frac{\partial L}{\partial \bar x_k}=2\bar x_k $$",
    r"$$ c = p_i p_i $$ $$ c = \sum_k p_k^2 $$",
    r"$$ y = A x + b $$ $$ y = b + A x $$",
    r"$$ C = A B $$ $$ C^\top = B^\top A^\top $$",
]
NOT_PROVED = [
    r"$$ L=\sum_i x_i^2 $$ $$ \frac{\partial L}{\partial x_k}=x_k $$",
    r"$$ C = A B $$ $$ C = B A $$",
    r"$$ C = W_Q W_K $$ $$ C = W_K W_Q $$",
    r"$$ Y = \mathbf{A}\mathbf{B}\mathbf{x} $$ $$ Y = \mathbf{B}\mathbf{A}\mathbf{x} $$",
    r"$$ \mathbf{C} = \beta \mathbf{A}\mathbf{B} $$ $$ \mathbf{C} = \beta \mathbf{B}\mathbf{A} $$",
    r"$$ c = p_i p_i x_n y_n $$ $$ c = x_n y_n $$",
]


@pytest.mark.parametrize("text", PROVED)
def test_right_statements_are_proved(text):
    assert statuses(text) == ["proved"]


@pytest.mark.parametrize("text", NOT_PROVED)
def test_wrong_statements_are_not(text):
    assert "proved" not in statuses(text)


REFUSED = {  # what is written → a piece of the reason
    r"c_n = a_i (s_i\delta_{in} - s_i s_n)": "the index i is summed inside a bracket and occurs",
    r"d_T = \delta_{nT} x_n": "a number stands for an index",
    r"z = f(y) + f": "f(…): a product, or a function that nothing defines?",
    r"z = h(u + v)": "h(…): a product, or a function that nothing defines?",
    r"z = F(h) + F": "F(…): a product, or a function that nothing defines?",
    r"g = \frac{\partial f}{\partial x}(a)": "the point where it is taken, or a factor?",
    r"g = \frac{\partial f}{\partial x}(x_0)": "the point where it is taken, or a factor?",
    r"dA_{ij} = \sqrt{d} B_{ij}": "dA: a differential, or d times A",
    r"L^{(2)} = a \\ L_2 = b": "L_2 and L^{(2)} both stand in this text",
    r"m_t = \frac{g_t}{1-\beta^t} + \beta": "beta^t: a power, or the component number t?",
    r"G = \sum_{t=0}^{T} \gamma^t R_t": "gamma^t: a power, or the component number t?",
    r"w = v_{a;b} u^a u^b": "a covariant derivative, or one more index?",
    r"S_{ab} = T_{[ab]}": "a symmetrised tensor, or indices?",
    r"S_{ab} = T_{(ab)}": "a symmetrised tensor, or indices?",
    r"p_k = \frac{e^{x_k}}{\sum_j e^{x_j}} \\ L = -\log p_y": "the index y occurs once",
    r"B_{ij} = A_{ij}^{-1}": "of the matrix, or of the component?",
    r"B_{ij} = A^{2}_{ij}": "of the matrix, or of the component?",
    r"y = x W \\ z = W V": "a column vector stands beside a matrix",
    r"P_k = (I - K_k H_k) B_k": "K_k H_k: numbers, or matrices number k?",
    r"p(h | x) = h x \\ p(x | h) = x - h": "p is defined for other arguments",
    r"f(x) = x^2 \\ f(y) = y": "f is defined for other arguments",
    r"R_{\tau\tau} = -3 \tau": "the component of the coordinate tau, or of every index?",
    r"R_{\theta\theta} = \sin(\theta)": "the component of the coordinate theta",
    r"z = W^{[1]}x - W": "W is added to a column vector: a number, or a column vector too?",
    r"y = x^N": "x^N: a power, or a name with a label?",
}


@pytest.mark.parametrize("formula", list(REFUSED))
def test_two_readings_are_refused(formula):
    with pytest.raises(ReadError) as caught:
        read(rf"$$ \begin{{aligned}} {formula} \end{{aligned}} $$")
    assert REFUSED[formula] in str(caught.value)
    assert caught.value.mend


READ = {  # what is written → what is read
    r"z = f(y)": "z = f(y)",
    r"z = p_\theta(x) q": "z = q*p_theta(x)",
    r"z = f(x) g(x)": "z = f(x)*g(x)",
    r"z = f'(x) f(x)": "z = f(x)*f'(x)",
    r"z_i = f(x_i, y_j y_j)": "z[i] = f(x[i], Sum(y[j]**2, (j, 0, n_j - 1)))",
    r"z = \log p(x)": "z = log(p(x))",
    r"c_n = \sum_i a_i (s_i \delta_{in} - s_i s_n)": (
        "c[n] = Sum((KroneckerDelta(i, n)*s[i] - s[i]*s[n])*a[i], (i, 0, n_i - 1))"
    ),
    r"z = \sigma(x)(1 - \sigma(x))": "z = (1 - sigmoid(x))*sigmoid(x)",
    r"z = \beta (x + y) + \beta": "z = beta*(x + y) + beta",
    r"g_i = \frac{\partial f}{\partial x_i}(1 - f)": "g[i] = (1 - f)*df/dx[i]",
    r"dA_{ij} = dB_{ik} C_{jk}": "dA[i, j] = Sum(C[j, k]*dB[i, k], (k, 0, n_k - 1))",
    r"\mathrm{d}A_{ij} = 2 \mathrm{d}{B_{ij}}": "dA[i, j] = 2*dB[i, j]",
    r"y = dL/dx": "y = dL/dx",
    r"y = \frac{dL}{dx}": "y = dL/dx",
    r"h_i = W^{(2)}_{ij} x_j": "h[i] = Sum(W_2[i, j]*x[j], (j, 0, n_j - 1))",
    r"h_i = W^{[1]}_{ij} x_j": "h[i] = Sum(W_1[i, j]*x[j], (j, 0, n_j - 1))",
    r"r_i = A_{[i,j]} p_j": "r[i] = Sum(A[i, j]*p[j], (j, 0, n_j - 1))",
    r"L = \sum_{t=1}^T h_t \\ z = h_T": "L = Sum(h[t], (t, 0, T - 1))|z = h[T - 1]",
    r"z = p(x | y) p(y)": "z = p(y)*p_given(x, y)",
    r"v_k = u^{(a)}_k + u^{(b)}_k": "v[k] = u_a[k] + u_b[k]",
    r"z = 4e3 x": "z = 4000*x",
    r"z = 1.5e-2 x": "z = 3*x/200",
    r"z = 2e^{3} x": "z = 2*x*exp(3)",
    r"B_i = A_i^{-1}": "B[i] = 1/A[i]",
    r"B_{ij} = A_{ij}^2": "B[i, j] = A[i, j]**2",
    r"c = p_i p_i": "c = Sum(p[i]**2, (i, 0, n_i - 1))",
    r"{\textstyle\begin{aligned} a = b + c \end{aligned}}": "a = b + c",
    r"y_i = m + x_i + n_q": "y[i] = m + n_q + x[i]",
    r"J = \sum_{t=1}^T r_t + \gamma^T v": "J = gamma**T*v + Sum(r[t], (t, 0, T - 1))",
    r"x_{\mathrm{k}} = y_{\text{k}} z": "x_k = y_k*z",
    r"s_{ij} = \mathbf{q}_i^\top \mathbf{k}_j": "s[i, j] = Sum(k[j, p]*q[i, p], (p, 0, n_p - 1))",
    r"r = \sum_i P_i Q_i": "r = Sum(P[i]*Q[i], (i, 0, n_i - 1))",
    r"D_{ii} = 2 x_i": "D[i, i] = 2*x[i]",
    r"f(x) = x^2 \\ z = f(3)": "f = x**2|z = 9",
    r"B_k = M_k M_k^\top": "B[k, p, q] = Sum(M[k, p, q']*M[k, q, q'], (q', 0, n_q2 - 1))",
    r"S = \boldsymbol{BA}^{-1}": "S[p, q] = Sum(B[p, q']*inverse(A)[q', q], (q', 0, n_q - 1))",
    r"x = A^\top y": "x[p] = Sum(A[p', p]*y[p'], (p', 0, n_p2 - 1))",
}


@pytest.mark.parametrize("formula", list(READ))
def test_what_is_plain_is_read(formula):
    text = rf"$$ \begin{{aligned}} {formula} \end{{aligned}} $$"
    assert shown(text) == READ[formula].split("|")


def test_the_inverse_of_a_matrix_has_components():
    d = read(r"$$ B_{ij} = A^{-1}_{ij} $$")["B"]
    assert not d.expr.has(sp.Pow)


def test_a_declared_number_is_raised_to_a_power():
    doc = read(
        r"<!-- symattn: scalars beta; indices from 1 -->$$ \hat m_t = \frac{m_t}{1-\beta^t} $$"
    )
    t = doc["m_hat"].indices[0]
    (power,) = [p for p in doc["m_hat"].expr.atoms(sp.Pow) if str(p.base) == "beta"]
    assert power.exp == t + 1


def test_declared_zeroth_components():
    with pytest.raises(ReadError, match="an index before the first one"):
        read(r"<!-- symattn: indices from 1 -->$$ y = x_0 + x_i x_i $$")
    doc = read(r"<!-- symattn: indices from 1; scalars x_0 -->$$ y = x_0 + x_i x_i $$")
    assert str(doc["y"].expr).startswith("x_0")


def test_generated_names_capture_nothing():
    doc = read(r"$$ y_q = \sqrt{n_q} \sum_m m^m x_{qm} $$ $$ z = n_{\mathrm{m}} p $$")
    sizes = {str(i.upper + 1) for i in doc["y"].expr.atoms(sp.Idx)}
    assert not sizes & {"n_q", "n_m"}
    letters = {
        i.name for i in read(r"<!-- symattn: scalars p -->$$ Y = p A B $$")["Y"].expr.atoms(sp.Idx)
    }
    assert "p" not in letters


def test_a_greek_label_is_no_index():
    doc = read(r"$$ p_i = e^{x_i} $$ $$ q = p_\theta + \theta $$")
    assert str(doc["q"].expr) == "p_theta + theta"


def test_a_cross_between_vectors_is_no_inner_product():
    text = r"""Let $a, b \in \mathbb{R}^3$, let $l$ and $w$ be numbers and
$A \in \mathbb{R}^{3 \times 3}$.

$$ d = a \times b $$

$$ e = l \times w + a_i \times b_i $$

$$ f = 2 \times a $$

$$ a \cdot b = a^\top b $$
"""
    doc = read(text, strict=False)
    ranks = {d.name: len(d.shape) for d in doc}
    assert ranks["d"] == 1 and ranks["f"] == 1 and "cross_a_b" not in doc.unresolved
    (claim,) = doc.claims
    assert sa.prove(claim.lhs, claim.rhs, given=doc).status == "proved"


def test_delta_that_an_equation_defines_is_a_factor():
    head = r"Let $A \in \mathbb{R}^{n \times n}$ and $X \in \mathbb{R}^{n \times d}$." + "\n\n"
    said = read(head + "$$ \\Delta = 2 A $$\n\n$$ Y = \\Delta X $$\n", strict=False)
    assert {b.name for b in said["Y"].expr.atoms(sp.IndexedBase)} == {"Delta", "X"}
    assert str(read(r"$$ y = a \Delta x $$")["y"].expr) == "Delta_x*a"


def test_the_component_before_a_product_of_row_and_column_is_a_number():
    """In y_i w^⊤ x_i, of a y ∈ ℝ^n, and in v_i k_i^⊤ q v_i is the vector number i."""
    head = r"Let $X \in \mathbb{R}^{n \times d}$ with rows $x_i$ and $y \in \mathbb{R}^n$." + "\n\n"
    said = read(head + r"$$ J = \sum_i y_i w^\top x_i + \|y - u\|^2 $$" + "\n", strict=False)
    assert not said["J"].indices and len(said.inputs["y"].shape) == 1
