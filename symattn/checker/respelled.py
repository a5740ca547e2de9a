"""The LaTeX of a changed tree: the single edit of a side that is read as that tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, combinations, islice

from ..errors import SymattnError
from ..read.grammar import parse
from ..read.scan import scan
from ..read.split import statements
from ..read.tokens import tokens
from ..read.tree import Addition, Chain, Node, Product, rebuilt, spelled
from .declarations import declared
from .edits import candidates

MOST = 250  # edits that are read
_BODY = r"(?:[^(),|\\]|\\(?!mid)[a-z]+)+?"
_GIVEN = re.compile(  # x \mid z, of p(x \mid z)
    rf"(?P<one>{_BODY})(?P<bar>\s*(?:\\mid\b|\|)\s*)(?P<other>{_BODY})(?=\s*(?:\\right\s*)?\))"
)
_LAW = r"[^(){}|]+(?:\([^()]*\))?"
_LAWS = re.compile(  # q \,\|\, p, and {q}{p} of a macro
    rf"(?P<open>[({{\[]\s*)(?P<one>{_LAW})(?P<bar>\s*(?:\\,)?\s*\\\|\s*(?:\\,)?\s*|\}}\{{)"
    rf"(?P<other>{_LAW})(?=\s*[)}}\]])"
)
_CALL = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z](?:_(?:\\?\w+|\{[^{}]*\}))?\((?:[^()]|\([^()]*\))*\)")


def respelled(right: str, wanted: Node, text: str, read: Callable[[Node], Node]) -> str:
    """The side after the first edit that is `wanted`; empty where no edit is, or it is not read.

    `text` is that of its document, and `read` makes of a tree what `wanted` is compared with.
    """
    edits = [*islice(dict.fromkeys(chain(candidates(right), _of_laws(right))), MOST)]
    body = "\n\n".join(f"$$ x = {latex} $$" for latex in edits)
    try:
        source = scan(f"{declared(text)}\n\n{body}\n", strict=False)
    except SymattnError:
        return ""
    trees: dict[str, Node] = {}
    for display in source.displays:
        latex = source.text[display.start : display.end].strip().removeprefix("x = ").strip()
        try:
            (found,) = statements(tokens(source, display))
            parse(source, found)
        except (SymattnError, ValueError):
            continue
        trees[latex] = source.parsed[tuple(found)]
    goal = spelled(_plain(wanted))
    for latex in edits:
        tree = trees.get(latex.strip())
        if isinstance(tree, Chain) and spelled(_plain(read(tree.sides[-1]))) == goal:
            return latex.strip()
    return ""


def _plain(side: Node) -> Node:
    """The tree without products and sums of one."""

    def change(node: Node) -> Node:
        match node:
            case Product(parts=(("", one),)) | Addition(parts=((1, one),)):
                return one
        return node

    found: Node = rebuilt(side, change)
    return found


def _of_laws(side: str) -> Iterator[str]:
    """What is given exchanged, two laws exchanged, another law, one logarithm more or less."""
    for pattern in (_GIVEN, _LAWS):
        for m in pattern.finditer(side):
            before = side[: m.start()] + (m["open"] if pattern is _LAWS else "")
            yield f"{before}{m['other'].strip()}{m['bar']}{m['one'].strip()}{side[m.end() :]}"
    calls = [*_CALL.finditer(side)]
    for m in calls:
        for other in dict.fromkeys(c[0] for c in calls if c[0] != m[0]):
            yield side[: m.start()] + other + side[m.end() :]
    for one, other in combinations(dict.fromkeys(c[0] for c in calls), 2):
        instead = {one: other, other: one}
        yield _CALL.sub(lambda m, instead=instead: instead.get(m[0], m[0]), side)  # type: ignore[misc]
    for m in re.finditer(r"\\log\s*", side):
        yield side[: m.start()] + side[m.end() :]
    for m in re.finditer(r"\\nabla(?:_(?:\\?\w+|\{[^{}]*\}))?\s*", side):
        yield f"{side[: m.end()]} \\log {side[m.end() :]}"


__all__ = ["respelled"]
