r"""One name for several tensors: sections, `overload`, `new`, and what stays an error."""

from __future__ import annotations

import pytest

from symattn.read import ReadError, read

SCORES = "$$S^{ij} = Q^{ia} K^{ja}$$\n"
HEADS = "$$Q^{hia} = Q^{ib} W_Q^{hba}$$\n"


def shown(doc):
    return {name: str(d.expr) for name, d in doc.definitions.items()}


@pytest.mark.parametrize("heading", ["# Heads\n", "### Heads\n", "\\section{Heads}\n"])
def test_a_section_may_define_a_name_with_another_number_of_indices(heading):
    doc = read(f"{SCORES}{heading}{HEADS}$$S^{{hij}} = Q^{{hia}} K^{{ja}}$$")
    assert shown(doc) == {
        "S": "Sum(K[j, a]*Q[i, a], (a, 0, n_a - 1))",
        "Q_2": "Sum(Q[i, b]*W_Q[h, b, a], (b, 0, n_a - 1))",
        "S_2": "Sum(K[j, a]*Q_2[h, i, a], (a, 0, n_a - 1))",
    }


def test_behind_the_section_the_number_of_indices_tells():
    doc = read(f"{SCORES}# B\n{HEADS}# C\n$$L = Q^{{ia}} Q^{{ia}}$$ $$M = Q^{{hia}} Q^{{hia}}$$")
    assert shown(doc)["L"].startswith("Sum(Q[i, a]**2")
    assert shown(doc)["M"].startswith("Sum(Q_2[h, i, a]**2")


def test_the_nearest_of_two_sections_is_meant():
    doc = read(
        f"{SCORES}# B\n{HEADS}# C\n$$S^{{hij}} = Q^{{hia}} K^{{ja}}$$\n# D\n"
        "$$Q^{hiab} = Q^{hia} u^b$$ $$R^{hiab} = Q^{hiab}$$"
    )
    assert shown(doc)["Q_3"] == "Q_2[h, i, a]*u[b]"
    assert shown(doc)["R"] == "Q_3[h, i, a, b]"


def test_a_subsection_belongs_to_its_section():
    doc = read(f"{SCORES}# B\n{HEADS}## C\n$$M = Q^{{hia}} Q^{{hia}}$$")
    assert "Q_2" in shown(doc)["M"]
    with pytest.raises(ReadError, match="Q has 2 indices here and 3 indices at line 3"):
        read(f"{SCORES}# B\n{HEADS}## C\n$$M = Q^{{ia}} Q^{{ia}}$$")


ERRORS = [  # text, problem, mend
    (SCORES + HEADS, "Q has 3 indices here and 2 indices at line 1, column 12", "overload Q"),
    ("# A\n" + SCORES + HEADS, "Q has 3 indices here and 2 indices at line 2", "overload Q"),
    (SCORES + "# B\n$$L = Q^{hia} Q^{hia}$$", "Q has 3 indices here and 2 indices", "overload Q"),
    (SCORES + "# B\n" + HEADS + "$$L = Q^{ia} Q^{ia}$$",
     "Q has 2 indices here and 3 indices at line 3", "overload Q"),
    (SCORES + "# B\n" + HEADS + "# C\n$$L = \\|Q\\|^2$$",
     "Q stands without indices: the one with 2 indices or 3 indices?", "write the indices"),
    (SCORES + "# B\n$$S^{i} = u^a Q^{ia}$$", "S has one index here and 2 indices", "overload S"),
    ("<!-- symattn: sizes Q:(n,d) -->\n" + SCORES + "# B\n" + HEADS, "Q has 3 indices here",
     "overload Q"),
    ("<!-- symattn: sizes Q:(n,d) Q:(h,n,d) -->$$x = y$$",
     "Q has 3 indices here and 2 indices at line 1, column 20", "overload Q"),
    ("<!-- symattn: overload Q -->\n" + HEADS + "$$L = \\|Q\\|^2$$",
     "Q stands without indices: the one with 3 indices or 2 indices?", "write the indices"),
    ("<!-- symattn: overload Q; scalars Q_2 -->$$x = Q_2$$ " + HEADS, "another Q is called Q_2",
     "another name"),
    ("$$S = q^a k^a$$\n$$S^{ij} = Q^{ia} K^{ja}$$", "S has no index here and 2 indices at line 2",
     "new S"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "problem", "mend"), ERRORS, ids=[e[0] for e in ERRORS])
def test_a_forgotten_index_is_still_an_error(text, problem, mend):
    with pytest.raises(ReadError) as caught:
        read(text)
    assert problem in caught.value.problem
    assert mend in caught.value.mend


def test_overload_tells_by_the_number_of_indices():
    doc = read(f"<!-- symattn: overload Q -->{SCORES}{HEADS}$$L = Q^{{hia}} Q^{{ia}} u^h$$")
    assert shown(doc)["Q_2"] == "Sum(Q[i, b]*W_Q[h, b, a], (b, 0, n_a - 1))"
    assert "Q[i, a]*Q_2[h, i, a]" in shown(doc)["L"]


def test_overload_takes_the_shapes_that_are_declared():
    doc = read(
        "<!-- symattn: overload Q; sizes Q:(n,d) Q:(h,n,e) -->"
        r"$$r^{hij} = Q^{hia} W^{ab} Q^{jb}$$"
    )
    assert [str(s) for s in doc.inputs["Q"].shape] == ["n", "d"]
    assert [str(s) for s in doc.inputs["Q_2"].shape] == ["h", "n", "e"]


def test_the_name_in_results_is_read_back_where_it_is_declared():
    doc = read("<!-- symattn: sizes Q:(n,d) Q_2:(h,n,d) -->$$L = Q_2^{hia} Q^{ia} u^h$$")
    assert str(doc["L"].expr).startswith("Sum(Q[i, a]*Q_2[h, i, a]*u[h]")


def test_new_makes_another_tensor_of_the_same_shape():
    again = "$$S^{ij} = Q^{ia} g^{ab} K^{jb}$$ $$A^{ij} = e^{S^{ij}}$$"
    assert len(read(SCORES + again).claims) == 1
    doc = read(SCORES + "<!-- symattn: new S -->" + again)
    assert not doc.claims
    assert shown(doc)["A"] == "exp(S_2[i, j])"
    assert "g[a, b]" in shown(doc)["S_2"] and "g[a, b]" not in shown(doc)["S"]


def test_a_number_that_displays_have_keeps_its_name_in_sentences():
    text = r"""The factor is $v = \frac{1}{1+i}$ and $d = 1 - v = \frac{i}{1+i}$.
$$ a_n = \sum_{k=1}^n v^k = \frac{1-v^n}{i}. $$
$$ \ddot a_n = \sum_{k=0}^{n-1}v^k = \frac{1-v^n}{d} = (1+i)a_n. $$
A perpetuity is $a_\infty = \sum_{k=1}^\infty v^k = \frac1i$.
$$ d_1 = \frac{r+\sigma^2/2}{\sigma}, \qquad d_2 = d_1-\sigma. $$"""
    doc = read(text, strict=False)
    assert "v_scalar" not in {str(x) for d in doc.definitions.values() for x in d.expr.free_symbols}
    assert str(doc.definitions["d"].expr) == "1 - v"
