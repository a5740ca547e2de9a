"""Determinants and inverses of matrices in the field, block by block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from .field import Element, Field

Matrix: TypeAlias = Mapping[tuple[int, ...], Element]
SMALL = 5  # blocks up to this size are inverted by minors, larger ones by elimination


def blocks(matrix: Matrix, n: int) -> list[list[int]]:
    """The rows in groups that no entry connects."""
    group = list(range(n))
    for i, j in matrix:
        if group[i] != group[j]:
            old, new = max(group[i], group[j]), min(group[i], group[j])
            group = [new if g == old else g for g in group]
    return [[i for i in range(n) if group[i] == g] for g in sorted(set(group))]


def determinant(field: Field, matrix: Matrix, n: int) -> Element:
    """det M, the product over its blocks."""
    parts = [Minors(field, matrix).minor(rows, rows) for rows in map(tuple, blocks(matrix, n))]
    return field.total([(1, parts)])


def inverse(field: Field, matrix: Matrix, n: int) -> dict[tuple[int, ...], Element]:
    """M^{-1} of a symmetric matrix.  ZeroDivisionError where it is singular."""
    found: dict[tuple[int, ...], Element] = {}
    for rows in blocks(matrix, n):
        found |= _block(field, matrix, rows) if len(rows) <= SMALL else _solved(field, matrix, rows)
    return {at: value for at, value in sorted(found.items()) if value}


def _block(field: Field, matrix: Matrix, rows: Sequence[int]) -> dict[tuple[int, ...], Element]:
    """By cofactors over the determinant."""
    minors = Minors(field, matrix)
    scale = field.inverse(minors.minor(tuple(rows), tuple(rows)))
    found: dict[tuple[int, ...], Element] = {}
    for p, i in enumerate(rows):
        for q, j in enumerate(rows[p:], p):
            rest = [tuple(k for k in rows if k != skipped) for skipped in (i, j)]
            value = field.total([((-1) ** (p + q), (minors.minor(*rest), scale))])
            found[i, j] = found[j, i] = value
    return found


def _solved(field: Field, matrix: Matrix, rows: Sequence[int]) -> dict[tuple[int, ...], Element]:
    zero = field.number(0)
    square = [[matrix.get((i, j), zero) for j in rows] for i in rows]
    found: dict[tuple[int, ...], Element] = {}
    for j, column in enumerate(rows):
        unit = [field.number(int(i == j)) for i in range(len(rows))]
        for i, value in zip(rows, field.solve(square, unit), strict=True):
            found[i, column] = value
    return found


class Minors:
    """Determinants of parts of a matrix, by expansion along the first row, each once."""

    def __init__(self, field: Field, matrix: Matrix) -> None:
        self.field, self.matrix = field, matrix
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], Element] = {}

    def minor(self, rows: tuple[int, ...], columns: tuple[int, ...]) -> Element:
        """The determinant of these rows and columns."""
        if not rows:
            return self.field.number(1)
        if len(rows) == 1:
            return self.matrix.get((rows[0], columns[0]), self.field.number(0))
        found = self._known.get((rows, columns))
        if found is None:
            terms = []
            for k, j in enumerate(columns):
                if (rows[0], j) in self.matrix:
                    rest = self.minor(rows[1:], columns[:k] + columns[k + 1 :])
                    terms.append(((-1) ** k, (self.matrix[rows[0], j], rest)))
            found = self._known[rows, columns] = self.field.total(terms)
        return found
