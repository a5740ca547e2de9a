r"""\mathcal{N}(x | μ, Σ) before a bar or a semicolon: the density of a normal distribution at x.

Of a vector x, Σ is its covariance; of a number, what stands there is the variance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from . import matrices, products
from .names import NORMAL, base_name, plain, stem
from .terms import MINUS_ONE, ONE, Add, Call, Compare, Mul, Number, Pow, Term, Total
from .tree import Addition, Group, Name, Node, Product, Scripted, Symbol, walk
from .tree import Number as NumberNode
from .values import Scope, Value, once

if TYPE_CHECKING:
    from .applications import Application
    from .elaborate import Reader

DEVIATIONS = frozenset(["sigma", "s", "tau", "Lambda"])  # a variance or its root, or an inverse
_HALF = Number(sp.Rational(-1, 2))


def density(reader: Reader, call: Application, name: str, scope: Scope) -> Value | None:
    """The value of the density; None where it may be something else, or of another spread."""
    names = reader.names
    if name not in NORMAL or not names.lenient or call.scripts or name in names.declared:
        return None
    three = _three(reader, call)
    if three is None or not names.source.normal or name in names.heads or name in reader.uses:
        return None
    x, mean, spread = three
    shown = base_name(stem(spread)) if isinstance(plain(spread), Name | Scripted) else None
    powers = [m for m, _ in spread.scripts if m == "^"] if isinstance(spread, Scripted) else []
    if shown and not powers and (shown in DEVIATIONS or names.source.precise):
        return None
    zero = isinstance(mean, NumberNode) and mean.text == "0"
    gap = _bracket(x if zero else Addition(x.at, ((1, x), (-1, mean))))
    value, width = reader.read(gap, scope), reader.read(spread, scope)
    if not value.axes and not width.axes:
        unknown = (shown or "")[:1].isupper() and shown not in names.numbers
        free = {**once(value.free), **once(width.free)}
        return None if unknown else Value(_exponential(_exponent(value.term, width.term)), free)
    if value.row is None or value.col is not None:
        return None
    entry = _diagonal(reader, width)
    if entry is not None:
        for axis in width.axes:
            reader.sizes.same_letter(value.row, axis, spread.at, "a covariance")
        each = _exponent(value.term, entry)
        free = {**once(value.free), **once(width.free)}
        return Value(_exponential(Total((value.row,), each)), free)
    if width.row is None or width.col is None:
        return None
    for axis in width.axes:
        reader.sizes.unite(value.row.size, axis.size, spread.at, "a covariance")
    return _of_vector(reader, gap, spread, value, width, scope)


def _diagonal(reader: Reader, width: Value) -> Term | None:
    """What stands on the diagonal of σ² I and of diag(v); None for any other matrix."""
    if width.row is None or width.col is None:
        entry = products.unit(reader, width.term, ONE)
        return entry if entry != width.term else None
    one = Compare("=", width.row, width.col)
    match width.term:
        case Compare() if width.term == one:
            return ONE
        case Mul(parts=parts) if one in parts:
            return Mul(tuple(p for p in parts if p != one))
    return None


def _three(reader: Reader, call: Application) -> tuple[Node, Node, Node] | None:
    """x, μ and Σ."""
    every = (*call.items, *call.given)
    if len(every) != 3:
        return None
    x, mean, spread = every
    between = reader.source.text[max(n.at for n in walk(x)) : min(n.at for n in walk(mean))]
    barred = len(call.items) == 1 and len(call.given) == 2
    return (x, mean, spread) if barred or (not call.given and ";" in between) else None


def _bracket(node: Node) -> Group:
    return Group(node.at, "(", (node,))


def _exponent(gap: Term, width: Term) -> Term:
    """(x - μ)²/v + log(2πv)."""
    square = Mul((gap, gap, Pow(width, MINUS_ONE)))
    return Add(((1, square), (1, Call("log", Mul((Number(2 * sp.pi), width))))))


def _of_vector(
    reader: Reader, gap: Group, spread: Node, value: Value, width: Value, scope: Scope
) -> Value:
    r"""exp(-(x - μ)^⊤ Σ^{-1} (x - μ)/2 - (Σ_k log 2π + log|Σ|)/2)."""
    at = gap.at
    turned = Scripted(at, gap, (("^", Symbol(at, "top")),))
    inverse = Scripted(at, _bracket(spread), (("^", _minus_one(at)),))
    square = reader.read(Product(at, (("", turned), ("", inverse), ("", gap))), scope)
    volume = reader.function("log", matrices.determinant(reader, width, spread.at))
    assert value.row is not None
    sizes = Total((value.row,), Call("log", Number(2 * sp.pi)))
    exponent = Add(((1, square.term), (1, sizes), (1, volume.term)))
    return Value(_exponential(exponent), {**once(square.free), **once(volume.free)})


def _exponential(term: Term) -> Term:
    return Call("exp", Mul((_HALF, term)))


def _minus_one(at: int) -> Node:
    return Addition(at, ((-1, NumberNode(at, "1")),))


__all__ = ["density"]
