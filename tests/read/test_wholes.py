"""Documents read as wholes: what has no form is a quantity of its own, and never something else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import symattn as sa
from symattn.read import ReadError, read


def shown(text, **options):
    doc = read(text, strict=False, **options)
    assert not doc.skipped, [r.reason.problem for r in doc.skipped]
    return [f"{q.lhs} {q.relation} {q.rhs}" for q in doc.equations]


def statuses(text):
    doc = read(text, strict=False)
    assert not doc.skipped, [r.reason.problem for r in doc.skipped]
    return [sa.prove(c.lhs, c.rhs, given=doc).status for c in doc.claims]


def reasons(text):
    return [r.reason.problem.split(": ", 1)[1] for r in read(text, strict=False).skipped]


READ = {  # what is written → what is read
    # dots
    r"$$ y = w_1 x_1 + w_2 x_2 + \dots + w_n x_n $$": "y = Sum(w[k]*x[k], (k, 0, n - 1))",
    r"$$ s = x_0 + x_1 + \cdots + x_m $$": "s = Sum(x[k], (k, 0, m))",
    r"$$ u_i = v_i $$ $$ z = (v_1, \ldots, v_n)^\top (u_1, \ldots, u_n) $$": (
        "u[i] = v[i]|z = Sum(u[k]*v[k], (k, 0, n - 1))"
    ),
    r"$$ G = \begin{bmatrix} a_1 b_1 & \dots & a_1 b_m \\ \vdots & & \vdots \\"
    r" a_n b_1 & \dots & a_n b_m \end{bmatrix} $$": "G[p, q] = a[p]*b[q]",
    # functions of anything
    r"$$ z = f(\mathbf{x}, \mathbf{y}) + f(\mathbf{x}, \mathbf{y}) $$": "z = 2*f_x_y",
    r"$$ p(a, b) = p(a \mid b) p(b) $$": "p_a_b = p_b*p_given_a_b",
    r"$$ \mathbf{g}(t) = \mathbf{A} \mathbf{g}(s) $$": (
        "g_t[p] = Sum(A[p, q]*g_s[q], (q, 0, n_q - 1))"
    ),
    r"$$ z = f^{-1}(y) f(y) $$": "z = f_inverse_y*f(y)",
    r"$$ s = \varphi_k(x) \varphi_k(x) $$": "s = Sum(varphi_x[k]**2, (k, 0, n_k - 1))",
    # quantities without a form
    r"$$ v = \mathbb{E}[x] \mathbb{E}[x] $$": "v = mean_x**2",
    r"$$ a = \int_0^1 h(\mathbf{t}) d\mathbf{t} $$": "a = integral_h_t",
    r"$$ L = \sum_{\mathbf{s}} w(\mathbf{s}) $$": "L = sum_w_s",
    r"$$ a = \arg\min_x g(x) $$": "a = argmin_1",
    # blocks, labels, coordinates, quotients
    r"$$ \mathbf{R} = \mathbf{C}_{ab}\mathbf{C}_{bb}^{-1}\mathbf{C}_{ba} $$": (
        "R[p, q] = Sum(C_a_b[p, q']*C_b_a[q'', q]*inverse(C_b_b)[q', q''], "
        "(q', 0, n_q2 - 1), (q'', 0, n_q2 - 1))"
    ),
    r"$$ E_{kin} = m v $$": "E_kin = m*v",
    r"$$ \Gamma^{t}_{rr} = r h $$": "Gamma_t_r_r = h*r",
    r"$$ y = \frac{\mathbf{x}}{\mathbf{s}} $$": "y[p] = x[p]/s[p]",
    r"$$ \delta_j^{(l)} = w_{kj} \delta_k^{(l+1)} $$": (
        "delta_l[j] = Sum(delta_l_next[k]*w[k, j], (k, 0, n_k - 1))"
    ),
    r"$$ y = \beta_0 + \beta_1 x_1 + \beta_2 x_2 + \dots + \beta_n x_n $$": (
        "y = beta_0 + Sum(beta[k]*x[k], (k, 0, n - 1))"
    ),
    # words and layout
    r"$$ \text{therefore}\; a = b $$": "a = b",
    r"$$ a = b \quad \rightarrow \quad c = d $$": "a = b|c = d",
    r"$$ a = exp(x) $$": "a = exp(x)",
    "$$ p\\_i = q\\_i $$": "p[i] = q[i]",
    r"$$ \mathrm{base}: \begin{cases} a = b \\ c = d \end{cases} $$": "a = b|c = d",
    # macros
    r"$$ y = \mW \vx $$": "y[p] = Sum(W[p, q]*x[q], (q, 0, n_q - 1))",
    r"$$ \Weil_{ab} = c g_{ab} $$": "Weil[a, b] = c*g[a, b]",
}


@pytest.mark.parametrize("text", list(READ))
def test_what_is_read(text):
    assert shown(text) == READ[text].split("|")


PROVED = [
    r"$$ L = w_i w_i $$ $$ \frac{\partial}{\partial w_k}(w_i w_i) = 2 w_k $$",
    r"$$ \nabla_a (u^b v^c) = v^c \nabla_a u^b + u^b \nabla_a v^c $$",
    r"$$ (\nabla_a \nabla_b - \nabla_b \nabla_a) u^c = \nabla_a (\nabla_b u^c)"
    r" - \nabla_b \nabla_a u^c $$",
    r"$$ s = x_1 + x_2 + \dots + x_n $$ $$ s = \sum_{i=1}^n x_i $$",
    r"$$ a = 2 \mathbb{E}[x] $$ $$ a = \mathbb{E}[x] + \mathbb{E}[x] $$",
    r"$$ f(x) = (x+1)^2 $$ $$ f(x) = x^2 + 2 x + 1 $$",
    r"$$ \mathbf{B} = \mathrm{diag}(\mathbf{l})^{-1} \mathbf{A} $$"
    r" $$ \mathrm{diag}(\mathbf{l}) \mathbf{B} = \mathbf{A} $$",
]
NOT_PROVED = [
    r"$$ L = w_i w_i $$ $$ \frac{\partial}{\partial w_k}(w_i w_i) = w_k $$",
    r"$$ \nabla_a (u^b v^c) = v^c \nabla_a u^b - u^b \nabla_a v^c $$",
    r"$$ \nabla_a \nabla_b u^c = \nabla_b \nabla_a u^c $$",
    r"$$ a = \mathbb{E}[x] $$ $$ a = \mathbb{E}[y] $$",
    r"$$ a = \int_0^1 h(\mathbf{t}) d\mathbf{t} $$ $$ a = \int_0^2 h(\mathbf{t}) d\mathbf{t} $$",
    r"$$ a = \int h(\mathbf{t}) d\mathbf{t} $$ $$ a = \int h(\mathbf{t}) d\mathbf{s} $$",
    r"$$ a = p(\mathbf{x}) p(\mathbf{y} | \mathbf{x}) $$"
    r"$$ a = p(\mathbf{y}) p(\mathbf{y} | \mathbf{x}) $$",
    r"$$ a = \sum_{\mathbf{s}} w(\mathbf{s}) $$ $$ a = \sum_{\mathbf{r}} w(\mathbf{s}) $$",
    r"$$ \mathbf{R} = \mathbf{C}_{ab}\mathbf{C}_{bb}^{-1} $$"
    r" $$ \mathbf{R} = \mathbf{C}_{bb}^{-1} \mathbf{C}_{ab} $$",
    r"$$ T = \Sigma_{12} \Sigma_{22}^{-1} \Sigma_{21} $$"
    r" $$ T = \Sigma_{21} \Sigma_{22}^{-1} \Sigma_{12} $$",
    r"$$ a = f_1(x) $$ $$ a = f_2(x) $$",
]


@pytest.mark.parametrize("text", PROVED)
def test_right_statements_are_proved(text):
    assert statuses(text)[-1:] == ["proved"]


@pytest.mark.parametrize("text", NOT_PROVED)
def test_wrong_statements_are_not(text):
    assert "proved" not in statuses(text)


REFUSED = {  # what has two readings, also where the reading is not strict
    r"$$ s = x_1 + x_3 + \dots + x_n $$": "entries are left out",
    r"$$ s = x_2 + x_3 + \dots + x_n $$": "entries are left out",
    r"$$ z = g(u + v) + q (u + v) + g $$": "a product, or a function that nothing defines",
    r"$$ g = \frac{\partial f}{\partial x}(a) $$": "the point where it is taken, or a factor",
    r"$$ B_{ij} = A_{ij}^{-1} $$": "of the matrix, or of the component",
    r"$$ y = x^N $$": "a power, or a name with a label",
    r"$$ \mathbf{z} = \mathbf{A} \mathbf{u} + f(t) $$": "a number, or a column vector too",
    r"$$ w = v_{a;b} u^a u^b $$": "a covariant derivative, or one more index",
    r"$$ a = \nosuch b $$": "is not known",
    r"$$ a = \Nosuch{b} $$": "is not known",
}


@pytest.mark.parametrize("text", list(REFUSED))
def test_what_is_refused(text):
    assert any(REFUSED[text] in why for why in reasons(text))


def test_quantities_are_tied():
    doc = read(
        r"$$ v = \mathbb{E}[x] + \int h(\mathbf{t}) d\mathbf{t} + g(\mathbf{u}) $$", strict=False
    )
    assert set(doc.unresolved) >= {"mean_x", "integral_h_t", "g_u"}


def test_an_expectation_is_another_under_another_heading():
    text = "# A\n\n$$ a = \\mathbb{E}[x] $$\n\n# B\n\n$$ b = \\mathbb{E}[x] $$\n"
    doc = read(text, strict=False)
    assert doc["a"].expr != doc["b"].expr


def test_a_quantity_that_is_defined_is_not_tied():
    doc = read(r"$$ p(a | b) = \frac{1}{b} $$ $$ z = 2 p(a | b) $$", strict=False)
    assert "p_given_a_b" in doc.definitions
    assert not doc.unresolved


EXAMPLE = """# Scores

<!-- symattn: sizes Q:(n,d) K:(m,d) -->
$$ S = Q K^\\top $$

# Example

$$ Q = \\begin{pmatrix} 1 & 0 & 2 \\\\ 0 & 1 & 1 \\end{pmatrix} $$
"""
OTHER = """# Theory

$$ y_i = Q_{ij} x_j $$
$$ z_j = x_j + b_j $$

# Example

$$ Q = \\begin{pmatrix} 1 & 0 \\\\ 0 & 1 \\end{pmatrix} $$
$$ b_{ij} = Q_{ij} $$
"""


def test_a_declared_name_is_not_given_to_another_tensor():
    doc = read(EXAMPLE, strict=False)
    assert doc["S"].shape[0].is_Symbol


def test_a_worked_example_does_not_redefine_a_name():
    doc = read(OTHER, strict=False)
    assert not doc.skipped
    assert [len(d.shape) for d in doc if d.name.startswith("b")] == [2]
    assert any(str(s).isdigit() is False for s in doc["y"].shape)


def test_a_number_beside_a_tensor_of_one_name():
    doc = read("$$ R_{ab} = h_{ac} h_{cb} $$ $$ R = 6 k^2 $$", strict=False)
    assert not doc.skipped
    assert {d.name for d in doc} == {"R", "R_2"}


def test_a_function_that_is_given_anew():
    text = "$$ f(x) = x^2 $$ $$ a = f(3) $$ $$ f(x) = x + 1 $$ $$ b = f(3) $$"
    doc = read(text, strict=False)
    assert (doc["a"].expr, doc["b"].expr) == (9, 4)
    assert not doc.claims


def test_notation_is_no_claim():
    text = (
        r"$$ X = \{ u, v \} $$ $$ \theta = (\mu, \nu) $$ $$ u \sim N(0, 1) $$ $$ A \subseteq B $$"
    )
    doc = read(text, strict=False)
    assert [q.kind for q in doc.equations] == ["notation"] * 4


def test_macros_of_a_file(tmp_path):
    table = tmp_path / "table.tex"
    table.write_text("\\newcommand{\\kern}[1]{K_{#1}}", encoding="utf-8")
    assert shown(r"$$ y_i = \kern{ij} x_j $$", macros=table) == [
        "y[i] = Sum(K[i, j]*x[j], (j, 0, n_j - 1))"
    ]
    own = r"\newcommand{\kern}[1]{M_{#1}} $$ y_i = \kern{ij} x_j $$"
    assert "M[i, j]" in shown(own, macros=table)[0]
    with pytest.raises(ReadError, match="cannot be read"):
        read("$$ a = b $$", macros=tmp_path / "none.tex")


def test_the_summary_names_the_evidence():
    text = (
        "<!-- symattn: sizes Q:(n,d) -->\n$$ y = Q u + \\mathbf{b} $$\n"
        "$$ z_i = h_{ij} y_j $$\n$$ v = \\mathbb{E}[w] $$\n"
    )
    rows = {m.name: m for m in read(text, strict=False).meanings}
    assert (rows["Q"].kind, rows["Q"].shape, rows["Q"].evidence) == (
        "matrix",
        ("n", "d"),
        "declared, line 1",
    )
    assert rows["b"].evidence.startswith("by convention")
    assert rows["h"].evidence == "by its indices, line 3"
    assert "not stated" in rows["mean_w"].evidence
    assert rows["z"].evidence.startswith("defined by an equation")
    lines = read(text, strict=False).summary().split("\n")
    assert len(lines) == len(rows) and lines == sorted(lines)


PROGRAM = """
from symattn.read import read
doc = read(open({path!r}).read(), strict=False)
for q in doc.equations:
    print(q.kind, q.lhs, q.rhs)
print(doc.summary(), doc.unresolved, doc.assumed, [str(r.reason) for r in doc.skipped])
"""


def test_reading_is_the_same_in_every_process(tmp_path):
    path = tmp_path / "doc.md"
    path.write_text("\n\n".join([*READ, *PROVED, *NOT_PROVED, OTHER]), encoding="utf-8")
    program = PROGRAM.format(path=str(path))
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "17")
    }
    assert len(found) == 1


CHAPTERS = """# Regression

Let $X \\in \\mathbb{R}^{n \\times d}$.

$$ J = \\| \\mathbf{y} - X \\beta \\|^2 $$

# Moments

$$ m_{t+1} = \\beta_1 m_t + g_t $$
$$ \\hat m_t = \\frac{m_t}{1 - \\beta_1^t} $$

# Diffusion

$$ a_t = 1 - \\beta_t $$
$$ b = \\sum_{t=1}^{N} \\beta_t $$
"""


def test_a_name_belongs_to_its_chapter():
    doc = read(CHAPTERS, strict=False)
    assert not doc.skipped
    rows = {m.name: m for m in doc.meanings}
    assert rows["beta"].kind == "vector"
    assert rows["beta_1"].kind == "number"
    assert str(doc["m_hat"].expr.args).count("beta_1") == 1
    assert not doc["J"].expr.has(doc["b"].tensor)
    shape = rows["X"].evidence
    assert "words of the text" in shape


def test_letters_of_a_chapter_alone_stay_one_tensor():
    text = (
        "# A\n\n$$ y_i = Q_{ij} x_j $$\n\n# B\n\n$$ z = Q_{ij} y_i x_j $$\n\n# C\n\n$$ w = c $$\n"
    )
    doc = read(text, strict=False)
    assert [m.name for m in doc.meanings] == ["Q", "c", "w", "x", "y", "z"]


def test_a_section_that_defines_a_numbered_matrix_keeps_it():
    text = (
        "# A\n\n$$ B_k = M_k P_k M_k^\\top $$\n$$ K_k = B_k H_k^\\top $$\n\n"
        "# B\n\n$$ P_k = (I - K_k H_k) B_k $$\n"
    )
    rows = {m.name: m for m in read(text, strict=False).meanings}
    assert {len(rows[n].shape) for n in ("K", "P", "B", "H", "M")} == {3}
    assert "P_2" not in rows


def test_numbers_of_a_chapter_are_numbers_in_the_next():
    text = (
        "1 Sums\n\n$$ Z = \\sum_j e^{-b E_j} $$\n$$ U = \\sum_j p_j E_j $$\n\n"
        "2 Slopes\n\n$$ \\frac{\\partial Z}{\\partial b} = - Z U $$\n\n"
        "3 More\n\n$$ a = b $$\n"
    )
    rows = {m.name: m.kind for m in read(text, strict=False).meanings}
    assert (rows["Z"], rows["U"], rows["E"]) == ("number", "number", "vector")
