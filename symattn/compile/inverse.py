"""Inverses and determinants of matrices: M⁻¹ x is solved for, M⁻¹ an array only where nothing is.

    Σ_b M⁻¹_ab x_b… = y_a…   where   Σ_b M_ab y_b… = x_a…

A matrix that is known to be positive definite goes by its Cholesky factor, one for all that is
asked of it.  One that is symmetric is not turned.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..ir import Index, Poly, Ref, Tensor, raw_atom, refs
from .entry import Entry
from .nodes import Label, Node, View

if TYPE_CHECKING:
    from .arrays import Arrays
    from .plan import Planner
    from .tables import Placed

ROLES = ("inverse", "det", "logdet")
MATRIX = ("inverse", "det", "logdet", "factor", "solve")  # operations on all of a matrix


def of_matrix(planner: Planner, tensor: Tensor) -> Placed:
    """The inverse, the determinant or its logarithm, and the slot or batch axis of each axis."""
    (matrix,) = tensor.of
    node, places = planner.tensor(matrix)
    rows, columns = (Label(name, size) for name, size in zip("rc", matrix.shape, strict=True))
    labels = tuple((rows, columns)[x] if isinstance(x, int) else x for x in places)
    batch = tuple(x for x in labels if x not in (rows, columns))
    whole = (*batch, rows, columns)
    view = View(node, labels)
    if labels != whole:
        view = planner.arrange(view, whole)
    if matrix.definite:
        view = planner.node("factor", [(view.node, whole)], whole, None)
    elif _symmetric(planner.entries, matrix):
        planner.symmetric.add(view.node)
    out = whole if tensor.role == "inverse" else batch
    made = planner.node(tensor.role, [(view.node, whole)], out, matrix.definite)
    return made.node, (*batch, 0, 1) if tensor.role == "inverse" else batch


def evened(entries: Mapping[Tensor, Entry]) -> dict[Tensor, Entry]:
    """The entries with M⁻¹_ba as M⁻¹_ab of a symmetric matrix, where terms come together then: as
    M⁻¹ + M⁻ᵀ, which derivatives have, it would be multiplied with what it can be solved with."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Ref) or atom.tensor.role != "inverse":
            return None
        letters = [x for x in atom.slots if isinstance(x, Index)]
        if len(letters) < 2 or not _symmetric(entries, atom.tensor.of[0]):
            return None
        letters.sort(key=lambda i: i.sort)
        return raw_atom(Ref(atom.tensor, tuple(letters)))

    made = dict(entries)
    for tensor, entry in entries.items():
        if any(r.tensor.role == "inverse" for r in refs(entry.poly)):
            normal = nf.normalize(entry.poly)
            even = nf.rewrite(normal, rule)
            if len(even) < len(normal):
                made[tensor] = replace(entry, poly=even)
    return made


def _symmetric(entries: Mapping[Tensor, Entry], matrix: Tensor) -> bool:
    """What is declared so, or defined by what means the same with its two letters in turn."""
    entry = entries.get(matrix)
    if matrix.symmetry == "symmetric" or entry is None:
        return matrix.symmetry == "symmetric"
    i, j = entry.indices
    written = nf.normalize(entry.poly)
    return nf.substitute(written, {i: j, j: i}) is written


def solved(planner: Arrays, views: Sequence[View], out: Sequence[Label]) -> View | None:
    """The sum of two factors over an axis of an inverse as the solution of an equation; None where
    it is none."""
    if len(views) != 2:
        return None
    for inverse, other in (views, views[::-1]):
        if inverse.node.op != "inverse" or len(set(inverse.labels)) < len(inverse.labels):
            continue
        *batch, rows, columns = inverse.labels
        for kept, gone in ((rows, columns), (columns, rows)):
            mine = _fits(kept, gone, batch, other.labels, out)
            if mine:
                return _solution(planner, inverse, other, kept, gone, out)
    return None


def _fits(
    kept: Label,
    gone: Label,
    batch: Collection[Label],
    labels: Collection[Label],
    out: Collection[Label],
) -> bool:
    """One axis of the inverse is summed with the other factor and nothing else is."""
    summed = {x for x in (kept, gone, *batch, *labels) if x not in out}
    return gone in labels and kept not in labels and summed == {gone}


def _solution(
    planner: Arrays, inverse: View, x: View, kept: Label, gone: Label, out: Sequence[Label]
) -> View:
    *batch, rows, columns = inverse.labels
    rest = [y for y in x.labels if y is not gone and y not in batch]
    order = (*batch, gone, *rest)
    if x.labels != order:
        x = planner.arrange(x, order)
    (matrix,) = inverse.node.args
    definite, turned = inverse.node.data[1], kept is not rows
    even = definite or matrix in planner.symmetric
    result = (*batch, kept, *rest)
    places = (kept, gone) if even else (rows, columns)
    operands = [(matrix, (*batch, *places)), (x.node, order)]
    made = planner.node("solve", operands, result, (definite, turned and not even))
    return made if result == tuple(out) else planner.arrange(made, out)


def axes_of_matrix(node: Node) -> set[int]:
    """The letters of a node along which nothing can be computed row by row."""
    if node.op == "slide":
        spatial, windows, _ = node.data[1]
        return {*spatial, *windows}
    if node.op == "windows":
        return set(node.data[1])
    if node.op not in MATRIX:
        return set()
    places: Sequence[Sequence[int]] = node.data[0]
    return set(places[0][-2:])


__all__ = ["MATRIX", "ROLES", "axes_of_matrix", "evened", "of_matrix", "solved"]
