r"""Functions that are called E: \operatorname{E}(ξ) = ξᵀξ/2 is an energy, and no average.

An average of ξ is no function of ξ, so a text that gives E(ξ) by an expression in ξ itself has a
function of that name.
"""

from __future__ import annotations

from collections.abc import Iterable

from .moments import SIGNS
from .names import base_name, stem
from .tree import (
    Accent,
    Chain,
    Group,
    Name,
    Node,
    Product,
    Scripted,
    Symbol,
    rebuilt,
    spelled,
    walk,
)


def functions(trees: Iterable[Node]) -> frozenset[str]:
    """The signs of averages that name functions: E, where E(x) is given by an expression in x."""
    return frozenset(sign for tree in trees if (sign := _defined(tree)))


def _defined(tree: Node) -> str:
    if not isinstance(tree, Chain) or tree.relations[0][0] not in ("=", ":="):
        return ""
    left, right = tree.sides[:2]
    match left:
        case Product(
            parts=((_, Symbol(text=sign) | Name(text=sign)), ("", Group(items=(of,)) as b))
        ):
            if b.bracket != "(":
                return ""
        case _:
            return ""
    named = isinstance(of, Name | Accent | Scripted) and base_name(stem(of)) is not None
    if sign not in SIGNS or not named or spelled(right) == spelled(of):
        return ""
    inside = list(walk(right))
    if any(isinstance(n, Symbol) and n.kind == "function" and n.text in SIGNS for n in inside):
        return ""
    return sign if any(spelled(n) == spelled(of) for n in inside) else ""


def as_names(tree: Node, found: frozenset[str]) -> Node:
    """The tree with these signs as names of functions."""

    def change(node: Node) -> Node:
        if isinstance(node, Symbol) and node.kind == "function" and node.text in found:
            return Name(node.at, node.text)
        return node

    return rebuilt(tree, change) if found else tree


__all__ = ["as_names", "functions"]
