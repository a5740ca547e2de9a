r"""Products: juxtaposition, matrix products, ∘, fractions and scripts on brackets.

Matrix notation is lowered by shape.  A name with two axes and no indices is a matrix (row, column);
one with one axis left is a column vector (row only), its transpose a row vector.  Neighbouring axes
are contracted.  `\sum`, `\log`, `\partial` reach to the right as `operators` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from . import signs
from .names import base_name, plain
from .sizes import Letter
from .terms import (
    ONE,
    Add,
    Compare,
    Mul,
    Number,
    Pow,
    Ref,
    Term,
)
from .tree import (
    Fraction,
    Group,
    Matrix,
    Name,
    Node,
    Product,
    Scripted,
    Symbol,
)
from .values import Scope, Value, once

if TYPE_CHECKING:
    from .elaborate import Reader

Parts = Sequence[tuple[str, Node]]


def product(reader: Reader, node: Node, scope: Scope) -> Value:
    """The value of a product or a fraction, its repeated letters summed."""
    if isinstance(node, Product) and any(op == "∘" for op, _ in node.parts):
        return _elementwise(reader, node, scope)
    return close(reader, factors(reader, node, scope), scope, node.at)


def factors(reader: Reader, node: Node, scope: Scope) -> list[tuple[str, Value]]:
    """The factors of a product in order, nothing summed yet; brackets around products vanish."""
    from . import derivatives, operators

    match node:
        case Product() if all(op != "∘" for op, _ in node.parts):
            return operators.sequence(reader, node.parts, scope)
        case Fraction():
            derivative = derivatives.fraction(reader, node, scope)
            if derivative is not None:
                return [("", derivative)]
            bottom = reader.read(node.bottom, scope)
            if bottom.axes:
                raise reader.fail(node.bottom, "a matrix stands below a fraction bar",
                                  mend="write the indices, or the inverse matrix W^{-1}")
            return [*factors(reader, node.top, scope), ("", inverse(bottom))]
        case Group(bracket="(" | "{", items=(Product() | Fraction() as inner,)):
            return factors(reader, inner, scope)
    return [("", reader.factor(node, scope))]


def inverse(value: Value) -> Value:
    """1/value."""
    free = {x: (down, up) for x, (up, down) in value.free.items()}
    return replace(value, term=Pow(value.term, Number(sp.S.NegativeOne)), free=free)


def close(
    reader: Reader, items: list[tuple[str, Value]], scope: Scope, at: int
) -> Value:
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
    for op, value in items:
        if not value.axes:
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
        else:
            raise reader.fail(
                at, f"{shape(row, col)} stands beside {shape(value.row, value.col)}",
                expected=r"x^\top y, x y^\top or x \circ y",
                mend="put the transpose where it belongs, or write the indices")
    return bound, row, col


def shape(row: Letter | None, col: Letter | None) -> str:
    if row and col:
        return "a matrix"
    return "a column vector" if row else "a row vector" if col else "a scalar"


def _elementwise(reader: Reader, node: Product, scope: Scope) -> Value:
    """a ∘ b: the product of components."""
    segments: list[list[tuple[str, Node]]] = [[]]
    for op, part in node.parts:
        if op == "∘" and segments[-1]:
            segments.append([])
        segments[-1].append(("" if op == "∘" else op, part))
    values: list[Value] = []
    bound: list[Letter] = []
    shaped: list[tuple[int, Value]] = []
    for segment in segments:
        at = segment[0][1].at
        items = factors(reader, Product(at, tuple(segment)), scope)
        if sum(bool(v.axes) for _, v in items) > 1:
            raise reader.fail(
                at, "a matrix product stands beside ∘: which comes first?",
                expected=r"(A B) \circ C or A (B \circ C)", mend="put brackets")
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

    A scalar is added to every component, and I is the identity matrix.
    """
    row: Letter | None = None
    col: Letter | None = None
    matrix = any(v.row and v.col for _, v in parts)
    for at, value in parts:
        if not value.axes:
            continue
        if not matrix and ((row and value.col) or (col and value.row)):
            raise reader.fail(at, "a row vector and a column vector are added",
                              mend="transpose one of them")
        if matrix and value.row is None:
            raise reader.fail(at, "a row vector is added to a matrix",
                              mend="write the indices")
        if value.row is not None:
            row = row or value.row
            reader.sizes.same_letter(row, value.row, at, "the row axis of this sum")
        if value.col is not None:
            col = col or value.col
            reader.sizes.same_letter(col, value.col, at, "the column axis of this sum")
    terms = [
        Compare("=", row, col) if v.term == Ref("I") and row and col
        and "I" not in reader.names.declared else v.term for _, v in parts
    ]
    return row, col, terms


def identity(reader: Reader, at: int) -> Value:
    """The identity matrix of a size that is still open."""
    row, col = Letter("p", at), Letter("q", at)
    reader.sizes.unite(row.size, col.size, at, "the identity matrix")
    return Value(Compare("=", row, col), row=row, col=col)


def transpose(reader: Reader, value: Value, at: int, name: str) -> Value:
    """The transpose; ReadError where the value is not known to have axes."""
    if value.term == Ref("I") and name not in reader.names.declared:
        value = identity(reader, at)
    if not value.axes:
        raise reader.fail(
            at, f"{name or 'this'} is transposed, and its shape is not known",
            expected="a matrix or a vector",
            mend=f"declare its shape: <!-- symattn: sizes {name or 'A'}:(n,d) -->")
    return replace(value, row=value.col, col=value.row)


def power(reader: Reader, value: Value, node: Node, scope: Scope, at: int) -> Value:
    """value^node: a power of a scalar, an elementwise power, or the inverse of a matrix."""
    if isinstance(node, Product) and node.parts[0][0] == "∘":
        exponent = reader.read(node.parts[0][1], scope)
        return replace(value, term=Pow(value.term, exponent.term))
    exponent = reader.read(node, scope)
    if value.axes:
        return _matrix_power(reader, value, exponent.term, at)
    number = exponent.term
    if isinstance(number, Mul) and all(isinstance(p, Number) for p in number.parts):
        number = Number(sp.Mul(*(p.value for p in number.parts if isinstance(p, Number))))
    if isinstance(number, Number) and number.value.is_Integer:
        n = int(number.value)
        free = {x: (up * n, down * n) if n > 0 else (down * -n, up * -n)
                for x, (up, down) in value.free.items()}
    else:
        free = {x: (1, 0) for x in value.free} | {x: (1, 0) for x in exponent.free}
    return replace(value, term=Pow(value.term, number), free=free)


def _matrix_power(reader: Reader, value: Value, exponent: Term, at: int) -> Value:
    negative = exponent == Mul((Number(sp.S.NegativeOne), ONE))
    term = value.term
    if not negative or not isinstance(term, Ref) or not value.row or not value.col:
        raise reader.fail(
            at, "a power of a matrix", expected=r"W^{-1}, or A^{\circ 2} for components",
            mend=r"write A A for the matrix product, A \circ A for the product of components")
    if term.slots != (value.row, value.col):
        raise reader.fail(at, "the inverse of an expression", mend="give the matrix a name")
    return _inverse_matrix(reader, term.name, value, at)


def _inverse_matrix(reader: Reader, name: str, value: Value, at: int) -> Value:
    """name^{-1} is a tensor of its own, name_inv."""
    assert value.row is not None and value.col is not None
    other = f"{name}_inv"
    reader.names.ranks.setdefault(other, 2)
    reader.names.places.setdefault(other, at)
    for position, letter in enumerate((value.row, value.col)):
        reader.sizes.unite(reader.sizes.slot(other, position, at), letter.size, at,
                           f"an axis of the inverse of {name}")
    reader.sizes.unite(value.row.size, value.col.size, at, f"{name}, which has an inverse,")
    return replace(value, term=Ref(other, (value.row, value.col)))


def scripted(reader: Reader, node: Scripted, scope: Scope) -> Value:
    """Scripts on brackets and signs: (W^⊤ W)_{ab}, (…)^2, softmax(…)_i, ‖u‖_g."""
    base = node.base
    if isinstance(base, Symbol):
        return signs.symbol(reader, base, scope, node)
    if isinstance(base, Group) and base.bracket in ("‖", "<"):
        return bracketed(reader, base, scope, node.scripts)
    return with_scripts(reader, reader.read(base, scope), node.scripts, scope, node.at)


def with_scripts(
    reader: Reader, value: Value, scripts: tuple[tuple[str, Node], ...], scope: Scope, at: int
) -> Value:
    """The value under scripts: indices for its axes, a transpose, or a power."""
    from .names import atoms, is_letter

    scripts = tuple(pair for pair in scripts if pair[0] != "~")
    letters = [a for _, s in scripts for a in atoms(s) if is_letter(a)]
    if letters and len(letters) == len(value.axes) and all(
            is_letter(a) for _, s in scripts for a in atoms(s)):
        free = dict(value.free)
        for axis, found in zip(value.axes, letters, strict=True):
            assert isinstance(found, Name)
            letter = reader.letter(found.text, found.at, scope)
            reader.sizes.same_letter(letter, axis, found.at, f"the index {letter.name}")
            up, down = free.get(letter, (0, 0))
            free[letter] = (up + 1, down)
        return replace(value, free=free, row=None, col=None)
    if letters and len(letters) == sum(len(atoms(s)) for _, s in scripts):
        raise reader.fail(
            at, f"this has {len(value.axes)} axes without indices, and {len(letters)} indices are "
                "written", expected="one index for every axis",
            mend="write as many indices as there are axes, or declare the shape")
    for sign, script in scripts:
        if sign == "^" and (script == Symbol(script.at, "top") or script == Name(script.at, "T")):
            value = transpose(reader, value, at, "")
        elif sign == "^":
            value = power(reader, value, script, scope, at)
        else:
            raise reader.fail(
                script, f"this has {len(value.axes)} axes without indices, {len(letters)} are "
                        "written", mend="give one index for every axis")
    return value


def bracketed(
    reader: Reader, node: Group, scope: Scope, scripts: tuple[tuple[str, Node], ...] = ()
) -> Value:
    """‖x‖, |x|, ⟨u, v⟩, ⟨E⟩ and lists."""

    metric = next((base_name(plain(s)) for sign, s in scripts if sign == "_"), None)
    rest = tuple((sign, s) for sign, s in scripts if sign == "^")
    items = node.items
    if node.bracket == "|" and len(items) == 1:
        value = reader.read(items[0], scope)
        term = Pow(Pow(value.term, Number(sp.Integer(2))), Number(sp.Rational(1, 2)))
        return replace(value, term=term, free=once(value.free))
    if node.bracket == "‖" and len(items) == 1:
        squared = _inner(reader, items[0], items[0], metric, scope, node.at)
        root = Value(Pow(squared.term, Number(sp.Rational(1, 2))), once(squared.free))
        return with_scripts(reader, root, rest, scope, node.at)
    if node.bracket == "<" and len(items) == 2:
        return with_scripts(reader, _inner(reader, items[0], items[1], metric, scope, node.at),
                            rest, scope, node.at)
    if node.bracket == "<" and len(items) == 1 and isinstance(items[0], Name):
        return Value(Ref(f"mean_{items[0].text}"))
    if node.bracket == "[":
        return literal(reader, Matrix(node.at, tuple((item,) for item in items)), scope)
    raise reader.fail(
        node, "a list in brackets is not an expression", expected="one expression in ( )",
        mend="functions of several arguments are not part of the index language")


def _inner(
    reader: Reader, u: Node, v: Node, metric: str | None, scope: Scope, at: int
) -> Value:
    """u·v, or u g v."""
    left, right = reader.read(u, scope), reader.read(v, scope)
    for value, node in ((left, u), (right, v)):
        if len(value.axes) != len(left.axes) or not value.axes:
            raise reader.fail(
                node, "the shape of this vector is not known",
                mend="declare it: <!-- symattn: sizes x:(n) -->")
    if metric is None or metric not in reader.names.ranks:
        for a, b in zip(left.axes, right.axes, strict=True):
            reader.sizes.same_letter(a, b, at, "the axis of this inner product")
        value = reader.summed([left, right], list(left.axes), scope, at)
        return value
    g = reader.tensor(metric, (), at, scope)
    items = [("", replace(left, row=None, col=left.row)), ("", g), ("", right)]
    return close(reader, items, scope, at)


def literal(reader: Reader, node: Matrix, scope: Scope) -> Value:
    """A matrix of numbers: Σ entries·[row = r][column = c]."""
    width = len(node.rows[0]) if node.rows else 0
    if not width or any(len(row) != width for row in node.rows):
        raise reader.fail(node, "the rows of this matrix have different lengths",
                          mend=f"give {width} entries in each row")
    row, col = Letter("r", node.at), Letter("c", node.at)
    reader.sizes.give(row.size, sp.Integer(len(node.rows)), node.at, "the rows of this matrix")
    reader.sizes.give(col.size, sp.Integer(width), node.at, "the columns of this matrix")
    from .terms import Affine

    parts: list[tuple[int, Term]] = []
    for r, cells in enumerate(node.rows):
        for c, cell in enumerate(cells):
            entry = reader.read(cell, scope)
            if entry.axes or entry.free:
                raise reader.fail(cell, "an entry of this matrix is not a number",
                                  expected="numbers and scalars",
                                  mend="write the matrix in index notation")
            if entry.term == Number(sp.S.Zero):
                continue
            where = [Compare("=", row, Affine((), Number(sp.Integer(r))))]
            if width > 1:
                where.append(Compare("=", col, Affine((), Number(sp.Integer(c)))))
            parts.append((1, Mul((entry.term, *where))))
    term: Term = Add(tuple(parts)) if parts else Number(sp.S.Zero)
    return Value(term, row=row, col=col if width > 1 else None)
