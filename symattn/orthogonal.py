"""What follows from a fact about a product: for equal letters, and for orthogonal matrices.

Σ_k A_ki² = 1 where Σ_k A_ki A_kj = δ_ij; A A⊤ = 1 where A⊤ A = 1, for a square A.
"""

from __future__ import annotations

from typing import Any

from . import normalize as nf
from .ir import Delta, Index, Poly, Ref, Sum, Tensor, fresh_indices
from .places import placeable


def where_equal(
    atom: Any, value: Poly, i: Index, j: Index
) -> tuple[Sum, Poly, tuple[Index, ...]] | None:
    """A sum and what it is equal to with i in place of j: the sum, its value and its letters."""
    if not isinstance(atom, Sum) or i.size != j.size or not placeable(value, {j: i}):
        return None
    only = nf.substitute(atom, {j: i}).single
    if only is None or only[1] != 1 or len(only[0].powers) != 1:
        return None
    ((same, e),) = tuple(only[0])
    if e != 1 or not isinstance(same, Sum):
        return None
    letters = sorted((x for x in atom.free if x is not j), key=lambda x: x.sort)
    return same, nf.substitute(value, {j: i}), tuple(letters)


def orthogonal(atom: Any, value: Poly) -> Tensor | None:
    """The square matrix A of which Σ_k A_ki A_kj = δ_ij is said, or Σ_k A_ik A_jk = δ_ij."""
    body = atom.body.single if isinstance(atom, Sum) and len(atom.bound) == 1 else None
    unit = value.single
    if body is None or body[1] != 1 or unit is None or unit[1] != 1 or len(atom.free) != 2:
        return None
    ((delta, d), *more) = tuple(unit[0]) or ((None, 0),)
    if more or d != 1 or not isinstance(delta, Delta) or {delta.a, delta.b} != atom.free:
        return None
    pair = [a for a, e in body[0] if isinstance(a, Ref) and e == 1]
    if len(pair) != 2 or len(body[0].powers) != 2 or pair[0].tensor is not pair[1].tensor:
        return None
    (matrix, _), (k,) = [r.tensor for r in pair], atom.bound
    if len(matrix.shape) != 2 or len(set(matrix.shape)) > 1:
        return None
    sides = [r.slots.index(k) for r in pair if k in r.slots and {*r.slots} - {k} <= atom.free]
    return matrix if len(sides) == 2 and len(set(sides)) == 1 else None


def other_way(matrix: Tensor, atom: Sum) -> Sum:
    """Σ_k A_ik A_jk for Σ_k A_ki A_kj, and the other way round."""
    (x,) = fresh_indices([matrix.shape[0]], atom.free)
    ends = sorted(atom.free, key=lambda i: i.sort)
    first = any(isinstance(r, Ref) and r.slots[0] in atom.free for t, _ in atom.body for r, _ in t)
    pairs = ((x, i) if first else (i, x) for i in ends)
    found = nf.sum_over([x], nf.multiply(*(nf.ref(matrix, slots) for slots in pairs))).single
    assert found is not None
    ((turned, _),) = tuple(found[0])
    assert isinstance(turned, Sum)
    return turned


__all__ = ["orthogonal", "other_way", "where_equal"]
