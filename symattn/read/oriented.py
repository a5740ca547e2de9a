r"""Rows and columns on two sides: A x = (A x)^⊤ is true of the numbers, and of no vectors.

Authors write derivatives as rows or as columns, and a name may stand for either; a sum or a product
of names says itself what it is.
"""

from __future__ import annotations

from .elaborate import Reader
from .tree import Accent, Addition, Group, Name, Node, Number, Product, Scripted, Symbol, walk
from .unsaid import is_transposed
from .values import Value

ROW_FOR_COLUMN = "a row may stand for a column"
_PLAIN = (Name, Accent, Scripted, Product, Addition, Group, Number)


def apart(reader: Reader, sides: tuple[Node, Node], values: tuple[Value, Value]) -> bool:
    """One side is a row and the other a column, as both are written."""
    one, other = values
    if len(one.axes) != 1 or bool(one.row) == bool(other.row):
        return False
    return all(_says(reader, x) for x in sides)


def _says(reader: Reader, side: Node) -> bool:
    """No name by itself, which may be a row, and nothing in it but names and signs."""
    if isinstance(side, Name | Accent):
        return False
    named = isinstance(side, Scripted) and not isinstance(side.base, Group)
    if named and not is_transposed(side, reader.names, reader.here):
        return False
    return all(
        isinstance(n, _PLAIN) or (isinstance(n, Symbol) and n.kind in ("top", "operator"))
        for n in walk(side)
    )


__all__ = ["ROW_FOR_COLUMN", "apart"]
