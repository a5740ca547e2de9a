r"""The letter e as a number: 2.718… wherever it stands, in a text that raises it to a name, e^{-x},
or that has logarithms and puts e into a function of its own, f(e) beside f(x) = … .

It is a name where an equation defines it, where it bears marks or indices, where something is
derived by it, and where words speak of a charge, an error or an eccentricity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .applications import applied
from .left import head
from .names import base_name, plain
from .tree import (
    Accent,
    Chain,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    base_of,
    mapped,
    walk,
)

_OTHERWISE = re.compile(
    r"\b(?:charged?s?|electrons?|protons?|ions?|errors?|eccentric\w*|residuals?|effort|edges?|"
    r"elasticity|emissions?|voids?|embeddings?|identity|unit element|basis|strains?)\b",
    re.IGNORECASE,
)


def is_number(trees: Iterable[Node], text: str) -> bool:
    """True where every e of these trees is Euler's number."""
    if _OTHERWISE.search(text):
        return False
    given, put = set[str | None](), set[str | None]()
    raised = logarithms = False
    for tree in trees:
        left = head(tree)
        if left is not None and _is_e(base_of(left)) and left == base_of(left):
            value = tree.sides[-1] if isinstance(tree, Chain) else None
            if not isinstance(value, Number) or not value.text.startswith("2.7"):
                return False
        if isinstance(tree, Chain) and left is not None and plain(tree.sides[0]) is not left:
            given.add(base_name(left))
        for node in walk(tree):
            match node:
                case Product(parts=parts):
                    if any(op != "/" and _is_e(p) for op, p in parts) and any(map(_is_name, parts)):
                        return False  # e sin w, e V
                    calls = [call for _, call in applied(node)]
                    put |= {
                        base_name(c.name) for c in calls if len(c.items) == 1 and _is_e(c.items[0])
                    }
                case Symbol(text="log" | "ln"):
                    logarithms = True
                case Name(text="e", style=style) if style not in ("", "upright"):
                    return False
                case Name(text="de" | "e'") | Accent(body=Name(text="e")):
                    return False
                case Scripted(base=base, scripts=((mark, script), *more)) if _is_e(base):
                    if mark != "^" or more or isinstance(script, Symbol) or _label(script):
                        return False
                    inside = {n.text for n in walk(script) if isinstance(n, Name)}
                    raised = raised or bool(inside - {"pi", "T"})
                case Scripted(base=Symbol(), scripts=scripts):
                    if any(_is_e(n) for mark, s in scripts if mark == "_" for n in walk(s)):
                        return False
    return raised or (logarithms and not put.isdisjoint(given))


def raised(tree: Any) -> Any:
    """The tree with e^1 for e, but below names, where it is a label."""
    match tree:
        case Name() if _is_e(tree):
            return Scripted(tree.at, tree, (("^", Number(tree.at, "1")),))
        case Scripted(base=base, scripts=scripts):
            base = base if _is_e(base) else raised(base)
            above = tuple((mark, s if mark == "_" else raised(s)) for mark, s in scripts)
            return Scripted(tree.at, base, above)
    return mapped(tree, raised)


def _is_e(node: Node) -> bool:
    return isinstance(node, Name) and node.text == "e"


def _is_name(part: tuple[str, Node]) -> bool:
    """True for a name or a function among factors, but for powers of e."""
    base = base_of(part[1])
    return isinstance(base, Name | Symbol) and not _is_e(base) and base_name(base) != "pi"


def _label(script: Node) -> bool:
    """True for the (t) of e^{(t)}."""
    while isinstance(script, Group) and script.bracket == "{" and len(script.items) == 1:
        script = script.items[0]
    return isinstance(script, Group) and script.bracket in "(["


__all__ = ["is_number", "raised"]
