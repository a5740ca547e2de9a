"""Derivatives through the operations on all of a matrix, by accumulation.

    y = M⁻¹ x       x̄ = M⁻ᵀ ȳ,  M̄ = − x̄ yᵀ       ẏ = M⁻¹ (ẋ − Ṁ y)
    Y = M⁻¹         M̄ = − Yᵀ Ȳ Yᵀ                 Ẏ = − Y Ṁ Y
    log det M       M̄ = c̄ M⁻ᵀ                     Σ M⁻¹_ba Ṁ_ab

A matrix that is declared positive definite comes in and is not differentiated in, so nothing goes
through its Cholesky factor.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import sympy as sp

from .nodes import Label, Node, View

if TYPE_CHECKING:
    from .accumulate import Accumulation

Pair = tuple[Label, Label]


def pulled(work: Accumulation, node: Node, k: int, bar: View) -> View:
    """What operand k gets from the adjoint of the result, under the labels of the operand."""
    planner, arg = work.planner, node.args[k]
    own = work.axes(arg)[: len(arg.shape)]
    bar = planner.arrange(bar, work.axes(node)[: len(node.shape)])
    if node.op == "solve":
        x_bar = _turned(work, node, bar)
        batch, kept, gone = _letters(work, node)
        if k == 1:
            return View(planner.arrange(x_bar, _of_right(work, node)).node, own)
        y = work.own(node)
        whole = (*batch, *((kept, gone) if node.data[1][1] else (gone, kept)))
        outer = planner.einsum([x_bar, y], whole)
        return _minus(work, View(outer.node, own))
    batch, (rows, columns) = own[:-2], own[-2:]
    inverse = _inverse(work, node)
    if node.op == "inverse":
        other: Pair = _others(rows, columns)
        given = View(bar.node, (*batch, *other))
        left = View(inverse.node, (*batch, other[0], rows))  # Y_pr Ȳ_pq Y_cq
        right = View(inverse.node, (*batch, columns, other[1]))
        half = planner.einsum([left, given], (*batch, rows, other[1]))
        return _minus(work, planner.einsum([half, right], own))
    factors = [View(bar.node, batch), View(inverse.node, (*batch, columns, rows))]
    if node.op == "det":
        factors.append(View(node, batch))
    return planner.arrange(planner.multiply([(v, sp.S.One) for v in factors], sp.S.One), own)


def pushed(work: Accumulation, node: Node, dots: Mapping[Node, View]) -> View:
    """The change of the result, under its labels, from those of the operands."""
    planner = work.planner
    letters = work.axes(node)[: len(node.shape)]
    (matrix, *right) = node.args
    change = None
    if matrix in dots:
        own = work.axes(matrix)[: len(matrix.shape)]
        change = planner.arrange(dots[matrix], own)
    if node.op == "solve":
        return _solution(work, node, change, dots.get(right[0]))
    assert change is not None
    inverse = _inverse(work, node)
    if node.op == "inverse":
        *batch, rows, columns = letters
        p, q = _others(rows, columns)
        half = planner.einsum(
            [View(inverse.node, (*batch, rows, p)), View(change.node, (*batch, p, q))],
            (*batch, rows, q),
        )
        made = planner.einsum([half, View(inverse.node, (*batch, q, columns))], letters)
        return _minus(work, made)
    *_, rows, columns = own
    turned = View(inverse.node, (*letters, columns, rows))
    made = planner.einsum([turned, View(change.node, (*letters, rows, columns))], letters)
    if node.op == "det":
        made = planner.multiply([(made, sp.S.One), (work.own(node), sp.S.One)], sp.S.One)
    return made


def _solution(work: Accumulation, node: Node, change: View | None, dot: View | None) -> View:
    """M⁻¹ (ẋ − Ṁ y)."""
    planner = work.planner
    batch, kept, gone = _letters(work, node)
    order = _of_right(work, node)
    parts: list[tuple[View, sp.Expr]] = []
    if dot is not None:
        own = work.axes(node.args[1])[: len(order)]
        parts.append((View(planner.arrange(dot, own).node, order), sp.S.One))
    if change is not None:
        places = (kept, gone) if node.data[1][1] else (gone, kept)
        moved = View(change.node, (*batch, *places))
        parts.append((planner.einsum([moved, work.own(node)], order), -sp.S.One))
    right = planner.arrange(work.added(parts), order)
    matrix = node.args[0], tuple(work.axes(node)[x] for x in node.data[0][0])
    out = work.axes(node)[: len(node.shape)]
    return planner.node("solve", [matrix, (right.node, order)], out, node.data[1])


def _turned(work: Accumulation, node: Node, bar: View) -> View:
    """x̄ = M⁻ᵀ ȳ."""
    definite, turned = node.data[1]
    matrix = node.args[0], tuple(work.axes(node)[x] for x in node.data[0][0])
    right = bar.node, work.axes(node)[: len(node.shape)]
    data = definite, not turned and not definite
    return work.planner.node("solve", [matrix, right], _of_right(work, node), data)


def _of_right(work: Accumulation, node: Node) -> tuple[Label, ...]:
    """The labels of x in y = M⁻¹ x."""
    return tuple(work.axes(node)[x] for x in node.data[0][1])


def _letters(work: Accumulation, node: Node) -> tuple[tuple[Label, ...], Label, Label]:
    """The leading axes, the axis of y and that of x in y = M⁻¹ x."""
    letters, count = work.axes(node), len(node.data[0][0]) - 2
    return letters[:count], letters[count], letters[node.data[0][1][count]]


def _inverse(work: Accumulation, node: Node) -> View:
    """M⁻¹ beside a determinant or an inverse of the same matrix."""
    (matrix,) = node.args
    labels = work.axes(matrix)[: len(matrix.shape)]
    return work.planner.node("inverse", [(matrix, labels)], labels, node.data[1])


def _others(rows: Label, columns: Label) -> Pair:
    """Two more letters for the axes of a matrix."""
    return Label("p", rows.size), Label("q", columns.size)


def _minus(work: Accumulation, view: View) -> View:
    return work.planner.multiply([(view, sp.S.One)], -sp.S.One)


__all__ = ["pulled", "pushed"]
