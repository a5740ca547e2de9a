r"""Functions that are called E: \operatorname{E}(ξ) = ξᵀξ/2 is an energy, and no average.

An average of ξ is no function of ξ, so a text that gives E(ξ) by an expression in ξ itself has a
function of that name.
"""

from __future__ import annotations

from collections.abc import Iterable

from .evidence import leaves
from .moments import SIGNS
from .names import base_name, stem
from .tree import (
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
    """The sign of E(x) = … x …; an average of x is a sum or an integral over x at most."""
    if not isinstance(tree, Chain) or tree.relations[0][0] not in ("=", ":="):
        return ""
    left, right = tree.sides[:2]
    match left:
        case Product(parts=((_, Symbol() | Name() as first), ("", Group(bracket="(", items=(x,))))):
            sign, of = getattr(first, "text", ""), base_name(stem(x))
        case _:
            return ""
    inside = [*walk(right)]
    signs = any(getattr(n, "text", "") in SIGNS for n in inside)
    over = {n.text for s in inside if isinstance(s, Scripted) and isinstance(s.base, Symbol)
            for _, script in s.scripts for n in walk(script) if isinstance(n, Name)}  # fmt: skip
    integral = any(isinstance(n, Symbol) and n.kind == "int" for n in inside)
    if sign not in SIGNS or of is None or signs or integral or of in over:
        return ""
    plain = spelled(right) == spelled(x)  # 𝔼(c) = c
    return sign if not plain and any(base_name(stem(n)) == of for n in leaves(right)) else ""


def as_names(tree: Node, found: frozenset[str]) -> Node:
    """The tree with these signs as names of functions."""

    def change(node: Node) -> Node:
        if isinstance(node, Symbol) and node.kind == "function" and node.text in found:
            return Name(node.at, node.text)
        return node

    return rebuilt(tree, change) if found else tree


__all__ = ["as_names", "functions"]
