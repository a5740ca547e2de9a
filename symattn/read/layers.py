r"""Layers of a network: z^l = W^l a^{l-1} + b^l, where l is no power and L is the last.

Where words speak of layer l, or formulas of z^{[l]}, what stands above a name says of which layer
it is: z^l is z^{(l)}, a step like any other (steps.py), and z^L is one thing more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from .steps import AFTER, REACH
from .tree import Addition, Group, Name, Node, Number, Scripted, is_nabla, replaced, walk

_LETTER = r"\\?(?P<letter>ell|[lk])"
_SAID = (
    re.compile(rf"[Ll]ayers?\s+(?:number\s+)?(?:\$|\\\()\s*{_LETTER}(?![A-Za-z])"),
    re.compile(rf"\^\s*\{{?\s*\[\s*{_LETTER}\s*[-+\]]"),
    re.compile(rf"(?:\$|\\\()\(?{_LETTER}(?![A-Za-z])[^$]{{0,30}}?(?:\$|\\\))?[-\s]*(?:th)?[-\s]+layer"),
)  # fmt: skip
LAST = "L"


@lru_cache(maxsize=8)
def said(text: str) -> frozenset[str]:
    """The letters that words call layers."""
    return frozenset(found["letter"] for pattern in _SAID for found in pattern.finditer(text))


def labelled(tree: Node, letters: frozenset[str]) -> Node:
    """The statement with z^{(l)} for z^l, and with the label L for z^L."""
    if not letters:
        return tree

    last = any(isinstance(n, Name) and n.text == LAST for n in _above(tree))

    def change(node: Node) -> Node:
        if isinstance(node, Scripted) and is_nabla(node) and last:  # ∇_a C beside z^L
            by = tuple((sign, _of_last(s)) for sign, s in node.scripts)
            return Scripted(node.at, node.base, by)
        if not isinstance(node, Scripted) or not isinstance(node.base, Name):
            return node
        scripts = tuple(_script(*pair, letters) for pair in node.scripts)
        return node if scripts == node.scripts else Scripted(node.at, node.base, scripts)

    return replaced(tree, change)


def _above(tree: Node) -> Iterator[Node]:
    """What stands above names."""
    for node in walk(tree):
        if isinstance(node, Scripted):
            yield from (a for sign, s in node.scripts if sign == "^" for a in walk(s))


def _of_last(script: Node) -> Node:
    label = ("_", Name(script.at, LAST, "upright"))
    return Scripted(script.at, script, (label,)) if isinstance(script, Name) else script


def _script(sign: str, script: Node, letters: frozenset[str]) -> tuple[str, Node]:
    inner = script
    if isinstance(inner, Group) and len(inner.items) == 1:
        (inner,) = inner.items
    if isinstance(inner, Group) and inner.bracket in ("(", "[") and len(inner.items) == 1:
        (inner,) = inner.items
    found = _step(inner)
    if sign != "^" or found is None:
        return sign, script
    letter, step = found
    if letter == LAST:
        return "_", Name(script.at, LAST + AFTER[step], "upright")
    if letter not in letters:
        return sign, script
    if letter == "ell":
        inner = replaced(inner, lambda n: Name(n.at, "l") if n == Name(n.at, "ell") else n)
    return sign, Group(script.at, "(", (inner,))


def _step(node: Node) -> tuple[str, int] | None:
    """l and −1 for l − 1."""
    match node:
        case Name(text=text):
            return text, 0
        case Addition(parts=((1, Name(text=text)), (sign, Number(text=number)))) if (
            number.isdigit() and int(number) <= REACH
        ):
            return text, sign * int(number)
    return None


__all__ = ["LAST", "labelled", "said"]
