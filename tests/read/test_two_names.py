"""One letter, two things of one text: the matrix K_ij and the function K(x, y), R and R_ab."""

from __future__ import annotations

from symattn.checker import check
from symattn.read import read


def test_a_kernel_and_its_matrix():
    text = r"""
Let $K\in\mathbb{R}^{n\times n}$ have the entries $K_{ij}$.

$$ K(x, y) = x y + 1, \qquad z = K(2, w) $$
$$ z = 2 w + 1 $$
$$ f = K \alpha, \qquad f_i = \sum_j K_{ij} \alpha_j $$
"""
    found = [r.verdict for r in check(text, corrections=False) if r.kind != "shape"]
    assert found == ["definition", "definition", "proved", "definition", "proved"]


def test_a_trace_beside_its_tensor():
    text = r"""
The curvature scalar is a number.

$$ R = g^{ab} R_{ab}, \qquad G_{ab} = R_{ab} - \frac12 R\, g_{ab} $$
$$ \nabla^a G_{ab} = 0 $$
"""
    doc = read(text, strict=False)
    assert not doc.refused
    assert "nabla_raised_G" in doc.unresolved


def test_a_matrix_of_its_own_entries_is_no_number():
    doc = read("$$ M = \\sum_{ij} M_{ij} e_i e_j^\\top $$\n\n$$ y = M x $$", strict=False)
    assert "M_scalar" not in doc.inputs and "M_scalar" not in doc.definitions


def test_the_trace_of_an_inverse():
    text = r"""
Let $X\in\mathbb{R}^{n\times p}$.

$$ H = X (X^\top X + \lambda I)^{-1} X^\top $$
$$ \mathrm{tr} H = p - \lambda\, \mathrm{tr} (X^\top X + \lambda I)^{-1} $$
$$ \mathrm{tr}(X^\top X)^{-1} = 1 $$
"""
    rows = [r for r in check(text, corrections=False) if r.kind != "shape"]
    assert [r.verdict for r in rows] == ["definition", "proved", "skipped"]
    assert "of the matrix, or of the trace" in rows[2].reason


def test_an_index_of_a_condition_stays_one_below_a_derivative():
    text = r"""
$$ \delta_b^a = \begin{cases} 1 & \text{if } a = b \\ 0 & \text{otherwise} \end{cases} $$
$$ \nabla_a v^b = \partial_a v^b + \Gamma_{ac}^b v^c $$
"""
    assert not read(text, strict=False).refused
