"""Einsum strings as definitions and back, and what is said of strings that are none."""

import numpy as np
import pytest

import symattn as sa
from symattn.einsum import contraction, explain, parse, subscripts

SIZES = dict(zip("abhijk", (2, 3, 4, 5, 6, 7), strict=True))
STRINGS = ["ij,jk->ik", "ij->ji", "ii->", "ii->i", "ia,ab,jb->ij", "hia,hja->hij", "ij->"]
STRINGS += ["a,b->ba"]


def made(text):
    factors, _ = parse(text)
    tensors = [
        sa.tensor(f"T{k}", *(sa.sizes(f"n_{x}")[0] for x in letters))
        for k, letters in enumerate(factors)
    ]
    return contraction("R", text, *tensors)


@pytest.mark.parametrize("text", STRINGS)
def test_a_string_is_a_definition_with_the_values_of_numpy(text):
    d = made(text)
    back, names = subscripts(d)
    rng = np.random.default_rng(0)
    arrays = {
        name: rng.standard_normal([SIZES[x] for x in letters])
        for letters, name in zip(back.split("->")[0].split(","), names, strict=True)
    }
    got = sa.compile(sa.System(d), output="R", target="numpy")(**arrays)
    order = [f"T{k}" for k in range(len(names))]
    np.testing.assert_allclose(got, np.einsum(text, *(arrays[n] for n in order)), rtol=1e-13)
    assert np.einsum(back, *(arrays[n] for n in names)) == pytest.approx(got, rel=1e-13)


def test_without_an_arrow_letters_that_occur_once_are_kept_in_alphabetical_order():
    assert parse("kj,ji") == (("kj", "ji"), "ik")
    assert parse("ii") == (("ii",), "")


def test_every_letter_is_explained():
    assert [str(letter) for letter in explain("ia,ja->ij")] == [
        "i is kept: axis 1 of factor 1",
        "a is summed: axis 2 of factor 1, axis 2 of factor 2",
        "j is kept: axis 1 of factor 2",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ij,jk->il", "l cannot be a letter of the result"),
        ("ij->ii", "i cannot be a letter of the result"),
        ("i-j", "'i-j' is no einsum string"),
        ("i...->i", "is no einsum string"),
    ],
)
def test_what_is_no_string_is_said(text, said):
    with pytest.raises(sa.FormulaError, match=said):
        parse(text)


def test_tensors_that_do_not_fit_are_said():
    n, m = sa.sizes("n m")
    A = sa.tensor("A", n, m)
    with pytest.raises(sa.ShapeError, match="j of 'ij,jk->ik' is m and n"):
        contraction("C", "ij,jk->ik", A, A)
    with pytest.raises(sa.ShapeError, match="A has 2 axes"):
        contraction("C", "i->i", A)
    with pytest.raises(sa.ShapeError, match="of 2 factors"):
        contraction("C", "ij,jk->ik", A)


def test_a_definition_that_is_no_product_is_no_string():
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    x = sa.tensor("x", n)
    with pytest.raises(sa.UnsupportedError, match="y is no einsum"):
        subscripts(sa.define("y", (i,), x[i] + 1))
