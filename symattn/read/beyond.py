r"""What runs over more than an index: Σ over a set or over vectors, arg min, floors.

The engine has no form for them, so each is a quantity of its own, a function of the names in it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from . import opaque
from .applications import Parts
from .sizes import Letter
from .tree import (
    Accent,
    Chain,
    Name,
    Node,
    Product,
    Scripted,
    Symbol,
    listed,
    spelled,
)
from .values import Scope, Value

if TYPE_CHECKING:
    from .elaborate import Reader


def whole(
    reader: Reader,
    stem: str,
    inside: list[Value],
    at: int,
    why: str,
    said: object,
) -> Value:
    """The quantity with the axes of the first value."""
    shape = (inside[0].row, inside[0].col)
    own = [Letter("pq"[k], at) if x is not None else None for k, x in enumerate(shape)]
    for mine, other in zip(own, shape, strict=True):
        if mine is not None and other is not None:
            reader.sizes.unite(mine.size, other.size, at, "an axis")
    return opaque.value(reader, stem, inside, at, why, (own[0], own[1]), said)


def over_set(reader: Reader, sign: Symbol, below: Node, rest: Parts, scope: Scope) -> Value:
    """Σ or Π over what is no index, to the end of its product."""
    body = reader.read(Product(rest[0][1].at, (("", rest[0][1]), *rest[1:])), scope)
    shown = {"sum": "a sum", "prod": "a product"}.get(sign.kind, sign.text)
    return whole(reader, sign.kind, [body], sign.at, f"{shown} over a set", spelled(below))


def extremum(
    reader: Reader, word: str, sign: Symbol, below: Node | None, body: Node, scope: Scope
) -> Value:
    """arg min and arg max: where a function is smallest or largest."""
    variable = below.sides[0] if isinstance(below, Chain) else below
    index = isinstance(variable, Name) and reader.here.has_index(variable.text)
    letters = [Letter(variable.text, variable.at)] if index and isinstance(variable, Name) else []
    values = [reader.read(item, scope.inner(letters)) for item in listed(body)]
    inside = [
        replace(v, free={x: n for x, n in v.free.items() if x.real() not in letters})
        for v in values
    ]
    said = () if below is None else spelled(below)
    own: list[Letter | None] = [None, None]
    if word.startswith("arg") and isinstance(variable, Name | Scripted | Accent) and not index:
        of = reader.read(variable, scope)  # where a function of a vector is least is a vector
        own = [Letter("pq"[k], sign.at) if x else None for k, x in enumerate((of.row, of.col))]
        for mine, other in zip(own, (of.row, of.col), strict=True):
            if mine is not None and other is not None:
                reader.sizes.unite(mine.size, other.size, sign.at, f"an axis of {word}")
    return opaque.value(reader, word, inside, sign.at, f"an {word}", (own[0], own[1]), said)
