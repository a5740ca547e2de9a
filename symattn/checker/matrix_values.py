"""Matrices of rational numbers for the names of formulas, and what the formulas come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import sympy as sp
from sympy.polys.matrices import DomainMatrix

from .operators import Foreign

Value = Any  # a DomainMatrix, or a Fraction
_QQ = sp.QQ


def matrix(rows: Sequence[Sequence[Any]]) -> Any:
    """A matrix of these numbers."""
    entries = [[_QQ(int(x.numerator), int(x.denominator)) for x in r] for r in rows]
    return DomainMatrix(entries, (len(entries), len(entries[0])), _QQ)


class Values:
    """What trees come to where names have values.  Raises Foreign where nothing fits."""

    def __init__(self, of: Mapping[str, Value], size: int, rows: bool = False) -> None:
        self.of, self.size, self.rows = of, size, rows

    def number(self, value: Fraction) -> Value:
        return value

    def name(self, name: str) -> Value:
        if name in self.of:
            return self.of[name]
        if name == "I" or name.startswith("I_"):
            size = int(self.of.get(name[2:], self.size))
            return DomainMatrix.eye(size, _QQ).to_dense()
        raise Foreign

    def plus(self, a: Value, b: Value) -> Value:
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return a + b
        if isinstance(a, Fraction) or isinstance(b, Fraction):
            return self._shifted(a, b)
        if a.shape != b.shape:
            raise Foreign
        return a + b

    def _shifted(self, a: Value, b: Value) -> Value:
        whole, c = (b, a) if isinstance(a, Fraction) else (a, b)
        assert isinstance(whole, DomainMatrix) and isinstance(c, Fraction)
        if whole.shape == (1, 1):
            return _number(whole) + c
        if c:  # 1 + A, or a number that is added to a matrix by mistake
            raise Foreign
        return whole

    def times(self, a: Value, b: Value) -> Value:
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return a * b
        if isinstance(a, Fraction) or isinstance(b, Fraction):
            whole, c = (b, a) if isinstance(a, Fraction) else (a, b)
            assert isinstance(whole, DomainMatrix) and isinstance(c, Fraction)
            return whole * _QQ(c.numerator, c.denominator)
        if a.shape[1] != b.shape[0]:
            for one, other in ((a, b), (b, a)):
                if one.shape == (1, 1):
                    return self.times(_number(one), other)
            raise Foreign
        return a * b

    def transposed(self, a: Value) -> Value:
        return a if isinstance(a, Fraction) else a.transpose()

    def inverse(self, a: Value) -> Value:
        if isinstance(a, DomainMatrix) and a.shape == (1, 1):
            a = _number(a)
        if isinstance(a, Fraction):
            if not a:
                raise Foreign
            return 1 / a
        if a.shape[0] != a.shape[1] or not a.det():
            raise Foreign
        return a.inv()

    def kronecker(self, a: Value, b: Value) -> Value:
        if isinstance(a, Fraction) or isinstance(b, Fraction):
            raise Foreign
        one, other = a.to_list(), b.to_list()
        return matrix([[x * y for x in r for y in q] for r in one for q in other])

    def vec(self, a: Value) -> Value:
        if isinstance(a, Fraction):
            raise Foreign
        rows = (a if self.rows else a.transpose()).to_list()
        return matrix([[x] for row in rows for x in row])

    def tr(self, a: Value) -> Value:
        if isinstance(a, Fraction) or a.shape[0] != a.shape[1]:
            raise Foreign
        return sum((_fraction(a.to_list()[k][k]) for k in range(a.shape[0])), Fraction(0))

    def det(self, a: Value) -> Value:
        if isinstance(a, Fraction) or a.shape[0] != a.shape[1]:
            raise Foreign
        return _fraction(a.det())

    def blocks(self, rows: Sequence[Sequence[Any]]) -> Value:
        full = list[Any]()
        for row in rows:
            cells = [self._cell(x, row, [r[k] for r in rows]) for k, x in enumerate(row)]
            joined = cells[0]
            for cell in cells[1:]:
                if cell.shape[0] != joined.shape[0]:
                    raise Foreign
                joined = joined.hstack(cell)
            full.append(joined)
        whole = full[0]
        for below in full[1:]:
            if below.shape[1] != whole.shape[1]:
                raise Foreign
            whole = whole.vstack(below)
        return whole

    def _cell(self, x: Value, row: Sequence[Value], column: Sequence[Value]) -> Any:
        """A block; 0 and 1 are as large as those beside them."""
        if isinstance(x, DomainMatrix):
            return x
        high = next((v.shape[0] for v in row if isinstance(v, DomainMatrix)), self.size)
        wide = next((v.shape[1] for v in column if isinstance(v, DomainMatrix)), self.size)
        if x == 0:
            return DomainMatrix.zeros((high, wide), _QQ).to_dense()
        raise Foreign


def _number(a: DomainMatrix) -> Fraction:
    return _fraction(a.to_list()[0][0])


def _fraction(x: Any) -> Fraction:
    return Fraction(int(x.numerator), int(x.denominator))


def equal(a: Value, b: Value) -> bool:
    """Two values are the same.  Raises Foreign for what has other shapes."""
    if isinstance(a, DomainMatrix) and isinstance(b, Fraction):
        if b == 0:
            return not any(x for row in a.to_list() for x in row)
        if a.shape == (1, 1):
            return _number(a) == b
        raise Foreign
    if isinstance(a, Fraction) and isinstance(b, DomainMatrix):
        return equal(b, a)
    if isinstance(a, DomainMatrix) and isinstance(b, DomainMatrix) and a.shape != b.shape:
        raise Foreign
    if isinstance(a, DomainMatrix):  # which is dense or sparse
        return bool(a.to_list() == b.to_list())
    return bool(a == b)


def drawn(random: Random, rows: int, columns: int) -> Any:
    """A matrix of whole numbers."""
    return matrix([[random.randint(-4, 5) for _ in range(columns)] for _ in range(rows)])


def special(random: Random, size: int) -> Iterator[Any]:
    """Matrices of which powers and products are special, each turned by one that is drawn."""
    forms = {
        2: [[[1, 0], [0, 0]], [[1, 0], [0, -1]], [[0, 1], [0, 0]], [[0, -1], [1, -1]],
            [[1, 0], [0, 2]], [[0, -1], [1, 0]], [[2, 0], [0, 3]]],
        3: [[[1, 0, 0], [0, 1, 0], [0, 0, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, -1]],
            [[0, 1, 0], [0, 0, 1], [0, 0, 0]], [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
            [[1, 0, 0], [0, 2, 0], [0, 0, 2]]],
    }  # fmt: skip
    while True:
        turn = drawn(random, size, size)
        if turn.det():
            break
    for form in forms.get(size, ()):
        yield turn * matrix(form) * turn.inv()


__all__ = ["Value", "Values", "drawn", "equal", "matrix", "special"]
