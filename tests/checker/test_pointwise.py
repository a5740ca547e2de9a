"""Expressions of numbers as functions of arrays."""

import numpy as np
import sympy as sp

import symattn as sa
from symattn.checker.pointwise import pointwise

x, y = sp.symbols("x lambda", real=True)


def test_values_where_there_are_real_ones() -> None:
    at = pointwise(sp.sqrt(x) + y, [x, y])
    assert at is not None
    found = at(np.array([4.0, -1.0, 9.0]), np.array([1.0, 1.0, -2.0]))
    np.testing.assert_array_equal(found, [3.0, np.nan, 1.0])
    one = pointwise(sp.Integer(2), [x])
    assert one is not None
    np.testing.assert_array_equal(one(np.zeros(3)), [2.0, 2.0, 2.0])


def test_what_is_made_of_other_names_has_no_values() -> None:
    assert pointwise(x + y, [x]) is None
    assert pointwise(sp.Function("exit")(x), [x]) is None
    assert pointwise(sp.IndexedBase("v")[0] + x, [x]) is None
    det = sa.det(sa.tensor("M", *[sa.sizes("n")[0]] * 2))
    assert pointwise(det + x, [x, *det.free_symbols]) is None


def test_names_of_a_document_never_reach_the_source() -> None:
    odd = sp.Symbol("print('no')", real=True)
    at = pointwise(odd**2, [odd])
    assert at is not None
    np.testing.assert_array_equal(at(np.array([3.0])), [9.0])
