"""Matrices: explicit ones, transposes, powers, inverses, determinants."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, permutations
from math import factorial
from typing import TYPE_CHECKING

import sympy as sp
from sympy.combinatorics.permutations import Permutation

from . import brackets, opaque
from .scripts import Component
from .sizes import Letter, unnamed
from .terms import (
    ONE,
    Add,
    Affine,
    Compare,
    Determinant,
    Mul,
    Number,
    Pow,
    Ref,
    Term,
    Total,
    at_index,
    copies,
)
from .tree import Addition, Matrix, Name, Node, Product, Symbol
from .tree import Number as NumberNode
from .values import Counts, Scope, Value, once

if TYPE_CHECKING:
    from .elaborate import Reader

MAX_DETERMINANT = 4  # rows of a determinant that is written out
MAX_POWER = 4  # of a matrix, as a product of so many factors


def identity(reader: Reader, at: int) -> Value:
    """The identity matrix of a size that is still open."""
    row, col = unnamed(0, at), unnamed(1, at)
    reader.sizes.unite(row.size, col.size, at, "the identity matrix")
    return Value(Compare("=", row, col), row=row, col=col)


def transpose(reader: Reader, value: Value, at: int, name: str) -> Value:
    """The transpose; ReadError where the value is not known to have axes."""
    if value.term == Ref("I") and name not in reader.names.declared:
        value = identity(reader, at)
    if not value.axes and value.term == ONE:  # the 1^⊤ of D 1^⊤ is of ones
        value = Value(ONE, row=unnamed(0, at))
    if not value.axes:
        raise reader.fail(
            at,
            f"{name or 'this'} is transposed, and its shape is not known",
            expected="a matrix or a vector",
            mend=f"declare its shape: <!-- symattn: sizes {name or 'A'}:(n,d) -->",
        )
    return replace(value, row=value.col, col=value.row)


def power(reader: Reader, value: Value, node: Node, scope: Scope, at: int) -> Value:
    """value^node: a power of a scalar, an elementwise power, or the inverse of a matrix."""
    if isinstance(node, Product) and node.parts[0][0] == "∘":
        exponent = reader.read(node.parts[0][1], scope)
        return replace(value, term=Pow(value.term, exponent.term))
    if value.axes and _is_inverse_transpose(node):
        inverse = _matrix_power(reader, value, Mul((Number(sp.S.NegativeOne), ONE)), at)
        return transpose(reader, inverse, at, "")
    exponent = reader.read(node, scope)
    if value.axes:
        return _matrix_power(reader, value, exponent.term, at)
    number = exponent.term
    if isinstance(number, Mul) and all(isinstance(p, Number) for p in number.parts):
        number = Number(sp.Mul(*(p.value for p in number.parts if isinstance(p, Number))))
    if isinstance(number, Number) and number.value.is_Integer:
        n = int(number.value)
        if scope.under and n > 0:  # the row of Σ_a u_ia^2 is no second sum
            return replace(value, term=Pow(value.term, number), free=once(value.free))
        free = {
            x: (up * n, down * n) if n > 0 else (down * -n, up * -n)
            for x, (up, down) in value.free.items()
        }
    else:
        free = {x: (1, 0) for x in value.free} | {x: (1, 0) for x in exponent.free}
    return replace(value, term=Pow(value.term, number), free=free)


def _is_inverse_transpose(node: Node) -> bool:
    r"""True for the exponent of W^{-\top} and W^{-T}."""
    match node:
        case Addition(parts=((-1, Symbol(kind="top") | Name(text="T")),)):
            return True
    return False


def _matrix_power(reader: Reader, value: Value, exponent: Term, at: int) -> Value:
    negative = exponent == Mul((Number(sp.S.NegativeOne), ONE))
    term = value.term
    single = len(value.axes) == 1
    known = reader.source.fields or reader.source.elementwise if single else True
    if not negative and reader.names.lenient and known:
        return _raised(reader, value, exponent, at)
    if not negative:
        raise reader.fail(
            at,
            "a power of a matrix: a matrix product, or the powers of its components?",
            expected=r"A A, or A^{\circ 2}",
            mend=r"write A A for the matrix product, A \circ A for the product of components",
        )
    if not value.row or not value.col:
        raise reader.fail(
            at,
            "the inverse of a vector",
            expected="W^{-1} of a matrix",
            mend=r"write x^{\circ -1} for the inverses of its components",
        )
    if not isinstance(term, Ref) or term.slots != (value.row, value.col):
        match term:
            case Mul(parts=(Compare("=", a, b), entry)) if (a, b) == (value.row, value.col):
                inverse = Mul((term.parts[0], Pow(entry, Number(sp.S.NegativeOne))))
                free = {x: (down, up) for x, (up, down) in value.free.items()}
                return replace(value, term=inverse, free=free)
        if not value.free and not isinstance(term, Number):
            named = opaque.defined(reader, "M", value, at)
            assert isinstance(named.term, Ref)
            row, col = unnamed(0, at), unnamed(1, at)  # of a trace they are one, those of M are not
            for mine, axis in ((row, value.row), (col, value.col)):
                reader.sizes.unite(mine.size, axis.size, at, "an axis of an inverse")
            name = named.term.name
            return _inverse_matrix(reader, name, Value(Ref(name, (row, col)), {}, row, col), at)
        if reader.names.lenient and not isinstance(term, Number):
            row, col = unnamed(0, at), unnamed(1, at)
            for axis in (row, col, value.col):
                reader.sizes.unite(value.row.size, axis.size, at, "a matrix with an inverse")
            return opaque.value(reader, "inverse", [value], at, "an inverse", (row, col))
        raise reader.fail(
            at,
            "the inverse of an expression",
            expected="the inverse of a name, W^{-1}",
            mend=r"name the matrix in an equation of its own: G = X^\top X, and write G^{-1}",
        )
    return _inverse_matrix(reader, term.name, value, at)


def _raised(reader: Reader, value: Value, exponent: Term, at: int) -> Value:
    """A² = A A; x² of a vector has its components squared, in a text on fields it is ‖x‖²."""
    parts = exponent.parts if isinstance(exponent, Mul) else (exponent,)
    factors = [p.value for p in parts if isinstance(p, Number) and p.value.is_Integer]
    number = int(sp.prod(factors)) if len(factors) == len(parts) else 0
    if len(value.axes) == 1 and number == 2 and reader.source.fields:
        return replace(value, term=Total(value.axes, Pow(value.term, exponent)), row=None, col=None)
    if len(value.axes) == 1:
        return replace(value, term=Pow(value.term, exponent), free=once(value.free))
    assert value.row is not None and value.col is not None
    reader.sizes.unite(value.row.size, value.col.size, at, "a matrix with a power")
    row, col = unnamed(0, at), unnamed(1, at)
    for mine in (row, col):
        reader.sizes.unite(mine.size, value.row.size, at, "an axis of a power")
    if -MAX_POWER <= number <= -2 and not value.free:  # Σ^{-2} = Σ⁻¹ Σ⁻¹
        value = _matrix_power(reader, value, Mul((Number(sp.S.NegativeOne), ONE)), at)
        number = -number
    if 2 <= number <= MAX_POWER:
        named = value if _is_matrix(value) else opaque.defined(reader, "M", value, at)
        assert isinstance(named.term, Ref)
        letters = [row, *(unnamed(1, at) for _ in range(number - 1)), col]
        for middle in letters:
            reader.sizes.unite(middle.size, row.size, at, "an axis of a power")
        slots = named.term.slots[:-2]
        each = tuple(Ref(named.term.name, (*slots, *pair)) for pair in pairwise(letters))
        term = Total(tuple(letters[1:-1]), Mul(each))
        return replace(value, term=term, free=once(value.free), row=row, col=col)
    if (entry := _entry(reader, value)) is not None:  # D^{-1/2} of a diagonal D
        first, second = value.axes
        whole = Mul((Compare("=", first, second), Pow(entry, exponent)))
        return replace(value, term=whole, free=once(value.free))
    inside = [value, Value(exponent)]
    return opaque.value(reader, "power", inside, at, "a power of a matrix", (row, col))


def _entry(reader: Reader, value: Value) -> Term | None:
    """What stands on the diagonal of diag(d), and of a matrix that is known to be diagonal."""
    match value.term:
        case Mul(parts=(Compare("=", a, b), *rest)) if (a, b) == value.axes:
            return Mul((*rest,))
        case Ref(name=name, slots=(a, b)) if (a, b) == value.axes:
            made = (k.rhs for k in reader.links if k.name == name and k.kind == "definition")
            defined = next(made, None)
            match defined:
                case Mul(parts=(Compare("="), *_)):
                    return Ref(name, (a, a))
            return Ref(name, (a, a)) if name in reader.names.diagonal else None
    return None


def _is_matrix(value: Value) -> bool:
    """True for a name with its two axes last."""
    return isinstance(value.term, Ref) and value.term.slots[-2:] == value.axes


def _inverse_matrix(reader: Reader, name: str, value: Value, at: int) -> Value:
    """name^{-1} is a tensor of its own, name_inv."""
    assert value.row is not None and value.col is not None
    other = reader.names.inverse(name, at)
    for position, letter in enumerate((value.row, value.col)):
        reader.sizes.unite(
            reader.sizes.slot(other, position, at),
            letter.size,
            at,
            f"an axis of the inverse of {name}",
        )
    reader.sizes.unite(value.row.size, value.col.size, at, f"{name}, which has an inverse,")
    return replace(value, term=Ref(other, (value.row, value.col)))


def inverted(found: Component) -> bool:
    """True for A^{-1}_{ij}: a component of the inverse of a matrix."""
    return len(found.slots) == 2 and found.raised and minus_one(found.power)


def minus_one(node: Node | None) -> bool:
    match node:
        case Addition(parts=((-1, NumberNode(text="1")),)):
            return True
    return False


def inverse_component(reader: Reader, found: Component, scope: Scope) -> Value:
    """(A^{-1})_{ij}."""
    whole = reader.tensor(found.name, (), found.at, scope)
    inverse = _matrix_power(reader, whole, Mul((Number(sp.S.NegativeOne), ONE)), found.at)
    scripts = tuple(("_", slot) for slot in found.slots)
    return brackets.with_scripts(reader, inverse, scripts, scope, found.at)


def check_raised(reader: Reader, found: Component) -> None:
    """Raises ReadError for a power beside two indices that may belong to either."""
    if len(found.slots) != 2 or found.power is None:
        return
    capital = found.name[:1].isupper()
    if minus_one(found.power) or (found.raised and capital and isinstance(found.power, NumberNode)):
        shown = "-1" if minus_one(found.power) else "2"
        raise reader.fail(
            found.at,
            f"a power of {found.written} beside its indices: of the matrix, or of the component?",
            expected=rf"({found.written}^{{{shown}}})_{{ij}}, or ({found.written}_{{ij}})"
            rf"^{{{shown}}}",
            mend="put brackets",
        )


def literal(reader: Reader, node: Matrix, scope: Scope) -> Value:
    """A matrix of numbers: Σ entries·[row = r][column = c]."""
    width = len(node.rows[0]) if node.rows else 0
    if not width or any(len(row) != width for row in node.rows):
        raise reader.fail(
            node,
            "the rows of this matrix have different lengths",
            mend=f"give {width} entries in each row",
        )
    if reader.names.lenient:
        entries = [reader.read(cell, scope) for cells in node.rows for cell in cells]
        if any(entry.axes for entry in entries):
            return _blocks(reader, node, entries)
    row, col = Letter("r", node.at), Letter("c", node.at)
    reader.sizes.give(row.size, sp.Integer(len(node.rows)), node.at, "the rows of this matrix")
    reader.sizes.give(col.size, sp.Integer(width), node.at, "the columns of this matrix")
    parts: list[tuple[int, Term]] = []
    free: Counts = {}
    for r, cells in enumerate(node.rows):
        for c, cell in enumerate(cells):
            entry = reader.read(cell, scope)
            free |= once(entry.free)
            if entry.axes or (free and not (reader.names.lenient and free.keys() <= scope.fixed)):
                raise reader.fail(
                    cell,
                    "an entry of this matrix is not a number",
                    expected="numbers and scalars",
                    mend="write the matrix in index notation",
                )
            if entry.term == Number(sp.S.Zero):
                continue
            where = [Compare("=", row, Affine((), Number(sp.Integer(r))))]
            if width > 1:
                where.append(Compare("=", col, Affine((), Number(sp.Integer(c)))))
            parts.append((1, Mul((entry.term, *where))))
    term: Term = Add(tuple(parts)) if parts else Number(sp.S.Zero)
    return Value(term, free, row, col if width > 1 else None)


def _blocks(reader: Reader, node: Matrix, cells: list[Value]) -> Value:
    """A matrix of matrices, or of vectors: a quantity of its own."""
    width = len(node.rows[0])
    column = width == 1 and not any(cell.col for cell in cells)
    row, col = unnamed(0, node.at), None if column else unnamed(1, node.at)
    square = width == len(node.rows)
    if square and col is not None and _is_square(cells, width):
        reader.sizes.unite(row.size, col.size, node.at, "a matrix of blocks")
    found = opaque.value(
        reader, "blocks", cells, node.at, "a matrix of blocks", (row, col), (len(node.rows), width)
    )
    names = [_cell(reader, cell, node.at) for cell in cells]
    if isinstance(found.term, Ref) and None not in names:
        rows = (names[k : k + width] for k in range(0, len(names), width))
        reader.names.grids[found.term.name] = tuple(map(tuple, rows))
    return found


def _cell(reader: Reader, cell: Value, at: int) -> str | sp.Expr | None:
    """The name of a block, or its number; None where letters are free in it."""
    if isinstance(cell.term, Number) and not cell.axes:
        return cell.term.value
    if cell.term == Ref("I") and "I" not in reader.names.declared:  # of the size that fits
        return sp.S.One
    if cell.free or not cell.axes:
        return None
    if isinstance(cell.term, Ref) and cell.term.slots == cell.axes:
        return cell.term.name
    named = opaque.defined(reader, "M", cell, at).term
    return named.name if isinstance(named, Ref) else None


def _is_square(cells: list[Value], width: int) -> bool:
    """True where the blocks on the diagonal are square."""
    diagonal = (cells[k * (width + 1)] for k in range(width))
    return all(v.row and v.col and v.row.size.root() is v.col.size.root() for v in diagonal)


def _small(size: sp.Expr | None) -> bool:
    return size is not None and bool(size.is_Integer) and 0 < int(size) <= MAX_DETERMINANT


def determinant(reader: Reader, value: Value, at: int) -> Value:
    """Σ sign(π) Π a[k, π(k)], for a matrix whose number of rows is a small number."""
    row, col = value.row, value.col
    if (row is None or col is None) and reader.names.lenient:
        why = "the determinant of something whose shape is not known"
        return opaque.value(reader, "det", [value], at, why)
    if row is None or col is None:
        raise reader.fail(
            at,
            "det of what is not known to be a matrix",
            expected="a matrix",
            mend="declare its shape: <!-- symattn: sizes A:(2,2) -->",
        )
    reader.sizes.unite(row.size, col.size, at, "a matrix with a determinant")
    size = row.size.root().value
    if isinstance(value.term, Ref) and value.term.slots == (row, col) and not _small(size):
        return Value(Determinant(value.term))
    n = int(size) if size is not None and _small(size) else 0
    if not n and reader.names.lenient and not value.free:
        named = opaque.defined(reader, "M", value, at)
        assert isinstance(named.term, Ref)
        return Value(Determinant(named.term))
    if not n or not copies(value.term, factorial(n)):
        raise reader.fail(
            at,
            f"the determinant of a matrix of {size or 'n'} rows is not written out",
            expected=f"at most {MAX_DETERMINANT} rows, as a number",
            mend="give the determinant a name: D = …, or declare sizes A:(2,2)",
        )
    terms: list[tuple[int, Term]] = []
    for order in permutations(range(n)):
        entries = [at_index(at_index(value.term, row, k), col, order[k]) for k in range(n)]
        if Number(sp.S.Zero) not in entries:
            terms.append((Permutation(order).signature(), Mul(tuple(entries))))
    term: Term = Add(tuple(terms)) if terms else Number(sp.S.Zero)
    return Value(term, once(value.free))
