r"""f⁻¹ before its argument: F^{-1}(u) = r is r = x at u = F(x), of an F that the text gives.

So u has the values that F has, and r the branch on which x is; F(r) = u, which says neither, stands
for values, F^{-1}(3) = 2.  Elsewhere F⁻¹ is a function of which nothing is known.  With the
argument that F has itself it is one over F, unless words speak of an inverse or the name is that of
a function as a rule, f⁻¹(x).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from .applications import Application, application, whole
from .names import base_name, plain
from .tree import Addition, Chain, Group, Name, Node, Number, Product, Scripted, mapped

SPOKEN = re.compile(r"\b(?:inver(?:se|t)|quantile)", re.IGNORECASE)
Undone = Callable[[Application, Node, int], tuple[Node, Node] | None]  # r at u = f(x), and x
Whether = Callable[[Node, Application], bool | None]  # None for what is no function of the text


def solved(tree: Any, is_inverse: Whether, undone: Undone) -> Any:
    """The tree with r = x at y = f(x) for f⁻¹(y) = r, and without other inverse functions."""
    call = whole(tree.sides[0]) if isinstance(tree, Chain) and len(tree.sides) == 2 else None
    name = _inverted(call.name) if call is not None else None
    if call is not None and name is not None and len(call.items) == 1 and not call.scripts:
        own = replace(call, name=name)
        both = undone(own, tree.sides[1], tree.at) if is_inverse(name, call) else None
        if both is not None:
            return Chain(tree.at, both, tree.relations)
    return _without(tree, is_inverse)


def _without(tree: Any, is_inverse: Whether) -> Any:
    """The tree with names for inverse functions, and F(x)⁻¹ for F⁻¹(x) where it is one over F."""
    if isinstance(tree, Product):
        parts, k = [*tree.parts], 0
        while k + 1 < len(parts):
            call = application(parts, k)
            name = _inverted(call.name) if call is not None and not call.given else None
            inverse = is_inverse(name, call) if call is not None and name is not None else None
            if name is not None and inverse:
                parts[k] = parts[k][0], Name(name.at, f"{base_name(name)}_inverse")
            elif call is not None and name is not None and inverse is not None:
                power = plain(call.name).scripts + call.scripts  # type: ignore[attr-defined]
                behind = Scripted(name.at, Group(name.at, "(", call.items), power)
                parts[k : call.after] = [(parts[k][0], name), (parts[k + 1][0], behind)]
            k += 1
        tree = replace(tree, parts=tuple(parts))
    return mapped(tree, lambda node: _without(node, is_inverse))


def _inverted(name: Node) -> Node | None:
    """The f of f⁻¹, the F_X of F_X⁻¹."""
    match plain(name):
        case Scripted(
            base=Name() as base, scripts=(*below, ("^", Addition(parts=((-1, Number(text="1")),))))
        ) if all(mark == "_" for mark, _ in below):
            return Scripted(name.at, base, tuple(below)) if below else base
    return None


__all__ = ["SPOKEN", "solved"]
