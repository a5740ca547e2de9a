"""Numbers at a place that an equation in letters puts: at S = K the share is 1/2.

A claim of a number is computed with that equation among the definitions.  What has no value may
stand in it where it drops out: of v k − k²/m at k = 0 nothing is left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import SymattnError
from ..read import read
from ..read.source import UNFORESEEN
from ..read.units import inside
from ..syntax import Definition
from .inside import names

if TYPE_CHECKING:
    from .outline import Outline

_PUT = re.compile(  # at $S = K$ it is
    r"\b(?:[Aa]t|[Ff]or|[Ww]hen|[Ii]f|[Ss]etting|[Pp]utting)\s+(?:\$|\\\()"
    r"(?P<put>[^$=<>]+=[^$=<>]*[A-Za-z][^$=<>]*?)(?:\$|\\\))[\s,:]*"
    r"(?:(?!(?:at|for|when|if|while|but|in|without)\b)(?:[a-z]+|\$[^$]*\$),?\s+){0,8}(?:\$|\\\()?$"
)
REACH = 200  # characters before a claim
LARGEST = 60  # nodes of what is simplified


def put(outline: Outline, line: int, column: int) -> tuple[str, Definition] | None:
    """The equation of scalars that the words right before a place put, as written and as read."""
    end = outline.position(line, column)
    found = _PUT.search(outline.text[max(0, end - REACH) : end])
    if found is None or inside(found["put"])[1].said or r"\text" in found["put"]:
        return None
    d = _read(found["put"])
    return None if d is None else (found["put"].strip(), d)


@lru_cache(maxsize=256)
def _read(latex: str) -> Definition | None:
    try:
        document = read(f"$$ {latex} $$", strict=False)
    except (SymattnError, *UNFORESEEN):
        return None
    found = [*document.definitions.values()]
    one = found[0] if len(found) == 1 and not document.refused else None
    plain = one is not None and not one.indices and one.name not in names(one.expr)
    return one if plain and one is not None and _is_plain(one.expr) else None


def constant(expr: Any, made: Mapping[str, Any]) -> Any:
    """The number that an expression of scalars is, whatever has no value; None for no number."""
    for _ in range(len(made) + 1):
        used = {x: made[x.name] for x in expr.free_symbols if getattr(x, "name", "") in made}
        if not used or not _is_plain(expr):
            break
        expr = expr.xreplace(used)
    if not _is_plain(expr) or any(x.name in made for x in expr.free_symbols):
        return None
    expr = expr.xreplace({x: sp.Symbol(x.name) for x in expr.free_symbols})
    found = sp.simplify(sp.cancel(expr) if expr.is_rational_function() else expr)
    return found if found.is_number and found.is_finite else None


def _is_plain(expr: Any) -> bool:
    """True of what is made of scalars by arithmetic and usual functions."""
    plain = sp.Symbol | sp.Number | sp.Add | sp.Mul | sp.Pow | sp.NumberSymbol
    usual = sp.sin | sp.cos | sp.tan | sp.exp | sp.log | sp.sinh | sp.cosh | sp.tanh
    nodes = [*sp.preorder_traversal(expr)]
    return len(nodes) <= LARGEST and all(isinstance(n, plain | usual) for n in nodes)


__all__ = ["constant", "put"]
