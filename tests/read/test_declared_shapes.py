"""What declared shapes say of names that equations define, and of vectors of ones."""

from __future__ import annotations

import pytest

import symattn as sa

SHAPES = "<!-- symattn: scalars m; sizes R:(n,l) x:(n) c:(l) P:(n,k) Q:(l,k) A:(n,n) -->\n"


def read(text):
    return sa.read(SHAPES + text)


@pytest.mark.parametrize(
    "norm", [r"\frac{1}{2} \|r\|_F^2", r"\|r\|^2", r"\mathrm{tr}(r^\top r)", r"\|r\|_F^2 + \|P\|^2"]
)
@pytest.mark.parametrize(
    "right", [r"P Q^\top - R", r"R - x c^\top", r"2 P Q^\top + \mathbf{1} c^\top", r"A P Q^\top"]
)
def test_a_small_letter_is_the_matrix_that_it_is_defined_as(right, norm):
    assert len(read(f"r = {right}\nL = {norm}").definitions["r"].indices) == 2


@pytest.mark.parametrize("right", ["A x", r"R c - x", r"x^\top A x", r"m x", r"x^\top A"])
def test_what_is_no_matrix_is_none(right):
    assert (
        len(
            read(f"r = {right}\nL = m r^2" if "L" in right else f"r = {right}")
            .definitions["r"]
            .indices
        )
        < 2
    )


@pytest.mark.parametrize(
    "ones",
    [
        r"m \mathbf{1}_n \mathbf{1}_l^\top",
        r"m \mathbf{1}_{n} \mathbf{1}_{l}^{\top}",
        r"\mathbf{1}_n \mathbf{1}_l^\top m",
        r"m \mathbf{1}_{n \times l}",
        r"m \mathbf{1} \mathbf{1}^\top",
    ],
)
def test_ones_have_as_many_entries_as_is_said_below(ones):
    (i,), (j,) = sa.indices("i", *sa.sizes("n")), sa.indices("j", *sa.sizes("l"))
    doc = read(f"Y = {ones} + R")
    m, (R, Y) = sa.tensor("m"), (sa.tensor(x, i.upper + 1, j.upper + 1) for x in "RY")
    assert sa.prove(Y[i, j], m + R[i, j], given=doc).status == "proved"


def test_ones_of_another_length_are_no_ones_of_these():
    with pytest.raises(sa.SymattnError, match="has two sizes, l and n"):
        read(r"Y = \mathbf{1}_l \mathbf{1}_n^\top + R")


def test_a_policy_is_no_number():
    doc = sa.read(
        "<!-- symattn: sizes \\theta:(K) A:(K) -->\n"
        "\\pi = \\mathrm{softmax}(\\theta)\nJ = \\pi^\\top A"
    )
    assert str(sa.jacobian(doc, of="J", wrt="A").matrix_form()).endswith(r"\pi")


@pytest.mark.parametrize(
    "right", [r"4 \arctan 1", r"\sqrt{6 \zeta(2)}", r"\int_0^1 \frac{4}{1 + \theta^2} d\theta"]
)
def test_what_is_said_of_a_number_makes_it_no_name(right):
    assert "pi" not in getattr(sa.read(f"$$ \\pi = {right} $$", strict=False), "definitions", {})


def test_a_one_behind_a_name_may_be_a_vector_of_ones():
    with pytest.raises(sa.SymattnError, match=r"\\mathbf\{1\} for a vector of ones"):
        read(r"y = x + m 1 + x")


@pytest.mark.parametrize("ones", ["1", r"\mathbf{1}"])
def test_a_one_behind_a_matrix_is_a_vector_of_ones(ones):
    doc = read(rf"s = \frac{{1}}{{n}} R^\top {ones}")
    (R, s), (n, l) = (
        (sa.tensor("R", *sa.sizes("n l")), sa.tensor("s", *sa.sizes("l"))),
        sa.sizes("n l"),
    )
    (i,), (j,) = sa.indices("i", n), sa.indices("j", l)
    assert sa.prove(s[j], sa.total(R[i, j], i) / n, given=doc).status == "proved"


@pytest.mark.parametrize("ones", ["1", r"\mathbf{1}"])
def test_a_one_before_a_row_is_a_vector_of_ones(ones):
    doc = read(rf"Y = R + {ones} c^\top")
    n, l = sa.sizes("n l")
    (i,), (j,) = sa.indices("i", n), sa.indices("j", l)
    Y, R, c = sa.tensor("Y", n, l), sa.tensor("R", n, l), sa.tensor("c", l)
    assert sa.prove(Y[i, j], R[i, j] + c[j], given=doc).status == "proved"


def test_of_an_undefined_phi_it_is_said_how_it_may_be_the_normal_law():
    with pytest.raises(sa.SymattnError, match=r"\\Phi\$ is the standard normal cdf"):
        read(r"y = m \Phi(m - 1)")


def test_a_greek_letter_without_its_backslash_is_no_product():
    with pytest.raises(sa.SymattnError, match="lambda: the letter, or the product l a m b d a"):
        read(r"L = x^\top x + lambda c^\top c")
    assert read(r"L = x^\top x + \lambda c^\top c").definitions["L"]
    assert read(r"L = x^\top x + \mathrm{lambda} c^\top c").definitions["L"]
    assert read(r"z = l a m b d a").definitions["z"]
