r"""Equations of motion as Leibniz writes them: dx/dt = … of what nothing defines is \dot x = …"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .differentials import halves
from .left import head
from .names import base_name, plain, stem
from .tree import Accent, Name, Node, Scripted, Symbol, is_equation, rebuilt, walk

TIME = "t"
_MARKS = {1: "dot", 2: "ddot"}


def dotted(trees: Sequence[Node]) -> list[Node]:
    r"""The trees with \dot x for the dx/dt of names of which they say nothing else."""
    moving = _derived(trees) - _otherwise(trees)
    if not moving:
        return [*trees]

    def change(node: Node) -> Node:
        found = _rate(node)
        return _marked(*found) if found is not None and _name(found[0]) in moving else node

    return [rebuilt(t, change) for t in trees]


def _derived(trees: Iterable[Node]) -> set[str]:
    """The x of dx/dt, where that stands in an equation."""
    every = (n for t in trees if is_equation(t) for n in walk(t))
    return {_name(found[0]) for n in every if (found := _rate(n)) is not None}


def _otherwise(trees: Iterable[Node]) -> set[str]:
    """What is defined, bears arguments, or is derived by something else."""
    found = {base_name(stem(left)) or "" for t in trees if (left := head(t)) is not None}
    for tree in trees:
        for node in walk(tree):
            sides = halves(node)
            if sides is not None and _rate(node) is None:
                found |= {base_name(stem(n)) or "" for part in sides[0] for n in walk(part)}
    return found


def _rate(node: Node) -> tuple[Node, int] | None:
    """The x and the order of d^n x/dt^n; None for anything else."""
    sides = halves(node)
    if sides is None or len(sides[0]) != 1 or not sides[2]:
        return None
    (top,), below, _ = sides
    timed = all(isinstance(n, Name) and n.text == TIME for n in below)
    return (top, len(below)) if timed and len(below) in _MARKS and _name(top) else None


def _name(node: Node) -> str:
    """The letter of x, of x_i and of X^\\top; empty for anything else."""
    node = plain(node)
    if isinstance(node, Scripted):
        same = all(sign == "_" or _turns(sign, script) for sign, script in node.scripts)
        node = node.base if same else node
    return node.text if isinstance(node, Name) and not node.style.startswith("diff") else ""


def _turns(sign: str, script: Node) -> bool:
    """A script says that a matrix is transposed."""
    return sign == "^" and script in (Symbol(script.at, "top"), Name(script.at, "T"))


def _marked(node: Node, order: int) -> Node:
    node = plain(node)
    if isinstance(node, Scripted):
        return replace(node, base=_marked(node.base, order))
    return Accent(node.at, _MARKS[order], node)


__all__ = ["dotted"]
