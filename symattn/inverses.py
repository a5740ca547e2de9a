"""Inverses of defined matrices by those of others.

(A B)⁻¹ = B⁻¹ A⁻¹, (c A⊤)⁻¹ = A⁻¹⊤/c, (A⁻¹)⁻¹ = A, (r_i A_ij s_j)⁻¹ = A⁻¹_ij/(s_i r_j);
definitions with one body have one inverse.
A product of square matrices is invertible just when all of them are, so that nothing is presupposed
but that the matrix has an inverse.  E_i = 0 just when Σ_i M_ki E_i = 0, for an invertible M.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import sympy as sp

from . import normalize as nf
from . import sums
from .canonical import key
from .ir import (
    ONE,
    Delta,
    Index,
    Poly,
    Rational,
    Ref,
    Sum,
    Tensor,
    Term,
    fresh_indices,
    inverse_tensor,
    rational,
    refs,
)
from .model import Body
from .similar import similar

Written = tuple[Body, Poly]  # a definition, and its body with all others written out


def inverses(
    every: Sequence[Written], orthogonal: Container[Tensor]
) -> dict[Tensor, tuple[tuple[Index, ...], Poly]]:
    """For matrices among these their inverses by others, with the letters of its two slots."""
    found: dict[Tensor, tuple[tuple[Index, ...], Poly]] = {}
    for k, (body, written) in enumerate(every):
        value = _reversed(body.indices, written)
        if value is None and (other := same(body.indices, written, every[:k])) is not None:
            value = nf.ref(inverse_tensor(other), body.indices)
        value = value or _between(body.indices, written, every, orthogonal)
        if value is not None:
            found[body.tensor] = body.indices, value
    return found


def same(ends: tuple[Index, ...], written: Poly, known: Iterable[Written]) -> Tensor | None:
    """The definition that has this body."""
    for other, body in known:
        if [i.size for i in other.indices] != [i.size for i in ends]:
            continue
        if nf.substitute(body, dict(zip(other.indices, ends, strict=True))) is written:
            return other.tensor
    return None


def _between(
    ends: tuple[Index, ...],
    written: Poly,
    known: Iterable[Written],
    orthogonal: Container[Tensor],
) -> Poly | None:
    """Q B⁻¹ Q⊤ for Q B Q⊤, where B is diagonal or has a name."""
    found = similar(ends, written, orthogonal)
    if found is None:
        return None
    if (diagonal := found.diagonal) is not None:
        return found.around(nf.multiply(nf.delta(*found.ends), nf.power(diagonal, -1)), ends)
    inner = same(found.ends, found.inner, known)
    return None if inner is None else found.around(nf.ref(inverse_tensor(inner), found.ends), ends)


def _reversed(ends: tuple[Index, ...], written: Poly) -> Poly | None:
    """The inverses of the factors in the other order; None for what is no product of matrices."""
    found = matrices(ends, written)
    if found is None or not found.square(ends[0].size):
        return None
    return found.inverse(ends)


class Chain(NamedTuple):
    """c r_i A B⊤ … s_j: scalars, and the matrices with whether each is transposed; none for δ."""

    scale: Poly
    path: tuple[tuple[Tensor, bool], ...]
    rows: Poly = ONE  # r_i
    columns: Poly = ONE  # s_j

    @property
    def plain(self) -> bool:
        """No row and no column has a factor of its own."""
        return self.rows is ONE and self.columns is ONE

    def inverse(self, ends: tuple[Index, ...]) -> Poly:
        """The inverse of a product of square matrices, with the letters `ends`."""
        i, j = ends
        sides = nf.substitute(self.rows, {i: j}), nf.substitute(self.columns, {j: i})
        factors = (nf.power(x, -1) for x in (self.scale, *sides))
        return nf.multiply(along(ends, self.back), *factors)

    def square(self, size: sp.Expr) -> bool:
        """Every one of its matrices takes an axis of that size to itself."""
        return all(set(tensor.shape) == {size} for tensor, _ in self.path)

    @property
    def back(self) -> tuple[tuple[Tensor, bool], ...]:
        """The inverses of its matrices in the other order."""
        return tuple((inverse_tensor(tensor), turned) for tensor, turned in self.path[::-1])


def along(ends: tuple[Index, ...], path: tuple[tuple[Tensor, bool], ...]) -> Poly:
    """The product of square matrices, δ for none."""
    if not path:
        return nf.delta(*ends)
    letters = [ends[0], *fresh_indices((ends[0].size for _ in path[1:]), ends), ends[1]]
    value = ONE
    for k, (tensor, turned) in enumerate(path):
        value = nf.multiply(value, nf.ref(tensor, letters[k : k + 2][:: -1 if turned else 1]))
    return nf.sum_over(letters[1:-1], value)


def matrices(ends: tuple[Index, ...], written: Poly) -> Chain | None:
    """An expression with the letters `ends` as a product of matrices; None for what is none.

    Several terms have one factor with both letters, and the rest is a factor of rows or columns.
    """
    if written.single is not None:
        return chain(ends, *written.single)
    both = {a for term, _ in written for a, e in term if a.free >= {*ends} and e == 1}
    if len(both) != 1 or not all(both <= term.powers.keys() for term, _ in written):
        return None
    (atom,) = both
    found = chain(ends, Term({atom: 1}), 1)
    rest = Poly({Term({a: e for a, e in term if a is not atom}): c for term, c in written})
    if found is None or rest.free >= {*ends}:
        return None
    if rest.free.isdisjoint(ends):
        return found._replace(scale=nf.multiply(found.scale, rest))
    return found._replace(columns=rest) if ends[1] in rest.free else found._replace(rows=rest)


def chain(ends: tuple[Index, ...], term: Term, c: Rational) -> Chain | None:
    """A term with the letters `ends` as a product of matrices; None for what is none."""
    touched = [(a, e) for a, e in term if a.free >= {*ends}]
    if len(touched) != 1 or touched[0][1] != 1:
        return None
    ((atom, _),) = touched
    rows, columns = (
        Poly({Term({a: e for a, e in term if a is not atom and end in a.free}): 1}) for end in ends
    )
    factors, bound = [touched[0]], tuple[Index, ...]()
    if isinstance(atom, Sum):
        bound, body = sums.opened(atom, ends)
        ((inner, d),) = body
        factors, c = list(inner), rational(Fraction(c) * Fraction(d))
    scale = Poly({Term({a: e for a, e in term if a.free.isdisjoint(ends)}): c})
    if isinstance(atom, Delta) and {atom.a, atom.b} == {*ends}:  # none of a shifted letter
        return Chain(scale, (), rows, columns)
    path = tuple(_path(ends, factors))
    if len(path) != len(factors) or len(bound) != len(path) - 1:
        return None
    return Chain(scale, path, rows, columns)


def _path(
    ends: tuple[Index, ...], factors: Iterable[tuple[object, object]]
) -> Iterator[tuple[Tensor, bool]]:
    """The matrices from the first letter to the last, and whether each is transposed."""
    here, last = ends
    left = [a for a, e in factors if e == 1 and isinstance(a, Ref) and _matrix(a)]
    while here is not last:
        ahead = [a for a in left if here in a.slots]
        if len(ahead) != 1 or ahead[0].slots[0] is ahead[0].slots[1]:
            return
        (matrix,) = ahead
        left.remove(matrix)
        turned = matrix.slots[1] is here
        yield matrix.tensor, turned
        other = matrix.slots[0 if turned else 1]
        assert isinstance(other, Index)
        here = other


def _matrix(r: Ref) -> bool:
    plain = len(r.slots) == 2 and r.tensor.role in ("", "inverse")
    return plain and all(isinstance(s, Index) for s in r.slots)


class Cleared(NamedTuple):
    """Σ_x M_ix E_x, or Σ_x M_xi E_x where `turned`, for an E_i in which M⁻¹ has the letter i."""

    matrix: Tensor
    letter: Index
    turned: bool
    value: Poly


def cleared(poly: Poly, defined: Container[str]) -> Cleared | None:
    """The expression times a defined matrix whose inverse has a free letter of it; None for none.

    It is 0 just when the expression is, since a matrix that has an inverse takes only 0 to 0.
    """
    for r in sorted(refs(poly), key=key):
        if r.tensor.role != "inverse" or r.tensor.of[0].name not in defined:
            continue
        for place, letter in enumerate(r.slots):
            if isinstance(letter, Index) and letter in poly.free and r.slots[1 - place] != letter:
                (matrix,), turned = r.tensor.of, place == 1
                (x,) = fresh_indices([letter.size], poly.free)
                row = nf.ref(matrix, (x, letter) if turned else (letter, x))
                moved = nf.multiply(row, nf.substitute(poly, {letter: x}))
                return Cleared(matrix, letter, turned, nf.sum_over((x,), moved))
    return None


__all__ = [
    "Chain",
    "Cleared",
    "along",
    "chain",
    "cleared",
    "inverses",
    "matrices",
    "same",
]
