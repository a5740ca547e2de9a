"""Functions of the index language: scalar ones, softmax, log-sum-exp, sums over axes, diag, tr."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from . import crossed, matrices, maxima, opaque, products
from .names import atoms, indices, is_letter, letters_of
from .sizes import Letter
from .terms import Call, Compare, Largest, Mul, Number, Pow, Term, Total
from .tree import Group, Name, Node, Scripted, Symbol, listed, spelled, walk
from .values import Scope, Value

if TYPE_CHECKING:
    from .elaborate import Reader

_REFUSED = {
    "Concat": ("Concat has no form in indices", "give the heads an index h and sum over it"),
}
_BOUNDS = frozenset(["sup", "inf", "limsup", "liminf"])
_LISTED = frozenset(["max", "min", "diag"])
_QUANTITIES = {  # of pairs and of vectors: their axes
    "Concat": 2,
    "otimes": 2,
    "oplus": 2,
    "cross": 1,
    "curl": 1,
    "divergence": 0,
    "cap": 0,
    "cup": 0,
    "setminus": 0,
}


def apply(reader: Reader, sign: Symbol, below: Node | None, argument: Node, scope: Scope) -> Value:
    """The function applied; `below` is its subscript."""
    name = sign.text
    if name in _QUANTITIES and reader.names.lenient:
        return _quantity(reader, sign, below, argument, scope)
    if name in _REFUSED:
        problem, mend = _REFUSED[name]
        raise reader.fail(sign, problem, mend=mend)
    if name in ("arg", "argmax", "argmin"):
        return maxima.misplaced(reader, sign, below, argument, scope)
    several = isinstance(argument, Group) and len(argument.items) > 1
    if reader.names.lenient and (name in _BOUNDS or (several and name not in _LISTED)):
        return _quantity(reader, sign, below, argument, scope)
    if name in ("max", "min"):
        return maxima.largest(reader, sign, below, argument, scope)
    if name == "det":
        return matrices.determinant(reader, reader.read(argument, scope), sign.at)
    if name in ("softmax", "lse"):
        return _normalized(reader, sign, below, argument, scope)
    if name in ("rowsum", "colsum", "rowmax", "colmax", "diag", "tr"):
        return _axes(reader, sign, argument, scope)
    value = reader.read(argument, scope)
    if name == "factorial":
        return _factorial(reader, sign, value)
    if below is not None:
        return _logarithm(reader, sign, below, value, scope)
    return reader.function(name, value)


def _factorial(reader: Reader, sign: Symbol, value: Value) -> Value:
    """n!, a number where n is one and a quantity of its own elsewhere."""
    match value.term:
        case Number(value=n) if n.is_Integer and 0 <= n < 100:
            return Value(Number(sp.factorial(n)))
    if value.axes or not reader.names.lenient:
        raise reader.fail(
            sign, "a factorial has no form in indices", mend="give the factorial a name of its own"
        )
    return opaque.value(reader, "factorial", [value], sign.at, "a factorial")


def _quantity(
    reader: Reader, sign: Symbol, below: Node | None, argument: Node, scope: Scope
) -> Value:
    """A × B, A ⊗ B, Concat(A, B), ∇·E: a quantity of its own; u ⊗ v of vectors is u v^⊤."""
    inside = [reader.read(item, scope) for item in listed(argument)]
    if sign.text == "otimes" and all(v.row and not v.col for v in inside):
        turned = [inside[0], matrices.transpose(reader, inside[1], sign.at, "")]
        return products.close(reader, [("", v) for v in turned], scope, sign.at)
    if sign.text == "cross" and len(inside) == 2:
        found = crossed.product(reader, inside[0], inside[1], sign.at)
        if found is not None:
            return found
    row, col = ([Letter(x, sign.at) for x in "pq"[: _QUANTITIES.get(sign.text, 0)]] + [None] * 2)[
        :2
    ]
    said = () if below is None else spelled(below)
    why = f"{sign.text}, which has no form in indices"
    return opaque.value(reader, sign.text.lower(), inside, sign.at, why, (row, col), said)


def _logarithm(reader: Reader, sign: Symbol, below: Node, value: Value, scope: Scope) -> Value:
    base = reader.read(below, scope)
    if sign.text != "log" or base.axes or base.free:
        raise reader.fail(
            below,
            f"{sign.text} has no subscript",
            expected=sign.text,
            mend="leave the subscript out",
        )
    logarithm = reader.function("log", value)
    factor = Pow(Call("log", base.term), Number(sp.S.NegativeOne))
    return replace(logarithm, term=Mul((factor, logarithm.term)))


def _normalized(
    reader: Reader, sign: Symbol, below: Node | None, argument: Node, scope: Scope
) -> Value:
    """softmax_j(x) = e^{x}/Σ_j e^{x} and lse_j(x) = log Σ_j e^{x}."""
    value = reader.read(argument, scope)
    if below is not None:
        letters = indices("_", below)
        if len(letters) != 1 or not is_letter(letters[0]):
            raise reader.fail(
                below,
                f"the subscript of {sign.text} is one index letter",
                expected=rf"\text{{{sign.text}}}_j",
                mend="name one index",
            )
        (found,) = letters
        assert isinstance(found, Name)
        bound = Letter(found.text, found.at)
        inner = reader.read(argument, scope.inner([bound]))
        outer = reader.letter(found.text, found.at, scope)
        if bound not in {x.real() for x in inner.free}:
            raise reader.fail(
                found,
                f"the index {found.text} does not occur in the argument",
                expected=f"an index of the argument of {sign.text}",
                mend="look at the subscript",
            )
        reader.sizes.unite(outer.size, bound.size, found.at, f"the index {found.text}")
    else:
        if not value.axes:
            raise reader.fail(
                sign,
                f"{sign.text} over which index?",
                expected=rf"\text{{{sign.text}}}_j(S^{{ij}})",
                mend=f"name the index below {sign.text}, or declare the shape of its argument",
            )
        inner = reader.read(argument, scope)
        rows = reader.conventions.softmax_rows and value.col is not None
        axis = inner.col if rows or inner.row is None else inner.row
        for mine, other in ((value.row, inner.row), (value.col, inner.col)):
            if mine is not None and other is not None and other is not axis:
                reader.sizes.same_letter(mine, other, sign.at, "an axis")
        assert axis is not None
        bound = axis
    total = Total((bound,), Call("exp", inner.term))
    free = dict.fromkeys(value.free, (1, 0))
    if sign.text == "softmax":
        term: Term = Mul((Call("exp", value.term), Pow(total, Number(sp.S.NegativeOne))))
        return replace(value, term=term, free=free)
    free = {x: n for x, n in free.items() if below is None or x is not outer}
    kept = [x for x in (inner.row, inner.col) if x is not None and x is not bound]
    row = kept[0] if kept else None
    return replace(value, term=Call("log", total), free=free, row=row, col=None)


def _axes(reader: Reader, sign: Symbol, argument: Node, scope: Scope) -> Value:
    """rowsum, rowmax, …, tr: matrix → vector or scalar; diag: vector → matrix and back."""
    value = reader.read(argument, scope)
    row, col = value.row, value.col
    if sign.text == "diag" and not value.axes and reader.names.lenient:
        below = (
            a for n in walk(argument) if isinstance(n, Scripted) for a in atoms(n.scripts[0][1])
        )
        inside = {reader.letter(x, sign.at, scope).real() for x in letters_of(below)} - scope.fixed
        if len(inside) == 1:  # of diag(p_i (1 - p_i)), which is no sum
            value = reader.read(argument, replace(scope, fixed=scope.fixed | inside))
        open_ = [x for x in value.free if x.real() not in scope.fixed]
        if len(open_) == 1:  # diag(p_i), the i of which runs over the diagonal
            row = open_[0]
            value = replace(value, row=row, free={x: n for x, n in value.free.items() if x != row})
    if sign.text == "diag" and row is not None and col is None:
        other = Letter("q", sign.at)
        reader.sizes.unite(row.size, other.size, sign.at, "the diagonal")
        return replace(value, term=Mul((Compare("=", row, other), value.term)), col=other)
    if (row is None or col is None) and sign.text == "tr" and reader.names.lenient:
        why = "the trace of something whose shape is not known"
        return opaque.value(reader, "tr", [value], sign.at, why)
    if row is None or col is None:
        raise reader.fail(
            sign,
            f"{sign.text} of what is not known to be a matrix",
            expected="a matrix",
            mend="declare the shapes: <!-- symattn: sizes A:(n,m) -->, or write the indices",
        )
    if sign.text.startswith("row"):
        return replace(value, term=_over(sign, col, value.term), col=None)
    if sign.text.startswith("col"):
        return replace(value, term=_over(sign, row, value.term), row=col, col=None)
    reader.sizes.same_letter(row, col, sign.at, "the diagonal")
    if sign.text == "tr":
        return replace(value, term=Total((row,), value.term), row=None, col=None)
    return replace(value, col=None)


def _over(sign: Symbol, letter: Letter, body: Term) -> Term:
    return Largest((letter,), (body,)) if sign.text.endswith("max") else Total((letter,), body)
