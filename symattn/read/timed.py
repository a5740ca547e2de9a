r"""Matrices that depend on the time: where words speak of the matrix $A(t)$, A(t) is A.

So $A(t)^{-1}$ is no $A t^{-1}$, and A'(t) is the rate \dot A.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from .names import is_capital
from .rates import TIME
from .source import Source
from .tree import Accent, Chain, Group, Name, Node, Number, Product, Scripted, rebuilt, walk
from .words import sentences

_OF_TIME = re.compile(
    r"(?:(\\?[A-Za-z]+)\s*=\s*)?(\\?[A-Za-z]+)\s*\(\s*t\s*\)\s*(?:\\in\b.*)?", re.S
)
_MATRIX = re.compile(r"\bmatri(?:x|ces)\b", re.IGNORECASE)


def gather(trees: Iterable[Node], source: Source) -> frozenset[str]:
    """The matrices that words give as functions of the time, and the trees as nothing else."""
    found = set[str]()
    for text, spans in sentences(source):
        for span in spans if _MATRIX.search(text) else ():
            said = _OF_TIME.fullmatch(source.text[span.start : span.end].strip())
            if said and said[1] in (None, said[2]) and is_capital(said[2].lstrip("\\")):
                found.add(said[2].lstrip("\\"))
    other = {x for tree in trees for x in _otherwise(tree)} if found else set()
    return frozenset(found - other)


def bare(tree: Node, known: frozenset[str]) -> Node:
    """The tree without the time of these matrices."""

    def change(node: Node) -> Node:
        if not isinstance(node, Product):
            return node
        parts, k = list[tuple[str, Node]](), 0
        while k < len(node.parts):
            op, part = node.parts[k]
            behind = node.parts[k + 1][1] if k + 1 < len(node.parts) else None
            if _matrix(part) in known and behind is not None and _is_time(_inside(behind)):
                part, k = _rate(part), k + 1
                if isinstance(behind, Scripted):
                    part = Scripted(part.at, part, behind.scripts)
            parts.append((op, part))
            k += 1
        return parts[0][1] if len(parts) == 1 and not parts[0][0] else Product(node.at, (*parts,))

    return rebuilt(tree, change) if known else tree


def says_nothing(tree: Node) -> bool:
    """A = A(t) without the time."""
    return isinstance(tree, Chain) and len(tree.sides) == 2 and _same(*tree.sides)


def _same(left: Node, right: Node) -> bool:
    return isinstance(left, Name) and isinstance(right, Name) and left.text == right.text


def _otherwise(tree: Node) -> Iterator[str]:
    """The matrices that a tree gives at another time, or by a formula."""
    for node in walk(tree):
        parts = node.parts if isinstance(node, Product) else ()
        for (_, part), (_, behind) in pairwise(parts):
            group = _inside(behind)
            match group:
                case Group(bracket="(", items=(Name(text=x) | Number(text=x),)) if x != TIME:
                    yield _matrix(part)  # A(0), A(s)
    match tree:
        case Chain(sides=(Product(parts=((_, left), (_, behind))), *_)) if _is_time(behind):
            yield _matrix(left)  # A(t) = …


def _inside(node: Node) -> Node:
    return node.base if isinstance(node, Scripted) else node


def _is_time(node: Node) -> bool:
    match node:
        case Group(bracket="(", items=(Name(text=text),)):
            return text == TIME
    return False


def _matrix(node: Node) -> str:
    r"""The A of A, A' and \dot A."""
    node = node.body if isinstance(node, Accent) and node.mark in ("dot", "ddot") else node
    return node.text.rstrip("'") if isinstance(node, Name) else ""


def _rate(node: Node) -> Node:
    r"""\dot A for A'."""
    if isinstance(node, Name) and (order := len(node.text) - len(node.text.rstrip("'"))) in (1, 2):
        return Accent(node.at, "d" * (order - 1) + "dot", Name(node.at, node.text.rstrip("'")))
    return node


__all__ = ["bare", "gather", "says_nothing"]
