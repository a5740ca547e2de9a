r"""Products: juxtaposition, matrix products, ∘, fractions and scripts on brackets.

Matrix notation is lowered by shape.  A name with two axes and no indices is a matrix (row, column);
one with one axis left is a column vector (row only), its transpose a row vector.  Neighbouring axes
are contracted.  `\sum`, `\log`, `\partial` reach to the right as `operators` says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from .sizes import Letter
from .source import ReadError
from .terms import (
    Compare,
    Mul,
    Number,
    Pow,
    Ref,
    Term,
    Unknown,
)
from .tree import (
    Addition,
    Fraction,
    Group,
    Node,
    Product,
    Root,
    Scripted,
    Star,
    Times,
    applied,
)
from .tree import Number as NumberNode
from .values import Scope, Value, once

if TYPE_CHECKING:
    from .elaborate import Reader

Parts = Sequence[tuple[str, Node]]
Segments = Sequence[Sequence[tuple[str, Node]]]


def product(reader: Reader, node: Node, scope: Scope) -> Value:
    """The value of a product or a fraction, its repeated letters summed."""
    if isinstance(node, Product) and any(op == "∘" for op, _ in node.parts):
        return _elementwise(reader, node, scope)
    if isinstance(node, Product) and (starred := _starred(reader, node, scope)) is not None:
        return starred
    return close(reader, factors(reader, node, scope), scope, node.at)


def factors(reader: Reader, node: Node, scope: Scope) -> list[tuple[str, Value]]:
    """The factors of a product in order, nothing summed yet; brackets around products vanish."""
    from . import derivatives, operators

    match node:
        case Product() if all(op != "∘" for op, _ in node.parts):
            return operators.sequence(reader, _crossed(reader, node.parts, scope), scope)
        case Fraction():
            derivative = derivatives.fraction(reader, node, scope)
            if derivative is not None:
                return [("", derivative)]
            bottom = _raised(reader, node.bottom, scope) or reader.read(node.bottom, scope)
            if len(bottom.axes) == 1:
                quotient = _componentwise(reader, node, bottom, scope)
                if quotient is not None:
                    return [("", quotient)]
            if bottom.axes:
                raise reader.fail(
                    node.bottom,
                    "a matrix stands below a fraction bar",
                    mend="write the indices, or the inverse matrix W^{-1}",
                )
            return [*factors(reader, node.top, scope), ("", inverse(bottom))]
        case Group(bracket="(" | "{", items=(Product() | Fraction() as inner,)):
            inside = factors(reader, inner, scope)
            if any(op == "·" and value.axes for op, value in inside):  # v (u · w)
                return [("", close(reader, inside, scope, node.at))]
            return inside
    return [("", reader.factor(node, scope))]


def _crossed(
    reader: Reader, parts: tuple[tuple[str, Node], ...], scope: Scope
) -> tuple[tuple[str, Node], ...]:
    """The factors with u × v of two vectors as one, their cross product, and u * v, (u ∘ v)."""
    if not any(isinstance(op, Times | Star) for op, _ in parts):
        return parts
    found: list[tuple[str, Node]] = []
    for op, part in parts:
        sides = (found[-1][1], part) if isinstance(op, Times | Star) else ()
        if not sides or not all(len(reader.read(x, scope).axes) == 1 for x in sides):
            found.append((op, part))
        elif isinstance(op, Times):
            found[-1] = found[-1][0], applied("cross", *sides)
        else:
            found[-1] = found[-1][0], componentwise(*sides)
    return tuple(found)


def _starred(reader: Reader, node: Product, scope: Scope) -> Value | None:
    """A b * c as (A b) ∘ c, as in code; None where no * stands between what has axes.

    Of matrices only where that makes fewer sizes equal than their product.
    """
    segments = _segments(node.parts, lambda op: isinstance(op, Star))
    if len(segments) < 2:
        return None
    shapes = []
    for segment in segments:
        with suppress(ReadError):
            shapes.append(len(reader.read(Product(node.at, tuple(segment)), scope).axes))
    if len(shapes) < len(segments) or sum(map(bool, shapes)) < 2:
        return None

    def whole() -> Value:
        return _by_segments(reader, node, segments, scope, False)

    def product() -> Value:
        return close(reader, factors(reader, node, scope), scope, node.at)

    if max(shapes) > 1:
        mine, other = _equalities(reader, whole), _equalities(reader, product)
        if mine is None or (other is not None and other <= mine):
            return None
    return whole()


def componentwise(one: Node, other: Node) -> Node:
    """(a ∘ b)."""
    return Group(one.at, "(", (Product(one.at, (("", one), ("∘", other))),))


def broadcast(reader: Reader, node: Addition, values: Sequence[Value], scope: Scope) -> Node | None:
    """γ ∘ x + β for γ · x + β: what is added to a vector is no inner product."""
    lengths = [len(v.axes) for v in values]
    if max(lengths) != 1 or min(lengths) != 0:
        return None
    terms = list(node.parts)
    for k, (sign, part) in enumerate(node.parts):
        if lengths[k] or not isinstance(part, Product) or len(part.parts) != 2:
            continue
        (_, one), (op, other) = part.parts
        if op == "·" and all(len(reader.read(x, scope).axes) == 1 for x in (one, other)):
            terms[k] = sign, componentwise(one, other)
    return Addition(node.at, tuple(terms)) if terms != list(node.parts) else None


def _componentwise(reader: Reader, node: Fraction, bottom: Value, scope: Scope) -> Value | None:
    """x/y of two vectors, component by component; None where the upper one is no vector."""
    top = reader.read(node.top, scope)
    if (top.row is None, top.col is None) != (bottom.row is None, bottom.col is None):
        return None
    (mine,), (other,) = top.axes, bottom.axes
    reader.sizes.same_letter(mine, other, node.at, "the axis of this quotient")
    bare = [replace(top, row=None, col=None), inverse(replace(bottom, row=None, col=None))]
    value = reader.summed(bare, [], replace(scope, fixed=scope.fixed | {mine}), node.at)
    return replace(value, row=top.row, col=top.col)


def _raised(reader: Reader, node: Node, scope: Scope) -> Value | None:
    """The σ^2 of x/σ^2 for vectors, component by component; None for anything else."""
    match node:
        case Scripted(scripts=(("^", NumberNode() as power),)) if power.text.isdigit():
            base = reader.read(node.base, scope)
            if len(base.axes) == 1:
                return replace(base, term=Pow(base.term, Number(sp.Integer(power.text))))
    return None


def inverse(value: Value) -> Value:
    """1/value."""
    free = {x: (down, up) for x, (up, down) in value.free.items()}
    return replace(value, term=Pow(value.term, Number(sp.S.NegativeOne)), free=free)


def close(reader: Reader, items: list[tuple[str, Value]], scope: Scope, at: int) -> Value:
    """The product of factors, neighbouring axes contracted and repeated letters summed."""
    bound, row, col = contract(reader, items, at)
    value = reader.summed([v for _, v in items], bound, scope, at)
    return replace(value, row=row, col=col)


def contract(
    reader: Reader, items: list[tuple[str, Value]], at: int
) -> tuple[list[Letter], Letter | None, Letter | None]:
    """The letters contracted by matrix products, and the axes that are left."""
    bound: list[Letter] = []
    row: Letter | None = None
    col: Letter | None = None
    turned = False  # x W of a vector that is meant as a row
    for op, value in items:
        if not value.axes:
            continue
        first = row is not None and col is None and op == "" and reader.names.lenient
        if first and row is not None and ((value.row and value.col) or turned):
            other = value.row or value.col
            assert other is not None
            reader.sizes.same_letter(row, other, at, "the contracted axis")
            bound.append(row)
            row, turned = (value.col if value.row else None), bool(value.row)
            continue
        if row is None and col is None:
            row, col = value.row, value.col
        elif col is not None and value.row is not None:
            reader.sizes.same_letter(col, value.row, at, "the contracted axis")
            bound.append(col)
            col = value.col
        elif op == "·" and row and not col and value.row and not value.col:
            reader.sizes.same_letter(row, value.row, at, "the contracted axis")
            bound.append(row)
            row = None
        elif col is None and value.row is None:
            col = value.col
        elif reader.entrywise and row and not col and not value.col:
            assert value.row is not None
            reader.sizes.same_letter(row, value.row, at, "the axis of this product")
        else:
            raise reader.fail(
                at,
                f"{shape(row, col)} stands beside {shape(value.row, value.col)}",
                expected=r"x^\top y, x y^\top or x \circ y",
                mend="put the transpose where it belongs, or write the indices",
            )
    return bound, row, col


def shape(row: Letter | None, col: Letter | None) -> str:
    if row and col:
        return "a matrix"
    return "a column vector" if row else "a row vector" if col else "a scalar"


def _elementwise(reader: Reader, node: Product, scope: Scope) -> Value:
    """a ∘ b: the product of components."""
    segments = _segments(node.parts, lambda op: op == "∘")
    if (first := _inner_first(node.at, segments)) is not None:
        weak = _equalities(reader, lambda: _by_segments(reader, node, segments, scope, False))
        tight = _equalities(reader, lambda: reader.read(first, scope))
        if tight is not None and (weak is None or tight < weak):
            return reader.read(first, scope)  # A (b ∘ c)
        return _by_segments(reader, node, segments, scope, weak is None or tight == weak)
    return _by_segments(reader, node, segments, scope, True)


def _segments(parts: Parts, between: Callable[[str], bool]) -> list[list[tuple[str, Node]]]:
    """The factors between signs."""
    segments: list[list[tuple[str, Node]]] = [[]]
    for op, part in parts:
        if between(op) and segments[-1]:
            segments.append([])
        segments[-1].append(("" if between(op) else op, part))
    return segments


def _inner_first(at: int, segments: Segments) -> Node | None:
    """A (b ∘ c) D for A b ∘ c D; None where every segment is one factor."""
    if all(len(s) == 1 for s in segments):
        return None
    parts = [*segments[0]]
    for segment in segments[1:]:
        (op, last), (_, head) = parts.pop(), segment[0]
        inner = last.items[0].parts if _is_hadamard(last) else (("", last),)  # type: ignore
        both = Product(last.at, (*inner, ("∘", head)))
        parts += [(op, Group(last.at, "(", (both,))), *segment[1:]]
    return Product(at, tuple(parts))


def _is_hadamard(node: Node) -> bool:
    return (
        isinstance(node, Group)
        and node.bracket == "("
        and len(node.items) == 1
        and (isinstance(node.items[0], Product) and node.items[0].parts[-1][0] == "∘")
    )


def _equalities(reader: Reader, read: Callable[[], Value]) -> int | None:
    """How many sizes a reading makes equal that were not before; None where it cannot be read."""
    slots, mark = list(reader.sizes.slots.values()), reader.sizes.mark()

    def different() -> int:
        roots = {id(r): r.value for r in (s.root() for s in slots)}
        known = {value for value in roots.values() if value is not None}
        return len(known) + sum(value is None for value in roots.values())

    before = different()
    try:
        read()
        return before - different()
    except ReadError:
        return None
    finally:
        reader.sizes.back(mark)


def _by_segments(
    reader: Reader, node: Product, segments: Segments, scope: Scope, strictly: bool
) -> Value:
    """A b ∘ c as (A b) ∘ c; `strictly` refuses what may be A (b ∘ c) as well."""
    values: list[Value] = []
    bound: list[Letter] = []
    shaped: list[tuple[int, Value]] = []
    for segment in segments:
        at = segment[0][1].at
        whole_ = Product(at, tuple(segment))
        alone = isinstance(segment[0][1], Group) and len(segment) == 1  # (A B) ∘ C
        items = (
            [("", reader.read(segment[0][1], scope))] if alone else factors(reader, whole_, scope)
        )
        if strictly and sum(bool(v.axes) for _, v in items) > 1:
            raise reader.fail(
                at,
                "a matrix product stands beside ∘: which comes first?",
                expected=r"(A B) \circ C or A (B \circ C)",
                mend="put brackets",
            )
        found, row, col = contract(reader, items, at)
        bound += found
        whole = items[0][1]
        shaped.append((at, replace(whole, row=row, col=col)))
        values += [v for _, v in items]
    row, col, _ = aligned(reader, [s for s in shaped if s[1].axes])
    value = reader.summed(values, bound, scope, node.at)
    return replace(value, row=row, col=col)


def aligned(
    reader: Reader, parts: list[tuple[int, Value]]
) -> tuple[Letter | None, Letter | None, list[Term]]:
    """The common axes of terms; a column vector beside a matrix stands in every column of it.

    A scalar is added to every component, and λ I is a multiple of the identity matrix.
    """
    row: Letter | None = None
    col: Letter | None = None
    matrix = any(v.row and v.col for _, v in parts)
    given, parts = parts, _laid(reader, parts) if matrix else parts
    laid = {v.col for (_, v), (_, old) in zip(parts, given, strict=True) if v.col is not old.col}
    for at, value in parts:
        if not value.axes:
            _check_number(reader, at, value, parts)
            continue
        if not matrix and ((row and value.col) or (col and value.row)):
            raise reader.fail(
                at, "a row vector and a column vector are added", mend="transpose one of them"
            )
        if matrix and value.row is None and value.col not in laid:
            raise reader.fail(at, "a row vector is added to a matrix", mend="write the indices")
        if value.row is not None:
            row = row or value.row
            reader.sizes.same_letter(row, value.row, at, "the row axis of this sum")
        if value.col is not None:
            col = col or value.col
            reader.sizes.same_letter(col, value.col, at, "the column axis of this sum")
    terms = [v.term for _, v in parts]
    if row and col:
        one = Compare("=", row, col)
        terms = [v.term if v.axes else unit(reader, v.term, one) for _, v in parts]
    return row, col, terms


def _laid(reader: Reader, parts: list[tuple[int, Value]]) -> list[tuple[int, Value]]:
    """The b ∈ ℝ^m of X W + b ∈ ℝ^{n×m} as a row: only so does its size fit, where both are told."""
    wholes = [v for _, v in parts if v.row and v.col]

    def told(letter: Letter | None) -> sp.Expr | None:
        return letter.real().size.root().value if letter is not None else None

    rows, cols = {told(v.row) for v in wholes}, {told(v.col) for v in wholes}
    if not reader.names.lenient or rows & cols or None in rows | cols:
        return parts
    return [
        (at, replace(v, row=None, col=v.row) if v.row and not v.col and told(v.row) in cols else v)
        for at, v in parts
    ]


def unit(reader: Reader, term: Term, one: Term) -> Term:
    """λ I with this for an I, or I_d, that is nothing else but the identity matrix."""
    match term:
        case Ref(name=str(name), slots=()) if name.split("_")[0] == "I":
            other = name in reader.names.declared or name in reader.uses
            return term if other else one
        case Mul():
            return Mul(tuple(unit(reader, t, one) for t in term.parts))
    return term


def _check_number(reader: Reader, at: int, value: Value, parts: list[tuple[int, Value]]) -> None:
    """Raises ReadError for an unknown capital that is added to a matrix or a vector."""
    names, term = reader.names, value.term
    if isinstance(term, Unknown) and any(v.axes for _, v in parts):
        shown = next(shape(v.row, v.col) for _, v in parts if v.axes)
        raise reader.fail(
            at,
            f"{term.name}(…) is added to {shown}: a number, or {shown} too?",
            expected=f"a definition of {term.name}, or a bold letter for a vector",
            mend=rf"write \mathbf{{{term.name}}}(…) for a vector, or define {term.name}",
        )
    if not isinstance(term, Ref) or len(term.slots) > 1 or not any(v.axes for _, v in parts):
        return
    capital = len(term.name.split("_")[0]) == 1 and term.name[:1].isupper()
    known = names.declared | names.numbers | names.limits | reader.sizes.names | {"I"}
    if capital and term.name not in known and term.name not in reader.functions:
        shown = next(shape(v.row, v.col) for _, v in parts if v.axes)
        raise reader.fail(
            at,
            f"{term.name} is added to {shown}: a number, or {shown} too?",
            expected=f"a shape or a definition of {term.name}",
            mend=f"declare <!-- symattn: sizes {term.name}:(n,d) --> or "
            f"<!-- symattn: scalars {term.name} -->",
        )


def root(reader: Reader, node: Root, scope: Scope) -> Value:
    value = reader.read(node.body, scope)
    degree = sp.Integer(2)
    if node.degree is not None:
        given = reader.read(node.degree, scope).term
        if not isinstance(given, Number) or not given.value.is_Integer:
            raise reader.fail(node.degree, "the degree of a root is a whole number")
        degree = given.value
    return _root(value, degree)


def _root(value: Value, degree: sp.Expr) -> Value:
    return replace(value, term=Pow(value.term, Number(1 / degree)), free=once(value.free))
