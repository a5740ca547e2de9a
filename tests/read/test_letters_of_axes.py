"""What the reader chooses between: letters for axes, d_i as a size or not, declared names."""

from __future__ import annotations

import sympy as sp

import symattn as sa


def test_an_axis_without_a_letter_is_not_called_as_a_tensor():
    system = sa.read("<!-- symattn: sizes t:(n,m) -->\nq = 2 t\np_i = \\sum_j q_{ij}")
    assert [i.name for i in system.definitions["q"].indices] == ["r", "s"]
    plain = sa.read("<!-- symattn: sizes t:(n,m) -->\nw = 2 t")
    assert [i.name for i in plain.definitions["w"].indices] == ["p", "q"]


def test_a_size_by_convention_at_two_letters_of_one_axis_is_a_component():
    degrees = sa.read(r"E = \sum_{ij} A_{ij} \frac{x_i x_j}{\sqrt{d_i} \sqrt{d_j}}")
    assert set(degrees.inputs) == {"A", "x", "d"}
    scaled = sa.read(r"S_{ij} = \sum_k \frac{Q_{ik} K_{jk}}{\sqrt{d_k}}")
    assert set(scaled.inputs) == {"Q", "K"}  # one letter: the size of what is summed over
    apart = sa.read(r"S = \sum_{jk} \frac{x_j y_k}{\sqrt{d_j} \sqrt{d_k}}")
    assert set(apart.inputs) == {"x", "y"}  # the letters of two axes: two sizes


def test_declared_names_may_have_a_backslash():
    system = sa.read("<!-- symattn: scalars \\alpha; positive p -->\nS = \\sum_i p_i^\\alpha")
    (i,), alpha = sa.indices("i", system.inputs["p"].shape[0]), sp.Symbol("alpha")
    expected = sa.total(system.inputs["p"][i] ** alpha, i)
    assert sa.prove(system.definitions["S"].expr, expected, given=system).status == "proved"


def test_a_definite_matrix_is_declared():
    system = sa.read("<!-- symattn: definite C; sizes C:(n,n) -->\ny_i = \\sum_j C_{ij} x_j")
    C = system.inputs["C"]
    (i, j) = sa.indices("i j", C.shape[0])
    assert sa.prove(C[i, j], C[j, i], given=system).status == "proved"
    other = sa.read("<!-- symattn: sizes C:(n,n) x:(n) -->\ny_i = \\sum_j C_{ij} x_j").inputs["C"]
    (i, j) = sa.indices("i j", other.shape[0])
    assert sa.prove(other[i, j], other[j, i]).status == "refuted"


def test_a_letter_below_a_sum_is_a_number_also_where_a_length_has_its_name():
    """Σ_k k a_k beside sizes a:(k); a k that stands under no Σ is the length."""
    head = "<!-- symattn: indices from 1; scalars w; sizes a:({0}) -->\n"
    text = r"C = \sum_k a_k \cos(w k)"
    own = sa.read(head.format("k") + text).definitions["C"]
    other = sa.read(head.format("m") + text).definitions["C"]
    (size,), (m,) = own.expr.atoms(sp.Idx), other.expr.atoms(sp.Idx)
    for n in (2, 3):
        values = [
            sum(
                d.expr.function.subs(i, j).replace(sp.Indexed, lambda b, k: sp.Symbol(f"a{k}"))
                for j in range(n)
            )
            for d, i in ((own, size), (other, m))
        ]
        assert sp.simplify(values[0] - values[1]) == 0
    mean = sa.read(head.format("k") + r"m = \frac{1}{k} \sum_k a_k").definitions["m"].expr
    assert sp.Symbol("k", integer=True, positive=True) in mean.free_symbols
