"""Notations of documents that nobody prepared: what they mean, and what they must not become."""

from __future__ import annotations

import pytest

from symattn.read import read

LINEAR = "Some words about vectors and matrices. "
PLAIN = "Some words about a gas in a box. "

READ = {  # what is written → what is read
    # bold and light, one and many
    r"$$ z_n = \mathbf{w}^\top \mathbf{x}_n $$ $$ s = \mathbf{w}^\top \mathbf{x} $$": (
        "z[n] = Sum(w[p]*x_2[n, p], (p, 0, n_p - 1))|s = Sum(w[p]*x[p], (p, 0, n_p - 1))"
    ),
    r"$$ r = |\mathbf{r}| $$": "r_2 = sqrt(Sum(r[p]**2, (p, 0, n_p - 1)))",
    r"$$ x_{k+1} = x_k - c \nabla f(x_k) $$ $$ y = A x $$": (
        "x_k[p] = -c*gradient_f_x_k_before[p] + x_k_before[p]|"
        "y[p] = Sum(A[p, q]*x[q], (q, 0, n_q - 1))"
    ),
    # rows, powers, Jacobians
    r"$$ y = x W + b $$ $$ W \in \mathbb{R}^{d \times m} $$": (
        "y[p] = b + Sum(W[p', p]*x[p'], (p', 0, d - 1))|None ∈ None"
    ),
    r"$$ G = A^2 $$ $$ A \in \mathbb{R}^{n \times n} $$": (
        "G[p, q] = Sum(A[p, q']*A[q', q], (q', 0, n - 1))|None ∈ None"
    ),
    r"$$ \frac{\partial \mathbf{f}}{\partial \mathbf{x}^\top} = \mathbf{J} $$": (
        "df[p]/dx[p'] = J[p, p']"
    ),
    # quantities
    r"$$ \mathbf{c} = \mathbf{a} \times \mathbf{b} $$": "c[p] = cross_a_b[p]",
    r"$$ a = 4! + n! $$": "a = factorial_n + 24",
    r"$$ h = \left.\frac{\partial f}{\partial x}\right|_{x=0} $$": "h = at_1",
    r"$$ M_{ij} = \begin{cases} 0 & j \le i \\ -\infty & \text{else} \end{cases} $$": (
        "M[i, j] = -infinity*(1 - Iverson(j <= i))"
    ),
    r"$$ \hat y = \arg\max_k p_k $$": "y_hat = argmax_p",
    # scripts
    r"$$ L = \sum_{t=1}^T \log q(x_{<t}) $$": "L = Sum(log(q(x_before[t])), (t, 0, T - 1))",
    r"$$ P_{k|k-1} = F_k $$": "P_given[k, k - 1] = F[k]",
    r"$$ n_k = \sum_i z_{ik} $$": "n[k] = Sum(z[i, k], (i, 0, n_i - 1))",
    r"$$ p_\mu p^\mu = - m^2 $$": "Sum(p[mu]*p_low[mu], (mu, 0, n_mu - 1)) = -m**2",
    r"$$ v_t = \frac{m_t}{1 - \rho^t} $$": "v[t] = m[t]/(1 - rho**(first_index + t))",
    r"$$ \sigma^2 = \frac{1}{n} \sum_{i=1}^n x_i^2 $$": (
        "sigma = sqrt(Sum(x[i]**2, (i, 0, n - 1)))/sqrt(n)"
    ),
    # powers, and no indices
    r"$$ g(x) = b^{a x} $$": "g = b**(a*x)",
    r"$$ g_x = b^{a x} c_a $$": "g[x] = Sum(b[a, x]*c[a], (a, 0, n_a - 1))",
    r"$$ y = x^{-\alpha} + 2 \alpha $$": "y = 2*alpha + x**(-alpha)",
    r"$$ F(x) = e^{-x} $$ $$ F(x)^n = F(n x) $$": "F = exp(-x)|F**n = exp(-n*x)",
    r"$$ F(x) = e^{-x} $$ $$ F(x)^n = F(n + x) - n $$": "F = exp(-x)|F**n = -n + exp(-n - x)",
    # how far functions reach
    r"$$ y = \sin m a \cos b $$": "y = sin(a*m)*cos(b)",
    r"$$ y = a \cos\omega_d t + b $$": "y = a*cos(omega_d*t) + b",
    r"$$ \operatorname{Im} f(u) = 2 w $$": "Im(f(u)) = 2*w",
    r"$$ \operatorname{Re} u w = 2 w $$": "Re(u*w) = 2*w",
    r"$$ y = e^{-E/k T} $$": "y = exp(-E/(T*k))",
    r"$$ {\textstyle\begin{aligned} a &= b + c \\ d &= 2 \end{aligned}} $$": "a = b + c|d = 2",
}


@pytest.mark.parametrize("text", list(READ))
def test_what_is_read(text):
    doc = read(LINEAR + text, strict=False)
    assert not doc.skipped, [r.reason.problem for r in doc.skipped]
    assert "|".join(f"{q.lhs} {q.relation} {q.rhs}" for q in doc.equations) == READ[text]


TWO_READINGS = (
    r"$$ E_i = U_i G_i $$",
    r"$$ y = a / b c $$",
    r"$$ w = \log a b $$",
    r"$$ \mathbf{F} = q \mathbf{v} \times \mathbf{B} $$",  # a matrix, as far as this text says
    r"$$ c_m = a_i (s_i \delta_{im} - s_i s_m) $$",
    r"$$ R_{[ab]} = 0 $$",
    r"$$ \frac{\partial g}{\partial u}(b) = 2 $$ ",
)


@pytest.mark.parametrize("text", TWO_READINGS)
def test_what_may_mean_two_things_is_refused(text):
    assert read(LINEAR + text, strict=False).skipped


def test_capitals_are_numbers_where_nothing_speaks_of_matrices():
    doc = read(PLAIN + r"$$ p_i = e^{-E_i/T} $$ $$ p V = N T $$", strict=False)
    assert [str(q.lhs) for q in doc.equations] == ["p[i]", "V*p_scalar"]
    assert {m.name: m.kind for m in doc.meanings}["N"] == "number"


def test_what_a_statement_means_by_itself_refutes_nothing():
    doc = read(LINEAR + r"$$ y_i = A_{ij} x_j $$ $$ g(x) \approx x (1 + x^3) $$", strict=False)
    assert not doc.skipped
    assert any("another x" in why for why in doc.unresolved.values())


def test_words_give_axes_to_every_name_of_a_list():
    doc = read(
        r"Take $W^Q, W^K \in \mathbb{R}^{m \times d}$. $$ Q = X W^Q $$ $$ K = X W^K $$",
        strict=False,
    )
    shapes = {m.name: len(m.shape) for m in doc.meanings}
    assert (shapes["Q"], shapes["K"], shapes["W_Q"], shapes["W_K"]) == (2, 2, 2, 2)


def test_numbers_in_scripts_where_nothing_says_where_they_begin():
    doc = read(r"$$ a_k = b_{k0} + b_{k1} x_k $$ $$ b_{ij} = c_i c_j $$", strict=False)
    assert not doc.skipped
    assert {"b_0", "b_1"} <= doc.unresolved.keys()
