r"""Kinds of matrices that words name: orthogonal, idempotent, with orthonormal columns.

One record is one kind: its words, the equations that hold of every one, and how some are drawn.
Where authors mean less than the word says, a projection that is orthogonal, what is drawn is what
all of them mean, and the equations are those that hold for all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import sympy as sp
from sympy.polys.domains import QQ
from sympy.polys.matrices import DomainMatrix

from .matrix_values import drawn, matrix

Matrix = Any  # a DomainMatrix of fractions
Letter = tuple[str, str, bool]  # a name, "" or "inverse", transposed
Word = tuple[Letter, ...]


@dataclass(frozen=True)
class Kind:
    """Words, equations between words in M, and what is drawn of so many rows and columns."""

    name: str
    words: str
    equations: tuple[str, ...]
    draw: Callable[[Random, int, int], Matrix]
    vector: bool = False
    tail: bool = False  # with orthonormal columns
    invertible: bool = False

    def says(self, name: str) -> Iterator[dict[Word, Any]]:
        """What holds of a name: sums of words that are 0."""
        for equation in self.equations:
            left, right = equation.split(" = ")
            poly = _word(left, name, 1)
            for word, c in _word(right, name, -1).items():
                poly[word] = poly.get(word, sp.S.Zero) + c
            yield poly

    def holds(self, of: Matrix) -> bool:
        """The equations hold for values."""
        return all(_value(p, of) for p in self.says("M"))


def _word(text: str, name: str, sign: int) -> dict[Word, Any]:
    if text == "0":
        return {}
    sign, text = (-sign, text[1:]) if text.startswith("-") else (sign, text)
    letters = () if text == "1" else tuple((name, "", x == "M'") for x in text.split())
    return {letters: sp.Integer(sign)}


def _value(poly: dict[Word, Any], of: Matrix) -> bool:
    total = None
    for word, c in poly.items():
        value = None
        for _, _, turned in word:
            factor = of.transpose() if turned else of
            value = factor if value is None else value * factor
        if value is not None:
            total = value * QQ(int(c)) if total is None else total + value * QQ(int(c))
    assert total is not None
    size = total.shape[0]
    return bool(total.to_list() == _diagonal([QQ(-int(poly.get((), 0)))] * size).to_list())


def eye(size: int) -> Matrix:
    return DomainMatrix.eye(size, QQ).to_dense()


def orthogonal(random: Random, rows: int, columns: int, rotation: bool = False) -> Matrix:
    """(I − S)(I + S)⁻¹ of a skew S, its columns with signs; the first columns of it."""
    size = max(rows, columns)
    one = matrix([[random.randint(-2, 2) for _ in range(size)] for _ in range(size)])
    skew = one - one.transpose()
    found = (eye(size) - skew) * (eye(size) + skew).inv()
    if not rotation:
        found = found * _diagonal([random.choice((-1, 1)) for _ in range(size)])
    return matrix([r[:columns] for r in found.to_list()[:rows]])


def _diagonal(entries: Sequence[Any]) -> Matrix:
    return matrix([[x if i == j else QQ(0) for j in range(len(entries))]
                   for i, x in enumerate(entries)])  # fmt: skip


def _ones(random: Random, size: int, other: int) -> Matrix:
    """A diagonal of ones and of another number, with both where there is room."""
    ones = random.randint(1, max(size - 1, 1))
    return _diagonal([QQ(1)] * ones + [QQ(other)] * (size - ones))


def _turned(random: Random, middle: Matrix, plain: bool) -> Matrix:
    """M of these numbers in another basis: of orthonormal vectors where `plain`."""
    size = middle.shape[0]
    if plain:
        turn = orthogonal(random, size, size)
        return turn * middle * turn.transpose()
    while not (turn := drawn(random, size, size)).det():
        pass
    return turn * middle * turn.inv()


def _square_zero(random: Random, rows: int, _: int) -> Matrix:
    corner = [[QQ(int(i < 1 and j == rows - 1)) for j in range(rows)] for i in range(rows)]
    return _turned(random, matrix(corner), False)


def _symmetric(random: Random, rows: int, _: int) -> Matrix:
    one = drawn(random, rows, rows)
    return one + one.transpose()


def _skew(random: Random, rows: int, _: int) -> Matrix:
    one = drawn(random, rows, rows)
    return one - one.transpose()


def _definite(random: Random, rows: int, _: int) -> Matrix:
    one = drawn(random, rows, rows)
    return one * one.transpose() + eye(rows)


def _semidefinite(random: Random, rows: int, _: int) -> Matrix:
    one = drawn(random, rows, max(rows - 1, 1))
    return one * one.transpose()


def _invertible(random: Random, rows: int, columns: int) -> Matrix:
    while rows == columns and not (one := drawn(random, rows, columns)).det():
        pass
    return one if rows == columns else drawn(random, rows, columns)


def _upper(random: Random, rows: int, _: int) -> Matrix:
    one = drawn(random, rows, rows).to_list()
    return matrix([[x if i <= j else QQ(0) for j, x in enumerate(r)] for i, r in enumerate(one)])


def _permutation(random: Random, rows: int, _: int) -> Matrix:
    order = random.sample(range(rows), rows)
    return matrix([[QQ(int(j == k)) for j in range(rows)] for k in order])


def _unit(random: Random, rows: int, _: int) -> Matrix:
    return matrix([[r[0]] for r in orthogonal(random, rows, rows).to_list()])


def _householder(random: Random, rows: int, _: int) -> Matrix:
    u = _unit(random, rows, 1)
    return eye(rows) - u * u.transpose() * QQ(2)


_ONE = ("M' M = 1", "M M' = 1")
_SYMMETRIC = ("M' = M",)
_NUMBERS = (-3, -2, 2, 3, 5, 7)
KINDS = (
    Kind("an orthogonal projection",
         r"orthogonal project(?:ion|or)s?|symmetric (?:idempotent|projection|projector)s?",
         ("M M = M", "M' = M"), lambda r, n, _: _turned(r, _ones(r, n, 0), True)),
    Kind("a projection", r"project(?:ion|or)s?",
         ("M M = M",), lambda r, n, _: _turned(r, _ones(r, n, 0), True)),
    Kind("idempotent", r"idempotent",
         ("M M = M",), lambda r, n, _: _turned(r, _ones(r, n, 0), False)),
    Kind("a Householder reflection", r"Householder(?: reflections?| reflectors?)?",
         ("M M = 1", "M' = M"), _householder, invertible=True),
    Kind("a reflection", r"reflections?", ("M M = 1",), _householder, invertible=True),
    Kind("an involution", r"involut(?:ions?|ory)|its own inverse",
         ("M M = 1",), lambda r, n, _: _turned(r, _ones(r, n, -1), False), invertible=True),
    Kind("of square zero", r"nilpotent of (?:index|order|degree) (?:2|two)",
         ("M M = 0",), _square_zero),
    Kind("a permutation", r"permutations?", _ONE, _permutation, invertible=True),
    Kind("a rotation", r"rotations?",
         _ONE, lambda r, n, m: orthogonal(r, n, m, rotation=True), invertible=True),
    Kind("orthogonal", r"orthogonal", _ONE, orthogonal, invertible=True),
    Kind("skew-symmetric", r"skew[- ]symmetric|anti-?symmetric", ("M' = -M",), _skew),
    Kind("symmetric and positive definite", r"SPD|(?:symmetric )?positive[- ]definite",
         _SYMMETRIC, _definite, invertible=True),
    Kind("symmetric and positive semidefinite", r"PSD|(?:symmetric )?positive[- ]semi-?definite",
         _SYMMETRIC, _semidefinite),
    Kind("symmetric", r"symmetric", _SYMMETRIC, _symmetric),
    Kind("diagonal", r"diagonal", _SYMMETRIC,
         lambda r, n, _: _diagonal([QQ(r.choice(_NUMBERS)) for _ in range(n)]), invertible=True),
    Kind("upper triangular", r"upper[- ]triangular", (), _upper),
    Kind("lower triangular", r"lower[- ]triangular", (),
         lambda r, n, m: _upper(r, n, m).transpose()),
    Kind("invertible", r"invertible|non-?singular", (), _invertible, invertible=True),
    Kind("of unit length", r"unit|normali[sz]ed", ("M' M = 1",), _unit, vector=True),
    Kind("of orthonormal columns", r"orthonormal columns", ("M' M = 1",), orthogonal, tail=True),
)  # fmt: skip
_BY_EQUATION = (
    "idempotent", "an involution", "of square zero", "orthogonal", "skew-symmetric", "symmetric",
    "of unit length", "of orthonormal columns",
)  # fmt: skip
APART = KINDS[0]  # orthogonal projections $P$ and $Q$, which may be so to each other
DIAGONAL = next(k for k in KINDS if k.name == "diagonal")
PHRASE = re.compile(
    "|".join(rf"(?P<k{n}>\b(?:{k.words})\b(?!-))" for n, k in enumerate(KINDS)), re.IGNORECASE
)


def by_equation(name: str, poly: Mapping[Word, Any], shape: tuple[str, str]) -> Kind | None:
    """The kind of which all are, and none else, that satisfy an equation."""
    high, wide = shape
    for kind in KINDS:
        square = high == wide and not (kind.vector or kind.tail)
        fit = square or (kind.vector if wide == "1" else kind.tail)
        if not fit or kind.name not in _BY_EQUATION:
            continue
        for one in kind.says(name):
            if one in (poly, {w: -c for w, c in poly.items()}):
                return kind
    return None


def some(of: Sequence[Kind], random: Random, rows: int, columns: int) -> Matrix | None:
    """A matrix of all these kinds; None where none is found."""
    for kind in of:
        value = kind.draw(random, rows, columns)
        if all(fits(k, value) for k in of):
            return value
    return None if of else drawn(random, rows, columns)


def fits(kind: Kind, value: Matrix) -> bool:
    """The words of a kind are true of a value."""
    rows = value.to_list()
    if kind is DIAGONAL or kind.name.endswith("triangular"):
        below = all(not x for i, r in enumerate(rows) for j, x in enumerate(r) if i > j)
        above = all(not x for i, r in enumerate(rows) for j, x in enumerate(r) if i < j)
        return {"upper": below, "lower": above}.get(kind.name[:5], below and above)
    if kind.name.endswith("definite"):
        minors = [matrix([r[:k] for r in rows[:k]]).det() for k in range(1, len(rows) + 1)]
        least = min(minors)
        return kind.holds(value) and (least >= 0 if "semi" in kind.name else least > 0)
    if kind.invertible and (value.shape[0] != value.shape[1] or not value.det()):
        return False
    return kind.holds(value)


__all__ = [
    "APART",
    "DIAGONAL",
    "KINDS",
    "PHRASE",
    "Kind",
    "Letter",
    "Word",
    "by_equation",
    "fits",
    "some",
]
