r"""R = x^\top A x / x^\top x is a number, whatever it stands before: A x - R x."""

from __future__ import annotations

from collections.abc import Iterable

from .names import is_letter, plain
from .tree import EQUAL, Chain, Fraction, Name, Node, Product, Scripted, Symbol


def numbers(trees: Iterable[Node]) -> set[str]:
    """The capitals that are defined as a form of two vectors, or as one over another."""
    found: dict[str, list[Node]] = {}
    for tree in trees:
        if isinstance(tree, Chain) and tree.relations[0][0] in EQUAL:
            left = plain(tree.sides[0])
            if isinstance(left, Name) and len(left.text) == 1 and left.text.isupper():
                found.setdefault(left.text, []).append(tree.sides[1])
    return {name for name, rights in found.items() if all(map(_is_form, rights))}


def _is_form(node: Node) -> bool:
    r"""x^\top A y, and such a form divided by another."""
    node = plain(node)
    if isinstance(node, Fraction):
        return _is_form(node.top) and _is_form(node.bottom)
    if not isinstance(node, Product) or any(op not in ("", "·") for op, _ in node.parts):
        return False
    first, last = plain(node.parts[0][1]), plain(node.parts[-1][1])
    return _turned(first) and is_letter(last) and last.style == ""


def _turned(node: Node) -> bool:
    match node:
        case Scripted(base=Name() as base, scripts=(("^", mark),)) if is_letter(base):
            top = isinstance(mark, Symbol) and mark.kind == "top"
            return top or getattr(mark, "text", "") == "T"
    return False


__all__ = ["numbers"]
